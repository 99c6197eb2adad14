//! One recording in several files, as cameras write them that begin a new file every half hour or
//! every 4 GB.

use std::{collections::VecDeque, path::PathBuf};

use super::{Frame, FrameSource, MediaError, SourceInfo, open, times::Joint};

/// Files that follow each other.
struct Parts {
    current: Box<dyn FrameSource>,
    path: PathBuf,
    waiting: VecDeque<PathBuf>,
    info: SourceInfo,
    joint: Joint,
}

/// Opens one source, or the files of one recording in their order.
///
/// # Errors
/// [`MediaError`]; every file is opened once, so that what is missing is said before anything is done.
pub fn open_parts(paths: &[PathBuf]) -> Result<Box<dyn FrameSource>, MediaError> {
    let mut waiting: VecDeque<PathBuf> = paths.iter().cloned().collect();
    let path = waiting
        .pop_front()
        .ok_or_else(|| MediaError::Missing(PathBuf::new()))?;
    let current = open(&path)?;
    if waiting.is_empty() {
        return Ok(current);
    }
    let mut info = current.info().clone();
    let size = (info.width_px, info.height_px);
    for path in &waiting {
        let more = open(path)?;
        let more = more.info();
        check_size(path, size, (more.width_px, more.height_px))?;
        info.frames = info.frames.zip(more.frames).map(|(a, b)| a + b);
        info.length_ms = info.length_ms.zip(more.length_ms).map(|(a, b)| a + b);
        info.torn |= more.torn;
    }
    Ok(Box::new(Parts {
        current,
        path,
        waiting,
        joint: Joint::new(info.nominal_fps),
        info,
    }))
}

fn check_size(
    path: &std::path::Path,
    expected: (u32, u32),
    found: (u32, u32),
) -> Result<(), MediaError> {
    if found == expected {
        return Ok(());
    }
    Err(MediaError::OtherSize {
        path: path.to_owned(),
        found,
        expected,
    })
}

impl FrameSource for Parts {
    fn info(&self) -> &SourceInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, MediaError> {
        loop {
            if let Some(mut frame) = self.current.next_frame()? {
                (frame.t_ms, frame.index) = self.joint.place(frame.t_ms);
                frame.part = self.joint.part;
                return Ok(Some(frame));
            }
            let Some(path) = self.waiting.pop_front() else {
                return Ok(None);
            };
            tracing::debug!(done = %self.path.display(), next = %path.display(), "next file");
            self.current = open(&path)?;
            self.path = path;
            self.joint.next_part();
        }
    }
}
