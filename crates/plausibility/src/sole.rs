//! The sole of a loaded foot is on the floor.

use super::samples::{LoadSamples, Sample};
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// Height of the line from the origin of the heel bone to that of the toes above the centre of pressure, at that point
/// \[m\]. In models it is 0 to 5 cm above the sole; a shoe, and markers on it, add some centimetres (chosen here).
const HEIGHT: [f64; 2] = [-0.04, 0.1];
/// Part of the loaded samples outside of that range from which it is told (chosen here: at heel strike and toe off the
/// foot bends and rolls).
const OFTEN: f64 = 0.25;
/// Height that is in no way a matter of shoes or markers \[m\] (chosen here).
const IMPOSSIBLE: f64 = 0.25;

/// While a load acts on a foot, the foot is on the floor where the load acts.
pub(super) fn on_the_floor(samples: &LoadSamples) -> Vec<Finding> {
    (0..samples.names.len()).filter_map(|load| of_load(samples, load)).collect()
}

fn of_load(samples: &LoadSamples, load: usize) -> Option<Finding> {
    let (name, body, _) = samples.names.get(load)?;
    let own = samples.feet.iter().position(|f| f.bodies.contains(body))?;
    let foot = samples.feet.get(own).filter(|_| samples.has_point.get(load) == Some(&true))?;
    let height = |s: &Sample, point: Vec3| {
        let [heel, toes] = s.sole(foot, own)?;
        let (line, from_heel) = (samples.level(toes - heel), samples.level(point - heel));
        let along = (from_heel.dot(&line) / line.norm_squared()).clamp(0.0, 1.0);
        Some((heel + (toes - heel) * along - point).dot(&samples.up))
    };
    let heights: Vec<f64> = samples.loaded(load).filter_map(|(s, at)| height(s, at.point)).collect();
    let outside = heights.iter().filter(|h| !(**h >= HEIGHT[0] && **h <= HEIGHT[1])).count();
    let mut sorted = heights.clone();
    sorted.sort_by(f64::total_cmp);
    let median = *sorted.get(sorted.len() / 2)?;
    if (outside as f64) <= OFTEN * heights.len() as f64 {
        return None;
    }
    let place = if median < 0.0 { "below" } else { "above" };
    let message = format!(
        "`{}` is not on the floor while force `{name}` acts on it: in {outside} of {} samples the foot is not within {} \
         to {} m above the centre of pressure; the middle value is {:.3} m {place}, the extremes are {:.3} and {:.3} m",
        foot.name,
        heights.len(),
        HEIGHT[0],
        HEIGHT[1],
        median.abs(),
        sorted.first()?,
        sorted.last()?
    );
    let remedy = match (HEIGHT[0]..=HEIGHT[1]).contains(&median) {
        true => "check the signs of the angles of hip, knee and ankle in the motion, and that it belongs to this model",
        false => "give motion and forces with the floor at the same height (y); a wrong angle of the leg does the same",
    };
    Some(match median.abs() > IMPOSSIBLE {
        true => Finding::error(message, remedy),
        false => Finding::warning(message, remedy),
    })
}
