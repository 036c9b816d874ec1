//! What may be typed after `wolff contact`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wolff_app::contact_poses::{Along, ArticularSide, Distance, Method, Normals, Rule};
use wolff_spatial::Vec3;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff contact lenhart2015.osim --states passive_flexion_states.sto --geometry mesh \\
      --mesh femur_cartilage=femur-cartilage-full.obj --every 10 --out flexion
  wolff contact lenhart2015.osim --states states.sto --geometry mesh --compare ForceReporter_forces.sto \\
      --distance ray --along fixed-normal --rule centre --normals facet      as OpenSim JAM casts its rays
  wolff contact pair.toml --poses poses.sto --rows 0,10-20

The states have the coordinates of the model by name, as OpenSim 4 (/jointset/knee/angle/value) or 3 (angle) writes them. Every
Smith2018ArticularContactForce and every Blankevoort1991Ligament is evaluated; columns have the names of a ForceReporter file.
Centres, forces (on the casting body) and moments are in the frame of the casting mesh; moments have the sign of such files, the sum
of F x r. mean_pressure is force over area, where such files have the mean over triangles.

A pair file has [[foundation]] tables as in a study file (a whole study will do); poses have the columns tx, ty, tz [m], rx, ry, rz
[rad, or degrees if the file says inDegrees=yes]: the moving frame in the fixed one, turned about x, then y, then z:
  [[foundation]]
  name = \"ball\"
  fixed = \"plate\"
  moving = \"ball\"
  surface = { kind = \"sphere\", radius = \"30 mm\" }
  compartments = [{ name = \"plate\", surface = { kind = \"plane\" }, grid = [10, 10], x = [-0.006, 0.006], z = [-0.006, 0.006], thickness = \"8 mm\" }]
  young = \"463 MPa\"
  poisson = 0.46";

/// `wolff contact`.
#[derive(Debug, Args)]
pub struct Contact {
    /// An OpenSim JAM model (.osim), or a pair or study file (.toml).
    pub model: PathBuf,
    /// Coordinates of the model, a pose in each row (.sto or .mot).
    #[arg(long, value_name = "STATES.sto")]
    pub states: Option<PathBuf>,
    /// Poses of the moving in the fixed frame of a pair file, one in each row (.sto or .mot).
    #[arg(long, value_name = "POSES.sto", conflicts_with = "states")]
    pub poses: Option<PathBuf>,
    /// Recorded values to compare with, in columns of the same names.
    #[arg(long, value_name = "FORCES.sto")]
    pub compare: Option<PathBuf>,
    /// Only this contact.
    #[arg(long, value_name = "NAME")]
    pub contact: Option<String>,
    #[command(flatten)]
    pub meshes: MeshArgs,
    #[command(flatten)]
    pub rows: RowArgs,
    #[command(flatten)]
    pub method: MethodArgs,
    /// Folder for the results [default: runs/contact-MODEL; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}

/// Where meshes are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Meshes of a model")]
pub struct MeshArgs {
    /// Folder of mesh files, before those that OpenSim searches; may be given many times.
    #[arg(long, value_name = "DIR")]
    pub geometry: Vec<PathBuf>,
    /// Another file for a contact mesh of the model; may be given many times.
    #[arg(long, value_name = "NAME=FILE", value_parser = name_and_file)]
    pub mesh: Vec<(String, PathBuf)>,
    /// Where the articular side of a closed contact mesh looks, in the axes of the mesh (or `whole`: keep all of it); may be given many
    /// times [default: towards the other body in the default pose of the model].
    #[arg(long, value_name = "NAME=X,Y,Z", value_parser = name_and_side, allow_hyphen_values = true)]
    pub articular: Vec<(String, ArticularSide)>,
}

impl MeshArgs {
    /// Whether any was given.
    pub fn is_given(&self) -> bool {
        !(self.geometry.is_empty() && self.mesh.is_empty() && self.articular.is_empty())
    }
}

/// Which poses.
#[derive(Debug, Args)]
#[command(next_help_heading = "Poses")]
pub struct RowArgs {
    /// Rows to evaluate, from 0: 250 or 0,50,100-120.
    #[arg(long, value_name = "LIST", value_parser = rows)]
    pub rows: Option<RowList>,
    /// Every k-th row.
    #[arg(long, value_name = "K", conflicts_with = "rows", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Rows whose pressure maps are written, evenly spread, the last among them.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub maps: usize,
}

/// How contact of a model is evaluated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method (a pair file has its own)")]
pub struct MethodArgs {
    /// How the overlap is measured [default: minimum].
    #[arg(long)]
    pub distance: Option<DistanceArg>,
    /// Along what the layer is strained and pressed [default: midsurface].
    #[arg(long)]
    pub along: Option<AlongArg>,
    /// How pressure is summed over a triangle [default: adaptive].
    #[arg(long)]
    pub rule: Option<RuleArg>,
    /// Normals of the target mesh [default: smooth].
    #[arg(long)]
    pub normals: Option<NormalsArg>,
}

impl MethodArgs {
    /// Whether any was given.
    pub fn is_given(&self) -> bool {
        self.distance.is_some() || self.along.is_some() || self.rule.is_some() || self.normals.is_some()
    }

    /// The method.
    pub fn method(&self) -> Method {
        let default = Method::default();
        Method {
            distance: self.distance.map_or(default.distance, |d| match d {
                DistanceArg::Minimum => Distance::Minimum,
                DistanceArg::Ray => Distance::Ray,
            }),
            along: self.along.map_or(default.along, |a| match a {
                AlongArg::Midsurface => Along::Midsurface,
                AlongArg::FixedNormal => Along::FixedNormal,
                AlongArg::MovingNormal => Along::MovingNormal,
            }),
            rule: self.rule.map_or(default.rule, |r| match r {
                RuleArg::Adaptive => Rule::Adaptive,
                RuleArg::Centre => Rule::Centre,
            }),
            normals: self.normals.map_or(default.normals, |n| match n {
                NormalsArg::Smooth => Normals::Smooth,
                NormalsArg::Facet => Normals::Facets,
            }),
        }
    }
}

/// Words of `--distance`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DistanceArg {
    /// To the nearest point of the target.
    Minimum,
    /// Along the normal of the casting triangle.
    Ray,
}

/// Words of `--along`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum AlongArg {
    /// The bisector of both normals.
    Midsurface,
    /// The normal of the casting mesh.
    FixedNormal,
    /// The normal of the target mesh.
    MovingNormal,
}

/// Words of `--rule`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RuleArg {
    /// Integrated over the part in contact.
    Adaptive,
    /// Pressure at the centre times the area.
    Centre,
}

/// Words of `--normals`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum NormalsArg {
    /// Means at the vertices, interpolated.
    Smooth,
    /// Those of the flat triangles.
    Facet,
}

/// Rows by number.
#[derive(Clone, Debug)]
pub struct RowList(pub Vec<usize>);

/// No file has more rows than this many.
const MOST_ROWS: usize = 10_000_000;

fn rows(text: &str) -> Result<RowList, String> {
    let wrong = || format!("`{text}` is not a list of rows; write for example 250 or 0,50,100-120");
    let number = |part: &str| part.trim().parse::<usize>().ok().filter(|n| *n <= MOST_ROWS).ok_or_else(wrong);
    let mut all = Vec::new();
    for part in text.split(',') {
        match part.split_once('-') {
            Some((from, to)) => {
                let (from, to) = (number(from)?, number(to)?);
                if from > to {
                    return Err(wrong());
                }
                all.extend(from..=to);
            }
            None => all.push(number(part)?),
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(RowList(all))
}

fn name_and_side(text: &str) -> Result<(String, ArticularSide), String> {
    let wrong =
        || format!("`{text}` is not NAME=X,Y,Z; write for example --articular tibia_cartilage=0,1,0, or NAME=whole");
    let (name, side) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()).ok_or_else(wrong)?;
    if side.trim() == "whole" {
        return Ok((name.trim().into(), ArticularSide::Whole));
    }
    let numbers: Vec<f64> = side.split(',').map_while(|x| x.trim().parse().ok()).collect();
    match numbers[..] {
        [x, y, z] if side.split(',').count() == 3 && (x * x + y * y + z * z).is_normal() => {
            Ok((name.trim().into(), ArticularSide::Towards(Vec3::new(x, y, z))))
        }
        _ => Err(wrong()),
    }
}

fn name_and_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => Ok((name.trim().into(), file.into())),
        _ => Err(format!("`{text}` is not NAME=FILE; write for example --mesh femur_cartilage=femur.obj")),
    }
}
