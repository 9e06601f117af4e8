#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Downstream, Error, retry};

struct Replica {
    downstream: Downstream,
    shard: u32,
}

struct Search {
    replicas: Vec<Replica>,
}

impl Search {
    fn replica(&self, query: &str) -> &Replica {
        &self.replicas[query.len() % self.replicas.len()]
    }

    #[retry(policy = P, idempotent, downstream = self.replica(query).downstream)]
    async fn find<'s, T>(
        &'s self,
        query: &str,
        score: impl Fn(u32) -> T,
    ) -> Result<Vec<T>, Error<E>>
    where
        T: PartialOrd + 's,
    {
        let hits = down(self.replica(query).shard).await?;
        Ok((0..hits).map(&score).collect())
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let replica = |name, shard| Replica { downstream: Downstream::new(name), shard };
    let search = Search { replicas: vec![replica("search-a", 1), replica("search-b", 2)] };
    script([Err(E(503)), Ok(2), Err(E(503)), Ok(1)]);
    assert_eq!(search.find("abc", |n| n * 10).await, Ok(vec![0, 10]));
    assert_eq!(search.find("ab", f64::from).await, Ok(vec![0.0]));
    assert_eq!(calls(), [2, 2, 1, 1]);
}
