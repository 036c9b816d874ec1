//! The flexible bodies of a study as parts of the model, by the way in which they are computed.

use super::SegmentGauge;
use super::frames::each_frame;
use std::sync::Arc;
use wolff_bone::BoneError;
use wolff_bone::flexible::elastic::ElasticBody;
use wolff_bone::flexible::segments::{Chain, ChainGauge};
use wolff_bone::flexible::{FlexibleBody, Way};
use wolff_document::{Study, mass_name};
use wolff_flexbody::{FlexBody, Surface};
use wolff_multibody::force::Bushing;
use wolff_multibody::spec::{BodySpec, FrameSpec, JointKind, JointSpec};
use wolff_multibody::{Frame, Model, SpecError, SpecErrors};
use wolff_spatial::Pose;

/// The study after its flexible bodies have been built.
pub(super) struct Bodies {
    /// The study with complete bodies and joints; frames are on segments where a body is a chain of segments.
    pub study: Study,
    /// Chains by the name of their body.
    pub chains: Vec<(String, Chain)>,
    /// Bodies whose strain is computed from the rigid motion.
    pub elastic: Vec<ElasticBody>,
    /// Surfaces of the bodies for which fields are requested, by name.
    pub surfaces: Vec<(String, Surface)>,
}

impl Bodies {
    pub fn new(study: &Study) -> Result<Self, SpecErrors> {
        let mut bodies = Bodies { study: study.clone(), chains: Vec::new(), elastic: Vec::new(), surfaces: Vec::new() };
        let mut errors = Vec::new();
        for flexible in &study.flexible {
            if let Err(e) = bodies.add(flexible) {
                errors.push(SpecError::new(&flexible.name, e.to_string()));
            }
        }
        for (name, chain) in &bodies.chains {
            expand(&mut bodies.study, name, chain, &mut errors);
        }
        SpecErrors::check(errors)?;
        Ok(bodies)
    }

    fn add(&mut self, flexible: &FlexibleBody) -> Result<(), BoneError> {
        match flexible.way {
            Way::FloatingFrame => {
                let drawn = self.study.fields.iter().any(|field| field.body == flexible.name);
                let file = flexible.make_with_surface(drawn)?;
                self.push(flexible, file.body);
                self.surfaces.extend(file.surface.filter(|_| drawn).map(|surface| (flexible.name.clone(), surface)));
            }
            Way::Rigid => self.push(flexible, flexible.without_modes(true)?.0),
            Way::QuasiStatic | Way::Elastodynamic => {
                let (body, solid) = flexible.without_modes(false)?;
                self.push(flexible, body);
                if let Some(solid) = solid {
                    let dynamic = flexible.way == Way::Elastodynamic;
                    self.elastic.push(ElasticBody::new(&flexible.name, solid, dynamic, flexible.damping_ratio)?);
                }
            }
            Way::Segments(count) => {
                if let Some((solid, recipe)) = flexible.solid()? {
                    let chain = Chain::new(&solid, &recipe.axis(), count, flexible.damping_ratio)?;
                    self.chains.push((flexible.name.clone(), chain));
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, flexible: &FlexibleBody, reduced: FlexBody) {
        let modes = reduced.modes();
        let mut body = BodySpec::flexible(&flexible.name, Arc::new(reduced));
        if let Some(start) = &mut body.flexible {
            start.eta0 = padded(&flexible.eta, modes);
            start.eta_dot0 = padded(&flexible.eta_dot, modes);
        }
        self.study.model.bodies.push(body);
    }
}

/// Values for all modes, zero where none is given. Surplus values are kept; they are rejected with the body.
fn padded(given: &[f64], modes: usize) -> Vec<f64> {
    let mut values = given.to_vec();
    values.resize(given.len().max(modes), 0.0);
    values
}

/// Name of a segment, numbered from 1, and of the joint that carries it.
fn segment_name(body: &str, segment: usize) -> String {
    format!("{body}#{}", segment + 1)
}

/// Replaces a body by the segments of its chain: rigid bodies, free joints between them, and frames on the segment that
/// contains them.
fn expand(study: &mut Study, name: &str, chain: &Chain, errors: &mut Vec<SpecError>) {
    let mut lost = Vec::new();
    each_frame(study, &mut |frame| {
        let Some(node) = node_of(&frame.body, name) else { return };
        match chain.nodes.iter().find(|(known, ..)| known == node) {
            Some((_, segment, at)) => {
                *frame = FrameSpec { body: segment_name(name, *segment), pose: Pose::translation(*at) * frame.pose };
            }
            None => lost.push(frame.body.clone()),
        }
    });
    let nodes: Vec<&str> = chain.nodes.iter().map(|(node, ..)| node.as_str()).collect();
    errors.extend(lost.into_iter().map(|frame| {
        SpecError::new(
            name,
            format!("`{frame}`: the body is flexible; attach to one of its nodes ({})", nodes.join(", ")),
        )
    }));

    let count = chain.segments.len();
    let carried = study.model.joints.iter().find_map(|j| (0..count).find(|&k| j.child.body == segment_name(name, k)));
    // where no joint carries the body, the model reports that for the first segment
    let root = carried.unwrap_or(0);
    for (k, mass) in chain.segments.iter().enumerate() {
        study.model.bodies.push(BodySpec::rigid(&segment_name(name, k), *mass));
    }
    let outward = (root + 1..count).map(|k| (k - 1, k)).chain((0..root).rev().map(|k| (k + 1, k)));
    study.model.joints.extend(outward.map(|(parent, child)| loose_joint(name, chain, parent, child)));
    study.numbers.insert(mass_name(name), chain.mass());
}

/// The part of `name.node` after the name; empty for the name alone.
fn node_of<'a>(frame: &'a str, name: &str) -> Option<&'a str> {
    match frame.strip_prefix(name)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    }
}

/// A free joint at the spring between two neighbours.
fn loose_joint(name: &str, chain: &Chain, parent: usize, child: usize) -> JointSpec {
    let at = chain.springs[parent.min(child)].at;
    JointSpec {
        name: segment_name(name, child),
        kind: JointKind::Free,
        parent: FrameSpec::at(&segment_name(name, parent), at),
        child: FrameSpec::at(&segment_name(name, child), at),
        coordinates: Vec::new(),
        q0: Vec::new(),
        v0: Vec::new(),
    }
}

/// Adds the springs of a chain to the model; returns them and its gauges.
pub(super) fn add_springs(
    model: &mut Model,
    name: &str,
    chain: &Chain,
) -> Result<(Vec<Bushing>, Vec<SegmentGauge>), SpecError> {
    let mut springs = Vec::with_capacity(chain.springs.len());
    for (k, spring) in chain.springs.iter().enumerate() {
        let frame = |segment: usize| {
            let segment = segment_name(name, segment);
            let body = model
                .body_index(&segment)
                .ok_or_else(|| SpecError::new(&segment, "this segment does not exist in the model"))?;
            Ok::<_, SpecError>(Frame { body, X_BF: Pose::translation(spring.at) })
        };
        let label = format!("{name}#{}-{}", k + 1, k + 2);
        let bushing = Bushing::new(&label, frame(k)?, frame(k + 1)?, spring.stiffness, spring.damping)?;
        model.add_force(Box::new(bushing.clone()))?;
        springs.push(bushing);
    }
    let gauge = |g: &ChainGauge| SegmentGauge {
        name: format!("{name}.{}", g.gauge.name),
        gauge: g.gauge.clone(),
        springs: g.springs.iter().filter_map(|&k| springs.get(k)).cloned().collect(),
    };
    let gauges = chain.gauges.iter().map(gauge).collect();
    Ok((springs, gauges))
}
