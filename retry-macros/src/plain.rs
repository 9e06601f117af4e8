//! What nearly everybody writes, read without a parser.
//!
//! A parser asks of a token whether it is this word or that, dozens of times, and each question makes
//! text of it: in an unoptimized build, most of the time of a whole expansion. Here each token is
//! looked at once. What is read is what syn would have read; all that looks in any way unusual, or
//! wrong, is left to syn.

use crate::list::items;
use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenTree};
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, Expr, ExprField, ExprPath, FnArg, GenericArgument, Generics,
    Lifetime, Member, Pat, PatIdent, PatType, Path, PathArguments, PathSegment, Receiver,
    ReceiverKind, ReturnType, Safety, Signature, Token, Type, TypePath, TypeReference, TypeSlice,
    TypeTuple, VisRestricted, Visibility, token,
};

/// Tokens, of which those at the front have been read.
struct Row<'t>(&'t [TokenTree]);

/// `pub async fn NAME(NAME: TYPE, ...) -> TYPE`, without generics and without `mut`; and the tokens of
/// the last type.
pub(crate) fn signature(tokens: &[TokenTree]) -> Option<(Visibility, Signature, &[TokenTree])> {
    let mut row = Row(tokens);
    let visibility = row.visibility()?;
    let asyncness = Token![async](row.word("async")?);
    let fn_token = Token![fn](row.word("fn")?);
    let ident = row.name()?;
    let parentheses = row.group(Delimiter::Parenthesis)?;
    let output = row.0.get(2..).unwrap_or_default();
    let signature = Signature {
        constness: None,
        asyncness: Some(asyncness),
        safety: Safety::Default,
        abi: None,
        fn_token,
        ident,
        generics: Generics::default(),
        paren_token: token::Paren { span: parentheses.delim_span() },
        inputs: parameters(parentheses)?,
        variadic: None,
        output: row.output()?,
    };
    row.0.is_empty().then_some((visibility, signature, output))
}

/// `NAME::NAME.NAME`, of any length.
pub(crate) fn expression(tokens: &[TokenTree]) -> Option<Expr> {
    let mut row = Row(tokens);
    let path = row.path(Row::segment_without_arguments)?;
    let mut expression = Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path });
    while let Some(dot) = row.sign('.') {
        expression = Expr::Field(ExprField {
            attrs: Vec::new(),
            base: Box::new(expression),
            dot_token: Token![.](dot),
            member: Member::Named(row.name()?),
        });
    }
    row.0.is_empty().then_some(expression)
}

fn parameters(parentheses: &Group) -> Option<Punctuated<FnArg, Token![,]>> {
    let inside: Vec<TokenTree> = parentheses.stream().into_iter().collect();
    let mut row = Row(&inside);
    let mut parameters = Punctuated::new();
    if let Some(receiver) = row.receiver() {
        parameters.push_value(FnArg::Receiver(receiver));
        if let Some(comma) = row.sign(',') {
            parameters.push_punct(Token![,](comma));
        }
    }
    row.list(&mut parameters, Row::parameter)?;
    row.0.is_empty().then_some(parameters)
}

impl<'t> Row<'t> {
    fn sign(&mut self, sign: char) -> Option<Span> {
        match self.0 {
            [TokenTree::Punct(first), rest @ ..] if first.as_char() == sign => {
                self.0 = rest;
                Some(first.span())
            }
            _ => None,
        }
    }

    /// A sign of two characters.
    fn signs(&mut self, signs: [char; 2]) -> Option<[Span; 2]> {
        match self.0 {
            [TokenTree::Punct(first), TokenTree::Punct(second), rest @ ..]
                if [first.as_char(), second.as_char()] == signs
                    && first.spacing() == Spacing::Joint =>
            {
                self.0 = rest;
                Some([first.span(), second.span()])
            }
            _ => None,
        }
    }

    fn word(&mut self, word: &str) -> Option<Span> {
        match self.0 {
            [TokenTree::Ident(first), rest @ ..] if first == word => {
                self.0 = rest;
                Some(first.span())
            }
            _ => None,
        }
    }

    /// A name of the user's, so that it is no word of the language.
    fn name(&mut self) -> Option<Ident> {
        self.name_if(|name| !is_keyword(name))
    }

    fn name_if(&mut self, is_right: fn(&str) -> bool) -> Option<Ident> {
        match self.0 {
            [TokenTree::Ident(name), rest @ ..] if is_right(&name.to_string()) => {
                self.0 = rest;
                Some(name.clone())
            }
            _ => None,
        }
    }

    fn group(&mut self, delimiter: Delimiter) -> Option<&'t Group> {
        match self.0 {
            [TokenTree::Group(group), rest @ ..] if group.delimiter() == delimiter => {
                self.0 = rest;
                Some(group)
            }
            _ => None,
        }
    }

    /// Items with commas between them, up to the end or to a `>`.
    fn list<T>(
        &mut self,
        list: &mut Punctuated<T, Token![,]>,
        item: fn(&mut Self) -> Option<T>,
    ) -> Option<()> {
        let is_end = |row: &Self| match row.0 {
            [TokenTree::Punct(sign), ..] => sign.as_char() == '>',
            rest => rest.is_empty(),
        };
        while !is_end(self) {
            if !list.empty_or_trailing() {
                return None;
            }
            list.push_value(item(self)?);
            if let Some(comma) = self.sign(',') {
                list.push_punct(Token![,](comma));
            }
        }
        Some(())
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let Some(word) = self.word("pub") else { return Some(Visibility::Inherited) };
        let pub_token = Token![pub](word);
        let Some(parentheses) = self.group(Delimiter::Parenthesis) else {
            return Some(Visibility::Public(pub_token));
        };
        let paren_token = token::Paren { span: parentheses.delim_span() };
        let inside: Vec<TokenTree> = parentheses.stream().into_iter().collect();
        let [TokenTree::Ident(place)] = inside.as_slice() else { return None };
        ["crate", "super", "self"].iter().any(|known| place == known).then(|| {
            let path = Box::new(Path::from(place.clone()));
            Visibility::Restricted(VisRestricted { pub_token, paren_token, in_token: None, path })
        })
    }

    /// `self`, `&self` or `&mut self`.
    fn receiver(&mut self) -> Option<Receiver> {
        let start = self.0;
        let kind = match self.sign('&') {
            Some(and) => {
                let lifetime = self.lifetime();
                let mutability = self.word("mut").map(Token![mut]);
                ReceiverKind::Reference(Token![&](and), lifetime, mutability)
            }
            None => ReceiverKind::Value,
        };
        let Some(word) = self.word("self") else {
            self.0 = start;
            return None;
        };
        let self_token = Token![self](word);
        Some(Receiver { attrs: Vec::new(), mutability: None, self_token, kind })
    }

    fn parameter(&mut self) -> Option<FnArg> {
        let name = PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident: self.name()?,
            subpat: None,
        };
        Some(FnArg::Typed(PatType {
            attrs: Vec::new(),
            pat: Box::new(Pat::Ident(name)),
            colon_token: Token![:](self.sign(':')?),
            ty: Box::new(self.ty()?),
        }))
    }

    fn output(&mut self) -> Option<ReturnType> {
        match self.signs(['-', '>']) {
            Some(arrow) => Some(ReturnType::Type(Token![->](arrow), Box::new(self.ty()?))),
            None => Some(ReturnType::Default),
        }
    }

    /// A path, a reference, a slice or a tuple.
    fn ty(&mut self) -> Option<Type> {
        let attrs = Vec::new();
        if let Some(and) = self.sign('&') {
            return Some(Type::Reference(TypeReference {
                attrs,
                and_token: Token![&](and),
                lifetime: self.lifetime(),
                mutability: self.word("mut").map(Token![mut]),
                elem: Box::new(self.ty()?),
            }));
        }
        if let Some(brackets) = self.group(Delimiter::Bracket) {
            let bracket_token = token::Bracket { span: brackets.delim_span() };
            let inside: Vec<TokenTree> = brackets.stream().into_iter().collect();
            let mut inside = Row(&inside);
            let elem = Box::new(inside.ty()?);
            let slice = Type::Slice(TypeSlice { attrs, bracket_token, elem });
            return inside.0.is_empty().then_some(slice);
        }
        if let Some(parentheses) = self.group(Delimiter::Parenthesis) {
            let paren_token = token::Paren { span: parentheses.delim_span() };
            let inside: Vec<TokenTree> = parentheses.stream().into_iter().collect();
            let (mut inside, mut elems) = (Row(&inside), Punctuated::new());
            inside.list(&mut elems, Row::ty)?;
            // One type without a comma is that type.
            let is_tuple = inside.0.is_empty() && (elems.len() != 1 || elems.trailing_punct());
            return is_tuple.then(|| Type::Tuple(TypeTuple { attrs, paren_token, elems }));
        }
        let path = self.path(Row::segment)?;
        Some(Type::Path(TypePath { attrs, qself: None, path }))
    }

    fn path(&mut self, segment: fn(&mut Self) -> Option<PathSegment>) -> Option<Path> {
        let mut path = Path { leading_colon: None, segments: Punctuated::new() };
        path.segments.push_value(segment(self)?);
        while let Some(colons) = self.signs([':', ':']) {
            path.segments.push_punct(Token![::](colons));
            path.segments.push_value(segment(self)?);
        }
        Some(path)
    }

    fn segment_without_arguments(&mut self) -> Option<PathSegment> {
        let ident = self.name_if(|name| name == "Self" || !is_keyword(name))?;
        Some(PathSegment { ident, arguments: PathArguments::None })
    }

    fn segment(&mut self) -> Option<PathSegment> {
        let mut segment = self.segment_without_arguments()?;
        if let Some(open) = self.sign('<') {
            let mut args = Punctuated::new();
            self.list(&mut args, Self::argument)?;
            // syn prints lifetimes before types, wherever they stand.
            let is_type = |argument: &GenericArgument| matches!(argument, GenericArgument::Type(_));
            if !items(&args).is_sorted_by_key(is_type) {
                return None;
            }
            segment.arguments = PathArguments::AngleBracketed(AngleBracketedGenericArguments {
                colon2_token: None,
                lt_token: Token![<](open),
                args,
                gt_token: Token![>](self.sign('>')?),
            });
        }
        Some(segment)
    }

    fn argument(&mut self) -> Option<GenericArgument> {
        match self.lifetime() {
            Some(lifetime) => Some(GenericArgument::Lifetime(lifetime)),
            None => self.ty().map(GenericArgument::Type),
        }
    }

    fn lifetime(&mut self) -> Option<Lifetime> {
        let start = self.0;
        let apostrophe = self.sign('\'')?;
        let ident = self.name_if(|name| matches!(name, "static" | "_") || !is_keyword(name));
        if ident.is_none() {
            self.0 = start;
        }
        Some(Lifetime { apostrophe, ident: ident? })
    }
}

/// In order.
pub(crate) const KEYWORDS: &[&str] = &[
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

fn is_keyword(name: &str) -> bool {
    KEYWORDS.binary_search(&name).is_ok()
}
