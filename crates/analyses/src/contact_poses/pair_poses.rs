//! Pairs of surfaces from a study or pair file, with poses in six columns.

use super::error::ContactPosesError;
use super::evaluate::{Chosen, Evaluation, Sheet, disorder, not_finite, poses};
use std::path::Path;
use wolff_formats::sto::Storage;
use wolff_opensim::xyz_rotation;
use wolff_report::pressure::PosedContact;
use wolff_spatial::{Pose, Vec3};
use wolff_study::document::FoundationSpec;

/// Position \[m\] and rotations [rad, or degrees if the file header says so] of the moving frame in the fixed frame:
/// first about x, then about the rotated y, then about the rotated z.
pub const POSE_COLUMNS: [&str; 6] = ["tx", "ty", "tz", "rx", "ry", "rz"];

/// No two surfaces in contact are farther apart than this \[m\].
const FARTHEST: f64 = 2.0;

/// Larger angles \[rad\] are probably in degrees: two turns.
const LARGEST_TURN: f64 = 4.0 * std::f64::consts::PI;

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
    let mut far = None;
    for pose in poses(&given.table, path, chosen)? {
        let [tx, ty, tz, rx, ry, rz] =
            columns.map(|c| c.map_or(0.0, |c| pose.values.get(c).copied().unwrap_or(f64::NAN)));
        let largest = |values: [f64; 3]| values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if largest([tx, ty, tz]) > FARTHEST || turn * largest([rx, ry, rz]) > LARGEST_TURN {
            far.get_or_insert_with(|| {
                format!(
                    "row {} (from 0) is farther than {FARTHEST} m away or turned by more than two turns; positions are \
                     in m, and angles in rad unless the header has inDegrees=yes",
                    pose.row
                )
            });
        }
        let X_FM = Pose::new(xyz_rotation(&[rx * turn, ry * turn, rz * turn]), Vec3::new(tx, ty, tz));
        if !X_FM.R.iter().chain(&X_FM.p).all(|x| x.is_finite()) {
            return Err(not_finite(path, pose.row));
        }
        sheet.begin(&pose, &vec![X_FM; contacts.len()])?;
    }
    let left: Vec<&str> = POSE_COLUMNS.iter().zip(columns).filter(|(_, c)| c.is_none()).map(|(n, _)| *n).collect();
    let missing = match left[..] {
        [] => None,
        [one] => Some(format!("{one} is zero, because the file has no column of this name")),
        _ => Some(format!("{} are zero, because the file has no columns of these names", left.join(", "))),
    };
    sheet.finish(missing.into_iter().chain(far).chain(disorder(&given.table)).collect())
}
