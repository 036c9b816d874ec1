//! Options of `wolff modes`.

use crate::mesh_file::MeshFileArgs;
use crate::number::{finite, positive};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use wolff_bone::flexible::{GaugeRequest, Interface, MATERIALS, Transverse, parse_direction, parse_gauge, parse_point};

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff modes shank.inp.gz --young 17e9 --poisson 0.3 --density 3544.127 --free --count 8 --json
  wolff modes tibia --length 0.38 --interface knee=proximal --interface ankle=distal --gauge shin=anteromedial:0.5 --check \\
      --relief
  wolff modes shank.msh --unit mm --axis z --interface knee=z<0.001 --interface ankle=end@0,0,0.421 --normal 8 \\
      --point soleus=0.037,0,0.1,0.01 --gauge front=0.037,0,0.21 --max-frequency 3000 --out shank.flexbody
  wolff modes tube --interface knee=proximal --interface ankle=distal --raw --picture raw
  wolff modes tube --count 12 --disable 3,6 --json
  wolff modes bone.toml --picture pictures --vtu modes.vtu
  wolff modes shank.flexbody --info             show the content of the file of a body

A SELECTOR is a node set of the mesh, x<0.01, z>=0.4, sphere(x,y,z,r) or box(x0,y0,z0,x1,y1,z1), in m. Several selectors
joined by & must all be satisfied. The interface node is at the mean position of the selected nodes; add @x,y,z to
place it elsewhere. In a shell, quote < and &.";

/// `wolff modes`.
#[derive(Debug, Args)]
pub struct Modes {
    /// A mesh file (.inp .msh .vtu .vtk, also .gz), a built-in bone (tube, flared-tube, tibia, femur), a .toml with
    /// the keys of
    /// `flexible` of a study's body, or a .flexbody file.
    pub mesh: String,
    #[command(flatten)]
    pub solid: SolidArgs,
    #[command(flatten)]
    pub reduction: ReductionArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Definition of the body.
#[derive(Debug, Args)]
#[command(next_help_heading = "Body")]
pub struct SolidArgs {
    #[command(flatten)]
    pub file: MeshFileArgs,
    /// Length of a built-in bone [m].
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
    pub length: Option<f64>,
    /// Direction of the bone in a mesh: x, y, z or "a,b,c" [default: z].
    #[arg(long, allow_hyphen_values = true)]
    pub axis: Option<String>,
    /// Material [default: cortical; isotropic where --young or --poisson is given, transversely-isotropic where one of
    /// --young-axial to --poisson-transverse is].
    #[arg(long, value_parser = PossibleValuesParser::new(MATERIALS.map(|(name, _)| name)))]
    pub material: Option<String>,
    /// Young's modulus [Pa] [default: 17e9].
    #[arg(long, value_name = "PA", allow_negative_numbers = true, value_parser = positive)]
    pub young: Option<f64>,
    /// Poisson's ratio [default: 0.3].
    #[arg(long, value_name = "NU", allow_hyphen_values = true, value_parser = finite)]
    pub poisson: Option<f64>,
    #[command(flatten)]
    pub transverse: TransverseArgs,
    /// Density [kg/m³] [default: that of the material].
    #[arg(long, value_name = "RHO", allow_negative_numbers = true, value_parser = positive)]
    pub density: Option<f64>,
    /// Mass to which the density is scaled [kg].
    #[arg(long, value_name = "KG", allow_negative_numbers = true, value_parser = positive)]
    pub mass: Option<f64>,
}

/// Own constants of a transversely isotropic material; those that are omitted are of the material cortical.
#[derive(Debug, Args)]
#[command(next_help_heading = "Transversely isotropic material")]
pub struct TransverseArgs {
    /// Young's modulus along the bone, E_l [Pa] [default: 17e9].
    #[arg(long, value_name = "PA", allow_negative_numbers = true, value_parser = positive)]
    pub young_axial: Option<f64>,
    /// Young's modulus across the bone, E_t [Pa] [default: 10e9].
    #[arg(long, value_name = "PA", allow_negative_numbers = true, value_parser = positive)]
    pub young_transverse: Option<f64>,
    /// Shear modulus of planes along the bone, G_l [Pa] [default: 5e9].
    #[arg(long, value_name = "PA", allow_negative_numbers = true, value_parser = positive)]
    pub shear_axial: Option<f64>,
    /// Contraction across over extension along, nu_l = nu_tl E_l / E_t [default: 0.3].
    #[arg(long, value_name = "NU", allow_hyphen_values = true, value_parser = finite)]
    pub poisson_axial: Option<f64>,
    /// Poisson's ratio in the plane across, nu_t [default: 3/7].
    #[arg(long, value_name = "NU", allow_hyphen_values = true, value_parser = finite)]
    pub poisson_transverse: Option<f64>,
}

impl TransverseArgs {
    /// Whether any was given.
    pub fn is_given(&self) -> bool {
        let moduli = [self.young_axial, self.young_transverse, self.shear_axial];
        moduli.iter().chain(&[self.poisson_axial, self.poisson_transverse]).any(Option::is_some)
    }

    /// The given constants in place of others.
    pub fn over(&self, other: Transverse) -> Transverse {
        Transverse {
            young_axial: self.young_axial.unwrap_or(other.young_axial),
            young_transverse: self.young_transverse.unwrap_or(other.young_transverse),
            shear_axial: self.shear_axial.unwrap_or(other.shear_axial),
            poisson_axial: self.poisson_axial.unwrap_or(other.poisson_axial),
            poisson_transverse: self.poisson_transverse.unwrap_or(other.poisson_transverse),
        }
    }
}

/// Computation of modes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Modes")]
pub struct ReductionArgs {
    /// Modes of the free solid, even if a .toml has interfaces [default without --interface].
    #[arg(long, conflicts_with = "interface")]
    pub free: bool,
    /// Number of modes of the free solid to compute [default: 8].
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Interface for joints; can be repeated.
    #[arg(long, value_name = "NAME=SELECTOR[@x,y,z]", value_parser = interface)]
    pub interface: Vec<Interface>,
    /// Kind of interfaces: rigid, or the mean motion of their nodes [default: rigid].
    #[arg(long, value_parser = ["rigid", "average"])]
    pub kind: Option<String>,
    /// Number of modes with fixed interfaces to compute [default: 8].
    #[arg(long, value_name = "N")]
    pub normal: Option<usize>,
    /// An additional node with the mean motion of the surface within a radius, or of the nearest node; can be repeated.
    #[arg(long, value_name = "NAME=x,y,z[,radius]", value_parser = point)]
    pub point: Vec<Point>,
    /// A strain gauge up to 5 mm from the surface, or on a landmark of a bone (anteromedial:0.5); can be repeated.
    #[arg(long, value_name = "NAME=x,y,z", value_parser = gauge)]
    pub gauge: Vec<Gauge>,
    /// Retain this number of modes.
    #[arg(long, value_name = "N", conflicts_with_all = ["max_frequency", "gauge_tolerance", "strain_energy"])]
    pub modes: Option<usize>,
    /// Switch single modes off, by number; applied after all other selections.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = mode_number)]
    pub disable: Vec<usize>,
    /// Retain modes up to this frequency [Hz].
    #[arg(long, value_name = "HZ", allow_negative_numbers = true, value_parser = positive, conflicts_with_all = ["gauge_tolerance", "strain_energy"])]
    pub max_frequency: Option<f64>,
    /// Retain modes until the static strain at the gauges changes by less than this fraction.
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = positive, conflicts_with = "strain_energy")]
    pub gauge_tolerance: Option<f64>,
    /// Retain the modes that contain this fraction of the strain energy for each unit load at interfaces and points.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = share)]
    pub strain_energy: Option<f64>,
    /// Add modes with which strains under unbalanced loads are exact (inertia relief).
    #[arg(long)]
    pub relief: bool,
    /// Add second-order displacements: bending shortens a body, tension stiffens it.
    #[arg(long)]
    pub stiffening: bool,
    /// Critical damping ratio of every mode [default: 0.01, or that of the .toml].
    #[arg(long, value_name = "ZETA", allow_negative_numbers = true, value_parser = not_negative)]
    pub damping: Option<f64>,
    /// Compare strains at the gauges with those of the whole mesh under unit loads: doubtful above 5 %.
    #[arg(long)]
    pub check: bool,
}

/// Output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Name of the body [default: that of the mesh].
    #[arg(long)]
    pub name: Option<String>,
    /// File of the reduced body [default with interfaces: NAME.flexbody; with --json, none].
    #[arg(long, value_name = "FILE.flexbody")]
    pub out: Option<PathBuf>,
    /// Folder for pictures of all modes and a page that shows them.
    #[arg(long, value_name = "DIR")]
    pub picture: Option<PathBuf>,
    /// File for displacement and strain of all modes on the surface, for ParaView.
    #[arg(long, value_name = "FILE.vtu")]
    pub vtu: Option<PathBuf>,
    /// Only show the content of a .flexbody file.
    #[arg(long)]
    pub info: bool,
    /// The modes before they are made orthonormal: fixed interfaces, and unit motions of each interface; no body is
    /// written.
    #[arg(long, conflicts_with_all = ["out", "vtu", "info", "disable", "check"])]
    pub raw: bool,
    /// Print one JSON object; no body is written unless --out is given.
    #[arg(long)]
    pub json: bool,
}

/// An additional node: name, position, radius.
#[derive(Clone, Debug)]
pub struct Point(pub (String, wolff_spatial::Vec3, f64));

/// A gauge: name, place.
#[derive(Clone, Debug)]
pub struct Gauge(pub (String, GaugeRequest));

impl SolidArgs {
    /// The direction of the bone.
    pub fn direction(&self) -> Result<Option<wolff_spatial::Vec3>, wolff_bone::BoneError> {
        self.axis.as_deref().map(parse_direction).transpose()
    }
}

fn interface(text: &str) -> Result<Interface, String> {
    text.parse::<Interface>().map_err(|e| e.to_string())
}

fn point(text: &str) -> Result<Point, String> {
    parse_point(text).map(Point).map_err(|e| e.to_string())
}

fn gauge(text: &str) -> Result<Gauge, String> {
    parse_gauge(text).map(Gauge).map_err(|e| e.to_string())
}

/// `3` or `mode3`; modes are numbered from 1.
fn mode_number(text: &str) -> Result<usize, String> {
    match text.trim().trim_start_matches("mode").parse::<usize>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is no mode; give its number from 1, such as 3 or mode3")),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match positive(text)? {
        value if value <= 1.0 => Ok(value),
        _ => Err(format!("`{text}` is above 1; give a fraction such as 0.99")),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value >= 0.0 => Ok(value),
        _ => Err(format!("`{text}` is negative; give 0 or more")),
    }
}
