//! All mistakes of a specification as one error.

use crate::fixtures::zoo_spec;
use wolff_multibody::{Model, SpecError, SpecErrors};

#[test]
fn mistakes_are_one_error_with_a_line_each() {
    let mut spec = zoo_spec();
    spec.bodies[2].mass.mass = -1.0;
    spec.joints[0].q0 = vec![0.0, 1.0];
    let mistakes = Model::build(&spec).map(|_| ()).unwrap_err();
    let error: Box<dyn std::error::Error> = Box::new(mistakes.clone());
    let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(error.to_string(), lines.join("\n"));
    assert_eq!((&mistakes).into_iter().count(), mistakes.into_iter().count());
}

#[test]
fn no_mistake_is_no_error() {
    let mistake = SpecError::new("hinge", "two axes given");
    assert_eq!(SpecErrors::check(vec![]), Ok(()));
    assert_eq!(SpecErrors::check(vec![mistake.clone()]), Err(mistake.into()));
}
