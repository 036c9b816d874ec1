//! Names of segments, sides and coordinates are read in few places: everywhere else they are enums and roles.

use crate::allowed::Rule;
use crate::source::{Literal, literals, sources};

/// Crates whose subject are names: anatomy gives them a meaning, the others read and write files that hold them.
/// `xtask` has them in this file.
const READERS: [&str; 5] = ["anatomy", "formats", "opensim", "meshes", "xtask"];

/// Files outside of these crates that may compare names, each with its reason.
const ALLOWED: [(&str, &str); 2] = [
    ("crates/cli/src/modes/request.rs", "words of an option: the kinds of built-in bones"),
    ("crates/document/src/bone.rs", "words of a study file: the kinds of built-in bones"),
];

/// Parts of names of segments and coordinates, as models and files have them.
const PARTS: [&str; 28] = [
    "femur",
    "tibia",
    "fibula",
    "patella",
    "pelvis",
    "sacrum",
    "torso",
    "thorax",
    "talus",
    "calcn",
    "calcaneus",
    "toes",
    "metatars",
    "humerus",
    "ulna",
    "hand_",
    "hip_flexion",
    "hip_adduction",
    "hip_rotation",
    "knee_angle",
    "knee_adduction",
    "knee_rotation",
    "ankle_angle",
    "subtalar",
    "mtp_angle",
    "lumbar_",
    "arm_flex",
    "elbow_flex",
];
/// Endings of names: sides.
const ENDINGS: [&str; 2] = ["_r", "_l"];
/// Beginnings of endings: translations.
const BEGINNINGS: [&str; 1] = ["_t"];

/// Methods that compare with their argument or take it away.
const METHODS: [&str; 13] = [
    "contains",
    "ends_with",
    "starts_with",
    "strip_suffix",
    "strip_prefix",
    "trim_end_matches",
    "trim_start_matches",
    "split_once",
    "rsplit_once",
    "find",
    "rfind",
    "replace",
    "eq_ignore_ascii_case",
];

const RULE: Rule = Rule { exempt: &READERS, forbids: compares_names, remedy: "use the enums and roles of anatomy" };

/// Names are compared only where that is allowed, and what is allowed is needed.
pub fn check() -> Result<(), String> {
    let found = RULE.offenders(&sources()?, &ALLOWED);
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

/// Whether a line compares, matches or strips the name of a segment, a side or a coordinate.
fn compares_names(line: &str) -> bool {
    literals(line).iter().any(|literal| is_name(literal.text) && is_compared(literal))
}

fn is_name(text: &str) -> bool {
    // words with spaces are messages
    !text.contains(' ')
        && (PARTS.iter().any(|part| text.contains(part))
            || ENDINGS.iter().any(|end| text.ends_with(end))
            || BEGINNINGS.iter().any(|start| text.starts_with(start)))
}

fn is_compared(literal: &Literal<'_>) -> bool {
    let before = literal.before.trim_end().trim_end_matches('&').trim_end();
    let after = literal.after.trim_start();
    let by_method = before.strip_suffix('(').is_some_and(|call| METHODS.iter().any(|name| ends_in_word(call, name)));
    let (inner, outer) = match (before.strip_suffix("Some("), after.strip_prefix(')')) {
        (Some(inner), Some(outer)) => (inner.trim_end(), outer.trim_start()),
        _ => (before, after),
    };
    let by_operator = ["==", "!="].iter().any(|sign| inner.ends_with(sign) || outer.starts_with(sign));
    let in_list = after.contains("].contains(") || after.contains("].iter().any(");
    let in_pattern = (after.contains("=>") && !before.contains("=>"))
        || after.starts_with("| \"")
        || before.contains("matches!(")
        || (["if let ", "let Some("].iter().any(|word| before.contains(word)) && after.contains(" = "));
    by_method || by_operator || in_list || in_pattern
}

/// Whether a text ends in a word, not only in the same letters.
fn ends_in_word(text: &str, word: &str) -> bool {
    let rest = text.strip_suffix(word);
    rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn comparisons_are_told_from_tables_and_messages() {
        for line in [
            r#"if name.ends_with("_r") {"#,
            r#"let base = name.strip_suffix("_l").unwrap_or(name);"#,
            r#"    "femur_r" | "tibia_r" => Side::Right,"#,
            r#"    "pelvis" | "torso""#,
            r#"    | "pelvis" | "torso""#,
            r#"bodies.iter().find(|b| b.name == "pelvis")"#,
            r#"if Some("pelvis") == name {"#,
            r#"role == Some("knee_angle")"#,
            r#"matches!(name, "x" | "femur")"#,
            r#"if ["femur", "x"].contains(&name) {"#,
            r#"name.contains("_t")"#,
        ] {
            assert!(compares_names(line), "{line}");
        }
        for line in [
            r#"    ("femur_r", 8.0, "thigh"),"#,
            r#"let joint = joint(&format!("hip_{side}"), "femur_r");"#,
            r#"    Segment::Femur => "femur_r","#,
            r#"return Err("no femur or tibia == x".into());"#,
            r#"// name.ends_with("_r")"#,
            r#"name.contains("radius")"#,
            r#"let has = values.word("fibula") == "yes";"#,
        ] {
            assert!(!compares_names(line), "{line}");
        }
    }

    #[test]
    fn allowed_files_must_need_it() {
        let text = "let side = name.ends_with(\"_r\");\n";
        let source = |package: &str| Source {
            package: package.into(),
            path: format!("crates/{package}/src/lib.rs"),
            text: text.into(),
        };
        let sources = [source("anatomy"), source("app")];
        let offender =
            "crates/app/src/lib.rs:1: let side = name.ends_with(\"_r\"); (use the enums and roles of anatomy)";
        assert_eq!(RULE.offenders(&sources, &[]), [offender]);
        assert_eq!(RULE.offenders(&sources, &[("crates/app/src/lib.rs", "reason")]), Vec::<String>::new());
        let idle = RULE.offenders(&sources, &[("crates/app/src/lib.rs", "reason"), ("crates/cli/src/main.rs", "old")]);
        assert!(idle.len() == 1 && idle[0].contains("cli/src/main.rs needs no exception"), "{idle:?}");
    }
}
