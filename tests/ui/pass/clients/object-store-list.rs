#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Store;

struct Listing<'p> {
    prefix: &'p str,
    names: Vec<String>,
    token: Option<String>,
}

impl Store {
    #[retry(policy = P, idempotent)]
    async fn list<'p>(
        &self,
        prefix: &'p str,
        token: Option<String>,
    ) -> Result<Listing<'p>, Error<E>> {
        let page = token.as_deref().map_or(0, str::len) as u32;
        let name = down(page).await?;
        let token = (page < 2).then(|| "t".repeat(page as usize + 1));
        Ok(Listing { prefix, names: vec![format!("{prefix}/{name}")], token })
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Err(E(503)), Ok(2), Ok(3)]);
    let (mut names, mut token) = (vec![], None);
    loop {
        let listing = Store.list("logs", token).await.unwrap();
        assert_eq!(listing.prefix, "logs");
        names.extend(listing.names);
        token = listing.token;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(names, ["logs/1", "logs/2", "logs/3"]);
    assert_eq!(calls(), [0, 1, 1, 2]);
}
