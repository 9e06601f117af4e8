//! Where the requests of a simulation are kept while they run.

use super::error::StormError;
use super::request::{Layer, Request};
use std::hint::black_box;
use std::ops::BitXor;

/// Requests and their layers. A place that is free again is the next to be taken.
#[derive(Debug)]
pub(super) struct Places<'d> {
    requests: Vec<Option<Request>>,
    /// Those of the request at place k begin at k times `each`.
    layers: Vec<Option<Layer<'d>>>,
    /// How many layers each request has.
    each: usize,
    free: Vec<Place>,
}

/// Half a word, so that a wake is one.
pub(super) type Place = u32;

impl<'d> Places<'d> {
    /// For requests of so many layers each, so many of them at the same time.
    pub(super) fn new(each: usize, together: usize) -> Self {
        // Those that begin together are there together. To grow bit by bit would take twice the room
        // for a moment; where there is not enough, growing is all that is left.
        let (mut requests, mut layers) = (Vec::new(), Vec::new());
        let _ = requests.try_reserve_exact(together);
        let _ = layers.try_reserve_exact(together.saturating_mul(each));
        Self { requests, layers, each, free: Vec::new() }
    }

    /// A place for a request that begins.
    pub(super) fn add(&mut self, request: Request) -> Result<Place, StormError> {
        if let Some(place) = self.free.pop() {
            self.requests[place as usize] = Some(request);
            return Ok(place);
        }
        let place = Place::try_from(self.requests.len()).map_err(|_| StormError::InFlight)?;
        self.requests.push(Some(request));
        self.layers.resize_with(self.layers.len() + self.each, || None);
        Ok(place)
    }

    /// The request at this place, if there is one, and its layers.
    pub(super) fn at(&mut self, place: Place) -> Option<(&mut Request, &mut [Option<Layer<'d>>])> {
        let place = place as usize;
        let request = self.requests[place].as_mut()?;
        Some((request, &mut self.layers[place * self.each..][..self.each]))
    }

    /// The request at this place is over.
    pub(super) fn clear(&mut self, place: Place) {
        let first = place as usize * self.each;
        self.layers[first..][..self.each].fill_with(|| None);
        self.requests[place as usize] = None;
        self.free.push(place);
    }

    /// Glances at what will be woken soon. Of a million requests each is long out of the processor's
    /// caches when it goes on, and to wait for many at once takes little longer than to wait for one.
    pub(super) fn fetch(&self, soon: impl Iterator<Item = Place>) {
        let seen = soon.map(|place| {
            let place = place as usize;
            let layers = &self.layers[place * self.each..][..self.each];
            let request = self.requests[place].as_ref().map_or(0, Request::glance);
            layers.iter().flatten().map(Layer::glance).fold(request, BitXor::bitxor)
        });
        black_box(seen.fold(0, BitXor::bitxor));
    }
}
