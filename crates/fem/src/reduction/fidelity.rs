//! How well a reduced body strains: its static response at the gauges against that of the whole mesh.
//!
//! Under constant loads the free body deforms as `η = K⁻¹ Φᵀ f` (rigid inertia does no work on free orthonormal modes),
//! the mesh by [`crate::solver::relief`], which knows nothing of modes. The difference of the gauge strains is the
//! error of the reduction for slow loads: exact, not an estimate. It does not contain the error of the mesh itself (see
//! the jump of [`crate::recovery`]).

use nalgebra::{DVector, Vector6};
use wolff_flexbody::select::keep_by_energy;
use wolff_flexbody::{Gauge, Node};

use crate::error::FemError;
use crate::recovery::attachment::Attachment;
use crate::recovery::gauge::GaugeSite;
use crate::solver::relief::InertiaRelief;
use crate::solver::solve::Loads;

/// Forces, N, and moments, N m (`Fx, Fy, Fz, Tx, Ty, Tz`, at the point itself), on interfaces and attachment points.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadCase {
    /// Name.
    pub name: String,
    /// One a rigid interface.
    pub interface: Vec<[f64; 6]>,
    /// One an attachment point.
    pub point: Vec<[f64; 6]>,
}

/// The strain of a gauge under a load case, two ways.
#[derive(Debug, Clone, PartialEq)]
pub struct GaugeError {
    /// Gauge.
    pub gauge: String,
    /// Load case.
    pub load: String,
    /// Strain of the reduced body, in the gauge's axes.
    pub reduced: Vector6<f64>,
    /// Strain of the mesh.
    pub full: Vector6<f64>,
    /// Norm of the difference over the largest norm of the mesh's strain at any gauge under this load.
    pub relative: f64,
}

/// A unit force and a unit moment along every axis at every interface, and a unit force at every point.
pub fn unit_loads(interfaces: &[&str], points: &[&str]) -> Vec<LoadCase> {
    const COMPONENTS: [&str; 6] = ["Fx", "Fy", "Fz", "Tx", "Ty", "Tz"];
    let places = interfaces.iter().map(|name| (name, 6)).chain(points.iter().map(|name| (name, 3)));
    let mut cases = Vec::new();
    for (place, (name, components)) in places.enumerate() {
        for component in 0..components {
            let mut loads = vec![[0.0; 6]; interfaces.len() + points.len()];
            loads[place][component] = 1.0;
            let point = loads.split_off(interfaces.len());
            cases.push(LoadCase { name: format!("{name} {}", COMPONENTS[component]), interface: loads, point });
        }
    }
    cases
}

impl LoadCase {
    /// Refuses a load that does not belong to this many interfaces and points, or is not finite.
    ///
    /// # Errors
    /// With the numbers.
    pub fn check(&self, interfaces: usize, points: usize) -> Result<(), FemError> {
        if self.interface.len() != interfaces || self.point.len() != points {
            return Err(FemError::Boundary(format!(
                "load case `{}` has {} interfaces and {} points, the body {interfaces} and {points}",
                self.name,
                self.interface.len(),
                self.point.len()
            )));
        }
        if !self.interface.iter().chain(&self.point).flatten().all(|f| f.is_finite()) {
            return Err(FemError::NonFinite(format!("a force of load case `{}`", self.name)));
        }
        Ok(())
    }

    /// The loads on a mesh of this many dof.
    pub fn on_mesh(&self, dof: usize, points: &[Attachment]) -> Loads {
        let mut loads = Loads { nodal: vec![0.0; dof], interface: self.interface.clone() };
        for (point, load) in points.iter().zip(&self.point) {
            point.add_load(load, &mut loads.nodal);
        }
        loads
    }

    /// `Φᵀ f`: the modal forces, given the nodes of the interfaces and then of the points.
    pub fn modal_force(&self, nodes: &[Node], modes: usize) -> DVector<f64> {
        let mut force = DVector::zeros(modes);
        for (node, load) in nodes.iter().zip(self.interface.iter().chain(&self.point)) {
            force += node.translation.transpose() * nalgebra::Vector3::new(load[0], load[1], load[2]);
            force += node.rotation.transpose() * nalgebra::Vector3::new(load[3], load[4], load[5]);
        }
        force
    }
}

/// Strains of the mesh at the gauges under each load: by load, then by gauge.
///
/// # Errors
/// When a load does not fit, or a solution is not finite.
pub fn full_strains(
    relief: &InertiaRelief<'_>,
    dof: usize,
    points: &[Attachment],
    sites: &[GaugeSite],
    loads: &[LoadCase],
) -> Result<Vec<Vec<Vector6<f64>>>, FemError> {
    let solve = |load: &LoadCase| {
        let solution = relief.solve(&load.on_mesh(dof, points))?;
        Ok(sites.iter().map(|site| site.strain(&solution.displacement)).collect())
    };
    loads.iter().map(solve).collect()
}

/// Strains at the gauges with the `kept` ones of modes of stiffness `ω²`: by load, then by gauge.
pub fn reduced_strains(
    gauges: &[Gauge],
    nodes: &[Node],
    eigenvalues: &[f64],
    kept: &[usize],
    loads: &[LoadCase],
) -> Vec<Vec<Vector6<f64>>> {
    let response = |load: &LoadCase| {
        let force = load.modal_force(nodes, eigenvalues.len());
        let mut eta = vec![0.0; eigenvalues.len()];
        kept.iter().for_each(|&i| eta[i] = force[i] / eigenvalues[i]);
        gauges.iter().map(|gauge| gauge.strain(&eta)).collect()
    };
    loads.iter().map(response).collect()
}

/// The largest norm at any gauge, load by load.
fn scales(strains: &[Vec<Vector6<f64>>]) -> Vec<f64> {
    strains.iter().map(|of_load| of_load.iter().map(|e| e.norm()).fold(0.0, f64::max)).collect()
}

/// Norm of the difference over `scale`; zero where both vanish.
fn relative(a: &Vector6<f64>, b: &Vector6<f64>, scale: f64) -> f64 {
    let difference = (a - b).norm();
    if difference == 0.0 { 0.0 } else { difference / scale }
}

/// Both strains side by side, gauge by gauge and load by load.
pub fn compare(
    gauges: &[Gauge],
    loads: &[LoadCase],
    reduced: &[Vec<Vector6<f64>>],
    full: &[Vec<Vector6<f64>>],
) -> Vec<GaugeError> {
    let mut errors = Vec::new();
    for ((load, scale), (reduced, full)) in loads.iter().zip(scales(full)).zip(reduced.iter().zip(full)) {
        for (gauge, (reduced, full)) in gauges.iter().zip(reduced.iter().zip(full)) {
            errors.push(GaugeError {
                gauge: gauge.name.clone(),
                load: load.name.clone(),
                reduced: *reduced,
                full: *full,
                relative: relative(reduced, full, scale),
            });
        }
    }
    errors
}

/// The fewest modes, by rising frequency, with which and beyond which the static strain at every gauge under every load
/// stays within `tolerance` of that with all modes (relative to the largest strain at any gauge under that load).
pub fn converged_modes(
    gauges: &[Gauge],
    nodes: &[Node],
    eigenvalues: &[f64],
    loads: &[LoadCase],
    tolerance: f64,
) -> usize {
    let order: Vec<usize> = (0..eigenvalues.len()).collect();
    let all = reduced_strains(gauges, nodes, eigenvalues, &order, loads);
    let scales = scales(&all);
    let within = |kept: usize| {
        let few = reduced_strains(gauges, nodes, eigenvalues, &order[..kept], loads);
        few.iter()
            .zip(&all)
            .zip(&scales)
            .all(|((few, all), &scale)| few.iter().zip(all).all(|(a, b)| relative(a, b, scale) <= tolerance))
    };
    let mut kept = eigenvalues.len();
    while kept > 1 && within(kept - 1) {
        kept -= 1;
    }
    kept
}

/// The modes that hold `share` of the strain energy `½ Σ (φᵀ f)² / ω²` of the static answer to every load: the fewest
/// for each load, those of all loads together, ascending. Load by load, because forces and moments cannot be weighed
/// against each other.
///
/// # Errors
/// When the share is not within 0 to 1.
pub fn energetic_modes(
    nodes: &[Node],
    eigenvalues: &[f64],
    loads: &[LoadCase],
    share: f64,
) -> Result<Vec<usize>, FemError> {
    let mut wanted = vec![false; eigenvalues.len()];
    for load in loads {
        let force = load.modal_force(nodes, eigenvalues.len());
        let energies: Vec<f64> = force.iter().zip(eigenvalues).map(|(f, lambda)| 0.5 * f * f / lambda).collect();
        keep_by_energy(&energies, share)?.into_iter().for_each(|mode| wanted[mode] = true);
    }
    Ok((0..eigenvalues.len()).filter(|&mode| wanted[mode]).collect())
}
