//! The network between the clients and the bank: a TCP proxy that does to each request what it is to
//! meet.

use crate::client::ATTEMPT;
use crate::fault::{Close, Fault, Faults, Id};
use crate::message::{Head, Part, read_answer};
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// Where the bank listens; none while it is down.
pub type Upstream = watch::Receiver<Option<SocketAddr>>;

/// How long a request waits for a bank that is down, as in the queue of a load balancer. Otherwise
/// hundreds of writes would fail within the blink of each restart.
const QUEUE: Duration = ATTEMPT;

pub struct Proxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    listening: JoinHandle<JoinSet<()>>,
    stop: watch::Sender<bool>,
}

struct Shared {
    faults: Faults,
    upstream: Upstream,
    /// How often each request came in, from 1.
    seen: Mutex<HashMap<Id, u32>>,
}

impl Proxy {
    pub async fn start(faults: Faults, upstream: Upstream) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared { faults, upstream, seen: Mutex::default() });
        let (stop, stopped) = watch::channel(false);
        let listening = tokio::spawn(listen(listener, Arc::clone(&shared), stopped));
        Self { address, shared, listening, stop }
    }

    /// Takes no more connections, and waits until those that are left have ended, with all that was
    /// late on them.
    pub async fn drain(self) -> HashMap<Id, u32> {
        self.stop.send_replace(true);
        self.listening.await.unwrap().join_all().await;
        std::mem::take(&mut self.shared.seen.lock().unwrap())
    }
}

async fn listen(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stopped: watch::Receiver<bool>,
) -> JoinSet<()> {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return connections,
            Some(ended) = connections.join_next() => ended.unwrap(),
            accepted = listener.accept() => {
                let Ok((client, _)) = accepted else { continue };
                let shared = Arc::clone(&shared);
                connections.spawn(async move {
                    // Whatever goes wrong on a connection, closing it is all that a network can do.
                    let _ = Connection { client, bank: None }.serve(&shared).await;
                });
            }
        }
    }
}

/// A client's connection, and the one to the bank that belongs to it.
struct Connection {
    client: TcpStream,
    bank: Option<TcpStream>,
}

/// Whether the connection goes on.
#[derive(PartialEq)]
enum Then {
    GoOn,
    Cut(Close),
}

impl Connection {
    async fn serve(mut self, shared: &Shared) -> io::Result<()> {
        self.client.set_nodelay(true)?;
        while let Some(head) = self.next_request().await? {
            let id: Id = head.id.parse().map_err(io::Error::other)?;
            *shared.seen.lock().unwrap().entry(id).or_default() += 1;
            match self.pass(&head, shared.faults.of(id), shared).await? {
                Then::GoOn => {}
                Then::Cut(Close::Orderly) => break,
                Then::Cut(Close::Reset) => return self.reset(),
            }
        }
        Ok(())
    }

    /// The head of the next request, which stays unread; none when the connection ends, or the
    /// bank ends its own.
    async fn next_request(&mut self) -> io::Result<Option<Head>> {
        let mut buffer = [0; 4096];
        loop {
            let length = match &mut self.bank {
                Some(bank) => tokio::select! {
                    length = self.client.peek(&mut buffer) => length?,
                    // Nobody asked, so this is the end of the bank's process.
                    _ = bank.readable() => return Ok(None),
                },
                None => self.client.peek(&mut buffer).await?,
            };
            if length == 0 {
                return Ok(None);
            }
            if let Some(head) = Head::of_request(&buffer[..length])? {
                return Ok(Some(head));
            }
            // The rest of it is under way, and peeking does not wait for more.
            tokio::task::yield_now().await;
        }
    }

    async fn pass(
        &mut self,
        head: &Head,
        fault: Option<Fault>,
        shared: &Shared,
    ) -> io::Result<Then> {
        if fault == Some(Fault::Unread) {
            return Ok(Then::Cut(Close::Reset));
        }
        let mut request = vec![0; head.length];
        self.client.read_exact(&mut request).await?;
        match fault {
            Some(Fault::Unsent(close)) => return Ok(Then::Cut(close)),
            Some(Fault::Busy) => {
                let busy = b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n";
                self.client.write_all(busy).await?;
                return Ok(Then::GoOn);
            }
            Some(Fault::LateRequest(by)) => sleep(by).await,
            _ => {}
        }
        let bank = match &mut self.bank {
            Some(bank) => bank,
            None => self.bank.insert(connect(shared).await?),
        };
        if let Some(Fault::CutRequest(share, close)) = fault {
            bank.write_all(Part::of(&request).up_to_all(share)).await?;
            return Ok(Then::Cut(close));
        }
        bank.write_all(&request).await?;
        let answer = read_answer(bank).await?;
        match fault {
            Some(Fault::AnswerLost(close)) => return Ok(Then::Cut(close)),
            Some(Fault::CutAnswer(share, close)) => {
                self.client.write_all(Part::of(&answer).less_than_all(share)).await?;
                return Ok(Then::Cut(close));
            }
            Some(Fault::LateAnswer(by)) => sleep(by).await,
            _ => {}
        }
        self.client.write_all(&answer).await?;
        Ok(Then::GoOn)
    }

    /// With no time to linger, closing a connection resets it.
    fn reset(self) -> io::Result<()> {
        self.client.set_zero_linger()?;
        match self.bank {
            Some(bank) => bank.set_zero_linger(),
            None => Ok(()),
        }
    }
}

async fn connect(shared: &Shared) -> io::Result<TcpStream> {
    let mut upstream = shared.upstream.clone();
    let up = timeout(QUEUE, upstream.wait_for(Option::is_some)).await?;
    let address = up.map_err(io::Error::other)?.ok_or(io::ErrorKind::NotConnected)?;
    let bank = TcpStream::connect(address).await?;
    bank.set_nodelay(true)?;
    Ok(bank)
}
