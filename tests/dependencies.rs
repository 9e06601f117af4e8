//! What a user of the runtime has to build: by default no more than the loop needs.

use std::process::Command;

/// The crates that `retry-runtime` needs with these features, without those that only build it.
fn needed(features: &[&str]) -> Vec<String> {
    tree("{lib}", features)
}

fn tree(format: &str, features: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", "retry-runtime", "--edges", "normal"])
        .args(["--prefix", "none", "--format", format])
        .args(features)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<_> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// What of tokio these features ask for.
fn tokio_features(features: &[&str]) -> String {
    let listed = tree("{p} {f}", features);
    let tokio = listed.iter().find_map(|line| line.strip_prefix("tokio v")).unwrap();
    tokio.split_once(' ').unwrap().1.to_owned()
}

#[test]
fn default_features_pull_in_none_of_http_tower_tonic_and_reqwest() {
    let names = needed(&[]);
    for absent in ["http", "hyper", "tower", "tower_layer", "tower_service", "tonic", "reqwest"] {
        assert!(!names.iter().any(|name| name == absent), "{absent} is in {names:?}");
    }
}

#[test]
fn by_default_nothing_is_built_that_the_loop_and_its_macros_do_not_need() {
    let expected = [
        "fastrand",
        "pin_project_lite",
        "proc_macro2",
        "retry_macros",
        "retry_runtime",
        "scoped_tls",
        "tokio",
        "unicode_ident",
    ];
    assert_eq!(needed(&[]), expected);
    assert_eq!(tokio_features(&[]), "time");
    assert_eq!(tokio_features(&["--features", "waiting"]), "sync,time");
}

#[test]
fn each_protocol_brings_its_own_and_no_other() {
    let has = |feature: &str, name: &str| {
        needed(&["--features", feature]).iter().any(|needed| needed == name)
    };
    assert!(has("http", "http") && !has("http", "hyper") && !has("http", "tower_service"));
    assert!(has("tower", "tower_service") && !has("tower", "hyper"));
    assert!(has("reqwest", "reqwest") && !has("reqwest", "tonic"));
    assert!(has("tonic", "tonic") && !has("tonic", "reqwest"));
}
