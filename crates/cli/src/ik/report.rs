//! The outcome of inverse kinematics: results, headline, method, plots.

use crate::output::{Align, size, table};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::Path;
use wolff_anatomy::{Side, without_side};
use wolff_motion::ik::{IkPlot, IkResult, MarkerStatistics, StrideCurve, max_limit_mm, rms_limit_mm};
use wolff_opensim::setup::InverseKinematicsTool;
use wolff_report::outcome::{
    Band, Cell, Headline, Limit, Outcome, Plot, RowKind, RunKind, Series, Table, TableRow, Verdict,
};

/// Number of markers in the text, the worst first.
const SHOWN: usize = 8;
/// Number of plots of angles over the gait cycle, those that move most first.
const PLOTS: usize = 10;

/// The outcome without findings and inputs.
pub fn outcome(found: &IkResult, tool: &InverseKinematicsTool, name: &str) -> Outcome {
    let mut plots: Vec<Plot> =
        found.plots.iter().filter(|p| !p.ending.contains("cycle")).map(|p| over_time(p, name)).collect();
    plots.extend(over_cycle(&found.strides));
    Outcome {
        kind: RunKind::Command,
        study: "ik".into(),
        results: results(found),
        tables: vec![marker_table(found)],
        warnings: found.remarks.clone(),
        headline: headline(found),
        method: method(found, tool),
        series: cycle_table(&found.strides).into_iter().collect(),
        plots,
        ..Outcome::default()
    }
}

fn results(found: &IkResult) -> Map<String, Value> {
    let fit = &found.summary;
    let marker = |m: MarkerStatistics| json!({ "name": m.name, "rms_m": m.rms, "max_m": m.max, "at_s": m.at, "frames": m.frames });
    let matched = &fit.matched;
    let mut results = Map::new();
    let mut set = |key: &str, value: Value| drop(results.insert(key.into(), value));
    set("frames", fit.frames.into());
    set("marker_rms_m", fit.rms().into());
    if let Some((distance, name, time)) = fit.worst() {
        set("worst", json!({ "marker": name, "distance_m": distance, "time_s": time }));
    }
    set("coordinates", found.subject.coordinates.iter().map(|c| c.name.clone()).collect::<Vec<_>>().into());
    // a marker that is never seen has no errors
    set("markers", fit.by_marker().into_iter().filter(|m| m.frames > 0).map(marker).collect());
    set("not_in_model", matched.not_in_model.clone().into());
    set("not_in_trial", matched.not_in_trial.clone().into());
    set("without_task", matched.without_task.clone().into());
    set("idle_tasks", matched.idle_tasks.clone().into());
    set("frames_left_out_s", fit.left_out.clone().into());
    set("frames_not_converged", fit.rough.into());
    set("points_ignored", fit.ignored().into());
    set("frames_at_end_of_range", json!(fit.out_of_range));
    set("undetermined", fit.undetermined.clone().into());
    results
}

fn headline(found: &IkResult) -> Vec<Headline> {
    let fit = &found.summary;
    let judged = |quantity: String, value: f64, limit: &Limit| Headline {
        quantity,
        value,
        unit: "mm".into(),
        range: Some([0.0, limit.doubtful]),
        source: limit.source.clone(),
        verdict: limit.verdict(value),
    };
    let count = |quantity: &str, value: usize| Headline {
        quantity: quantity.into(),
        value: value as f64,
        unit: String::new(),
        range: None,
        source: String::new(),
        verdict: Verdict::Ok,
    };
    let mut all = vec![judged("marker error RMS".into(), 1e3 * fit.rms(), &rms_limit_mm())];
    if let Some((distance, name, time)) = fit.worst() {
        let what = format!("largest marker error, of `{name}` at {time:.3} s");
        all.push(judged(what, 1e3 * distance, &max_limit_mm()));
    }
    all.push(count("frames", fit.frames));
    all.push(count("tracked markers", fit.matched.markers.len()));
    all.push(count("missing points, ignored", fit.ignored()));
    all.push(count("coordinates at or beyond the end of their range", fit.out_of_range.len()));
    all
}

fn method(found: &IkResult, tool: &InverseKinematicsTool) -> Vec<String> {
    let fit = &found.summary;
    let file = |path: &Option<std::path::PathBuf>| {
        path.as_deref().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let tasks = match (&tool.tasks.file, tool.tasks.tasks.is_empty()) {
        (Some(path), _) => format!("weights of `{}`", file(&Some(path.clone()))),
        (None, false) => "the weights of the set-up".into(),
        (None, true) => "equal weights".into(),
    };
    let what = format!(
        "Inverse kinematics: in each of {} frames of `{}`, the pose of the model `{}` ({} coordinates) minimises the \
         weighted sum of squared distances between {} markers of the model and their measured positions (Lu, O'Connor, J \
         Biomech 32, 1999), with {tasks}.",
        fit.frames,
        file(&tool.marker_file),
        file(&tool.model_file),
        found.subject.coordinates.len(),
        fit.matched.markers.len()
    );
    let how = format!(
        "The minimum is found by the Gauss-Newton method with damping, started from the two frames before. Constraints \
         of the model hold exactly; clamped coordinates stay in their ranges. Markers were not filtered and gaps were not \
         filled: {} missing points were left out of the sum.",
        fit.ignored()
    );
    let mut all = vec![what, how];
    if !found.strides.is_empty() {
        all.push(
            "Strides are cut at heel strikes, when the heel is farthest in front of the pelvis (Zeni, Richards, \
             Higginson, Gait Posture 27, 2008); curves are means over the strides with one standard deviation."
                .into(),
        );
    }
    all
}

fn marker_table(found: &IkResult) -> Table {
    let row = |m: &MarkerStatistics| TableRow {
        label: m.name.clone(),
        kind: RowKind::Own,
        source: String::new(),
        cells: vec![
            Cell::Number(1e3 * m.rms),
            Cell::Number(1e3 * m.max),
            Cell::Number(m.at),
            Cell::Number(m.frames as f64),
        ],
    };
    let seen = |m: &&MarkerStatistics| m.frames > 0;
    Table {
        name: "marker_errors_by_marker".into(),
        title: "Marker errors over the trial, the worst first".into(),
        columns: ["RMS [mm]", "largest [mm]", "at [s]", "frames"].map(String::from).to_vec(),
        rows: found.summary.by_marker().iter().filter(seen).map(row).collect(),
    }
}

fn over_time(plot: &IkPlot, name: &str) -> Plot {
    Plot {
        name: plot.ending.trim_start_matches("_ik_").trim_end_matches(".svg").into(),
        title: plot.title.trim_start_matches(&format!("{name}: ")).into(),
        x_label: plot.x_label.into(),
        y_label: plot.y_label.into(),
        curves: plot.curves.clone(),
        ..Plot::default()
    }
}

/// A plot per angle with its right and left side.
fn over_cycle(strides: &[StrideCurve]) -> Vec<Plot> {
    let mut stems: Vec<(&str, f64)> = Vec::new();
    for curve in strides {
        let values = || curve.strides.iter().flatten().map(|p| p.1);
        let extent = values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min);
        let stem = without_side(&curve.coordinate);
        match stems.iter_mut().find(|(s, _)| *s == stem) {
            Some((_, most)) => *most = most.max(extent),
            None => stems.push((stem, extent)),
        }
    }
    stems.sort_by(|a, b| b.1.total_cmp(&a.1));
    stems.truncate(PLOTS);
    stems.iter().map(|(stem, _)| cycle_plot(stem, strides)).collect()
}

fn cycle_plot(stem: &str, strides: &[StrideCurve]) -> Plot {
    let mut plot = Plot {
        name: format!("cycle_{stem}"),
        title: format!("{} over the gait cycle", stem.replace('_', " ")),
        x_label: "gait cycle [%]".into(),
        y_label: "angle [deg]".into(),
        ..Plot::default()
    };
    for curve in strides.iter().filter(|c| without_side(&c.coordinate) == stem) {
        let side = match Side::of(&curve.coordinate) {
            Some(Side::Right) => "right",
            Some(Side::Left) => "left",
            None => "mean",
        };
        let n = curve.strides.len();
        let label = format!("{side}, {n} stride{}", if n == 1 { "" } else { "s" });
        let points = curve.statistics();
        plot.curves.push((label.clone(), points.iter().map(|[x, mean, _]| (*x, *mean)).collect()));
        if n > 1 {
            let points = points.iter().map(|[x, mean, sd]| (*x, mean - sd, mean + sd)).collect();
            plot.bands.push(Band { label: format!("{side}, one standard deviation"), points, of_curve: Some(label) });
        }
    }
    plot
}

/// Mean and standard deviation of all angles at each percent of the gait cycle.
fn cycle_table(strides: &[StrideCurve]) -> Option<Series> {
    let statistics: Vec<Vec<[f64; 3]>> = strides.iter().map(StrideCurve::statistics).collect();
    let first = statistics.first()?;
    let mut columns = vec!["gait_cycle_percent".to_string()];
    for curve in strides {
        columns.extend(["mean_deg", "sd_deg"].map(|what| format!("{}_{what}", curve.coordinate)));
    }
    let row = |i: usize| {
        let mut row = vec![first[i][0]];
        statistics.iter().for_each(|s| row.extend(s.get(i).map_or([f64::NAN; 2], |[_, mean, sd]| [*mean, *sd])));
        row
    };
    Some(Series { name: "angles_cycle".into(), columns, rows: (0..first.len()).map(row).collect() })
}

/// Results as text.
pub fn for_people(found: &IkResult, outcome: &Outcome) -> String {
    let fit = &found.summary;
    let (frames, markers) = (fit.frames, fit.matched.markers.len());
    let mut text = format!("frames: {frames}, coordinates: {}, markers: {markers}\n", found.subject.coordinates.len());
    let _ = writeln!(text, "marker error: {:.2} mm root mean square", 1e3 * fit.rms());
    if let Some((distance, name, time)) = fit.worst() {
        let _ = writeln!(text, "maximum: {:.2} mm of `{name}` at {time:.3} s", 1e3 * distance);
    }
    let row = |m: &MarkerStatistics| {
        let mm = |x: f64| format!("{:.2}", 1e3 * x);
        vec![m.name.clone(), mm(m.rms), mm(m.max), format!("{:.3}", m.at), format!("{}", m.frames)]
    };
    let rows: Vec<_> = fit.by_marker().iter().take(SHOWN).map(row).collect();
    let header = [
        ("worst markers", Align::Left),
        ("RMS [mm]", Align::Right),
        ("maximum [mm]", Align::Right),
        ("at [s]", Align::Right),
        ("frames", Align::Right),
    ];
    let _ = write!(text, "\n{}", table(&header, &rows));
    let _ = writeln!(text, "\n{} ms per frame", size(1e3 * found.seconds / frames.max(1) as f64));
    let files = outcome.results.get("files").and_then(Value::as_array);
    for path in files.into_iter().flatten().filter_map(Value::as_str) {
        let _ = writeln!(text, "wrote {path}");
    }
    text
}
