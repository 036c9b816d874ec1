//! Kinds of failures.

use wolff_bone::flexible::parse_point;
use wolff_bone::person::Solid;
use wolff_bone::{BoneError, Side};
use wolff_fem::FemError;
use wolff_files::ErrorKind;

/// Invalid input, failed computations and files are told apart; the cause is kept.
#[test]
fn kinds_follow_from_the_cause() {
    assert_eq!(Solid::tibia(7.0, Side::Right).unwrap_err().kind(), ErrorKind::Input);
    assert_eq!(parse_point("a=1").unwrap_err().kind(), ErrorKind::Input);
    let pivot = FemError::NotPositiveDefinite { matrix: "stiffness", row: 3 };
    let error = BoneError::from(pivot.clone());
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Numerical, pivot.to_string()));
    let unreadable = FemError::Io { action: "read", path: "a.msh".into(), cause: "no such file".into() };
    let in_file = FemError::InFile { path: "a.msh".into(), cause: Box::new(unreadable) };
    assert_eq!(BoneError::from(in_file).kind(), ErrorKind::Input);
    let unwritable = FemError::Io { action: "write", path: "a.msh".into(), cause: "disk full".into() };
    assert_eq!(BoneError::from(unwritable).kind(), ErrorKind::File);
}
