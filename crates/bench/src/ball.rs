//! Springs on the surface of a ball pushed by a plane, compared with OpenSim's elastic foundation on the same mesh.

use super::peers::python;
use super::{BenchReport, BenchRow, best_of};
use serde_json::Value;
use std::f64::consts::PI;
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;
use wolff_contact::foundation::{
    Along, Distance, ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial,
    LayerThickness, Rule, Strain,
};
use wolff_geometry::{Plane, Sphere, TriangleMesh};
use wolff_spatial::{Motion, Pose, Vec3};

/// Python program that times OpenSim.
const SCRIPT: &str = include_str!("ball.py");

/// Radius of the ball \[m\], and pressure per depth of its elastic layer \[Pa/m\].
const RADIUS: f64 = 0.1;
const STIFFNESS: f64 = 1e8;

/// Depths \[m\] at which forces are compared; times are measured at 5 mm.
const DEPTHS: [f64; 3] = [0.001, 0.005, 0.01];
const TIMED: f64 = 0.005;

/// Number of subdivisions of the icosahedron: 5,120 triangles.
const HALVINGS: u32 = 4;

/// Curved elements along a side of each of the six faces of a cube projected onto the ball: as many as triangles, and
/// fewer.
const ALONG_FACE: [usize; 5] = [30, 20, 12, 10, 8];

/// Maximum accepted error of the force \[%\].
const ERROR_LIMIT: f64 = 0.2;

/// Maximum time of an evaluation where OpenSim is not available [us]: a fifth of the time that it took where it was.
const TIME_LIMIT: f64 = 10.0;

/// Batches of 50 evaluations, of which the fastest counts: together about as long as OpenSim is measured.
const BATCHES: usize = 400;

/// Results of OpenSim.
struct Peer {
    name: String,
    contact_us: f64,
    forces: Vec<f64>,
}

/// Adds the rows of this part.
pub(super) fn run(report: &mut BenchReport) {
    if let Err(problem) = measure_all(report) {
        report.remarks.push(format!("ball with an elastic layer: {problem}"));
    }
}

fn measure_all(report: &mut BenchReport) -> Result<(), String> {
    let mesh = TriangleMesh::icosphere(RADIUS, HALVINGS).map_err(text)?;
    let peer = opensim(&mesh)
        .map_err(|reason| report.remarks.push(format!("OpenSim's elastic foundation was not measured: {reason}")))
        .ok();
    let flat = ElementSet::from_triangles("ball", mesh.vertices(), mesh.triangles(), RADIUS).map_err(text)?;
    let mut ways = vec![
        ("flat triangles, OpenSim's rule", flat.clone(), Rule::Centre),
        ("flat triangles, adaptive", flat, Rule::Adaptive),
    ];
    for along in ALONG_FACE {
        ways.push(("curved elements, adaptive", curved(along)?, Rule::Adaptive));
    }
    let mut best: Option<(f64, String)> = None;
    for (way, set, rule) in ways {
        let way = format!("{} {way}", set.elements.len());
        let (time, error) = measure(report, &way, set, rule, peer.as_ref())?;
        if error <= ERROR_LIMIT && best.as_ref().is_none_or(|(least, _)| time < *least) {
            best = Some((time, way));
        }
    }
    if let Some((time, way)) = best {
        let name = format!("ball on plane, minimum time at errors up to {ERROR_LIMIT} %: {way}");
        report.rows.push(BenchRow::against(name, "us", time, Some(time_to_beat(peer.as_ref()))));
    }
    Ok(())
}

/// Time of the other program \[us\], or the limit where it is not available.
fn time_to_beat(peer: Option<&Peer>) -> (String, f64) {
    peer.map_or_else(|| ("limit".into(), TIME_LIMIT), |p| (p.name.clone(), p.contact_us))
}

/// Time of an evaluation \[us\], and the maximum error of the force against `k π R d²` \[%\].
fn measure(
    report: &mut BenchReport,
    way: &str,
    set: ElementSet,
    rule: Rule,
    peer: Option<&Peer>,
) -> Result<(f64, f64), String> {
    let pair = pushed(set, rule)?;
    let mut memory = pair.memory();
    let mut force = |depth: f64| {
        let pose = Pose::translation(Vec3::y() * (depth - RADIUS));
        pair.evaluate(&mut memory, &pose, &Motion::ZERO).map(|result| -result.total.on_moving.f.y).map_err(text)
    };
    let errors = DEPTHS.map(|depth| force(depth).map(|f| percent_off(f, depth)));
    // back and forth by a micrometre: an unchanged pose is not computed again
    let mut side = 1e-6;
    let value = best_of(BATCHES, 50, || {
        side = -side;
        let _ = black_box(force(TIMED + side));
    });
    let name = format!("ball on plane, {way}, 5 mm deep");
    report.rows.push(BenchRow::against(name, "us", value, Some(time_to_beat(peer))));
    let mut worst: f64 = 0.0;
    for (k, (depth, error)) in DEPTHS.into_iter().zip(errors).enumerate() {
        let theirs = peer.and_then(|p| Some((p.name.clone(), percent_off(*p.forces.get(k)?, depth))));
        let limit = theirs.or_else(|| Some(("limit".into(), ERROR_LIMIT)));
        let name = format!("error of the force, {way}, {} mm deep", 1e3 * depth);
        let error = error?;
        worst = worst.max(error);
        report.rows.push(BenchRow::against(name, "%", error, limit));
    }
    Ok((value, worst))
}

/// Relative difference of a force \[N\] from `k π R d²`, the integral over a sphere \[%\].
fn percent_off(force: f64, depth: f64) -> f64 {
    100.0 * (force / (STIFFNESS * PI * RADIUS * depth * depth) - 1.0).abs()
}

/// The ball's springs under a plane, on one thread.
fn pushed(set: ElementSet, rule: Rule) -> Result<FoundationPair, String> {
    let settings = FoundationSettings {
        distance: Distance::Minimum,
        along: Along::MovingNormal,
        rule,
        threads_from: usize::MAX,
        ..Default::default()
    };
    let material = LayerMaterial::linear(STIFFNESS * RADIUS, 0.0, Strain::Small).map_err(text)?;
    let floor = Plane::new(Vec3::zeros(), Vec3::y()).map_err(text)?;
    FoundationPair::new(set, Arc::new(floor), material, settings).map_err(text)
}

/// The whole sphere as the six faces of a cube.
fn curved(along_face: usize) -> Result<ElementSet, String> {
    let sphere = Sphere::new(Vec3::zeros(), RADIUS).map_err(text)?;
    let quarter = (-0.25 * PI, 0.25 * PI);
    let mut faces = Vec::new();
    for (towards, along) in [(Vec3::x(), Vec3::y()), (Vec3::y(), Vec3::z()), (Vec3::z(), Vec3::x())] {
        for towards in [towards, -towards] {
            let surface = ElementSurface::Sphere { centre: Vec3::zeros(), towards, along, radius: 0.5 * RADIUS };
            let grid = Grid { surface, first: quarter, second: quarter, counts: (along_face, along_face) };
            let layer = LayerThickness::Constant(RADIUS);
            faces.push(grid.project("ball", &sphere, (0.0, RADIUS), &layer).map_err(text)?);
        }
    }
    Ok(ElementSet::join(faces))
}

fn opensim(mesh: &TriangleMesh) -> Result<Peer, String> {
    let folder = std::env::temp_dir().join(format!("wolff-bench-ball-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let file = folder.join("ball.obj");
    let result = std::fs::write(&file, as_obj(mesh)).map_err(text).and_then(|()| {
        let mut command = Command::new(python());
        command.args(["-c", SCRIPT]).arg(&file).args([RADIUS, STIFFNESS].map(|x| x.to_string()));
        // its log goes to the temporary folder, which is deleted
        command.args(DEPTHS.map(|x| x.to_string())).current_dir(&folder).env("OMP_NUM_THREADS", "1");
        let output = command.output().map_err(|e| format!("Python could not be started: {e}"))?;
        let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
        serde_json::from_str::<Value>(&last).map_err(|_| {
            let last_line = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no answer").to_owned();
            format!("{last_line} (`cargo xtask bench --all` installs it)")
        })
    });
    // only the answer matters; a folder that remains in the temporary folder of the system is harmless
    let _ = std::fs::remove_dir_all(&folder);
    let value = result?;
    let forces = value["forces"].as_array().ok_or("its answer has no forces")?;
    Ok(Peer {
        name: value["name"].as_str().unwrap_or("OpenSim").to_owned(),
        contact_us: value["contact_us"].as_f64().ok_or("its answer has no time")?,
        forces: forces.iter().filter_map(Value::as_f64).collect(),
    })
}

fn as_obj(mesh: &TriangleMesh) -> String {
    let mut out = String::new();
    for x in mesh.vertices() {
        let _ = writeln!(out, "v {:e} {:e} {:e}", x.x, x.y, x.z);
    }
    for [a, b, c] in mesh.triangles() {
        let _ = writeln!(out, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    out
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
