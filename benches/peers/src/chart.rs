//! The chart: ns a token piece, and MB/s at once; a dot for each input, hollow where the result is wrong, and a bar to
//! the median.

use std::path::Path;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::contestant::Group;
use crate::correctness::Verdict;
use crate::inputs::Cut;
use crate::measure::Measured;
use crate::report::{Results, short};

const WIDTH: i32 = 1000;
const ROW: i32 = 26;
const NAMES: i32 = 330;
const MARGIN: i32 = 70;
const INK: RGBColor = RGBColor(36, 41, 47);
const FAINT: RGBColor = RGBColor(208, 215, 222);

struct Row {
    name: &'static str,
    group: Group,
    /// One for each input that was measured, and whether the result is right.
    values: Vec<(f64, bool)>,
}

impl Row {
    fn median(&self) -> f64 {
        self.values[self.values.len() / 2].0
    }
}

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

pub(crate) fn draw(results: &Results, path: &Path) -> Drawn {
    let pieces = rows(results, Cut::Token, Measured::ns_a_piece);
    let whole = rows(results, Cut::Whole, Measured::mb_a_second);
    let heights = [&pieces, &whole].map(|rows| rows.len() as i32 * ROW + 90);
    let root =
        SVGBackend::new(path, (WIDTH as u32, (heights[0] + heights[1] + 24) as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    panel(&root, 0, "Pieces of one token: ns a piece (less is better)", &pieces)?;
    panel(&root, heights[0], "The whole text at once: MB/s (more is better)", &whole)?;
    let note = "A dot for each input, hollow where the result is wrong; the bar goes to the median. Who is too slow for the full size is measured at a smaller one.";
    root.draw(&Text::new(note, (16, heights[0] + heights[1] + 4), words(14, HPos::Left)))?;
    root.present()
}

fn rows(results: &Results, cut: Cut, value: impl Fn(&Measured) -> f64) -> Vec<Row> {
    let contestants = results.contestants.iter().enumerate();
    let rows = contestants.map(|(one, contestant)| {
        let inputs = 0..results.inputs.len();
        let point = |measured: &Measured| (value(measured), measured.verdict == Verdict::Right);
        let mut values: Vec<(f64, bool)> =
            inputs.filter_map(|input| results.measured(cut, input, one)).map(point).collect();
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Row { name: contestant.name, group: contestant.group, values }
    });
    rows.filter(|row| !row.values.is_empty()).collect()
}

fn panel<B: DrawingBackend<ErrorType = std::io::Error>>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    top: i32,
    title: &str,
    rows: &[Row],
) -> Drawn {
    let all = || rows.iter().flat_map(|row| &row.values).map(|value| value.0);
    let lowest = all().fold(f64::INFINITY, f64::min).log10().floor();
    let highest = all().fold(0.0, f64::max).log10().ceil();
    let x = |value: f64| {
        NAMES + ((value.log10() - lowest) / (highest - lowest) * f64::from(WIDTH - NAMES - MARGIN)) as i32
    };
    let bottom = top + 50 + rows.len() as i32 * ROW;
    root.draw(&Text::new(title, (16, top + 24), words(20, HPos::Left)))?;
    for power in lowest as i32..=highest as i32 {
        let at = x(10f64.powi(power));
        root.draw(&PathElement::new([(at, top + 44), (at, bottom)], FAINT))?;
        root.draw(&Text::new(
            short(10f64.powi(power)).trim_end_matches(".00").trim_end_matches(".0").to_owned(),
            (at, bottom + 12),
            words(14, HPos::Center),
        ))?;
    }
    for (index, row) in rows.iter().enumerate() {
        let y = top + 50 + index as i32 * ROW + ROW / 2;
        let color = match row.group {
            Group::Ours => RGBColor(9, 105, 218),
            Group::Peer => RGBColor(188, 76, 0),
            Group::Reparse => RGBColor(130, 80, 223),
            Group::Limit => RGBColor(110, 119, 129),
        };
        root.draw(&Text::new(row.name, (NAMES - 12, y), words(16, HPos::Right)))?;
        root.draw(&Rectangle::new([(NAMES, y - 8), (x(row.median()), y + 8)], color.mix(0.35).filled()))?;
        for &(value, right) in &row.values {
            root.draw(&Circle::new((x(value), y), 4, if right { color } else { WHITE }.filled()))?;
            root.draw(&Circle::new((x(value), y), 4, color))?;
        }
        let right = row.values.last().map_or(NAMES, |value| x(value.0));
        root.draw(&Text::new(short(row.median()), (right + 8, y), words(14, HPos::Left)))?;
    }
    Ok(())
}

fn words(size: i32, horizontal: HPos) -> TextStyle<'static> {
    let anchor = Pos::new(horizontal, VPos::Center);
    TextStyle::from(("sans-serif", size).into_font()).color(&INK).pos(anchor)
}
