//! The lesson of the embedded walk.

use wolff_human::walk::{InverseWalk, ReferenceWalk};
use wolff_multibody::Model;
use wolff_walk::teach::{TeachSettings, Timing, teach};

/// Tracks give the walk back between samples, in every cycle.
#[test]
fn tracks_follow_the_walk() {
    let walk = ReferenceWalk::embedded().unwrap();
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    let (period, advance) = (walk.constants.cycle_time, walk.constants.stride());
    let settings = TeachSettings {
        timing: Timing::Cycle { period, advance },
        samples: 208,
        balanced: vec![],
        reserve: 1.0,
        tissues: vec![],
    };
    let lesson = teach(&mut inverse, &[], &settings).unwrap();
    for t in [0.0, 0.123, 1.7, 3.9] {
        let forces = inverse.at(t).to_vec();
        for (k, (name, track)) in lesson.coordinates.iter().enumerate() {
            assert!((track.value(t) - inverse.state.q[k]).abs() < 1e-5, "{name} at {t}");
            assert!((track.at(t).1 - inverse.state.v[k]).abs() < 1e-3, "{name} at {t}");
            assert!((lesson.forces[k].value(t) - forces[k]).abs() < 0.2, "{name} at {t}");
        }
    }
}
