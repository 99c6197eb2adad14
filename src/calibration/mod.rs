//! Where the board lies: corners, the view between image and board, finding it, board files.

pub mod view;
