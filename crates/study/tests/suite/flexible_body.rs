//! A body that bends, read from a text of its own.

use std::path::Path;
use wolff_bone::flexible::{FlexibleSource, SolidSource};
use wolff_study::document::parse_flexible_body;

#[test]
fn a_body_is_read_from_a_text_of_its_own() {
    let text = "kind = \"bone\"\nbone = \"tibia\"\nlength = \"40 cm\"\nfixed_modes = 3\ndamping_ratio = 0.02\n";
    let body = parse_flexible_body("tibia.toml", text, Path::new(""), "tibia").unwrap();
    let FlexibleSource::Solid(recipe) = body.source else { panic!("a bone is a solid") };
    let SolidSource::Bone(bone) = recipe.solid else { panic!("a bone is a bone") };
    assert_eq!((bone.length, recipe.solver.fixed_modes, body.damping_ratio), (0.4, 3, 0.02));
    let wrong = parse_flexible_body("tibia.toml", &format!("{text}lenght = 3\n"), Path::new(""), "tibia").unwrap_err();
    assert!(wrong.to_string().contains("tibia.toml:6") && wrong.to_string().contains("lenght"), "{wrong}");
}

/// Constants of one's own act in the right direction, need the material that has them, and must be those of a material.
#[test]
fn own_transversely_isotropic_constants() {
    let text = wolff_study::document::builtin("cantilever").unwrap();
    let run = |set: &[(&str, &str)]| {
        let set: Vec<(String, String)> = set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        wolff_study::run("cantilever.toml", text, Path::new(""), &set, &mut |_| {})
    };
    let own = ("material", "transversely-isotropic");
    let tip = |set: &[(&str, &str)]| run(set).unwrap().results["tip_mm"].as_f64().unwrap();
    let (stiff, soft) = (tip(&[own]), tip(&[own, ("young_axial", "8.5e9")]));
    // bending is inverse to the axial modulus, shear does not depend on it
    assert!(soft > 1.7 * stiff && soft < 2.0 * stiff, "{soft} {stiff}");
    let without = run(&[("young_axial", "8.5e9")]).unwrap();
    let told =
        without.warnings.iter().any(|w| w.contains("`young_axial` has no effect") && w.contains("--set material="));
    assert!(told, "{:?}", without.warnings);
    let impossible = run(&[own, ("poisson_axial", "0.9")]).unwrap_err().to_string();
    assert!(impossible.contains("axial Poisson"), "{impossible}");
}
