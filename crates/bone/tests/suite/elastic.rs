//! Sections whose elements differ.

use nalgebra::Rotation3;
use std::f64::consts::PI;
use std::sync::Arc;
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex, Side};
use wolff_bone::person::{GivenBone, JointMarks, Solid};
use wolff_bone::section::beam::axial_strain;
use wolff_bone::section::{BeamSection, ElasticSection, SectionLoad};
use wolff_fem::material::{Elasticity, Material, MaterialField, axes_along};
use wolff_fem::{ElementKind, TetMesh, generate};
use wolff_spatial::Vec3;

const YOUNG: f64 = 17e9;

fn load() -> SectionLoad {
    SectionLoad {
        point: Vec3::new(0.0, -0.2, 0.0),
        force: Vec3::new(80.0, -2900.0, 40.0),
        moment: Vec3::new(12.0, 4.0, -31.0),
    }
}

/// Of one material: the section of the boundary times its modulus, and the strain of the beam formula.
#[test]
fn one_material_is_the_section_of_the_boundary() {
    let tibia = Solid::tibia(0.42, Side::Right).unwrap();
    let (section, beam) = (ElasticSection::cut(&tibia, 0.5).unwrap(), BeamSection::cut(&tibia, 0.5).unwrap());
    let area = section.axial / YOUNG;
    assert!((area / beam.section.area - 1.0).abs() < 5e-3, "{area} {}", beam.section.area);
    assert!((section.centre - beam.section.centroid).norm() < 5e-5);
    let ratio = (section.bending / YOUNG - beam.section.moments).norm() / beam.section.moments.norm();
    assert!(ratio < 1e-2, "{ratio}");
    for at in [Vec3::new(0.02, 0.0, 0.0), Vec3::new(-0.01, 0.0, 0.012)] {
        let place = beam.section.centroid + at;
        let [a, b] = [section.strain(&load(), &place), beam.axial(&load(), [at.x, at.z], YOUNG)];
        assert!((a / b - 1.0).abs() < 0.01, "{a} {b}");
    }
}

/// A tube by hand.
#[test]
fn a_tube_has_the_stiffness_of_its_closed_form() {
    let density = Density { around: 24, wall: 2, layers: [1, 2, 2, 1] };
    let tube = Bone { density, ..Bone::new(BoneKind::SHANK_TUBE, Sex::Male) };
    let cortical = Material::cortical_bone();
    let solid = Solid::parametric(&tube, &cortical, &Material::trabecular_bone()).unwrap();
    let section = ElasticSection::cut(&solid, 0.5).unwrap();
    let (outer, inner) = (0.037_f64, 0.027_f64);
    let area = PI * (outer.powi(2) - inner.powi(2));
    let second = PI / 4.0 * (outer.powi(4) - inner.powi(4));
    assert!((section.axial / (YOUNG * area) - 1.0).abs() < 2e-3, "{}", section.axial / (YOUNG * area));
    assert!((section.bending[(0, 0)] / (YOUNG * second) - 1.0).abs() < 3e-3);
    let strain = section.strain(
        &SectionLoad { point: section.centre, force: Vec3::zeros(), moment: Vec3::new(0.0, 0.0, 30.0) },
        &(section.centre + Vec3::x() * outer),
    );
    assert!((strain / (30.0 * outer / (YOUNG * second)) - 1.0).abs() < 3e-3, "{strain}");
}

/// A square column whose inner elements are soft, as it is and without them.
fn filled() -> (Solid, Solid) {
    let bar = generate::bar(ElementKind::Tet4, 0.03, 0.4, 6, 30).unwrap();
    let upright = bar.mapped(|x| turned() * x).unwrap();
    let inner = |element: &[usize]| {
        let c = element.iter().map(|&n| upright.nodes()[n]).sum::<Vec3>() / 4.0 - middle(&upright);
        c.x.abs() < 0.01 && c.z.abs() < 0.01
    };
    let is_soft: Vec<bool> = upright.elements().map(inner).collect();
    let stiff = upright.elements().zip(&is_soft).filter(|(_, soft)| !**soft).flat_map(|(e, _)| e).copied().collect();
    let hollow = TetMesh::new(ElementKind::Tet4, upright.nodes().to_vec(), stiff).unwrap();
    let soft = Elasticity::Isotropic { young: 50e6, poisson: 0.3 };
    let all = [Material::cortical_bone(), Material { elasticity: soft, density: 1000.0 }];
    let axes = axes_along(&Vec3::y()).unwrap();
    let classes = is_soft.iter().map(|&soft| usize::from(soft)).collect();
    let materials = MaterialField::grouped(&upright, &all, &axes, classes).unwrap();
    let one = MaterialField::uniform_along(&hollow, &all[0], &axes).unwrap();
    (solid(hollow, one), solid(upright, materials))
}

fn turned() -> Rotation3<f64> {
    axes_along(&-Vec3::y()).unwrap()
}

fn middle(mesh: &TetMesh) -> Vec3 {
    mesh.nodes().iter().sum::<Vec3>() / mesh.nodes().len() as f64
}

fn solid(mut mesh: TetMesh, materials: MaterialField) -> Solid {
    let c = middle(&mesh);
    let ends = [c + Vec3::y() * 0.2, c - Vec3::y() * 0.2];
    for (name, end) in ["proximal", "distal"].into_iter().zip(ends) {
        let nodes = mesh.nodes_where(|x| (x.y - end.y).abs() < 1e-9);
        mesh.set_nodes(name, nodes).unwrap();
    }
    let given = GivenBone {
        kind: BoneKind::Tibia,
        side: Side::Right,
        mesh: Arc::new(mesh),
        materials: Some(Arc::new(materials)),
        marks: JointMarks { proximal: ends[0], distal: ends[1], anterior: Vec3::x() },
        scale: [1.0; 3],
        remarks: Vec::new(),
        method: Vec::new(),
    };
    Solid::registered(&given, &Material::cortical_bone()).unwrap()
}

/// A bone whose canal is filled with soft elements has the section of the hollow bone in its beam, its area and its
/// outline.
#[test]
fn a_soft_filling_does_not_count() {
    let (hollow, full) = filled();
    let [a, b] = [&hollow, &full].map(|s| ElasticSection::cut(s, 0.5).unwrap());
    assert!((a.axial / b.axial - 1.0).abs() < 5e-3, "{} {}", a.axial, b.axial);
    assert!((a.bending - b.bending).norm() / a.bending.norm() < 5e-3);
    let [a, b] = [&hollow, &full].map(|s| s.section(0.5).unwrap());
    assert!((a.area / b.area - 1.0).abs() < 1e-9, "{} {}", a.area, b.area);
    let [a, b] = [&hollow, &full].map(|s| BeamSection::cut(s, 0.5).unwrap());
    assert!((a.torsion_constant / b.torsion_constant - 1.0).abs() < 1e-6);
    let loads = SectionLoad { point: a.section.centroid, ..load() };
    let strain = |s: &BeamSection| axial_strain(s.section.area, &s.section.moments, &loads, [0.01, 0.01], YOUNG);
    assert!((strain(&a) / strain(&b) - 1.0).abs() < 1e-6);
}
