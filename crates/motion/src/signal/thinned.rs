//! A long signal reduced to as many samples as a plot needs.

/// Samples of a signal of unknown length: all of a short one, every second, fourth and so on of a longer one.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    most: usize,
    every: usize,
    passed: usize,
    kept: Vec<T>,
}

impl<T> Default for Thinned<T> {
    /// 16384 samples, four and a half minutes at 60 Hz. Chosen here: a plot a thousand pixels wide shows no more
    /// detail, and of ten minutes at least 13 samples per second are kept; of hours too few are kept to show gait
    /// cycles.
    fn default() -> Self {
        Self::new(1 << 14)
    }
}

impl<T> Thinned<T> {
    /// Keeps no more than `most` samples, two at least.
    pub fn new(most: usize) -> Self {
        Thinned { most: most.max(2), every: 1, passed: 0, kept: Vec::new() }
    }

    /// Number of samples per kept sample.
    pub fn every(&self) -> usize {
        self.every
    }

    /// The samples that are kept, including the first.
    pub fn kept(&self) -> &[T] {
        &self.kept
    }

    /// Adds the next sample, which is computed only where it is kept.
    pub fn add(&mut self, sample: impl FnOnce() -> T) {
        if self.kept.len() == self.most && self.passed.is_multiple_of(self.every) {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.every *= 2;
        }
        if self.passed.is_multiple_of(self.every) {
            self.kept.push(sample());
        }
        self.passed += 1;
    }
}
