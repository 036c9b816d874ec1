//! Options of `wolff contact`.

use crate::args::SeriesFiles;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wolff_analyses::contact_poses::{Along, ArticularSide, Distance, Method, Normals, Rule};
use wolff_spatial::Vec3;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff contact lenhart2015.osim --states passive_flexion_states.sto --geometry mesh \\
      --mesh femur_cartilage=femur-cartilage-full.obj --every 10 --out flexion
  wolff contact lenhart2015.osim --states states.sto --geometry mesh --compare ForceReporter_forces.sto \\
      --distance ray --along fixed-normal --rule centre --normals facet      the method of OpenSim JAM
  wolff contact pair.toml --poses poses.sto --rows 0,10-20

The states contain the coordinates of the model by name, as in OpenSim 4 (/jointset/knee/angle/value) or 3 (angle). All
Smith2018ArticularContactForce and all Blankevoort1991Ligament are evaluated; columns have the names of a ForceReporter
file. Centres, forces (on the casting body) and moments are in the frame of the casting mesh; moments have the sign of
ForceReporter files, the sum of F x r. mean_pressure is force divided by area; in ForceReporter files it is the mean over
triangles.

A pair file has [[foundation]] tables as in a study file (a complete study is accepted). Poses have the columns tx, ty,
tz [m], rx, ry, rz [rad, or degrees if the header contains inDegrees=yes]: position of the moving frame in the fixed
frame, and its rotations about x, then y, then z:
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
    /// Coordinates of the model, one pose per row (.sto or .mot).
    #[arg(long, value_name = "STATES.sto")]
    pub states: Option<PathBuf>,
    /// Poses of the moving frame in the fixed frame of a pair file, one per row (.sto or .mot).
    #[arg(long, value_name = "POSES.sto", conflicts_with = "states")]
    pub poses: Option<PathBuf>,
    /// Recorded values for comparison, in columns with the same names.
    #[arg(long, value_name = "FORCES.sto")]
    pub compare: Option<PathBuf>,
    /// Evaluate only this contact.
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
    /// Files of the series: .sto for OpenSim, .csv, or both with the same numbers.
    #[arg(long, value_enum, default_value_t = SeriesFiles::Sto)]
    pub series: SeriesFiles,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}

impl Contact {
    /// The options for the provenance; files and folders by their names only.
    pub fn options(&self) -> Vec<(String, String)> {
        let base = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut told = vec![("model".to_string(), base(&self.model))];
        let files = [("states", &self.states), ("poses", &self.poses), ("compare", &self.compare)];
        told.extend(files.into_iter().filter_map(|(name, path)| Some((name.to_string(), base(path.as_ref()?)))));
        told.extend(self.contact.iter().map(|name| ("contact".to_string(), name.clone())));
        let meshes = &self.meshes;
        let repeated = [
            ("geometry", meshes.geometry.iter().map(base).collect::<Vec<_>>()),
            ("mesh", meshes.mesh.iter().map(|(name, file)| format!("{name}={}", base(file))).collect()),
            ("articular", meshes.articular.iter().map(|(name, side)| format!("{name}={side:?}")).collect()),
        ];
        let given = repeated.into_iter().filter(|(_, values)| !values.is_empty());
        told.extend(given.map(|(name, values)| (name.to_string(), values.join(", "))));
        told.extend(self.rows.rows.iter().map(|list| ("rows".to_string(), format!("{:?}", list.0))));
        told.extend(self.rows.every.iter().map(|k| ("every".to_string(), k.to_string())));
        if self.method.is_given() {
            told.push(("method".to_string(), format!("{:?}", self.method.method())));
        }
        told
    }
}

/// Location of meshes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Meshes of a model")]
pub struct MeshArgs {
    /// Folder with mesh files, searched before those of OpenSim; can be repeated.
    #[arg(long, value_name = "DIR")]
    pub geometry: Vec<PathBuf>,
    /// Replacement file for a contact mesh of the model; can be repeated.
    #[arg(long, value_name = "NAME=FILE", value_parser = name_and_file)]
    pub mesh: Vec<(String, PathBuf)>,
    /// Direction that the articular side of a closed contact mesh faces, in the axes of the mesh (or `whole`: use the
    /// whole mesh); can be repeated [default: towards the other body in the default pose of the model].
    #[arg(long, value_name = "NAME=X,Y,Z", value_parser = name_and_side, allow_hyphen_values = true)]
    pub articular: Vec<(String, ArticularSide)>,
}

impl MeshArgs {
    /// Whether any was given.
    pub fn is_given(&self) -> bool {
        !(self.geometry.is_empty() && self.mesh.is_empty() && self.articular.is_empty())
    }
}

/// Selection of poses.
#[derive(Debug, Args)]
#[command(next_help_heading = "Poses")]
pub struct RowArgs {
    /// Rows to evaluate, from 0: 250 or 0,50,100-120.
    #[arg(long, value_name = "LIST", value_parser = rows)]
    pub rows: Option<RowList>,
    /// Evaluate every K-th row.
    #[arg(long, value_name = "K", conflicts_with = "rows", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Number of pressure maps to write, for evenly spaced rows including the last.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub maps: usize,
}

/// Method of contact for a model.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method (for a model; a pair file defines its own)")]
pub struct MethodArgs {
    /// Measure of the overlap [default: minimum].
    #[arg(long)]
    pub distance: Option<DistanceArg>,
    /// Direction of strain and pressure of the layer [default: midsurface].
    #[arg(long)]
    pub along: Option<AlongArg>,
    /// Integration of the pressure over a triangle [default: adaptive].
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

/// Values of `--distance`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DistanceArg {
    /// To the nearest point of the target.
    Minimum,
    /// Along the normal of the casting triangle.
    Ray,
}

/// Values of `--along`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum AlongArg {
    /// The bisector of both normals.
    Midsurface,
    /// The normal of the casting mesh.
    FixedNormal,
    /// The normal of the target mesh.
    MovingNormal,
}

/// Values of `--rule`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RuleArg {
    /// Integrated over the part in contact.
    Adaptive,
    /// Pressure at the centre times the area.
    Centre,
}

/// Values of `--normals`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum NormalsArg {
    /// Mean normals at the vertices, interpolated.
    Smooth,
    /// Normals of the flat triangles.
    Facet,
}

/// Rows by number.
#[derive(Clone, Debug)]
pub struct RowList(pub Vec<usize>);

/// Maximum row number that is accepted.
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
