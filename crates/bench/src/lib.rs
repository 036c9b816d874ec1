//! Speed compared with other programs, measured in the same run on the same problem.

#![allow(non_snake_case)]

mod ball;
mod flexible;
mod gait;
mod gait_forward;
mod knee;
mod mesh;
mod mesh_score;
mod opensim;
mod peers;
pub mod shank;

pub use mesh::work as make_mesh;
use peers::PeerResult;
use std::hint::black_box;
use std::time::Instant;
use wolff_multibody::benchmark::chain;
use wolff_multibody::dynamics::mass_matrix::MassMatrix;
use wolff_multibody::{Baumgarte, Model, System};

/// Links of the chain: 26 degrees of freedom.
const LINKS: usize = 20;

/// Maximum relative difference to the accelerations and torques of another engine that counts as agreement.
const AGREEMENT: f64 = 1e-6;

/// One measurement.
#[derive(Clone, Debug)]
pub struct BenchRow {
    /// The computation.
    pub name: String,
    /// Unit of the values.
    pub unit: String,
    /// The value of Wolff.
    pub value: f64,
    /// Another program, or a limit, and its value.
    pub peer: Option<(String, f64)>,
    /// Its value divided by that of Wolff: greater than one where Wolff is faster.
    pub ratio: Option<f64>,
}

impl BenchRow {
    /// A row compared with another program or a limit.
    fn against(name: String, unit: &str, value: f64, peer: Option<(String, f64)>) -> Self {
        let ratio = peer.as_ref().map(|(_, theirs)| theirs / value);
        BenchRow { name, unit: unit.into(), value, peer, ratio }
    }
}

/// A table of figures that are no times only.
#[derive(Clone, Debug)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// One cell per column in each row.
    pub rows: Vec<Vec<String>>,
}

/// All measurements.
#[derive(Clone, Debug)]
pub struct BenchReport {
    /// Rows in the order of measurement.
    pub rows: Vec<BenchRow>,
    /// Tables of figures.
    pub tables: Vec<Table>,
    /// Remarks: which programs are not available, where results differ.
    pub remarks: Vec<String>,
}

/// A function that adds the rows of a part.
type Part<'a> = &'a dyn Fn(&mut BenchReport);

/// Runs all benchmarks, or the parts whose name contains `only`; other programs are measured where a Python with their
/// packages is found. `large` includes the largest mesh.
pub fn run(large: bool, only: Option<&str>) -> BenchReport {
    let mut report = BenchReport { rows: Vec::new(), tables: Vec::new(), remarks: Vec::new() };
    let parts: [(&str, Part<'_>); 6] = [
        ("chain", &rigid),
        ("ball", &ball::run),
        ("knee", &knee::run),
        ("gait", &gait::run),
        ("flexible", &|report| flexible::run(report, large)),
        ("mesh", &|report| mesh::run(report, large)),
    ];
    for (name, part) in parts {
        if only.is_none_or(|pattern| name.contains(pattern)) {
            part(&mut report);
        }
    }
    report
}

fn rigid(report: &mut BenchReport) {
    match chain(LINKS) {
        Ok(model) => measure_chain(&model, report),
        Err(errors) => report.remarks.extend(errors.iter().map(ToString::to_string)),
    }
}

fn measure_chain(model: &Model, report: &mut BenchReport) {
    let peers = peers::run(&mut report.remarks);
    let ours = measure(model);
    for peer in &peers {
        compare("accelerations", &ours.accelerations, &peer.accelerations, peer, &mut report.remarks);
        compare("torques", &ours.torques, &peer.torques, peer, &mut report.remarks);
    }
    report.rows.extend(rows("forward dynamics, 26-dof chain", ours.forward_us, &peers, |p| Some(p.forward_us)));
    report.rows.extend(rows("inverse dynamics, 26-dof chain", ours.inverse_us, &peers, |p| Some(p.inverse_us)));
    report.rows.extend(rows("mass matrix, 26-dof chain", ours.mass_matrix_us, &peers, |p| p.mass_matrix_us));
}

/// One row per program that does this computation, or one of Wolff alone.
fn rows(name: &str, value: f64, peers: &[PeerResult], theirs: fn(&PeerResult) -> Option<f64>) -> Vec<BenchRow> {
    let row = |peer: Option<(String, f64)>| BenchRow::against(name.into(), "us", value, peer);
    let measured: Vec<_> = peers.iter().filter_map(|p| Some((p.name.clone(), theirs(p)?))).collect();
    match measured.is_empty() {
        true => vec![row(None)],
        false => measured.into_iter().map(|peer| row(Some(peer))).collect(),
    }
}

/// Adds remarks on the differences between the engines.
fn compare(what: &str, ours: &[f64], theirs: &[f64], peer: &PeerResult, remarks: &mut Vec<String>) {
    let scale = ours.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    let pairs = ours.iter().zip(theirs);
    let difference = pairs.map(|(a, b)| (a - b).abs() / scale).fold(0.0, f64::max);
    let agrees = ours.len() == theirs.len() && difference <= AGREEMENT;
    let verdict = if agrees { "agree" } else { "DIFFER" };
    remarks.push(format!("{what} of the 20 hinges {verdict} with {}: {difference:.1e} relative", peer.name));
}

struct Ours {
    forward_us: f64,
    inverse_us: f64,
    mass_matrix_us: f64,
    accelerations: Vec<f64>,
    torques: Vec<f64>,
}

fn measure(model: &Model) -> Ours {
    let mut system = System::new(model);
    let (q, v) = (&model.q0, &model.v0);
    let n = model.nv();
    let zero = vec![0.0; n];
    let (mut a, mut tau) = (zero.clone(), zero.clone());
    let mut mass = MassMatrix::new(model);
    let forward_us = best_us(|| {
        // the chain has inertia everywhere, so this cannot fail; the comparison would show a NaN
        let _ = system.accelerations(0.0, black_box(q), black_box(v), Baumgarte::NONE, &mut a);
    });
    let inverse_us = best_us(|| system.residual(0.0, black_box(q), black_box(v), black_box(&zero), &[], &mut tau));
    let mass_matrix_us = best_us(|| {
        system.update_kinematics(black_box(q), black_box(&zero));
        mass.compute(model, &system.kin);
    });
    let hinges = n - LINKS;
    Ours {
        forward_us,
        inverse_us,
        mass_matrix_us,
        accelerations: a[hinges..].to_vec(),
        torques: tau[hinges..].to_vec(),
    }
}

/// Time of a call [us]: the fastest of many short batches, which other work on the machine disturbs least. The other
/// programs are timed in the same way.
fn best_us(call: impl FnMut()) -> f64 {
    best_of(100, 1000, call)
}

/// The same with a given number of batches and of calls per batch.
fn best_of(batches: usize, calls: usize, mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..batches {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best / calls as f64 * 1e6
}
