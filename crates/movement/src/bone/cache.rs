//! Reductions kept in a folder, each in a file named after everything that it follows from.

use std::path::{Path, PathBuf};

use wolff_fem::attachment::PointSpec;
use wolff_flexbody::{FlexBodyFile, MeshReference};

use super::recipe::BoneRecipe;
use super::solid::Solid;

/// What a reduction follows from: two recipes with the same reference have the same reduction by the same version of the program.
pub(crate) fn reference(recipe: &BoneRecipe<'_>, points: &[PointSpec]) -> MeshReference {
    let r = recipe;
    let settings = (&r.name, points, &r.gauges, r.fixed_modes, r.stiffening, r.surface, &r.solid.joints);
    let mut content = format!("{} {settings:?}", env!("CARGO_PKG_VERSION")).into_bytes();
    add_solid(r.solid, &mut content);
    MeshReference::new("recipe of a walking bone", &content)
}

fn add_solid(solid: &Solid, content: &mut Vec<u8>) {
    let mut add = |x: f64| content.extend(x.to_le_bytes());
    [solid.length, solid.ends.proximal, solid.ends.distal].into_iter().for_each(&mut add);
    solid.mesh.nodes().iter().flatten().for_each(|x| add(*x));
    for element in 0..solid.mesh.element_count() {
        add(solid.materials.density(element));
        solid.materials.stiffness(element).iter().for_each(|x| add(*x));
    }
    let indices = solid.mesh.elements().flatten().chain(solid.mesh.node_sets().values().flatten());
    content.extend(indices.flat_map(|i| i.to_le_bytes()));
}

/// Name and the first 64 bits of the reference: recipes that differ have files of their own.
pub(crate) fn file(folder: &Path, name: &str, reference: &MeshReference) -> PathBuf {
    let key: String = reference.sha256.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    folder.join(format!("{}-{key}.flex", name.chars().map(safe).collect::<String>()))
}

/// The file if it holds this reduction; anything else counts as none.
pub(crate) fn load(path: &Path, reference: &MeshReference) -> Option<FlexBodyFile> {
    FlexBodyFile::load(path).ok().filter(|file| file.mesh.as_ref() == Some(reference))
}
