//! What the macros read of Rust's syntax.
//!
//! syn would read it all, and would be a third of what a first build compiles. The macros need little:
//! the body of a function is never parsed, and the compiler hands over only items that it has parsed
//! itself. So a type, a pattern or an expression stays the row of tokens that it is, and is
//! asked what it looks like where that matters. The tests compare every answer with syn's.
//!
//! A token is turned into text to be compared, which asks for memory each time. So each is looked at
//! once where that is possible: in the builds people make every day this runs unoptimized.

mod attribute;
mod data;
mod expression;
mod function;
mod generics;
mod literal;
mod parameter;
mod path;
mod pattern;
mod prelude;
mod row;
mod ty;

pub(crate) use attribute::Attribute;
pub(crate) use data::{Data, Field, Input, Variant};
pub(crate) use expression::Kind;
pub(crate) use function::{NoFunction, Signature};
pub(crate) use generics::Generics;
pub(crate) use literal::text;
pub(crate) use parameter::Parameter;
pub(crate) use path::{Argument, Path, module};
pub(crate) use pattern::{Binding, Pattern};
pub(crate) use prelude::Prelude;
pub(crate) use row::{Row, row_of, visible_row_of};
pub(crate) use ty::{Shape, Type};
