use wolff_geometry::TriangleMesh;
use wolff_imaging::{Frame, LabelVolume};
use wolff_mesher::Settings;
use wolff_scan::generate::{generate, outcome, results};
use wolff_scan::source::Source;
use wolff_spatial::{Mat3, Vec3};

const COARSE: Settings =
    Settings { size: 5e-3, order: wolff_fem::ElementKind::Tet4, halvings: 1, most_elements: 1_000_000 };

#[test]
fn a_ball_in_a_ball_has_two_materials_and_their_volumes() {
    let [outer, inner] = [0.02, 0.012].map(|radius| TriangleMesh::icosphere(radius, 4).unwrap());
    let source = Source::Surface(outer);
    let meshed = generate(&source, Some(&inner), &[], &COARSE, &mut |_, _| true).unwrap();
    let outcome = outcome(&meshed.report, Vec::new());
    assert_eq!(outcome.judged_status().word(), "ok", "{:?}", outcome.judgement.warnings());
    let results = results(&meshed.report);
    let materials = results["materials"].as_array().unwrap();
    let volume = |i: usize| materials[i]["volume_mm3"].as_f64().unwrap();
    let ball = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    assert!(materials[0]["name"] == "shell" && materials[1]["name"] == "core");
    assert!((volume(1) / ball(12.0) - 1.0).abs() < 0.01, "{}", volume(1));
    assert!((volume(0) / (ball(20.0) - ball(12.0)) - 1.0).abs() < 0.01, "{}", volume(0));
}

/// Labels lie where their voxels are, in a turned and mirrored image too, and no element is turned inside out.
#[test]
fn labels_of_a_mirrored_and_turned_image_are_in_place() {
    let size = [24, 20, 22];
    let (c, s) = (0.3_f64.cos(), 0.3_f64.sin());
    let turned = Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
    let mirrored = turned * Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
    let spacing = Vec3::new(1.0e-3, 1.1e-3, 0.9e-3);
    let frame = Frame::from_directions(Vec3::new(0.03, -0.02, 0.1), spacing, mirrored).unwrap();
    // a box of voxels that is nowhere in the middle
    let inside = |i: usize, j: usize, k: usize| (4..14).contains(&i) && (5..15).contains(&j) && (6..18).contains(&k);
    let at = |n: usize| (n % size[0], n / size[0] % size[1], n / (size[0] * size[1]));
    let labels: Vec<u16> = (0..size.iter().product()).map(at).map(|(i, j, k)| 3 * u16::from(inside(i, j, k))).collect();
    let centre = frame.position(&Vec3::new(8.5, 9.5, 11.5));
    let volume = 10.0 * 10.0 * 12.0 * spacing.x * spacing.y * spacing.z;
    let source = Source::Labels(Box::new(LabelVolume::new(size, frame, labels).unwrap()));
    let settings = Settings { size: 2e-3, ..COARSE };
    let meshed = generate(&source, None, &[(3, "block")], &settings, &mut |_, _| true).unwrap();
    let material = &meshed.report.materials[0];
    assert_eq!(material.name, "block");
    assert!((material.centroid - centre).norm() < 1e-4, "{} {centre}", material.centroid);
    assert!((material.volume / volume - 1.0).abs() < 0.02, "{}", material.volume / volume);
    assert!(meshed.mesh.volumes().all(|v| v > 0.0));
    // the mesh is compared with the surface of the voxels in their own place: edges and corners of the block are rounded,
    // its faces (6 at distances of 5 or 6 voxels) are not
    let figures = results(&meshed.report);
    let distance = |of: &serde_json::Value, name: &str| of[name].as_f64().unwrap();
    let whole = serde_json::Value::Object(figures.clone());
    assert!(distance(&whole, "mean_distance_mm") < 0.15, "{figures:?}");
    assert!((0.01..1.0).contains(&distance(&whole, "hausdorff_mm")), "{figures:?}");
    assert_eq!(distance(&figures["materials"][0], "mean_distance_mm"), distance(&whole, "mean_distance_mm"));
    let inner = TriangleMesh::icosphere(1e-3, 1).unwrap();
    assert!(generate(&source, Some(&inner), &[], &settings, &mut |_, _| true).is_err());
}
