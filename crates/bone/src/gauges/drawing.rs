//! A section with the gauges around it, as SVG.

use std::fmt::Write as _;

use wolff_plots::escape;
use wolff_spatial::Vec3;

use super::contour::Contour;

/// Side of the picture, and free space around the section \[px\].
const SIZE: f64 = 420.0;
const MARGIN: f64 = 70.0;

/// Distance of a label from its mark \[px\].
const BESIDE: f64 = 20.0;

/// Length of the scale bar \[m\].
const BAR: f64 = 0.01;

/// The outline of a section seen from above, anterior up, with named places on it; lateral is to the right on the right
/// side of the body and to the left on the left side. The bar is 10 mm long.
pub fn section_svg(contour: &Contour, marks: &[(String, Vec3)], title: &str) -> String {
    let outline = contour.segments().iter().flatten();
    let radius = outline.map(|p| p.norm()).fold(1e-3, f64::max);
    let scale = (0.5 * SIZE - MARGIN) / radius;
    let to_right = contour.lateral();
    // anterior is up, the lateral coordinate of the contour is positive away from the body
    let place = |anterior: f64, lateral: f64| (0.5 * SIZE + scale * to_right * lateral, 0.5 * SIZE - scale * anterior);
    let mut path = String::new();
    for [a, b] in contour.segments() {
        let ((ax, ay), (bx, by)) = (place(a.x, a.y), place(b.x, b.y));
        let _ = write!(path, "M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
    }
    let (title, height) = (escape(title), SIZE + 30.0);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -30 {SIZE} {height}" width="{SIZE}" height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222" role="img">
<title>{title}</title>
<rect y="-30" width="{SIZE}" height="{height}" fill="#fff"/>
<text x="{x}" y="-8" text-anchor="middle" font-weight="bold">{title}</text>
<path d="{path}" fill="none" stroke="#222" stroke-width="1.5" stroke-linecap="round"/>
"##,
        x = 0.5 * SIZE
    );
    for (name, at) in marks {
        let from = at - contour.centroid;
        let (anterior, lateral) = (from.x, contour.lateral() * from.z);
        let (x, y) = place(anterior, lateral);
        let length = anterior.hypot(lateral).max(1e-6);
        let beside = 1.0 + BESIDE / (scale * length);
        let (label_x, label_y) = place(anterior * beside, lateral * beside);
        let _ = writeln!(svg, r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="#d55e00"/>"##);
        let (label, down) = (escape(name), label_y + 4.5);
        let _ = writeln!(svg, r#"<text x="{label_x:.1}" y="{down:.1}" text-anchor="middle">{label}</text>"#);
    }
    let side = if to_right > 0.0 { "right" } else { "left" };
    let (bar, bottom) = (scale * BAR, SIZE - 14.0);
    let (from, to) = (16.0, 16.0 + bar);
    let beside = to + 8.0;
    let _ = writeln!(svg, r##"<path d="M{from:.1} {bottom:.1}H{to:.1}" stroke="#222" stroke-width="2"/>"##);
    let note = format!("10 mm; anterior up, lateral to the {side}");
    let _ = writeln!(svg, r#"<text x="{beside:.1}" y="{:.1}">{note}</text>"#, bottom + 4.5);
    svg.push_str("</svg>\n");
    svg
}
