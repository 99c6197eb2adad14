//! Connections by TLS. Handshakes are made side by side; one that takes too long is let go, so that
//! nobody who connects and says nothing keeps others out.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::serve::Listener;
use rustls::ServerConfig;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    time::timeout,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// Longest time of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Most handshakes at a time.
const MOST_HANDSHAKES: usize = 256;

type Connection = (TlsStream<TcpStream>, SocketAddr);

/// Listens by TLS.
pub(super) struct TlsListener {
    address: SocketAddr,
    ready: mpsc::Receiver<Connection>,
}

impl TlsListener {
    /// Begins to accept connections.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn start(listener: TcpListener, config: Arc<ServerConfig>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(1);
        tokio::spawn(accept(listener, config.into(), sender));
        Ok(Self { address, ready })
    }
}

/// Accepts connections until nobody serves them any more.
async fn accept(
    mut listener: TcpListener,
    acceptor: TlsAcceptor,
    sender: mpsc::Sender<Connection>,
) {
    let free = Arc::new(Semaphore::new(MOST_HANDSHAKES));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = sender.closed() => return,
        };
        let Ok(place) = Arc::clone(&free).acquire_owned().await else {
            return;
        };
        let (acceptor, sender) = (acceptor.clone(), sender.clone());
        tokio::spawn(async move {
            let shaken = timeout(HANDSHAKE, acceptor.accept(stream)).await;
            drop(place);
            // What is no TLS, or came too late, is let go; so is what comes when the station stops.
            if let Ok(Ok(stream)) = shaken {
                let _ = sender.send((stream, peer)).await;
            }
        });
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            // The accepting task lives as long as this does.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        Ok(self.address)
    }
}
