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
