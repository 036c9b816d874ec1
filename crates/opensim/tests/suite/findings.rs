//! What is told about a model: one line per reason.

use crate::data;
use wolff_formats::osim;
use wolff_opensim::{KINEMATIC_MASS, OpensimSubject, convert};
use wolff_verdict::Severity;

/// An arm of 2 kg with a massless hand on a wrist, a massless marker plate welded to it, and some forces.
fn arm(forces: &str) -> OpensimSubject {
    let body = |name: &str, mass: f64| {
        format!(
            "<Body name=\"{name}\"><mass>{mass}</mass><mass_center>0 -0.1 0</mass_center>\
                 <inertia>{0} {0} {0} 0 0 0</inertia></Body>",
            0.01 * mass
        )
    };
    let joint = |class: &str, name: &str, parent: &str, child: &str, coordinate: &str| {
        format!(
            "<{class} name=\"{name}\"><socket_parent_frame>{parent}</socket_parent_frame>\
                 <socket_child_frame>{child}</socket_child_frame>{coordinate}</{class}>"
        )
    };
    let angle = |name: &str| format!("<coordinates><Coordinate name=\"{name}\"/></coordinates>");
    let text = format!(
        "<OpenSimDocument Version=\"40000\"><Model name=\"arm\"><BodySet><objects>{}{}{}</objects></BodySet>\
         <JointSet><objects>{}{}{}</objects></JointSet><ForceSet><objects>{forces}</objects></ForceSet></Model>\
         </OpenSimDocument>",
        body("forearm", 2.0),
        body("hand", 0.0),
        body("plate", 0.0),
        joint("PinJoint", "elbow", "/ground", "/bodyset/forearm", &angle("bend")),
        joint("PinJoint", "wrist", "/bodyset/forearm", "/bodyset/hand", &angle("flexion")),
        joint("WeldJoint", "strap", "/bodyset/forearm", "/bodyset/plate", ""),
    );
    OpensimSubject::new(osim::read(text.as_bytes()).unwrap()).unwrap()
}

/// Massless ends keep their coordinates, carry no load, and are told in one line.
#[test]
fn massless_ends_move_along() {
    let subject = arm("");
    assert!(subject.coordinate("flexion").is_some() && subject.subject.model.body_index("plate").is_some());
    assert!((subject.mass() - 2.0).abs() <= 2.0 * KINEMATIC_MASS + 1e-12, "{}", subject.mass());
    let findings = subject.findings();
    assert_eq!(findings.len(), 1, "{findings:?}");
    let message = &findings[0].message;
    assert!(findings[0].severity == Severity::Note && message.contains("2 Body `hand`, `plate`"), "{message}");
    assert!(message.contains("no mass"), "{message}");
}

/// Fifty equal elements are one line with their number; elements of several classes with one reason too; a missing
/// muscle is a warning and comes first.
#[test]
fn equal_notes_are_one_line() {
    let force = |class: &str, i: usize| format!("<{class} name=\"f{i}\"><expression>q</expression></{class}>");
    let mut forces: String = (0..50).map(|i| force("ExpressionBasedCoordinateForce", i)).collect();
    forces += &(50..53).map(|i| force("ExpressionBasedBushingForce", i)).collect::<String>();
    forces += "<StrangeMuscle name=\"biceps\"><GeometryPath><PathPointSet><objects>\
               <PathPoint name=\"a\"><socket_parent_frame>/bodyset/forearm</socket_parent_frame></PathPoint>\
               <PathPoint name=\"b\"><socket_parent_frame>/ground</socket_parent_frame></PathPoint></objects>\
               </PathPointSet></GeometryPath></StrangeMuscle>";
    let findings = arm(&forces).findings();
    let texts: Vec<&str> = findings.iter().map(|f| f.message.as_str()).collect();
    assert!(findings.len() <= 4, "{texts:#?}");
    assert!(findings[0].severity == Severity::Warning && texts[0].contains("`biceps`"), "{texts:#?}");
    let all = texts.iter().find(|t| t.contains("53 elements of 2 classes")).unwrap_or_else(|| panic!("{texts:#?}"));
    assert!(all.contains("`f0`, `f1`") && all.contains("more") && all.contains("expressions"), "{all}");
}

/// Every model of the shared data is read; the notes on each fit on a screen.
#[test]
fn every_shared_model_is_read_and_told_in_few_lines() {
    let Some(root) = data::shared("") else { return };
    let (mut folders, mut count) = (vec![root], 0);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "osim") {
                let file = osim::read(&std::fs::read(&path).unwrap()).unwrap_or_else(|e| panic!("{path:?}: {e}"));
                let model = convert(&file).unwrap_or_else(|e| panic!("{path:?}: {e:?}"));
                model.build().unwrap_or_else(|e| panic!("{path:?}: {e:?}"));
                assert!(model.findings().len() <= 6, "{path:?}: {:#?}", model.findings());
                count += 1;
            }
        }
    }
    assert!(count >= 84, "{count} models");
}
