//! Tests of `wolff-bone`, one module per source file.
#![allow(non_snake_case)]

mod basis;
mod beam;
mod cache;
mod carried;
mod deflection;
mod elastic;
mod error;
mod fibula;
mod flexible;
mod forward;
mod gait;
mod given;
mod history;
mod kept;
mod loads;
mod model;
mod parametric;
mod peaks;
mod raw;
mod recipe;
mod resultant;
mod sites;
mod solid;
mod tube;

use std::sync::OnceLock;
use wolff_bone::gauges::{face_row, ring};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex, Side};
use wolff_bone::person::Solid;
use wolff_bone::segment::{Attachment, Basis, BoneRecipe};
use wolff_fem::material::Material;

/// Length of the coarse tibia [m].
const LENGTH: f64 = 0.42;

/// Three vibrations and the static response of the gauges to 20 microstrain.
const FEW: Basis = Basis::Gauges { vibrations: 3, error: 2e-5 };

/// A coarse tibia, for everything but the size of strains.
fn coarse(side: Side) -> Solid {
    let density = Density { around: 6, wall: 1, layers: [4, 6, 6, 4] };
    let bone = Bone { side, density, ..Bone::new(BoneKind::Tibia, Sex::Male) }.stretched(LENGTH, 1.0);
    Solid::parametric(&bone, &Material::cortical_bone(), &Material::trabecular_bone()).unwrap()
}

/// The coarse right tibia.
fn tibia() -> &'static Solid {
    static TIBIA: OnceLock<Solid> = OnceLock::new();
    TIBIA.get_or_init(|| coarse(Side::Right))
}

/// A recipe with two muscles on the shaft, two at the ends, and gauges at mid-shaft.
fn recipe(solid: &Solid) -> BoneRecipe<'_> {
    let mut recipe = BoneRecipe::new("shank_r", solid);
    recipe.basis = FEW;
    recipe.attachments = vec![
        Attachment::patch("soleus", [-0.002, -0.15, 0.007].into()),
        Attachment::at("peroneus", [0.0005, -0.155, 0.0358].into(), &solid.ends),
        Attachment::at("hamstrings", [-0.027, -0.047, -0.019].into(), &solid.ends),
        Attachment::at("retinaculum", [0.0325, -0.39, -0.0175].into(), &solid.ends),
    ];
    recipe.gauges = face_row(solid, 0.5).unwrap();
    recipe.gauges.extend(ring(solid, 0.5, "").unwrap());
    recipe
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} differs from {expected} by more than {tolerance:e}");
}

fn assert_relative(values: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        let error = (value / expected - 1.0).abs();
        assert!(error <= relative, "{value} differs from {expected} by {error:e}, more than {relative:e}");
    }
}
