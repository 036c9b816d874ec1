//! The floors of the house: which crate may use which.

use crate::process::{cargo, output_of};
use std::collections::{BTreeMap, BTreeSet};

/// Mechanics: no file formats, nothing about people.
const FLOOR_1: [&str; 11] = [
    "files",
    "verdict",
    "spatial",
    "numerics",
    "geometry",
    "flexbody",
    "fem",
    "mesher",
    "multibody",
    "contact",
    "muscle",
];
/// Biomechanics.
const FLOOR_2: [&str; 16] = [
    "plots",
    "formats",
    "meshes",
    "density",
    "imaging",
    "anatomy",
    "morphology",
    "doctor",
    "reference",
    "motion",
    "control",
    "plausibility",
    "opensim",
    "bone",
    "movement",
    "evidence",
];
/// The product. `wolff` is the library for other programs.
const FLOOR_3: [&str; 11] =
    ["report", "scan", "formula", "document", "study", "analyses", "app", "verify", "wolff", "cli", "capi"];
/// What measures the product and is no part of it.
const OUTSIDE: [&str; 4] = ["testdata", "validation", "bench", "xtask"];

/// What others get: nothing of [`OUTSIDE`] is in it.
const PRODUCT: [&str; 3] = ["cli", "wolff", "capi"];
/// Packages for file formats and pictures, which mechanics does not need.
const NOT_ON_FLOOR_1: [&str; 5] = ["roxmltree", "flate2", "base64", "plotters", "svg"];

/// Packages and what each uses directly, without what only its tests use.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Every crate uses only crates above it in the lists.
pub fn check() -> Result<(), String> {
    let tree = ["tree", "--workspace", "--edges", "normal,build", "--prefix", "depth", "--format", "{p}", "--offline"];
    let graph = parse(&output_of(&mut cargo(tree))?)?;
    let found = offenders(&graph);
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

/// The graph in the output of `cargo tree`: the depth before the name; what stands deeper below a package is what it
/// uses.
fn parse(tree: &str) -> Result<Graph, String> {
    let mut graph = Graph::new();
    let mut above: Vec<String> = Vec::new();
    for line in tree.lines().filter(|line| !line.trim().is_empty()) {
        let name_at = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
        let (depth, rest) = line.split_at(name_at);
        let depth: usize = depth.parse().map_err(|_| format!("`cargo tree` printed {line:?}"))?;
        let name = rest.split_whitespace().next().ok_or_else(|| format!("`cargo tree` printed {line:?}"))?;
        above.truncate(depth);
        if above.len() != depth {
            return Err(format!("`cargo tree` skipped a depth at {line:?}"));
        }
        if let Some(user) = above.last() {
            graph.entry(user.clone()).or_default().insert(name.into());
        }
        graph.entry(name.into()).or_default();
        above.push(name.into());
    }
    Ok(graph)
}

/// The package of a crate.
fn package(name: &str) -> String {
    if ["wolff", "xtask"].contains(&name) { name.into() } else { format!("wolff-{name}") }
}

fn offenders(graph: &Graph) -> Vec<String> {
    let order: Vec<String> = [&FLOOR_1[..], &FLOOR_2, &FLOOR_3, &OUTSIDE].concat().into_iter().map(package).collect();
    let place = |name: &str| order.iter().position(|other| other == name);
    let mut found = Vec::new();
    let ours = |name: &&String| *name == "wolff" || name.starts_with("wolff-") || *name == "xtask";
    for (user, used) in graph.iter().filter(|(name, _)| ours(name)) {
        let Some(at) = place(user) else {
            found.push(format!("{user} is on no floor; name it in xtask/src/floors.rs"));
            continue;
        };
        let below = used.iter().filter(ours).filter(|name| place(name).is_some_and(|other| other >= at));
        found.extend(below.map(|name| format!("{user} uses {name}, which stands below it")));
    }
    found.extend(order.iter().filter(|name| !graph.contains_key(*name)).map(|name| format!("{name} does not exist")));
    for name in FLOOR_1.map(package) {
        let way = NOT_ON_FLOOR_1.iter().filter_map(|other| way(graph, &name, other));
        found.extend(way.map(|way| format!("{name} needs a file format: {way}")));
    }
    for name in PRODUCT.map(package) {
        let way = OUTSIDE.map(package).into_iter().filter_map(|other| way(graph, &name, &other));
        found.extend(way.map(|way| format!("{name} needs what is not in the product: {way}")));
    }
    found
}

/// How a package comes to use another, as `a > b > c`; nothing if it does not.
fn way(graph: &Graph, from: &str, to: &str) -> Option<String> {
    let mut open = vec![vec![from]];
    let mut seen = BTreeSet::from([from]);
    while let Some(way) = open.pop() {
        let last = way.last()?;
        if *last == to {
            return Some(way.join(" > "));
        }
        for next in graph.get(*last).into_iter().flatten() {
            if seen.insert(next) {
                open.push([&way[..], &[next]].concat());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "0wolff-spatial v0.1.0 (crates/spatial)\n1nalgebra v0.35.0\n2num v1.0.0\n\n\
        0wolff-motion v0.1.0 (crates/motion)\n1wolff-opensim v0.1.0 (crates/opensim)\n2roxmltree v0.21.0\n\
        1wolff-spatial v0.1.0 (crates/spatial) (*)\n\n0wolff-fem v0.1.0\n1wolff-files v0.1.0\n2flate2 v1.0.0\n\n\
        0wolff-cli v0.1.0\n1wolff-study v0.1.0\n2wolff-bench v0.1.0\n\n0wolff-walk v0.1.0\n";

    #[test]
    fn the_graph_is_read_from_its_depths() {
        let graph = parse(TREE).unwrap();
        let uses = |name: &str| graph[name].iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(uses("wolff-motion"), ["wolff-opensim", "wolff-spatial"]);
        assert_eq!(uses("wolff-spatial"), ["nalgebra"]);
        assert_eq!(way(&graph, "wolff-fem", "flate2").unwrap(), "wolff-fem > wolff-files > flate2");
        assert!(way(&graph, "wolff-spatial", "roxmltree").is_none());
        assert!(parse("0a v1\n2b v1\n").is_err() && parse("a v1\n").is_err());
    }

    #[test]
    fn every_rule_has_its_offender() {
        let found = offenders(&parse(TREE).unwrap());
        for expected in [
            "wolff-motion uses wolff-opensim, which stands below it",
            "wolff-study uses wolff-bench, which stands below it",
            "wolff-walk is on no floor; name it in xtask/src/floors.rs",
            "wolff-fem needs a file format: wolff-fem > wolff-files > flate2",
            "wolff-cli needs what is not in the product: wolff-cli > wolff-study > wolff-bench",
            "wolff-muscle does not exist",
        ] {
            assert!(found.iter().any(|line| line == expected), "{expected} is not in {found:#?}");
        }
        assert!(!found.iter().any(|line| line.starts_with("wolff-spatial")), "{found:#?}");
    }
}
