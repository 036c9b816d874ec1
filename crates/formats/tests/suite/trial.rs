use crate::shared;
use wolff_formats::sto;
use wolff_formats::trial::{Axes, ForcePlateTrial, Gap, LengthUnit, Marker, MarkerTrial};

#[test]
fn axes_turn_the_laboratory_to_forward_up_right() {
    // forward, up and right of the laboratory land on x, y, z
    for (text, forward, up, right) in [
        ("x,z", [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]),
        ("-y +z", [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]),
        ("+Z-X", [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
    ] {
        let axes: Axes = text.parse().unwrap();
        assert_eq!(axes.apply(forward), [1.0, 0.0, 0.0], "{text}");
        assert_eq!(axes.apply(up), [0.0, 1.0, 0.0], "{text}");
        assert_eq!(axes.apply(right), [0.0, 0.0, 1.0], "{text}");
    }
    assert_eq!("x,z".parse::<Axes>().unwrap(), Axes::X_FORWARD_Z_UP);
    assert_eq!("xy".parse::<Axes>().unwrap(), Axes::ISB);
    for bad in ["x", "x,x", "x,-x", "x,w", "xyz", "", "x,y-"] {
        assert!(bad.parse::<Axes>().is_err(), "{bad:?}");
    }
}

#[test]
fn gaps_are_runs_of_missing_frames() {
    let p = Some([1.0, 2.0, 3.0]);
    let markers = vec![
        Marker { name: "a".into(), points: vec![None, None, p, None] },
        Marker { name: "b".into(), points: vec![None, p, p, p] },
    ];
    let trial = MarkerTrial::new("", 10.0, vec![0.0, 0.1, 0.2, 0.3], markers).unwrap();
    let gap = |marker, first, frames| Gap { marker, first, frames };
    assert_eq!(trial.gaps(), [gap(0, 0, 2), gap(0, 3, 1), gap(1, 0, 1)]);
    let table = trial.table().unwrap();
    assert_eq!(table.labels(), ["time", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z"]);
    assert!(table.rows()[0][1].is_nan() && table.rows()[2][1..4] == [1.0, 2.0, 3.0]);
}

#[test]
fn values_that_are_no_trial_are_refused() {
    let marker = |name: &str, x: f64| Marker { name: name.into(), points: vec![Some([x, 0.0, 0.0])] };
    let new = |rate, times, markers| MarkerTrial::new("", rate, times, markers).unwrap_err().to_string();
    assert!(new(0.0, vec![0.0], vec![]).contains("must be positive"));
    assert!(new(1.0, vec![f64::NAN], vec![]).contains("frame 1 is not finite"));
    assert!(new(1.0, vec![0.0], vec![marker("a", f64::NAN)]).contains("a gap is `None`"));
    assert!(new(1.0, vec![0.0], vec![marker("a", 0.0), marker("a", 0.0)]).contains("used twice"));
    assert!(new(1.0, vec![0.0, 1.0], vec![marker("a", 0.0)]).contains("1 points for 2 frames"));
}

#[test]
fn units_have_many_names() {
    for (name, metres) in [("mm", 0.001), ("Meters", 1.0), (" CM ", 0.01), ("inches", 0.0254)] {
        assert_eq!(LengthUnit::from_name(name).unwrap().metres(), metres, "{name}");
    }
    assert_eq!(LengthUnit::from_name("furlong"), None);
}

#[test]
fn forces_are_found_by_the_names_in_use() {
    let labels = [
        [
            "ground_force_vx ground_force_vy ground_force_vz ground_force_px ground_force_py ground_force_pz",
            "ground_torque_x ground_torque_y ground_torque_z",
        ],
        [
            "1_ground_force_vx 1_ground_force_vy 1_ground_force_vz 1_ground_force_px 1_ground_force_py 1_ground_force_pz",
            "1_ground_torque_x 1_ground_torque_y 1_ground_torque_z",
        ],
        [
            "ground_force_calcn_r_vx ground_force_calcn_r_vy ground_force_calcn_r_vz ground_force_calcn_r_px ground_force_calcn_r_py ground_force_calcn_r_pz",
            "ground_force_calcn_r_mx ground_force_calcn_r_my ground_force_calcn_r_mz",
        ],
    ];
    for [force, torque] in labels {
        let text = format!(
            "grf\nendheader\ntime {force} {torque}\n0 1 2 3 4 5 6 7 8 9\n0.5 1 2 NaN 4 5 6 7 8 9\n1 1 2 3 NaN 5 6 7 8 9\n"
        );
        let trial = ForcePlateTrial::from_storage(&sto::read(text.as_bytes()).unwrap()).unwrap();
        let samples = &trial.plates()[0].samples;
        let first = samples[0].unwrap();
        assert_eq!((first.force, first.point, first.moment), ([1.0, 2.0, 3.0], Some([4.0, 5.0, 6.0]), [7.0, 8.0, 9.0]));
        assert_eq!(samples[1], None, "a force without a number is a gap");
        assert_eq!(samples[2].unwrap().point, None);
        assert_eq!(trial.rate(), 2.0);
    }
}

#[test]
fn forces_written_for_opensim_read_back() {
    for name in ["gait1992-pipeline/experimental_data/task_grf.mot", "knee-tka-dm/motion/DM_ngait_og1_grf.sto"] {
        let Some(bytes) = shared::bytes(name) else { continue };
        let before = ForcePlateTrial::from_storage(&sto::read(&bytes).unwrap()).unwrap();
        let text = sto::write(&before.to_storage("grf").unwrap()).unwrap();
        let after = ForcePlateTrial::from_storage(&sto::read(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(after.plates(), before.plates(), "{name}");
        // a person of 60 to 90 kg walks: vertical peaks between 0.9 and 1.5 of the weight
        let peak = before.plates()[0].samples.iter().flatten().map(|s| s.force[1]).fold(0.0, f64::max);
        assert!((500.0..1300.0).contains(&peak), "{name}: {peak}");
    }
}

/// A plate would be lost without a word.
#[test]
fn two_plates_with_the_same_labels_are_refused() {
    let labels = ["vx", "vy", "vz", "px", "py", "pz"].map(|end| format!("ground_force_{end}")).join("\t");
    let text = |labels: &str, row: &str| format!("f\nendheader\ntime\t{labels}\n0\t{row}\n1\t{row}\n");
    let one = text(&labels, "1\t2\t3\t4\t5\t6");
    assert_eq!(ForcePlateTrial::from_storage(&sto::read(one.as_bytes()).unwrap()).unwrap().plates().len(), 1);
    let two = text(&format!("{labels}\t{labels}"), "1\t2\t3\t4\t5\t6\t1\t2\t3\t4\t5\t6");
    let refused = ForcePlateTrial::from_storage(&sto::read(two.as_bytes()).unwrap()).unwrap_err().to_string();
    assert!(refused.contains("`ground_force_vx` of a force belongs to two columns"), "{refused}");
}
