//! A solid between two joint centres.

use crate::parametric::{Bone, BoneKind, Landmark, Sex, Side};
use nalgebra::Rotation3;
use std::sync::Arc;
use wolff_fem::TetMesh;
use wolff_fem::material::{Material, MaterialField, axes_along};
use wolff_fem::mesh::SurfaceFace;
use wolff_fem::section::{SectionProperties, section_of_faces};
use wolff_spatial::{Mat3, Vec3};

use super::faces::FACE_SETS;
use super::{Ends, GivenBone, cortex};
use crate::BoneError;
use crate::gauges::Contour;

/// A bone as a mesh in the frame of its segment, with the node sets `proximal` and `distal` (the faces of its two
/// joints). Rigid interfaces bridge the gaps from these faces to the joint centres. All fractions are those of the
/// bone between its ends.
#[derive(Debug, Clone)]
pub struct Solid {
    /// Mesh in the frame of the segment.
    pub mesh: TetMesh,
    /// Elasticity and density of every element.
    pub materials: MaterialField,
    /// Distance L of the joint centres: length of the segment \[m\].
    pub length: f64,
    /// Where the bone begins and ends on the line of joint centres.
    pub ends: Ends,
    /// Side of the body: lateral is +z on the right, -z on the left.
    pub side: Side,
    /// Where edges and faces lie around the shaft.
    pub corners: Corners,
    /// Names of the joints at both ends: nodes of the body.
    pub joints: [String; 2],
    /// Boundary of the mesh.
    boundary: Arc<[SurfaceFace]>,
    /// Boundary of the bone that sections are cut from: of one with own materials, that of its cortex.
    cortex: Arc<[SurfaceFace]>,
}

/// Edges of a shaft as angles about the centroid of its section, from anterior towards lateral \[rad\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corners {
    /// Anterior crest of a tibia.
    pub crest: f64,
    /// Its medial border.
    pub medial_border: f64,
}

impl Corners {
    /// Of the mid-shaft section nearest the mean of 17 CT tibiae (crest at 15.97 mm anterior and 6.40 lateral, border
    /// at -3.62 and -14.03; set of Keast, Bonacci and Fox): 21.8 and -104.5 degrees.
    pub const CT: Corners = Corners { crest: 0.381_1, medial_border: -1.823_3 };

    /// The edges of a shaft at half of its length: where its outline is farthest from the centroid, within
    /// 35 degrees of [`Corners::CT`]; an edge that the outline does not have there is that of CT.
    pub fn found(solid: &Solid) -> Corners {
        let Ok(contour) = Contour::new(solid, 0.5) else { return Corners::CT };
        let edge = |near: f64| {
            let angle = |k: i32| near + Corners::NEAR * f64::from(k) / f64::from(Corners::STEPS);
            let radius = |k: i32| contour.radii(angle(k)).map_or(0.0, |[_, outer]| outer);
            let best = (-Corners::STEPS..=Corners::STEPS).max_by(|a, b| radius(*a).total_cmp(&radius(*b)));
            best.filter(|k| k.abs() < Corners::STEPS).map_or(near, angle)
        };
        Corners { crest: edge(Corners::CT.crest), medial_border: edge(Corners::CT.medial_border) }
    }

    /// How far an edge may lie from that of CT \[rad\]: 35 degrees, less than half of the angle between two edges.
    const NEAR: f64 = 0.61;
    /// Steps within this angle.
    const STEPS: i32 = 70;
}

/// Names of the joints at the upper and the lower end of a bone.
fn joints_of(kind: BoneKind) -> [String; 2] {
    let joints = match kind {
        BoneKind::Femur => ["hip", "knee"],
        BoneKind::Tube { .. } | BoneKind::Tibia => ["knee", "ankle"],
    };
    joints.map(String::from)
}

/// Landmarks of a mesh that place it in a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMarks {
    /// Upper end: of a tibia the middle of the plateau, of a femur the centre of the hip \[m\].
    pub proximal: Vec3,
    /// Lower end: of a tibia the middle of the plafond, of a femur the centre of the knee \[m\].
    pub distal: Vec3,
    /// A direction that points forward; its part along the bone does not matter.
    pub anterior: Vec3,
}

impl Solid {
    /// The built-in tibia of this length from plateau to plafond \[m\], breadths in proportion, cortical bone `E = 17`,
    /// `G = 5` GPa along the shaft. Its joint centres are its ends; [`Solid::in_segment`] places it in a shank.
    ///
    /// # Errors
    /// When the length is out of bounds.
    pub fn tibia(length: f64, side: Side) -> Result<Self, BoneError> {
        let bone = Bone { side, ..Bone::new(BoneKind::Tibia, Sex::Male) }.stretched(length, 1.0);
        Self::parametric(&bone, &Material::cortical_bone(), &Material::trabecular_bone())
    }

    /// The built-in femur of this length between hip and knee centre \[m\].
    ///
    /// # Errors
    /// As [`Solid::tibia`].
    pub fn femur(length: f64, side: Side) -> Result<Self, BoneError> {
        let bone = Bone { side, ..Bone::new(BoneKind::Femur, Sex::Male) }.stretched(length, 1.0);
        Self::parametric(&bone, &Material::cortical_bone(), &Material::trabecular_bone())
    }

    /// A parametric bone of any size, fineness and material, whose ends are its joint centres.
    ///
    /// # Errors
    /// When the bone or a material is not valid.
    pub fn parametric(bone: &Bone, cortical: &Material, trabecular: &Material) -> Result<Self, BoneError> {
        let built = bone.build()?;
        let materials = built.material_field(cortical, trabecular)?;
        let corners = match bone.kind {
            BoneKind::Tibia => {
                let angle = |landmark| -> Result<f64, BoneError> {
                    let d = bone.landmark(landmark, 0.5)?.point - bone.centroid(0.5)?;
                    Ok((bone.side.outward() * d.z).atan2(d.x))
                };
                Corners { crest: angle(Landmark::AnteriorCrest)?, medial_border: angle(Landmark::MedialBorder)? }
            }
            BoneKind::Tube { .. } | BoneKind::Femur => Corners::CT,
        };
        let joints = joints_of(bone.kind);
        let boundary: Arc<[SurfaceFace]> = built.mesh.boundary()?.into();
        let cortex = boundary.clone();
        let (length, ends) = (bone.length, Ends::whole(bone.length));
        Ok(Solid { mesh: built.mesh, materials, length, ends, side: bone.side, corners, joints, boundary, cortex })
    }

    /// A given bone in its own size, moved and rotated so that its ends lie on the y axis and its anterior side points
    /// forward. Its joint centres are its ends; [`Solid::in_segment`] places it in a segment. Without materials of its
    /// own it is `cortical` bone everywhere, axis 3 along the segment. Sections are those of its cortical bone
    /// ([`cortex`]); the edges of its shaft are found from its section ([`Corners::found`]).
    ///
    /// # Errors
    /// When the marks define no directions, the mesh bounds no solid or lacks the node sets `proximal` and `distal`,
    /// or the material is not admissible.
    pub fn registered(given: &GivenBone, cortical: &Material) -> Result<Self, BoneError> {
        let GivenBone { kind, side, mesh, materials, marks, .. } = given;
        for set in FACE_SETS {
            mesh.node_set(set)?;
        }
        let length = marks.distance();
        if !(0.05..=1.0).contains(&length) {
            return Err(BoneError::invalid("registered bone", format!("a length of {length} m; give 0.05 to 1 m")));
        }
        let turn = marks.turn()?;
        let mesh = mesh.mapped(|x| turn * (x - marks.proximal))?;
        let materials = match materials {
            Some(own) => own.turned(&turn),
            None => MaterialField::uniform_along(&mesh, cortical, &axes_along(&-Vec3::y())?)?,
        };
        let joints = joints_of(*kind);
        let boundary: Arc<[SurfaceFace]> = mesh.boundary()?.into();
        let cortex = match &given.materials {
            Some(_) => cortex::faces(&mesh, &materials)?.into(),
            None => boundary.clone(),
        };
        let (corners, ends) = (Corners::CT, Ends::whole(length));
        let mut solid = Solid { mesh, materials, length, ends, side: *side, corners, joints, boundary, cortex };
        solid.corners = Corners::found(&solid);
        Ok(solid)
    }

    /// The bone with its size multiplied along the segment, anterior and lateral, about its proximal end; its joint
    /// centres are its ends.
    ///
    /// # Errors
    /// When a factor is outside 0.5 to 2.
    pub fn scaled(self, [along, anterior, lateral]: [f64; 3]) -> Result<Self, BoneError> {
        if ![along, anterior, lateral].iter().all(|factor| (0.5..=2.0).contains(factor)) {
            let rule = format!("{along} along, {anterior} anterior, {lateral} lateral; give 0.5 to 2 each");
            return Err(BoneError::invalid("scale of a bone", rule));
        }
        if [along, anterior, lateral] == [1.0; 3] {
            return Ok(self);
        }
        let (top, length) = (self.ends.height(0.0), along * self.ends.length());
        let mesh = self.mesh.mapped(|p| Vec3::new(anterior * p.x, along * (p.y - top), lateral * p.z))?;
        Ok(Solid { mesh, length, ends: Ends::whole(length), ..self })
    }

    /// The bone in a segment whose joint centres are `length` apart \[m\], a tibia with its ends placed by
    /// [`Ends::of_tibia`], a femur with its head in the hip centre; its size stays.
    ///
    /// # Errors
    /// When the length is out of bounds.
    pub fn in_segment(self, length: f64) -> Result<Self, BoneError> {
        if !(0.05..=1.0).contains(&length) {
            return Err(BoneError::invalid("segment", format!("a length of {length} m; give 0.05 to 1 m")));
        }
        let bone = self.ends.length();
        let ends = if self.joints[0] == "hip" { Ends::whole(bone) } else { Ends::of_tibia(bone, length) };
        let shift = Vec3::new(0.0, ends.height(0.0) - self.ends.height(0.0), 0.0);
        Ok(Solid { mesh: self.mesh.mapped(|p| p + shift)?, length, ends, ..self })
    }

    /// The section at a fraction of the bone from its proximal end; axes x and z of the segment.
    ///
    /// # Errors
    /// When the fraction is outside 0 to 1 or the plane cuts no section.
    pub fn section(&self, fraction: f64) -> Result<SectionProperties, BoneError> {
        if !(0.0..=1.0).contains(&fraction) {
            return Err(BoneError::invalid("section", format!("the fraction {fraction} must be within 0 to 1")));
        }
        let at = Vec3::new(0.0, self.ends.height(fraction), 0.0);
        Ok(section_of_faces(&self.mesh, &self.cortex, &at, [Vec3::z(), Vec3::x()])?)
    }

    /// How far the centroid of a section lies anterior and lateral of the line of joint centres \[m\]. At mid-shaft of
    /// 17 CT tibiae 7.6 ± 2.5 and 0.9 ± 2.7 mm; under 3.3 kN a millimetre is 3.3 N m of bending, about 100
    /// microstrain at the crest.
    ///
    /// # Errors
    /// As [`Solid::section`].
    pub fn shaft_offset(&self, fraction: f64) -> Result<[f64; 2], BoneError> {
        let c = self.section(fraction)?.centroid;
        Ok([c.x, self.side.outward() * c.z])
    }

    /// Unit vector along the line of centroids at a fraction of the bone, upward: a bowed shaft is inclined to the
    /// segment (by 2.4 degrees at mid-shaft of a tibia). Its strain follows this line.
    ///
    /// # Errors
    /// As [`Solid::section`].
    pub fn axis(&self, fraction: f64) -> Result<Vec3, BoneError> {
        /// Half the distance of the two centroids, as a fraction of the length.
        const STEP: f64 = 0.02;
        let above = self.section((fraction - STEP).max(0.0))?.centroid;
        let below = self.section((fraction + STEP).min(1.0))?.centroid;
        (above - below)
            .try_normalize(0.0)
            .ok_or_else(|| BoneError::invalid("axis", format!("the shaft has no direction at {fraction}")))
    }

    /// The bone bowed so that its mid-shaft centroid lies this far anterior and lateral of the line of joint centres
    /// \[m\]:
    ///
    /// ```text
    /// x' = x + 16 s² (1 - s)² Δ
    /// ```
    /// s fraction of the bone, Δ the requested minus the present offset. The joint faces and their slopes do not
    /// change (own choice of shape); s is limited to 0 to 1.
    ///
    /// # Errors
    /// When an offset exceeds 30 mm, or the plane cuts no section.
    pub fn with_shaft_offset(&self, anterior: f64, lateral: f64) -> Result<Self, BoneError> {
        if !(anterior.abs() <= 0.03 && lateral.abs() <= 0.03) {
            let rule = format!("{anterior} m anterior, {lateral} m lateral; give at most 0.03 m either way");
            return Err(BoneError::invalid("shaft offset", rule));
        }
        let [x, z] = self.shaft_offset(0.5)?;
        let shift = Vec3::new(anterior - x, 0.0, self.side.outward() * (lateral - z));
        let bump = |y: f64| {
            let s = self.ends.fraction(y).clamp(0.0, 1.0);
            16.0 * (s * (1.0 - s)).powi(2)
        };
        Ok(Solid { mesh: self.mesh.mapped(|p| p + shift * bump(p.y))?, ..self.clone() })
    }

    /// A unit vector across the shaft at an angle from anterior towards lateral \[rad\].
    pub fn direction(&self, angle: f64) -> Vec3 {
        Vec3::new(angle.cos(), 0.0, self.side.outward() * angle.sin())
    }

    /// The faces of the boundary, and of the cortex where it is another.
    pub(crate) fn faces(&self) -> impl Iterator<Item = &SurfaceFace> {
        let inner: &[SurfaceFace] = if Arc::ptr_eq(&self.boundary, &self.cortex) { &[] } else { &self.cortex };
        self.boundary.iter().chain(inner)
    }

    /// The faces of the boundary of the mesh.
    pub(crate) fn boundary(&self) -> &[SurfaceFace] {
        &self.boundary
    }

    /// The nodes of the outer surface: the set `surface` where the mesh has it, else all of the boundary.
    pub fn outer_nodes(&self) -> Vec<usize> {
        if let Ok(nodes) = self.mesh.node_set("surface") {
            return nodes.to_vec();
        }
        let mut nodes: Vec<usize> = self.boundary.iter().flat_map(|face| face.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

impl JointMarks {
    /// Distance of the two ends \[m\].
    pub fn distance(&self) -> f64 {
        (self.proximal - self.distal).norm()
    }

    /// Refuses marks without directions.
    ///
    /// # Errors
    /// When the ends coincide, or `anterior` is along the bone.
    pub fn check(&self) -> Result<(), BoneError> {
        self.turn().map(|_| ())
    }

    /// Rotation into the axes of the segment.
    fn turn(&self) -> Result<Rotation3<f64>, BoneError> {
        let up = self.proximal - self.distal;
        let y = up.try_normalize(0.0);
        let x = y.and_then(|y| (self.anterior - y * y.dot(&self.anterior)).try_normalize(1e-6));
        let (Some(x), Some(y)) = (x, y) else {
            let rule = "the joint centres coincide, or `anterior` is along the bone; give three different marks";
            return Err(BoneError::invalid("joint marks", rule));
        };
        let axes = Mat3::from_columns(&[x, y, x.cross(&y)]);
        if !axes.iter().all(|c| c.is_finite()) {
            return Err(BoneError::invalid("joint marks", "a mark is not finite"));
        }
        Ok(Rotation3::from_matrix_unchecked(axes.transpose()))
    }
}
