//! A call has less of itself made while nobody asks for its scope, waits, or listens. Nobody may be
//! able to tell: random trees of calls run once as they are and once in each of the other ways, and
//! all that is seen inside, and all that comes back, has to be the same.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::__private::{Call, Next, Rules, decide, decide_after, key};
use retry_runtime::observe::{Event, Facts, Observer};
use retry_runtime::{
    Budget, Class, Classify, Downstream, Error, IdempotencyKey, InScope, Jitter, Policy,
    Reconciled, Scope,
};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep};

// Times are long, so that hardly ever two end in the same millisecond: what comes first then is chance.

/// A call, and what each of its attempts does.
#[derive(Debug)]
struct Node {
    effect: Effect,
    policy: Policy,
    key: IdempotencyKey,
    /// Where it is asked whether it was applied, what is said.
    answer: Option<Reconciled<()>>,
    /// The last is that of all further ones.
    attempts: Vec<Attempt>,
}

#[derive(Clone, Copy, Debug)]
enum Effect {
    Idempotent,
    Keyed,
    Once,
}

#[derive(Debug)]
struct Attempt {
    steps: Vec<Step>,
    result: Result<(), Class>,
}

#[derive(Debug)]
enum Step {
    /// Writes down what its scope says.
    Look,
    Yield,
    Sleep(Duration),
    /// Makes a call, and fails with it if it does.
    Call(Node),
    /// The same, whatever comes of it.
    Try(Node),
    /// The same in a task of its own.
    Task(&'static Node),
}

#[derive(Debug, thiserror::Error)]
#[error("it broke")]
struct Broken(Class);

impl Classify for Broken {
    fn classify(&self) -> Class {
        self.0
    }
}

type Outcome = Result<(), Error<Broken>>;

fn node(random: &mut StdRng, depth: u32) -> Node {
    let policy = match random.random_range(0..4) {
        0 => Policy::once(),
        1 => Policy::immediate(),
        _ => Policy::fixed(Duration::from_millis(random.random_range(1..40_000)))
            .jitter(Jitter::None)
            .max_attempts(random.random_range(1..5)),
    };
    let mut policy = policy.deadline(Duration::from_millis(random.random_range(1..400_000)));
    if random.random_bool(0.5) {
        policy = policy.attempt_timeout(Duration::from_millis(random.random_range(1..100_000)));
    }
    if random.random_bool(0.2) {
        policy = policy.owns_retries();
    }
    let effect = match random.random_range(0..4) {
        0 => Effect::Keyed,
        1 => Effect::Once,
        _ => Effect::Idempotent,
    };
    let key = key(&format!("key {}", random.random_range(0..1_000)));
    let answer = match random.random_range(0..6) {
        0 => Some(Reconciled::Applied(())),
        1 => Some(Reconciled::NotApplied),
        2 => Some(Reconciled::Unknown),
        _ => None,
    };
    let attempts = random.random_range(1..4);
    let attempts = (0..attempts).map(|_| attempt(random, depth)).collect();
    Node { effect, policy, key, answer, attempts }
}

fn attempt(random: &mut StdRng, depth: u32) -> Attempt {
    let steps = random.random_range(0..4);
    let steps = (0..steps).map(|_| step(random, depth)).collect();
    let result = match random.random_range(0..8) {
        0..3 => Ok(()),
        3 => Err(Class::PERMANENT),
        4 => Err(Class::TRANSIENT.refused()),
        5 => Err(Class::TRANSIENT.not_sent()),
        6 => Err(Class::THROTTLED),
        _ => Err(Class::TRANSIENT),
    };
    Attempt { steps, result }
}

fn step(random: &mut StdRng, depth: u32) -> Step {
    let kinds = if depth < 3 { 9 } else { 4 };
    match random.random_range(0..kinds) {
        0 => Step::Look,
        1 | 2 => Step::Yield,
        3 => Step::Sleep(Duration::from_millis(random.random_range(0..2_000))),
        4..7 => Step::Call(node(random, depth + 1)),
        7 => Step::Try(node(random, depth + 1)),
        _ => Step::Task(Box::leak(Box::new(node(random, depth + 1)))),
    }
}

/// What is different from a run in which nobody asks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    AsItIs,
    /// Each attempt asks for its scope before it does anything.
    AsksFirst,
    /// It asks after everything that it does.
    AsksOften,
    /// Each attempt has to wait before it does anything.
    WaitsFirst,
    /// Somebody hears of all that happens.
    IsObserved,
}

struct Deaf;

impl Observer for Deaf {
    fn observe(&self, _: &Event<'_>, _: &Facts<'_>) {}
}

/// One run of a tree of calls.
#[derive(Clone)]
struct Run {
    way: Way,
    began: Instant,
    downstream: Arc<Downstream>,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Run {
    fn new(way: Way) -> Self {
        let downstream = Downstream::new("shared").budget(Budget::ratio(0.5).per_second(3));
        let downstream =
            if way == Way::IsObserved { downstream.observer(&Deaf) } else { downstream };
        Self { way, began: Instant::now(), downstream: Arc::new(downstream), seen: Arc::default() }
    }

    fn note(&self, what: &str) {
        let after = self.began.elapsed();
        self.seen.lock().unwrap().push(format!("{after:?} {what}"));
    }

    fn look(&self) {
        let after = |instant: Option<Instant>| instant.map(|instant| instant - self.began);
        let scope = Scope::current().map(|scope| {
            let ends = (after(scope.deadline()), after(scope.attempt_end()));
            let numbers = (scope.attempt(), scope.request_attempt(), scope.has_owner());
            format!("{ends:?} {numbers:?} {:?} {:?}", scope.key(), scope.own_key())
        });
        self.note(&format!("{scope:?}"));
    }

    fn ask(&self, when: Way) {
        if self.way == when {
            assert!(Scope::current().is_some());
        }
    }

    /// The loop as the attribute writes it.
    fn call<'n>(&'n self, node: &'n Node) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'n>> {
        Box::pin(async move {
            let rules = match node.effect {
                Effect::Idempotent => Rules::idempotent(node.policy),
                Effect::Keyed => Rules::keyed(node.policy),
                Effect::Once => Rules::once(node.policy),
            };
            let call: &'static Call = Box::leak(Box::new(Call::new("random", rules)));
            let mut options = call.downstream(&self.downstream);
            if let Effect::Keyed = node.effect {
                options = options.idempotency_key(&node.key);
            }
            let answer = node.answer.filter(|_| matches!(node.effect, Effect::Keyed));
            if answer.is_some() {
                options = options.reconciled();
            }
            let mut run = options.begin();
            let mut number = 0;
            let outcome = loop {
                let attempt = node.attempts.get(number).or(node.attempts.last()).unwrap();
                number += 1;
                let ended = run.attempt(self.attempt(attempt)).await;
                let next = if answer.is_some() {
                    decide_after::<Outcome>(&mut run, ended, async { answer }).await
                } else {
                    decide::<Outcome>(&mut run, ended)
                };
                match next {
                    Next::Return(outcome) => break outcome,
                    Next::Retry(pause) => run.pause(pause),
                };
            };
            self.note(&format!("{outcome:?}"));
            outcome
        })
    }

    async fn attempt(&self, attempt: &Attempt) -> Result<(), Broken> {
        self.ask(Way::AsksFirst);
        if self.way == Way::WaitsFirst {
            yield_now().await;
        }
        for step in &attempt.steps {
            match step {
                Step::Look => self.look(),
                Step::Yield => yield_now().await,
                Step::Sleep(time) => sleep(*time).await,
                Step::Call(node) => {
                    self.call(node).await.map_err(|error| Broken(error.classify()))?;
                }
                Step::Try(node) => drop(self.call(node).await),
                Step::Task(node) => {
                    let (run, node) = (self.clone(), *node);
                    let task = async move { run.call(node).await }.in_scope();
                    drop(tokio::spawn(task).await.unwrap());
                }
            }
            self.ask(Way::AsksOften);
        }
        attempt.result.map_err(Broken)
    }
}

/// All that was seen and came back, and what is left of the budget. Sorted, because tasks may do
/// something at the same instant.
async fn run(way: Way, node: &Node, scope: Option<Scope>) -> (Vec<String>, f64) {
    let run = Run::new(way);
    match scope {
        Some(scope) => drop(run.call(node).with_scope(scope).await),
        None => drop(run.call(node).await),
    }
    // A task outlives the attempt that was cut while it waited for it, by an instant or more.
    sleep(Duration::from_secs(1_000)).await;
    let mut seen = run.seen.lock().unwrap().clone();
    seen.sort();
    (seen, run.downstream.retry_tokens())
}

#[tokio::test(start_paused = true)]
async fn whether_a_scope_is_asked_for_or_a_call_waits_or_is_heard_changes_nothing() {
    for seed in 0..2_000 {
        let random = &mut StdRng::seed_from_u64(seed);
        let node = node(random, 0);
        let request =
            random.random_bool(0.5).then(|| Duration::from_millis(random.random_range(1..500_000)));
        let scope = || request.map(|time| Scope::root(Instant::now() + time).max_attempts(6));
        let expected = run(Way::AsItIs, &node, scope()).await;
        for way in [Way::AsksFirst, Way::AsksOften, Way::WaitsFirst, Way::IsObserved] {
            let other = run(way, &node, scope()).await;
            assert_eq!(other, expected, "seed {seed}, {way:?}: {node:#?}");
        }
    }
}
