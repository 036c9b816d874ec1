//! The soft tissue of a segment.

use nalgebra::Matrix4;
use wolff_flexbody::FlexBody;
use wolff_spatial::{MassProperties, Mat3};

use crate::BoneError;

/// Gives the body the mass, mass centre and inertia of a whole segment; refuses a segment with less mass or inertia
/// than the bone.
pub(crate) fn add_tissue(body: &mut FlexBody, segment: &MassProperties) -> Result<(), BoneError> {
    let (m, c) = (segment.mass, segment.com);
    let second = Mat3::identity() * (0.5 * segment.inertia.trace()) - segment.inertia + c * c.transpose() * m;
    let i = &mut body.inertia;
    // pseudo-inertia of what is added: a mass distribution has a positive one
    let mut added = Matrix4::zeros();
    added.fixed_view_mut::<3, 3>(0, 0).copy_from(&(second - i.second));
    let first = c * m - i.first;
    added.fixed_view_mut::<3, 1>(0, 3).copy_from(&first);
    added.fixed_view_mut::<1, 3>(3, 0).copy_from(&first.transpose());
    added[(3, 3)] = m - i.mass;
    let least = added.symmetric_eigenvalues().min();
    if !(least >= -1e-12) {
        let rule = format!(
            "a segment of {m} kg cannot hold this bone of {:.3} kg: what is left over would have negative mass or \
             inertia; \
             give the segment more, or the bone less",
            i.mass
        );
        return Err(BoneError::invalid(&body.name, rule));
    }
    (i.mass, i.first, i.second) = (m, c * m, second);
    Ok(())
}
