//! All shapes, with the arguments of one call and what the downstream sees of it.

use super::Shape;
use std::future::Future;

fn size_of_future<F: Future>(future: F) -> usize {
    size_of_val(&future)
}

/// `TEST: CALL => SENDS;` becomes a test, and a line of the list. What `CALL` needs stands behind
/// `where`, and the bytes of the arguments, if they matter, behind `arguments`.
macro_rules! rows {
    ($($module:ident {
        $($test:ident: $call:expr => $sends:expr
            $(, arguments $arguments:literal)? $(, where { $($given:tt)* })?;)*
    })*) => {
        $(
            mod $module {
                use super::{Shape, size_of_future};

                $(
                    #[tokio::test(start_paused = true)]
                    async fn $test() {
                        let arguments = 0 $(+ $arguments)?;
                        let shape = Shape { name: stringify!($test), sends: &$sends, arguments };
                        let call = async || {
                            #[allow(unused_imports)]
                            use crate::shapes::$module::*;
                            $($($given)*)?
                            let answer = $call.await;
                            answer.is_ok()
                        };
                        shape.check_attempts(call).await;
                        let retried = {
                            #[allow(unused_imports)]
                            use crate::shapes::$module::*;
                            $($($given)*)?
                            size_of_future($call)
                        };
                        let plain = {
                            #[allow(unused_imports)]
                            use plain::$module::*;
                            $($($given)*)?
                            size_of_future($call)
                        };
                        shape.check_size(retried, plain);
                    }
                )*
            }
        )*

        /// The module and the name of each row.
        pub(super) const ROWS: &[(&str, &str)] = &[
            $($((stringify!($module), stringify!($test)),)*)*
        ];
    };
}

rows! {
    parameters {
        text: text("abcd", "efg") => [7], arguments 32;
        owned_text: owned_text("abc".to_owned()) => [3];
        slice: slice(&[1, 2, 3], Some(&4)) => [10], arguments 24;
        large: large([1; 4096]) => [4096];
        vector: vector(3, &mut rows) => [3], where { let mut rows = vec![9; 9]; };
        o_a01_bump: bump(1, (2, 3), Point { x: 4, y: 9 }, 0, [5, 0, 0]) => [16], arguments 29;
        o_a01_nested: nested(((1, 2), [3, 4, 5]), Point { x: 6, y: 7 }) => [739], arguments 28;
        by_reference: by_reference(Point { x: 1, y: 2 }, &10) => [14], arguments 16;
        mut_text: mut_text("ping".to_owned(), vec![1, 2]) => [5], arguments 48;
        o_a04_get: get(1, &2, (3, 4)) => [10], arguments 20;
        o_a04_conditional_and_mutable: conditional_and_mutable("ab".to_owned()) => [3];
        o_a05_fetch: fetch(1, 2, 3, 0, 0, 0, 0, 4) => [4321], arguments 32;
        o_a05_names_of_others: names_of_others(1, "ab", 10) => [13], arguments 24;
        o_a05_match: r#match(1, "ab") => [3], arguments 20;
        o_a13_lend: lend(Blob(vec![1, 2]), "abc".to_owned()) => [5];
        o_a13_by_clone: by_clone("abcd".to_owned()) => [4];
        o_a13_cloned_in_a_pattern:
            cloned_in_a_pattern(("a".to_owned(), 5), ["bc".to_owned(), String::new()]) => [4],
            arguments 80;
        handed_on: handed_on([1; 2048]) => [2048], arguments 2048;
        object: object(&1, Box::new(2)) => [3], arguments 32;
        pointer: pointer(|id| id + 1, 2) => [3];
    }
    receivers {
        o_a08_read: conn.read() => [5], where { let mut conn = Conn::new(5); };
        o_a08_peek: conn.peek() => [5], where { let conn = Conn::new(5); };
        o_a08_via: std::sync::Arc::new(Conn::new(5)).via() => [5];
        with_owned: conn.with_owned("/a".to_owned()) => [7], where { let conn = Conn::new(5); };
        by_value: Conn::new(5).by_value() => [5];
        typed: conn.typed(1) => [6], where { let conn = Conn::new(5); };
        in_a_box: Box::new(Conn::new(5)).in_a_box() => [5];
        shared_in_a_thread: std::rc::Rc::new(Conn::new(5)).shared_in_a_thread() => [5];
        borrowed_pointer: conn.borrowed_pointer() => [5],
            where { let conn = std::sync::Arc::new(Conn::new(5)); };
        pinned: std::pin::Pin::new(&mut conn).pinned() => [5],
            where { let mut conn = Conn::new(5); };
        pinned_and_lent_on: std::pin::Pin::new(&mut conn).pinned_and_lent_on() => [5],
            where { let mut conn = Conn::new(5); };
        with_lifetime: conn.with_lifetime(&conn) => [10], where { let conn = Conn::new(5); };
        everywhere: conn.everywhere() => [110], where { let conn = Conn::new(5); };
        connect: Conn::connect("db") => [2];
        of_a_generic_type: wrapper.of_a_generic_type(&12) => [102],
            where { let wrapper = Wrapper(|n| n + 100); };
    }
    generics {
        by_trait: by_trait("abc") => [3];
        put: put("abc") => [3];
        total: total([10, 20], "abc") => [33];
        best: best(&lines, |lines| lines.last().map(String::as_str)) => [4],
            where { let lines = ["a".to_owned(), "abcd".to_owned()]; };
        fill: fill::<u32, u64, std::hash::RandomState>(&[8]) => [8];
        batch: batch([1, 2, 3]) => [3];
        longest: longest("abc", "abcd") => [7];
        relay: relay(Request { path: "/a" }, Request { path: "trace" }) => [2];
        ask: ask::<Quotes>() => [6];
        through: through(async |id| kit::down(id + 1).await, 4) => [5];
        attributes_on_generics: attributes_on_generics([1u8, 2, 3]) => [6];
        o_a12_get: get::<7>(1, "ab", [0; 3]) => [3], arguments 23;
        o_a12_from_fragments: from_fragments(1) => [102];
    }
    results {
        o_a02_page: page(3) => [3, 8192];
        o_a03_plan: plan("41") => [41];
        o_a03_objects: objects(1) => [1];
        o_a03_arms: arms(1) => [1];
        o_a03_function_pointer: function_pointer(1) => [1];
        o_a03_unsized_slice: unsized_slice(1) => [1];
        o_a03_collected: collected(1) => [1];
        o_a03_parsed: parsed("12") => [12];
        o_a03_by_default: by_default(1) => [1];
        o_a06_a: svc::a() => [1];
        o_a06_b: svc::b() => [2];
        o_a06_c: c() => [3];
        o_a06_e: e() => [5];
        told: told(1) => [1];
        converted: converted("12") => [12], arguments 16;
        unit: unit(1) => [1];
        both_places: both_places("row") => [1];
        within: within(1) => [1];
    }
    bodies {
        early_return: early_return(&[1, 2]) => [1];
        question_mark_in_a_macro: question_mark_in_a_macro(1) => [1, 1, 1];
        closure: closure("12") => [12];
        nested_blocks: nested_blocks(1) => [1, 10];
        async_closure: async_closure(&[8, 9]) => [8, 9];
        labelled_loop: labelled_loop(1) => [1];
        items: items(1) => [11];
        recursion: recursion(2) => [2, 1, 0];
        temporaries: temporaries(&ids) => [5],
            where { let ids = tokio::sync::Mutex::new(vec![5]); };
        inner_attributes: inner_attributes(1) => [1];
        conditional_statements: conditional_statements(1) => [2];
        joined: joined(8, 9) => [8, 9];
        selected: selected(1) => [1];
        of_a_pointer: {
            #[allow(unsafe_code)]
            // SAFETY: `id` is there until the call has ended.
            unsafe { of_a_pointer(&raw const id) }
        } => [5], where { let id = 5; };
        of_another_abi: of_another_abi(1) => [1];
        one_expression: one_expression(1) => [1];
        one_macro: one_macro(1) => [1];
        never_at_the_end: never_at_the_end(1) => [1];
        held_across: held_across(1) => [1];
        inside: outside(1) => [1];
        o_a05_names_of_the_loop: names_of_the_loop(1) => [4];
        drops: drops(&log) => [5], where { let log = std::sync::Mutex::new(Vec::new()); };
    }
    traits {
        o_a14_get: Client(5).get() => [1];
        o_a14_set: client.set(1, "abc".to_owned()) => [5], where { let mut client = Client(5); };
        o_a14_named: client.named("abc", (1, 2)) => [6], where { let client = Client(5); };
        o_a14_generic: client.generic(3u8) => [3], where { let client = Client(5); };
        o_a14_by_default: client.by_default(1) => [6], where { let client = Client(5); };
        o_a14_by_value: Client(5).by_value(std::rc::Rc::new(1)) => [6];
        o_a14_native_by_default: Client(5).native_by_default() => [2];
        load: client.load::<u64>("abc") => [3], arguments 24, where { let mut client = Client(5); };
        desugared: client.desugared(1) => [6], where { let client = Client(5); };
        future: future("abc") => [3];
        future_with_a_head: future_with_a_head("abc") => [6];
        boxed_future: client.boxed_future(1) => [7], where { let client = Client(5); };
    }
    neighbours {
        attributes_all_around: attributes_all_around(9) => [1];
        deprecated: {
            #[allow(deprecated)]
            deprecated(1)
        } => [1];
        tracked: tracked(1) => [1];
        behind_a_cache: behind_a_cache(&cache, 1) => [1],
            where { let cache = tokio::sync::Mutex::default(); };
    }
    strict {
        o_a11_save: Client.save("x") => [1];
        o_a11_ping: Client.ping() => [2];
    }
}
