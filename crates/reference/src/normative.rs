//! Joint angles and moments of healthy walking over the gait cycle, as bands for comparison.
//!
//! Source: M. H. Schwartz, A. Rozumalski, J. P. Trost, "The effect of walking speed on the gait of typically developing
//! children", Journal of Biomechanics 41 (2008) 1639-1650: 83 children and adolescents, free speed. Values at every
//! fifth percent of the cycle, rounded. Angles in degrees, flexion, dorsiflexion positive; internal moments in N m/kg,
//! extension, plantarflexion and abduction positive. Adults have the same course; moments of fast walking are larger.

/// Where the bands come from, for captions.
pub const SOURCE: &str =
    "Schwartz, Rozumalski, Trost 2008, J Biomech 41:1639, 83 typically developing children, free speed, mean and SD";

/// Percent of the gait cycle between two values.
pub const SPACING: f64 = 5.0;

/// A quantity of walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Flexion of the hip \[degrees\].
    HipFlexion,
    /// Flexion of the knee \[degrees\].
    KneeFlexion,
    /// Dorsiflexion of the ankle \[degrees\].
    AnkleDorsiflexion,
    /// Extension moment of the hip \[N m/kg\].
    HipExtensionMoment,
    /// Extension moment of the knee \[N m/kg\].
    KneeExtensionMoment,
    /// Plantarflexion moment of the ankle \[N m/kg\].
    AnklePlantarflexionMoment,
    /// Abduction moment of the hip \[N m/kg\].
    HipAbductionMoment,
}

/// Mean and standard deviation at 0, 5, ... 100 % of the gait cycle.
pub fn band(quantity: Quantity) -> (&'static [f64; 21], &'static [f64; 21]) {
    match quantity {
        Quantity::HipFlexion => (&HIP_FLEXION[0], &HIP_FLEXION[1]),
        Quantity::KneeFlexion => (&KNEE_FLEXION[0], &KNEE_FLEXION[1]),
        Quantity::AnkleDorsiflexion => (&ANKLE_DORSIFLEXION[0], &ANKLE_DORSIFLEXION[1]),
        Quantity::HipExtensionMoment => (&HIP_EXTENSION_MOMENT[0], &HIP_EXTENSION_MOMENT[1]),
        Quantity::KneeExtensionMoment => (&KNEE_EXTENSION_MOMENT[0], &KNEE_EXTENSION_MOMENT[1]),
        Quantity::AnklePlantarflexionMoment => (&ANKLE_PLANTARFLEXION_MOMENT[0], &ANKLE_PLANTARFLEXION_MOMENT[1]),
        Quantity::HipAbductionMoment => (&HIP_ABDUCTION_MOMENT[0], &HIP_ABDUCTION_MOMENT[1]),
    }
}

/// Points of a band of one standard deviation: percent, lower, upper.
pub fn band_points(quantity: Quantity) -> Vec<(f64, f64, f64)> {
    let (mean, sd) = band(quantity);
    mean.iter().zip(sd).enumerate().map(|(i, (m, s))| (SPACING * i as f64, m - s, m + s)).collect()
}

const HIP_FLEXION: [[f64; 21]; 2] = [
    [
        35.8, 35.3, 32.8, 28.0, 22.5, 16.9, 11.4, 6.3, 1.6, -2.4, -5.3, -5.3, -0.9, 8.1, 17.9, 26.0, 32.0, 35.5, 36.7,
        36.0, 35.5,
    ],
    [5.4, 5.7, 6.0, 6.0, 6.0, 5.9, 6.0, 6.4, 6.7, 6.8, 6.8, 6.8, 6.8, 6.5, 6.2, 5.8, 5.5, 5.4, 5.5, 5.5, 5.5],
];
const KNEE_FLEXION: [[f64; 21]; 2] = [
    [
        5.6, 12.5, 18.6, 18.9, 16.5, 13.2, 10.1, 7.6, 6.2, 7.3, 11.6, 20.3, 33.9, 49.0, 58.2, 57.8, 49.8, 35.6, 18.7,
        6.1, 5.4,
    ],
    [5.7, 5.7, 6.3, 6.2, 5.9, 5.6, 5.5, 5.6, 5.7, 5.7, 5.7, 6.1, 6.6, 6.2, 5.6, 6.6, 7.8, 8.6, 8.5, 7.0, 5.6],
];
const ANKLE_DORSIFLEXION: [[f64; 21]; 2] = [
    [
        -2.1, -5.6, -2.1, 2.2, 5.2, 7.1, 8.6, 9.9, 11.1, 11.8, 10.4, 2.4, -13.8, -18.9, -11.2, -3.6, 1.1, 2.4, 1.0,
        -0.8, -2.3,
    ],
    [5.6, 4.6, 4.0, 4.0, 3.8, 3.7, 3.8, 4.1, 4.4, 4.8, 5.6, 7.8, 9.5, 8.8, 7.5, 6.0, 4.9, 4.1, 4.4, 5.2, 5.4],
];
const HIP_EXTENSION_MOMENT: [[f64; 21]; 2] = [
    [
        0.12, 0.53, 0.48, 0.35, 0.17, 0.08, 0.0, -0.10, -0.25, -0.46, -0.62, -0.49, -0.32, -0.19, -0.10, -0.04, -0.02,
        0.02, 0.20, 0.34, 0.12,
    ],
    [
        0.14, 0.25, 0.20, 0.17, 0.15, 0.13, 0.13, 0.15, 0.17, 0.21, 0.22, 0.19, 0.14, 0.11, 0.07, 0.05, 0.05, 0.08,
        0.12, 0.14, 0.16,
    ],
];
const KNEE_EXTENSION_MOMENT: [[f64; 21]; 2] = [
    [
        -0.13, 0.0, 0.33, 0.33, 0.17, 0.01, -0.10, -0.19, -0.24, -0.20, -0.02, 0.13, 0.10, 0.08, 0.07, 0.03, 0.0,
        -0.05, -0.15, -0.25, -0.13,
    ],
    [
        0.08, 0.16, 0.22, 0.22, 0.18, 0.15, 0.13, 0.13, 0.14, 0.15, 0.14, 0.11, 0.06, 0.07, 0.05, 0.04, 0.03, 0.04,
        0.07, 0.10, 0.09,
    ],
];
const ANKLE_PLANTARFLEXION_MOMENT: [[f64; 21]; 2] = [
    [
        0.0, -0.12, 0.0, 0.15, 0.31, 0.47, 0.62, 0.80, 1.00, 1.19, 1.19, 0.71, 0.05, -0.03, -0.01, -0.01, -0.01, -0.01,
        -0.01, 0.0, 0.0,
    ],
    [
        0.01, 0.11, 0.14, 0.20, 0.23, 0.23, 0.22, 0.21, 0.21, 0.23, 0.24, 0.25, 0.11, 0.02, 0.01, 0.0, 0.0, 0.0, 0.01,
        0.01, 0.01,
    ],
];
const HIP_ABDUCTION_MOMENT: [[f64; 21]; 2] = [
    [
        0.0, 0.02, 0.36, 0.47, 0.48, 0.40, 0.36, 0.37, 0.42, 0.44, 0.38, 0.12, -0.09, -0.05, -0.01, 0.01, 0.02, 0.01,
        -0.01, -0.04, 0.01,
    ],
    [
        0.06, 0.16, 0.16, 0.15, 0.13, 0.11, 0.10, 0.10, 0.13, 0.16, 0.18, 0.16, 0.08, 0.06, 0.05, 0.04, 0.04, 0.04,
        0.05, 0.07, 0.07,
    ],
];
