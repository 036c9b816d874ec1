//! Closed shells of cartilage: their articular sheets press as open ones do, up to their thickness and no farther.

use super::*;
use wolff_geometry::triangles::{ArticularMesh, Facing, articular_mesh};
use wolff_geometry::{Normals, TriangleMesh, TriangleSurface};
use wolff_meshes::surface;
use wolff_spatial::{Mat3, Quaternion};

/// Radius of the ball that is pressed [m].
const BALL: f64 = 12.0 * MM;

fn cartilage(strain: Strain) -> LayerMaterial {
    LayerMaterial::linear(10.0 * MPA, 0.45, strain).unwrap()
}

/// A hollow sheet of 40 by 32 mm with uneven triangles, outside +z, then turned in space.
fn hollow() -> TriangleMesh {
    let mut state = 7u64;
    let mut rough = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let flat = TriangleMesh::rectangle([40.0 * MM, 32.0 * MM], [40, 32]).unwrap();
    let bent = flat.vertices().iter().map(|x| {
        let (x, y) = (x.x + 0.2 * MM * rough(), x.y + 0.2 * MM * rough());
        Vec3::new(x, y, x * x / (2.0 * 50.0 * MM) + y * y / (2.0 * 80.0 * MM) + 0.01 * MM * rough())
    });
    let mesh = TriangleMesh::new(bent.collect(), flat.triangles().to_vec()).unwrap();
    let turn = Quaternion::from_rotation_vector(&Vec3::new(0.7, -0.4, 1.9)).matrix();
    mesh.transformed(&Pose::new(turn, Vec3::new(0.03, -0.1, 0.05))).unwrap()
}

/// Where a ball touches the middle of a sheet when it comes along the normal there, or against a given direction: its centre, and that
/// direction.
fn touching(sheet: &TriangleMesh, from: Option<Vec3>) -> (Vec3, Vec3) {
    let surface = TriangleSurface::new(sheet.clone(), Normals::Facets).unwrap();
    let middle = sheet.vertices().iter().sum::<Vec3>() / sheet.vertices().len() as f64;
    let spot = surface.closest(&middle).unwrap();
    let n = from.unwrap_or(spot.normal);
    let (mut near, mut far) = (0.0, 3.0 * BALL);
    for _ in 0..50 {
        let t = 0.5 * (near + far);
        let centre = spot.position + n * t;
        let gap = (surface.closest(&centre).unwrap().position - centre).norm() - BALL;
        *if gap < 0.0 { &mut near } else { &mut far } = t;
    }
    (spot.position + n * far, n)
}

/// A rotation whose third column is a unit vector.
fn upright(n: &Vec3) -> Mat3 {
    let x = n.cross(&if n.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() }).normalize();
    Mat3::from_columns(&[x, n.cross(&x), *n])
}

/// The sheet carries the layer, the ball moves.
fn under_ball(sheet: &ArticularMesh, h: f64, strain: Strain, distance: Distance) -> FoundationPair {
    let set = ElementSet::from_triangles("sheet", sheet.mesh.vertices(), sheet.mesh.triangles(), h).unwrap();
    let settings = settings(distance, Along::Midsurface, Rule::Adaptive);
    pair(set.over_material(&sheet.thickness), ball(BALL), cartilage(strain), settings)
}

/// The ball has the elements, the sheet moves.
fn on_ball(sheet: &ArticularMesh, h: f64, strain: Strain, distance: Distance) -> FoundationPair {
    let sphere = Sphere::new(Vec3::zeros(), BALL).unwrap();
    let cap =
        ElementSurface::Sphere { centre: Vec3::zeros(), towards: -Vec3::z(), along: Vec3::x(), radius: 0.5 * BALL };
    let grid = Grid { surface: cap, first: (-0.8, 0.8), second: (-0.8, 0.8), counts: (50, 50) };
    let set = grid.project("ball", &sphere, (0.0, BALL), &LayerThickness::Constant(h)).unwrap();
    let surface = TriangleSurface::articular(sheet.clone(), Normals::Smooth).unwrap();
    pair(set, Arc::new(surface), cartilage(strain), settings(distance, Along::Midsurface, Rule::Adaptive))
}

/// The mesh as it is, closed or open, with nothing known of what is behind it.
fn as_it_is(mesh: &TriangleMesh) -> ArticularMesh {
    ArticularMesh { mesh: mesh.clone(), thickness: Vec::new(), shells: Vec::new() }
}

/// Results of a closed shell and of the open sheet, and the force on the ball along the normal of each, at a depth.
struct Pressed {
    closed: FoundationResult,
    forces: [f64; 2],
}

/// Ball on shell, and shell on ball, at the depth d.
fn press(pairs: &[FoundationPair; 2], ball_moves: bool, (centre, n): (Vec3, Vec3), d: f64) -> Pressed {
    let X_SB = Pose::new(upright(&n), centre - n * d);
    let results = pairs.each_ref().map(|pair| at(pair, &if ball_moves { X_SB } else { X_SB.inverse() }));
    let forces = results.each_ref().map(|r| match ball_moves {
        true => r.total.on_moving.f.dot(&n),
        false => r.total.on_fixed().f.z,
    });
    let [closed, _] = results;
    Pressed { closed, forces }
}

/// Presses a ball into a closed shell and into the open sheet it was made of, from nothing to the thickness h and beyond.
fn assert_pressed_alike(name: &str, sheet: &TriangleMesh, closed: &TriangleMesh, h: f64) {
    let (centre, n) = touching(sheet, None);
    let shell = articular_mesh(closed, &Facing::Direction(n)).unwrap();
    assert_eq!(shell.shells.len(), closed.parts().unwrap().len(), "{name}");
    for (strain, distance) in
        [(Strain::Small, Distance::Minimum), (Strain::Large, Distance::Minimum), (Strain::Small, Distance::Ray)]
    {
        for (ball_moves, made) in [(true, under_ball as fn(&_, _, _, _) -> _), (false, on_ball)] {
            let pairs = [&shell, &as_it_is(sheet)].map(|sheet| made(sheet, h, strain, distance));
            let (mut last, mut worst) = (0.0, 0.0f64);
            for k in 1..=19 {
                let d = 0.05 * h * f64::from(k);
                let Pressed { closed, forces: [force, open] } = press(&pairs, ball_moves, (centre, n), d);
                assert!(closed.checked().is_ok(), "{name} {strain:?} {distance:?} at {d}: {:?}", closed.overlap);
                assert!(force > last, "{name} {strain:?} {distance:?}: {force} N at {d} m after {last} N");
                worst = worst.max((force / open - 1.0).abs());
                last = force;
            }
            println!(
                "{name}, {strain:?}, {distance:?}, ball moves: {ball_moves}: {last:.1} N, closed and open differ by {worst:.1e}"
            );
            assert!(worst < 0.01, "{name} {strain:?} {distance:?}: {worst}");
            // a real sheet is first touched beside the line along which the ball comes: the deepest point counts
            let mut refused = 0;
            for d in (4..=16).map(|k| 0.25 * f64::from(k) * h) {
                let Pressed { closed, forces: [force, _] } = press(&pairs, ball_moves, (centre, n), d);
                assert!(force > 0.0, "{name} {strain:?} {distance:?}: it never pulls, {force} N at {d} m");
                if closed.total.peak_strain < 1.02 {
                    continue;
                }
                let message = closed.checked().expect_err("too deep").to_string();
                assert!(message.contains("uses up the layer") && message.contains(" mm at ("), "{message}");
                refused += 1;
            }
            assert!(refused > 3, "{name} {strain:?} {distance:?}: {refused} depths were too large");
        }
    }
}

#[test]
fn a_closed_shell_presses_as_its_open_sheet_up_to_its_thickness() {
    let sheet = hollow();
    for h in [2.5 * MM, 3.0 * MM] {
        assert_pressed_alike("hollow plate", &sheet, &sheet.thickened(h).unwrap(), h);
    }
}

/// What a closed shell did without being parted: from its middle on, the sheet behind is nearer. Now this is told.
#[test]
fn a_closed_shell_that_was_not_parted_is_told_from_its_middle_on() {
    let (sheet, h) = (hollow(), 2.4 * MM);
    let (centre, n) = touching(&sheet, None);
    let whole = as_it_is(&sheet.thickened(h).unwrap());
    let pairs = [&whole, &as_it_is(&sheet)].map(|sheet| on_ball(sheet, h, Strain::Small, Distance::Minimum));
    for (depth, sound) in [(0.3, true), (0.45, true), (0.6, false), (0.8, false), (1.2, false), (1.6, false)] {
        let Pressed { closed, forces: [force, open] } = press(&pairs, false, (centre, n), depth * h);
        println!("{depth} of the thickness: {force:.1} N, open {open:.1} N, {:?}", closed.overlap);
        assert_eq!(closed.checked().is_ok(), sound, "at {depth} of the thickness");
        assert!(!sound || (force / open - 1.0).abs() < 0.01, "{force} {open}");
    }
}

#[test]
fn thin_places_are_refused_before_the_layer_is_used_up() {
    // a layer of 4 mm by its material law over 2 mm of cartilage
    let (sheet, h) = (hollow(), 2.0 * MM);
    let (centre, n) = touching(&sheet, None);
    let shell = articular_mesh(&sheet.thickened(h).unwrap(), &Facing::Direction(n)).unwrap();
    let pairs = [&shell, &shell].map(|sheet| under_ball(sheet, 2.0 * h, Strain::Small, Distance::Minimum));
    assert!(press(&pairs, true, (centre, n), 0.95 * h).closed.checked().is_ok());
    let deep = press(&pairs, true, (centre, n), 1.05 * h).closed;
    let overlap = deep.overlap.clone().expect("deeper than the cartilage");
    assert!((overlap.limit / h - 1.0).abs() < 0.02 && (overlap.depth / h - 1.05).abs() < 0.02, "{overlap:?}");
    assert!((overlap.at - (centre - n * BALL)).norm() < 2.0 * MM, "where the ball is deepest: {overlap:?}");
    // a moving layer adds to what there is
    let soft =
        FoundationSettings { moving_layer: wolff_contact::foundation::MovingLayer::Constant(h), ..Default::default() };
    let set = ElementSet::from_triangles("sheet", shell.mesh.vertices(), shell.mesh.triangles(), 2.0 * h).unwrap();
    let both = pair(set.over_material(&shell.thickness), ball(BALL), cartilage(Strain::Small), soft);
    let pose = |d: f64| Pose::new(upright(&n), centre - n * d);
    assert!(at(&both, &pose(1.9 * h)).checked().is_ok() && at(&both, &pose(2.1 * h)).checked().is_err());
}

/// The file, or a printed line where the data are not there.
fn shared(path: &str) -> Option<TriangleMesh> {
    let bytes = std::fs::read(wolff_testdata::shared(&format!("data/{path}"))?).unwrap();
    Some(surface::read(path, &bytes).unwrap().mesh)
}

/// Open sheets of real cartilage, made closed.
#[test]
fn closed_shells_of_real_cartilage_press_as_their_open_sheets() {
    let files = ["tibia-cartilage-medium.stl", "patella-cartilage-coarse.stl", "femur-cartilage-coarse.stl"];
    for name in files {
        let Some(mesh) = shared(&format!("knee-lenhart/mesh/{name}")) else { continue };
        let part = mesh.parts().unwrap().swap_remove(0);
        assert_pressed_alike(name, &part, &part.thickened(2.5 * MM).unwrap(), 2.5 * MM);
    }
}

/// Points and triangles of a `.vtk` text file of version 5.1, in mm, or a printed line where the data are not there.
fn segmented(name: &str) -> Option<TriangleMesh> {
    let path = wolff_testdata::shared(&format!("data/images/knee-mri-labels/{name}"))?;
    let text = std::fs::read_to_string(path).unwrap();
    let after = |key: &str| text.split(key).nth(1).expect(key).split_whitespace();
    let count: usize = after("POINTS").next().unwrap().parse().unwrap();
    let numbers: Vec<f64> = after("POINTS").skip(2).take(3 * count).map(|x| x.parse().unwrap()).collect();
    let corners: Vec<u32> = after("CONNECTIVITY").skip(1).map_while(|x| x.parse().ok()).collect();
    let vertices = numbers.chunks(3).map(|x| Vec3::new(x[0], x[1], x[2]) * MM).collect();
    Some(TriangleMesh::new(vertices, corners.chunks(3).map(|t| [t[0], t[1], t[2]]).collect()).unwrap())
}

/// The triangles of a mesh that look upwards, within 70 degrees.
fn upwards(mesh: &TriangleMesh) -> TriangleMesh {
    let looks_up = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.vertices()[v as usize]);
        (b - a).cross(&(c - a)).normalize().z > 0.34
    };
    let triangles = mesh.triangles().iter().copied().filter(looks_up).collect();
    TriangleMesh::cleaned(mesh.vertices().to_vec(), triangles, false).unwrap().mesh
}

/// Tibial cartilages segmented from magnetic resonance images, beside what looks upwards of them: a sheet found in another way.
#[test]
fn segmented_cartilages_press_as_what_looks_upwards_of_them() {
    for name in ["med_tib_cart_mesh.vtk", "lat_tib_cart_mesh.vtk"] {
        let Some(closed) = segmented(name) else { continue };
        let (sheet, h) = (upwards(&closed), 2.4 * MM);
        let (centre, n) = touching(&sheet, Some(Vec3::z()));
        let shell = articular_mesh(&closed, &Facing::Direction(Vec3::z())).unwrap();
        for (ball_moves, made) in [(true, under_ball as fn(&_, _, _, _) -> _), (false, on_ball)] {
            let pairs = [&shell, &as_it_is(&sheet)].map(|sheet| made(sheet, h, Strain::Small, Distance::Minimum));
            let (mut last, mut refused) = (0.0, None);
            for k in 1..=40 {
                let d = 0.1 * MM * f64::from(k);
                let Pressed { closed, forces: [force, open] } = press(&pairs, ball_moves, (centre, n), d);
                assert!(force > 0.0, "{name}: it never pulls, {force} N at {d} m");
                if closed.checked().is_ok() {
                    assert!(force > last, "{name}: {force} N at {d} m after {last} N");
                    assert!((force / open - 1.0).abs() < 0.01, "{name} at {d}: {force} N, open {open} N");
                }
                last = force;
                match (closed.checked().is_ok(), refused) {
                    (false, None) => {
                        let overlap = closed.overlap.clone().expect("told");
                        assert!(overlap.limit <= h && (overlap.depth - overlap.limit) < 0.15 * MM, "{overlap:?}");
                        refused = Some(d);
                    }
                    (sound, _) => assert_eq!(sound, refused.is_none(), "{name}: once too deep, always too deep"),
                }
                if k % 5 == 0 {
                    println!(
                        "{name}, ball moves: {ball_moves}, {:.1} mm: {force:.1} N, ratio {:.5}",
                        1e3 * d,
                        force / open
                    );
                }
            }
            println!("{name}: refused from {:.1} mm", 1e3 * refused.expect("4 mm are too much"));
        }
    }
}
