use proptest::prelude::*;
use wolff_plots::{Band, Curve, LinePlot, escape};

fn svg(curves: Vec<Curve>, log_y: bool) -> String {
    LinePlot { title: "Force <of> \"A & B\"", x_label: "time [s]", y_label: "force [N]", curves, log_y }.to_svg()
}

fn one(points: &[(f64, f64)], log_y: bool) -> String {
    svg(vec![Curve { label: "a", points }], log_y)
}

/// The text of the labels, ticks and title, in order.
pub fn texts(svg: &str) -> Vec<&str> {
    svg.lines()
        .filter(|l| l.starts_with("<text"))
        .filter_map(|l| l.split_once('>')?.1.split_once('<'))
        .map(|(text, _)| text)
        .collect()
}

/// Data of the first drawn curve: the path after the frame.
fn curve_path(svg: &str) -> &str {
    let (_, after) = svg.split_once("stroke=\"#888\"/>").unwrap();
    let (_, path) = after.split_once("<path d=\"").unwrap();
    path.split_once('"').unwrap().0
}

/// Tags closed in the order they were opened, no stray `&` or `<`, no NaN in a number: a browser would draw it.
pub fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some((text, after)) = rest.split_once('<') {
        for entity in text.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
            assert!(known.iter().any(|k| entity.starts_with(k)), "{text}");
        }
        let (tag, next) = after.split_once('>').expect("a tag is closed");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap()),
        }
        assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        rest = next;
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}

#[test]
fn ticks_are_round_numbers_and_labels_carry_units() {
    let points: Vec<_> = (0..=10).map(|i| (0.1 * f64::from(i), 37.0 * f64::from(i) - 100.0)).collect();
    let svg = one(&points, false);
    assert_well_formed(&svg);
    let texts = texts(&svg);
    for expected in ["0.2", "1.0", "−100", "0", "300", "time [s]", "force [N]", "a"] {
        assert!(texts.contains(&expected), "{expected} missing in {texts:?}");
    }
    assert_eq!(texts[0], "Force &lt;of&gt; &quot;A &amp; B&quot;");
}

#[test]
fn large_and_small_values_share_a_power_of_ten() {
    let svg = one(&[(0.0, 0.0), (1.0, 2.5e-6)], false);
    assert!(texts(&svg).contains(&"force [N] (×10⁻⁶)"), "{:?}", texts(&svg));
    assert!(texts(&svg).contains(&"2.5"), "{:?}", texts(&svg));
}

#[test]
fn one_point_is_a_short_dash_and_a_constant_is_a_line() {
    let dot = one(&[(2.0, 5.0)], false);
    assert_well_formed(&dot);
    assert!(curve_path(&dot).ends_with("m-2 0h4"));

    let constant = one(&[(0.0, 5.0), (1.0, 5.0)], false);
    assert_well_formed(&constant);
    assert!(texts(&constant).contains(&"5.0"), "{:?}", texts(&constant));
}

#[test]
fn gaps_break_the_line() {
    let svg = one(&[(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 2.0), (4.0, 1.0)], false);
    assert_well_formed(&svg);
    assert_eq!(curve_path(&svg).matches('M').count(), 2);
}

#[test]
fn a_logarithmic_axis_shows_decades_and_leaves_zero_out() {
    let svg = one(&[(0.0, 0.0), (1.0, 2e-3), (2.0, 40.0)], true);
    assert_well_formed(&svg);
    for decade in ["10⁻³", "10⁰", "10²"] {
        assert!(texts(&svg).contains(&decade), "{:?}", texts(&svg));
    }
    assert_eq!(curve_path(&svg).matches(['M', 'L']).count(), 2);
}

#[test]
fn nothing_to_draw_is_said() {
    assert!(texts(&svg(Vec::new(), false)).contains(&"no data"));
    assert!(texts(&one(&[(0.0, -1.0)], true)).contains(&"no data"));
}

#[test]
fn a_long_curve_stays_small_and_keeps_its_peak_and_its_gap() {
    const POINTS: usize = 200_000;
    let mut points: Vec<_> = (0..POINTS).map(|i| (i as f64, (i as f64 * 0.01).sin())).collect();
    points[123_457].1 = 9.0;
    points[50_000].1 = f64::NAN;
    let svg = one(&points, false);
    assert_well_formed(&svg);
    assert!(svg.len() < 30_000, "{} bytes", svg.len());
    // the axis reaches 10; its top is below the title and legend at 65 px, the peak a tenth lower
    let highest = curve_path(&svg)
        .split(['M', 'L'])
        .filter_map(|p| p.split_once(' ')?.1.parse::<f64>().ok())
        .fold(f64::INFINITY, f64::min);
    let tall = 300.0;
    let expected = 65.0 + tall * (10.0 - 9.0) / 12.0;
    assert!((highest - expected).abs() < 0.051, "{highest} for {expected}");
    assert_eq!(curve_path(&svg).matches('M').count(), 2);
}

#[test]
fn many_curves_differ_in_colour_or_dash_and_the_legend_wraps() {
    let points = [(0.0, 0.0), (1.0, 1.0)];
    let names: Vec<String> = (0..14).map(|i| format!("muscle number {i}")).collect();
    let curves = names.iter().map(|label| Curve { label, points: &points }).collect();
    let svg = svg(curves, false);
    assert_well_formed(&svg);
    let strokes: std::collections::BTreeSet<_> =
        svg.lines().filter(|l| l.contains("h24")).map(|l| l.split_once("stroke=").unwrap().1).collect();
    assert_eq!(strokes.len(), 14);
}

proptest! {
    #[test]
    fn any_numbers_give_a_well_formed_picture(
        points in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..40),
        label in ".{0,10}",
        log_y in any::<bool>(),
    ) {
        assert_well_formed(&svg(vec![Curve { label: &label, points: &points }], log_y));
    }

    #[test]
    fn any_narrow_range_gives_a_few_ticks(base in -1e12..1e12f64, width in 1e-9..1e3f64) {
        let svg = one(&[(0.0, base), (1.0, base + width)], false);
        assert_well_formed(&svg);
        let count = svg.matches("text-anchor=\"end\"").count();
        prop_assert!((2..=12).contains(&count), "{} ticks", count);
    }
}

/// A band is an area between its edges, behind the curves, within the axes, and split at gaps.
#[test]
fn bands_are_areas_behind_the_curves() {
    let points = [(0.0, -1.0, 1.0), (0.5, 10.0, 40.0), (0.6, f64::NAN, 2.0), (0.7, 1.0, 2.0), (1.0, 1.0, 2.0)];
    let curves = vec![Curve { label: "left", points: &[(0.0, 1.0), (1.0, 2.0)] }];
    let bands = [
        Band { label: "healthy", points: &points, of_curve: None },
        Band { label: "left, SD", points: &points, of_curve: Some("left") },
    ];
    let plot = LinePlot { title: "Moment", x_label: "gait cycle [%]", y_label: "N m/kg", curves, log_y: false };
    let svg = plot.to_svg_over(&bands);
    assert_well_formed(&svg);
    assert!(texts(&svg).contains(&"40"), "the axis reaches the edge of the band: {:?}", texts(&svg));
    for entry in ["left", "healthy", "left, SD"] {
        assert!(texts(&svg).contains(&entry), "{entry}");
    }
    let (_, band) = svg.split_once("<g data-band=\"b0\">").unwrap();
    let path = band.split_once("d=\"").unwrap().1.split_once('"').unwrap().0;
    assert_eq!((path.matches('M').count(), path.matches('z').count(), path.matches('L').count()), (2, 2, 6), "{path}");
    assert!(svg.find("data-band=\"b1\" data-of=\"0\"").unwrap() < svg.find("data-curve=\"0\"").unwrap());
    assert!(svg.contains("fill=\"#0072b2\" fill-opacity=\"0.22\"") && svg.contains("fill=\"#888\" fill-opacity"));
}

#[test]
fn long_titles_take_two_lines_and_long_labels_shrink() {
    let title = "Maximum shear strain at the anteromedial mid-shaft of the tibia by three methods over the last stride";
    let label = "a label of an axis that is longer than the axis itself, which the sheet would cut";
    let curves = vec![Curve { label, points: &[(0.0, 1.0), (1.0, 2.0)] }];
    let svg = LinePlot { title, x_label: "t", y_label: label, curves, log_y: false }.to_svg();
    assert_well_formed(&svg);
    assert_eq!(svg.matches("font-weight=\"bold\"").count(), 2);
    assert!(svg.contains("style=\"font-size:"));
    assert!(texts(&svg).iter().any(|text| text.ends_with('…')), "the entry of the legend");
}

#[test]
fn text_of_files_is_shown_and_not_obeyed() {
    assert_eq!(escape("a\u{1b}[2J\u{7}\u{7f}b"), "a␛[2J␇␡b");
    assert_eq!(escape("left\u{202e}thgir"), "left\u{fffd}thgir");
    assert_eq!(escape("a\tb\nc"), "a b c");
    assert_eq!(escape("<&\"'>"), "&lt;&amp;&quot;&#39;&gt;");
}
