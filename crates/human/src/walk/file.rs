//! The file of a walk: middle and right-side segments, SI units, angles in rad.

use super::{GroundSeries, Harmonic, ReferenceWalk, Series, StanceFoot, WalkConstants};
use crate::error::{HumanError, positive, require};
use crate::skeleton::{FootPoint, Segment, Side, Skeleton, Turn};
use serde::{Deserialize, Serialize};
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

/// Reads and checks.
pub(super) fn read(text: &str) -> Result<ReferenceWalk, HumanError> {
    let file: WalkFile =
        serde_json::from_str(text).map_err(|e| HumanError::Unreadable { file: "walk", reason: e.to_string() })?;
    all_said(&file)?;
    let segments: Result<Vec<_>, _> = file.bodies.into_iter().map(segment).collect();
    let contacts = file.contacts.into_iter().map(contact).collect();
    let skeleton = Skeleton::mirrored("reference walk", file.constants.gravity, segments?, contacts);
    let motion: Result<Vec<_>, _> = file.motion.into_iter().map(series).collect();
    let [x, z, turn] = file.ground.foot;
    let ground = GroundSeries {
        foot: StanceFoot { x, z, turn },
        force: file.ground.force,
        centre: file.ground.centre,
        free_moment: file.ground.free_moment,
    };
    ReferenceWalk::new(file.constants, skeleton, motion?, ground)
}

/// Refuses files that do not say where their numbers come from.
fn all_said(file: &WalkFile) -> Result<(), HumanError> {
    if file.about.trim().is_empty() || file.source.trim().is_empty() {
        return Err(HumanError::rule(
            "walk",
            "`about` or `source` is empty; say what the walk is and where it comes from",
        ));
    }
    Ok(())
}

/// Writes the middle and right side, as [`read`] wants it.
pub(super) fn write(walk: &ReferenceWalk, about: &str, source: &str) -> Result<String, HumanError> {
    let written = |name: &str| Side::of(name) != Side::Left;
    let segments = walk.skeleton.segments.iter().filter(|s| written(&s.name));
    let contacts = walk.skeleton.contacts.iter().filter(|c| written(&c.name));
    let StanceFoot { x, z, turn } = walk.ground.foot;
    let file = WalkFile {
        about: about.into(),
        source: source.into(),
        constants: walk.constants,
        bodies: segments.map(body_row).collect(),
        contacts: contacts.map(contact_row).collect(),
        motion: walk.motion.iter().map(series_row).collect(),
        ground: GroundRow {
            foot: [x, z, turn],
            force: walk.ground.force.clone(),
            centre: walk.ground.centre.clone(),
            free_moment: walk.ground.free_moment.clone(),
        },
    };
    all_said(&file)?;
    serde_json::to_string(&file).map_err(|e| HumanError::Unreadable { file: "walk", reason: e.to_string() })
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
        name: contact.name.trim_end_matches("_r").into(),
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

fn segment(row: BodyRow) -> Result<Segment, HumanError> {
    let [xx, yy, zz, xy, xz, yz] = row.inertia;
    let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let mass = MassProperties::new(row.mass, Vec3::from(row.com), inertia)
        .map_err(|e| HumanError::rule(&row.name, e.to_string()))?;
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
    FootPoint { name: format!("{}_r", row.name), segment: row.body, point: Vec3::from(row.point), window: row.window }
}

fn series(row: SeriesRow) -> Result<Series, HumanError> {
    let n = row.harmonics.len();
    if row.cos.len() != n || row.sin.len() != n {
        let rule = format!("{n} harmonics, {} cosines and {} sines; give one each", row.cos.len(), row.sin.len());
        return Err(HumanError::rule(row.coordinate, rule));
    }
    let terms = row.harmonics.iter().zip(row.cos.iter().zip(&row.sin));
    let harmonics = terms.map(|(&order, (&cos, &sin))| Harmonic { order, cos, sin }).collect();
    Ok(Series { coordinate: row.coordinate, mean: row.mean, harmonics })
}

impl WalkConstants {
    /// Refuses walks of nobody, nowhere.
    pub(super) fn check(&self) -> Result<(), HumanError> {
        positive("walk", "mass [kg]", self.mass)?;
        positive("walk", "stature [m]", self.stature)?;
        positive("walk", "gravity [m/s²]", self.gravity)?;
        positive("walk", "cycle time [s]", self.cycle_time)?;
        positive("walk", "speed [m/s]", self.speed)?;
        let walks = self.duty > 0.5 && self.duty < 1.0;
        require(walks, "walk", "duty (share of the cycle on the floor)", self.duty, "must lie between 0.5 and 1")?;
        Ok(())
    }
}
