//! Contacts of model files beside OpenSim, and beside closed forms.

use wolff_multibody::{Baumgarte, System};
use wolff_opensim::OpensimSubject;
use wolff_testdata::shared;

/// Values and speeds of the coordinates by the ends of their names: `rx ry rz tx ty tz`.
type State = ([f64; 6], [f64; 6]);

const NAMES: [&str; 6] = ["rx", "ry", "rz", "tx", "ty", "tz"];

/// Accelerations of the coordinates in the same order.
fn accelerations(file: &str, (values, speeds): State) -> Option<[f64; 6]> {
    let folder = shared("data/opensim-core/contact")?;
    let read = OpensimSubject::read(&folder.join(file)).unwrap();
    assert!(read.converted.unconverted.iter().all(|u| !u.class.contains("Force")), "{:?}", read.converted.unconverted);
    let model = &read.subject.model;
    let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let place = |name: &str| {
        let found = read.subject.coordinates.iter().find(|c| c.name.ends_with(name)).unwrap();
        (found.position, found.speed)
    };
    for (k, name) in NAMES.into_iter().enumerate() {
        let (position, speed) = place(name);
        (q[position], v[speed]) = (values[k], speeds[k]);
    }
    System::new(model).accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
    Some(NAMES.map(|name| a[place(name).1]))
}

/// Accelerations of the translations beside those of OpenSim 4.6, relative to the largest. Those of the angles are not
/// compared: OpenSim has the rates of angular velocities in their place.
fn compare(file: &str, records: &[(State, [f64; 3])], tolerance: f64) {
    for (state, expected) in records {
        let Some(found) = accelerations(file, *state) else { return };
        let size = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for ((name, x), y) in NAMES[3..].iter().zip(&found[3..]).zip(expected) {
            assert!((x - y).abs() < tolerance * size, "{file} {name}: {x}, OpenSim {y}");
        }
    }
}

/// Falling with little sliding, turned and rising, and sliding with spin.
const STATES: [State; 3] = [
    ([0.0, 0.0, 0.0, 0.0, 0.0995, 0.0], [0.0, 0.0, 0.0, 0.02, -0.5, 0.0]),
    ([0.1, -0.2, 0.3, 0.01, 0.09, -0.02], [0.0, 0.0, 0.0, 0.3, 0.3, -0.1]),
    ([0.0, 0.0, 0.0, 0.02, 0.095, -0.04], [2.0, -4.0, 1.0, -1.0, 0.0, 0.5]),
];

#[test]
fn a_ball_by_hunt_and_crossley_is_that_of_opensim() {
    let records = [
        (STATES[0], [-87.12574428668039, 1310.2804932568288, 0.0]),
        (STATES[1], [-217.17706796075095, 569.943040012384, 72.39235683832774]),
        (STATES[2], [821.0971369147951, 849.3282394037997, -75.92336584358465]),
    ];
    compare("BouncingBall_HuntCrossley.osim", &records, 1e-8);
    let smooth = [
        (STATES[0], [-87.12981808326109, 1310.3422174455104, 0.0]),
        (STATES[1], [-217.17850779590387, 569.9689060993221, 72.39283678340787]),
        (STATES[2], [821.1344157793103, 849.3675228145256, -75.92681286189891]),
    ];
    compare("BouncingBall_SmoothSphereHalfSpace.osim", &smooth, 1e-8);
}

#[test]
fn a_ball_on_an_elastic_foundation_is_that_of_opensim() {
    let records = [
        (STATES[0], [-221.4466815469715, 3345.4461455115134, 0.0]),
        (STATES[1], [-743.2609449058147, 1974.3127026599718, 247.7536512157834]),
        (STATES[2], [1407.0879158814805, 2486.001042016919, -155.82554665015803]),
    ];
    compare("BouncingBallModelEF.osim", &records, 1e-6);
}

/// The force is minus the derivative of the energy stored, where neither dissipation nor friction acts.
#[test]
fn energy_and_force_agree() {
    let Some(folder) = shared("data/opensim-core/contact") else { return };
    let text = std::fs::read_to_string(folder.join("BouncingBall_HuntCrossley.osim")).unwrap();
    let text =
        ["dissipation", "static_friction", "dynamic_friction", "viscous_friction"].iter().fold(text, |text, tag| {
            let (start, end) = (format!("<{tag}>"), format!("</{tag}>"));
            let from = text.find(&start).unwrap() + start.len();
            let to = text.find(&end).unwrap();
            format!("{} 0 {}", &text[..from], &text[to..])
        });
    let file = wolff_formats::osim::read(text.as_bytes()).unwrap();
    let subject = OpensimSubject::new(file).unwrap().subject;
    let (model, mut system) = (&subject.model, System::new(&subject.model));
    let height = subject.coordinates.iter().find(|c| c.name.ends_with("ty")).unwrap();
    let v = vec![0.3; model.nv()];
    let mut energy = |y: f64| {
        let mut q = model.q0.clone();
        q[height.position] = y;
        system.update_kinematics(&q, &v);
        system.energy(0.0, &q, &v).1
    };
    let (y, h) = (0.09, 1e-6);
    let slope = (energy(y + h) - energy(y - h)) / (2.0 * h);
    let (mut q, mut a) = (model.q0.clone(), vec![0.0; model.nv()]);
    q[height.position] = y;
    let still = vec![0.0; model.nv()];
    System::new(model).accelerations(0.0, &q, &still, Baumgarte::NONE, &mut a).unwrap();
    let force = a[height.speed] * model.total_mass();
    assert!((force + slope).abs() < 1e-6 * force, "{force} {slope}");
}
