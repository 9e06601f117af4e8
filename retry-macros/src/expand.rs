//! The retry loop, as it stands in the user's crate.
//!
//! ```text
//! // Input:
//! #[retry(policy = P, idempotency_key = order.key, downstream = PAYMENTS)]
//! async fn charge(order: &Order) -> Result<Receipt, Error<PayError>> { BODY }
//!
//! // Output:
//! async fn charge(order: &Order) -> Result<Receipt, Error<PayError>> {
//!     use ::retry_runtime::__private as __retry;
//!     static __CALL: __retry::Call = __retry::Call::new("charge", __retry::keyed(P));
//!     let __key = __retry::key(&order.key);
//!     let mut __run = __CALL.downstream(&PAYMENTS).idempotency_key(&__key).begin();
//!     loop {
//!         let __ended = __run
//!             .attempt(async {
//!                 if false {
//!                     return __retry::attempt_type::<Result<Receipt, Error<PayError>>>();
//!                 }
//!                 { BODY }
//!             })
//!             .await;
//!         match __retry::decide(&mut __run, __ended) {
//!             __retry::Next::Return(__result) => return __result,
//!             __retry::Next::Retry(__pause) => __run.pause(__pause),
//!         }
//!     }
//! }
//! ```

use crate::parse::{EffectKind, Value};
use crate::place::Place;
use crate::plan::{Fresh, Plan};
use crate::syntax::Kind;
use crate::target::Frame;
use crate::tokens::{Tokens, tokens};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

pub(crate) fn function(plan: Plan) -> TokenStream {
    let constants = runtime(&plan).and(constants(&plan));
    let call = call(&plan);
    let block = match &plan.frame {
        Some(frame) => frame.around(constants, call),
        None => constants.and(call),
    };
    headed(plan, block)
}

/// One attempt and no loop, while there are mistakes: the body is judged as it will be, and callers
/// see the function.
pub(crate) fn stand_in(plan: Plan) -> TokenStream {
    let runtime = runtime(&plan);
    let body = body(&plan);
    let only = plan.returned.turbofish("only", &plan.returns);
    let block = tokens! {
        #runtime
        let __ended = async { #body }.await;
        #only(__ended)
    };
    headed(plan, block)
}

/// The function with this in its braces.
fn headed(plan: Plan, block: Tokens) -> TokenStream {
    plan.head.and(whole(block, plan.braces)).into()
}

/// What the loop calls, by one name. All names in here that begin with `__` are `mixed_site`, so
/// that the user's names never meet them.
fn runtime(plan: &Plan) -> Tokens {
    let (krate, private) = (&plan.krate, Ident::new("__private", Span::call_site()));
    tokens! { use #krate::#private as __retry; }
}

/// One call, from its beginning to its return.
fn call(plan: &Plan) -> Tokens {
    let begin = begin(plan);
    let attempt = attempt(plan);
    let decide = decide(plan);
    tokens! {
        #begin
        loop {
            #attempt
            #decide
        }
    }
}

/// The policy, judged while compiling, and what all calls of the function share.
fn constants(plan: &Plan) -> Tokens {
    let policy = &plan.policy;
    let effect = match plan.effect {
        EffectKind::Idempotent { .. } => "idempotent",
        EffectKind::Keyed(_) => "keyed",
        EffectKind::Once => "once",
    };
    // A refusal points at the policy expression in the attribute.
    let place = Place::of(policy);
    let rules = match allowed(plan) {
        None => place.path(effect).and(place.last(tokens! { (#policy) })),
        Some(allow) => {
            let effect = Ident::new(effect, Span::call_site());
            let rules = place.last(tokens! { (__retry::Rules::#effect(#policy) #allow) });
            place.path("verify").and(rules)
        }
    };
    let needed = needed(plan);
    // With a downstream of its own, if there is no other.
    let kind = if plan.downstream.is_some() { "Call" } else { "Standalone" };
    let kind = &Ident::new(kind, Span::call_site());
    let function = Literal::string(plan.name.to_string().trim_start_matches("r#"));
    tokens! {
        #needed
        static __CALL: __retry::#kind = __retry::#kind::new(#function, #rules);
    }
}

/// `.allow(...)` with the rules that the user switches off.
fn allowed(plan: &Plan) -> Option<Tokens> {
    if plan.allow.is_empty() {
        return None;
    }
    let mut allow = tokens! { __retry::Allow::NONE };
    for rule in &plan.allow {
        allow.add(tokens! { .#rule() });
    }
    Some(tokens! { .allow(#allow) })
}

/// An `allow` that nothing needs is reported at the `allow`.
fn needed(plan: &Plan) -> Tokens {
    let mut constants = Tokens::default();
    for rule in &plan.allow {
        let place = Place::of(&TokenTree::from(rule.clone()).into());
        let needs = place.path(&format!("needs_{rule}"));
        let policy = &plan.policy;
        let judged = place.last(tokens! { (#policy) });
        constants.add(tokens! { const _: () = #needs #judged; });
    }
    constants
}

/// One call begins; each option is one argument more.
fn begin(plan: &Plan) -> Tokens {
    let (mut lines, mut options) = (Tokens::default(), Tokens::default());
    if let Some(value) = &plan.downstream {
        let (place, borrowed) = borrowed(value);
        if value.kind == Kind::Path {
            // The usual case; a local that lives across the attempts costs the compiler a lot.
            options.add(tokens! { .downstream(#borrowed) });
        } else {
            // A line of its own, so that a temporary lives as long as the call.
            lines.add(tokens! { let __downstream = #borrowed; });
            // What is no downstream is reported at the user's expression.
            let local = place.name("__downstream");
            options.add(tokens! { .downstream(#local) });
        }
    }
    if let EffectKind::Keyed(value) = &plan.effect {
        let (place, borrowed) = borrowed(value);
        let make = place.path("key");
        lines.add(tokens! { let __key = #make(#borrowed); });
        options.add(tokens! { .idempotency_key(&__key) });
    }
    if let Some(deadline) = &plan.deadline {
        options.add(tokens! { .deadline(#deadline) });
    }
    if plan.reconcile.is_some() {
        options.add(tokens! { .reconciled() });
    }
    tokens! {
        #lines
        let mut __run = __CALL #options.begin();
    }
}

/// One attempt.
fn attempt(plan: &Plan) -> Tokens {
    let body = body(plan);
    // Not `async move`: each attempt borrows the parameters, and what the body uses up is reported
    // where the body does so.
    let (place, body) = if plan.frame.as_ref().is_some_and(Frame::is_of_async_trait) {
        // Lints say nothing of what `#[async_trait]` has written, nor of the body in it.
        (Span::call_site().located_at(plan.moves), braces(body.into(), plan.body.span()))
    } else {
        (plan.moves, whole(body, plan.body.span()))
    };
    let word = Ident::new("async", place);
    tokens! {
        let __ended = __run
            .attempt(#word #body)
            .await;
    }
}

/// The body, token for token, and what it yields.
fn body(plan: &Plan) -> Tokens {
    let mut lines = Tokens::default();
    plan.fresh.iter().for_each(|parameter| lines.add(fresh(parameter)));
    // The never-taken `return` gives the type; a typed `let` or a turbofish would switch off
    // coercions in the body.
    let body = if plan.has_statements {
        plan.body.clone().into()
    } else {
        braces(plan.body.stream(), plan.body.span())
    };
    let attempt_type = plan.returned.turbofish("attempt_type", &plan.returns);
    let nothing = plan.returned.last(tokens! { () });
    tokens! {
        if false {
            return #attempt_type #nothing;
        }
        #lines
        #body
    }
}

fn fresh(parameter: &Fresh) -> Tokens {
    let Fresh { attributes, mutability, name, asked } = parameter;
    let asked = Tokens::from(TokenTree::from(asked.clone()));
    let place = Place::of(&asked);
    let (fresh, borrowed) = (place.path("fresh"), place.borrowed(asked));
    // A name that says it is not used is used by the clone alone.
    let unused = name.to_string().starts_with('_');
    let unused = unused.then(|| tokens! { #[allow(clippy::used_underscore_binding)] });
    let attributes = Tokens::of_each(attributes);
    let mutability = mutability.as_ref();
    tokens! { #attributes #unused let #mutability #name = #fresh(#borrowed); }
}

/// Return or pause, as the runtime decides.
fn decide(plan: &Plan) -> Tokens {
    let place = plan.returned;
    // The compiler finds the type by the `return`; where it has to judge a function of the user's
    // first, it is told.
    let decide = match (&plan.reconcile, &plan.classify) {
        (None, None) => place.path("decide"),
        (Some(_), None) => place.path("decide_after"),
        (None, Some(_)) => place.turbofish("decide_by", &plan.returns),
        (Some(_), Some(_)) => place.turbofish("decide_after_by", &plan.returns),
    };
    let ask = plan.reconcile.as_ref().map(|value| {
        let asked = asked(plan, value);
        tokens! { let __question = async { #asked }; }
    });
    let question = ask.as_ref().map(|_| tokens! { , __question });
    let wait = ask.as_ref().map(|_| tokens! { .await });
    let classify = plan.classify.as_ref().map(|function| {
        tokens! { , #function }
    });
    let judged = place.last(tokens! { (&mut __run, __ended #question #classify) });
    tokens! {
        #ask
        match #decide #judged #wait {
            __retry::Next::Return(__result) => return __result,
            __retry::Next::Retry(__pause) => __run.pause(__pause),
        }
    }
}

/// Asks whether the attempt was applied; the type of the answer is judged at the user's function.
fn asked(plan: &Plan, function: &Value) -> Tokens {
    let place = Place::of(&function.tokens);
    let answer = place.turbofish("answer", &plan.returns);
    let (asked, wait) = (operand(function), place.last(tokens! { .await }));
    let asked = place.last(tokens! { (#asked(&__key) #wait) });
    answer.and(asked)
}

/// `&EXPRESSION`, and the place of the expression.
fn borrowed(value: &Value) -> (Place, Tokens) {
    let place = Place::of(&value.tokens);
    (place, place.borrowed(operand(value)))
}

/// The expression as it can stand behind `&`.
fn operand(value: &Value) -> Tokens {
    let tokens = value.tokens.clone();
    if value.kind == Kind::Compound {
        tokens! { (#tokens) }
    } else {
        tokens
    }
}

/// The block of the whole function: it is the user's own, so that a function which nobody calls is
/// still reported.
fn whole(tokens: Tokens, braces: Span) -> TokenTree {
    tokens.grouped(Delimiter::Brace, braces)
}

/// A new block at the place of the user's braces: rustc takes it for generated code, so that it
/// gets no lint about needless braces, and errors keep their place.
fn braces(tokens: TokenStream, place: Span) -> TokenTree {
    let mut block = Group::new(Delimiter::Brace, tokens);
    block.set_span(Span::call_site().located_at(place));
    block.into()
}
