//! Built-in studies as runnable models: the model that a user gets with `--set`, at chosen times and tolerances.

use super::items::Failure;
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Recorder, RunReport, Settings, State, simulate};
use wolff_multibody::spec::FrameSpec;
use wolff_multibody::{Model, System};
use wolff_numerics::{Method, Options};
use wolff_spatial::{Pose, Vec3};
use wolff_study::build::build_model;
use wolff_study::document::{ParameterValue, Study, StudyDocument, builtin};

/// A study with its model.
pub(super) struct Trial {
    pub study: Study,
    pub model: Model,
}

/// The motion at one instant.
pub(super) struct Sample {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Speeds at the beginning of contact, for the contact forces that are closed.
    approach: Vec<Option<f64>>,
}

impl Sample {
    /// A state without contacts.
    pub fn open(t: f64, state: &State) -> Self {
        Sample { t, q: state.q.clone(), v: state.v.clone(), approach: Vec::new() }
    }
}

/// A run of a trial.
pub(super) struct Run {
    pub samples: Vec<Sample>,
    pub report: RunReport,
}

impl Trial {
    /// A built-in study with parameters set by name.
    pub fn new(study: &str, set: &[(&str, String)]) -> Result<Self, Failure> {
        let text = builtin(study).ok_or_else(|| format!("there is no built-in study `{study}`"))?;
        let mut document = StudyDocument::parse(study, text)?;
        let set: Vec<(String, String)> = set.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        document.apply_overrides(&set)?;
        Self::of(document.evaluate()?)
    }

    /// Builds the model of a study.
    pub fn of(study: Study) -> Result<Self, Failure> {
        let model = build_model(&study)?;
        Ok(Trial { study, model })
    }

    /// A parameter of the study.
    pub fn parameter(&self, name: &str) -> Result<f64, Failure> {
        match self.study.parameters.iter().find(|p| p.name == name).map(|p| &p.value) {
            Some(ParameterValue::Number(x)) => Ok(*x),
            _ => Err(format!("{} has no number `{name}`", self.study.name).into()),
        }
    }

    /// The initial state of the study.
    pub fn start(&self) -> Sample {
        Sample { t: 0.0, q: self.model.q0.clone(), v: self.model.v0.clone(), approach: Vec::new() }
    }

    /// Runs from the initial state of the study; `times` increase, and the last one is the end of the run.
    pub fn run(&self, settings: Settings, times: &[f64]) -> Result<Run, Failure> {
        run(&self.model, settings, times)
    }

    /// Time at which `error` (value and rate) of the motion vanishes, by Newton's method from `guess` with a run from
    /// the start per iteration.
    pub fn instant_of(
        &self,
        settings: &Settings,
        guess: f64,
        error: impl Fn(&Sample) -> (f64, f64),
    ) -> Result<f64, Failure> {
        let mut t = guess;
        for _ in 0..20 {
            let run = self.run(settings.clone(), &[t])?;
            let (value, rate) = run.samples.last().map_or((f64::NAN, 1.0), &error);
            let step = value / rate;
            t -= step;
            if step.abs() <= 1e-13 * t.abs() {
                break;
            }
        }
        Ok(t)
    }

    /// Position and speed of a coordinate.
    pub fn coordinate(&self, name: &str, at: &Sample) -> Option<(f64, f64)> {
        let i = self.model.coordinate_index(name)?;
        Some((at.q[self.model.position_of_speed(i)?], at.v[i]))
    }

    /// Pose of a frame with the axes of a body or node, at one of its points.
    pub fn pose(&self, body: &str, point: Vec3, at: &Sample) -> Option<Pose> {
        let frame = self.model.frame(&FrameSpec::at(body, point))?;
        Some(self.system(at).kin.pose(&frame))
    }

    /// The system with the kinematics and contacts of a sample.
    pub fn system(&self, at: &Sample) -> System<'_> {
        let mut system = System::new(&self.model);
        for (own, approach) in system.approach_speeds.iter_mut().zip(&at.approach) {
            *own = *approach;
        }
        system.update_kinematics(&at.q, &at.v);
        system
    }

    /// Kinetic and potential energy \[J\].
    pub fn energy(&self, at: &Sample) -> (f64, f64) {
        self.system(at).energy(at.t, &at.q, &at.v)
    }
}

/// Runs a model from its initial state; `times` increase, and the last one is the end of the run.
pub(super) fn run(model: &Model, settings: Settings, times: &[f64]) -> Result<Run, Failure> {
    let t_end = times.last().copied().ok_or("there are no times to simulate")?;
    let settings = Settings { t_end, ..settings };
    let mut samples = Samples(Vec::new());
    let report = simulate(model, &settings, &model.q0, &model.v0, times, &mut samples)?;
    if samples.0.len() != times.len() {
        return Err(format!("{} of {} instants were recorded", samples.0.len(), times.len()).into());
    }
    Ok(Run { samples: samples.0, report })
}

/// The high-order explicit method with equal relative and absolute tolerances of the local error; constraints are
/// projected.
pub(super) fn dop853(tolerance: f64) -> Settings {
    explicit(Method::Dop853, Options::tolerances(tolerance, tolerance), ConstraintHandling::Projection)
}

/// Classical Runge-Kutta steps of `h` \[s\].
pub(super) fn rk4(h: f64, constraints: ConstraintHandling) -> Settings {
    explicit(Method::Rk4, Options::fixed_step(h), constraints)
}

fn explicit(method: Method, options: Options, constraints: ConstraintHandling) -> Settings {
    Settings {
        integrator: Integrator::Ode(method, options),
        constraints,
        t_start: 0.0,
        t_end: 0.0,
        until_rest: None,
        assemble: true,
    }
}

struct Samples(Vec<Sample>);

impl Recorder for Samples {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        self.0.push(Sample { t, q: q.to_vec(), v: v.to_vec(), approach: system.approach_speeds.clone() });
    }
}
