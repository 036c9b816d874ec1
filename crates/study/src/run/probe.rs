//! Measures resolved to indices of the model, read off the motion at an instant.

use super::gauge;
use crate::document::{EnergyPart, Lookup, MeasureKind, Study};
use wolff_multibody::dynamics::energy::{center_of_mass, elastic_energy};
use wolff_multibody::{Baumgarte, Frame, Model, System};

/// All measures of a study on a model.
pub(super) struct Probe<'a> {
    study: &'a Study,
    sites: Vec<Site>,
    /// Accelerations or multipliers are asked for.
    needs_dynamics: bool,
    /// Reactions of joints are asked for.
    needs_reactions: bool,
    needs_constraints: bool,
    stabilisation: Baumgarte,
}

/// Where a measure is taken: what its names mean in the model.
enum Site {
    Position(usize),
    Speed(usize),
    Frame(Frame),
    Force(usize),
    Rows(Vec<usize>),
    /// A gauge of a body.
    Gauge {
        body: usize,
        gauge: usize,
    },
    /// The body that a joint carries.
    Joint(usize),
    Whole,
}

impl<'a> Probe<'a> {
    /// Resolves the names; the document layer has made sure that they exist.
    pub fn new(study: &'a Study, model: &Model) -> Self {
        use MeasureKind::{Acceleration, ConstraintDrift, Multiplier, Reaction};
        Probe {
            study,
            sites: study.measures.iter().map(|m| site(&m.kind, model)).collect(),
            needs_dynamics: measured(study, |kind| matches!(kind, Acceleration(_) | Multiplier(..) | Reaction { .. })),
            needs_reactions: measured(study, |kind| matches!(kind, Reaction { .. })),
            needs_constraints: measured(study, |kind| matches!(kind, ConstraintDrift { .. })),
            stabilisation: super::integrator::stabilisation(&study.integrator),
        }
    }

    /// Values of all measures in their own units; what cannot be computed is NaN.
    pub fn read(&self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut a = vec![f64::NAN; v.len()];
        if self.needs_dynamics && system.accelerations(t, q, v, self.stabilisation, &mut a).is_err() {
            a.fill(f64::NAN);
        }
        if self.needs_reactions {
            let lambda = system.lambda.clone();
            system.residual(t, q, v, &a, &lambda, &mut vec![0.0; v.len()]);
        }
        if self.needs_constraints && !self.needs_dynamics {
            system.update_constraints(t, q, v);
        }
        let mut row: Vec<f64> = Vec::with_capacity(self.sites.len());
        for (measure, site) in self.study.measures.iter().zip(&self.sites) {
            row.push(value(&measure.kind, site, system, t, q, v, &a) / measure.unit_size);
        }
        // formulas see all other measures and the formulas before them
        for (i, measure) in self.study.measures.iter().enumerate() {
            if let MeasureKind::Formula(formula) = &measure.kind {
                row[i] = formula.value(&Row { study: self.study, t, row: &row }).unwrap_or(f64::NAN);
            }
        }
        row
    }
}

/// Parameters, derived names, time and the measures of the same row.
struct Row<'a> {
    study: &'a Study,
    t: f64,
    row: &'a [f64],
}

impl Lookup for Row<'_> {
    fn get(&self, name: &str) -> Option<f64> {
        if name == "time" {
            return Some(self.t);
        }
        match self.study.measures.iter().position(|m| m.name == name) {
            Some(i) => self.row.get(i).copied(),
            None => self.study.numbers.get(name).copied(),
        }
    }
}

fn measured(study: &Study, is: impl Fn(&MeasureKind) -> bool) -> bool {
    study.measures.iter().any(|m| is(&m.kind))
}

/// The body and number of `body.gauge`.
fn gauge_site(model: &Model, name: &str) -> Option<Site> {
    let (body, gauge) = name.rsplit_once('.')?;
    let body = model.body_index(body)?;
    let gauge = model.flexible(body)?.data.gauges.iter().position(|g| g.name == gauge)?;
    Some(Site::Gauge { body, gauge })
}

fn site(kind: &MeasureKind, model: &Model) -> Site {
    let coordinate = |name: &str| model.coordinate_index(name);
    let found = match kind {
        MeasureKind::Coordinate(name) => coordinate(name).and_then(|i| model.position_of_speed(i)).map(Site::Position),
        MeasureKind::Speed(name) | MeasureKind::Acceleration(name) => coordinate(name).map(Site::Speed),
        MeasureKind::Point(frame, _) | MeasureKind::Velocity(frame, _) => model.frame(frame).map(Site::Frame),
        MeasureKind::AngularVelocity { frame, .. } => model.frame(frame).map(Site::Frame),
        MeasureKind::Quaternion(joint, k) => {
            model.bodies().iter().find(|b| b.joint_name == *joint).map(|b| Site::Position(b.q_start + k))
        }
        MeasureKind::ContactDepth(name) | MeasureKind::ContactForce(name) => {
            model.forces().iter().position(|f| f.name() == name).map(Site::Force)
        }
        MeasureKind::ConstraintDrift { only, .. } => Some(Site::Rows(rows(model, only))),
        MeasureKind::Multiplier(name, row) => {
            model.constraints().iter().find(|c| c.name == *name).map(|c| Site::Rows(vec![c.start + row]))
        }
        MeasureKind::Strain { gauge: name, .. } | MeasureKind::Stress(name, _) => gauge_site(model, name),
        MeasureKind::Reaction { joint, .. } => {
            model.bodies().iter().position(|b| b.joint_name == *joint).map(Site::Joint)
        }
        MeasureKind::CentreOfMass(_) | MeasureKind::Energy(_) | MeasureKind::Formula(_) => None,
    };
    found.unwrap_or(Site::Whole)
}

fn rows(model: &Model, only: &[String]) -> Vec<usize> {
    let wanted = |name: &String| only.is_empty() || only.contains(name);
    let constraints = model.constraints().iter().filter(|c| wanted(&c.name));
    constraints.flat_map(|c| c.start..c.start + c.rows.len()).collect()
}

/// SI value of a measure.
fn value(kind: &MeasureKind, site: &Site, system: &System<'_>, t: f64, q: &[f64], v: &[f64], a: &[f64]) -> f64 {
    let at = |k: Option<usize>| system.instant(t, q, v, k);
    match (kind, site) {
        (MeasureKind::Coordinate(_) | MeasureKind::Quaternion(..), Site::Position(i)) => q[*i],
        (MeasureKind::Speed(_), Site::Speed(i)) => v[*i],
        (MeasureKind::Acceleration(_), Site::Speed(i)) => a[*i],
        (MeasureKind::Point(_, component), Site::Frame(frame)) => component.of(&at(None).point(frame)),
        (MeasureKind::Velocity(_, component), Site::Frame(frame)) => component.of(&at(None).velocity(frame).v),
        (MeasureKind::AngularVelocity { component, in_ground, .. }, Site::Frame(frame)) => {
            let w = at(None).velocity(frame).w;
            component.of(&if *in_ground { w } else { at(None).pose(frame).R.tr_mul(&w) })
        }
        (MeasureKind::CentreOfMass(component), _) => component.of(&center_of_mass(system.model, &system.kin)),
        (MeasureKind::Energy(part), _) => {
            let (kinetic, potential) = system.energy(t, q, v);
            match part {
                EnergyPart::Total => kinetic + potential,
                EnergyPart::Kinetic => kinetic,
                EnergyPart::Potential => potential,
                EnergyPart::Elastic => elastic_energy(system.model, q),
            }
        }
        (MeasureKind::ContactDepth(_), Site::Force(k)) => {
            let contact = system.model.forces()[*k].contact();
            contact.map_or(f64::NAN, |c| c.indentation(&at(Some(*k))).depth)
        }
        (MeasureKind::ContactForce(_), Site::Force(k)) => {
            let contact = system.model.forces()[*k].contact();
            contact.map_or(f64::NAN, |c| c.normal_force(&at(Some(*k))))
        }
        (MeasureKind::ConstraintDrift { rate, .. }, Site::Rows(rows)) => {
            let values = if *rate { &system.constraints.phi_dot } else { &system.constraints.phi };
            rows.iter().map(|&i| values[i] * values[i]).sum::<f64>().sqrt()
        }
        (MeasureKind::Strain { component, rate, .. }, Site::Gauge { body, gauge }) => {
            gauge::strain(system.model, (*body, *gauge), *component, *rate, q, v)
        }
        (MeasureKind::Stress(_, component), Site::Gauge { body, gauge }) => {
            gauge::stress(system.model, (*body, *gauge), *component, q)
        }
        (MeasureKind::Reaction { component, moment, .. }, Site::Joint(body)) => {
            let reaction = system.reaction(*body);
            component.of(if *moment { &reaction.n } else { &reaction.f })
        }
        (MeasureKind::Multiplier(..), Site::Rows(rows)) => {
            rows.first().and_then(|&i| system.lambda.get(i)).copied().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}
