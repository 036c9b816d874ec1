//! Remedies of trials that were turned before they were examined.

use crate::support::{edit, ground, of_markers, only, walker};
use wolff_doctor::{Fault, Patient, examine};
use wolff_formats::trial::{Axes, MarkerTrial};

const LABORATORIES: [&str; 4] = ["x,y", "x,z", "-y,z", "z,-x"];
const GIVEN: [&str; 6] = ["x,z", "-y,z", "y,z", "z,y", "x,-y", "-z,x"];

fn axes(text: &str) -> Axes {
    text.parse().unwrap()
}

/// The transpose of a turn.
fn back(axes: &Axes, p: [f64; 3]) -> [f64; 3] {
    let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| axes.apply(e));
    columns.map(|c| c[0] * p[0] + c[1] * p[1] + c[2] * p[2])
}

/// The walk as a laboratory with these axes records it.
fn recorded(laboratory: &Axes) -> MarkerTrial {
    edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| *p = back(laboratory, *p)))
}

/// The axes that a remedy names.
fn told(remedy: &str) -> Axes {
    axes(remedy.rsplit("--axes ").next().unwrap().trim_end_matches(')'))
}

/// Whatever axes were given by mistake, those that the remedy names make the recording sound.
#[test]
fn the_remedy_names_axes_of_the_laboratory() {
    for (laboratory, given) in LABORATORIES.iter().flat_map(|l| GIVEN.map(|g| (axes(l), axes(g)))) {
        let turned = recorded(&laboratory).rotated(&given);
        let found = of_markers(&turned);
        if laboratory == given {
            assert_eq!(found, []);
            continue;
        }
        let finding = found.iter().find(|f| f.fault == Fault::Axes).unwrap();
        assert!(finding.message.contains(&format!("with --axes {given}")), "{finding}");
        assert_eq!(told(&finding.remedy), laboratory, "{laboratory} as {given}: {finding}");
        assert_eq!(of_markers(&recorded(&laboratory).rotated(&told(&finding.remedy))), []);
    }
}

#[test]
fn two_turns_are_one() {
    let (first, second) = (axes("-y,z"), axes("z,x"));
    let both = second.after(&first);
    let p = [1.0, 2.0, 3.0];
    assert_eq!(both.apply(p), second.apply(first.apply(p)));
    assert_eq!(*walker().rotated(&first).rotated(&second).axes(), both);
}

/// Without markers the force tells the up axis, also after a turn.
#[test]
fn forces_alone_tell_the_up_axis_of_the_laboratory() {
    let finding = |given: &str| {
        let forces = ground(100.0).rotated(&axes(given));
        only(examine(&Patient { forces: Some(&forces), ..Patient::default() })[..1].to_vec(), Fault::ForceDirection)
    };
    for given in ["x,z", "x,-z", "z,x"] {
        let found = finding(given);
        assert_eq!(told(&found.remedy).up(), "y", "{given}: {found}");
    }
    assert!(finding("x,-y").remedy.contains("the up axis points down"), "{}", finding("x,-y"));
}
