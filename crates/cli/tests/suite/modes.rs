use crate::{Scratch, code, json, stderr, stdout};
use serde_json::Value;
use std::fs;
use wolff_fem::ElementKind;
use wolff_fem::generate::tube;
use wolff_meshes::solid::write_mesh;

const LENGTH: f64 = 0.421;

/// The shank tube, coarse, along z in m times `unit`.
fn write_tube(scratch: &Scratch, name: &str, unit: f64) {
    let mesh = tube(ElementKind::Tet10, unit * LENGTH, unit * 0.027, unit * 0.037, [1, 6, 6]).unwrap();
    write_mesh(scratch.0.join(name), &mesh).unwrap();
}

const STEEL_LIKE_BONE: [&str; 6] = ["--young", "17e9", "--poisson", "0.3", "--density", "3544.127"];
const ENDS: [&str; 4] = ["--interface", "knee=z<0.001", "--interface", "ankle=end@0,0,0.45"];

fn frequencies(answer: &Value) -> Vec<f64> {
    answer["frequencies_hz"].as_array().unwrap().iter().map(|f| f.as_f64().unwrap()).collect()
}

/// The program's answer, which must be a success.
fn answer(scratch: &Scratch, arguments: &[&str]) -> Value {
    let output = scratch.wolff(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    let answer = json(&output);
    assert_eq!((&answer["command"], &answer["status"]), (&"modes".into(), &"ok".into()));
    answer["results"].clone()
}

/// What is said about wrong input, without line breaks.
fn refusal(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = scratch.wolff(arguments);
    assert_eq!(code(&output), 2, "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    stderr(&output).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn free_modes_of_a_mesh_file() {
    let scratch = Scratch::new("modes-free");
    write_tube(&scratch, "shank.inp.gz", 1.0);
    let arguments = [&["modes", "shank.inp.gz", "--free", "--count", "5", "--json"], &STEEL_LIKE_BONE[..]].concat();
    let found = answer(&scratch, &arguments);
    let hz = frequencies(&found);
    assert!(hz.len() == 5 && hz.is_sorted(), "{hz:?}");
    // Converged: 883.97 Hz by Timoshenko's theory. Six cells around are a polygon of curved sides: a few per cent.
    assert!((hz[0] / 883.97 - 1.0).abs() < 0.05 && (hz[1] / hz[0] - 1.0).abs() < 0.02, "{hz:?}");
    // Wall of 3 kg.
    assert!((found["mass_kg"].as_f64().unwrap() / 3.0 - 1.0).abs() < 0.02, "{}", found["mass_kg"]);
    assert_eq!((&found["elements"], &found["free"]), (&(6 * 36).into(), &true.into()));
    assert_eq!(found["dof"].as_u64().unwrap(), 3 * found["nodes"].as_u64().unwrap());
    assert!(found["seconds"]["modes"].as_f64().unwrap() > 0.0 && found["seconds"]["all"].as_f64().unwrap() > 0.0);
    assert_eq!(scratch.files().len(), 1, "nothing is written without being asked for");
}

#[test]
fn units_of_length_and_density_scale_as_they_must() {
    let scratch = Scratch::new("modes-scale");
    write_tube(&scratch, "m.inp", 1.0);
    write_tube(&scratch, "mm.msh", 1e3);
    let common = ["--free", "--count", "3", "--json", "--young", "17e9", "--poisson", "0.3"];
    let run = |more: &[&str]| answer(&scratch, &[&["modes"], more, &common].concat());
    let (metres, millimetres) =
        (run(&["m.inp", "--density", "2000"]), run(&["mm.msh", "--scale", "1e-3", "--density", "2000"]));
    let heavy = run(&["m.inp", "--density", "8000"]);
    for ((a, b), c) in frequencies(&metres).iter().zip(frequencies(&millimetres)).zip(frequencies(&heavy)) {
        // the eigensolver's tolerance of 1e-7 leaves far less than this
        assert!((a / b - 1.0).abs() < 1e-8 && (a / (2.0 * c) - 1.0).abs() < 1e-8, "{a} {b} {c}");
    }
}

#[test]
fn a_reduced_body_is_written_and_looked_into() {
    let scratch = Scratch::new("modes-reduce");
    write_tube(&scratch, "shank.inp", 1.0);
    let more = [
        "--normal",
        "4",
        "--gauge",
        "front=0.037,0,0.21",
        "--point",
        "soleus=0.037,0,0.1,0.02",
        "--damping",
        "0.03",
        "--check",
    ];
    let output = scratch.wolff(&[&["modes", "shank.inp"], &ENDS[..], &more].concat());
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    let people = stdout(&output);
    for part in ["carries most", "knee", "ankle Tz", "error [%]", "front", "soleus Fx", "mass", "Wrote shank.flexbody."]
    {
        assert!(people.contains(part), "`{part}` is missing in:\n{people}");
    }
    let looked = answer(&scratch, &["modes", "shank.flexbody", "--info", "--json"]);
    // 2 interfaces of 6, 4 fixed-interface modes, 3 attachment modes of the point, less 6 rigid motions
    assert_eq!(frequencies(&looked).len(), 12 + 4 + 3 - 6);
    assert_eq!(looked["places"][2]["name"], "ankle");
    assert_eq!(looked["places"][2]["position"][2], 0.45);
    let ratio = |value: &Value| value.as_f64().unwrap();
    assert!(looked["damping_ratios"].as_array().unwrap().iter().all(|z| (ratio(z) - 0.03).abs() < 1e-9), "{looked}");
    assert!(
        looked["surface"]["triangles"].as_u64().unwrap() > 100 && looked["mesh"]["path"] == "shank.inp",
        "{looked}"
    );
    let people = stdout(&scratch.wolff(&["modes", "shank.flexbody"]));
    for part in ["front", "soleus", "base", "centre of mass", "surface of", "SHA-256"] {
        assert!(people.contains(part), "`{part}` is missing in:\n{people}");
    }
    assert_eq!(scratch.files().len(), 2);
}

/// Pushing and twisting the ends against each other needs no inertia: all modes together answer as the whole mesh does.
#[test]
fn all_modes_answer_balanced_loads_as_the_whole_mesh_does_and_few_do_not() {
    let scratch = Scratch::new("modes-check");
    write_tube(&scratch, "shank.inp", 1.0);
    let gauge = ["--gauge", "front=0.037,0,0.21", "--check", "--json", "--normal", "4"];
    let error = |more: &[&str]| {
        let output = scratch.wolff(&[&["modes", "shank.inp"], &ENDS[..], &gauge, more].concat());
        // loads that accelerate the body have errors beyond the limit
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let found = json(&output)["results"].clone();
        let errors = found["gauge_errors"].as_array().unwrap().clone();
        assert_eq!(errors.len(), 12, "a gauge, 12 unit loads");
        let strain = |load: &str, way: &str, i: usize| {
            errors.iter().find(|e| e["load"] == load).unwrap()[way][i].as_f64().unwrap()
        };
        let pair = |direction: &str, way: &str, i: usize| {
            strain(&format!("knee {direction}"), way, i) - strain(&format!("ankle {direction}"), way, i)
        };
        let norm = |of: &dyn Fn(usize) -> f64| (0..6).map(|i| of(i).powi(2)).sum::<f64>().sqrt();
        ["Fz", "Tz"].map(|d| norm(&|i| pair(d, "reduced", i) - pair(d, "full", i)) / norm(&|i| pair(d, "full", i)))
    };
    // rounding of two factorisations of different matrices
    assert!(error(&[]).iter().all(|e| *e < 1e-6), "{:?}", error(&[]));
    // two bending modes neither stretch nor twist
    assert!(error(&["--modes", "2"]).iter().all(|e| *e > 0.9), "{:?}", error(&["--modes", "2"]));
    assert_eq!(scratch.files().len(), 1, "--json writes no body unless asked");
}

/// Errors at a gauge have a verdict and the option that reduces them, and with that option the verdict is better.
#[test]
fn the_check_has_a_verdict_and_a_remedy_that_helps() {
    let scratch = Scratch::new("modes-verdict");
    write_tube(&scratch, "shank.inp", 1.0);
    let common = ["--gauge", "front=0.037,0,0.21", "--check", "--json", "--normal", "4"];
    let run = |more: &[&str]| scratch.wolff(&[&["modes", "shank.inp"], &ENDS[..], &common, more].concat());
    let without = json(&run(&[]));
    assert_eq!(without["status"], "doubtful");
    let warning = without["warnings"][0].as_str().unwrap();
    assert!(["`front`", "expected at most 5 %", "--relief"].iter().all(|w| warning.contains(w)), "{warning}");
    let with = run(&["--relief"]);
    assert_eq!((code(&with), &json(&with)["status"]), (0, &"ok".into()), "{}", stdout(&with));
}

/// The body may lie beside its pictures; a folder of someone else is refused before anything is computed.
#[test]
fn a_body_may_be_written_beside_its_pictures() {
    let scratch = Scratch::new("modes-beside");
    write_tube(&scratch, "shank.inp", 1.0);
    let arguments =
        ["modes", "shank.inp", "--free", "--count", "1", "--picture", "d", "--out", "d/x.flexbody", "--vtu", "d/x.vtu"];
    for _ in 0..2 {
        let output = scratch.wolff(&arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for name in ["x.flexbody", "x.vtu", "index.html"] {
            assert!(scratch.0.join("d").join(name).is_file(), "{name}");
        }
    }
}

/// Constants of one's own: a bone that is softer along its axis bends more slowly; constants that no material can have
/// are refused.
#[test]
fn own_transversely_isotropic_constants() {
    let scratch = Scratch::new("modes-own");
    write_tube(&scratch, "shank.inp", 1.0);
    let first = |more: &[&str]| {
        let arguments =
            [&["modes", "shank.inp", "--free", "--count", "1", "--density", "2000", "--json"], more].concat();
        frequencies(&answer(&scratch, &arguments))[0]
    };
    let (stiff, soft) = (first(&["--young-axial", "17e9"]), first(&["--young-axial", "8.5e9"]));
    // bending: the frequency grows with the root of the axial modulus, less what shear takes away
    assert!(soft < 0.85 * stiff && soft > 0.6 * stiff, "{soft} {stiff}");
    for wrong in [["--poisson-axial", "0.9"], ["--poisson-transverse", "1.1"], ["--shear-axial", "-1e9"]] {
        let message = refusal(&scratch, &[&["modes", "shank.inp", "--free"], &wrong[..]].concat());
        assert!(message.contains("positive") || message.contains("Poisson"), "{message}");
    }
}

#[test]
fn selections_keep_the_lowest_modes() {
    let scratch = Scratch::new("modes-select");
    write_tube(&scratch, "shank.inp", 1.0);
    let run = |more: &[&str]| {
        answer(&scratch, &[&["modes", "shank.inp", "--json", "--normal", "4"], &ENDS[..], more].concat())
    };
    let all = frequencies(&run(&[]));
    assert_eq!(frequencies(&run(&["--modes", "3"])), all[..3]);
    let up_to = frequencies(&run(&["--max-frequency", "3000"]));
    assert!(!up_to.is_empty() && up_to.len() < all.len());
    assert_eq!(up_to, all.iter().copied().filter(|f| *f <= 3000.0).collect::<Vec<_>>());
    // a smaller tolerance of the strain requires more modes
    let kept = ["1", "0.5", "0.1", "1e-9"]
        .map(|tolerance| frequencies(&run(&["--gauge-tolerance", tolerance, "--gauge", "front=0.037,0,0.21"])).len());
    assert!(kept.is_sorted() && kept[0] < all.len(), "{kept:?} of {}", all.len());
}

/// Rayleigh: what is held more or described by fewer shapes vibrates faster. Both bases must be rich for the second
/// step: with few fixed-interface modes an averaging interface, which holds less, has the poorer basis.
#[test]
fn averaging_interfaces_stiffen_less_than_rigid_ones() {
    let scratch = Scratch::new("modes-average");
    write_tube(&scratch, "shank.inp", 1.0);
    let first = |more: &[&str]| frequencies(&answer(&scratch, &[&["modes", "shank.inp", "--json"], more].concat()))[0];
    let held = |kind: &str| first(&[&ENDS[..], &["--normal", "30", "--kind", kind]].concat());
    let (free, average, rigid) = (first(&["--count", "1"]), held("average"), held("rigid"));
    assert!(free < average && average < rigid, "{free} {average} {rigid}");
}

#[test]
fn pictures_and_fields_are_written_from_a_mesh_and_from_a_body() {
    let scratch = Scratch::new("modes-picture");
    write_tube(&scratch, "shank.inp", 1.0);
    let outputs = ["--picture", "pictures", "--vtu", "modes.vtu"];
    let first = [&["modes", "shank.inp", "--free", "--count", "2", "--out", "free.flexbody"], &outputs[..]].concat();
    assert_eq!(code(&scratch.wolff(&first)), 0);
    let read = |name: &str| fs::read_to_string(scratch.0.join(name)).unwrap();
    let page = read("pictures/index.html");
    assert!(
        page.matches("<svg").count() == 2 && !page.contains("src=") && page.contains(" Hz</title>"),
        "{}",
        page.len()
    );
    let svg = read("pictures/mode-01.svg");
    assert!(svg.len() < 400_000 && svg.matches("<path").count() > 50, "{}", svg.len());
    assert!(read("modes.vtu").contains("mode 2 displacement [m]"));
    // the same pictures from the file of the body, which replace the first
    let output = scratch.wolff(&[&["modes", "free.flexbody"], &outputs[..]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("Wrote modes.vtu."));
    fs::write(scratch.0.join("pictures/notes.txt"), "mine").unwrap();
    assert!(refusal(&scratch, &first).contains("notes.txt"));
}

#[test]
fn built_in_bones_and_texts_are_solids_too() {
    let scratch = Scratch::new("modes-bone");
    let text = "kind = \"bone\"\nbone = \"tube\"\nlength = \"40 cm\"\nfixed_modes = 2\ninterface = \"average\"\n";
    fs::write(scratch.0.join("bone.toml"), text).unwrap();
    let typed = answer(&scratch, &["modes", "tube", "--length", "0.4", "--count", "2", "--json"]);
    let written = answer(&scratch, &["modes", "bone.toml", "--free", "--json"]);
    assert_eq!(frequencies(&typed), frequencies(&written));
    let reduced = answer(&scratch, &["modes", "bone.toml", "--json"]);
    assert_eq!((&reduced["free"], &reduced["places"][0]["name"]), (&false.into(), &"proximal".into()));
    fs::write(scratch.0.join("wrong.toml"), text.replace("length", "lenght")).unwrap();
    assert!(refusal(&scratch, &["modes", "wrong.toml"]).contains("lenght"));
    fs::write(scratch.0.join("beam.toml"), "kind = \"beam\"\nlength = 1\nmass_per_length = 1\nshapes = []\n").unwrap();
    assert!(refusal(&scratch, &["modes", "beam.toml"]).contains("defines no solid"));
}

#[test]
fn wrong_input_is_refused_with_a_remedy_and_leaves_nothing() {
    let scratch = Scratch::new("modes-wrong");
    write_tube(&scratch, "shank.inp", 1.0);
    fs::write(scratch.0.join("cut.inp"), "*NODE\n1, 0, 0, 0\n").unwrap();
    let before = scratch.files();
    let cases: [(&[&str], &[&str]); 16] = [
        (&["--interface", "knee=z<-1", "--normal", "4"], &["`knee`", "`z<-1` holds no node", "z 0.00000 to 0.42100 m"]),
        (&["--interface", "knee=patella"], &["patella", "start", "help:", "z<0.001"]),
        (&["--interface", "z<1"], &["has no name", "knee="]),
        (&["--interface", "a=start", "--interface", "a=end"], &["two nodes are called `a`"]),
        (&["--gauge", "front=0.2,0,0.2"], &["`front`", "from the surface", "e-1 m"]),
        (&["--gauge", "front=anteromedial"], &["no landmarks"]),
        (&["--point", "a=1,2"], &["NAME=x,y,z"]),
        (&["--poisson", "0.5"], &["Poisson", "0.5"]),
        (&["--young", "-1"], &["not positive"]),
        (&["--material", "rho", "--young", "1e9"], &["isotropic", "help:"]),
        (&["--count", "0"], &["0 modes"]),
        (&["--normal", "4"], &["--normal", "--interface"]),
        (&["--check"], &["--gauge", "help:"]),
        (&["--length", "0.4"], &["--scale"]),
        (&["--vtu", "nowhere/modes.vtu"], &["no folder", "nowhere"]),
        (&["--out", "shank.txt", "--free"], &["does not end in .flexbody"]),
    ];
    for (arguments, words) in cases {
        let message = refusal(&scratch, &[&["modes", "shank.inp"], arguments].concat());
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
        assert_eq!(scratch.files(), before, "{arguments:?} left files behind");
    }
    assert!(refusal(&scratch, &["modes", "cut.inp"]).contains("cut.inp"));
    assert!(refusal(&scratch, &["modes", "absent.msh"]).contains("cannot read"));
    assert!(refusal(&scratch, &["modes", "shank.inp", "--info"]).contains("wolff mesh info"));
    let output = scratch.wolff(&["modes", "shank.inp", "--interface", "knee=z<-1", "--json"]);
    assert_eq!((code(&output), &json(&output)["status"]), (2, &"failed".into()));
    assert_eq!(scratch.files(), before);
}

#[test]
fn damaged_bodies_are_refused() {
    let scratch = Scratch::new("modes-damaged");
    write_tube(&scratch, "shank.inp", 1.0);
    let made = scratch.wolff(&["modes", "shank.inp", "--free", "--count", "1", "--out", "a.flexbody"]);
    assert_eq!(code(&made), 0, "{}", stderr(&made));
    let whole = fs::read(scratch.0.join("a.flexbody")).unwrap();
    fs::write(scratch.0.join("cut.flexbody"), &whole[..whole.len() / 2]).unwrap();
    let message = refusal(&scratch, &["modes", "cut.flexbody", "--info"]);
    assert!(message.contains("cut.flexbody") && message.contains("is cut short"), "{message}");
    assert!(refusal(&scratch, &["modes", "a.flexbody", "--count", "3"]).contains("reduced already"));
    assert!(refusal(&scratch, &["modes", "absent.flexbody"]).contains("cannot be read"));
}

#[test]
fn the_help_has_examples() {
    let scratch = Scratch::new("modes-help");
    let help = stdout(&scratch.wolff(&["modes", "--help"]));
    for part in ["wolff modes shank.inp.gz --young 17e9", "--interface knee=", "--info", "SELECTOR", "sphere(x,y,z,r)"]
    {
        assert!(help.contains(part), "`{part}` is missing in:\n{help}");
    }
}

/// The shared mesh of the shank tube against axisymmetric Fourier elements.
#[test]
fn the_shared_mesh_gives_the_reference_frequencies() {
    let Some(mesh) = wolff_testdata::shared("reference/meshes/shank_tet10.inp.gz") else { return };
    let scratch = Scratch::new("modes-shared");
    let mesh = mesh.display().to_string();
    let arguments = [&["modes", mesh.as_str(), "--free", "--count", "8", "--json"], &STEEL_LIKE_BONE[..]].concat();
    let found = answer(&scratch, &arguments);
    let hz = frequencies(&found);
    assert_eq!(hz.len(), 8);
    // Two bending pairs, torsion and extension of the converged solution in the shared reference 05a.
    for (found, converged) in hz.iter().zip([886.673, 886.673, 1613.136, 2031.191, 2031.191, 2593.936]) {
        assert!((found / converged - 1.0).abs() < 5e-3, "{hz:?}");
    }
    assert!((found["mass_kg"].as_f64().unwrap() - 3.0).abs() < 0.01, "{}", found["mass_kg"]);
}

#[test]
fn constants_in_other_units_are_refused() {
    let scratch = Scratch::new("modes-constants");
    write_tube(&scratch, "shank.inp", 1.0);
    let wrong = [("--young", "17000", "Pa"), ("--density", "1.9", "kg/m³"), ("--mass", "5000", "density")];
    for (option, value, word) in wrong {
        assert!(refusal(&scratch, &["modes", "shank.inp", "--count", "2", option, value]).contains(word), "{option}");
    }
    let forced = scratch.wolff(&["modes", "shank.inp", "--count", "2", "--density", "1.9", "--force"]);
    assert_eq!(code(&forced), 3, "{}", stderr(&forced));
}

#[test]
fn coarse_meshes_and_axes_across_the_bone_are_told() {
    let scratch = Scratch::new("modes-doubt");
    let coarse = wolff_fem::generate::bar(ElementKind::Tet4, 0.02, 0.2, 2, 10).unwrap();
    write_mesh(scratch.0.join("coarse.inp"), &coarse).unwrap();
    let found = scratch.wolff(&["modes", "coarse.inp", "--count", "2"]);
    assert_eq!(code(&found), 3);
    assert!(stderr(&found).contains("--tet10"), "{}", stderr(&found));
    assert_eq!(code(&scratch.wolff(&["mesh", "convert", "coarse.inp", "fine.inp", "--tet10"])), 0);
    let found = scratch.wolff(&["modes", "fine.inp", "--count", "2"]);
    assert_eq!((code(&found), stderr(&found).as_str()), (0, ""));
    let found = scratch.wolff(&["modes", "fine.inp", "--count", "2", "--axis", "x"]);
    assert!(stderr(&found).contains("--axis 0.000,0.000,1.000"), "{}", stderr(&found));
}

#[test]
fn places_off_the_solid_and_interfaces_that_overlap_are_refused() {
    let scratch = Scratch::new("modes-places");
    write_tube(&scratch, "shank.inp", 1.0);
    let with = |more: &[&str]| refusal(&scratch, &[&["modes", "shank.inp", "--interface", "a=z<0.001"], more].concat());
    assert!(with(&["--point", "p=1,1,1"]).contains("point `p`"));
    assert!(with(&["--interface", "b=z<0.2"]).contains("interfaces `a` and `b` share"));
    assert!(with(&["--interface", "b=z>0.4@5,5,5"]).contains("interface `b`"));
    assert!(refusal(&scratch, &["modes", "shank.inp", "--interface", "a=z>-1"]).contains("holds all"));
    assert!(with(&["--interface", "b=z>0.42", "--max-frequency", "1"]).contains("the lowest has"));
}

#[test]
fn single_modes_are_switched_off() {
    let scratch = Scratch::new("modes-disable");
    write_tube(&scratch, "shank.inp", 1.0);
    let all = frequencies(&answer(&scratch, &["modes", "shank.inp", "--count", "5", "--json"]));
    let some = answer(&scratch, &["modes", "shank.inp", "--count", "5", "--disable", "1,mode4", "--json"]);
    assert_eq!(frequencies(&some), [all[1], all[2], all[4]]);
    let said = refusal(&scratch, &["modes", "shank.inp", "--count", "5", "--disable", "9"]);
    assert!(said.contains("mode 9") && said.contains("there are 5"), "{said}");
    assert!(refusal(&scratch, &["modes", "shank.inp", "--disable", "0"]).contains("from 1"));
}

#[test]
fn raw_modes_are_listed_and_drawn() {
    let scratch = Scratch::new("modes-raw");
    write_tube(&scratch, "shank.inp", 1.0);
    let arguments =
        [&["modes", "shank.inp", "--raw", "--normal", "3", "--picture", "raw", "--json"], &ENDS[..]].concat();
    let found = answer(&scratch, &arguments);
    let modes = found["raw_modes"].as_array().unwrap();
    assert_eq!(modes.len(), 3 + 12);
    let hz: Vec<f64> = modes.iter().filter_map(|mode| mode["frequency_hz"].as_f64()).collect();
    assert!(hz.len() == 3 && hz.is_sorted() && hz[0] > 100.0, "{hz:?}");
    assert_eq!(modes[3]["name"], "knee, displacement x");
    let page = fs::read_to_string(scratch.0.join("raw/index.html")).unwrap();
    assert!(page.contains("knee, displacement x") && page.contains("fixed interfaces, mode 1"));
    assert!(scratch.0.join("raw/mode-15.svg").is_file() && !scratch.0.join("shank.flexbody").exists());
    let said = refusal(&scratch, &["modes", "shank.inp", "--raw"]);
    assert!(said.contains("--raw requires interfaces"), "{said}");
}
