use crate::plot::{assert_well_formed, texts};
use wolff_plots::{StripArrow, StripClass, StripFrame, StripPlot, StripSegment, StripView};

/// A trunk and a right leg that stands at `x`.
fn walker(x: f64, label: &str) -> StripFrame {
    let trunk = StripSegment { class: StripClass::Middle, points: vec![[x, 0.9, 0.0], [x, 1.8, 0.0]] };
    let leg = StripSegment { class: StripClass::Right, points: vec![[x, 0.9, 0.1], [x + 0.1, 0.0, 0.1]] };
    StripFrame { label: label.into(), segments: vec![trunk, leg], arrows: Vec::new() }
}

fn svg(frames: &[StripFrame], views: &[StripView], spacing: f64) -> String {
    let svg = StripPlot { title: "Walk", frames, floor: Some(0.0), views, spacing }.to_svg();
    assert_well_formed(&svg);
    svg
}

/// First point of every path of that colour [px].
fn starts(svg: &str, colour: &str) -> Vec<(f64, f64)> {
    let paths = svg.split("<g><title>").skip(1).flat_map(|g| g.lines());
    let of_colour = paths.filter(|line| line.contains(&format!("stroke=\"{colour}\"")));
    let point = |line: &str| {
        let (first, _) = line.split_once("d=\"M")?.1.split_once('L')?;
        let (x, y) = first.split_once(' ')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    of_colour.filter_map(point).collect()
}

const MIDDLE: &str = "#333333";
const RIGHT: &str = "#0072b2";

#[test]
fn figures_stand_where_they_are_and_spacing_is_added() {
    let frames = [walker(0.0, "0 s"), walker(0.5, "1 s"), walker(1.5, "2 s")];
    let place: Vec<f64> = starts(&svg(&frames, &[StripView::Side], 0.0), MIDDLE).iter().map(|p| p.0).collect();
    let (first, second) = (place[1] - place[0], place[2] - place[1]);
    // a tenth of a pixel at each end
    assert!((second / first - 2.0).abs() < 0.01, "{first} {second}");

    let place: Vec<f64> = starts(&svg(&frames, &[StripView::Side], 1.0), MIDDLE).iter().map(|p| p.0).collect();
    let (first, second) = (place[1] - place[0], place[2] - place[1]);
    assert!((second / first - 2.0 / 1.5).abs() < 0.01, "{first} {second}");
}

#[test]
fn seen_from_behind_right_is_right_and_figures_are_set_apart() {
    let frames = [walker(0.0, "0 s"), walker(0.0, "1 s")];
    let svg = svg(&frames, &[StripView::Front], 0.0);
    let (trunk, leg) = (starts(&svg, MIDDLE), starts(&svg, RIGHT));
    assert!(leg[0].0 > trunk[0].0 && trunk[1].0 > leg[0].0, "{trunk:?} {leg:?}");
}

#[test]
fn near_sticks_cover_far_ones() {
    let frames = [walker(0.0, "0 s")];
    let order = |view| {
        let svg = svg(&frames, &[view], 0.0);
        let figure = svg.split("<g><title>").nth(1).unwrap().to_string();
        figure.find(MIDDLE).unwrap() < figure.find(RIGHT).unwrap()
    };
    // the right leg is nearer to an eye on the right; from behind the trunk is, for the foot is in front of it
    assert!(order(StripView::Side) && !order(StripView::Front));
}

#[test]
fn the_longest_force_is_half_as_long_as_the_figures_are_high() {
    let mut frames = [walker(0.0, "0 s"), walker(1.0, "1 s")];
    frames[0].arrows = vec![StripArrow { at: [0.0; 3], force: [0.0, 800.0, 0.0] }];
    frames[1].arrows = vec![StripArrow { at: [1.0, 0.0, 0.0], force: [0.0, 400.0, 0.0] }];
    let svg = svg(&frames, &[StripView::Side], 0.0);
    assert!(texts(&svg).contains(&"force on the body, at most 800 N"), "{:?}", texts(&svg));
    let tips: Vec<f64> = svg
        .lines()
        .filter(|line| line.ends_with("z\" fill=\"#009e73\"/>"))
        .filter_map(|line| line.split_once(' ')?.1.split_once(' ')?.1.split_once('L')?.0.parse().ok())
        .collect();
    let (hip, feet) = (starts(&svg, RIGHT)[0].1, starts(&svg, "#009e73")[0].1);
    // the hip is as high as half a figure
    assert!((tips[0] - hip).abs() < 0.2, "{tips:?} {hip}");
    assert!((feet - tips[1] - 0.5 * (feet - tips[0])).abs() < 0.2, "{tips:?} {feet}");
}

#[test]
fn labels_do_not_run_into_each_other() {
    let frames: Vec<_> = (0..40).map(|i| walker(0.01 * f64::from(i), &format!("{i} seconds"))).collect();
    let svg = svg(&frames, &[StripView::Side], 0.0);
    let shown = texts(&svg).iter().filter(|text| text.ends_with("seconds")).count();
    assert!((1..10).contains(&shown), "{shown}");
}

#[test]
fn gaps_and_nothing_at_all_are_drawn() {
    let mut broken = walker(0.0, "<0 & 1>");
    broken.segments[0].points.insert(1, [f64::NAN, 1.0, 0.0]);
    broken.arrows = vec![StripArrow { at: [0.0; 3], force: [f64::INFINITY, 0.0, 0.0] }];
    let drawn = svg(&[broken], &[StripView::Side, StripView::Front], f64::NAN);
    assert!(starts(&drawn, MIDDLE).is_empty() && starts(&drawn, RIGHT).len() == 2);
    assert!(drawn.contains("&lt;0 &amp; 1&gt;"));
    assert!(texts(&svg(&[], &[StripView::Side], 0.0)).contains(&"no data"));
    let empty = [StripFrame::default()];
    svg(&empty, &[StripView::Side, StripView::Front], 0.5);
}
