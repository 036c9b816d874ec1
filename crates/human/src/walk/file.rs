//! The file of a walk: middle and right-side segments, SI units, angles in rad.

use super::{GroundSeries, Harmonic, ReferenceWalk, Series, StanceFoot, WalkConstants};
use crate::error::{HumanError, positive, require};
use crate::skeleton::{FootPoint, Segment, Skeleton, Turn};
use serde::Deserialize;
use wolff_spatial::{MassProperties, Mat3, Vec3};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkFile {
    #[serde(rename = "about")]
    _about: String,
    #[serde(rename = "source")]
    _source: String,
    constants: WalkConstants,
    bodies: Vec<BodyRow>,
    contacts: Vec<ContactRow>,
    motion: Vec<SeriesRow>,
    ground: GroundRow,
}

#[derive(Deserialize)]
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisRow {
    coordinate: String,
    axis: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactRow {
    name: String,
    body: String,
    point: [f64; 3],
    window: [f64; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesRow {
    coordinate: String,
    mean: f64,
    harmonics: Vec<u32>,
    cos: Vec<f64>,
    sin: Vec<f64>,
}

#[derive(Deserialize)]
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
