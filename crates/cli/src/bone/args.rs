//! Options of `wolff bone`.

use crate::number::{finite, list, positive, stature};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use wolff_density::{Calibration, Rule};
use wolff_scan::bone::calibrate::{Mineral, Phantom, Rods};
use wolff_scan::bone::tissue::{Directions, RULE};
use wolff_spatial::Vec3;

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff bone ct.nii.gz --bone tibia --side right --calibration 0.05,0.00125 -o tibia.flexbody
  wolff bone dicom.zip --bone femur --calibration -0.01,0.0008 --size 3 --json
  wolff bone tibia.stl --bone tibia -o tibia.flexbody --report tibia
  wolff bone labels.nrrd --label 2 --wall 4.5,1.2
  wolff bone mri_labels.nrrd --label 1 --inner-label 2 --bone tibia
  wolff bone ct.nii.gz --phantom 3:0,108:100,871:800 --phantom-mineral ha

A CT is segmented, its outer surface and the thickness of its cortex are fitted below the size of a voxel, densities are
corrected for the blur at surfaces and mapped to the elements. A surface or a label has no densities: a wall of cortical
bone is assumed (--wall), or what lies outside of an inner surface (--inner) or label (--inner-label). Side and anatomical axes are found from the shape and checked against --bone and --side. The
flexible body is in the frame of the bone: x anterior, y up, z to the right, in m.";

/// `wolff bone`.
#[derive(Debug, Args)]
pub struct BoneArgs {
    /// A CT or label image (.nii .nii.gz .nrrd .nhdr .mha .mhd, a DICOM folder or .zip), or a closed surface (.stl .obj
    /// .ply .vtp .vtk).
    pub input: PathBuf,
    /// Which bone [default: recognised by its shape].
    #[arg(long, value_enum)]
    pub bone: Option<BoneWord>,
    /// Left or right [default: recognised by the shape].
    #[arg(long, value_enum)]
    pub side: Option<SideWord>,
    /// Density of a CT: apparent density [g/cm³] = A + B HU.
    #[arg(long, value_name = "A,B", allow_hyphen_values = true, value_parser = calibration)]
    pub calibration: Option<Calibration>,
    /// Rods of a phantom in the CT, in place of --calibration: HU:DENSITY,HU:DENSITY,... in mg/cm³, or a text file with
    /// one rod per line.
    #[arg(long, value_name = "RODS", allow_hyphen_values = true, value_parser = Rods::parse)]
    #[arg(conflicts_with = "calibration")]
    pub phantom: Option<Rods>,
    /// What the rods of the phantom hold.
    #[arg(long, value_enum, default_value = "ha", requires = "phantom")]
    pub phantom_mineral: MineralWord,
    /// From densities to elements.
    #[arg(long, value_enum, default_value = "mean")]
    pub rule: RuleWord,
    /// The same stiffness in all directions [default of a CT].
    #[arg(long, conflicts_with = "orthotropic")]
    pub isotropic: bool,
    /// Stiffer along the bone than across [default without a CT].
    #[arg(long)]
    pub orthotropic: bool,
    /// Relation between density and modulus.
    #[arg(long, default_value = "keyak-1998", value_name = "NAME")]
    pub relation: String,
    /// The label of the bone in an image of labels.
    #[arg(long, value_name = "N")]
    pub label: Option<u16>,
    /// Labels of what lies inside of the cortex (spongy bone, marrow), beside --label of the cortex or the bone.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub inner_label: Vec<u16>,
    /// The inner surface of the cortex, beside an outer surface, in the same unit.
    #[arg(long, value_name = "FILE")]
    pub inner: Option<PathBuf>,
    /// Grey value above which a voxel is bone [default: from the histogram].
    #[arg(long, value_name = "HU", allow_negative_numbers = true, value_parser = finite)]
    pub threshold: Option<f64>,
    /// A point in the bone, where it is not the largest part of the image [mm, LPS].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub seed: Option<Vec3>,
    /// Part touching bones of a CT where they are connected by less than twice this width [mm].
    #[arg(long, value_name = "MM", value_parser = positive)]
    pub split: Option<f64>,
    /// The series of a DICOM folder with several.
    #[arg(long, value_name = "SERIES")]
    pub series: Option<String>,
    /// Unit of length of a surface: m, cm, mm, um or in [default: found from its size].
    #[arg(long, value_name = "UNIT", value_parser = wolff_meshes::size::unit)]
    pub unit: Option<f64>,
    /// Thickness of the wall of a bone without a CT [mm]: at the shaft and at the ends.
    #[arg(long, value_name = "SHAFT,ENDS", default_value = "5,1.5", value_parser = wall)]
    pub wall: Wall,
    /// Stature of the person [m], for the judgement of the mass.
    #[arg(long, value_name = "M", value_parser = stature)]
    pub stature: Option<f64>,
    /// Mean edge of the elements [mm].
    #[arg(long, value_name = "MM", default_value = "5", allow_negative_numbers = true, value_parser = positive)]
    pub size: f64,
    /// Order of the elements: 1 for four nodes, 2 for ten.
    #[arg(long, default_value = "2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub order: u8,
    /// Fixed-interface modes of the flexible body.
    #[arg(long, value_name = "N", default_value = "12", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub modes: u16,
    /// The flexible body to write [default: BONE_SIDE.flexbody; none with --json].
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the outer surface here (.stl or .obj), in mm, in the axes of the input (of images LPS).
    #[arg(long, value_name = "FILE")]
    pub surface_out: Option<PathBuf>,
    /// Write density and modulus of the elements with their centroids here (.csv), in the axes of the input.
    #[arg(long, value_name = "FILE")]
    pub field_out: Option<PathBuf>,
    /// Write the mesh here (.vtu, .msh or .inp), in the frame of the bone, in m, with the node sets of the joints.
    #[arg(long, value_name = "FILE")]
    pub mesh_out: Option<PathBuf>,
    /// Folder for a page with pictures, histograms and verdicts.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Go on although the input cannot be right.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Roughly upwards along the bone, in the axes of the input (of images LPS) [default: from the shape].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = direction)]
    pub up: Option<Vec3>,
    /// Roughly forwards, in the axes of the input (of images LPS) [default: from the shape].
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = direction)]
    pub anterior: Option<Vec3>,
}

impl BoneArgs {
    /// The phantom that was asked for.
    pub fn phantom(&self) -> Option<Phantom> {
        let mineral = match self.phantom_mineral {
            MineralWord::Ha => Mineral::Hydroxyapatite,
            MineralWord::K2hpo4 => Mineral::Phosphate,
        };
        self.phantom.clone().map(|rods| Phantom { rods, mineral })
    }

    /// Directions of the material, where they were asked for.
    pub fn directions(&self) -> Option<Directions> {
        match (self.isotropic, self.orthotropic) {
            (true, _) => Some(Directions::Isotropic),
            (_, true) => Some(Directions::Orthotropic),
            _ => None,
        }
    }

    /// The options that decide on the result, for the provenance.
    pub fn options(&self) -> Vec<(String, String)> {
        let given = [
            ("bone", self.bone.map(|word| format!("{word:?}").to_lowercase())),
            ("side", self.side.map(|word| format!("{word:?}").to_lowercase())),
            ("calibration", self.calibration.map(|c| format!("{} g/cm³ + {} g/cm³ HU", c.intercept, c.slope))),
            ("phantom", self.phantom().map(|phantom| rods(&phantom))),
            ("directions", self.directions().map(|directions| format!("{directions:?}").to_lowercase())),
            ("inner", self.inner.as_ref().map(|path| file_name(path))),
            ("inner-label", (!self.inner_label.is_empty()).then(|| format!("{:?}", self.inner_label))),
            ("label", self.label.map(|label| label.to_string())),
            ("threshold", self.threshold.map(|hu| hu.to_string())),
            ("split", self.split.map(|mm| format!("{mm} mm"))),
            ("seed", self.seed.map(|x| format!("{:?} m", x.as_slice()))),
            ("series", self.series.clone()),
            ("unit", self.unit.map(|unit| format!("{unit} m"))),
            ("up", self.up.map(|x| format!("{:?}", x.as_slice()))),
            ("anterior", self.anterior.map(|x| format!("{:?}", x.as_slice()))),
            ("stature", self.stature.map(|stature| format!("{stature} m"))),
        ];
        let fixed = [
            ("input", file_name(&self.input)),
            ("relation", self.relation.clone()),
            ("rule", self.rule.rule().name()),
            ("wall", format!("{:?} m", self.wall.0)),
            ("size", format!("{} mm", self.size)),
            ("order", self.order.to_string()),
            ("modes", self.modes.to_string()),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        fixed.into_iter().chain(given).map(|(name, value)| (name.to_string(), value)).collect()
    }
}

/// Words for bones.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum BoneWord {
    Femur,
    Tibia,
    Fibula,
    Patella,
}

/// Words for sides.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SideWord {
    Left,
    Right,
}

/// Words for what the rods of a phantom hold.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MineralWord {
    /// Hydroxyapatite.
    Ha,
    /// Dipotassium phosphate.
    K2hpo4,
}

/// Words for rules.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RuleWord {
    /// Bonemat V1: mean density of the voxels inside the element, then the relation.
    V1,
    /// Bonemat V2: mean density over the element, then the relation.
    V2,
    /// Bonemat V3: the relation, then its mean over the element, with 10 points.
    V3,
    /// As V3 with 56 points.
    Mean,
    /// As V3 with as many points as a tolerance of 0.5 % needs.
    Converged,
}

impl RuleWord {
    /// The rule.
    pub fn rule(self) -> Rule {
        match self {
            RuleWord::V1 => Rule::VoxelsInside,
            RuleWord::V2 => Rule::MeanGrey { steps: 4 },
            RuleWord::V3 => Rule::MeanModulus { steps: 4 },
            RuleWord::Mean => RULE,
            RuleWord::Converged => Rule::default(),
        }
    }
}

/// Thickness at the shaft and at the ends \[m\].
#[derive(Clone, Copy, Debug)]
pub struct Wall(pub [f64; 2]);

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A phantom in words.
fn rods(phantom: &Phantom) -> String {
    let rods = match &phantom.rods {
        Rods::Given(rods) => rods.iter().map(|(hu, density)| format!("{hu}:{density}")).collect::<Vec<_>>().join(","),
        Rods::File(path) => file_name(path),
    };
    format!("{rods} mg/cm³ of {}", phantom.mineral.word())
}

fn calibration(text: &str) -> Result<Calibration, String> {
    Calibration::parse(text).map_err(|e| e.to_string())
}

fn point(text: &str) -> Result<Vec3, String> {
    list::<3>(text)
        .map(|x| 1e-3 * Vec3::from(x))
        .ok_or_else(|| format!("`{text}` is not X,Y,Z in mm, for example 12,-40,310"))
}

fn direction(text: &str) -> Result<Vec3, String> {
    let direction = list::<3>(text).map(Vec3::from).filter(|x| x.norm() > 0.0 && x.norm().is_finite());
    direction.ok_or_else(|| format!("`{text}` is not a direction X,Y,Z, for example 0,0,1"))
}

fn wall(text: &str) -> Result<Wall, String> {
    let both: Option<[f64; 2]> = list(text);
    let both = both.filter(|both| both.iter().all(|t| *t > 0.0 && *t < 50.0));
    both.map(|both| Wall(both.map(|t| 1e-3 * t)))
        .ok_or_else(|| format!("`{text}` is not SHAFT,ENDS in mm, each between 0 and 50, for example 5,1.5"))
}
