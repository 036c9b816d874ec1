//! Knees: contact of profiles and tables, ligaments, layers, as studies.

use std::path::Path;
use wolff_report::outcome::{Outcome, Status};
use wolff_study::build::build_model;
use wolff_study::document::{StudyDocument, builtin};

fn run(name: &str, changes: &[(&str, &str)]) -> Outcome {
    let text = builtin(name).expect("a built-in study");
    let overrides: Vec<_> = changes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let outcome = wolff_study::run(name, text, Path::new("."), &overrides, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|e| panic!("{name} {changes:?}: {e}"));
    assert_eq!(outcome.status, Status::Ok, "{name} {changes:?}: {:?}", outcome.warnings);
    outcome
}

fn result(outcome: &Outcome, name: &str) -> f64 {
    outcome.results[name].as_f64().unwrap_or_else(|| panic!("{name}: {}", outcome.results[name]))
}

fn impact(outcome: &Outcome, k: usize, name: &str) -> f64 {
    outcome.results["impacts"][k][name].as_f64().expect("a number")
}

/// What the changed text is refused for.
fn refusal(name: &str, from: &str, to: &str) -> String {
    let text = builtin(name).expect("a built-in study");
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from} is not in the text");
    let built = StudyDocument::parse(name, &changed).and_then(|d| d.evaluate()).and_then(|study| build_model(&study));
    built.expect_err(to).to_string()
}

#[test]
fn the_planar_knee_swings_into_extension_and_stays_in_contact() {
    let knee = run("knee-2d", &[]);
    let least = result(&knee, "flexion_least_deg");
    assert!((-10.0..0.0).contains(&least), "a few degrees of hyperextension: {least}");
    assert!(result(&knee, "flexion_final_deg") > 20.0, "and back");
    assert_eq!(knee.results["impacts"].as_array().map(Vec::len), Some(1), "one touch that lasts");
    assert_eq!(result(&knee, "places_most"), 1.0);
    let force = result(&knee, "contact_max_n");
    assert!((50.0..500.0).contains(&force), "without muscles, a fraction of body weight: {force}");
    // the femur rolls back on the tibia by a centimetre and slides for the rest
    assert!(result(&knee, "tibia_path_mm") < 0.5 * result(&knee, "femur_path_mm"));
}

#[test]
fn stiffer_materials_are_indented_less_and_a_stronger_push_goes_further() {
    let deep = |changes: &[(&str, &str)]| result(&run("knee-2d", changes), "indentation_max_mm");
    let (worn, healthy) = (deep(&[("material", "osteoarthritic")]), deep(&[]));
    assert!(worn > healthy && healthy > deep(&[("material", "artificial")]), "{worn} {healthy}");
    let least = |push: &str| result(&run("knee-2d", &[("amplitude", push)]), "flexion_least_deg");
    assert!(least("50") > least("100") && least("100") > least("150"));
}

#[test]
fn a_conforming_plateau_is_stiffer() {
    let stiffness = |geometry: &str| {
        let mut document = StudyDocument::parse("knee-2d", builtin("knee-2d").expect("built in")).expect("sound");
        document.apply_overrides(&[("geometry".to_string(), geometry.to_string())]).expect("a choice");
        document.evaluate().expect("sound").numbers["stiffness"]
    };
    assert!(stiffness("concave") > stiffness("flat") && stiffness("flat") > stiffness("convex"));
    // Hertz: 1/√(1/R - κ) with R = 27.5 mm and κ = 1/80 mm
    let ratio = (1.0f64 / 0.0275).sqrt() / (1.0f64 / 0.0275 - 1.0 / 0.08).sqrt();
    assert!((stiffness("concave") / stiffness("flat") - ratio).abs() < 1e-12);
}

#[test]
fn bone_carries_only_what_cartilage_leaves() {
    let single = run("knee-2d", &[]);
    assert_eq!(result(&single, "subsurface_max_n"), 0.0);
    let double = run("knee-2d", &[("layers", "double"), ("layer_thickness", "1 mm"), ("law", "hertz")]);
    assert!(result(&double, "subsurface_max_n") > 0.0);
    assert!(result(&double, "indentation_max_mm") < result(&single, "indentation_max_mm"));
    // at the deepest point the two layers give the force of both laws
    let depth = result(&double, "indentation_max_mm") * 1e-3;
    let young_sum = 2.0 * (1.0 - 0.3f64.powi(2)) / 500e6;
    let bone = 4.0 / (3.0 * young_sum) * 0.0275f64.sqrt() * (depth - 1e-3).powf(1.5);
    assert!((result(&double, "subsurface_max_n") / bone - 1.0).abs() < 1e-3, "{bone}");
}

#[test]
fn the_spatial_knee_flexes_on_both_condyles() {
    let knee = run("knee-3d", &[]);
    assert!((60.0..120.0).contains(&result(&knee, "flexion_most_deg")));
    assert_eq!(knee.results["impacts"].as_array().map(Vec::len), Some(2), "both condyles touch once, and stay");
    for side in ["medial", "lateral"] {
        assert!((2.0..20.0).contains(&result(&knee, &format!("{side}_path_mm"))), "{side}");
        assert!((10.0..100.0).contains(&result(&knee, &format!("{side}_mean_n"))), "{side}");
    }
    assert!(result(&knee, "rotation_most_deg") > 2.0, "the tibia turns inwards");
}

#[test]
fn the_size_of_the_tables_changes_little() {
    let flexion =
        |points: &str| result(&run("knee-3d", &[("points", points), ("duration", "0.2")]), "flexion_most_deg");
    let (coarse, fine, finest) = (flexion("50"), flexion("200"), flexion("3000"));
    assert!(
        (fine - finest).abs() < 1e-3 && (fine - finest).abs() < (coarse - finest).abs(),
        "{coarse} {fine} {finest}"
    );
}

/// Tables of a million points against the exact sphere and plane: their error is (4/1000)³ of a radius over some tens,
/// 1e-10 m of 1e-2 m.
#[test]
fn a_ball_from_a_table_bounces_like_a_sphere() {
    let (exact, table) = (run("bouncing-ball", &[]), run("bouncing-ball-table", &[]));
    assert_eq!(result(&exact, "impact_count"), result(&table, "impact_count"));
    for k in 0..result(&exact, "impact_count") as usize {
        for name in ["t_s", "approach_m_s", "delta_max_m", "force_max_n"] {
            let (got, want) = (impact(&table, k, name), impact(&exact, k, name));
            assert!((got / want - 1.0).abs() < 2e-7, "impact {k}, {name}: {got} {want}");
        }
    }
    // off the middle of a hollow it comes down earlier or later by the rise of the floor
    let hollow = run("bouncing-ball-table", &[("curvature_x", "0.5"), ("offset", "0.05"), ("duration", "0.6")]);
    assert!(impact(&hollow, 0, "t_s") < impact(&exact, 0, "t_s"));
}

#[test]
fn what_cannot_touch_is_refused_with_its_place() {
    let points = "[contact.b.points]\ncount = \"profile_points\"";
    let says = |from: &str, to: &str, what: &str| {
        let said = refusal("knee-2d", from, to);
        assert!(said.contains(what), "{to}: {said}");
    };
    says(points, "[contact.b.points]\ncount = 3", "must be a whole number from 4");
    says(
        "shape = \"profile\"\n\n[contact.b.points]",
        "shape = \"profile\"\nfile = \"x.csv\"\n\n[contact.b.points]",
        "`points` or `file`",
    );
    says("y = \"curvature*(femur", "y = \"0.3 kg*(femur", "`y` of a point");
    says("reference_strain = \"acl_strain\"\n", "", "`slack_length` or `reference_strain`");
    says("of = \"acl\"", "of = \"push\"", "not of the kind \"ligament\"");
    says("thickness = \"thickness\"", "thickness = 0", "greater than zero");
    let said = refusal("knee-3d", "window = { value = 32", "window = { value = 1001");
    assert!(said.contains("window"), "{said}");
    let said = refusal("knee-3d", "points = { value = 1000", "points = { value = 20");
    assert!(said.contains("a window of 32 points does not fit into 20 x 20"), "{said}");
    let said = refusal(
        "knee-3d",
        "shape = \"table\", surface = \"dish\", curvatures = [\"medial_sagittal\", \"medial_coronal\"], half_extent = [\"30 mm\", \"20 mm\"], points = \"points\", window = \"window\"",
        "shape = \"plane\"",
    );
    assert!(said.contains("a table with a table"), "{said}");
}

#[test]
fn profiles_come_from_files_too() {
    let folder = std::env::temp_dir().join(format!("wolff-knee-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let plateau = (0..21).map(|k| format!("{},0\n", 0.035 - 0.0035 * k as f64)).collect::<String>();
    std::fs::write(folder.join("plateau.csv"), format!("x,y\n{plateau}")).expect("a file");
    let text = builtin("knee-2d").expect("built in");
    let (start, end) = (text.find("[contact.b.points]").expect("points"), text.find("[[force]]").expect("forces"));
    let changed = format!("{}file = \"plateau.csv\"\n\n{}", text[..start].trim_end().to_string() + "\n", &text[end..]);
    let overrides = [("duration".to_string(), "0.05".to_string())];
    let outcome = wolff_study::run("knee-2d", &changed, &folder, &overrides, &mut |_| {});
    let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
    assert!(result(&outcome, "contact_max_n") > 10.0);
    std::fs::remove_dir_all(&folder).expect("removed");
}
