//! Gates: what cannot be a CT or a bone stops with a reason, unless the user insists.

use wolff_imaging::segment::Levels;
use wolff_imaging::{Statistics, Volume};
use wolff_verdict::{Finding, Judgement, Verdict};

/// Some voxel of a CT is below this \[HU\]: fat is -100 HU and air -1000 HU, and in muscle alone noise reaches it.
const NOT_BELOW: f64 = -10.0;
/// Levels of soft tissue \[HU\]: fat is -100 HU, muscle 50 HU; chosen here, with a margin.
const SOFT: [f64; 2] = [-200.0, 250.0];
/// Levels of cortical bone \[HU\]: 1000 to 2400 HU by the voltage of the tube; chosen here, with a margin.
const CORTICAL: [f64; 2] = [400.0, 3200.0];

/// What is wrong with the grey values of an image that should be in Hounsfield units.
pub(super) fn hounsfield(statistics: &Statistics, levels: &Levels, cortical: f64) -> Vec<Finding> {
    let remedy = "check that the image is a CT and that rescale slope and intercept were applied when it was converted";
    let mut findings = Vec::new();
    if statistics.min > NOT_BELOW {
        let message = format!(
            "the least grey value is {:.0}: values of a CT in Hounsfield units reach below zero (fat -100 HU, air -1000 HU)",
            statistics.min
        );
        // a part of a scan without fat and air is possible; wrong densities are found by their own limits
        findings.push(Finding::warning(message, remedy));
    }
    for (what, value, [low, high]) in [("soft tissue", levels.soft, SOFT), ("cortical bone", cortical, CORTICAL)] {
        if !(low..=high).contains(&value) {
            let message =
                format!("the grey value of {what} is {value:.0}, expected {low:.0} to {high:.0} in Hounsfield units");
            findings.push(Finding::error(message, remedy));
        }
    }
    findings
}

/// What is wrong with a series of another modality.
pub(super) fn modality(modality: Option<&str>) -> Option<Finding> {
    let other = modality.filter(|name| *name != "CT")?;
    Some(Finding::error(
        format!("the modality of the series is `{other}`, not CT: its grey values are no Hounsfield units"),
        "give a CT; of an MRI give an image of labels with --label N, or surfaces",
    ))
}

/// Different values of an image of labels at most.
const MOST_LABELS: usize = 64;

/// The labels of an image that has few whole values and none below zero, as words; `None` of an image of grey values.
pub(super) fn labels(volume: &Volume) -> Option<String> {
    let mut found = std::collections::BTreeSet::new();
    for n in 0..volume.samples().len() {
        let value = volume.samples().get(n);
        if !((0.0..=255.0).contains(&value) && value.fract() == 0.0) {
            return None;
        }
        if found.insert(value as u8) && found.len() > MOST_LABELS {
            return None;
        }
    }
    Some(found.iter().map(u8::to_string).collect::<Vec<_>>().join(", "))
}

/// Judged quantities of a material that have failed, as errors of the input.
pub(super) fn failed(judgement: &Judgement) -> Vec<Finding> {
    let failed = judgement.judged.iter().filter(|judged| judged.verdict == Verdict::Failed);
    failed.map(|judged| Finding::error(judged.message(), judged.remedy.clone())).collect()
}
