//! Elements, layers and materials.

use crate::support::*;
use wolff_c::choice::{WolffBody, WolffGridShape};
use wolff_c::{CapiError, Layer, WolffBuilder, WolffCode, WolffGrid, WolffSurface};
use wolff_contact::foundation::{Along, Distance, Reading, Rule, Strain};
use wolff_geometry::{Normals, TriangleMesh};

/// A square of 16 mm in the plane z = 0 as triangles.
fn plate() -> WolffSurface {
    let mesh = TriangleMesh::rectangle([0.016, 0.016], [40, 40]).unwrap();
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|v| (*v).into()).collect();
    WolffSurface::from_triangles(&vertices, mesh.triangles(), Normals::Facets).unwrap()
}

fn back(z: f64) -> WolffSurface {
    WolffSurface::plane(&[0.0, 0.0, z], &[0.0, 0.0, 1.0]).unwrap()
}

fn complete(mut builder: WolffBuilder) -> WolffBuilder {
    builder.set_linear(WolffBody::Fixed, E, NU, Strain::Small).unwrap();
    builder.set_method(Distance::Ray, Along::FixedNormal, Rule::Adaptive);
    builder
}

#[test]
fn triangles_carry_the_same_force_as_a_grid() {
    let mut builder = complete(WolffBuilder::new(&ball(), &plate()));
    builder.add_triangles("plate", &Layer::Constant(THICKNESS)).unwrap();
    let mut contact = builder.build().unwrap();
    assert_near(force(&mut contact, 0.0002), closed_form(0.0002), 3e-5 * closed_form(0.0002));
    let element = contact.elements()[5];
    assert_eq!((element.corner_count, element.corners[3], element.source), (3, element.corners[0], 5));
}

#[test]
fn thickness_is_the_way_to_what_is_behind() {
    let deep = back(-THICKNESS);
    let layer = Layer::ToBack { back: &deep, reach: 0.02 };
    let mut by_triangles = WolffBuilder::new(&ball(), &plate());
    by_triangles.add_triangles("plate", &layer).unwrap();
    let mut by_grid = WolffBuilder::new(&ball(), &floor());
    by_grid.add_grid("grid", &grid(0.0, 0.006, 6), &layer).unwrap();
    let mut from_below = WolffBuilder::new(&ball(), &floor());
    let raised = WolffGrid { origin: [0.0, 0.0, -THICKNESS], ..grid(0.0, 0.006, 6) };
    from_below.add_grid("grid", &raised, &Layer::ToElementSurface).unwrap();
    for builder in [by_triangles, by_grid, from_below] {
        let contact = complete(builder).build().unwrap();
        for element in contact.elements() {
            assert_near(element.thickness, THICKNESS, 1e-15);
        }
    }
}

#[test]
fn back_out_of_reach_leaves_no_elements() {
    let deep = back(-THICKNESS);
    let mut builder = WolffBuilder::new(&ball(), &plate());
    let error = builder.add_triangles("plate", &Layer::ToBack { back: &deep, reach: 0.001 }).unwrap_err();
    assert!(error.to_string().contains("3200 dropped"), "{error}");
}

#[test]
fn grids_on_cylinder_and_sphere_find_the_surface() {
    for shape in [WolffGridShape::Cylinder, WolffGridShape::Sphere] {
        // around the ball: the axis of the cylinder, and the middle of the sphere's grid, along z
        let shaped = WolffGrid {
            shape: shape as i32,
            radius: 0.02,
            first: [-0.2, 0.2],
            second: if shape == WolffGridShape::Cylinder { [-0.004, 0.004] } else { [-0.2, 0.2] },
            ..grid(0.0, 0.0, 4)
        };
        let mut builder = complete(WolffBuilder::new(&floor(), &ball()));
        builder.add_grid("shaped", &shaped, &Layer::ToElementSurface).unwrap();
        let contact = builder.build().unwrap();
        assert_eq!(contact.element_count(), 16);
        for element in contact.elements() {
            let [x, y, z] = element.centre;
            assert_near((x * x + y * y + z * z).sqrt(), RADIUS, 1e-15);
            let outside = if shape == WolffGridShape::Cylinder { (x * x + y * y).sqrt() } else { RADIUS };
            assert_near(element.thickness, outside - 0.02, 1e-15);
        }
    }
}

#[test]
fn moving_layer_is_a_spring_in_series() {
    let d = 0.0002;
    let mut builder = builder(&ball());
    let bare = force(&mut builder.build().unwrap(), d);
    builder.set_moving_layer(THICKNESS).unwrap();
    assert_near(force(&mut builder.build().unwrap(), d), bare / 2.0, 1e-12 * bare);
    // twice as stiff: counts half
    builder.set_linear(WolffBody::Moving, 2.0 * E, NU, Strain::Small).unwrap();
    assert_near(force(&mut builder.build().unwrap(), d), bare / 1.5, 1e-12 * bare);
}

#[test]
fn nonlinear_layer_has_the_pressures_of_the_reference() {
    // d/h = 0.01 of the shared reference [MPa]
    for (reading, pressure) in [
        (Reading::Tangent, 12.241913824580305),
        (Reading::Secant, 16.121847066952604),
        (Reading::Uniaxial, 5.6355093963030045),
    ] {
        let mut builder = builder(&ball());
        builder.set_nonlinear(WolffBody::Fixed, (0.0597, 18.4e6, 3.0), NU, reading, Strain::Small).unwrap();
        let peak = builder.build().unwrap().evaluate(&pressed(0.01 * THICKNESS), &[0.0; 6]).unwrap().peak_pressure;
        assert_near(peak, pressure * 1e6, 1e-8 * pressure * 1e6);
    }
}

#[test]
fn damping_resists_approach() {
    let mut builder = builder(&ball());
    builder.set_damping(2.0).unwrap();
    let mut contact = builder.build().unwrap();
    let mut at = |rate: f64| contact.evaluate(&pressed(0.0002), &[0.0, 0.0, -rate, 0.0, 0.0, 0.0]).unwrap();
    let rest = at(0.0).force_on_moving[2];
    assert_near(at(0.1).force_on_moving[2], 1.2 * rest, 1e-12 * rest);
    assert_eq!(at(-1.0).force_on_moving[2], 0.0);
}

#[test]
fn what_is_missing_is_named() {
    let code = |error: CapiError| (error.code(), error.to_string());
    let mut builder = WolffBuilder::new(&ball(), &floor());
    assert!(code(builder.build().unwrap_err()).1.contains("no material"));
    builder.set_linear(WolffBody::Fixed, E, NU, Strain::Small).unwrap();
    assert!(code(builder.build().unwrap_err()).1.contains("no elements"));
    let (missing, text) = code(builder.add_triangles("a", &Layer::Constant(THICKNESS)).unwrap_err());
    assert!(missing == WolffCode::Missing && text.contains("no triangles"), "{text}");
}

#[test]
fn too_many_elements_are_refused_before_memory_is_asked_for() {
    let mut builder = WolffBuilder::new(&ball(), &floor());
    let huge = WolffGrid { counts: [usize::MAX, 2], ..grid(0.0, 0.006, 1) };
    let error = builder.add_grid("a", &huge, &Layer::Constant(THICKNESS)).unwrap_err();
    assert_eq!(error.code(), WolffCode::BadCount);
}

/// A plate facing down whose layer grows along x, over an even layer: `F = k d b/s ln((H + s l)/(H - s l))`, H the mean
/// of both layers together, s slope, b and 2 l width and length, k confined modulus.
#[test]
fn moving_layer_is_the_way_to_a_back() {
    let (d, slope, mean) = (0.0002, 0.1, 0.004);
    let mesh = TriangleMesh::rectangle([0.032, 0.032], [8, 8]).unwrap().flipped();
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|v| (*v).into()).collect();
    let plate = WolffSurface::from_triangles(&vertices, mesh.triangles(), Normals::Facets).unwrap();
    let behind = WolffSurface::plane(&[0.0, 0.0, mean], &[-slope, 0.0, 1.0]).unwrap();
    let mut builder = complete(WolffBuilder::new(&plate, &floor()));
    builder.add_grid("floor", &grid(0.0, 0.006, 40), &Layer::Constant(THICKNESS)).unwrap();
    let without = builder.set_moving_layer_back(&behind, (0.05, 0.0), 2).unwrap();
    assert_eq!(without, 0.0);
    let (length, both) = (0.006, THICKNESS + mean);
    let exact = CONFINED * d * 0.012 / slope * ((both + slope * length) / (both - slope * length)).ln();
    let mut contact = builder.build().unwrap();
    let found = contact.evaluate(&[0.0, 0.0, -d, 0.0, 0.0, 0.0], &[0.0; 6]).unwrap().force_on_moving[2];
    assert_near(found, exact, 1e-6 * exact);
    // even again
    builder.set_moving_layer(mean).unwrap();
    let mut contact = builder.build().unwrap();
    let found = contact.evaluate(&[0.0, 0.0, -d, 0.0, 0.0, 0.0], &[0.0; 6]).unwrap().force_on_moving[2];
    let even = CONFINED * d * 0.012 * 0.012 / both;
    assert_near(found, even, 1e-12 * even);
}

#[test]
fn maps_need_parameters_and_backs_need_samples() {
    let mut builder = complete(WolffBuilder::new(&ball(), &floor()));
    let map = builder.set_moving_layer_map(0, ([0.0, 1.0], [0.0, 1.0]), [2, 2], &[0.001; 4]).unwrap_err();
    assert!(map.to_string().contains("NURBS"), "{map}");
    let back = builder.set_moving_layer_back(&back(0.0), (0.05, 0.0), 3).unwrap_err();
    assert!(back.to_string().contains("triangles or NURBS"), "{back}");
    let many = builder.set_moving_layer_back(&floor(), (0.05, 0.0), 1_000_000).unwrap_err();
    assert_eq!(many.code(), WolffCode::BadCount);
}
