use crate::support::load;
use wolff_anatomy::Side;
use wolff_geometry::TriangleMesh;
use wolff_morphology::BoneKind;
use wolff_morphology::signature::{STATIONS, Signature, matches};
use wolff_morphology::solid::Solid;

#[test]
fn sections_of_a_cuboid_are_all_alike() {
    let mesh = TriangleMesh::cuboid([1.0, 2.0, 10.0]).unwrap();
    let solid = Solid::of(&mesh).unwrap();
    let found = Signature::of(&mesh, &solid, BoneKind::Tibia).unwrap();
    assert_eq!(found.stations.len(), STATIONS);
    assert!((found.length() - 10.0).abs() < 1e-9);
    let radius = (2.0 / std::f64::consts::PI).sqrt() / 10.0;
    for station in &found.stations {
        assert!((station.radius - radius).abs() < 1e-9);
        assert!(station.shape[0].norm() < 1e-9 && (station.shape[1].norm() - radius * 0.6).abs() < 1e-9);
    }
}

/// Four cases, the best first; a symmetric body fits both sides alike.
#[test]
fn a_symmetric_body_has_no_side() {
    let mesh = TriangleMesh::cuboid([1.0, 2.0, 10.0]).unwrap();
    let found = matches(&mesh, &Solid::of(&mesh).unwrap(), BoneKind::Femur);
    assert_eq!(found.len(), 4);
    assert!(found.windows(2).all(|pair| pair[0].mismatch <= pair[1].mismatch));
    let of = |side: Side| found.iter().find(|m| m.side == side).unwrap().mismatch;
    assert!((of(Side::Left) / of(Side::Right) - 1.0).abs() < 1e-3);
}

#[test]
fn a_femur_differs_little_from_the_known_one() {
    let Some(mesh) = load("data/bones/femur-tet/femur.msh") else { return };
    let found = matches(&mesh, &Solid::of(&mesh).unwrap(), BoneKind::Femur);
    assert!(found[0].mismatch < 0.25 && found[1].mismatch > 2.0 * found[0].mismatch, "{found:?}");
}
