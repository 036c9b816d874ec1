//! Residual forces and moments: what the joint to ground would have to carry.

use super::inputs::Loaded;
use serde_json::json;
use wolff_motion::reserves::residual_coordinates;
use wolff_motion::{InverseFrame, MotionError};
use wolff_report::outcome::{Headline, Outcome, Verdict};
use wolff_verdict::Limit;

/// Residual force RMS over the largest external force \[%\]: doubtful, failed.
const FORCE: [f64; 2] = [5.0, 25.0];
const FORCE_SOURCE: &str = "Hicks et al. 2015, J Biomech Eng 137:020905: below 5 % of the largest external force; \
    beyond 25 %, more than the weight of a leg, the moments are not those of the trial";
/// Residual moment RMS over the largest external force times the height of the mass centre \[%\]: doubtful, failed.
const MOMENT: [f64; 2] = [1.0, 10.0];
const MOMENT_SOURCE: &str = "Hicks et al. 2015, J Biomech Eng 137:020905: below 1 % of the largest external force times \
    the height of the mass centre; beyond 10 % it is as large as joint moments";
/// Height of the mass centre over stature (Winter, Biomechanics and Motor Control of Human Movement, 2009, chapter 4).
const CENTRE: f64 = 0.55;

/// Residuals over time.
#[derive(Clone, Debug, Default)]
pub struct Residuals {
    forces: Vec<usize>,
    moments: Vec<usize>,
    count: f64,
    force_squares: f64,
    moment_squares: f64,
    force_peak: f64,
    moment_peak: f64,
    external_peak: f64,
}

impl Residuals {
    /// For the joint to ground of a model that moves freely; `None` of others, such as an arm that is fixed to ground.
    pub fn of(loaded: &Loaded) -> Option<Self> {
        let root = residual_coordinates(&loaded.subject);
        let (moments, forces): (Vec<_>, Vec<_>) = root.iter().partition(|c| c.is_angle());
        let speeds = |list: Vec<&wolff_motion::Coordinate>| list.iter().map(|c| c.speed).collect::<Vec<_>>();
        let (forces, moments) = (speeds(forces), speeds(moments));
        (!forces.is_empty()).then(|| Residuals { forces, moments, ..Residuals::default() })
    }

    /// The residuals of the motion at all analysed instants, without forces of muscles and actuators.
    pub fn along(loaded: &Loaded) -> Result<Option<Self>, MotionError> {
        let Some(mut residuals) = Self::of(loaded) else { return Ok(None) };
        let mut frame = InverseFrame::new(&loaded.subject.model);
        for t in &loaded.times {
            residuals.add(loaded, *t, frame.solve(&loaded.history, *t)?);
        }
        Ok(Some(residuals))
    }

    /// Adds the generalised forces of an instant.
    pub fn add(&mut self, loaded: &Loaded, t: f64, tau: &[f64]) {
        let squares = |list: &[usize]| list.iter().filter_map(|i| tau.get(*i)).map(|x| x * x).sum::<f64>();
        let (force, moment) = (squares(&self.forces), squares(&self.moments));
        self.count += 1.0;
        self.force_squares += force;
        self.moment_squares += moment;
        self.force_peak = self.force_peak.max(force.sqrt());
        self.moment_peak = self.moment_peak.max(moment.sqrt());
        let external: wolff_spatial::Vec3 = loaded.loads.iter().filter_map(|l| l.force_in_its_axes(t)).sum();
        self.external_peak = self.external_peak.max(external.norm());
    }

    /// Root mean squares of force \[N\] and moment \[N m\].
    pub fn rms(&self) -> [f64; 2] {
        let count = self.count.max(1.0);
        [(self.force_squares / count).sqrt(), (self.moment_squares / count).sqrt()]
    }

    /// Judges the residuals and adds them to results and headline.
    pub fn judge(&self, outcome: &mut Outcome, loaded: &Loaded) {
        let weight = loaded.weight();
        let stature = loaded.stature.unwrap_or(1.0 / CENTRE);
        let [force, moment] = self.rms();
        let reference = self.external_peak.max(weight);
        let remedy = if loaded.loads.is_empty() {
            "give the ground forces with --loads"
        } else {
            "check that mass, plates, motion and time belong together; `wolff rra` makes motion and forces consistent"
        };
        let limit = Limit::at_most(FORCE[0], FORCE[1]).because(FORCE_SOURCE);
        let percent = 100.0 * force / reference;
        let force_verdict =
            outcome.judgement.judge("residual force RMS", "% of the largest force", percent, &limit, remedy);
        let limit = Limit::at_most(MOMENT[0], MOMENT[1]).because(MOMENT_SOURCE);
        let percent = 100.0 * moment / (reference * CENTRE * stature);
        let moment_verdict = outcome.judgement.judge(
            "residual moment RMS",
            "% of the largest force x centre height",
            percent,
            &limit,
            remedy,
        );
        self.report(outcome, loaded, [force_verdict, moment_verdict]);
    }

    /// Adds the residuals to results and headline.
    fn report(&self, outcome: &mut Outcome, loaded: &Loaded, [force_verdict, moment_verdict]: [Verdict; 2]) {
        let (weight, [force, moment]) = (loaded.weight(), self.rms());
        let height = loaded.stature.unwrap_or(f64::NAN);
        outcome.results.insert("residual_force_rms_n".into(), json!(force));
        outcome.results.insert("residual_force_peak_n".into(), json!(self.force_peak));
        outcome.results.insert("residual_force_rms_percent_bw".into(), json!(100.0 * force / weight));
        outcome.results.insert("residual_moment_rms_n_m".into(), json!(moment));
        outcome.results.insert("residual_moment_peak_n_m".into(), json!(self.moment_peak));
        if height.is_finite() {
            let share = 100.0 * moment / (weight * height);
            outcome.results.insert("residual_moment_rms_percent_bw_height".into(), json!(share));
        }
        let headline = |quantity: &str, value: f64, unit: &str, limit: f64, source: &str, verdict: Verdict| Headline {
            quantity: quantity.into(),
            value,
            unit: unit.into(),
            range: Some([0.0, limit]),
            source: source.into(),
            verdict,
        };
        let as_bw = 100.0 * self.external_peak.max(weight) / weight;
        outcome.headline.push(headline(
            "residual force, RMS",
            100.0 * force / weight,
            "% BW",
            0.01 * FORCE[0] * as_bw,
            FORCE_SOURCE,
            force_verdict,
        ));
        if height.is_finite() {
            outcome.headline.push(headline(
                "residual moment, RMS",
                100.0 * moment / (weight * height),
                "% BW x height",
                0.01 * MOMENT[0] * as_bw * CENTRE,
                MOMENT_SOURCE,
                moment_verdict,
            ));
        }
    }
}
