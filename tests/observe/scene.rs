//! Random calls to one random downstream, side by side in virtual time. A seed fixes all of it.

use kit::together;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::__private::{Call, Next, Rules, decide_after, key};
use retry_runtime::testing::seeded;
use retry_runtime::{
    AdaptiveTimeout, Breaker, Budget, Class, Classify, ConcurrencyLimit, Downstream, Error, Jitter,
    Policy, RateLimit, Reconciled,
};
use std::cell::RefCell;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};

/// A failure of the class that it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken(Class);

impl Classify for Broken {
    fn classify(&self) -> Class {
        self.0
    }
}

pub type Outcome = Result<u32, Error<Broken>>;

/// A budget, and what a model of it has to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    Share { millionths: u64, per_second: u32 },
    Throttle { tokens: u32, millionths: u64 },
    Costs { capacity: u32 },
}

impl Law {
    fn random(random: &mut StdRng) -> Self {
        match random.random_range(0..5) {
            0 => Self::Throttle { tokens: random.random_range(2..20), millionths: 100_000 },
            1 => Self::Costs { capacity: random.random_range(10..60) },
            _ => Self::Share {
                millionths: random.random_range(1..=10) * 100_000,
                per_second: random.random_range(0..3),
            },
        }
    }

    fn budget(self) -> Budget {
        let tokens = |millionths: u64| Duration::from_micros(millionths).as_secs_f64();
        match self {
            Self::Share { millionths, per_second } => {
                Budget::ratio(tokens(millionths)).per_second(per_second)
            }
            Self::Throttle { tokens: most, millionths } => {
                Budget::throttle(most, tokens(millionths))
            }
            Self::Costs { capacity } => Budget::costs(capacity),
        }
    }
}

/// What one attempt does.
#[derive(Clone, Debug)]
enum Step {
    Ends {
        takes: Duration,
        result: Result<u32, Class>,
    },
    Hangs,
    /// Makes a call of its own, and hands its error up.
    Nests,
}

/// One call.
#[derive(Debug)]
struct Plan {
    call: &'static Call,
    begins: Duration,
    /// When the caller goes away.
    patience: Duration,
    key: Option<String>,
    steps: Vec<Step>,
    /// What the server says when it is asked whether an attempt was applied; none does not ask.
    answers: Option<Vec<Option<Reconciled<u32>>>>,
}

pub struct Scene {
    pub downstream: Downstream,
    pub law: Law,
    plans: Vec<Plan>,
    seed: u64,
}

fn millis(random: &mut StdRng, below: u64) -> Duration {
    Duration::from_micros(random.random_range(0..below * 1_000))
}

fn policy(random: &mut StdRng) -> Policy {
    let base = Duration::from_micros(random.random_range(1..50_000));
    let jitters = [Jitter::Full, Jitter::Equal, Jitter::Decorrelated, Jitter::None];
    let mut policy = Policy::exponential(base, base + millis(random, 200))
        .multiplier(random.random_range(1.0..3.0))
        .jitter(jitters[random.random_range(0..jitters.len())])
        .max_attempts(random.random_range(1..6))
        .max_retry_after(millis(random, 300))
        .deadline(Duration::from_millis(1) + millis(random, 1_500));
    if random.random_bool(0.7) {
        policy = policy.attempt_timeout(millis(random, 100));
    }
    if random.random_bool(0.2) {
        policy = policy.adaptive_timeout(AdaptiveTimeout::DEFAULT.minimum_samples(3));
    }
    if random.random_bool(0.1) {
        policy = policy.owns_retries();
    }
    policy
}

fn class(random: &mut StdRng) -> Class {
    let class = match random.random_range(0..10) {
        0 => Class::PERMANENT.refused(),
        1..3 => Class::THROTTLED.retry_after(millis(random, 150)),
        3 => Class::TRANSIENT.retry_after(Duration::MAX),
        4 => Class::TRANSIENT.retry_after(Duration::ZERO).not_sent(),
        _ => Class::TRANSIENT,
    };
    if random.random_bool(0.2) { class.refused() } else { class }
}

fn step(random: &mut StdRng) -> Step {
    match random.random_range(0..10) {
        0 => Step::Hangs,
        1 => Step::Nests,
        number => {
            let takes = if random.random_bool(0.3) { Duration::ZERO } else { millis(random, 60) };
            let result = if number < 7 { Err(class(random)) } else { Ok(number) };
            Step::Ends { takes, result }
        }
    }
}

impl Plan {
    fn random(random: &mut StdRng, calls: &[&'static Call]) -> Self {
        let patience = if random.random_bool(0.1) { 300 } else { 1_000_000 };
        let answers = [
            None,
            Some(Reconciled::Applied(7)),
            Some(Reconciled::NotApplied),
            Some(Reconciled::NotApplied),
            Some(Reconciled::Unknown),
        ];
        let answer = |random: &mut StdRng| answers[random.random_range(0..answers.len())];
        let asks = random.random_bool(0.3);
        Self {
            call: calls[random.random_range(0..calls.len())],
            begins: millis(random, 2_000),
            patience: millis(random, patience),
            key: (asks || random.random_bool(0.3))
                .then(|| format!("order-{}", random.random_range(0..100))),
            steps: (0..6).map(|_| step(random)).collect(),
            answers: asks.then(|| (0..6).map(|_| answer(random)).collect()),
        }
    }

    /// The loop as the attribute writes it; `depth` is 0 for a call that is in no other.
    async fn run(&self, downstream: &Downstream, depth: u32) -> Outcome {
        let key = self.key.as_deref().map(key);
        let mut options = self.call.downstream(downstream);
        if let Some(key) = &key {
            options = options.idempotency_key(key);
        }
        if self.answers.is_some() {
            options = options.reconciled();
        }
        let mut run = options.begin();
        let count = RefCell::new((0, 0));
        loop {
            let step = &self.steps[count.borrow().0 % self.steps.len()];
            count.borrow_mut().0 += 1;
            let body = async {
                match step {
                    Step::Ends { takes, result } => {
                        // A body of zero is ready at once.
                        if !takes.is_zero() {
                            sleep(*takes).await;
                        }
                        result.map_err(Broken)
                    }
                    Step::Nests if depth < 2 => {
                        let inner = Box::pin(self.run(downstream, depth + 1)).await;
                        inner.map_err(|error| Broken(error.classify()))
                    }
                    Step::Hangs | Step::Nests => std::future::pending().await,
                }
            };
            let ended = run.attempt(body).await;
            let question = async {
                let number = count.borrow().1;
                count.borrow_mut().1 += 1;
                sleep(Duration::from_millis(3)).await;
                self.answers.as_ref().and_then(|answers| answers[number % answers.len()])
            };
            let next = if self.answers.is_some() {
                decide_after::<Outcome>(&mut run, ended, question).await
            } else {
                retry_runtime::__private::decide::<Outcome>(&mut run, ended)
            };
            match next {
                Next::Return(result) => return result,
                Next::Retry(pause) => run.pause(pause),
            }
        }
    }
}

impl Scene {
    /// So many calls, those inside others not counted. `configure` may add to the downstream, such as
    /// an observer.
    pub fn random(
        seed: u64,
        calls: usize,
        configure: impl FnOnce(Downstream) -> Downstream,
    ) -> Self {
        let random = &mut StdRng::seed_from_u64(seed);
        let law = Law::random(random);
        let mut downstream = configure(Downstream::new("leaf").budget(law.budget()));
        if random.random_bool(0.4) {
            let breaker = Breaker::consecutive(random.random_range(2..8))
                .open_for(Duration::from_millis(100))
                .recover_over(Duration::from_millis(200));
            downstream = downstream.breaker(breaker);
        }
        match random.random_range(0..6) {
            0 => downstream = downstream.concurrency_limit(ConcurrencyLimit::new(3)),
            1 => downstream = downstream.concurrency_limit(ConcurrencyLimit::new(2).waiting()),
            2 => downstream = downstream.rate_limit(RateLimit::per_second(100).burst(3).waiting()),
            3 => downstream = downstream.rate_limit(RateLimit::per_second(20)),
            _ => {}
        }
        let functions: Vec<_> = (0..4)
            .map(|_| {
                let rules = Rules::keyed(policy(random));
                &*Box::leak(Box::new(Call::new("random", rules)))
            })
            .collect();
        let mut plans: Vec<_> = (0..=calls).map(|_| Plan::random(random, &functions)).collect();
        // One more that succeeds at once, with which the clock of the downstream begins.
        plans[0].begins = Duration::ZERO;
        plans[0].steps[0] = Step::Ends { takes: Duration::ZERO, result: Ok(0) };
        Self { downstream, law, plans, seed }
    }

    /// Runs all calls to their ends. None for a call whose caller went away.
    pub async fn run(&self) -> Vec<Option<Outcome>> {
        let calls = self.plans.iter().map(|plan| async {
            sleep(plan.begins).await;
            timeout(plan.patience, plan.run(&self.downstream, 0)).await.ok()
        });
        // What the loop draws, too.
        seeded(self.seed, together(calls)).await
    }
}

/// Runs a future in virtual time of its own.
pub fn in_virtual_time<F: Future>(work: F) -> F::Output {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(work)
}
