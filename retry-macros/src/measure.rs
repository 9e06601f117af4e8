//! How long the attribute takes, without a compiler around it: the root of a program of its own.
//!
//! `cargo run --release -p retry-benches --bin expansion`. It is built by `retry-benches`, from the
//! same files as the macro, because nothing but a compiler can call into a crate of macros.

#![cfg_attr(test, allow(dead_code, reason = "the tests of these files belong to the macro crate"))]

mod check;
mod classify;
mod diag;
mod expand;
mod krate;
mod parse;
mod place;
mod plan;
mod retry;
mod syntax;
mod target;
mod tokens;
mod words;

use krate::Runtime;
use proc_macro2::{LexError, TokenStream};
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;
const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];

fn main() -> Result<(), LexError> {
    println!("Milliseconds, median of {ROUNDS}, and the fastest and the slowest of them.\n");
    println!("| what                    |  size |     ms | fastest to slowest | ns for each |");
    println!("|-------------------------|------:|-------:|-------------------:|------------:|");
    for lines in SIZES {
        let arguments: TokenStream =
            "policy = CHECKOUT, downstream = PAYMENTS, idempotency_key = order.key".parse()?;
        let function: TokenStream = function(lines).parse()?;
        let attribute =
            || retry::entry(arguments.clone(), function.clone(), Runtime::of_this_crate());
        report("`#[retry]`, lines", lines, attribute);
    }
    for variants in SIZES {
        let error: TokenStream = error(variants).parse()?;
        report("`Classify`, variants", variants, || classify::entry(error.clone()));
    }
    Ok(())
}

fn report(what: &str, size: u32, expand: impl Fn() -> TokenStream) {
    let mut millis: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            let expansion = expand();
            let took = began.elapsed();
            black_box(expansion);
            took.as_secs_f64() * 1e3
        })
        .collect();
    millis.sort_by(f64::total_cmp);
    let [fastest, .., slowest] = millis[..] else { return };
    let median = millis.get(ROUNDS / 2).copied().unwrap_or_default();
    let spread = format!("{fastest:.3} to {slowest:.3}");
    let each = median * 1e6 / f64::from(size);
    println!("| {what:<23} | {size:>5} | {median:>6.3} | {spread:>18} | {each:>11.0} |");
}

/// Lines as they stand in bodies: calls, questions, branches.
fn function(lines: u32) -> String {
    let mut body = String::new();
    for line in 0..lines {
        let _ = match line % 4 {
            0 => writeln!(body, "let reply{line} = client.get(&order.key, {line}).await?;"),
            1 => writeln!(body, "if reply.status() == {line} {{ return Err(PayError::Refused); }}"),
            2 => writeln!(body, "log(format!(\"line {{}}\", {line}), &[order.id, {line}]);"),
            _ => writeln!(
                body,
                "total += reply.items().map(|item| item.cents * {line}).sum::<u64>();"
            ),
        };
    }
    format!(
        "pub async fn charge(client: &Client, order: &Order) -> Result<Receipt, Error<PayError>> \
         {{ {body} Ok(total) }}"
    )
}

fn error(variants: u32) -> String {
    let mut body = String::new();
    for variant in 0..variants {
        let _ = match variant % 3 {
            0 => writeln!(body, "#[classify(transient)] Lost{variant},"),
            1 => writeln!(
                body,
                "#[classify(throttled, retry_after = wait)] Busy{variant} {{ wait: Duration }},"
            ),
            _ => writeln!(body, "#[classify(permanent)] Refused{variant}(String),"),
        };
    }
    format!("pub enum PayError {{ {body} }}")
}
