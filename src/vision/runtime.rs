//! Finding and loading ONNX Runtime, and opening models with it.
//!
//! The library is loaded at run time and never fetched by this program: `scripts/setup` puts it
//! into `runtime/`. Looked for, in this order: `ORT_DYLIB_PATH`, `runtime/` and `lib/` beside the
//! executable and its parents, `runtime/` in the current folder, the system's library folders.

use std::path::{Path, PathBuf};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use ort::{
    environment::{Environment, GlobalThreadPoolOptions},
    session::Session,
};

/// Why a model cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RuntimeError {
    /// No library anywhere.
    #[error(
        "ONNX Runtime was not found: run scripts/setup, or set ORT_DYLIB_PATH to libonnxruntime.so (1.24 or newer)"
    )]
    NotFound,
    /// There is one, but it does not load or is too old.
    #[error("{}: this ONNX Runtime cannot be used ({why}): run scripts/setup, or set ORT_DYLIB_PATH to version 1.24 or newer", path.display())]
    Unusable {
        /// Which library.
        path: PathBuf,
        /// What the loader said.
        why: String,
    },
    /// A model file is not there.
    #[error("{}: this model file is missing: copy the models/ folder of this version beside the program, or set ADOUBE_MODELS to where it is", .0.display())]
    MissingModel(PathBuf),
    /// A model file that does not load or run.
    #[error("{}: this model cannot be used ({why}): restore it from the release and compare models/SHA256SUMS", path.display())]
    BadModel {
        /// Which model.
        path: PathBuf,
        /// What ONNX Runtime said.
        why: String,
    },
}

/// The library file that would be loaded.
///
/// # Errors
/// [`RuntimeError::NotFound`].
pub fn locate() -> Result<PathBuf, RuntimeError> {
    if let Some(path) = std::env::var_os("ORT_DYLIB_PATH").filter(|p| !p.is_empty()) {
        return Ok(PathBuf::from(path));
    }
    let mut folders: Vec<PathBuf> = Vec::new();
    for base in bases() {
        folders.push(base.join("runtime"));
        folders.push(base.join("lib"));
    }
    for system in [
        "/usr/local/lib",
        "/usr/lib",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
    ] {
        folders.push(PathBuf::from(system));
    }
    folders
        .iter()
        .find_map(|f| library_in(f))
        .ok_or(RuntimeError::NotFound)
}

/// The executable's folder and its parents (so that a build below `target/` finds the project's
/// own files), then the current folder.
fn bases() -> Vec<PathBuf> {
    let exe = std::env::current_exe().unwrap_or_default();
    let mut bases: Vec<PathBuf> = exe
        .ancestors()
        .skip(1)
        .take(4)
        .map(Path::to_owned)
        .collect();
    bases.push(PathBuf::from("."));
    bases
}

fn library_in(folder: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|p| {
            p.file_name()
                .and_then(|n| n.to_str())
                .is_some_and(|n| n.starts_with("libonnxruntime.so"))
        })
        .collect();
    found.sort();
    found.pop()
}

/// The folder with the models: `ADOUBE_MODELS`, or `models/` beside the executable, above it, or
/// in the current folder.
#[must_use]
pub fn models_folder() -> PathBuf {
    if let Some(path) = std::env::var_os("ADOUBE_MODELS").filter(|p| !p.is_empty()) {
        return PathBuf::from(path);
    }
    bases()
        .into_iter()
        .map(|base| base.join("models"))
        .find(|folder| folder.is_dir())
        .unwrap_or_else(|| PathBuf::from("models"))
}

/// ONNX Runtime's own description of its build.
///
/// # Errors
/// As [`locate`], or [`RuntimeError::Unusable`].
pub fn version() -> Result<String, RuntimeError> {
    environment()?;
    Ok(ort::info().to_owned())
}

/// Threads that all inferences of this process share: these models are small, more does not pay.
static THREADS: AtomicUsize = AtomicUsize::new(2);

/// Sets how many threads all inferences of this process share, however many boards it watches. Has to
/// be said before the first model is opened.
pub fn set_threads(threads: usize) {
    THREADS.store(threads.max(1), Ordering::Relaxed);
}

static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

fn environment() -> Result<Environment, RuntimeError> {
    let mut slot = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = slot.as_ref() {
        return Ok(environment.clone());
    }
    let path = locate()?;
    let unusable = |why: String| RuntimeError::Unusable {
        path: path.clone(),
        why,
    };
    // The pool needs the library to be loaded, which the first of these does.
    let builder = ort::init_from(&path).map_err(|e| unusable(e.to_string()))?;
    let environment = thread_pool()
        .and_then(|pool| {
            let builder = builder.with_name("adoube").with_telemetry(false);
            builder.with_global_thread_pool(pool).build()
        })
        .map_err(|e| unusable(e.to_string()))?;
    *slot = Some(environment.clone());
    Ok(environment)
}

/// One pool for the models of all boards: with one each, boards would take the cores from each other.
fn thread_pool() -> Result<GlobalThreadPoolOptions, ort::Error> {
    GlobalThreadPoolOptions::default()
        .with_inter_threads(1)?
        .with_intra_threads(THREADS.load(Ordering::Relaxed))?
        // Spinning threads would burn a core for hours of waiting.
        .with_spin_control(false)
}

/// A loaded model with the path it came from, for messages.
pub struct Model {
    path: PathBuf,
    session: Session,
}

impl Model {
    /// Opens `models/NAME`.
    ///
    /// # Errors
    /// [`RuntimeError`], in words a person can act on.
    pub fn open(folder: &Path, name: &str) -> Result<Self, RuntimeError> {
        let path = folder.join(name);
        if !path.is_file() {
            return Err(RuntimeError::MissingModel(path));
        }
        let environment = environment()?;
        let session = build_session(&environment, &path).map_err(|why| RuntimeError::BadModel {
            path: path.clone(),
            why,
        })?;
        Ok(Self { path, session })
    }

    /// Runs the model on one float tensor and returns the named outputs, flattened.
    ///
    /// # Errors
    /// [`RuntimeError::BadModel`] when the model does not take the input or lacks an output.
    pub fn run<D: ndarray::Dimension + 'static>(
        &mut self,
        input: &ndarray::Array<f32, D>,
        outputs: &[&str],
    ) -> Result<Vec<Vec<f32>>, RuntimeError> {
        let path = &self.path;
        let bad = |why: String| RuntimeError::BadModel {
            path: path.clone(),
            why,
        };
        let tensor =
            ort::value::TensorRef::from_array_view(input.view()).map_err(|e| bad(e.to_string()))?;
        let results = self
            .session
            .run(ort::inputs![tensor])
            .map_err(|e| bad(e.to_string()))?;
        outputs
            .iter()
            .map(|name| {
                let value = results
                    .get(*name)
                    .ok_or_else(|| bad(format!("it has no output \"{name}\"")))?;
                let (_, data) = value
                    .try_extract_tensor::<f32>()
                    .map_err(|e| bad(e.to_string()))?;
                Ok(data.to_vec())
            })
            .collect()
    }
}

fn build_session(environment: &Environment, path: &Path) -> Result<Session, String> {
    Session::builder(environment)
        .map_err(|e| e.to_string())?
        .commit_from_file(path)
        .map_err(|e| e.to_string())
}
