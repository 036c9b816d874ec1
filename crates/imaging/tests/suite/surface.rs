//! Tests of surfaces from images.

use wolff_geometry::{Normals, TriangleMesh, TriangleSurface};
use wolff_imaging::surface::{
    Decimation, RepairLimits, decimated, isosurface, label_surface, repaired, smoothed, with_volume,
};
use wolff_imaging::{Choice, Frame, Mask, Volume, read};
use wolff_spatial::{Mat3, Vec3};

use crate::phantom::straight;

const RADIUS: f64 = 8e-3;

/// The signed distance from a ball about (10, 10, 10) mm, inside positive, on a grid that may be mirrored.
fn ball(spacing: f64, mirrored: bool) -> Volume {
    let count = (20e-3 / spacing).round() as usize + 1;
    let (first, step) = if mirrored { (20e-3, -spacing) } else { (0.0, spacing) };
    let frame =
        Frame::new(Vec3::new(first, 0.0, 0.0), Mat3::from_diagonal(&Vec3::new(step, spacing, spacing))).unwrap();
    Volume::from_fn([count; 3], frame, |x| RADIUS - (x - Vec3::repeat(10e-3)).norm()).unwrap()
}

fn volume_of(mesh: &TriangleMesh) -> f64 {
    mesh.report().unwrap().volume.expect("a closed surface")
}

#[test]
fn the_surface_of_a_ball_is_closed_outward_and_of_second_order() {
    let exact = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let error = |spacing: f64, mirrored: bool| {
        let mesh = isosurface(&ball(spacing, mirrored), 0.0).unwrap();
        assert!(mesh.faults().is_sound() && mesh.report().unwrap().parts == 1);
        1.0 - volume_of(&mesh) / exact
    };
    let (coarse, fine) = (error(1e-3, false), error(0.5e-3, false));
    assert!(coarse > 0.0 && coarse < 0.02, "{coarse}");
    assert!((3.4..4.6).contains(&(coarse / fine)), "{coarse} {fine}");
    assert!((error(1e-3, true) - coarse).abs() < 1e-3);
    assert!(isosurface(&ball(1e-3, false), 1.0).unwrap_err().to_string().contains("no voxel"));
}

#[test]
fn a_body_cut_by_the_image_is_closed() {
    let volume = Volume::from_fn([9, 9, 9], straight(1e-3), |x| 4e-3 - (x.x - 4e-3).hypot(x.y - 4e-3)).unwrap();
    let mesh = isosurface(&volume, 1e-3).unwrap();
    assert!(mesh.report().unwrap().is_closed() && mesh.faults().is_sound());
}

#[test]
fn smoothing_and_offsets_keep_the_volume() {
    let mesh = isosurface(&ball(1e-3, false), 0.0).unwrap();
    let smooth = smoothed(&mesh, 20).unwrap();
    assert!((volume_of(&smooth) / volume_of(&mesh) - 1.0).abs() < 1e-5);
    let larger = with_volume(&mesh, 1.1 * volume_of(&mesh)).unwrap();
    assert!((volume_of(&larger) / volume_of(&mesh) - 1.1).abs() < 1e-5);
    let open = TriangleMesh::rectangle([1e-2, 1e-2], [2, 2]).unwrap();
    assert!(with_volume(&open, 1e-9).is_err());
}

#[test]
fn decimation_keeps_its_bound() {
    let mesh = isosurface(&ball(0.5e-3, false), 0.0).unwrap();
    let limits = Decimation { deviation: 0.2e-3, longest_edge: 3e-3 };
    let found = decimated(&mesh, limits).unwrap();
    assert!(found.mesh.triangles().len() < mesh.triangles().len() / 5, "{}", found.mesh.triangles().len());
    assert!(found.mesh.faults().is_sound() && found.deviation <= limits.deviation);
    let surface = TriangleSurface::new(mesh, Normals::Facets).unwrap();
    for x in found.mesh.vertices() {
        assert!(surface.signed_distance(x).unwrap().abs() < limits.deviation + 1e-5);
    }
    for t in 0..found.mesh.triangles().len() {
        let [a, b, _] = found.mesh.corners(t);
        assert!((a - b).norm() <= limits.longest_edge);
    }
}

#[test]
fn labels_keep_the_volume_of_their_voxels() {
    // a plate of two voxels with a hole, and a ball
    let ball = |x: Vec3| (x - Vec3::new(7.0, 7.0, 12.0)).norm() < 4.5;
    let plate = |x: Vec3| (x.z - 3.5).abs() < 1.0 && !((x.x - 7.0).hypot(x.y - 7.0) < 2.0);
    let place = |n: usize| Vec3::new((n % 15) as f64, (n / 15 % 15) as f64, (n / 225) as f64);
    for inside in [&ball as &dyn Fn(Vec3) -> bool, &plate] {
        let bits = (0..15 * 15 * 18).map(|n| inside(place(n))).collect();
        let mask = Mask::new([15, 15, 18], straight(0.7e-3), bits).unwrap();
        let mesh = label_surface(&mask).unwrap();
        assert!(mesh.faults().is_sound());
        assert!((volume_of(&mesh) / mask.volume() - 1.0).abs() < 1e-3);
    }
    let none = Mask::new([2, 2, 2], straight(1e-3), vec![false; 8]).unwrap();
    assert!(label_surface(&none).unwrap_err().to_string().contains("no voxels"));
}

#[test]
fn the_knee_lies_at_its_reference_surfaces() {
    let Some(folder) = wolff_testdata::shared("data/images/knee-mri-labels") else { return };
    let name = "SAG_3D_DESS_RIGHT_bones_cart_men_fib-label.nrrd";
    let labels = read(&folder.join(name), &Choice::only()).unwrap().volume.to_labels().unwrap();
    // mean distances in mm; the references are smoothed themselves and smaller by up to 14 %
    for (label, file, most) in
        [(6, "tibia_mesh.vtk", 0.12), (9, "lat_meniscus_mesh.vtk", 0.2), (2, "med_tib_cart_mesh.vtk", 0.3)]
    {
        let mask = labels.region(label).unwrap();
        let mesh = label_surface(&mask).unwrap();
        assert!((volume_of(&mesh) / mask.volume() - 1.0).abs() < 1e-3, "{file}");
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let reference = wolff_meshes::surface::read(file, &bytes).unwrap().mesh.scaled(1e-3).unwrap();
        let surface = TriangleSurface::new(mesh, Normals::Facets).unwrap();
        let distances = reference.vertices().iter().filter_map(|x| surface.signed_distance(x));
        let mean = 1e3 * distances.map(f64::abs).sum::<f64>() / reference.vertices().len() as f64;
        println!("{file}: {mean:.3} mm");
        assert!(mean < most, "{file}: {mean} mm");
    }
}

#[test]
fn repair_fills_small_holes_and_tells() {
    let ball = TriangleMesh::icosphere(10e-3, 3).unwrap();
    let (whole, none) = repaired(ball.clone(), &RepairLimits::default()).unwrap();
    assert!(whole == ball && !none.changed() && none.lines().is_empty());
    let mut triangles = ball.triangles().to_vec();
    // a hole, a repeated triangle, and a crumb beside
    triangles.retain(|t| !t.contains(&20));
    triangles.push(triangles[5]);
    let crumb = TriangleMesh::icosphere(0.5e-3, 0).unwrap();
    let first = ball.vertices().len() as u32;
    triangles.extend(crumb.triangles().iter().map(|t| t.map(|v| v + first)));
    let crumbs = crumb.vertices().iter().map(|x| x + Vec3::new(0.05, 0.0, 0.0));
    let vertices = ball.vertices().iter().copied().chain(crumbs).collect();
    let damaged = TriangleMesh::new(vertices, triangles).unwrap();
    let (mended, done) = repaired(damaged.clone(), &RepairLimits::default()).unwrap();
    assert!((volume_of(&mended) / volume_of(&ball) - 1.0).abs() < 2e-3);
    assert_eq!((done.mending.repeated, done.holes.len(), done.removed_parts.len()), (1, 1, 1));
    let text = done.lines().join("\n");
    for word in ["1 repeated triangles removed", "hole filled: rim", "mm²", "separate part of", "mm³ in all"] {
        assert!(text.contains(word), "{text}");
    }
    let limits = RepairLimits { longest_rim: 1e-4, ..RepairLimits::default() };
    let (_, done) = repaired(damaged, &limits).unwrap();
    assert_eq!(done.left_open.len(), 1);
}
