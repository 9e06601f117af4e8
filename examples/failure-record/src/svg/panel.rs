//! One drawing with a title, a legend, a grid and axes.

use super::{GRID, INK, Undrawn};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// A part of a picture.
pub(super) type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;

const FONT: &str = "sans-serif";
/// plotters writes a font size of 1 for each 1.24 of these.
const TEXT: i32 = 16;
const TITLE: i32 = 18;
/// The height of a line of text.
const LINE: i32 = 22;
const SQUARE: i32 = 10;
const MARGIN: i32 = 10;

/// What is along the bottom, and what is up the side.
pub(super) struct Axes {
    pub(super) x: String,
    pub(super) y: String,
    /// Positions along the bottom that stand at equal distances; none on an ordinary axis.
    pub(super) steps: Vec<f64>,
}

impl Axes {
    pub(super) fn new(x: impl Into<String>, y: impl Into<String>) -> Self {
        Self { x: x.into(), y: y.into(), steps: Vec::new() }
    }

    /// What stands at this place.
    fn label(&self, place: f64) -> String {
        if self.steps.is_empty() {
            return number(place);
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        let step = self.steps.get(place.round() as usize);
        step.filter(|_| place.fract() == 0.0).map_or_else(String::new, |x| number(*x))
    }
}

/// A drawing under a title and a legend.
pub(super) struct Panel<'a, 's>(
    ChartContext<'a, SVGBackend<'s>, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
);

impl<'s> Panel<'_, 's> {
    pub(super) fn new(
        area: &Area<'s>,
        title: &str,
        entries: &[(&str, RGBColor)],
        axes: &Axes,
        x: Range<f64>,
        y: Range<f64>,
    ) -> Result<Self, Undrawn> {
        let head = legend(area, title, entries)?;
        let (_, body) = area.split_vertically(head);
        let mut chart = ChartBuilder::on(&body)
            .margin(MARGIN)
            .margin_top(4)
            .margin_right(2 * MARGIN)
            .x_label_area_size(44)
            .y_label_area_size(62)
            // A little room above what is highest.
            .build_cartesian_2d(x, y.start..y.end * 1.05)?;
        let (width, height) = body.dim_in_pixel();
        let labels = if axes.steps.is_empty() { width as usize / 90 } else { axes.steps.len() };
        chart
            .configure_mesh()
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .label_style((FONT, TEXT, &INK))
            .x_labels(labels)
            .y_labels(height as usize / 40)
            .x_label_formatter(&|place| axes.label(*place))
            .y_label_formatter(&|place| number(*place))
            .x_desc(axes.x.as_str())
            .y_desc(axes.y.as_str())
            .draw()?;
        Ok(Self(chart))
    }

    pub(super) fn draw_series<E>(
        &mut self,
        series: impl IntoIterator<Item = E>,
    ) -> Result<(), Undrawn>
    where
        for<'p> &'p E: PointCollection<'p, (f64, f64)>,
        E: Drawable<SVGBackend<'s>>,
    {
        self.0.draw_series(series)?;
        Ok(())
    }
}

/// Writes the title, and what the colours mean, in as many lines as it takes. Gives their height.
fn legend(area: &Area<'_>, title: &str, entries: &[(&str, RGBColor)]) -> Result<i32, Undrawn> {
    let middle = Pos::new(HPos::Left, VPos::Center);
    let text = (FONT, TEXT).into_font().color(&INK).pos(middle);
    let bold = (FONT, TITLE, FontStyle::Bold).into_font().color(&INK).pos(middle);
    let mut at = (MARGIN, MARGIN + LINE / 2);
    area.draw_text(title, &bold, at)?;
    at = (MARGIN, at.1 + LINE);
    let (width, _) = area.dim_in_pixel();
    for (name, color) in entries {
        let (long, _) = area.estimate_text_size(name, &text)?;
        // For the size that is asked for, and not for the one that is written; see `TEXT`.
        let long = i32::try_from(long * 4 / 5).unwrap_or(i32::MAX).saturating_add(SQUARE + 6);
        if at.0 > MARGIN && i64::from(at.0) + i64::from(long) > i64::from(width) {
            at = (MARGIN, at.1 + LINE);
        }
        let corner = (at.0, at.1 - SQUARE / 2);
        let square = [corner, (corner.0 + SQUARE, corner.1 + SQUARE)];
        area.draw(&Rectangle::new(square, color.filled()))?;
        area.draw_text(name, &text, (at.0 + SQUARE + 6, at.1))?;
        at.0 = at.0.saturating_add(long + 16);
    }
    Ok(at.1 + LINE / 2)
}

/// As short as it can be said.
fn number(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').replace("-0", "0")
}
