//! The tube as a beam: theories of Timoshenko and of Euler and Bernoulli, exact and with shape functions.

use super::items::{Failure, Items};
use super::tube::{Frequencies, Tube};
use serde::Deserialize;
use wolff_flexbody::beam::{Beam, Direction, Shape, ShapeFunction};
use wolff_flexbody::timoshenko::{Ends, TimoshenkoBeam, ring_shear_coefficient};

/// Relative tolerance.
const BEAM: f64 = 1e-10;

/// Force \[N\] of the deflections.
const FORCE: f64 = 500.0;

/// A beam in closed form.
#[derive(Deserialize)]
pub(super) struct ExactBeam {
    name: String,
    hz: Frequencies,
    end_deflection_m: Option<f64>,
    middle_deflection_m: Option<f64>,
}

impl ExactBeam {
    /// Shear coefficient: Cowper's, one half, or none: then without shear and rotary inertia.
    fn shear_coefficient(&self, cowper: f64) -> Option<f64> {
        match self.name.as_str() {
            "timoshenko" => Some(cowper),
            "timoshenko-half" => Some(0.5),
            _ => None,
        }
    }
}

/// Cowper's coefficient, frequencies by ends, deflections.
pub(super) fn check_exact(items: &mut Items, tube: &Tube, beams: &[ExactBeam], cowper: f64) -> Result<(), Failure> {
    let coefficient = ring_shear_coefficient(tube.inner_m, tube.outer_m, tube.poisson);
    items.relative("shear-coefficient", coefficient, cowper, BEAM);
    for expected in beams {
        let beam = exact(tube, expected.shear_coefficient(coefficient));
        let name = &expected.name;
        for (ends, frequencies) in &expected.hz {
            let held = match ends.as_str() {
                "free-free" => Ends::FreeFree,
                "clamped-clamped" => Ends::ClampedClamped,
                _ => Ends::ClampedFree,
            };
            for (i, (ours, theirs)) in beam.frequencies(held, frequencies.len())?.iter().zip(frequencies).enumerate() {
                items.relative(&format!("{name}.{ends}.{}", i + 1), *ours, *theirs, BEAM);
            }
        }
        if let Some(deflection) = expected.end_deflection_m {
            items.relative(&format!("{name}.end-deflection"), beam.end_deflection(FORCE), deflection, BEAM);
        }
        if let Some(deflection) = expected.middle_deflection_m {
            items.relative(&format!("{name}.middle-deflection"), beam.middle_deflection(FORCE), deflection, BEAM);
        }
    }
    Ok(())
}

fn exact(tube: &Tube, shear_coefficient: Option<f64>) -> TimoshenkoBeam {
    let shear = |k: f64| k * tube.young_pa / (2.0 * (1.0 + tube.poisson)) * tube.area_m2;
    TimoshenkoBeam {
        length: tube.length_m,
        mass_per_length: tube.density_kg_m3 * tube.area_m2,
        rotary_inertia: shear_coefficient.map_or(0.0, |_| tube.density_kg_m3 * tube.second_moment_m4),
        bending_stiffness: tube.young_pa * tube.second_moment_m4,
        shear_stiffness: shear_coefficient.map_or(f64::INFINITY, shear),
    }
}

/// A cantilever of Euler and Bernoulli: with its own modes as shapes it has its exact frequencies.
pub(super) fn check_shapes(items: &mut Items, tube: &Tube, frequencies: &Frequencies) -> Result<(), Failure> {
    for (kind, expected) in frequencies {
        let shape = |k: usize| match kind.as_str() {
            "axial" => Shape { direction: Direction::Axial, function: ShapeFunction::QuarterSine(k) },
            _ => Shape { direction: Direction::Y, function: ShapeFunction::Cantilever(k) },
        };
        let beam = Beam {
            length: tube.length_m,
            mass_per_length: tube.density_kg_m3 * tube.area_m2,
            axial_stiffness: tube.young_pa * tube.area_m2,
            bending_stiffness: [tube.young_pa * tube.second_moment_m4; 2],
            section_inertia: [0.0; 2],
            young: tube.young_pa,
            shapes: (1..=expected.len()).map(shape).collect(),
            stiffening: false,
            axial_inertia_factor: 1.0,
        };
        let body = beam.body("cantilever", &[], &[])?;
        items.lists(&format!("beam.{kind}"), &body.frequencies(), expected, |x| BEAM * x);
    }
    Ok(())
}
