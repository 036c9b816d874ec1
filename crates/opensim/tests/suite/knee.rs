//! A knee with 76 ligaments, placed by the states of simulations that OpenSim has run: every ligament's length and
//! force.

use crate::data::{model, place, table};
use wolff_formats::Table;
use wolff_multibody::force::{ForceElement, Ligament};
use wolff_multibody::{Frame, Instant, Model, System};
use wolff_muscle::Path;
use wolff_opensim::{ForceKind, ForceSpec, PathForce};

/// The record has eight decimals: half a unit of the last, with room for one more rounding.
const RECORD: f64 = 5.01e-9;

/// Largest differences over the rows of a simulation.
#[derive(Default, Debug)]
struct Worst {
    length: f64,
    speed: f64,
    spring: f64,
    total: f64,
}

/// A ligament along fixed points, or one that may bend over a surface.
enum Either {
    Straight(Ligament),
    Bent(PathForce),
}

impl Either {
    fn new(spec: &ForceSpec, model: &Model) -> Option<Self> {
        match &spec.kind {
            ForceKind::Ligament { points, law, slack_length } => {
                let points: Vec<Frame> = points.iter().map(|p| model.frame(p).unwrap()).collect();
                Some(Either::Straight(Ligament::new(&spec.name, points, *law, *slack_length).unwrap()))
            }
            ForceKind::Path { path, law } => {
                Some(Either::Bent(PathForce::new(Path::new(path, model).unwrap(), law.clone()).unwrap()))
            }
            _ => None,
        }
    }

    fn name(&self) -> &str {
        match self {
            Either::Straight(l) => l.name(),
            Either::Bent(l) => l.name(),
        }
    }

    /// Length, elastic and whole tension, lengthening speed.
    fn values(&self, at: &Instant<'_>) -> [f64; 4] {
        match self {
            Either::Straight(l) => {
                [l.length(at), l.law().spring_force(l.strain(at)), l.tension(at), l.lengthening_speed(at)]
            }
            Either::Bent(l) => {
                let [length, speed, tension] = l.state(at);
                [length, l.law().elastic(length), tension, speed]
            }
        }
    }
}

/// Coordinates and speeds of a row of states.
fn state(model: &Model, states: &Table, row: usize) -> (Vec<f64>, Vec<f64>) {
    let mut values = Vec::new();
    let mut v = vec![0.0; model.nv()];
    for (label, x) in states.labels().iter().zip(&states.rows()[row]) {
        let parts: Vec<&str> = label.split('/').collect();
        match parts[..] {
            [.., name, "value"] => values.push((name, *x)),
            [.., name, "speed"] => v[model.coordinate_index(name).unwrap()] = *x,
            _ => {}
        }
    }
    assert_eq!(values.len(), model.nv(), "the states hold every coordinate");
    (place(model, &values), v)
}

fn compare(trial: &str) -> Option<Vec<(String, bool, Worst)>> {
    let (converted, model) = model("knee-lenhart/model/lenhart2015.osim")?;
    let folder = format!("knee-lenhart/examples/{trial}/results/forsim/{trial}");
    let (states, forces) =
        (table(&format!("{folder}_states.sto"))?, table(&format!("{folder}_ForceReporter_forces.sto"))?);
    let ligaments: Vec<Either> = converted.forces.iter().filter_map(|f| Either::new(f, &model)).collect();
    let mut system = System::new(&model);
    let bends = |l: &Either| matches!(l, Either::Bent(_));
    let mut worst: Vec<(String, bool, Worst)> =
        ligaments.iter().map(|l| (l.name().into(), bends(l), Worst::default())).collect();
    let column = |name: &str, what: &str| forces.column(&format!("{name}.{what}")).unwrap();
    const RECORDED: [&str; 4] = ["length", "force_spring", "force_total", "lengthening_speed"];
    let columns: Vec<_> = ligaments.iter().map(|l| RECORDED.map(|what| column(l.name(), what))).collect();
    assert_eq!(states.rows().len(), forces.rows().len());
    for row in 0..states.rows().len() {
        let (q, v) = state(&model, &states, row);
        system.update_kinematics(&q, &v);
        let at = system.instant(0.0, &q, &v, None);
        for ((l, c), (.., w)) in ligaments.iter().zip(&columns).zip(&mut worst) {
            let [length, spring, total, speed] = l.values(&at);
            w.length = w.length.max((length - c[0][row]).abs());
            w.spring = w.spring.max((spring - c[1][row]).abs());
            w.total = w.total.max((total - c[2][row]).abs());
            w.speed = w.speed.max((speed - c[3][row]).abs());
        }
    }
    Some(worst)
}

/// Lengths [m] and tensions [N] of bent ligaments: OpenSim's search on ellipsoids stops early, by a place that depends
/// on its history.
const BENT: [f64; 2] = [1e-4, 0.4];

/// 46 ligaments along fixed points agree to the rounding of the record at all 552 instants, 30 that may bend over a
/// surface nearly so.
#[test]
fn ligaments_of_a_knee() {
    for trial in ["passive_flexion", "anterior_laxity"] {
        let Some(worst) = compare(trial) else { return };
        let (bent, straight): (Vec<_>, Vec<_>) = worst.iter().partition(|(_, bends, _)| *bends);
        assert_eq!((straight.len(), bent.len()), (46, 30));
        for (name, _, w) in straight {
            assert!([w.length, w.spring, w.total, w.speed].iter().all(|d| *d < RECORD), "{trial} {name}: {w:?}");
        }
        for (name, _, w) in &bent {
            assert!(w.length < BENT[0] && w.spring.max(w.total) < BENT[1], "{trial} {name}: {w:?}");
        }
        let close = bent.iter().filter(|(.., w)| w.length < 5e-6).count();
        assert!(close >= 27, "{close} of 30 within 5e-6 m");
    }
}
