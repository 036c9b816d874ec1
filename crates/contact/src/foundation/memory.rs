//! What an evaluation of a foundation contact remembers for the next one.

use super::clear::Clear;
use super::local::{Found, Local};
use super::pair::{Chunk, FoundationPair};
use super::result::{FoundationResult, PatchResult, TooDeep};
use wolff_geometry::Track;
use wolff_spatial::{Mat3, Motion, Pose, Vec3};

/// What an evaluation remembers for the next one. One per thread of evaluation; its cost depends on it, and results
/// only by the rounding of the moving surface's local search (not at all where that answers in closed form).
#[derive(Clone, Debug)]
pub struct FoundationMemory {
    /// The pair it belongs to.
    pub(super) pair: u64,
    /// Pose and velocity of the last evaluation.
    pub(super) last: Option<(Pose, Motion)>,
    pub(crate) chunks: Vec<ChunkMemory>,
    /// Chunk and element of the deepest point of each compartment.
    pub(super) peaks: Vec<(usize, usize)>,
    pub(super) result: FoundationResult,
}

/// Memory of a chunk.
///
/// Signed distance changes no faster than the point moves. So an element with the gap g cannot touch before it has
/// travelled g against the moving body, and is not asked again until then: patches that split or appear elsewhere are
/// never missed, and far elements cost nothing. Over smooth surfaces the way along the surface hardly counts
/// ([`Clear`]).
#[derive(Clone, Debug)]
pub(crate) struct ChunkMemory {
    /// Way of the elements against the moving body so far, not underestimated \[m\].
    pub(super) travel: f64,
    /// Angle turned against the moving body so far, not underestimated \[rad\].
    pub(super) turn: f64,
    /// No element touches before this travel \[m\].
    pub(super) all_safe: f64,
    /// The element does not touch before this travel \[m\].
    pub(super) safe: Vec<f64>,
    /// Mean pressures \[Pa\].
    pub(super) pressures: Vec<f64>,
    pub elements: Vec<ElementMemory>,
    /// No strain of the last evaluation was above the root of this.
    pub deepest: f64,
    /// Whether an element had to be asked at the last evaluation: otherwise none touches, and all pressures are still
    /// zero.
    pub(super) asked: bool,
    /// Sum of the elements, if asked.
    pub(super) sum: PatchResult,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementMemory {
    /// The track is a good start up to this travel \[m\].
    pub(super) warm: f64,
    pub(super) track: Track,
    /// Answer of the last query, where the element may touch.
    pub found: Option<(Found, Local)>,
    /// How far the element was from touching, where that is known well.
    pub(super) clear: Option<Clear>,
    /// How deep the element is, where the far side of a closed moving body is nearer than the near one.
    pub(super) through: Option<TooDeep>,
}

impl FoundationPair {
    /// A fresh memory.
    pub fn memory(&self) -> FoundationMemory {
        let element =
            ElementMemory { warm: f64::NEG_INFINITY, track: Track::default(), found: None, clear: None, through: None };
        let chunk = |c: &Chunk| ChunkMemory {
            travel: 0.0,
            turn: 0.0,
            all_safe: f64::NEG_INFINITY,
            safe: vec![f64::NEG_INFINITY; c.elements.len()],
            pressures: vec![0.0; c.elements.len()],
            elements: vec![element; c.elements.len()],
            deepest: 0.0,
            asked: false,
            sum: PatchResult::ZERO,
        };
        let result = FoundationResult {
            total: PatchResult::ZERO,
            compartments: vec![PatchResult::ZERO; self.set.compartments.len()],
            pressures: vec![0.0; self.set.elements.len()],
            reused: false,
            overlap: None,
        };
        let peaks = vec![(0, 0); self.set.compartments.len()];
        FoundationMemory { pair: self.id, last: None, chunks: self.chunks.iter().map(chunk).collect(), peaks, result }
    }
}

/// How points of the fixed body have moved against the moving one between two poses: `y ↦ turned y - shift`, moving
/// axes.
pub(super) struct Displacement {
    turned: Mat3,
    shift: Vec3,
    /// |R - R'| is 2√2 sin(θ/2), which is no less than the angle θ up to a right angle and more.
    pub(super) angle: f64,
}

impl Displacement {
    pub(super) fn new(X: &Pose, Y: &Pose) -> Self {
        let turned = (Y.R - X.R).transpose();
        Displacement { turned, shift: Y.R.tr_mul(&Y.p) - X.R.tr_mul(&X.p), angle: turned.norm() }
    }

    /// No element of a chunk has moved farther \[m\].
    pub(super) fn way(&self, chunk: &Chunk) -> f64 {
        (self.turned * chunk.centre - self.shift).norm() + chunk.radius * self.angle
    }
}

impl FoundationMemory {
    /// Pose and velocity of the last evaluation of `pair`.
    pub(crate) fn last(&self, pair: &FoundationPair) -> Option<&(Pose, Motion)> {
        self.last.as_ref().filter(|_| self.pair == pair.id)
    }
}

impl ChunkMemory {
    pub(super) fn advance(&mut self, chunk: &Chunk, step: Option<&Displacement>) {
        if let Some(step) = step {
            self.travel += step.way(chunk);
            self.turn += step.angle;
        }
    }
}
