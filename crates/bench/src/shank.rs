//! The flexible pendulum for the comparison of programs: a bone-sized tube of four-node elements, reduced, hinged and
//! dropped.
//!
//! The mesh lies along z. Both end faces are rigid; the tube is attached at the centre of the face at `z = 0` by a
//! hinge about y, starts horizontal at rest and falls along -x under 9.81 m/s². The material is isotropic with 17 GPa,
//! Poisson's ratio 0.3 and 3544.127 kg/m³.

use std::sync::Arc;
use std::time::Instant;

use nalgebra::Vector3;
use wolff_fem::dofs::Constraints;
use wolff_fem::gauge::{GaugePlace, GaugeSpec};
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::reduce::Reduction;
use wolff_fem::{FemError, TetMesh};
use wolff_flexbody::FlexBody;
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Recorder, Settings, simulate};
use wolff_multibody::spec::*;
use wolff_multibody::{Frame, Model, System};
use wolff_numerics::{MechanicalMethod, MechanicalOptions};
use wolff_spatial::Vec3;

/// Length of the tube \[m\].
pub const LENGTH: f64 = 0.421;

/// Outer radius of the tube \[m\].
pub const OUTER_RADIUS: f64 = 0.037;

/// Stiffness-proportional damping \[s\] of the compared runs.
pub const BETA: f64 = 1e-5;

/// The reduced tube with the time of each phase \[s\]; strain modes at all surface nodes, a gauge at mid-length on the
/// +x side.
///
/// # Errors
/// If the mesh is not that of the tube.
pub fn reduce(mesh: &TetMesh, normal_modes: usize, surface: bool) -> Result<(FlexBody, f64), FemError> {
    let start = Instant::now();
    let material = Material { elasticity: Elasticity::Isotropic { young: 17e9, poisson: 0.3 }, density: 3544.127 };
    let materials = MaterialField::uniform(mesh, &material)?;
    let interfaces = Constraints::default().tie("knee", Vector3::zeros(), &mesh.nodes_where(|x| x.z < 1e-9)).tie(
        "ankle",
        Vector3::new(0.0, 0.0, LENGTH),
        &mesh.nodes_where(|x| x.z > LENGTH - 1e-9),
    );
    let mut reduction = Reduction::new("shank", mesh, &materials, interfaces);
    reduction.fixed_modes = normal_modes;
    reduction.damping_ratio = 0.0;
    reduction.check = false;
    reduction.surface = surface;
    let middle = Vector3::new(OUTER_RADIUS, 0.0, LENGTH / 2.0);
    reduction.gauges =
        vec![GaugeSpec { name: "middle".into(), place: GaugePlace::NearestNode(middle), along: Vector3::z() }];
    let body = reduction.run()?.body.with_rayleigh_damping(0.0, BETA);
    Ok((body, start.elapsed().as_secs_f64()))
}

/// The pendulum.
///
/// # Errors
/// If the model of the pendulum is invalid, with the reasons.
pub fn pendulum(body: FlexBody) -> Result<Model, String> {
    let spec = ModelSpec {
        name: "flexible pendulum".into(),
        gravity: Vec3::new(-9.81, 0.0, 0.0),
        bodies: vec![BodySpec::flexible("shank", Arc::new(body))],
        joints: vec![JointSpec {
            name: "hinge".into(),
            kind: JointKind::Pin { axis: Vec3::y() },
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("shank.knee", Vec3::zeros()),
            coordinates: Vec::new(),
            q0: Vec::new(),
            v0: Vec::new(),
        }],
        constraints: Vec::new(),
    };
    Model::build(&spec).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

/// A simulated swing: position of the tip and axial strain at the gauge, every hundredth of a second.
#[derive(Clone, Debug, Default)]
pub struct Swing {
    /// Time \[s\].
    pub time: Vec<f64>,
    /// The point of the far end face on the +x side \[m\].
    pub tip: Vec<Vec3>,
    /// Axial strain.
    pub strain: Vec<f64>,
    /// Computing time \[s\].
    pub seconds: f64,
}

struct Watch {
    tip: Option<Frame>,
    body: usize,
    swing: Swing,
}

impl Recorder for Watch {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        system.update_kinematics(q, v);
        let eta = &q[system.model.bodies()[self.body].modal_q()];
        let gauge = system.model.flexible(self.body).and_then(|f| f.data.gauges.first());
        self.swing.time.push(t);
        self.swing.tip.extend(self.tip.as_ref().map(|tip| system.kin.pose(tip).p));
        self.swing.strain.extend(gauge.map(|gauge| gauge.strain(eta)[0]));
    }
}

/// Simulates `t_end` seconds with steps of `h` by the generalised-α method with spectral radius 0.9.
///
/// # Errors
/// If the integration fails, with the reason.
pub fn swing(model: &Model, h: f64, t_end: f64) -> Result<Swing, String> {
    let options =
        MechanicalOptions { method: MechanicalMethod::GeneralizedAlpha { rho_inf: 0.9 }, h, ..Default::default() };
    let settings = Settings {
        integrator: Integrator::Mechanical(options),
        constraints: ConstraintHandling::None,
        t_start: 0.0,
        t_end,
        until_rest: None,
        assemble: false,
    };
    let samples = (t_end / 0.01).round() as usize;
    let times: Vec<f64> = (0..=samples).map(|k| 0.01 * k as f64).collect();
    let tip = model.frame(&FrameSpec::at("shank.ankle", Vec3::new(OUTER_RADIUS, 0.0, 0.0)));
    let body = model.body_index("shank").ok_or("the pendulum has no shank")?;
    let mut watch = Watch { tip, body, swing: Swing::default() };
    let start = Instant::now();
    simulate(model, &settings, &model.q0, &model.v0, &times, &mut watch).map_err(|e| e.to_string())?;
    watch.swing.seconds = start.elapsed().as_secs_f64();
    Ok(watch.swing)
}
