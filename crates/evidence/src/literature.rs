//! Published strains and deflections of the tibia in walking, for comparison with results.
//!
//! Strains in microstrain, rates in microstrain per second, angles in degrees, as printed. Tables 4.4, 4.5 and 4.6 are
//! those of R. Al Nazer, Flexible multibody simulation approach in the dynamic analysis of bone strains during physical
//! activity, doctoral thesis, Lappeenranta University of Technology, 2008.

/// Whether a row was measured or computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// On a living person.
    InVivo,
    /// On cadaver bones in a gait simulator.
    InVitro,
    /// By a model.
    Model,
}

/// Peaks at the anteromedial face of the tibial mid-shaft in walking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrainRow {
    /// Authors and year.
    pub source: &'static str,
    /// Measured or computed.
    pub origin: Origin,
    /// Largest larger principal strain.
    pub max_principal: f64,
    /// Smallest smaller principal strain.
    pub min_principal: f64,
    /// Largest shear.
    pub max_shear: Option<f64>,
    /// Rates of these three.
    pub rates: [Option<f64>; 3],
}

const fn row(
    source: &'static str,
    origin: Origin,
    [max_principal, min_principal]: [f64; 2],
    max_shear: Option<f64>,
    rates: [Option<f64>; 3],
) -> StrainRow {
    StrainRow { source, origin, max_principal, min_principal, max_shear, rates }
}

/// Table 4.4 and Table 1 of its appendix A; the last row is Table 2 of Klodowski et al., An application of the flexible
/// multibody approach used to estimate human skeleton loading, Rakenteiden Mekaniikka. Peaks of different instants:
/// shear is not the difference of the two principal strains in every row.
pub const WALKING_STRAINS: [StrainRow; 8] = [
    row("Lanyon et al. 1975", Origin::InVivo, [395.0, -434.0], Some(829.0), [None, Some(-4000.0), None]),
    row(
        "Burr et al. 1996",
        Origin::InVivo,
        [437.0, -544.0],
        Some(871.0),
        [Some(11006.0), Some(-7183.0), Some(16162.0)],
    ),
    row(
        "Milgrom et al. 2000",
        Origin::InVivo,
        [840.0, -454.0],
        Some(1183.0),
        [Some(3955.0), Some(-3306.0), Some(10303.0)],
    ),
    row("Milgrom et al. 2007", Origin::InVivo, [394.0, -672.0], None, [Some(4683.0), Some(-3820.0), None]),
    row(
        "Al Nazer 2008, first model",
        Origin::Model,
        [305.0, -645.0],
        Some(948.0),
        [Some(4000.0), Some(-7000.0), Some(10000.0)],
    ),
    row(
        "Al Nazer 2008, second model",
        Origin::Model,
        [335.0, -453.0],
        Some(785.0),
        [Some(6000.0), Some(-6300.0), Some(10230.0)],
    ),
    row(
        "Al Nazer 2008, third model",
        Origin::Model,
        [260.0, -613.0],
        Some(872.0),
        [Some(3100.0), Some(-5750.0), Some(10350.0)],
    ),
    row(
        "Al Nazer et al., reference 17 of Klodowski et al.",
        Origin::Model,
        [490.0, -588.0],
        Some(1078.0),
        [Some(3800.0), Some(-4100.0), Some(9500.0)],
    ),
];

/// Cross-correlation coefficients of measured and computed signals of the three models: Table 4.5 and Table 2 of its
/// appendix A. The signals are the ground reaction and the activity of muscles (electromyography against muscle force).
pub const SIGNAL_CORRELATIONS: [(&str, [Option<f64>; 3]); 11] = [
    ("ground reaction force", [Some(0.97), Some(0.95), Some(0.96)]),
    ("soleus", [Some(0.94), Some(0.64), Some(0.93)]),
    ("gluteus medius", [Some(0.75), Some(0.84), Some(0.88)]),
    ("vastus lateralis", [Some(0.65), Some(0.47), Some(0.44)]),
    ("tibialis anterior", [Some(0.39), Some(0.80), Some(0.22)]),
    ("biceps femoris", [Some(0.33), Some(0.55), Some(0.71)]),
    ("rectus femoris", [Some(0.22), Some(0.29), Some(0.42)]),
    ("gastrocnemius lateralis", [None, Some(0.82), Some(0.76)]),
    ("gastrocnemius medialis", [None, Some(0.86), Some(0.81)]),
    ("gluteus maximus", [None, Some(0.72), Some(0.89)]),
    ("vastus medialis", [None, Some(0.50), Some(0.48)]),
];

/// Which strain a row of [`STRAINS_AROUND`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Along the bone.
    Axial,
    /// Larger principal strain.
    MaxPrincipal,
    /// Smaller principal strain.
    MinPrincipal,
    /// Largest shear.
    MaxShear,
}

/// Strain at one of seven places around the section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AroundRow {
    /// `L1` in front to `L7`, as the gauges of `wolff_bone::gauges::ring`.
    pub location: &'static str,
    /// Which strain.
    pub measure: Measure,
    /// Mean of five feet in a gait simulator, stance phase: Peterman et al. 2001, J. Biomech. 34, 693-698.
    pub mean: f64,
    /// Peak of the same.
    pub peak: Option<f64>,
    /// The three models.
    pub models: [f64; 3],
}

const fn around(location: &'static str, measure: Measure, mean: f64, peak: Option<f64>, models: [f64; 3]) -> AroundRow {
    AroundRow { location, measure, mean, peak, models }
}

/// Table 4.6 and Table 3 of its appendix A. The models' ratios of transverse to axial strain, 0.70 to 0.82, are twice
/// the measured ones, and so are their shears.
pub const STRAINS_AROUND: [AroundRow; 13] = [
    around("L1", Measure::Axial, 505.0, Some(989.0), [855.0, 451.0, 357.0]),
    around("L1", Measure::MaxPrincipal, 603.0, Some(1088.0), [855.0, 452.0, 359.0]),
    around("L1", Measure::MinPrincipal, -155.0, Some(-240.0), [-624.0, -368.0, -267.0]),
    around("L1", Measure::MaxShear, 670.0, Some(1185.0), [1480.0, 820.0, 626.0]),
    around("L2", Measure::Axial, 600.0, None, [888.0, 283.0, 311.0]),
    around("L3", Measure::Axial, -500.0, None, [-623.0, -257.0, -646.0]),
    around("L4", Measure::Axial, -1400.0, None, [-1800.0, -675.0, -812.0]),
    around("L5", Measure::Axial, -1020.0, Some(-1864.0), [-1900.0, -673.0, -670.0]),
    around("L5", Measure::MaxPrincipal, 369.0, Some(674.0), [1499.0, 471.0, 490.0]),
    around("L5", Measure::MinPrincipal, -1055.0, Some(-1926.0), [-1907.0, -677.0, -680.0]),
    around("L5", Measure::MaxShear, 1293.0, Some(2317.0), [3406.0, 1148.0, 1170.0]),
    around("L6", Measure::Axial, -1200.0, None, [-1300.0, -584.0, -605.0]),
    around("L7", Measure::Axial, 0.0, None, [-635.0, -273.0, -583.0]),
];

/// Ranges of the peak deflection of the tibia over subjects and speeds, proximal against distal segment \[deg\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeflectionRanges {
    /// Authors and year.
    pub source: &'static str,
    /// Walking speeds \[km/h\].
    pub speeds_km_h: [f64; 2],
    /// Posterior bending; peak in the first half of stance.
    pub posterior: [f64; 2],
    /// Medial bending.
    pub medial: [f64; 2],
    /// External torsion; peak in the second half of stance.
    pub external: [f64; 2],
}

/// Optical markers on the bone, level walking.
pub const DEFLECTIONS: DeflectionRanges = DeflectionRanges {
    source: "Yang et al. 2014, PLoS ONE 9:e94525",
    speeds_km_h: [2.5, 6.1],
    posterior: [0.15, 1.30],
    medial: [0.38, 0.90],
    external: [0.67, 1.66],
};

/// Largest forces of joints in level walking, in body weights as printed; `None` where the source gives no value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointForceRow {
    /// Authors and year.
    pub source: &'static str,
    /// Where it is published, and for whom it is valid.
    pub remark: &'static str,
    /// Measured or computed.
    pub origin: Origin,
    /// Hip.
    pub hip: Option<&'static str>,
    /// Knee: tibiofemoral.
    pub knee: Option<&'static str>,
    /// Ankle.
    pub ankle: Option<&'static str>,
}

/// Instrumented implants, and models.
pub const JOINT_FORCES: [JointForceRow; 5] = [
    JointForceRow {
        source: "Bergmann et al. 2001",
        remark: "J Biomech 34:859; instrumented hips of four patients, about 4 km/h, mean of the peaks",
        origin: Origin::InVivo,
        hip: Some("2.3 to 2.4"),
        knee: None,
        ankle: None,
    },
    JointForceRow {
        source: "Kutzner et al. 2010",
        remark: "J Biomech 43:2164; instrumented knees, level walking, mean of the peaks and about their range",
        origin: Origin::InVivo,
        hip: None,
        knee: Some("2.6 (2.2 to 2.8)"),
        ankle: None,
    },
    JointForceRow {
        source: "Fregly et al. 2012",
        remark: "J Orthop Res 30:503; instrumented knees of the grand challenge competition",
        origin: Origin::InVivo,
        hip: None,
        knee: Some("2 to 3"),
        ankle: None,
    },
    JointForceRow {
        source: "Stauffer et al. 1977",
        remark: "Clin Orthop 127:189; free body of the foot with one tendon",
        origin: Origin::Model,
        hip: None,
        knee: None,
        ankle: Some("4.5 to 5.5"),
    },
    JointForceRow {
        source: "OpenSim 4.5.2, gait1992",
        remark: "joint reactions after static optimisation of one recorded stride",
        origin: Origin::Model,
        hip: Some("3.2"),
        knee: Some("3.7"),
        ankle: Some("4.6"),
    },
];

/// Largest moments of the contact force about the stem of instrumented hips: authors, remark, value \[N m\].
pub const TRANSVERSE_MOMENTS: [(&str, &str, &str); 1] = [(
    "Bergmann et al. 1993",
    "J Biomech 26:969, abstract; largest of all activities of two patients, walking and running",
    "40.3 and 24",
)];

/// Timing of the largest strain of the femur: authors, and what they state. No instant is printed.
pub const FEMUR_TIMING: (&str, &str) = (
    "Klodowski et al. 2011",
    "Rakenteiden Mekaniikka; largest femur strain at the time of the largest transverse moment in instrumented hips \
     (Bergmann et al. 1995, J Biomech 28:817); no instant is printed",
);

/// The smallest and largest value of the in vivo rows: larger and smaller principal strain, shear.
pub fn in_vivo_ranges() -> [[f64; 2]; 3] {
    let rows = || WALKING_STRAINS.iter().filter(|r| r.origin == Origin::InVivo);
    let range = |values: Vec<f64>| {
        [values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
    };
    [
        range(rows().map(|r| r.max_principal).collect()),
        range(rows().map(|r| r.min_principal).collect()),
        range(rows().filter_map(|r| r.max_shear).collect()),
    ]
}

/// A section measured on a group of people, and how it follows stature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionRow {
    /// Authors and year.
    pub source: &'static str,
    /// Stature to which it belongs \[m\].
    pub stature: f64,
    /// Means: cortical area \[mm²\], larger and smaller principal second moment, torsion constant \[mm⁴\], centroid
    /// anterior and lateral of the line plateau to plafond \[mm\].
    pub mean: [f64; 6],
    /// Standard deviations.
    pub deviation: [f64; 6],
}

impl SectionRow {
    /// Means or deviations at a stature \[m\]: areas with its square, moments with its fourth power, lengths in
    /// proportion.
    pub fn at(&self, values: [f64; 6], stature: f64) -> [f64; 6] {
        let powers = [2, 4, 4, 4, 1, 1];
        std::array::from_fn(|k| values[k] * (stature / self.stature).powi(powers[k]))
    }
}

/// The tibia at half its length. The principal moments are those of the mean `I_AP` 31437, `I_ML` 18533 and `I_xz` 4001
/// mm⁴; their deviations are those of `I_AP` and `I_ML`. Sex is not listed.
pub const MID_SHAFT: SectionRow = SectionRow {
    source: "CT of 17 adults of 1.74 m and taller (tibia-fibula set of Keast, Bonacci and Fox), scaled to stature",
    stature: 1.80,
    mean: [403.7, 32577.0, 17393.0, 40306.0, 7.6, 0.9],
    deviation: [64.2, 9354.0, 5865.0, 12938.0, 2.5, 2.7],
};
