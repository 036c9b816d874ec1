//! Materials that an input file defines. Meshes are read without them; a user is told so.

use std::path::Path;

use super::include::Lines;
use wolff_fem::FemError;

/// A material of an input file, in the units of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileMaterial {
    /// Its name.
    pub name: String,
    /// The first modulus of `*ELASTIC`.
    pub young: Option<f64>,
    /// The value of `*DENSITY`.
    pub density: Option<f64>,
}

/// The materials of an input file. Files that it includes are read from `folder`.
///
/// # Errors
/// When an included file cannot be read.
pub fn materials(text: &str, folder: Option<&Path>) -> Result<Vec<FileMaterial>, FemError> {
    let lines = Lines::read(text, folder)?;
    let (mut found, mut keyword) = (Vec::<FileMaterial>::new(), String::new());
    for line in lines.text.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with("**")) {
        if let Some(rest) = line.strip_prefix('*') {
            let mut parts = rest.split(',').map(str::trim);
            keyword = parts.next().unwrap_or_default().to_ascii_uppercase();
            if keyword == "MATERIAL" {
                let name = parts.find_map(|part| {
                    let (key, value) = part.split_once('=')?;
                    key.trim().eq_ignore_ascii_case("name").then(|| value.trim().trim_matches('"').to_owned())
                });
                found.push(FileMaterial { name: name.unwrap_or_default(), ..FileMaterial::default() });
            }
            continue;
        }
        let first = || line.split(',').next().and_then(|word| word.trim().parse::<f64>().ok());
        let Some(material) = found.last_mut() else { continue };
        match keyword.as_str() {
            "ELASTIC" => material.young = material.young.or_else(first),
            "DENSITY" => material.density = material.density.or_else(first),
            _ => {}
        }
    }
    Ok(found)
}
