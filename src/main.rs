//! The command line: parse, call, print; nothing else.

#[cfg(feature = "vision")]
mod commands;

#[cfg(feature = "vision")]
fn main() -> std::process::ExitCode {
    commands::main()
}

#[cfg(not(feature = "vision"))]
fn main() -> std::process::ExitCode {
    eprintln!(
        "adoube: built without the \"vision\" feature, this program has no commands: use the library's rules core"
    );
    std::process::ExitCode::FAILURE
}
