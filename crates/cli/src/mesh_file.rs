//! Options of all commands that read the file of a mesh.

use clap::Args;

/// Unit and part of the file of a mesh.
#[derive(Debug, Args)]
pub struct MeshFileArgs {
    /// Unit of length of the file in m: 1e-3 for mm [default: 1].
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = scale, conflicts_with = "unit")]
    pub scale: Option<f64>,
    /// Unit of length of the file: m, cm, mm, um or in [default: m].
    #[arg(long, value_name = "UNIT", value_parser = wolff_meshes::size::unit)]
    pub unit: Option<f64>,
    /// The part to read from an Abaqus file with several, or `all`.
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Go on although the input cannot be right, for example with the size of no bone.
    #[arg(long)]
    pub force: bool,
}

impl MeshFileArgs {
    /// The unit of the file \[m\], if it was given.
    pub fn given_unit(&self) -> Option<f64> {
        self.scale.or(self.unit)
    }

    /// The unit of the file \[m\].
    pub fn size(&self) -> f64 {
        self.given_unit().unwrap_or(1.0)
    }
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && f64::is_finite(value) => Ok(value),
        _ => Err(format!("`{text}` is not a positive number; write for example --scale 1e-3 for a mesh in mm")),
    }
}
