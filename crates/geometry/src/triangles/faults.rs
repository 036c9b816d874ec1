//! Faults of surfaces from files, and their repair.

use std::collections::{BTreeMap, BTreeSet};

use wolff_spatial::Vec3;

use super::mesh::TriangleMesh;
use crate::error::GeometryError;

/// Passes that remove triangles which stick out of a surface.
const MOST_PASSES: usize = 20;

/// An edge at which more than two triangles meet.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdedEdge {
    /// Its vertices.
    pub edge: [u32; 2],
    /// Number of triangles.
    pub count: usize,
    /// Its middle \[m\].
    pub place: Vec3,
}

/// What is wrong with a surface, if anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceFaults {
    /// Edges at which more than two triangles meet.
    pub crowded: Vec<CrowdedEdge>,
    /// Edges whose two triangles disagree on the outside.
    pub disagreeing: usize,
    /// Triangles with the corners of an earlier one.
    pub repeated: usize,
    /// Edges of one triangle only: the rims of an open surface.
    pub open_edges: usize,
    /// Closed parts whose triangles face inwards; not counted where there are crowded or disagreeing edges.
    pub inside_out: usize,
}

impl SurfaceFaults {
    /// Whether contact can be computed with it: rims are no fault.
    pub fn is_sound(&self) -> bool {
        self.crowded.is_empty() && self.disagreeing == 0 && self.repeated == 0 && self.inside_out == 0
    }
}

/// What [`TriangleMesh::mended`] did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mending {
    /// Triangles with the corners of an earlier one that were removed.
    pub repeated: usize,
    /// Triangles that stuck out of the surface, with a free edge, at an edge of more than two triangles.
    pub fins: usize,
    /// Triangles that were turned.
    pub turned: usize,
    /// Edges of more than two triangles that are left.
    pub crowded: Vec<CrowdedEdge>,
}

impl Mending {
    /// Whether anything was changed.
    pub fn changed(&self) -> bool {
        self.repeated + self.fins + self.turned > 0
    }
}

type Edges = BTreeMap<[u32; 2], Vec<u32>>;

fn edges(triangles: &[[u32; 3]]) -> Edges {
    let mut edges = Edges::new();
    for (t, corners) in triangles.iter().enumerate() {
        for i in 0..3 {
            edges.entry(sorted([corners[i], corners[(i + 1) % 3]])).or_default().push(t as u32);
        }
    }
    edges
}

fn sorted<const N: usize>(mut of: [u32; N]) -> [u32; N] {
    of.sort_unstable();
    of
}

fn runs_along(triangle: &[u32; 3], [a, b]: [u32; 2]) -> bool {
    (0..3).any(|i| triangle[i] == a && triangle[(i + 1) % 3] == b)
}

impl TriangleMesh {
    /// What is wrong with the surface.
    pub fn faults(&self) -> SurfaceFaults {
        let edges = edges(self.triangles());
        let crowded = self.crowded(&edges);
        let disagree = |(edge, at): &(&[u32; 2], &Vec<u32>)| match at[..] {
            [t, s] => {
                let along = |t: u32| runs_along(&self.triangles()[t as usize], **edge);
                along(t) == along(s)
            }
            _ => false,
        };
        let disagreeing = edges.iter().filter(disagree).count();
        let mut known = BTreeSet::new();
        let repeated = self.triangles().iter().filter(|t| !known.insert(sorted(**t))).count();
        let open_edges = edges.values().filter(|at| at.len() == 1).count();
        let inside_out = if crowded.is_empty() && disagreeing == 0 { self.inside_out() } else { 0 };
        SurfaceFaults { crowded, disagreeing, repeated, open_edges, inside_out }
    }

    fn crowded(&self, edges: &Edges) -> Vec<CrowdedEdge> {
        let place = |[a, b]: [u32; 2]| 0.5 * (self.vertices()[a as usize] + self.vertices()[b as usize]);
        let many = edges.iter().filter(|(_, at)| at.len() > 2);
        many.map(|(&edge, at)| CrowdedEdge { edge, count: at.len(), place: place(edge) }).collect()
    }

    /// Number of closed parts that enclose a negative volume.
    fn inside_out(&self) -> usize {
        let negative = |part: &TriangleMesh| part.report().is_ok_and(|r| r.volume.is_some_and(|v| v < 0.0));
        self.parts().map_or(0, |parts| parts.iter().filter(|part| negative(part)).count())
    }

    /// The surface without repeated triangles and without triangles that stick out at edges of more than two; then, if
    /// no such edge is left, with neighbours that agree on the outside. A sound surface is returned unchanged.
    ///
    /// # Errors
    /// When no triangle is left, or a part has one side only.
    pub fn mended(self) -> Result<(TriangleMesh, Mending), GeometryError> {
        let mut done = Mending::default();
        let mut triangles = self.triangles().to_vec();
        let mut known = BTreeSet::new();
        triangles.retain(|t| known.insert(sorted(*t)));
        done.repeated = self.triangles().len() - triangles.len();
        for _ in 0..MOST_PASSES {
            let fins = fins(&triangles);
            if fins.is_empty() {
                break;
            }
            done.fins += fins.len();
            let mut index = 0..;
            triangles.retain(|_| index.next().is_none_or(|t: u32| !fins.contains(&t)));
        }
        let mesh = match done.repeated + done.fins {
            0 => self,
            _ => TriangleMesh::cleaned(self.vertices().to_vec(), triangles, false)?.mesh,
        };
        let faults = mesh.faults();
        done.crowded = faults.crowded;
        if !done.crowded.is_empty() || (faults.disagreeing == 0 && faults.inside_out == 0) {
            return Ok((mesh, done));
        }
        let before = mesh.triangles().to_vec();
        let mut turned = mesh.oriented()?;
        done.turned = turned.triangles().iter().zip(&before).filter(|(a, b)| a != b).count();
        // an open surface follows the majority of its triangles
        if 2 * done.turned > before.len() && faults.open_edges > 0 && turned.parts()?.len() == 1 {
            turned = turned.flipped();
            done.turned = before.len() - done.turned;
        }
        Ok((turned, done))
    }
}

/// Triangles at an edge of more than two triangles that have a free edge.
fn fins(triangles: &[[u32; 3]]) -> BTreeSet<u32> {
    let edges = edges(triangles);
    let free: BTreeSet<u32> = edges.values().filter(|at| at.len() == 1).flatten().copied().collect();
    edges.values().filter(|at| at.len() > 2).flatten().copied().filter(|t| free.contains(t)).collect()
}
