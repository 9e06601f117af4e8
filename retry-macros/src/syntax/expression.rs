//! An expression: where it ends, and how it holds together.
//!
//! It is the compiler that reads it. Here it is followed from operand to operand, so that a comma in
//! `|a, b| f(a)` or in `g::<A, B>()` does not end it, and so that what visibly is none, such as `5 +`,
//! is refused at its place in the attribute: the compiler would tell of it twice. What stands in braces,
//! and in the parentheses of a macro, is not looked at.

use super::{Attribute, Path, Row, row_of};
use proc_macro2::{Delimiter, Group, Spacing, TokenTree};

/// How an expression holds together.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(crate) enum Kind {
    /// A path alone.
    Path,
    /// It needs parentheses to be an operand: operators, `as`, ranges, closures.
    Compound,
    Other,
}

/// Whether braces behind a path are a struct. In a condition they are the block behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    Struct,
    Block,
}

impl Kind {
    /// Reads one expression. None if it is none; the row then stands where that shows.
    pub(crate) fn read(row: &mut Row<'_>) -> Option<Self> {
        Self::read_before(row, Braces::Struct)
    }

    /// Operand and operator in turn.
    fn read_before(row: &mut Row<'_>, braces: Braces) -> Option<Self> {
        let mut is_compound = false;
        loop {
            let start = *row;
            prefixes(row);
            let is_first = row.since(start).is_empty();
            let word = word(*row);
            let (mut is_path, mut is_function) = (false, false);
            if row.is_at_both(['.', '.']) {
                range(row, braces)?;
                // It took all that follows.
                return Some(if is_compound || is_first { Self::Compound } else { Self::Other });
            }
            if is_closure(*row, &word) {
                closure(row, braces)?;
                is_function = is_first;
            } else {
                is_path = operand(row, &word, braces)? && is_first;
            }
            let behind = *row;
            is_compound |= suffixes(row)?;
            let is_alone = row.since(behind).is_empty();
            is_path &= is_alone;
            is_compound |= is_function && is_alone;
            if row.is_at_both(['.', '.']) {
                range(row, braces)?;
                return Some(Self::Compound);
            }
            if !operator(row) {
                return Some(match (is_compound, is_path) {
                    (true, _) => Self::Compound,
                    (_, true) => Self::Path,
                    _ => Self::Other,
                });
            }
            is_compound = true;
        }
    }
}

fn is_end(row: Row<'_>, braces: Braces) -> bool {
    let is_block = braces == Braces::Block && row.is_at_group(Delimiter::Brace);
    row.is_empty() || row.is_at(',') || is_block
}

/// The text of the name that stands here.
fn word(row: Row<'_>) -> String {
    match row.rest() {
        [TokenTree::Ident(name), ..] => name.to_string(),
        _ => String::new(),
    }
}

/// `..` or `..=`, and its end.
fn range(row: &mut Row<'_>, braces: Braces) -> Option<()> {
    row.signs(['.', '.']);
    if row.sign('=').is_none() && is_end(*row, braces) {
        return Some(());
    }
    Kind::read_before(row, braces).map(drop)
}

/// `-`, `!`, `*`, `&`, `&mut`, `&raw const` and `&raw mut`.
fn prefixes(row: &mut Row<'_>) {
    while let [TokenTree::Punct(sign), ..] = row.rest() {
        match sign.as_char() {
            '-' | '!' | '*' => drop(row.next()),
            '&' => {
                row.next();
                if row.word("mut").is_none() {
                    raw(row);
                }
            }
            _ => break,
        }
    }
}

/// `raw const` or `raw mut`; `raw` alone is a name.
fn raw(row: &mut Row<'_>) {
    let mut behind = *row;
    if behind.word("raw").is_some()
        && (behind.word("const").or_else(|| behind.word("mut"))).is_some()
    {
        *row = behind;
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
fn closure(row: &mut Row<'_>, braces: Braces) -> Option<()> {
    row.until(&['|']);
    row.sign('|')?;
    row.until(&['|']);
    row.sign('|')?;
    if row.signs(['-', '>']) {
        row.before(&|token| {
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
        });
        return block(row);
    }
    Kind::read_before(row, braces).map(drop)
}

/// Something to apply an operator to. Whether it is a path.
fn operand(row: &mut Row<'_>, word: &str, braces: Braces) -> Option<bool> {
    match row.rest().first()? {
        TokenTree::Literal(_) => drop(row.next()),
        TokenTree::Group(group) => {
            list(group)?;
            row.next();
            segments(row)?;
        }
        TokenTree::Punct(sign) if sign.as_char() == '\'' => {
            row.lifetime()?;
            row.sign(':')?;
            let word = self::word(*row);
            return match word.as_str() {
                "loop" | "while" | "for" => operand_of_word(row, &word, braces),
                _ => block(row).map(|()| false),
            };
        }
        TokenTree::Punct(_) => return named(row, braces),
        TokenTree::Ident(_) => return operand_of_word(row, word, braces),
    }
    Some(false)
}

/// The expressions in parentheses or brackets.
fn list(group: &Group) -> Option<()> {
    if !matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::Bracket) {
        return Some(());
    }
    let inside = row_of(group.stream());
    let mut row = Row::of(&inside);
    while !row.is_empty() {
        Attribute::outer(&mut row);
        Kind::read(&mut row)?;
        if row.sign(',').is_none() && row.sign(';').is_none() && !row.is_empty() {
            return None;
        }
    }
    Some(())
}

/// The same where it begins with a word.
fn operand_of_word(row: &mut Row<'_>, word: &str, braces: Braces) -> Option<bool> {
    match word {
        "if" => conditional(row)?,
        "match" | "while" => {
            row.next();
            condition(row)?;
        }
        "for" => {
            row.before(&|token| matches!(token, TokenTree::Ident(word) if word == "in"));
            row.next();
            condition(row)?;
        }
        "loop" | "unsafe" | "async" | "const" => {
            row.next();
            row.word("move");
            block(row)?;
        }
        // Only in a condition.
        "let" if braces == Braces::Block => {
            row.until(&['=']);
            row.sign('=')?;
            Kind::read_before(row, braces)?;
        }
        "true" | "false" | "_" => drop(row.next()),
        "return" | "break" | "continue" => {
            row.next();
            if word != "return" {
                row.lifetime();
            }
            if !is_end(*row, braces) {
                Kind::read_before(row, braces)?;
            }
        }
        _ if STATEMENTS.contains(&word) => return None,
        _ => return named(row, braces),
    }
    Some(false)
}

/// A path, or a macro or a struct of that name. Whether it is a path alone.
fn named(row: &mut Row<'_>, braces: Braces) -> Option<bool> {
    path(row)?;
    if row.is_at('!') && !row.is_at_both(['!', '=']) {
        row.next();
        return matches!(row.next()?, TokenTree::Group(_)).then_some(false);
    }
    let is_struct = braces == Braces::Struct && row.group(Delimiter::Brace).is_some();
    Some(!is_struct)
}

fn conditional(row: &mut Row<'_>) -> Option<()> {
    row.next();
    condition(row)?;
    if row.word("else").is_some() {
        return if row.is_at_word("if") { conditional(row) } else { block(row) };
    }
    Some(())
}

/// What stands before a block, and the block.
fn condition(row: &mut Row<'_>) -> Option<()> {
    Kind::read_before(row, Braces::Block)?;
    block(row)
}

fn block(row: &mut Row<'_>) -> Option<()> {
    row.group(Delimiter::Brace).map(drop)
}

/// Words that no operand begins with.
const STATEMENTS: &[&str] = &[
    "as", "await", "dyn", "else", "enum", "extern", "fn", "impl", "in", "let", "mod", "mut", "pub",
    "ref", "static", "struct", "trait", "type", "use", "where",
];

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
            Some(TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Parenthesis | Delimiter::Bracket => {
                    list(group)?;
                    row.next();
                }
                Delimiter::Brace | Delimiter::None => break,
            },
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
    function(row);
    match row.rest().first()? {
        TokenTree::Group(_) => drop(row.next()),
        _ => drop(Path::read(row)?),
    }
    Some(())
}

/// What stands before the `fn` of a pointer to a function.
fn function(row: &mut Row<'_>) {
    if row.word("for").is_some() {
        row.angles();
    }
    row.word("unsafe");
    if row.word("extern").is_some() {
        row.literal();
    }
}

/// An operator between two operands.
fn operator(row: &mut Row<'_>) -> bool {
    let length = match joined(*row) {
        ['<', '<', '='] | ['>', '>', '='] => 3,
        ['<', '<', _]
        | ['>', '>', _]
        | ['&', '&', _]
        | ['|', '|', _]
        | ['=' | '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>' | '!', '=', _] => 2,
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
