//! Pairs of surfaces from a study or pair file, with poses in six columns.

use super::error::ContactPosesError;
use super::evaluate::{Chosen, Evaluation, Sheet, not_finite, poses};
use std::path::Path;
use wolff_formats::sto::Storage;
use wolff_opensim::xyz_rotation;
use wolff_report::pressure::PosedContact;
use wolff_spatial::{Pose, Vec3};
use wolff_study::document::FoundationSpec;

/// Position \[m\] and rotations [rad, or degrees if the file header says so] of the moving frame in the fixed frame:
/// first about x, then about the rotated y, then about the rotated z.
pub const POSE_COLUMNS: [&str; 6] = ["tx", "ty", "tz", "rx", "ry", "rz"];

/// The foundations of a file as contacts, or only the one with the given name.
pub fn pair_contacts(
    foundations: Vec<FoundationSpec>,
    only: Option<&str>,
) -> Result<Vec<PosedContact>, ContactPosesError> {
    let known = foundations.iter().map(|f| f.name.clone()).collect::<Vec<_>>().join(", ");
    let requested = foundations.into_iter().filter(|f| only.is_none_or(|only| only == f.name));
    let contacts: Vec<_> = requested
        .map(|f| PosedContact { name: f.name, fixed: f.fixed, moving: f.moving, pair: f.report, remarks: f.remarks })
        .collect();
    match (contacts.is_empty(), only) {
        (false, _) => Ok(contacts),
        (true, Some(only)) if !known.is_empty() => Err(ContactPosesError::NoContact(format!(
            "--contact {only}: the file has no foundation of this name; it has {known}"
        ))),
        _ => Err(ContactPosesError::NoContact(
            "the file has no [[foundation]]; add one, see `wolff contact --help`".into(),
        )),
    }
}

/// Evaluates all contacts for the poses in the rows of a file; missing columns are zero.
pub fn evaluate_poses(
    contacts: &[PosedContact],
    given: &Storage,
    path: &Path,
    chosen: &Chosen,
) -> Result<Evaluation, ContactPosesError> {
    let labels = given.table.labels();
    let columns = POSE_COLUMNS.map(|name| labels.iter().position(|l| l == name));
    if columns == [None; 6] {
        let rule = format!(
            "it has none of the columns {}; give the poses in columns with these names",
            POSE_COLUMNS.join(", ")
        );
        return Err(ContactPosesError::Poses { path: path.into(), rule });
    }
    let turn = if given.in_degrees { 1f64.to_radians() } else { 1.0 };
    let mut sheet = Sheet::new(contacts, std::iter::empty());
    for pose in poses(&given.table, path, chosen)? {
        let [tx, ty, tz, rx, ry, rz] =
            columns.map(|c| c.map_or(0.0, |c| pose.values.get(c).copied().unwrap_or(f64::NAN)));
        let X_FM = Pose::new(xyz_rotation(&[rx * turn, ry * turn, rz * turn]), Vec3::new(tx, ty, tz));
        if !X_FM.R.iter().chain(&X_FM.p).all(|x| x.is_finite()) {
            return Err(not_finite(path, pose.row));
        }
        sheet.begin(&pose, &vec![X_FM; contacts.len()])?;
    }
    let left: Vec<&str> = POSE_COLUMNS.iter().zip(columns).filter(|(_, c)| c.is_none()).map(|(n, _)| *n).collect();
    let remark = format!("{} are zero, because the file has no columns of these names", left.join(", "));
    sheet.finish((!left.is_empty()).then_some(remark).into_iter().collect())
}
