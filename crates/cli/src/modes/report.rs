//! Results as text and as JSON.

use super::Found;
use super::request::Request;
use crate::output::{Align, number, size, table};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use wolff_bone::flexible::{Share, carried};
use wolff_fem::ElementKind;
use wolff_fem::fidelity::GaugeError;

/// Fractions below this value are not shown in the text.
const LEAST_SHARE: f64 = 0.05;

/// Maximum number of fractions per mode in the text.
const MOST_SHARES: usize = 3;

/// Results as text.
pub fn for_people(request: &Request, found: &Found, written: &[String]) -> String {
    let (body, report) = (&found.reduced.body, &found.reduced.report);
    let kind = if request.free() { "modes of the free solid" } else { "modes of the reduced body" };
    let left_out = report.available.len() - report.frequencies.len();
    let mut text = format!("{}: {} {kind}", request.name, body.modes());
    if left_out > 0 {
        let _ = write!(text, ", {left_out} omitted");
    }
    let _ = write!(text, "\n\n{}\n{}", modes_table(found), sizes_table(found));
    if !report.gauge_errors.is_empty() {
        let _ = write!(
            text,
            "\nStrain at the gauges under unit loads, compared with the whole mesh:\n{}",
            gauges_table(&report.gauge_errors)
        );
    }
    for file in written {
        let _ = writeln!(text, "Wrote {file}.");
    }
    text
}

fn modes_table(found: &Found) -> String {
    let placed = found.reduced.body.nodes.len() > 1;
    let percent = |share: &Share| format!("{} {} {:.0} %", share.node, share.direction, 100.0 * share.share);
    let row = |(mode, frequency): (usize, &f64)| {
        let mut cells = vec![(mode + 1).to_string(), format!("{frequency:.3}")];
        if placed {
            let shares = carried(&found.reduced, mode, LEAST_SHARE);
            cells.push(shares.iter().take(MOST_SHARES).map(percent).collect::<Vec<_>>().join(", "));
        }
        cells
    };
    let mut header = vec![("mode", Align::Right), ("frequency [Hz]", Align::Right)];
    if placed {
        header.push(("carries most (fraction of the compliance)", Align::Left));
    }
    table(&header, &found.reduced.report.frequencies.iter().enumerate().map(row).collect::<Vec<_>>())
}

fn sizes_table(found: &Found) -> String {
    let row = |name: &str, value: String, unit: &str| vec![name.to_string(), value, unit.to_string()];
    let kind = match found.summary.kind {
        ElementKind::Tet4 => "tet4",
        ElementKind::Tet10 => "tet10",
    };
    let mut rows = vec![
        row("mass", number(found.reduced.report.mass), "kg"),
        row("elements", found.summary.elements.to_string(), kind),
        row("degrees of freedom", found.summary.dof.to_string(), ""),
    ];
    rows.extend(found.seconds.iter().map(|(phase, s)| row(&format!("time: {phase}"), format!("{s:.3}"), "s")));
    rows.push(row("time: total", format!("{:.3}", total(found)), "s"));
    table(&[("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)], &rows)
}

fn gauges_table(errors: &[GaugeError]) -> String {
    let row = |e: &GaugeError| {
        let per_newton = size(1e6 * e.full.norm());
        vec![e.gauge.clone(), e.load.clone(), per_newton, format!("{:.4}", 100.0 * e.relative)]
    };
    let header =
        [("gauge", Align::Left), ("load", Align::Left), ("strain [1e-6]", Align::Right), ("error [%]", Align::Right)];
    table(&header, &errors.iter().map(row).collect::<Vec<_>>())
}

fn total(found: &Found) -> f64 {
    found.seconds.iter().map(|(_, seconds)| seconds).sum()
}

/// Results as the entries of a JSON object.
pub fn for_machines(request: &Request, found: &Found, written: &[String]) -> Map<String, Value> {
    let (body, report) = (&found.reduced.body, &found.reduced.report);
    let carries = |mode: usize| carried(&found.reduced, mode, 0.0).iter().map(share_json).collect::<Vec<_>>();
    let seconds: Map<String, Value> = found
        .seconds
        .iter()
        .map(|(phase, s)| (phase.to_string(), json!(s)))
        .chain([("all".into(), json!(total(found)))])
        .collect();
    let places = body.nodes.iter().skip(1).map(|n| json!({ "name": n.name, "position": n.position.as_slice() }));
    let gauges = body.gauges.iter().map(|g| json!({ "name": g.name, "position": g.position.as_slice() }));
    let results = json!({
        "name": request.name,
        "free": request.free(),
        "frequencies_hz": report.frequencies,
        "available_hz": report.available,
        "mass_kg": report.mass,
        "damping_ratio": request.damping,
        "nodes": found.summary.nodes,
        "elements": found.summary.elements,
        "dof": found.summary.dof,
        "places": places.collect::<Vec<_>>(),
        "gauges": gauges.collect::<Vec<_>>(),
        "compliance_shares": (0..body.modes()).map(carries).collect::<Vec<_>>(),
        "gauge_errors": report.gauge_errors.iter().map(error_json).collect::<Vec<_>>(),
        "seconds": seconds,
        "written": written,
    });
    match results {
        Value::Object(results) => results,
        _ => Map::new(),
    }
}

fn share_json(share: &Share) -> Value {
    json!({ "node": share.node, "direction": share.direction, "share": share.share })
}

fn error_json(e: &GaugeError) -> Value {
    json!({
        "gauge": e.gauge,
        "load": e.load,
        "relative": e.relative,
        "reduced": e.reduced.as_slice(),
        "full": e.full.as_slice(),
    })
}
