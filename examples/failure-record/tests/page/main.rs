//! The page, in a browser.
//!
//! Needs Chromium, as Debian packages it; without one it says that it has left everything out. With
//! `SCREENSHOTS=1` it also takes the pictures in `docs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

mod chromium;
#[path = "../kit/recorded.rs"]
mod recorded;

use chromium::Chromium;
use failure_record::field::FIELDS;
use failure_record::serve::{self, Settings};
use serde_json::Value;
use std::net::SocketAddr;
use std::path::Path;

/// A page, and who looks at it.
struct Visit {
    browser: Chromium,
    address: SocketAddr,
}

impl Visit {
    /// None without a browser.
    fn to(path: &str) -> Option<Self> {
        let browser = chromium::start()?;
        let listener = serve::listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        // It ends with the process.
        std::thread::spawn(move || serve::run(listener, Settings::default()));
        let mut visit = Self { browser, address };
        visit.go(path);
        Some(visit)
    }

    fn go(&mut self, path: &str) {
        let url = format!("http://{}{path}", self.address);
        self.browser.ask("Page.navigate", &serde_json::json!({ "url": url }));
        self.settle();
    }

    /// Waits until the answer to what the form holds is shown.
    fn settle(&mut self) {
        self.browser.wait_for("document.querySelector('main')?.ariaBusy === 'false'");
    }

    /// Writes into a field as a person does, and waits for the answer.
    fn write(&mut self, field: &str, value: &str) {
        self.browser.evaluate(&format!(
            "(() => {{
                const field = document.getElementById('{field}');
                field.value = '{value}';
                field.dispatchEvent(new Event('input', {{ bubbles: true }}));
            }})()"
        ));
        self.settle();
    }

    fn text(&mut self, script: &str) -> String {
        match self.browser.evaluate(script) {
            Value::String(text) => text,
            other => panic!("{script}: {other}"),
        }
    }

    fn number(&mut self, script: &str) -> u64 {
        self.browser.evaluate(script).as_u64().unwrap_or_else(|| panic!("{script}"))
    }

    /// The table as text.
    fn numbers(&mut self) -> String {
        self.text("document.querySelector('#numbers').innerText")
    }

    /// What the table says in the row that begins so, for the record and for lockstep.
    fn figure(&mut self, row: &str) -> (String, String) {
        let cells = |at| {
            format!(
                "[...document.querySelectorAll('#numbers tr')]
                    .find((row) => row.cells[0].innerText.startsWith('{row}')).cells[{at}].innerText"
            )
        };
        (self.text(&cells(1)), self.text(&cells(2)))
    }

    fn points(&mut self) -> u64 {
        self.number("document.querySelectorAll('#calls circle').length")
    }
}

/// What each field is changed to, from the default record or one that differs in a field first.
const CHANGES: [(&str, &str, &str); 12] = [
    ("p99", "100ms", ""),
    ("attempts", "2", ""),
    ("layers", "2", ""),
    ("owner", "every", ""),
    ("base", "30ms", ""),
    // Below the limit of the second wait.
    ("cap", "150ms", "budget=none"),
    ("jitter", "equal", ""),
    ("budget", "0.5", ""),
    ("group", "60", ""),
    ("window", "20ms", ""),
    // So that some retries land after it.
    ("fast-failure", "60ms", "window=100ms"),
    ("seed", "2", ""),
];

#[test]
fn each_field_changes_what_is_shown() {
    let Some(mut visit) = Visit::to("/") else { return };
    assert_eq!(CHANGES.map(|(field, ..)| field), FIELDS.map(|field| field.name));
    for (field, value, first) in CHANGES {
        visit.go(&format!("/?{first}"));
        let shown = "document.querySelector('main').innerHTML";
        let (numbers, before) = (visit.numbers(), visit.text(shown));
        visit.write(field, value);
        let after = visit.text(shown);
        // A seed may leave all counts as they are, and moves every point.
        assert!(field == "seed" || visit.numbers() != numbers, "{field} changes no number");
        assert_ne!(after, before, "{field} changes nothing");
        let invalid = visit.number("document.querySelectorAll('[aria-invalid]').length");
        assert_eq!(invalid, 0, "{field}");
    }
}

#[test]
fn there_is_a_point_for_each_call_of_the_leaf() {
    let Some(mut visit) = Visit::to("/") else { return };
    assert_eq!(visit.points(), 48);
    assert_eq!(visit.figure("leaf calls of the group"), ("48".into(), "120".into()));
    assert_eq!(visit.figure("recovery tail"), ("0".into(), "40".into()));
    visit.go("/?owner=every&budget=none&window=1h");
    assert_eq!(visit.points(), 1_080);
    assert_eq!(visit.figure("leaf calls of one request, no budget").0, "27");
    let warnings = visit.text("document.querySelector('#warnings').innerText");
    assert!(warnings.contains("one request can make 27 calls"), "{warnings}");
    visit.write("owner", "one");
    assert_eq!(visit.points(), 120);
    // Bars: of first calls and of retries, for the record and for lockstep.
    assert!(visit.number("document.querySelectorAll('#loads rect').length") >= 6);
}

#[test]
fn the_link_restores_the_record() {
    let Some(mut visit) = Visit::to("/") else { return };
    visit.write("jitter", "decorrelated");
    visit.write("group", "75");
    visit.write("window", "1s 500ms");
    let numbers = visit.numbers();
    let link = visit.text("document.querySelector('#link').href");
    assert_eq!(link, visit.text("location.href"), "the address carries the record, too");
    let path = link.split_once(&visit.address.to_string()).unwrap().1.to_owned();

    visit.go("/");
    assert_ne!(visit.numbers(), numbers);
    visit.go(&path);
    assert_eq!(visit.numbers(), numbers);
    let fields =
        "['jitter', 'group', 'window', 'seed'].map((id) => document.getElementById(id).value)";
    assert_eq!(visit.text(&format!("{fields}.join()")), "decorrelated,75,1s 500ms,1");
}

#[test]
fn bad_input_gets_a_message_at_its_field() {
    let Some(mut visit) = Visit::to("/") else { return };
    visit.write("layers", "12");
    visit.write("base", "fast");
    for (field, message) in [("layers", "it is 12: write 1 to 8"), ("base", "is no time: write")] {
        let shown = visit.text(&format!(
            "(() => {{
                const field = document.getElementById('{field}');
                const message = document.getElementById(field.getAttribute('aria-describedby'));
                const under = message.getBoundingClientRect().top
                    >= field.getBoundingClientRect().bottom;
                return [field.getAttribute('aria-invalid'), under, message.innerText].join('|');
            }})()"
        ));
        assert!(shown.starts_with("true|true|") && shown.contains(message), "{shown}");
    }
    let status = visit.text("document.querySelector('[role=status]').innerText");
    assert_eq!(status, "Nothing computed: some fields are refused.");
    assert_eq!(visit.number("document.querySelectorAll('[aria-invalid]').length"), 2);

    visit.write("layers", "2");
    visit.write("base", "50ms");
    assert_eq!(visit.number("document.querySelectorAll('[aria-invalid], .error').length"), 0);
    visit.write("group", "2000000");
    let message = visit.text("document.querySelector('.error').innerText");
    assert_eq!(message, "it is 2000000: write 1 to 2000");

    visit.go("/?attempts=none");
    let message = visit.text("document.querySelector('.error').innerText");
    assert!(message.contains("is no whole number"), "a wrong link is told as well: {message}");
    assert_eq!(visit.text("document.getElementById('attempts').value"), "none");
    assert_eq!(visit.text("document.getElementById('layers').value"), "3");
}

#[test]
fn a_recorded_trace_is_drawn_in_the_same_way() {
    let Some(mut visit) = Visit::to("/") else { return };
    let folder = tempfile::tempdir().unwrap();
    let choose = |visit: &mut Visit, name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        visit.browser.choose("#trace", file.to_str().unwrap());
    };
    choose(&mut visit, "trace.jsonl", &recorded::group().0.to_json_lines());
    visit.browser.wait_for("document.querySelectorAll('#numbers thead th').length === 2");
    assert_eq!(visit.points(), 48);
    assert_eq!(visit.text("document.querySelector('#numbers tr:nth-child(2) td').innerText"), "48");

    choose(&mut visit, "other.jsonl", "nonsense");
    let status = "document.querySelector('[role=status]').innerText";
    visit.browser.wait_for(&format!("{status}.includes('line 1 is no event')"));

    // Whoever changes a field is back at the record.
    visit.write("group", "10");
    assert_eq!(visit.points(), 12);
    assert_eq!(visit.text("document.querySelector('#trace').value"), "");
}

#[test]
fn the_keyboard_alone_is_enough() {
    let Some(mut visit) = Visit::to("/") else { return };
    let focus = "document.activeElement.id";
    let mut reached = Vec::new();
    // Every field and the file, in the order of the page, and then the link.
    for _ in 0..=FIELDS.len() {
        visit.browser.press("Tab");
        reached.push(visit.text(focus));
    }
    let order = "[...document.querySelectorAll('input, select')].map((field) => field.id).join()";
    assert_eq!(reached.join(","), visit.text(order));
    visit.browser.press("Tab");
    assert_eq!(visit.text(focus), "link");

    visit.go("/?window=1h");
    visit.browser.press("Tab");
    visit.browser.press("Tab");
    assert_eq!(visit.text(focus), "attempts");
    let outline = visit.text("getComputedStyle(document.activeElement).outlineStyle");
    assert_eq!(outline, "solid", "who tabs sees where");
    // Tab has selected what was there, so typing replaces it.
    visit.browser.type_text("2");
    visit.settle();
    assert_eq!(visit.figure("leaf calls of one request in theory").0, "8");
    visit.browser.press("Tab");
    visit.browser.press("Tab");
    assert_eq!(visit.text(focus), "owner");
    visit.browser.press("ArrowDown");
    visit.settle();
    assert_eq!(visit.text("document.activeElement.value"), "every");
    visit.browser.press("Enter");
    visit.settle();
    assert_eq!(visit.figure("leaf calls of one request, no budget").0, "8");
}

#[test]
fn everything_comes_from_the_page_and_nothing_complains() {
    let Some(mut visit) = Visit::to("/") else { return };
    visit.write("group", "10");
    let own = format!("http://{}/", visit.address);
    let foreign: Vec<_> = visit
        .browser
        .fetched
        .iter()
        .filter(|url| !url.starts_with(&own) && !url.starts_with("data:"))
        .collect();
    assert!(foreign.is_empty() && visit.browser.fetched.len() > 3, "{foreign:?}");
    assert!(visit.browser.complaints.is_empty(), "{:?}", visit.browser.complaints);
}

const PAPER: &str = "getComputedStyle(document.body).backgroundColor";
const POINT: &str = "getComputedStyle(document.querySelector('#calls circle')).fill";

/// Also takes the pictures.
#[test]
fn it_is_light_or_dark_and_fits_on_a_phone() {
    let Some(mut visit) = Visit::to("/") else { return };
    visit.browser.resize(1_200, 1_000, false);
    visit.browser.prefer("light");
    visit.settle();
    let light = (visit.text(PAPER), visit.text(POINT));
    picture(&mut visit, "light");

    visit.browser.prefer("dark");
    let dark = (visit.text(PAPER), visit.text(POINT));
    picture(&mut visit, "dark");
    assert_eq!((light.0.as_str(), dark.0.as_str()), ("rgb(254, 254, 255)", "rgb(21, 25, 30)"));
    assert_ne!(light.1, dark.1, "the picture has the colours of the page");

    visit.browser.prefer("light");
    visit.browser.resize(360, 740, true);
    visit.go("/?owner=every&budget=none");
    let wide = visit.number("document.documentElement.scrollWidth");
    assert_eq!(wide, 360, "nothing is cut off or scrolls sideways");
    let small = "[...document.querySelectorAll('#calls text')]
        .filter((text) => text.getBoundingClientRect().height < 11).length";
    assert_eq!(visit.number(small), 0, "what stands in the picture can be read");
    picture(&mut visit, "phone");
}

fn picture(visit: &mut Visit, name: &str) {
    if std::env::var_os("SCREENSHOTS").is_some() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/failure-record");
        std::fs::create_dir_all(&docs).unwrap();
        std::fs::write(docs.join(format!("{name}.png")), visit.browser.screenshot()).unwrap();
    }
}
