//! Functions and types.

use super::{flat, flat_row, row};
use crate::syntax::{Attribute, Data, Field, Input, Parameter, Signature};
use crate::target::Function;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{AttrStyle, DeriveInput, Fields, FnArg, ReceiverKind, ReturnType, Visibility};

fn same_attributes(ours: &[Attribute], attributes: &[syn::Attribute]) {
    assert_eq!(ours.len(), attributes.len());
    for (ours, attribute) in ours.iter().zip(attributes) {
        assert_eq!(flat_row(ours.path()), flat(attribute.path()));
        if let Some(name) = attribute.path().get_ident() {
            assert!(ours.is(&name.to_string()), "{}", attribute.to_token_stream());
        }
        let list = attribute.meta.require_list().ok().map(|list| flat(&list.tokens));
        assert_eq!(ours.arguments().map(|tokens| flat_row(&tokens)), list);
    }
}

/// A function, whose body may be anything.
pub(super) fn same_function(
    attributes: &[syn::Attribute],
    visibility: &Visibility,
    signature: &syn::Signature,
) {
    let head = quote!(#visibility #signature);
    let is_inner = |attribute: &syn::Attribute| matches!(attribute.style, AttrStyle::Inner(_));
    let (inner, outer): (Vec<_>, Vec<_>) = attributes.iter().partition(|a| is_inner(a));
    let item = quote!(#(#outer)* #head { #(#inner)* });
    let ours =
        Function::parse(item).unwrap_or_else(|mistake| panic!("{}: {head}", mistake.sentence));
    same_attributes(&ours.attributes, attributes);
    let Function { signature: ours, .. } = ours;
    assert_eq!(flat(&ours.name), flat(&signature.ident));
    assert_eq!(flat(&ours.word), flat(signature.fn_token));
    assert_eq!(ours.is_async, signature.asyncness.is_some());
    assert_eq!(ours.constness.as_ref().map(flat), signature.constness.map(flat));
    same_result(&ours, &signature.output);
    assert_eq!(ours.receiver().is_some(), signature.receiver().is_some());
    assert_eq!(ours.parameters.len(), signature.inputs.len(), "{head}");
    for (ours, input) in ours.parameters.iter().zip(&signature.inputs) {
        same_parameter(ours, input);
    }
    assert_eq!(flat(TokenStream::from(ours.into_tokens())), flat(&head), "{head}");
    parameters_can_be_written_anew(row(&head), signature);
}

fn same_result(ours: &Signature, output: &ReturnType) {
    let ours = ours.returned.as_ref().map(|returned| {
        (format!("{:?}", returned.arrow.start()), flat_row(returned.ty.as_slice()))
    });
    let theirs = match output {
        ReturnType::Default => None,
        ReturnType::Type(arrow, ty) => Some((format!("{:?}", arrow.spans[0].start()), flat(ty))),
    };
    assert_eq!(ours, theirs);
}

fn same_parameter(ours: &Parameter, input: &FnArg) {
    let text = input.to_token_stream();
    match input {
        FnArg::Typed(parameter) => {
            assert!(ours.receiver.is_none(), "{text}");
            same_attributes(&ours.attributes, &parameter.attrs);
            assert_eq!(flat_row(&ours.pattern.written), flat(&parameter.pat), "{text}");
            let ty = ours.ty.as_ref().unwrap();
            assert_eq!(flat_row(ty.as_slice()), flat(&parameter.ty), "{text}");
        }
        FnArg::Receiver(receiver) => {
            same_attributes(&ours.attributes, &receiver.attrs);
            assert!(ours.pattern.bindings.is_empty(), "{text}");
            let found = ours.receiver.as_ref().unwrap();
            let mutability = found.mutability.as_ref().map(flat);
            let (lifetime, is_mutable, ty) = match &receiver.kind {
                ReceiverKind::Reference(_, lifetime, mutability) => {
                    assert!(found.is_borrowed, "{text}");
                    (lifetime.as_ref().map(|l| l.ident.to_string()), mutability.map(flat), None)
                }
                ReceiverKind::Typed(_, ty) => (None, receiver.mutability.map(flat), Some(flat(ty))),
                _ => (None, receiver.mutability.map(flat), None),
            };
            assert_eq!((&found.lifetime, mutability), (&lifetime, is_mutable), "{text}");
            assert_eq!(ours.ty.as_ref().map(|ty| flat_row(ty.as_slice())), ty, "{text}");
        }
    }
}

/// With the `mut` taken from the names, as syn would write it.
fn parameters_can_be_written_anew(head: Vec<proc_macro2::TokenTree>, signature: &syn::Signature) {
    let Ok(mut ours) = Signature::of(head) else { panic!("{}", signature.to_token_stream()) };
    let mut theirs = signature.clone();
    for (ours, input) in ours.parameters.iter_mut().zip(&mut theirs.inputs) {
        if let FnArg::Typed(parameter) = input {
            ours.take("expect");
            ours.take_mut();
            super::parts::without_mut(&mut parameter.pat);
            parameter.attrs.retain(|attribute| !attribute.path().is_ident("expect"));
        }
    }
    let ours = flat(TokenStream::from(ours.into_tokens()));
    assert!(ours.ends_with(&flat(&theirs)), "{}", theirs.to_token_stream());
}

/// A type as a derive gets it.
pub(super) fn same_input(input: &DeriveInput) {
    let ours = Input::read(input.to_token_stream()).unwrap();
    same_attributes(&ours.attributes, &input.attrs);
    assert_eq!(flat(&ours.name), flat(&input.ident));
    same_generics(&ours, input);
    match (&ours.data, &input.data) {
        (Data::Struct(ours), syn::Data::Struct(theirs)) => same_fields(ours, &theirs.fields),
        (Data::Enum(ours), syn::Data::Enum(theirs)) => {
            assert_eq!(ours.len(), theirs.variants.len());
            for (ours, variant) in ours.iter().zip(&theirs.variants) {
                same_attributes(&ours.attributes, &variant.attrs);
                assert_eq!(flat(&ours.name), flat(&variant.ident));
                same_fields(&ours.fields, &variant.fields);
            }
        }
        (Data::Union(word), syn::Data::Union(theirs)) => {
            assert_eq!(flat(word), flat(theirs.union_token));
        }
        _ => panic!("another kind: {}", input.to_token_stream()),
    }
}

fn same_generics(ours: &Input, input: &DeriveInput) {
    let (declared, named, conditions) = input.generics.split_for_impl();
    assert_eq!(flat(TokenStream::from(ours.generics.declared())), flat(declared));
    assert_eq!(flat(TokenStream::from(ours.generics.named())), flat(named));
    assert_eq!(flat(TokenStream::from(ours.generics.conditions(None))), flat(conditions));
    assert_eq!(ours.generics.have_types(), input.generics.type_params().next().is_some());
    let mut generics = input.generics.clone();
    // What is empty is not printed, so that it is not in what was read here.
    generics.where_clause.take_if(|conditions| conditions.predicates.is_empty());
    generics.make_where_clause().predicates.push(syn::parse_quote!(Self: Debug));
    let more = quote!(Self: Debug).into_iter().collect::<Vec<_>>();
    let conditions = ours.generics.conditions(Some(more.into()));
    let text = input.to_token_stream();
    assert_eq!(flat(TokenStream::from(conditions)), flat(generics.where_clause), "{text}");
}

fn same_fields(ours: &[Field], fields: &Fields) {
    assert_eq!(ours.len(), fields.len());
    for (at, (ours, field)) in ours.iter().zip(fields).enumerate() {
        same_attributes(&ours.attributes, &field.attrs);
        assert_eq!(flat_row(ours.ty.as_slice()), flat(&field.ty));
        let member = fields.members().nth(at);
        assert_eq!(flat(ours.member(at)), flat(member));
    }
}
