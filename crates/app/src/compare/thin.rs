//! Fewer points for curves of many runs, same picture.

/// Most points of a curve that a figure draws as they are.
const MOST_POINTS: usize = 1400;

/// First distance of the points that are kept, as a fraction of the size of the curve; a pixel is about 1/600.
const DISTANCE: f64 = 5e-4;

/// A curve with no more points than a figure can show. Where x never falls, the highest and the lowest point of each
/// pixel are kept; a curve that turns back, such as a phase portrait, keeps points at equal distances along it.
pub(super) fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    if points.windows(2).all(|pair| pair[0].0 <= pair[1].0) {
        return wolff_plots::thinned(points);
    }
    let size = |of: fn(&(f64, f64)) -> f64| {
        let values = || points.iter().map(of).filter(|x| x.is_finite());
        let size = values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min);
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    };
    let (width, height) = (size(|p| p.0), size(|p| p.1));
    let mut distance = DISTANCE;
    loop {
        let kept = apart(points, distance * width, distance * height);
        if kept.len() <= MOST_POINTS || distance > 1.0 {
            return kept;
        }
        distance *= 1.5;
    }
}

/// The points that are this far from the one kept before, gaps, and the last point.
fn apart(points: &[(f64, f64)], dx: f64, dy: f64) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for &(x, y) in points {
        // also true of a gap
        let near = kept.last().is_some_and(|last| ((x - last.0) / dx).hypot((y - last.1) / dy) < 1.0);
        if !near {
            kept.push((x, y));
        }
    }
    kept.extend(points.last().filter(|last| kept.last() != Some(last)));
    kept
}
