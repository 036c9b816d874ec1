//! What is found on a bone.

use wolff_anatomy::Side;
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Judgement;

use crate::kind::BoneKind;

/// A named point of a bone, in the frame and unit of its surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Landmark {
    /// Its name, such as `tibial_tuberosity`.
    pub name: &'static str,
    /// Where it is.
    pub position: Vec3,
}

/// The centre of a joint, in the frame and unit of the surface.
#[derive(Debug, Clone, PartialEq)]
pub struct JointCentre {
    /// `hip`, `knee` or `ankle`.
    pub name: &'static str,
    /// Where it is.
    pub position: Vec3,
    /// Radius of the sphere it was fitted by, where there is one.
    pub radius: Option<f64>,
    /// Axis of flexion, to the right, where the surface shows one.
    pub axis: Option<Vec3>,
}

/// A part of the surface where the bone meets another.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// `hip`, `knee`, `ankle` or `patellofemoral`.
    pub name: &'static str,
    /// Its triangles.
    pub triangles: Vec<u32>,
    /// Its vertices.
    pub vertices: Vec<u32>,
}

/// How sure a choice is: 0 where another choice fits as well, 1 where no other fits at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// Which bone; negative where its shape or its size is that of no known one.
    pub kind: f64,
    /// Which end is up, of a patella which face is in front.
    pub end: f64,
    /// Left or right.
    pub side: f64,
    /// Difference of the sections from those of the known bone, over their radius: 0 is equal.
    pub mismatch: f64,
}

/// The frame of a bone, and what was found on its surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Morphology {
    /// Which bone.
    pub kind: BoneKind,
    /// Left or right.
    pub side: Side,
    /// The axes as columns, in the frame of the surface: x anterior, y up, z right.
    pub axes: Mat3,
    /// Origin of the frame: hip centre of a femur (without a head the middle of the epicondyles), middle of the plateau
    /// of a tibia, otherwise the centre of volume.
    pub origin: Vec3,
    /// Length along y, in the unit of the surface.
    pub length: f64,
    /// What makes metres of the unit of the surface, judged by the size of the bone.
    pub to_metres: f64,
    /// Joint centres.
    pub joints: Vec<JointCentre>,
    /// Landmarks.
    pub landmarks: Vec<Landmark>,
    /// Joint surfaces.
    pub patches: Vec<Patch>,
    /// How sure the choices are.
    pub confidence: Confidence,
    /// Verdict on the choices and findings about the surface.
    pub judgement: Judgement,
    /// What was done, as sentences.
    pub remarks: Vec<String>,
}

impl Morphology {
    /// A bone in m whose frame is known, without anything that is found on its surface.
    pub fn known(kind: BoneKind, side: Side, axes: Mat3, origin: Vec3, length: f64) -> Self {
        Morphology {
            kind,
            side,
            axes,
            origin,
            length,
            to_metres: 1.0,
            joints: Vec::new(),
            landmarks: Vec::new(),
            patches: Vec::new(),
            confidence: Confidence { kind: 1.0, end: 1.0, side: 1.0, mismatch: 0.0 },
            judgement: Judgement::default(),
            remarks: Vec::new(),
        }
    }

    /// A landmark by name.
    pub fn landmark(&self, name: &str) -> Option<Vec3> {
        self.landmarks.iter().find(|l| l.name == name).map(|l| l.position)
    }

    /// A joint by name.
    pub fn joint(&self, name: &str) -> Option<&JointCentre> {
        self.joints.iter().find(|j| j.name == name)
    }

    /// A patch by name.
    pub fn patch(&self, name: &str) -> Option<&Patch> {
        self.patches.iter().find(|p| p.name == name)
    }

    /// A point of the surface's frame in the frame of the bone, in its unit.
    pub fn in_bone(&self, point: &Vec3) -> Vec3 {
        self.axes.transpose() * (point - self.origin)
    }
}
