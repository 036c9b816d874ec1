//! Results beside published ones that belong to another specimen or model.

use serde_json::{Map, Value};
use wolff_document::Study;
use wolff_report::outcome::{Cell, RowKind, Table, TableRow};

/// The table of results, published values and differences; none if the study has no published values that apply.
pub(super) fn table(study: &Study, results: &Map<String, Value>) -> Option<Table> {
    let first = study.published.first()?;
    let columns: Vec<String> = first.values.iter().map(|(name, _)| name.clone()).collect();
    let own: Vec<Option<f64>> = columns.iter().map(|name| results.get(name).and_then(Value::as_f64)).collect();
    let cell = |x: Option<f64>| x.map_or(Cell::Empty, Cell::Number);
    let own_cells = own.iter().map(|x| cell(*x)).collect();
    let label = "this run".to_string();
    let mut rows = vec![TableRow { label, kind: RowKind::Own, source: String::new(), cells: own_cells }];
    for published in &study.published {
        let value = |name: &String| published.values.iter().find(|(n, _)| n == name).map(|(_, x)| *x);
        let kind = if published.measured { RowKind::Measured } else { RowKind::Model };
        let given = columns.iter().map(|name| cell(value(name))).collect();
        let percent = |(name, own): (&String, &Option<f64>)| {
            let difference = own.zip(value(name)).map(|(own, other)| 100.0 * (own - other) / other);
            difference.map_or(Cell::Empty, |x| Cell::Text(format!("{x:+.0} %")))
        };
        let differences = columns.iter().zip(&own).map(percent).collect();
        let (label, source) = (published.label.clone(), published.source.clone());
        rows.push(TableRow { label: label.clone(), kind, source, cells: given });
        let label = format!("this run against {label}");
        rows.push(TableRow { label, kind: RowKind::Own, source: String::new(), cells: differences });
    }
    let title = "Beside published values of another specimen; the differences are not judged".into();
    Some(Table { name: "published".into(), title, columns, rows })
}
