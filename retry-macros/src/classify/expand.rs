//! The impls of `Classify` and, where a variant is marked `stopped`, of `FromStopped`.

use super::Shape;
use super::mark::{Mark, Mention, Verdict};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{DeriveInput, Expr, Member, Path, parse_quote};

pub(super) fn impls(input: &DeriveInput, krate: &Path, shapes: &[Shape<'_>]) -> TokenStream {
    let arms = shapes.iter().map(|shape| arm(krate, shape));
    // An enum without variants has nothing to match.
    let body =
        if shapes.is_empty() { quote!(match *self {}) } else { quote!(match self { #(#arms)* }) };
    let stopped = shapes.iter().find_map(|shape| Some((shape, shape.stopped()?)));
    let from_stopped = stopped.map(|(shape, mark)| {
        let path = path(shape);
        let field = mark.inner.iter().map(|inner| &inner.field);
        let value = of_field(shape, krate, "of", &quote!(__stopped));
        from_stopped(input, krate, &quote!(#path { #(#field: #value)* }))
    });
    let classify = classify(input, krate, &body);
    quote! { #classify #from_stopped }
}

/// What stands in for the impls while there are mistakes; it never runs.
pub(super) fn stand_in(input: &DeriveInput, krate: &Path, shapes: &[Shape<'_>]) -> TokenStream {
    let classify = classify(input, krate, &quote!(#krate::Class::PERMANENT));
    let is_stopped = shapes.iter().any(|shape| shape.is_stopped);
    let from_stopped = is_stopped.then(|| from_stopped(input, krate, &quote!(loop {})));
    quote! { #classify #from_stopped }
}

fn classify(input: &DeriveInput, krate: &Path, body: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let mut generics = input.generics.clone();
    // `Classify` asks for `Debug`, and a derived one holds only where the type arguments have it.
    if generics.type_params().next().is_some() {
        let shown = parse_quote!(Self: ::core::fmt::Debug);
        generics.make_where_clause().predicates.push(shown);
    }
    let (generics, arguments, conditions) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #krate::Classify for #name #arguments #conditions {
            fn classify(&self) -> #krate::Class {
                #body
            }
        }
    }
}

fn from_stopped(input: &DeriveInput, krate: &Path, value: &TokenStream) -> TokenStream {
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #generics #krate::FromStopped for #name #arguments #conditions {
            fn from_stopped(__stopped: #krate::Stopped) -> Self {
                #value
            }
        }
    }
}

fn path(shape: &Shape<'_>) -> TokenStream {
    shape.variant.map_or_else(|| quote!(Self), |variant| quote!(Self::#variant))
}

/// The marks in order; where none holds the failure is unclassified, and so permanent.
fn arm(krate: &Path, shape: &Shape<'_>) -> TokenStream {
    let path = path(shape);
    let mut class = quote!(#krate::Class::PERMANENT);
    let mut bound: Vec<Mention> = Vec::new();
    for mark in shape.marks.iter().rev() {
        let this = class_of(krate, shape, mark);
        class = match &mark.when {
            Some(condition) => {
                let condition = condition_of(condition);
                quote!(if #condition { #this } else { #class })
            }
            None => this,
        };
        for mention in mark.mentions(shape.fields) {
            if !bound.iter().any(|known| known.name == mention.name) {
                bound.push(mention);
            }
        }
    }
    let fields = bound.iter().map(|Mention { field, name }| match field {
        Member::Named(field) if field == name => quote!(#name,),
        field => quote!(#field: #name,),
    });
    quote! { #path { #(#fields)* .. } => #class, }
}

/// A function of the only field's type. It is asked for in the same words by both impls, so that a
/// field of another type is reported once.
fn of_field(
    shape: &Shape<'_>,
    krate: &Path,
    function: &str,
    argument: &TokenStream,
) -> TokenStream {
    let ty = shape.fields.iter().map(|field| &field.ty);
    let function = Ident::new(function, Span::call_site());
    quote!(#(<#ty as #krate::__private::StoppedField>::#function)*(#argument))
}

/// A condition as it can stand behind `if`, where a struct literal would be read as a block.
fn condition_of(condition: &Expr) -> TokenStream {
    let tokens = condition.to_token_stream();
    let has_braces = tokens.clone().into_iter().any(
        |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
    );
    if has_braces { quote!((#tokens)) } else { tokens }
}

fn class_of(krate: &Path, shape: &Shape<'_>, mark: &Mark) -> TokenStream {
    let class = match mark.verdict {
        Verdict::Transient => quote!(#krate::Class::TRANSIENT),
        Verdict::Throttled => quote!(#krate::Class::THROTTLED),
        Verdict::Permanent => quote!(#krate::Class::PERMANENT),
        Verdict::Stopped => {
            let inner = mark.inner.iter().map(|inner| &inner.name);
            return of_field(shape, krate, "class", &quote!(#(#inner)*));
        }
        Verdict::Inherit => {
            let inner = mark.inner.iter().map(|inner| &inner.name);
            return quote_spanned! { mark.word.span()=> #krate::Classify::classify(#(#inner)*) };
        }
    };
    let delivery = mark.delivery.iter();
    let class = quote!(#class #(.#delivery())*);
    match &mark.retry_after {
        Some(Mention { name, .. }) => {
            quote_spanned! { name.span()=> #krate::__private::hinted(#class, #name) }
        }
        None => class,
    }
}
