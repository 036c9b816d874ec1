use crate::support::{cuboid, direct_chain, grid};
use wolff_density::{Expected, KnownBone, Mapped, Options, Rule, map};
use wolff_fem::{ElementKind, TetMesh};
use wolff_spatial::Vec3;
use wolff_verdict::Verdict;

const QUICK: Rule = Rule::MeanModulus { steps: 6 };

/// A bar of 60 x 60 x 80 mm, as large as a tibia, with a dense wall and a hollow inside.
fn bar() -> TetMesh {
    cuboid(ElementKind::Tet4, [0.06, 0.06, 0.08], [3, 3, 4])
}

fn mapped(mesh: &TetMesh, wall: f64, shift: f64) -> Mapped {
    let middle = mesh.nodes().iter().sum::<Vec3>() / mesh.nodes().len() as f64;
    let rho = |x: &Vec3| {
        let d = x - middle;
        if d.x.abs().max(d.y.abs()) > 0.02 { wall } else { 0.1 }
    };
    let field = grid(30, 0.004, middle - Vec3::from_element(0.058) + Vec3::x() * shift, rho);
    let expected = Expected { bone: Some(KnownBone::Tibia), stature: Some(1.7) };
    map(mesh, &field, &Options { expected, rule: QUICK, ..Options::new(direct_chain()) }).unwrap()
}

#[test]
fn a_bone_is_plausible() {
    let found = mapped(&bar(), 1.6, 0.0);
    assert_eq!(found.judgement.verdict(), Verdict::Ok, "{:#?}", found.judgement.warnings());
    assert!(found.accepted().is_ok());
}

#[test]
fn what_is_no_bone_is_refused_with_reasons() {
    for (wall, shift, part) in
        [(5.0, 0.0, "calibration"), (0.02, 0.0, "carries no load"), (1.6, 0.1, "outside the scan")]
    {
        let error = mapped(&bar(), wall, shift).accepted().unwrap_err().to_string();
        assert!(error.contains(part), "{part} is not in {error}");
    }
}

#[test]
fn a_mesh_in_the_wrong_unit_weighs_too_much() {
    let mesh = bar().mapped(|x| x * 10.0).unwrap();
    let field = grid(10, 0.1, Vec3::from_element(-0.1), |_| 1.0);
    let expected = Expected { bone: Some(KnownBone::Tibia), stature: None };
    let found = map(&mesh, &field, &Options { expected, rule: QUICK, ..Options::new(direct_chain()) }).unwrap();
    let error = found.accepted().unwrap_err().to_string();
    assert!(error.contains("mass of bone is") && error.contains("unit of the mesh"), "{error}");
}

#[test]
fn clipped_densities_are_told() {
    let mesh = bar();
    let field = grid(30, 0.004, Vec3::from_element(-0.058), |x| if x.x > 0.02 { 1.7 } else { -0.1 });
    let found = map(&mesh, &field, &Options { rule: QUICK, ..Options::new(direct_chain()) }).unwrap();
    assert!(found.judgement.notes().iter().any(|n| n.contains("negative density")), "{:?}", found.judgement);
}
