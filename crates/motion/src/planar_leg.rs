//! Inverse dynamics of a leg in a plane, from markers and a force plate.

use crate::MotionError;
use wolff_numerics::Derivatives;

/// A path in the plane, x forward and y up \[m\], with its derivatives.
pub type Path = Vec<[Derivatives; 2]>;

/// A segment between two markers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarSegment {
    /// Its name.
    pub name: &'static str,
    /// Markers at its proximal and distal end.
    pub ends: [usize; 2],
    /// Marker at the joint to the previous segment.
    pub joint: usize,
    /// Mass, as a fraction of the body's or in kg; results are in its unit.
    pub mass: f64,
    /// Centre of mass, from the proximal end, as a fraction of the length.
    pub centre: f64,
    /// Radius of gyration about the centre of mass, as a fraction of the length.
    pub gyration: f64,
    /// +1 where the joint's angle increases when the segment turns from x to y, else -1.
    pub sign: f64,
}

/// Markers of [`winter_leg`] in order: shoulder, greater trochanter, knee epicondyle, malleolus, heel, fifth
/// metatarsal.
pub const LEG_MARKERS: usize = 6;

/// The trunk of [`winter_leg`], from the shoulder to the greater trochanter.
pub const TRUNK: [usize; 2] = [0, 1];

/// Thigh, shank and foot, a fraction of the body's mass each; flexion of hip and knee and plantarflexion are positive.
/// The foot lies between heel and fifth metatarsal. Source: Winter, Biomechanics and Motor Control of Human Movement,
/// 4th ed., table 4.1.
pub fn winter_leg() -> [PlanarSegment; 3] {
    let segment = |name, ends, joint, [mass, centre, gyration]: [f64; 3], sign| PlanarSegment {
        name,
        ends,
        joint,
        mass,
        centre,
        gyration,
        sign,
    };
    [
        segment("thigh", [1, 2], 1, [0.1, 0.433, 0.323], 1.0),
        segment("shank", [2, 3], 2, [0.0465, 0.433, 0.302], -1.0),
        segment("foot", [4, 5], 3, [0.0145, 0.5, 0.475], -1.0),
    ]
}

/// Force \[N or N/kg\] of the ground on the last segment, and its moment about the origin \[N m or N m/kg\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarLoad {
    /// Force along x and y.
    pub force: [f64; 2],
    /// Moment about the origin.
    pub moment: f64,
}

/// A joint at an instant: load of the proximal segment on the distal one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarJoint {
    /// Angle between the segments \[rad\], without jumps over time.
    pub angle: f64,
    /// Its speed \[rad/s\].
    pub velocity: f64,
    /// Moment \[N m or N m/kg\], of the angle's sign.
    pub moment: f64,
    /// Force along x and y \[N or N/kg\].
    pub force: [f64; 2],
}

/// A segment at an instant.
#[derive(Clone, Copy)]
struct Stick {
    /// From end to end \[m\].
    along: [f64; 2],
    velocity: f64,
    acceleration: f64,
    centre: [f64; 2],
    centre_acceleration: [f64; 2],
}

/// Joint angles, moments and forces of a chain of segments, the most proximal first; for each instant one entry per
/// joint.
///
/// Every segment is a free body (Winter, chapter 5), so markers need not keep their distances: with all moments about
/// the origin,
///
/// ```text
/// F_j = Σ_{s ≥ j} m_s (c_s'' + g) - F_G      M_j = Σ_{s ≥ j} (m_s k_s² α_s + c_s × m_s (c_s'' + g)) - M_G - p_j × F_j
/// ```
/// c centre of mass \[m\], k radius of gyration \[m\] at the mean length, α angular acceleration \[rad/s²\], g upward
/// gravity \[m/s²\], p the joint's marker, `F_G` and `M_G` force and moment of the ground. Angles of segments are those
/// of the lines between their markers, `ω = (r × r')/r²` and `α = (r × r'' - 2 ω r·r')/r²`. Limits: motion in the plane
/// of x and y.
pub fn planar_inverse_dynamics(
    trunk: [usize; 2],
    segments: &[PlanarSegment],
    markers: &[Path],
    ground: &[PlanarLoad],
    gravity: f64,
) -> Result<Vec<Vec<PlanarJoint>>, MotionError> {
    check(trunk, segments, markers, ground)?;
    let lengths: Vec<f64> = segments.iter().map(|s| mean_length(s.ends, markers)).collect();
    let mut out: Vec<Vec<PlanarJoint>> = Vec::with_capacity(ground.len());
    for (frame, load) in ground.iter().enumerate() {
        let sticks: Vec<Stick> = segments.iter().map(|s| stick(s.ends, s.centre, markers, frame)).collect();
        let mut before = stick(trunk, 0.0, markers, frame);
        let mut row = loads(segments, &lengths, &sticks, markers, (frame, load), gravity);
        for (i, ((joint, segment), stick)) in row.iter_mut().zip(segments).zip(&sticks).enumerate() {
            let turn = cross(before.along, stick.along).atan2(dot(before.along, stick.along));
            joint.angle = unwrapped(segment.sign * turn, out.last().and_then(|r| r.get(i)).map(|j| j.angle));
            joint.velocity = segment.sign * (stick.velocity - before.velocity);
            before = *stick;
        }
        if let Some(i) =
            row.iter().position(|j| !(j.angle + j.velocity + j.moment + j.force[0] + j.force[1]).is_finite())
        {
            let reason = format!("the ends of a segment coincide or are not finite numbers in frame {}", frame + 1);
            return Err(MotionError::input(format!("joint of the {}", segments[i].name), reason));
        }
        out.push(row);
    }
    Ok(out)
}

/// Moments and forces of one frame.
fn loads(
    segments: &[PlanarSegment],
    lengths: &[f64],
    sticks: &[Stick],
    markers: &[Path],
    (frame, ground): (usize, &PlanarLoad),
    gravity: f64,
) -> Vec<PlanarJoint> {
    let mut row = vec![PlanarJoint::default(); segments.len()];
    let (mut force, mut about_origin) = ([-ground.force[0], -ground.force[1]], -ground.moment);
    for (i, (s, stick)) in segments.iter().zip(sticks).enumerate().rev() {
        let [ax, ay] = stick.centre_acceleration;
        let inertial = [s.mass * ax, s.mass * (ay + gravity)];
        force = [force[0] + inertial[0], force[1] + inertial[1]];
        about_origin += s.mass * (s.gyration * lengths[i]).powi(2) * stick.acceleration + cross(stick.centre, inertial);
        let joint = markers[s.joint][frame].map(|x| x.value);
        row[i].moment = s.sign * (about_origin - cross(joint, force));
        row[i].force = force;
    }
    row
}

fn check(
    trunk: [usize; 2],
    segments: &[PlanarSegment],
    markers: &[Path],
    ground: &[PlanarLoad],
) -> Result<(), MotionError> {
    let named = segments.iter().flat_map(|s| [s.ends[0], s.ends[1], s.joint]).chain(trunk);
    if let Some(missing) = named.into_iter().find(|m| *m >= markers.len()) {
        let reason = format!("marker {} is named, but there are {}; give its path", missing + 1, markers.len());
        return Err(MotionError::input("planar leg", reason));
    }
    if let Some(path) = markers.iter().find(|path| path.len() != ground.len()) {
        let reason =
            format!("a marker has {} frames, the ground {}; both need the same number", path.len(), ground.len());
        return Err(MotionError::input("planar leg", reason));
    }
    Ok(())
}

fn mean_length([proximal, distal]: [usize; 2], markers: &[Path]) -> f64 {
    let length =
        |(p, d): (&[Derivatives; 2], &[Derivatives; 2])| (d[0].value - p[0].value).hypot(d[1].value - p[1].value);
    let (p, d) = (&markers[proximal], &markers[distal]);
    p.iter().zip(d).map(length).sum::<f64>() / p.len().max(1) as f64
}

/// The segment between two markers, its centre of mass at a fraction of its length.
fn stick([proximal, distal]: [usize; 2], centre: f64, markers: &[Path], frame: usize) -> Stick {
    let (p, d) = (&markers[proximal][frame], &markers[distal][frame]);
    let between = |f: fn(&Derivatives) -> f64| [f(&d[0]) - f(&p[0]), f(&d[1]) - f(&p[1])];
    let inside = |f: fn(&Derivatives) -> f64| {
        let r = between(f);
        [f(&p[0]) + centre * r[0], f(&p[1]) + centre * r[1]]
    };
    let (r, r1, r2) = (between(|x| x.value), between(|x| x.d1), between(|x| x.d2));
    let velocity = cross(r, r1) / dot(r, r);
    Stick {
        along: r,
        velocity,
        acceleration: (cross(r, r2) - 2.0 * velocity * dot(r, r1)) / dot(r, r),
        centre: inside(|x| x.value),
        centre_acceleration: inside(|x| x.d2),
    }
}

/// The angle plus whole turns that is nearest to the previous one.
fn unwrapped(angle: f64, before: Option<f64>) -> f64 {
    let turns = before.map_or(0.0, |b| ((b - angle) / std::f64::consts::TAU).round());
    angle + turns * std::f64::consts::TAU
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
