#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Downstream, Error, IdempotencyKey, retry};

static ORDERS: Downstream = Downstream::new("orders");

struct Http;

impl Http {
    async fn post(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Result<u32, E> {
        assert_eq!(headers, [("Idempotency-Key", "cart-17")]);
        down((path.len() + body.len()) as u32).await
    }
}

struct Cart {
    key: IdempotencyKey,
    lines: Vec<u8>,
}

#[retry(policy = P, downstream = ORDERS, idempotency_key = cart.key)]
async fn order(http: &Http, cart: &Cart) -> Result<u32, Error<E>> {
    http.post("/orders", &[("Idempotency-Key", cart.key.as_str())], &cart.lines).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let cart = Cart { key: IdempotencyKey::new("cart-17").unwrap(), lines: vec![1, 2, 3] };
    script([Err(E(502)), Ok(4711)]);
    assert_eq!(order(&Http, &cart).await, Ok(4711));
    assert_eq!(calls(), [10, 10]);
}
