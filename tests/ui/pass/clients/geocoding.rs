#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Error, retry};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    latitude: f64,
    longitude: f64,
}

#[derive(Debug, Classify)]
#[classify(throttled, when = *over_quota, retry_after = wait)]
#[classify(permanent)]
struct GeoError {
    over_quota: bool,
    wait: Option<Duration>,
}

trait Geocoder {
    fn locate(
        &self,
        address: &str,
    ) -> impl Future<Output = Result<Option<Place>, Error<GeoError>>> + Send;
}

struct Maps;

impl Geocoder for Maps {
    #[retry(policy = P, idempotent)]
    async fn locate(&self, address: &str) -> Result<Option<Place>, Error<GeoError>> {
        match down(address.len() as u32).await {
            Ok(0) => Ok(None),
            Ok(degrees) => Ok(Some(Place { latitude: degrees.into(), longitude: 8.0 })),
            Err(E(429)) => Err(GeoError { over_quota: true, wait: Some(Duration::from_secs(2)) }),
            Err(E(_)) => Err(GeoError { over_quota: false, wait: None }),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(429)), Ok(47), Err(E(400))]);
    let place = tokio::spawn(Maps.locate("Main St 1")).await.unwrap().unwrap();
    assert_eq!(place, Some(Place { latitude: 47.0, longitude: 8.0 }));
    assert_eq!(Maps.locate("?").await.unwrap_err().attempts(), 1);
    assert_eq!(calls(), [9, 9, 1]);
}
