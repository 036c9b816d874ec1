use wolff_geometry::{GeometryError, TriangleMesh};
use wolff_spatial::{Mat3, Pose, Vec3};

/// A general pose.
pub fn pose() -> Pose {
    let R = *nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.2).matrix();
    Pose::new(R, Vec3::new(0.1, -0.2, 0.37))
}

fn tetrahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let x = |x, y, z| Vec3::new(x, y, z);
    let vertices = vec![x(0.0, 0.0, 0.0), x(1.0, 0.0, 0.0), x(0.0, 2.0, 0.0), x(0.0, 0.0, 3.0)];
    (vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
}

#[test]
fn what_breaks_a_rule_is_named() {
    let (vertices, triangles) = tetrahedron();
    type Change<'a> = &'a dyn Fn(&mut Vec<Vec3>, &mut Vec<[u32; 3]>);
    let with = |change: Change<'_>| {
        let (mut v, mut t) = (vertices.clone(), triangles.clone());
        change(&mut v, &mut t);
        TriangleMesh::new(v, t).and_then(|mesh| mesh.topology().map(|_| ())).unwrap_err()
    };
    assert_eq!(with(&|_, t| t.clear()), GeometryError::NoTriangles);
    let beyond = with(&|_, t| t[2][1] = 4);
    assert_eq!(beyond, GeometryError::VertexIndex { triangle: 2, vertex: 4, count: 4 });
    assert!(matches!(with(&|v, _| v[3].y = f64::NAN), GeometryError::NonFiniteVertex { vertex: 3, .. }));
    assert!(matches!(with(&|_, t| t[1] = [0, 1, 1]), GeometryError::DegenerateTriangle { triangle: 1, .. }));
    assert!(matches!(
        with(&|v, _| v[3] = v[0] * 0.5 + v[1] * 0.5),
        GeometryError::DegenerateTriangle { triangle: 1, .. }
    ));
    let turned = with(&|_, t| t[0].swap(0, 1));
    assert!(matches!(turned, GeometryError::InconsistentOrientation { first: 0, .. }), "{turned}");
    let crowded = with(&|v, t| {
        v.push(Vec3::new(-1.0, -1.0, -1.0));
        t.push([0, 1, 4]);
    });
    assert_eq!(crowded, GeometryError::NonManifoldEdge { edge: [0, 1], count: 3 });
}

#[test]
fn a_closed_mesh_has_a_volume_and_an_open_one_a_rim() {
    let (vertices, mut triangles) = tetrahedron();
    let mesh = TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap();
    let report = mesh.report().unwrap();
    // 1·2·3/6, and ½(2 + 3 + 6 + 7): the last by Pythagoras for areas
    assert!((report.volume.unwrap() - 1.0).abs() < 1e-15 && (report.area - 9.0).abs() < 1e-14, "{report:?}");
    assert!(report.is_closed() && report.rims.is_empty() && report.parts == 1);
    assert!((mesh.flipped().report().unwrap().volume.unwrap() + 1.0).abs() < 1e-15);

    triangles.pop();
    let report = TriangleMesh::new(vertices, triangles).unwrap().report().unwrap();
    assert_eq!((report.volume, report.rims), (None, vec![vec![0, 2, 3]]), "the surface lies to the left of the rim");
}

#[test]
fn volume_and_area_follow_motion_and_scale() {
    let mesh = TriangleMesh::icosphere(0.03, 2).unwrap();
    let before = mesh.report().unwrap();
    let far = Pose::new(pose().R, Vec3::new(300.0, -200.0, 100.0));
    let moved = mesh.clone().transformed(&far).unwrap().report().unwrap();
    // coordinates of 300 m carry 6e-14 m of rounding, 2e-12 of the radius
    assert!((moved.volume.unwrap() / before.volume.unwrap() - 1.0).abs() < 1e-11);
    let scaled = mesh.clone().scaled(1e3).unwrap().report().unwrap();
    assert!((scaled.volume.unwrap() / before.volume.unwrap() * 1e-9 - 1.0).abs() < 1e-14);
    assert!((scaled.area / before.area * 1e-6 - 1.0).abs() < 1e-14);
    let mirror = mesh.clone().stretched(&Mat3::from_diagonal(&Vec3::new(-1.0, 2.0, 3.0))).unwrap();
    assert!((mirror.report().unwrap().volume.unwrap() / before.volume.unwrap() - 6.0).abs() < 1e-13);
    assert!(mesh.scaled(f64::NAN).is_err());
}

#[test]
fn an_icosphere_approaches_the_sphere_with_second_order() {
    let error = |halvings| {
        let mesh = TriangleMesh::icosphere(1.0, halvings).unwrap();
        assert_eq!(mesh.triangles().len(), 20 << (2 * halvings));
        1.0 - mesh.report().unwrap().volume.unwrap() / (4.0 / 3.0 * std::f64::consts::PI)
    };
    let rate = (error(2) / error(3)).log2();
    assert!((rate - 2.0).abs() < 0.05, "rate {rate}");
}

#[test]
fn equal_vertices_are_welded_and_flat_triangles_left_out() {
    let mesh = TriangleMesh::cuboid([1.0, 2.0, 3.0]).unwrap();
    let mut vertices: Vec<Vec3> = (0..12).flat_map(|t| mesh.corners(t)).collect();
    vertices[0] += Vec3::zeros() * -1.0;
    let mut triangles: Vec<[u32; 3]> = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    triangles.push([0, 1, 1]);
    let loose = TriangleMesh::cleaned(vertices.clone(), triangles.clone(), false).unwrap();
    assert_eq!((loose.mesh.vertices().len(), loose.triangles_removed), (36, 1));
    assert_eq!(loose.mesh.report().unwrap().parts, 12, "nothing is connected");
    let welded = TriangleMesh::cleaned(vertices, triangles, true).unwrap();
    assert_eq!((welded.vertices_removed, welded.triangles_removed), (28, 1));
    let report = welded.mesh.report().unwrap();
    assert!(report.parts == 1 && (report.volume.unwrap() - 6.0).abs() < 1e-14, "{report:?}");
}

#[test]
fn parts_are_taken_apart_and_turned_outwards() {
    let one = TriangleMesh::icosphere(0.5, 1).unwrap();
    let two = TriangleMesh::cuboid([1.0, 1.0, 1.0]).unwrap().transformed(&Pose::translation(Vec3::new(3.0, 0.0, 0.0)));
    let two = two.unwrap().flipped();
    let shift = one.vertices().len() as u32;
    let vertices = [one.vertices(), two.vertices()].concat();
    let mut triangles = one.triangles().to_vec();
    triangles.extend(two.triangles().iter().map(|t| t.map(|v| v + shift)));
    // every third triangle inside out
    for t in triangles.iter_mut().step_by(3) {
        t.swap(1, 2);
    }
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    assert!(matches!(mesh.topology(), Err(GeometryError::InconsistentOrientation { .. })));
    let parts = mesh.oriented().unwrap().parts().unwrap();
    let volumes: Vec<f64> = parts.iter().map(|part| part.report().unwrap().volume.unwrap()).collect();
    assert!(parts.len() == 2 && volumes[0] > 0.0 && (volumes[1] - 1.0).abs() < 1e-14, "{volumes:?}");
}

#[test]
fn a_strip_with_one_side_cannot_be_oriented() {
    // a Möbius strip of five quadrilaterals
    let n = 5;
    let angle = |i: u32| f64::from(i) * std::f64::consts::TAU / f64::from(n);
    let edge = |i: u32, side: f64| {
        let (a, half) = (angle(i), 0.5 * angle(i));
        let r = 1.0 + 0.3 * side * half.cos();
        Vec3::new(r * a.cos(), r * a.sin(), 0.3 * side * half.sin())
    };
    let vertices = (0..n).flat_map(|i| [edge(i, -1.0), edge(i, 1.0)]).collect();
    let quad = |i: u32| {
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = if i + 1 == n { (1, 0) } else { (2 * i + 2, 2 * i + 3) };
        [[a, c, d], [a, d, b]]
    };
    let mesh = TriangleMesh::new(vertices, (0..n).flat_map(quad).collect()).unwrap();
    assert!(matches!(mesh.oriented(), Err(GeometryError::InconsistentOrientation { .. })));
}

#[test]
fn neighbours_lie_behind_the_edges() {
    let mesh = TriangleMesh::rectangle([2.0, 1.0], [4, 3]).unwrap();
    let topology = mesh.topology().unwrap();
    let mut rim_edges = 0;
    for (t, beside) in topology.neighbours().iter().enumerate() {
        for i in 0..3 {
            let (a, b) = (mesh.triangles()[t][i], mesh.triangles()[t][(i + 1) % 3]);
            match beside[i] {
                None => rim_edges += 1,
                Some(s) => {
                    assert!(topology.neighbours()[s as usize].contains(&Some(t as u32)));
                    assert!([a, b].iter().all(|v| mesh.triangles()[s as usize].contains(v)));
                }
            }
        }
    }
    assert_eq!((rim_edges, topology.rims().len(), topology.rims()[0].len()), (14, 1, 14));
    assert_eq!(topology.on_rim().iter().filter(|&&on| on).count(), 14);
}
