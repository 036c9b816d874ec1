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
    let double = run(
        "knee-2d",
        &[("layers", "double"), ("surface_beyond", "continued"), ("layer_thickness", "1 mm"), ("law", "hertz")],
    );
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
        "spline = \"profile_spline\"\n\n[contact.b.points]",
        "file = \"x.csv\"\n\n[contact.b.points]",
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

/// F1max + F2: beyond its thickness the surface layer keeps its largest force.
#[test]
fn a_saturated_layer_adds_no_more_than_its_largest_force() {
    let changes = [("layers", "double"), ("layer_thickness", "1 mm"), ("law", "hertz")];
    let knee = run("knee-2d", &changes);
    let depth = result(&knee, "indentation_max_mm") * 1e-3;
    assert!(depth > 1.05e-3, "the surface layer is used up: {depth}");
    let stiffness = |young: f64, poisson: f64| 4.0 / (3.0 * 2.0 * (1.0 - poisson * poisson) / young) * 0.0275f64.sqrt();
    let (surface, bone) = (stiffness(10e6, 0.45) * 1e-3f64.powf(1.5), stiffness(500e6, 0.3) * (depth - 1e-3).powf(1.5));
    let force = result(&knee, "contact_max_n");
    // the largest depth and force are those of the rows recorded
    assert!((force / (surface + bone) - 1.0).abs() < 1e-3, "{force} {surface} {bone}");
    assert!((result(&knee, "surface_max_n") / surface - 1.0).abs() < 1e-6);
    // elastic contact, no push and no damping: the stored energy belongs to the force
    let free = [("ligament_damping", "0"), ("amplitude", "0"), ("extension_speed", "4"), ("layer_thickness", "0.3 mm")];
    // later the contact comes to the end of the profile
    let knee = run("knee-2d", &[&changes[..1], &changes[2..], &free[..], &[("duration", "0.8")]].concat());
    assert!(result(&knee, "subsurface_max_n") > 1.0);
    let column = |name: &str| {
        let series = &knee.series[0];
        let k = series.columns.iter().position(|c| c == name).expect("a column");
        series.rows.iter().map(|row| row[k]).collect::<Vec<_>>()
    };
    let energy = column("energy_j");
    let worst = energy.iter().map(|e| (e - energy[0]).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-5 * energy[0], "{worst} of {}", energy[0]);
}

/// (5.23): the tension is the stiffness times the square of the elongation.
#[test]
fn a_quadratic_ligament_pulls_by_its_elongation_squared() {
    let knee = run("knee-2d", &[("ligament_law", "quadratic"), ("ligament_damping", "0"), ("duration", "0.5")]);
    let series = &knee.series[0];
    let column = |name: &str| series.columns.iter().position(|c| c == name).expect("a column");
    let (length, strain, force) = (column("acl_length_mm"), column("acl_stretch"), column("acl_n"));
    let mut taut = 0;
    for row in &series.rows {
        let (length, strain) = (1e-3 * row[length], row[strain]);
        let elongation = (length - length / (1.0 + strain)).max(0.0);
        let want = 35e6 * elongation * elongation;
        assert!((row[force] - want).abs() < 1e-6 * want.max(1.0), "{} {want}", row[force]);
        taut += usize::from(want > 1.0);
    }
    assert!(taut > 50, "{taut}");
}

#[test]
fn worn_cartilage_and_weak_bone_are_softer() {
    let with = |material: &str| run("knee-2d", &[("material", material), ("layers", "double"), ("law", "hertz")]);
    let single = |material: &str| result(&run("knee-2d", &[("material", material)]), "indentation_max_mm");
    let (healthy, half, worn) = (single("healthy"), single("half-osteoarthritic"), single("osteoarthritic"));
    assert!(healthy < half && half < worn, "{healthy} {half} {worn}");
    let deepest = |material: &str| result(&with(material), "indentation_max_mm");
    assert!(deepest("osteoarthritic-osteoporotic") > deepest("osteoarthritic"));
}

/// With less tension in the collateral ligaments the condyle lifts off and comes back.
#[test]
fn contacts_of_a_slacker_knee_are_separate() {
    let knee = run("knee-2d", &[("mcl_strain", "0.03"), ("lcl_strain", "0.04"), ("duration", "0.5")]);
    let (first, second) = (&knee.results["impacts"][0], &knee.results["impacts"][1]);
    let end = first["flexion_end_deg"].as_f64().expect("the first contact ends");
    assert!(end > second["flexion_deg"].as_f64().expect("a second contact") + 10.0, "{first} {second}");
}

/// The ball comes down outside of a hollow table: it falls past the rim, and what is below pulls and pushes nothing.
#[test]
fn contact_ends_at_the_rim_of_a_table() {
    for spin in ["0", "5"] {
        let changes = [("curvature_x", "1"), ("offset", "0.1"), ("spin", spin), ("points", "200")];
        let ball = run("bouncing-ball-table", &changes);
        assert_eq!(result(&ball, "impact_count"), 1.0, "only the bounce on the table");
        assert!(result(&ball, "energy_lost_j") > 0.0);
        let findings = format!("{:?}", ball.judgement);
        assert!(findings.contains("came around the rim"), "{findings}");
        let y = ball.series[0].rows.last().expect("rows")[1];
        assert!(y < -1.0, "it falls on: {y}");
    }
}

#[test]
fn the_work_on_tables_is_reported() {
    let counts = |window: &str| {
        let ball =
            run("bouncing-ball-table", &[("window", window), ("points", "400"), ("spin", "5"), ("offset", "0.003")]);
        ["floor_table_points", "floor_points_held", "floor_window_moves"].map(|name| result(&ball, name))
    };
    let (small, large) = (counts("8"), counts("64"));
    assert_eq!(small[0], 2.0 * 400.0 * 400.0);
    assert_eq!(large[1] - small[1], 2.0 * (64.0 * 64.0 - 8.0 * 8.0));
    assert!(small[2] > large[2], "a small window moves more often: {small:?} {large:?}");
}

/// Steel on steel, by (4.3): spheres, and a sphere on a plane by (4.5).
#[test]
fn the_stiffness_of_a_contact_follows_from_materials() {
    let spheres = run("spheres", &[("stiffness_from", "materials")]);
    let sigma = (1.0 - 0.3f64.powi(2)) / 207e9;
    let want = 4.0 / (3.0 * 2.0 * sigma) * (0.02f64 * 0.02 / 0.04).sqrt();
    assert!((result(&spheres, "spheres_stiffness_n_per_m1_5") / want - 1.0).abs() < 1e-12);
    assert!(spheres.comparisons.len() == 2 && spheres.comparisons.iter().all(|c| c.pass()));
    let own =
        |to: &str| refusal("spheres", "contact_radius = \"radius\", young = \"young_1\", poisson = \"poisson_1\"", to);
    assert!(own("young = \"young_1\"").contains("belong together"));
    let said = refusal(
        "spheres",
        "stiffness_from = \"stiffness_from\"",
        "stiffness_from = \"materials\"\nend = \"force-zero\"",
    );
    assert!(said.contains("key"), "`end` is given twice: {said}");
    let text = builtin("spheres").expect("built in");
    let linear = [("stiffness_from".to_string(), "materials".to_string()), ("law".to_string(), "hooke".to_string())];
    let refused = wolff_study::run("spheres", text, Path::new("."), &linear, &mut |_| {}).expect_err("linear");
    assert!(refused.to_string().contains("exponent 1.5 of Hertz"), "{refused}");
}

/// Type of spline of the profiles: with the 61 points of the study it matters little, with 13 it does.
#[test]
fn splines_of_few_points_differ() {
    let depth = |points: &str, spline: &str| {
        let changes = [("profile_points", points), ("profile_spline", spline), ("law", "hertz"), ("duration", "0.2")];
        result(&run("knee-2d", &changes), "contact_max_n")
    };
    let difference = |points: &str| {
        let smooth = depth(points, "smooth");
        ["shape-preserving", "akima"].map(|spline| (depth(points, spline) / smooth - 1.0).abs())
    };
    let (few, many) = (difference("13"), difference("61"));
    for k in 0..2 {
        assert!(few[k] > 2e-5 && many[k] < few[k], "{few:?} {many:?}");
    }
}
