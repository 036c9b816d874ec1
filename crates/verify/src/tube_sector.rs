//! A quarter of the tube: modes are separated by their symmetry, on meshes that are too fine for the whole tube.
//!
//! The planes `y = 0` and `x = 0` bound the quarter. In a plane of symmetry of the motion, displacements stay within
//! the plane; in a plane of antisymmetry, they are normal to it:
//!
//! | motion | at `y = 0` | at `x = 0` | waves around |
//! |---|---|---|---|
//! | bending along x | `u_y = 0` | `u_y = u_z = 0` | 1, 3, ... |
//! | twist | `u_x = u_z = 0` | `u_y = u_z = 0` | 0 (torsion), 2 (the sections oval), ... |
//!
//! Where both ends are equal, half of the length is sufficient, with the middle as a third plane of this type. Oval
//! modes require elements around the circumference and through the wall, which resists like a curved strip in bending;
//! along the axis they vary little. Relative errors of the oval modes, by cells radially, around the quarter and along
//! the half: 1.1e-2 to 1.4e-2 for \[1, 12, 12\], 2.1e-3 to 3.4e-3 for \[2, 12, 12\], 1.0e-3 to 1.4e-3 for \[3, 12,
//! 18\].

use super::items::{Failure, Items};
use super::tube::{CLAMPED, FREE, Frequencies, Tube};
use nalgebra::Vector3;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::{FRAC_PI_2, TAU};
use wolff_fem::assembly::{Assembled, assemble};
use wolff_fem::dofs::Constraints;
use wolff_fem::generate::grid;
use wolff_fem::material::MaterialField;
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::{ElementKind, TetMesh};

/// Relative tolerance of oval modes.
const OVAL: f64 = 2e-3;

/// Shift of all eigenvalues \[1/s²\] by `K + σ M`, subtracted from the result: the matrix of a free sector with rigid
/// motion is then not singular.
const SHIFT: f64 = (TAU * 500.0) * (TAU * 500.0);

/// Layers of elements at a clamp, where the stress is singular, are thinner: this fraction of their mean thickness.
const GRADING: f64 = 0.5;

/// Motions of the sections.
#[derive(Clone, Copy)]
enum Motion {
    Bending,
    Twist,
}

/// Boundary condition at the far end of the mesh.
#[derive(Clone, Copy)]
enum Far {
    FreeEnd,
    /// The middle of the tube as a plane of symmetry of the displacement normal to the axis.
    EvenMiddle,
    /// The middle of the tube as a plane of antisymmetry.
    OddMiddle,
}

/// A sector and its modes.
struct Case {
    ends: &'static str,
    motion: Motion,
    far: Far,
    cells: [usize; 3],
    /// Number of rigid motions, which come first.
    rigid: usize,
    /// Kind and number of each mode, ascending.
    modes: &'static [(&'static str, usize)],
}

/// Cells radially, around the quarter and along: for ovals, for bending of half the length, and of the whole.
const OVALS: [usize; 3] = [3, 12, 18];
const HALF: [usize; 3] = [2, 6, 12];
const WHOLE: [usize; 3] = [1, 6, 24];

const CASES: [Case; 8] = [
    case("free", Motion::Twist, Far::EvenMiddle, OVALS, 1, &[("ovalisation", 1), ("ovalisation", 3), ("torsion", 2)]),
    case("free", Motion::Twist, Far::OddMiddle, OVALS, 0, &[("torsion", 1), ("ovalisation", 2)]),
    case("free", Motion::Bending, Far::EvenMiddle, HALF, 1, &[("bending", 1), ("bending", 3)]),
    case("free", Motion::Bending, Far::OddMiddle, HALF, 1, &[("bending", 2), ("bending", 4)]),
    case("clamped-clamped", Motion::Bending, Far::EvenMiddle, HALF, 0, &[("bending", 1), ("bending", 3)]),
    case("clamped-clamped", Motion::Bending, Far::OddMiddle, HALF, 0, &[("bending", 2)]),
    case("clamped-free", Motion::Bending, Far::FreeEnd, WHOLE, 0, &CANTILEVER),
    case("clamped-free", Motion::Twist, Far::FreeEnd, WHOLE, 0, &[("torsion", 1), ("torsion", 2)]),
];

const CANTILEVER: [(&str, usize); 4] = [("bending", 1), ("bending", 2), ("bending", 3), ("bending", 4)];

const fn case(
    ends: &'static str,
    motion: Motion,
    far: Far,
    cells: [usize; 3],
    rigid: usize,
    modes: &'static [(&'static str, usize)],
) -> Case {
    Case { ends, motion, far, cells, rigid, modes }
}

/// Frequencies of all sectors against those of the whole tube, by ends and kind \[Hz\].
pub(super) fn check(items: &mut Items, tube: &Tube, expected: &BTreeMap<String, Frequencies>) -> Result<(), Failure> {
    for case in &CASES {
        let found = case.frequencies(tube)?;
        for ((kind, number), ours) in case.modes.iter().zip(found) {
            let id = format!("sector.{}.{kind}.{number}", case.ends);
            let theirs =
                expected.get(case.ends).and_then(|kinds| kinds.get(*kind)).and_then(|list| list.get(number - 1));
            let tolerance = match (*kind, case.ends) {
                ("ovalisation", _) => OVAL,
                (_, "free") => FREE,
                _ => CLAMPED,
            };
            match theirs {
                Some(theirs) => items.relative(&id, ours, *theirs, tolerance),
                None => items.failed(&id, "there is no reference"),
            }
        }
    }
    Ok(())
}

impl Case {
    /// Natural frequencies \[Hz\] without rigid motions, ascending.
    fn frequencies(&self, tube: &Tube) -> Result<Vec<f64>, Failure> {
        let mesh = self.mesh(tube)?;
        let Assembled { stiffness, mass } = assemble(&mesh, &MaterialField::uniform(&mesh, &tube.isotropic())?)?;
        let system = Assembled { stiffness: stiffness.plus(SHIFT, &mass)?, mass };
        let count = self.rigid + self.modes.len();
        let modes = vibration_modes(&mesh, &system, &self.symmetry(&mesh, tube), count, &ModeOptions::default())?;
        Ok(modes.eigenvalues.iter().skip(self.rigid).map(|shifted| (shifted - SHIFT).sqrt() / TAU).collect())
    }

    fn clamped(&self) -> bool {
        self.ends != "free"
    }

    fn length(&self, tube: &Tube) -> f64 {
        match self.far {
            Far::FreeEnd => tube.length_m,
            Far::EvenMiddle | Far::OddMiddle => tube.length_m / 2.0,
        }
    }

    fn mesh(&self, tube: &Tube) -> Result<TetMesh, Failure> {
        let grading = if self.clamped() { GRADING } else { 0.0 };
        let mesh = grid(ElementKind::Tet10, self.cells, false, |[radial, around, along]| {
            let r = tube.inner_m + (tube.outer_m - tube.inner_m) * radial;
            let (sin, cos) = (FRAC_PI_2 * around).sin_cos();
            Vector3::new(r * cos, r * sin, self.length(tube) * along * (1.0 - grading * (1.0 - along)))
        })?;
        Ok(mesh)
    }

    /// The displacements fixed by the planes of symmetry and the clamp.
    fn symmetry(&self, mesh: &TetMesh, tube: &Tube) -> Constraints {
        let (at_y, at_x): (&[usize], &[usize]) = match self.motion {
            Motion::Bending => (&[1], &[1, 2]),
            Motion::Twist => (&[0, 2], &[1, 2]),
        };
        let start: &[usize] = if self.clamped() { &[0, 1, 2] } else { &[] };
        let far: &[usize] = match self.far {
            Far::FreeEnd => &[],
            Far::EvenMiddle => &[2],
            Far::OddMiddle => &[0, 1],
        };
        let mut held = BTreeSet::new();
        for (node, x) in mesh.nodes().iter().enumerate() {
            for (distance, axes) in [(x.y, at_y), (x.x, at_x), (x.z, start), (self.length(tube) - x.z, far)] {
                if distance.abs() < 1e-9 * tube.length_m {
                    held.extend(axes.iter().map(|&axis| (node, axis)));
                }
            }
        }
        let prescribed = held.into_iter().map(|(node, axis)| (node, axis, 0.0)).collect();
        Constraints { prescribed, ..Constraints::default() }
    }
}
