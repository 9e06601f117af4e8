//! The connections of the payment server, and the faults that really cut them.

use crate::api::{Receipt, X_ORDER};
use crate::faults::{Fault, Faults};
use crate::server;
use crate::store::{Store, StoreError};
use axum::Router;
use axum::body::Body;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::header::RETRY_AFTER;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{self, JoinSet};
use tokio::time::sleep;

/// Three times the attempt timeout of the clients.
const SLOW: Duration = Duration::from_millis(600);

/// A payment server on a loopback port, behind a network that fails.
pub(crate) struct Wire {
    pub(crate) address: SocketAddr,
    store: Store,
    database: JoinHandle<()>,
    stop: oneshot::Sender<()>,
    listening: task::JoinHandle<()>,
}

/// How a connection ends before its request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Cut {
    #[error("closed on purpose")]
    Closed,
    #[error("reset on purpose")]
    Reset,
}

impl Wire {
    /// Starts the server, with its database in `directory`.
    pub(crate) async fn start(
        directory: &Path,
        faults: Arc<Faults>,
    ) -> Result<Self, Box<dyn Error>> {
        let (store, database) = Store::open(&directory.join("charges.sqlite"))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let listening =
            task::spawn(listen(listener, stopped, server::router(store.clone()), faults));
        Ok(Self { address, store, database, stop, listening })
    }

    /// Cuts what connections are left, and returns all charges once the last one is written.
    pub(crate) async fn stop(self) -> Result<Vec<Receipt>, Box<dyn Error>> {
        // A listener that has ended by itself needs no telling.
        let _ = self.stop.send(());
        self.listening.await?;
        let charges = self.store.all().await?;
        drop(self.store);
        let closed = task::spawn_blocking(|| self.database.join()).await?;
        closed.map_err(|_| StoreError::Ended)?;
        Ok(charges)
    }
}

async fn listen(
    listener: TcpListener,
    mut stopped: oneshot::Receiver<()>,
    router: Router,
    faults: Arc<Faults>,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = &mut stopped => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => {
                // A client that hung up while it waited is no reason to stop listening.
                if let Ok((stream, _)) = accepted {
                    connections.spawn(serve(stream, router.clone(), Arc::clone(&faults)));
                }
            }
        }
    }
    connections.shutdown().await;
}

/// Serves one connection until the client or a fault ends it.
async fn serve(stream: TcpStream, router: Router, faults: Arc<Faults>) {
    // Only a matter of speed.
    let _ = stream.set_nodelay(true);
    let payments = TowerToHyperService::new(router);
    let service = service_fn(|request| answer(request, payments.clone(), &faults));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let Err(error) = (&mut connection).await else { return };
    let cut = error.source().and_then(|cause| cause.downcast_ref::<Cut>());
    let stream = connection.into_parts().io.into_inner();
    if cut == Some(&Cut::Reset) {
        // With no time to linger, closing a connection resets it. If that cannot be set, the
        // client sees it closed, which is as bad.
        let _ = stream.set_zero_linger();
    }
}

/// An error here makes hyper drop the connection without a byte of answer.
async fn answer(
    request: Request<Incoming>,
    payments: TowerToHyperService<Router>,
    faults: &Faults,
) -> Result<Response<Body>, Cut> {
    let order = request.headers().get(X_ORDER).and_then(|order| order.to_str().ok()?.parse().ok());
    let fault = order.and_then(|order| faults.meet(request.method(), order));
    match fault {
        Some(Fault::Reset) => return Err(Cut::Reset),
        Some(Fault::Broken) => return Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response()),
        Some(Fault::Busy) => {
            let refusal = (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "1")]);
            return Ok(refusal.into_response());
        }
        Some(Fault::AnswerLost | Fault::Slow) | None => {}
    }
    let Ok(response) = payments.call(request).await;
    match fault {
        Some(Fault::AnswerLost) => return Err(Cut::Closed),
        Some(Fault::Slow) => sleep(SLOW).await,
        _ => {}
    }
    Ok(response)
}
