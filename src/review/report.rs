//! The report: one self-contained page.

use super::evidence::Picture;
use crate::record::Record;

/// What goes into the report.
pub struct Findings<'a> {
    /// What was found.
    pub record: &'a Record,
    /// File name of the recording.
    pub video_name: &'a str,
    /// Frames of the incidents.
    pub evidence: &'a [Picture],
    /// What a person should know.
    pub notes: &'a [String],
    /// Models with their SHA-256.
    pub models: &'a [(String, String)],
    /// Speed of the run.
    pub frames_per_second: f64,
}

/// The page.
#[must_use]
pub fn render(findings: &Findings) -> String {
    format!("<!doctype html>{}", findings.video_name)
}
