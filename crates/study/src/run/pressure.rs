//! Pressures of elastic foundations at the instant of the maximum load of a run.

use crate::build::Built;
use wolff_multibody::{ForceElement, System};
use wolff_report::pressure::{PosedContact, PressureMap};

/// The pressure map of each foundation: that of the maximum load so far, or of the last state with a load in a run that
/// ends at rest.
pub(super) struct PressureRecord<'b> {
    built: &'b Built,
    /// Whether only the last state counts, because the run ends at rest and everything before is on the way to it.
    last_only: bool,
    /// Maximum sum of normal forces \[N\] and the pressures at that instant.
    largest: Vec<Option<(f64, PressureMap)>>,
    /// The maps of the instants that each foundation asks for, in their order.
    asked: Vec<Vec<PressureMap>>,
    /// The first overlap deeper than the layers and the material allow.
    too_deep: Option<String>,
    /// Whether the last instant has such an overlap.
    too_deep_now: bool,
}

impl<'b> PressureRecord<'b> {
    pub fn new(built: &'b Built) -> Self {
        let last_only = built.study.integrator.until_rest.is_some();
        let largest = vec![None; built.foundations.len()];
        let asked = vec![Vec::new(); built.foundations.len()];
        PressureRecord { built, last_only, largest, asked, too_deep: None, too_deep_now: false }
    }

    /// The first overlap that was too deep and its time, if there was one, and whether there is one at the end.
    pub fn too_deep(&self) -> Option<(&str, bool)> {
        self.too_deep.as_deref().map(|first| (first, self.too_deep_now))
    }

    /// The foundations without contact so far.
    pub fn untouched(&self) -> impl Iterator<Item = &str> {
        let foundations = self.built.foundations.iter().zip(&self.largest);
        foundations.filter(|(_, largest)| largest.is_none()).map(|(foundation, _)| foundation.name())
    }

    /// Stores the pressures of this instant if the load is larger than before.
    pub fn record(&mut self, system: &System<'_>, t: f64, q: &[f64], v: &[f64]) {
        let at = system.instant(t, q, v, None);
        self.too_deep_now = false;
        let due: Vec<usize> = self.built.foundations.iter().map(|f| self.due(f.name(), t)).collect();
        let state = if self.last_only { "at rest" } else { "at the maximum load" };
        for (contact, (foundation, largest)) in self.built.foundations.iter().zip(&mut self.largest).enumerate() {
            let known = largest.as_ref().filter(|_| !self.last_only).map_or(0.0, |(force, _)| *force);
            let due = due[contact];
            let asked = &mut self.asked[contact];
            let (too_deep, too_deep_now) = (&mut self.too_deep, &mut self.too_deep_now);
            let found = foundation.with_result(&at, |result| {
                if let Err(error) = result.checked() {
                    *too_deep_now = true;
                    too_deep.get_or_insert_with(|| format!("at t = {t} s foundation `{}`, {error}", foundation.name()));
                }
                let force = result.total.normal_force;
                let map = |state: String| PressureMap {
                    contact,
                    row: 0,
                    time: t,
                    state,
                    pressures: result.pressures.clone(),
                };
                // one row may be the first after several instants
                if asked.len() < due {
                    asked.push(map(format!("at t = {t:.4} s")));
                    let none = || PressureMap { contact, row: 0, time: t, state: String::new(), pressures: Vec::new() };
                    asked.resize_with(due, none);
                }
                (force > known).then(|| (force, map(state.into())))
            });
            if let Ok(Some(found)) = found {
                *largest = Some(found);
            }
        }
    }

    /// Number of instants of a foundation that are not after t \[s\], rounding aside.
    fn due(&self, foundation: &str, t: f64) -> usize {
        let spec = self.built.study.foundations.iter().find(|spec| spec.name == foundation);
        spec.map_or(0, |spec| spec.map_times.partition_point(|time| *time <= t * (1.0 + 1e-9) + 1e-12))
    }

    /// Every foundation that was loaded, with its pressure map.
    pub fn maps(self) -> Vec<(PosedContact, PressureMap)> {
        let specs = &self.built.study.foundations;
        let contact = |name: &str| {
            specs.iter().find(|spec| spec.name == name).map(|spec| PosedContact {
                name: spec.name.clone(),
                fixed: spec.fixed.clone(),
                moving: spec.moving.clone(),
                pair: spec.report.clone(),
                remarks: spec.remarks.clone(),
            })
        };
        let mut maps = Vec::new();
        for ((f, largest), asked) in self.built.foundations.iter().zip(self.largest).zip(self.asked) {
            // rows that stand for several instants are shown once
            let asked = asked.into_iter().filter(|map| !map.state.is_empty());
            for map in asked.chain(largest.map(|(_, map)| map)) {
                maps.extend(contact(f.name()).map(|posed| (posed, PressureMap { contact: 0, ..map })));
            }
        }
        maps
    }
}
