//! The table of published relations.
//!
//! Numbers marked [`Checked::TwoSources`] or [`Checked::OneSource`] were found in public programs that cite the paper;
//! the ranges are from memory. One public program has 6950 in place of 6850 for the femoral neck of Morgan 2003;
//! several have 6850. Keyak's relation jumps at its two bounds, as published.

use super::{Checked, Piece, Published};
use crate::calibration::DensityKind;

const fn power(coefficient: f64, exponent: f64) -> Piece {
    Piece { up_to: f64::INFINITY, offset: 0.0, coefficient, exponent }
}

/// All published relations.
pub const RELATIONS: [Published; 14] = [
    Published {
        name: "morgan-2003-pooled",
        site: "trabecular bone, all sites, along the trabeculae",
        density: DensityKind::Apparent,
        range: [0.09, 0.75],
        pieces: &[power(8920.0, 1.83)],
        citation: "Morgan et al. 2003, J. Biomech. 36, 897-904",
        checked: Checked::TwoSources,
    },
    Published {
        name: "morgan-2003-vertebra",
        site: "trabecular bone of vertebrae, along the trabeculae",
        density: DensityKind::Apparent,
        range: [0.11, 0.35],
        pieces: &[power(4730.0, 1.56)],
        citation: "Morgan et al. 2003, J. Biomech. 36, 897-904",
        checked: Checked::OneSource,
    },
    Published {
        name: "morgan-2003-femoral-neck",
        site: "trabecular bone of the femoral neck, along the trabeculae",
        density: DensityKind::Apparent,
        range: [0.26, 0.75],
        pieces: &[power(6850.0, 1.49)],
        citation: "Morgan et al. 2003, J. Biomech. 36, 897-904",
        checked: Checked::TwoSources,
    },
    Published {
        name: "morgan-2003-trochanter",
        site: "trabecular bone of the greater trochanter, along the trabeculae",
        density: DensityKind::Apparent,
        range: [0.14, 0.28],
        pieces: &[power(15010.0, 2.18)],
        citation: "Morgan et al. 2003, J. Biomech. 36, 897-904",
        checked: Checked::FromMemory,
    },
    Published {
        name: "morgan-2003-proximal-tibia",
        site: "trabecular bone of the proximal tibia, along the trabeculae",
        density: DensityKind::Apparent,
        range: [0.09, 0.41],
        pieces: &[power(15520.0, 1.93)],
        citation: "Morgan et al. 2003, J. Biomech. 36, 897-904",
        checked: Checked::FromMemory,
    },
    Published {
        name: "keller-1994",
        site: "femur and spine, trabecular and cortical",
        density: DensityKind::Ash,
        range: [0.03, 1.22],
        pieces: &[power(10500.0, 2.29)],
        citation: "Keller 1994, J. Biomech. 27, 1159-1168",
        checked: Checked::TwoSources,
    },
    Published {
        name: "carter-hayes-1977",
        site: "trabecular and cortical bone of man and cattle, at a strain rate of 0.01/s: 3790 x 0.01^0.06",
        density: DensityKind::Apparent,
        range: [0.07, 2.0],
        pieces: &[power(3790.0 * 0.758_577_575_029_183_8, 3.0)],
        citation: "Carter and Hayes 1977, J. Bone Joint Surg. Am. 59, 954-962",
        checked: Checked::TwoSources,
    },
    Published {
        name: "keyak-1998",
        site: "proximal femur, trabecular and cortical",
        density: DensityKind::Ash,
        range: [0.0, 1.2],
        pieces: &[
            Piece { up_to: 0.27, offset: 0.0, coefficient: 33900.0, exponent: 2.2 },
            Piece { up_to: 0.6, offset: 469.0, coefficient: 5307.0, exponent: 1.0 },
            power(10200.0, 2.01),
        ],
        citation: "Keyak et al. 1998, J. Biomech. 31, 125-133",
        checked: Checked::TwoSources,
    },
    Published {
        name: "snyder-schneider-1991",
        site: "cortical bone of the tibial shaft, in bending",
        density: DensityKind::Apparent,
        range: [1.7, 2.0],
        pieces: &[power(3891.0, 2.39)],
        citation: "Snyder and Schneider 1991, J. Orthop. Res. 9, 422-431",
        checked: Checked::FromMemory,
    },
    Published {
        name: "rho-1995-cortical-axial",
        site: "cortical bone of the femur, along the shaft, by ultrasound",
        density: DensityKind::Apparent,
        range: [1.5, 2.1],
        pieces: &[Piece { up_to: f64::INFINITY, offset: -6142.0, coefficient: 14000.0, exponent: 1.0 }],
        citation: "Rho, Hobatho and Ashman 1995, Med. Eng. Phys. 17, 347-355",
        checked: Checked::FromMemory,
    },
    Published {
        name: "rho-1995-proximal-tibia-axial",
        site: "trabecular bone of the proximal tibia, along the shaft, by ultrasound: 0.51 rho^1.37 with rho in kg/m³",
        density: DensityKind::Apparent,
        range: [0.1, 0.75],
        pieces: &[power(0.51 * 12_882.495_516_931_348, 1.37)],
        citation: "Rho, Hobatho and Ashman 1995, Med. Eng. Phys. 17, 347-355",
        checked: Checked::FromMemory,
    },
    Published {
        name: "wirtz-2000-cortical-axial",
        site: "cortical bone of the femur, along the shaft",
        density: DensityKind::Apparent,
        range: [1.4, 2.1],
        pieces: &[power(2065.0, 3.09)],
        citation: "Wirtz et al. 2000, J. Biomech. 33, 1325-1330",
        checked: Checked::OneSource,
    },
    Published {
        name: "wirtz-2000-trabecular-axial",
        site: "trabecular bone of the femur, along the shaft",
        density: DensityKind::Apparent,
        range: [0.1, 1.0],
        pieces: &[power(1904.0, 1.64)],
        citation: "Wirtz et al. 2000, J. Biomech. 33, 1325-1330",
        checked: Checked::OneSource,
    },
    Published {
        name: "wirtz-2000-axial",
        site: "femur along the shaft: trabecular up to 1 g/cm³, cortical above",
        density: DensityKind::Apparent,
        range: [0.1, 2.1],
        pieces: &[Piece { up_to: 1.0, offset: 0.0, coefficient: 1904.0, exponent: 1.64 }, power(2065.0, 3.09)],
        citation: "Wirtz et al. 2000, J. Biomech. 33, 1325-1330; bound of Peng et al. 2006, Med. Eng. Phys. 28",
        checked: Checked::OneSource,
    },
];
