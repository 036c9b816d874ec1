//! Calibration of a CT: a line that is known, or rods of a phantom that was scanned with the bone.

use std::path::PathBuf;
use wolff_density::{Calibration, Conversion, DensityKind};
use wolff_files::input;
use wolff_verdict::Judgement;

use super::BoneRequest;
use crate::error::ScanError;

/// Rods of a phantom at most.
const MOST_RODS: usize = 100;
/// The densest rod of a phantom has more than this \[mg/cm³\]; a smaller number is in g/cm³.
const LEAST_DENSEST: f64 = 5.0;
/// Densities that no phantom has \[mg/cm³\].
const MOST_DENSITY: f64 = 3500.0;

/// What the rods of a phantom hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mineral {
    /// Hydroxyapatite.
    #[default]
    Hydroxyapatite,
    /// Dipotassium phosphate, K₂HPO₄.
    Phosphate,
}

impl Mineral {
    /// The formula or name in sentences.
    pub fn word(self) -> &'static str {
        match self {
            Mineral::Hydroxyapatite => "hydroxyapatite",
            Mineral::Phosphate => "K2HPO4",
        }
    }

    /// Name of the conversion from the density of this mineral to ash density.
    fn to_ash(self) -> &'static str {
        match self {
            Mineral::Hydroxyapatite => "schileo-2008-ash",
            Mineral::Phosphate => "les-1994-ash",
        }
    }
}

/// Grey values and densities of the rods of a phantom.
#[derive(Clone, Debug, PartialEq)]
pub enum Rods {
    /// Pairs of grey value \[HU\] and density \[mg/cm³\].
    Given(Vec<(f64, f64)>),
    /// A text file with one rod per line: grey value and density.
    File(PathBuf),
}

impl Rods {
    /// Rods of an option: `HU:DENSITY,HU:DENSITY,...`, or else the name of a file.
    ///
    /// # Errors
    /// When the text begins as a list and is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_list = text.contains(':') && text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        if !is_list {
            return Ok(Rods::File(text.into()));
        }
        let rod = |part: &str| {
            let (grey, density) = part.split_once(':')?;
            Some((grey.trim().parse().ok()?, density.trim().parse().ok()?))
        };
        let rods: Option<Vec<(f64, f64)>> = text.split(',').map(rod).collect();
        rods.map(Rods::Given).ok_or_else(|| {
            format!(
                "`{text}` is not HU:DENSITY,HU:DENSITY,... with densities in mg/cm³, for example 2:0,110:100,870:800"
            )
        })
    }

    /// The rods in g/cm³.
    fn points(&self) -> Result<Vec<(f64, f64)>, ScanError> {
        let points = match self {
            Rods::Given(points) => points.clone(),
            Rods::File(path) => {
                let text =
                    input::read_to_string(path).map_err(|cause| ScanError::Unreadable { path: path.clone(), cause })?;
                lines(&text).map_err(|rule| ScanError::Request(format!("phantom `{}`: {rule}", path.display())))?
            }
        };
        let finite = points
            .iter()
            .all(|(grey, density)| grey.is_finite() && density.is_finite() && density.abs() <= MOST_DENSITY);
        let densest = points.iter().map(|rod| rod.1).fold(f64::NEG_INFINITY, f64::max);
        if !finite || points.len() > MOST_RODS || densest < LEAST_DENSEST {
            let rule = format!(
                "a phantom has 2 to {MOST_RODS} rods with densities in mg/cm³ up to {MOST_DENSITY}; the densest one \
                 here has {densest} mg/cm³: give the numbers of its certificate, not in g/cm³"
            );
            return Err(ScanError::Request(rule));
        }
        Ok(points.into_iter().map(|(grey, density)| (grey, 1e-3 * density)).collect())
    }
}

/// One rod per line; words before the first rod are its heading, `#` begins a remark.
fn lines(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let mut rods = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let words = line.split(|c: char| c.is_whitespace() || ",;:".contains(c)).filter(|word| !word.is_empty());
        let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[grey, density]) => rods.push((grey, density)),
            None if rods.is_empty() => {}
            _ => {
                return Err(format!(
                    "line {} is not one rod; write its grey value [HU] and its density [mg/cm³], as in `110, 100`",
                    n + 1
                ));
            }
        }
        if rods.len() > MOST_RODS {
            return Err(format!("it has more than {MOST_RODS} rods; leave one line for each rod"));
        }
    }
    Ok(rods)
}

/// A phantom that was scanned with the bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Phantom {
    /// Its rods.
    pub rods: Rods,
    /// What they hold.
    pub mineral: Mineral,
}

/// The line to apparent density, how it was found, and whether it is plausible.
#[derive(Clone, Debug)]
pub struct Calibrated {
    /// The line.
    pub line: Calibration,
    /// How it was found, as sentences.
    pub remarks: Vec<String>,
    /// Whether the rods lie on a line.
    pub judgement: Judgement,
}

/// The calibration of a request.
///
/// # Errors
/// When there is none, or the phantom gives no line.
pub(super) fn calibrated(request: &BoneRequest) -> Result<Calibrated, ScanError> {
    if let Some(line) = request.calibration {
        let apparent = "schileo-2008-apparent";
        let line = line.to_apparent(Conversion::named("schileo-2008-ash")?, Conversion::named(apparent)?);
        let remark = format!("apparent density [g/cm³] = {} + {} HU, as given", line.intercept, line.slope);
        return Ok(Calibrated { line, remarks: vec![remark], judgement: Judgement::default() });
    }
    let Some(phantom) = &request.phantom else {
        return Err(ScanError::Request(
            "grey values of a CT need a calibration to become densities; give --calibration A,B with density [g/cm³] = \
             A + B HU or --phantom HU:DENSITY,..., from the phantom of the scanner, or --label N if this is an image of \
             labels"
                .into(),
        ));
    };
    let points = phantom.rods.points()?;
    let fit = Calibration::phantom(&points, DensityKind::Qct)?;
    let (to_ash, to_apparent) =
        (Conversion::named(phantom.mineral.to_ash())?, Conversion::named("schileo-2008-apparent")?);
    let line = fit.calibration.to_apparent(to_ash, to_apparent);
    let fitted = format!(
        "density of {} [g/cm³] = {:.6} + {:.8} HU, the least-squares line of {} rods of a phantom; the farthest lies \
         {:.1} mg/cm³ beside it",
        phantom.mineral.word(),
        fit.calibration.intercept,
        fit.calibration.slope,
        points.len(),
        1e3 * fit.largest_residual
    );
    Ok(Calibrated { line, remarks: vec![fitted, to_ash.remark(), to_apparent.remark()], judgement: fit.judgement })
}
