//! Surfaces from arrays and files.

use crate::support::*;
use std::path::PathBuf;
use wolff_c::{WolffCode, WolffSurface};
use wolff_geometry::{Normals, NurbsSurface, TriangleMesh};
use wolff_meshes::nurbs::{NamedSurface, write as write_nurbs};
use wolff_meshes::surface;
use wolff_spatial::Vec3;

fn written(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Force [N] of a ball at the depth of 0.2 mm.
fn force_of(ball: &WolffSurface) -> f64 {
    force(&mut builder(ball).build().unwrap(), 0.0002)
}

#[test]
fn nurbs_file_in_millimetres_is_the_ball() {
    let surface = NurbsSurface::sphere(Vec3::zeros(), 30.0).unwrap();
    let text = write_nurbs(&[NamedSurface { name: "ball".into(), surface, mask: None }]).unwrap();
    let ball = WolffSurface::from_file(&written("ball.json", text.as_bytes()), 1e-3, Normals::Smooth).unwrap();
    assert_near(force_of(&ball), closed_form(0.0002), 3e-5 * closed_form(0.0002));
}

#[test]
fn mesh_files_and_arrays_are_the_same_surface() {
    let mesh = TriangleMesh::icosphere(30.0, 6).unwrap();
    let obj = WolffSurface::from_file(
        &written("ball.obj", &surface::write("ball.obj", &mesh).unwrap()),
        1e-3,
        Normals::Smooth,
    );
    let mesh = mesh.scaled(1e-3).unwrap();
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(|v| (*v).into()).collect();
    let arrays = WolffSurface::from_triangles(&vertices, mesh.triangles(), Normals::Smooth).unwrap();
    let (from_file, from_arrays) = (force_of(&obj.unwrap()), force_of(&arrays));
    assert_near(from_file, from_arrays, 1e-9 * from_arrays);
    // facets of 0.6 mm lie up to 1.4 µm inside of the ball, of a depth of 200 µm
    assert_near(from_arrays, closed_form(0.0002), 0.015 * closed_form(0.0002));
}

#[test]
fn files_that_are_not_surfaces_are_named() {
    let path = written("broken.json", b"{ \"format\": \"wolff-nurbs\", ");
    let error = WolffSurface::from_file(&path, 1.0, Normals::Facets).unwrap_err();
    assert!(error.code() == WolffCode::Geometry && error.to_string().contains("broken.json"), "{error}");
    let path = written("words.txt", b"no surface");
    let error = WolffSurface::from_file(&path, 1.0, Normals::Facets).unwrap_err();
    assert!(error.to_string().contains("words.txt"), "{error}");
    let error = WolffSurface::from_file("nowhere.stl", 1.0, Normals::Facets).unwrap_err();
    assert_eq!(error.code(), WolffCode::File);
    let path = written("ball_zero.obj", &surface::write("a.obj", &TriangleMesh::icosphere(1.0, 0).unwrap()).unwrap());
    assert!(WolffSurface::from_file(&path, 0.0, Normals::Facets).is_err());
}
