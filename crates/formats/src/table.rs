//! A table of numbers with named columns.

use crate::FormatError;

/// Named columns of equal length; rows are instants when the first column is `time` \[s\].
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    labels: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    /// A table from its labels and rows.
    ///
    /// Refuses a table without columns, a label that is empty or holds a tab or line break (no text
    /// format could tell its end), and a row of another length.
    pub fn new(labels: Vec<String>, rows: Vec<Vec<f64>>) -> Result<Self, FormatError> {
        if labels.is_empty() {
            return Err(FormatError::Table("it has no columns; give at least `time`".into()));
        }
        for (i, label) in labels.iter().enumerate() {
            if label.trim().is_empty() || label.contains(['\t', '\n', '\r']) {
                return Err(FormatError::Table(format!(
                    "label {} is {label:?}; a label needs visible text and no tab or line break",
                    i + 1
                )));
            }
        }
        if let Some((i, row)) = rows.iter().enumerate().find(|(_, r)| r.len() != labels.len()) {
            return Err(FormatError::Table(format!(
                "row {} has {} values for {} columns",
                i + 1,
                row.len(),
                labels.len()
            )));
        }
        Ok(Self { labels, rows })
    }

    /// Column labels.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Rows, each as long as the labels.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The column of that label, if there is one.
    pub fn column(&self, label: &str) -> Option<Vec<f64>> {
        let at = self.labels.iter().position(|l| l == label)?;
        self.rows.iter().map(|row| row.get(at).copied()).collect()
    }
}
