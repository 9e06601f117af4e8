//! The derive `Classify` from tokens to tokens.

mod expand;
mod mark;

use crate::diag::{self, Mistake, Mistakes};
use crate::syntax::{Attribute, Data, Field, Input, Row, Variant, module};
use crate::tokens::{Tokens, tokens};
use mark::{Mark, Verdict};
use proc_macro2::{Ident, TokenStream, TokenTree};

/// Gives the impls; or every mistake, and impls that keep the rest of the program free of errors
/// about missing ones.
pub(crate) fn entry(item: TokenStream) -> TokenStream {
    // An editor may hand over half a type, and says itself what is missing.
    let Some(input) = Input::read(item) else { return TokenStream::new() };
    let mut mistakes = Mistakes::default();
    let krate = krate(&input.attributes, &mut mistakes);
    let shapes = shapes(&input, &mut mistakes);
    check_stopped_once(&shapes, &mut mistakes);
    check_marks_in_place(&input, &mut mistakes);
    if mistakes.is_empty() {
        expand::impls(&input, &krate, &shapes).into()
    } else {
        let stand_in = expand::stand_in(&input, &krate, &shapes);
        mistakes.beside(stand_in.into())
    }
}

/// A variant, or the struct itself.
struct Shape<'i> {
    /// None for a struct.
    variant: Option<&'i Ident>,
    fields: &'i [Field],
    marks: Vec<Mark>,
    /// Some mark is `stopped`, or was meant to be.
    is_stopped: bool,
}

fn shapes<'i>(input: &'i Input, mistakes: &mut Mistakes) -> Vec<Shape<'i>> {
    let mut shapes = Vec::new();
    match &input.data {
        Data::Struct(fields) => {
            shapes.push(Shape::read(None, &input.name, &input.attributes, fields, mistakes));
        }
        Data::Enum(variants) => {
            for Variant { attributes, name, fields } in variants {
                shapes.push(Shape::read(Some(name), name, attributes, fields, mistakes));
            }
        }
        Data::Union(word) => mistakes.push(diag::CLASSIFY_UNION.at(word, &[])),
    }
    shapes
}

impl<'i> Shape<'i> {
    fn read(
        variant: Option<&'i Ident>,
        name: &Ident,
        attributes: &[Attribute],
        fields: &'i [Field],
        mistakes: &mut Mistakes,
    ) -> Self {
        let mut marks = Vec::new();
        let (mut attempted, mut is_stopped) = (false, false);
        for attribute in attributes {
            if !attribute.is("classify") || is_crate(attribute) {
                continue;
            }
            attempted = true;
            is_stopped |= attribute.mentions("stopped");
            match attribute.arguments() {
                Some(tokens) => {
                    if let Some(mark) = Mark::read(Row::of(&tokens), fields, mistakes) {
                        marks.push(mark);
                    }
                }
                None => mistakes.push(diag::CLASS_EXPECTED.at_all(attribute.path(), &[])),
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
        let mut is_reached = true;
        for mark in &self.marks {
            if !is_reached {
                mistakes.push(diag::CLASS_UNREACHABLE.at(&mark.word, &[]));
            }
            is_reached &= mark.is_conditional;
        }
    }

    fn check_stopped_alone(&self, mistakes: &mut Mistakes) {
        let conditional = self.marks.len() > 1;
        for mark in &self.marks {
            if mark.verdict != Verdict::Stopped {
                continue;
            }
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
    let mut is_second = false;
    for shape in shapes {
        let Some(mark) = shape.stopped() else { continue };
        if is_second {
            mistakes.push(diag::STOPPED_TWICE.at(&mark.word, &[]));
        }
        is_second = true;
    }
}

/// A mark on an enum or on a field would be ignored, silently.
fn check_marks_in_place(input: &Input, mistakes: &mut Mistakes) {
    match &input.data {
        Data::Struct(fields) => check_no_marks_on(fields, mistakes),
        Data::Enum(variants) => {
            check_no_marks(&input.attributes, mistakes);
            for variant in variants {
                check_no_marks_on(&variant.fields, mistakes);
            }
        }
        Data::Union(_) => {}
    }
}

fn check_no_marks_on(fields: &[Field], mistakes: &mut Mistakes) {
    for field in fields {
        check_no_marks(&field.attributes, mistakes);
    }
}

fn check_no_marks(attributes: &[Attribute], mistakes: &mut Mistakes) {
    for attribute in attributes {
        if attribute.is("classify") && !is_crate(attribute) {
            mistakes.push(diag::CLASS_MISPLACED.at_all(attribute.path(), &[]));
        }
    }
}

fn is_crate(attribute: &Attribute) -> bool {
    attribute.arguments().is_some_and(|tokens| Row::of(&tokens).is_at_word("crate"))
}

/// `#[classify(crate = path)]` on the type, for renamed or re-exported crates.
fn krate(attributes: &[Attribute], mistakes: &mut Mistakes) -> Tokens {
    for attribute in attributes {
        let tokens = if attribute.is("classify") { attribute.arguments() } else { None };
        match tokens.and_then(|tokens| path_to_crate(&tokens)) {
            Some(Ok(path)) => return path,
            Some(Err(mistake)) => mistakes.push(mistake),
            None => {}
        }
    }
    tokens! { ::retry_runtime }
}

/// None if it is about something else.
fn path_to_crate(tokens: &[TokenTree]) -> Option<Result<Tokens, Mistake>> {
    const EXAMPLE: &str = "crate = path::to::retry_runtime";
    let mut row = Row::of(tokens);
    let word = row.word("crate")?;
    if row.sign('=').is_none() || row.is_empty() {
        return Some(Err(diag::VALUE_MISSING.at(word, &["crate", EXAMPLE])));
    }
    let path = module(&mut row).filter(|_| row.is_empty());
    Some(path.ok_or_else(|| diag::VALUE_UNREADABLE.at(word, &["crate", EXAMPLE])))
}
