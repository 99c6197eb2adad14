//! A running station, as its user starts it.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::Duration,
};

/// The program, watching boards; it is killed if a test fails.
pub struct Station {
    child: Child,
    /// The address that it printed.
    pub address: String,
    /// Everything that it prints.
    lines: mpsc::Receiver<String>,
}

impl Drop for Station {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Station {
    /// Starts it at a free port, and waits for the address that it prints.
    pub fn start(data: &Path, arguments: &[&str]) -> Self {
        Self::start_in(data, arguments, &[])
    }

    /// As [`Station::start`], with more in its environment.
    pub fn start_in(data: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adoube"))
            .args(["serve", "--port", "0", "--data"])
            .arg(data)
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let reader = BufReader::new(child.stdout.take().unwrap());
        // What it says later must not block it.
        std::thread::spawn(move || {
            for line in reader.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut station = Self {
            child,
            address: String::new(),
            lines,
        };
        let line = station.line("open http");
        station.address = format!("http{}", line.split_once("http").unwrap().1);
        station
    }

    /// The next line that has these words.
    pub fn line(&self, words: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(120)).unwrap();
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Host and port that it listens at.
    pub fn host(&self) -> &str {
        let rest = self.address.split_once("://").unwrap().1;
        rest.split('/').next().unwrap()
    }

    /// Ctrl-C, and whether it ended well.
    pub fn interrupt(mut self) -> bool {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().success()
    }
}

/// A folder with one picture without a board, as a source.
pub fn no_board(folder: &Path) -> String {
    let blank = folder.join("blank");
    std::fs::create_dir_all(&blank).unwrap();
    let grey = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/report/grey.jpg");
    std::fs::copy(grey, blank.join("1.jpg")).unwrap();
    format!("Nothing={}", blank.display())
}
