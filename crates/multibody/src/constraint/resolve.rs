//! From named constraints to rows with indices.

use super::{Constraint, Row};
use crate::build::check_frame;
use crate::error::SpecError;
use crate::model::{Frame, Model};
use crate::spec::{ConstraintKind, ConstraintSpec, FrameSpec, ModelSpec};
use wolff_spatial::Vec3;

/// Adds the constraints of the specification to the model.
pub(crate) fn resolve(spec: &ModelSpec, model: &mut Model, errors: &mut Vec<SpecError>) {
    for c in &spec.constraints {
        let before = errors.len();
        let rows = rows(spec, model, c, errors);
        if errors.len() == before {
            let start = model.row_count;
            model.row_count += rows.len();
            model.constraints.push(Constraint { name: c.name.clone(), start, rows });
        }
    }
}

fn rows(spec: &ModelSpec, model: &Model, c: &ConstraintSpec, errors: &mut Vec<SpecError>) -> Vec<Row> {
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let mut frames = |a: &FrameSpec, b: &FrameSpec| pair_of_frames(spec, model, &c.name, a, b, errors);
    let coincide = |a: Frame, b: Frame| [x, y, z].into_iter().map(move |e| Row::GroundOffset { a, b, e });
    match &c.kind {
        ConstraintKind::Point { a, b, along } => {
            let Some((a, b)) = frames(a, b) else { return Vec::new() };
            if along.is_empty() || along.iter().any(|e| !((e.norm() - 1.0).abs() < 1e-9)) {
                errors.push(SpecError::new(&c.name, "`along` must list one to three ground directions of unit length"));
            }
            along.iter().map(|&e| Row::GroundOffset { a, b, e }).collect()
        }
        ConstraintKind::Spherical { a, b } => frames(a, b).map_or(Vec::new(), |(a, b)| coincide(a, b).collect()),
        ConstraintKind::Revolute { a, b } => frames(a, b).map_or(Vec::new(), |(a, b)| {
            coincide(a, b).chain([x, y].map(|e| Row::Perpendicular { a, b, x: e, y: z })).collect()
        }),
        ConstraintKind::Universal { a, b } => frames(a, b)
            .map_or(Vec::new(), |(a, b)| coincide(a, b).chain([Row::Perpendicular { a, b, x, y }]).collect()),
        ConstraintKind::Translational { a, b } => frames(a, b).map_or(Vec::new(), |(a, b)| {
            [x, y].map(|e| Row::BodyOffset { a, b, e }).into_iter().chain(parallel(a, b)).collect()
        }),
        ConstraintKind::Weld { a, b } => {
            frames(a, b).map_or(Vec::new(), |(a, b)| coincide(a, b).chain(parallel(a, b)).collect())
        }
        ConstraintKind::Distance { a, b, length } => {
            let Some((a, b)) = frames(a, b) else { return Vec::new() };
            if !(*length > 0.0 && length.is_finite()) {
                let rule =
                    format!("distance is {length} m, must be greater than zero; let points coincide by `spherical`");
                errors.push(SpecError::new(&c.name, rule));
            }
            vec![Row::Distance { a, b, length: *length }]
        }
        ConstraintKind::Coupler { dependent, independent, function } => {
            let d = coordinate(model, &c.name, dependent, errors);
            let i = coordinate(model, &c.name, independent, errors);
            let (Some(dependent), Some(independent)) = (d, i) else { return Vec::new() };
            vec![Row::Coupler { dependent, independent, function: function.clone() }]
        }
        ConstraintKind::Driver { terms, function } => {
            if terms.is_empty() || terms.iter().any(|(_, factor)| !(factor.is_finite() && *factor != 0.0)) {
                errors.push(SpecError::new(&c.name, "a driver needs coordinates with finite factors other than zero"));
            }
            let resolve = |(name, factor): &(String, f64)| Some((coordinate(model, &c.name, name, errors)?, *factor));
            let terms = terms.iter().filter_map(resolve).collect();
            vec![Row::Driver { terms, function: function.clone() }]
        }
    }
}

/// Three rows that keep the axes of two frames parallel.
fn parallel(a: Frame, b: Frame) -> [Row; 3] {
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    [(x, y), (y, z), (z, x)].map(|(x, y)| Row::Perpendicular { a, b, x, y })
}

fn pair_of_frames(
    spec: &ModelSpec,
    model: &Model,
    name: &str,
    a: &FrameSpec,
    b: &FrameSpec,
    errors: &mut Vec<SpecError>,
) -> Option<(Frame, Frame)> {
    let before = errors.len();
    check_frame(spec, name, "first", a, errors);
    check_frame(spec, name, "second", b, errors);
    if a.body == b.body {
        errors.push(SpecError::new(name, format!("both frames are on body `{}`; name two bodies", a.body)));
    }
    if errors.len() > before {
        return None;
    }
    Some((model.frame(a)?, model.frame(b)?))
}

/// Index of a coordinate that has a position: a driver or coupler of an angular velocity makes no sense.
fn coordinate(model: &Model, object: &str, name: &str, errors: &mut Vec<SpecError>) -> Option<usize> {
    let Some(i) = model.coordinate_index(name) else {
        errors.push(SpecError::new(object, format!("coordinate `{name}` does not exist")));
        return None;
    };
    if model.position_of_speed(i).is_none() {
        let rule = format!("`{name}` is an angular velocity without a coordinate; use a gimbal joint instead");
        errors.push(SpecError::new(object, rule));
        return None;
    }
    Some(i)
}
