use std::f64::consts::PI;

use faer::Mat;
use nalgebra::{DMatrix, Matrix3, Vector3};
use wolff_fem::ElementKind;
use wolff_fem::assembly::assemble;
use wolff_fem::attachment::{Attachment, Patch, PointSpec};
use wolff_fem::dofs::Constraints;
use wolff_fem::generate::bar;
use wolff_fem::integrals::inertia_integrals;
use wolff_fem::locate::Locator;
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::recovery::Recovery;
use wolff_fem::reduce::Reduction;
use wolff_fem::relief::InertiaRelief;
use wolff_fem::second_order::SecondOrder;
use wolff_flexbody::Node;
use wolff_flexbody::inertia::axial;

use crate::{assert_close, isotropic, shank};

/// `sym(a × (b × x)) = A x`.
fn twice_turned(a: &Vector3<f64>, b: &Vector3<f64>) -> Matrix3<f64> {
    (a * b.transpose() + b * a.transpose()) * 0.5 - Matrix3::identity() * a.dot(b)
}

/// A turn by linear shapes, `θ × X`, swells the body; the second-order displacement is what takes that back, `½ θ × (θ × X)`, less
/// its rigid part. So for a rigid interface, a mean and a point, which all turn along.
#[test]
fn a_linear_turn_is_made_rigid() {
    let mesh =
        bar(ElementKind::Tet10, 0.03, 0.1, 1, 3).unwrap().mapped(|x| x + Vector3::new(0.01, -0.02, 0.03)).unwrap();
    let materials = MaterialField::uniform(&mesh, &isotropic(2000.0)).unwrap();
    let system = assemble(&mesh, &materials).unwrap();
    let end = mesh.node_set("end").unwrap();
    let interfaces = Constraints::default()
        .tie("root", Vector3::new(0.02, 0.01, 0.0), mesh.node_set("start").unwrap())
        .average("tip", Vector3::new(-0.01, 0.02, 0.15), end, &vec![1.0; end.len()]);
    let (recovery, locator) = (Recovery::new(&mesh), Locator::new(&mesh).unwrap());
    let spec =
        PointSpec { name: "soleus".into(), position: Vector3::new(0.03, -0.01, 0.08), patch: Patch::Within(0.03) };
    let points = [Attachment::new(&spec, &recovery, &locator).unwrap()];
    let axes = [Vector3::new(1.0, 0.3, -0.2), Vector3::new(-0.4, 0.9, 0.6)];
    let shapes = Mat::from_fn(3 * mesh.nodes().len(), 2, |dof, j| axes[j].cross(&mesh.nodes()[dof / 3])[dof % 3]);
    let turning = DMatrix::from_fn(3, 2, |i, j| axes[j][i]);
    let frame = |name: &str, at: Vector3<f64>| {
        Node::new(name, at, DMatrix::from_fn(3, 2, |i, j| axes[j].cross(&at)[i]), turning.clone())
    };
    let mut frames: Vec<Node> = interfaces.references().map(|(name, at)| frame(name, at)).collect();
    frames.push(frame("soleus", spec.position));
    let relief = InertiaRelief::new(&mesh, &system, &interfaces).unwrap();
    let body = (&mesh, &materials, &system);
    let second = SecondOrder::new(body, (&interfaces, &points), &relief, shapes.as_ref()).unwrap();
    second.add_to(&mut frames).unwrap();
    let moments = second.moments(&frames).unwrap();

    let mass = inertia_integrals(&mesh, &system.mass, shapes.as_ref().subcols(0, 0)).unwrap();
    let centre = mass.first / mass.mass;
    let central = mass.second - centre * mass.first.transpose();
    let inertia = Matrix3::identity() * central.trace() - central;
    for k in 0..4 {
        let a = twice_turned(&axes[k / 2], &axes[k % 2]);
        // no momentum: r = X - centre, g = A r - w × r with I w = ∫ r × A r dm
        let w = inertia.try_inverse().unwrap() * axial(&(central * a.transpose()));
        for frame in &frames {
            let r = frame.position - centre;
            // 1e-9: rounding of the static solutions, compliances of 1e-9 m/N on forces of 1 N
            assert!((frame.second[k] - (a * r - w.cross(&r))).amax() < 1e-9, "{}", frame.name);
            assert!((frame.second_rotation[k] + w).amax() < 1e-8, "{} {k}", frame.name);
        }
        let moment = central * a.transpose() + central * w.cross_matrix();
        assert!((moments[k] - moment).amax() < 1e-9 * mass.second.amax().max(1e-3), "{}", moments[k] - moment);
    }
}

/// Pinned ends pushed together: `K + P ∂²(distance of the ends)` is singular at Euler's load, `P = π² E I / L²`, within 1 %: the
/// shear of a column 25 times as long as wide takes 0.4 % (E/G = 2, shear coefficient 5/6).
#[test]
fn a_reduced_column_buckles_at_eulers_load() {
    let (width, length, young) = (0.02, 0.5, 17e9);
    let mesh = bar(ElementKind::Tet10, width, length, 1, 12).unwrap();
    let material = Material { elasticity: Elasticity::Isotropic { young, poisson: 0.0 }, density: 2000.0 };
    let materials = MaterialField::uniform(&mesh, &material).unwrap();
    let ends = Constraints::default().tie("root", Vector3::zeros(), mesh.node_set("start").unwrap()).tie(
        "tip",
        Vector3::new(0.0, 0.0, length),
        mesh.node_set("end").unwrap(),
    );
    let reduction = Reduction {
        fixed_modes: 6,
        stiffening: true,
        check: false,
        ..Reduction::new("column", &mesh, &materials, ends)
    };
    let body = reduction.run().unwrap().body;
    let (n, root, tip) = (body.modes(), body.node("root").unwrap(), body.node("tip").unwrap());
    let across = |axis: usize| (tip.translation.row(axis) - root.translation.row(axis)).into_owned();
    let closer = DMatrix::from_fn(n, n, |i, j| {
        let chord: f64 = (0..2).map(|axis| across(axis)[i] * across(axis)[j] / length).sum();
        tip.second[i * n + j].z - root.second[i * n + j].z + chord
    });
    let omega: Vec<f64> = (0..n).map(|i| body.stiffness[(i, i)].sqrt()).collect();
    let scaled = DMatrix::from_fn(n, n, |i, j| -closer[(i, j)] / omega[i] / omega[j]);
    let load = 1.0 / scaled.symmetric_eigenvalues().max();
    let euler = PI.powi(2) * young * width.powi(4) / 12.0 / length.powi(2);
    assert_close(load, euler, 0.01 * euler);
    // the frame stays on mean axes: no momentum of second order
    assert!(body.inertia.S2.iter().all(|s| s.amax() == 0.0));
    assert!(body.inertia.B2.iter().all(|b| (b - b.transpose()).amax() == 0.0));
}

/// Off by default, and bodies without it stay as they were.
#[test]
fn stiffening_is_an_option() {
    let (mesh, materials, ends) = shank([1, 8, 4]);
    let plain = Reduction { fixed_modes: 2, check: false, ..Reduction::new("shank", &mesh, &materials, ends) };
    let off = plain.run().unwrap().body;
    let on = Reduction { stiffening: true, ..plain }.run().unwrap().body;
    assert!(!off.inertia.has_stiffening() && off.nodes.iter().all(|n| n.second.is_empty()));
    assert!(on.inertia.has_stiffening() && on.nodes[1].second.len() == on.modes().pow(2));
    assert_eq!((&on.stiffness, &on.inertia.B), (&off.stiffness, &off.inertia.B));
}
