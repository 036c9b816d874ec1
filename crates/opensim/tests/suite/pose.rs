//! What OpenSim 4.6 computes for the same coordinates and speeds: poses of bodies, markers, centre of mass, mass,
//! kinetic energy.

use crate::data::{place, shared};
use wolff_formats::osim;
use wolff_multibody::{Model, System};
use wolff_opensim::{OpensimModel, convert};
use wolff_spatial::{Mat3, Vec3};

/// Of each model: total mass [kg], coordinates, speeds, kinetic energy [J], rotations (row by row) and positions [m] in
/// ground.
const REFERENCE: &str = include_str!("opensim_poses.txt");

/// Own arithmetic and OpenSim's, over up to ten joints in a row, with places of some metres [m].
const TOLERANCE: f64 = 1e-13;

/// A model as OpenSim has it: where it brings an old file to its own version, it writes places, orientations and
/// inertias with six digits.
fn model_of_opensim(path: &str) -> Option<(OpensimModel, Model)> {
    let mut file = osim::read(&std::fs::read(shared(path)?).unwrap()).unwrap();
    if file.version < 40000 {
        let six_digits = |x: &mut f64| *x = format!("{x:.5e}").parse().unwrap();
        for frame in file.joints.iter_mut().flat_map(|j| &mut j.frames) {
            frame.translation.iter_mut().chain(&mut frame.orientation).for_each(six_digits);
        }
        file.bodies.iter_mut().flat_map(|b| &mut b.inertia).for_each(six_digits);
    }
    let converted = convert(&file).unwrap();
    let model = converted.build().unwrap();
    Some((converted, model))
}

fn numbers<'a>(words: impl Iterator<Item = &'a str>) -> Vec<f64> {
    words.map(|w| w.parse().unwrap()).collect()
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

/// Names with their values.
fn pairs(line: &str) -> Vec<(&str, f64)> {
    let words: Vec<&str> = line.split(' ').skip(1).collect();
    words.chunks(2).map(|pair| (pair[0], pair[1].parse().unwrap())).collect()
}

/// One line of the reference against the placed model.
fn check(line: &str, converted: &OpensimModel, model: &Model, system: &System<'_>, (q, v): (&[f64], &[f64])) {
    let mut words = line.split(' ');
    match words.next().unwrap() {
        "mass" => {
            let mass = numbers(words)[0];
            assert!((model.total_mass() - mass).abs() < 1e-12 * mass, "{line}");
        }
        "kinetic" => {
            let energy = numbers(words)[0];
            assert!((system.energy(0.0, q, v).0 - energy).abs() < 1e-12 * energy, "{line}");
        }
        "com" => {
            let bodies = model.bodies().iter().zip(&system.kin.bodies);
            let moment: Vec3 = bodies.map(|(b, k)| k.X_GB.point(&b.mass.com) * b.mass.mass).sum();
            assert!((moment / model.total_mass() - vector(&numbers(words))).norm() < TOLERANCE, "{line}");
        }
        "body" => {
            let body = model.body_index(words.next().unwrap()).unwrap();
            let x = numbers(words);
            let X = system.kin.bodies[body].X_GB;
            assert!((X.R - Mat3::from_row_slice(&x[..9])).amax() < TOLERANCE, "{line}");
            assert!((X.p - vector(&x[9..])).norm() < TOLERANCE, "{line}");
        }
        "marker" => {
            let name = words.next().unwrap();
            let (_, spec) = converted.markers.iter().find(|(n, _)| n == name).unwrap();
            let p = system.kin.pose(&model.frame(spec).unwrap()).p;
            assert!((p - vector(&numbers(words))).norm() < TOLERANCE, "{line}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn poses_are_those_of_opensim() {
    for part in REFERENCE.split("model ").skip(1) {
        let mut lines = part.lines();
        let Some((converted, model)) = model_of_opensim(lines.next().unwrap()) else { continue };
        let (states, others): (Vec<_>, Vec<_>) = lines.partition(|l| l.starts_with("q ") || l.starts_with("v "));
        let q = place(&model, &pairs(states[0]));
        let mut v = vec![0.0; model.nv()];
        for (name, speed) in states.get(1).map(|line| pairs(line)).unwrap_or_default() {
            v[model.coordinate_index(name).unwrap()] = speed;
        }
        let mut system = System::new(&model);
        system.update_kinematics(&q, &v);
        for line in others {
            check(line, &converted, &model, &system, (&q, &v));
        }
    }
}
