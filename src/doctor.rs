//! What is installed, what is missing, and what to do about it.

use std::{fmt::Write, path::Path, process::Command};

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Good.
    Ok,
    /// Works, but something is not as it should be.
    Warn,
    /// The program cannot do its job.
    Fail,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it ended.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What to do about it.
    pub advice: Option<String>,
}

impl Check {
    fn ok(name: &'static str, found: String) -> Self {
        Self {
            name,
            status: Status::Ok,
            found,
            advice: None,
        }
    }

    fn not(status: Status, name: &'static str, found: String, advice: &str) -> Self {
        Self {
            name,
            status,
            found,
            advice: Some(advice.to_owned()),
        }
    }
}

/// Looks at everything the program needs.
#[must_use]
pub fn examine(models: &Path) -> Vec<Check> {
    vec![
        runtime(),
        opencv_check(),
        model_files(models),
        tool(
            "ffmpeg",
            "-version",
            "ffmpeg (to listen, and to keep and export video; other reviews do without)",
        ),
        tool(
            "chromium",
            "--version",
            "chromium (only for this project's own tests)",
        ),
        cores(),
        memory(&std::fs::read_to_string("/proc/meminfo").unwrap_or_default()),
        folder(),
    ]
}

fn runtime() -> Check {
    use crate::vision::runtime::{locate, version};
    match (locate(), version()) {
        (Ok(path), Ok(_)) => Check::ok("ONNX Runtime", format!("{}, loads", path.display())),
        (_, Err(error)) | (Err(error), _) => Check::not(
            Status::Fail,
            "ONNX Runtime",
            error.to_string(),
            "run scripts/setup",
        ),
    }
}

fn opencv_check() -> Check {
    let version = opencv::core::get_version_string().unwrap_or_default();
    let info = opencv::core::get_build_information().unwrap_or_default();
    let ffmpeg = info
        .lines()
        .any(|l| l.trim_start().starts_with("FFMPEG:") && l.contains("YES"));
    if ffmpeg {
        Check::ok("OpenCV", format!("{version}, reads video through FFmpeg"))
    } else {
        Check::not(
            Status::Fail,
            "OpenCV",
            format!("{version}, without FFmpeg"),
            "install the distribution's libopencv-dev: it reads video through FFmpeg",
        )
    }
}

/// Compares the models with `SHA256SUMS` beside them.
fn model_files(models: &Path) -> Check {
    let Ok(sums) = std::fs::read_to_string(models.join("SHA256SUMS")) else {
        return Check::not(
            Status::Fail,
            "models",
            format!("no {}", models.join("SHA256SUMS").display()),
            "copy the models/ folder of this version beside the program, or set ADOUBE_MODELS",
        );
    };
    let found = crate::review::checksums(models);
    let wrong: Vec<&str> = wrong_models(&sums, &found);
    if wrong.is_empty() {
        Check::ok(
            "models",
            format!("{} in {}, all as released", found.len(), models.display()),
        )
    } else {
        Check::not(
            Status::Fail,
            "models",
            format!("missing or changed: {}", wrong.join(", ")),
            "restore them from the release",
        )
    }
}

/// Names in `SHA256SUMS` whose file is missing or differs.
fn wrong_models<'a>(sums: &'a str, found: &[(String, String)]) -> Vec<&'a str> {
    sums.lines()
        .filter_map(|l| l.split_once("  "))
        .filter(|(sum, name)| !found.iter().any(|(n, s)| n == name && s == sum))
        .map(|(_, name)| name)
        .collect()
}

fn tool(name: &'static str, flag: &str, label: &'static str) -> Check {
    match Command::new(name).arg(flag).output() {
        Ok(out) if out.status.success() => {
            let text = String::from_utf8_lossy(&out.stdout);
            Check::ok(
                label,
                text.lines()
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .take(60)
                    .collect(),
            )
        }
        _ => Check::not(
            Status::Warn,
            label,
            "not found".to_owned(),
            "install it with the system's package manager",
        ),
    }
}

fn cores() -> Check {
    match std::thread::available_parallelism() {
        Ok(n) if n.get() >= 2 => Check::ok("processor", format!("{n} cores")),
        Ok(n) => Check::not(
            Status::Warn,
            "processor",
            format!("{n} core"),
            "two cores or more are advised for live boards",
        ),
        Err(error) => Check::not(Status::Warn, "processor", error.to_string(), "nothing"),
    }
}

/// Memory that a review may need, MiB.
const MEMORY_MIB: u64 = 1024;

/// Free memory, from the text of `/proc/meminfo`.
fn memory(meminfo: &str) -> Check {
    let free_kib = meminfo
        .lines()
        .find_map(|l| l.strip_prefix("MemAvailable:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    match free_kib.map(|kib| kib / 1024) {
        Some(mib) if mib >= MEMORY_MIB => Check::ok("memory", format!("{mib} MiB free")),
        Some(mib) => Check::not(
            Status::Warn,
            "memory",
            format!("{mib} MiB free"),
            "a review wants up to 1 GiB: close other programs",
        ),
        None => Check::not(
            Status::Warn,
            "memory",
            "unknown on this system".to_owned(),
            "a review wants up to 1 GiB",
        ),
    }
}

fn folder() -> Check {
    match tempfile::tempfile_in(".") {
        Ok(_) => Check::ok("this folder", "can be written".to_owned()),
        Err(error) => Check::not(
            Status::Warn,
            "this folder",
            error.to_string(),
            "give --out a folder that can be written",
        ),
    }
}

/// The checks as lines for people.
#[must_use]
pub fn render(checks: &[Check]) -> String {
    let mut out = String::new();
    for check in checks {
        let mark = match check.status {
            Status::Ok => "ok  ",
            Status::Warn => "warn",
            Status::Fail => "FAIL",
        };
        let _ = writeln!(out, "{mark}  {}: {}", check.name, check.found);
        if let Some(advice) = &check.advice {
            let _ = writeln!(out, "      {advice}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_follows_what_failed() {
        let text = render(&[
            Check::ok("a", "1".into()),
            Check::not(Status::Fail, "b", "gone".into(), "fetch it"),
        ]);
        assert_eq!(text, "ok    a: 1\nFAIL  b: gone\n      fetch it\n");
    }

    #[test]
    fn memory_is_read_and_judged() {
        let text = |kib: u64| format!("MemTotal: 9 kB\nMemAvailable:   {kib} kB\n");
        assert_eq!(
            memory(&text(8 << 20)),
            Check::ok("memory", "8192 MiB free".into())
        );
        assert_eq!(memory(&text(512 << 10)).status, Status::Warn);
        assert_eq!(memory("no such line").status, Status::Warn);
    }

    #[test]
    fn changed_and_missing_models_are_named() {
        let found = [
            ("a.onnx".to_owned(), "11".to_owned()),
            ("b.onnx".to_owned(), "99".to_owned()),
        ];
        assert_eq!(
            wrong_models("11  a.onnx\n22  b.onnx\n33  c.onnx\n", &found),
            ["b.onnx", "c.onnx"]
        );
    }
}
