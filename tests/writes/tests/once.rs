//! A write without a key behind a server: the attempts of its caller are attempts of the write.

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use http::StatusCode;
use reqwest::Client;
use retry_runtime::wire::{HttpError, RequestExt, ResponseExt, ServerLayer};
use retry_runtime::{Budget, Downstream, Error, Outcome, Policy, Reason, Stopped, retry};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};

const THREE: Policy = Policy::fixed(Duration::from_millis(2))
    .max_attempts(3)
    .attempt_timeout(Duration::from_secs(9))
    .deadline(Duration::from_secs(30));
const ONE: Policy = Policy::once().deadline(Duration::from_secs(9));

static SHOP: Downstream = Downstream::new("shop").budget(Budget::ratio(1.0).per_second(100));

/// The user's side.
#[retry(policy = THREE, downstream = SHOP, idempotent = "the shop charges once")]
async fn buy(http: &Client, shop: SocketAddr) -> Result<(), Error<HttpError>> {
    http.post(format!("http://{shop}/")).send_in_scope().await?.checked().await?;
    Ok(())
}

/// The shop's side: it charges, and then fails at something else.
#[retry(policy = ONE, once)]
async fn charge(http: &Client, bank: SocketAddr) -> Result<(), Error<HttpError>> {
    http.post(format!("http://{bank}/")).send_in_scope().await?.checked().await?;
    Ok(())
}

struct Shop {
    http: Client,
    bank: SocketAddr,
    charges: Mutex<Vec<Result<(), Stopped>>>,
}

async fn sell(State(shop): State<Arc<Shop>>) -> StatusCode {
    let charged = charge(&shop.http, shop.bank).await;
    shop.charges.lock().unwrap().push(charged.map_err(|error| error.stopped()));
    StatusCode::SERVICE_UNAVAILABLE
}

async fn listen(app: Router) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// A bank, and how often it was asked for a charge.
async fn bank() -> (SocketAddr, Arc<AtomicU32>) {
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let app = Router::new().route(
        "/",
        post(async move || {
            counted.fetch_add(1, Relaxed);
            StatusCode::CREATED
        }),
    );
    (listen(app).await, count)
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

fn shop(bank: SocketAddr) -> (Arc<Shop>, Router) {
    let shop = Arc::new(Shop { http: client(), bank, charges: Mutex::default() });
    (Arc::clone(&shop), Router::new().route("/", post(sell)).with_state(shop))
}

#[tokio::test]
async fn behind_the_server_layer_it_is_sent_once_though_the_caller_tries_three_times() {
    let (bank, charges) = bank().await;
    let (shop, app) = shop(bank);
    let shop_address = listen(app.layer(ServerLayer::new(Duration::from_secs(9)))).await;
    let error = buy(&client(), shop_address).await.unwrap_err();
    assert_eq!((error.attempts(), error.outcome()), (3, Outcome::Unknown));
    assert_eq!(charges.load(Relaxed), 1);
    let charged = shop.charges.lock().unwrap();
    assert_eq!((charged.len(), charged[0]), (3, Ok(())));
    for refused in &charged[1..] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.reason(), refused.attempts()), (Reason::NotOwner, 0));
    }
}

#[tokio::test]
async fn without_the_layer_it_is_sent_with_every_attempt_of_the_caller() {
    let (bank, charges) = bank().await;
    let (_, app) = shop(bank);
    let shop_address = listen(app).await;
    buy(&client(), shop_address).await.unwrap_err();
    assert_eq!(charges.load(Relaxed), 3);
}

#[tokio::test]
async fn a_second_attempt_is_refused_also_where_the_first_could_not_connect() {
    let nobody = TcpSocket::new_v4().unwrap();
    nobody.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let (shop, app) = shop(nobody.local_addr().unwrap());
    let shop_address = listen(app.layer(ServerLayer::new(Duration::from_secs(9)))).await;
    buy(&client(), shop_address).await.unwrap_err();
    let charged = shop.charges.lock().unwrap().clone();
    let outcomes = charged.iter().map(|charged| charged.unwrap_err().outcome());
    assert_eq!(outcomes.collect::<Vec<_>>(), [Outcome::NotApplied; 3]);
    let reasons = charged.iter().map(|charged| charged.unwrap_err().reason());
    let reasons: Vec<_> = reasons.collect();
    assert_eq!(reasons, [Reason::AttemptLimit, Reason::NotOwner, Reason::NotOwner]);
}
