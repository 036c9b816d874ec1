//! Coordinates that constraints leave free.

use crate::pendulum::subject;
use wolff_motion::coupling::Coupling;
use wolff_multibody::System;

/// The hand bends twice as far as the arm swings.
#[test]
fn the_outer_coordinate_follows() {
    let model = subject(Some(2.0)).model;
    let mut system = System::new(&model);
    system.update_constraints(0.0, &model.q0, &model.v0);
    let mut coupling = Coupling::new(model.nc(), model.nv());
    coupling.update(&system.constraints);
    let (swing, bend) = (model.coordinate_index("swing").unwrap(), model.coordinate_index("bend").unwrap());
    assert_eq!((&coupling.independent[..], &coupling.dependent[..]), (&[swing][..], &[bend][..]));
    let mut a = vec![0.0; 2];
    a[swing] = 3.0;
    coupling.complete(&mut a);
    assert_eq!(a[bend], 6.0);
    let mut f = vec![0.0; 2];
    (f[swing], f[bend]) = (1.0, 10.0);
    let mut reduced = [0.0];
    coupling.reduce(&f, &mut reduced);
    assert_eq!(reduced, [21.0]);
    assert_eq!((coupling.derivative_along(&f, swing), coupling.derivative_along(&f, bend)), (21.0, 10.5));
}

/// Without constraints everything is free.
#[test]
fn nothing_couples() {
    let model = subject(None).model;
    let mut system = System::new(&model);
    system.update_constraints(0.0, &model.q0, &model.v0);
    let mut coupling = Coupling::new(0, 2);
    coupling.update(&system.constraints);
    let mut out = [0.0; 2];
    coupling.reduce(&[4.0, 5.0], &mut out);
    assert_eq!((coupling.independent.len(), out), (2, [4.0, 5.0]));
}
