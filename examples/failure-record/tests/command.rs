//! The command line.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

use failure_record::command::{self, Failure};
use serde_json::Value;

fn run(arguments: &[&str]) -> Result<String, Failure> {
    let mut out = Vec::new();
    command::run(arguments.iter().map(Into::into), &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments).unwrap()).unwrap()
}

#[test]
fn a_record_is_a_table_and_a_plot() {
    let text = run(&[]).unwrap();
    assert_eq!(text, run(&["record"]).unwrap());
    let row = text.lines().find(|line| line.starts_with("leaf calls of the group")).unwrap();
    assert_eq!(row.split_whitespace().rev().take(2).collect::<Vec<_>>(), ["120", "48"]);
    assert!(!text.contains("! "), "nothing to warn of");
    let every = run(&["--owner", "every"]).unwrap();
    assert!(every.contains("! Every layer retries"), "{every}");
    // Braille.
    assert!(text.chars().any(|dot| ('\u{2801}'..='\u{28ff}').contains(&dot)));
}

#[test]
fn json_has_the_record_its_figures_and_the_calls_of_every_request() {
    let told = json(&["--owner", "every", "--budget", "none", "--window", "1h", "--json"]);
    assert_eq!(told["record"]["owner"], "every");
    assert_eq!(told["figures"]["attempt_timeout_ms"], 80.0);
    assert_eq!(told["figures"]["theoretical_amplification"], 27);
    assert_eq!(told["figures"]["tree"], serde_json::json!([3, 9, 27]));
    assert_eq!(told["figures"]["leaf_calls"], 1_080);
    assert_eq!(told["figures"]["budget_cap"], Value::Null);
    assert_eq!(told["lockstep"]["leaf_calls"], 1_080);
    let requests = told["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 40);
    assert!(requests.iter().all(|calls| calls.as_array().unwrap().len() == 27));
}

#[test]
fn csv_has_a_line_for_each_call() {
    let csv = run(&["--csv", "--jitter", "none", "--budget", "none"]).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (121, "request,leaf_call,at_ms", "1,1,0.0"));
    assert_eq!(lines[3], "1,3,310.0");
}

#[test]
fn svg_goes_to_a_file_and_has_a_point_for_each_call() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.svg");
    let name = file.to_str().unwrap();
    run(&["--svg", name, "--json"]).unwrap();
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("<circle ").count(), 48);

    run(&["knob", "budget", "--svg", name]).unwrap();
    assert!(std::fs::read_to_string(&file).unwrap().contains("fuel on the fire"));
    let large = run(&["--group", "17000", "--svg", name]);
    assert!(matches!(large, Err(Failure::Points(20_400))));
}

/// Positions in a line of a chart, by its name.
fn line(scene: &Value, chart: usize, name: &str) -> Vec<(f64, f64)> {
    let lines = scene["charts"][chart]["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["name"] == name).unwrap();
    serde_json::from_value(line["points"].clone()).unwrap()
}

#[test]
fn clients_that_contend_write_least_with_full_jitter() {
    let scene = json(&["contention", "--json"]);
    let at_100 = |chart, name: &str| {
        line(&scene, chart, name).into_iter().find(|(clients, _)| *clients == 100.0).unwrap().1
    };
    assert!(at_100(0, "full") < 0.5 * at_100(0, "no jitter"));
    assert!(at_100(1, "full") < 0.1 * at_100(1, "no jitter"));
    assert!(at_100(0, "decorrelated") > 1.15 * at_100(0, "full"));
    let writes = line(&scene, 0, "full");
    assert!(writes.len() == 6 && writes.is_sorted_by(|one, next| one.1 < next.1));
}

#[test]
fn an_outage_is_over_for_good_with_a_budget_only() {
    let scene = json(&["outage", "--json"]);
    let goodput = |name| {
        let points = line(&scene, 0, name).into_iter().filter(|(second, _)| *second >= 15.0);
        points.map(|(_, successes)| successes).sum::<f64>() / 15.0
    };
    for without in ["lockstep, no budget", "full jitter, no budget"] {
        assert!(goodput(without) < 100.0, "{without}: {}", goodput(without));
    }
    for with in ["no retries", "full jitter, budget 0.2", "the same and a breaker"] {
        assert!(goodput(with) > 380.0, "{with}: {}", goodput(with));
    }
    let outage = |name| line(&scene, 1, name).into_iter().find(|(second, _)| *second == 6.0);
    assert!(outage("the same and a breaker").is_none_or(|(_, sends)| sends < 20.0));
    let row = &scene["table"]["rows"][1];
    assert!(row[3].as_str().unwrap().ends_with('%'), "{row}");
}

#[test]
fn scenes_are_text_and_csv_too() {
    let text = run(&["knob", "attempts"]).unwrap();
    assert!(text.starts_with("The number of attempts"), "{text}");
    let csv = run(&["knob", "attempts", "--csv"]).unwrap();
    assert_eq!(csv.lines().next(), Some("chart,line,x,y"));
    assert!(
        csv.contains("Loose: layers multiply when all is down,\"3 layers, one owner\",6.0,6.0")
    );
}

#[test]
fn wrong_arguments_are_told_all_at_once() {
    let told = |arguments: &[&str]| match run(arguments) {
        Err(Failure::Arguments(errors)) => errors,
        other => panic!("{other:?}"),
    };
    let errors = told(&["--layers", "0", "--p99", "x"]);
    assert_eq!(errors.len(), 2);
    assert!(errors.iter().any(|error| error == "--layers: it is 0: write 1 to 8"), "{errors:?}");
    assert!(
        told(&["--group", "2000", "--owner", "every", "--serve"])[0].contains("20000 is the limit")
    );
    assert!(told(&["knob", "volume"])[0].contains("volume"));
    assert!(told(&["storm"])[0].contains("storm"));
    assert!(told(&["outage", "--layers", "2"])[0].contains("--layers"));
    assert!(told(&["--colour"])[0].contains("--colour"));
}

#[test]
fn help_names_every_field_with_its_default() {
    let help = run(&["--help"]).unwrap();
    for (name, default) in failure_record::record::Record::default().written() {
        assert!(help.contains(&format!("--{name} ")), "{name}");
        assert!(help.contains(&format!("[default: {default}]")), "{default}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 90), "{help}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = failure_record::serve::listen(0).unwrap();
    let port = taken.local_addr().unwrap().port();
    let told = run(&["--serve", "--port", &port.to_string()]).unwrap_err();
    assert!(matches!(told, Failure::Port { port: told, .. } if told == port), "{told}");
}
