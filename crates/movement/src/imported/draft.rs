//! A model while it is converted to a person: edits that do not change its motion.

use crate::error::MovementError;
use std::collections::BTreeMap;
use wolff_multibody::spec::{JointKind, JointSpec, ModelSpec};
use wolff_muscle::path::{AxisSpec, PathSpec, PlaceSpec};
use wolff_numerics::{CubicSpline, EndCondition, NumericsError, TimeFunction};
use wolff_spatial::{Pose, Vec3};
use wolff_verdict::Finding;

/// Number of intervals of the table of a moving point: for a knee less than two degrees each, with an interpolation
/// error of about 1e-8 m.
const PIECES: usize = 90;

/// Coordinate ranges wider than this are treated as unlimited \[rad or m\].
const WIDEST: f64 = 4.0;

/// The system and the paths of its muscles.
pub(super) struct Draft {
    pub spec: ModelSpec,
    pub paths: Vec<PathSpec>,
    /// Ranges of coordinates \[rad or m\] over which the points that move with them are tabulated.
    pub ranges: BTreeMap<String, [f64; 2]>,
    /// Findings about the model.
    pub findings: Vec<Finding>,
}

impl Draft {
    /// The joint that carries a body.
    pub fn joint_of(&mut self, body: &str) -> Option<&mut JointSpec> {
        self.spec.joints.iter_mut().find(|j| j.child.body == body)
    }

    /// The joint of a coordinate, and the index of the coordinate in that joint.
    fn find(&self, coordinate: &str) -> Result<(usize, usize), MovementError> {
        let place =
            |(j, joint): (usize, &JointSpec)| joint.coordinates.iter().position(|c| c == coordinate).map(|k| (j, k));
        let missing =
            || MovementError::Missing { what: "coordinate", name: coordinate.into(), purpose: "a constraint" };
        self.spec.joints.iter().enumerate().find_map(place).ok_or_else(missing)
    }

    /// Locks a coordinate permanently at a value [rad or m]: it is removed from the joint.
    pub fn hold(&mut self, coordinate: &str, value: f64) -> Result<(), MovementError> {
        let (j, k) = self.find(coordinate)?;
        let joint = &mut self.spec.joints[j];
        let Some(custom) = joint.kind.as_custom() else {
            return Err(MovementError::rule(&joint.name, "a joint with a quaternion cannot be locked; use a gimbal"));
        };
        joint.kind = JointKind::Custom(Box::new(custom.holding(k, value)));
        joint.coordinates.remove(k);
        for values in [&mut joint.q0, &mut joint.v0].into_iter().filter(|values| k < values.len()) {
            values.remove(k);
        }
        self.paths.iter_mut().for_each(|path| hold_path(path, coordinate, value));
        Ok(())
    }

    /// Merges a body at the end of the tree, whose only coordinate is coupled to another one, into its parent body: its
    /// path points move with the independent coordinate, its mass stays where it is with that coordinate at zero.
    pub fn absorb(&mut self, follower: &str, leader: &str, follows: &TimeFunction) -> Result<(), MovementError> {
        let (j, _) = self.find(follower)?;
        let joint = self.spec.joints[j].clone();
        let (child, parent) = (&joint.child.body, &joint.parent.body);
        let carries = self.spec.joints.iter().any(|other| other.parent.body == *child);
        if joint.coordinates.len() != 1 || carries {
            let rule = format!(
                "`{follower}` is coupled to `{leader}`, but `{child}` carries other bodies or has other coordinates; \
                 remove the coupler from the model, or choose another `skeleton`"
            );
            return Err(MovementError::rule(&joint.name, rule));
        }
        let range = range_in(&self.ranges, leader);
        let pose = |q: f64| joint.parent.pose * joint.kind.pose(&[follows.value(q)]) * joint.child.pose.inverse();
        for path in &mut self.paths {
            for point in path.points.iter_mut().filter(|p| p.body == *child) {
                point.body = parent.clone();
                let place = Moving::of(&path.name, &point.place)?;
                if place.coordinate.is_some_and(|c| c != leader) {
                    let rule = format!("a point on `{child}` moves with another coordinate than `{leader}`");
                    return Err(MovementError::rule(&path.name, rule));
                }
                point.place = tabulated(leader, range, |q| pose(q).point(&place.at(q)))?;
            }
            for wrap in path.wraps.iter_mut().filter(|w| w.body == *child) {
                (wrap.body, wrap.pose) = (parent.clone(), pose(0.0) * wrap.pose);
                let message =
                    format!("surface `{}` is fixed to `{parent}` instead of moving with `{child}`", wrap.name);
                let finding = Finding::note(message, "");
                self.findings.extend(Some(finding).filter(|finding| !self.findings.contains(finding)));
            }
        }
        let body = |name: &str| self.spec.bodies.iter().position(|b| b.name == *name);
        if let (Some(c), Some(p)) = (body(child), body(parent)) {
            let mass = self.spec.bodies[c].mass.seen_from(&pose(0.0));
            self.spec.bodies[p].mass = self.spec.bodies[p].mass.joined(&mass);
            self.spec.bodies.remove(c);
        }
        self.spec.joints.remove(j);
        Ok(())
    }

    /// Gives a body another frame, which has the pose `X` in the present frame.
    pub fn reframe(&mut self, body: &str, X: &Pose) -> Result<(), MovementError> {
        let back = X.inverse();
        for b in self.spec.bodies.iter_mut().filter(|b| b.name == body) {
            b.mass = b.mass.seen_from(&back);
        }
        let frames = self.spec.joints.iter_mut().flat_map(|j| [&mut j.parent, &mut j.child]);
        frames.filter(|f| f.body == body).for_each(|f| f.pose = back * f.pose);
        for path in &mut self.paths {
            for point in path.points.iter_mut().filter(|p| p.body == body) {
                let place = Moving::of(&path.name, &point.place)?;
                point.place = match place.coordinate {
                    Some(c) => tabulated(c, range_in(&self.ranges, c), |q| back.point(&place.at(q)))?,
                    None => PlaceSpec::Fixed(back.point(&place.at(0.0))),
                };
            }
            path.wraps.iter_mut().filter(|w| w.body == body).for_each(|w| w.pose = back * w.pose);
        }
        Ok(())
    }

    /// Gives a body another name.
    pub fn rename_body(&mut self, from: &str, to: &str) {
        let bodies = self.spec.bodies.iter_mut().map(|b| &mut b.name);
        let joints = self.spec.joints.iter_mut().flat_map(|j| [&mut j.parent.body, &mut j.child.body]);
        let points = self.paths.iter_mut().flat_map(|path| {
            let wraps = path.wraps.iter_mut().map(|w| &mut w.body);
            path.points.iter_mut().map(|p| &mut p.body).chain(wraps)
        });
        bodies.chain(joints).chain(points).filter(|name| *name == from).for_each(|name| *name = to.into());
    }

    /// Gives a coordinate another name.
    pub fn rename_coordinate(&mut self, from: &str, to: &str) {
        let joints = self.spec.joints.iter_mut().flat_map(|j| &mut j.coordinates);
        let points = self.paths.iter_mut().flat_map(|path| &mut path.points).flat_map(|point| {
            let moving = match &mut point.place {
                PlaceSpec::Moving(axes) => axes.as_mut_slice(),
                PlaceSpec::Fixed(_) => &mut [],
            };
            let active = point.active.iter_mut().map(|a| &mut a.coordinate);
            moving.iter_mut().filter_map(|axis| axis.coordinate.as_mut()).chain(active)
        });
        joints.chain(points).filter(|name| *name == from).for_each(|name| *name = to.into());
        if let Some(range) = self.ranges.remove(from) {
            self.ranges.insert(to.into(), range);
        }
    }
}

fn range_in(ranges: &BTreeMap<String, [f64; 2]>, coordinate: &str) -> [f64; 2] {
    let [low, high] = ranges.get(coordinate).copied().unwrap_or([-WIDEST, WIDEST]);
    if low < high && high - low <= 2.0 * WIDEST { [low, high] } else { [-WIDEST, WIDEST] }
}

/// Where a point is, by the one coordinate that moves it.
struct Moving<'a> {
    coordinate: Option<&'a str>,
    place: PlaceSpec,
}

impl<'a> Moving<'a> {
    fn of(path: &str, place: &'a PlaceSpec) -> Result<Self, MovementError> {
        let mut coordinate = None;
        if let PlaceSpec::Moving(axes) = place {
            for name in axes.iter().filter_map(|axis| axis.coordinate.as_deref()) {
                if coordinate.is_some_and(|known| known != name) {
                    return Err(MovementError::rule(
                        path,
                        "a point moves with several coordinates; only one is supported",
                    ));
                }
                coordinate = Some(name);
            }
        }
        Ok(Moving { coordinate, place: place.clone() })
    }

    fn at(&self, q: f64) -> Vec3 {
        match &self.place {
            PlaceSpec::Fixed(p) => *p,
            PlaceSpec::Moving(axes) => Vec3::from_fn(|k, _| axes[k].function.value(q)),
        }
    }
}

/// A point that moves with a coordinate, by a table over its range.
fn tabulated(coordinate: &str, [low, high]: [f64; 2], place: impl Fn(f64) -> Vec3) -> Result<PlaceSpec, MovementError> {
    let knots: Vec<f64> = (0..=PIECES).map(|i| low + (high - low) * i as f64 / PIECES as f64).collect();
    let places: Vec<Vec3> = knots.iter().map(|q| place(*q)).collect();
    let axis = |k: usize| -> Result<AxisSpec, NumericsError> {
        let values: Vec<f64> = places.iter().map(|p| p[k]).collect();
        let spline = CubicSpline::new(&knots, &values, EndCondition::NotAKnot)?.with_straight_ends();
        Ok(AxisSpec { coordinate: Some(coordinate.into()), function: TimeFunction::Spline(spline) })
    };
    let refuse = |e: NumericsError| MovementError::input(coordinate, e);
    let axes = [axis(0).map_err(refuse)?, axis(1).map_err(refuse)?, axis(2).map_err(refuse)?];
    Ok(PlaceSpec::Moving(Box::new(axes)))
}

/// The path with a coordinate locked at a value: points that move with it become fixed, conditional points are kept or
/// removed.
fn hold_path(path: &mut PathSpec, coordinate: &str, value: f64) {
    for point in &mut path.points {
        if let PlaceSpec::Moving(axes) = &mut point.place {
            for axis in axes.iter_mut().filter(|axis| axis.coordinate.as_deref() == Some(coordinate)) {
                *axis = AxisSpec { coordinate: None, function: TimeFunction::Constant(axis.function.value(value)) };
            }
        }
    }
    let decided = |i: usize, path: &PathSpec| {
        let range = path.points[i].active.as_ref().filter(|a| a.coordinate == coordinate)?;
        Some(range.min <= value && value <= range.max)
    };
    for i in (0..path.points.len()).rev() {
        match decided(i, path) {
            Some(true) => path.points[i].active = None,
            Some(false) => {
                path.points.remove(i);
                let ends = path.wraps.iter_mut().flat_map(|w| [&mut w.first, &mut w.last]).flatten();
                ends.filter(|end| **end > 0 && **end >= i).for_each(|end| *end -= 1);
            }
            None => (),
        }
    }
}
