//! Forces, feet and acceleration of the mass centre at some instants.

use super::feet::{Foot, feet_of};
use wolff_motion::external_loads::ExternalLoad;
use wolff_motion::history::CoordinateHistory;
use wolff_motion::subject::Subject;
use wolff_multibody::{BodyKinematics, Instant, Kinematics, Model};
use wolff_spatial::Vec3;

/// Number of instants: enough for steps of 10 ms over the longest walk on plates, and fast (chosen here).
const MOST: usize = 400;
/// Step of the second difference for the acceleration of the mass centre \[s\] (chosen here: below the shortest
/// impact).
const STEP: f64 = 0.005;
/// Force above which a foot surely is on the ground \[N\].
pub(super) const LOADED: f64 = 100.0;

/// A load at an instant, in ground.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadAt {
    /// Force \[N\].
    pub force: Vec3,
    /// Point \[m\].
    pub point: Vec3,
    /// Moment about the point \[N m\].
    pub moment: Vec3,
}

/// One instant.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Time \[s\].
    pub time: f64,
    /// Each load; `None` outside of its record.
    pub loads: Vec<Option<LoadAt>>,
    /// Origins of the bodies of each foot \[m\].
    pub feet: Vec<Vec<Vec3>>,
    /// Origins of the loaded bodies \[m\].
    pub bodies: Vec<Vec3>,
    /// Force that the motion needs, per mass: acceleration of the mass centre minus gravity \[m/s²\].
    pub needed: Vec3,
    /// Mass centre \[m\].
    pub centre: Vec3,
    /// Rate of the angular momentum about the mass centre: the moment that the motion needs \[N m\].
    pub turning: Vec3,
}

/// Loads and motion of a model at some of the analysed instants.
#[derive(Clone, Debug)]
pub struct LoadSamples {
    pub(super) samples: Vec<Sample>,
    pub(super) feet: Vec<Foot>,
    /// Name of each load and of the body that it acts on.
    pub(super) names: Vec<(String, usize, String)>,
    /// Whether each load has a measured point.
    pub(super) has_point: Vec<bool>,
    pub(super) up: Vec3,
    pub(super) gravity: f64,
    /// Mass of the model \[kg\].
    pub(super) mass: f64,
}

impl LoadSamples {
    /// Evaluates loads and motion at evenly chosen instants of those that are analysed.
    pub fn new(subject: &Subject, history: &CoordinateHistory, loads: &[ExternalLoad], times: &[f64]) -> Self {
        let model = &subject.model;
        let feet = feet_of(model);
        let names = loads.iter().map(|l| {
            let body = model.bodies().get(l.body()).map_or_else(String::new, |b| b.name.clone());
            (l.label().to_string(), l.body(), body)
        });
        let up = model.gravity.try_normalize(0.0).map_or(Vec3::y(), |g| -g);
        let mut motion = Motion::new(model, history);
        let every = times.len().div_ceil(MOST).max(1);
        let sample = |t: &f64| motion.sample(*t, loads, &feet);
        LoadSamples {
            samples: times.iter().step_by(every).map(sample).collect(),
            names: names.collect(),
            has_point: loads.iter().map(ExternalLoad::has_point).collect(),
            feet,
            up,
            gravity: model.gravity.norm(),
            mass: subject.mass(),
        }
    }

    /// Sum of the vertical forces of an instant \[N\].
    pub(super) fn vertical(&self, sample: &Sample) -> f64 {
        sample.loads.iter().flatten().map(|l| l.force.dot(&self.up)).sum()
    }

    /// The samples in which a load is surely in contact.
    pub(super) fn loaded(&self, load: usize) -> impl Iterator<Item = (&Sample, LoadAt)> {
        let at = move |s| Sample::load(s, load).filter(|l| l.force.norm() > LOADED).map(|l| (s, l));
        self.samples.iter().filter_map(at)
    }

    /// Horizontal part of a vector.
    pub(super) fn level(&self, v: Vec3) -> Vec3 {
        v - self.up * v.dot(&self.up)
    }
}

impl Sample {
    /// Origins of heel and toes of a foot \[m\]; `None` where the foot is one body.
    pub(super) fn sole(&self, foot: &Foot, index: usize) -> Option<[Vec3; 2]> {
        let origin = |body: usize| {
            let k = foot.bodies.iter().position(|b| *b == body)?;
            self.feet.get(index)?.get(k).copied()
        };
        Some([origin(foot.body)?, origin(foot.toes.filter(|t| *t != foot.body)?)?])
    }

    fn load(&self, load: usize) -> Option<LoadAt> {
        self.loads.get(load).copied().flatten()
    }
}

/// A model that follows a motion.
struct Motion<'a> {
    model: &'a Model,
    history: &'a CoordinateHistory,
    kin: Kinematics,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl<'a> Motion<'a> {
    fn new(model: &'a Model, history: &'a CoordinateHistory) -> Self {
        let (nq, nv) = (model.nq(), model.nv());
        let (q, v, a) = (vec![0.0; nq], vec![0.0; nv], vec![0.0; nv]);
        Motion { model, history, kin: Kinematics::new(model), q, v, a }
    }

    fn pose(&mut self, t: f64) {
        self.history.evaluate(t, &mut self.q, &mut self.v, &mut self.a);
        self.kin.update(self.model, &self.q, &self.v);
    }

    /// Mass centre \[m\] and angular momentum about it \[N m s\] at an instant.
    fn centre(&mut self, t: f64) -> [Vec3; 2] {
        self.pose(t);
        let (mut sum, mut mass) = (Vec3::zeros(), 0.0);
        for (body, kin) in self.model.bodies().iter().zip(&self.kin.bodies).skip(1) {
            sum += kin.X_GB.point(&body.mass.com) * body.mass.mass;
            mass += body.mass.mass;
        }
        let centre = sum / mass.max(f64::MIN_POSITIVE);
        let about_centre = |kin: &BodyKinematics| {
            let momentum = kin.I.apply(&kin.V);
            momentum.n + (kin.origin - centre).cross(&momentum.f)
        };
        [centre, self.kin.bodies.iter().skip(1).map(about_centre).sum()]
    }

    fn sample(&mut self, t: f64, loads: &[ExternalLoad], feet: &[Foot]) -> Sample {
        let [[before, spin_before], [after, spin_after]] = [t - STEP, t + STEP].map(|t| self.centre(t));
        let [now, _] = self.centre(t);
        let acceleration = (before - now * 2.0 + after) / (STEP * STEP);
        let at = Instant { t, model: self.model, kin: &self.kin, q: &self.q, v: &self.v, approach_speed: None };
        let load = |l: &ExternalLoad| l.wrench(&at).map(|[force, point, moment]| LoadAt { force, point, moment });
        let origin = |b: &usize| self.kin.bodies[*b].X_GB.p;
        Sample {
            time: t,
            loads: loads.iter().map(load).collect(),
            feet: feet.iter().map(|f| f.bodies.iter().map(origin).collect()).collect(),
            bodies: loads.iter().map(|l| origin(&l.body())).collect(),
            needed: acceleration - self.model.gravity,
            centre: now,
            turning: (spin_after - spin_before) / (2.0 * STEP),
        }
    }
}
