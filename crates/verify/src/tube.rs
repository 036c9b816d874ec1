//! A tube of the size of the shank: frequencies by solid elements and by a beam, strains on its surface.

use super::items::{Failure, Items};
use super::table::Numbers;
use super::tube_beam::ExactBeam;
use super::{tube_beam, tube_chain, tube_sector};
use nalgebra::{Vector3, Vector6};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use wolff_fem::assembly::{Assembled, assemble};
use wolff_fem::dofs::Constraints;
use wolff_fem::element::tet10;
use wolff_fem::generate::tube;
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::mesh::SurfaceFace;
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::relief::InertiaRelief;
use wolff_fem::solve::{Loads, Statics, strain_at};
use wolff_fem::{ElementKind, TetMesh};
use wolff_flexbody::measures;

/// Relative tolerances of free tubes: bending, torsion, stretch.
pub(super) const FREE: f64 = 1e-3;

/// Relative tolerance of clamped tubes, where the stress at the clamp is singular; also of the deflection of a clamped
/// tube.
pub(super) const CLAMPED: f64 = 5e-3;

/// Relative tolerance of strains.
const STRAIN: f64 = 1e-2;

/// Cells radially, around and along, for frequencies.
const COARSE: [usize; 3] = [1, 24, 24];

/// Cells for strains.
const FINE: [usize; 3] = [1, 32, 32];

#[derive(Deserialize)]
struct Reference {
    source: String,
    tube: Tube,
    beam_hz: Frequencies,
    free_hz: Frequencies,
    timoshenko_hz: Frequencies,
    cowper_shear_coefficient: f64,
    exact_beams: Vec<ExactBeam>,
    sector_hz: BTreeMap<String, Frequencies>,
    three_point_microstrain: f64,
    clamped_free_hz: Frequencies,
    clamped_clamped_hz: Frequencies,
    bending_microstrain: BTreeMap<String, Numbers>,
    beam_microstrain: BTreeMap<String, Numbers>,
}

#[derive(Deserialize)]
pub(super) struct Tube {
    pub(super) length_m: f64,
    pub(super) outer_m: f64,
    pub(super) inner_m: f64,
    pub(super) young_pa: f64,
    pub(super) poisson: f64,
    pub(super) density_kg_m3: f64,
    mass_kg: f64,
    pub(super) area_m2: f64,
    pub(super) second_moment_m4: f64,
}

/// Frequencies by kind \[Hz\]; bending frequencies occur in pairs.
pub(super) type Frequencies = BTreeMap<String, Vec<f64>>;

/// Beam, free and clamped solids, strains.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/tube.json"))?;
    items.cite(&reference.source);
    tube_beam::check_shapes(items, &reference.tube, &reference.beam_hz)?;
    tube_beam::check_exact(items, &reference.tube, &reference.exact_beams, reference.cowper_shear_coefficient)?;
    check_frequencies(items, &reference)?;
    tube_sector::check(items, &reference.tube, &reference.sector_hz)?;
    tube_chain::check(items, &reference.tube, &reference.timoshenko_hz)?;
    check_three_point(items, &reference)?;
    for (material, strains) in &reference.bending_microstrain {
        check_strains(items, &reference, material, strains)?;
    }
    Ok(())
}

impl Tube {
    pub(super) fn mesh(&self, cells: [usize; 3]) -> Result<TetMesh, Failure> {
        Ok(tube(ElementKind::Tet10, self.length_m, self.inner_m, self.outer_m, cells)?)
    }

    pub(super) fn isotropic(&self) -> Material {
        let elasticity = Elasticity::Isotropic { young: self.young_pa, poisson: self.poisson };
        Material { elasticity, density: self.density_kg_m3 }
    }
}

fn check_frequencies(items: &mut Items, reference: &Reference) -> Result<(), Failure> {
    let mesh = reference.tube.mesh(COARSE)?;
    let system = assemble(&mesh, &MaterialField::uniform(&mesh, &reference.tube.isotropic())?)?;
    let mass = reference.tube.density_kg_m3 * mesh.volume();
    items.relative("mass_kg", mass, reference.tube.mass_kg, FREE);
    let (start, end) = (mesh.node_set("start")?, mesh.node_set("end")?);
    let clamped = Constraints::default().clamp(start);
    for (name, constraints, expected, tolerance) in [
        ("free", Constraints::default(), &reference.free_hz, FREE),
        ("clamped-free", clamped.clone(), &reference.clamped_free_hz, CLAMPED),
        ("clamped-clamped", clamped.clamp(end), &reference.clamped_clamped_hz, CLAMPED),
    ] {
        let expected = ascending(expected);
        let modes = vibration_modes(&mesh, &system, &constraints, expected.len(), &ModeOptions::default())?;
        for (i, (ours, (kind, theirs))) in modes.frequencies().into_iter().zip(&expected).enumerate() {
            items.relative(&format!("{name}.{}.{kind}", i + 1), ours, *theirs, tolerance);
        }
    }
    Ok(())
}

/// Number of modes of a kind with the same frequency.
fn pairs(kind: &str) -> usize {
    if kind == "bending" { 2 } else { 1 }
}

/// All frequencies with their kinds.
pub(super) fn ascending(frequencies: &Frequencies) -> Vec<(&str, f64)> {
    let mut all: Vec<(&str, f64)> = frequencies
        .iter()
        .flat_map(|(kind, values)| values.iter().flat_map(|f| std::iter::repeat_n((kind.as_str(), *f), pairs(kind))))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

/// A tube clamped at its start, with the data required to load its end and to evaluate its surface.
struct Clamped {
    mesh: TetMesh,
    system: Assembled,
    end: Vec<SurfaceFace>,
    outer: f64,
    middle: f64,
    half_cell: f64,
}

impl Clamped {
    fn new(tube: &Tube, material: &Material) -> Result<Self, Failure> {
        let mesh = tube.mesh(FINE)?;
        let system = assemble(&mesh, &MaterialField::uniform(&mesh, material)?)?;
        let on_end = |&n: &usize| mesh.nodes()[n].z > tube.length_m * (1.0 - 1e-9);
        let end = mesh.boundary()?.into_iter().filter(|f| f.nodes.iter().all(on_end)).collect();
        let half_cell = tube.length_m / (2 * FINE[2]) as f64;
        Ok(Clamped { mesh, system, end, outer: tube.outer_m, middle: tube.length_m / 2.0, half_cell })
    }

    /// A traction on the end whose resultant, as `measure` sums it over the nodes, is `size`.
    fn load(
        &self,
        traction: impl Fn(&Vector3<f64>) -> Vector3<f64>,
        measure: impl Fn(&Vector3<f64>, &Vector3<f64>) -> f64,
        size: f64,
    ) -> Loads {
        let nodes = self.mesh.nodes();
        let mut loads = Loads::none(&self.mesh, 0);
        for face in &self.end {
            let centre = face.nodes.iter().map(|&n| nodes[n]).sum::<Vector3<f64>>() / face.nodes.len() as f64;
            loads.add_traction(&self.mesh, std::slice::from_ref(face), &traction(&centre));
        }
        let forces = loads.nodal.chunks_exact(3).map(Vector3::from_column_slice);
        let resultant: f64 = nodes.iter().zip(forces).map(|(x, f)| measure(x, &f)).sum();
        loads.nodal.iter_mut().for_each(|f| *f *= size / resultant);
        loads
    }

    /// Strain \[microstrain\] of the outer surface at mid-length in the direction `around`, as measured by a gauge of
    /// the length of a cell. The error of the strain of quadratic elements is a parabola along each cell, `+h²` at its
    /// ends and `-h²/2` in the middle: the node at mid-length and the two nodes half a cell away cancel it.
    fn strain(&self, around: &Vector3<f64>, displacement: &[f64]) -> Result<Vector6<f64>, Failure> {
        self.strain_near(around, self.middle, displacement)
    }

    /// The same strain at another height.
    fn strain_near(&self, around: &Vector3<f64>, z: f64, displacement: &[f64]) -> Result<Vector6<f64>, Failure> {
        let mut sum = Vector6::zeros();
        for half_cells in [-1.0, 0.0, 1.0] {
            let site = around * self.outer + Vector3::z() * (z + half_cells * self.half_cell);
            sum += self.node_strain(&site, displacement)?;
        }
        Ok(sum * (1e6 / 3.0))
    }

    /// Mean over the elements that share the node of a site.
    fn node_strain(&self, site: &Vector3<f64>, displacement: &[f64]) -> Result<Vector6<f64>, Failure> {
        let node = Some(self.node(site)?);
        let mut strains = Vec::new();
        for (index, element) in self.mesh.elements().enumerate() {
            if let Some(local) = element.iter().position(|&n| Some(n) == node) {
                strains.push(strain_at(&self.mesh, index, tet10::NODES[local], displacement)?);
            }
        }
        Ok(strains.iter().sum::<Vector6<f64>>() / strains.len() as f64)
    }

    /// The node nearest to a site.
    fn node(&self, site: &Vector3<f64>) -> Result<usize, Failure> {
        let distance = |n: usize| (self.mesh.nodes()[n] - site).norm();
        let nearest = (0..self.mesh.nodes().len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest.ok_or_else(|| "the tube has no nodes".into())
    }

    /// Engineering shear \[microstrain\] of the surface at `+y`, mid-length, as measured by a rosette of two crossed
    /// grids: with the half sides `c` around and `h` along, their extensions differ by `2 γ c h / (c² + h²)`.
    /// Displacements are more accurate than strains where the strain is not linear in a cell: sections rotate by 2e-3,
    /// and the shear of 7e-5 is the difference that remains.
    fn shear_at_side(&self, displacement: &[f64]) -> Result<f64, Failure> {
        let (sin, cos) = (PI / FINE[1] as f64).sin_cos();
        let (c, h) = (self.outer * sin, self.half_cell);
        let corner = |x: f64, z: f64| self.node(&Vector3::new(x * c, self.outer * cos, self.middle + z * h));
        let moved = |n: usize| Vector3::from_column_slice(&displacement[3 * n..3 * n + 3]);
        let extension = |a: usize, b: usize| {
            let along = self.mesh.nodes()[b] - self.mesh.nodes()[a];
            (moved(b) - moved(a)).dot(&along) / along.norm_squared()
        };
        let rising = extension(corner(-1.0, -1.0)?, corner(1.0, 1.0)?);
        let falling = extension(corner(-1.0, 1.0)?, corner(1.0, -1.0)?);
        Ok(1e6 * (rising - falling) * (c * c + h * h) / (2.0 * c * h))
    }
}

/// Three-point bending: 500 N across the middle, half of it as reaction at each end. The strain at the maximum moment
/// is computed from that five cells away on both sides, where the local effect of the load has decayed and the moment
/// is smaller by a known fraction.
fn check_three_point(items: &mut Items, reference: &Reference) -> Result<(), Failure> {
    const FORCE: f64 = 500.0;
    const CELLS_AWAY: usize = 5;
    let tube = Clamped::new(&reference.tube, &reference.tube.isotropic())?;
    let nodes = tube.mesh.nodes();
    let mut loads = Loads::none(&tube.mesh, 0);
    let section = |z: f64| (0..nodes.len()).filter(move |&n| (nodes[n].z - z).abs() < 1e-9).collect::<Vec<_>>();
    for (z, force) in [(0.0, -FORCE / 2.0), (tube.middle, FORCE), (2.0 * tube.middle, -FORCE / 2.0)] {
        let on = section(z);
        on.iter().for_each(|&n| loads.nodal[3 * n] += force / on.len() as f64);
    }
    let relief = InertiaRelief::new(&tube.mesh, &tube.system, &Constraints::default())?;
    let u = relief.solve(&loads)?.displacement;
    let away = 2.0 * CELLS_AWAY as f64 * tube.half_cell;
    let mut sum = 0.0;
    for z in [tube.middle - away, tube.middle + away] {
        sum += tube.strain_near(&Vector3::x(), z, &u)?[2];
    }
    let peak = sum / 2.0 / (1.0 - away / tube.middle);
    items.relative("three-point.axial", peak, reference.three_point_microstrain, STRAIN);
    Ok(())
}

/// Strains at mid-length of a material under a force across the end, along it, along it with an offset from the axis,
/// and a torque.
fn check_strains(items: &mut Items, reference: &Reference, name: &str, bending: &Numbers) -> Result<(), Failure> {
    let material = match name {
        "cortical" => Material::cortical_bone(),
        "cortical-as-printed" => Material::cortical_bone_as_printed(),
        _ => reference.tube.isotropic(),
    };
    let tube = Clamped::new(&reference.tube, &material)?;
    let clamp = Constraints::default().clamp(tube.mesh.node_set("start")?);
    let statics = Statics::new(&tube.mesh, &tube.system, &clamp)?;
    let solve = |loads: &Loads| -> Result<Vec<f64>, Failure> { Ok(statics.solve(loads)?.displacement) };
    let across = solve(&tube.load(|_| Vector3::x(), |_, f| f.x, 500.0))?;
    check_bending(items, name, &tube, &across, bending)?;

    let Some(expected) = reference.beam_microstrain.get(name) else { return Ok(()) };
    let along = solve(&tube.load(|_| Vector3::z(), |_, f| f.z, -1000.0))?;
    let turned = solve(&tube.load(|x| Vector3::z().cross(x), |x, f| x.x * f.y - x.y * f.x, 50.0))?;
    // moment of -1000 N at x = 20 mm about y
    let bent = solve(&tube.load(|x| Vector3::z() * x.x, |x, f| x.x * f.z, -1000.0 * 0.02))?;
    let eccentric: Vec<f64> = along.iter().zip(&bent).map(|(a, b)| a + b).collect();
    let compressed = tube.strain(&Vector3::x(), &along)?;
    let sheared = tube.strain(&Vector3::x(), &turned)?;
    let (near, far) = (tube.strain(&Vector3::x(), &eccentric)?, tube.strain(&-Vector3::x(), &eccentric)?);
    items.named(
        name,
        expected,
        |_, x| STRAIN * x.abs(),
        |column| match column {
            "compression.axial" => Some(compressed[2]),
            "compression.hoop" => Some(compressed[1]),
            "torque.shear" => Some(sheared[4]),
            "torque.principal" => Some(measures::principal(&sheared)[0]),
            "eccentric.near" => Some(near[2]),
            "eccentric.far" => Some(far[2]),
            _ => None,
        },
    );
    Ok(())
}

/// Axial, hoop and radial strain on the side of the force, shear at 90° from it, deflection of the end.
fn check_bending(items: &mut Items, name: &str, tube: &Clamped, u: &[f64], expected: &Numbers) -> Result<(), Failure> {
    let (front, shear) = (tube.strain(&Vector3::x(), u)?, tube.shear_at_side(u)?);
    let end = tube.mesh.node_set("end")?;
    let tip = end.iter().map(|&n| u[3 * n]).sum::<f64>() / end.len() as f64;
    items.named(
        &format!("{name}.bending"),
        expected,
        |column, x| if column == "tip_m" { CLAMPED * x } else { STRAIN * x.abs() },
        |column| match column {
            "axial" => Some(front[2]),
            "hoop" => Some(front[1]),
            "radial" => Some(front[0]),
            "shear" => Some(shear),
            "tip_m" => Some(tip),
            _ => None,
        },
    );
    Ok(())
}
