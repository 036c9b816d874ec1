//! The moments that muscles and actuators cannot produce.

use crate::sharing::{Sharing, SharingProblem};

/// Part of the largest shortfall, over the size of its row, below which a row does not lack force (chosen here).
const NOTICED: f64 = 0.02;
/// Part of a row's moment below which it is produced (chosen here: far below the uncertainty of moments).
const PRODUCED: f64 = 1e-3;
/// Moment or force below which a row needs nothing \[N m or N\] (chosen here).
const NOTHING: f64 = 1e-6;
/// Force of a slack at a control of one, relative to the moment of its row: slack costs far more than muscles.
const SLACK: f64 = 1e-2;
/// Number of problems in which slacks that are hardly used become more expensive, so that few rows remain.
const ROUNDS: usize = 4;

/// A row of a [`SharingProblem`] that lacks force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The row.
    pub row: usize,
    /// Missing moment or force.
    pub amount: f64,
    /// Whether no column acts on the row.
    pub unactuated: bool,
}

/// The rows that lack force in a problem without solution.
///
/// Rows on which no muscle and no actuator acts lack all of their moment; where there are such rows, only they are
/// reported: other rows fail because of them, or remain for the next attempt. Otherwise each row gets a slack, an
/// actuator that costs far more than muscles do, in proportion to the row's moment; the least squares of slack are
/// reweighted by the inverse of the slack found, so that few rows carry the shortfall.
/// Source of the reweighting: Chartrand and Yin, ICASSP 2008, 3869-3872.
pub fn shortfalls(problem: &SharingProblem) -> Vec<Shortfall> {
    let rows = problem.b.len();
    let strength = |row: usize| problem.A.row(row).iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    let unactuated: Vec<Shortfall> = (0..rows)
        .filter(|&row| problem.b[row].abs() > NOTHING && strength(row) <= 1e-12 * problem.b[row].abs())
        .map(|row| Shortfall { row, amount: problem.b[row].abs(), unactuated: true })
        .collect();
    if !unactuated.is_empty() {
        return sorted(unactuated);
    }
    let size: Vec<f64> = (0..rows).map(|row| strength(row).max(problem.b[row].abs()).max(NOTHING)).collect();
    let mut weight = vec![1.0; rows];
    let mut slack = vec![0.0; rows];
    for _ in 0..ROUNDS {
        slack = with_slacks(problem, &size, &weight);
        let most = slack.iter().zip(&size).map(|(s, z)| s.abs() / z).fold(0.0, f64::max);
        for ((w, s), z) in weight.iter_mut().zip(&slack).zip(&size) {
            *w = ((s.abs() / z) / most.max(f64::MIN_POSITIVE)).max(1e-3).sqrt();
        }
    }
    let most = slack.iter().zip(&size).map(|(s, z)| s.abs() / z).fold(0.0, f64::max);
    let lacks = |row: &usize| {
        slack[*row].abs() / size[*row] > NOTICED * most && slack[*row].abs() > PRODUCED * problem.b[*row].abs()
    };
    sorted((0..rows).filter(lacks).map(|row| Shortfall { row, amount: slack[row].abs(), unactuated: false }).collect())
}

fn sorted(mut all: Vec<Shortfall>) -> Vec<Shortfall> {
    all.sort_by(|a, b| b.amount.total_cmp(&a.amount));
    all
}

/// Slack of each row in the least squares of controls and weighted slacks.
fn with_slacks(problem: &SharingProblem, size: &[f64], weight: &[f64]) -> Vec<f64> {
    let (rows, columns) = problem.A.shape();
    let mut extended = problem.clone();
    extended.A = problem.A.clone().resize_horizontally(columns + rows, 0.0);
    for row in 0..rows {
        extended.A[(row, columns + row)] = SLACK * size[row] * weight[row];
    }
    extended.lower.resize(columns + rows, f64::NEG_INFINITY);
    extended.upper.resize(columns + rows, f64::INFINITY);
    let Ok(mut sharing) = Sharing::new(rows, columns + rows, 2.0) else { return vec![0.0; rows] };
    sharing.solve(&extended);
    (0..rows).map(|row| sharing.controls()[columns + row] * extended.A[(row, columns + row)]).collect()
}
