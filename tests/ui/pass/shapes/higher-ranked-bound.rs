#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn best<F>(lines: &[String], pick: F) -> Result<u32, E>
where
    F: for<'a> Fn(&'a [String]) -> Option<&'a str>,
{
    let Some(line) = pick(lines) else {
        return Ok(0);
    };
    down(line.len() as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    let lines = ["a".to_owned(), "abcd".to_owned()];
    assert_eq!(best(&lines, |lines| lines.last().map(String::as_str)).await, Ok(7));
    assert_eq!(calls(), [4, 4]);
}
