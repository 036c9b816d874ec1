//! Craig-Bampton reduction of small bars, on the same meshes as the references.

use super::items::{Failure, Items};
use nalgebra::Vector3;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use wolff_fem::assembly::{Assembled, assemble};
use wolff_fem::craig_bampton::{CraigBampton, craig_bampton};
use wolff_fem::dofs::Constraints;
use wolff_fem::generate::bar;
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::solve::{Loads, Statics, strain_at};
use wolff_fem::{ElementKind, TetMesh};

/// Tolerance of frequencies, relative, and of static displacements and strains, relative to the maximum of their kind.
const TOLERANCE: f64 = 1e-8;

/// Tolerance of sums over the matrices, relative: rounding.
const SUMS: f64 = 1e-12;

/// Length of the bar \[m\].
const LENGTH: f64 = 0.12;

/// Element for which the strain is given.
const GAUGE: usize = 96;

#[derive(Deserialize)]
struct Reference {
    source: String,
    bars: BTreeMap<String, Bar>,
    mesh: Mesh,
}

/// The bar of linear elements.
#[derive(Deserialize)]
struct Mesh {
    nodes: Vec<f64>,
    tets: Vec<usize>,
}

#[derive(Deserialize)]
struct Bar {
    mass_kg: f64,
    stiffness_trace: f64,
    mass_trace: f64,
    inertia_kg_m2: [f64; 3],
    free_hz: Vec<f64>,
    free_rigid_faces_hz: Vec<f64>,
    reductions: Vec<Reduction>,
    r#static: Vec<Static>,
}

#[derive(Deserialize)]
struct Reduction {
    interface: String,
    fixed_modes: usize,
    fixed_hz: Vec<f64>,
    flexible_hz: Vec<f64>,
}

/// Force and moment at the centre of the free face, its motion, and the strain of one element.
#[derive(Deserialize)]
struct Static {
    load: [f64; 6],
    displacement: Vec<f64>,
    strain: Option<Vec<f64>>,
}

/// A bar with its matrices.
struct Solid {
    mesh: TetMesh,
    system: Assembled,
}

/// Bars of linear and of quadratic elements.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/craig_bampton.json"))?;
    items.cite(&reference.source);
    for (kind, bar) in &reference.bars {
        let solid = Solid::new(kind, &reference.mesh)?;
        solid.check_sums(items, kind, bar)?;
        solid.check_full(items, kind, bar)?;
        for reduction in &bar.reductions {
            solid.check_reduction(items, kind, reduction)?;
        }
        for (i, case) in bar.r#static.iter().enumerate() {
            solid.check_static(items, &format!("{kind}.static{}", i + 1), case)?;
        }
    }
    Ok(())
}

impl Solid {
    /// 20 by 20 by 120 mm, 17 GPa, 0.3, 2000 kg/m³.
    fn new(kind: &str, linear: &Mesh) -> Result<Self, Failure> {
        let mesh = if kind == "tet4" {
            let nodes: Vec<_> = linear.nodes.chunks_exact(3).map(Vector3::from_column_slice).collect();
            let mut mesh = TetMesh::new(ElementKind::Tet4, nodes, linear.tets.clone())?;
            for (name, z) in [("start", 0.0), ("end", LENGTH)] {
                let face = mesh.nodes_where(|x| (x.z - z).abs() < 1e-9);
                mesh.set_nodes(name, face)?;
            }
            mesh
        } else {
            bar(ElementKind::Tet10, 0.02, LENGTH, 1, 5)?
        };
        let elasticity = Elasticity::Isotropic { young: 17e9, poisson: 0.3 };
        let system = assemble(&mesh, &MaterialField::uniform(&mesh, &Material { elasticity, density: 2000.0 })?)?;
        Ok(Solid { mesh, system })
    }

    /// Both faces move as rigid bodies.
    fn rigid_faces(&self) -> Result<Constraints, Failure> {
        let (start, end) = (self.mesh.node_set("start")?, self.mesh.node_set("end")?);
        Ok(Constraints::default().tie("start", Vector3::zeros(), start).tie("end", Vector3::z() * LENGTH, end))
    }

    /// Mass, moments of inertia and traces.
    fn check_sums(&self, items: &mut Items, case: &str, reference: &Bar) -> Result<(), Failure> {
        items.relative(
            &format!("{case}.stiffness_trace"),
            self.system.stiffness.trace(),
            reference.stiffness_trace,
            SUMS,
        );
        items.relative(&format!("{case}.mass_trace"), self.system.mass.trace(), reference.mass_trace, SUMS);
        let along = self.twice_energy(|_| Vector3::x());
        items.relative(&format!("{case}.mass_kg"), along, reference.mass_kg, SUMS);
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let centre = Vector3::z() * (LENGTH / 2.0);
        let inertia = axes.map(|axis| self.twice_energy(|x| axis.cross(&(x - centre))));
        items.lists(&format!("{case}.inertia_kg_m2"), &inertia, &reference.inertia_kg_m2, |x| SUMS * x);
        Ok(())
    }

    /// `vᵀ M v` of a field of velocity.
    fn twice_energy(&self, velocity: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> f64 {
        let v: Vec<f64> = self.mesh.nodes().iter().flat_map(|x| <[f64; 3]>::from(velocity(x))).collect();
        let mut momentum = vec![0.0; v.len()];
        self.system.mass.mul_vec(&v, &mut momentum);
        v.iter().zip(&momentum).map(|(v, p)| v * p).sum()
    }

    /// Free vibration of the full model, with and without rigid faces.
    fn check_full(&self, items: &mut Items, case: &str, reference: &Bar) -> Result<(), Failure> {
        for (name, constraints, expected) in [
            ("free_hz", Constraints::default(), &reference.free_hz),
            ("free_rigid_faces_hz", self.rigid_faces()?, &reference.free_rigid_faces_hz),
        ] {
            let options = ModeOptions::default();
            let modes = vibration_modes(&self.mesh, &self.system, &constraints, expected.len(), &options)?;
            items.lists(&format!("{case}.{name}"), &modes.frequencies(), expected, |x| TOLERANCE * x);
        }
        Ok(())
    }

    fn reduce(&self, interface: &str, fixed_modes: usize) -> Result<CraigBampton, Failure> {
        let interfaces = match interface {
            "rigid" => self.rigid_faces()?,
            _ => Constraints::default().retain(self.mesh.node_set("start")?).retain(self.mesh.node_set("end")?),
        };
        Ok(craig_bampton(&self.mesh, &self.system, &interfaces, fixed_modes, &ModeOptions::default())?)
    }

    fn check_reduction(&self, items: &mut Items, kind: &str, reference: &Reduction) -> Result<(), Failure> {
        let reduced = self.reduce(&reference.interface, reference.fixed_modes)?;
        let case = format!("{kind}.{}{}", reference.interface, reference.fixed_modes);
        if !reference.fixed_hz.is_empty() {
            let fixed: Vec<f64> = reduced.fixed_interface.iter().map(|lambda| lambda.sqrt() / TAU).collect();
            items.lists(&format!("{case}.fixed_hz"), &fixed, &reference.fixed_hz, |x| TOLERANCE * x);
        }
        let count = reference.flexible_hz.len();
        let flexible: Vec<f64> = reduced.orthonormalise()?.frequencies().into_iter().take(count).collect();
        items.lists(&format!("{case}.flexible_hz"), &flexible, &reference.flexible_hz, |x| TOLERANCE * x);
        Ok(())
    }

    /// One face fixed, a load on the other: the full model, and the reduced one without fixed-interface modes.
    fn check_static(&self, items: &mut Items, case: &str, reference: &Static) -> Result<(), Failure> {
        let (start, end) = (self.mesh.node_set("start")?, self.mesh.node_set("end")?);
        let held = Constraints::default().clamp(start).tie("end", Vector3::z() * LENGTH, end);
        let mut loads = Loads::none(&self.mesh, 1);
        loads.interface[0] = reference.load;
        let full = Statics::new(&self.mesh, &self.system, &held)?.solve(&loads)?;
        let reduced = self.reduce("rigid", 0)?;
        let mut forces = vec![0.0; 12];
        forces[reduced.interface(1)].copy_from_slice(&reference.load);
        let response = reduced.static_response(&forces, reduced.interface(0))?;

        // lengths and angles are compared separately
        let scale = |range: &[f64]| range.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        let expected = &reference.displacement;
        let size = scale(&expected[..3]).max(scale(&expected[3..]) * LENGTH);
        for (model, ours) in [("full", &full.interface[0][..]), ("reduced", &response[reduced.interface(1)])] {
            items.lists(&format!("{case}.{model}.displacement"), &ours[..3], &expected[..3], |_| TOLERANCE * size);
            items.lists(&format!("{case}.{model}.rotation"), &ours[3..], &expected[3..], |_| TOLERANCE * size / LENGTH);
        }
        if let Some(strain) = &reference.strain {
            let tolerance = TOLERANCE * scale(strain);
            let ours = strain_at(&self.mesh, GAUGE, [0.25; 3], &full.displacement)?;
            items.lists(&format!("{case}.full.strain"), ours.as_slice(), strain, |_| tolerance);
            let nodal: Vec<f64> = (0..full.displacement.len())
                .map(|dof| response.iter().enumerate().map(|(i, q)| reduced.basis[(dof, i)] * q).sum())
                .collect();
            let ours = strain_at(&self.mesh, GAUGE, [0.25; 3], &nodal)?;
            items.lists(&format!("{case}.reduced.strain"), ours.as_slice(), strain, |_| tolerance);
        }
        Ok(())
    }
}
