//! The bone with its frame.

use wolff_imaging::surface::{Decimation, decimated};
use wolff_morphology::picture::picture;
use wolff_morphology::{Given, find};

use crate::bone::MadeBone;

/// Triangles of a picture, about: more are smaller than the eye can see.
const DRAWN: usize = 8000;
/// How far the surface of a picture may be from that of the bone, and its longest edge \[m\].
const COARSE: Decimation = Decimation { deviation: 0.3e-3, longest_edge: 8e-3 };

/// The bone with its frame; a fine surface is made coarser for it.
pub(super) fn drawn(made: &MadeBone) -> String {
    let (surface, morphology) = (&made.shape.surface, &made.morphology);
    let title = format!("{} {}", morphology.side.word(), morphology.kind.word());
    if surface.triangles().len() > DRAWN
        && let Ok(coarse) = decimated(surface, COARSE)
        && let given = (Given { kind: Some(morphology.kind), side: Some(morphology.side), ..Given::default() })
        && let Ok(found) = find(&coarse.mesh, &given)
    {
        return picture(&coarse.mesh, &found, &title);
    }
    picture(surface, morphology, &title)
}
