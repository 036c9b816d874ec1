//! Closed shells of thin layers are parted into articular sheet, sheet behind it and rim.

use wolff_geometry::triangles::{Facing, Sheet, Shell, articular_mesh};
use wolff_geometry::{GeometryError, Normals, Sphere, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::{Mat3, Pose, Quaternion, Vec3};

const MM: f64 = 1e-3;

/// Numbers from -1 to 1 that look random and are the same in every run.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A saddle of 40 by 30 mm with uneven triangles, outside +z, turned in space.
fn saddle(seed: u64) -> (TriangleMesh, Pose) {
    let (mut rough, flat) = (noise(seed), TriangleMesh::rectangle([40.0 * MM, 30.0 * MM], [32, 24]).unwrap());
    let bent = flat.vertices().iter().map(|x| {
        let (x, y) = (x.x + 0.25 * MM * rough(), x.y + 0.25 * MM * rough());
        Vec3::new(x, y, x * x / (2.0 * 45.0 * MM) - y * y / (2.0 * 60.0 * MM) + 0.02 * MM * rough())
    });
    let mesh = TriangleMesh::new(bent.collect(), flat.triangles().to_vec()).unwrap();
    let turn = Quaternion::from_rotation_vector(&Vec3::new(rough(), rough(), rough())).matrix();
    let pose = Pose::new(turn, Vec3::new(rough(), rough(), rough()) * 0.1);
    (mesh.transformed(&pose).unwrap(), pose)
}

/// The layer behind a sheet with an uneven back.
fn layer(sheet: &TriangleMesh, thickness: f64, seed: u64) -> TriangleMesh {
    let closed = sheet.thickened(thickness).unwrap();
    let (mut rough, first) = (noise(seed), sheet.vertices().len());
    let uneven =
        |(k, x): (usize, &Vec3)| if k < first { *x } else { x + Vec3::new(rough(), rough(), rough()) * 0.1 * MM };
    let vertices = closed.vertices().iter().enumerate().map(uneven).collect();
    TriangleMesh::new(vertices, closed.triangles().to_vec()).unwrap()
}

/// The part of the area of a sheet that is in another mesh, triangle by triangle, and whether that has nothing else.
fn shared(sheet: &TriangleMesh, found: &TriangleMesh) -> (f64, bool) {
    let key = |mesh: &TriangleMesh, t: usize| mesh.corners(t).map(|x| [x.x, x.y, x.z].map(f64::to_bits));
    let all: std::collections::HashSet<_> = (0..sheet.triangles().len()).map(|t| key(sheet, t)).collect();
    let only = (0..found.triangles().len()).all(|t| all.contains(&key(found, t)));
    (area(found) / area(sheet), only)
}

/// Outermost triangles may be counted to the rim; nothing else may.
fn assert_same(sheet: &TriangleMesh, found: &TriangleMesh) {
    let (part, only) = shared(sheet, found);
    assert!(only && part > 0.97, "{part} of the sheet, nothing else: {only}");
}

fn area(mesh: &TriangleMesh) -> f64 {
    mesh.report().unwrap().area
}

fn shell(mesh: &TriangleMesh) -> Shell {
    Shell::new(mesh).unwrap().expect("a shell")
}

#[test]
fn a_bent_plate_gives_back_the_sheet_it_was_made_of() {
    for seed in 1..6 {
        let (sheet, pose) = saddle(seed);
        let closed = layer(&sheet, 2.5 * MM, seed + 100);
        let parted = shell(&closed);
        let outside = pose.R * Vec3::z();
        let front = parted.facing(&Facing::Direction(outside)).unwrap();
        assert_same(&sheet, &front.mesh);
        let back = parted.facing(&Facing::Direction(-outside)).unwrap();
        assert!(shared(&closed, &back.mesh).1 && (back.area() / area(&sheet) - 1.0).abs() < 0.2);
        assert!((front.mean_thickness() / (2.5 * MM) - 1.0).abs() < 0.02, "{}", front.mean_thickness());
        assert!(front.thickness.iter().all(|h| (2.0 * MM..3.2 * MM).contains(h)), "{:?}", front.thickness);
    }
}

/// A lens has no walls: its sides run into each other over a round edge, or along a sharp one.
#[test]
fn both_sides_of_a_lens_are_parted_at_its_edge() {
    let ball = TriangleMesh::icosphere(1.0, 5).unwrap();
    let turn = Quaternion::from_rotation_vector(&Vec3::new(0.3, 1.1, -0.7)).matrix();
    for half_thickness in [0.8 * MM, 1.4 * MM] {
        let lens =
            ball.clone().stretched(&Mat3::from_diagonal(&Vec3::new(20.0 * MM, 15.0 * MM, half_thickness))).unwrap();
        let lens = lens.transformed(&Pose::new(turn, Vec3::zeros())).unwrap();
        let parted = shell(&lens);
        let top = parted.facing(&Facing::Direction(turn * Vec3::z())).unwrap();
        let surface = TriangleSurface::new(top.mesh.clone(), Normals::Facets).unwrap();
        assert!(
            surface.elements().all(|(point, _)| point.normal.dot(&(turn * Vec3::z())) > -0.1),
            "nothing from below"
        );
        assert!(top.area() > 0.42 * area(&lens), "{} of {}", top.area(), area(&lens));
    }
}

/// A layer around three quarters of a circle, as on a femur: no direction sees all of its outside, but the axis does.
#[test]
fn a_layer_around_an_axis_looks_away_from_it() {
    let flat = TriangleMesh::rectangle([4.4, 25.0 * MM], [80, 14]).unwrap();
    let round = |x: &Vec3| Vec3::new(x.x.sin() * 22.0 * MM, -x.x.cos() * 22.0 * MM, x.y);
    let sheet =
        TriangleMesh::new(flat.vertices().iter().map(round).collect(), flat.triangles().to_vec()).unwrap().flipped();
    let away = |mesh: &TriangleMesh| {
        TriangleSurface::new(mesh.clone(), Normals::Facets)
            .unwrap()
            .elements()
            .all(|(p, _)| p.normal.dot(&Vec3::new(p.position.x, p.position.y, 0.0)) > 0.0)
    };
    let sheet = if away(&sheet) { sheet } else { sheet.flipped() };
    assert!(away(&sheet));
    let parted = shell(&layer(&sheet, 2.5 * MM, 7));
    let axis = Facing::AwayFromAxis { origin: Vec3::zeros(), axis: Vec3::z() };
    for facing in [axis, Facing::Direction(-Vec3::y())] {
        assert_same(&sheet, &parted.facing(&facing).unwrap().mesh);
    }
    assert!(matches!(parted.facing(&Facing::Direction(Vec3::z())), Err(GeometryError::UnclearSheet { .. })));
}

#[test]
fn the_articular_sheet_sees_its_partner() {
    let (sheet, pose) = saddle(3);
    let parted = shell(&layer(&sheet, 2.5 * MM, 4));
    for depth in [-3.0 * MM, 0.5 * MM, 1.5 * MM] {
        let ball = Sphere::new(pose.point(&(Vec3::z() * (25.0 * MM - depth))), 25.0 * MM).unwrap();
        let found = parted.facing(&Facing::Partner { surface: &ball, reach: 30.0 * MM }).unwrap();
        assert_same(&sheet, &found.mesh);
    }
    let far = Sphere::new(Vec3::repeat(3.0), 25.0 * MM).unwrap();
    let unseen = parted.facing(&Facing::Partner { surface: &far, reach: 30.0 * MM });
    assert!(unseen.unwrap_err().to_string().contains("direction"));
}

#[test]
fn every_part_of_a_mesh_is_parted_and_open_ones_stay() {
    let (medial, pose) = saddle(8);
    let aside = Pose::translation(pose.R * Vec3::x() * 60.0 * MM);
    let (lateral, open) = (layer(&medial, 2.0 * MM, 9), medial.clone().transformed(&aside).unwrap());
    let mut vertices = lateral.vertices().to_vec();
    let first = vertices.len() as u32;
    vertices.extend_from_slice(open.vertices());
    let triangles = lateral.triangles().iter().copied().chain(open.triangles().iter().map(|t| t.map(|v| v + first)));
    let both = TriangleMesh::new(vertices, triangles.collect()).unwrap();
    let articular = articular_mesh(&both, &Facing::Direction(pose.R * Vec3::z())).unwrap();
    let [found] = articular.shells[..] else { panic!("{:?}", articular.shells) };
    assert!((area(&articular.mesh) / (2.0 * area(&medial)) - 1.0).abs() < 1e-9);
    assert!((found.mean_thickness / (2.0 * MM) - 1.0).abs() < 0.02 && found.rim_area > 0.0);
    assert!(found.to_string().contains("closed shell of 2.0"), "{found}");
    let count = medial.triangles().len();
    assert!(
        articular.thickness[..count].iter().all(|h| h.is_finite())
            && articular.thickness[count..].iter().all(|h| h.is_infinite())
    );
    let surface = TriangleSurface::articular(articular.clone(), Normals::Smooth).unwrap();
    let place = surface.closest(&open.vertices()[0]).unwrap().place;
    assert!(surface.thickness(&place).is_infinite() && !surface.is_closed());
    // what has no shell is not touched
    let whole = articular_mesh(&open, &Facing::Direction(Vec3::z())).unwrap();
    assert!(whole.mesh == open && whole.shells.is_empty());
}

#[test]
fn a_shell_that_is_inside_out_is_turned() {
    let (sheet, pose) = saddle(2);
    let inside_out = sheet.thickened(2.0 * MM).unwrap().flipped();
    let articular = articular_mesh(&inside_out, &Facing::Direction(pose.R * Vec3::z())).unwrap();
    let (turned, sheet_area) = (articular.shells[0].turned, area(&sheet));
    assert!(turned && articular.shells[0].to_string().contains("inside out"));
    assert!((area(&articular.mesh) / sheet_area - 1.0).abs() < 0.03);
    assert!(articular.shells[0].mean_normal.dot(&(pose.R * Vec3::z())) > 0.8);
}

#[test]
fn bodies_are_no_shells_and_bad_ones_are_refused() {
    let ball = TriangleMesh::icosphere(20.0 * MM, 3).unwrap();
    let block = TriangleMesh::cuboid([40.0 * MM, 30.0 * MM, 25.0 * MM]).unwrap();
    for body in [&ball, &block] {
        assert!(Shell::new(body).unwrap().is_none());
    }
    let (sheet, _) = saddle(2);
    assert!(Shell::new(&sheet).unwrap().is_none(), "open");
    assert!(ball.thickened(1.0 * MM).is_err() && sheet.thickened(-1.0).is_err());
}

/// Points and triangles of a `.vtk` text file of version 5.1, in mm; a printed line where the data are not there.
fn cartilage(name: &str) -> Option<TriangleMesh> {
    let path = wolff_testdata::shared(&format!("data/images/knee-mri-labels/{name}"))?;
    let text = std::fs::read_to_string(path).unwrap();
    let after = |key: &str| text.split(key).nth(1).expect(key).split_whitespace();
    let count: usize = after("POINTS").next().unwrap().parse().unwrap();
    let numbers: Vec<f64> = after("POINTS").skip(2).take(3 * count).map(|x| x.parse().unwrap()).collect();
    let corners: Vec<u32> = after("CONNECTIVITY").skip(1).map_while(|x| x.parse().ok()).collect();
    let vertices = numbers.chunks(3).map(|x| Vec3::new(x[0], x[1], x[2]) * MM).collect();
    Some(
        TriangleMesh::new(vertices, corners.chunks(3).map(|t| [t[0], t[1], t[2]]).collect())
            .unwrap()
            .oriented()
            .unwrap(),
    )
}

/// Tibial cartilages from magnetic resonance images, axes left, posterior, superior: volume is area times thickness.
#[test]
fn segmented_cartilages_are_parted() {
    for name in ["med_tib_cart_mesh.vtk", "lat_tib_cart_mesh.vtk"] {
        let Some(mesh) = cartilage(name) else { continue };
        let volume = mesh.report().unwrap().volume.expect("closed");
        let parted = shell(&mesh);
        let (top, bottom) = (
            parted.facing(&Facing::Direction(Vec3::z())).unwrap(),
            parted.facing(&Facing::Direction(-Vec3::z())).unwrap(),
        );
        let mean = |sheet: &Sheet| volume / sheet.area();
        println!(
            "{name}: {} of {} mm² above, {} below, {} mm",
            1e6 * top.area(),
            1e6 * area(&mesh),
            1e6 * bottom.area(),
            1e3 * top.mean_thickness()
        );
        assert!((top.mean_thickness() / mean(top) - 1.0).abs() < 0.2, "{} {}", top.mean_thickness(), mean(top));
        assert!((bottom.area() / top.area() - 1.0).abs() < 0.25);
        assert!(top.area() + bottom.area() > 0.8 * area(&mesh));
        let surface = TriangleSurface::new(top.mesh.clone(), Normals::Facets).unwrap();
        let up = surface.elements().filter(|(p, _)| p.normal.z > 0.0).map(|(_, a)| a).sum::<f64>();
        assert!(up > 0.97 * top.area(), "{} of {}", up, top.area());
        assert_eq!(surface.topology().parts().1, 1, "one piece");
        assert_eq!(surface.topology().rims().len(), 1, "without holes");
    }
}
