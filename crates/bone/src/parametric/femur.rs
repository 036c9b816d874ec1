//! The femur: head, neck and bowed shaft swept along one curved axis, with a rounded distal end.

use nalgebra::Vector3;

use super::shape::{Frame, Plan, Station};

/// Radius of the head, mm (Noble et al. 1988, Clin. Orthop. 235, 148-165: diameter 46.1 ± 4.8 mm).
const HEAD_RADIUS: f64 = 23.05;

/// Distance of the head centre from the axis of the shaft, m (Noble et al. 1988: 43.0 ± 6.8 mm).
const OFFSET: f64 = 0.043;

/// Angle between neck and shaft, degrees (Noble et al. 1988: 124.7 ± 7.4).
const NECK_SHAFT_DEG: f64 = 124.7;

/// Anteversion of the neck against the condyles, degrees; own choice within published means (Kingsley and Olmsted
/// 1948, J. Bone Joint Surg. 30A, 745-751: 8; later CT studies 10 to 16).
const ANTEVERSION_DEG: f64 = 12.0;

/// Radius of the anterior bow of the shaft, m (Egol et al. 2004, J. Orthop. Trauma 18, 410-415: 1.20 ± 0.36); CT
/// of 1,232 femora gave 0.94 (PLoS ONE, 2018).
const BOW_RADIUS: f64 = 1.2;

/// Radius \[m\] of the arc that joins neck and shaft axes; own choice, wider than the section on its inner side.
const FILLET_RADIUS: f64 = 0.045;

/// Where the rim of the domed proximal end face lies: at half the head radius beyond the head centre.
const RIM_ABOVE_HEAD: f64 = 0.5e-3 * HEAD_RADIUS;

/// How far the rim of the distal end face lies below the knee centre, m; own choice.
const RIM_BELOW_KNEE: f64 = 0.008;

/// Position along the axis in mm from the head centre, centroid (anterior, lateral), half breadths (anterior,
/// lateral) in mm, canal ratio. On the neck, lateral means superior.
///
/// The published means come without statures; they are taken for those of a man of 1.80 m (own choice), and breadths
/// follow stature from there as those of the tibia do, whatever the distance of hip and knee centre.
///
/// Head: a sphere. Isthmus near 190 mm: 27.0 mm wide (Noble et al. 1988), canal of the area of an ellipse of 12.3 by
/// 16.9 mm (same). Knee: 88.6 mm wide and 61.1 mm deep (Terzidis et al. 2012, Anat. Res. Int., 679658: men; women
/// 78.5 and 55.7). Own choice, not published: all other rows, which join these; the greater trochanter is the bulge
/// near 50 mm, the condyles are one rounded end without a notch. The cortex of the ends, 2.5 to 4 mm, is thicker than
/// that of bones for the shape of the elements.
const ROWS: [(f64, [f64; 2], [f64; 2], f64); 17] = [
    (-11.525, [0.0, 0.0], [19.96, 19.96], 0.87),
    (-5.0, [0.0, 0.0], [22.5, 22.5], 0.88),
    (0.0, [0.0, 0.0], [23.05, 23.05], 0.88),
    (6.0, [0.0, 0.0], [22.26, 22.26], 0.88),
    (12.0, [0.0, 0.0], [19.68, 19.68], 0.86),
    (20.0, [0.0, 0.0], [14.2, 16.8], 0.82),
    (30.0, [0.0, 1.0], [14.2, 18.2], 0.80),
    (52.0, [0.0, 7.0], [19.0, 27.0], 0.80),
    (75.0, [0.0, 2.5], [17.0, 20.5], 0.75),
    (110.0, [0.0, 0.0], [15.2, 15.6], 0.62),
    (190.0, [0.0, 0.0], [14.2, 13.5], 0.52),
    (250.0, [0.0, 0.0], [14.6, 14.0], 0.54),
    (330.0, [0.0, 0.0], [15.5, 16.0], 0.68),
    (390.0, [-1.0, 0.0], [17.0, 20.5], 0.80),
    (430.0, [-2.0, 0.0], [23.0, 33.0], 0.87),
    (455.0, [-3.0, 0.0], [29.0, 42.0], 0.885),
    (475.0, [-3.0, 0.0], [30.55, 44.3], 0.885),
];

/// Ends of the marrow canal along the axis, mm from the head centre, and the middle of the bone; own choice.
const CANAL: [f64; 3] = [100.0, 230.0, 375.0];

/// The plan at the reference length, whose axis is `axis`.
pub(crate) fn plan(axis: &FemurAxis) -> Plan {
    let station = |(at, centroid, [anterior, lateral], canal): (f64, [f64; 2], [f64; 2], f64)| Station {
        fraction: axis.fraction(1e-3 * at),
        centroid,
        radius: 0.5 * (anterior + lateral),
        ellipse: [0.5 * (anterior - lateral), 0.0],
        triangle: [0.0; 2],
        canal,
    };
    let [top, middle, bottom] = CANAL.map(|at| axis.fraction(1e-3 * at));
    Plan {
        stations: ROWS.map(station).to_vec(),
        canal_roundness: 1.0,
        zones: [0.0, top, middle, bottom, 1.0],
        filled_ends: true,
        domes: [0.5 * HEAD_RADIUS, 14.0],
    }
}

/// From the head along the neck, round the fillet, down the bowed shaft through the knee centre.
///
/// The origin is the head centre, the knee centre is at `(0, -L, 0)`. Head, neck and straight shaft lie in a plane
/// turned by the anteversion; the shaft passes the head at the offset o, so it leans by `asin(o / L)` (5.5° at the
/// reference length). The bow adds `16 h u² (1-u)²` forwards with `h = c² / (8 R)`, c the length of the shaft: height
/// of an arc of radius R, no slope at the ends, so the middle bends more sharply than the arc. Sections turn from the
/// neck plane to the condyles along the shaft, and stand level at the knee.
#[derive(Debug, Clone)]
pub(crate) struct FemurAxis {
    /// All lengths relative to the reference length.
    scale: f64,
    /// From the head centre to the fillet, over the fillet, along the shaft to the knee; m at the reference length.
    lengths: [f64; 3],
    neck: Vector3<f64>,
    /// In the neck plane, at right angles to the neck, towards the distal end.
    bend: Vector3<f64>,
    shaft: Vector3<f64>,
    shaft_start: Vector3<f64>,
    /// Anterior at the neck: the normal of its plane.
    neck_anterior: Vector3<f64>,
}

impl FemurAxis {
    /// The axis of a femur of `length` between joint centres, drawn at `reference` and scaled \[m\].
    pub fn new(length: f64, reference: f64) -> Self {
        let turn = std::f64::consts::PI - NECK_SHAFT_DEG.to_radians();
        let (sin, cos) = ANTEVERSION_DEG.to_radians().sin_cos();
        let outwards = Vector3::new(-sin, 0.0, cos);
        let lean = (OFFSET / reference).asin();
        let shaft = -Vector3::y() * lean.cos() - outwards * lean.sin();
        let knee = Vector3::new(0.0, -reference, 0.0);
        // Where the axes of neck and shaft meet, above the knee on the line of the shaft.
        let above_knee = reference * lean.cos() - OFFSET / turn.tan();
        let meeting = knee - shaft * above_knee;
        let neck = meeting.normalize();
        let bend = (shaft - neck * shaft.dot(&neck)).normalize();
        let tangent = FILLET_RADIUS * (0.5 * turn).tan();
        Self {
            scale: length / reference,
            lengths: [meeting.norm() - tangent, FILLET_RADIUS * turn, above_knee - tangent],
            neck,
            bend,
            shaft,
            shaft_start: meeting + shaft * tangent,
            neck_anterior: Vector3::new(cos, 0.0, sin),
        }
    }

    /// The fraction of the axis at a distance from the head centre, m at the reference length.
    pub fn fraction(&self, distance: f64) -> f64 {
        (distance + RIM_ABOVE_HEAD) / self.total()
    }

    fn total(&self) -> f64 {
        RIM_ABOVE_HEAD + self.lengths.iter().sum::<f64>() + RIM_BELOW_KNEE
    }

    pub fn frame(&self, fraction: f64) -> Frame {
        let distance = fraction * self.total() - RIM_ABOVE_HEAD;
        let [neck, fillet, shaft] = self.lengths;
        let (origin, tangent) = if distance < neck {
            (self.neck * distance, self.neck)
        } else if distance < neck + fillet {
            let (sin, cos) = ((distance - neck) / FILLET_RADIUS).sin_cos();
            let arc = self.neck * sin + self.bend * (1.0 - cos);
            (self.neck * neck + arc * FILLET_RADIUS, self.neck * cos + self.bend * sin)
        } else {
            self.on_shaft((distance - neck - fillet) / shaft)
        };
        let down_shaft = smooth_step((distance - neck - fillet) / shaft);
        let level = smooth_step(4.0 * (distance - neck - fillet) / shaft - 3.0);
        let along = tangent.lerp(&-Vector3::y(), level).normalize();
        let forwards = self.neck_anterior.lerp(&Vector3::x(), down_shaft);
        let anterior = (forwards - along * forwards.dot(&along)).normalize();
        Frame { origin: origin * self.scale, anterior, lateral: along.cross(&anterior), along }
    }

    /// Point and direction at the fraction `u` of the shaft; below the knee straight down.
    fn on_shaft(&self, u: f64) -> (Vector3<f64>, Vector3<f64>) {
        let length = self.lengths[2];
        if u > 1.0 {
            let knee = self.shaft_start + self.shaft * length;
            return (knee - Vector3::y() * (length * (u - 1.0)), -Vector3::y());
        }
        let height = length * length / (8.0 * BOW_RADIUS);
        let forwards = (Vector3::x() - self.shaft * self.shaft.x).normalize();
        let (bow, slope) = (16.0 * (u * (1.0 - u)).powi(2), 32.0 * u * (1.0 - u) * (1.0 - 2.0 * u));
        let point = self.shaft_start + self.shaft * (length * u) + forwards * (height * bow);
        (point, (self.shaft * length + forwards * (height * slope)).normalize())
    }
}

/// Zero below 0, one above 1, flat at both.
fn smooth_step(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}
