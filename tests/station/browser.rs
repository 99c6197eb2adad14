//! The page's tests in a real browser, where there is one and a Node with the page's packages.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command},
};

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = folders.iter().flat_map(|f| names.iter().map(|n| f.join(n)));
    files.into_iter().find(|p| p.is_file())
}

/// Where the pictures of a test go: into a folder of its own, or where they are kept.
pub fn pictures(folder: &Path) -> PathBuf {
    std::env::var_os("ADOUBE_TEST_PICTURES").map_or_else(|| folder.join("pictures"), PathBuf::from)
}

/// Runs a script of `page/test` with the browser, an address, a folder for pictures (kept where
/// `ADOUBE_TEST_PICTURES` says) and more; without what it needs, says that it was skipped.
pub fn start(script: &str, folder: &Path, address: &str, more: &[&str]) -> Option<Child> {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let Some(browser) = on_path(&["chromium", "chromium-browser", "google-chrome"]) else {
        println!("skipped: no chromium on the path");
        return None;
    };
    let Some(node) = on_path(&["node"]) else {
        println!("skipped: no node on the path");
        return None;
    };
    if !project.join("page/node_modules/axe-core").is_dir() {
        println!("skipped: the page's packages are not installed (npm ci in page/)");
        return None;
    }
    let run = Command::new(node)
        .arg(project.join("page/test").join(script))
        .arg(browser)
        .arg(address)
        .arg(pictures(folder))
        .args(more)
        .spawn();
    Some(run.unwrap())
}
