//! An expression: where it ends, and how it holds together.
//!
//! It is the compiler that reads it. Here it is followed from operand to operand, so that a comma in
//! `|a, b| f(a)` or in `g::<A, B>()` does not end it, and so that what visibly is none, such as `5 +`,
//! is refused at its place in the attribute. What stands in groups is not looked at.

use super::Row;
use proc_macro2::{Delimiter, Spacing, TokenTree};

/// How an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A path alone.
    Path,
    /// It needs parentheses to be an operand: operators, `as`, ranges, closures.
    Compound,
    Other,
}

impl Kind {
    /// Reads one expression. None if it is none; the row then stands where that shows.
    pub(crate) fn read(row: &mut Row<'_>) -> Option<Self> {
        let mut is_compound = false;
        loop {
            let start = *row;
            if range(row) {
                is_compound = true;
                if is_end(*row) {
                    return Some(Self::Compound);
                }
                continue;
            }
            prefixes(row);
            let is_first = row.since(start).is_empty();
            let word = word(*row);
            if is_closure(*row, &word) {
                closure(row)?;
                return Some(if is_compound || is_first { Self::Compound } else { Self::Other });
            }
            let mut is_path = operand(row, &word)? && is_first;
            let behind = *row;
            is_compound |= suffixes(row)?;
            is_path &= row.since(behind).is_empty();
            if range(row) {
                is_compound = true;
                if is_end(*row) {
                    return Some(Self::Compound);
                }
            } else if operator(row) {
                is_compound = true;
            } else {
                return Some(match (is_compound, is_path) {
                    (true, _) => Self::Compound,
                    (_, true) => Self::Path,
                    _ => Self::Other,
                });
            }
        }
    }
}

fn is_end(row: Row<'_>) -> bool {
    row.is_empty() || row.is_at(',')
}

/// The text of the name that stands here.
fn word(row: Row<'_>) -> String {
    match row.rest() {
        [TokenTree::Ident(name), ..] => name.to_string(),
        _ => String::new(),
    }
}

/// `..` and `..=`.
fn range(row: &mut Row<'_>) -> bool {
    let is_range = row.signs(['.', '.']);
    if is_range {
        row.sign('=');
    }
    is_range
}

/// `-`, `!`, `*`, `&` and `&mut`.
fn prefixes(row: &mut Row<'_>) {
    while let [TokenTree::Punct(sign), ..] = row.rest() {
        match sign.as_char() {
            '-' | '!' | '*' => drop(row.next()),
            '&' => {
                row.next();
                row.word("mut");
            }
            _ => break,
        }
    }
}

fn is_closure(mut row: Row<'_>, word: &str) -> bool {
    const WORDS: &[&str] = &["move", "async", "static", "const"];
    if word == "for" {
        row.next();
        row.angles();
    } else if !word.is_empty() && !WORDS.contains(&word) {
        return false;
    }
    while row.is_at_name() && WORDS.contains(&self::word(row).as_str()) {
        row.next();
    }
    row.is_at('|')
}

/// `|PARAMETERS| EXPRESSION` or `|PARAMETERS| -> TYPE { ... }`.
fn closure(row: &mut Row<'_>) -> Option<()> {
    row.until(&['|']);
    row.sign('|')?;
    row.until(&['|']);
    row.sign('|')?;
    if row.signs(['-', '>']) {
        row.before(&is_braces);
        return row.group(Delimiter::Brace).map(drop);
    }
    Kind::read(row).map(drop)
}

/// Something to apply an operator to. Whether it is a path.
fn operand(row: &mut Row<'_>, word: &str) -> Option<bool> {
    match row.rest().first()? {
        TokenTree::Literal(_) => drop(row.next()),
        TokenTree::Group(_) => {
            row.next();
            segments(row)?;
        }
        TokenTree::Punct(sign) if sign.as_char() == '\'' => {
            row.lifetime()?;
            row.sign(':')?;
            block(row)?;
        }
        TokenTree::Punct(_) => return path(row),
        TokenTree::Ident(_) => return operand_of_word(row, word),
    }
    Some(false)
}

/// The same where it begins with a word.
fn operand_of_word(row: &mut Row<'_>, word: &str) -> Option<bool> {
    match word {
        "if" => {
            block(row)?;
            while row.word("else").is_some() {
                block(row)?;
            }
        }
        "for" => {
            row.before(&|token| matches!(token, TokenTree::Ident(word) if word == "in"));
            block(row)?;
        }
        "match" | "while" | "loop" | "unsafe" | "async" | "const" => block(row)?,
        "true" | "false" | "_" => drop(row.next()),
        "return" | "break" | "continue" => {
            row.next();
            row.lifetime();
            if !is_end(*row) {
                Kind::read(row)?;
            }
        }
        _ if STATEMENTS.contains(&word) => return None,
        _ => {
            path(row)?;
            // A macro, or a struct.
            let is_macro = row.is_at('!') && !row.is_at_both(['!', '=']);
            if is_macro {
                row.next();
                return matches!(row.next()?, TokenTree::Group(_)).then_some(false);
            }
            return Some(row.group(Delimiter::Brace).is_none());
        }
    }
    Some(false)
}

/// Words that no operand begins with.
const STATEMENTS: &[&str] = &[
    "as", "await", "dyn", "else", "enum", "extern", "fn", "impl", "in", "let", "mod", "mut", "pub",
    "ref", "static", "struct", "trait", "type", "use", "where",
];

/// All up to braces, and these.
fn block(row: &mut Row<'_>) -> Option<()> {
    while !row.is_at_group(Delimiter::Brace) {
        if row.signs([':', ':']) {
            row.angles();
        } else if row.word("let").is_some() {
            // A pattern may have braces of its own.
            row.until(&['=']);
        } else if is_end(*row) {
            return None;
        } else {
            row.next();
        }
    }
    row.group(Delimiter::Brace).map(drop)
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn path(row: &mut Row<'_>) -> Option<bool> {
    if row.angles().is_some() {
        row.is_at_both([':', ':']).then_some(())?;
    } else {
        row.signs([':', ':']);
        row.name()?;
    }
    segments(row)?;
    Some(true)
}

/// `::NAME` and `::<...>`.
fn segments(row: &mut Row<'_>) -> Option<()> {
    while row.signs([':', ':']) {
        if row.angles().is_none() {
            row.name()?;
        }
    }
    Some(())
}

/// Fields, calls and the like, behind an operand. Whether `as` is among them.
fn suffixes(row: &mut Row<'_>) -> Option<bool> {
    let mut is_cast = false;
    loop {
        match row.rest().first() {
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Brace => {
                row.next();
            }
            Some(TokenTree::Punct(sign)) if sign.as_char() == '?' => drop(row.next()),
            Some(TokenTree::Punct(sign)) if sign.as_char() == '.' => {
                if row.is_at_both(['.', '.']) {
                    break;
                }
                row.next();
                if row.name().is_none() {
                    row.literal()?;
                }
                segments(row)?;
            }
            Some(TokenTree::Ident(word)) if word == "as" => {
                row.next();
                ty(row)?;
                is_cast = true;
            }
            _ => break,
        }
    }
    Some(is_cast)
}

/// The type behind `as`.
fn ty(row: &mut Row<'_>) -> Option<()> {
    while row.sign('&').is_some() || row.sign('*').is_some() {
        row.lifetime();
        if row.word("mut").is_none() {
            row.word("const");
        }
    }
    row.word("dyn");
    match row.rest().first()? {
        TokenTree::Group(_) => drop(row.next()),
        _ => drop(row.path()?),
    }
    Some(())
}

/// An operator between two operands.
fn operator(row: &mut Row<'_>) -> bool {
    let length = match joined(*row) {
        ['<', '<', '='] | ['>', '>', '='] => 3,
        ['<', '<', _] | ['>', '>', _] | ['&', '&', _] | ['|', '|', _] | ['=', '=', _] => 2,
        ['+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>' | '!', '=', _] => 2,
        ['-' | '=', '>', _] => 0,
        ['+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>' | '=', ..] => 1,
        _ => 0,
    };
    for _ in 0..length {
        row.next();
    }
    length > 0
}

/// The signs that stand here without a gap.
fn joined(row: Row<'_>) -> [char; 3] {
    let mut signs = [' '; 3];
    for (place, token) in signs.iter_mut().zip(row.rest()) {
        let TokenTree::Punct(sign) = token else { break };
        *place = sign.as_char();
        if sign.spacing() == Spacing::Alone {
            break;
        }
    }
    signs
}
