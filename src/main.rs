//! The command line: parse, call, print; nothing else.

#[cfg(feature = "vision")]
mod commands;
mod rules_cli;
#[cfg(feature = "station")]
mod station_cli;

fn main() -> std::process::ExitCode {
    // Output piped into `head` ends quietly; a station must outlive a connection that breaks, and a
    // review an FFmpeg that ends before its frames.
    if std::env::args_os()
        .nth(1)
        .is_none_or(|command| command != "serve" && command != "review")
    {
        sigpipe::reset();
    }
    #[cfg(feature = "vision")]
    return commands::main();
    #[cfg(not(feature = "vision"))]
    return rules_cli::main();
}
