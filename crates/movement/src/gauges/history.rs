//! Strains, their rates and peaks from modal coordinates over time.

use wolff_flexbody::{FlexBody, FlexBodyError, Gauge, measures};

/// What one gauge reads at every instant; strains without unit, rates in 1/s.
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
    /// Largest shear in the surface, the difference of the two.
    pub max_shear: Vec<f64>,
    /// Angle of the smaller principal strain to the bone, 0 to π/2 [rad].
    pub min_angle: Vec<f64>,
    /// Rates of the four strains, in their order above.
    pub rates: [Vec<f64>; 4],
}

/// Extremes of a gauge over some time; rates are those of largest size with their sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peaks {
    /// Largest larger principal strain.
    pub max_principal: f64,
    /// Smallest smaller principal strain.
    pub min_principal: f64,
    /// Largest shear.
    pub max_shear: f64,
    /// Largest axial strain.
    pub axial_max: f64,
    /// Smallest axial strain.
    pub axial_min: f64,
    /// Rate of the larger principal strain, of largest size [1/s].
    pub rate_max: f64,
    /// Rate of the smaller principal strain, of largest size [1/s].
    pub rate_min: f64,
    /// Rate of the shear, of largest size [1/s].
    pub rate_shear: f64,
}

/// Peaks of several cycles: mean and standard deviation (of the sample; zero for one cycle).
#[derive(Debug, Clone, PartialEq)]
pub struct CyclePeaks {
    /// Of every cycle.
    pub cycles: Vec<Peaks>,
    /// Mean.
    pub mean: Peaks,
    /// Standard deviation.
    pub deviation: Peaks,
}

/// What a gauge of a body reads along a history of modal coordinates and speeds.
///
/// # Errors
/// When the body has no such gauge, or a frame does not have a finite value for every mode.
pub fn gauge_history(
    body: &FlexBody,
    gauge: &str,
    etas: &[Vec<f64>],
    eta_dots: &[Vec<f64>],
) -> Result<GaugeHistory, FlexBodyError> {
    let found = body.gauges.iter().find(|g| g.name == gauge).ok_or_else(|| {
        let names: Vec<&str> = body.gauges.iter().map(|g| g.name.as_str()).collect();
        FlexBodyError::invalid(&body.name, format!("has no gauge `{gauge}`; it has {}", names.join(", ")))
    })?;
    let fits = |frame: &Vec<f64>| frame.len() == body.modes() && frame.iter().all(|x| x.is_finite());
    if etas.len() != eta_dots.len() || !etas.iter().chain(eta_dots).all(fits) {
        let rule = format!("needs as many frames of speeds as of coordinates, each of {} finite values", body.modes());
        return Err(FlexBodyError::invalid(format!("history of `{gauge}`"), rule));
    }
    Ok(GaugeHistory::of(found, etas, eta_dots))
}

impl GaugeHistory {
    fn of(gauge: &Gauge, etas: &[Vec<f64>], eta_dots: &[Vec<f64>]) -> Self {
        let n = etas.len();
        let column = || Vec::with_capacity(n);
        let mut history = GaugeHistory {
            gauge: gauge.name.clone(),
            axial: column(),
            max_principal: column(),
            min_principal: column(),
            max_shear: column(),
            min_angle: column(),
            rates: std::array::from_fn(|_| column()),
        };
        for (eta, eta_dot) in etas.iter().zip(eta_dots) {
            // the surface alone is read: a whole reading would take five times as long
            let [now, rate] = [eta, eta_dot].map(|modes| {
                let strain = gauge.strain(modes);
                [strain[0], strain[1], strain[3]]
            });
            let (plane, plane_rate) = (measures::in_plane(now[0], now[1], now[2]), measures::in_plane_rate(now, rate));
            history.axial.push(now[0]);
            history.max_principal.push(plane.first);
            history.min_principal.push(plane.second);
            history.max_shear.push(plane.max_shear);
            // the smaller principal strain is across the larger one
            history.min_angle.push(std::f64::consts::FRAC_PI_2 - plane.angle.abs());
            let rates = [rate[0], plane_rate.first, plane_rate.second, plane_rate.max_shear];
            history.rates.iter_mut().zip(rates).for_each(|(column, rate)| column.push(rate));
        }
        history
    }

    /// Peaks over the frames of a range, as much of it as there is; zeros where there is none.
    pub fn peaks(&self, frames: std::ops::Range<usize>) -> Peaks {
        let cut = |of: &[f64]| of.get(frames.start..frames.end.min(of.len())).unwrap_or_default().to_vec();
        let high = |of: &[f64]| cut(of).into_iter().reduce(f64::max).unwrap_or(0.0);
        let low = |of: &[f64]| cut(of).into_iter().reduce(f64::min).unwrap_or(0.0);
        let steep = |of: &[f64]| cut(of).into_iter().fold(0.0, |a: f64, b: f64| if b.abs() > a.abs() { b } else { a });
        Peaks {
            max_principal: high(&self.max_principal),
            min_principal: low(&self.min_principal),
            max_shear: high(&self.max_shear),
            axial_max: high(&self.axial),
            axial_min: low(&self.axial),
            rate_max: steep(&self.rates[1]),
            rate_min: steep(&self.rates[2]),
            rate_shear: steep(&self.rates[3]),
        }
    }
}

/// Peaks of each cycle between consecutive frame numbers of `starts`.
pub fn cycle_peaks(history: &GaugeHistory, starts: &[usize]) -> CyclePeaks {
    let cycles: Vec<Peaks> = starts.windows(2).map(|w| history.peaks(w[0]..w[1])).collect();
    let n = cycles.len() as f64;
    let values: Vec<[f64; 8]> = cycles.iter().map(Peaks::values).collect();
    let mean: [f64; 8] = std::array::from_fn(|k| values.iter().map(|v| v[k]).sum::<f64>() / n.max(1.0));
    let spread = |k: usize| values.iter().map(|v| (v[k] - mean[k]).powi(2)).sum::<f64>();
    let deviation = std::array::from_fn(|k| if n > 1.0 { (spread(k) / (n - 1.0)).sqrt() } else { 0.0 });
    CyclePeaks { cycles, mean: Peaks::from_values(mean), deviation: Peaks::from_values(deviation) }
}

impl Peaks {
    fn values(&self) -> [f64; 8] {
        let p = self;
        [p.max_principal, p.min_principal, p.max_shear, p.axial_max, p.axial_min, p.rate_max, p.rate_min, p.rate_shear]
    }

    fn from_values(values: [f64; 8]) -> Self {
        let [max_principal, min_principal, max_shear, axial_max, axial_min, rate_max, rate_min, rate_shear] = values;
        Peaks { max_principal, min_principal, max_shear, axial_max, axial_min, rate_max, rate_min, rate_shear }
    }
}
