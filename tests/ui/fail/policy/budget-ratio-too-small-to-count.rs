use retry_runtime::{Budget, Downstream};

static QUOTES: Downstream = Downstream::new("quotes").budget(Budget::ratio(1e-9));

fn main() {
    assert_eq!(QUOTES.name(), "quotes");
}
