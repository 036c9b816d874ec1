//! Fewer points, same picture.

/// Points to draw of a curve with very many, in order: of each of `buckets` runs the lowest and the highest point and
/// one gap, so that peaks and gaps survive. Runs are equally wide where x never falls, so that sparse parts keep their
/// points next to dense ones; otherwise they have equally many points. Curves of up to `2 buckets` points are kept
/// whole.
///
/// `drawable` distinguishes points from gaps.
pub(super) fn min_max(points: &[(f64, f64)], buckets: usize, drawable: impl Fn((f64, f64)) -> bool) -> Vec<(f64, f64)> {
    if points.len() <= 2 * buckets {
        return points.to_vec();
    }
    let mut kept = Vec::with_capacity(3 * buckets + 2);
    kept.extend(points.first());
    for run in runs(points, buckets.max(1)) {
        let indexed = || run.iter().copied().enumerate();
        let by_height = |a: &(usize, (f64, f64)), b: &(usize, (f64, f64))| a.1.1.total_cmp(&b.1.1);
        let mut chosen: Vec<_> = [
            indexed().filter(|&(_, p)| drawable(p)).min_by(by_height),
            indexed().filter(|&(_, p)| drawable(p)).max_by(by_height),
            indexed().find(|&(_, p)| !drawable(p)),
        ]
        .into_iter()
        .flatten()
        .collect();
        chosen.sort_by_key(|&(i, _)| i);
        chosen.dedup_by_key(|&mut (i, _)| i);
        kept.extend(chosen.into_iter().map(|(_, p)| p));
    }
    kept.extend(points.last());
    kept
}

fn runs(points: &[(f64, f64)], buckets: usize) -> Vec<&[(f64, f64)]> {
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let rising = points.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    if !(rising && last > first && (last - first).is_finite()) {
        return points.chunks(points.len().div_ceil(buckets)).collect();
    }
    let bucket = |p: &(f64, f64)| ((p.0 - first) / (last - first) * buckets as f64) as usize;
    points.chunk_by(|a, b| bucket(a) == bucket(b)).collect()
}
