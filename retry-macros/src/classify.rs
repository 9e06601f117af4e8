//! The derive `Classify` from tokens to tokens.

mod expand;
mod mark;

use crate::diag::{self, Mistakes};
use crate::list::items;
use mark::{Mark, Verdict};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Path, Token, parse_quote};

/// Gives the impls; or every mistake, and impls that keep the rest of the program free of errors
/// about missing ones.
pub(crate) fn entry(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut mistakes = Mistakes::default();
    let krate = krate(&input.attrs, &mut mistakes);
    let shapes = shapes(&input, &mut mistakes);
    check_stopped_once(&shapes, &mut mistakes);
    check_marks_in_place(&input, &mut mistakes);
    if mistakes.is_empty() {
        expand::impls(&input, &krate, &shapes)
    } else {
        let stand_in = expand::stand_in(&input, &krate, &shapes);
        mistakes.and(stand_in)
    }
}

/// A variant, or the struct itself.
struct Shape<'i> {
    /// None for a struct.
    variant: Option<&'i Ident>,
    fields: &'i Fields,
    marks: Vec<Mark>,
    /// Some mark is `stopped`, or was meant to be.
    is_stopped: bool,
}

fn shapes<'i>(input: &'i DeriveInput, mistakes: &mut Mistakes) -> Vec<Shape<'i>> {
    match &input.data {
        Data::Struct(data) => {
            vec![Shape::read(None, &input.ident, &input.attrs, &data.fields, mistakes)]
        }
        Data::Enum(data) => items(&data.variants)
            .map(|v| Shape::read(Some(&v.ident), &v.ident, &v.attrs, &v.fields, mistakes))
            .collect(),
        Data::Union(data) => {
            mistakes.push(diag::CLASSIFY_UNION.at(data.union_token, &[]));
            Vec::new()
        }
    }
}

impl<'i> Shape<'i> {
    fn read(
        variant: Option<&'i Ident>,
        name: &Ident,
        attributes: &[Attribute],
        fields: &'i Fields,
        mistakes: &mut Mistakes,
    ) -> Self {
        let mut marks = Vec::new();
        let (mut attempted, mut is_stopped) = (false, false);
        for attribute in attributes.iter().filter(|a| a.path().is_ident("classify")) {
            if is_crate(attribute) {
                continue;
            }
            attempted = true;
            is_stopped |= attribute.to_token_stream().to_string().contains("stopped");
            let Ok(list) = attribute.meta.require_list() else {
                mistakes.push(diag::CLASS_EXPECTED.at(attribute.path(), &[]));
                continue;
            };
            let parse = |input: ParseStream<'_>| Ok(Mark::parse(input, fields, mistakes));
            match parse.parse2(list.tokens.clone()) {
                Ok(Some(mark)) => marks.push(mark),
                Ok(None) => {}
                Err(error) => mistakes.push(error),
            }
        }
        if !attempted {
            mistakes.push(diag::CLASS_MISSING.at(name, &[&name.to_string()]));
        }
        let shape = Self { variant, fields, marks, is_stopped };
        shape.check_reachable(mistakes);
        shape.check_stopped_alone(mistakes);
        shape
    }

    /// The marks are tried in order, so nothing may follow one that holds always.
    fn check_reachable(&self, mistakes: &mut Mistakes) {
        let always = self.marks.iter().position(|mark| !mark.is_conditional);
        for mark in self.marks.iter().skip(always.map_or(self.marks.len(), |at| at + 1)) {
            mistakes.push(diag::CLASS_UNREACHABLE.at(&mark.word, &[]));
        }
    }

    fn check_stopped_alone(&self, mistakes: &mut Mistakes) {
        let conditional = self.marks.len() > 1;
        for mark in self.marks.iter().filter(|mark| mark.verdict == Verdict::Stopped) {
            if self.fields.len() != 1 {
                mistakes.push(diag::STOPPED_FIELD.at(&mark.word, &[]));
            } else if conditional && !mark.is_conditional {
                mistakes.push(diag::STOPPED_ALONE.at(&mark.word, &[]));
            }
        }
    }

    fn stopped(&self) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.verdict == Verdict::Stopped)
    }
}

fn check_stopped_once(shapes: &[Shape<'_>], mistakes: &mut Mistakes) {
    for second in shapes.iter().filter_map(Shape::stopped).skip(1) {
        mistakes.push(diag::STOPPED_TWICE.at(&second.word, &[]));
    }
}

/// A mark on an enum or on a field would be ignored, silently.
fn check_marks_in_place(input: &DeriveInput, mistakes: &mut Mistakes) {
    match &input.data {
        Data::Struct(data) => check_no_marks_on(&data.fields, mistakes),
        Data::Enum(data) => {
            check_no_marks(&input.attrs, mistakes);
            items(&data.variants).for_each(|variant| check_no_marks_on(&variant.fields, mistakes));
        }
        Data::Union(_) => {}
    }
}

fn check_no_marks_on(fields: &Fields, mistakes: &mut Mistakes) {
    for field in fields {
        check_no_marks(&field.attrs, mistakes);
    }
}

fn check_no_marks(attributes: &[Attribute], mistakes: &mut Mistakes) {
    for attribute in attributes {
        if attribute.path().is_ident("classify") && !is_crate(attribute) {
            mistakes.push(diag::CLASS_MISPLACED.at(attribute.path(), &[]));
        }
    }
}

fn is_crate(attribute: &Attribute) -> bool {
    attribute
        .parse_args_with(|input: ParseStream<'_>| {
            input.parse::<Token![crate]>()?;
            input.parse::<TokenStream>()
        })
        .is_ok()
}

/// `#[classify(crate = path)]` on the type, for renamed or re-exported crates.
fn krate(attributes: &[Attribute], mistakes: &mut Mistakes) -> Path {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("classify") && is_crate(a)) {
        let path = attribute.parse_args_with(|input: ParseStream<'_>| {
            let word = input.parse::<Token![crate]>()?;
            let unreadable =
                |_| diag::VALUE_UNREADABLE.at(word, &["crate", "crate = path::to::retry_runtime"]);
            input.parse::<Token![=]>()?;
            input.parse::<Path>().map_err(unreadable)
        });
        match path {
            Ok(path) => return path,
            Err(error) => mistakes.push(error),
        }
    }
    parse_quote!(::retry_runtime)
}
