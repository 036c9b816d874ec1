//! From a [`Study`] to the model for the solver.

mod bodies;
mod force;
mod frames;

use bodies::{Bodies, add_springs};
use force::{build_contact, build_force, build_foundation, build_ligament};
pub(crate) use frames::each_frame;
use wolff_bone::flexible::elastic::ElasticBody;
use wolff_contact::{ContactForce, FoundationForce};
use wolff_document::error::StudyError;
use wolff_document::{ForceKind, Measure, MeasureKind, Study};
use wolff_flexbody::{Gauge, Surface};
use wolff_multibody::force::{Bushing, Ligament};
use wolff_multibody::{ForceElement, Instant, Model, SpecError};

/// A study ready to run.
#[derive(Debug)]
pub struct Built {
    /// The study with its frames on bodies that exist in the model.
    pub study: Study,
    /// The model with forces and contacts.
    pub model: Model,
    /// The contacts of the model, in its order.
    pub contacts: Vec<ContactForce>,
    /// The elastic foundations of the model; each has its own working memory.
    pub foundations: Vec<FoundationForce>,
    /// The ligaments of the model.
    pub ligaments: Vec<Ligament>,
    /// Springs of bodies that are chains of segments.
    pub segment_springs: Vec<Bushing>,
    /// Gauges of these bodies.
    pub segment_gauges: Vec<SegmentGauge>,
    /// Bodies whose strain is computed from the rigid motion.
    pub elastic: Vec<ElasticBody>,
    /// Surfaces of the bodies for which fields are requested, by name.
    pub surfaces: Vec<(String, Surface)>,
}

/// A gauge that reads the springs of a chain of segments.
#[derive(Debug)]
pub struct SegmentGauge {
    /// `body.gauge`.
    pub name: String,
    /// The gauge; its coordinates are the deformations of the springs, six per spring.
    pub gauge: Gauge,
    /// The springs.
    pub springs: Vec<Bushing>,
}

impl SegmentGauge {
    /// Deformations of its springs.
    pub fn deformation(&self, at: &Instant<'_>) -> Vec<f64> {
        self.springs.iter().flat_map(|spring| spring.deformation(at).data.0[0]).collect()
    }

    /// Rates of the deformations.
    pub fn deformation_rate(&self, at: &Instant<'_>) -> Vec<f64> {
        self.springs.iter().flat_map(|spring| spring.deformation_rate(at).data.0[0]).collect()
    }
}

/// Builds the model with its forces and contacts; errors refer to the places of the objects in the study's text.
pub fn build_model(study: &Study) -> Result<Model, StudyError> {
    build(study).map(|built| built.model)
}

/// Builds the model with its forces and contacts, and everything else that the ways of its flexible bodies require;
/// errors refer to the places of the objects in the study's text.
pub fn build(study: &Study) -> Result<Built, StudyError> {
    let bodies = Bodies::new(study).map_err(|errors| error(study, errors))?;
    let Bodies { study: expanded, chains, elastic, surfaces } = bodies;
    let mut model = Model::build(&expanded.model).map_err(|errors| error(study, errors))?;
    let mut errors = Vec::new();
    let (mut contacts, mut ligaments) = (Vec::new(), Vec::new());
    for force in &expanded.forces {
        if let ForceKind::Ligament { path, law, quadratic, slack } = &force.kind {
            let built = build_ligament(&model, &force.name, path, (*law, *quadratic), *slack);
            errors.extend(built.and_then(|ligament| keep(&mut model, &mut ligaments, ligament)).err());
            continue;
        }
        let built = build_force(&model, force).and_then(|element| model.add_force(element));
        errors.extend(built.err());
    }
    for contact in &expanded.contacts {
        let built = build_contact(&model, contact);
        errors.extend(built.and_then(|contact| keep(&mut model, &mut contacts, contact)).err());
    }
    let mut foundations = Vec::new();
    for foundation in &expanded.foundations {
        let built = build_foundation(&model, foundation);
        let added = built.and_then(|[acting, measured]| {
            model.add_force(Box::new(acting))?;
            foundations.push(measured);
            Ok(())
        });
        errors.extend(added.err());
    }
    let (mut segment_springs, mut segment_gauges) = (Vec::new(), Vec::new());
    for (name, chain) in &chains {
        match add_springs(&mut model, name, chain) {
            Ok((springs, gauges)) => {
                segment_springs.extend(springs);
                segment_gauges.extend(gauges);
            }
            Err(e) => errors.push(e),
        }
    }
    errors.extend(expanded.measures.iter().filter_map(|m| stress_without_material(&model, m)));
    errors.extend(expanded.measures.iter().filter_map(|m| not_a_ligament(&ligaments, m)));
    errors.extend(expanded.measures.iter().filter_map(|m| no_stretch(&expanded, m)));
    errors.extend(expanded.measures.iter().filter_map(|m| not_a_compartment(&foundations, m)));
    if errors.is_empty() {
        Ok(Built {
            study: expanded,
            model,
            contacts,
            foundations,
            ligaments,
            segment_springs,
            segment_gauges,
            elastic,
            surfaces,
        })
    } else {
        Err(error(study, errors))
    }
}

/// Adds an element to the model and to the list from which it is measured.
fn keep<T: ForceElement + Clone + 'static>(model: &mut Model, list: &mut Vec<T>, element: T) -> Result<(), SpecError> {
    model.add_force(Box::new(element.clone()))?;
    list.push(element);
    Ok(())
}

/// Error of a measure of a ligament that names another kind of force.
fn not_a_ligament(ligaments: &[Ligament], measure: &Measure) -> Option<SpecError> {
    let MeasureKind::Ligament(name, _) = &measure.kind else { return None };
    let known = ligaments.iter().any(|ligament| ligament.name() == name);
    (!known).then(|| SpecError::new(&measure.name, format!("force `{name}` is not of the kind \"ligament\"")))
}

/// Error of a measure of the tension or length of a force that does not act along a line.
fn no_stretch(study: &Study, measure: &Measure) -> Option<SpecError> {
    let MeasureKind::Stretch(name, _) = &measure.kind else { return None };
    let force = study.forces.iter().find(|force| force.name == *name)?;
    let along =
        matches!(force.kind, ForceKind::Spring { .. } | ForceKind::LineForce { .. } | ForceKind::Ligament { .. });
    let rule = format!("force `{name}` does not act along a line; give a spring, a line-force or a ligament");
    (!along).then(|| SpecError::new(&measure.name, rule))
}

/// Error of a measure that names a compartment that its foundation does not have.
fn not_a_compartment(foundations: &[FoundationForce], measure: &Measure) -> Option<SpecError> {
    let MeasureKind::Foundation { foundation, compartment: Some(name), .. } = &measure.kind else { return None };
    let foundation = foundations.iter().find(|f| f.name() == foundation)?;
    let known: Vec<&str> = foundation.pair().elements().compartments.iter().map(|c| c.name.as_str()).collect();
    let rule = format!("compartment `{name}` does not exist; the compartments are {}", known.join(", "));
    (!known.contains(&name.as_str())).then(|| SpecError::new(&measure.name, rule))
}

/// Error of a measure of stress at a gauge without a material.
fn stress_without_material(model: &Model, measure: &Measure) -> Option<SpecError> {
    let MeasureKind::Stress(name, _) = &measure.kind else { return None };
    let (body, gauge) = name.rsplit_once('.')?;
    let flexible = model.flexible(model.body_index(body)?)?;
    let gauge = flexible.data.gauges.iter().find(|g| g.name == gauge)?;
    let rule = format!("gauge `{name}` has no material; give the body the modulus `young`");
    (gauge.elasticity.amax() == 0.0).then(|| SpecError::new(&measure.name, rule))
}

fn error(study: &Study, errors: impl IntoIterator<Item = SpecError>) -> StudyError {
    study.error(errors.into_iter().map(|e| (e.object, e.rule)))
}
