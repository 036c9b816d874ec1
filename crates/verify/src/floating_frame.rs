//! A free body of six point masses and three modes: mass matrix, velocity terms, free flight.

use super::items::{Failure, Items};
use super::table::Table;
use super::trial::{self, Sample, dop853};
use nalgebra::{DMatrix, DVector};
use serde::Deserialize;
use std::sync::Arc;
use wolff_flexbody::{FlexBody, InertiaIntegrals};
use wolff_multibody::dynamics::energy::momentum;
use wolff_multibody::dynamics::mass_matrix::MassMatrix;
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_multibody::{Model, System};
use wolff_spatial::{Mat3, Quaternion, Vec3};

/// Tolerance of the mass matrix and the velocity terms, relative to the number or to 1e-3 where it is smaller.
const MATRIX: f64 = 1e-10;

/// Tolerance of the velocity terms in z-x-z angles, absolute [N, N m, N per modal unit]: the derivatives of the
/// reference are finite differences with an error of 1.1e-8.
const ANGLES: f64 = 2e-8;

/// Tolerance of the free flight, absolute \[m, rad/s, J, ...\].
const FLIGHT: f64 = 1e-7;

/// Initial angular velocity of the flight, in the axes of the body \[rad/s\].
const START_OMEGA: [f64; 3] = [0.5, 2.0, -1.0];

#[derive(Deserialize)]
struct Reference {
    source: String,
    masses: Vec<f64>,
    positions: Vec<[f64; 3]>,
    /// Node, direction, mode.
    modes: Vec<[[f64; 3]; 3]>,
    state: Motion,
    mass_matrix: Vec<Vec<f64>>,
    bias: Vec<f64>,
    zxz: Angles,
    stiffness: [f64; 3],
    flight: Table,
}

/// The attitude of the state as rotations about z, x and z, their rates, and the velocity terms for these coordinates.
#[derive(Deserialize)]
struct Angles {
    angles: [f64; 3],
    rates: [f64; 3],
    bias: Vec<f64>,
}

impl Angles {
    /// `G` of `ω = G θ'` in the axes of the body and `G' θ'`.
    fn turning(&self) -> (Mat3, Vec3) {
        let ([_, nutation, spin], [precession_rate, nutation_rate, spin_rate]) = (self.angles, self.rates);
        let ((sn, cn), (ss, cs)) = (nutation.sin_cos(), spin.sin_cos());
        let G = Mat3::new(sn * ss, cs, 0.0, sn * cs, -ss, 0.0, cn, 0.0, 1.0);
        let by_nutation = Vec3::new(cn * ss, cn * cs, -sn) * precession_rate;
        let by_spin = Vec3::new(sn * cs, -sn * ss, 0.0) * precession_rate + Vec3::new(-ss, -cs, 0.0) * nutation_rate;
        (G, by_nutation * nutation_rate + by_spin * spin_rate)
    }
}

/// Attitude, angular velocity in the axes of the body, velocity in ground axes, modes.
#[derive(Deserialize)]
struct Motion {
    axes: [[f64; 3]; 3],
    omega: [f64; 3],
    velocity: [f64; 3],
    eta: Vec<f64>,
    eta_dot: Vec<f64>,
}

impl Motion {
    fn R(&self) -> Mat3 {
        Mat3::from_fn(|i, j| self.axes[i][j])
    }
}

/// Mass matrix and velocity terms in one state, and a flight of one second.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/floating_frame.json"))?;
    items.cite(&reference.source);
    check_equations(items, &reference)?;
    check_flight(items, &reference)
}

/// The body with diagonal modal stiffness, free, in a state of motion.
fn model(reference: &Reference, stiffness: [f64; 3], start: &Motion) -> Result<Model, Failure> {
    let positions: Vec<Vec3> = reference.positions.iter().map(|x| Vec3::from(*x)).collect();
    let shapes: Vec<_> = reference.modes.iter().map(|m| DMatrix::from_fn(3, 3, |i, j| m[i][j])).collect();
    let inertia = InertiaIntegrals::lumped(&reference.masses, &positions, &shapes)?;
    let stiffness = DMatrix::from_diagonal(&DVector::from_row_slice(&stiffness));
    let body = FlexBody::new("body", inertia, stiffness, Vec::new(), Vec::new())?;
    let mut body = BodySpec::flexible("body", Arc::new(body));
    if let Some(flexible) = &mut body.flexible {
        (flexible.eta0, flexible.eta_dot0) = (start.eta.clone(), start.eta_dot.clone());
    }
    let mut q0 = vec![0.0; 7];
    Quaternion::from_matrix(&start.R()).write(&mut q0[..4]);
    let joint = JointSpec {
        name: "free".into(),
        kind: JointKind::Free,
        parent: FrameSpec::at(GROUND, Vec3::zeros()),
        child: FrameSpec::at("body.base", Vec3::zeros()),
        coordinates: Vec::new(),
        q0,
        v0: (start.R() * Vec3::from(start.omega)).iter().copied().chain(start.velocity).collect(),
    };
    let spec = ModelSpec { name: "floating".into(), bodies: vec![body], joints: vec![joint], ..Default::default() };
    Model::build(&spec).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ").into())
}

/// The references have the speeds `u` = (velocity in ground axes, angular velocity in body axes, modal speeds). The
/// free joint has both in ground axes, with the angular velocity first: `v = T u`, hence `Tᵀ M T` and `Tᵀ h`. There is
/// no term with `dT/dt`, since `dA/dt ω = A (ω × ω) = 0`.
fn check_equations(items: &mut Items, reference: &Reference) -> Result<(), Failure> {
    let model = model(reference, [0.0; 3], &reference.state)?;
    let n = model.nv();
    let mut T = DMatrix::identity(n, n);
    T.view_mut((0, 0), (6, 6)).fill(0.0);
    T.fixed_view_mut::<3, 3>(0, 3).copy_from(&reference.state.R());
    T.fixed_view_mut::<3, 3>(3, 0).copy_from(&Mat3::identity());

    let mut system = System::new(&model);
    let mut M = DMatrix::zeros(n, n);
    system.update_kinematics(&model.q0, &model.v0);
    let mut mass = MassMatrix::new(&model);
    mass.compute(&model, &system.kin);
    mass.write_full(&mut M);
    let M = T.transpose() * M * &T;
    let mut h = DVector::zeros(n);
    system.residual(0.0, &model.q0, &model.v0, &vec![0.0; n], &[], h.as_mut_slice());
    let h = T.transpose() * h;

    let tolerance = |x: f64| MATRIX * x.abs().max(1e-3);
    for (i, row) in reference.mass_matrix.iter().enumerate() {
        let ours: Vec<f64> = M.row(i).iter().copied().collect();
        items.lists(&format!("mass_matrix.row{}", i + 1), &ours, row, tolerance);
    }
    for (i, (ours, &theirs)) in h.iter().zip(&reference.bias).enumerate() {
        items.check(&format!("velocity_terms.{}", i + 1), *ours, theirs, tolerance(theirs));
    }
    check_angles(items, &reference.zxz, &M, &h);
    Ok(())
}

/// With `ω' = G θ'' + G' θ'` the velocity terms become `Tᵀ (h + M [0, G' θ', 0])`, `T = diag(1, G, 1)`.
fn check_angles(items: &mut Items, zxz: &Angles, M: &DMatrix<f64>, h: &DVector<f64>) {
    let (G, turned) = zxz.turning();
    let mut bias = h + M.columns(3, 3) * DVector::from_column_slice(turned.as_slice());
    let moments = G.tr_mul(&Vec3::new(bias[3], bias[4], bias[5]));
    bias.rows_mut(3, 3).copy_from(&moments);
    items.lists("velocity_terms.zxz", bias.as_slice(), &zxz.bias, |_| ANGLES);
}

fn check_flight(items: &mut Items, reference: &Reference) -> Result<(), Failure> {
    let start = Motion {
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        omega: START_OMEGA,
        velocity: reference.state.velocity,
        eta: reference.state.eta.clone(),
        eta_dot: reference.state.eta_dot.clone(),
    };
    let model = model(reference, reference.stiffness, &start)?;
    let run = trial::run(&model, dop853(1e-12), &reference.flight.keys())?;
    items.history(
        "flight.",
        &reference.flight,
        |_, _| FLIGHT,
        |row, column| value(&model, run.samples.get(row)?, column),
    );
    Ok(())
}

/// A column of the references.
fn value(model: &Model, at: &Sample, column: &str) -> Option<f64> {
    let mut system = System::new(model);
    system.update_kinematics(&at.q, &at.v);
    let body = system.kin.bodies.get(model.body_index("body")?)?;
    let about_origin = momentum(&system.kin, &Vec3::zeros());
    let Some((name, component)) = column.split_once('.') else {
        let (kinetic, potential) = system.energy(at.t, &at.q, &at.v);
        return (column == "energy_j").then_some(kinetic + potential);
    };
    let index = ["x", "y", "z"].iter().position(|axis| *axis == component);
    let mode = || component.parse::<usize>().ok()?.checked_sub(1);
    match name {
        "R" => Some(body.X_GB.p[index?]),
        "velocity" => Some(at.v[3 + index?]),
        "omega" => Some(body.X_GB.R.tr_mul(&body.V.w)[index?]),
        "quaternion" => at.q.get(["w", "x", "y", "z"].iter().position(|axis| *axis == component)?).copied(),
        "eta" => at.q.get(7 + mode()?).copied(),
        "eta_dot" => at.v.get(6 + mode()?).copied(),
        "momentum" => Some(about_origin.f[index?]),
        "angular_momentum" => Some(about_origin.n[index?]),
        _ => None,
    }
}
