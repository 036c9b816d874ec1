//! Measured forces on bodies: ground reactions and others.

use crate::MotionError;
use wolff_formats::trial::{ForcePlate, GroundWrench};
use wolff_multibody::{ForceElement, Instant, Loads, Model};
use wolff_numerics::{CubicSpline, EndCondition};
use wolff_spatial::Vec3;

/// A measured force on a body; natural cubic splines through the samples, zero outside the record.
///
/// Force and moment are in the axes of one body, the point in the frame of another (both usually ground); without a
/// point the force acts at the origin of the loaded body. Semantics and splines of OpenSim's `ExternalForce`; it
/// extrapolates the splines outside of the record, where no force was measured.
#[derive(Clone, Debug)]
pub struct ExternalLoad {
    name: String,
    body: usize,
    force_in: usize,
    point_in: usize,
    has_point: bool,
    /// First and last instant \[s\].
    range: [f64; 2],
    /// Mean time between samples \[s\].
    interval: f64,
    /// Instants without numbers \[s\].
    missing: Vec<f64>,
    /// Force \[N\], point \[m\] and moment \[N m\], x, y, z each.
    columns: [CubicSpline; 9],
}

impl ExternalLoad {
    /// The wrenches of a force plate on a body of the model, in ground. Missing samples count as zero force and are
    /// listed by [`ExternalLoad::missing`]; where no centre of pressure was measured, the previous one is kept.
    pub fn from_plate(
        name: &str,
        body: &str,
        times: &[f64],
        plate: &ForcePlate,
        model: &Model,
    ) -> Result<Self, MotionError> {
        let body = body_index(model, name, body)?;
        if let Some([before, after]) = times.windows(2).find(|w| w[0] >= w[1]) {
            let reason = format!("time does not increase: {after} s follows {before} s; delete the row or correct it");
            return Err(MotionError::input(format!("external load `{name}`"), reason));
        }
        let wrenches = components(&plate.samples);
        let spline = |k: usize| {
            let y: Vec<f64> = wrenches.iter().map(|w| w[k]).collect();
            CubicSpline::new(times, &y, EndCondition::Natural)
                .map_err(|cause| MotionError::Numerics { object: format!("external load `{name}`"), cause })
        };
        let columns: Result<Vec<_>, _> = (0..9).map(spline).collect();
        let (Ok(columns), [first, .., last]) = (columns?.try_into(), times) else {
            return Err(MotionError::input(name, "has fewer than two instants"));
        };
        Ok(ExternalLoad {
            name: name.into(),
            body,
            force_in: 0,
            point_in: 0,
            has_point: true,
            range: [*first, *last],
            interval: (last - first) / (times.len() - 1) as f64,
            missing: missing(times, plate),
            columns,
        })
    }

    /// The same load with force and moment given in the axes of a body and the point in the frame of another. Without a
    /// measured point it acts at the origin of the loaded body.
    pub fn expressed_in(
        self,
        force_in: &str,
        point_in: &str,
        has_point: bool,
        model: &Model,
    ) -> Result<Self, MotionError> {
        let force_in = body_index(model, &self.name, force_in)?;
        let point_in = body_index(model, &self.name, point_in)?;
        Ok(ExternalLoad { force_in, point_in, has_point, ..self })
    }

    /// Its name.
    pub fn label(&self) -> &str {
        &self.name
    }

    /// Whether the point where it acts was measured.
    pub fn has_point(&self) -> bool {
        self.has_point
    }

    /// Force in the axes of its record at a time \[s\], which are usually those of ground \[N\]; `None` outside the
    /// record.
    pub fn force_in_its_axes(&self, t: f64) -> Option<Vec3> {
        (t >= self.range[0] && t <= self.range[1]).then(|| Vec3::from_fn(|i, _| self.columns[i].evaluate(t).value))
    }

    /// The loaded body.
    pub fn body(&self) -> usize {
        self.body
    }

    /// First and last instant of the record \[s\].
    pub fn time_range(&self) -> [f64; 2] {
        self.range
    }

    /// Mean time between the samples of the record \[s\].
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// Instants at which the record has no force, or a force without the point where it acts \[s\].
    pub fn missing(&self) -> &[f64] {
        &self.missing
    }

    /// Force \[N\], the point where it acts \[m\] and moment about it \[N m\], in ground; `None` outside the record.
    pub fn wrench(&self, at: &Instant<'_>) -> Option<[Vec3; 3]> {
        if !(at.t >= self.range[0] && at.t <= self.range[1]) {
            return None;
        }
        let vector = |from: usize| Vec3::from_fn(|i, _| self.columns[from + i].evaluate(at.t).value);
        let pose = |body: usize| at.kin.bodies[body].X_GB;
        let R = pose(self.force_in).R;
        let point = if self.has_point { pose(self.point_in).point(&vector(3)) } else { pose(self.body).p };
        Some([R * vector(0), point, R * vector(6)])
    }
}

/// Force below which the centre of pressure is not needed \[N\]: it is noise there (chosen here).
const LEAST_FORCE: f64 = 20.0;

/// Instants at which numbers are missing.
fn missing(times: &[f64], plate: &ForcePlate) -> Vec<f64> {
    let has_points = plate.samples.iter().flatten().any(|s| s.point.is_some());
    let lacks = |sample: &Option<GroundWrench>| match sample {
        None => true,
        Some(s) => has_points && s.point.is_none() && Vec3::from(s.force).norm() > LEAST_FORCE,
    };
    times.iter().zip(&plate.samples).filter(|(_, s)| lacks(s)).map(|(t, _)| *t).collect()
}

/// Force, point and moment in rows. A point that is missing is that of the sample before, and at the start the first
/// one.
fn components(samples: &[Option<GroundWrench>]) -> Vec<[f64; 9]> {
    let mut point = samples.iter().flatten().find_map(|s| s.point).unwrap_or_default();
    let row = |sample: &Option<GroundWrench>| {
        let w = sample.unwrap_or(GroundWrench::UNLOADED);
        point = w.point.unwrap_or(point);
        let ([fx, fy, fz], [px, py, pz], [mx, my, mz]) = (w.force, point, w.moment);
        [fx, fy, fz, px, py, pz, mx, my, mz]
    };
    samples.iter().map(row).collect()
}

impl ForceElement for ExternalLoad {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        if let Some([force, point, moment]) = self.wrench(at) {
            out.force_at(self.body, &point, force);
            out.torque(self.body, moment);
        }
    }
}

fn body_index(model: &Model, owner: &str, name: &str) -> Result<usize, MotionError> {
    let missing = || MotionError::Unknown { owner: owner.into(), what: "body", name: name.into() };
    model.body_index(name).ok_or_else(missing)
}
