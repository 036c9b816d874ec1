//! The fibula beside the tibia.

use crate::{recipe, tibia};
use nalgebra::DVector;
use wolff_fem::bone::Side;
use wolff_movement::bone::{Attachment, AttachmentKind, Basis, Fibula};
use wolff_spatial::Vec3;

/// Under axial force the spring takes the share that was asked for; a muscle in its middle pulls at both ends alike.
#[test]
fn takes_its_share_of_the_axial_force() {
    let fibula = Fibula::of_shank(&tibia().ends, Side::Right);
    let middle = (fibula.head + fibula.malleolus) * 0.5;
    let mut recipe = recipe(tibia());
    recipe.basis = Basis::All;
    recipe.fibula = Some(fibula);
    recipe.attachments.push(Attachment { name: "flexor".into(), point: middle, kind: AttachmentKind::Fibula });
    let bone = recipe.make().unwrap();
    let body = &bone.body;
    let row = |name: &str| body.node(name).unwrap().clone();
    let (knee, ankle, head) = (row("knee"), row("ankle"), row("fibula_head"));
    let force: DVector<f64> = (&ankle.translation - &knee.translation).transpose() * Vec3::y();
    let eta = body.stiffness.clone().cholesky().unwrap().solve(&force);
    let along = (fibula.malleolus - fibula.head).normalize();
    let turn = &ankle.rotation * &eta;
    let arm = fibula.malleolus - ankle.position;
    let end = &ankle.translation * &eta + Vec3::new(turn[0], turn[1], turn[2]).cross(&arm);
    let shortening = -along.dot(&(end - &head.translation * &eta));
    let carried = bone.report.fibula_stiffness.unwrap() * shortening;
    println!("spring {:.2e} N/m carries {carried:.4}", bone.report.fibula_stiffness.unwrap());
    assert!((carried - 0.07).abs() < 1e-9);
    let at = row("flexor").translation * &eta;
    let ends = (end + head.translation * &eta) * 0.5;
    assert!((at - ends).norm() < 1e-9 * ends.norm());
}

#[test]
fn refuses_a_share_that_no_spring_takes() {
    let mut recipe = recipe(tibia());
    recipe.fibula = Some(Fibula { share: 0.9, ..Fibula::of_shank(&tibia().ends, Side::Right) });
    assert!(recipe.make().unwrap_err().to_string().contains("0.9"));
}
