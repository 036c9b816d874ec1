//! Segments of a person from mass, height and sex.
//!
//! Source of all numbers in [`MALE`] and [`FEMALE`]: P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia
//! parameters, J Biomech 29, 1996, Table 4 (masses, centres of mass, radii of gyration and lengths of young Caucasian
//! adults; men of 73.0 kg and 1.741 m, women of 61.9 kg and 1.735 m on average). Lengths are scaled with height, masses
//! with mass. The shank's row is the alternative one from knee to ankle centre; the main row ends at the lateral
//! malleolus, 6.3 mm higher in men and women.

use crate::error::{AnatomyError, require};
use wolff_spatial::{Mat3, Vec3};

/// Sex, as far as the tables distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sex {
    /// A woman.
    Female,
    /// A man.
    Male,
}

/// A person.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// Name.
    pub name: String,
    /// Mass \[kg\].
    pub mass: f64,
    /// Height \[m\].
    pub stature: f64,
    /// Sex.
    pub sex: Sex,
    /// Age \[years\], recorded only: no table of segments by age is used.
    pub age: Option<f64>,
    /// Speed of walking \[m/s\], where it was measured.
    pub speed: Option<f64>,
}

/// Name, mass \[kg\], stature \[m\], age \[years\] and speed \[m/s\] of a person.
type Preset = (&'static str, f64, f64, Option<f64>, Option<f64>);

/// People whose walking the source documents describe, and the man of the embedded walk.
///
/// Subjects 1 to 3: Al Nazer, thesis, Lappeenranta 2008, section 4.2. `klodowski-2`: Kłodowski et al. 2011, who give
/// the second subject another age and height. The speeds of subjects 1 and 2 are those of section 4.4; others are not
/// published.
const PRESETS: [Preset; 5] = [
    ("reference", 75.0, 1.77, None, None),
    ("al-nazer-1", 89.0, 1.84, Some(25.0), Some(1.47)),
    ("al-nazer-2", 65.0, 1.68, Some(52.0), Some(1.5)),
    ("al-nazer-3", 84.0, 1.77, Some(28.0), None),
    ("klodowski-2", 65.0, 1.70, Some(65.0), None),
];

impl Subject {
    /// Checks and stores: heights from 1 to 2.5 m, masses from 20 to 300 kg, ages to 120.
    pub fn new(name: &str, mass: f64, stature: f64, sex: Sex, age: Option<f64>) -> Result<Self, AnatomyError> {
        let adult = "must be that of an adult: 20 to 300 kg";
        require((20.0..=300.0).contains(&mass), name, "mass [kg]", mass, adult)?;
        let tall = "must be that of an adult: 1 to 2.5 m, given in metres";
        require((1.0..=2.5).contains(&stature), name, "stature [m]", stature, tall)?;
        if let Some(age) = age {
            require((0.0..=120.0).contains(&age), name, "age [years]", age, "must lie between 0 and 120")?;
        }
        Ok(Subject { name: name.into(), mass, stature, sex, age, speed: None })
    }

    /// One of [`Subject::preset_names`]; all are men.
    pub fn preset(name: &str) -> Result<Self, AnatomyError> {
        let found = PRESETS.iter().find(|p| p.0 == name);
        let (name, mass, stature, age, speed) = found.ok_or_else(|| {
            AnatomyError::rule(name, format!("unknown subject; available are {}", Self::preset_names().join(", ")))
        })?;
        Ok(Subject { speed: *speed, ..Subject::new(name, *mass, *stature, Sex::Male, *age)? })
    }

    /// Names of the built-in subjects.
    pub fn preset_names() -> Vec<&'static str> {
        PRESETS.iter().map(|p| p.0).collect()
    }
}

/// A segment of the tables, in the order of their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPart {
    /// Vertex to between the angles of the jaw; the neck belongs to it.
    Head,
    /// Notch of the breastbone to its lower end; the shoulder girdle belongs to it.
    UpperTrunk,
    /// Lower end of the breastbone to navel.
    MiddleTrunk,
    /// Navel to between the hips.
    LowerTrunk,
    /// Shoulder to elbow.
    UpperArm,
    /// Elbow to wrist.
    Forearm,
    /// Wrist to third knuckle.
    Hand,
    /// Hip to knee.
    Thigh,
    /// Knee to ankle.
    Shank,
    /// Heel to tip of the longest toe.
    Foot,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartRow {
    /// The part.
    pub part: BodyPart,
    /// Fraction of body mass.
    pub mass: f64,
    /// Centre of mass from the upper (for the foot the heel) end, as fraction of the length.
    pub centre: f64,
    /// Radii of gyration about the forward, sideways and long axis, as fractions of the length.
    pub radii: [f64; 3],
    /// Length \[mm\] in persons of the mean height.
    pub length_mm: f64,
}

const fn row(part: BodyPart, mass: f64, centre: f64, radii: [f64; 3], length_mm: f64) -> PartRow {
    PartRow { part, mass, centre, radii, length_mm }
}

/// Mean height of the men and women measured \[mm\].
const MEAN_STATURE_MM: [f64; 2] = [1741.0, 1735.0];

/// Men, de Leva 1996, Table 4.
pub const MALE: [PartRow; 10] = [
    row(BodyPart::Head, 0.0694, 0.5976, [0.362, 0.376, 0.312], 203.3),
    row(BodyPart::UpperTrunk, 0.1596, 0.2999, [0.716, 0.454, 0.659], 170.7),
    row(BodyPart::MiddleTrunk, 0.1633, 0.4502, [0.482, 0.383, 0.468], 215.5),
    row(BodyPart::LowerTrunk, 0.1117, 0.6115, [0.615, 0.551, 0.587], 145.7),
    row(BodyPart::UpperArm, 0.0271, 0.5772, [0.285, 0.269, 0.158], 281.7),
    row(BodyPart::Forearm, 0.0162, 0.4574, [0.276, 0.265, 0.121], 268.9),
    row(BodyPart::Hand, 0.0061, 0.79, [0.628, 0.513, 0.401], 86.2),
    row(BodyPart::Thigh, 0.1416, 0.4095, [0.329, 0.329, 0.149], 422.2),
    row(BodyPart::Shank, 0.0433, 0.4395, [0.251, 0.246, 0.102], 440.3),
    row(BodyPart::Foot, 0.0137, 0.4415, [0.257, 0.245, 0.124], 258.1),
];

/// Women, de Leva 1996, Table 4.
// 0.318 is a radius of gyration, not 1/π
#[allow(clippy::approx_constant)]
pub const FEMALE: [PartRow; 10] = [
    row(BodyPart::Head, 0.0668, 0.5894, [0.33, 0.359, 0.318], 200.2),
    row(BodyPart::UpperTrunk, 0.1545, 0.2077, [0.746, 0.502, 0.718], 142.5),
    row(BodyPart::MiddleTrunk, 0.1465, 0.4512, [0.433, 0.354, 0.415], 205.3),
    row(BodyPart::LowerTrunk, 0.1247, 0.492, [0.433, 0.402, 0.444], 181.5),
    row(BodyPart::UpperArm, 0.0255, 0.5754, [0.278, 0.26, 0.148], 275.1),
    row(BodyPart::Forearm, 0.0138, 0.4559, [0.261, 0.257, 0.094], 264.3),
    row(BodyPart::Hand, 0.0056, 0.7474, [0.531, 0.454, 0.335], 78.0),
    row(BodyPart::Thigh, 0.1478, 0.3612, [0.369, 0.364, 0.162], 368.5),
    row(BodyPart::Shank, 0.0481, 0.4352, [0.267, 0.263, 0.092], 438.6),
    row(BodyPart::Foot, 0.0129, 0.4014, [0.299, 0.279, 0.139], 228.3),
];

/// Distance from between the shoulders to between the hips \[mm\], men and women: with it the centre of mass of the
/// whole trunk agrees with the row of the trunk from the notch of the breastbone (de Leva 1996, Table 4, trunk between
/// alternative endpoints).
const SHOULDERS_TO_HIPS_MM: [f64; 2] =
    [531.9 * (1.0 - 0.4486) / (1.0 - 0.431), 529.3 * (1.0 - 0.4151) / (1.0 - 0.3782)];

/// A part of one person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartProperties {
    /// Length \[m\].
    pub length: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Distance of the centre of mass from the upper end (of the foot: the heel) \[m\].
    pub centre: f64,
    /// Moments of inertia about the centre of mass, forward, long and sideways axis (x, y, z in standing) \[kg m²\].
    pub inertia: Vec3,
}

impl PartProperties {
    /// Inertia as a matrix.
    pub fn inertia_matrix(&self) -> Mat3 {
        Mat3::from_diagonal(&self.inertia)
    }
}

impl Sex {
    fn index(self) -> usize {
        match self {
            Sex::Male => 0,
            Sex::Female => 1,
        }
    }

    /// Height \[m\] of a person of mean proportions with a given length of thigh and shank together \[m\].
    pub fn stature_of_leg(self, leg: f64) -> f64 {
        let [thigh, shank] = [BodyPart::Thigh, BodyPart::Shank].map(|part| self.table()[part as usize].length_mm);
        leg * MEAN_STATURE_MM[self.index()] / (thigh + shank)
    }

    /// The rows of the table.
    pub fn table(self) -> &'static [PartRow; 10] {
        match self {
            Sex::Male => &MALE,
            Sex::Female => &FEMALE,
        }
    }
}

impl Subject {
    /// Length, mass, centre and inertia of a part: `I = m (r L)²`.
    ///
    /// Mass fractions are divided by their sum over the body, which is 0.9999 for women.
    pub fn part(&self, part: BodyPart) -> PartProperties {
        let table = self.sex.table();
        let row = &table[part as usize];
        let length = self.scaled(row.length_mm);
        let mass = self.mass * row.mass / body_share(table);
        let [sagittal, transverse, long] = row.radii.map(|r| mass * (r * length).powi(2));
        PartProperties { length, mass, centre: row.centre * length, inertia: Vec3::new(sagittal, long, transverse) }
    }

    /// Height of the shoulders above the hips in standing \[m\].
    pub fn shoulder_height(&self) -> f64 {
        self.scaled(SHOULDERS_TO_HIPS_MM[self.sex.index()])
    }

    /// A length \[mm\] of a person of the mean height, for this one \[m\].
    fn scaled(&self, length_mm: f64) -> f64 {
        self.stature * length_mm / MEAN_STATURE_MM[self.sex.index()]
    }
}

/// Sum of the mass fractions of all parts, both sides counted.
fn body_share(table: &[PartRow; 10]) -> f64 {
    use BodyPart::*;
    let twice = |part| matches!(part, UpperArm | Forearm | Hand | Thigh | Shank | Foot);
    table.iter().map(|r| if twice(r.part) { 2.0 * r.mass } else { r.mass }).sum()
}
