//! What the hands did, and which moves were made. Pure: driven by observations alone.

pub mod observation;
