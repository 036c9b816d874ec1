//! Flat elements (slivers) replaced by better ones with local changes of the mesh, without a mesh generator.
//!
//! | file | subject |
//! |---|---|
//! | `patchwork` | elements that can be exchanged, who is beside whom |
//! | `reconnect` | other elements between the same nodes; flat elements of the surface are left out |
//! | `shift` | nodes that are moved, or drawn together with a neighbour |
//!
//! For every flat element all changes of its surroundings are tried, and the one is made that leaves the best shapes
//! at the smallest change of the surface. Changes of connections keep the volume (Freitag and Ollivier-Gooch 1997,
//! Int. J. Numer. Methods Eng. 40, 3979-4002). The surface moves by at most [`SURFACE_MOVE`] of the length of the
//! edges there.

mod patchwork;
mod reconnect;
mod shift;

use crate::mesh::quality::DEGENERATE_SHAPE;
use nalgebra::Vector3;
use patchwork::{Change, Patchwork};

/// The surface moves by at most this part of the mean length of the edges at that place: a flat element of
/// `ENOUGH` needs a tenth of it.
pub const SURFACE_MOVE: f64 = 0.02;

/// Elements that replace flat ones have at least this shape measure, ten times the limit of a flat one, or that of the
/// worst element beside them that was not flat.
const ENOUGH: f64 = 10.0 * DEGENERATE_SHAPE;

/// Better shapes than this are not worth a larger change of the surface.
const GOOD: f64 = 0.05;

/// Passes over all flat elements; a change may make the next one possible.
const MOST_PASSES: usize = 8;

/// One replacement of a flat element.
#[derive(Debug, Clone, PartialEq)]
pub struct SliverChange {
    /// The flat element, by its number in the original mesh.
    pub element: usize,
    /// What was done, in words.
    pub done: &'static str,
    /// The distance by which the surface was moved, in the unit of the mesh.
    pub surface_move: f64,
    /// The change of the volume, in the unit of the mesh cubed.
    pub volume: f64,
}

/// What was done about flat elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SliverReport {
    /// Flat elements that no longer exist.
    pub mended: usize,
    /// Of these, those that were left out at the surface.
    pub left_out: usize,
    /// Number of nodes that were moved.
    pub moved_nodes: usize,
    /// The largest distance by which a node was moved, in the unit of the mesh.
    pub largest_move: f64,
    /// The largest distance by which the surface was moved, in the unit of the mesh.
    pub largest_surface_move: f64,
    /// Sum of all changes of the volume without regard to their signs, in the unit of the mesh cubed.
    pub volume_change: f64,
    /// Every change.
    pub changes: Vec<SliverChange>,
    /// Flat elements that are left, by their numbers in the original mesh.
    pub left: Vec<usize>,
}

/// Four-node elements after the flat ones were replaced.
pub(super) struct Mended {
    /// Positions of all nodes of the original mesh.
    pub nodes: Vec<Vector3<f64>>,
    /// The elements: the original element that each stands for, and its nodes.
    pub elements: Vec<(usize, Vec<usize>)>,
    /// What was done.
    pub report: SliverReport,
}

/// Replaces flat elements. `group` tells which elements belong to the same sets, `mark` which nodes do: only elements
/// of one group are exchanged, and only nodes of one mark are drawn together.
pub(super) fn mend(
    nodes: &[Vector3<f64>],
    elements: &[(usize, Vec<usize>)],
    group: &[usize],
    mark: &[usize],
) -> Mended {
    let mut work = Patchwork::new(nodes, elements, group, mark);
    let mut report = SliverReport::default();
    let first = work.flat().len();
    for _ in 0..MOST_PASSES {
        let flat = work.flat();
        let mut changed = false;
        for element in flat {
            if !work.is_flat(element) {
                continue;
            }
            if let Some(change) = best_change(&work, element) {
                note(element, &change, &work, &mut report);
                work.apply(&change);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    report.left = work.flat().iter().map(|&element| work.origin[element]).collect();
    report.left.sort_unstable();
    report.mended = first.saturating_sub(report.left.len());
    let moved = |(old, new): (&Vector3<f64>, &Vector3<f64>)| (old - new).norm();
    report.largest_move = nodes.iter().zip(&work.x).map(moved).fold(0.0, f64::max);
    report.moved_nodes = nodes.iter().zip(&work.x).filter(|(old, new)| old != new).count();
    Mended { elements: work.elements(), nodes: work.x, report }
}

fn best_change(work: &Patchwork, element: usize) -> Option<Change> {
    let all = reconnect::changes(work, element).into_iter().chain(shift::changes(work, element));
    let allowed = all.filter(|change| change.helps && change.surface <= SURFACE_MOVE * change.edge);
    allowed.max_by(|a, b| {
        let shape = |c: &Change| c.worst.min(GOOD);
        shape(a).total_cmp(&shape(b)).then((b.surface / b.edge).total_cmp(&(a.surface / a.edge)))
    })
}

fn note(element: usize, change: &Change, work: &Patchwork, report: &mut SliverReport) {
    let done = match (change.add.is_empty(), change.place.is_some()) {
        (true, false) => "left out at the surface",
        (_, true) => "node moved",
        (false, false) => "surroundings reconnected",
    };
    let (surface_move, volume) = (change.surface, change.volume);
    report.changes.push(SliverChange { element: work.origin[element], done, surface_move, volume });
    report.largest_surface_move = report.largest_surface_move.max(change.surface);
    report.volume_change += change.volume.abs();
    if change.add.is_empty() && change.place.is_none() {
        report.left_out += change.remove.iter().filter(|&&element| work.is_flat(element)).count();
    }
}
