use crate::published::{strains, with_tables};
use serde_json::json;
use std::fs;
use std::path::Path;
use wolff_report::folder::{Provenance, write_run_folder};
use wolff_report::json::Timing;
use wolff_report::outcome::{
    Comparison, Outcome, Plot, Status, Strip, StripArrow, StripClass, StripFrame, StripSegment, StripView,
};

const HOSTILE: &str = "</title><script>alert('x')</script>\" onload=\"alert(2)";

const TEXT: &str = r#"
study = "walk"
title = "Level walking"
about = "First paragraph.\n\nSecond & last."
[parameters]
speed = { value = 1.4, unit = "m/s", about = "of the belt" }
angle = { value = "90 deg", unit = "rad", about = "at the start" }
law = { value = "hertz", choices = ["hertz", "flores"], about = "contact" }
[integrator]
rtol = 1e-9
"#;

fn strip(title: &str) -> Strip {
    let leg = StripSegment { class: StripClass::Right, points: vec![[0.0, 0.9, 0.1], [0.1, 0.0, 0.1]] };
    let arrow = StripArrow { at: [0.1, 0.0, 0.1], force: [-50.0, 700.0, 0.0] };
    let frame = StripFrame { label: title.into(), segments: vec![leg], arrows: vec![arrow] };
    let views = vec![StripView::Side, StripView::Front];
    Strip { name: "steps".into(), title: title.into(), frames: vec![frame], floor: Some(0.0), views, spacing: 0.0 }
}

fn outcome(word: &str) -> Outcome {
    let mut outcome = with_tables(vec![strains()]);
    outcome.results.insert(format!("peak_n{word}"), json!(812.3456));
    outcome.results.insert("speed_m_s".into(), json!(1.4));
    outcome.results.insert("impacts".into(), json!([{ "t_s": 0.1 }, { "t_s": 0.2 }]));
    let near = Comparison { quantity: word.into(), value: 1.5, reference: 1.0, tolerance: 1.0, source: word.into() };
    outcome.comparisons = vec![near.clone(), Comparison { tolerance: 0.25, ..near }];
    outcome.warnings = vec![format!("beware {word}")];
    outcome.tables[0].title = word.into();
    outcome.tables[0].rows[1].label = word.into();
    outcome.strips = vec![strip(word)];
    outcome.plots = vec![Plot {
        name: "force".into(),
        title: word.into(),
        x_label: word.into(),
        y_label: "force [N]".into(),
        curves: vec![(word.into(), vec![(0.0, 1.0), (1.0, 2.0)])],
        log_y: false,
    }];
    outcome
}

/// The page of a run in a folder of its own.
fn page(test: &str, outcome: &Outcome, text: &str, set: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{test}"));
    let _ = fs::remove_dir_all(&folder);
    let set: Vec<_> = set.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    // timing must not show
    let timing = Timing { cpu_s: test.len() as f64, wall_s: 7.0, simulated_s: 2.0, parts_cpu_s: Vec::new() };
    write_run_folder(&folder, outcome, &Provenance::new("somewhere/walk.toml", text, &set), &timing).unwrap();
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    // every link leads to a file of the folder or to a part of the page
    for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let there = match link.strip_prefix('#') {
            Some(id) => page.contains(&format!("id=\"{id}\"")),
            None => folder.join(link).is_file(),
        };
        assert!(there, "{link}");
    }
    fs::remove_dir_all(&folder).unwrap();
    page
}

/// The page without its own style and script.
fn content(page: &str) -> String {
    let (before, rest) = page.split_once("<style>\n:root").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let (body, after) = rest.rsplit_once("<script>").unwrap();
    assert_eq!(after.matches("</script>").count(), 1);
    format!("{before}{body}")
}

#[test]
fn the_page_tells_the_whole_run() {
    let page = page("whole", &outcome("x"), TEXT, &[]);
    for part in [
        "<h1>Level walking</h1>",
        "<p>First paragraph.</p>\n<p>Second &amp; last.</p>",
        "<th scope=\"row\">peak_nx</th><td class=\"n\">812.346</td>",
        "<th scope=\"row\">speed_m_s</th><td class=\"n\">1.4</td><td>m/s</td>",
        "1 of 2 comparisons within tolerance",
        "✗ FAIL",
        "<li>beware x</li>",
        "<tr class=\"own\"><th scope=\"row\">this run</th>",
        "<td class=\"n\">-11006</td>",
        "<th scope=\"row\">speed</th><td class=\"n\">1.4</td><td>m/s</td>",
        "<th scope=\"row\">angle</th><td class=\"n\">90 deg</td><td></td>",
        "<th scope=\"row\">integrator.rtol</th><td>1e-9</td>",
        "<th scope=\"row\">walk.toml</th>",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("somewhere"), "no paths of the machine");
    assert_eq!(page.matches("<svg ").count(), 2);
    assert_eq!(page.matches("<svg aria-label=").count(), 2);
    assert_eq!(page.matches("<caption>").count(), page.matches("<table>").count());
    // warnings stand before every section
    assert!(page.find("beware").unwrap() < page.find("<main>").unwrap());
    for file in ["force.svg", "steps.svg", "strain.csv", "summary.json", "provenance.json", "report.html"] {
        assert!(page.contains(&format!("<li class=\"file\"><a href=\"{file}\">")), "{file}");
    }
}

#[test]
fn what_was_changed_is_marked_beside_what_it_was() {
    let set = [("speed", "50 cm/s"), ("integrator.rtol", "1e-6"), ("output.interval", "0.01")];
    let page = page("changed", &outcome("x"), TEXT, &set);
    let row = |cells: &str| format!("<tr class=\"changed\"><th scope=\"row\">{cells}</td>");
    for cells in [
        "speed</th><td class=\"n\">50 cm/s</td><td></td><td>changed from 1.4 m/s</td><td>of the belt",
        "integrator.rtol</th><td>1e-6</td><td>changed from 1e-9",
        "output.interval</th><td>0.01</td><td>added",
    ] {
        assert!(page.contains(&row(cells)), "{cells}");
    }
    let same = self::page("same", &outcome("x"), TEXT, &[("speed", "1.40")]);
    assert!(!same.contains("class=\"changed\""), "the value of the file in other digits is no change");
}

#[test]
fn hostile_text_stays_text() {
    let text = TEXT.replace("Level walking", &HOSTILE.replace('"', "\\\"")).replace("of the belt", "<img src=x>");
    let page = page("hostile", &outcome(HOSTILE), &text, &[("law", HOSTILE)]);
    let content = content(&page);
    for tag in ["<script", "<img", "onload=\"", "<title></title>"] {
        assert!(!content.contains(tag), "{tag}");
    }
    assert!(content.contains("<h1>&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)"));
    // attributes are closed where they were opened
    for tag in content.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
}

#[test]
fn the_page_asks_for_nothing_and_runs_only_its_own_script() {
    let page = page("alone", &outcome("x"), TEXT, &[]);
    assert!(page.contains("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"));
    let content = content(&page).replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "<link", "@import", "url("] {
        assert!(!content.contains(outside), "{outside}");
    }
    assert!(page.contains("documentElement.dataset.ready = \"true\";"));
}

#[test]
fn the_same_run_gives_the_same_page_however_long_it_took() {
    let outcome = outcome("x");
    assert_eq!(page("once", &outcome, TEXT, &[]), page("once more", &outcome, TEXT, &[]));
}

#[test]
fn a_run_with_nothing_to_show_still_has_a_page() {
    let mut outcome = with_tables(Vec::new());
    outcome.status = Status::Partial;
    let page = page("empty", &outcome, "", &[]);
    assert!(page.contains("<h1>test</h1>") && page.contains("class=\"bad\">partial"));
    assert!(!page.contains("id=\"results\"") && !page.contains("<aside"));
}
