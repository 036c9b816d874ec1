//! Kinds of errors.

use std::error::Error;
use std::path::Path;
use wolff_files::ErrorKind;
use wolff_formats::FormatError;
use wolff_motion::MotionError;
use wolff_motion::recording::read_storage;

/// What the user can correct is an input error, what did not converge is a numerical one, and causes are kept.
#[test]
fn kinds_and_causes() {
    let absent = read_storage(Path::new("nowhere.sto")).unwrap_err();
    assert!(absent.kind() == ErrorKind::Input && absent.source().is_some());
    assert_eq!(MotionError::input("task", "no weight").kind(), ErrorKind::Input);
    let reason = || "not converged".to_string();
    let pose = MotionError::Pose { time: 0.1, reason: reason() };
    let singular = MotionError::Numerical { object: "reduction".into(), reason: reason() };
    assert_eq!([pose, singular].map(|e| e.kind()), [ErrorKind::Numerical; 2]);
    let full = FormatError::io("write", Path::new("out.sto"), std::io::Error::other("no space"));
    assert_eq!(MotionError::from(full).kind(), ErrorKind::File);
    assert_eq!(MotionError::Stopped.kind(), ErrorKind::Stopped);
}
