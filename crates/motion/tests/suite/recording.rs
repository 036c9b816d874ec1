use crate::data;
use std::path::Path;
use wolff_formats::trial::Axes;
use wolff_motion::recording::{ending, read_markers, read_recording};

#[test]
fn a_c3d_file_has_markers_and_forces() {
    let Some(path) = data::shared("c3d/opensim-core/walking2.c3d") else { return };
    let found = read_recording(&path, None).unwrap();
    let (markers, forces) = (found.markers.unwrap(), found.forces.unwrap());
    assert!(markers.markers().len() > 10 && !forces.plates().is_empty());
    let turned = read_markers(&path, Some(&Axes::X_FORWARD_Z_UP)).unwrap();
    let first = |t: &wolff_formats::trial::MarkerTrial| t.markers()[0].points.iter().flatten().next().copied().unwrap();
    let ([x, y, z], turned) = (first(&markers), first(&turned));
    assert_eq!(turned, [x, z, -y]);
}

#[test]
fn endings_decide_and_others_are_refused() {
    assert_eq!(ending(Path::new("a/Walk.TRC")), "trc");
    let message = read_recording(Path::new("walk.xyz"), None).unwrap_err().to_string();
    assert!(message.contains("walk.xyz") && message.contains(".trc"), "{message}");
    assert!(read_recording(Path::new("gone.trc"), None).unwrap_err().to_string().contains("gone.trc"));
}
