//! Quantities by which a run judges itself: energy, constraints, rejected steps, comparisons.

use super::limits;
use wolff_document::{ForceKind, MethodName, Study};
use wolff_multibody::System;
use wolff_multibody::simulation::RunReport;
use wolff_multibody::spec::ConstraintKind;
use wolff_report::outcome::{Finding, Judgement, Limit, Outcome};

/// Energy error relative to the largest kinetic energy \[-\]: speeds are wrong by half of it.
const ENERGY: [f64; 2] = [1e-3, 0.1];

/// Norm of the violation of the constraints after projections \[m or rad\]: it cannot be measured on mechanisms; then
/// parts are visibly apart.
const VIOLATION: [f64; 2] = [1e-6, 1e-3];

/// The same where constraints drift by choice of the method: below the clearance of technical joints; then a human
/// joint would be dislocated.
const VIOLATION_FREE: [f64; 2] = [1e-3, 0.05];

/// Part of the attempted steps that were rejected \[-\]. Contacts that begin and end cost up to every second attempt;
/// where nine of ten fail, a force has jumps that no event announces, and the error estimate says little.
const REJECTED: f64 = 0.9;

/// Attempted steps from which on the rejected part is meaningful.
const ENOUGH_STEPS: usize = 100;

/// What the mechanical energy of a model may do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Balance {
    /// Nothing adds or takes energy.
    Conserved,
    /// Contacts and dampers take energy; nothing adds any.
    Falls,
    /// Something adds energy, or its energy is unknown.
    #[default]
    Open,
}

/// The energy of a model along the run.
#[derive(Default)]
pub(super) struct EnergyRecord {
    balance: Balance,
    /// The energy to compare with: the first, or the least so far where it may fall.
    compared: Option<f64>,
    error: f64,
    kinetic: f64,
}

impl EnergyRecord {
    pub fn new(study: &Study) -> Self {
        EnergyRecord { balance: balance(study), ..EnergyRecord::default() }
    }

    pub fn record(&mut self, system: &System<'_>, t: f64, q: &[f64], v: &[f64]) {
        if self.balance == Balance::Open {
            return;
        }
        let (kinetic, potential) = system.energy(t, q, v);
        let energy = kinetic + potential;
        let compared = self.compared.get_or_insert(energy);
        let gain = energy - *compared;
        if self.balance == Balance::Falls {
            *compared = compared.min(energy);
            self.error = self.error.max(gain);
        } else {
            self.error = self.error.max(gain.abs());
        }
        self.kinetic = self.kinetic.max(kinetic);
    }

    fn judge(&self, judgement: &mut Judgement) {
        let (quantity, remedy) = match self.balance {
            Balance::Open => return,
            Balance::Conserved => {
                ("energy error over kinetic energy", "reduce the tolerance or the step of the integrator")
            }
            Balance::Falls => (
                "energy gained over kinetic energy",
                "nothing in the model adds energy: reduce the tolerance or the step of the integrator",
            ),
        };
        if self.kinetic > 0.0 {
            let limit = Limit::at_most(ENERGY[0], ENERGY[1]).because("speeds are wrong by half of it");
            judgement.judge(quantity, "", self.error / self.kinetic, &limit, remedy);
        }
    }
}

/// Rigid bodies under gravity and springs, on joints and constraints that nothing moves, with contacts or without.
fn balance(study: &Study) -> Balance {
    let conservative = |kind: &ForceKind| match kind {
        ForceKind::Spring { damping, .. } | ForceKind::TorsionSpring { damping, .. } => *damping == 0.0,
        _ => false,
    };
    let passive = |kind: &ForceKind| {
        matches!(kind, ForceKind::Spring { .. } | ForceKind::TorsionSpring { .. } | ForceKind::Ligament { .. })
    };
    let moved = |c: &ConstraintKind| matches!(c, ConstraintKind::Driver { .. });
    let all = |is: &dyn Fn(&ForceKind) -> bool| study.forces.iter().all(|force| is(&force.kind));
    let moves = study.model.constraints.iter().any(|c| moved(&c.kind));
    if moves || !study.flexible.is_empty() || !study.foundations.is_empty() || !all(&passive) {
        return Balance::Open;
    }
    if study.contacts.is_empty() && all(&conservative) { Balance::Conserved } else { Balance::Falls }
}

/// Judges a run.
pub(super) fn judge(study: &Study, energy: &EnergyRecord, report: Option<&RunReport>, outcome: &mut Outcome) {
    let judgement = &mut outcome.judgement;
    energy.judge(judgement);
    if let Some(report) = report {
        judge_report(study, report, judgement);
        limits::judge_impacts(study, report, judgement);
        judgement.found(limits::rim_findings(report));
    }
    judgement.found(limits::gravity_finding(study));
    let outside = outcome.comparisons.iter().filter(|c| !c.pass()).count();
    if !outcome.comparisons.is_empty() {
        let limit = Limit::at_most(0.0, f64::INFINITY).because("each reference has its own tolerance");
        let remedy = match study.parameters.iter().any(|parameter| parameter.given) {
            true => "the table of comparisons shows which; check the values that were set, and their units",
            false => "the table of comparisons shows which; reduce the tolerance or the step of the integrator",
        };
        outcome.judgement.judge("comparisons outside their tolerance", "", outside as f64, &limit, remedy);
    }
    if study.references.is_empty() && study.reference_blocks > 0 {
        let message = format!(
            "none of the {} references of the study applies: they hold for other values of its parameters",
            study.reference_blocks
        );
        outcome.judgement.found([Finding::note(message, "nothing is compared")]);
    }
}

fn judge_report(study: &Study, report: &RunReport, judgement: &mut Judgement) {
    if report.drift.max_position > 0.0 {
        let s = &study.integrator;
        let projected = s.constraints.is_exact() || s.method == MethodName::Kinematic;
        let ([doubtful, failed], why) = match projected {
            true => (VIOLATION, "far below what can be measured on a mechanism"),
            false => (VIOLATION_FREE, "the clearance of technical joints"),
        };
        let limit = Limit::at_most(doubtful, failed).because(why);
        let remedy = "use `constraints = \"projection\"`, or reduce the step of the integrator";
        judgement.judge("violation of the constraints (norm)", "", report.drift.max_position, &limit, remedy);
    }
    let s = &report.integration.statistics;
    let attempted = s.steps + s.rejected;
    if attempted >= ENOUGH_STEPS
        && !study.integrator.method.fixed_step()
        && study.integrator.method != MethodName::Kinematic
    {
        let limit = Limit::at_most(REJECTED, f64::INFINITY).because("the error estimate must follow the motion");
        let remedy = "look for jumps in forces and functions, or use the stiff method `bdf`";
        judgement.judge("rejected part of the steps", "", s.rejected as f64 / attempted as f64, &limit, remedy);
    }
}
