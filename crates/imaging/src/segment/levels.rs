//! Levels of soft tissue and cortical bone, noise and threshold from the histogram.

use crate::error::ImagingError;
use crate::volume::Volume;

/// Bins of a histogram at most.
const MOST_BINS: usize = 4096;

/// Values below this are air in a CT with Hounsfield units, above it are tissues \[HU\].
const AIR: f64 = -300.0;

/// Whatever is bone is above the level of soft tissue by this part of the way to cortical bone at least. A wall as thin
/// as the blur still reaches it; the place where the surface lies is found later by the fit.
const PART: f64 = 0.25;

/// The threshold is above the soft tissue by this many standard deviations of the noise at least.
const NOISES: f64 = 5.0;

/// Counts of values in bins of one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    start: f64,
    width: f64,
    counts: Vec<u64>,
}

/// Grey values of the tissues, and the threshold of bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The most frequent value of soft tissue.
    pub soft: f64,
    /// A first estimate of the value of cortical bone, lowered by blur where all walls are thin.
    pub cortical: f64,
    /// Standard deviation of the noise of a voxel.
    pub noise: f64,
    /// What is above it is bone.
    pub threshold: f64,
}

impl Histogram {
    /// The histogram of the values of an image that lie in a range.
    pub fn new(volume: &Volume, range: std::ops::RangeInclusive<f64>) -> Self {
        let statistics = volume.statistics();
        let start = statistics.min.max(*range.start());
        let end = statistics.max.min(*range.end());
        let width = ((end - start) / MOST_BINS as f64).max(1.0f64.min((end - start).max(1e-12) / 256.0));
        let bins = (((end - start) / width).ceil() as usize + 1).clamp(1, MOST_BINS + 1);
        let mut counts = vec![0; bins];
        for n in 0..volume.samples().len() {
            let value = f64::from(volume.samples().get(n));
            if range.contains(&value)
                && let Some(count) = counts.get_mut(((value - start) / width) as usize)
            {
                *count += 1;
            }
        }
        Histogram { start, width, counts }
    }

    fn value(&self, bin: usize) -> f64 {
        self.start + (bin as f64 + 0.5) * self.width
    }

    /// Values counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The most frequent value, of the counts smoothed over `window` (in the unit of the values).
    pub fn mode(&self, window: f64) -> f64 {
        let reach = ((window / self.width) as usize).clamp(1, self.counts.len());
        let mut sums = vec![0u64; self.counts.len() + 1];
        for (n, count) in self.counts.iter().enumerate() {
            sums[n + 1] = sums[n] + count;
        }
        let around = |bin: usize| sums[(bin + reach + 1).min(self.counts.len())] - sums[bin.saturating_sub(reach)];
        let best = (0..self.counts.len()).max_by_key(|&bin| (around(bin), std::cmp::Reverse(bin)));
        self.value(best.unwrap_or(0))
    }

    /// The value below which a part of the counted values lies.
    pub fn quantile(&self, part: f64) -> f64 {
        let wanted = part * self.total() as f64;
        let mut below = 0;
        for (bin, count) in self.counts.iter().enumerate() {
            below += count;
            if below as f64 >= wanted {
                return self.value(bin);
            }
        }
        self.value(self.counts.len() - 1)
    }

    /// The threshold that parts the values into two classes whose means differ most for their sizes. Source: Otsu, A
    /// threshold selection method from gray-level histograms, IEEE SMC 9 (1979).
    pub fn otsu(&self) -> f64 {
        let total = self.total() as f64;
        let sum: f64 = self.counts.iter().enumerate().map(|(bin, &count)| count as f64 * self.value(bin)).sum();
        let (mut below, mut sum_below, mut best) = (0.0, 0.0, (f64::NEG_INFINITY, self.value(0)));
        for (bin, &count) in self.counts.iter().enumerate() {
            below += count as f64;
            sum_below += count as f64 * self.value(bin);
            let above = total - below;
            if below == 0.0 || above == 0.0 {
                continue;
            }
            let between = below * above * (sum_below / below - (sum - sum_below) / above).powi(2);
            if between > best.0 {
                best = (between, self.value(bin) + 0.5 * self.width);
            }
        }
        best.1
    }
}

/// The levels of a CT: soft tissue is the most frequent value above air, cortical bone lies at the upper end.
///
/// # Errors
/// When nothing stands out of the soft tissue.
pub fn levels(volume: &Volume) -> Result<Levels, ImagingError> {
    let noise = noise(volume);
    let statistics = volume.statistics();
    let lowest = if statistics.min < AIR && statistics.max > AIR { AIR } else { statistics.min };
    let tissues = Histogram::new(volume, lowest..=statistics.max);
    let range = statistics.max - lowest;
    let soft = tissues.mode(noise.max(0.01 * range));
    let above = Histogram::new(volume, soft + 4.0 * noise..=statistics.max);
    // of what stands out of soft tissue, the denser class; its upper tenth is free of blur where a wall is thick
    let dense = Histogram::new(volume, above.otsu()..=statistics.max);
    let cortical = dense.quantile(0.9);
    let contrast = cortical - soft;
    if !(contrast > 2.0 * NOISES * noise && contrast > 0.0) || dense.total() < 8 {
        let rule = format!(
            "nothing stands out of the soft tissue (level {soft:.0}, noise {noise:.0}, brightest {cortical:.0}); is \
             this a CT of a bone? Give a threshold otherwise"
        );
        return Err(ImagingError::invalid("image", rule));
    }
    let threshold = soft + (PART * contrast).max(NOISES * noise);
    Ok(Levels { soft, cortical, noise, threshold })
}

/// The standard deviation of the noise: half of the differences between neighbours are smaller than
/// 0.6745 √2 times it, where the image is flat.
fn noise(volume: &Volume) -> f64 {
    let (size, samples) = (volume.size(), volume.samples());
    let step = (samples.len() / 2_000_000).max(1);
    let pairs = (0..samples.len() - 1).step_by(step).filter(|n| n % size[0] + 1 < size[0]);
    let mut differences: Vec<f32> = pairs.map(|n| (samples.get(n + 1) - samples.get(n)).abs()).collect();
    // cut and padded images have large parts of one value
    differences.retain(|x| *x > 0.0);
    if differences.is_empty() {
        return 0.0;
    }
    let middle = differences.len() / 2;
    let (_, median, _) = differences.select_nth_unstable_by(middle, f32::total_cmp);
    f64::from(*median) / (0.6745 * std::f64::consts::SQRT_2)
}
