//! A model whose muscles have activation and fibre length as states.
//!
//! ```text
//! M a + Jᵀ λ = f + Σ R_i F_i,    ȧ_i = g(u_i, a_i),    l̇_i = h(a_i, l_i, L_i),    F_i = F0 f_T(L_i - l_i cos α_i)
//! ```
//! u excitations, a activations, l fibre lengths \[m\], L lengths of muscle and tendon \[m\], R moment arms; ideal
//! actuators give their control times a constant. Sources: Thelen 2003; Millard et al. 2013.

use wolff_motion::muscle::MuscleSpec;
use wolff_motion::{MotionError, Motors, Subject};
use wolff_multibody::Baumgarte;
use wolff_multibody::{DynamicsError, Model, System};
use wolff_muscle::HillMuscle;
use wolff_muscle::hill::{Activation, HillState};

/// Number of corrections of positions after a step.
const CORRECTIONS: usize = 20;

/// Activation and contraction dynamics of a muscle at a given length of its path.
#[derive(Clone, Debug)]
pub struct Fibre<'m> {
    /// Fibre and tendon.
    pub hill: &'m HillMuscle,
    activation: Activation,
    /// Whether activation is the excitation itself.
    pub instant: bool,
}

impl<'m> Fibre<'m> {
    fn new(spec: &MuscleSpec, hill: &'m HillMuscle) -> Self {
        Fibre { hill, activation: spec.activation, instant: spec.ignore_activation_dynamics }
    }

    /// The muscle at activation and fibre length `[a, l]`, excitation `u`, path length \[m\] and its rate \[m/s\].
    pub fn state(&self, [a, l]: [f64; 2], u: f64, length: f64, speed: f64) -> HillState {
        self.hill.state(if self.instant { u } else { a }, l, length, speed)
    }

    /// Rates of activation and fibre length \[1/s, m/s\].
    pub fn rates(&self, [a, _]: [f64; 2], u: f64, state: &HillState) -> [f64; 2] {
        let rigid = self.hill.parameters().rigid_tendon;
        let activation = if self.instant { 0.0 } else { self.activation.rate(a, u) };
        [activation, if rigid { 0.0 } else { state.fibre_velocity }]
    }

    /// Activation and fibre length in equilibrium at an excitation and a length at rest.
    pub fn at_rest(&self, u: f64, length: f64) -> [f64; 2] {
        let found = self.hill.equilibrium(u, length, 0.0).state;
        [found.activation, found.fibre_length]
    }
}

/// Model, muscles and actuators with the memory to compute with them. A state is `[q, v, a, l]`: coordinates, speeds,
/// activations, fibre lengths.
#[derive(Debug)]
pub struct Plant<'m> {
    /// The model.
    pub system: System<'m>,
    /// Muscles and actuators.
    pub motors: &'m Motors,
    /// Dynamics of each muscle.
    pub fibres: Vec<Fibre<'m>>,
    /// Force of each muscle \[N\] and actuator \[N or N m\] at the last evaluation.
    pub forces: Vec<f64>,
    /// Lengthening speed of each muscle at the last evaluation \[m/s\].
    pub speeds: Vec<f64>,
}

impl<'m> Plant<'m> {
    /// The plant of a subject and its resolved motors.
    pub fn new(subject: &'m Subject, motors: &'m Motors) -> Result<Self, MotionError> {
        if motors.muscles.len() != subject.muscles.len() || motors.actuators.len() != subject.actuators.len() {
            let reason = "muscles and actuators are not those of the subject; make them with `Subject::motors`";
            return Err(MotionError::input(&subject.name, reason));
        }
        let fibres = subject.muscles.iter().zip(&motors.muscles).map(|(spec, m)| Fibre::new(spec, &m.hill)).collect();
        let count = motors.len();
        Ok(Plant {
            system: System::new(&subject.model),
            motors,
            fibres,
            forces: vec![0.0; count],
            speeds: vec![0.0; motors.muscles.len()],
        })
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.system.model
    }

    /// Number of states.
    pub fn dim(&self) -> usize {
        let model = self.model();
        model.nq() + model.nv() + 2 * self.fibres.len()
    }

    /// Coordinates, speeds, activations and fibre lengths of a state.
    pub fn split<'y>(&self, y: &'y [f64]) -> [&'y [f64]; 4] {
        let (nq, nv, nm) = (self.model().nq(), self.model().nv(), self.fibres.len());
        let (q, y) = y.split_at(nq);
        let (v, y) = y.split_at(nv);
        let (a, l) = y.split_at(nm);
        [q, v, a, l]
    }

    /// Path lengths \[m\] and their rates \[m/s\] in a pose.
    pub fn lengths(&mut self, t: f64, q: &[f64], v: &[f64], mut visit: impl FnMut(usize, f64, f64)) {
        self.system.update_kinematics(q, v);
        let at = self.system.instant(t, q, v, None);
        for (k, muscle) in self.motors.muscles.iter().enumerate() {
            let geometry = muscle.path.solve(&at, None);
            visit(k, geometry.length, muscle.path.speed(&geometry, &at));
        }
    }

    /// Derivative of a state under controls: excitations of the muscles, then controls of the actuators.
    pub fn rates(&mut self, t: f64, y: &[f64], controls: &[f64], dy: &mut [f64]) -> Result<(), DynamicsError> {
        let [q, v, a, l] = self.split(y);
        let (nq, nv, nm) = (q.len(), v.len(), a.len());
        let (dq, rest) = dy.split_at_mut(nq);
        let (dv, rest) = rest.split_at_mut(nv);
        let (da, dl) = rest.split_at_mut(nm);
        self.model().rates(q, v, dq);
        let Plant { system, motors, fibres, forces, speeds } = self;
        let apply = |at: &wolff_multibody::Instant<'_>, out: &mut wolff_multibody::Loads<'_>| {
            for (k, (muscle, fibre)) in motors.muscles.iter().zip(fibres.iter()).enumerate() {
                let geometry = muscle.path.solve(at, None);
                speeds[k] = muscle.path.speed(&geometry, at);
                let state = fibre.state([a[k], l[k]], controls[k], geometry.length, speeds[k]);
                [da[k], dl[k]] = fibre.rates([a[k], l[k]], controls[k], &state);
                forces[k] = state.tendon_force;
                muscle.path.pull(&geometry, state.tendon_force, at, out);
            }
            for (k, actuator) in motors.actuators.iter().enumerate() {
                forces[nm + k] = controls[nm + k] * actuator.optimal_force;
                actuator.act(forces[nm + k], at, out);
            }
        };
        system.accelerations_under((t, q, v), apply, Baumgarte::NONE, dv)
    }

    /// Moves a state onto the constraints; returns whether there are any.
    pub fn project(&mut self, t: f64, y: &mut [f64]) -> Result<bool, DynamicsError> {
        let (nq, nv) = (self.model().nq(), self.model().nv());
        if self.model().nc() == 0 {
            return Ok(self.model().normalize(&mut y[..nq]));
        }
        let (q, rest) = y.split_at_mut(nq);
        self.system.project_position(t, q, CORRECTIONS)?;
        self.system.project_velocity(t, q, &mut rest[..nv])?;
        Ok(true)
    }
}
