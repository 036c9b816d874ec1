use wolff_plots::{Mechanism, MechanismClass, MechanismPart, Outline};

fn rod(states: &[[[f64; 2]; 2]]) -> MechanismPart {
    let outlines = states.iter().map(|points| Outline::Points(points.to_vec(), false)).collect();
    MechanismPart { name: "rod <1>".into(), class: MechanismClass::Body(0), outlines }
}

fn mechanism(parts: Vec<MechanismPart>, count: usize) -> Mechanism {
    Mechanism {
        name: "mechanism".into(),
        title: "A rod".into(),
        axes: ['x', 'y'],
        times: (0..count).map(|i| 0.5 * i as f64).collect(),
        shown: (0..count).collect(),
        moves: true,
        parts,
    }
}

/// Pixels of the paths with that beginning of their stroke colour.
fn paths(svg: &str) -> Vec<Vec<f64>> {
    let rods = svg.lines().filter(|line| line.contains("fill-opacity") && !line.contains("h20"));
    let numbers = |line: &str| -> Vec<f64> {
        let d = line.split('"').nth(1).unwrap();
        d.split(['M', 'L', ' ']).filter_map(|n| n.parse().ok()).collect()
    };
    rods.map(numbers).collect()
}

#[test]
fn lengths_are_the_same_in_every_panel_and_up_is_up() {
    let turned = mechanism(vec![rod(&[[[0.0, 0.0], [2.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]])], 2);
    let drawn = paths(&turned.to_svg());
    let length = |p: &[f64]| (p[2] - p[0]).hypot(p[3] - p[1]);
    assert_eq!(drawn.len(), 2);
    assert!((length(&drawn[0]) - length(&drawn[1])).abs() < 0.2 && length(&drawn[0]) > 100.0);
    assert!(drawn[1][3] < drawn[1][1], "a point above is nearer to the top of the sheet");
    // panels do not overlap
    assert!(drawn[1][0] > drawn[0][2] || drawn[1][3] > drawn[0][1]);
}

#[test]
fn text_is_escaped_and_the_scale_has_the_axes() {
    let svg = mechanism(vec![rod(&[[[0.0, 0.0], [1.0, 0.0]]])], 1).to_svg();
    assert!(svg.contains("rod &lt;1&gt;") && !svg.contains("rod <1>"));
    assert!(svg.contains("x right, y up"));
}

#[test]
fn only_what_moves_has_states() {
    let floor = MechanismPart {
        name: "floor".into(),
        class: MechanismClass::Surface,
        outlines: vec![Outline::Line { at: [0.0, -1.0], along: [1.0, 0.0] }],
    };
    let moving = mechanism(vec![floor, rod(&[[[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]])], 2);
    let svg = moving.moving_svg().unwrap();
    let states: Vec<&str> = svg.split("data-d=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(states.len(), 1);
    assert_eq!(states[0].split('|').count(), 2);
    // the floor reaches across the picture
    let floor = paths(&svg.replace("stroke=\"#888\" stroke-width=\"1.5\"", "fill-opacity"))[0].clone();
    assert!((floor[2] - floor[0]).abs() > 100.0 && (floor[1] - floor[3]).abs() < 0.2);
    // what stands still is no motion
    assert!(mechanism(vec![rod(&[[[0.0, 0.0], [1.0, 0.0]]])], 2).moving_svg().is_none());
    assert!(Mechanism { moves: false, ..moving }.moving_svg().is_none());
}

#[test]
fn numbers_that_are_not_finite_leave_the_rest() {
    let broken = rod(&[[[f64::NAN, 0.0], [1.0, f64::INFINITY]]]);
    let whole = rod(&[[[0.0, 0.0], [1.0, 1.0]]]);
    let ball = MechanismPart {
        name: "ball".into(),
        class: MechanismClass::Surface,
        outlines: vec![Outline::Circle { centre: [f64::NAN, 0.0], radius: 1.0 }],
    };
    let svg = mechanism(vec![broken, ball, whole], 1).to_svg();
    assert_eq!(paths(&svg).len(), 1);
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    let empty = mechanism(vec![], 1).to_svg();
    assert!(empty.contains("</svg>") && !empty.contains("NaN"));
}
