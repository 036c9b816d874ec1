//! Residual forces and moments: what the joint to ground would have to carry.

use super::inputs::Loaded;
use serde_json::json;
use wolff_motion::reserves::residual_coordinates;
use wolff_motion::{InverseFrame, MotionError};
use wolff_report::outcome::{Headline, Outcome, Verdict};
use wolff_verdict::{Finding, Limit};

/// Residual force RMS over the largest external force \[%\]: recommended, doubtful, failed. The recommendation is one
/// for motions that were made consistent with the forces. Recorded walks, runs, squats and jumps of public data sets
/// have 1 to 9 % before that, with errors planted into them mostly more than 10 % (chosen here).
const FORCE: [f64; 3] = [5.0, 10.0, 25.0];
const FORCE_SOURCE: &str = "recorded trials have up to 10 % of the largest external force; below 5 % is recommended, \
    Hicks et al. 2015, J Biomech Eng 137:020905; beyond 25 %, more than the weight of a leg, the moments are not those \
    of the trial";
/// Residual moment RMS over the largest external force times the height of the mass centre \[%\]: recommended,
/// doubtful, failed. As before; the same public data sets have 1 to 4 %.
const MOMENT: [f64; 3] = [1.0, 5.0, 10.0];
const MOMENT_SOURCE: &str = "recorded trials have up to 5 % of the largest external force times the height of the mass \
    centre; below 1 % is recommended, Hicks et al. 2015, J Biomech Eng 137:020905; beyond 10 % it is as large as joint \
    moments";
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
        let remedy = match (loaded.loads.is_empty(), loaded.cutoff) {
            (true, _) => "give the ground forces with --loads",
            (false, None) => {
                "filter the coordinates with --cutoff 6 for walking, 12 for running; check that mass, plates, motion and \
                 time belong together; `wolff rra` makes motion and forces consistent"
            }
            (false, Some(_)) => {
                "check that mass, plates, motion and time belong together; `wolff rra` makes motion and forces consistent"
            }
        };
        let mut judge =
            |quantity: &str, unit: &str, percent: f64, [recommended, doubtful, failed]: [f64; 3], source| {
                let limit = Limit::at_most(doubtful, failed).because(source);
                if percent > recommended && percent <= doubtful {
                    let message = format!(
                        "{quantity} is {percent:.2} {unit}, within what recorded trials have; below {recommended} % is \
                     recommended (Hicks et al. 2015) for simulations that use the moments"
                    );
                    let finding = Finding::note(message, "`wolff rra` makes motion and forces consistent");
                    outcome.judgement.found([finding]);
                }
                outcome.judgement.judge(quantity, unit, percent, &limit, remedy)
            };
        let (share, lever) = (100.0 * force / reference, reference * CENTRE * stature);
        let verdicts = [
            judge("residual force RMS", "% of the largest force", share, FORCE, FORCE_SOURCE),
            judge(
                "residual moment RMS",
                "% of the largest force x centre height",
                100.0 * moment / lever,
                MOMENT,
                MOMENT_SOURCE,
            ),
        ];
        self.report(outcome, loaded, verdicts);
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
