use serde_json::json;
use wolff_report::json::{Timing, report, warnings};
use wolff_report::outcome::{Cell, Outcome, RowKind, Table, TableRow};

/// Principal strains, with a row that ends early and one in words.
pub fn strains() -> Table {
    let row = |label: &str, kind, cells: Vec<Cell>| TableRow {
        label: label.into(),
        kind,
        source: format!("source of {label}"),
        cells,
    };
    Table {
        name: "strain".into(),
        title: "Strain at the tibia".into(),
        columns: vec!["max [µε]".into(), "min [µε]".into()],
        rows: vec![
            row("this run", RowKind::Own, vec![Cell::Number(321.4567), Cell::Number(-11006.25)]),
            row("gauge", RowKind::Measured, vec![Cell::Number(395.0)]),
            row("model", RowKind::Model, vec![Cell::Text("505 mean, 989 peak".into()), Cell::Empty]),
        ],
    }
}

pub fn with_tables(tables: Vec<Table>) -> Outcome {
    Outcome { study: "test".into(), tables, simulated_s: 0.0, ..Outcome::default() }
}

#[test]
fn rows_are_read_with_four_digits_and_their_source() {
    let layout = strains().layout();
    let titles: Vec<_> = layout.header.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["from", "kind", "max [µε]", "min [µε]"]);
    assert!(layout.header[2].1 && !layout.header[1].1);
    let (kind, cells) = &layout.lines[0];
    assert_eq!(*kind, Some(RowKind::Own));
    assert_eq!(cells, &["this run [1]", "own", "321.5", "-11006"]);
    assert_eq!(layout.notes, ["[1] source of this run", "[2] source of gauge", "[3] source of model"]);
    assert_eq!(layout.lines[1].1[3], "–");
    assert_eq!(layout.lines[2].1[2], "505 mean, 989 peak");
}

#[test]
fn a_table_with_many_columns_is_turned_and_keeps_its_sources() {
    let mut table = strains();
    table.columns = (1..=8).map(|i| format!("site {i}")).collect();
    let layout = table.layout();
    assert_eq!(layout.lines.len(), 8);
    assert!(layout.lines.iter().all(|(kind, cells)| kind.is_none() && cells.len() == layout.header.len()));
    assert_eq!(layout.header[1].0, "this run (own) [1]");
    assert_eq!(layout.lines[0].1, ["site 1", "321.5", "395", "505 mean, 989 peak"]);
    assert_eq!(layout.notes[1], "[2] source of gauge");
}

/// Eight rows from one thesis name it once.
#[test]
fn a_repeated_source_is_one_note() {
    let mut table = strains();
    table.columns[0] = "max [microstrain/s]".into();
    table.rows[0].source = "this run".into();
    table.rows[1].source = "a thesis".into();
    table.rows[2].source = "a thesis".into();
    let layout = table.layout();
    assert_eq!(layout.notes, ["[1] a thesis"]);
    let labels: Vec<_> = layout.lines.iter().map(|(_, cells)| cells[0].as_str()).collect();
    assert_eq!(labels, ["this run", "gauge [1]", "model [1]"]);
    assert_eq!(layout.header[2].0, "max [µε/s]");
}

#[test]
fn files_have_every_digit() {
    let records = strains().records();
    assert_eq!(records[0], ["label", "kind", "max [µε]", "min [µε]", "source"]);
    assert_eq!(records[1], ["this run", "own", "321.4567", "-11006.25", "source of this run"]);
    assert_eq!(records[2][3], "");
}

#[test]
fn json_has_cells_as_numbers_texts_and_nulls_and_names_what_is_not_finite() {
    let mut table = strains();
    table.rows[1].cells[0] = Cell::Number(f64::NAN);
    let outcome = with_tables(vec![table]);
    let report = report(&outcome, &Timing { cpu_s: 0.0, wall_s: 0.0, simulated_s: 0.0, parts_cpu_s: Vec::new() });
    let rows = &report["tables"][0]["rows"];
    assert_eq!(rows[0]["kind"], "own");
    assert_eq!(rows[0]["cells"], json!([321.4567, -11006.25]));
    assert_eq!(rows[2]["cells"], json!(["505 mean, 989 peak", null]));
    let named = warnings(&outcome);
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(
        named[0].contains("`strain`") && named[0].contains("`gauge`") && named[0].contains("`max [µε]`"),
        "{named:?}"
    );
}
