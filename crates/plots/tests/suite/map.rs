use super::plot::{assert_well_formed, texts};
use proptest::prelude::*;
use wolff_plots::{MapPlot, Panel, Triangle};

fn square(value: [f64; 2]) -> Vec<Triangle> {
    let at = |x: f64, y: f64| [x, y, 0.0];
    vec![
        Triangle { corners: [at(0.0, 0.0), at(0.04, 0.0), at(0.04, 0.02)], value: value[0] },
        Triangle { corners: [at(0.0, 0.0), at(0.04, 0.02), at(0.0, 0.02)], value: value[1] },
    ]
}

fn panel(label: &str, triangles: Vec<Triangle>) -> Panel<'_> {
    Panel { label, x_label: "z (m)", y_label: "x (m)", triangles }
}

fn map<'a>(panels: Vec<Panel<'a>>, range: Option<(f64, f64)>) -> MapPlot<'a> {
    MapPlot { title: "Knee <at 20 %>", colour_label: "contact pressure [Pa]", range, columns: 2, panels }
}

/// Classes of the drawn cells, in order, those of the scale left out.
fn classes(svg: &str) -> Vec<&str> {
    let drawn = svg.lines().filter(|l| l.starts_with("<path class=") && !l.contains("v14h"));
    drawn.filter_map(|l| l.split('"').nth(1)).collect()
}

#[test]
fn the_bar_carries_the_unit_and_round_ticks_over_the_range() {
    let svg = map(vec![panel("tibia", square([0.0, 4e6]))], Some((0.0, 8e6))).to_svg();
    assert_well_formed(&svg);
    let texts = texts(&svg);
    for expected in ["contact pressure [Pa] (×10⁶)", "0", "4", "8", "tibia", "z (m)", "0.040", "x (m)", "0.020"] {
        assert!(texts.contains(&expected), "{expected} missing in {texts:?}");
    }
    // 0 is the first of 16 colours, half of the range lies between the 8th and the 9th
    assert_eq!(classes(&svg), ["w0", "w8"]);
}

#[test]
fn panels_share_one_scale_of_colours_and_lengths() {
    let panels = vec![
        panel("10 %", square([1e6, 2e6])),
        panel("20 %", square([3e6, 5e6])),
        panel("30 %", square([5e6, f64::NAN])),
    ];
    let svg = map(panels, None).to_svg();
    assert_well_formed(&svg);
    assert_eq!(classes(&svg), ["w0", "w4", "w8", "w15", "w15", "w16"], "w16 is the grey of what carries nothing");
    let corner = |label: &str| {
        let line = svg.lines().find(|l| l.contains(&format!(">{label}<"))).unwrap();
        let number = |name: &str| line.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap();
        (number("x").parse::<f64>().unwrap(), number("y").parse::<f64>().unwrap())
    };
    let (one, two, three) = (corner("10 %"), corner("20 %"), corner("30 %"));
    assert!(two.0 > one.0 + 300.0 && two.1 == one.1, "second beside the first");
    assert!(three.0 == one.0 && three.1 > one.1 + 100.0, "third below the first");
}

proptest! {
    #[test]
    fn any_numbers_give_a_well_formed_map(
        values in proptest::collection::vec((any::<f64>(), any::<f64>(), any::<f64>()), 0..20),
        range in proptest::option::of((any::<f64>(), any::<f64>())),
    ) {
        let triangle = |&(x, y, value): &(f64, f64, f64)| {
            let corners = [[0.0, 0.0, 0.0], [x, 0.0, 1.0], [0.0, y, 0.0]];
            Triangle { corners, value }
        };
        assert_well_formed(&map(vec![panel("a", values.iter().map(triangle).collect())], range).to_svg());
    }
}
