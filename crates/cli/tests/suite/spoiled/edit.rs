//! Changes of recordings, tables and models as text.

use std::fs;
use std::path::Path;

/// Replaces the text of a file; the change must change it.
pub fn change(folder: &Path, file: &str, change: impl FnOnce(String) -> String) {
    let path = folder.join(file);
    let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
    let changed = change(text.clone());
    assert_ne!(text, changed, "nothing was changed in {file}");
    fs::write(path, changed).unwrap();
}

/// A marker recording: five lines of header, then rows of cells.
pub struct Trc {
    head: Vec<String>,
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Trc {
    pub fn unit(&mut self, unit: &str) {
        self.head[2] = self.head[2].replace("mm", unit);
    }

    /// Changes every number of positions: frame, marker, point.
    pub fn points(&mut self, change: impl Fn(usize, &str, [f64; 3]) -> Option<[f64; 3]>) {
        for (frame, row) in self.rows.iter_mut().enumerate() {
            for (k, name) in self.names.iter().enumerate() {
                let at = 2 + 3 * k;
                let number = |i: usize| row.get(at + i).and_then(|cell| cell.trim().parse::<f64>().ok());
                let (Some(x), Some(y), Some(z)) = (number(0), number(1), number(2)) else { continue };
                let cells = match change(frame, name, [x, y, z]) {
                    Some(p) => p.map(|x| format!("{x:.6}")),
                    None => [const { String::new() }; 3],
                };
                row[at..at + 3].clone_from_slice(&cells);
            }
        }
    }

    fn text(&self) -> String {
        let names = self.names.iter().map(|name| format!("{name}\t\t\t")).collect::<String>();
        let mut out = format!(
            "{}\n{}\n{}\nFrame#\tTime\t{names}\n{}\n\n",
            self.head[0], self.head[1], self.head[2], self.head[4]
        );
        self.rows.iter().for_each(|row| out += &format!("{}\n", row.join("\t")));
        out
    }
}

/// Changes the markers `walk.trc`.
pub fn trc(folder: &Path, edit: impl FnOnce(&mut Trc)) {
    change(folder, "walk.trc", |text| {
        let mut lines = text.lines();
        let head: Vec<String> = lines.by_ref().take(5).map(String::from).collect();
        let names = head[3].split('\t').skip(2).map(str::trim).filter(|n| !n.is_empty()).map(String::from).collect();
        let rows = lines.filter(|l| !l.trim().is_empty()).map(|l| l.split('\t').map(String::from).collect()).collect();
        let mut trc = Trc { head, names, rows };
        edit(&mut trc);
        trc.text()
    });
}

/// Changes the numbers of a storage file: `edit` gets the label, the row and the labels.
pub fn storage(folder: &Path, file: &str, edit: impl Fn(&str, &[f64], &[&str]) -> Option<f64>) {
    change(folder, file, |text| {
        let (head, body) = text.split_once("endheader\n").unwrap();
        let mut lines = body.lines();
        let labels: Vec<&str> = lines.next().unwrap().split('\t').map(str::trim).collect();
        let mut out = format!("{head}endheader\n{}\n", labels.join("\t"));
        for line in lines.filter(|l| !l.trim().is_empty()) {
            let row: Vec<f64> = line.split_whitespace().map(|x| x.parse().unwrap()).collect();
            let cells = labels.iter().zip(&row).map(|(label, x)| edit(label, &row, &labels).unwrap_or(*x).to_string());
            out += &format!("{}\n", cells.collect::<Vec<_>>().join("\t"));
        }
        out
    });
}

/// The value of a column in a row.
pub fn column(row: &[f64], labels: &[&str], name: &str) -> Option<f64> {
    labels.iter().position(|label| *label == name).map(|i| row[i])
}

/// The content of each element of this name replaced.
pub fn elements(text: &str, name: &str, edit: impl Fn(&str) -> String) -> String {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut parts = text.split(&open);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (content, rest) = part.split_once(&close).unwrap();
        out += &format!("{open}{}{close}{rest}", edit(content));
    }
    out
}
