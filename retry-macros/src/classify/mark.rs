//! One `#[classify(...)]`: a class, what refines it, and when it holds.

use crate::diag::{self, Mistakes, suggestion};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Fields, Ident, Index, Member, Token};

pub(super) struct Mark {
    /// The word of the class, where mistakes about it are reported.
    pub(super) word: Ident,
    pub(super) verdict: Verdict,
    pub(super) delivery: Option<Ident>,
    /// A field, and the name it is bound to.
    pub(super) retry_after: Option<Mention>,
    pub(super) when: Option<Expr>,
    /// A condition is there, be it one that cannot be read.
    pub(super) is_conditional: bool,
    /// The field that the class is inherited from, or that holds the stop.
    pub(super) inner: Option<Mention>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Transient,
    Throttled,
    Permanent,
    Inherit,
    Stopped,
}

/// A field and the name by which an expression mentions it.
pub(super) struct Mention {
    pub(super) field: Member,
    pub(super) name: Ident,
}

const CLASSES: &[&str] = &["transient", "throttled", "permanent", "inherit", "stopped"];
const REFINEMENTS: &[&str] = &["not_sent", "refused", "retry_after", "when"];

impl Mark {
    /// Reads what it can, so that all mistakes are told at once; none if there is no class.
    pub(super) fn parse(
        input: ParseStream<'_>,
        fields: &Fields,
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let mark = Self::parse_class(input).map_err(|error| mistakes.push(error));
        let Ok(mut mark) = mark else {
            skip(input, |_| false);
            return None;
        };
        while !input.is_empty() {
            let comma: syn::Result<Token![,]> = input.parse();
            if comma.is_err() {
                mistakes.push(diag::COMMA_EXPECTED.at_span(input.span(), &[]));
            }
            if input.is_empty() {
                break;
            }
            if let Err(error) = mark.parse_refinement(input, fields) {
                mistakes.push(error);
                skip(input, |input| input.peek(Token![,]));
            }
        }
        mark.find_inner(fields, mistakes);
        mark.check_refinements(mistakes);
        Some(mark)
    }

    fn parse_class(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Ident::peek_any) {
            return Err(diag::CLASS_EXPECTED.at_span(input.span(), &[]));
        }
        let word = Ident::parse_any(input)?;
        let verdict = Verdict::of(&word)?;
        Ok(Self {
            word,
            verdict,
            delivery: None,
            retry_after: None,
            when: None,
            is_conditional: false,
            inner: None,
        })
    }

    fn parse_refinement(&mut self, input: ParseStream<'_>, fields: &Fields) -> syn::Result<()> {
        if !input.peek(Ident::peek_any) {
            let known = suggestion("", REFINEMENTS);
            return Err(diag::UNKNOWN_REFINEMENT.at_span(input.span(), &["", &known]));
        }
        let word = Ident::parse_any(input)?;
        let name = word.to_string();
        let twice = || diag::ARGUMENT_TWICE.at(&word, &[&name]);
        match name.as_str() {
            "not_sent" | "refused" if self.delivery.is_some() => {
                return Err(diag::DELIVERED_TWICE.at(&word, &[]));
            }
            "not_sent" | "refused" => self.delivery = Some(word),
            "retry_after" if self.retry_after.is_some() => return Err(twice()),
            "retry_after" => {
                equals(input, &word, "retry_after = wait")?;
                self.retry_after = Some(Mention::parse(input, fields)?);
            }
            "when" if self.when.is_some() => return Err(twice()),
            "when" => {
                self.is_conditional = true;
                equals(input, &word, "when = *code >= 500")?;
                let unreadable =
                    |_| diag::VALUE_UNREADABLE.at(&word, &["when", "when = *code >= 500"]);
                self.when = Some(input.parse().map_err(unreadable)?);
            }
            other => {
                let known = suggestion(other, REFINEMENTS);
                return Err(diag::UNKNOWN_REFINEMENT.at(&word, &[other, &known]));
            }
        }
        Ok(())
    }

    /// The field that `inherit` and `stopped` ask.
    fn find_inner(&mut self, fields: &Fields, mistakes: &mut Mistakes) {
        let found = match self.verdict {
            Verdict::Stopped => only_field(fields),
            Verdict::Inherit => source_field(fields).or_else(|| only_field(fields)),
            _ => return,
        };
        if found.is_none() && self.verdict == Verdict::Inherit {
            mistakes.push(diag::INHERIT_FIELD.at(&self.word, &[]));
        }
        // Where the field has no class that is reported at the word.
        let name = Ident::new("__inner", self.word.span());
        self.inner = found.map(|field| Mention { field, name });
    }

    fn check_refinements(&self, mistakes: &mut Mistakes) {
        let refined = self.delivery.is_some() || self.retry_after.is_some();
        match self.verdict {
            Verdict::Inherit if refined => mistakes.push(diag::INHERIT_REFINED.at(&self.word, &[])),
            Verdict::Stopped if refined || self.when.is_some() => {
                mistakes.push(diag::STOPPED_ALONE.at(&self.word, &[]));
            }
            _ => {}
        }
    }

    /// The fields that the mark mentions, each once.
    pub(super) fn mentions(&self, fields: &Fields) -> Vec<Mention> {
        let mut mentions: Vec<Mention> = Vec::new();
        let mut add = |field: &Member, name: &Ident| {
            if !mentions.iter().any(|known| known.name == *name) {
                mentions.push(Mention { field: field.clone(), name: name.clone() });
            }
        };
        for mention in self.retry_after.iter().chain(&self.inner) {
            add(&mention.field, &mention.name);
        }
        if let Some(when) = &self.when {
            for name in identifiers(when.to_token_stream()) {
                if let Some(field) = field_of(&name, fields) {
                    add(&field, &name);
                }
            }
        }
        mentions
    }
}

impl Verdict {
    fn of(word: &Ident) -> syn::Result<Self> {
        Ok(match word.to_string().as_str() {
            "transient" => Self::Transient,
            "throttled" => Self::Throttled,
            "permanent" => Self::Permanent,
            "inherit" => Self::Inherit,
            "stopped" => Self::Stopped,
            other => {
                return Err(diag::UNKNOWN_CLASS.at(word, &[other, &suggestion(other, CLASSES)]));
            }
        })
    }
}

/// `=` and something behind it.
fn equals(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<()> {
    let sign: syn::Result<Token![=]> = input.parse();
    if sign.is_err() || input.is_empty() || input.peek(Token![,]) {
        return Err(diag::VALUE_MISSING.at(word, &[&word.to_string(), example]));
    }
    Ok(())
}

/// Goes on until then, or to the end.
fn skip(input: ParseStream<'_>, until: impl Fn(ParseStream<'_>) -> bool) {
    while !input.is_empty() && !until(input) {
        let _skipped: syn::Result<TokenTree> = input.parse();
    }
}

impl Mention {
    /// A field by its name, or by its number in a tuple: `0` or `_0`.
    fn parse(input: ParseStream<'_>, fields: &Fields) -> syn::Result<Self> {
        let start = input.span();
        let unreadable =
            |_| diag::VALUE_UNREADABLE.at_span(start, &["retry_after", "retry_after = wait"]);
        let member: Member = input.parse().map_err(unreadable)?;
        let name = match &member {
            Member::Named(name) => name.clone(),
            Member::Unnamed(Index { index, span }) => Ident::new(&format!("_{index}"), *span),
        };
        let Some(field) = field_of(&name, fields) else {
            let written = member.to_token_stream().to_string();
            return Err(diag::UNKNOWN_FIELD.at(&name, &[&written]));
        };
        Ok(Self { field, name })
    }
}

/// The field that a name in an expression stands for: its own name, or `_0`, `_1`, ... in a tuple.
fn field_of(name: &Ident, fields: &Fields) -> Option<Member> {
    fields.members().find(|member| match member {
        Member::Named(field) => field == name,
        Member::Unnamed(index) => name == &format!("_{}", index.index),
    })
}

fn only_field(fields: &Fields) -> Option<Member> {
    if fields.len() == 1 { fields.members().next() } else { None }
}

/// The field that thiserror takes for the source.
fn source_field(fields: &Fields) -> Option<Member> {
    let marked = fields.iter().position(|field| {
        let is_marked =
            field.attrs.iter().any(|a| a.path().is_ident("source") || a.path().is_ident("from"));
        is_marked || field.ident.as_ref().is_some_and(|name| name == "source")
    });
    marked.and_then(|at| fields.members().nth(at))
}

fn identifiers(tokens: TokenStream) -> Vec<Ident> {
    let mut names = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name),
            TokenTree::Group(group) => names.append(&mut identifiers(group.stream())),
            _ => {}
        }
    }
    names
}
