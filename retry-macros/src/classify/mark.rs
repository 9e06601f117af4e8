//! One `#[classify(...)]`: a class, what refines it, and when it holds.

use crate::diag::{self, Mistake, Mistakes, suggestion};
use crate::parse::{Value, equals};
use crate::syntax::{Field, Row};
use crate::tokens::Tokens;
use crate::words::{Word, Words};
use proc_macro2::{Ident, TokenTree};

pub(super) struct Mark {
    /// The word of the class, where mistakes about it are reported.
    pub(super) word: Ident,
    pub(super) verdict: Verdict,
    pub(super) delivery: Option<Ident>,
    /// A field, and the name it is bound to.
    pub(super) retry_after: Option<Mention>,
    pub(super) when: Option<Tokens>,
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
    pub(super) field: TokenTree,
    pub(super) name: Ident,
}

const CLASSES: &[&str] = &["transient", "throttled", "permanent", "inherit", "stopped"];
const REFINEMENTS: &[&str] = &["not_sent", "refused", "retry_after", "when"];

impl Mark {
    /// Reads what it can, so that all mistakes are told at once; none if there is no class.
    pub(super) fn read(
        mut row: Row<'_>,
        fields: &[Field],
        mistakes: &mut Mistakes,
    ) -> Option<Self> {
        let mut mark = match Self::read_class(&mut row) {
            Ok(mark) => mark,
            Err(mistake) => {
                mistakes.push(mistake);
                return None;
            }
        };
        while !row.is_empty() {
            if row.sign(',').is_none() {
                mistakes.push(diag::COMMA_EXPECTED.at_span(row.span(), &[]));
            }
            if row.is_empty() {
                break;
            }
            if let Err(mistake) = mark.read_refinement(&mut row, fields) {
                mistakes.push(mistake);
                row.skip_to_comma();
            }
        }
        mark.find_inner(fields, mistakes);
        mark.check_refinements(mistakes);
        Some(mark)
    }

    fn read_class(row: &mut Row<'_>) -> Result<Self, Mistake> {
        let Some(word) = row.name() else {
            return Err(diag::CLASS_EXPECTED.at_span(row.span(), &[]));
        };
        Ok(Self {
            verdict: Verdict::of(word)?,
            word: word.clone(),
            delivery: None,
            retry_after: None,
            when: None,
            is_conditional: false,
            inner: None,
        })
    }

    fn read_refinement(&mut self, row: &mut Row<'_>, fields: &[Field]) -> Result<(), Mistake> {
        let Some(word) = row.name() else {
            let known = suggestion("", REFINEMENTS);
            return Err(diag::UNKNOWN_REFINEMENT.at_span(row.span(), &["", &known]));
        };
        let name = word.to_string();
        let twice = || diag::ARGUMENT_TWICE.at(word, &[&name]);
        match name.as_str() {
            "not_sent" | "refused" if self.delivery.is_some() => {
                return Err(diag::DELIVERED_TWICE.at(word, &[]));
            }
            "not_sent" | "refused" => self.delivery = Some(word.clone()),
            "retry_after" if self.retry_after.is_some() => return Err(twice()),
            "retry_after" => {
                equals(row, word, "retry_after = wait")?;
                self.retry_after = Some(Mention::read(row, fields)?);
            }
            "when" if self.when.is_some() => return Err(twice()),
            "when" => {
                self.is_conditional = true;
                equals(row, word, "when = *code >= 500")?;
                let condition = Value::read(row).map(|value| value.tokens);
                self.when = Some(condition.ok_or_else(|| {
                    diag::VALUE_UNREADABLE.at(word, &["when", "when = *code >= 500"])
                })?);
            }
            other => {
                let known = suggestion(other, REFINEMENTS);
                return Err(diag::UNKNOWN_REFINEMENT.at(word, &[other, &known]));
            }
        }
        Ok(())
    }

    /// The field that `inherit` and `stopped` ask.
    fn find_inner(&mut self, fields: &[Field], mistakes: &mut Mistakes) {
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
    pub(super) fn mentions(&self, fields: &[Field]) -> Vec<Mention> {
        let mut mentions: Vec<Mention> = Vec::new();
        let mut add = |field: &TokenTree, name: &Ident| {
            if !mentions.iter().any(|known| known.name == *name) {
                mentions.push(Mention { field: field.clone(), name: name.clone() });
            }
        };
        for mention in self.retry_after.iter().chain(&self.inner) {
            add(&mention.field, &mention.name);
        }
        if let Some(when) = &self.when {
            let words = Words::of(when);
            for word in words.as_slice() {
                let Word::Name(name, _) = word else { continue };
                if let Some(field) = field_of(name, fields) {
                    add(&field, name);
                }
            }
        }
        mentions
    }
}

impl Verdict {
    fn of(word: &Ident) -> Result<Self, Mistake> {
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

impl Mention {
    /// A field by its name, or by its number in a tuple: `0` or `_0`.
    fn read(row: &mut Row<'_>, fields: &[Field]) -> Result<Self, Mistake> {
        let start = row.span();
        let number = row.literal();
        let written = match &number {
            Some(number) => number.to_string(),
            None => row.rest().first().map(ToString::to_string).unwrap_or_default(),
        };
        let name = match &number {
            Some(number) if written.bytes().all(|digit| digit.is_ascii_digit()) => {
                Some(Ident::new(&format!("_{written}"), number.span()))
            }
            Some(_) => None,
            None => row.name().cloned(),
        };
        let Some(name) = name else {
            let words = ["retry_after", "retry_after = wait"];
            return Err(diag::VALUE_UNREADABLE.at_span(start, &words));
        };
        match field_of(&name, fields) {
            Some(field) => Ok(Self { field, name }),
            None => Err(diag::UNKNOWN_FIELD.at(&name, &[&written])),
        }
    }
}

/// The field that a name in an expression stands for: its own name, or `_0`, `_1`, ... in a tuple.
fn field_of(name: &Ident, fields: &[Field]) -> Option<TokenTree> {
    let at = fields.iter().enumerate().position(|(at, field)| match &field.name {
        Some(field) => field == name,
        None => *name == format!("_{at}"),
    })?;
    fields.get(at).map(|field| field.member(at))
}

fn only_field(fields: &[Field]) -> Option<TokenTree> {
    match fields {
        [only] => Some(only.member(0)),
        _ => None,
    }
}

/// The field that thiserror takes for the source.
fn source_field(fields: &[Field]) -> Option<TokenTree> {
    let is_source = |field: &Field| {
        let is_marked = field.attributes.iter().any(|a| a.is("source") || a.is("from"));
        is_marked || field.name.as_ref().is_some_and(|name| name == "source")
    };
    let at = fields.iter().position(is_source)?;
    fields.get(at).map(|field| field.member(at))
}
