//! Zeros and other values that programs write for a marker that was not seen.

use std::ops::Range;

/// Distance from the origin \[m\] of a neighbouring frame up to which a marker can really be at the origin: a marker
/// moves less between two frames.
const NEAR: f64 = 0.05;

/// Size of a value that is written for a marker that was not seen \[m\], such as 9999999 or -9999 in a file in mm.
const FILL: f64 = 0.99;

/// Whether a point is a value such as (9999999, 9999999, 9999999): no measured position has three equal coordinates by
/// chance.
fn is_fill([x, y, z]: [f64; 3]) -> bool {
    x == y && y == z && x.abs() > FILL
}

/// Finds points at exactly (0, 0, 0), frame by frame, and others with three equal large coordinates. Zeros are a gap
/// unless the marker is near the origin in the frame in which it was seen before or after: no measured position is zero
/// in all three coordinates by chance.
pub(crate) struct Zeros {
    frame: usize,
    markers: Vec<State>,
}

#[derive(Clone, Default)]
struct State {
    /// Whether the last point that was not zero is near the origin.
    near: bool,
    /// Start of the zeros that are not ended.
    open: Option<usize>,
    runs: Vec<Range<usize>>,
}

/// Frames that are gaps, by marker.
#[derive(Clone, Debug, Default)]
pub(crate) struct ZeroRuns {
    markers: Vec<Vec<Range<usize>>>,
}

impl Zeros {
    /// Before the first frame.
    pub(crate) fn new(markers: usize) -> Self {
        Self { frame: 0, markers: vec![State::default(); markers] }
    }

    /// The next frame.
    pub(crate) fn add(&mut self, points: impl Iterator<Item = Option<[f64; 3]>>) {
        for (state, point) in self.markers.iter_mut().zip(points) {
            match point {
                Some([0.0, 0.0, 0.0]) => {
                    state.open.get_or_insert(self.frame);
                }
                Some(p) if is_fill(p) => {
                    state.close(self.frame, false);
                    state.near = false;
                    state.lose(self.frame);
                }
                Some(p) => {
                    let near = p.iter().map(|x| x * x).sum::<f64>().sqrt() < NEAR;
                    state.close(self.frame, near);
                    state.near = near;
                }
                None => {
                    state.close(self.frame, false);
                    state.near = false;
                }
            }
        }
        self.frame += 1;
    }

    /// After the last frame.
    pub(crate) fn finish(mut self) -> ZeroRuns {
        let frame = self.frame;
        self.markers.iter_mut().for_each(|state| state.close(frame, false));
        ZeroRuns { markers: self.markers.into_iter().map(|state| state.runs).collect() }
    }
}

impl State {
    /// Ends a run of zeros before a frame.
    fn close(&mut self, frame: usize, near: bool) {
        if let Some(start) = self.open.take()
            && !near
            && !self.near
        {
            self.runs.push(start..frame);
        }
    }

    /// Counts a frame as a gap.
    fn lose(&mut self, frame: usize) {
        match self.runs.last_mut().filter(|run| run.end == frame) {
            Some(run) => run.end += 1,
            None => self.runs.push(frame..frame + 1),
        }
    }
}

impl ZeroRuns {
    /// The gaps of a marker.
    pub(crate) fn of(&self, marker: usize) -> &[Range<usize>] {
        self.markers.get(marker).map_or(&[], Vec::as_slice)
    }

    /// Whether a marker is not seen in a frame.
    pub(crate) fn contains(&self, marker: usize, frame: usize) -> bool {
        let runs = self.of(marker);
        let after = runs.partition_point(|run| run.start <= frame);
        after.checked_sub(1).and_then(|i| runs.get(i)).is_some_and(|run| run.contains(&frame))
    }

    /// The remark for the user; none without such gaps.
    pub(crate) fn remark<'a>(&self, names: impl Iterator<Item = &'a str>) -> Option<String> {
        const LISTED: usize = 6;
        let with: Vec<&str> =
            names.zip(&self.markers).filter(|(_, runs)| !runs.is_empty()).map(|(name, _)| name).collect();
        let points: usize = self.markers.iter().flatten().map(ExactSizeIterator::len).sum();
        let list: Vec<String> = with.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
        let more = match with.len().saturating_sub(LISTED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let count = if with.len() == 1 { "1 marker".into() } else { format!("{} markers", with.len()) };
        (!with.is_empty()).then(|| {
            format!(
                "zeros or fill values for {count} that were not seen were read as gaps, {points} points: {}{more}",
                list.join(", ")
            )
        })
    }
}
