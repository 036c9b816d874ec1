//! Results, verdict and pictures of a bone.

use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use wolff_imaging::surface::{Decimation, decimated};
use wolff_morphology::picture::picture;
use wolff_morphology::{Given, find};
use wolff_report::outcome::{Headline, Outcome, Picture, Plot, RunKind, Verdict};
use wolff_spatial::Vec3;

use super::{BoneRequest, MadeBone};

/// Number of bars of a histogram.
const BARS: usize = 40;

/// The outcome of `wolff bone`.
pub fn outcome(made: &MadeBone, request: &BoneRequest) -> Outcome {
    Outcome {
        kind: RunKind::Command,
        study: "bone".into(),
        results: results(made),
        judgement: made.judgement.clone(),
        headline: headline(made),
        method: method(made, request),
        pictures: vec![Picture {
            name: "bone".into(),
            title: "The bone with its frame, joints and landmarks".into(),
            svg: drawn(made),
        }],
        plots: plots(made),
        ..Outcome::default()
    }
}

/// Triangles of a picture, about: more are smaller than the eye can see.
const DRAWN: usize = 12_000;
/// How far the surface of a picture may be from that of the bone, and its longest edge \[m\].
const COARSE: Decimation = Decimation { deviation: 0.3e-3, longest_edge: 8e-3 };

/// The bone with its frame; a fine surface is made coarser for it.
fn drawn(made: &MadeBone) -> String {
    let (surface, morphology) = (&made.shape.surface, &made.morphology);
    let title = format!("{} {}", morphology.side.word(), morphology.kind.word());
    if surface.triangles().len() > DRAWN
        && let Ok(coarse) = decimated(surface, COARSE)
        && let given = (Given { kind: Some(morphology.kind), side: Some(morphology.side), ..Given::default() })
        && let Ok(found) = find(&coarse.mesh, &given)
    {
        return picture(&coarse.mesh, &found, &title);
    }
    picture(surface, morphology, &title)
}

/// Mass of bone \[kg\], without marrow.
pub fn bone_mass(made: &MadeBone) -> f64 {
    match &made.shape.density {
        Some(density) => density.mass().total,
        None => made.tissue.density.iter().zip(&made.tissue.volumes).map(|(rho, v)| rho * v).sum(),
    }
}

/// Centre of mass of bone \[m\], in the frame of the input.
fn centre(made: &MadeBone) -> Vec3 {
    if let Some(density) = &made.shape.density {
        return density.mass().centre;
    }
    let tissue = &made.tissue;
    let weights: Vec<f64> = tissue.density.iter().zip(&tissue.volumes).map(|(rho, v)| rho * v).collect();
    let total: f64 = weights.iter().sum();
    tissue.centroids.iter().zip(&weights).map(|(x, w)| *x * *w).sum::<Vec3>() / total.max(f64::MIN_POSITIVE)
}

/// Volume of cortical bone \[m³\]: by the fitted wall, or of the assumed one.
fn cortical_volume(made: &MadeBone) -> f64 {
    const CORTICAL: f64 = 1500.0;
    match &made.shape.density {
        Some(density) => density.mass().cortical_volume,
        None => {
            let tissue = &made.tissue;
            tissue.density.iter().zip(&tissue.volumes).filter(|(rho, _)| **rho > CORTICAL).map(|(_, v)| v).sum()
        }
    }
}

fn results(made: &MadeBone) -> Map<String, Value> {
    let mm = |x: &Vec3| json!([1e3 * x.x, 1e3 * x.y, 1e3 * x.z]);
    let morphology = &made.morphology;
    let mut results = Map::new();
    let mut set = |name: &str, value: Value| _ = results.insert(name.into(), value);
    set("bone", json!(morphology.kind.word()));
    set("side", json!(morphology.side.word()));
    set("mass_g", json!(1e3 * bone_mass(made)));
    set("outer_volume_mm3", json!(1e9 * made.meshed.report.input_volume));
    set("cortical_volume_mm3", json!(1e9 * cortical_volume(made)));
    set("centre_mm", mm(&centre(made)));
    set("length_mm", json!(1e3 * morphology.length));
    set("frequencies_hz", json!(made.bodies.frequencies));
    if let Some(density) = &made.shape.density {
        let mut thickness = density.cortex().thickness.clone();
        thickness.sort_by(f64::total_cmp);
        set("median_cortical_thickness_mm", json!(1e3 * thickness[thickness.len() / 2]));
        set("mass_by_balance_g", json!(1e3 * density.mass().by_balance));
        set("blur_mm", json!(1e3 * density.cortex().shared.blur));
        set("cortical_grey_value", json!(density.cortex().shared.cortical));
    }
    let axis = |i: usize| Vec3::from(morphology.axes.column(i));
    set(
        "frame",
        json!({
            "origin_mm": mm(&morphology.origin),
            "anterior": axis(0).as_slice(),
            "up": axis(1).as_slice(),
            "right": axis(2).as_slice(),
        }),
    );
    set(
        "joints",
        morphology.joints.iter().map(|j| json!({ "name": j.name, "position_mm": mm(&j.position) })).collect(),
    );
    set("interfaces", made.bodies.joints.iter().map(|(name, nodes)| json!({ "name": name, "nodes": nodes })).collect());
    set("mesh", Value::Object(crate::generate::results(&made.meshed.report)));
    results
}

fn headline(made: &MadeBone) -> Vec<Headline> {
    let line = |quantity: &str, value: f64, unit: &str| Headline {
        quantity: quantity.into(),
        value,
        unit: unit.into(),
        range: None,
        source: String::new(),
        verdict: Verdict::Ok,
    };
    let mut all = vec![
        line("mass of bone, without marrow", 1e3 * bone_mass(made), "g"),
        line("outer volume", 1e6 * made.meshed.report.input_volume, "cm³"),
        line("length", 1e3 * made.morphology.length, "mm"),
        line("smallest dihedral angle", made.meshed.report.min_dihedral.to_degrees(), "deg"),
    ];
    all.extend(made.bodies.frequencies.first().map(|f| line("first natural frequency, free", *f, "Hz")));
    all
}

fn method(made: &MadeBone, request: &BoneRequest) -> Vec<String> {
    let name = request.input.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let report = &made.meshed.report;
    let mut first = format!("Input `{name}`. ");
    if let Some(density) = &made.shape.density {
        let _ = write!(
            first,
            "The bone was segmented at a grey value of the histogram; its outer surface and the thickness of its wall were \
             fitted along normals by levels blurred with a standard deviation of {:.2} mm (cortical bone mapping, Treece \
             et al. 2010, Med Image Anal 14). Densities near surfaces are corrected for the blur.",
            1e3 * density.cortex().shared.blur
        );
    }
    let mesh = format!("The mesh has {} tetrahedra with a mean edge of {:.2} mm.", report.tets, 1e3 * report.mean_edge);
    [vec![first, mesh], made.morphology.remarks.clone(), made.tissue.remarks.clone()].concat()
}

/// Histograms of density and modulus by volume.
fn plots(made: &MadeBone) -> Vec<Plot> {
    let tissue = &made.tissue;
    let one = |name: &str, title: &str, x_label: &str, values: Vec<f64>| Plot {
        name: name.into(),
        title: title.into(),
        x_label: x_label.into(),
        y_label: "volume [%]".into(),
        curves: vec![("share of the volume".into(), histogram(&values, &tissue.volumes))],
        ..Plot::default()
    };
    vec![
        one(
            "density",
            "Apparent density of the elements",
            "density [g/cm³]",
            tissue.density.iter().map(|rho| 1e-3 * rho).collect(),
        ),
        one(
            "modulus",
            "Young's modulus of the elements",
            "modulus [GPa]",
            tissue.modulus.iter().map(|e| 1e-9 * e).collect(),
        ),
    ]
}

/// Shares of the volume \[%\] over the values, as the outline of bars.
fn histogram(values: &[f64], volumes: &[f64]) -> Vec<(f64, f64)> {
    let largest = values.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let total: f64 = volumes.iter().sum();
    let mut bars = [0.0; BARS];
    for (value, volume) in values.iter().zip(volumes) {
        let bar = (value / largest * BARS as f64) as usize;
        bars[bar.min(BARS - 1)] += 100.0 * volume / total;
    }
    let edge = |i: usize| largest * i as f64 / BARS as f64;
    bars.iter().enumerate().flat_map(|(i, share)| [(edge(i), *share), (edge(i + 1), *share)]).collect()
}
