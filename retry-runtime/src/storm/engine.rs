//! The loop: what is due next happens next.

use super::Storm;
use super::agenda::Agenda;
use super::arrivals::{Arrival, Schedule};
use super::error::StormError;
use super::places::{Place, Places};
use super::report::Report;
use super::request::{Request, Then};
use super::serving::Serving;
use super::simulated::{Moment, Simulated};
use super::tally::Tally;
use crate::call::Call;
use crate::classify::{Class, Classify};
use crate::downstream::Downstream;
use crate::error::Stopped;
use std::ops::ControlFlow;
use std::time::Duration;

/// What all requests of a simulation meet.
#[derive(Debug)]
pub(super) struct World<'d> {
    storm: &'d Storm,
    /// Of the layers further out, and of the innermost.
    calls: &'d [Call; 2],
    /// One for each layer, or for each layer of each client.
    downstreams: &'d [Downstream],
    pub(super) environment: &'d Simulated,
    pub(super) serving: Serving,
    pub(super) tally: Tally,
}

impl<'d> World<'d> {
    pub(super) fn downstream(&self, client: u32, depth: usize) -> &'d Downstream {
        let layers = self.storm.layers as usize;
        &self.downstreams[(client as usize * layers + depth) % self.downstreams.len()]
    }

    pub(super) fn call(&self, depth: usize) -> &'d Call {
        &self.calls[usize::from(depth + 1 == self.storm.layers as usize)]
    }

    /// Whether layers know of each other, so that the outermost owns the retries.
    pub(super) fn has_one_owner(&self) -> bool {
        !self.storm.every_layer_retries
    }

    /// What a failure of the layer below means. Where layers do not know of each other it is one
    /// more 503.
    pub(super) fn handed_up(&self, stopped: &Stopped) -> Class {
        if self.has_one_owner() { stopped.classify() } else { Class::TRANSIENT }
    }
}

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reached {
    /// The simulated time since the beginning.
    pub at: Duration,
    /// Calls that have ended.
    pub calls: u64,
    /// How much of it is done, from 0 to 1: of each call that is expected, half when it has begun,
    /// and all when it has ended.
    pub share: f64,
}

/// What is due at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wake {
    /// A call of this client begins.
    Arrival(u32),
    /// The request at this place goes on, in the layer at this depth.
    Layer { place: Place, depth: u8 },
}

/// So many steps are made between two looks at the watch.
const STEPS: u32 = 1 << 14;

/// A simulation on its way.
pub(super) struct Engine<'d> {
    world: World<'d>,
    schedule: Schedule,
    agenda: Agenda<Wake>,
    places: Places<'d>,
}

impl<'d> Engine<'d> {
    pub(super) fn new(
        storm: &'d Storm,
        calls: &'d [Call; 2],
        downstreams: &'d [Downstream],
        environment: &'d Simulated,
    ) -> Self {
        let fault_ends = storm.server.fault.map(|fault| fault.ends());
        let schedule = Schedule::new(storm.arrivals, storm.clients);
        let places = Places::new(storm.layers as usize, schedule.together());
        Self {
            world: World {
                storm,
                calls,
                downstreams,
                environment,
                serving: Serving::new(storm.server),
                tally: Tally::new(storm, fault_ends),
            },
            schedule,
            agenda: Agenda::new(),
            places,
        }
    }

    pub(super) fn run(
        mut self,
        mut watch: impl FnMut(Reached) -> ControlFlow<()>,
    ) -> Result<Report, StormError> {
        let mut steps = 0_u32;
        self.enter_arrival();
        while let Some((at, wake)) = self.next() {
            if steps % STEPS == 0 && watch(self.reached()).is_break() {
                return Err(StormError::BrokenOff);
            }
            steps = steps.wrapping_add(1);
            self.world.environment.move_to(at);
            match wake {
                Wake::Arrival(client) => {
                    self.enter_arrival();
                    let place = self.places.add(Request::begin(client, &mut self.world))?;
                    self.wake(place, 0)?;
                }
                Wake::Layer { place, depth } => self.wake(place, depth)?,
            }
        }
        Ok(self.world.tally.finish())
    }

    fn next(&mut self) -> Option<(Moment, Wake)> {
        let places = &self.places;
        self.agenda.next(|soon| {
            places.fetch(soon.iter().filter_map(|(_, wake)| match *wake {
                Wake::Layer { place, .. } => Some(place),
                Wake::Arrival(_) => None,
            }));
        })
    }

    /// The call that begins next; those after it are entered one by one.
    fn enter_arrival(&mut self) {
        if let Some(Arrival { at, client }) = self.schedule.next(self.world.environment) {
            self.agenda.enter(at, Wake::Arrival(client));
        }
    }

    fn wake(&mut self, place: Place, depth: u8) -> Result<(), StormError> {
        let Some((request, layers)) = self.places.at(place) else { return Ok(()) };
        match request.wake(depth, layers, &mut self.world)? {
            Then::Wake { at, depth } => self.agenda.enter(at, Wake::Layer { place, depth }),
            Then::Over => self.places.clear(place),
        }
        Ok(())
    }

    fn reached(&self) -> Reached {
        let (begun, calls) = (self.world.tally.begun(), self.world.tally.ended());
        #[expect(clippy::cast_precision_loss, reason = "a share, not a count")]
        let share = ((begun + calls) as f64 / (2.0 * self.schedule.expected())).min(1.0);
        let at = Duration::from_nanos(self.world.environment.moment());
        Reached { at, calls, share }
    }
}
