//! The flexible segment: nodes, masses, refusals, the file.

use crate::{LENGTH, recipe, tibia};
use wolff_bone::gauges::site;
use wolff_bone::segment::{Attachment, AttachmentKind, Basis};
use wolff_fem::attachment::Patch;
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// A point off the bone moves with its patch as with a rigid arm: its force reaches the patch with the couple of the
/// arm.
#[test]
fn points_off_the_bone_carry_force_and_couple() {
    let mut recipe = recipe(tibia());
    let (near, arm) = (Vec3::new(0.02, -0.05, 0.004), Vec3::new(0.03, 0.01, -0.02));
    recipe.attachments.push(Attachment::on_set("tendon", near, "tuberosity"));
    recipe.attachments.push(Attachment::on_set("patella", near + arm, "tuberosity"));
    recipe.basis = Basis::All;
    let bone = recipe.make().unwrap();
    let (a, b) = (bone.body.node("tendon").unwrap(), bone.body.node("patella").unwrap());
    for mode in 0..bone.body.modes() {
        let column = |m: &nalgebra::DMatrix<f64>| Vec3::new(m[(0, mode)], m[(1, mode)], m[(2, mode)]);
        let expected = column(&a.translation) + column(&a.rotation).cross(&arm);
        let scale = column(&a.translation).norm() + 0.1 * column(&a.rotation).norm();
        assert!((column(&b.translation) - expected).norm() < 1e-9 * scale);
        assert!((column(&b.rotation) - column(&a.rotation)).norm() < 1e-9 * column(&a.rotation).norm());
    }
    assert_eq!(b.position, near + arm);
}

/// The ends carry what is near them; the shaft has patches of its own, at the point itself.
#[test]
fn attachments_are_frames_of_a_model() {
    let bone = recipe(tibia()).make().unwrap();
    let frame = |name: &str| bone.frame(name).unwrap();
    assert_eq!((frame("soleus").body.as_str(), frame("soleus").pose.p), ("shank_r.soleus", Vec3::zeros()));
    assert_eq!((frame("hamstrings").body.as_str(), frame("hamstrings").pose.p.y), ("shank_r.knee", -0.047));
    assert_eq!(frame("retinaculum").body, "shank_r.ankle");
    assert!((frame("retinaculum").pose.p.y - (LENGTH - 0.39)).abs() < 1e-12);
    assert_eq!(bone.joint_frame(1).body, "shank_r.ankle");
    assert!(bone.frame("plantaris").unwrap_err().to_string().contains("soleus"));
}

/// The body has the mass, mass centre and inertia of the segment; a segment lighter than its bone is refused.
#[test]
fn soft_tissue_makes_up_the_segment() {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.0475, 0.0048, 0.0482));
    let segment = MassProperties::new(3.58, Vec3::new(0.002, -0.1845, 0.001), inertia).unwrap();
    let mut recipe = recipe(tibia());
    recipe.segment = Some(segment);
    let bone = recipe.make().unwrap();
    let mass = bone.body.mass_properties();
    assert!((mass.mass - 3.58).abs() < 1e-12 && (mass.com - segment.com).norm() < 1e-12);
    assert!((mass.inertia - inertia).amax() < 1e-12);
    assert!((0.4..0.7).contains(&bone.report.bone_mass), "{}", bone.report.bone_mass);
    recipe.segment = Some(MassProperties::new(0.3, segment.com, inertia * 0.1).unwrap());
    assert!(recipe.make().unwrap_err().to_string().contains("cannot hold this bone"));
}

/// Names twice, gauges beside rigid faces, points that are no numbers.
#[test]
fn refusals_name_the_part() {
    let refused = |change: &dyn Fn(&mut wolff_bone::segment::BoneRecipe<'_>)| {
        let mut recipe = recipe(tibia());
        change(&mut recipe);
        recipe.make().unwrap_err().to_string()
    };
    assert!(refused(&|r| r.attachments.push(Attachment::patch("knee", Vec3::zeros()))).contains("`knee`"));
    let near = refused(&|r| r.gauges.push(site("low", tibia(), 0.92, 0.0).unwrap()));
    assert!(near.contains("`low`") && near.contains("45 mm"), "{near}");
    assert!(refused(&|r| r.attachments[0].point.x = f64::NAN).contains("soleus"));
    assert!(refused(&|r| r.attachments[0].kind = AttachmentKind::Fibula).contains("fibula"));
    assert!(refused(&|r| r.basis = Basis::Gauges { vibrations: 3, error: f64::NAN }).contains("error"));
    assert!(refused(&|r| r.basis = Basis::Gauges { vibrations: 3, error: 1e-3 }).contains("is a strain"));
    assert!(refused(&|r| r.damping_ratio = -1.0).contains("damping"));
}

/// A patch is about a diameter wide and lies on the outer surface.
#[test]
fn patches_lie_on_the_outer_surface() {
    let outer = tibia().outer_nodes();
    let spec = Attachment::patch("a", Vec3::new(-0.02, -0.2, 0.01));
    let patch = spec.patch_spec(tibia()).unwrap();
    let Some(Patch::Nodes(nodes)) = patch.map(|p| p.patch) else { panic!("no patch") };
    assert!(nodes.len() >= 4 && nodes.iter().all(|n| outer.contains(n)));
    let x = |n: usize| tibia().mesh.nodes()[n];
    let widest = nodes.iter().flat_map(|&a| nodes.iter().map(move |&b| (x(a) - x(b)).norm())).fold(0.0, f64::max);
    assert!((0.015..0.030).contains(&widest), "{widest}");
}
