//! Whether densities and moduli of a bone are plausible.

use wolff_verdict::{Finding, Judgement, Limit};

use crate::calibration::Calibration;
use crate::mapped::{ElementTissue, Options};
use crate::relation::Checked;

/// The bones whose mass is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownBone {
    /// Femur.
    Femur,
    /// Tibia.
    Tibia,
    /// Fibula.
    Fibula,
    /// Patella.
    Patella,
}

impl KnownBone {
    /// Outer volume in an adult of 1.70 m, cm³: BodyParts3D (Mitsuhashi et al. 2009), right side.
    fn volume_cm3(self) -> f64 {
        match self {
            KnownBone::Femur => 486.0,
            KnownBone::Tibia => 288.0,
            KnownBone::Fibula => 54.0,
            KnownBone::Patella => 12.0,
        }
    }
}

/// What is known about the bone that was scanned.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Expected {
    /// Which whole bone it is; nothing for a part of one.
    pub bone: Option<KnownBone>,
    /// Stature of the person, m.
    pub stature: Option<f64>,
}

/// Stature that belongs to the volumes of [`KnownBone`], m; assumed.
const REFERENCE_STATURE: f64 = 1.70;

/// Mean apparent density of a whole long bone, g/cm³: dry bones weigh 0.6 to 1.2 g per cm³ of outer volume. Derived
/// from a cortex of 25 to 45 % of the volume at 1.9 g/cm³ beside trabecular bone of 0.2 to 0.6 g/cm³.
const BULK: [f64; 2] = [0.6, 1.2];

pub(crate) fn judge(elements: &[ElementTissue], volumes: &[f64], options: &Options) -> Judgement {
    let mut judgement = Judgement::default();
    let statistics = Statistics { elements, volumes, volume: volumes.iter().sum() };
    judge_coverage(&statistics, &mut judgement);
    // a field of densities has no grey values
    if options.chain.calibration != Calibration::identity(options.chain.calibration.density) {
        judge_grey(&statistics, &mut judgement);
    }
    judgement.found(unsettled(&statistics, options));
    judge_density(&statistics, options, &mut judgement);
    judge_modulus(&statistics, options, &mut judgement);
    judge_mass(&statistics, &options.expected, &mut judgement);
    judgement
}

struct Statistics<'a> {
    elements: &'a [ElementTissue],
    volumes: &'a [f64],
    volume: f64,
}

impl Statistics<'_> {
    /// Share of the volume of the elements for which `of` gives a share.
    fn share(&self, of: impl Fn(&ElementTissue) -> f64) -> f64 {
        self.elements.iter().zip(self.volumes).map(|(e, v)| of(e) * v).sum::<f64>() / self.volume
    }

    /// The value below which a part of the volume lies.
    fn quantile(&self, part: f64, of: impl Fn(&ElementTissue) -> f64) -> f64 {
        let mut sorted: Vec<(f64, f64)> = self.elements.iter().map(of).zip(self.volumes.iter().copied()).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut below = 0.0;
        let found = sorted.iter().find(|(_, volume)| {
            below += volume;
            below >= part * self.volume
        });
        found.or(sorted.last()).map_or(f64::NAN, |(value, _)| *value)
    }
}

fn judge_coverage(statistics: &Statistics, judgement: &mut Judgement) {
    let outside = statistics.share(|e| f64::from(u8::from(e.outside)));
    let limit = Limit::at_most(0.0, 0.02).because("a bone must lie within its scan");
    let remedy = "check the frame and the unit of mesh and scan, or scan the whole bone";
    judgement.judge("share of the bone outside the scan", "%", 100.0 * outside, &percent(limit), remedy);
}

/// The share of the bone whose mean values did not settle.
fn unsettled(statistics: &Statistics, options: &Options) -> Option<Finding> {
    let share = statistics.share(|e| f64::from(u8::from(!e.settled)));
    (share > 0.0).then(|| {
        Finding::note(
            format!("in {:.1} % of the bone the mean did not settle ({})", 100.0 * share, options.rule.name()),
            "its last change was a few times the tolerance at most; use smaller elements or a smaller tolerance",
        )
    })
}

fn judge_grey(statistics: &Statistics, judgement: &mut Judgement) {
    let remedy = "check rescale slope and intercept of the scan, its calibration, and metal near the bone";
    let limit = Limit::at_least(-150.0, -800.0).because("fat is -100 HU and air -1000 HU");
    judgement.judge("grey value of the softest hundredth", "HU", statistics.quantile(0.01, |e| e.grey), &limit, remedy);
    let limit = Limit::at_most(2500.0, 3500.0).because("cortical bone is 1000 to 2000 HU, metal above 3000 HU");
    judgement.judge("grey value of the hardest hundredth", "HU", statistics.quantile(0.99, |e| e.grey), &limit, remedy);
}

fn judge_density(statistics: &Statistics, options: &Options, judgement: &mut Judgement) {
    let clipped = statistics.share(|e| e.clipped);
    if clipped > 0.0 {
        judgement.found([Finding::note(
            format!("{:.1} % of the bone has a negative density, which counts as zero", 100.0 * clipped),
            "marrow and fat are below the zero of most calibrations",
        )]);
    }
    let limit = Limit::at_most(0.25, 0.6).because("the marrow of a long bone fills an eighth of it");
    let remedy = "check the calibration, and whether the mesh lies on the bone";
    judgement.judge("share of the bone with negative density", "%", 100.0 * clipped, &percent(limit), remedy);

    let hard = statistics.quantile(0.99, |e| 1e-3 * e.apparent_density);
    let limit = Limit::at_most(2.2, 2.6).because("bone tissue without pores is 1.8 to 2.1 g/cm³");
    judgement.judge("apparent density of the hardest hundredth", "g/cm³", hard, &limit, "check the calibration");
    let limit = Limit::at_least(0.9, 0.2).because("a bone has a cortex of 1.7 to 2.0 g/cm³, less after blur");
    judgement.judge("apparent density of the hardest hundredth", "g/cm³", hard, &limit, "check the calibration");
    judgement.found(beyond_range(statistics, options));
}

/// The share of the bone whose density lies beyond what the relation was tested for.
fn beyond_range(statistics: &Statistics, options: &Options) -> Option<Finding> {
    let chain = &options.chain;
    let tested = chain.relation.range;
    let within = |e: &ElementTissue| {
        use crate::calibration::DensityKind::Apparent;
        let rho = chain.convert(1e-3 * e.apparent_density, Apparent, chain.relation.density);
        f64::from(u8::from(rho > tested[1]))
    };
    let share = statistics.share(within);
    (share > 0.01).then(|| {
        Finding::warning(
            format!(
                "{:.0} % of the bone is denser than what `{}` was tested for ({} g/cm³ {})",
                100.0 * share,
                chain.relation.name,
                tested[1],
                chain.relation.density.symbol()
            ),
            "choose a relation for cortical bone too",
        )
    })
}

fn judge_modulus(statistics: &Statistics, options: &Options, judgement: &mut Judgement) {
    if options.chain.checked() < Checked::TwoSources {
        judgement.found([Finding::warning(
            format!("the chain from grey value to modulus has numbers that are {}", options.chain.checked().words()),
            "compare the numbers in the remarks with the publications",
        )]);
    }
    let hard = statistics.quantile(0.99, |e| 1e-9 * e.modulus);
    let source = "cortical bone of the shaft is 12 to 22 GPa along its axis";
    let remedy = "check the relation, its density and the calibration";
    let quantity = "modulus of the stiffest hundredth";
    judgement.judge(quantity, "GPa", hard, &Limit::at_most(26.0, 45.0).because(source), remedy);
    let source = "a bone without a stiff part carries no load";
    judgement.judge(quantity, "GPa", hard, &Limit::at_least(2.0, 0.1).because(source), remedy);
}

fn judge_mass(statistics: &Statistics, expected: &Expected, judgement: &mut Judgement) {
    let mass_kg = statistics.elements.iter().zip(statistics.volumes).map(|(e, v)| e.apparent_density * v).sum::<f64>();
    let bulk = 1e-3 * mass_kg / statistics.volume;
    let remedy = "check the calibration, and whether the mesh lies on the bone";
    let source = "dry long bones weigh 0.6 to 1.2 g per cm³ of outer volume";
    let quantity = "mass of bone per outer volume";
    judgement.judge(quantity, "g/cm³", bulk, &Limit::at_most(BULK[1] * 1.1, BULK[1] * 1.5).because(source), remedy);
    judgement.judge(quantity, "g/cm³", bulk, &Limit::at_least(BULK[0] * 0.8, BULK[0] * 0.3).because(source), remedy);
    let Some(bone) = expected.bone else { return };
    // a size between the 1st and the 99th percentile at one stature, and any adult stature where it is not known
    let spread: f64 = if expected.stature.is_some() { 1.5 } else { 2.0 };
    let size = (expected.stature.unwrap_or(REFERENCE_STATURE) / REFERENCE_STATURE).powi(3);
    let typical = bone.volume_cm3() * size;
    let source = format!("outer volume {typical:.0} cm³ at this stature, with 0.6 to 1.2 g/cm³; derived");
    let (low, high) = (typical * BULK[0] / spread, typical * BULK[1] * spread);
    let grams = 1e3 * mass_kg;
    let remedy = "check the calibration, the unit of the mesh and the kind of bone";
    judgement.judge("mass of bone", "g", grams, &Limit::at_most(high, 2.0 * high).because(source.clone()), remedy);
    judgement.judge("mass of bone", "g", grams, &Limit::at_least(low, 0.5 * low).because(source), remedy);
}

/// Limits of a share as limits in percent.
fn percent(limit: Limit) -> Limit {
    Limit { doubtful: 100.0 * limit.doubtful, failed: 100.0 * limit.failed, ..limit }
}
