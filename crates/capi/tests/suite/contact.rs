//! Forces, measures and derivatives.

use crate::support::*;
use wolff_c::choice::WolffBody;
use wolff_c::{CapiError, Layer, WolffBuilder, WolffContact, WolffSurface};
use wolff_contact::Friction;
use wolff_contact::foundation::{Along, Distance, Rule, Strain};
use wolff_spatial::Vec3;

/// A ball away from the origin of its body, so that every coordinate matters, with damping, friction and two
/// compartments.
fn general(distance: Distance, along: Along, dissipative: bool) -> (WolffContact, [f64; 6]) {
    let centre = Vec3::new(0.01, -0.02, 0.015);
    let moving = WolffSurface::sphere(&centre.into(), RADIUS).unwrap();
    let mut builder = WolffBuilder::new(&moving, &floor());
    for (name, x) in [("medial", -0.006), ("lateral", 0.006)] {
        builder.add_grid(name, &grid(x, 0.006, 12), &Layer::Constant(THICKNESS)).unwrap();
    }
    // large strain: the quadrature is then fit for curved pressures, and for the energy
    builder.set_linear(WolffBody::Fixed, E, NU, Strain::Large).unwrap();
    builder.set_method(distance, along, Rule::Adaptive);
    if dissipative {
        builder.set_damping(2.0).unwrap();
        builder.set_friction(Some(Friction::new(0.3, 0.2, 0.05, 0.1).unwrap()));
    }
    let mut q = [0.0, 0.0, 0.0, 0.4, -0.7, 1.1];
    let R = wolff_c::Coordinates::new(&q, &[0.0; 6]).unwrap().X_FM.R;
    let p = Vec3::new(0.001, -0.0005, RADIUS - 0.0002) - R * centre;
    q[..3].copy_from_slice(p.as_slice());
    (builder.build().unwrap(), q)
}

const U: [f64; 6] = [0.02, -0.01, -0.03, 0.4, 0.3, -0.5];

#[test]
fn ball_on_layer_has_the_closed_form_of_the_reference() {
    let mut contact = builder(&ball()).build().unwrap();
    let d = 0.0002;
    let result = contact.evaluate(&pressed(d), &[0.0; 6]).unwrap();
    // elements of 1 mm against a contact of 7 mm: the second-order model of the depth
    assert_near(result.force_on_moving[2], closed_form(d), 3e-5 * closed_form(d));
    let energy = std::f64::consts::PI * CONFINED * d.powi(3) * (RADIUS - 0.25 * d) / (3.0 * THICKNESS);
    // the quadrature is made for the pressure, linear in the depth; the energy goes with its square
    assert_near(result.energy, energy, 3e-4 * energy);
    assert_near(result.peak_pressure, CONFINED * d / THICKNESS, 1e-6 * CONFINED * d / THICKNESS);
    assert_near(result.mean_pressure, result.normal_force / result.area, 1e-9 * result.peak_pressure);
    assert_near(result.centre_of_pressure[0].hypot(result.centre_of_pressure[1]), 0.0, 1e-12);
    assert!(result.active_elements > 30 && result.queries >= result.active_elements && result.layer_used_up == 0);
}

#[test]
fn apart_there_is_nothing() {
    let mut contact = builder(&ball()).build().unwrap();
    let result = contact.evaluate(&pressed(-0.001), &[0.0; 6]).unwrap();
    assert_eq!((result.active_elements, result.area, result.energy), (0, 0.0, 0.0));
    assert_eq!((result.force_on_moving, result.centre_of_pressure), ([0.0; 3], [0.0; 3]));
}

#[test]
fn both_bodies_and_both_origins_feel_one_force() {
    let (mut contact, q) = general(Distance::Ray, Along::Midsurface, true);
    let r = contact.evaluate(&q, &U).unwrap();
    let (f, p) = (Vec3::from(r.force_on_moving), Vec3::new(q[0], q[1], q[2]));
    assert_eq!(f, -Vec3::from(r.force_on_fixed));
    assert_eq!(r.torque_on_moving.map(|x| -x), r.torque_on_fixed);
    let own = Vec3::from(r.torque_on_moving) - p.cross(&f);
    assert!((own - Vec3::from(r.torque_at_moving_origin)).amax() < 1e-14 * f.norm());
    assert!(f.x.abs() > 1.0, "friction must act: {f}");
}

#[test]
fn generalized_force_is_minus_the_gradient_of_energy() {
    let (mut contact, q) = general(Distance::Minimum, Along::MovingNormal, false);
    let Q = contact.evaluate(&q, &[0.0; 6]).unwrap().generalized_force;
    // rounding of the energy (1e-16 J / step) and the third order of the step are below this part of the largest entry
    let (step, tolerance) = (1e-7, 1e-5 * Q[2].abs());
    for k in 0..6 {
        let mut energy = |s: f64| {
            let mut moved = q;
            moved[k] += s;
            contact.evaluate(&moved, &[0.0; 6]).unwrap().energy
        };
        assert_near(-(energy(step) - energy(-step)) / (2.0 * step), Q[k], tolerance);
    }
}

#[test]
fn derivatives_agree_with_differences() {
    for (distance, along) in [
        (Distance::Ray, Along::FixedNormal),
        (Distance::Minimum, Along::MovingNormal),
        (Distance::Minimum, Along::Midsurface),
    ] {
        let (mut contact, q) = general(distance, along, true);
        let (by_q, by_u) = contact.derivatives(&q, &U).unwrap();
        let mut wrench = |q: &[f64; 6], u: &[f64; 6]| {
            let r = contact.evaluate(q, u).unwrap();
            [r.force_on_moving, r.torque_on_moving].concat()
        };
        for (matrix, of_q, step) in [(by_q, true, 1e-7), (by_u, false, 1e-6)] {
            // moments and angles count at a lever of 20 mm, as sizes of the contact go
            let lever = |i: usize| if i < 3 { 1.0 } else { 0.02 };
            let scale = matrix.fixed_view::<3, 3>(0, 0).amax();
            for j in 0..6 {
                let mut moved = |s: f64| {
                    let (mut q, mut u) = (q, U);
                    if of_q {
                        q[j] += s
                    } else {
                        u[j] += s
                    }
                    wrench(&q, &u)
                };
                let (up, down) = (moved(step), moved(-step));
                for i in 0..6 {
                    let difference = (up[i] - down[i]) / (2.0 * step);
                    let off = (matrix[(i, j)] - difference).abs() / (lever(i) * lever(j) * scale);
                    // rounding of the differences; local models of constant curvature have exact derivatives
                    assert!(off < 2e-6, "{distance:?} {along:?} q {of_q} ({i}, {j}): off by {off:e}");
                }
            }
        }
    }
}

#[test]
fn compartments_and_elements_sum_to_the_whole() {
    let (mut contact, q) = general(Distance::Minimum, Along::Midsurface, false);
    let total = contact.evaluate(&q, &[0.0; 6]).unwrap();
    let names: Vec<String> = contact.compartment_names().map(|n| n.to_str().unwrap().into()).collect();
    assert_eq!(names, ["medial", "lateral"]);
    let parts = contact.compartments().unwrap();
    assert!(parts.iter().all(|p| p.normal_force > 0.1 * total.normal_force));
    for k in 0..3 {
        let sum: f64 = parts.iter().map(|p| p.force_on_moving[k]).sum();
        assert_near(sum, total.force_on_moving[k], 1e-12 * total.normal_force);
    }
    let elements = contact.elements();
    let pressures = contact.pressures().unwrap();
    for (number, part) in parts.iter().enumerate() {
        let own = elements.iter().zip(pressures).filter(|(e, _)| e.compartment as usize == number);
        let sum: f64 = own.map(|(e, p)| e.area * p).sum();
        assert_near(sum, part.normal_force, 1e-12 * total.normal_force);
    }
}

#[test]
fn nothing_is_reported_before_the_first_pose() {
    let mut contact = builder(&ball()).build().unwrap();
    assert!(matches!(contact.pressures(), Err(CapiError::Missing { .. })));
    assert!(matches!(contact.compartments(), Err(CapiError::Missing { .. })));
}

#[test]
fn clone_has_its_own_memory() {
    let mut contact = builder(&ball()).build().unwrap();
    let before = force(&mut contact, 0.0002);
    let mut copy = contact.clone();
    let deeper = std::thread::spawn(move || force(&mut copy, 0.0003)).join().unwrap();
    assert!(deeper > 2.0 * before);
    assert_eq!(contact.compartments().unwrap()[0].force_on_moving[2], before);
}

#[test]
fn near_poses_reuse_the_result() {
    let mut builder = builder(&ball());
    builder.set_reuse_within(1e-6).unwrap();
    let mut contact = builder.build().unwrap();
    let first = contact.evaluate(&pressed(0.0002), &[0.0; 6]).unwrap();
    let near = contact.evaluate(&pressed(0.0002005), &[0.0; 6]).unwrap();
    let far = contact.evaluate(&pressed(0.000202), &[0.0; 6]).unwrap();
    assert_eq!((first.reused, near.reused, far.reused), (0, 1, 0));
    assert!(near.force_on_moving == first.force_on_moving && far.force_on_moving[2] > first.force_on_moving[2]);
}

#[test]
fn crushed_layer_is_told() {
    let mut builder = builder(&ball());
    builder.set_linear(WolffBody::Fixed, E, NU, Strain::Large).unwrap();
    let result = builder.build().unwrap().evaluate(&pressed(0.99 * THICKNESS), &[0.0; 6]).unwrap();
    assert!(result.layer_used_up == 1 && result.force_on_moving[2].is_finite());
}

#[test]
fn corners_frame_the_elements() {
    let contact = builder(&ball()).build().unwrap();
    let elements = contact.elements();
    assert_eq!((elements.len(), elements.len()), (169, contact.element_count()));
    for (number, e) in elements.iter().enumerate() {
        let [a, b, c, d] = e.corners.map(Vec3::from);
        let area = 0.5 * ((c - a).cross(&(d - b))).z;
        assert_near(area, e.area, 1e-12 * e.area);
        assert!((Vec3::from(e.centre) - (a + b + c + d) / 4.0).norm() < 1e-15);
        assert_eq!((e.corner_count, e.source as usize, e.thickness), (4, number, THICKNESS));
    }
}
