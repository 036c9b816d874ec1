//! Options of `wolff surface`.

use crate::number::positive;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Examples of `wolff surface`.
pub const EXAMPLES: &str = "Examples:
  wolff surface fit plateau.stl --tolerance 0.1 -o plateau.json
  wolff surface fit condyle.ply --axis z -o condyle.json --picture deviation.svg
  wolff surface table plateau.json --points 400 -o plateau.tab
  wolff surface profile femur.stl --across z --at -22 -o femur.csv

Inputs are triangles (.stl .obj .ply .vtp .vtk, also .gz), point clouds (.csv with the columns x, y, z; .vtp without
polygons) and NURBS surfaces (.json). They are cleaned, fitted, and written in m: NURBS for `[[foundation]]` and
`wolff contact`, tables for `shape = \"table\"`, profiles for `shape = \"profile\"` of a study.";

/// `wolff surface`.
#[derive(Debug, Subcommand)]
pub enum SurfaceCommand {
    /// Fit a NURBS surface to a mesh or a point cloud; the error of the fit is printed.
    #[command(after_help = "Examples:
  wolff surface fit plateau.stl --tolerance 0.1 -o plateau.json
  wolff surface fit condyle.ply --axis z -o condyle.json --picture deviation.svg
  wolff surface fit cloud.csv --towards y --fewest -o surface.json")]
    Fit(FitArgs),
    /// Write a table of points on a regular grid, from NURBS, a mesh, a point cloud or a grid of points.
    #[command(after_help = "Examples:
  wolff surface table plateau.json --points 400 -o plateau.tab
  wolff surface table plateau.stl --tolerance 0.1 --points 400 -o plateau.tab
  wolff surface table grid.csv --columns 120 -o grid.tab")]
    Table(TableArgs),
    /// Write a plane profile: a section of a mesh, or a curve of points x, y, with as few points as needed.
    #[command(after_help = "Examples:
  wolff surface profile femur.stl --across z --at -22 -o femur.csv
  wolff surface profile outline.csv --tolerance 0.05 -o profile.csv")]
    Profile(ProfileArgs),
}

/// An axis of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AxisName {
    /// First.
    X,
    /// Second.
    Y,
    /// Third.
    Z,
}

/// What every command reads and writes.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// The file to read.
    pub input: PathBuf,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Unit of length of the input: m, cm, mm, um or in [default: found from its size].
    #[arg(long, value_name = "UNIT", value_parser = wolff_meshes::size::unit)]
    pub unit: Option<f64>,
    /// Largest distance of points from the result [mm].
    #[arg(long, value_name = "MM", default_value = "0.2", allow_negative_numbers = true, value_parser = positive)]
    pub tolerance: f64,
    /// Go on although the input cannot be right.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Which part of a mesh or cloud is fitted, and how.
#[derive(Debug, Args)]
pub struct PartArgs {
    /// Direction in which the surface faces, such as y, -y or 0.1,1,0 [default: the mean normal of the mesh].
    #[arg(long, value_name = "DIRECTION", allow_hyphen_values = true, value_parser = direction, conflicts_with = "axis")]
    pub towards: Option<[f64; 3]>,
    /// The surface faces away from this axis, as a condyle does.
    #[arg(long, value_enum)]
    pub axis: Option<AxisName>,
    /// A point of the axis [mm].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point, requires = "axis")]
    pub through: Option<[f64; 3]>,
    /// Use as few control points as the tolerance allows; slower.
    #[arg(long)]
    pub fewest: bool,
    /// Also draw how far the input is from the surface (.svg).
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
}

/// `wolff surface fit`.
#[derive(Debug, Args)]
pub struct FitArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub part: PartArgs,
}

/// `wolff surface table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    #[command(flatten)]
    pub part: PartArgs,
    /// Points along each parameter of the table.
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(4..=20000))]
    pub points: u32,
    /// The input is a grid of points in rows of this many, which are taken as they are.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=20000))]
    pub columns: Option<u32>,
    /// Turn the material to the other side.
    #[arg(long)]
    pub flip: bool,
    /// Keep the whole fitted rectangle, also where the surface only bridges gaps or runs out beyond the input.
    #[arg(long)]
    pub whole: bool,
}

/// `wolff surface profile`.
#[derive(Debug, Args)]
pub struct ProfileArgs {
    #[command(flatten)]
    pub common: CommonArgs,
    /// Axis across which the plane of the section lies.
    #[arg(long, value_enum, default_value = "z")]
    pub across: AxisName,
    /// Where the plane is on this axis [mm].
    #[arg(long, value_name = "MM", default_value = "0", allow_negative_numbers = true)]
    pub at: f64,
    /// Number of points [default: as few as the tolerance allows].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(5..=5000))]
    pub points: Option<u32>,
    /// The curve of a .csv file is closed.
    #[arg(long)]
    pub closed: bool,
}

fn direction(text: &str) -> Result<[f64; 3], String> {
    let unit = |k: usize, sign: f64| std::array::from_fn(|i| if i == k { sign } else { 0.0 });
    let (sign, word) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    match word {
        "x" => Ok(unit(0, sign)),
        "y" => Ok(unit(1, sign)),
        "z" => Ok(unit(2, sign)),
        _ => {
            let given = point(text)?;
            let length = given.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 { Ok(given.map(|x| x / length)) } else { Err("a direction is longer than zero".into()) }
        }
    }
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let wrong = || format!("`{text}` is not three numbers, for example 0,1,0");
    let numbers: Vec<f64> =
        text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    match numbers[..] {
        [x, y, z] if x.is_finite() && y.is_finite() && z.is_finite() => Ok([x, y, z]),
        _ => Err(wrong()),
    }
}
