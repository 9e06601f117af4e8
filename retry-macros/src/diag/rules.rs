//! Every sentence of the macros, by the name of its rule.

use super::Rule;

macro_rules! rules {
    ($($constant:ident $name:ident $sentence:literal)*) => {
        $(pub(crate) const $constant: Rule = Rule { name: stringify!($name), sentence: $sentence };)*

        /// Every rule, for the test that compares them with their documentation.
        #[cfg(test)]
        pub(crate) const RULES: &[Rule] = &[$($constant),*];
    };
}

rules! {
    // Arguments.
    ARGUMENT_EXPECTED argument_expected
        "expected the name of an argument, such as `policy = CHECKOUT`"
    COMMA_EXPECTED comma_expected
        "expected a comma between two arguments"
    UNKNOWN_ARGUMENT unknown_argument
        "unknown argument `{0}`: {1}"
    SETTING_OF_THE_POLICY setting_of_the_policy
        "`{0}` is a matter of the policy, so that all functions under it agree: set it there, as in \
         `policy = CHECKOUT.max_attempts(5)`"
    POLICY_WITHOUT_ITS_NAME policy_without_its_name
        "`{0}` is the name of no argument: if it is the policy, write `policy = {0}`"
    POLICY_OF_SELF policy_of_self
        "the policy is judged in a constant of its own, which cannot name `Self`: write the name of the \
         type, or put the policy beside it"
    ARGUMENT_TWICE argument_twice
        "`{0}` is given twice, so one of the two would be ignored: keep one"
    VALUE_MISSING value_missing
        "`{0}` needs a value: write `{1}`"
    VALUE_UNREADABLE value_unreadable
        "the value of `{0}` cannot be read from here on: write it as in `{1}`"
    VALUE_UNEXPECTED value_unexpected
        "`{0}` takes no value: write `{0}` alone"
    REASON_MISSING reason_missing
        "a reason is missing, which tells the next reader why this is safe: write `{0} = \"reason\"`"
    UNKNOWN_RULE unknown_rule
        "`{0}` is not a rule that can be allowed: {1}"
    ALLOW_UNNEEDED allow_unneeded
        "`allow({0})` changes nothing, because nothing here breaks that rule: remove it"
    CRATE_MISSING crate_missing
        "this crate has no dependency by the name `retry-runtime`, so the loop cannot reach it: write \
         `crate = path::to::it` in the attribute, the path under which this crate knows it"
    POLICY_MISSING policy_missing
        "`{0}` has no policy, so nothing says how often to try and how long to wait: write \
         `policy = CHECKOUT`, a constant of type `Policy`"

    // Effects.
    MISSING_IDEMPOTENCY_KEY missing_idempotency_key
        "`{0}` does not say what a second run of it would do, and a retry may repeat a write that was \
         already done, such as a payment whose answer was lost: write its effect beside the policy\n\
         `idempotent` if a second run changes nothing more, as with a read or a replacement\n\
         `idempotency_key = ...` if the server knows a repeated write by its key, such as the id of the order\n\
         `once` if it must never run twice, under a policy with one attempt"
    TWO_EFFECTS two_effects
        "`{1}` contradicts `{0}`, because a function has one effect: keep the one that is true"
    RECONCILE_WITHOUT_KEY reconcile_without_key
        "`reconcile` asks the server about one write by its key, and this function has no key: write \
         `idempotency_key = ...`, or remove `reconcile`"
    EMPTY_KEY empty_key
        "the idempotency key is empty, so the server would take every write for the same one: write a \
         value that differs from call to call, such as the id of the order"
    KEY_UNUSED key_unused
        "the idempotency key never reaches the body, so the server cannot tell a repeated write from a \
         new one: send `{0}` or `idempotency_key()` with the request\n\
         if something else sends it, write `allow(key_unused = \"what sends it\")`"
    DOUBTED_IDEMPOTENT doubted_idempotent
        "`{0}` looks like a write, and every attempt would do it again, but the function is said to be \
         `idempotent`: write `idempotency_key = ...` so that the server can tell a repetition\n\
         if repeating it is harmless all the same, say why: `idempotent = \"reason\"`"

    // The function.
    NOT_A_FUNCTION not_a_function
        "only an async function can be retried: put `#[retry]` on a function or a method"
    IMPL_BLOCK impl_block
        "a whole `impl` cannot be retried, because each call has its own effect: put `#[retry]` on each \
         method"
    TRAIT_BLOCK trait_block
        "a whole `trait` cannot be retried, because each call has its own effect: put `#[retry]` on each \
         method that has a body"
    BODY_MISSING body_missing
        "a method without a body has nothing to retry: put `#[retry]` on the implementation, or give the \
         method a default body"
    NOT_ASYNC not_async
        "a retry has to wait without blocking the thread, and `{0}` is not async: write `async fn`"
    FUTURE_OUT_OF_SIGHT future_out_of_sight
        "`{0}` gets its future from somewhere else, and asking that future again would not send the \
         request again: write `async fn`, or end the body with `async move { ... }` or \
         `Box::pin(async move { ... })`"
    FUTURE_BEHIND_A_NAME future_behind_a_name
        "`{0}` returns a future under a name of its own, so that nobody can see what it yields: write \
         `async fn`, or write the type out, as in `Pin<Box<dyn Future<Output = Result<..>> + Send + '_>>`"
    CONST_FUNCTION const_function
        "a `const` function cannot call another service, so there is nothing to retry: remove `const`"
    NO_RESULT no_result
        "a retried function has to return a `Result`, because only a failure can be tried again: write \
         `-> Result<(), YourError>`"
    ATTRIBUTE_TWICE attribute_twice
        "`#[retry]` twice on one function would multiply the attempts: keep one"
    MUTABLE_BORROW_RETURNED mutable_borrow_returned
        "a borrow of `{0}` cannot be returned from a retried function that may change it, because the next \
         attempt needs it again: return an owned value, or borrow `{0}` with `&` alone"
    MUTABLE_PARAMETER mutable_parameter
        "an attempt that fails half-way would leave `{0}` half changed for the next one, because it is \
         borrowed mutably: take it by value, make this a method of it, or build the value in the body\n\
         if every attempt sets it anew, write `allow(mutable_parameter = \"reason\")`"
    MUTABLE_SELF mutable_self
        "`mut self` would carry what one attempt changes into the next: take `self` and clone it in the \
         body, or take `&mut self` if that is what you mean"
    SPAWN_IN_BODY spawn_in_body
        "`{0}` starts work that goes on when its attempt is cut, so that two attempts would run side by \
         side: await the work in the body instead\n\
         if it may outlive the attempt, write `allow(spawn_in_body = \"reason\")`"
    CLONE_OF_NO_PARAMETER clone_of_no_parameter
        "`clone({0})` names no parameter of this function: write the name of one"
    CLONE_OF_SELF clone_of_self
        "`self` cannot be cloned for each attempt: take `&self`, and clone what the body uses up"

    // The derive.
    CLASS_MISSING class_missing
        "nothing says whether `{0}` may be tried again: write `#[classify(transient)]` if another \
         attempt may succeed, or `#[classify(permanent)]` if it would fail the same way\n\
         the others are `throttled`, `inherit` and `stopped`"
    CLASS_MISPLACED class_misplaced
        "a class says nothing here, because each kind of failure has its own: put it on the variants, or \
         on a struct"
    CLASS_EXPECTED class_expected
        "expected a class: `transient`, `throttled`, `permanent`, `inherit` or `stopped`"
    UNKNOWN_CLASS unknown_class
        "unknown class `{0}`: {1}"
    UNKNOWN_REFINEMENT unknown_refinement
        "unknown refinement `{0}`: {1}"
    CLASS_UNREACHABLE class_unreachable
        "this can never be reached, because the `classify` before it holds always: give that one a \
         `when = ...`, or remove this one"
    STOPPED_FIELD stopped_field
        "`stopped` is for one field that says why the call stopped: write \
         `Stopped(retry_runtime::Stopped)`"
    STOPPED_ALONE stopped_alone
        "`stopped` says all there is to say: write `#[classify(stopped)]` and nothing else"
    STOPPED_TWICE stopped_twice
        "two variants are marked `stopped`, so it is unclear which one a stop becomes: keep one"
    INHERIT_FIELD inherit_field
        "`inherit` takes the class of the only field, or of the one marked `#[source]` or `#[from]`, and \
         here it is unclear which: mark one"
    INHERIT_REFINED inherit_refined
        "`inherit` takes everything from the inner error: refine that one, or write `transient` here"
    DELIVERED_TWICE delivered_twice
        "a request is either `not_sent` or `refused`: keep the one that is true"
    UNKNOWN_FIELD unknown_field
        "there is no field `{0}` here: write the name of the field that holds the wait"
    CLASSIFY_UNION classify_union
        "a union does not know what it holds: derive `Classify` on an enum or a struct"
}
