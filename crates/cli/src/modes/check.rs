//! Verdict on the strains at gauges (`--check`).

use super::Found;
use super::request::Request;
use wolff_fem::fidelity::GaugeError;
use wolff_fem::reduce::Selection;
use wolff_report::outcome::{Judgement, Limit};

/// A reduced body is doubtful if a gauge differs by more than this from the whole mesh \[%\].
const GAUGE_ERROR: f64 = 5.0;

/// Judges the largest error at every gauge.
pub(super) fn judge(judgement: &mut Judgement, request: &Request, found: &Found) {
    let errors = &found.reduced.report.gauge_errors;
    let limit = Limit::at_most(GAUGE_ERROR, f64::INFINITY)
        .because("own choice: small beside the differences of measured strains between persons");
    let mut gauges: Vec<&str> = errors.iter().map(|e| e.gauge.as_str()).collect();
    gauges.dedup();
    for gauge in gauges {
        let of_gauge = errors.iter().filter(|e| e.gauge == gauge);
        // a value that is not a number is the worst
        let key = |e: &&GaugeError| if e.relative.is_finite() { e.relative } else { f64::INFINITY };
        if let Some(worst) = of_gauge.max_by(|a, b| key(a).total_cmp(&key(b))) {
            let quantity = format!("strain error of gauge `{gauge}` under the unit load `{}`", worst.load);
            judgement.judge(&quantity, "%", 100.0 * worst.relative, &limit, &remedy(request));
        }
    }
}

/// The options that reduce the error, the most effective first.
fn remedy(request: &Request) -> String {
    let solver = &request.recipe.solver;
    let mut options = Vec::new();
    match solver.selection {
        Selection::All => {}
        Selection::GaugeConvergence { .. } => options.push("a smaller --gauge-tolerance retains more modes"),
        _ => options.push("retain more modes: --gauge-tolerance 0.01, or omit the selection of modes"),
    }
    if !solver.relief {
        options.push("--relief adds modes with which strains under loads that accelerate the body are exact");
    }
    options.push(if request.free() {
        "a larger --count computes more modes"
    } else {
        "a larger --normal computes more modes"
    });
    options.join("; ")
}
