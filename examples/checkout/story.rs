//! A few orders, attempt by attempt.
//!
//! The waits are measured: the time from the end of one attempt to the start of the next. The limits
//! come from the runtime's own decision, asked for the longest delay that it could have drawn.

use crate::client::{CHECKOUT, LOOKUP};
use crate::faults::Fault;
use crate::journal::{End, Line};
use crate::load::Load;
use crate::placed::Placed;
use hyper::{Method, StatusCode};
use retry_runtime::decide::{Decision, Situation, decide};
use retry_runtime::{Class, Delivery, Policy, Reason, Stopped};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// What makes an order worth telling.
type Interest = (&'static str, fn(&Placed, &[Option<Fault>]) -> bool);

/// The first order of each kind is told, and each order once.
const INTERESTS: [Interest; 6] = [
    ("the answer to a charge was lost, and a retry got it", |placed, faults| {
        matches!(placed, Placed::Confirmed(_)) && faults.first() == Some(&Some(Fault::AnswerLost))
    }),
    ("the answer came too late, and the connection broke on top", |placed, faults| {
        matches!(placed, Placed::Confirmed(_))
            && faults.starts_with(&[Some(Fault::Slow), Some(Fault::Reset)])
    }),
    ("the server asked for a second of peace", |placed, faults| {
        matches!(placed, Placed::Confirmed(_)) && faults.contains(&Some(Fault::Busy))
    }),
    ("no attempt got a receipt, and a lookup found the charge", |placed, _| {
        matches!(placed, Placed::Found { .. })
    }),
    ("no attempt got a receipt, and a lookup settled nothing", |placed, _| {
        matches!(placed, Placed::Unknown { .. })
    }),
    ("the retry budget was spent: too much fails at once", |placed, _| {
        placed.charge_stopped().is_some_and(|stopped| stopped.reason() == Reason::BudgetExhausted)
    }),
];

/// Some orders of a load, told attempt by attempt.
pub(crate) struct Story<'l>(pub(crate) &'l Load);

impl Display for Story<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "Some orders through the annotated function, attempt by attempt\n")?;
        let mut told = Vec::new();
        for (interest, is_one) in INTERESTS {
            let found = self.0.placed.iter().find(|(order, placed)| {
                !told.contains(order) && is_one(placed, &self.0.faults.met(&Method::POST, *order))
            });
            if let Some((order, placed)) = found {
                writeln!(f, "Order {order}: {interest}")?;
                self.tell(f, *order, placed)?;
                told.push(*order);
            }
        }
        writeln!(f, "* measured, from the end of an attempt to the start of the next")
    }
}

impl Story<'_> {
    fn tell(&self, f: &mut Formatter<'_>, order: u32, placed: &Placed) -> fmt::Result {
        let heads = ["attempt", "the caller saw", "what had happened", "limit", "waited*", "left"];
        row(f, heads.map(str::to_owned), "decision")?;
        let lines = self.0.client.journal.of(order);
        let (charges, lookups): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.method == Method::POST);
        let met = |method| self.0.faults.met(&method, order);
        tell_call(f, "charge", &CHECKOUT, &charges, &met(Method::POST), placed.charge_stopped())?;
        tell_call(f, "lookup", &LOOKUP, &lookups, &met(Method::GET), placed.lookup_stopped())?;
        writeln!(f)
    }
}

fn tell_call(
    f: &mut Formatter<'_>,
    name: &str,
    policy: &Policy,
    lines: &[Line],
    faults: &[Option<Fault>],
    stopped: Option<&Stopped>,
) -> fmt::Result {
    let mut faults = faults.iter().copied();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1);
        let decision = match (next, stopped) {
            (Some(_), _) if class(line).is_throttled() => "retry: throttled".to_owned(),
            (Some(_), _) => "retry: transient".to_owned(),
            (None, Some(stopped)) => format!("stop: {:?}", stopped.reason()),
            (None, None) => "return".to_owned(),
        };
        let columns = [
            format!("{name} {}", line.attempt.unwrap_or_default()),
            seen(line),
            happened(line, &mut faults),
            next.map_or_else(String::new, |_| milliseconds(limit(policy, line))),
            next.map_or_else(String::new, |next| milliseconds(next.began - line.ended)),
            format!("{:.2} s", line.time_left.as_secs_f64()),
        ];
        row(f, columns, &decision)?;
    }
    Ok(())
}

fn row(f: &mut Formatter<'_>, columns: [String; 6], decision: &str) -> fmt::Result {
    let [attempt, seen, happened, limit, waited, left] = columns;
    writeln!(
        f,
        "  {attempt:<9} {seen:<20} {happened:<20} {limit:>7} {waited:>8} {left:>7}  {decision}"
    )
}

fn seen(line: &Line) -> String {
    match &line.end {
        End::Answered(status) => format!("receipt, {}", status.as_u16()),
        End::Failed { error, .. } => error.clone(),
        End::GivenUp => format!("no answer in {}", milliseconds(line.ended - line.began)),
    }
}

/// The truth, which only this demo can know. A request that was not sent met no fault.
fn happened(line: &Line, faults: &mut impl Iterator<Item = Option<Fault>>) -> String {
    if class(line).delivery() == Delivery::NotSent {
        return "not sent".to_owned();
    }
    if let Some(fault) = faults.next().flatten() {
        return fault.to_string();
    }
    match &line.end {
        End::Answered(StatusCode::CREATED) => "charged",
        End::Answered(_) if line.method == Method::POST => "known, no new charge",
        End::Answered(_) => "found",
        End::Failed { .. } => "no charge to find",
        End::GivenUp => "slow by chance",
    }
    .to_owned()
}

/// What the loop took the end of this attempt for; a given up attempt is transient to it.
fn class(line: &Line) -> Class {
    match &line.end {
        End::Failed { class, .. } => *class,
        End::Answered(_) | End::GivenUp => Class::TRANSIENT,
    }
}

/// The longest delay that could have been drawn after this attempt.
fn limit(policy: &Policy, line: &Line) -> Duration {
    let situation = Situation {
        policy,
        attempt: line.attempt.unwrap_or(1),
        owner: true,
        retries_left: u32::MAX,
        class: class(line),
        unanswered: false,
        time_left: Duration::MAX,
        previous_delay: None,
        open_for: None,
        token_available: true,
        draw: u64::MAX,
    };
    match decide(&situation) {
        Decision::Retry(delay) => delay.limit,
        Decision::Stop(_) => Duration::ZERO,
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{} ms", duration.as_millis())
}
