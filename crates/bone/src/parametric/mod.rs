//! Parametric long bones as closed solids of tetrahedra: a tube, the tibia, the femur.
//!
//! A bone is a family of sections swept along an axis ([`Section`]): an outer contour of three harmonics
//! ([`Contour`]), a canal inside, both smooth functions of the fraction along the bone. The marrow canal is hollow in
//! the shaft; towards the ends it is filled with trabecular bone inside a thin cortex.
//!
//! Coordinates (ISB: Wu et al. 2002, J. Biomech. 35, 543-548): X anterior, Y up, Z lateral for a right bone; a left
//! bone is its mirror image, so that Z then points medially. The origin is the middle of the proximal end (plateau of
//! the tibia, end of the tube) or the head centre of the femur; the middle of the distal end (plafond) or the knee
//! centre of the femur is at `(0, -L, 0)`. The joint centres of a tibia lie beyond its ends.
//!
//! | set | contents |
//! |---|---|
//! | nodes `proximal`, `distal` | end faces: plateau and plafond, cap of the head and condyles, end rings |
//! | nodes `surface` | all of the outer surface, end faces included |
//! | nodes `midshaft` | outer ring at mid-shaft |
//! | nodes `tuberosity`, `soleal_line` | tibia: patches of the patellar tendon and of soleus |
//! | elements `cortical`, `trabecular` | the wall; the filling of the ends (empty for the tube) |
//!
//! Limits: the tibia has no malleolus and flat ends; femoral condyles are one rounded end and the trochanters a bulge.
//! The shafts are intended for strain, the ends for transferring loads to them.
//!
//! ```
//! use wolff_bone::parametric::{Bone, BoneKind, Landmark, Sex};
//! use wolff_fem::material::Material;
//!
//! let tibia = Bone::new(BoneKind::Tibia, Sex::Female);
//! let solid = tibia.build()?;
//! let materials = solid.material_field(&Material::cortical_bone(), &Material::trabecular_bone())?;
//! let gauge = tibia.landmark(Landmark::Anteromedial, 0.5)?;
//! assert!(gauge.normal.x > 0.0 && gauge.normal.z < 0.0);
//! assert_eq!(materials.element_count(), solid.mesh.element_count());
//! # Ok::<(), wolff_fem::FemError>(())
//! ```

mod contour;
mod femur;
mod length;
mod patch;
mod profile;
mod shape;
mod site;
mod solid;
mod sweep;
mod template;
mod tibia;
mod tube;

use nalgebra::{Complex, Vector3};

pub use contour::Contour;
pub use length::{REFERENCE_STATURE, default_stature, length_from_stature};
pub use shape::Section;
pub use site::{Landmark, SurfaceSite};
pub use solid::BoneSolid;
pub use tube::TubeEnd;
pub use wolff_anatomy::Sex;
pub use wolff_anatomy::Side;

use crate::side::on_side;
use shape::{Axis, Shape};
use wolff_fem::FemError;
use wolff_fem::element::ElementKind;

/// Which bone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BoneKind {
    /// A round tube with open ends.
    Tube {
        /// Radius of the bore \[m\].
        inner: f64,
        /// Outer radius \[m\].
        outer: f64,
    },
    /// The shin bone.
    Tibia,
    /// The thigh bone.
    Femur,
}

impl BoneKind {
    /// The shank of the early flexible walking models: radii 27 and 37 mm.
    pub const SHANK_TUBE: Self = Self::Tube { inner: 0.027, outer: 0.037 };

    fn name(self) -> &'static str {
        match self {
            Self::Tube { .. } => "tube",
            Self::Tibia => "tibia",
            Self::Femur => "femur",
        }
    }
}

/// How finely a bone is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Density {
    /// Elements around a section: a multiple of six.
    pub around: usize,
    /// Layers through the wall.
    pub wall: usize,
    /// Layers along: proximal filling, upper and lower half of the shaft, distal filling.
    pub layers: [usize; 4],
}

impl Density {
    /// About 17 thousand degrees of freedom with ten-node elements.
    pub fn default_for(kind: BoneKind) -> Self {
        match kind {
            BoneKind::Tube { .. } => Self { around: 18, wall: 1, layers: [4, 9, 9, 4] },
            BoneKind::Tibia => Self { around: 12, wall: 1, layers: [6, 10, 11, 5] },
            BoneKind::Femur => Self { around: 12, wall: 1, layers: [10, 8, 8, 6] },
        }
    }

    /// The same with every direction divided `factor` times as finely.
    pub fn refined(self, factor: usize) -> Self {
        Self { around: factor * self.around, wall: factor * self.wall, layers: self.layers.map(|n| factor * n) }
    }
}

/// Description of a parametric long bone.
///
/// Length and breadth are independent: both follow from stature and sex ([`Bone::of_person`]), and neither from the
/// distance of the joint centres of a skeleton, which is defined differently in every study. Radii of a tube are
/// taken as given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bone {
    /// Which bone.
    pub kind: BoneKind,
    /// Side of the body.
    pub side: Side,
    /// Length L, m: plateau to plafond of a tibia, head centre to knee centre of a femur, end to end of a tube.
    pub length: f64,
    /// Lengths across over those of the tables, which belong to a man of 1.80 m.
    pub breadth: f64,
    /// Fineness of the mesh.
    pub density: Density,
    /// Four or ten nodes.
    pub element: ElementKind,
    /// Widened proximal and distal end of a tube; `None` for a tube of one section. Other bones have none.
    pub ends: Option<[TubeEnd; 2]>,
}

impl Bone {
    /// A right bone of a person of the default stature of the sex, of ten-node elements.
    pub fn new(kind: BoneKind, sex: Sex) -> Self {
        Self {
            kind,
            side: Side::Right,
            length: length::default_length(kind, sex),
            breadth: length::breadth(sex, default_stature(sex)),
            density: Density::default_for(kind),
            element: ElementKind::Tet10,
            ends: None,
        }
    }

    /// A right bone of a person of `stature`, m: length after [`length_from_stature`], breadths in proportion to
    /// stature.
    ///
    /// ```text
    /// men: b = S / 1.80,    women: b = 0.893 S / 1.65;    areas ~ b², second moments ~ b⁴
    /// ```
    /// The tables of the tibia are the mean CT sections of 17 adults of 1.74 m and taller, taken for those of a man
    /// of 1.80 m; sex is not listed. Women's breadths are those of plateau and femoral condyles in two studies (Cheng
    /// et al. 2009, Terzidis et al. 2012), the shaft with them, at a stature of 1.65 m (own choice): 2.6 % narrower
    /// than men of the same stature. Limits: the persons of the CT group differ by 16 % (SD) in cortical area and 30
    /// % in second moments.
    ///
    /// ```
    /// use wolff_bone::parametric::{Bone, BoneKind, Sex};
    ///
    /// let tibia = Bone::of_person(BoneKind::Tibia, Sex::Male, 1.77)?;
    /// let section = tibia.section(0.5)?;
    /// let cortex = section.outer.area() - section.inner.area();
    /// assert!((cortex / (403.7e-6 * (1.77_f64 / 1.80).powi(2)) - 1.0).abs() < 1e-3);
    /// # Ok::<(), wolff_fem::FemError>(())
    /// ```
    ///
    /// # Errors
    /// As [`length_from_stature`].
    pub fn of_person(kind: BoneKind, sex: Sex, stature: f64) -> Result<Self, FemError> {
        let length = length_from_stature(kind, sex, stature)?;
        Ok(Self { length, breadth: length::breadth(sex, stature), ..Self::new(kind, sex) })
    }

    /// The same bone of another length \[m\], its breadths multiplied by the ratio of lengths to the power `exponent`:
    /// 1 keeps the shape, 0 the breadths.
    pub fn stretched(self, length: f64, exponent: f64) -> Self {
        Self { breadth: self.breadth * (length / self.length).powf(exponent), length, ..self }
    }

    /// The section at a fraction along the bone, of the right side.
    ///
    /// # Errors
    /// When the bone is not valid or the fraction is outside 0 to 1.
    pub fn section(&self, fraction: f64) -> Result<Section, FemError> {
        self.check()?;
        if !(0.0..=1.0).contains(&fraction) {
            return Err(FemError::Mesh(format!(
                "the fraction {fraction} along the {} is not in 0..1",
                self.kind.name()
            )));
        }
        Ok(self.shape().section(fraction))
    }

    /// Where the centroid of a section lies, m. At mid-shaft of a tibia its X and Z are the offset of the bone from the
    /// line of joint centres, which decides bending under axial load.
    ///
    /// # Errors
    /// As [`Bone::section`].
    pub fn centroid(&self, fraction: f64) -> Result<Vector3<f64>, FemError> {
        let Complex { re, im } = self.section(fraction)?.centroid;
        let frame = self.shape().frame(fraction);
        Ok(on_side(self.side, frame.origin + frame.anterior * re + frame.lateral * im))
    }

    /// Builds the solid.
    ///
    /// # Errors
    /// When the description is not valid, or the mesh would be unsound ([`FemError::Quality`]).
    pub fn build(&self) -> Result<BoneSolid, FemError> {
        self.check()?;
        solid::build(self)
    }

    fn shape(&self) -> Shape {
        let reference = length::reference_length(self.kind);
        let scale = self.breadth;
        match self.kind {
            BoneKind::Tube { inner, outer } => {
                Shape::new(tube::plan(inner, outer, self.ends), Axis::Straight(self.length), 1.0)
            }
            BoneKind::Tibia => Shape::new(tibia::plan(), Axis::Straight(self.length), scale),
            BoneKind::Femur => {
                let axis = femur::FemurAxis::new(self.length, reference);
                Shape::new(femur::plan(&axis), Axis::Femur(axis), scale)
            }
        }
    }

    fn check(&self) -> Result<(), FemError> {
        let name = self.kind.name();
        if !(0.05..=1.0).contains(&self.length) {
            return Err(FemError::Mesh(format!("a {name} of {} m: give a length of 0.05 to 1 m", self.length)));
        }
        if !(0.1..=5.0).contains(&self.breadth) {
            let b = self.breadth;
            return Err(FemError::Mesh(format!("{name}: {b} times the breadths of its table must be within 0.1 to 5")));
        }
        if let BoneKind::Tube { inner, outer } = self.kind
            && !(inner > 0.0 && inner < outer && outer.is_finite())
        {
            return Err(FemError::Mesh(format!("tube: radii {inner} and {outer} m must be 0 < inner < outer")));
        }
        if let Some(ends) = &self.ends {
            tube::check(self.kind, ends)?;
        }
        let Density { around, wall, layers } = self.density;
        if around == 0 || !around.is_multiple_of(6) || wall == 0 || layers.contains(&0) {
            return Err(FemError::Mesh(format!(
                "{name}: {around} elements around, {wall} through the wall, {layers:?} along; give a multiple of six \
                 around and at least one elsewhere"
            )));
        }
        Ok(())
    }
}
