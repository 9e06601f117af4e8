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
//!     static __CALL: __retry::Call =
//!         __retry::Call::new("charge", __retry::verify(__retry::Rules::keyed(P)));
//!     let __key = __retry::key(&order.key);
//!     let mut __run = __CALL.downstream(&PAYMENTS).idempotency_key(&__key).begin();
//!     let mut __pause = __retry::Pause::NONE;
//!     loop {
//!         let __ended = __run
//!             .after(__pause)
//!             .attempt(async {
//!                 if let __retry::Some(__pinned) = __retry::attempt_type::<Result<Receipt, Error<PayError>>>() {
//!                     return __pinned;
//!                 }
//!                 { BODY }
//!             })
//!             .await;
//!         __pause = match __retry::decide::<Result<Receipt, Error<PayError>>>(&mut __run, __ended) {
//!             __retry::Next::Return(__result) => return __result,
//!             __retry::Next::Retry(__pause) => __pause,
//!         };
//!     }
//! }
//! ```

use crate::parse::EffectKind;
use crate::place::Place;
use crate::plan::{Fresh, Plan};
use crate::target::Frame;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Expr;
use syn::ext::IdentExt;

pub(crate) fn function(plan: &Plan) -> TokenStream {
    let Plan { attributes, visibility, signature, krate, .. } = plan;
    // Generated names are `mixed_site`, so that the user's names never meet them.
    let retry = name("__retry");
    let constants = constants(plan);
    let constants = quote! {
        use #krate::__private as #retry;
        #constants
    };
    let call = call(plan);
    let block = if let Some(frame) = &plan.frame {
        frame.around(constants, call)
    } else {
        quote!(#constants #call)
    };
    let block = whole(block, plan.braces);
    quote! { #(#attributes)* #visibility #signature #block }
}

/// One attempt and no loop, while there are mistakes: the body is judged as it will be, and callers
/// see the function.
pub(crate) fn stand_in(plan: &Plan) -> TokenStream {
    let Plan { attributes, visibility, signature, krate, returns, .. } = plan;
    let (retry, ended) = (name("__retry"), name("__ended"));
    let body = body(plan);
    let only = plan.returned.turbofish("only", returns);
    let block = quote! {
        use #krate::__private as #retry;
        let #ended = async { #body }.await;
        #only(#ended)
    };
    let block = whole(block, plan.braces);
    quote! { #(#attributes)* #visibility #signature #block }
}

/// One call, from its beginning to its return.
fn call(plan: &Plan) -> TokenStream {
    let begin = begin(plan);
    let attempt = attempt(plan);
    let decide = decide(plan);
    quote! {
        #begin
        loop {
            #attempt
            #decide
        }
    }
}

/// The policy, judged while compiling, and what all calls of the function share.
fn constants(plan: &Plan) -> TokenStream {
    let (retry, call) = (name("__retry"), name("__CALL"));
    let policy = &plan.policy;
    let effect = match plan.effect {
        EffectKind::Idempotent { .. } => "idempotent",
        EffectKind::Keyed(_) => "keyed",
        EffectKind::Once => "once",
    };
    let effect = Ident::new(effect, Span::call_site());
    let allowed = &plan.allow;
    let allow = (!allowed.is_empty()).then(|| quote!(.allow(#retry::Allow::NONE #(.#allowed())*)));
    // A refusal points at the policy expression in the attribute.
    let place = Place::of(policy);
    let verify = place.path("verify");
    let judged = place.last(quote!((#retry::Rules::#effect(#policy) #allow)));
    // And one about an `allow` that nothing needs, at the `allow`.
    let needed = allowed.iter().map(|rule| {
        let place = Place::of(rule);
        let needs = place.path(&format!("needs_{rule}"));
        let judged = place.last(quote!((#policy)));
        quote!(const _: () = #needs #judged;)
    });
    let function = plan.signature.ident.unraw().to_string();
    // With a downstream of its own, if there is no other.
    let kind = if plan.downstream.is_some() { "Call" } else { "Standalone" };
    let kind = Ident::new(kind, Span::call_site());
    quote! {
        #(#needed)*
        static #call: #retry::#kind = #retry::#kind::new(#function, #verify #judged);
    }
}

/// One call begins; each option is one argument more.
fn begin(plan: &Plan) -> TokenStream {
    let (run, call, pause) = (name("__run"), name("__CALL"), name("__pause"));
    let retry = name("__retry");
    let (mut lines, mut options) = (TokenStream::new(), TokenStream::new());
    if let Some(expression) = &plan.downstream {
        let place = Place::of(expression);
        let borrowed = place.borrowed(&operand(expression));
        if let Expr::Path(_) = expression {
            // The usual case; a local that lives across the attempts costs the compiler a lot.
            options.extend(quote! { .downstream(#borrowed) });
        } else {
            let local = name("__downstream");
            // A line of its own, so that a temporary lives as long as the call.
            lines.extend(quote! { let #local = #borrowed; });
            // What is no downstream is reported at the user's expression.
            let local = place.name("__downstream");
            options.extend(quote! { .downstream(#local) });
        }
    }
    if let EffectKind::Keyed(expression) = &plan.effect {
        let local = name("__key");
        let place = Place::of(&**expression);
        let (make, borrowed) = (place.path("key"), place.borrowed(&operand(expression)));
        lines.extend(quote! { let #local = #make(#borrowed); });
        options.extend(quote! { .idempotency_key(&#local) });
    }
    if let Some(deadline) = &plan.deadline {
        options.extend(quote! { .deadline(#deadline) });
    }
    if plan.reconcile.is_some() {
        options.extend(quote! { .reconciled() });
    }
    quote! {
        #lines
        let mut #run = #call #options.begin();
        let mut #pause = #retry::Pause::NONE;
    }
}

/// One attempt.
fn attempt(plan: &Plan) -> TokenStream {
    let (ended, run, pause) = (name("__ended"), name("__run"), name("__pause"));
    let body = body(plan);
    // Not `async move`: each attempt borrows the parameters, and what the body uses up is reported
    // where the body does so.
    let (r#async, body) = if plan.frame.as_ref().is_some_and(Frame::is_of_async_trait) {
        // Lints say nothing of what `#[async_trait]` has written, nor of the body in it.
        (Span::call_site().located_at(plan.moves), braces(body, plan.body.span()))
    } else {
        (plan.moves, whole(body, plan.body.span()))
    };
    let r#async = Ident::new("async", r#async);
    quote! {
        let #ended = #run
            .after(#pause)
            .attempt(#r#async #body)
            .await;
    }
}

/// The body, token for token, and what it yields.
fn body(plan: &Plan) -> TokenStream {
    let (retry, pinned) = (name("__retry"), name("__pinned"));
    let returns = &plan.returns;
    let fresh = plan.fresh.iter().map(fresh);
    // The never-taken `return` gives the type; a typed `let` or a turbofish would switch off
    // coercions in the body.
    let body = if has_statements(&plan.body) {
        plan.body.clone().into()
    } else {
        braces(plan.body.stream(), plan.body.span())
    };
    let attempt_type = plan.returned.turbofish("attempt_type", returns);
    let nothing = plan.returned.last(quote!(()));
    quote! {
        if let #retry::Some(#pinned) = #attempt_type #nothing {
            return #pinned;
        }
        #(#fresh)*
        #body
    }
}

fn fresh(parameter: &Fresh) -> TokenStream {
    let Fresh { attributes, mutability, name: parameter, asked } = parameter;
    let place = Place::of(asked);
    let (fresh, borrowed) = (place.path("fresh"), place.borrowed(asked));
    let clone = quote! { #fresh(#borrowed) };
    // A name that says it is not used is used by the clone alone.
    let unused = parameter.to_string().starts_with('_');
    let unused = unused.then(|| quote!(#[allow(clippy::used_underscore_binding)]));
    quote! { #(#attributes)* #unused let #mutability #parameter = #clone; }
}

/// Return or pause, as the runtime decides.
fn decide(plan: &Plan) -> TokenStream {
    let (ended, run, pause) = (name("__ended"), name("__run"), name("__pause"));
    let (retry, result) = (name("__retry"), name("__result"));
    let returns = &plan.returns;
    let place = plan.returned;
    let decide = match (&plan.reconcile, &plan.classify) {
        (None, None) => "decide",
        (None, Some(_)) => "decide_by",
        (Some(_), None) => "decide_after",
        (Some(_), Some(_)) => "decide_after_by",
    };
    let decide = place.turbofish(decide, returns);
    let question = name("__question");
    let ask = plan.reconcile.as_ref().map(|function| {
        let asked = asked(plan, function);
        quote!(let #question = async { #asked };)
    });
    let question = ask.as_ref().map(|_| quote!(#question));
    let wait = ask.as_ref().map(|_| quote!(.await));
    let arguments =
        question.into_iter().chain(plan.classify.as_ref().map(ToTokens::to_token_stream));
    let judged = place.last(quote!((&mut #run, #ended #(, #arguments)*)));
    quote! {
        #ask
        #pause = match #decide #judged #wait {
            #retry::Next::Return(#result) => return #result,
            #retry::Next::Retry(#pause) => #pause,
        };
    }
}

/// Asks whether the attempt was applied; the type of the answer is judged at the user's function.
fn asked(plan: &Plan, function: &Expr) -> TokenStream {
    let place = Place::of(function);
    let (answer, key) = (place.turbofish("answer", &plan.returns), name("__key"));
    let (asked, wait) = (operand(function), place.last(quote!(.await)));
    let asked = place.last(quote!((#asked(&#key) #wait)));
    quote!(#answer #asked)
}

/// The expression as it can stand behind `&`.
fn operand(expression: &Expr) -> TokenStream {
    match expression {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Assign(_) | Expr::Closure(_) => {
            quote!((#expression))
        }
        _ => expression.to_token_stream(),
    }
}

fn name(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The block of the whole function: it is the user's own, so that a function which nobody calls is
/// still reported.
fn whole(tokens: TokenStream, braces: Span) -> TokenTree {
    let mut block = Group::new(Delimiter::Brace, tokens);
    block.set_span(braces);
    block.into()
}

/// Whether the body is more than one expression, so that no lint finds its braces needless. They
/// stay the user's own then, because they tell the edition, and with it when the temporaries of the
/// last expression are dropped.
fn has_statements(body: &Group) -> bool {
    let is_end = |token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ';');
    body.stream().into_iter().any(is_end)
}

/// A new block at the place of the user's braces: rustc takes it for generated code, so that it
/// gets no lint about needless braces, and errors keep their place.
fn braces(tokens: TokenStream, place: Span) -> TokenTree {
    let mut block = Group::new(Delimiter::Brace, tokens);
    block.set_span(Span::call_site().located_at(place));
    block.into()
}
