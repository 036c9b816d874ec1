//! The upper body's muscles of the thesis on its skeleton: groups, moment arms over the joints' ranges, muscles that can do no work.

use crate::support::*;
use wolff_human::{LegMuscles, MuscleSet, Sex, Skeleton, Subject, UpperMuscles};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_muscle::Path;

struct Body {
    skeleton: Skeleton,
    model: Model,
    set: MuscleSet,
}

fn body(subject: &Subject) -> Body {
    let skeleton = Skeleton::full_body(subject).unwrap();
    let model = Model::build(&skeleton.spec().unwrap()).unwrap();
    let set = MuscleSet::upper_body(&skeleton, UpperMuscles::Thesis).unwrap();
    Body { skeleton, model, set }
}

fn man() -> Body {
    body(&Subject::preset("reference").unwrap())
}

impl Body {
    /// Length [m] and moment arm [mm] of a muscle where one coordinate has an angle [deg] and all others are zero.
    fn at(&self, muscle: &str, coordinate: &str, angle: f64) -> [f64; 2] {
        let path = Path::new(&self.set.find(muscle).unwrap().path, &self.model).unwrap();
        let i = self.model.coordinate_index(coordinate).unwrap();
        let mut q = self.model.q0.clone();
        q[self.model.position_of_speed(i).unwrap()] = angle.to_radians();
        let mut kin = Kinematics::new(&self.model);
        kin.update(&self.model, &q, &self.model.v0);
        let at =
            Instant { t: 0.0, model: &self.model, kin: &kin, q: &q, v: &self.model.v0, approach_speed: None };
        let geometry = path.solve(&at, None);
        [geometry.length, path.moment_arm(&geometry, &at, i) * 1e3]
    }
}

#[test]
fn print() {
    let b = man();
    for m in b.set.muscles.iter().filter(|m| m.name.ends_with("_r")) {
        for c in m.spans(&b.skeleton) {
            let (lo, hi) = range(&c);
            let v: Vec<String> = (0..=6).map(|k| format!("{:.1}", b.at(&m.name, &c, lo + (hi - lo) * k as f64 / 6.0)[1])).collect();
            println!("{:18} {:6.1}N {:22} {:?} {}", m.name, m.max_force, c, (lo, hi), v.join(" "));
        }
    }
}
fn range(c: &str) -> (f64, f64) {
    match c.trim_end_matches("_r") {
        "lumbar_flexion" | "thorax_flexion" => (-20.0, 40.0),
        "neck_flexion" => (-40.0, 40.0),
        "shoulder_flexion" => (-40.0, 80.0),
        "shoulder_adduction" => (-80.0, 20.0),
        "elbow_flexion" => (0.0, 130.0),
        "wrist_flexion" => (-60.0, 60.0),
        _ => (-20.0, 40.0),
    }
}
