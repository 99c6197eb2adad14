//! The station's commands: `adoube serve`, `adoube check` and `adoube verify`.

use std::{
    io::IsTerminal,
    net::IpAddr,
    path::{Path, PathBuf},
};

use adoube::{
    rules::Edition,
    station::{
        Station, bundle,
        config::{Config, Given, Listen},
        store::check::check,
        tls::{self, Identity},
        web::Server,
    },
    vision::runtime,
};
use clap::Args;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// Any failure, for its one sentence.
type Failure = Box<dyn std::error::Error>;

#[derive(Args)]
pub struct ServeArgs {
    /// A board: its name and its source, which is a camera as /dev/video0, an rtsp:// address, a
    /// video file played as live, or loop:FILE. May be given several times
    #[arg(long = "board", value_name = "NAME=SOURCE")]
    boards: Vec<String>,
    /// TOML file with the boards and settings: see docs/arbiter.md. Use it for addresses with a
    /// password, which others could read on a command line
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Port of the page [default: 8437]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address at which the page is served; 0.0.0.0 for all of this machine's. Others than this
    /// machine are served by TLS only [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// Serve by TLS, with a certificate that the station makes itself and keeps; its fingerprint is
    /// printed
    #[arg(long)]
    tls: bool,
    /// Serve by TLS with this certificate, PEM, with what it was signed by
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Private key of --certificate, PEM
    #[arg(long, value_name = "FILE")]
    private_key: Option<PathBuf>,
    /// Folder of the database and of footage; made if it is not there [default: adoube-data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Edition of the Laws [default: fide-2023]
    #[arg(long, value_name = "EDITION")]
    laws: Option<Edition>,
    /// Makes moves public for overlays, Lichess and others that have a key, this much later than they
    /// were made: see docs/broadcast.md
    #[arg(long, value_name = "SECONDS")]
    broadcast_delay: Option<u32>,
}

#[derive(Args)]
pub struct CheckArgs {
    /// Folder of a station
    #[arg(default_value = "adoube-data")]
    data: PathBuf,
}

#[derive(Args)]
pub struct VerifyArgs {
    /// The archive that a station exported
    bundle: PathBuf,
    /// The station's public key as it was noted: without it, a bundle that somebody else signed
    /// cannot be told from the station's
    #[arg(long, value_name = "HEX")]
    key: Option<String>,
}

/// Watches the boards until it is told to stop.
pub fn serve(args: ServeArgs, models: &Path) -> Result<(), Failure> {
    let config = Given {
        config: args.config,
        boards: args.boards,
        port: args.port,
        listen: args.listen,
        tls: args.tls,
        certificate: args.certificate,
        private_key: args.private_key,
        data: args.data,
        laws: args.laws,
        broadcast_delay_s: args.broadcast_delay,
    }
    .resolve()?;
    start_log();
    // Without it each board would say so by itself, again and again.
    runtime::version()?;
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    tokio.block_on(run(&config, models))
}

/// Lines for a person, JSON for a service; RUST_LOG chooses what.
fn start_log() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,ort=warn,obws=error"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        log.with_target(false).init();
    } else {
        log.json().init();
    }
}

async fn run(config: &Config, models: &Path) -> Result<(), Failure> {
    let at = config.listen.at();
    // The port first: a second station must not open the first one's database.
    let station = {
        let probe = std::net::TcpListener::bind(at);
        probe.map_err(|e| {
            format!(
                "{} port {}: {e}: is a station running already? Give another one with --port",
                at.0, at.1
            )
        })?;
        Station::start(config, models)?
    };
    let identity = match &config.listen {
        Listen::Here(_) => None,
        Listen::Tls(address, _, of) => Some(Identity::open(of, &config.data, *address)?),
    };
    let fingerprint = identity.as_ref().map(|i| i.fingerprint.clone());
    let server = Server::bind(station.common(), at, identity).await?;
    let address = address(&server, fingerprint.is_some())?;
    // Before the address is told: from then on Ctrl-C drains.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    match server.code()? {
        Some(code) => {
            println!("first start: open {address}/#code={code}");
            println!("and choose your name and password there. The code is {code}; it works once.");
        }
        None => println!("open {address}/"),
    }
    if let Some(fingerprint) = fingerprint {
        println!("The certificate's SHA-256 fingerprint is {fingerprint}");
        println!("A browser that does not know it warns: compare the fingerprint, then go on.");
    }
    println!(
        "public key (note it: bundles are checked by it): {}",
        station.common().key.public()
    );
    println!("Ctrl-C stops.");
    let end = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        println!("stopping; Ctrl-C again stops at once");
        tokio::spawn(async move {
            interrupt.recv().await;
            std::process::exit(1);
        });
    };
    server.run(end).await?;
    tokio::task::block_in_place(|| station.stop())?;
    Ok(())
}

/// The address that a browser on the network is given.
fn address(server: &Server, by_tls: bool) -> Result<String, Failure> {
    let listening = server.address()?;
    let scheme = if by_tls { "https" } else { "http" };
    let host = match tls::address(listening.ip()) {
        Some(IpAddr::V6(address)) => format!("[{address}]"),
        Some(address) => address.to_string(),
        None => tls::host_name().unwrap_or_else(|| "localhost".to_owned()),
    };
    Ok(format!("{scheme}://{host}:{}", listening.port()))
}

/// Says whether the database, its log and the kept frames are what was written.
pub fn check_command(args: &CheckArgs) -> Result<(), Failure> {
    let checked = check(&args.data)?;
    println!(
        "{} rows of the log, frames of {} incidents",
        checked.rows, checked.incidents
    );
    println!("newest hash: {}", checked.newest);
    for fault in &checked.faults {
        println!("fault: {fault}");
    }
    match checked.faults.len() {
        0 => {
            println!("all is as it was written");
            Ok(())
        }
        n => Err(format!("{n} faults were found").into()),
    }
}

/// Says what of a bundle was checked, and what is not as it was signed.
pub fn verify_command(args: &VerifyArgs) -> Result<(), Failure> {
    let checked = bundle::verify(&args.bundle, args.key.as_deref())?;
    let manifest = &checked.manifest;
    println!("{}", manifest.about);
    println!("exported by {} at {}", manifest.who, manifest.made);
    println!("signed with {}", manifest.public_key);
    if !checked.key_given {
        println!(
            "note: compare this key with the one noted at the station, or give that with --key"
        );
    }
    println!(
        "checked: the signature, {} files, {} rows of the log{}",
        manifest.files.len(),
        checked.rows,
        match checked.frames {
            0 => String::new(),
            n => format!(", {n} frames against the log"),
        }
    );
    for fault in &checked.faults {
        println!("fault: {fault}");
    }
    match checked.faults.len() {
        0 => {
            println!("all is as it was signed");
            Ok(())
        }
        n => Err(format!("{n} faults were found").into()),
    }
}
