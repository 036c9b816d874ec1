//! Every example of the folder `examples` runs and meets its checked number.

#[path = "../examples/contact_law.rs"]
mod contact_law;
#[path = "../examples/contact_pressure.rs"]
mod contact_pressure;
#[path = "../examples/inverse_kinematics.rs"]
mod inverse_kinematics;
#[path = "../examples/joint_moments.rs"]
mod joint_moments;
#[path = "../examples/mesh_to_modes.rs"]
mod mesh_to_modes;
#[path = "../examples/muscle_forces.rs"]
mod muscle_forces;
#[path = "../examples/own_force.rs"]
mod own_force;
#[path = "../examples/pendulum.rs"]
mod pendulum;
#[path = "../examples/strain_at_a_gauge.rs"]
mod strain_at_a_gauge;
#[path = "../examples/walk.rs"]
mod walk;

/// The examples and their files are the same.
#[test]
fn every_example_is_here() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let here = include_str!("examples.rs").lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    assert_eq!(found, here.collect::<Vec<_>>());
}

#[test]
fn contact_law_meets_its_number() {
    contact_law::main().unwrap();
}

#[test]
fn contact_pressure_meets_its_number() {
    contact_pressure::main().unwrap();
}

#[test]
fn inverse_kinematics_meets_its_number() {
    inverse_kinematics::main().unwrap();
}

#[test]
fn joint_moments_meets_its_number() {
    joint_moments::main().unwrap();
}

#[test]
fn mesh_to_modes_meets_its_number() {
    mesh_to_modes::main().unwrap();
}

#[test]
fn muscle_forces_meets_its_number() {
    muscle_forces::main().unwrap();
}

#[test]
fn own_force_meets_its_number() {
    own_force::main().unwrap();
}

#[test]
fn pendulum_meets_its_number() {
    pendulum::main().unwrap();
}

#[test]
fn strain_at_a_gauge_meets_its_number() {
    strain_at_a_gauge::main().unwrap();
}

#[test]
fn walk_meets_its_number() {
    walk::main().unwrap();
}
