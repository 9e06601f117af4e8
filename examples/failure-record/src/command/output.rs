//! What was simulated, in the form that was asked for.

use super::{Failure, MOST_POINTS, Shown};
use crate::{data, svg, terminal};
use std::io;

/// The width of a picture in a file, in pixels.
const WIDTH: u32 = 840;

impl Shown {
    pub(super) fn text(&self) -> String {
        match self {
            Self::Record(anatomy, picture) => terminal::record(anatomy, picture),
            Self::Trace(recorded) => terminal::trace(recorded),
            Self::Scene(scene) => terminal::scene(scene),
        }
    }

    pub(super) fn json(&self) -> serde_json::Value {
        match self {
            Self::Record(anatomy, _) => data::record_json(anatomy),
            Self::Trace(recorded) => data::trace_json(recorded),
            Self::Scene(scene) => serde_json::json!(scene),
        }
    }

    pub(super) fn csv(&self, out: impl io::Write) -> io::Result<()> {
        match self {
            Self::Record(_, picture) => data::calls_csv(&picture.calls, out),
            Self::Trace(recorded) => data::calls_csv(&recorded.picture.calls, out),
            Self::Scene(scene) => data::scene_csv(scene, out),
        }
    }

    pub(super) fn svg(&self) -> Result<String, Failure> {
        match self {
            Self::Record(_, picture) if picture.calls.points.len() > MOST_POINTS => {
                Err(Failure::Points(picture.calls.points.len()))
            }
            Self::Record(_, picture) => Ok(svg::picture(picture, WIDTH)?),
            Self::Trace(recorded) => Ok(svg::picture(&recorded.picture, WIDTH)?),
            Self::Scene(scene) => Ok(svg::scene(scene, WIDTH)?),
        }
    }
}
