//! Measures resolved to indices of the model and evaluated at an instant.

use super::gauge;
use crate::build::{Built, SegmentGauge};
use wolff_contact::foundation::FoundationResult;
use wolff_contact::{ContactForce, FoundationForce};
use wolff_document::{ContactQuantity, EnergyPart, LigamentQuantity, Lookup, MeasureKind, StretchQuantity, Study};
use wolff_multibody::dynamics::energy::{center_of_mass, elastic_energy};
use wolff_multibody::force::{Bushing, Ligament};
use wolff_multibody::{Baumgarte, ContactElement, ForceElement, Frame, Instant, Model, System};

/// All measures of a study on a model.
pub(super) struct Probe<'a> {
    study: &'a Study,
    built: &'a Built,
    segment_springs: &'a [Bushing],
    segment_gauges: &'a [SegmentGauge],
    sites: Vec<Site>,
    /// Whether accelerations or multipliers are requested.
    needs_dynamics: bool,
    /// Whether reactions of joints are requested.
    needs_reactions: bool,
    needs_constraints: bool,
    stabilisation: Baumgarte,
}

/// The object of a measure: what its names refer to in the model.
enum Site {
    Position(usize),
    Speed(usize),
    Frame(Frame),
    /// A contact, by its index, and its index among the forces.
    Contact(usize, usize),
    /// A ligament, by its index.
    Ligament(usize),
    /// A force along a line, by its index among the forces.
    Force(usize),
    /// A foundation, by its index, and one of its compartments.
    Foundation(usize, Option<usize>),
    Rows(Vec<usize>),
    /// A gauge of a body with modes.
    Gauge {
        body: usize,
        gauge: usize,
    },
    /// A gauge of a chain of segments, by its index.
    Segments(usize),
    /// The body that a joint carries.
    Joint(usize),
    Whole,
}

impl<'a> Probe<'a> {
    /// Resolves the names; the document layer has verified that they exist.
    pub fn new(study: &'a Study, built: &'a Built) -> Self {
        use MeasureKind::{Acceleration, ConstraintDrift, Multiplier, Reaction};
        // the loads on elastic bodies include reactions
        let elastic = !built.elastic.is_empty();
        let moves = |kind: &MeasureKind| matches!(kind, Acceleration(_) | Multiplier(..) | Reaction { .. });
        Probe {
            study,
            built,
            segment_springs: &built.segment_springs,
            segment_gauges: &built.segment_gauges,
            sites: study.measures.iter().map(|m| site(&m.kind, built)).collect(),
            needs_dynamics: elastic || measured(study, moves),
            needs_reactions: elastic || measured(study, |kind| matches!(kind, Reaction { .. })),
            needs_constraints: measured(study, |kind| matches!(kind, ConstraintDrift { .. })),
            stabilisation: super::integrator::stabilisation(&study.integrator),
        }
    }

    /// Values of all measures in their own units; NaN where a value is not available.
    pub fn read(&self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut a = vec![f64::NAN; v.len()];
        if self.needs_dynamics && system.accelerations(t, q, v, self.stabilisation, &mut a).is_err() {
            a.fill(f64::NAN);
        }
        self.read_with(system, (t, q, v, &a))
    }

    /// The same with known accelerations; multipliers are those that the motion requires.
    pub fn read_moving(&self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let mut required = vec![f64::NAN; v.len()];
        if self.needs_dynamics && system.accelerations(t, q, v, Baumgarte::NONE, &mut required).is_err() {
            system.lambda.fill(f64::NAN);
        }
        self.read_with(system, (t, q, v, a))
    }

    fn read_with(&self, system: &mut System<'_>, (t, q, v, a): (f64, &[f64], &[f64], &[f64])) -> Vec<f64> {
        if self.needs_reactions {
            let lambda = system.lambda.clone();
            system.residual(t, q, v, a, &lambda, &mut vec![0.0; v.len()]);
        }
        if self.needs_constraints && !self.needs_dynamics {
            system.update_constraints(t, q, v);
        }
        let mut row: Vec<f64> = Vec::with_capacity(self.sites.len());
        for (measure, site) in self.study.measures.iter().zip(&self.sites) {
            let mut found = match site {
                Site::Contact(k, force) => {
                    contact_value(&self.built.contacts[*k], &measure.kind, &system.instant(t, q, v, Some(*force)))
                }
                Site::Ligament(k) => {
                    ligament_value(&self.built.ligaments[*k], &measure.kind, &system.instant(t, q, v, None))
                }
                Site::Foundation(k, compartment) => {
                    let at = system.instant(t, q, v, None);
                    foundation_value(&self.built.foundations[*k], *compartment, &measure.kind, &at)
                }
                Site::Segments(k) => self.segment_value(&measure.kind, *k, &system.instant(t, q, v, None)),
                _ => value(&measure.kind, site, system, t, q, v, a),
            };
            if let MeasureKind::Energy(EnergyPart::Elastic) = measure.kind {
                let at = system.instant(t, q, v, None);
                found += self.segment_springs.iter().map(|spring| spring.potential_energy(&at)).sum::<f64>();
            }
            row.push(found / measure.unit_size);
        }
        self.fill_formulas(t, &mut row);
        row
    }

    /// Evaluates the formulas of a row: they may use all other measures and the formulas before them.
    pub fn fill_formulas(&self, t: f64, row: &mut [f64]) {
        for (i, measure) in self.study.measures.iter().enumerate() {
            if let MeasureKind::Formula(formula) = &measure.kind {
                row[i] = formula.value(&Row { study: self.study, t, row }).unwrap_or(f64::NAN);
            }
        }
    }

    /// Strain or stress on a chain of segments.
    fn segment_value(&self, kind: &MeasureKind, gauge: usize, at: &Instant<'_>) -> f64 {
        let Some(site) = self.segment_gauges.get(gauge) else { return f64::NAN };
        let eta = site.deformation(at);
        match kind {
            MeasureKind::Strain { component, rate: false, .. } => gauge::strain(&site.gauge, *component, &eta),
            MeasureKind::Strain { component, rate: true, .. } => {
                gauge::strain_rate(&site.gauge, *component, &eta, &site.deformation_rate(at))
            }
            MeasureKind::Stress(_, component) => gauge::stress(&site.gauge, *component, &eta),
            _ => f64::NAN,
        }
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

/// The body and the index of the gauge of `body.gauge`; `None` where the strain is computed after the run.
fn gauge_site(built: &Built, name: &str) -> Option<Site> {
    if let Some(k) = built.segment_gauges.iter().position(|g| g.name == name) {
        return Some(Site::Segments(k));
    }
    let model = &built.model;
    let (body, gauge) = name.rsplit_once('.')?;
    let body = model.body_index(body)?;
    let gauge = model.flexible(body)?.data.gauges.iter().position(|g| g.name == gauge)?;
    Some(Site::Gauge { body, gauge })
}

fn site(kind: &MeasureKind, built: &Built) -> Site {
    let model = &built.model;
    let coordinate = |name: &str| model.coordinate_index(name);
    let found = match kind {
        MeasureKind::Coordinate(name) => coordinate(name).and_then(|i| model.position_of_speed(i)).map(Site::Position),
        MeasureKind::Speed(name) | MeasureKind::Acceleration(name) => coordinate(name).map(Site::Speed),
        MeasureKind::Point(frame, _) | MeasureKind::Velocity(frame, _) => model.frame(frame).map(Site::Frame),
        MeasureKind::AngularVelocity { frame, .. } => model.frame(frame).map(Site::Frame),
        MeasureKind::Quaternion(joint, k) => {
            model.bodies().iter().find(|b| b.joint_name == *joint).map(|b| Site::Position(b.q_start + k))
        }
        MeasureKind::Contact(name, _) => {
            let contact = built.contacts.iter().position(|c| c.name() == name);
            contact.zip(model.forces().iter().position(|f| f.name() == name)).map(|(k, force)| Site::Contact(k, force))
        }
        MeasureKind::Foundation { foundation, compartment, .. } => {
            let k = built.foundations.iter().position(|f| f.name() == foundation);
            k.map(|k| {
                let all = &built.foundations[k].pair().elements().compartments;
                Site::Foundation(k, all.iter().position(|c| Some(&c.name) == compartment.as_ref()))
            })
        }
        MeasureKind::Ligament(name, _) => built.ligaments.iter().position(|l| l.name() == name).map(Site::Ligament),
        MeasureKind::Stretch(name, _) => model.forces().iter().position(|f| f.name() == name).map(Site::Force),
        MeasureKind::ConstraintDrift { only, .. } => Some(Site::Rows(rows(model, only))),
        MeasureKind::Multiplier(name, row) => {
            model.constraints().iter().find(|c| c.name == *name).map(|c| Site::Rows(vec![c.start + row]))
        }
        MeasureKind::Strain { gauge: name, .. } | MeasureKind::Stress(name, _) => gauge_site(built, name),
        MeasureKind::Reaction { joint, .. } => {
            model.bodies().iter().position(|b| b.joint_name == *joint).map(Site::Joint)
        }
        MeasureKind::CentreOfMass(_) | MeasureKind::Energy(_) | MeasureKind::Formula(_) => None,
    };
    found.unwrap_or(Site::Whole)
}

fn rows(model: &Model, only: &[String]) -> Vec<usize> {
    let selected = |name: &String| only.is_empty() || only.contains(name);
    let constraints = model.constraints().iter().filter(|c| selected(&c.name));
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
                // gauges of bodies with modes
                EnergyPart::Elastic => elastic_energy(system.model, q),
            }
        }
        (MeasureKind::ConstraintDrift { rate, .. }, Site::Rows(rows)) => {
            let values = if *rate { &system.constraints.phi_dot } else { &system.constraints.phi };
            rows.iter().map(|&i| values[i] * values[i]).sum::<f64>().sqrt()
        }
        (MeasureKind::Strain { .. } | MeasureKind::Stress(..), Site::Gauge { body, gauge }) => {
            gauge_value(kind, system.model, (*body, *gauge), q, v)
        }
        (MeasureKind::Stretch(_, quantity), Site::Force(k)) => {
            let stretch = system.model.forces()[*k].stretch(&at(Some(*k)));
            stretch.map_or(f64::NAN, |stretch| match quantity {
                StretchQuantity::Tension => stretch.tension,
                StretchQuantity::Length => stretch.length,
                StretchQuantity::Rate => stretch.rate,
            })
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

/// SI value of a measure of a contact.
fn contact_value(contact: &ContactForce, kind: &MeasureKind, at: &Instant<'_>) -> f64 {
    let MeasureKind::Contact(_, quantity) = kind else { return f64::NAN };
    match quantity {
        ContactQuantity::Depth => contact.indentation(at).depth,
        ContactQuantity::Rate => contact.indentation(at).rate,
        ContactQuantity::Force => contact.normal_force(at),
        ContactQuantity::SubsurfaceForce => contact.touch(at).map_or(0.0, |touch| touch.subsurface_force),
        ContactQuantity::Places => contact.place_count(at) as f64,
        ContactQuantity::Point { on_b, component } => component.of(&contact.local_points(at)[usize::from(*on_b)]),
    }
}

/// SI value of a measure of an elastic foundation; not available for a pose that is not finite.
fn foundation_value(
    foundation: &FoundationForce,
    compartment: Option<usize>,
    kind: &MeasureKind,
    at: &Instant<'_>,
) -> f64 {
    let MeasureKind::Foundation { quantity, .. } = kind else { return f64::NAN };
    let read = |result: &FoundationResult| quantity.of(compartment.map_or(&result.total, |k| &result.compartments[k]));
    foundation.with_result(at, read).unwrap_or(f64::NAN)
}

/// SI value of a measure of a ligament.
fn ligament_value(ligament: &Ligament, kind: &MeasureKind, at: &Instant<'_>) -> f64 {
    let MeasureKind::Ligament(_, quantity) = kind else { return f64::NAN };
    match quantity {
        LigamentQuantity::Length => ligament.length(at),
        LigamentQuantity::Strain => ligament.strain(at),
        LigamentQuantity::Tension => ligament.tension(at),
    }
}

/// Strain or stress at a gauge of a body with modes.
fn gauge_value(kind: &MeasureKind, model: &Model, (body, gauge): (usize, usize), q: &[f64], v: &[f64]) -> f64 {
    let Some(gauge) = gauge::find(model, body, gauge) else { return f64::NAN };
    let b = &model.bodies()[body];
    let (eta, eta_dot) = (&q[b.modal_q()], &v[b.modal_v()]);
    match kind {
        MeasureKind::Strain { component, rate: false, .. } => gauge::strain(gauge, *component, eta),
        MeasureKind::Strain { component, rate: true, .. } => gauge::strain_rate(gauge, *component, eta, eta_dot),
        MeasureKind::Stress(_, component) => gauge::stress(gauge, *component, eta),
        _ => f64::NAN,
    }
}
