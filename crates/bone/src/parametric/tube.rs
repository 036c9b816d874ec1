//! Tubes: of one section, or with ends that widen.

use super::shape::{Plan, Station};
use super::{Bone, BoneKind, Sex};
use wolff_fem::FemError;

/// Longest part of a tube that one end may take \[-\].
const LONGEST_END: f64 = 0.49;
/// Shortest part, below which elements would be flat \[-\].
const SHORTEST_END: f64 = 0.02;

/// An end of a tube that widens, smoothly, from the section of the shaft to that of the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TubeEnd {
    /// Inner radius at the end \[m\].
    pub inner: f64,
    /// Outer radius at the end \[m\].
    pub outer: f64,
    /// Part of the length of the tube over which it widens \[-\].
    pub part: f64,
}

impl Bone {
    /// The shank tube with ends whose radii and lengths were searched so that, with 3 kg and 17 GPa, the centre of mass
    /// and the six frequencies of a published model are met as well as possible: 43.4 %, and pairs at 652.1, 1596.5
    /// and 2635.0 Hz. Length and radii at mid-shaft are those of the tube. The study `tube-modes` shows what is left.
    pub fn flared_tube() -> Self {
        Bone { ends: Some(FLARED), ..Bone::new(BoneKind::SHANK_TUBE, Sex::Male) }
    }
}

/// Ends of [`Bone::flared_tube`].
const FLARED: [TubeEnd; 2] =
    [TubeEnd { inner: 0.065, outer: 0.110, part: 0.188 }, TubeEnd { inner: 0.032, outer: 0.091, part: 0.107 }];

/// Refuses ends that are no tube.
pub(super) fn check(kind: BoneKind, ends: &[TubeEnd; 2]) -> Result<(), FemError> {
    let BoneKind::Tube { .. } = kind else {
        return Err(FemError::Mesh("widened ends are for tubes; this bone has ends of its own".into()));
    };
    for (name, TubeEnd { inner, outer, part }) in ["proximal", "distal"].into_iter().zip(ends) {
        if !(*inner > 0.0 && inner < outer && outer.is_finite()) {
            return Err(FemError::Mesh(format!(
                "tube: radii {inner} and {outer} m of the {name} end must be 0 < inner < outer"
            )));
        }
        if !(SHORTEST_END..=LONGEST_END).contains(part) {
            return Err(FemError::Mesh(format!(
                "tube: the {name} end widens over {part} of the length; give {SHORTEST_END} to {LONGEST_END}"
            )));
        }
    }
    Ok(())
}

/// A round tube, radii in m; zones divide the length evenly, or are the widened ends and the halves between them.
pub(super) fn plan(inner: f64, outer: f64, ends: Option<[TubeEnd; 2]>) -> Plan {
    let station = |fraction, inner: f64, outer: f64| Station {
        fraction,
        centroid: [0.0; 2],
        radius: 1e3 * outer,
        ellipse: [0.0; 2],
        triangle: [0.0; 2],
        canal: inner / outer,
    };
    let (stations, zones) = match ends {
        None => (vec![station(0.0, inner, outer), station(1.0, inner, outer)], [0.0, 0.15, 0.5, 0.85, 1.0]),
        Some([p, d]) => (
            vec![
                station(0.0, p.inner, p.outer),
                station(p.part, inner, outer),
                station(1.0 - d.part, inner, outer),
                station(1.0, d.inner, d.outer),
            ],
            [0.0, p.part, 0.5, 1.0 - d.part, 1.0],
        ),
    };
    Plan { stations, canal_roundness: 1.0, zones, filled_ends: false, domes: [0.0; 2] }
}
