//! Coordinates that are tracked.

use wolff_motion::{CoordinateHistory, MotionError, Subject};

/// A coordinate that is tracked with feedback of its error.
///
/// ```text
/// q̈* = ka q̈_d + kv (q̇_d - q̇) + kp (q_d - q)
/// ```
/// q_d the motion to follow. Source: Thelen, Anderson and Delp 2003, J Biomech 36:321; kv = 2 √kp damps critically.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Weight of the acceleration in the slow target.
    pub weight: f64,
    /// Gain of the position error \[1/s²\].
    pub kp: f64,
    /// Gain of the speed error \[1/s\].
    pub kv: f64,
    /// Gain of the acceleration.
    pub ka: f64,
    /// Error \[rad or m\] towards which the slow target gives up the cost of forces; zero: no limit.
    pub limit: f64,
}

impl Task {
    /// A task with OpenSim's usual gains: 100 and 20.
    pub fn of(coordinate: &str) -> Self {
        Task { coordinate: coordinate.into(), weight: 1.0, kp: 100.0, kv: 20.0, ka: 1.0, limit: 0.0 }
    }
}

/// Tasks resolved for a model: with the indices of position and speed.
#[derive(Clone, Debug)]
pub struct Tracking<'h> {
    /// The motion to follow.
    pub history: &'h CoordinateHistory,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Position and speed of each task.
    pub places: Vec<[usize; 2]>,
    /// Coordinates, speeds and accelerations of the motion at the last instant.
    pub q: Vec<f64>,
    /// See [`Tracking::q`].
    pub v: Vec<f64>,
    /// See [`Tracking::q`].
    pub a: Vec<f64>,
}

impl<'h> Tracking<'h> {
    /// Checks the tasks against the coordinates of a subject.
    pub fn new(tasks: &[Task], subject: &Subject, history: &'h CoordinateHistory) -> Result<Self, MotionError> {
        if tasks.is_empty() {
            return Err(MotionError::input("tracking tasks", "there is none; name coordinates to track"));
        }
        let mut places = Vec::with_capacity(tasks.len());
        for task in tasks {
            let owner = "the task set".to_string();
            let unknown = MotionError::Unknown { owner, what: "coordinate", name: task.coordinate.clone() };
            let coordinate = subject.coordinate(&task.coordinate).ok_or(unknown)?;
            let place = [coordinate.position, coordinate.speed];
            if places.contains(&place) {
                return Err(MotionError::input(&task.coordinate, "has two tracking tasks; delete one"));
            }
            places.push(place);
            let numbers = [task.weight, task.kp, task.kv, task.limit];
            if !(numbers.iter().all(|x| x.is_finite() && *x >= 0.0) && task.ka.is_finite() && task.weight > 0.0) {
                let reason = format!(
                    "weight, kp, kv and limit are {numbers:?}; give finite numbers, none negative, and \
                     a weight above zero"
                );
                return Err(MotionError::input(format!("task `{}`", task.coordinate), reason));
            }
        }
        let (nq, nv) = (subject.model.nq(), subject.model.nv());
        Ok(Tracking { history, tasks: tasks.to_vec(), places, q: vec![0.0; nq], v: vec![0.0; nv], a: vec![0.0; nv] })
    }

    /// Evaluates the motion at a time \[s\].
    pub fn at(&mut self, t: f64) {
        self.history.evaluate(t, &mut self.q, &mut self.v, &mut self.a);
    }

    /// Errors of position and speed of each task at the last instant.
    pub fn errors(&self, q: &[f64], v: &[f64], out: &mut Vec<[f64; 2]>) {
        out.clear();
        out.extend(self.places.iter().map(|[i, k]| [self.q[*i] - q[*i], self.v[*k] - v[*k]]));
    }

    /// Desired accelerations: the errors of the beginning of a window with the motion at its end, which is the last
    /// instant.
    pub fn desired(&self, errors: &[[f64; 2]], out: &mut [f64]) {
        for ((out, [p, v]), (task, [_, k])) in out.iter_mut().zip(errors).zip(self.tasks.iter().zip(&self.places)) {
            *out = task.ka * self.a[*k] + task.kv * v + task.kp * p;
        }
    }
}
