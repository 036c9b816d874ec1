//! The end of a command that computes: warnings, results, verdict and exit code.

use crate::failure::{self, Failure};
use crate::{output, table};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use wolff_report::json::{self, Timing};
use wolff_report::outcome::{Judgement, Outcome, Verdict};

/// Refuses an input with errors unless the user insists.
pub fn gate(judgement: &Judgement, force: bool) -> Result<(), Failure> {
    let errors: Vec<_> = judgement.errors().cloned().collect();
    if errors.is_empty() || force { Ok(()) } else { Err(Failure::Refused(errors)) }
}

/// Where results were written; if that failed, a warning in the outcome, which is printed all the same, and the exit
/// code of the failure.
pub fn saved<T>(written: Result<Option<T>, Failure>, outcome: &mut Outcome) -> (Option<T>, Option<ExitCode>) {
    match written {
        Ok(place) => (place, None),
        Err(failure) => {
            outcome.warnings.insert(0, format!("the results are shown here but could not be saved: {failure}"));
            (None, Some(failure.exit_code()))
        }
    }
}

/// Prints a finished outcome: one JSON object, or warnings, `text`, the judged quantities and the status. Returns the
/// exit code that belongs to the status.
pub fn show(
    outcome: &Outcome,
    timing: &Timing,
    folder: Option<&Path>,
    as_json: bool,
    text: &str,
) -> Result<ExitCode, Failure> {
    let status = outcome.judged_status();
    if as_json {
        output::print_json(&json::report(outcome, timing))?;
        return Ok(failure::exit_code_of(status));
    }
    json::warnings(outcome).iter().for_each(|warning| output::warn(warning));
    outcome.judgement.notes().iter().for_each(|note| output::note(note));
    let mut all = format!("{text}{}", judged(&outcome.judgement));
    let _ = writeln!(all, "{}: {}", outcome.study, status.word());
    if let Some(folder) = folder {
        let place = format!("files are in {}; report.html shows all results on one page", folder.display());
        all.push_str(&table::text(&place, 2));
    }
    output::print(&all)?;
    Ok(failure::exit_code_of(status))
}

/// Judged quantities, one line each; empty without any.
fn judged(judgement: &Judgement) -> String {
    let line = |j: &wolff_report::outcome::Judged| {
        let mark = match j.verdict {
            Verdict::Ok => "ok      ",
            Verdict::Doubtful => "doubtful",
            Verdict::Failed => "FAILED  ",
        };
        // the source of a limit is in the warning and on the page
        let message = j.message();
        let short = message.strip_suffix(&format!(" ({})", j.source)).unwrap_or(&message);
        table::text(&format!("{mark}  {short}"), mark.len() + 2)
    };
    judgement.judged.iter().map(line).collect()
}
