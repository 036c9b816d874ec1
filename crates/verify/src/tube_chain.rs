//! The tube as Timoshenko's beam: a free chain of many segments.

use super::items::{Failure, Items};
use super::tube::{Tube, ascending};
use nalgebra::{DMatrix, Matrix6};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use wolff_fem::assembly::assemble;
use wolff_fem::dofs::Constraints;
use wolff_fem::material::MaterialField;
use wolff_spatial::{Vec3, skew};

use wolff_bone::flexible::Placed;
use wolff_bone::flexible::segments::Chain;

/// Segments of the chain, and cells of the mesh radially, around and along: a few layers of elements per segment.
const SEGMENTS: usize = 61;
const CELLS: [usize; 3] = [1, 12, 120];

/// Relative tolerance. Neglecting the inertia within segments changes a frequency by `(k h)²/24`, 5e-4 for the second
/// torsion mode; the shear coefficient is 0.55 instead of 0.5512.
const CHAIN: f64 = 2e-3;

/// Free frequencies of the chain against those of the beam, by kind \[Hz\].
pub(super) fn check(items: &mut Items, tube: &Tube, expected: &BTreeMap<String, Vec<f64>>) -> Result<(), Failure> {
    let mesh = tube.mesh(CELLS)?;
    let materials = MaterialField::uniform(&mesh, &tube.isotropic())?;
    let system = assemble(&mesh, &materials)?;
    let interfaces = Constraints::default();
    let solid = Placed { mesh, materials, system, interfaces, points: Vec::new(), sites: Vec::new() };
    let found = frequencies(&Chain::new(&solid, &Vec3::z(), SEGMENTS, 0.0)?)?;
    // the first six are rigid motions
    for (i, (ours, (kind, theirs))) in found.iter().skip(6).zip(ascending(expected)).enumerate() {
        items.relative(&format!("chain.{}.{kind}", i + 1), *ours, theirs, CHAIN);
    }
    Ok(())
}

/// Natural frequencies \[Hz\], ascending: displacement of the centre and rotation of each segment as coordinates.
fn frequencies(chain: &Chain) -> Result<Vec<f64>, Failure> {
    let n = 6 * chain.segments.len();
    let (mut mass, mut stiffness) = (DMatrix::<f64>::zeros(n, n), DMatrix::<f64>::zeros(n, n));
    for (k, segment) in chain.segments.iter().enumerate() {
        mass.view_mut((6 * k, 6 * k), (3, 3)).fill_diagonal(segment.mass);
        mass.view_mut((6 * k + 3, 6 * k + 3), (3, 3)).copy_from(&segment.inertia);
    }
    for (k, spring) in chain.springs.iter().enumerate() {
        // motion at the spring of the segments on both sides
        let at_spring = |segment: usize| {
            let mut carried = Matrix6::identity();
            let arm = spring.at - chain.segments[segment].com;
            carried.fixed_view_mut::<3, 3>(0, 3).copy_from(&-skew(&arm));
            carried
        };
        let ends = [(k, -at_spring(k)), (k + 1, at_spring(k + 1))];
        for (a, T_a) in &ends {
            for (b, T_b) in &ends {
                let mut block = stiffness.fixed_view_mut::<6, 6>(6 * a, 6 * b);
                block += T_a.transpose() * spring.stiffness * T_b;
            }
        }
    }
    let lower = mass.cholesky().ok_or("a segment has no inertia")?.l();
    let half = lower.solve_lower_triangular(&stiffness).ok_or("a segment has no inertia")?;
    let full = lower.solve_lower_triangular(&half.transpose()).ok_or("a segment has no inertia")?;
    let mut values: Vec<f64> = full.symmetric_eigenvalues().iter().map(|x| x.max(0.0).sqrt() / TAU).collect();
    values.sort_by(f64::total_cmp);
    Ok(values)
}
