//! The tibia: sections measured by CT between flared ends.

use std::f64::consts::PI;

use super::shape::{Plan, Station};

/// The parameter φ of the anterior crest, rad: 22° lateral of anterior, where the crest of the base section of the
/// same CT set lies. The other two corners of the triangle, 120° either way, are the medial and interosseous borders.
pub(crate) const CREST: f64 = 22.0 * PI / 180.0;

/// The canal keeps this much of the triangle outside: canals are rounder than the bone. Own choice; the wall at the
/// middle of the anteromedial face comes to 4.8 mm (5.7 in the base section).
const CANAL_ROUNDNESS: f64 = 0.4;

/// Fraction, centroid (anterior, lateral), r, e (two parts), |t| in mm, canal ratio.
type Row = (f64, [f64; 2], f64, [f64; 2], f64, f64);

/// The rows at 0.25, 0.50, 0.62 and 0.75 repeat the mean CT sections of 17 adults of 1.74 m and taller (tibia-fibula
/// set of Keast, Bonacci and Fox; New Mexico Decedent Image Database): r, e, |t| and the ratio are the solution of five
/// equations (total area, cortical area, I_AP, I_ML, I_xz); the centroid is as measured from the line plateau centre
/// to ankle centre.
///
/// Plateau: 76.4 by 51.3 mm (Cheng et al. 2009, Knee 16, 341-347: men, CT; women 68.8 by 45.7). Own choice, not
/// published: plafond 45 by 38 mm, the rows between the ends and the shaft, the ends of the canal, and a cortex of 3
/// to 4 mm at the ends, where bones have 1 to 2 mm: elements as long as these need it for their shape.
const ROWS: [Row; 11] = [
    (0.00, [0.0, 0.0], 31.925, [-6.275, 0.0], 0.0, 0.880),
    (0.04, [2.5, 0.2], 30.6, [-5.2, 0.1], 0.3, 0.875),
    (0.10, [7.0, 0.6], 24.2, [-1.2, 0.8], 1.0, 0.835),
    (0.17, [9.6, 0.8], 19.6, [1.6, 1.5], 1.3, 0.775),
    (0.25, [10.5, 0.9], 16.83177, [2.68487, 1.73087], 1.37456, 0.72204),
    (0.50, [7.6, 0.9], 13.78249, [1.91998, 1.19773], 2.03319, 0.51178),
    (0.62, [4.6, 2.2], 12.76908, [1.06207, 1.25583], 1.81204, 0.49537),
    (0.75, [1.5, 2.2], 12.35136, [0.25668, 0.69429], 1.42966, 0.60857),
    (0.88, [0.3, 1.5], 14.6, [-0.5, 0.4], 0.9, 0.780),
    (0.95, [0.0, 0.5], 18.4, [-1.3, 0.1], 0.4, 0.840),
    (1.00, [0.0, 0.0], 20.75, [-1.75, 0.0], 0.0, 0.860),
];

/// Medial malleolus, condylar slopes and the facets of the plateau are left out; the ends are flat.
pub(crate) fn plan() -> Plan {
    let (sin, cos) = (3.0 * CREST).sin_cos();
    let station = |(fraction, centroid, radius, ellipse, t, canal)| Station {
        fraction,
        centroid,
        radius,
        ellipse,
        triangle: [t * cos, t * sin],
        canal,
    };
    Plan {
        stations: ROWS.map(station).to_vec(),
        canal_roundness: CANAL_ROUNDNESS,
        zones: [0.0, 0.17, 0.5, 0.88, 1.0],
        filled_ends: true,
        domes: [0.0, 0.0],
    }
}
