//! Tests of `wolff-movement`, a file for a file.
#![allow(non_snake_case)]

mod checkpoint;
mod floor_fit;
mod free_body;
mod ground;
mod hill;
mod imported;
mod measured;
mod moments;
mod reference;
mod simulate;
mod track;
mod ways;

use std::sync::OnceLock;
use wolff_bone::gauges::{face_row, ring};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex, Side};
use wolff_bone::person::Solid;
use wolff_bone::segment::{Attachment, Basis, BoneRecipe};
use wolff_fem::material::Material;

/// Length of the coarse tibia [m].
const LENGTH: f64 = 0.42;

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
    recipe.basis = Basis::Gauges { vibrations: 3, error: 2e-5 };
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
