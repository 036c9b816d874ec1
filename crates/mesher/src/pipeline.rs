//! The way from a shape to a mesh: lattice, cut, improve, fit.

use wolff_fem::{ElementKind, TetMesh};
use wolff_spatial::Vec3;

use crate::coarsen::{Rule, coarsen};
use crate::cut::separate;
use crate::error::MesherError;
use crate::follow::{catch_ridges, follow, misses};
use crate::improve::{improve, rescue};
use crate::lattice::{Frame, lattice};
use crate::pinch::{join_crumbs, remove_crumbs, remove_outside};
use crate::report::{Fidelity, mean_edge, report};
use crate::settings::{Meshed, Progress, Settings, Stage, tell};
use crate::shape::Shape;
use crate::store::Store;

/// Side of a cell of the lattice in mean edges: of the 14 edges at a vertex, 6 have the side and 8 have √3/2 of it. The
/// first factor makes up for the shorter edges at the surface.
pub(crate) const SIDE_PER_SIZE: f64 = 1.08 * 14.0 / (6.0 + 8.0 * 0.866_025_403_784_438_6);
/// Tetrahedra of the lattice per cell.
const TETS_PER_CELL: f64 = 12.0;
/// A separate part below this part of the whole volume is a crumb of the lattice.
const CRUMB: f64 = 1e-4;
/// A separate part of a material below this part of its volume is a crumb of the lattice too.
const MATERIAL_CRUMB: f64 = 2e-3;
/// The last shift onto the fitted surface leaves no sine below this: 17°.
const LAST_SINE: f64 = 0.29;

/// Tetrahedra below this sine are rescued at the price of fidelity: 17°.
const POOR_SINE: f64 = 0.29;
/// How far vertices may then leave their interface, in distances of their neighbours.
const LEEWAY: f64 = 0.1;
/// Lattices, at most: the next is finer where the mesh of the last misses the surface.
const PASSES: usize = 3;
/// A place is missed if it is farther than this part of the size from the mesh.
const MISS: f64 = 0.09;
/// Rounds of improvement before and after vertices are drawn to ridges.
const ROUNDS: u32 = 4;
/// Rounds in which vertices are drawn to ridges.
const RIDGE_ROUNDS: u32 = 3;
/// A point of the surface farther than this part of the size from the mesh draws a vertex.
const RIDGE: f64 = 0.05;

/// A mesh is coarsened if its mean edge is below this part of the size.
const SHORT: f64 = 0.97;
/// Rounds of coarsening, each with the edges aimed at in sizes: long edges where there is room make up for short ones
/// in thin places.
const COARSENING: [f64; 5] = [1.0, 1.0, 1.3, 1.3, 1.3];
/// Coarsening leaves faces no farther than this part of the size from their interface.
const GAP: f64 = 0.03;

/// What is meshed, besides its shape.
pub(crate) struct Plan {
    /// Names of the materials from 1.
    pub names: Vec<String>,
    /// Their volumes \[m³\].
    pub input_volumes: Vec<f64>,
    /// The box around everything.
    pub bounds: [Vec3; 2],
    /// The input, for messages.
    pub what: String,
}

/// Makes the mesh of a shape.
pub(crate) fn run(
    shape: &mut dyn Shape,
    plan: &Plan,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Store, MesherError> {
    tell(progress, Stage::Lattice, 0.0)?;
    let side = SIDE_PER_SIZE * settings.size;
    let cells = plan.input_volumes.iter().sum::<f64>() / side.powi(3);
    if TETS_PER_CELL * cells > settings.most_elements as f64 {
        return Err(too_many(TETS_PER_CELL * cells, settings));
    }
    // with its halo, a small body has twice the cells of its volume
    let most_cells = settings.most_elements / 4 + 1000;
    let many = || too_many(TETS_PER_CELL * most_cells as f64, settings);
    let frame = Frame::new(plan.bounds, side).ok_or_else(many)?;
    let mut store = Store::default();
    for pass in 0..PASSES {
        let (lattice, values) = lattice(shape, &frame, most_cells).ok_or_else(many)?;
        store = body(lattice, values, shape, settings, progress)?;
        if store.tets.is_empty() {
            return Err(MesherError::Vanished { what: plan.what.clone(), size: settings.size });
        }
        if settings.order == ElementKind::Tet4 {
            follow(&mut store, shape, LAST_SINE);
        }
        let places = if pass + 1 < PASSES { misses(&store, shape, MISS * settings.size) } else { Vec::new() };
        if places.is_empty() {
            break;
        }
        shape.refine(places.into_iter().map(|(x, edge)| (x, 1.3 * edge)).collect());
    }
    let mut store = coarsened(store, shape, settings, progress)?;
    if settings.order == ElementKind::Tet4 {
        for round in 0..3 {
            tell(progress, Stage::Fit, 0.33 * f64::from(round))?;
            follow(&mut store, shape, LAST_SINE);
            shape.fit(&store);
        }
        follow(&mut store, shape, LAST_SINE);
    }
    rescue(&mut store, POOR_SINE, LEEWAY, 6);
    Ok(store.compacted())
}

/// The improved mesh of a lattice.
fn body(
    lattice: Store,
    values: Vec<f64>,
    shape: &dyn Shape,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Store, MesherError> {
    tell(progress, Stage::Cut, 0.0)?;
    let mut store = lattice;
    separate(&mut store, shape, values);
    if shape.materials() > 1 {
        join_crumbs(&mut store, MATERIAL_CRUMB);
        remove_outside(&mut store);
        // the removal of places where the body hangs together in an edge only may leave single elements
        join_crumbs(&mut store, CRUMB);
    }
    remove_outside(&mut store);
    remove_crumbs(&mut store, CRUMB);
    let mut store = store.compacted();
    let has_ridges = !shape.landmarks().is_empty();
    // what is coarsened is improved after that
    let rounds = if has_ridges || !is_finer(&store, settings) { ROUNDS } else { 1 };
    let ridge_rounds = if has_ridges { RIDGE_ROUNDS } else { 0 };
    for round in 0..rounds {
        tell(progress, Stage::Improve, f64::from(round) / f64::from(rounds + ridge_rounds))?;
        improve(&mut store, shape, 2);
    }
    for round in 0..ridge_rounds {
        tell(progress, Stage::Improve, f64::from(rounds + round) / f64::from(rounds + ridge_rounds))?;
        catch_ridges(&mut store, shape, RIDGE * settings.size);
        improve(&mut store, shape, 1);
    }
    Ok(store)
}

/// The mesh with fewer elements where it is finer than asked for and the shape allows it.
fn coarsened(
    store: Store,
    shape: &dyn Shape,
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Store, MesherError> {
    let mut store = store;
    for (round, growth) in COARSENING.into_iter().enumerate() {
        if !is_finer(&store, settings) {
            break;
        }
        tell(progress, Stage::Coarsen, round as f64 / COARSENING.len() as f64)?;
        let ratio = mean_edge(&store) / settings.size;
        // small elements go first, so that the number falls with the square of the mean edge and not with its cube
        let fewest = (store.all().count() as f64 * ratio.powi(2)) as usize;
        let rule = Rule { size: growth * settings.size, gap: GAP * settings.size, fewest };
        coarsen(&mut store, shape, &rule);
        store = store.compacted();
        improve(&mut store, shape, 2);
    }
    Ok(store)
}

/// Whether the mean edge is shorter than asked for.
fn is_finer(store: &Store, settings: &Settings) -> bool {
    mean_edge(store) < SHORT * settings.size
}

fn too_many(estimate: f64, settings: &Settings) -> MesherError {
    let most = settings.most_elements;
    let enough = settings.size * (estimate / most as f64).cbrt() * 1.02;
    MesherError::TooMany { size: settings.size, estimate: estimate as usize, most, enough }
}

/// The finished mesh with its sets and its report.
pub(crate) fn finish(
    store: &Store,
    shape: &dyn Shape,
    plan: &Plan,
    settings: &Settings,
    fidelity: Option<Fidelity>,
    progress: &mut Progress,
) -> Result<Meshed, MesherError> {
    tell(progress, Stage::Report, 0.0)?;
    let mut mesh = match settings.order {
        ElementKind::Tet4 => {
            let connectivity = store.all().flat_map(|t| store.tets[t as usize]).map(|v| v as usize).collect();
            TetMesh::new(ElementKind::Tet4, store.x.clone(), connectivity)?
        }
        ElementKind::Tet10 => crate::quadratic::quadratic(store, shape)?,
    };
    for (number, name) in plan.names.iter().enumerate() {
        let elements = store.all().filter(|&t| usize::from(store.material[t as usize]) == number + 1);
        mesh.set_elements(name, elements.map(|t| t as usize).collect())?;
    }
    let mut report = report(store, plan, mesh.nodes().len(), fidelity, settings.size);
    if settings.order == ElementKind::Tet10 {
        report.volume = mesh.volume();
    }
    Ok(Meshed { mesh, report })
}
