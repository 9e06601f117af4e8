//! One call of a client on its way down the layers, moved by the state machine of real calls.

use super::engine::World;
use super::error::StormError;
use super::serving::Answer;
use super::simulated::{Moment, NEVER};
use crate::call::Pause;
use crate::call::failed::Failed;
use crate::call::progress::{Progress, Start};
use crate::classify::Class;
use crate::environment::Environment;
use crate::error::Stopped;

/// A call of a client. Its layers are kept beside it, the outermost first.
#[derive(Debug)]
pub(super) struct Request {
    client: u32,
    number: u64,
    began: Moment,
    /// How often the server was asked on its behalf.
    sends: u32,
    /// The innermost layer that has begun.
    depth: u8,
    /// What that layer waits for, and when it comes.
    next: Next,
    due: Moment,
}

/// The call of one layer to the next. It lies in as few lines of a processor's caches as it can.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Layer<'d> {
    progress: Progress<'d>,
    /// When the attempt that runs is cut.
    limit: Moment,
    /// When the first of the attempts around it is cut: kept here, because to ask the layers for it
    /// at each step is what a simulation of many layers would spend its time on.
    around: Moment,
}

#[derive(Clone, Copy, Debug)]
enum Next {
    Start,
    Answer(Answer),
    TimeOut,
}

/// What happens now, in the innermost layer.
enum Turn {
    Start,
    Ended(Result<(), Class>),
    TimedOut,
    Decided(Result<Pause, Stopped>),
    Then(Then),
}

/// What becomes of a request.
pub(super) enum Then {
    /// It is to be woken at this moment, in the layer at this depth.
    Wake {
        at: Moment,
        depth: u8,
    },
    Over,
}

impl Request {
    pub(super) fn begin(client: u32, world: &mut World<'_>) -> Self {
        let began = world.environment.moment();
        let number = world.tally.begin(began);
        Self { client, number, began, sends: 0, depth: 0, next: Next::Start, due: began }
    }

    /// Something of it.
    pub(super) fn glance(&self) -> u64 {
        self.number
    }

    /// Something is due. `layers` are this request's own, and the one at `depth` is the innermost
    /// that has begun: said again, so that nobody has to wait for `self` to know which to look at.
    pub(super) fn wake<'d>(
        &mut self,
        depth: u8,
        layers: &mut [Option<Layer<'d>>],
        world: &mut World<'d>,
    ) -> Result<Then, StormError> {
        self.depth = depth;
        let mut turn = match self.next {
            // As in a real call, what runs inside is asked before the timer around it.
            _ if self.due > world.environment.moment() => self.cut(layers, world),
            Next::Start => Turn::Start,
            Next::Answer(answer) => Turn::Ended(answer.result()),
            Next::TimeOut => Turn::TimedOut,
        };
        loop {
            let environment = world.environment;
            let progress = &mut self.layer(layers, world).progress;
            turn = match turn {
                Turn::Start => self.start(layers, world)?,
                Turn::Ended(Ok(())) => {
                    progress.succeed(environment);
                    self.succeed(layers, world)
                }
                Turn::Ended(Err(class)) => {
                    Turn::Decided(progress.fail(Failed::with(class), None, environment))
                }
                Turn::TimedOut => {
                    Turn::Decided(progress.fail(Failed::TIMED_OUT, None, environment))
                }
                Turn::Decided(Ok(pause)) => self.pause(pause, layers, world),
                Turn::Decided(Err(stopped)) => self.give_up(stopped, layers, world),
                Turn::Then(then) => return Ok(then),
            };
        }
    }

    fn depth(&self) -> usize {
        usize::from(self.depth)
    }

    /// The innermost layer, which begins here if it has not.
    fn layer<'l, 'd>(
        &self,
        layers: &'l mut [Option<Layer<'d>>],
        world: &World<'d>,
    ) -> &'l mut Layer<'d> {
        let (around, inside) = layers.split_at_mut(self.depth());
        inside[0].get_or_insert_with(|| {
            let around = around.last_mut().and_then(Option::as_mut);
            Layer::begin(around, self.client, self.depth(), world)
        })
    }

    fn start<'d>(
        &mut self,
        layers: &mut [Option<Layer<'d>>],
        world: &mut World<'d>,
    ) -> Result<Turn, StormError> {
        let layer = self.layer(layers, world);
        Ok(match layer.progress.start_attempt(world.environment) {
            Start::Refused(reason) => {
                Turn::Decided(Err(layer.progress.stop(reason, None, world.environment)))
            }
            Start::Wait => return Err(StormError::WaitingLimit),
            Start::Now => {
                let limit = layer.progress.ends_at();
                layer.limit = limit.map_or(NEVER, |limit| world.environment.moment_of(limit));
                let Layer { limit, around, .. } = *layer;
                world.tally.attempt(self.depth());
                if self.depth() + 1 < layers.len() {
                    self.depth += 1;
                    Turn::Start
                } else {
                    self.send(limit, world);
                    self.sleep(around)
                }
            }
        })
    }

    /// The innermost layer asks the server.
    fn send(&mut self, limit: Moment, world: &mut World<'_>) {
        self.sends += 1;
        world.tally.send(world.environment.moment(), self.client, self.number, self.sends);
        let reply = world.serving.receive(world.environment);
        (self.next, self.due) = if reply.at <= limit {
            (Next::Answer(reply.answer), reply.at)
        } else {
            (Next::TimeOut, limit)
        };
    }

    fn pause(&mut self, pause: Pause, layers: &[Option<Layer<'_>>], world: &World<'_>) -> Turn {
        let environment = world.environment;
        self.next = Next::Start;
        self.due = pause.end().map_or(environment.moment(), |until| environment.moment_of(until));
        self.sleep(layers[self.depth()].as_ref().map_or(NEVER, |layer| layer.around))
    }

    /// The next to come: what the innermost layer waits for, or the end of an attempt around it.
    fn sleep(&self, around: Moment) -> Turn {
        Turn::Then(Then::Wake { at: self.due.min(around), depth: self.depth })
    }

    /// The time of an attempt is over in which others run; they are dropped.
    fn cut(&mut self, layers: &mut [Option<Layer<'_>>], world: &World<'_>) -> Turn {
        let now = world.environment.moment();
        while self.depth > 0 {
            if let Some(layer) = &mut layers[self.depth()] {
                layer.progress.abandon(world.environment);
            }
            self.leave(layers);
            if layers[self.depth()].as_ref().is_some_and(|layer| layer.limit <= now) {
                break;
            }
        }
        Turn::TimedOut
    }

    fn succeed(&mut self, layers: &mut [Option<Layer<'_>>], world: &mut World<'_>) -> Turn {
        if self.depth == 0 {
            world.tally.succeed(self.began, world.environment.moment());
            return Turn::Then(Then::Over);
        }
        self.leave(layers);
        Turn::Ended(Ok(()))
    }

    fn give_up(
        &mut self,
        stopped: Stopped,
        layers: &mut [Option<Layer<'_>>],
        world: &mut World<'_>,
    ) -> Turn {
        world.tally.stop(&stopped);
        if self.depth == 0 {
            world.tally.fail(stopped.reason(), self.began, world.environment.moment());
            return Turn::Then(Then::Over);
        }
        self.leave(layers);
        Turn::Ended(Err(world.handed_up(&stopped)))
    }

    /// The innermost layer has ended; the one around it is the innermost now.
    fn leave(&mut self, layers: &mut [Option<Layer<'_>>]) {
        layers[self.depth()] = None;
        self.depth -= 1;
    }
}

impl<'d> Layer<'d> {
    /// Something of each part of it, and so of each line that it lies in.
    pub(super) fn glance(&self) -> u64 {
        let asked = std::ptr::from_ref(self.progress.downstream()).addr();
        self.around ^ u64::from(self.progress.attempts()) ^ asked as u64
    }

    fn begin(around: Option<&mut Self>, client: u32, depth: usize, world: &World<'d>) -> Self {
        let (call, downstream) = (world.call(depth), world.downstream(client, depth));
        let begin = || Progress::begin(call, downstream, world.environment.now());
        let ends = around.as_ref().map_or(NEVER, |around| around.limit.min(around.around));
        // The scope of the attempt around it, where layers know of each other.
        let progress = match around.filter(|_| world.has_one_owner()) {
            Some(around) => around.progress.within(begin),
            None => begin(),
        };
        Self { progress, limit: NEVER, around: ends }
    }
}
