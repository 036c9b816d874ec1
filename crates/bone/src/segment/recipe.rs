//! From a solid to a flexible segment.

use std::path::PathBuf;
use std::sync::Arc;

use wolff_fem::attachment::{Patch, PointSpec};
use wolff_fem::dofs::Constraints;
use wolff_fem::gauge::{GaugePlace, GaugeSpec};
use wolff_fem::reduce::Reduction;
use wolff_flexbody::{FlexBody, Surface};
use wolff_multibody::spec::{BodySpec, FrameSpec};
use wolff_spatial::{MassProperties, Pose, Vec3};

use super::attachment::PATCH_RADIUS;
use super::attachment::{Attachment, AttachmentKind, check_names};
use super::basis::{self, Basis, NominalLoads, Statics};
use super::fibula::{self, Fibula};
use super::tissue::add_tissue;
use crate::BoneError;
use crate::cache::{self, ReducedBody};
use crate::person::Solid;
use crate::section::torsion_constant;

/// Nodes that follow a ring of the shaft at 20 and 80 % of the bone, to measure how one end bends relative to the
/// other.
pub const RING_NAMES: [&str; 2] = ["shaft_20", "shaft_80"];

/// Where these rings are, as fractions of the bone, and half their height.
const RINGS: [f64; 2] = [0.2, 0.8];
const RING_HALF_HEIGHT: f64 = 0.02;

/// Minimum distance of a gauge from a rigid interface \[m\]: it stiffens the shaft over about one diameter.
pub const RIGID_CLEARANCE: f64 = 0.045;

/// How to make a flexible segment from a solid.
#[derive(Debug, Clone)]
pub struct BoneRecipe<'a> {
    /// Name of the body, such as `shank_r`.
    pub name: String,
    /// The bone in the frame of its segment.
    pub solid: &'a Solid,
    /// Where muscles attach.
    pub attachments: Vec<Attachment>,
    /// Strain gauges, in the frame of the segment.
    pub gauges: Vec<GaugeSpec>,
    /// Fixed-interface modes of the reduction, before the basis is chosen.
    pub fixed_modes: usize,
    /// Which modal coordinates are kept.
    pub basis: Basis,
    /// Critical damping ratio of every mode. 1 as in the flexible walking models: soft tissue damps a living bone.
    pub damping_ratio: f64,
    /// Mass, mass centre and inertia of the whole segment; `None` for the bare bone. The difference to the bone is
    /// soft tissue that moves with the floating frame and not with the modes: its weight and inertia act on the bone
    /// distributed like the bone's own mass.
    pub segment: Option<MassProperties>,
    /// The fibula; `None` for the tibia alone.
    pub fibula: Option<Fibula>,
    /// Second-order displacements: axial force stiffens and softens bending.
    pub stiffening: bool,
    /// Keep the surface with the displacements and strains of the kept modes, for pictures.
    pub surface: bool,
    /// Folder that keeps reductions, which take most of the time. A damaged file or one of another recipe is ignored; a
    /// folder that cannot be written to keeps nothing.
    pub cache: Option<PathBuf>,
    /// Compare all modes with the whole mesh under unit loads; costs another factorisation.
    pub check: bool,
}

/// A flexible segment.
#[derive(Debug, Clone)]
pub struct WalkingBone {
    /// The body: nodes of both joints, of attachments, of the rings; gauges.
    pub body: Arc<FlexBody>,
    /// Attachments as given.
    pub attachments: Vec<Attachment>,
    /// Names of the joints.
    pub joints: [String; 2],
    /// Surface for pictures.
    pub surface: Option<Surface>,
    /// The solid that it was made of.
    pub solid: Arc<Solid>,
    /// Size and accuracy.
    pub report: BoneReport,
    nodes: Vec<String>,
}

/// Size and accuracy of a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneReport {
    /// Mass of the bone alone \[kg\].
    pub bone_mass: f64,
    /// Length of the bone between its ends \[m\].
    pub length: f64,
    /// Gaps between the joint centres and the ends of the bone: proximal, distal \[m\].
    pub gaps: [f64; 2],
    /// The section at half of its length.
    pub midshaft: ShaftSection,
    /// Centroid of the shaft anterior and lateral of the line of joint centres at 25, 50 and 75 % of the bone \[m\].
    pub shaft_offsets: [[f64; 2]; 3],
    /// Modes of the reduction, before the basis was chosen.
    pub available: usize,
    /// Natural frequencies of the kept modes \[Hz\].
    pub frequencies: Vec<f64>,
    /// Largest difference of a gauge's static in-plane strain with the kept modes from that with all, over balanced
    /// loads of the magnitude of walking at joints and attachments ([`basis::NOMINAL`]).
    pub gauge_error: f64,
    /// The load of this maximum.
    pub worst_load: String,
    /// Largest difference of a gauge's strain with all modes from that of the whole mesh under unit loads, relative
    /// to the maximum at any gauge, if it was checked.
    pub reduction_error: Option<f64>,
    /// Attachments whose patch is closer than a bone's diameter to a gauge: the strain there is local.
    pub near_gauges: Vec<(String, String)>,
    /// Stiffness of the fibula \[N/m\].
    pub fibula_stiffness: Option<f64>,
    /// Remarks on its size and position for the user.
    pub remarks: Vec<String>,
    /// Seconds by phase.
    pub seconds: Vec<(&'static str, f64)>,
}

/// Size of a section across the segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShaftSection {
    /// Area of the bone \[m²\].
    pub area: f64,
    /// Principal second moments of area, the larger first \[m⁴\].
    pub second_moments: [f64; 2],
    /// Saint-Venant's torsion constant \[m⁴\]; `None` where the outline is not visible from the centroid.
    pub torsion_constant: Option<f64>,
}

impl ShaftSection {
    /// Of a solid at a fraction of the bone.
    ///
    /// # Errors
    /// As [`Solid::section`].
    pub fn cut(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let section = solid.section(fraction)?;
        let torsion_constant = torsion_constant(solid, fraction).ok();
        Ok(ShaftSection { area: section.area, second_moments: section.principal_moments(), torsion_constant })
    }
}

/// A reduction with all modes.
struct Prepared {
    body: FlexBody,
    surface: Option<Surface>,
    reduction_error: Option<f64>,
    seconds: Vec<(&'static str, f64)>,
}

impl<'a> BoneRecipe<'a> {
    /// The bare bone with damping ratio 1 and all modes of a reduction with 12 fixed-interface modes.
    ///
    /// [`Basis::Gauges`] needs fewer: with three vibrations (310 to 960 Hz for a tibia, above what walking excites) and
    /// an error of 20 microstrain, 19 to 31 modes with a dozen muscles, where the 40 lowest modes err by 50 to 700.
    pub fn new(name: &str, solid: &'a Solid) -> Self {
        BoneRecipe {
            name: name.into(),
            solid,
            attachments: Vec::new(),
            gauges: Vec::new(),
            fixed_modes: 12,
            basis: Basis::All,
            damping_ratio: 1.0,
            segment: None,
            fibula: None,
            stiffening: false,
            surface: false,
            cache: None,
            check: false,
        }
    }

    /// Makes the segment.
    ///
    /// # Errors
    /// When a part is out of bounds or does not fit the solid.
    pub fn make(&self) -> Result<WalkingBone, BoneError> {
        check_names(self.solid, &self.attachments, self.fibula.as_ref())?;
        self.check_clearance()?;
        let Prepared { body: mut full, surface, reduction_error, mut seconds } = self.prepare()?;
        let start = std::time::Instant::now();
        let fibula_stiffness = self.add_fibula(&mut full)?;
        let loads = NominalLoads::new(&full, &self.solid.joints, &RING_NAMES)?;
        let [proximal, distal] = &self.solid.joints;
        let statics = Statics::new(&full, &loads, &[[proximal.as_str(), distal.as_str()], RING_NAMES])?;
        let shapes = basis::shapes(&statics, &self.basis)?;
        let (gauge_error, worst) = statics.error(&shapes);
        let mut body = basis::combined(&full, &shapes);
        let bone_mass = body.inertia.mass;
        if let Some(segment) = &self.segment {
            add_tissue(&mut body, segment)?;
        }
        let ratios = vec![self.damping_ratio; body.modes()];
        let body = body.with_damping_ratios(&ratios)?;
        body.check()?;
        seconds.push(("basis", start.elapsed().as_secs_f64()));
        let report = BoneReport {
            bone_mass,
            length: self.solid.ends.length(),
            gaps: self.solid.ends.gaps(self.solid.length),
            midshaft: ShaftSection::cut(self.solid, 0.5)?,
            shaft_offsets: self.shaft_offsets()?,
            available: full.modes(),
            frequencies: body.frequencies(),
            gauge_error,
            worst_load: loads.names.get(worst).cloned().unwrap_or_default(),
            reduction_error,
            near_gauges: self.near_gauges()?,
            fibula_stiffness,
            remarks: Vec::new(),
            seconds,
        };
        let nodes = self.attachments.iter().map(|a| a.node(self.solid).to_owned()).collect();
        let surface =
            surface.map(|s| Surface { displacement: &s.displacement * &shapes, strain: &s.strain * &shapes, ..s });
        let (attachments, joints) = (self.attachments.clone(), self.solid.joints.clone());
        let solid = Arc::new(self.solid.clone());
        Ok(WalkingBone { body: Arc::new(body), attachments, joints, surface, solid, report, nodes })
    }

    fn shaft_offsets(&self) -> Result<[[f64; 2]; 3], BoneError> {
        let at = |fraction| self.solid.shaft_offset(fraction);
        Ok([at(0.25)?, at(0.5)?, at(0.75)?])
    }

    /// The reduction with all modes, read from the cache if it is there.
    fn prepare(&self) -> Result<Prepared, BoneError> {
        let start = std::time::Instant::now();
        let ReducedBody { body, surface, report } = cache::reduce(&self.reduction()?, self.cache.as_deref())?;
        let errors = report.iter().flat_map(|report| &report.gauge_errors).map(|e| e.relative);
        let reduction_error = self.check.then(|| errors.fold(0.0, f64::max));
        let seconds = match report {
            Some(report) => report.seconds,
            None => vec![("read", start.elapsed().as_secs_f64())],
        };
        Ok(Prepared { body, surface, reduction_error, seconds })
    }

    /// The reduction to both joints and all points, undamped.
    fn reduction(&self) -> Result<Reduction<'_>, BoneError> {
        let solid = self.solid;
        let mesh = &solid.mesh;
        let [proximal, distal] = &solid.joints;
        let ends = Constraints::default().tie(proximal, Vec3::zeros(), mesh.node_set("proximal")?).tie(
            distal,
            Vec3::new(0.0, -solid.length, 0.0),
            mesh.node_set("distal")?,
        );
        let mut reduction = Reduction::new(&self.name, mesh, &solid.materials, ends);
        reduction.points = self.points()?;
        reduction.gauges = self.gauges.clone();
        reduction.fixed_modes = self.fixed_modes;
        reduction.relief = true;
        reduction.stiffening = self.stiffening;
        reduction.surface = self.surface;
        reduction.check = self.check;
        reduction.damping_ratio = 0.0;
        Ok(reduction)
    }

    /// Rings, the head of the fibula, and the patches of attachments.
    fn points(&self) -> Result<Vec<PointSpec>, BoneError> {
        let solid = self.solid;
        let outer = solid.outer_nodes();
        let mut points: Vec<PointSpec> = Vec::new();
        for (name, fraction) in RING_NAMES.into_iter().zip(RINGS) {
            let height = |node: usize| solid.ends.fraction(solid.mesh.nodes()[node].y) - fraction;
            let ring = outer.iter().copied().filter(|&node| height(node).abs() <= RING_HALF_HEIGHT).collect();
            let position = Vec3::new(0.0, solid.ends.height(fraction), 0.0);
            points.push(PointSpec { name: name.into(), position, patch: Patch::Nodes(ring) });
        }
        let head = self.fibula.map(|f| Attachment::patch(fibula::HEAD, f.head));
        for attachment in head.iter().chain(&self.attachments) {
            points.extend(attachment.point_spec(solid, &outer)?);
        }
        Ok(points)
    }

    fn add_fibula(&self, body: &mut FlexBody) -> Result<Option<f64>, BoneError> {
        let Some(fibula) = &self.fibula else { return Ok(None) };
        fibula.check()?;
        let joint = &self.solid.joints[1];
        for attachment in self.attachments.iter().filter(|a| a.kind == AttachmentKind::Fibula) {
            let node = fibula.node(body, joint, &attachment.name, attachment.point)?;
            body.nodes.push(node);
        }
        Ok(Some(fibula.join(body, &self.solid.joints)?))
    }

    /// Refuses gauges near the rigid joint faces.
    fn check_clearance(&self) -> Result<(), BoneError> {
        let mesh = &self.solid.mesh;
        for (joint, set) in self.solid.joints.iter().zip(["proximal", "distal"]) {
            let rigid = mesh.node_set(set)?;
            for gauge in &self.gauges {
                let Some(at) = position(gauge, mesh.nodes()) else { continue };
                let nearest = rigid.iter().map(|&n| (mesh.nodes()[n] - at).norm()).fold(f64::INFINITY, f64::min);
                if nearest < RIGID_CLEARANCE {
                    let rule = format!(
                        "is {:.0} mm from the rigid face of the {joint}; keep {:.0} mm away",
                        1e3 * nearest,
                        1e3 * RIGID_CLEARANCE
                    );
                    return Err(BoneError::invalid(format!("gauge `{}`", gauge.name), rule));
                }
            }
        }
        Ok(())
    }

    /// Attachments whose patch begins within a diameter of a gauge, with the first such gauge.
    fn near_gauges(&self) -> Result<Vec<(String, String)>, BoneError> {
        let nodes = self.solid.mesh.nodes();
        let mut near = Vec::new();
        for point in self.points()?.iter().skip(RINGS.len()) {
            let Patch::Nodes(patch) = &point.patch else { continue };
            let close = |gauge: &&GaugeSpec| {
                position(gauge, nodes)
                    .is_some_and(|at| patch.iter().any(|&n| (nodes[n] - at).norm() < 2.0 * PATCH_RADIUS))
            };
            near.extend(self.gauges.iter().find(close).map(|g| (point.name.clone(), g.name.clone())));
        }
        Ok(near)
    }
}

fn position(gauge: &GaugeSpec, nodes: &[Vec3]) -> Option<Vec3> {
    match &gauge.place {
        GaugePlace::Node(node) => nodes.get(*node).copied(),
        GaugePlace::NearestNode(point) | GaugePlace::Point { point, .. } => Some(*point),
    }
}

impl WalkingBone {
    /// The body for a model, under its own name.
    pub fn body_spec(&self) -> BodySpec {
        BodySpec::flexible(&self.body.name, self.body.clone())
    }

    /// Where an attachment is in a model: node of the body, and place on it.
    ///
    /// # Errors
    /// When there is no such attachment.
    pub fn frame(&self, attachment: &str) -> Result<FrameSpec, BoneError> {
        let found = self.attachments.iter().zip(&self.nodes).find(|(a, _)| a.name == attachment);
        let Some((attachment, node)) = found else {
            let names: Vec<&str> = self.attachments.iter().map(|a| a.name.as_str()).collect();
            let rule = format!("there is no such attachment; there are {}", names.join(", "));
            return Err(BoneError::invalid(format!("attachment `{attachment}`"), rule));
        };
        let offset = attachment.point - self.body.node(node)?.position;
        Ok(FrameSpec { body: format!("{}.{node}", self.body.name), pose: Pose::translation(offset) })
    }

    /// The frame of a joint: 0 proximal, 1 distal; axes of the segment.
    pub fn joint_frame(&self, end: usize) -> FrameSpec {
        let joint = &self.joints[end.min(1)];
        FrameSpec { body: format!("{}.{joint}", self.body.name), pose: Pose::IDENTITY }
    }
}
