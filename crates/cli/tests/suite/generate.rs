//! `wolff mesh generate` and `wolff bone` on files of a user.

use crate::{Scratch, code, json, stderr, stdout};
use std::fs;
use wolff_geometry::TriangleMesh;
use wolff_meshes::surface;

fn ball(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let mesh = TriangleMesh::icosphere(20.0, 3).unwrap();
    fs::write(scratch.0.join("ball.stl"), surface::write("ball.stl", &mesh).unwrap()).unwrap();
    let half = TriangleMesh::new(mesh.vertices().to_vec(), mesh.triangles()[..600].to_vec());
    let open = half.and_then(|half| surface::write("open.stl", &half)).unwrap();
    fs::write(scratch.0.join("open.stl"), open).unwrap();
    scratch
}

#[test]
fn a_surface_becomes_tetrahedra_with_all_figures() {
    let scratch = ball("generate");
    let options = ["mesh", "generate", "ball.stl", "--size", "5", "--unit", "mm", "-o", "ball.vtu", "--json"];
    let run = scratch.wolff(&options);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let report = json(&run);
    let results = &report["results"];
    let keys = ["tets", "nodes", "volume_mm3", "input_volume_mm3", "min_dihedral_deg", "p1_dihedral_deg"];
    for key in keys.iter().chain(&["mean_distance_mm", "hausdorff_mm"]) {
        assert!(results[key].is_number(), "{key}: {results}");
    }
    assert!(results["materials"][0]["name"] == "body" && report["status"] == "ok", "{report}");
    // the mesh is in m, and the other commands read it
    let info = json(&scratch.wolff(&["mesh", "info", "ball.vtu", "--json"]));
    assert_eq!(info["results"]["elements"], results["tets"], "{info}");
    // without --unit the unit is found and told
    let found = scratch.wolff(&["mesh", "generate", "ball.stl", "--size", "8", "-o", "b.vtu"]);
    assert!(code(&found) == 0 && stderr(&found).contains("taken to be in mm"), "{}", stderr(&found));
    assert!(stdout(&found).contains("smallest dihedral angle"), "{}", stdout(&found));
}

#[test]
fn surfaces_and_scans_that_cannot_be_used_are_refused() {
    let scratch = ball("generate-bad");
    fs::write(scratch.0.join("noise.nii"), [7_u8; 500]).unwrap();
    for (options, words) in [
        (&["mesh", "generate", "open.stl", "--unit", "mm"][..], "hole"),
        (&["mesh", "generate", "ball.stl", "--unit", "mm", "--size", "0.01"], "a size of"),
        (&["mesh", "generate", "ball.stl", "--unit", "mm", "--size", "-1"], "above 0"),
        (&["mesh", "generate", "noise.nii"], "noise.nii"),
        (&["mesh", "generate", "gone.stl"], "gone.stl"),
        (&["bone", "noise.nii", "--calibration", "0,0.001"], "noise.nii"),
        (&["bone", "noise.nii", "--calibration", "zero"], "two numbers"),
        (&["bone", "ball.stl", "--wall", "5"], "SHAFT,ENDS"),
        (&["bone", "ball.stl", "--stature", "177"], "cm"),
        (&["bone", "ball.stl", "--up", "0,0,0"], "direction X,Y,Z"),
        (&["bone", "ball.stl", "--anterior", "0,1"], "direction X,Y,Z"),
    ] {
        let run = scratch.wolff(options);
        let text = stderr(&run);
        assert_eq!(code(&run), 2, "{options:?}: {text}");
        assert!(text.contains(words), "{options:?}: {text}");
    }
    let left: Vec<String> = scratch.files().iter().map(|p| p.display().to_string()).collect();
    assert!(left.iter().all(|name| !name.ends_with(".vtu") && !name.ends_with(".flexbody")), "{left:?}");
}

/// What is no bone is refused; the user may say what it is and where its front and its upper end are.
#[test]
fn the_user_says_what_a_shape_does_not() {
    let scratch = ball("bone-frame");
    let refused = scratch.wolff(&["bone", "ball.stl", "--size", "9", "--order", "1"]);
    assert!(code(&refused) == 2 && stderr(&refused).contains("--bone"), "{}", stderr(&refused));
    let given = ["--bone", "patella", "--side", "left", "--up", "0,2,0", "--anterior", "0,0.5,-1"];
    let options =
        [&["bone", "ball.stl", "--size", "9", "--order", "1", "--json", "--report", "page"], &given[..]].concat();
    let run = scratch.wolff(&options);
    assert!([0, 3].contains(&code(&run)), "{}", stderr(&run));
    let frame = &json(&run)["results"]["frame"];
    let near = |name: &str, axis: [f64; 3]| {
        axis.iter().enumerate().all(|(i, x)| (frame[name][i].as_f64().unwrap() - x).abs() < 1e-9)
    };
    assert!(near("up", [0.0, 1.0, 0.0]) && near("anterior", [0.0, 0.0, -1.0]), "{frame}");
    assert!(near("right", [1.0, 0.0, 0.0]), "{frame}");
    let page = fs::read_to_string(scratch.0.join("page/report.html")).unwrap();
    for picture in ["slices-across.svg", "slices-along.svg", "distance-map.svg", "modulus-map.svg", "free-modes.svg"] {
        assert!(page.contains(picture), "{picture}");
    }
    assert!(page.contains("0.0, 2.0, 0.0"), "the options are on the page");
}
