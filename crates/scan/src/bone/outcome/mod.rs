//! Results, verdict and pictures of a bone.
//!
//! | file | picture |
//! |---|---|
//! | `frame` | the bone with its frame, joints and landmarks |
//! | `slices` | slices of the scan with the outlines of the wall |
//! | `section` | modulus in sections of the mesh |
//! | `outside` | distance of the mesh, thickness of the cortex, free modes |
//! | `histogram` | angles, density and modulus of the elements |

mod frame;
mod histogram;
mod outside;
mod section;
mod slices;

use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use wolff_report::outcome::{Headline, Outcome, Picture, RunKind, Verdict};
use wolff_spatial::Vec3;

use super::{BoneRequest, MadeBone};

/// The outcome of `wolff bone` without its figures, which only its page needs.
pub fn outcome(made: &MadeBone, request: &BoneRequest) -> Outcome {
    Outcome {
        kind: RunKind::Command,
        study: "bone".into(),
        results: results(made),
        judgement: made.judgement.clone(),
        headline: headline(made),
        method: method(made, request),
        ..Outcome::default()
    }
}

/// Adds all pictures and plots.
pub fn add_figures(outcome: &mut Outcome, made: &MadeBone, request: &BoneRequest) {
    outcome.pictures = pictures(made, request);
    outcome.plots = histogram::plots(made);
}

/// All pictures, each with the name of its file and its title.
fn pictures(made: &MadeBone, request: &BoneRequest) -> Vec<Picture> {
    let all = [
        ("bone", "The bone with its frame, joints and landmarks", Some(frame::drawn(made))),
        ("slices-across", "Slices across the bone", slices::across(made, request)),
        ("slices-along", "Slices along the bone", slices::along(made, request)),
        ("modulus-map", "Young's modulus in sections of the mesh", Some(section::modulus(made))),
        ("cortical-thickness", "Thickness of the cortex", outside::thickness(made)),
        ("distance-map", "Distance of the mesh from the surface of the input", outside::distance(made)),
        ("free-modes", "The first modes of the free bone", outside::modes(made)),
    ];
    let picture = |(name, title, svg): (&str, &str, Option<String>)| {
        Some(Picture { name: name.into(), title: title.into(), svg: svg? })
    };
    all.into_iter().filter_map(picture).collect()
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
