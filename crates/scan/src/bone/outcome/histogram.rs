//! Histograms of angles, density and modulus of the elements.

use wolff_fem::quality::dihedral_angles;
use wolff_report::outcome::Plot;

use crate::bone::MadeBone;

/// Number of bars of a histogram.
const BARS: usize = 40;

/// Angles by number of elements, density and modulus by volume.
pub(super) fn plots(made: &MadeBone) -> Vec<Plot> {
    let tissue = &made.tissue;
    let by_volume = |name: &str, title: &str, x_label: &str, values: Vec<f64>| Plot {
        name: name.into(),
        title: title.into(),
        x_label: x_label.into(),
        y_label: "volume [%]".into(),
        curves: vec![("share of the volume".into(), histogram(&values, &tissue.volumes))],
        ..Plot::default()
    };
    let density: Vec<f64> = tissue.density.iter().map(|rho| 1e-3 * rho).collect();
    let modulus: Vec<f64> = tissue.modulus.iter().map(|e| 1e-9 * e).collect();
    vec![
        angles(made),
        by_volume("density", "Apparent density of the elements", "density [g/cm³]", density),
        by_volume("modulus", "Young's modulus of the elements", "modulus [GPa]", modulus),
    ]
}

/// The smallest dihedral angle of every element, with the least of all and the first percentile marked.
fn angles(made: &MadeBone) -> Plot {
    let (mesh, report) = (&made.meshed.mesh, &made.meshed.report);
    let least = |element: &[usize]| {
        let corners = [0, 1, 2, 3].map(|k| mesh.nodes()[element[k]]);
        dihedral_angles(&corners).into_iter().fold(f64::INFINITY, f64::min).to_degrees()
    };
    let values: Vec<f64> = mesh.elements().map(least).collect();
    let outline = histogram(&values, &vec![1.0; values.len()]);
    let top = outline.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    let mark = |name: &str, angle: f64| {
        let degrees = angle.to_degrees();
        (format!("{name}: {degrees:.1}°"), vec![(degrees, 0.0), (degrees, top)])
    };
    Plot {
        name: "angles".into(),
        title: "Smallest dihedral angle of the elements".into(),
        x_label: "angle [deg]".into(),
        y_label: "elements [%]".into(),
        curves: vec![
            ("share of the elements".into(), outline),
            mark("least", report.min_dihedral),
            mark("first percentile", report.p1_dihedral),
        ],
        ..Plot::default()
    }
}

/// Shares of the weight \[%\] over the values, as the outline of bars.
fn histogram(values: &[f64], weights: &[f64]) -> Vec<(f64, f64)> {
    let largest = values.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let total: f64 = weights.iter().sum();
    let mut bars = [0.0; BARS];
    for (value, weight) in values.iter().zip(weights) {
        let bar = (value / largest * BARS as f64) as usize;
        bars[bar.min(BARS - 1)] += 100.0 * weight / total;
    }
    let edge = |i: usize| largest * i as f64 / BARS as f64;
    bars.iter().enumerate().flat_map(|(i, share)| [(edge(i), *share), (edge(i + 1), *share)]).collect()
}
