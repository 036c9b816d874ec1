//! The legend of a line plot: a sample and a label per curve and per band.

use super::{Band, Curve, Frame, LEGEND_ROW, LETTER, SHEET, band_style, escape, style};
use std::fmt::Write as _;

/// An entry of the legend.
struct Entry<'a> {
    label: &'a str,
    /// The number of the curve, or `b` and the number of the band.
    key: String,
    /// The SVG element of the sample, at the given place \[px\].
    sample: Sample,
    row: usize,
    /// Distance from the left edge of the drawing area \[px\].
    x: f64,
}

enum Sample {
    Line(usize),
    Area(String),
}

/// Entries side by side, in as many rows as they need.
pub(super) struct Legend<'a>(Vec<Entry<'a>>);

impl<'a> Legend<'a> {
    /// No entries for a single curve without a name; bands without a name have none either.
    pub fn new(curves: &[Curve<'a>], bands: &[Band<'a>]) -> Self {
        const SAMPLE_AND_GAPS: f64 = 48.0;
        let named = curves.iter().any(|c| !c.label.is_empty());
        let lines = curves.iter().enumerate().filter(|_| named);
        let lines = lines.map(|(i, curve)| (curve.label, i.to_string(), Sample::Line(i)));
        let areas = bands.iter().enumerate().filter(|(_, band)| !band.label.is_empty());
        let areas = areas.map(|(i, band)| (band.label, format!("b{i}"), Sample::Area(band_style(band, curves))));
        let mut entries = Vec::new();
        let (mut row, mut x) = (0, 0.0);
        for (label, key, sample) in lines.chain(areas) {
            let width = SAMPLE_AND_GAPS + LETTER * label.chars().count().min(LONGEST) as f64;
            if x > 0.0 && x + width > SHEET - 100.0 {
                row += 1;
                x = 0.0;
            }
            entries.push(Entry { label, key, sample, row, x });
            x += width;
        }
        Self(entries)
    }

    pub fn rows(&self) -> usize {
        self.0.last().map_or(0, |entry| entry.row + 1)
    }

    pub fn draw(&self, svg: &mut String, frame: &Frame) {
        for entry in &self.0 {
            let x = frame.left + entry.x;
            let y = 46.0 + LEGEND_ROW * entry.row as f64;
            let (text_x, text_y) = (x + 30.0, y + 4.5);
            let _ = writeln!(svg, r#"<g data-key="{}">"#, entry.key);
            let _ = match &entry.sample {
                Sample::Line(i) => writeln!(svg, r#"<path d="M{x:.1} {y:.1}h24" fill="none" {}/>"#, style(*i)),
                Sample::Area(style) => {
                    writeln!(svg, r#"<rect x="{x:.1}" y="{:.1}" width="24" height="12" {style}/>"#, y - 6.0)
                }
            };
            let _ =
                writeln!(svg, r#"<text x="{text_x:.1}" y="{text_y:.1}">{}</text>"#, escape(&shortened(entry.label)));
            svg.push_str("</g>\n");
        }
    }
}

/// Longest label \[letters\]; the tooltip of the curve has the whole one.
const LONGEST: usize = 60;

fn shortened(label: &str) -> String {
    match label.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label.into(),
    }
}
