//! Loads on bodies whose mesh is strained by their rigid motion, recorded during the run; the strains of their gauges
//! are computed after it.

use super::gauge;
use super::probe::Probe;
use super::record::RunRecord;
use crate::build::Built;
use nalgebra::Vector6;
use wolff_bone::flexible::direct_gauge;
use wolff_bone::flexible::elastic::ElasticBody;
use wolff_document::{Measure, MeasureKind, Study};
use wolff_fem::FemError;
use wolff_fem::elastodynamics::Frame;
use wolff_flexbody::Gauge;
use wolff_multibody::System;

/// Loads on all such bodies, one entry per row of the record.
pub(super) struct ElasticRecord<'b> {
    bodies: Vec<Loaded<'b>>,
}

struct Loaded<'b> {
    elastic: &'b ElasticBody,
    /// Index of the body in the model.
    body: usize,
    /// Its nodes in the model, interfaces before points, without the floating frame, at which the mesh has no node.
    nodes: Vec<usize>,
    frames: Vec<Frame>,
}

impl<'b> ElasticRecord<'b> {
    pub fn new(built: &'b Built) -> Self {
        let bodies = built.model.bodies();
        let loaded = |elastic: &'b ElasticBody| {
            let body = built.model.body_index(&elastic.name)?;
            let nodes = bodies.iter().enumerate().filter(|(_, b)| b.is_node() && b.parent == body).skip(1);
            Some(Loaded { elastic, body, nodes: nodes.map(|(i, _)| i).collect(), frames: Vec::new() })
        };
        ElasticRecord { bodies: built.elastic.iter().filter_map(loaded).collect() }
    }

    /// Records motion and loads at the instant of the last residual of `system`.
    pub fn record(&mut self, system: &System<'_>) {
        for loaded in &mut self.bodies {
            loaded.frames.push(frame(system, loaded));
        }
    }

    /// Fills the columns of strains and stresses, and those of the formulas that use them.
    pub fn fill(&self, study: &Study, probe: &Probe<'_>, record: &mut RunRecord) -> Result<(), FemError> {
        let mut columns = Vec::new();
        for loaded in &self.bodies {
            let strains = loaded.elastic.strains(record.row_times(), &loaded.frames, study.interval)?;
            for (i, measure) in study.measures.iter().enumerate() {
                if let Some(g) = gauge_of(loaded.elastic, measure) {
                    let history: Vec<_> = strains.iter().map(|gauges| gauges[g]).collect();
                    let site = direct_gauge(&loaded.elastic.solid.sites[g]);
                    columns.push((i, column(measure, &site, record.row_times(), &history)));
                }
            }
        }
        if columns.is_empty() {
            return Ok(());
        }
        record.rewrite(|row, t, values| {
            for (i, column) in &columns {
                values[*i] = column[row];
            }
            probe.fill_formulas(t, values);
        });
        Ok(())
    }
}

/// Motion and loads in the axes of the body.
fn frame(system: &System<'_>, loaded: &Loaded<'_>) -> Frame {
    let kin = &system.kin.bodies[loaded.body];
    let R = kin.X_GB.R;
    let felt = system.felt_acceleration(loaded.body);
    let load = |node: &usize| {
        let load = system.node_load(*node).map(|f| f.rotated(&R.transpose()));
        load.map_or([f64::NAN; 6], |l| [l.f.x, l.f.y, l.f.z, l.n.x, l.n.y, l.n.z])
    };
    let interfaces = loaded.elastic.solid.interfaces.rigid.len();
    let loads: Vec<[f64; 6]> = loaded.nodes.iter().map(load).collect();
    let (interface, point) = loads.split_at(interfaces.min(loads.len()));
    Frame {
        acceleration: R.tr_mul(&felt.v),
        angular_velocity: R.tr_mul(&kin.V.w),
        angular_acceleration: R.tr_mul(&felt.w),
        interface: interface.to_vec(),
        point: point.to_vec(),
    }
}

/// Index of the gauge of the body that a measure refers to.
fn gauge_of(elastic: &ElasticBody, measure: &Measure) -> Option<usize> {
    let (MeasureKind::Strain { gauge: name, .. } | MeasureKind::Stress(name, _)) = &measure.kind else { return None };
    let (body, gauge) = name.rsplit_once('.')?;
    let sites = &elastic.solid.sites;
    if body == elastic.name { sites.iter().position(|site| site.name == gauge) } else { None }
}

/// A measure of the strain at every row, in the unit of the measure.
fn column(measure: &Measure, site: &Gauge, times: &[f64], strain: &[Vector6<f64>]) -> Vec<f64> {
    let value = |i: usize| match &measure.kind {
        MeasureKind::Strain { component, rate: false, .. } => gauge::strain(site, *component, strain[i].as_slice()),
        MeasureKind::Strain { component, rate: true, .. } => {
            gauge::strain_rate(site, *component, strain[i].as_slice(), slope(times, strain, i).as_slice())
        }
        MeasureKind::Stress(_, component) => gauge::stress(site, *component, strain[i].as_slice()),
        _ => f64::NAN,
    };
    (0..strain.len()).map(|i| value(i) / measure.unit_size).collect()
}

/// Rate of the strain: the slope between the neighbouring rows.
fn slope(times: &[f64], strain: &[Vector6<f64>], i: usize) -> Vector6<f64> {
    let (a, b) = (i.saturating_sub(1), (i + 1).min(strain.len() - 1));
    if times[b] > times[a] { (strain[b] - strain[a]) / (times[b] - times[a]) } else { Vector6::repeat(f64::NAN) }
}
