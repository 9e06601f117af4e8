//! Where a body seems to use a by-value parameter up.
//!
//! The compiler reports a value that the first attempt moved at the word `async` of the attempt. So
//! that word gets the place of the use in the body. Which use it is, only the compiler knows; this
//! finds the likely one, and a wrong guess only moves the first underline of an error that is there.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// The first use of one of these names as a whole value, such as an argument. None if several of
/// them are used so: the word `async` has only one place.
pub(super) fn find(body: TokenStream, names: &[Ident]) -> Option<Span> {
    let mut uses = Vec::new();
    collect(body, names, &mut uses);
    let first = uses.first()?;
    uses.iter().all(|other| other == first).then(|| first.span())
}

fn collect(body: TokenStream, names: &[Ident], uses: &mut Vec<Ident>) {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let (before, behind) = tokens.split_at(at);
        match token {
            TokenTree::Ident(name)
                if names.contains(name) && is_start(before.last()) && is_end(&behind[1..]) =>
            {
                uses.push(name.clone());
            }
            // A block that moves takes all that it mentions.
            TokenTree::Group(group) if is_move(before.last()) => {
                uses.extend(mention(group.stream(), names));
            }
            TokenTree::Group(group) => collect(group.stream(), names, uses),
            _ => {}
        }
    }
}

fn is_move(before: Option<&TokenTree>) -> bool {
    matches!(before, Some(TokenTree::Ident(word)) if word == "move")
}

fn mention(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(name) => names.contains(&name).then_some(name),
        TokenTree::Group(group) => mention(group.stream(), names),
        _ => None,
    })
}

/// A borrow, a field of something else or a path is not a use of the whole value.
fn is_start(before: Option<&TokenTree>) -> bool {
    match before {
        Some(TokenTree::Punct(sign)) => matches!(sign.as_char(), ',' | '=' | ';' | ':' | '|'),
        Some(TokenTree::Ident(word)) => word == "return" || word == "in",
        Some(TokenTree::Literal(_)) => false,
        Some(TokenTree::Group(_)) | None => true,
    }
}

/// Neither is what a field or a method is taken of, unless a method says that it converts.
fn is_end(behind: &[TokenTree]) -> bool {
    match behind {
        [TokenTree::Punct(dot), TokenTree::Ident(name), rest @ ..] if dot.as_char() == '.' => {
            let converts = name.to_string().starts_with("into") || name == "await";
            converts || !matches!(rest.first(), Some(TokenTree::Group(_))) && is_converted(rest)
        }
        [TokenTree::Punct(sign), ..] => matches!(sign.as_char(), ',' | ';' | '?'),
        [TokenTree::Group(group), ..] => group.delimiter() == Delimiter::Brace,
        [] => true,
        _ => false,
    }
}

/// Whether fields and then a converting method follow.
fn is_converted(behind: &[TokenTree]) -> bool {
    matches!(behind, [TokenTree::Punct(dot), ..] if dot.as_char() == '.') && is_end(behind)
}
