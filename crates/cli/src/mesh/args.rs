//! Options of `wolff mesh`.

use crate::mesh_file::MeshFileArgs;
use crate::number::positive;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `wolff mesh`.
#[derive(Debug, Subcommand)]
pub enum Mesh {
    /// Show size, sets and quality of a mesh of tetrahedra or of a surface.
    #[command(after_help = "Examples:
  wolff mesh info tibia.msh --unit mm
  wolff mesh info knee.inp --part FEMUR        one part of several
  wolff mesh info cartilage.ply --unit mm      a surface (.stl .obj .ply .vtp .vtk)")]
    Info(MeshInfo),
    /// List all faults; repair them with --repair, where possible. Exit code 2 if faults remain.
    #[command(after_help = "Examples:
  wolff mesh check tibia.msh
  wolff mesh check tibia.msh --repair good.msh --unit mm
  wolff mesh check cartilage.stl --repair good.stl

--repair merges duplicate nodes, reverses inverted elements, removes repeated elements and unused nodes, and replaces
flat elements: their surroundings are connected in another way, nodes are moved, or flat elements of the surface are
left out. The surface moves by at most 2 % of the edges there; how far is printed. Of a surface, repeated triangles and
those that stick out are removed and the others turned to one side. The file is written only if no fault remains;
elements that cannot be repaired are listed, numbered from 0 in the order of the file.")]
    Check(MeshCheck),
    /// Write a mesh or a surface in another format or unit of length.
    #[command(after_help = "Examples:
  wolff mesh convert tibia.inp tibia.vtu --unit mm         from mm to m
  wolff mesh convert knee.inp femur.inp --part FEMUR       one part of several
  wolff mesh convert cartilage.ply cartilage.stl")]
    Convert(MeshConvert),
    /// Make tetrahedra from a closed surface, from an outer and an inner surface, or from a label image.
    #[command(after_help = "Examples:
  wolff mesh generate tibia.stl --size 3 --unit mm -o tibia.vtu
  wolff mesh generate outer.stl --inner canal.stl --size 2 --order 2 -o tibia.vtu
  wolff mesh generate labels.nii.gz --size 2.5 --name 1=femur --name 2=tibia -o knee.vtu

A surface may intersect itself and have small holes; thin places get smaller elements. Labels keep their volumes and
share the nodes of their interfaces. The mesh is written in m, with one element set per material.")]
    Generate(MeshGenerate),
}

/// How a file is read.
#[derive(Debug, Args)]
pub struct ReadArgs {
    #[command(flatten)]
    pub file: MeshFileArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff mesh info`.
#[derive(Debug, Args)]
pub struct MeshInfo {
    /// The mesh file.
    pub file: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// `wolff mesh check`.
#[derive(Debug, Args)]
pub struct MeshCheck {
    /// The mesh file.
    pub file: PathBuf,
    /// Repair the mesh and write it here; in m if --unit or --scale is given, otherwise in the unit of the file.
    #[arg(long, value_name = "OUT")]
    pub repair: Option<PathBuf>,
    /// With --repair: retain only the part with the most elements.
    #[arg(long, requires = "repair")]
    pub largest_part: bool,
    /// With --repair: merge nodes up to this distance, in the unit of the file [default: 1e-9 of the diagonal].
    #[arg(long, requires = "repair", value_name = "DISTANCE")]
    pub merge: Option<f64>,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// `wolff mesh convert`.
#[derive(Debug, Args)]
pub struct MeshConvert {
    /// The mesh file to read.
    pub input: PathBuf,
    /// The file to write: .msh, .inp or .vtu; of a surface .stl or .obj.
    pub output: PathBuf,
    /// Write ten-node tetrahedra, with a node in the middle of every edge: for bending they are far more accurate.
    #[arg(long)]
    pub tet10: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// `wolff mesh generate`.
#[derive(Debug, Args)]
pub struct MeshGenerate {
    /// A surface (.stl .obj .ply .vtp .vtk, also .gz), or a label image (.nii .nii.gz .nrrd .mha .mhd, a DICOM folder
    /// or .zip).
    pub input: PathBuf,
    /// A surface inside the first: the mesh has a shell and a core.
    #[arg(long, value_name = "FILE")]
    pub inner: Option<PathBuf>,
    /// Mean edge of the elements [mm].
    #[arg(long, value_name = "MM", default_value = "3", allow_negative_numbers = true, value_parser = positive)]
    pub size: f64,
    /// Unit of length of a surface: m, cm, mm, um or in [default: found from its size].
    #[arg(long, value_name = "UNIT", value_parser = wolff_meshes::size::unit)]
    pub unit: Option<f64>,
    /// Order of the elements: 1 for four nodes, 2 for ten nodes with curved edges on the surface.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub order: u8,
    /// How often the size may be halved in thin and strongly curved places, 0 to 3.
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u32).range(0..=3))]
    pub halvings: u32,
    /// Largest number of elements.
    #[arg(long, default_value = "20000000")]
    pub most: usize,
    /// Name of the material of a label; may be repeated.
    #[arg(long = "name", value_name = "LABEL=NAME", value_parser = label_name)]
    pub names: Vec<(u16, String)>,
    /// The series to read of a DICOM folder with several, by its number or identifier.
    #[arg(long, value_name = "SERIES")]
    pub series: Option<String>,
    /// The file to write: .vtu, .msh or .inp [default: the name of the input with .vtu; none with --json].
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Go on although the input cannot be right.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

fn label_name(text: &str) -> Result<(u16, String), String> {
    let wrong = || format!("`{text}` is not LABEL=NAME, for example 2=tibia");
    let (label, name) = text.split_once('=').ok_or_else(wrong)?;
    let label = label.trim().parse().map_err(|_| wrong())?;
    if name.trim().is_empty() { Err(wrong()) } else { Ok((label, name.trim().into())) }
}
