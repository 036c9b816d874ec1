//! Articular surfaces: simple shapes, parametric knees, meshes and NURBS from files.

use super::super::fields::Fields;
use super::super::node::{Node, Value};
use super::super::reader::{Expected, Reader};
use super::super::surface_file::SurfaceContent;
use super::LENGTH;
use std::sync::Arc;
use wolff_formula::quantity::Dimension;
use wolff_geometry::knee::{Condyle, Plateau};
use wolff_geometry::nurbs::{Base, NurbsPatchSet, fit_mesh};
use wolff_geometry::triangles::ShellReport;
use wolff_geometry::{
    ArticularMesh, Facing, GeometryError, Normals, Plane, Sphere, Surface, TriangleMesh, TriangleSurface,
    articular_mesh,
};
use wolff_spatial::{Mat3, Vec3};

const ANGLE: Expected = Expected::of(Dimension::ANGLE);

/// Edges of patches closer than this are merged \[m\].
const SAME_EDGE: f64 = 1e-6;

/// A surface in contact.
#[derive(Clone, Debug)]
pub(super) struct Articular {
    /// The surface for contact.
    pub surface: Arc<dyn Surface>,
    /// Its triangles, if it has any.
    pub mesh: Option<ArticularMesh>,
    /// The closed shells of which it is one side.
    pub shells: Vec<ShellReport>,
}

/// What turns vectors of surface files into the axes of the study: X forward, Y up, Z right of a right knee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes(Mat3);

/// Where the axes x, y, z of a file may point; all are right-handed.
const AXES: [&str; 6] = [
    "forward-up-right",
    "forward-left-up",
    "right-forward-up",
    "left-backward-up",
    "right-up-backward",
    "left-up-forward",
];

/// `axes` of all files of a foundation, and `side` of the body that they show: a left one is mirrored at z = 0.
pub(super) fn read_axes(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Axes> {
    let words = fields.choice_or(reader, "axes", &AXES, AXES[0]);
    let side = fields.choice_or(reader, "side", &["right", "left"], "right");
    let (words, side) = (words?, side?);
    let mut columns = words.split('-').map(|word| match word {
        "forward" => Vec3::x(),
        "backward" => -Vec3::x(),
        "up" => Vec3::y(),
        "right" => Vec3::z(),
        _ => -Vec3::z(),
    });
    let mut next = || columns.next().unwrap_or_default();
    let turned = Mat3::from_columns(&[next(), next(), next()]);
    let mirror = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, if side == "left" { -1.0 } else { 1.0 }));
    Some(Axes(mirror * turned))
}

/// The side of a closed mesh that is in contact.
enum Side {
    /// The side that faces as the built-in surface of the same kind does.
    AsKind,
    /// The side that faces in this direction.
    Towards(Vec3),
    /// The whole mesh.
    Whole,
}

/// Reads a surface: `kind` with its keys, or the `file` of a parameter in its place.
pub(super) fn read_articular(reader: &mut Reader<'_>, node: &Node, label: &str, axes: &Axes) -> Option<Articular> {
    let mut fields = Fields::new(reader, node, label)?;
    let file = fields.maybe("file").and_then(|node| reader.text(node, "`file` of a surface").map(String::from));
    let normals = fields.choice_or(reader, "normals", &["smooth", "facet"], "smooth");
    let fit = fields.number_or(reader, "fit", LENGTH.not_negative(), 0.0);
    let side = read_side(reader, &mut fields);
    let kind = fields.choice(reader, "kind", &["plane", "sphere", "cavity", "condyles", "plateau"])?;
    let built = match kind.as_str() {
        "plane" => Some(Plane::new(Vec3::zeros(), Vec3::y()).map(smooth)),
        "sphere" => {
            fields.number(reader, "radius", LENGTH.positive()).map(|r| Sphere::new(Vec3::zeros(), r).map(smooth))
        }
        "cavity" => {
            fields.number(reader, "radius", LENGTH.positive()).map(|r| Sphere::cavity(Vec3::zeros(), r).map(smooth))
        }
        "plateau" => read_plateau(reader, &mut fields),
        _ => read_condyles(reader, &mut fields),
    };
    fields.finish(reader);
    let normals = if normals? == "facet" { Normals::Facets } else { Normals::Smooth };
    let built = match file.and_then(|parameter| given_file(reader, node, &parameter)) {
        Some(content) => from_file(&*content?, axes, normals, (fit?, &kind), &side?),
        None => built?,
    };
    match built {
        Ok(articular) => Some(articular),
        Err(e) => reader.wrong(&node.span, format!("{label}: {e}"), None),
    }
}

/// The whole surface of the file that a parameter names under a key, facets as they are; `None` where the key or the
/// value of the parameter is empty.
pub(super) fn read_back(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    key: &'static str,
    axes: &Axes,
) -> Option<Option<Articular>> {
    let Some(node) = fields.maybe(key) else { return Some(None) };
    let parameter = reader.text(node, &format!("`{key}`")).map(String::from)?;
    let Some(content) = given_file(reader, node, &parameter) else { return Some(None) };
    match from_file(&*content?, axes, Normals::Facets, (0.0, "plane"), &Side::Whole) {
        Ok(back) => Some(Some(back)),
        Err(e) => reader.wrong(&node.span, format!("`{key}`: {e}"), None),
    }
}

fn smooth<S: Surface + 'static>(surface: S) -> Articular {
    Articular { surface: Arc::new(surface), mesh: None, shells: Vec::new() }
}

/// `articular`: direction in which the articular side of a closed mesh faces, or `"whole"`.
fn read_side(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Side> {
    match fields.maybe("articular") {
        None => Some(Side::AsKind),
        Some(Node { value: Value::Text(word), .. }) if word == "whole" => Some(Side::Whole),
        Some(node) => reader.direction(node, "`articular` of a surface").map(Side::Towards),
    }
}

/// Direction in which the built-in surfaces of a kind face.
fn facing(kind: &str) -> Facing<'static> {
    match kind {
        "condyles" => Facing::AwayFromAxis { origin: Vec3::zeros(), axis: Vec3::z() },
        "sphere" => Facing::AwayFrom(Vec3::zeros()),
        "cavity" => Facing::Towards(Vec3::zeros()),
        _ => Facing::Direction(Vec3::y()),
    }
}

/// The content of the file that a parameter names; `None` where its value is empty.
fn given_file(reader: &mut Reader<'_>, node: &Node, parameter: &str) -> Option<Option<Arc<SurfaceContent>>> {
    match reader.given.surfaces.get(parameter) {
        Some(None) => None,
        Some(Some(file)) => Some(Some(file.content.clone())),
        None => {
            let help = Some("declare it with `file = \"surface\"`".into());
            Some(reader.wrong(&node.span, format!("`{parameter}` is not a parameter that names a surface"), help))
        }
    }
}

/// The surface of a file. Of closed shells of a mesh the articular side is taken. The mesh is used as it is, or, with a
/// tolerance `fit` \[m\] above zero, replaced by smooth surfaces of the `kind` that it stands for.
fn from_file(
    content: &SurfaceContent,
    axes: &Axes,
    normals: Normals,
    (fit, kind): (f64, &str),
    side: &Side,
) -> Result<Articular, GeometryError> {
    match content {
        SurfaceContent::Mesh(mesh) => {
            let mesh = &mesh.clone().stretched(&axes.0)?;
            let articular = match side {
                Side::AsKind => articular_mesh(mesh, &facing(kind))?,
                Side::Towards(direction) => articular_mesh(mesh, &Facing::Direction(*direction))?,
                Side::Whole => ArticularMesh::whole(mesh.clone()),
            };
            let shells = articular.shells.clone();
            let surface: Arc<dyn Surface> = match kind {
                "condyles" if fit > 0.0 => Arc::new(fitted_condyles(&articular.mesh, fit)?),
                _ if fit > 0.0 => Arc::new(fitted_plateau(&articular.mesh, fit)?),
                _ => Arc::new(TriangleSurface::articular(articular.clone(), normals)?),
            };
            Ok(Articular { surface, mesh: (fit == 0.0).then_some(articular), shells })
        }
        SurfaceContent::Nurbs(named) => {
            let surfaces: Vec<_> = named.iter().map(|n| n.surface.turned(&axes.0)).collect();
            let mut set = NurbsPatchSet::new(&surfaces, SAME_EDGE)?;
            for (k, mask) in named.iter().enumerate().filter_map(|(k, n)| n.mask.clone().map(|mask| (k, mask))) {
                set = set.with_mask(k, mask)?;
            }
            Ok(smooth(set))
        }
    }
}

/// Two condyles around the z axis of a mesh, one on each side of z = 0, as NURBS surfaces: the contact force on them
/// does not jump from facet to facet, which implicit integrators do not tolerate.
fn fitted_condyles(mesh: &TriangleMesh, tolerance: f64) -> Result<NurbsPatchSet, GeometryError> {
    let base = Base::cylinder_about(mesh.vertices(), Vec3::zeros(), Vec3::z())?;
    let sides = [fit_mesh(mesh, &base, |x| x.z < 0.0, tolerance)?, fit_mesh(mesh, &base, |x| x.z > 0.0, tolerance)?];
    let surfaces = sides.each_ref().map(|side| side.surface.clone());
    let set = NurbsPatchSet::new(&surfaces, SAME_EDGE)?;
    let [medial, lateral] = sides.map(|side| side.mask);
    set.with_mask(0, medial)?.with_mask(1, lateral)
}

/// The upward-facing part of a mesh as a NURBS surface: elements on it do not depend on the positions of facets, so
/// that different grids agree.
fn fitted_plateau(mesh: &TriangleMesh, tolerance: f64) -> Result<NurbsPatchSet, GeometryError> {
    let upwards = Base::Plane { x: Vec3::z(), y: Vec3::x() };
    let fit = fit_mesh(mesh, &upwards, |_| true, tolerance)?;
    NurbsPatchSet::new(&[fit.surface], SAME_EDGE)?.with_mask(0, fit.mask)
}

/// `condyles = [{ middle, distal_radius, ... }]`, `tolerance` of the fit, `depth` below the surface.
fn read_condyles(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Result<Articular, GeometryError>> {
    let node = fields.must(reader, "condyles");
    let tolerance = fields.number_or(reader, "tolerance", LENGTH.positive(), 5e-6);
    let depth = fields.number_or(reader, "depth", LENGTH.not_negative(), 0.0);
    let node = node?;
    let Value::Array(items) = &node.value else {
        return reader.wrong_kind(node, "`condyles`", "an array of tables");
    };
    let condyles: Option<Vec<Condyle>> = items.iter().map(|item| read_condyle(reader, item)).collect();
    let (condyles, tolerance, depth) = (condyles?, tolerance?, depth?);
    let surfaces: Result<Vec<_>, _> = condyles.iter().map(|c| c.surface(depth, tolerance)).collect();
    Some(surfaces.and_then(|all| NurbsPatchSet::new(&all, SAME_EDGE)).map(smooth))
}

fn read_condyle(reader: &mut Reader<'_>, node: &Node) -> Option<Condyle> {
    let mut fields = Fields::new(reader, node, "an entry of `condyles`")?;
    let length = LENGTH.positive();
    let middle = fields.number(reader, "middle", LENGTH);
    let distal = fields.number(reader, "distal_radius", length);
    let posterior = fields.number(reader, "posterior_radius", length);
    let coronal = fields.number(reader, "coronal_radius", length);
    let begin = fields.number_or(reader, "transition_begin", ANGLE, 0.0);
    let end = fields.number_or(reader, "transition_end", ANGLE, 0.6);
    let front = fields.number_or(reader, "front", ANGLE, -0.7);
    let back = fields.number_or(reader, "back", ANGLE, 2.1);
    let reach = fields.number_or(reader, "coronal_reach", ANGLE.positive(), 0.8);
    fields.finish(reader);
    let condyle = Condyle {
        middle: middle?,
        distal_radius: distal?,
        posterior_radius: posterior?,
        transition: (begin?, end?),
        coronal_radius: coronal?,
        sagittal_range: (front?, back?),
        coronal_reach: reach?,
    };
    match condyle.checked() {
        Ok(condyle) => Some(condyle),
        Err(e) => reader.wrong(&node.span, e.to_string(), None),
    }
}

fn read_plateau(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Result<Articular, GeometryError>> {
    let middle = fields.vector_or_zero(reader, "middle", LENGTH);
    let curvature = Expected::of(Dimension::ONE.times(Dimension::LENGTH, -1.0));
    let sagittal = fields.number(reader, "sagittal_curvature", curvature);
    let coronal = fields.number(reader, "coronal_curvature", curvature);
    let half_length = fields.number(reader, "half_length", LENGTH.positive());
    let half_width = fields.number(reader, "half_width", LENGTH.positive());
    let tolerance = fields.number_or(reader, "tolerance", LENGTH.positive(), 5e-6);
    let plateau = Plateau {
        middle: middle?,
        sagittal_curvature: sagittal?,
        coronal_curvature: coronal?,
        half_size: (half_length?, half_width?),
    };
    let tolerance = tolerance?;
    let surface = plateau.checked().and_then(|p| p.surface(tolerance));
    Some(surface.and_then(|s| NurbsPatchSet::new(&[s], SAME_EDGE)).map(smooth))
}
