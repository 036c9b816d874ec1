//! Components measured by a gauge.

use wolff_document::StrainComponent;
use wolff_flexbody::Gauge;
use wolff_flexbody::gauge::Reading;
use wolff_flexbody::measures::in_plane;
use wolff_multibody::Model;

/// The gauge of a body in the model.
pub(super) fn find(model: &Model, body: usize, gauge: usize) -> Option<&Gauge> {
    model.flexible(body)?.data.gauges.get(gauge)
}

/// Strain at a gauge.
pub(super) fn strain(gauge: &Gauge, component: StrainComponent, eta: &[f64]) -> f64 {
    let reading = gauge.reading(eta);
    pick(component, &reading.strain, &reading)
}

/// Rate of a strain at a gauge \[1/s\].
pub(super) fn strain_rate(gauge: &Gauge, component: StrainComponent, eta: &[f64], eta_dot: &[f64]) -> f64 {
    let reading = gauge.reading_rate(eta, eta_dot);
    pick(component, &reading.strain, &reading)
}

/// Stress at a gauge \[Pa\].
pub(super) fn stress(gauge: &Gauge, component: StrainComponent, eta: &[f64]) -> f64 {
    let reading = gauge.reading(eta);
    let s = &reading.stress;
    // shear stress is half of the shear that `in_plane` expects, which is the engineering strain
    let plane = in_plane(s[0], s[1], 2.0 * s[3]);
    match component {
        StrainComponent::Axial => s[0],
        StrainComponent::Transverse => s[1],
        StrainComponent::Normal => s[2],
        StrainComponent::Shear => s[3],
        StrainComponent::Maximum => plane.first,
        StrainComponent::Minimum => plane.second,
        StrainComponent::MaximumShear => (plane.first - plane.second) / 2.0,
        StrainComponent::VonMises => reading.von_mises_stress,
    }
}

fn pick(component: StrainComponent, e: &nalgebra::Vector6<f64>, reading: &Reading) -> f64 {
    match component {
        StrainComponent::Axial => e[0],
        StrainComponent::Transverse => e[1],
        StrainComponent::Normal => e[2],
        StrainComponent::Shear => e[3],
        StrainComponent::Maximum => reading.plane.first,
        StrainComponent::Minimum => reading.plane.second,
        StrainComponent::MaximumShear => reading.plane.max_shear,
        StrainComponent::VonMises => reading.von_mises,
    }
}
