use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use wolff_study::{VerifyItem, verify};

/// Our file, the file it was taken from, and numbers that must agree: pointers into both.
type Source = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SOURCES: [Source; 6] = [
    (
        include_str!("../../verify/spheres.json"),
        "01_colliding_spheres.json",
        &[
            ("/laws/flores/numbers/delta_max_m", "/data/laws/flores/delta_max_m"),
            ("/laws/kelvin-voigt/numbers/restitution", "/data/laws/kelvin_voigt/end_at_delta_zero/true_restitution"),
            ("/laws/gonthier-exact/samples/rows/2/1", "/data/laws/gonthier_exact_d/trajectory_samples/2/delta_m"),
            ("/restitution/rows/1/6", "/data/true_restitution_versus_cr/0.3/gonthier"),
        ],
    ),
    (
        include_str!("../../verify/slider_crank.json"),
        "02_slider_crank_impact.json",
        &[
            (
                "/variants/printed-inertia/laws/hertz/impacts/1/force_max_n",
                "/data/printed_inertia/laws/hertz/impacts/1/max_force_N",
            ),
            (
                "/variants/uniform-rod-inertia/laws/lee-wang/samples/rows/8/4",
                "/data/uniform_rod_inertia/laws/lee_wang/samples/8/slider_v_m_s",
            ),
        ],
    ),
    (
        include_str!("../../verify/human.json"),
        "03_human_seven_bodies.json",
        &[
            ("/motion/1/a/20", "/data/exact_motion/1/a/20"),
            ("/inverse/1/lambda/14", "/data/inverse_dynamics/1/lambda_/14"),
            ("/drift/4/log/rows/5/1", "/data/drift_perturbed_velocity/1/final/norm_phi"),
        ],
    ),
    (
        include_str!("../../verify/rigid.json"),
        "04_rigid_multibody.json",
        &[
            ("/pendulum/horizontal/history/rows/3/1", "/data/simple_pendulum_A01/results/3/theta_rad"),
            ("/double_pendulum/points/rows/3/4", "/data/double_pendulum_point/results/3/omega2_rad_s"),
            ("/four_bar/2/history/rows/3/1", "/data/n_four_bar_A02/cases/2/history/3/theta_rad"),
            ("/andrews/history/rows/2/15", "/data/andrews_A03/history/2/lambda_/0"),
            ("/bricard/history/rows/7/9", "/data/bricard_A04/history/7/P3/2"),
            ("/flyball/history/rows/5/2", "/data/flyball_A05/history/5/s_m"),
            ("/heavy_top/history/rows/4/9", "/data/heavy_top/history/4/rotation_matrix/0/2"),
            ("/free_body/history/rows/4/4", "/data/dzhanibekov/history/4/quaternion_wxyz/0"),
        ],
    ),
    (
        include_str!("../../verify/contact_functions.json"),
        "09_step_impact_exercise.json",
        &[
            ("/step/rows/2/5", "/data/step/cases/2/value"),
            ("/drops/1/history/rows/5/1", "/data/impact_drop/1/history/5/penetration_m"),
        ],
    ),
    (
        include_str!("../../verify/signals.json"),
        "11_signal_processing.json",
        &[
            ("/filters/5hz-50hz/rows/rows/3/3", "/data/butterworth_5Hz_50Hz/filtfilt_odd_pad/3"),
            ("/spline/cases/periodic/rows/4/3", "/data/cubic_spline/periodic/4/d2"),
        ],
    ),
];

fn failed(items: &[VerifyItem]) -> Vec<&VerifyItem> {
    items.iter().filter(|item| !item.pass).collect()
}

#[test]
fn every_number_agrees_with_its_reference() {
    let mut fractions = Vec::new();
    let items = verify(None, &mut |fraction| fractions.push(fraction));
    assert!(failed(&items).is_empty(), "{:#?}", failed(&items));

    let ids: HashSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids.len(), items.len(), "two items of one name");
    assert!(items.iter().all(|item| !item.source.is_empty()), "an item without a source");
    assert!(fractions.is_sorted() && fractions.last() == Some(&1.0), "{fractions:?}");

    // nothing was lost on the way: every problem has its share
    let mut counts = BTreeMap::new();
    for item in &items {
        *counts.entry(item.id.split('.').next().unwrap_or_default()).or_insert(0) += 1;
    }
    let least = [
        ("spheres", 300),
        ("slider-crank", 700),
        ("human-sagittal", 80),
        ("pendulum", 18),
        ("double-pendulum", 20),
        ("four-bar", 33),
        ("andrews", 32),
        ("bricard", 27),
        ("flyball", 10),
        ("heavy-top", 22),
        ("free-body", 20),
        ("contact-functions", 20),
        ("signals", 35),
    ];
    for (problem, count) in least {
        assert!(counts.get(problem).is_some_and(|&n| n >= count), "{problem}: {:?}", counts.get(problem));
    }
}

#[test]
fn a_pattern_chooses_items() {
    let flores = verify(Some("spheres.flores"), &mut |_| {});
    assert!(flores.len() > 10 && flores.iter().all(|item| item.id.starts_with("spheres.flores.")));
    // the name of a problem chooses that one, a part of names every problem that has it
    let simple = verify(Some("pendulum"), &mut |_| {});
    assert!(!simple.is_empty() && simple.iter().all(|item| item.id.starts_with("pendulum.")));
    let both = verify(Some("pendul"), &mut |_| {});
    let problems: HashSet<_> = both.iter().filter_map(|item| item.id.split('.').next()).collect();
    assert_eq!(problems, HashSet::from(["pendulum", "double-pendulum"]));
}

/// The folder of the reference solutions, where this copy of the source has it.
fn reference_folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    folder.is_dir().then_some(folder)
}

/// Bits of all numbers in a value, and of keys that are numbers.
fn numbers(value: &Value, found: &mut HashSet<u64>) {
    match value {
        Value::Number(x) => _ = x.as_f64().map(|x| found.insert(x.to_bits())),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Object(map) => {
            for (key, value) in map.iter().filter(|(key, _)| *key != "perturbation") {
                found.extend(key.parse::<f64>().ok().map(f64::to_bits));
                numbers(value, found);
            }
        }
        _ => {}
    }
}

#[test]
fn embedded_references_are_those_of_their_files() {
    let Some(folder) = reference_folder() else {
        println!("skipped: ../shared not found");
        return;
    };
    for (ours, file, pointers) in SOURCES {
        let ours: Value = serde_json::from_str(ours).unwrap();
        let theirs: Value = serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        for (own, other) in pointers {
            let number = ours.pointer(own).and_then(Value::as_f64);
            assert!(number.is_some(), "{own} is no number");
            assert_eq!(number, theirs.pointer(other).and_then(Value::as_f64), "{own} of {file}");
        }
        // no number of ours is foreign to the file
        let (mut embedded, mut known) = (HashSet::new(), HashSet::new());
        numbers(&ours, &mut embedded);
        numbers(&theirs, &mut known);
        let foreign: Vec<f64> = embedded.difference(&known).map(|&bits| f64::from_bits(bits)).collect();
        assert!(foreign.iter().all(|x| *x == 0.0), "{file} does not have {foreign:?}");
    }
}
