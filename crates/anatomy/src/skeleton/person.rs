//! Skeletons of a person: with toes for walking, the lower body, the full body.
//!
//! Chosen here, as fractions of height: half the distance of the hips 0.083/1.77, of the shoulders 0.19/1.77. The foot
//! has the shape of the embedded walk's, scaled by its length; its toes take 14 % of its mass. The head is placed so
//! that the vertex is at the person's height.

use super::{FootPoint, Segment, Skeleton, Turn};
use crate::anthropometry::{BodyPart, PartProperties, Subject};
use crate::error::AnatomyError;
use crate::names::SegmentName;
use wolff_multibody::spec::GROUND;
use wolff_spatial::{MassProperties, Mat3, Pose, Vec3};

/// Gravity \[m/s²\], standard value.
pub const GRAVITY: f64 = 9.80665;
/// Half the distance of the hips over height.
const HALF_HIPS: f64 = 0.083 / 1.77;
/// Half the distance of the shoulders over height.
const HALF_SHOULDERS: f64 = 0.19 / 1.77;
/// Length of the foot \[m\] that the numbers below belong to.
const FOOT_LENGTH: f64 = 0.2624;
/// Mass of that foot with its toes \[kg\].
const FOOT_MASS: f64 = 1.0275;
/// Fraction of the foot's mass in the toes.
const TOE_SHARE: f64 = 0.14;
/// Height of the ankle above the floor \[m\].
const ANKLE_HEIGHT: f64 = 0.069;
/// Toe joint from the ankle \[m\].
const TOE_JOINT: Vec3 = Vec3::new(0.13, -0.064, 0.0);

/// The point under the head of the second metatarsal of the right foot, the ball of the foot.
pub const SECOND_METATARSAL: &str = "mt2_r";

/// Points about which a foot without a toe joint turns until it leaves the floor.
const PIVOTS: [&str; 2] = ["mt1_r", SECOND_METATARSAL];

/// Points under the right foot: name, whether on the toes, place \[m\], window of contact.
const FOOT_POINTS: [(&str, bool, [f64; 3], [f64; 2]); 7] = [
    ("heel_r", false, [-0.045, -0.069, 0.0], [0.04, 0.31]),
    ("mt1_r", false, [0.13, -0.069, -0.035], [0.115, 0.54]),
    (SECOND_METATARSAL, false, [0.13, -0.069, -0.015], [0.115, 0.54]),
    ("mt3_r", false, [0.125, -0.069, 0.004], [0.115, 0.37]),
    ("mt4_r", false, [0.117, -0.069, 0.022], [0.115, 0.34]),
    ("mt5_r", false, [0.107, -0.069, 0.038], [0.115, 0.33]),
    ("toe_r", true, [0.065, -0.005, -0.02], [0.125, 0.61]),
];

/// Axes of turns: a hanging segment flexes forward about Z, a standing one about -Z.
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const MINUS_Z: [f64; 3] = [0.0, 0.0, -1.0];
const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];

impl Skeleton {
    /// The 18 segments of the embedded walk with its coordinates: trunk in three parts that turn freely, arms, legs
    /// with toes.
    pub fn walking(subject: &Subject) -> Result<Self, AnatomyError> {
        let p = Person { subject };
        let spine = |name: &str| {
            vec![
                turn(&format!("{name}_flexion"), MINUS_Z),
                turn(&format!("{name}_bending"), X),
                turn(&format!("{name}_rotation"), Y),
            ]
        };
        let mut segments = vec![p.pelvis()?, p.abdomen(spine("lumbar"))?, p.thorax(spine("thorax"))?];
        segments.push(p.head("thorax", p.head_height(), vec![])?);
        segments.extend(p.leg()?);
        segments.push(p.toes()?);
        segments.extend(p.arm("thorax", p.shoulder(), vec![])?);
        Ok(Skeleton::mirrored(
            &subject.name,
            GRAVITY,
            segments,
            foot_points(p.foot().length, Some(TOE_JOINT * p.foot_scale())),
        ))
    }

    /// The 19 segments of Al Nazer, thesis, Lappeenranta 2008, with the joints of Table 4.1 (there the segments of
    /// ankle and hip are exchanged).
    ///
    /// Lumbar, thoracic, lower neck, elbow and wrist are hinges, knees too, hips turn freely, ankles and shoulders
    /// about two axes; upper neck and scapulae are fixed. The table of segments counts the neck to the head and the
    /// scapulae to the upper trunk: here they are massless.
    pub fn full_body(subject: &Subject) -> Result<Self, AnatomyError> {
        let p = Person { subject };
        let neck_joint = Vec3::new(0.0, subject.part(BodyPart::UpperTrunk).length, 0.0);
        let mut segments = vec![
            p.pelvis()?,
            p.abdomen(vec![turn("lumbar_flexion", MINUS_Z)])?,
            p.thorax(vec![turn("thorax_flexion", MINUS_Z)])?,
            massless("neck", "thorax", neck_joint, vec![turn("neck_flexion", MINUS_Z)])?,
            p.head("neck", p.head_height() - neck_joint.y, vec![])?,
        ];
        segments.extend(p.leg()?);
        p.join_toes(&mut segments)?;
        segments.push(massless("scapula_r", "thorax", p.shoulder(), vec![])?);
        segments.extend(p.arm("scapula_r", Vec3::zeros(), vec![turn("wrist_flexion_r", Z)])?);
        Ok(Skeleton::mirrored(&subject.name, GRAVITY, segments, foot_points(p.foot().length, None)))
    }

    /// The 7 segments of the lower body model of Al Nazer, thesis, Lappeenranta 2008.
    ///
    /// The thesis does not say what its lower torso weighs. Here it includes the upper body as one rigid part in
    /// standing (chosen here), so that the feet carry the person's weight.
    pub fn lower_body(subject: &Subject) -> Result<Self, AnatomyError> {
        let full = Skeleton::full_body(subject)?;
        let above = full.segments.iter().filter(|s| !is_leg(&s.name));
        let masses = above.map(|s| s.mass.seen_from(&Pose::translation(full.standing_place(s))));
        let whole = masses.reduce(|all, m| all.joined(&m));
        let legs = full.segments.iter().filter(|s| is_leg(&s.name)).cloned();
        let pelvis = Person { subject }.pelvis()?;
        let torso = Segment { mass: whole.unwrap_or(pelvis.mass), ..pelvis };
        let segments = std::iter::once(torso).chain(legs).collect();
        Ok(Skeleton { segments, ..full })
    }

    /// Position of a segment's joint from the root's origin in standing \[m\].
    pub fn standing_place(&self, segment: &Segment) -> Vec3 {
        if segment.is_root() {
            return Vec3::zeros();
        }
        let parent = self.segment(&segment.parent).map_or_else(Vec3::zeros, |p| self.standing_place(p));
        parent + segment.joint
    }
}

fn is_leg(name: &str) -> bool {
    SegmentName::of(name).is_some_and(SegmentName::is_of_leg)
}

fn turn(coordinate: &str, axis: [f64; 3]) -> Turn {
    Turn { coordinate: coordinate.into(), axis: Vec3::from(axis) }
}

fn mass(name: &str, mass: f64, com: Vec3, inertia: Mat3) -> Result<MassProperties, AnatomyError> {
    MassProperties::new(mass, com, inertia).map_err(|e| AnatomyError::rule(name, e.to_string()))
}

fn massless(name: &str, parent: &str, joint: Vec3, turns: Vec<Turn>) -> Result<Segment, AnatomyError> {
    let mass = mass(name, 0.0, Vec3::zeros(), Mat3::zeros())?;
    Ok(Segment { name: name.into(), parent: parent.into(), joint, turns, mass })
}

/// Segments of one person.
struct Person<'a> {
    subject: &'a Subject,
}

impl Person<'_> {
    /// A segment that hangs down from its joint, or stands on it.
    fn rod(&self, name: &str, part: BodyPart, up: bool) -> Result<MassProperties, AnatomyError> {
        let p = self.subject.part(part);
        let y = if up { p.length - p.centre } else { -p.centre };
        mass(name, p.mass, Vec3::new(0.0, y, 0.0), p.inertia_matrix())
    }

    fn pelvis(&self) -> Result<Segment, AnatomyError> {
        Ok(Segment {
            name: "pelvis".into(),
            parent: GROUND.into(),
            joint: Vec3::zeros(),
            turns: vec![turn("pelvis_tilt", Z), turn("pelvis_list", X), turn("pelvis_rotation", Y)],
            mass: self.rod("pelvis", BodyPart::LowerTrunk, true)?,
        })
    }

    fn abdomen(&self, turns: Vec<Turn>) -> Result<Segment, AnatomyError> {
        let joint = Vec3::new(0.0, self.subject.part(BodyPart::LowerTrunk).length, 0.0);
        let mass = self.rod("abdomen", BodyPart::MiddleTrunk, true)?;
        Ok(Segment { name: "abdomen".into(), parent: "pelvis".into(), joint, turns, mass })
    }

    fn thorax(&self, turns: Vec<Turn>) -> Result<Segment, AnatomyError> {
        let joint = Vec3::new(0.0, self.subject.part(BodyPart::MiddleTrunk).length, 0.0);
        let mass = self.rod("thorax", BodyPart::UpperTrunk, true)?;
        Ok(Segment { name: "thorax".into(), parent: "abdomen".into(), joint, turns, mass })
    }

    /// Height of the head's lower end above the thorax' origin: the vertex then stands at the person's height.
    fn head_height(&self) -> f64 {
        use BodyPart::*;
        let below = [Thigh, Shank, LowerTrunk, MiddleTrunk, Head].map(|part| self.subject.part(part).length);
        self.subject.stature - self.foot_scale() * ANKLE_HEIGHT - below.iter().sum::<f64>()
    }

    fn head(&self, parent: &str, height: f64, turns: Vec<Turn>) -> Result<Segment, AnatomyError> {
        let mass = self.rod("head", BodyPart::Head, true)?;
        Ok(Segment { name: "head".into(), parent: parent.into(), joint: Vec3::new(0.0, height, 0.0), turns, mass })
    }

    /// Right shoulder on the thorax \[m\].
    fn shoulder(&self) -> Vec3 {
        use BodyPart::{LowerTrunk, MiddleTrunk};
        let trunk = self.subject.part(LowerTrunk).length + self.subject.part(MiddleTrunk).length;
        Vec3::new(0.0, self.subject.shoulder_height() - trunk, HALF_SHOULDERS * self.subject.stature)
    }

    fn arm(&self, parent: &str, shoulder: Vec3, wrist: Vec<Turn>) -> Result<Vec<Segment>, AnatomyError> {
        let down = |part| Vec3::new(0.0, -self.subject.part(part).length, 0.0);
        let shoulder_turns = vec![turn("shoulder_flexion_r", Z), turn("shoulder_adduction_r", X)];
        let rows = [
            ("upper_arm_r", parent, shoulder, shoulder_turns, BodyPart::UpperArm),
            ("forearm_r", "upper_arm_r", down(BodyPart::UpperArm), vec![turn("elbow_flexion_r", Z)], BodyPart::Forearm),
            ("hand_r", "forearm_r", down(BodyPart::Forearm), wrist, BodyPart::Hand),
        ];
        let segment = |(name, parent, joint, turns, part): (&str, &str, Vec3, Vec<Turn>, BodyPart)| {
            Ok(Segment { name: name.into(), parent: parent.into(), joint, turns, mass: self.rod(name, part, false)? })
        };
        rows.into_iter().map(segment).collect()
    }

    /// Thigh, shank and foot without toes.
    fn leg(&self) -> Result<Vec<Segment>, AnatomyError> {
        let down = |part| Vec3::new(0.0, -self.subject.part(part).length, 0.0);
        let hip = vec![turn("hip_flexion_r", Z), turn("hip_adduction_r", X), turn("hip_rotation_r", Y)];
        let ankle = vec![turn("ankle_flexion_r", Z), turn("ankle_inversion_r", X)];
        let hip_joint = Vec3::new(0.0, 0.0, HALF_HIPS * self.subject.stature);
        let segment = |name: &str, parent: &str, joint, turns, mass| Segment {
            name: name.into(),
            parent: parent.into(),
            joint,
            turns,
            mass,
        };
        let knee = vec![turn("knee_flexion_r", MINUS_Z)];
        Ok(vec![
            segment("thigh_r", "pelvis", hip_joint, hip, self.rod("thigh_r", BodyPart::Thigh, false)?),
            segment("shank_r", "thigh_r", down(BodyPart::Thigh), knee, self.rod("shank_r", BodyPart::Shank, false)?),
            segment("foot_r", "shank_r", down(BodyPart::Shank), ankle, self.foot_mass()?),
        ])
    }

    fn foot(&self) -> PartProperties {
        self.subject.part(BodyPart::Foot)
    }

    fn foot_scale(&self) -> f64 {
        self.foot().length / FOOT_LENGTH
    }

    /// The foot without toes: the embedded walk's, scaled.
    fn foot_mass(&self) -> Result<MassProperties, AnatomyError> {
        let inertia = Mat3::new(0.000936, -0.000331, 0.0, -0.000331, 0.002713, 0.0, 0.0, 0.0, 0.0023083);
        self.like_foot("foot_r", 1.0 - TOE_SHARE, Vec3::new(0.0429, -0.0379, 0.0), inertia)
    }

    /// A part of the foot: lengths with the foot's length, mass with its mass, inertia with mass times length squared.
    fn like_foot(&self, name: &str, share: f64, com: Vec3, inertia: Mat3) -> Result<MassProperties, AnatomyError> {
        let (s, m) = (self.foot_scale(), self.foot().mass);
        mass(name, share * m, com * s, inertia * (s * s * m / FOOT_MASS))
    }

    fn toes(&self) -> Result<Segment, AnatomyError> {
        let inertia = Mat3::from_diagonal(&Vec3::new(9.14e-5, 1.453e-4, 6.35e-5));
        Ok(Segment {
            name: "toes_r".into(),
            parent: "foot_r".into(),
            joint: TOE_JOINT * self.foot_scale(),
            turns: vec![turn("toe_flexion_r", Z)],
            mass: self.like_foot("toes_r", TOE_SHARE, Vec3::new(0.034, 0.004, 0.0), inertia)?,
        })
    }

    /// Merges foot and toes into one body.
    fn join_toes(&self, segments: &mut [Segment]) -> Result<(), AnatomyError> {
        let toes = self.toes()?;
        for foot in segments.iter_mut().filter(|s| s.name == "foot_r") {
            foot.mass = foot.mass.joined(&toes.mass.seen_from(&Pose::translation(toes.joint)));
        }
        Ok(())
    }
}

/// Length of a foot with a given forward distance of the toe joint from the ankle \[m\]: that of the embedded walk,
/// scaled.
pub fn foot_length(forefoot: f64) -> f64 {
    FOOT_LENGTH * forefoot / TOE_JOINT.x
}

/// Points under the right foot of a given length \[m\] from the ankle, axes of the world in standing; `toe_joint` \[m\]
/// is the position of the joint of separate toes. Without it there is no point under the toes, and the balls of the
/// first two toes rest until the foot leaves the floor: a stiff foot that stood on the tip of its toes would have half
/// as much again of lever to the ankle, and with it moments that nobody has.
pub fn foot_points(length: f64, toe_joint: Option<Vec3>) -> Vec<FootPoint> {
    let s = length / FOOT_LENGTH;
    let end = FOOT_POINTS.iter().filter(|p| p.1).map(|p| p.3[1]).fold(0.0, f64::max);
    let point = |&(name, on_toes, p, window): &(&str, bool, [f64; 3], [f64; 2])| {
        let from_ankle = (if on_toes { TOE_JOINT } else { Vec3::zeros() } + Vec3::from(p)) * s;
        let pivots = toe_joint.is_none() && PIVOTS.contains(&name);
        let window = if pivots { [window[0], end] } else { window };
        let (segment, joint) = match (toe_joint, on_toes) {
            (Some(joint), true) => ("toes_r", joint),
            (None, true) => return None,
            (_, false) => ("foot_r", Vec3::zeros()),
        };
        Some(FootPoint { name: name.into(), segment: segment.into(), point: from_ankle - joint, window })
    };
    FOOT_POINTS.iter().filter_map(point).collect()
}
