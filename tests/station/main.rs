//! The station as its user starts it: its boards, its store, its network, and its pages in Chromium.

#![cfg(feature = "station")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say where"
)]

mod boards;
mod browser;
mod camera;
mod camera_page;
mod killed;
mod network;
mod overlay_page;
mod page;
mod reviews_page;
mod sources;
mod station;
mod store;
