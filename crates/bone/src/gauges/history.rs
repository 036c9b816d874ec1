//! Strains at a gauge from modal coordinates over time.

use wolff_flexbody::{FlexBody, FlexBodyError, Gauge, measures};

/// What one gauge reads at every instant; strains without unit.
#[derive(Debug, Clone, PartialEq)]
pub struct GaugeHistory {
    /// Name of the gauge.
    pub gauge: String,
    /// Strain along the bone.
    pub axial: Vec<f64>,
    /// Larger principal strain in the surface.
    pub max_principal: Vec<f64>,
    /// Smaller principal strain in the surface.
    pub min_principal: Vec<f64>,
    /// Maximum shear strain in the surface, the difference of the two.
    pub max_shear: Vec<f64>,
    /// Angle of the smaller principal strain to the bone, 0 to π/2 \[rad\].
    pub min_angle: Vec<f64>,
}

/// What a gauge of a body reads along a history of modal coordinates.
///
/// # Errors
/// When the body has no such gauge, or an instant does not have a finite value for every mode.
pub fn gauge_history(body: &FlexBody, gauge: &str, etas: &[Vec<f64>]) -> Result<GaugeHistory, FlexBodyError> {
    let found = body.gauges.iter().find(|g| g.name == gauge).ok_or_else(|| {
        let names: Vec<&str> = body.gauges.iter().map(|g| g.name.as_str()).collect();
        FlexBodyError::invalid(&body.name, format!("has no gauge `{gauge}`; it has {}", names.join(", ")))
    })?;
    let fits = |eta: &Vec<f64>| eta.len() == body.modes() && eta.iter().all(|x| x.is_finite());
    if !etas.iter().all(fits) {
        let rule = format!("needs {} finite modal coordinates at every instant", body.modes());
        return Err(FlexBodyError::invalid(format!("history of `{gauge}`"), rule));
    }
    Ok(GaugeHistory::of(found, etas))
}

impl GaugeHistory {
    fn of(gauge: &Gauge, etas: &[Vec<f64>]) -> Self {
        let column = || Vec::with_capacity(etas.len());
        let mut history = GaugeHistory {
            gauge: gauge.name.clone(),
            axial: column(),
            max_principal: column(),
            min_principal: column(),
            max_shear: column(),
            min_angle: column(),
        };
        for eta in etas {
            // only the strain in the surface: a complete reading would take five times as long
            let strain = gauge.strain(eta);
            let plane = measures::in_plane(strain[0], strain[1], strain[3]);
            history.axial.push(strain[0]);
            history.max_principal.push(plane.first);
            history.min_principal.push(plane.second);
            history.max_shear.push(plane.max_shear);
            // the smaller principal strain is perpendicular to the larger one
            history.min_angle.push(std::f64::consts::FRAC_PI_2 - plane.angle.abs());
        }
        history
    }
}
