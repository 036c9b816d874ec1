//! What several tests need.

use wolff_multibody::Model;
use wolff_reference::ReferenceWalk;

/// The embedded walk with its model.
pub fn embedded() -> (ReferenceWalk, Model) {
    let walk = ReferenceWalk::embedded().unwrap();
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    (walk, model)
}

/// Asserts `|a - b| <= tolerance * scale`.
#[track_caller]
pub fn close(a: f64, b: f64, tolerance: f64, scale: f64) {
    assert!(
        (a - b).abs() <= tolerance * scale,
        "{a} is not {b}: off by {:e}, allowed {:e}",
        (a - b).abs(),
        tolerance * scale
    );
}
