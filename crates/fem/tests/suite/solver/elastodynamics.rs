use nalgebra::{Vector3, Vector6};
use wolff_fem::TetMesh;
use wolff_fem::assembly::Assembled;
use wolff_fem::dofs::Constraints;
use wolff_fem::elastodynamics::{ElasticModel, Frame, StrainHistory, Support};
use wolff_fem::gauge::{GaugePlace, GaugeSite, GaugeSpec};
use wolff_fem::locate::Locator;
use wolff_fem::material::MaterialField;
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::newmark::{Newmark, Rayleigh};
use wolff_fem::recovery::Recovery;
use wolff_fem::solve::{Loads, Statics};

use crate::{SHANK, TIP_LOAD, TIP_STRAIN, assemble, assert_close, shank};

struct Bone {
    mesh: TetMesh,
    system: Assembled,
    ends: Constraints,
    sites: Vec<GaugeSite>,
}

fn bone() -> Bone {
    let (mesh, materials, ends) = shank([1, 16, 6]);
    let system = assemble(&mesh, &materials).unwrap();
    let sites = sites(&mesh, &materials);
    Bone { mesh, system, ends, sites }
}

fn sites(mesh: &TetMesh, materials: &MaterialField) -> Vec<GaugeSite> {
    let place = GaugePlace::NearestNode(Vector3::new(-SHANK[2], 0.0, SHANK[0] / 2.0));
    let spec = GaugeSpec { name: "back".into(), place, along: Vector3::z() };
    vec![GaugeSite::place(&spec, &Recovery::new(mesh), &Locator::new(mesh).unwrap(), materials).unwrap()]
}

fn model(bone: &Bone, support: Support) -> ElasticModel<'_> {
    ElasticModel::new(&bone.mesh, &bone.system, &bone.ends, &[], &bone.sites, support).unwrap()
}

/// A frame at rest with the tip load times `amount`.
fn frame(amount: f64) -> Frame {
    Frame {
        acceleration: Vector3::zeros(),
        angular_velocity: Vector3::zeros(),
        angular_acceleration: Vector3::zeros(),
        interface: TIP_LOAD.map(|load| load.map(|f| amount * f)).to_vec(),
        point: vec![],
    }
}

fn axial(history: &StrainHistory) -> Vec<f64> {
    history.strain.iter().map(|gauges| gauges[0][0]).collect()
}

/// Constant loads: free and held give the strain of the clamped mesh, frame by frame.
#[test]
fn quasi_static_equals_statics() {
    let bone = bone();
    let held = Constraints { rigid: vec![bone.ends.rigid[1].clone()], ..Constraints::default() }
        .clamp(&bone.ends.rigid[0].nodes);
    let statics = Statics::new(&bone.mesh, &bone.system, &held).unwrap();
    let loads = Loads { interface: vec![TIP_LOAD[1]], ..Loads::none(&bone.mesh, 1) };
    let expected = bone.sites[0].strain(&statics.solve(&loads).unwrap().displacement);
    assert_close(expected[0], TIP_STRAIN, 0.02 * TIP_STRAIN);
    for support in [Support::Free, Support::Interface(0)] {
        let history = model(&bone, support).quasi_static(&[frame(1.0), frame(-0.5)]).unwrap();
        assert!((history.strain[0][0] - expected).amax() < 1e-8 * TIP_STRAIN);
        assert!((history.strain[1][0] + expected * 0.5).amax() < 1e-8 * TIP_STRAIN);
    }
    let balanced = model(&bone, Support::Free).quasi_static(&[frame(1.0)]).unwrap();
    assert!(balanced.unbalanced[0].amax() < 1e-9 * 500.0);
}

/// Spinning about x: `σ = ρ ω² (L²/4 - s²)/2` along a free bar; hung up by one end under gravity: `σ = ρ g (L - z)`.
#[test]
fn inertia_loads_equal_closed_forms() {
    let bone = bone();
    let still = frame(0.0);
    let spin = Frame { angular_velocity: Vector3::new(30.0, 0.0, 0.0), ..still.clone() };
    let pull = 1900.0 * 900.0 * (SHANK[0] / 2.0).powi(2) / 2.0;
    // About the origin, an end of the bar: the centre of mass turns on a circle, carried by a rigid acceleration.
    let free = model(&bone, Support::Free).quasi_static(&[spin]).unwrap();
    assert_close(free.strain[0][0][0], pull / 17e9, 0.01 * pull / 17e9);
    let gravity = Frame { acceleration: Vector3::new(0.0, 0.0, -9.81), ..still.clone() };
    let hung = model(&bone, Support::Interface(0)).quasi_static(std::slice::from_ref(&gravity)).unwrap();
    let weight = 1900.0 * 9.81 * SHANK[0] / 2.0;
    assert_close(hung.strain[0][0][0], weight / 17e9, 0.01 * weight / 17e9);
    // A free fall strains nothing; the given acceleration stays unbalanced.
    let falling = model(&bone, Support::Free).quasi_static(&[gravity]).unwrap();
    assert!(falling.strain[0][0].amax() < 1e-9 * weight / 17e9);
    let mass = falling.unbalanced[0][2] / 9.81;
    assert_close(mass, 1900.0 * std::f64::consts::PI * (0.037f64.powi(2) - 0.027f64.powi(2)) * SHANK[0], 1e-3 * mass);
    // Angular acceleration of the held bone: the bending of its own inertia, linear in α.
    let turn = Frame { angular_acceleration: Vector3::new(0.0, 100.0, 0.0), ..still };
    let turned = model(&bone, Support::Interface(0)).quasi_static(&[turn]).unwrap();
    assert!(turned.strain[0][0][0].abs() > 1e-9);
    assert_eq!(turned.unbalanced[0].fixed_rows::<3>(3).amax(), turned.unbalanced[0][4].abs());
}

/// Let go from a static bend, the free bone vibrates in its first bending mode.
#[test]
fn free_vibration_has_the_first_frequency() {
    let bone = bone();
    let first =
        vibration_modes(&bone.mesh, &bone.system, &bone.ends, 1, &ModeOptions::default()).unwrap().frequencies()[0];
    let bend = |amount: f64| Frame { interface: vec![[amount, 0.0, 0.0, 0.0, 0.0, 0.0]; 2], ..frame(0.0) };
    let steps_per_period = 40;
    let newmark = Newmark { interval: 1.0 / first / steps_per_period as f64, steps: 1, damping: Rayleigh::default() };
    let frames: Vec<Frame> = (0..=13 * steps_per_period).map(|k| bend(if k == 0 { 100.0 } else { 0.0 })).collect();
    let strain = axial(&model(&bone, Support::Free).dynamic(&frames, &newmark).unwrap());
    let crossing = |k: usize| k as f64 + strain[k] / (strain[k] - strain[k + 1]);
    let crossings: Vec<f64> =
        (1..strain.len() - 1).filter(|&k| strain[k] * strain[k + 1] < 0.0).map(crossing).collect();
    assert!(crossings.len() >= 25, "{crossings:?}");
    // The slope of the line through 25 crossings is half a period.
    let mean = crossings[..25].iter().sum::<f64>() / 25.0;
    let slope = (0..25).map(|k| (k as f64 - 12.0) * (crossings[k] - mean)).sum::<f64>() / 1300.0;
    let period = 2.0 * slope / steps_per_period as f64;
    // Newmark lengthens the period by (ω h)²/12; higher modes shift a crossing by some 4 % of a period, of 12.
    let lengthened = 1.0 + (std::f64::consts::TAU / steps_per_period as f64).powi(2) / 12.0;
    assert_close(period, lengthened, 0.003);
    // No damping: the third swing is as large as the first, but for the share of higher modes.
    let peak = |from: usize| strain[from..from + steps_per_period].iter().fold(0.0f64, |a, b| a.max(b.abs()));
    assert_close(peak(2 * steps_per_period), peak(1), 0.1 * peak(1));
}

/// Slow loads: dynamics tends to statics.
#[test]
fn slow_loads_are_quasi_static() {
    let bone = bone();
    for support in [Support::Free, Support::Interface(0)] {
        let model = model(&bone, support);
        let deviation = |duration: f64| {
            let smooth = |t: f64| 0.5 - 0.5 * (std::f64::consts::TAU * t).cos();
            let frames: Vec<Frame> = (0..=40).map(|k| frame(smooth(k as f64 / 40.0))).collect();
            let damping = Rayleigh::from_ratio(0.05, 200.0, 2000.0);
            // Steps of a quarter of a millisecond for all durations.
            let newmark = Newmark { interval: duration / 40.0, steps: (100.0 * duration).round() as usize, damping };
            let (fast, slow) = (model.dynamic(&frames, &newmark).unwrap(), model.quasi_static(&frames).unwrap());
            axial(&fast).iter().zip(axial(&slow)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / TIP_STRAIN
        };
        let (quick, slow) = (deviation(0.02), deviation(0.2));
        assert!(slow < 0.005 && slow < quick / 5.0, "{support:?}: {quick} {slow}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let bone = bone();
    let free = model(&bone, Support::Free);
    let short = Frame { interface: vec![], ..frame(1.0) };
    assert!(free.quasi_static(&[frame(1.0), short]).unwrap_err().to_string().contains("frame 1"));
    let endless = Frame { acceleration: Vector3::new(0.0, f64::NAN, 0.0), ..frame(0.0) };
    assert!(free.quasi_static(&[endless]).unwrap_err().to_string().contains("frame 0"));
    for newmark in [
        Newmark { interval: 0.0, steps: 1, damping: Rayleigh::default() },
        Newmark { interval: 0.1, steps: 0, damping: Rayleigh::default() },
        Newmark { interval: 0.1, steps: 1, damping: Rayleigh { mass: -1.0, stiffness: 0.0 } },
    ] {
        assert!(free.dynamic(&[frame(0.0)], &newmark).is_err());
    }
    let newmark = Newmark { interval: 0.1, steps: 1, damping: Rayleigh::default() };
    assert_eq!(free.dynamic(&[], &newmark).unwrap().strain, Vec::<Vec<Vector6<f64>>>::new());
    let missing = ElasticModel::new(&bone.mesh, &bone.system, &bone.ends, &[], &bone.sites, Support::Interface(2));
    assert!(missing.unwrap_err().to_string().contains("no interface 2"));
}
