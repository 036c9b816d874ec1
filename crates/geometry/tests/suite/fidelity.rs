use wolff_geometry::TriangleMesh;

#[test]
fn the_gap_of_flat_triangles_on_a_sphere_is_that_of_its_radius() {
    let radius = 0.03;
    for halvings in [2, 3] {
        let mesh = TriangleMesh::icosphere(radius, halvings).unwrap();
        // the mean radius of the triangles, each by its three edge middles (exact for second order), by area
        let (mut sum, mut area) = (0.0, 0.0);
        for t in 0..mesh.triangles().len() {
            let [a, b, c] = mesh.corners(t);
            let own = (b - a).cross(&(c - a)).norm();
            sum += own * [a + b, b + c, c + a].iter().map(|x| 0.5 * x.norm()).sum::<f64>() / 3.0;
            area += own;
        }
        let gap = radius - sum / area;
        assert!((mesh.facet_gap() / gap - 1.0).abs() < 0.15, "{} and {gap}", mesh.facet_gap());
    }
}

#[test]
fn a_plane_has_no_gap_and_missing_triangles_are_holes() {
    let mesh = TriangleMesh::rectangle([0.1, 0.1], [20, 20]).unwrap();
    assert_eq!(mesh.holes(), 0);
    assert!(mesh.facet_gap() < 1e-12);
    let mut triangles = mesh.triangles().to_vec();
    // two inner triangles that do not touch each other
    triangles.remove(610);
    triangles.remove(210);
    assert_eq!(TriangleMesh::new(mesh.vertices().to_vec(), triangles).unwrap().holes(), 2);
}
