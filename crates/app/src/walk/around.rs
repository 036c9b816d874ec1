//! Strains around the tibia beside those of Peterman et al. and of the thesis (Table 4.6), at three levels, and the
//! section with its gauges; differences from published rows in percent.

use super::cycle::{last_stride, strain_peaks};
use serde_json::{Value, json};
use wolff_bone::gauges::sites::RING_HEIGHTS_MM;
use wolff_bone::gauges::{Contour, GaugeHistory, ROSETTE, StrainPeaks, section_svg};
use wolff_evidence::literature::{Measure, Origin, STRAINS_AROUND, WALKING_STRAINS};
use wolff_movement::bones::BoneResult;
use wolff_movement::simulate::MovementResult;
use wolff_numerics::correlation::pearson;
use wolff_report::outcome::Picture;
use wolff_report::published::{Cell, RowKind, Table, TableRow};
use wolff_spatial::Vec3;

/// Gauges around a section.
const RING: [&str; 7] = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"];

/// Gauges that are closer than this have one label \[m\].
const SAME_PLACE: f64 = 2e-3;

/// Difference of a value from a published one in percent of the latter; empty where that is zero.
fn percent(ours: Option<f64>, published: Option<f64>) -> Cell {
    match (ours, published) {
        (Some(ours), Some(published)) if published != 0.0 => Cell::Number(100.0 * (ours / published - 1.0)),
        _ => Cell::Empty,
    }
}

fn maybe(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}

/// The peak that a row of Table 4.6 is about \[microstrain\].
fn peak_of(peaks: &StrainPeaks, measure: Measure) -> f64 {
    1e6 * match measure {
        Measure::Axial => peaks.axial(),
        Measure::MaxPrincipal => peaks.max_principal,
        Measure::MinPrincipal => peaks.min_principal,
        Measure::MaxShear => peaks.max_shear,
    }
}

fn name_of(measure: Measure) -> &'static str {
    match measure {
        Measure::Axial => "axial",
        Measure::MaxPrincipal => "max principal",
        Measure::MinPrincipal => "min principal",
        Measure::MaxShear => "max shear",
    }
}

/// Table 4.6 of the thesis with all its rows: peaks of this run, published ones, and differences in percent of these.
pub(super) fn joined(result: &MovementResult, bone: &BoneResult) -> Table {
    let row = |row: &wolff_evidence::literature::AroundRow| {
        let ours = bone.gauge(row.location).map(|h| peak_of(&strain_peaks(result, h), row.measure));
        let [first, second, third] = row.models;
        let published = [Some(row.mean), row.peak, Some(first), Some(second), Some(third)];
        let differences = published.map(|published| percent(ours, published));
        let cells = [ours].into_iter().chain(published).map(maybe).chain(differences).collect();
        TableRow {
            label: format!("{} {}", row.location, name_of(row.measure)),
            kind: RowKind::Own,
            source: String::new(),
            cells,
        }
    };
    let published = ["measured, mean", "measured, peak", "first model", "second model", "third model"];
    let differences = published.map(|name| format!("difference from {name} [%]"));
    Table {
        name: "strain-around".into(),
        title: "Peak strains around the mid-shaft of the tibia [microstrain]; measured: Peterman et al. 2001; models: \
                Al Nazer, thesis, Lappeenranta 2008, Table 4.6 and appendix A; differences in percent of these"
            .into(),
        columns: ["Wolff"].into_iter().chain(published).map(String::from).chain(differences).collect(),
        rows: STRAINS_AROUND.iter().map(row).collect(),
    }
}

/// Differences of the peaks at the rosette from every row of Table 4.4, in percent of that row.
pub(super) fn differences(result: &MovementResult, bone: &BoneResult) -> Option<Table> {
    let p = strain_peaks(result, bone.gauge(ROSETTE)?);
    let [first, second, third] = p.rates;
    let ours = [p.max_principal, p.min_principal, p.max_shear, first, second, third].map(|e| 1e6 * e);
    let row = |row: &wolff_evidence::literature::StrainRow| {
        let strains = [Some(row.max_principal), Some(row.min_principal), row.max_shear];
        let published = strains.into_iter().chain(row.rates);
        TableRow {
            label: row.source.into(),
            kind: if row.origin == Origin::Model { RowKind::Model } else { RowKind::Measured },
            source: String::new(),
            cells: ours.iter().zip(published).map(|(ours, published)| percent(Some(*ours), published)).collect(),
        }
    };
    let head = ["max principal", "min principal", "max shear"];
    let columns = head.map(String::from).into_iter().chain(head.map(|h| format!("rate of {h}"))).collect();
    Some(Table {
        name: "strain-differences".into(),
        title: "Differences of this run from published strains and strain rates of the tibia in walking [% of these]"
            .into(),
        columns,
        rows: WALKING_STRAINS.iter().map(row).collect(),
    })
}

/// Axial strain of the gauge of a ring at a level, named by its height above the plafond.
fn at_level<'a>(bone: &'a BoneResult, place: &str, height: f64) -> Option<&'a GaugeHistory> {
    bone.gauge(&format!("{place}_{height:.0}"))
}

/// Pearson's coefficient of two signals over the last stride; `None` where one is constant.
fn alike(result: &MovementResult, a: &[f64], b: &[f64]) -> Option<f64> {
    let rows = last_stride(result);
    pearson(a.get(rows.clone())?, b.get(rows)?).ok()
}

/// Correlation of the axial strains at two gauges, where there are both.
fn resemblance(result: &MovementResult, a: Option<&GaugeHistory>, b: Option<&GaugeHistory>) -> Option<f64> {
    alike(result, &a?.axial, &b?.axial)
}

/// Axial strain around the tibia 90, 120 and 150 mm above the plafond and at mid-shaft, and how much the curves at
/// these levels resemble those at mid-shaft.
pub(super) fn levels(result: &MovementResult, bone: &BoneResult) -> Table {
    let peak = |history: Option<&GaugeHistory>| maybe(history.map(|h| 1e6 * strain_peaks(result, h).axial()));
    let row = |place: &&str| {
        let middle = bone.gauge(place);
        let levels = RING_HEIGHTS_MM.map(|height| at_level(bone, place, height));
        let same = levels.map(|level| maybe(resemblance(result, level, middle)));
        let cells = levels.into_iter().chain([middle]).map(peak).chain(same).collect();
        TableRow { label: (*place).into(), kind: RowKind::Own, source: "this run".into(), cells }
    };
    let heights = RING_HEIGHTS_MM.map(|height| format!("{height:.0} mm"));
    let same = RING_HEIGHTS_MM.map(|height| format!("r, {height:.0} mm and mid-shaft"));
    Table {
        name: "levels".into(),
        title: "Axial strain of largest magnitude around the tibia at heights above the plafond [microstrain], and \
                correlation of the curves of the last stride with those at mid-shaft"
            .into(),
        columns: heights.into_iter().chain(["mid-shaft".to_string()]).chain(same).collect(),
        rows: RING.iter().map(row).collect(),
    }
}

/// Whether the axial strain in front follows the larger, and that behind the smaller principal strain (thesis, section
/// 4.7): correlations over the last stride.
pub(super) fn results(result: &MovementResult, bone: &BoneResult, put: &mut dyn FnMut(&str, Value)) {
    if let Some(front) = bone.gauge("L1") {
        let r = alike(result, &front.axial, &front.max_principal);
        put("axial_with_max_principal_correlation_l1", json!(r));
    }
    if let Some(behind) = bone.gauge("L5") {
        let r = alike(result, &behind.axial, &behind.min_principal);
        put("axial_with_min_principal_correlation_l5", json!(r));
    }
}

/// The mid-shaft section with the gauges around it and the rosette; none where the section cannot be cut.
pub(super) fn section(bone: &BoneResult) -> Option<Picture> {
    let contour = Contour::new(&bone.bone.solid, 0.5).ok()?;
    let shown = RING.into_iter().chain([ROSETTE]);
    let gauges = shown.filter_map(|name| bone.bone.body.gauges.iter().find(|gauge| gauge.name == name));
    let mut marks: Vec<(String, Vec3)> = Vec::new();
    for gauge in gauges {
        let name = if gauge.name == ROSETTE { "rosette" } else { gauge.name.as_str() };
        match marks.iter_mut().find(|(_, at)| (*at - gauge.position).norm() < SAME_PLACE) {
            Some((names, _)) => *names = format!("{names}, {name}"),
            None => marks.push((name.into(), gauge.position)),
        }
    }
    let title = format!("Mid-shaft section of {}, seen from above", bone.name.segment());
    Some(Picture {
        name: format!("section-{}", bone.name.segment()),
        svg: section_svg(&contour, &marks, &title),
        title,
    })
}
