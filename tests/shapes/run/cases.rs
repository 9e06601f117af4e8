//! The right outcomes of the cases that say more than the rows check.

use crate::shapes::parameters::{Blob, Point, bump, by_clone, fetch, lend, r#match};
use crate::shapes::receivers::Conn;
use crate::shapes::results::{page, plan};
use crate::shapes::traits::{Api, Client, Native};
use crate::shapes::{bodies, generics, parameters};
use kit::{E, assert_send, calls, script};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

#[tokio::test(start_paused = true)]
async fn o_a01_every_attempt_starts_from_the_arguments_as_passed() {
    script([Err(E(1)), Ok(7)]);
    let answer = bump(1, (2, 3), Point { x: 4, y: 9 }, 0, [5, 0, 0]).await;
    assert_eq!((answer, calls()), (Ok(7), vec![16, 16]));
}

#[tokio::test(start_paused = true)]
async fn o_a02_a_large_body_is_held_once() {
    let (retried, plain) = (size_of_val(&page(3)), size_of_val(&plain::results::page(3)));
    assert!(plain >= 8192);
    assert!(retried <= plain + 2 * size_of::<u32>() + 1024, "{retried} against {plain}");
    script([Ok(2), Err(E(1)), Ok(2), Ok(0)]);
    assert_eq!(page(3).await.map(Iterator::collect::<Vec<_>>), Ok(vec![3, 4]));
    assert_eq!(calls(), [3, 8192, 3, 8192]);
}

#[tokio::test(start_paused = true)]
async fn o_a03_the_return_type_drives_coercions() {
    script([Ok(1)]);
    assert_eq!(plan("41").await.unwrap()(1), 2);
    assert_eq!(calls(), [41]);
    script([]);
    assert!(plan("x").await.is_err());
    assert!(plan("").await.is_err());
    assert!(calls().is_empty());
}

#[test]
fn o_a04_callers_see_the_parameters_that_are_there() {
    drop(parameters::get(1, &2, (3, 4)));
}

#[tokio::test(start_paused = true)]
async fn o_a05_the_names_of_the_user_keep_their_values() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(fetch(1, 2, 3, 0, 0, 0, 0, 4).await, Ok(7));
    assert_eq!(calls(), [4321, 4321, 4321]);
    script([Ok(7)]);
    assert_eq!(r#match(1, "ab").await, Ok(7));
    assert_eq!(calls(), [3]);
}

#[tokio::test(start_paused = true)]
async fn o_a08_each_attempt_sees_what_the_one_before_did_to_the_callers_value() {
    let mut conn = Conn::new(5);
    script([Err(E(1)), Err(E(2)), Ok(5)]);
    assert_eq!(conn.read().await, Ok(5));
    assert_eq!((conn.hits, calls()), (3, vec![5, 5, 5]));
}

#[tokio::test(start_paused = true)]
async fn o_a08_a_shared_borrow_is_handed_back() {
    let conn = Conn { buf: "kept".to_owned(), ..Conn::new(5) };
    script([Err(E(1)), Ok(0)]);
    assert_eq!(conn.peek().await, Ok("kept"));
    assert_eq!(Arc::new(conn).via().await, Err(E(503)));
}

#[tokio::test(start_paused = true)]
async fn o_a12_a_function_born_from_a_macro_is_one_like_others() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(generics::get::<7>(1, "ab", [0; 3]).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}

#[tokio::test(start_paused = true)]
async fn o_a13_no_attempt_gets_a_default_or_an_empty_value() {
    script([Err(E(1)), Err(E(2)), Ok(0)]);
    assert_eq!(lend(Blob(vec![1, 2]), "abc".to_owned()).await, Ok(0));
    assert_eq!(calls(), [5, 5, 5]);
    script([Err(E(1)), Err(E(2)), Ok(0)]);
    assert_eq!(by_clone("abcd".to_owned()).await, Ok(0));
    assert_eq!(calls(), [4, 4, 4]);
}

#[tokio::test(start_paused = true)]
async fn o_a14_methods_of_traits_are_retried() {
    let api: Box<dyn Api> = Box::new(Client(5));
    script([Err(E(1)), Ok(3)]);
    assert_eq!(api.get().await, Ok(3));
    assert_eq!(calls(), [1, 1]);
    script([Err(E(1)), Ok(3)]);
    assert_eq!(Client(5).native_by_default().await, Ok(3));
    assert_eq!(calls(), [2, 2]);
}

#[tokio::test(start_paused = true)]
async fn o_a14_the_head_of_a_returned_future_runs_once() {
    let client = Client(5);
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(client.boxed_future(1).await, Ok(7));
    assert_eq!(calls(), [7, 7, 7]);
}

/// The rows see the size of the box alone.
#[test]
fn o_a14_a_boxed_future_holds_the_body_once() {
    fn check<T: ?Sized, U: ?Sized>(arguments: usize, retried: Pin<Box<T>>, plain: Pin<Box<U>>) {
        let (retried, plain) = (size_of_val(&*retried), size_of_val(&*plain));
        assert!(retried <= plain + arguments + 512, "{retried} against {plain}");
    }
    use plain::traits::Api as _;
    let (mut retried, mut plain) = (Client(5), plain::traits::Client(5));
    check(12, retried.boxed_future(1), plain.boxed_future(1));
    check(8, retried.get(), plain.get());
    check(32, retried.named("abc", (1, 2)), plain.named("abc", (1, 2)));
    check(9, retried.generic(3u8), plain.generic(3u8));
    check(36, retried.set(1, "ab".to_owned()), plain.set(1, "ab".to_owned()));
}

#[test]
fn the_future_can_move_between_threads() {
    let mut conn = Conn::new(5);
    assert_send(conn.read());
    assert_send(conn.with_owned(String::new()));
    assert_send(Arc::new(Conn::new(5)).via());
    assert_send(lend(Blob(Vec::new()), String::new()));
    assert_send(by_clone(String::new()));
    assert_send(parameters::mut_text(String::new(), Vec::new()));
    assert_send(page(3));
    assert_send(Client(5).desugared(1));
}

/// What the body drops when is for the user's edition of the language to say.
#[tokio::test(start_paused = true)]
async fn values_are_dropped_in_the_order_of_the_edition() {
    let (retried, plain) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    script([Ok(7)]);
    assert!(bodies::drops(&retried).await.is_ok());
    script([Ok(7)]);
    assert!(plain::bodies::drops(&plain).await.is_ok());
    let order = retried.into_inner().unwrap();
    assert_eq!(order, plain.into_inner().unwrap());
    assert_eq!(order, crate::ORDER_OF_DROPS);
}
