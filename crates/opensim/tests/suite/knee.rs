//! A knee with 76 ligaments, placed by the states of simulations that OpenSim has run: every ligament's length and force.

use crate::data::{model, place, table};
use wolff_formats::Table;
use wolff_multibody::force::{ForceElement, Ligament};
use wolff_multibody::{Frame, Model, System};
use wolff_opensim::{ForceKind, ForceSpec};

/// The record has eight decimals: half a unit of the last, with room for one more rounding.
const RECORD: f64 = 5.01e-9;

/// Largest differences over the rows of a simulation, and how much the straight way is longer than the recorded one at most.
#[derive(Default, Debug)]
struct Worst {
    length: f64,
    speed: f64,
    spring: f64,
    total: f64,
    longer: f64,
}

fn ligament(spec: &ForceSpec, model: &Model) -> Option<Ligament> {
    let ForceKind::Ligament { points, law, slack_length } = &spec.kind else { return None };
    let points: Vec<Frame> = points.iter().map(|p| model.frame(p).unwrap()).collect();
    Some(Ligament::new(&spec.name, points, *law, *slack_length).unwrap())
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
    let ligaments: Vec<Ligament> = converted.forces.iter().filter_map(|f| ligament(f, &model)).collect();
    let mut system = System::new(&model);
    let mut worst: Vec<(String, bool, Worst)> = Vec::new();
    for l in &ligaments {
        let wraps = converted.approximate.iter().any(|a| a.name == l.name());
        worst.push((l.name().into(), wraps, Worst::default()));
    }
    let column = |name: &str, what: &str| forces.column(&format!("{name}.{what}")).unwrap();
    const RECORDED: [&str; 4] = ["length", "force_spring", "force_total", "lengthening_speed"];
    let columns: Vec<_> = ligaments.iter().map(|l| RECORDED.map(|what| column(l.name(), what))).collect();
    assert_eq!(states.rows().len(), forces.rows().len());
    for row in 0..states.rows().len() {
        let (q, v) = state(&model, &states, row);
        system.update_kinematics(&q, &v);
        let at = system.instant(0.0, &q, &v, None);
        for ((l, c), (.., w)) in ligaments.iter().zip(&columns).zip(&mut worst) {
            let spring = l.law().spring_force(l.strain(&at));
            w.length = w.length.max((l.length(&at) - c[0][row]).abs());
            w.longer = w.longer.max(l.length(&at) - c[0][row]);
            w.speed = w.speed.max((l.lengthening_speed(&at) - c[3][row]).abs());
            w.spring = w.spring.max((spring - c[1][row]).abs());
            w.total = w.total.max((l.tension(&at) - c[2][row]).abs());
        }
    }
    Some(worst)
}

/// 46 ligaments that pass no wrap object agree to the rounding of the record at all 552 instants; the other 30 are straight here, so they
/// are never longer than recorded, and 12 of them never touch their wrap object.
#[test]
fn ligaments_of_a_knee() {
    for trial in ["passive_flexion", "anterior_laxity"] {
        let Some(worst) = compare(trial) else { return };
        let (wrapping, straight): (Vec<_>, Vec<_>) = worst.into_iter().partition(|(_, wraps, _)| *wraps);
        assert_eq!((straight.len(), wrapping.len()), (46, 30));
        let agrees = |w: &Worst| [w.length, w.spring, w.total, w.speed].iter().all(|d| *d < RECORD);
        for (name, _, w) in &straight {
            assert!(agrees(w), "{trial} {name}: {w:?}");
        }
        for (name, _, w) in &wrapping {
            assert!(w.longer < RECORD, "{trial} {name}: {w:?}");
        }
        assert_eq!(wrapping.iter().filter(|(.., w)| agrees(w)).count(), 12, "{trial}");
    }
}
