use serde_json::Value;
use std::collections::HashSet;
use std::path::PathBuf;
use wolff_study::{VerifyItem, verify};

fn run(only: Option<&str>) -> Vec<VerifyItem> {
    verify(only, &mut |_| {})
}

#[test]
fn scratch_times() {
    for p in ["spheres","slider-crank","human-sagittal","pendulum","double-pendulum","four-bar","andrews","bricard","flyball","heavy-top","free-body","contact-functions","signals"] {
        let t = std::time::Instant::now();
        let items = run(Some(p));
        println!("{p}: {} items, {} failed, {:.2} s", items.len(), items.iter().filter(|i| !i.pass).count(), t.elapsed().as_secs_f64());
        let worst = items.iter().filter(|i| i.pass && i.tolerance > 0.0).map(|i| ((i.value-i.reference).abs()/i.tolerance, &i.id)).max_by(|a,b| a.0.total_cmp(&b.0));
        println!("   worst pass {worst:?}");
        for i in items.iter().filter(|i| !i.pass) { println!("   {} {} {} diff {:e} tol {:e} {}", i.id, i.value, i.reference, i.value-i.reference, i.tolerance, if i.value.is_nan() {&i.source} else {""}); }
    }
}

#[test]
fn scratch_four() {
    for h in ["0.04", "0.03", "0.02", "0.015", "0.01", "0.007", "0.005"] {
         
        let t = std::time::Instant::now();
        println!("h {h}");
        for i in run(Some("four-bar")) { if !i.id.contains("history") && !i.id.contains("initial") { println!("  {} {:e}", i.id, i.value-i.reference); } }
        println!("{:?}", t.elapsed());
    }
}
