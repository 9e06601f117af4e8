#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Budget, Downstream, Error, Reason, retry};

// Expensive calls: retries for a twentieth of them, and none for free.
static MODEL: Downstream = Downstream::new("model").budget(Budget::ratio(0.05));

struct Tensor<const ROWS: usize, const COLUMNS: usize>([[f32; COLUMNS]; ROWS]);

#[retry(
    policy = P,
    downstream = MODEL,
    idempotent = "inference reads the input and stores nothing",
    clone(prompt)
)]
async fn infer<const R: usize, const C: usize, S>(
    input: &Tensor<R, C>,
    prompt: S,
) -> Result<Vec<f32>, Error<E>>
where
    S: Into<String> + Clone + Send,
{
    let prompt: String = prompt.into();
    let score = down((R * C + prompt.len()) as u32).await?;
    Ok(input.0.iter().map(|row| row.iter().sum::<f32>() * score as f32).collect())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let input = Tensor([[1.0, 2.0], [3.0, 4.0]]);
    script((0..19).map(|_| Ok(1)).chain([Err(E(503)), Ok(2), Err(E(503))]));
    for _ in 0..19 {
        assert!(infer(&input, "warm").await.is_ok());
    }
    assert_eq!(infer(&input, "hot").await.unwrap(), [6.0, 14.0], "twenty calls have paid for it");
    assert_eq!(infer(&input, "hot").await.unwrap_err().reason(), Reason::BudgetExhausted);
    assert_eq!(calls().len(), 22);
}
