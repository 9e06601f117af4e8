//! Where the requests of a simulation are kept while they run.

use super::error::StormError;
use super::request::{Layer, Request};
use std::hint::black_box;

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

    /// Looks at what will be woken soon, each at its place and in the layer at this depth. Of a
    /// million requests each is long out of the processor's caches when it goes on, and to wait for
    /// many at once takes little longer than to wait for one.
    pub(super) fn fetch(&mut self, soon: impl Iterator<Item = (Place, u8)> + Clone) {
        // A first look asks for as much as the processor can wait for, and does nothing else.
        let mut seen = 0;
        for (place, depth) in soon.clone() {
            let (place, depth) = (place as usize, usize::from(depth));
            seen ^= self.requests[place].as_ref().map_or(0, Request::number);
            let layers = &self.layers[place * self.each..][..=depth];
            seen ^= layers.iter().flatten().fold(0, |seen, layer| seen ^ layer.around());
        }
        black_box(seen);
        // What goes on is used from end to end: taken out and put back, all of it was used.
        for (place, depth) in soon {
            let layer = &mut self.layers[place as usize * self.each + usize::from(depth)];
            *layer = black_box(layer.take());
        }
    }
}
