//! Temporary
use std::path::Path;
fn peak(set: &[(&str, &str)]) -> serde_json::Map<String, serde_json::Value> {
    let text = wolff_study::builtin("shank-ways").unwrap();
    let set: Vec<(String, String)> = set.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
    let start = std::time::Instant::now();
    let out = wolff_study::run("shank-ways", text, Path::new("."), &set, &mut |_| {}).unwrap_or_else(|e| panic!("{e}"));
    println!("{set:?} {:.1}s {:?} {:?}", start.elapsed().as_secs_f64(), out.results, out.warnings);
    out.results
}
#[test]
fn explore() {
    for (pulse, duration) in [("20 ms", "25 ms"), ("2 ms", "5 ms"), ("1 ms", "4 ms")] {
        for way in ["rigid", "quasi-static", "segments", "floating-frame", "elastodynamic"] {
            peak(&[("way", way), ("pulse", pulse), ("duration", duration), ("rows", "250")]);
        }
    }
    for n in ["4", "8", "16", "24"] {
        peak(&[("way", "segments"), ("segments", n)]);
    }
}
