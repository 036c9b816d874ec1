//! `wolff so`, `reactions` and `muscle` on a recorded walk and with typical mistakes; set-ups and their results.

use crate::spoiling::{WALK, muscles, name, plain, replace, run, run_muscles, spoil, walk};
use crate::{code, json, stderr, stdout};
use std::fs;
use std::path::Path;

/// Coordinates without muscles get actuators by default; without them they are the ones that are named.
#[test]
fn coordinates_without_muscles_are_named_and_helped() {
    let Some(scratch) = muscles("dyn-reserves") else { return };
    let none = run_muscles(&scratch, "so", &["--every", "40", "--reserves", "none", "--out", "none"]);
    let text = stderr(&none);
    assert_eq!(code(&none), 1, "{text}");
    assert!(text.contains("`pelvis_ty` has no muscle and no actuator"), "{text}");
    assert!(!text.contains("hip_adduction_r` lacks") && text.contains("--reserves"), "{text}");
    let files: Vec<String> = fs::read_dir(scratch.0.join("none")).unwrap().map(name).collect();
    assert!(files.contains(&"static_optimization_force.sto.failed".into()), "{files:?}");
    assert!(!files.contains(&"static_optimization_force.sto".into()), "{files:?}");

    let all = run_muscles(&scratch, "so", &["--every", "8", "--reserves", "--out", "so"]);
    assert!([0, 3].contains(&code(&all)), "{}", stderr(&all));
    assert!(stderr(&all).contains("have no muscle and no actuator and get an ideal actuator"), "{}", stderr(&all));
    let forces = "so/static_optimization_force.sto";
    let good = json(&run_muscles(&scratch, "reactions", &["--every", "8", "--forces", forces, "--json"]));
    assert_ne!(good["status"], "failed", "{}", good["judged"]);
    let knee = good["results"]["contact_forces"]["knee_contact_force_right_peak_bw"].as_f64().unwrap();
    assert!((1.5..6.0).contains(&knee), "{knee}");

    // a soleus of three times its force does not balance the motion
    spoil(&scratch, forces, |label, row, labels| {
        let i = labels.iter().position(|l| *l == label).unwrap();
        (label == "soleus_r").then(|| 3.0 * row[i] + 500.0)
    });
    let wrong = run_muscles(&scratch, "reactions", &["--every", "8", "--forces", forces, "--out", "wrong"]);
    let text = plain(&stderr(&wrong));
    assert_eq!(code(&wrong), 2, "{text}");
    assert!(text.contains("do not balance the motion") && text.contains("ankle_angle_r"), "{text}");
}

#[test]
fn numbers_that_are_not_finite_name_the_muscle() {
    let Some(scratch) = muscles("dyn-nan") else { return };
    let model = fs::read_to_string(scratch.0.join("model.osim")).unwrap();
    let at = model.find("<tendon_slack_length>").unwrap();
    let muscle = model[..at].rfind("Muscle name=\"").map(|i| &model[i + 13..]).unwrap().split('"').next().unwrap();
    let end = at + model[at..].find("</tendon_slack_length>").unwrap();
    let text = format!("{}<tendon_slack_length>1e-320{}", &model[..at], &model[end..]);
    fs::write(scratch.0.join("model.osim"), text).unwrap();
    let run1 = run_muscles(&scratch, "muscle", &["--every", "40", "--out", "out"]);
    assert!([1, 2].contains(&code(&run1)), "{}", stdout(&run1));
    assert!(stderr(&run1).contains(muscle), "{muscle}: {}", stderr(&run1));
    assert!(!scratch.0.join("out").exists());
}

#[test]
fn a_path_point_at_infinity_names_the_muscle() {
    let Some(scratch) = muscles("dyn-far") else { return };
    let model = fs::read_to_string(scratch.0.join("model.osim")).unwrap();
    let first = model.find("Muscle name=\"").unwrap();
    let muscle = model[first + 13..].split('"').next().unwrap();
    let at = first + model[first..].find("<location>").unwrap();
    let end = at + model[at..].find("</location>").unwrap();
    let text = format!("{}<location>1e308 0 0{}", &model[..at], &model[end..]);
    fs::write(scratch.0.join("model.osim"), text).unwrap();
    for command in ["so", "muscle"] {
        let run1 = run_muscles(&scratch, command, &["--every", "40", "--out", "out"]);
        assert!([1, 2].contains(&code(&run1)), "{command}: {}", stdout(&run1));
        assert!(stderr(&run1).contains(muscle), "{command}, {muscle}: {}", stderr(&run1));
        assert!(!scratch.0.join("out").exists());
    }
}

/// A set-up has its results in its own folder, under the names of OpenSim; foreign files are kept.
#[test]
fn set_ups_have_their_results_folder() {
    let Some(scratch) = walk("dyn-setup") else { return };
    let setup = r#"<OpenSimDocument Version="40000"><InverseDynamicsTool name="w">
        <results_directory>results</results_directory><model_file>subject01.osim</model_file>
        <external_loads_file>external_loads.xml</external_loads_file><coordinates_file>coordinates.sto</coordinates_file>
        <output_gen_force_file>mine.sto</output_gen_force_file></InverseDynamicsTool></OpenSimDocument>"#;
    fs::create_dir_all(scratch.0.join("deep/results")).unwrap();
    for file in WALK {
        fs::rename(scratch.0.join(file), scratch.0.join("deep").join(file)).unwrap();
    }
    fs::write(scratch.0.join("deep/id.xml"), setup).unwrap();
    let run1 = scratch.wolff(&["id", "deep/id.xml"]);
    assert!([0, 3].contains(&code(&run1)), "{}", stderr(&run1));
    assert!(scratch.0.join("deep/results/mine.sto").is_file());
    assert!(scratch.0.join("deep/results/w_wolff_id/report.html").is_file());
    // again: the earlier run is replaced; a foreign file is not
    assert!([0, 3].contains(&code(&scratch.wolff(&["id", "deep/id.xml"]))));
    fs::remove_dir_all(scratch.0.join("deep/results/w_wolff_id")).unwrap();
    let run1 = scratch.wolff(&["id", "deep/id.xml"]);
    assert!(code(&run1) == 2 && stderr(&run1).contains("mine.sto"), "{}", stderr(&run1));
}

#[test]
fn errors_name_the_file() {
    let Some(scratch) = walk("dyn-names") else { return };
    replace(&scratch, "grf.mot", |text| text.replace("ground_force_r_vx", "something"));
    let run1 = run(&scratch, "id", &["--json"]);
    assert!(code(&run1) == 2 && stdout(&run1).contains("grf.mot"), "{}", stdout(&run1));
    assert!(Path::new(&scratch.0).join("grf.mot").exists());
    replace(&scratch, "coordinates.sto", |text| text.replace('\t', ";"));
    let run1 = run(&scratch, "id", &["--json"]);
    assert!(code(&run1) == 2 && stdout(&run1).contains("coordinates.sto"), "{}", stdout(&run1));
}

/// Curves of a walk with complete strides: every percent of the cycle, both sides.
#[test]
fn strides_become_a_table_of_101_points() {
    let Some(scratch) = muscles("dyn-cycle") else { return };
    let inputs = ["id", "--model", "model.osim", "--motion", "motion.sto", "--loads", "loads.xml", "--out", "out"];
    let run1 = scratch.wolff(&inputs);
    assert!([0, 3].contains(&code(&run1)), "{}", stderr(&run1));
    let text = fs::read_to_string(scratch.0.join("out/gait_cycle.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 102);
    let labels: Vec<&str> = lines[0].split(',').collect();
    let column = |label: &str| {
        let i = labels.iter().position(|l| *l == label).unwrap_or_else(|| panic!("{label} not in {labels:?}"));
        lines[1..].iter().map(|l| l.split(',').nth(i).unwrap().parse::<f64>().unwrap()).collect::<Vec<f64>>()
    };
    assert_eq!(column("percent").last(), Some(&100.0));
    for side in ["r", "l"] {
        // flexion is positive though this model's knee has the other sign; the foot pushes off before 60 %
        let knee = column(&format!("knee_flexion_{side}_mean"));
        assert!(knee.iter().copied().fold(f64::NEG_INFINITY, f64::max) > 50.0, "{knee:?}");
        let ankle = column(&format!("ankle_plantarflexion_moment_{side}_mean"));
        let at = (0..101).max_by(|a, b| ankle[*a].total_cmp(&ankle[*b])).unwrap();
        assert!((35..60).contains(&at) && ankle[at] > 1.0, "{at}: {}", ankle[at]);
        assert!(column(&format!("vertical_ground_force_{side}_mean")).iter().any(|f| *f > 0.9));
    }
}

/// A set-up of a Windows computer: files are found by their names in folders nearby and told; with two of one name an
/// option decides; results go beside the set-up.
#[test]
fn set_ups_of_other_computers_find_their_files() {
    let Some(scratch) = walk("dyn-windows") else { return };
    let setup = r#"<OpenSimDocument Version="40000"><InverseDynamicsTool name="w">
        <results_directory>H:\OpenSim\results</results_directory>
        <model_file>H:\OpenSim\models\subject01.osim</model_file>
        <external_loads_file>C:/OpenSim/me/external_loads.xml</external_loads_file>
        <coordinates_file>C:\Users\me\coordinates.sto</coordinates_file></InverseDynamicsTool></OpenSimDocument>"#;
    fs::create_dir_all(scratch.0.join("trial/files")).unwrap();
    for file in WALK {
        fs::rename(scratch.0.join(file), scratch.0.join("trial/files").join(file)).unwrap();
    }
    fs::write(scratch.0.join("trial/id.xml"), setup).unwrap();
    let run1 = scratch.wolff(&["id", "trial/id.xml"]);
    let text = plain(&stderr(&run1));
    assert!([0, 3].contains(&code(&run1)), "{text}");
    assert!(text.contains("subject01.osim` is used, because it has the same name"), "{text}");
    assert!(scratch.0.join("trial/results/inverse_dynamics.sto").is_file(), "{:?}", scratch.files());
    // a second model of that name
    fs::create_dir_all(scratch.0.join("trial/old")).unwrap();
    fs::copy(scratch.0.join("trial/files/subject01.osim"), scratch.0.join("trial/old/subject01.osim")).unwrap();
    let run1 = scratch.wolff(&["id", "trial/id.xml"]);
    let text = plain(&stderr(&run1));
    assert!(code(&run1) == 2 && text.contains("several files have this name"), "{text}");
    let run1 = scratch.wolff(&["id", "trial/id.xml", "--model", "trial/files/subject01.osim"]);
    assert!([0, 3].contains(&code(&run1)), "{}", stderr(&run1));
    // no model at all
    fs::remove_dir_all(scratch.0.join("trial/old")).unwrap();
    fs::remove_file(scratch.0.join("trial/files/subject01.osim")).unwrap();
    let run1 = scratch.wolff(&["id", "trial/id.xml"]);
    let text = plain(&stderr(&run1));
    assert!(code(&run1) == 2 && text.contains("--model") && text.contains("id.xml"), "{text}");
}

/// `so` and `rra` write where their set-ups say, under the names of OpenSim.
#[test]
fn all_tools_obey_the_results_folder() {
    let Some(scratch) = muscles("dyn-results") else { return };
    let common = "<model_file>model.osim</model_file><external_loads_file>loads.xml</external_loads_file>\
        <results_directory>results</results_directory><initial_time>0.7</initial_time><final_time>0.9</final_time>";
    let so = format!(
        "<OpenSimDocument Version=\"40000\"><AnalyzeTool name=\"w\">{common}<coordinates_file>motion.sto\
         </coordinates_file><AnalysisSet><objects><StaticOptimization name=\"StaticOptimization\"><step_interval>20\
         </step_interval></StaticOptimization></objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"
    );
    let rra = format!(
        "<OpenSimDocument Version=\"40000\"><RRATool name=\"w\">{common}<desired_kinematics_file>motion.sto\
         </desired_kinematics_file><output_model_file>better.osim</output_model_file></RRATool></OpenSimDocument>"
    );
    for (command, setup, files) in [
        ("so", so, ["w_StaticOptimization_force.sto", "w_StaticOptimization_activation.sto"]),
        ("rra", rra, ["w_Kinematics_q.sto", "better.osim"]),
    ] {
        fs::write(scratch.0.join("setup.xml"), setup).unwrap();
        let run1 = scratch.wolff(&[command, "setup.xml"]);
        assert!([0, 3].contains(&code(&run1)), "{command}: {}", stderr(&run1));
        for file in files {
            assert!(scratch.0.join("results").join(file).is_file(), "{file} not in {:?}", scratch.files());
        }
    }
}

/// Without ground forces the joint to ground carries the body: a result that converges, and is wrong.
#[test]
fn muscle_forces_without_ground_forces_are_refused() {
    let Some(scratch) = muscles("dyn-air") else { return };
    let inputs = ["so", "--model", "model.osim", "--motion", "motion.sto", "--time", "0.6:1.8", "--every", "40"];
    let run1 = scratch.wolff(&[&inputs[..], &["--out", "air"]].concat());
    let text = plain(&stderr(&run1));
    assert_eq!(code(&run1), 2, "{text}");
    assert!(text.contains("no ground forces are given") && text.contains("--loads"), "{text}");
    let forced = scratch.wolff(&[&inputs[..], &["--out", "air", "--force"]].concat());
    let text = plain(&stderr(&forced));
    assert_eq!(code(&forced), 1, "{text}");
    assert!(text.contains("residual force RMS") && text.contains("--loads"), "{text}");
}

/// Activations of another unit, sign or time, and forces instead of activations.
#[test]
fn tables_that_are_no_activations_are_refused() {
    let Some(scratch) = muscles("dyn-activations") else { return };
    let model = fs::read_to_string(scratch.0.join("model.osim")).unwrap();
    let names: Vec<&str> = model.split("Muscle name=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let table = |value: f64, start: f64| {
        let row = |t: f64| {
            let cells: String = names.iter().map(|_| format!("\t{value}")).collect();
            format!("{}{cells}\n", start + t)
        };
        let labels: String = names.iter().map(|n| format!("\t{n}")).collect();
        format!("activations\nendheader\ntime{labels}\n{}", [0.0, 0.6, 1.2].map(row).concat())
    };
    for (value, start, words) in [
        (40.0, 0.6, "percent"),
        (-0.2, 0.6, "never negative"),
        (900.0, 0.6, "forces in N"),
        (0.4, 50.0, "time of the motion"),
        (0.4, 0.9, "--time 0.900:"),
    ] {
        fs::write(scratch.0.join("a.sto"), table(value, start)).unwrap();
        let run1 = run_muscles(&scratch, "muscle", &["--every", "60", "--activations", "a.sto", "--out", "out"]);
        let text = plain(&stderr(&run1));
        assert!(code(&run1) == 2 && text.contains(words), "{value} at {start} s: {text}");
    }
    fs::write(scratch.0.join("a.sto"), table(0.4, 0.6)).unwrap();
    let run1 = run_muscles(&scratch, "muscle", &["--every", "60", "--activations", "a.sto", "--out", "out"]);
    assert!([0, 3].contains(&code(&run1)), "{}", stderr(&run1));
}

#[test]
fn muscles_with_other_units_are_refused_and_errors_name_the_model() {
    let Some(scratch) = muscles("dyn-strong") else { return };
    let times = |text: &str, element: &str, factor: f64| {
        let open = format!("<{element}>");
        let mut parts = text.split(&open);
        let first = parts.next().unwrap().to_string();
        parts.fold(first, |all, part| {
            let (number, rest) = part.split_once('<').unwrap();
            format!("{all}{open}{}<{rest}", factor * number.trim().parse::<f64>().unwrap())
        })
    };
    let model = fs::read_to_string(scratch.0.join("model.osim")).unwrap();
    for (element, factor, words) in [
        ("max_isometric_force", 100.0, "maximum isometric force of"),
        ("tendon_slack_length", 1000.0, "tendon slack length of"),
        ("optimal_fiber_length", 1e-3, "optimal fibre length of"),
        ("max_isometric_force", -1.0, "must be a finite number greater than zero"),
    ] {
        fs::write(scratch.0.join("model.osim"), times(&model, element, factor)).unwrap();
        for command in ["so", "muscle"] {
            let run1 = run_muscles(&scratch, command, &["--every", "40", "--out", "out"]);
            let text = plain(&stderr(&run1));
            assert_eq!(code(&run1), 2, "{command}: {text}");
            assert!(text.contains(words) && text.contains("model.osim"), "{command}: {text}");
            assert!(!scratch.0.join("out").exists());
        }
    }
}

/// Joint moments by ideal actuators alone are no muscle forces.
#[test]
fn a_model_without_muscles_is_refused() {
    let Some(scratch) = walk("dyn-bare") else { return };
    for command in ["so", "muscle"] {
        let run1 = run(&scratch, command, &["--out", "out"]);
        let text = plain(&stderr(&run1));
        assert!(code(&run1) == 2 && text.contains("subject01.osim") && text.contains("has no muscles"), "{text}");
    }
    let report = json(&run(&scratch, "reactions", &["--json"]));
    assert!(report["warnings"].to_string().contains("joint forces without those of muscles"), "{report}");
}
