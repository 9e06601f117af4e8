//! What lies between a client and the bank, as the client sees it.

use crate::fault::{Fault, Faults, Id, KINDS, Kind};
use crate::message::ID;
use reqwest::redirect;
use reqwest::{Client, Method, RequestBuilder};
use retry_runtime::IdempotencyKey;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tokio::net::TcpSocket;

/// What a customer pays for.
#[derive(Debug)]
pub struct Order {
    pub id: u32,
    pub cents: u32,
    pub key: IdempotencyKey,
    generation: AtomicU32,
    /// How many requests of each kind were made for it.
    made: [AtomicU32; KINDS.len()],
}

impl Order {
    pub fn numbered(id: u32) -> Self {
        Self {
            id,
            cents: 1_000 + id % 9_000,
            key: IdempotencyKey::of("charge", id).unwrap(),
            generation: AtomicU32::default(),
            made: Default::default(),
        }
    }

    pub fn generation(&self) -> u32 {
        self.generation.load(Relaxed)
    }

    pub fn next_generation(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// The requests of a kind that were made.
    pub fn requests(&self, kind: Kind) -> impl Iterator<Item = Id> {
        let order = self.id;
        (0..self.made[kind as usize].load(Relaxed)).map(move |number| Id { order, kind, number })
    }

    fn next_request(&self, kind: Kind) -> Id {
        let number = self.made[kind as usize].fetch_add(1, Relaxed);
        Id { order: self.id, kind, number }
    }
}

/// The way to the bank, and one that leads nowhere.
pub struct Network {
    client: Client,
    faults: Faults,
    proxy: SocketAddr,
    /// Bound, and nobody listens: connections are refused.
    nowhere: SocketAddr,
    _nobody: TcpSocket,
}

impl Network {
    pub fn new(faults: Faults, proxy: SocketAddr) -> Self {
        let nobody = TcpSocket::new_v4().unwrap();
        nobody.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let nowhere = nobody.local_addr().unwrap();
        // A redirect is followed with an error that hides what the first server did.
        let client = Client::builder().no_proxy().redirect(redirect::Policy::none());
        Self { client: client.build().unwrap(), faults, proxy, nowhere, _nobody: nobody }
    }

    /// The next request of a kind for an order.
    pub fn request(&self, order: &Order, kind: Kind, method: Method, path: &str) -> RequestBuilder {
        let id = order.next_request(kind);
        let refused = self.faults.of(id) == Some(Fault::Refused);
        let host = if refused { self.nowhere } else { self.proxy };
        self.client.request(method, format!("http://{host}{path}")).header(ID, id.to_string())
    }
}
