//! What a mesh is worth: angles, edges, volumes, distances.

use rayon::prelude::*;
use wolff_fem::TetMesh;
use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::error::MesherError;
use crate::pipeline::Plan;
use crate::quality::dihedral_range;
use crate::settings::{MaterialReport, MeshingReport, SurfaceDistance};
use crate::store::{EDGES, FACES, Store};
use crate::tree::Tree;

/// Elements below this smallest angle \[°\] are named as a shortfall.
const SMALL_ANGLE_DEG: f64 = 15.0;
/// A material whose volume differs by more than this part is named as a shortfall.
const VOLUME_PART: f64 = 0.01;

/// A surface farther than this part of the size from the mesh is named as a shortfall.
const FAR_PART: f64 = 0.3;

/// Triangles of a surface whose distance from an element set is measured, at most: the mean is known to 1 % from them.
const SAMPLES: usize = 10_000;

/// Distances between surfaces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fidelity {
    /// Mean, weighted by area \[m\].
    pub mean: f64,
    /// Largest \[m\].
    pub largest: f64,
    area: f64,
}

impl Fidelity {
    /// Both together.
    pub fn joined(self, other: Fidelity) -> Fidelity {
        let area = self.area + other.area;
        let mean = (self.mean * self.area + other.mean * other.area) / area.max(f64::MIN_POSITIVE);
        Fidelity { mean, largest: self.largest.max(other.largest), area }
    }
}

/// Distance between faces of a mesh and a surface, both ways, from the vertices and centroids of their triangles.
pub(crate) fn surface_distance(store: &Store, faces: &[[u32; 3]], input: &[[Vec3; 3]], tree: &Tree) -> Fidelity {
    if faces.is_empty() {
        return Fidelity::default();
    }
    let there = one_way(&store.x, faces, tree);
    let corners: Vec<Vec3> = input.iter().flatten().copied().collect();
    let triangles: Vec<[u32; 3]> = (0..input.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let back = one_way(&corners, &triangles, &tree_of(&store.x, faces));
    Fidelity { mean: 0.5 * (there.mean + back.mean), largest: there.largest.max(back.largest), area: there.area }
}

/// Distance between the outside of an element set and a surface, both ways, as for the whole mesh; from at most
/// `SAMPLES` triangles of the surface, evenly chosen.
///
/// # Errors
/// When the mesh has no such set.
pub fn set_distance(mesh: &TetMesh, set: &str, surface: &TriangleMesh) -> Result<SurfaceDistance, MesherError> {
    let faces = outside(mesh, set)?;
    if faces.is_empty() || surface.triangles().is_empty() {
        return Err(MesherError::NoVolume { what: format!("the element set `{set}` or its surface"), volume: 0.0 });
    }
    let there = one_way(mesh.nodes(), &faces, &tree_of(surface.vertices(), surface.triangles()));
    let sample: Vec<[u32; 3]> =
        surface.triangles().iter().copied().step_by(surface.triangles().len().div_ceil(SAMPLES)).collect();
    let back = one_way(surface.vertices(), &sample, &tree_of(mesh.nodes(), &faces));
    let largest = there.largest.max(back.largest);
    Ok(SurfaceDistance { mean: 0.5 * (there.mean + back.mean), largest, area: there.area })
}

/// The faces of an element set that belong to one of its elements only.
fn outside(mesh: &TetMesh, set: &str) -> Result<Vec<[u32; 3]>, MesherError> {
    let mut faces = Vec::new();
    for &element in mesh.element_set(set)? {
        let corners = mesh.element(element).filter(|nodes| nodes.len() >= 4);
        faces.extend(corners.into_iter().flat_map(|corners| FACES.map(|face| face.map(|i| corners[i] as u32))));
    }
    let mut sorted: Vec<[u32; 3]> = faces.into_iter().map(ascending).collect();
    sorted.par_sort_unstable();
    Ok(sorted.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect())
}

fn ascending(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

fn tree_of(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Tree {
    Tree::of(triangles.iter().map(|triangle| triangle.map(|v| vertices[v as usize])))
}

/// Distances of triangles from the surface of a tree; a vertex that several triangles share is asked once.
fn one_way(vertices: &[Vec3], triangles: &[[u32; 3]], tree: &Tree) -> Fidelity {
    let mut used = vec![false; vertices.len()];
    triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let distance = |(x, used): (&Vec3, &bool)| if *used { tree.closest(x).distance } else { 0.0 };
    let corners: Vec<f64> = vertices.par_iter().zip(&used).with_min_len(128).map(distance).collect();
    let measured: Vec<[f64; 2]> = triangles
        .par_iter()
        .with_min_len(128)
        .map(|triangle| {
            let [a, b, c] = triangle.map(|v| vertices[v as usize]);
            [0.5 * (b - a).cross(&(c - a)).norm(), tree.closest(&((a + b + c) / 3.0)).distance]
        })
        .collect();
    let area: f64 = measured.iter().map(|m| m[0]).sum();
    let mean = measured.iter().map(|m| m[0] * m[1]).sum::<f64>() / area.max(f64::MIN_POSITIVE);
    let centres = measured.iter().map(|m| m[1]);
    Fidelity { mean, largest: corners.into_iter().chain(centres).fold(0.0, f64::max), area }
}

/// The report of a finished mesh.
pub(crate) fn report(store: &Store, plan: &Plan, nodes: usize, fidelity: Option<Fidelity>, size: f64) -> MeshingReport {
    let tets: Vec<u32> = store.all().collect();
    let ranges: Vec<[f64; 2]> = tets.par_iter().map(|&t| dihedral_range(store.corners(t))).collect();
    let mut least: Vec<f64> = ranges.iter().map(|range| range[0]).collect();
    least.sort_unstable_by(f64::total_cmp);
    let materials = materials(store, plan);
    let mut shortfalls = shortfalls(&least, &materials);
    if let Some(far) = fidelity.map(|f| f.largest).filter(|far| *far > FAR_PART * size) {
        shortfalls.push(format!(
            "mesh and surface are up to {:.3} mm apart; a smaller size or more halvings follow finer features",
            1e3 * far
        ));
    }
    let input_volume = plan.input_volumes.iter().sum();
    MeshingReport {
        tets: tets.len(),
        nodes,
        volume: materials.iter().map(|m| m.volume).sum(),
        input_volume,
        min_dihedral: least.first().copied().unwrap_or(0.0),
        p1_dihedral: least.get(least.len() / 100).copied().unwrap_or(0.0),
        max_dihedral: ranges.iter().map(|range| range[1]).fold(0.0, f64::max),
        mean_edge: mean_edge(store),
        mean_distance: fidelity.map(|f| f.mean),
        hausdorff: fidelity.map(|f| f.largest),
        shortfalls,
        materials,
    }
}

/// Mean length of all edges \[m\].
pub(crate) fn mean_edge(store: &Store) -> f64 {
    let mut edges: Vec<[u32; 2]> = store
        .all()
        .flat_map(|t| {
            let corners = store.tets[t as usize];
            EDGES.map(|[i, j]| [corners[i].min(corners[j]), corners[i].max(corners[j])])
        })
        .collect();
    edges.par_sort_unstable();
    edges.dedup();
    let length = |[a, b]: &[u32; 2]| (store.x[*a as usize] - store.x[*b as usize]).norm();
    edges.iter().map(length).sum::<f64>() / edges.len().max(1) as f64
}

fn materials(store: &Store, plan: &Plan) -> Vec<MaterialReport> {
    let blank = |(name, &input_volume): (&String, &f64)| MaterialReport {
        name: name.clone(),
        tets: 0,
        volume: 0.0,
        input_volume,
        centroid: Vec3::zeros(),
        distance: None,
    };
    let mut materials: Vec<MaterialReport> = plan.names.iter().zip(&plan.input_volumes).map(blank).collect();
    for t in store.all() {
        let Some(material) = materials.get_mut(usize::from(store.material[t as usize]) - 1) else { continue };
        let volume = store.volume(t);
        material.tets += 1;
        material.volume += volume;
        material.centroid += store.corners(t).into_iter().sum::<Vec3>() * (0.25 * volume);
    }
    for material in &mut materials {
        if material.volume > 0.0 {
            material.centroid /= material.volume;
        }
    }
    materials
}

fn shortfalls(least: &[f64], materials: &[MaterialReport]) -> Vec<String> {
    let mut found = Vec::new();
    let small = least.iter().filter(|angle| angle.to_degrees() < SMALL_ANGLE_DEG).count();
    if small > 0 {
        let worst = least.first().map_or(0.0, |angle| angle.to_degrees());
        found.push(format!(
            "{small} of {} elements have a dihedral angle below {SMALL_ANGLE_DEG}°, the smallest {worst:.1}°",
            least.len()
        ));
    }
    for material in materials {
        let off = material.volume / material.input_volume - 1.0;
        if material.tets == 0 {
            found.push(format!("`{}` is finer than the elements and left out; give a smaller size", material.name));
        } else if off.abs() > VOLUME_PART {
            found.push(format!("the volume of `{}` is off by {:+.2} %", material.name, 100.0 * off));
        }
    }
    found
}
