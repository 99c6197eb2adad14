//! The network camera of the tests: GStreamer's RTSP server, where it is installed.

use std::{
    net::TcpListener,
    process::{Command, Stdio},
};

/// The distribution's own: another one lacks the bindings.
pub const PYTHON: &str = "/usr/bin/python3";
pub const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rtsp_server.py");

/// Whether the server can be started; says so where the test is skipped.
pub fn is_there() -> bool {
    let probe = "import gi; gi.require_version('GstRtspServer', '1.0')";
    let there = Command::new(PYTHON)
        .args(["-c", probe])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    if !there {
        println!("skipped: GStreamer's RTSP server is not installed (see scripts/test)");
    }
    there
}

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
