//! A server at work: who is served now, who waits, and when the answer comes.

use super::server::{FAST_FAILURE, Server};
use super::simulated::{Moment, Simulated};
use crate::backoff::nanos;
use crate::classify::Class;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// A server and its load.
///
/// Service is first come first served and its time is drawn on arrival, so the answer's moment is
/// known at once, and nothing has to happen in between.
#[derive(Debug)]
pub(super) struct Serving {
    server: Server,
    /// When each request that has its place will leave it.
    leaving: BinaryHeap<Reverse<Moment>>,
    /// When each request that waits will be served; in order.
    waiting: VecDeque<Moment>,
}

/// What a server says, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) at: Moment,
    pub(super) answer: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Served,
    Failed,
    /// The queue is full.
    Refused,
}

impl Answer {
    /// What the caller makes of it.
    pub(super) fn result(self) -> Result<(), Class> {
        match self {
            Self::Served => Ok(()),
            Self::Failed => Err(Class::TRANSIENT),
            Self::Refused => Err(Class::THROTTLED),
        }
    }
}

impl Serving {
    pub(super) fn new(server: Server) -> Self {
        Self { server, leaving: BinaryHeap::new(), waiting: VecDeque::new() }
    }

    /// A request arrives.
    pub(super) fn receive(&mut self, environment: &Simulated) -> Reply {
        let now = environment.moment();
        if let Some(at) = self.server.fault.and_then(|fault| fault.strikes(environment)) {
            return Reply { at, answer: Answer::Failed };
        }
        let Some(begins) = self.take_place(now) else {
            return Reply { at: now.saturating_add(nanos(FAST_FAILURE)), answer: Answer::Refused };
        };
        let at = begins.saturating_add(nanos(self.server.service.draw(environment)));
        if self.server.capacity.is_some() {
            self.leaving.push(Reverse(at));
        }
        Reply { at, answer: Answer::Served }
    }

    /// When a request that comes now is served, unless the queue is full.
    fn take_place(&mut self, now: Moment) -> Option<Moment> {
        let Some(capacity) = self.server.capacity else { return Some(now) };
        while self.waiting.front().is_some_and(|begins| *begins <= now) {
            self.waiting.pop_front();
        }
        if self.leaving.len() < capacity as usize {
            return Some(now);
        }
        let Reverse(next_free) = *self.leaving.peek()?;
        if next_free > now {
            if self.server.queue.is_some_and(|most| self.waiting.len() >= most as usize) {
                return None;
            }
            self.waiting.push_back(next_free);
        }
        self.leaving.pop();
        Some(next_free.max(now))
    }
}
