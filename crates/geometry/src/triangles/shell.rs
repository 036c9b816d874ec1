//! Closed shells of thin layers, such as segmented cartilage: parted into two sheets and the rim between them.

use wolff_spatial::Vec3;

use super::mesh::{TriangleMesh, double_area};
use super::shell_report::ShellReport;
use super::signed_groups::SignedGroups;
use super::surface::{Normals, TriangleSurface};
use crate::error::GeometryError;
use crate::surface::Surface;

/// Cosine between the normals of two triangles that lie on opposite sides of a layer: turned by at least 120 degrees.
const OPPOSITE: f64 = -0.5;

/// A way through the material that is longer than this many times the median runs along the layer, not through it.
const LONGEST_WAY: f64 = 4.0;

/// A layer is thin if its median thickness is no more than this part of the root of the area of one side.
const THIN: f64 = 0.2;

/// Part of the area of a shell that has the other side opposite.
const OPPOSED_PART: f64 = 0.6;

/// Part of the area of a shell that each of its sheets has at least.
const SMALLEST_SHEET: f64 = 0.25;

/// Rays begin this part of the size of the mesh below the triangle that they leave.
const LIFT: f64 = 1e-9;

/// Which way the articular side of a shell looks.
#[derive(Clone, Copy, Debug)]
pub enum Facing<'a> {
    /// Along a direction of any length.
    Direction(Vec3),
    /// Away from the line through `origin` along `axis`, as a condyle does.
    AwayFromAxis {
        /// A point of the line \[m\].
        origin: Vec3,
        /// Its direction.
        axis: Vec3,
    },
    /// Away from a point \[m\], as a ball does.
    AwayFrom(Vec3),
    /// Towards a point \[m\], as a socket does.
    Towards(Vec3),
    /// Towards the body it touches, in the frame of the mesh: the side from which more of that body is in sight.
    Partner {
        /// Surface of that body.
        surface: &'a dyn Surface,
        /// How far it is looked for \[m\].
        reach: f64,
    },
}

/// One side of a shell.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Its triangles, an open mesh; normals point away from the material as before.
    pub mesh: TriangleMesh,
    /// Way through the material behind each triangle \[m\].
    pub thickness: Vec<f64>,
}

impl Sheet {
    /// Area \[m²\].
    pub fn area(&self) -> f64 {
        areas(&self.mesh).sum()
    }

    /// Mean thickness over the area \[m\].
    pub fn mean_thickness(&self) -> f64 {
        areas(&self.mesh).zip(&self.thickness).map(|(area, h)| area * h).sum::<f64>() / self.area()
    }
}

/// A closed thin layer: two sheets that look away from each other, and the rim that joins them.
#[derive(Clone, Debug)]
pub struct Shell {
    /// The whole.
    surface: TriangleSurface,
    /// Both sides.
    sheets: [Sheet; 2],
    /// Whether the mesh was inside out.
    pub(super) turned: bool,
}

impl Shell {
    /// Parts a connected mesh; `None` where it is open or no thin layer (a bone, a ball).
    ///
    /// From the centre of every triangle a ray goes along the inward normal. Where it leaves the material through a
    /// triangle whose normal is turned by 120 degrees or more, the two lie on different sides. The mesh is a thin layer
    /// if this holds for most of its area, and if the median of these ways is small against the root of the area of one
    /// side. Then sides are told apart by all pairs of opposite triangles, the nearest first, which differ, and all
    /// pairs of neighbours, the least bent first, which agree; a statement that contradicts those before it is dropped,
    /// so that the rim, where neighbours bend most and have nothing opposite, is where the sides part. Triangles there
    /// that have nothing opposite belong to the rim. A mesh that is inside out is turned first. Own choice.
    ///
    /// Limits: the sheets may touch nowhere, and a layer must be wider than five times its thickness.
    ///
    /// # Errors
    /// When more than two triangles meet at an edge, neighbours disagree on the outside, or both sides of a thin layer
    /// cannot be told apart.
    pub fn new(part: &TriangleMesh) -> Result<Option<Shell>, GeometryError> {
        let Some(volume) = part.report()?.volume else { return Ok(None) };
        let turned = volume < 0.0;
        let part = if turned { &part.clone().flipped() } else { part };
        let surface = TriangleSurface::new(part.clone(), Normals::Facets)?;
        let ways = ways_through(&surface);
        let Some(median) = thin(part, &ways) else { return Ok(None) };
        let ways: Vec<_> = ways.into_iter().map(|way| way.filter(|w| w.length <= LONGEST_WAY * median)).collect();
        let side = sides(&surface, &ways);
        let rim = rim(&surface, &ways, &side);
        let sheet = |second: bool| {
            let own: Vec<usize> = (0..side.len()).filter(|&t| side[t] == second && !rim[t]).collect();
            let area: f64 = own.iter().map(|&t| area(part, t)).sum();
            if own.is_empty() || area < SMALLEST_SHEET * areas(part).sum::<f64>() {
                return Err(GeometryError::NoSheets { part: area / areas(part).sum::<f64>() });
            }
            let thickness = own.iter().map(|&t| ways[t].map_or(median, |way| way.length)).collect();
            let triangles = own.iter().map(|&t| part.triangles()[t]).collect();
            let mesh = TriangleMesh::cleaned(part.vertices().to_vec(), triangles, false)?.mesh;
            Ok(Sheet { mesh, thickness })
        };
        let sheets = [sheet(false)?, sheet(true)?];
        Ok(Some(Shell { surface, sheets, turned }))
    }

    /// Both sides, in no particular order.
    pub fn sheets(&self) -> &[Sheet; 2] {
        &self.sheets
    }

    /// The side that looks as said: the one with the larger mean of `n·f` over its area, n outward normal, f unit
    /// vector of the direction; for a partner the one with the larger part of its area from which a ray along n meets
    /// the partner first.
    ///
    /// # Errors
    /// When the two means do not differ clearly: then another direction must be given.
    pub fn facing(&self, facing: &Facing<'_>) -> Result<&Sheet, GeometryError> {
        let [a, b] = self.sheets.each_ref().map(|sheet| self.score(sheet, facing));
        let clear = a.max(b) > LEAST_SCORE && (a - b).abs() > CLEAR * (a.abs() + b.abs());
        match (clear, a > b) {
            (true, true) => Ok(&self.sheets[0]),
            (true, false) => Ok(&self.sheets[1]),
            (false, _) => Err(GeometryError::UnclearSheet { scores: [a, b] }),
        }
    }

    fn score(&self, sheet: &Sheet, facing: &Facing<'_>) -> f64 {
        let looks = |t: usize| {
            let corners = sheet.mesh.corners(t);
            let (x, n) = ((corners[0] + corners[1] + corners[2]) / 3.0, double_area(&corners).normalize());
            let along = |f: Vec3| f.try_normalize(0.0).map_or(0.0, |f| n.dot(&f));
            match facing {
                Facing::Direction(f) => along(*f),
                Facing::AwayFromAxis { origin, axis } => {
                    let (from, axis) = (x - origin, axis.try_normalize(0.0).unwrap_or_default());
                    along(from - axis * axis.dot(&from))
                }
                Facing::AwayFrom(point) => along(x - point),
                Facing::Towards(point) => along(point - x),
                Facing::Partner { surface, reach } => f64::from(self.sees(&x, &n, *surface, *reach)),
            }
        };
        let weighted = areas(&sheet.mesh).enumerate().map(|(t, area)| area * looks(t));
        weighted.sum::<f64>() / sheet.area()
    }

    /// Whether a ray from the shell meets the partner before the shell itself.
    fn sees(&self, x: &Vec3, n: &Vec3, partner: &dyn Surface, reach: f64) -> bool {
        let Some(hit) = partner.ray(x, n, (0.0, reach)) else { return false };
        self.surface.ray(x, n, (lift(&self.surface), hit.t)).is_none()
    }
}

/// Smallest score of a side that looks as said.
const LEAST_SCORE: f64 = 0.02;

/// Least difference of the scores of both sides over the sum of their sizes.
const CLEAR: f64 = 0.5;

/// What is articular of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ArticularMesh {
    /// The articular sheets of all parts that are shells, and all other parts as they are.
    pub mesh: TriangleMesh,
    /// Way through the material behind each triangle \[m\]; infinite where the part is no shell.
    pub thickness: Vec<f64>,
    /// What was found in each shell.
    pub shells: Vec<ShellReport>,
}

impl ArticularMesh {
    /// A mesh as it is, closed or open, with nothing known of what is behind its triangles.
    pub fn whole(mesh: TriangleMesh) -> Self {
        let thickness = vec![f64::INFINITY; mesh.triangles().len()];
        ArticularMesh { mesh, thickness, shells: Vec::new() }
    }
}

/// Takes the articular sheet of every connected part of a mesh that is a closed shell; a part that is open or thick
/// stays.
///
/// # Errors
/// As [`Shell::new`] and [`Shell::facing`].
pub fn articular_mesh(mesh: &TriangleMesh, facing: &Facing<'_>) -> Result<ArticularMesh, GeometryError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let (mut thickness, mut shells) = (Vec::new(), Vec::new());
    let mut add = |mesh: &TriangleMesh| {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|v| v + first)));
    };
    for part in mesh.parts()? {
        let Some(shell) = Shell::new(&part)? else {
            add(&part);
            thickness.extend(std::iter::repeat_n(f64::INFINITY, part.triangles().len()));
            continue;
        };
        let sheet = shell.facing(facing)?;
        shells.push(ShellReport::new(&part, &shell, sheet));
        thickness.extend_from_slice(&sheet.thickness);
        add(&sheet.mesh);
    }
    if shells.is_empty() {
        // down to the order of its triangles
        return Ok(ArticularMesh::whole(mesh.clone()));
    }
    Ok(ArticularMesh { mesh: TriangleMesh::new(vertices, triangles)?, thickness, shells })
}

/// The way from a triangle through the material to the other side.
#[derive(Clone, Copy, Debug)]
struct Way {
    length: f64,
    to: usize,
}

/// The way along the inward normal from the centre of each triangle, where it ends on a triangle that looks the other
/// way.
fn ways_through(surface: &TriangleSurface) -> Vec<Option<Way>> {
    let (faces, start) = (&surface.field.faces, lift(surface));
    let way = |(t, (point, _)): (usize, (crate::SurfacePoint, f64))| {
        let (to, _, length) = surface.first_hit(&point.position, &-faces[t], (start, f64::MAX))?;
        (faces[t].dot(&faces[to]) < OPPOSITE).then_some(Way { length, to })
    };
    surface.elements().enumerate().map(way).collect()
}

fn lift(surface: &TriangleSurface) -> f64 {
    let bounds = surface.bounds();
    LIFT * (bounds.max - bounds.min).norm()
}

/// The median over the area of the ways \[m\], if the mesh is a thin layer.
fn thin(mesh: &TriangleMesh, ways: &[Option<Way>]) -> Option<f64> {
    let total: f64 = areas(mesh).sum();
    let mut found: Vec<(f64, f64)> =
        ways.iter().zip(areas(mesh)).filter_map(|(w, a)| Some((w.as_ref()?.length, a))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * found.iter().map(|(_, area)| area).sum::<f64>();
    let mut below = 0.0;
    let median = found.iter().find(|(_, area)| {
        below += area;
        below >= half
    })?;
    let opposed: f64 = found.iter().filter(|(length, _)| *length <= LONGEST_WAY * median.0).map(|(_, area)| area).sum();
    (median.0 <= THIN * (0.5 * total).sqrt() && opposed >= OPPOSED_PART * total).then_some(median.0)
}

/// The side on which each triangle lies.
fn sides(surface: &TriangleSurface, ways: &[Option<Way>]) -> Vec<bool> {
    let faces = &surface.field.faces;
    let mut opposite: Vec<(f64, usize, usize)> =
        ways.iter().enumerate().filter_map(|(t, way)| way.map(|w| (w.length, t, w.to))).collect();
    let mut beside: Vec<(f64, usize, usize)> = Vec::new();
    for (t, neighbours) in surface.topology().neighbours().iter().enumerate() {
        let later = neighbours.iter().flatten().map(|&s| s as usize).filter(|&s| s > t);
        beside.extend(later.map(|s| (1.0 - faces[t].dot(&faces[s]), t, s)));
    }
    let mut groups = SignedGroups::new(faces.len());
    for (pairs, differ) in [(&mut opposite, true), (&mut beside, false)] {
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        pairs.iter().for_each(|&(_, t, s)| groups.relate(t, s, differ));
    }
    let side = (0..faces.len()).map(|t| groups.find(t).1).collect();
    without_islands(surface, side)
}

/// Each side as one connected piece, its largest: smaller pieces go over to the side that surrounds them.
fn without_islands(surface: &TriangleSurface, mut side: Vec<bool>) -> Vec<bool> {
    let main = in_largest_pieces(surface, &side);
    side.iter_mut().zip(main).for_each(|(side, main)| *side ^= !main);
    side
}

/// Whether each triangle belongs to the largest connected piece among those with the same label.
fn in_largest_pieces<L: Copy + PartialEq>(surface: &TriangleSurface, label: &[L]) -> Vec<bool> {
    const NONE: usize = usize::MAX;
    let mut piece_of = vec![NONE; label.len()];
    let mut pieces: Vec<(f64, L)> = Vec::new();
    for seed in 0..label.len() {
        if piece_of[seed] != NONE {
            continue;
        }
        let (mut piece_area, mut waiting) = (0.0, vec![seed]);
        piece_of[seed] = pieces.len();
        while let Some(t) = waiting.pop() {
            piece_area += area(surface.mesh(), t);
            for s in surface.topology().neighbours()[t].iter().flatten().map(|&s| s as usize) {
                if piece_of[s] == NONE && label[s] == label[t] {
                    piece_of[s] = pieces.len();
                    waiting.push(s);
                }
            }
        }
        pieces.push((piece_area, label[seed]));
    }
    let largest = |k: usize| {
        let (own, label) = pieces[k];
        pieces.iter().enumerate().all(|(j, piece)| piece.1 != label || piece.0 < own || (piece.0 == own && j >= k))
    };
    let is_largest: Vec<bool> = (0..pieces.len()).map(largest).collect();
    piece_of.iter().map(|&piece| is_largest[piece]).collect()
}

/// Which triangles belong to the rim: those without the other side opposite that are connected, over such triangles,
/// with the line on which the sides meet, and what they cut off from the main piece of each side.
fn rim(surface: &TriangleSurface, ways: &[Option<Way>], side: &[bool]) -> Vec<bool> {
    let beside = |t: usize| surface.topology().neighbours()[t].into_iter().flatten().map(|s| s as usize);
    let opposed = |t: usize| ways[t].is_some_and(|way| side[way.to] != side[t]);
    let mut rim = vec![false; side.len()];
    let meets = |t: &usize| beside(*t).any(|s| side[s] != side[*t]);
    let mut waiting: Vec<usize> = (0..side.len()).filter(meets).filter(|&t| !opposed(t)).collect();
    waiting.iter().for_each(|&t| rim[t] = true);
    while let Some(t) = waiting.pop() {
        for s in beside(t).filter(|&s| !opposed(s)) {
            if !rim[s] {
                rim[s] = true;
                waiting.push(s);
            }
        }
    }
    let labels: Vec<(bool, bool)> = side.iter().copied().zip(rim.iter().copied()).collect();
    let main = in_largest_pieces(surface, &labels);
    rim.iter().zip(main).map(|(&rim, main)| rim || !main).collect()
}

fn area(mesh: &TriangleMesh, t: usize) -> f64 {
    0.5 * double_area(&mesh.corners(t)).norm()
}

pub(super) fn areas(mesh: &TriangleMesh) -> impl Iterator<Item = f64> {
    (0..mesh.triangles().len()).map(|t| area(mesh, t))
}
