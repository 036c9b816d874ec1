//! The findings in the form that commands report: grouped, with remarks of the readers.

use crate::visible::visibility;
use crate::{Fault, Finding, Patient, examine};
use std::collections::BTreeSet;
use wolff_formats::trial::{ForcePlateTrial, MarkerTrial};
use wolff_verdict::{Finding as Told, Severity, grouped};

/// All findings about a recording for the user, the worst first; equal findings of several markers or plates are one.
///
/// It contains the findings of [`examine`], and the remarks of the readers as notes. Errors are what cannot be right:
/// a command refuses such an input unless the user insists (`Judgement::found`, `answer::gate`).
///
/// ```
/// use wolff_doctor::{Patient, judge};
///
/// let told = judge(&Patient { mass: Some(11_685.0), ..Patient::default() });
/// assert!(told[0].message.contains("11685 kg"));
/// ```
pub fn judge(patient: &Patient) -> Vec<Told> {
    let single: Vec<Finding> = examine(patient).into_iter().filter(|f| f.fault != Fault::Gap).collect();
    let mut told = group(&single);
    told.extend(patient.markers.iter().flat_map(|m| visibility(m)));
    let lost = [patient.markers.map(MarkerTrial::warnings), patient.forces.map(ForcePlateTrial::warnings)];
    // markers and forces of one file have lost the same
    let lost: BTreeSet<&String> = lost.into_iter().flatten().flatten().collect();
    told.extend(lost.into_iter().map(|text| Told::warning(text, "")));
    let remarks = [patient.markers.map(MarkerTrial::remarks), patient.forces.map(ForcePlateTrial::remarks)];
    told.extend(remarks.into_iter().flatten().flatten().map(|text| Told::note(text, "")));
    told.sort_by_key(|f| std::cmp::Reverse(f.severity));
    told
}

/// One finding for all of the same kind and severity; the first is told in full, the others by their names.
pub fn group(findings: &[Finding]) -> Vec<Told> {
    let mut kinds: Vec<(Severity, Fault)> = Vec::new();
    for f in findings {
        // findings about the whole trial stay apart
        if !f.subjects.is_empty() && !kinds.contains(&(f.severity, f.fault)) {
            kinds.push((f.severity, f.fault));
        }
    }
    let whole = findings.iter().filter(|f| f.subjects.is_empty());
    let mut told: Vec<Told> = whole.map(|f| tell(f, f.message.clone())).collect();
    for (severity, fault) in kinds {
        let same = |f: &&Finding| f.severity == severity && f.fault == fault && !f.subjects.is_empty();
        let all: Vec<&Finding> = findings.iter().filter(same).collect();
        let Some((first, others)) = all.split_first() else { continue };
        let mut names: Vec<&str> = others.iter().flat_map(|f| &f.subjects).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !first.subjects.iter().any(|s| s == name));
        let more = match (names.len(), others.len()) {
            (_, 0) => String::new(),
            (0, n) => format!("; and {n} more times"),
            (n, _) => format!("; likewise {n} more: {}", grouped(&names)),
        };
        told.push(tell(first, format!("{}{more}", first.message)));
    }
    told.sort_by_key(|f| std::cmp::Reverse(f.severity));
    told
}

fn tell(finding: &Finding, message: String) -> Told {
    Told { severity: finding.severity, message, remedy: finding.remedy.clone() }
}
