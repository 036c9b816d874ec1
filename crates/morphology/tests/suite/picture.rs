use crate::support::load;
use wolff_morphology::picture::picture;
use wolff_morphology::{Given, find};

#[test]
fn a_picture_shows_frame_landmarks_and_joints() {
    let Some(mesh) = load("data/bones/bodyparts3d/patella_r_FMA24486.stl") else { return };
    let found = find(&mesh, &Given::default()).unwrap();
    let svg = picture(&mesh, &found, "patella <right>");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("patella &lt;right&gt;"));
    assert!(found.landmarks.iter().all(|l| svg.matches(&l.name.replace('_', " ")).count() == 2));
    assert_eq!(svg, picture(&mesh, &found, "patella <right>"));
}
