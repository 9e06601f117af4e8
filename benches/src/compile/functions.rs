//! Crates of a thousand functions.

use std::fmt::Write;
use std::path::Path;

pub(super) const FUNCTIONS: usize = 1_000;

/// A way to write the functions.
#[derive(Debug)]
pub(super) struct Contender {
    pub(super) name: &'static str,
    /// Also the name of its crate.
    pub(super) directory: &'static str,
    pub(super) dependencies: String,
    pub(super) source: String,
}

/// All of them; the first is the plain one, the second this project's.
pub(super) fn contenders() -> Vec<Contender> {
    let tokio = "tokio = { version = \"1\", features = [\"rt\", \"time\"] }\n";
    let contender = |name, directory, dependencies: &str, source| Contender {
        name,
        directory,
        dependencies: format!("{tokio}{dependencies}"),
        source,
    };
    let backon = "backon = { version = \"1.6\", default-features = false, features = [\"std\", \"tokio-sleep\"] }\n\
                  backon-macros = \"1\"\n";
    let tracing = "tracing = \"0.1\"\n";
    vec![
        contender("plain", "plain", "", functions("", "", "R")),
        contender(
            "`#[retry]`",
            "retry",
            &runtime(),
            functions(RETRY, ATTRIBUTE, "Result<u64, Error<E>>"),
        ),
        contender(
            "`#[tracing::instrument]`",
            "instrument",
            tracing,
            functions("", "#[tracing::instrument]", "R"),
        ),
        contender("`#[backon]`", "backoff", backon, functions("", "#[backon_macros::backon]", "R")),
        contender("`#[async_trait]`", "boxed", "async-trait = \"0.1\"\n", methods()),
    ]
}

/// The dependency on this project's own crate.
pub(super) fn runtime() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../retry-runtime");
    format!("retry-runtime = {{ path = '{}' }}\n", path.display())
}

const PRELUDE: &str = "\
#[derive(Debug)] pub struct E(pub u64);
impl std::fmt::Display for E {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, \"{}\", self.0) }
}
impl std::error::Error for E {}
pub type R = Result<u64, E>;
pub async fn helper(a: u64) -> R { if a == 7 { Err(E(a)) } else { Ok(a + 1) } }
";

const RETRY: &str = "\
use retry_runtime::{Class, Classify, Downstream, Error, Policy, retry};
use std::time::Duration;
impl Classify for E { fn classify(&self) -> Class { Class::TRANSIENT } }
pub const P: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));
pub static D: Downstream = Downstream::new(\"d\");
";

const ATTRIBUTE: &str = "#[retry(policy = P, idempotent, downstream = D)]";

/// The address of each future's `poll`, so that no body can be left out.
const USE: &str = "\
pub fn used<F: Future>(f: fn(u64, &'static str) -> F) -> [*const (); 2] {
    [f as *const (), <F as Future>::poll as *const ()]
}
pub fn used_of<S: 'static, F: Future>(f: fn(&'static S, u64, &'static str) -> F) -> [*const (); 2] {
    [f as *const (), <F as Future>::poll as *const ()]
}
";

fn body(number: usize) -> String {
    format!(
        "{{ let x = helper(a).await?; let y = helper(x ^ (s.len() as u64) ^ {number}).await?; \
         if y % 3 == 0 {{ return Err(E(y)); }} Ok(y.wrapping_mul(x)) }}"
    )
}

fn functions(prelude: &str, attribute: &str, result: &str) -> String {
    let mut source = format!("{PRELUDE}{prelude}{USE}");
    for number in 0..FUNCTIONS {
        let body = body(number);
        let _ = writeln!(
            source,
            "{attribute}\npub async fn f{number}(a: u64, s: &'static str) -> {result} {body}"
        );
    }
    source + &all_used("used", |number| format!("f{number}"))
}

/// A hundred traits of ten methods each.
fn methods() -> String {
    let mut source = format!("{PRELUDE}{USE}");
    for first in (0..FUNCTIONS).step_by(10) {
        let number = first / 10;
        let signature = |n| format!("async fn f{n}(&self, a: u64, s: &'static str) -> R");
        let declared = ten(first, |n| format!("{};\n", signature(n))).concat();
        let written = ten(first, |n| format!("{} {}\n", signature(n), body(n))).concat();
        let _ = writeln!(
            source,
            "#[async_trait::async_trait]\npub trait T{number} {{ {declared} }}\npub struct S{number};\n\
             #[async_trait::async_trait]\nimpl T{number} for S{number} {{ {written} }}"
        );
    }
    source + &all_used("used_of", |n| format!("<S{0} as T{0}>::f{n}", n / 10))
}

fn all_used(used: &str, path: impl Fn(usize) -> String) -> String {
    let mut source = String::new();
    for first in (0..FUNCTIONS).step_by(10) {
        let calls = ten(first, |number| format!("{used}({})", path(number))).join(", ");
        let _ = writeln!(source, "pub fn use{first}() -> [[*const (); 2]; 10] {{ [{calls}] }}");
    }
    source
}

fn ten(first: usize, text: impl Fn(usize) -> String) -> Vec<String> {
    (first..first + 10).map(text).collect()
}
