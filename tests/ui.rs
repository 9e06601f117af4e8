//! Trial runner.
#[test]
fn valid_uses_compile_and_run() {
    trybuild::TestCases::new().pass("ui/pass/shapes/*.rs");
}
