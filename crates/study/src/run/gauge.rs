//! What a gauge tells, one component at a time.

use crate::document::StrainComponent;
use wolff_flexbody::Gauge;
use wolff_flexbody::gauge::Reading;
use wolff_flexbody::measures::in_plane;
use wolff_multibody::Model;

/// Strain, or its rate, at a gauge; NaN where the body has none.
pub(super) fn strain(
    model: &Model,
    (body, gauge): (usize, usize),
    component: StrainComponent,
    rate: bool,
    q: &[f64],
    v: &[f64],
) -> f64 {
    let Some(gauge) = find(model, body, gauge) else { return f64::NAN };
    let b = &model.bodies()[body];
    let (eta, eta_dot) = (&q[b.modal_q()], &v[b.modal_v()]);
    let reading = if rate { gauge.reading_rate(eta, eta_dot) } else { gauge.reading(eta) };
    pick(component, &reading.strain, &reading)
}

/// Stress at a gauge [Pa].
pub(super) fn stress(model: &Model, (body, gauge): (usize, usize), component: StrainComponent, q: &[f64]) -> f64 {
    let Some(gauge) = find(model, body, gauge) else { return f64::NAN };
    let reading = gauge.reading(&q[model.bodies()[body].modal_q()]);
    let s = &reading.stress;
    // shear stress is half of what `in_plane` takes for shear: it expects the engineering one
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

fn find(model: &Model, body: usize, gauge: usize) -> Option<&Gauge> {
    model.flexible(body)?.data.gauges.get(gauge)
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
