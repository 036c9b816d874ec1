//! Distance through a layer to the surface behind it, such as through cartilage to bone.

use crate::surface::{Place, Surface, SurfacePoint};

/// Thickness of a layer at a point of its front \[m\]: the way along the inward normal to the first point of the
/// `back`, if there is one within `most` \[m\].
///
/// `from`, when given, is where the last, nearby answer lay on the back; it is moved on. Limits: the thickness along
/// the normal exceeds the least distance by the cosine of the angle between front and back.
pub fn thickness_at(front: &SurfacePoint, back: &dyn Surface, most: f64, from: &mut Option<Place>) -> Option<f64> {
    let inward = -front.normal;
    let hit = match from {
        Some(place) => back.ray_from(&front.position, &inward, (0.0, most), place),
        None => back.ray(&front.position, &inward, (0.0, most)),
    }?;
    *from = Some(hit.point.place);
    Some(hit.t)
}

/// Thickness of a layer at many points of its front \[m\]; `None` where nothing is behind within `most` \[m\].
pub fn thickness(front: impl IntoIterator<Item = SurfacePoint>, back: &dyn Surface, most: f64) -> Vec<Option<f64>> {
    let mut last = None;
    front.into_iter().map(|point| thickness_at(&point, back, most, &mut last)).collect()
}
