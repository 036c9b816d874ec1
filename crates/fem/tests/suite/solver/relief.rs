use nalgebra::{Vector3, Vector6};
use wolff_fem::dofs::Constraints;
use wolff_fem::relief::{InertiaRelief, resultant};
use wolff_fem::solve::{Loads, Statics};

use crate::{TIP_LOAD, assemble, assert_close, reference_bar, shank};
use wolff_fem::ElementKind;

/// A bar pushed at one end: the axial force falls linearly to zero at the other, so it shortens by `F L / 2EA`.
#[test]
fn pushed_bar_shortens_by_half() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let relief = InertiaRelief::new(&mesh, &system, &Constraints::default()).unwrap();
    let faces: Vec<_> =
        mesh.boundary().unwrap().into_iter().filter(|f| f.nodes.iter().all(|&n| mesh.nodes()[n].z == 0.0)).collect();
    let mut loads = Loads::none(&mesh, 0);
    loads.add_traction(&mesh, &faces, &Vector3::new(0.0, 0.0, 1e6));
    let total = resultant(&loads, mesh.nodes(), &[], &Vector3::zeros());
    assert!((total - Vector6::new(0.0, 0.0, 400.0, 0.0, 0.0, 0.0)).amax() < 1e-9);
    assert!(resultant(&relief.balanced(&loads), mesh.nodes(), &[], &Vector3::zeros()).amax() < 1e-9);
    let u = relief.solve(&loads).unwrap().displacement;
    let mean = |set: &str| {
        let nodes = mesh.node_set(set).unwrap();
        nodes.iter().map(|&n| u[3 * n + 2]).sum::<f64>() / nodes.len() as f64
    };
    // Poisson's ratio bulges the loaded face a little: five parts in a thousand of a bar six widths long.
    let expected = 400.0 * 0.12 / (2.0 * 17e9 * 4e-4);
    assert_close(mean("start") - mean("end"), expected, 5e-3 * expected);
}

/// The deformation has no momentum, the held dof carry nothing.
#[test]
fn no_momentum_and_no_reaction() {
    let (mesh, materials, ends) = shank([1, 8, 4]);
    let system = assemble(&mesh, &materials).unwrap();
    let relief = InertiaRelief::new(&mesh, &system, &ends).unwrap();
    let mut loads = Loads::none(&mesh, 2);
    loads.interface[1] = [3.0, -20.0, 100.0, 2.0, 1.0, -4.0];
    loads.nodal[100] = 10.0;
    let solution = relief.solve(&loads).unwrap();
    let mut momentum = vec![0.0; loads.nodal.len()];
    system.mass.mul_vec(&solution.displacement, &mut momentum);
    let size: f64 = momentum.iter().map(|p| p.abs()).sum();
    let total = resultant(&Loads { nodal: momentum, interface: vec![] }, mesh.nodes(), &[], &Vector3::zeros());
    assert!(total.amax() < 1e-10 * size);
    // Reactions: only the ends' rigid ties carry forces.
    let tied: Vec<usize> = ends.rigid.iter().flat_map(|r| r.nodes.clone()).collect();
    let free = (0..mesh.nodes().len()).filter(|n| !tied.contains(n));
    let largest = free.flat_map(|n| 3 * n..3 * n + 3).map(|dof| solution.reaction[dof].abs()).fold(0.0, f64::max);
    assert!(largest < 1e-6, "{largest}");
}

/// Loads in equilibrium deform a free body as one that is held anywhere.
#[test]
fn balanced_loads_need_no_relief() {
    let (mesh, materials, ends) = shank([1, 8, 4]);
    let system = assemble(&mesh, &materials).unwrap();
    let relief = InertiaRelief::new(&mesh, &system, &ends).unwrap();
    let free = relief.solve(&Loads { interface: TIP_LOAD.to_vec(), ..Loads::none(&mesh, 2) }).unwrap();
    let held = Constraints { rigid: vec![ends.rigid[1].clone()], ..Constraints::default() }.clamp(&ends.rigid[0].nodes);
    let statics = Statics::new(&mesh, &system, &held).unwrap();
    let clamped = statics.solve(&Loads { interface: vec![TIP_LOAD[1]], ..Loads::none(&mesh, 1) }).unwrap();
    // Relative to the knee: U_ankle - U_knee - θ_knee × L e_z.
    let [knee, ankle] = [free.interface[0], free.interface[1]];
    let deflection = ankle[0] - knee[0] - knee[4] * 0.421;
    assert_close(deflection, clamped.interface[0][0], 1e-8 * deflection.abs());
    assert!(InertiaRelief::new(&mesh, &system, &held).is_err());
}
