use crate::{Scratch, code, json, stderr, stdout};
use std::fs;
use wolff_fem::ElementKind;
use wolff_fem::generate::bar;
use wolff_meshes::solid::{read_mesh, write_mesh};

/// A bar of 20 by 20 by 120 in some unit, with a set of elements.
fn write_bar(scratch: &Scratch, name: &str, kind: ElementKind) {
    let mut mesh = bar(kind, 20.0, 120.0, 1, 5).unwrap();
    mesh.set_elements("bone", (0..7).collect()).unwrap();
    write_mesh(scratch.0.join(name), &mesh).unwrap();
}

/// Two elements that share a face by nodes of their own, the second inverted; an unused node.
const BROKEN: &str = "\
*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
5, 1, 0, 0
6, 0, 1, 0
7, 0, 0, 1
8, 1, 1, 1
9, 5, 5, 5
*ELEMENT, TYPE=C3D4
1, 1, 2, 3, 4
2, 6, 5, 7, 8
*NSET, NSET=top
8
";

#[test]
fn info_shows_size_sets_and_quality() {
    let scratch = Scratch::new("mesh-info");
    write_bar(&scratch, "bar.msh", ElementKind::Tet10);
    let people = stdout(&scratch.wolff(&["mesh", "info", "bar.msh", "--scale", "1e-3"]));
    for part in ["tet10", "degrees of freedom", "4.8e-5", "0 to 0.12", "start", "bone", "yes"] {
        assert!(people.contains(part), "`{part}` is missing in:\n{people}");
    }
    let machines = json(&scratch.wolff(&["mesh", "info", "bar.msh", "--scale", "1e-3", "--json"]));
    assert_eq!((&machines["command"], &machines["status"]), (&"mesh".into(), &"ok".into()));
    let machines = &machines["results"];
    assert_eq!((&machines["kind"], &machines["elements"]), (&"tet10".into(), &30.into()));
    assert_eq!((&machines["nodes"], &machines["dof"]), (&99.into(), &297.into()));
    let close = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() / expected - 1.0).abs() < 1e-12;
    assert!(close(&machines["volume"], 0.02 * 0.02 * 0.12), "{machines}");
    assert!(close(&machines["surface_area"], 2.0 * 0.02 * 0.02 + 4.0 * 0.02 * 0.12), "{machines}");
    assert!(close(&machines["bounding_box"]["high"][2], 0.12), "{machines}");
    assert_eq!((&machines["node_sets"]["start"], &machines["element_sets"]["bone"]), (&9.into(), &7.into()));
    assert_eq!(machines["quality"]["sound"], true);
}

#[test]
fn check_names_faults_and_repairs_them() {
    let scratch = Scratch::new("mesh-check");
    fs::write(scratch.0.join("broken.inp"), BROKEN).unwrap();
    let output = scratch.wolff(&["mesh", "check", "broken.inp"]);
    assert_eq!(code(&output), 2);
    let people = stdout(&output);
    for part in ["inverted elements", "unused nodes", "duplicate node pairs", "1 and 4", "disconnected", "--repair OUT"]
    {
        assert!(people.contains(part), "`{part}` is missing in:\n{people}");
    }
    let output = scratch.wolff(&["mesh", "check", "broken.inp", "--repair", "good.vtu", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let machines = json(&output);
    assert_eq!((&machines["status"], &machines["results"]["written"]), (&"ok".into(), &"good.vtu".into()));
    let machines = &machines["results"];
    assert_eq!((&machines["repair"]["merged_nodes"], &machines["repair"]["flipped_elements"]), (&3.into(), &1.into()));
    assert_eq!(
        (machines["faults"].as_array().unwrap().len(), machines["faults_left"].as_array().unwrap().len()),
        (4, 0)
    );
    assert_eq!(code(&scratch.wolff(&["mesh", "check", "good.vtu"])), 0);
    let good = read_mesh(scratch.0.join("good.vtu")).unwrap();
    assert_eq!((good.nodes().len(), good.node_set("top").unwrap()), (5, [4].as_slice()));
}

#[test]
fn nothing_is_written_when_faults_are_left() {
    let scratch = Scratch::new("mesh-left");
    let apart = BROKEN.replace("8, 1, 1, 1", "8, 9, 9, 9").replace("5, 1, 0, 0", "5, 8, 9, 9");
    let apart = apart.replace("6, 0, 1, 0", "6, 9, 8, 9").replace("7, 0, 0, 1", "7, 9, 9, 8");
    fs::write(scratch.0.join("apart.inp"), apart).unwrap();
    let output = scratch.wolff(&["mesh", "check", "apart.inp", "--repair", "out.msh"]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("--largest-part"), "{}", stdout(&output));
    assert_eq!(scratch.files().len(), 1);
    let output = scratch.wolff(&["mesh", "check", "apart.inp", "--repair", "out.msh", "--largest-part"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert_eq!(read_mesh(scratch.0.join("out.msh")).unwrap().element_count(), 1);
}

#[test]
fn convert_writes_every_format_and_scales() {
    let scratch = Scratch::new("mesh-convert");
    write_bar(&scratch, "bar.inp", ElementKind::Tet4);
    let original = read_mesh(scratch.0.join("bar.inp")).unwrap();
    let mut last = "bar.inp".to_string();
    for next in ["a.msh", "b.vtu", "c.inp.gz"] {
        let output = scratch.wolff(&["mesh", "convert", &last, next]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("24 nodes, 30 tet4"), "{}", stdout(&output));
        last = next.to_string();
    }
    assert_eq!(read_mesh(scratch.0.join("c.inp.gz")).unwrap(), original);
    let output = scratch.wolff(&["mesh", "convert", "bar.inp", "m.vtu", "--scale", "1e-3", "--json"]);
    assert_eq!(json(&output)["results"]["elements"], 30);
    let scaled = read_mesh(scratch.0.join("m.vtu")).unwrap();
    assert_eq!(scaled.nodes()[23], original.nodes()[23] * 1e-3);
}

#[test]
fn bad_files_are_refused_with_a_remedy_and_leave_nothing() {
    let scratch = Scratch::new("mesh-bad");
    fs::write(scratch.0.join("lines.inp"), "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT,TYPE=T3D2\n1,1,2\n").unwrap();
    fs::write(scratch.0.join("cut.msh"), "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4").unwrap();
    fs::write(scratch.0.join("text.txt"), "hello").unwrap();
    let before = scratch.files();
    let said = |parts: &[&str]| {
        // Long messages are broken into lines.
        let output = scratch.wolff(parts);
        assert_eq!(code(&output), 2, "{parts:?}");
        stderr(&output).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let cases: [(&[&str], &[&str]); 6] = [
        (&["mesh", "info", "lines.inp"], &["lines.inp", "no tetrahedra", "1 T3D2", "help:"]),
        (&["mesh", "info", "cut.msh"], &["cut.msh", "line 5", "cut off", "help:"]),
        (&["mesh", "check", "text.txt"], &["text.txt", "format is not known"]),
        (&["mesh", "info", "absent.msh"], &["cannot read", "absent.msh", "help:"]),
        (&["mesh", "convert", "lines.inp", "out.vtu", "--scale", "0"], &["--scale 1e-3"]),
        (&["mesh", "convert", "lines.inp", "out.vtu"], &["no tetrahedra"]),
    ];
    for (arguments, words) in cases {
        let message = said(arguments);
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
    }
    write_bar(&scratch, "bar.inp", ElementKind::Tet4);
    assert!(said(&["mesh", "convert", "bar.inp", "out.stl"]).contains(".msh, .inp or .vtu"));
    assert_eq!(scratch.files().len(), before.len() + 1);
    let output = scratch.wolff(&["mesh", "info", "absent.msh", "--json"]);
    assert_eq!(json(&output)["status"], "failed");
    assert!(json(&output)["errors"][0]["help"].as_str().unwrap().contains(".msh"));
}

/// Coordinates that are no lengths are a failure in every command, never a result without numbers.
#[test]
fn huge_and_undefined_coordinates_are_refused() {
    let scratch = Scratch::new("mesh-huge");
    let ply = |x: &str| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n\
             element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n0.1 0 0\n0 0.1 0\n{x} 0 0.1\n\
             3 0 1 2\n3 0 2 3\n"
        )
    };
    for (i, x) in ["1e200", "1e9", "nan", "-inf"].iter().enumerate() {
        let (solid, surface) = (format!("{i}.inp"), format!("{i}.ply"));
        fs::write(scratch.0.join(&solid), BROKEN.replace("8, 1, 1, 1", &format!("8, {x}, 1, 1"))).unwrap();
        fs::write(scratch.0.join(&surface), ply(x)).unwrap();
        for file in [&solid, &surface] {
            for command in [vec!["info", file], vec!["check", file], vec!["convert", file, "out.vtu"]] {
                let output = scratch.wolff(&[&["mesh"], &command[..]].concat());
                assert_eq!(code(&output), 2, "{x} {command:?}: {}", stdout(&output));
                assert!(!scratch.0.join("out.vtu").exists());
            }
        }
    }
    fs::write(scratch.0.join("good.ply"), ply("0.1")).unwrap();
    assert_eq!(code(&scratch.wolff(&["mesh", "info", "good.ply"])), 0);
}

/// The unit of a femur in mm is recognised, and the option that the message names helps.
#[test]
fn a_bone_in_mm_is_recognised() {
    let scratch = Scratch::new("mesh-mm");
    write_bar(&scratch, "bar.msh", ElementKind::Tet4);
    for command in [vec!["info", "bar.msh"], vec!["check", "bar.msh"], vec!["convert", "bar.msh", "out.vtu"]] {
        let run = |more: &[&str]| scratch.wolff(&[&["mesh"], &command[..], more].concat());
        let message = stderr(&run(&[]));
        assert!(message.contains("120 m long") && message.contains("--unit mm"), "{command:?}: {message}");
        assert!(!stderr(&run(&["--unit", "mm"])).contains("m long"), "{command:?}");
    }
    let message = stderr(&scratch.wolff(&["mesh", "info", "bar.msh", "--scale", "1e-6"]));
    assert!(message.contains("1.20e-4 m long") && message.contains("omit --scale"), "{message}");
    let refused = scratch.wolff(&["modes", "bar.msh"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("--unit mm"), "{}", stderr(&refused));
}

/// A real mesh with flat elements: the repair ends with a valid mesh, tells every change, and the result is checked
/// without the functions that repaired it.
#[test]
fn the_femur_with_flat_elements_is_repaired() {
    let Some(femur) = wolff_testdata::shared("data/bones/femur-tet/femur.msh") else { return };
    let scratch = Scratch::new("mesh-femur");
    let femur = femur.display().to_string();
    let output = scratch.wolff(&["mesh", "check", &femur, "--unit", "mm", "--repair", "good.msh", "--json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let repair = json(&output)["results"]["repair"].clone();
    assert!(repair["flat_elements"]["changes"].as_array().unwrap().len() >= 17, "{repair}");
    let volumes = ["volume_before", "volume_after"].map(|name| repair[name].as_f64().unwrap());
    assert!((volumes[1] / volumes[0] - 1.0).abs() < 1e-3, "{volumes:?}");
    let mesh = read_mesh(scratch.0.join("good.msh")).unwrap();
    let mut faces = std::collections::BTreeMap::new();
    let mut sum = 0.0;
    for e in mesh.elements() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| mesh.nodes()[e[k]]);
        let volume = (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0;
        assert!(volume > 0.0, "an inverted element");
        sum += volume;
        for skipped in 0..4 {
            let mut face: Vec<usize> = (0..4).filter(|k| *k != skipped).map(|k| e[k]).collect();
            face.sort_unstable();
            *faces.entry(face).or_insert(0) += 1;
        }
    }
    assert!((sum / volumes[1] - 1.0).abs() < 1e-9);
    let mut edges = std::collections::BTreeMap::new();
    for (face, count) in &faces {
        assert!(*count <= 2);
        for (i, j) in [(0, 1), (0, 2), (1, 2)].into_iter().filter(|_| *count == 1) {
            *edges.entry((face[i], face[j])).or_insert(0) += 1;
        }
    }
    assert!(
        edges.values().all(|count| *count == 2),
        "the surface is closed and has no edge of more than two triangles"
    );
}

#[test]
fn every_mesh_command_has_help_with_an_example() {
    let scratch = Scratch::new("mesh-help");
    for command in ["info", "check", "convert"] {
        let help = stdout(&scratch.wolff(&["mesh", command, "--help"]));
        assert!(help.contains("Example") && help.contains(&format!("wolff mesh {command}")), "{help}");
    }
}
