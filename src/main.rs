//! The command line: parse, call, print; nothing else.

#[cfg(feature = "vision")]
mod commands;
mod rules_cli;
#[cfg(feature = "station")]
mod station_cli;

#[cfg(feature = "vision")]
fn main() -> std::process::ExitCode {
    commands::main()
}

#[cfg(not(feature = "vision"))]
fn main() -> std::process::ExitCode {
    rules_cli::main()
}
