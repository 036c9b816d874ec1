use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use wolff_verify::{VerifyItem, verify};

/// Our file, the file it was taken from, and numbers that must agree: pointers into both.
type Source = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const SOURCES: [Source; 15] = [
    (
        include_str!("../../references/spheres.json"),
        "01_colliding_spheres.json",
        &[
            ("/laws/flores/numbers/delta_max_m", "/data/laws/flores/delta_max_m"),
            ("/laws/kelvin-voigt/numbers/restitution", "/data/laws/kelvin_voigt/end_at_delta_zero/true_restitution"),
            ("/laws/gonthier-exact/samples/rows/2/1", "/data/laws/gonthier_exact_d/trajectory_samples/2/delta_m"),
            ("/restitution/rows/1/6", "/data/true_restitution_versus_cr/0.3/gonthier"),
        ],
    ),
    (
        include_str!("../../references/slider_crank.json"),
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
        include_str!("../../references/human.json"),
        "03_human_seven_bodies.json",
        &[
            ("/motion/1/a/20", "/data/exact_motion/1/a/20"),
            ("/inverse/1/lambda/14", "/data/inverse_dynamics/1/lambda_/14"),
            ("/drift/4/log/rows/5/1", "/data/drift_perturbed_velocity/1/final/norm_phi"),
        ],
    ),
    (
        include_str!("../../references/rigid.json"),
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
        include_str!("../../references/tube.json"),
        "05a_tube_frequencies_and_strain.json",
        &[
            ("/free_hz/bending/1", "/data/fourier_axisymmetric_converged_Hz/free_free_bending_n1/1"),
            ("/sector_hz/free/bending/3", "/data/fourier_axisymmetric_converged_Hz/free_free_bending_n1/3"),
            ("/sector_hz/free/ovalisation/1", "/data/fourier_axisymmetric_converged_Hz/free_free_ovalisation_n2/1"),
            ("/exact_beams/0/hz/clamped-free/3", "/data/timoshenko_Hz/clamped_free/3"),
            (
                "/exact_beams/2/middle_deflection_m",
                "/data/static_strain_analytic_microstrain/E_l_17_G_l_10_printed/three_point_bending/mid_deflection_EB_m",
            ),
            ("/timoshenko_hz/bending/2", "/data/timoshenko_Hz/free_free/2"),
            (
                "/bending_microstrain/cortical/shear",
                "/data/static_strain_converged_microstrain/swapped_E17_10_G5_nut3~17/gamma_zx_plus_y",
            ),
            (
                "/beam_microstrain/cortical-as-printed/torque.shear",
                "/data/static_strain_analytic_microstrain/E_l_17_G_l_10_printed/torque/gamma_outer",
            ),
        ],
    ),
    (
        include_str!("../../references/craig_bampton.json"),
        "05b_craig_bampton.json",
        &[
            ("/bars/tet10/free_hz/0", "/data/tet10/free_free_full_Hz/6"),
            (
                "/bars/tet4/reductions/9/flexible_hz/11",
                "/data/tet4/craig_bampton_rigid_interface/4/orthonormalised_Hz_first18/17",
            ),
            (
                "/bars/tet4/static/2/displacement/5",
                "/data/tet4/static_rigid_interface_bottom_clamped/2/top_reference_displacement_full/5",
            ),
            ("/mesh/tets/767", "/data/tet4/mesh/tets/191/3"),
        ],
    ),
    (
        include_str!("../../references/flexible_beams.json"),
        "05c_flexible_beam_dynamics.json",
        &[
            ("/spin_up/kane/history/rows/3/2", "/data/spin_up_beam_kane/runs/2/history/3/tip_transverse_u2_m"),
            ("/spin_up/wu-haug/u2_min_m", "/data/spin_up_beam_wu_haug/min_tip_u2_m"),
            ("/pendulum/soft/rows/7/1", "/data/flexible_pendulum/runs/2/history/7/tip_x_m"),
            ("/pendulum/stiff/rows/0/4", "/data/flexible_pendulum_stiff/history/0/hinge_slope_angle_rad"),
        ],
    ),
    (
        include_str!("../../references/flexible_slider_crank.json"),
        "05d_flexible_slider_crank.json",
        &[
            ("/variants/test-set/history/rows/3/6", "/data/testset/history/3/q/3"),
            ("/variants/corrected/history/rows/1/13", "/data/corrected_mass/history/1/lambda12/1"),
            ("/published/q.2", "/data/testset/ivp_testset_reference_t0p1/q/1"),
        ],
    ),
    (
        include_str!("../../references/floating_frame.json"),
        "05e_ffrf_inertia.json",
        &[
            ("/mass_matrix/8/3", "/data/case/mass_matrix/8/3"),
            ("/bias/4", "/data/case/quadratic_velocity_left_hand_side_h/4"),
            ("/zxz/bias/6", "/data/case/euler_angle_check/generalized_bias_zxz/6"),
            ("/flight/rows/3/4", "/data/case/free_flight/history/3/quaternion_wxyz/0"),
        ],
    ),
    (
        include_str!("../../references/chord_pendulum.json"),
        "05f_floating_frame_pendulum.json",
        &[
            ("/cases/soft/linear/rows/7/2", "/data/cases/soft_EI2/linear_floating_frame/7/tip_y_m"),
            (
                "/cases/stiff/stiffened/rows/2/3",
                "/data/cases/stiff_EI20/with_second_order_foreshortening/2/mid_offset_from_chord_m",
            ),
        ],
    ),
    (
        include_str!("../../references/elements.json"),
        "06_elements_and_material.json",
        &[
            ("/materials/cortical/stiffness/2/2", "/data/transverse_isotropy/swapped_reading/0/stiffness_GPa/2/2"),
            ("/patch/energy", "/data/patch_test/strain_energy"),
            ("/space/0/von_mises", "/data/principal_strains_3d/0/von_mises_strain_sqrt_2_3"),
        ],
    ),
    (
        include_str!("../../references/foundation.json"),
        "07_elastic_foundation.json",
        &[
            ("/sphere_on_layer/secant-large/rows/2/3", "/data/sphere_on_layer/nonlinear_secant_large/2/force_N"),
            (
                "/under_force/lateral/states/uniaxial-small/peak_mpa",
                "/data/table4_like_lateral/results/nonlinear_uniaxial_small/peak_pressure_MPa",
            ),
            ("/grids/centre/rows/3/4", "/data/grid_convergence/grids/3/Mx_Nmm"),
            ("/socket/8/force_n", "/data/sphere_in_socket/nonlinear_tangent/2/axial_force_N"),
        ],
    ),
    (
        include_str!("../../references/nurbs.json"),
        "08_nurbs.json",
        &[
            ("/surfaces/torus/points/3/along_v/2", "/data/torus/points/3/Sv/2"),
            ("/surfaces/sphere/closest/2/distance", "/data/closest_points/sphere/2/signed_distance"),
            ("/surfaces/cylinder/lines/0/t/1", "/data/ray_hits/cylinder/0/t/1"),
            ("/two_spheres_gap", "/data/two_surface_gap/value"),
        ],
    ),
    (
        include_str!("../../references/contact_functions.json"),
        "09_step_impact_exercise.json",
        &[
            ("/step/rows/2/5", "/data/step/cases/2/value"),
            ("/drops/1/history/rows/5/1", "/data/impact_drop/1/history/5/penetration_m"),
        ],
    ),
    (
        include_str!("../../references/signals.json"),
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

    // every problem has its items
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
        ("spin-up", 17),
        ("flexible-pendulum", 44),
        ("flexible-slider-crank", 46),
        ("floating-frame", 54),
        ("elements", 51),
        ("craig-bampton", 74),
        ("tube", 108),
        ("contact-functions", 20),
        ("signals", 35),
        ("bouncing-ball", 35),
        ("elastic-foundation", 332),
        ("nurbs", 88),
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
    assert_eq!(problems, HashSet::from(["pendulum", "double-pendulum", "flexible-pendulum"]));
}

/// The number of a word: digits or a fraction.
fn number(word: &str) -> Option<f64> {
    match word.split_once('/') {
        Some((top, bottom)) => Some(top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?),
        None => word.parse().ok(),
    }
}

/// Bits of all numbers in a value, of fractions in its texts, and of keys that are numbers.
fn numbers(value: &Value, found: &mut HashSet<u64>) {
    match value {
        Value::Number(x) => _ = x.as_f64().map(|x| found.insert(x.to_bits())),
        Value::String(text) => found.extend(text.split_whitespace().filter_map(number).map(f64::to_bits)),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Object(map) => {
            for (key, value) in map.iter().filter(|(key, _)| !matches!(key.as_str(), "perturbation" | "source")) {
                found.extend(key.parse::<f64>().ok().map(f64::to_bits));
                numbers(value, found);
            }
        }
        _ => {}
    }
}

#[test]
fn embedded_references_are_those_of_their_files() {
    let Some(folder) = wolff_testdata::shared("reference") else { return };
    for (ours, file, pointers) in SOURCES {
        let ours: Value = serde_json::from_str(ours).unwrap();
        let theirs: Value = serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        for (own, other) in pointers {
            let number = ours.pointer(own).and_then(Value::as_f64);
            assert!(number.is_some(), "{own} is not a number");
            assert_eq!(number, theirs.pointer(other).and_then(Value::as_f64), "{own} of {file}");
        }
        // all of our numbers are in the file
        let (mut embedded, mut known) = (HashSet::new(), HashSet::new());
        numbers(&ours, &mut embedded);
        numbers(&theirs, &mut known);
        let foreign: Vec<f64> = embedded.difference(&known).map(|&bits| f64::from_bits(bits)).collect();
        assert!(foreign.iter().all(|x| *x == 0.0), "{file} does not have {foreign:?}");
    }
}
