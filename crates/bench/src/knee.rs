//! Cost of contact in a knee: distance queries by method and number of patches, evaluations, and whole studies.

use super::{BenchReport, BenchRow, best_of};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use wolff_contact::foundation::{FoundationSettings, LayerMaterial, Reading, Rule, Strain};
use wolff_geometry::nurbs::{FitErrors, NurbsPatchSet, NurbsSurface, refit};
use wolff_geometry::{Place, Surface};
use wolff_report::json::Stopwatch;
use wolff_spatial::{Motion, Pose, Vec3};
use wolff_study::document::builtin;
use wolff_verify::knee::Knee;

/// Number of elements on each side.
const GRID: (usize, usize) = (30, 30);

/// Maximum time of an evaluation of them \[us\].
const EVALUATION_LIMIT: f64 = 50.0;

/// Number of poses of a sliding motion.
const STEPS: usize = 2000;

/// Maximum error of a fitted patch \[m\].
const FIT: f64 = 4.5e-5;

/// Edges of patches closer than this are merged [m]: patches are cut from one surface.
const SAME_EDGE: f64 = 1e-9;

/// Pose of the femur: flexion \[rad\] and depth of its lowest points \[m\], for about 2000 N in total.
const POSE: (f64, f64) = (0.3, 1e-4);

/// Maximum length of rays from an element, inwards and outwards \[m\].
const REACH: (f64, f64) = (-0.02, 0.02);

/// Studies and their maximum times \[s\].
const STUDIES: [(&str, &str, f64); 2] = [
    ("knee-natural", "settling of the natural knee", 0.2),
    ("knee-artificial", "one cycle of the artificial knee, forward", 1.0),
];

/// A line of Table 2 of Bei and Fregly, Med Eng Phys 2004: rows and columns of patches, errors of the fit \[mm\]
/// (maximum, mean, deviation) and times of ray firing and minimum distance over their grid \[us\] on a Pentium IV of
/// 2.4 GHz.
struct Published {
    split: (usize, usize),
    minimised: bool,
    errors_mm: Option<[f64; 3]>,
    ray_us: f64,
    minimum_us: f64,
}

const TABLE_2: [Published; 6] = [
    published((1, 1), false, None, (4_459_922.0, 879_488.0)),
    published((1, 1), true, Some([0.0412, 0.00448, 0.00530]), (3_789_363.0, 437_183.0)),
    published((3, 4), true, Some([0.0486, 0.00148, 0.00192]), (2_175_889.0, 2_461_545.0)),
    published((4, 6), true, Some([0.0434, 0.00202, 0.00275]), (2_031_059.0, 2_791_974.0)),
    published((6, 8), true, Some([0.0397, 0.00163, 0.00264]), (1_929_122.0, 3_442_914.0)),
    published((8, 12), true, Some([0.0276, 0.00134, 0.00198]), (1_908_546.0, 3_577_577.0)),
];

const fn published(
    split: (usize, usize),
    minimised: bool,
    errors_mm: Option<[f64; 3]>,
    (ray_us, minimum_us): (f64, f64),
) -> Published {
    Published { split, minimised, errors_mm, ray_us, minimum_us }
}

/// Adds the rows of this part.
pub(super) fn run(report: &mut BenchReport) {
    let done = Knee::new().map_err(text).and_then(|knee| {
        distances(report, &knee)?;
        evaluations(report, &knee)
    });
    if let Err(problem) = done {
        report.remarks.push(format!("contact in a knee: {problem}"));
    }
    studies(report);
}

/// A query: a point and the direction of its ray in the axes of the femur.
type Query = (Vec3, Vec3);

/// Table 2 with the condyles of this benchmark.
fn distances(report: &mut BenchReport, knee: &Knee) -> Result<(), String> {
    let queries = queries(knee)?;
    report.remarks.push(format!(
        "distances: {} elements under two condyles; the grid of Table 2 is not published (30 x 30 per side in \
         its application)",
        queries.len()
    ));
    for line in &TABLE_2 {
        let (surfaces, set) = femur(knee, line)?;
        let patches = line.split.0 * line.split.1;
        let kind = if line.minimised { "minimised" } else { "original" };
        let name = format!("{patches} {kind} patch{} per condyle", if patches == 1 { "" } else { "es" });
        report.remarks.push(fit_remark(&name, knee, &surfaces, &set, line));
        for (way, value, theirs) in [
            ("minimum distance, cold", cold(&queries, |(p, _)| set.closest(p).is_some()), line.minimum_us),
            ("minimum distance, warm", warm(&queries, |(p, _), place| nearest(&set, p, place)), line.minimum_us),
            ("ray firing, cold", cold(&queries, |(p, n)| set.ray(p, n, REACH).is_some()), line.ray_us),
            ("ray firing, warm", warm(&queries, |query, place| fired(&set, query, place)), line.ray_us),
        ] {
            let peer = Some(("Bei and Fregly 2004".to_string(), theirs));
            report.rows.push(BenchRow::against(format!("distances of a grid, {name}, {way}"), "us", value, peer));
        }
    }
    Ok(())
}

/// Centres and normals of the elements in the frame of the femur of a flexed, loaded knee.
fn queries(knee: &Knee) -> Result<Vec<Query>, String> {
    let pair = knee.pair(GRID, polyethylene(false)?, FoundationSettings::default()).map_err(text)?;
    let X_MF = knee.pose(POSE.0, POSE.1).inverse();
    Ok(pair.elements().elements.iter().map(|e| (X_MF.point(&e.centre), X_MF.R * e.normal)).collect())
}

/// The condyles as this number of patches: cut from the minimised surface, so that there are no gaps between them.
fn femur(knee: &Knee, line: &Published) -> Result<(Vec<NurbsSurface>, NurbsPatchSet), String> {
    let mut surfaces = Vec::new();
    for original in knee.condyles() {
        let whole = if line.minimised { refit(original, FIT).map_err(text)?.surface } else { original.clone() };
        surfaces.extend(whole.split(line.split.0, line.split.1).map_err(text)?);
    }
    let set = NurbsPatchSet::new(&surfaces, SAME_EDGE).map_err(text)?;
    Ok((surfaces, set))
}

/// Distance of the patches from the original surfaces.
fn fit_remark(name: &str, knee: &Knee, surfaces: &[NurbsSurface], set: &NurbsPatchSet, line: &Published) -> String {
    let controls: usize = surfaces.iter().map(|s| s.net().len()).sum();
    let fraction = |k: usize| k as f64 / 60.0;
    let parameters = (0..61 * 61).map(|k| (fraction(k / 61), fraction(k % 61)));
    let points = knee.condyles().iter().flat_map(|s| parameters.clone().filter_map(|(u, v)| s.point(u, v)));
    let distances: Vec<f64> = points.filter_map(|p| Some(1e3 * (set.closest(&p)?.position - p).norm())).collect();
    let FitErrors { max, mean, deviation } = FitErrors::of(&distances);
    let theirs = match line.errors_mm {
        Some([max, mean, deviation]) => format!("theirs {max}, {mean}, {deviation}"),
        None => "theirs is the original".into(),
    };
    format!(
        "{name}: {controls} control points, maximum error of the fit {max:.4} mm, mean {mean:.5}, deviation \
         {deviation:.5}; {theirs}"
    )
}

/// Time of all queries without an initial guess \[us\].
fn cold(queries: &[Query], ask: impl Fn(&Query) -> bool) -> f64 {
    best_of(10, 1, || {
        black_box(queries.iter().filter(|query| ask(query)).count());
    })
}

/// Time of all queries, each starting from its own last answer after a displacement of 10 µm \[us\].
fn warm(queries: &[Query], ask: impl Fn(&Query, &mut Place)) -> f64 {
    let mut places = vec![Place::default(); queries.len()];
    let mut moved: Vec<Query> = queries.to_vec();
    let mut step = Vec3::new(1e-5, 0.0, 0.0);
    best_of(40, 1, || {
        step = -step;
        for (query, place) in moved.iter_mut().zip(&mut places) {
            query.0 += step;
            ask(query, place);
        }
    })
}

fn nearest(set: &NurbsPatchSet, p: &Vec3, place: &mut Place) {
    if let Some(found) = set.closest_from(p, place) {
        *place = found.place;
    }
}

fn fired(set: &NurbsPatchSet, (p, n): &Query, place: &mut Place) {
    if let Some(hit) = set.ray_from(p, n, REACH, place) {
        *place = hit.point.place;
    }
}

fn polyethylene(nonlinear: bool) -> Result<LayerMaterial, String> {
    match nonlinear {
        false => LayerMaterial::linear(463e6, 0.46, Strain::Small),
        true => LayerMaterial::nonlinear((0.0597, 18.4e6, 3.0), 0.46, Reading::Tangent, Strain::Small),
    }
    .map_err(text)
}

/// Evaluations of the contact during a sliding motion of the femur.
fn evaluations(report: &mut BenchReport, knee: &Knee) -> Result<(), String> {
    for (material, nonlinear) in [("linear", false), ("nonlinear", true)] {
        for (how, rule) in [("centre", Rule::Centre), ("adaptive", Rule::Adaptive)] {
            let settings = FoundationSettings { rule, ..Default::default() };
            let pair = knee.pair(GRID, polyethylene(nonlinear)?, settings).map_err(text)?;
            let mut memory = pair.memory();
            let mut times = Vec::with_capacity(STEPS);
            let (mut active, mut queries, mut force) = (0, 0, 0.0);
            for k in 0..STEPS {
                // back and forth by a millimetre, at most 10 µm per step
                let slide = Pose::translation(Vec3::x() * 0.001 * (0.01 * k as f64).sin());
                let pose = slide * knee.pose(POSE.0, POSE.1);
                let start = Instant::now();
                let result = pair.evaluate(&mut memory, &pose, &Motion::ZERO).map_err(text)?;
                times.push(start.elapsed().as_secs_f64());
                (active, queries) = (active + result.total.active, queries + result.total.queries);
                force += result.total.normal_force;
            }
            // the median hardly depends on other work on the machine
            times.sort_by(f64::total_cmp);
            let name = format!("contact of 2 x 30 x 30 elements, {material}, {how} rule");
            let limit = Some(("limit".to_string(), EVALUATION_LIMIT));
            report.rows.push(BenchRow::against(name, "us", 1e6 * times[STEPS / 2], limit));
            let (active, queries, force) = (active / STEPS, queries / STEPS, force / STEPS as f64);
            report.remarks.push(format!(
                "{material}, {how} rule: {queries} queries, {active} elements in contact and {force:.0} N on average"
            ));
        }
    }
    Ok(())
}

/// Whole studies, processor time, the fastest of three runs.
fn studies(report: &mut BenchReport) {
    for (study, name, limit) in STUDIES {
        match best_cpu_s(study) {
            Ok(value) => report.rows.push(BenchRow::against(name.into(), "s", value, Some(("limit".into(), limit)))),
            Err(problem) => report.remarks.push(format!("{name}: {problem}")),
        }
    }
}

fn best_cpu_s(study: &str) -> Result<f64, String> {
    let document = builtin(study).ok_or_else(|| format!("there is no study `{study}`"))?;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let watch = Stopwatch::start();
        wolff_study::run(study, document, Path::new("."), &[], &mut |_| {}).map_err(text)?;
        best = best.min(watch.stop(0.0).cpu_s);
    }
    Ok(best)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
