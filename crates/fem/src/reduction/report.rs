//! What a reduction tells about itself.

use nalgebra::DMatrix;
use wolff_flexbody::inertia::axial;
use wolff_flexbody::{FlexBody, Node};

use crate::reduction::fidelity::GaugeError;

/// What was done and lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Natural frequencies of the kept modes, Hz.
    pub frequencies: Vec<f64>,
    /// Natural frequencies of all modes before selection, Hz.
    pub available: Vec<f64>,
    /// Mass, kg.
    pub mass: f64,
    /// Share of each kept mode in the static compliance of every interface and point along `Fx … Tz` (rows: modes;
    /// columns: six a place): `(φ_d² / ω²) / Σ over all modes`. Free orthonormal modes have no effective mass, their
    /// linear and angular momentum vanish, so this is what tells which of them a load stirs.
    pub compliance_shares: DMatrix<f64>,
    /// Largest momentum of a mode, linear over `√m` and angular over `√(tr P₀)`: zero for free modes but for rounding.
    pub momentum: f64,
    /// Strains at the gauges under unit loads against the whole mesh; empty when not asked for.
    pub gauge_errors: Vec<GaugeError>,
    /// Seconds by phase.
    pub seconds: Vec<(&'static str, f64)>,
}

/// Share of each mode in the compliance of the places; see [`Report::compliance_shares`].
pub(crate) fn compliance_shares(places: &[Node], eigenvalues: &[f64]) -> DMatrix<f64> {
    let part = |node: &Node, component: usize, mode: usize| {
        let rows = if component < 3 { &node.translation } else { &node.rotation };
        rows[(component % 3, mode)].powi(2) / eigenvalues[mode]
    };
    let total = |node: &Node, component: usize| (0..eigenvalues.len()).map(|i| part(node, component, i)).sum::<f64>();
    DMatrix::from_fn(eigenvalues.len(), 6 * places.len(), |mode, column| {
        let (node, component) = (&places[column / 6], column % 6);
        let total = total(node, component);
        if total > 0.0 { part(node, component, mode) / total } else { 0.0 }
    })
}

/// Largest momentum of a mode; see [`Report::momentum`].
pub(crate) fn largest_momentum(body: &FlexBody) -> f64 {
    let inertia = &body.inertia;
    let linear = inertia.S.iter().map(|s| s.norm() / inertia.mass.sqrt());
    let angular = inertia.B.iter().map(|b| axial(b).norm() / inertia.second.trace().sqrt());
    linear.chain(angular).fold(0.0, f64::max)
}
