use crate::published::{strains, with_tables};
use serde_json::json;
use std::fs;
use std::path::Path;
use wolff_report::folder::{Provenance, write_run_folder};
use wolff_report::json::Timing;
use wolff_report::outcome::{
    Band, Cell, Comparison, Finding, Headline, Limit, Outcome, Plot, RowKind, RunKind, Status, Strip, StripArrow,
    StripClass, StripFrame, StripSegment, StripView, Table, TableRow, Verdict,
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
        bands: Vec::new(),
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
        "<th scope=\"row\">peak nx <code>peak_nx</code></th><td class=\"n\">812.3</td>",
        "<th scope=\"row\">speed <code>speed_m_s</code></th><td class=\"n\">1.4</td><td>m/s</td>",
        "1 of 2 comparisons within tolerance",
        "✗ FAIL",
        "<li>beware x</li>",
        "<tr class=\"own\"><th scope=\"row\">this run [1]</th>",
        "<td class=\"n\" data-label=\"min [µε]\">-11006</td>",
        "<li>[2] source of gauge</li>",
        "<th scope=\"row\">speed</th><td class=\"n\" data-label=\"value\">1.4</td><td data-label=\"unit\">m/s</td>",
        "<th scope=\"row\">angle</th><td class=\"n\" data-label=\"value\">90 deg</td><td data-label=\"unit\"></td>",
        "<th scope=\"row\">integrator.rtol</th><td>1e-9</td>",
        "<th scope=\"row\">walk.toml</th>",
        env!("CARGO_PKG_VERSION"),
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("somewhere"), "no paths of the machine");
    assert_eq!(page.matches("<svg ").count(), 2);
    assert_eq!(page.matches("<svg aria-label=").count(), 2);
    assert_eq!(page.matches("<caption>").count(), page.matches("<table").count());
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
        "speed</th><td class=\"n\" data-label=\"value\">50 cm/s</td><td data-label=\"unit\"></td>\
         <td data-label=\"change\">changed from 1.4 m/s</td><td data-label=\"meaning\">of the belt",
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
    assert!(page.contains("<h1>test</h1>") && page.contains("class=\"bad\"><strong>partial</strong>"));
    assert!(!page.contains("id=\"results\"") && !page.contains("<aside"));
}

fn headline(quantity: &str, value: f64, range: Option<[f64; 2]>, verdict: Verdict) -> Headline {
    Headline { quantity: quantity.into(), value, unit: "BW".into(), range, source: "in vivo".into(), verdict }
}

/// The first screen: status with its reason, numbers with verdicts and ranges, before warnings and every section.
#[test]
fn the_first_screen_has_the_verdict_and_the_numbers() {
    let mut outcome = outcome("x");
    let limit = Limit::at_most(20.0, 100.0).because("20 mm: OpenSim's authors");
    outcome.judgement.judge("marker error RMS", "mm", 31.2, &limit, "check the names");
    outcome.judgement.judge("marker error maximum", "mm", 35.0, &Limit::at_most(40.0, 200.0), "check the names");
    outcome.judgement.found([Finding::note("the recording has 3 gaps", "")]);
    outcome.headline = vec![
        headline("knee contact force", 3.37, Some([2.0, 3.0]), Verdict::Doubtful),
        headline("hip contact force", 2.4, Some([2.0, 3.0]), Verdict::Ok),
        headline("not drawn", f64::NAN, Some([1.0, f64::INFINITY]), Verdict::Failed),
    ];
    let page = page("first", &outcome, TEXT, &[]);
    let (head, main) = page.split_once("<main>").unwrap();
    for part in [
        "class=\"doubt\"><strong>doubtful</strong>: marker error RMS is 31.2 mm, expected at most 20 mm",
        "<li class=\"card doubt\"><span class=\"what\">knee contact force</span><span class=\"value\">3.37 <small>BW</small>",
        "<span class=\"beside\">2 to 3, in vivo</span><span class=\"mark\">? doubtful</span>",
        "<li class=\"card pass\">",
        "not finite",
    ] {
        assert!(head.contains(part), "{part} is not in {head}");
    }
    assert_eq!(head.matches("class=\"bar\"").count(), 2, "a range with an infinity has no bar");
    assert!(!head.contains("NaN") && !head.contains("inf%"));
    // the value beyond the range is marked to the right of its end
    let bar = head.split_once("<i style=\"left:").unwrap().1;
    let numbers: Vec<f64> = bar.split(['%', ':']).filter_map(|word| word.parse().ok()).take(3).collect();
    assert!(numbers[2] > numbers[0] + numbers[1] && numbers[2] < 100.0, "{numbers:?}");
    let order =
        ["id=\"verdicts\"", "id=\"method\"", "id=\"figures\"", "id=\"literature\"", "id=\"results\"", "id=\"notes\""];
    let places: Vec<_> = order.iter().map(|id| main.find(id).unwrap_or_else(|| panic!("{id}"))).collect();
    assert!(places.is_sorted(), "{places:?}");
    for part in
        ["at most 20</td>", "✓ ok", "<li>[1] 20 mm: OpenSim&#39;s authors</li>", "<li>the recording has 3 gaps</li>"]
    {
        assert!(main.contains(part), "{part}");
    }
}

/// An outcome that names no headline shows results with published values, its comparisons, then results that have a unit.
#[test]
fn numbers_for_the_first_screen_are_chosen_where_none_are_named() {
    let mut outcome = outcome("x");
    outcome.comparisons.iter_mut().for_each(|c| c.quantity = "pressure_mpa".into());
    let page = page("chosen", &outcome, TEXT, &[]);
    let cards: Vec<&str> = page.split("class=\"what\">").skip(1).filter_map(|s| s.split('<').next()).collect();
    assert_eq!(cards, ["max", "pressure", "speed", "peak nx"], "each quantity once, those with a unit first");
    assert!(page.contains("published: 395 µε"));
    assert!(page.contains("reference 1 MPa"));
}

/// What ran is told, not what the study file says of another motion.
#[test]
fn the_method_of_the_run_replaces_the_text_of_the_study_file() {
    let mut outcome = outcome("x");
    outcome.method = vec!["The recorded trial <walk.trc> drove it.".into(), "Second.".into()];
    let page = page("method", &outcome, TEXT, &[]);
    assert!(page.contains("<p>The recorded trial &lt;walk.trc&gt; drove it.</p>\n<p>Second.</p>"));
    assert!(!page.contains("First paragraph"));
}

/// A command has options instead of a study file.
#[test]
fn the_page_of_a_command_speaks_of_options() {
    let mut outcome = outcome("x");
    (outcome.kind, outcome.study) = (RunKind::Command, "ik".into());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-command");
    let _ = fs::remove_dir_all(&folder);
    let options = [("--markers".to_string(), "walk.trc".to_string()), ("--time".to_string(), "0.4:1.6".to_string())];
    let timing = Timing { cpu_s: 0.0, wall_s: 0.0, simulated_s: 0.0, parts_cpu_s: Vec::new() };
    write_run_folder(&folder, &outcome, &Provenance::of_command("ik", &options), &timing).unwrap();
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    for part in [
        "<p class=\"study\">wolff ik</p>",
        "<h2>Options</h2>",
        "<th scope=\"row\">--time</th><td>0.4:1.6</td>",
        "<h1>ik</h1>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for wrong in ["study file", "s simulated", "give this page again", "Parameters and settings"] {
        assert!(!page.contains(wrong), "{wrong}");
    }
}

/// A long text in a column of numbers may wrap, so that it does not push values out of sight; no column is left out.
#[test]
fn long_cells_wrap_and_wide_lists_are_continued() {
    let mut outcome = with_tables(Vec::new());
    let long = "soleus 0.91 (delay 40 ms), gastrocnemius 0.88 (delay 35 ms), tibialis anterior 0.75 (delay 20 ms)";
    outcome.results.insert("emg_correlation".into(), json!(long));
    let wide: serde_json::Map<_, _> = (0..20).map(|i| (format!("part_{i}_n"), json!(i))).collect();
    outcome.results.insert("loads".into(), json!([wide]));
    let page = page("long", &outcome, TEXT, &[]);
    assert!(page.contains(&format!("<td class=\"long\">{long}</td>")));
    assert!(page.contains("<caption>loads</caption>") && page.contains("<caption>loads, continued</caption>"));
    for i in 0..20 {
        assert!(page.contains(&format!("data-label=\"part {i} [N]\">{i}</td>")), "{i}");
    }
    for table in page.split("<table").skip(1) {
        assert!(table.split("</thead>").next().unwrap().matches("<th ").count() <= 9);
    }
}

/// Eight columns with long words are wider than a sheet of paper: the table is continued below, and short ones are not.
#[test]
fn a_table_wider_than_paper_is_continued() {
    let table = |title: &str| Table {
        name: "published".into(),
        title: "Beside others".into(),
        columns: (0..6).map(|_| title.to_string()).collect(),
        rows: vec![TableRow {
            label: "this run".into(),
            kind: RowKind::Own,
            source: String::new(),
            cells: vec![Cell::Number(1.5); 6],
        }],
    };
    let parts = |title: &str, name: &str| {
        let page = page(name, &with_tables(vec![table(title)]), TEXT, &[]);
        assert_eq!(page.matches(&format!("data-label=\"{title}\"")).count(), 6, "no column is lost");
        page.matches("<caption>Beside others").count()
    };
    assert_eq!(parts("force [N]", "narrow"), 1);
    assert_eq!(parts("tibiofemoralcontact [N]", "wide"), 2);
}

/// Curves have names in words, bands the colour of their curve, and control characters are seen.
#[test]
fn figures_have_words_and_bands() {
    let mut outcome = with_tables(Vec::new());
    let band = |label: &str, of: Option<&str>| Band {
        label: label.into(),
        points: vec![(0.0, 0.5, 1.5), (1.0, 1.5, 2.5)],
        of_curve: of.map(Into::into),
    };
    outcome.plots = vec![Plot {
        name: "force".into(),
        title: "Force \u{1b}[31m".into(),
        x_label: "gait cycle [%]".into(),
        y_label: "force [N]".into(),
        curves: vec![("medial_force_n".into(), vec![(0.0, 1.0), (1.0, 2.0)]), ("peak_mpa".into(), vec![(0.0, 1.0)])],
        log_y: false,
        bands: vec![band("healthy persons", None), band("", Some("medial_force_n"))],
    }];
    let page = page("bands", &outcome, TEXT, &[]);
    for part in [
        ">medial force</text>",
        ">peak [MPa]</text>",
        ">healthy persons</text>",
        "<g data-band=\"b0\">",
        "<g data-band=\"b1\" data-of=\"0\">",
        "fill=\"#0072b2\" fill-opacity",
        "Force ␛[31m",
        "class=\"note hint\" hidden",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains('\u{1b}'));
}
