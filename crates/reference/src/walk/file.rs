//! The file of a walk, SI units, angles in rad.
//!
//! Median plane and right side are sufficient where the left side is their mirror image. Otherwise bodies, contacts and
//! motion contain those of the left too, and `left` is the stance of the left foot.

use super::symmetry::mirrors_itself;
use super::{GroundSeries, Harmonic, LeftStance, ReferenceWalk, Series, StanceFoot, WalkConstants};
use serde::{Deserialize, Serialize};
use wolff_anatomy::error::{AnatomyError, positive, require};
use wolff_anatomy::skeleton::{FootPoint, Segment, Skeleton, Turn};
use wolff_anatomy::{Side, without_side};
use wolff_spatial::{MassProperties, Mat3, Vec3};

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct WalkFile {
    about: String,
    source: String,
    constants: WalkConstants,
    bodies: Vec<BodyRow>,
    contacts: Vec<ContactRow>,
    motion: Vec<SeriesRow>,
    ground: GroundRow,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<LeftRow>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BodyRow {
    name: String,
    parent: String,
    joint: [f64; 3],
    axes: Vec<AxisRow>,
    mass: f64,
    com: [f64; 3],
    /// xx, yy, zz, xy, xz, yz about the centre of mass
    inertia: [f64; 6],
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AxisRow {
    coordinate: String,
    axis: [f64; 3],
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ContactRow {
    name: String,
    body: String,
    point: [f64; 3],
    window: [f64; 2],
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SeriesRow {
    coordinate: String,
    mean: f64,
    harmonics: Vec<u32>,
    cos: Vec<f64>,
    sin: Vec<f64>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct GroundRow {
    /// x, z, turn outward
    foot: [f64; 3],
    force: [Vec<f64>; 3],
    centre: [Vec<f64>; 2],
    free_moment: Vec<f64>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LeftRow {
    strike: f64,
    duty: f64,
    /// as of a right foot
    ground: GroundRow,
}

/// Reads and checks.
pub(super) fn read(text: &str) -> Result<ReferenceWalk, AnatomyError> {
    let file: WalkFile =
        serde_json::from_str(text).map_err(|e| AnatomyError::Unreadable { file: "walk", reason: e.to_string() })?;
    all_said(&file)?;
    let segments: Result<Vec<_>, _> = file.bodies.into_iter().map(segment).collect();
    let contacts = file.contacts.into_iter().map(contact).collect();
    let skeleton = Skeleton {
        name: "reference walk".into(),
        gravity: file.constants.gravity,
        segments: both_sides(segments?, |s| &s.name, Segment::mirrored),
        contacts: both_sides(contacts, |c| &c.name, FootPoint::mirrored),
        given: None,
    };
    let motion: Result<Vec<_>, _> = file.motion.into_iter().map(series).collect();
    let walk = ReferenceWalk::new(file.constants, skeleton, motion?, ground(file.ground))?;
    match file.left {
        Some(LeftRow { strike, duty, ground: row }) => {
            walk.with_left_stance(LeftStance { strike, duty, series: ground(row) })
        }
        None => Ok(walk),
    }
}

/// Both sides of a file; where it has no entries of the left side, the mirror image of the right is added.
fn both_sides<T>(mut told: Vec<T>, name: impl Fn(&T) -> &str, mirrored: impl Fn(&T) -> T) -> Vec<T> {
    if told.iter().all(|part| Side::of(name(part)) != Some(Side::Left)) {
        let left: Vec<T> = told.iter().filter(|part| Side::of(name(part)) == Some(Side::Right)).map(mirrored).collect();
        told.extend(left);
    }
    told
}

/// Rejects files without description or source.
fn all_said(file: &WalkFile) -> Result<(), AnatomyError> {
    if file.about.trim().is_empty() || file.source.trim().is_empty() {
        return Err(AnatomyError::rule("walk", "`about` or `source` is empty; describe the walk and its source"));
    }
    Ok(())
}

/// Writes the walk in the format of [`read`]: the left side only where it is not the mirror image of the right.
pub(super) fn write(walk: &ReferenceWalk, about: &str, source: &str) -> Result<String, AnatomyError> {
    if walk.skeleton.given.is_some() {
        return Err(AnatomyError::rule(
            &walk.skeleton.name,
            "its joints are those of an imported model, which the file format does not support; \
             write the model and its motion instead",
        ));
    }
    let both = !mirrors_itself(&walk.skeleton);
    let written = |name: &str| both || Side::of(name) != Some(Side::Left);
    let segments = walk.skeleton.segments.iter().filter(|s| written(&s.name));
    let contacts = walk.skeleton.contacts.iter().filter(|c| written(&c.name));
    let left = |left: &LeftStance| LeftRow { strike: left.strike, duty: left.duty, ground: ground_row(&left.series) };
    let file = WalkFile {
        about: about.into(),
        source: source.into(),
        constants: walk.constants,
        bodies: segments.map(body_row).collect(),
        contacts: contacts.map(contact_row).collect(),
        motion: walk.motion.iter().map(series_row).collect(),
        ground: ground_row(&walk.ground),
        left: walk.left.as_ref().map(left),
    };
    all_said(&file)?;
    serde_json::to_string(&file).map_err(|e| AnatomyError::Unreadable { file: "walk", reason: e.to_string() })
}

fn ground_row(series: &GroundSeries) -> GroundRow {
    let StanceFoot { x, z, turn } = series.foot;
    GroundRow {
        foot: [x, z, turn],
        force: series.force.clone(),
        centre: series.centre.clone(),
        free_moment: series.free_moment.clone(),
    }
}

fn ground(row: GroundRow) -> GroundSeries {
    let [x, z, turn] = row.foot;
    let foot = StanceFoot { x, z, turn };
    GroundSeries { foot, force: row.force, centre: row.centre, free_moment: row.free_moment }
}

fn body_row(segment: &Segment) -> BodyRow {
    let I = &segment.mass.inertia;
    let axis = |t: &Turn| AxisRow { coordinate: t.coordinate.clone(), axis: t.axis.into() };
    BodyRow {
        name: segment.name.clone(),
        parent: segment.parent.clone(),
        joint: segment.joint.into(),
        axes: segment.turns.iter().map(axis).collect(),
        mass: segment.mass.mass,
        com: segment.mass.com.into(),
        inertia: [I[(0, 0)], I[(1, 1)], I[(2, 2)], I[(0, 1)], I[(0, 2)], I[(1, 2)]],
    }
}

fn contact_row(contact: &FootPoint) -> ContactRow {
    ContactRow {
        name: without_side(&contact.name).into(),
        body: contact.segment.clone(),
        point: contact.point.into(),
        window: contact.window,
    }
}

fn series_row(series: &Series) -> SeriesRow {
    SeriesRow {
        coordinate: series.coordinate.clone(),
        mean: series.mean,
        harmonics: series.harmonics.iter().map(|h| h.order).collect(),
        cos: series.harmonics.iter().map(|h| h.cos).collect(),
        sin: series.harmonics.iter().map(|h| h.sin).collect(),
    }
}

fn segment(row: BodyRow) -> Result<Segment, AnatomyError> {
    let [xx, yy, zz, xy, xz, yz] = row.inertia;
    let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let mass = MassProperties::new(row.mass, Vec3::from(row.com), inertia)
        .map_err(|e| AnatomyError::rule(&row.name, e.to_string()))?;
    let turn = |a: AxisRow| Turn { coordinate: a.coordinate, axis: Vec3::from(a.axis) };
    Ok(Segment {
        name: row.name,
        parent: row.parent,
        joint: Vec3::from(row.joint),
        turns: row.axes.into_iter().map(turn).collect(),
        mass,
    })
}

fn contact(row: ContactRow) -> FootPoint {
    let side = Side::of(&row.body).unwrap_or(Side::Right);
    FootPoint { name: side.name(&row.name), segment: row.body, point: Vec3::from(row.point), window: row.window }
}

fn series(row: SeriesRow) -> Result<Series, AnatomyError> {
    let n = row.harmonics.len();
    if row.cos.len() != n || row.sin.len() != n {
        let rule = format!(
            "{n} harmonics, {} cosines and {} sines; give one of each per harmonic",
            row.cos.len(),
            row.sin.len()
        );
        return Err(AnatomyError::rule(row.coordinate, rule));
    }
    let terms = row.harmonics.iter().zip(row.cos.iter().zip(&row.sin));
    let harmonics = terms.map(|(&order, (&cos, &sin))| Harmonic { order, cos, sin }).collect();
    Ok(Series { coordinate: row.coordinate, mean: row.mean, harmonics })
}

impl WalkConstants {
    /// Rejects invalid mass, stature, gravity, times or speed.
    pub(super) fn check(&self) -> Result<(), AnatomyError> {
        positive("walk", "mass [kg]", self.mass)?;
        positive("walk", "stature [m]", self.stature)?;
        positive("walk", "gravity [m/s²]", self.gravity)?;
        positive("walk", "cycle time [s]", self.cycle_time)?;
        positive("walk", "speed [m/s]", self.speed)?;
        let walks = self.duty > 0.5 && self.duty < 1.0;
        require(walks, "walk", "duty (fraction of the cycle on the floor)", self.duty, "must lie between 0.5 and 1")?;
        Ok(())
    }
}
