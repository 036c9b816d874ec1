//! Results as text and as JSON.

use crate::output::{Align, size, table};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use wolff_motion::ik::IkResult;

/// Number of markers in the text, the worst first.
const SHOWN: usize = 8;

/// Results as text.
pub fn for_people(found: &IkResult, written: &[PathBuf]) -> String {
    let fit = &found.summary;
    let (frames, markers) = (fit.frames, fit.matched.markers.len());
    let mut text = format!("frames: {frames}, coordinates: {}, markers: {markers}\n", found.subject.coordinates.len());
    let _ = writeln!(text, "marker error: {:.2} mm root mean square", 1e3 * fit.rms());
    if let Some((distance, name, time)) = fit.worst() {
        let _ = writeln!(text, "maximum: {:.2} mm of `{name}` at {time:.3} s", 1e3 * distance);
    }
    let row = |m: &wolff_motion::ik::MarkerStatistics| {
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
    for path in written {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    text
}

/// Results as one JSON object.
pub fn for_machines(found: &IkResult, written: &[PathBuf]) -> Value {
    let fit = &found.summary;
    let marker = |m: wolff_motion::ik::MarkerStatistics| json!({ "name": m.name, "rms_m": m.rms, "max_m": m.max, "at_s": m.at, "frames": m.frames });
    let worst = fit.worst().map(|(d, name, t)| json!({ "marker": name, "distance_m": d, "time_s": t }));
    let matched = &fit.matched;
    json!({
        "status": "ok",
        "frames": fit.frames,
        "coordinates": found.subject.coordinates.iter().map(|c| &c.name).collect::<Vec<_>>(),
        "marker_rms_m": fit.rms(),
        "worst": worst,
        "markers": fit.by_marker().into_iter().map(marker).collect::<Vec<_>>(),
        "not_in_model": matched.not_in_model,
        "not_in_trial": matched.not_in_trial,
        "without_task": matched.without_task,
        "idle_tasks": matched.idle_tasks,
        "frames_left_out_s": fit.left_out,
        "frames_not_converged": fit.rough,
        "seconds_per_frame": found.seconds / fit.frames.max(1) as f64,
        "remarks": found.remarks,
        "files": written,
    })
}
