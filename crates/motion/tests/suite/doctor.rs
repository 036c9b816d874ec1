use crate::data;
use std::f64::consts::TAU;
use wolff_formats::trial::{Axes, ForcePlate, ForcePlateTrial, GroundWrench, Marker, MarkerTrial};
use wolff_formats::{sto, trc};
use wolff_motion::doctor::{Fault, Finding, Patient, Severity, examine};

const RATE: f64 = 100.0;
const FRAMES: usize = 300;
const SPEED: f64 = 1.2;

/// Where a marker is on a body that walks along x: forward of the middle, height, to the right [m].
const BODY: [(&str, [f64; 3]); 15] = [
    ("C7", [-0.05, 1.5, 0.0]),
    ("R.Shoulder", [0.0, 1.4, 0.2]),
    ("L.Shoulder", [0.0, 1.4, -0.2]),
    ("R.ASIS", [0.1, 1.0, 0.12]),
    ("L.ASIS", [0.1, 1.0, -0.12]),
    ("R.PSIS", [-0.1, 1.02, 0.05]),
    ("L.PSIS", [-0.1, 1.02, -0.05]),
    ("R.Knee", [0.0, 0.5, 0.15]),
    ("L.Knee", [0.0, 0.5, -0.15]),
    ("R.Ankle", [0.0, 0.1, 0.12]),
    ("L.Ankle", [0.0, 0.1, -0.12]),
    ("R.Heel", [-0.06, 0.05, 0.1]),
    ("L.Heel", [-0.06, 0.05, -0.1]),
    ("R.Toe", [0.16, 0.05, 0.12]),
    ("L.Toe", [0.16, 0.05, -0.12]),
];

/// How far a leg is ahead of the body at a time [m]: one step a second, legs opposite.
fn ahead(name: &str, height: f64, time: f64) -> f64 {
    let phase = if name.starts_with('L') { 0.5 } else { 0.0 };
    let leg = if height < 0.9 { 0.3 * (1.0 - height) } else { 0.0 };
    leg * (TAU * (time + phase)).sin()
}

fn walker() -> MarkerTrial {
    let times: Vec<f64> = (0..FRAMES).map(|f| f as f64 / RATE).collect();
    let point = |name: &str, [x, y, z]: [f64; 3], t: f64| Some([SPEED * t + x + ahead(name, y, t), y, z]);
    let markers = BODY
        .iter()
        .map(|(name, place)| Marker {
            name: name.to_string(),
            points: times.iter().map(|&t| point(name, *place, t)).collect(),
        })
        .collect();
    MarkerTrial::new("walk", RATE, times, markers).unwrap()
}

/// Ten samples a frame; the right foot is loaded while its leg goes back, the left one otherwise.
fn ground(rate: f64) -> ForcePlateTrial {
    let times: Vec<f64> = (0..(FRAMES as f64 * rate / RATE) as usize).map(|i| i as f64 / rate).collect();
    let plate = |name: &str, side: f64| ForcePlate {
        name: name.into(),
        corners: None,
        samples: times
            .iter()
            .map(|&t| {
                let push = (TAU * (t + if side < 0.0 { 0.5 } else { 0.0 })).cos();
                let point = [SPEED * t + 0.05 + ahead(name, 0.05, t), 0.0, 0.11 * side];
                let loaded = GroundWrench { force: [20.0, -700.0 * push, 10.0], point: Some(point), moment: [0.0; 3] };
                Some(if push < -0.2 { loaded } else { GroundWrench::UNLOADED })
            })
            .collect(),
    };
    ForcePlateTrial::new(rate, times.clone(), vec![plate("R", 1.0), plate("L", -1.0)], Vec::new()).unwrap()
}

fn edit(trial: MarkerTrial, change: impl FnOnce(&mut Vec<Marker>)) -> MarkerTrial {
    let mut markers = trial.markers().to_vec();
    change(&mut markers);
    trial.with_markers(markers).unwrap()
}

fn index(name: &str) -> usize {
    BODY.iter().position(|(n, _)| *n == name).unwrap()
}

fn of_markers(trial: &MarkerTrial) -> Vec<Finding> {
    examine(&Patient { markers: Some(trial), ..Patient::default() })
}

/// The only fault there is.
fn only(findings: Vec<Finding>, fault: Fault) -> Finding {
    assert_eq!(findings.iter().map(|f| f.fault).collect::<Vec<_>>(), [fault], "{findings:#?}");
    findings.into_iter().next().unwrap()
}

#[test]
fn a_sound_trial_has_no_findings() {
    let (markers, forces) = (walker(), ground(1000.0));
    let patient = Patient { markers: Some(&markers), forces: Some(&forces), mass: Some(70.0), height: Some(1.75) };
    assert_eq!(examine(&patient), []);
}

#[test]
fn millimetres_taken_for_metres_are_named() {
    let scaled = |factor: f64| {
        edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| *p = p.map(|x| x * factor)))
    };
    for (factor, words) in
        [(1000.0, "the numbers are mm"), (100.0, "the numbers are cm"), (0.001, "metres were read as mm")]
    {
        let found = examine(&Patient { markers: Some(&scaled(factor)), ..Patient::default() });
        let unit = found.iter().find(|f| f.fault == Fault::Unit).unwrap_or_else(|| panic!("{factor}: {found:#?}"));
        assert!(unit.remedy.contains(words) && unit.severity == Severity::Error, "{unit:?}");
    }
}

/// Whatever the laboratory's axes are, the remedy names those that make the trial sound again.
#[test]
fn the_remedy_for_other_axes_undoes_them() {
    for text in ["x,z", "-y,z", "y,x", "z,-x", "-x,y", "z,y"] {
        let axes: Axes = text.parse().unwrap();
        // the inverse of a rotation is its transpose: apply it by where it takes the unit vectors
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|e| axes.apply(e));
        let back = |p: [f64; 3]| rows.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
        let turned = edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| *p = back(*p)));
        let finding = only(of_markers(&turned), Fault::Axes);
        let told = finding.remedy.split("--axes ").nth(1).unwrap().trim_end_matches(')').to_string();
        assert_eq!(told, text, "{finding:?}");
        assert_eq!(of_markers(&turned.rotated(&told.parse().unwrap())), [], "{text}");
    }
}

#[test]
fn walking_backwards_is_named() {
    let reversed = edit(walker(), |m| m.iter_mut().for_each(|m| m.points.reverse()));
    let finding = only(of_markers(&reversed), Fault::Backwards);
    assert!(finding.message.contains("moves 3.59 m against"), "{finding}");
}

#[test]
fn gaps_are_told_with_marker_time_and_length() {
    let gappy = edit(walker(), |m| {
        m[index("L.Knee")].points[50..80].fill(None);
        m[index("R.Heel")].points[10..14].fill(None);
        m[index("C7")].points[0..3].fill(Some([0.0; 3]));
    });
    let findings = of_markers(&gappy);
    let find = |name: &str, fault: Fault| findings.iter().find(|f| f.fault == fault && f.subjects == [name]).unwrap();
    let long = find("L.Knee", Fault::Gap);
    assert_eq!((long.severity, long.span), (Severity::Warning, Some([0.5, 0.79])));
    assert!(long.message.contains("30 of 300 frames") && long.message.contains("(0.300 s)"), "{long}");
    assert_eq!(find("R.Heel", Fault::Gap).severity, Severity::Note);
    assert_eq!(find("C7", Fault::AtOrigin).span, Some([0.0, 0.02]));
}

#[test]
fn an_exchange_of_two_markers_is_told_from_when_to_when() {
    let swapped = edit(walker(), |m| {
        let (i, j) = (index("R.Knee"), index("L.Knee"));
        for frame in 120..160 {
            let kept = m[i].points[frame];
            m[i].points[frame] = m[j].points[frame];
            m[j].points[frame] = kept;
        }
    });
    let finding = only(of_markers(&swapped), Fault::Swap);
    assert_eq!(finding.subjects, ["R.Knee", "L.Knee"]);
    assert_eq!(finding.span, Some([1.2, 1.6]));
    assert!(finding.remedy.contains("exchange their names from 1.200 s to 1.600 s"), "{finding}");
}

#[test]
fn markers_on_the_wrong_side_are_named() {
    let swapped = edit(walker(), |m| {
        let (i, j) = (index("R.Shoulder"), index("L.Shoulder"));
        let kept = std::mem::take(&mut m[i].points);
        m[i].points = std::mem::replace(&mut m[j].points, kept);
    });
    assert_eq!(only(of_markers(&swapped), Fault::Swap).subjects, ["R.Shoulder", "L.Shoulder"]);
    let mirrored = edit(walker(), |m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| p[2] = -p[2]));
    assert!(only(of_markers(&mirrored), Fault::Axes).remedy.contains("left-handed"));
}

#[test]
fn a_spike_is_told_with_its_time() {
    let spiky = edit(walker(), |m| m[index("R.Toe")].points[200].as_mut().unwrap()[1] += 0.1);
    let finding = only(of_markers(&spiky), Fault::Spike);
    assert_eq!((finding.subjects, finding.span), (vec!["R.Toe".to_string()], Some([2.0, 2.0])));
}

#[test]
fn times_that_stand_or_skip_are_told() {
    let trial = walker();
    let mut times = trial.times().to_vec();
    times[30] = times[29];
    let standing = MarkerTrial::new("", RATE, times, trial.markers().to_vec()).unwrap();
    let findings = of_markers(&standing);
    assert!(findings.iter().any(|f| f.fault == Fault::Time && f.span == Some([0.29, 0.29])), "{findings:#?}");
    let later = trial.times().iter().map(|t| if *t > 1.0 { t + 0.5 } else { *t }).collect();
    let hole = MarkerTrial::new("", RATE, later, trial.markers().to_vec()).unwrap();
    assert!(only(of_markers(&hole), Fault::Rate).message.contains("1 hole(s)"));
}

fn of_both(markers: &MarkerTrial, forces: &ForcePlateTrial) -> Vec<Finding> {
    examine(&Patient { markers: Some(markers), forces: Some(forces), ..Patient::default() })
}

#[test]
fn force_rates_that_do_not_fit_are_told() {
    assert!(only(of_both(&walker(), &ground(1050.0)), Fault::Rate).message.contains("not a whole multiple"));
}

fn with_plates(change: impl Fn(&mut ForcePlate)) -> ForcePlateTrial {
    let forces = ground(1000.0);
    let mut plates = forces.plates().to_vec();
    plates.iter_mut().for_each(change);
    ForcePlateTrial::new(1000.0, forces.times().to_vec(), plates, Vec::new()).unwrap()
}

#[test]
fn faults_of_the_force_plates_are_named() {
    let each = |change: fn(&mut GroundWrench)| with_plates(|p| p.samples.iter_mut().flatten().for_each(change));
    let cases = [
        (each(|s| s.force = s.force.map(|x| -x)), Fault::ForceDirection, "change the sign"),
        (each(|s| s.force = [s.force[0], s.force[2], s.force[1]]), Fault::ForceDirection, "different axes"),
        (each(|s| s.point = s.point.map(|p| [p[0], p[1], p[2] + 0.8])), Fault::PlateNotUnderFoot, "plates exchanged"),
        (each(|s| s.point = None), Fault::ForceGap, "export the forces again"),
        (with_plates(|p| p.samples[5] = None), Fault::ForceGap, "export the forces again"),
        (
            with_plates(|p| p.corners = Some([[9.0, 0.0, 1.0], [8.0, 0.0, 1.0], [8.0, 0.0, 0.0], [9.0, 0.0, 0.0]])),
            Fault::OffPlate,
            "wrong origin",
        ),
    ];
    for (forces, fault, words) in cases {
        let findings = of_both(&walker(), &forces);
        assert_eq!(
            findings.iter().map(|f| (f.fault, f.subjects.join(" "))).collect::<Vec<_>>(),
            [(fault, "R".into()), (fault, "L".into())]
        );
        assert!(findings[0].remedy.contains(words), "{findings:#?}");
    }
}

#[test]
fn a_mass_in_pounds_is_named() {
    let forces = ground(1000.0);
    let by_height = examine(&Patient { mass: Some(154.0), height: Some(1.75), ..Patient::default() });
    assert!(only(by_height, Fault::Mass).remedy.contains("69.9 kg"));
    let by_force = examine(&Patient { mass: Some(154.0), forces: Some(&forces), ..Patient::default() });
    assert!(only(by_force, Fault::Mass).message.contains("0.46 of the weight"));
    assert!(examine(&Patient { mass: Some(-1.0), ..Patient::default() })[0].message.contains("-1 kg"));
}

/// Trials that others published as sound have no errors; the ones with known faults have those.
#[test]
fn real_trials_are_judged_as_they_are() {
    let pairs = [
        ("gait1992-pipeline/experimental_data/task.trc", "gait1992-pipeline/experimental_data/task_grf.mot"),
        ("rajagopal-walk/markers_walk.trc", "rajagopal-walk/grf_walk.mot"),
        ("knee-lenhart/motion/overground_17.trc", "knee-lenhart/motion/overground_17_grf.mot"),
        (
            "addbiomechanics-walk/subject01/processed/walk2.trc",
            "addbiomechanics-walk/subject01/processed/walk2_grf.mot",
        ),
    ];
    for (markers, forces) in pairs {
        let (Some(m), Some(f)) = (data::bytes(markers), data::bytes(forces)) else { continue };
        let markers = trc::read(&m).unwrap();
        let forces = ForcePlateTrial::from_storage(&sto::read(&f).unwrap()).unwrap();
        let findings = of_both(&markers, &forces);
        assert!(findings.iter().all(|f| f.severity < Severity::Error), "{findings:#?}");
    }
    // recorded with Z up
    let Some(bytes) = data::bytes("opensim-core/Scale/init100.trc") else { return };
    assert!(only(of_markers(&trc::read(&bytes).unwrap()), Fault::Axes).remedy.contains("--axes x,z"));
    // gaps written as zeros
    let Some(bytes) = data::bytes("knee-tka-dm/motion/DM_ngait_og1_new.trc") else { return };
    let findings = of_markers(&trc::read(&bytes).unwrap());
    assert!(findings.iter().any(|f| f.fault == Fault::AtOrigin && f.subjects == ["L_Hindfoot"]));
}
