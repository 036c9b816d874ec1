//! Density and modulus of every element of a mesh.

use rayon::prelude::*;
use wolff_fem::TetMesh;
use wolff_spatial::Vec3;
use wolff_verdict::Judgement;

use crate::DensityError;
use crate::chain::Chain;
use crate::field::SampledField;
use crate::plausible::{Expected, judge};
use crate::rule::{Element, Rule};

/// How grey values become materials.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// From grey value to density and modulus.
    pub chain: Chain,
    /// From voxels to elements.
    pub rule: Rule,
    /// The least modulus that an element gets, MPa: too little to carry load, enough to solve for.
    pub least_modulus: f64,
    /// What is known about the bone, for the judgement.
    pub expected: Expected,
}

/// The least modulus by default, MPa: below one ten-thousandth of cortical bone. Own choice.
pub const LEAST_MODULUS: f64 = 1.0;

/// Density of red and yellow marrow, kg/m³ (ICRU report 46: 1.03 and 0.98 g/cm³).
pub const MARROW_DENSITY: f64 = 1000.0;

/// Density of bone tissue without pores, kg/m³ (Cowin 2001, Bone Mechanics Handbook, ch. 10: 1.8-2.1 g/cm³).
pub const TISSUE_DENSITY: f64 = 2000.0;

impl Options {
    /// The converged rule, and nothing known about the bone.
    pub fn new(chain: Chain) -> Self {
        Self { chain, rule: Rule::default(), least_modulus: LEAST_MODULUS, expected: Expected::default() }
    }

    fn check(&self) -> Result<(), DensityError> {
        let broken = match self.rule {
            Rule::MeanGrey { steps } | Rule::MeanModulus { steps } if !(1..=200).contains(&steps) => {
                Some(format!("{steps} steps per element; give 1 to 200"))
            }
            Rule::Converged { tolerance } if !(tolerance > 0.0 && tolerance < 1.0) => {
                Some(format!("a tolerance of {tolerance}; give a number between 0 and 1"))
            }
            _ if !(self.least_modulus > 0.0 && self.least_modulus.is_finite()) => {
                Some(format!("a least modulus of {} MPa; give a positive number", self.least_modulus))
            }
            _ => None,
        };
        broken.map_or(Ok(()), |rule| Err(DensityError::invalid("materials from a scan", rule)))
    }
}

/// What the grid says about one element.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ElementTissue {
    /// Mean grey value.
    pub grey: f64,
    /// Apparent density of bone without marrow, kg/m³.
    pub apparent_density: f64,
    /// Young's modulus, Pa, not below the least.
    pub modulus: f64,
    /// Share of the element whose calibrated density was negative.
    pub clipped: f64,
    /// Whether its centre lies outside the grid.
    pub outside: bool,
    /// Whether its means have settled to the tolerance of the rule; true for rules without one.
    pub settled: bool,
}

/// Density and modulus of every element, with the verdict on them.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// By element of the mesh.
    pub elements: Vec<ElementTissue>,
    /// Volumes of the elements, m³.
    pub volumes: Vec<f64>,
    /// Calibration, conversions, relation and rule, as sentences.
    pub remarks: Vec<String>,
    /// Whether all of it is plausible.
    pub judgement: Judgement,
}

/// Density and modulus of every element of a mesh from a field of grey values in the same frame \[m\].
///
/// The result is the same whatever the number of threads.
///
/// # Errors
/// When an option is out of bounds. An implausible result is no error here: see [`Mapped::accepted`].
pub fn map(mesh: &TetMesh, field: &impl SampledField, options: &Options) -> Result<Mapped, DensityError> {
    options.check()?;
    let law = Law::new(&options.chain);
    let spacing = field.spacing();
    let connectivity: Vec<&[usize]> = mesh.elements().collect();
    let one = |element: &&[usize]| {
        let nodes: Vec<Vec3> = element.iter().map(|&node| mesh.nodes()[node]).collect();
        law.element(&Element::new(mesh.kind(), &nodes), field, spacing, options)
    };
    let elements: Vec<ElementTissue> = connectivity.par_iter().map(one).collect();
    let volumes: Vec<f64> = mesh.volumes().collect();
    let mut remarks = options.chain.remarks();
    remarks.push(format!("elements: {}", options.rule.name()));
    let judgement = judge(&elements, &volumes, options);
    Ok(Mapped { elements, volumes, remarks, judgement })
}

impl Mapped {
    /// The same, unless a judged quantity has failed.
    ///
    /// # Errors
    /// [`DensityError::Implausible`] with every quantity that failed.
    pub fn accepted(self) -> Result<Self, DensityError> {
        let failed = self.judgement.judged.iter().filter(|j| j.verdict == wolff_verdict::Verdict::Failed);
        let reasons: Vec<String> = failed.map(|j| format!("{}; {}", j.message(), j.remedy)).collect();
        if reasons.is_empty() { Ok(self) } else { Err(DensityError::Implausible { reasons: reasons.join(". ") }) }
    }

    /// Mass of bone without marrow, kg.
    pub fn bone_mass(&self) -> f64 {
        self.elements.iter().zip(&self.volumes).map(|(e, v)| e.apparent_density * v).sum()
    }

    /// Volume, m³.
    pub fn volume(&self) -> f64 {
        self.volumes.iter().sum()
    }
}

/// The law with its values at whole grey values worked out beforehand.
struct Law<'a> {
    chain: &'a Chain,
    table: Vec<[f64; 4]>,
}

/// Values below which the mean over an element need not settle: apparent density, g/cm³, and modulus, MPa, of tissue
/// that carries nothing. Grey value and clipped share follow.
const SETTLED: [f64; 4] = [f64::INFINITY, 0.05, 50.0, f64::INFINITY];

/// Whole grey values that scanners give, kept in a table.
const TABLE: std::ops::Range<i32> = -2048..8192;

impl<'a> Law<'a> {
    fn new(chain: &'a Chain) -> Self {
        let mut law = Law { chain, table: Vec::new() };
        law.table = TABLE.map(|grey| law.compute(f64::from(grey))).collect();
        law
    }

    /// Grey value, apparent density, modulus and whether the density was negative.
    fn compute(&self, grey: f64) -> [f64; 4] {
        let tissue = self.chain.tissue(grey);
        [grey, tissue.apparent, tissue.modulus, f64::from(u8::from(tissue.clipped))]
    }

    fn at(&self, grey: f64) -> [f64; 4] {
        let whole = grey as i32;
        match self.table.get(whole.wrapping_sub(TABLE.start) as usize) {
            Some(values) if f64::from(whole) == grey => *values,
            _ => self.compute(grey),
        }
    }

    fn element(&self, element: &Element, field: &impl SampledField, spacing: f64, options: &Options) -> ElementTissue {
        let grey_at = |x: &Vec3| field.interpolated(x, |grey| [grey]);
        let law_at = |x: &Vec3| field.interpolated(x, |grey| self.at(grey));
        let mut settled = true;
        let [grey, apparent, modulus, clipped] = match options.rule {
            Rule::VoxelsInside => {
                self.compute(element.mean_of_voxels(field).unwrap_or_else(|| grey_at(&element.centre())[0]))
            }
            Rule::MeanGrey { steps } => self.compute(element.mean_on_lattice(steps, grey_at)[0]),
            Rule::MeanModulus { steps } => element.mean_on_lattice(steps, law_at),
            Rule::Converged { tolerance } => {
                let (mean, within) = element.mean_converged(spacing, tolerance, SETTLED, law_at);
                settled = within;
                mean
            }
        };
        ElementTissue {
            grey,
            apparent_density: 1e3 * apparent,
            modulus: 1e6 * modulus.max(options.least_modulus),
            clipped,
            outside: !field.contains(&element.centre()),
            settled,
        }
    }
}
