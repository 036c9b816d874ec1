//! Gauges by anatomy.

use crate::{LENGTH, coarse, tibia};
use std::collections::HashSet;
use wolff_bone::gauges::{Contour, ROSETTE, face_row, tibia_gauges};
use wolff_bone::parametric::{Bone, BoneKind, Landmark, Sex, Side};
use wolff_bone::person::Solid;
use wolff_bone::segment::BoneRecipe;
use wolff_fem::gauge::GaugePlace;
use wolff_spatial::Vec3;

fn position(gauge: &wolff_fem::gauge::GaugeSpec) -> Vec3 {
    let GaugePlace::Point { point, .. } = gauge.place else { panic!("no point") };
    point
}

/// Crest, middle of the face and medial border are those of the bone's recipe, which knows its corners; a left bone
/// is the mirror image.
#[test]
fn the_face_runs_from_crest_to_medial_border() {
    const CHORDS: f64 = 0.6e-3;
    let bone = Bone::new(BoneKind::Tibia, Sex::Male).stretched(LENGTH, 1.0);
    let solid = Solid::tibia(LENGTH, Side::Right).unwrap();
    let row = face_row(&solid, 0.5).unwrap();
    for (name, landmark) in
        [("am_0", Landmark::AnteriorCrest), (ROSETTE, Landmark::Anteromedial), ("am_100", Landmark::MedialBorder)]
    {
        let at = position(row.iter().find(|g| g.name == name).unwrap());
        let expected = bone.landmark(landmark, 0.5).unwrap().point;
        println!("{name}: {:.2} mm", 1e3 * (at - expected).norm());
        // the middle by the way along the surface is not quite that by distance from both corners
        assert!((at - expected).norm() < CHORDS, "{name} {at:?} {expected:?}");
    }
    let mirrored = face_row(&coarse(Side::Left), 0.5).unwrap();
    for (a, b) in face_row(tibia(), 0.5).unwrap().iter().zip(&mirrored) {
        let (a, b) = (position(a), position(b));
        assert!((Vec3::new(b.x, b.y, -b.z) - a).norm() < 1e-9);
    }
}

/// All gauges find their places, with normals that look outward, at the heights asked for.
#[test]
fn gauges_look_outward() {
    let solid = tibia();
    let gauges = tibia_gauges(solid).unwrap();
    assert_eq!(gauges.len(), 7 + 4 * 7);
    assert_eq!(gauges.iter().map(|g| &g.name).collect::<HashSet<_>>().len(), gauges.len());
    let mut recipe = BoneRecipe::new("shank_r", solid);
    recipe.gauges = gauges;
    let bone = recipe.make().unwrap();
    for gauge in &bone.body.gauges {
        let fraction = -gauge.position.y / LENGTH;
        let centroid = Contour::new(solid, fraction).unwrap().centroid;
        let axes = gauge.rotation();
        assert!(axes.column(2).dot(&(gauge.position - centroid)) > 0.008, "{}", gauge.name);
        assert!(axes.column(0).y > 0.9);
        let height = match gauge.name.rsplit_once('_') {
            Some((l, mm)) if l.starts_with('L') => mm.parse::<f64>().unwrap() * 1e-3,
            _ => 0.5 * LENGTH,
        };
        // within the sag of a curved face
        assert!((gauge.position.y + LENGTH - height).abs() < 1e-3, "{} {}", gauge.name, gauge.position.y);
    }
}

/// The ray meets canal and outer surface; shares of the way add up.
#[test]
fn contours_have_a_wall() {
    let contour = Contour::new(tibia(), 0.5).unwrap();
    for k in 0..24 {
        let [inner, outer] = contour.radii(f64::from(k) * 0.2618).unwrap();
        assert!(inner > 0.004 && outer - inner > 0.003, "{inner} {outer}");
    }
    let [a, b] = [0.3, -1.7];
    let middle = contour.angle_between(a, b, 0.5).unwrap();
    assert!(middle < a && middle > b);
    assert!((contour.angle_between(a, b, 0.0).unwrap() - a).abs() < 1e-12);
    assert!((contour.angle_between(a, b, 1.0).unwrap() - b).abs() < 1e-9);
    assert!(contour.radii(f64::NAN).is_err());
}
