//! Phases of the gait cycle: stance, double support, and the three parts of swing; results, a table, and bands in
//! plots.
//!
//! Stance of a foot is the longest time within a stride in which the vertical ground force exceeds [`STANDING`] times
//! body weight. Swing is divided as by Perry (Gait Analysis, 1992): initial swing ends where the swinging ankle
//! passes the standing one, mid-swing where the shank of the swinging leg is vertical, terminal swing at the next
//! heel strike.

use super::cycle::last_stride;
use serde_json::{Value, json};
use std::ops::Range;
use wolff_anatomy::{SegmentName, Side};
use wolff_evidence::phases::{Phases, STANDING};
use wolff_movement::simulate::MovementResult;
use wolff_multibody::Kinematics;
use wolff_report::outcome::{Band, Plot};
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// Stance in percent of the cycle at normal speed: Al Nazer, thesis, Lappeenranta 2008, section 4.1.
const USUAL_STANCE: f64 = 62.0;

/// Phases of the last stride of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GaitPhases {
    /// Contacts of both feet.
    pub contacts: Phases,
    /// Where initial swing and mid-swing of the right and the left leg end, as fractions of the own stride; `None`
    /// where the events were not found in swing.
    swing: [[Option<f64>; 2]; 2],
}

impl GaitPhases {
    /// Phases of the last stride; `None` where a foot never or always stands.
    pub fn new(result: &MovementResult) -> Option<Self> {
        let rows = last_stride(result);
        let weight = result.walk.constants.weight();
        let stands = |foot: usize| -> Vec<bool> {
            rows.clone().map(|i| result.record.ground[i][foot].force.y > STANDING * weight).collect()
        };
        let contacts = Phases::new([&stands(0), &stands(1)])?;
        let swing = [0, 1].map(|foot| swing_events(result, &rows, &contacts, foot));
        Some(GaitPhases { contacts, swing })
    }
}

/// Where initial swing and mid-swing of a leg end, as fractions of the stride after its strike.
fn swing_events(result: &MovementResult, rows: &Range<usize>, contacts: &Phases, foot: usize) -> [Option<f64>; 2] {
    let sides = [Side::Right, Side::Left];
    let model = &result.muscled.model;
    let names = [SegmentName::Foot(sides[foot]), SegmentName::Foot(sides[1 - foot]), SegmentName::Shank(sides[foot])];
    let bodies: Vec<usize> = names.iter().filter_map(|name| model.body_index(name.name())).collect();
    let &[swinging, standing, shank] = bodies.as_slice() else { return [None; 2] };
    let n = rows.len();
    let [first, count] =
        [contacts.feet[foot].strike, contacts.feet[foot].stance].map(|x| (x * n as f64).round() as usize);
    let mut kin = Kinematics::new(model);
    let (mut found, mut before) = ([None; 2], [f64::NAN; 2]);
    for k in count..n {
        let i = rows.start + (first + k) % n;
        kin.update(model, &result.record.q[i], &result.record.v[i]);
        // origins of foot and shank are ankle and knee
        let ahead = |of: usize| kin.bodies[swinging].X_GB.p.x - kin.bodies[of].X_GB.p.x;
        let now = [ahead(standing), ahead(shank)];
        for (event, (was, is)) in found.iter_mut().zip(before.iter().zip(now)) {
            if event.is_none() && *was < 0.0 && is >= 0.0 {
                *event = Some(k as f64 / n as f64);
            }
        }
        before = now;
    }
    found
}

/// Results of the phases, in percent of the cycle.
pub(super) fn results(phases: &GaitPhases, put: &mut dyn FnMut(&str, Value)) {
    let contacts = &phases.contacts;
    for (side, name) in ["right", "left"].into_iter().enumerate() {
        put(&format!("stance_percent_{name}"), json!(100.0 * contacts.feet[side].stance));
    }
    put("double_support_percent", json!(100.0 * contacts.double_support(0).iter().sum::<f64>()));
    put("left_strike_percent", json!(100.0 * contacts.own(0, contacts.feet[1].strike)));
}

/// One row per leg: where each phase ends, in percent of its own cycle.
pub(super) fn table(phases: &GaitPhases) -> Table {
    let percent = |x: f64| Cell::Number(100.0 * x);
    let row = |side: usize, label: &str| {
        let foot = phases.contacts.feet[side];
        let [first, second] = phases.contacts.double_support(side);
        let event = |e: usize| phases.swing[side][e].map_or(Cell::Empty, percent);
        let cells = [percent(first), percent(foot.stance - second), percent(foot.stance), event(0), event(1)];
        let last = [percent(1.0), percent(foot.stance), percent(1.0 - foot.stance), percent(first + second)];
        TableRow {
            label: label.into(),
            kind: RowKind::Own,
            source: "this run, last stride".into(),
            cells: cells.into_iter().chain(last).collect(),
        }
    };
    let mut cells = vec![Cell::Empty; 6];
    cells.extend([Cell::Number(USUAL_STANCE), Cell::Number(100.0 - USUAL_STANCE)]);
    let usual = TableRow {
        label: "normal speed".into(),
        kind: RowKind::Measured,
        source: "Al Nazer, thesis, Lappeenranta 2008, section 4.1".into(),
        cells,
    };
    let ends = ["first double support", "single support", "second double support", "initial swing", "mid-swing"];
    let ends = ends.into_iter().chain(["terminal swing"]).map(|phase| format!("{phase} ends"));
    let lasting = ["stance", "swing", "double support, both"].map(String::from);
    Table {
        name: "phases".into(),
        title: "Phases of the gait cycle of each leg [% of the cycle from its heel strike]".into(),
        columns: ends.chain(lasting).collect(),
        rows: vec![row(0, "right"), row(1, "left"), usual],
    }
}

/// Marks the double supports behind the curves of a plot over the gait cycle of the right leg.
pub(super) fn mark(phases: &Phases, plot: &mut Plot) {
    let heights = || plot.curves.iter().flat_map(|(_, points)| points).map(|p| p.1).filter(|y| y.is_finite());
    let (low, high) = heights().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
    if low >= high {
        return;
    }
    let [first, second] = phases.double_support(0).map(|share| 100.0 * share);
    let strike = 100.0 * phases.own(0, phases.feet[1].strike);
    // plots begin with the stride of the reference, phases with the heel strike
    let start = phases.feet[0].strike;
    let start = 100.0 * if start > 0.5 { start - 1.0 } else { start };
    let points = vec![
        (start.max(0.0), low, high),
        (start + first, low, high),
        (start + first, f64::NAN, f64::NAN),
        (start + strike, low, high),
        (start + strike + second, low, high),
    ];
    plot.bands.push(Band { label: "double support; the second ends with stance".into(), points, of_curve: None });
}
