//! Layers multiply, unless one of them owns the retries.

use crate::scene::{FIFTH, HEALTHY, THREE, down_for, head, millis, row, secs, with};
use retry_runtime::storm::{Fault, NO_BUDGET, Storm};
use retry_runtime::{Jitter, Reason};

#[test]
fn three_layers_of_three_make_twenty_seven() {
    print!("{}", head());
    for jitter in [Jitter::None, Jitter::Full] {
        let storm = Storm::new(THREE.jitter(jitter), down_for(secs(60))).layers(3).keep_sends();
        let alone = storm.clients(1).every_layer_retries().run(with(NO_BUDGET)).unwrap();
        assert_eq!(alone.sends, 27);
        assert!(alone.sent.iter().map(|sent| sent.number).eq(1..=27));

        let group = storm.clients(40).every_layer_retries().run(with(NO_BUDGET)).unwrap();
        print!("{}", row("3 layers x 3 attempts, every layer retries", &group));
        assert_eq!((group.calls, group.sends), (40, 1_080));
        assert_eq!(group.attempts, [120, 360, 1_080]);

        let owned = storm.clients(40).run(with(NO_BUDGET)).unwrap();
        print!("{}", row("3 layers x 3 attempts, one owner", &owned));
        assert_eq!((owned.calls, owned.sends), (40, 120), "three each");
        assert_eq!(owned.attempts, [120, 120, 120]);
        assert_eq!(owned.failures_by(Reason::AttemptLimit), 40);
    }
}

#[test]
fn each_layer_has_a_budget_of_its_own() {
    print!("{}", head());
    let storm = Storm::new(THREE, down_for(secs(60))).clients(1_000).layers(3);
    let owned = storm.run(with(FIFTH)).unwrap();
    print!("{}", row("3 layers, budget 0.2 each, one owner", &owned));
    assert_eq!(owned.sends, 1_200);

    // A fifth of a fifth of a fifth more at most: the cube of 1.2.
    let every = storm.every_layer_retries().run(with(FIFTH)).unwrap();
    print!("{}", row("3 layers, budget 0.2 each, every layer retries", &every));
    assert!((1_700..=1_728).contains(&every.sends), "{}", every.sends);
}

#[test]
fn an_attempt_that_is_cut_takes_what_runs_inside_with_it() {
    // Each layer has 300 ms for an attempt, in which the one below is still waiting.
    let policy = THREE.jitter(Jitter::None).attempt_timeout(millis(300));
    let storm = Storm::new(policy, down_for(secs(60))).clients(1).layers(2).every_layer_retries();
    let report = storm.keep_sends().run(with(NO_BUDGET)).unwrap();
    let sent: Vec<_> = report.sent.iter().map(|sent| sent.at.as_millis()).collect();
    // 0 and 105 ms, cut at 300, which would have been the wait for 310; again at 400 and 900.
    assert_eq!(sent, [0, 105, 400, 505, 900, 1_005]);
    assert_eq!(report.ended.as_millis(), 1_200);
}

#[test]
fn the_innermost_layer_may_have_a_timeout_that_would_cut_the_others() {
    let silent = HEALTHY.fault(Fault::always(1.0).silent());
    let leaf = THREE.jitter(Jitter::None).attempt_timeout(millis(50));
    let storm = Storm::new(THREE.jitter(Jitter::None), silent).clients(1).layers(2);
    let report = storm.innermost(leaf).every_layer_retries().run(with(NO_BUDGET)).unwrap();
    // Three times 50 ms in the innermost, with waits of 100 and 200 ms; three times that around it.
    assert_eq!((report.attempts, report.ended), (vec![3, 9], millis(3 * 450 + 300)));

    let refused = storm.innermost(leaf.max_attempts(0)).run(with(NO_BUDGET)).unwrap_err();
    assert!(refused.to_string().contains("max_attempts"), "{refused}");
}
