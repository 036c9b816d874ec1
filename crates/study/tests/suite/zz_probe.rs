#[test]
fn probe() {
    let part = std::env::var("PROBE").unwrap_or_default();
    let start = std::time::Instant::now();
    for name in part.split(',') {
        let t = std::time::Instant::now();
        let items = wolff_study::verify(Some(name), &mut |_| {});
        let worst = items
            .iter()
            .map(|i| (i.value - i.reference).abs() / i.tolerance)
            .fold(0.0f64, |a, b| if b.is_nan() { f64::INFINITY } else { a.max(b) });
        println!(
            "== {name}: {} items, {} failed, worst {worst:.3}, {:.2?}",
            items.len(),
            items.iter().filter(|i| !i.pass).count(),
            t.elapsed()
        );
        if std::env::var("ALL").is_ok() {
            for i in &items {
                println!(
                    "{} {:<45} {:.12e} {:.12e} diff {:.2e} tol {:.2e} ratio {:.3} {}",
                    if i.pass { " " } else { "X" },
                    i.id,
                    i.value,
                    i.reference,
                    (i.value - i.reference).abs(),
                    i.tolerance,
                    (i.value - i.reference).abs() / i.tolerance,
                    if i.value.is_nan() { &i.source } else { "" }
                );
            }
        }
    }
    println!("{:.2?}", start.elapsed());
}
