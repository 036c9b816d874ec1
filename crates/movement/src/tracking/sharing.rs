//! Muscle forces along a reference motion by static optimisation.

use super::ReferenceMuscle;
use super::inverse::InverseMotion;
use super::reference::{ReferenceSettings, SharingReport, Timing, TrackingReference};
use crate::error::MovementError;
use crate::model::Track;
use nalgebra::DMatrix;
use wolff_anatomy::CoordinateRole;
use wolff_motion::{Sharing, SharingProblem};
use wolff_muscle::PathGeometry;

/// Controls are activations of the muscles, then reserves as fractions of their strength \[N m\]; moment arms are
/// updated at every instant.
fn problem(
    reference_muscles: &[ReferenceMuscle],
    moments: usize,
    strength: f64,
) -> Result<SharingProblem, MovementError> {
    if !(strength > 0.0 && strength.is_finite()) {
        return Err(MovementError::rule("reserves", format!("strength {strength} N m must be finite and above zero")));
    }
    if let Some(weak) = reference_muscles.iter().find(|p| !(p.max_force > 0.0 && p.max_force.is_finite())) {
        let rule = format!("maximum force {} N must be finite and above zero", weak.max_force);
        return Err(MovementError::rule(weak.path.name(), rule));
    }
    let muscles = reference_muscles.len();
    let mut A = DMatrix::zeros(moments, muscles + moments);
    (0..moments).for_each(|row| A[(row, muscles + row)] = strength);
    let bound = |muscle: f64, reserve: f64| [vec![muscle; muscles], vec![reserve; moments]].concat();
    let (lower, upper) = (bound(0.0, f64::NEG_INFINITY), bound(1.0, f64::INFINITY));
    Ok(SharingProblem { A, b: vec![0.0; moments], lower, upper })
}

/// Recorded results: one row per signal.
pub(super) struct Sampler {
    balanced: Vec<usize>,
    sharing: Sharing,
    problem: SharingProblem,
    geometry: PathGeometry,
    /// Derivatives of the muscles' lengths by the coordinates, one column per muscle.
    gradients: DMatrix<f64>,
    moments: Vec<f64>,
    /// Activations at the last instant, if there was one.
    pub activations: Option<Vec<f64>>,
    /// Minimum and maximum force of each muscle \[N\].
    ranges: Vec<[f64; 2]>,
    coordinates: Vec<Vec<[f64; 2]>>,
    forces: Vec<Vec<f64>>,
    muscle_forces: Vec<Vec<f64>>,
    lengths: Vec<Vec<[f64; 2]>>,
    tensions: Vec<Vec<f64>>,
    ground: [[Vec<f64>; 3]; 2],
    report: SharingReport,
    /// Row of the moment whose reserve was largest.
    reserve_row: Option<usize>,
}

impl Sampler {
    pub fn new(
        motion: &dyn InverseMotion,
        reference_muscles: &[ReferenceMuscle],
        settings: &ReferenceSettings,
    ) -> Result<Self, MovementError> {
        let model = motion.instant().model;
        let index = |name: &String| {
            let purpose = "the moments that muscles carry";
            model.coordinate_index(name).ok_or_else(|| MovementError::Missing {
                what: "coordinate",
                name: name.clone(),
                purpose,
            })
        };
        if settings.roles.len() != model.coordinate_names().len() {
            let rule = format!("{} roles for {} coordinates; give one for each", settings.roles.len(), model.nv());
            return Err(MovementError::rule("reference motion", rule));
        }
        let balanced: Vec<usize> = settings.balanced.iter().map(index).collect::<Result<_, _>>()?;
        let nv = model.nv();
        let (rows, columns) = (balanced.len(), reference_muscles.len() + balanced.len());
        let refuse = |e: wolff_motion::MotionError| MovementError::input("static optimisation", e);
        Ok(Sampler {
            sharing: Sharing::new(rows, columns, 2.0).map_err(refuse)?,
            problem: problem(reference_muscles, rows, settings.reserve)?,
            moments: vec![0.0; balanced.len()],
            activations: None,
            ranges: vec![[0.0; 2]; reference_muscles.len()],
            balanced,
            geometry: PathGeometry::default(),
            gradients: DMatrix::zeros(nv, reference_muscles.len()),
            coordinates: vec![Vec::new(); nv],
            forces: vec![Vec::new(); nv],
            muscle_forces: vec![Vec::new(); nv],
            lengths: vec![Vec::new(); reference_muscles.len()],
            tensions: vec![Vec::new(); reference_muscles.len()],
            ground: Default::default(),
            report: SharingReport::default(),
            reserve_row: None,
        })
    }

    pub fn take(
        &mut self,
        motion: &mut dyn InverseMotion,
        reference_muscles: &[ReferenceMuscle],
        settings: &ReferenceSettings,
        t: f64,
    ) -> Result<(), MovementError> {
        for (k, force) in motion.at(t).iter().enumerate() {
            self.forces[k].push(*force);
        }
        let at = motion.instant();
        for (k, track) in self.coordinates.iter_mut().enumerate() {
            track.push([at.coordinate(k), at.speed(k)]);
        }
        for (row, k) in self.balanced.iter().enumerate() {
            self.moments[row] = self.forces[*k].last().copied().unwrap_or(f64::NAN);
        }
        for tissue in &settings.tissues {
            if let Some(row) = self.balanced.iter().position(|k| *k == tissue.speed) {
                let (value, rate) = (at.coordinate(tissue.speed), at.speed(tissue.speed));
                let ends = tissue.limits.as_ref().map_or(0.0, |limits| limits.torque(value, 0.0));
                self.moments[row] += tissue.stiffness * value + tissue.damping * rate - ends;
            }
        }
        for (m, muscle) in reference_muscles.iter().enumerate() {
            let geometry = &mut self.geometry;
            muscle.path.solve_into(&at, None, geometry);
            let mut column = self.gradients.column_mut(m);
            let gradient = column.as_mut_slice();
            muscle.path.length_gradient(geometry, &at, gradient);
            let rate: f64 = gradient.iter().zip(at.v).map(|(g, v)| g * v).sum();
            self.lengths[m].push([geometry.length, rate]);
            let [least, most] = muscle.range(geometry.length, rate);
            self.ranges[m] = [least, most];
            if let Some(before) = &self.activations {
                [self.problem.lower[m], self.problem.upper[m]] =
                    muscle.reach(before[m], settings.time(1) - settings.time(0));
            }
            for (row, k) in self.balanced.iter().enumerate() {
                self.problem.A[(row, m)] = -gradient[*k] * (most - least);
                self.moments[row] += gradient[*k] * least;
            }
        }
        self.share(reference_muscles, settings.reserve, t)?;
        for (k, force) in self.muscle_forces.iter_mut().enumerate() {
            let pulls = self.tensions.iter().map(|tension| tension.last().copied().unwrap_or(0.0));
            force.push(-self.gradients.row(k).iter().zip(pulls).map(|(g, pull)| g * pull).sum::<f64>());
        }
        for (foot, reaction) in motion.ground(t).iter().enumerate() {
            for axis in 0..3 {
                self.ground[foot][axis].push(reaction.force[axis]);
            }
        }
        Ok(())
    }

    /// Distributes the moments over the muscles and records activations and reserves.
    fn share(&mut self, reference_muscles: &[ReferenceMuscle], strength: f64, t: f64) -> Result<(), MovementError> {
        self.problem.b.copy_from_slice(&self.moments);
        let report = self.sharing.solve(&self.problem);
        if !report.solved {
            let reason =
                format!("static optimisation did not converge at {t:.4} s: {:.2e} N m remain", report.residual);
            return Err(MovementError::NotConverged { object: "muscles".into(), reason });
        }
        let (activations, reserves) = self.sharing.controls().split_at(reference_muscles.len());
        self.activations = Some(activations.to_vec());
        for (m, activation) in activations.iter().enumerate() {
            let [least, most] = self.ranges[m];
            let tension = least + activation * (most - least);
            self.tensions[m].push(tension);
            self.report.effort += (tension / reference_muscles[m].max_force).powi(2);
            if *activation > self.report.activation_peak {
                self.report.activation_peak = *activation;
                self.report.activation_muscle = reference_muscles[m].path.name().into();
            }
        }
        for (row, share) in reserves.iter().enumerate() {
            let reserve = (share * strength).abs();
            if reserve > self.report.reserve_peak {
                self.report.reserve_peak = reserve;
                self.reserve_row = Some(row);
            }
        }
        Ok(())
    }

    pub fn finish(
        mut self,
        motion: &dyn InverseMotion,
        reference_muscles: &[ReferenceMuscle],
        settings: &ReferenceSettings,
    ) -> Result<TrackingReference, MovementError> {
        let names = motion.instant().model.coordinate_names();
        let advance = |role: CoordinateRole| match settings.timing {
            Timing::Cycle { advance, .. } if role.is_forward() => advance,
            Timing::Cycle { .. } | Timing::Once { .. } => 0.0,
        };
        self.report.effort /= settings.samples as f64;
        if let Some(row) = self.reserve_row {
            self.report.reserve_coordinate = names[self.balanced[row]].clone();
        }
        let track = |((name, &role), samples): ((&String, &CoordinateRole), Vec<[f64; 2]>)| {
            Ok((name.clone(), settings.track(name, advance(role), samples)?))
        };
        let value = |what: &str, values: &[f64]| settings.value_track(what, values);
        let foot = |f: &[Vec<f64>; 3]| -> Result<[Track; 3], MovementError> {
            Ok([value("ground force", &f[0])?, value("ground force", &f[1])?, value("ground force", &f[2])?])
        };
        Ok(TrackingReference {
            timing: settings.timing,
            coordinates: names
                .iter()
                .zip(&settings.roles)
                .zip(self.coordinates)
                .map(track)
                .collect::<Result<_, MovementError>>()?,
            roles: settings.roles.clone(),
            forces: self.forces.iter().zip(names).map(|(f, n)| value(n, f)).collect::<Result<_, _>>()?,
            muscle_forces: self.muscle_forces.iter().zip(names).map(|(f, n)| value(n, f)).collect::<Result<_, _>>()?,
            lengths: (reference_muscles.iter().zip(self.lengths))
                .map(|(p, l)| settings.track(p.path.name(), 0.0, l))
                .collect::<Result<_, _>>()?,
            tensions: (reference_muscles.iter().zip(&self.tensions))
                .map(|(p, f)| value(p.path.name(), f))
                .collect::<Result<_, _>>()?,
            ground: [foot(&self.ground[0])?, foot(&self.ground[1])?],
            bending: Vec::new(),
            report: self.report,
        })
    }
}
