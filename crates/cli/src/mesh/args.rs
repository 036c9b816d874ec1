//! Options of `wolff mesh`.

use crate::mesh_file::MeshFileArgs;
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
