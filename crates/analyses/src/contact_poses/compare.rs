//! Differences between computed and recorded values.

use wolff_formats::Table;

/// Rows whose times differ by less than this are the same instant \[s\]; records have eight decimals.
const SAME_TIME: f64 = 1e-6;

/// Names of the components of a vector.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The difference of one quantity over all instants that both tables have.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the column, or of a vector without its component.
    pub quantity: String,
    /// Mean of computed minus recorded.
    pub mean: f64,
    /// Root mean square.
    pub rms: f64,
    /// Maximum absolute value.
    pub worst: f64,
    /// Minimum and maximum recorded value.
    pub range: (f64, f64),
    /// Number of instants.
    pub count: usize,
}

impl Difference {
    /// From pairs of difference and recorded value; `None` without pairs.
    fn new(quantity: String, pairs: &[(f64, f64)]) -> Option<Self> {
        let count = pairs.len();
        let sum = |f: &dyn Fn(f64) -> f64| pairs.iter().map(|(d, _)| f(*d)).sum::<f64>();
        let recorded = || pairs.iter().map(|(_, value)| *value);
        // `max` would ignore NaN
        let worst = pairs.iter().map(|(d, _)| d.abs()).fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
        (count > 0).then(|| Difference {
            quantity,
            mean: sum(&|d| d) / count as f64,
            rms: (sum(&|d| d * d) / count as f64).sqrt(),
            worst,
            range: (recorded().fold(f64::INFINITY, f64::min), recorded().fold(f64::NEG_INFINITY, f64::max)),
            count,
        })
    }

    /// Mean difference divided by the largest recorded magnitude; `None` where all recorded values are zero.
    pub fn relative_mean(&self) -> Option<f64> {
        let size = self.range.0.abs().max(self.range.1.abs());
        (size > 0.0).then(|| self.mean / size)
    }
}

/// Compares every column that both tables have, row by row where their times agree.
///
/// Vectors, written as three columns `_x`, `_y`, `_z`, are compared twice: by components, and as a whole: a force or
/// moment by its magnitude, a centre by the distance between both and the distance of the recorded one from the origin.
pub fn compare(computed: &Table, recorded: &Table) -> Vec<Difference> {
    let rows = same_rows(computed, recorded);
    let both: Vec<(&str, usize, usize)> = computed
        .labels()
        .iter()
        .enumerate()
        .skip(1)
        .filter_map(|(i, label)| Some((label.as_str(), i, recorded.labels().iter().position(|l| l == label)?)))
        .collect();
    let values = |i: usize, j: usize| -> Vec<(f64, f64)> {
        rows.iter()
            .map(|(a, b)| (a.get(i).copied().unwrap_or(f64::NAN), b.get(j).copied().unwrap_or(f64::NAN)))
            .collect()
    };
    let column = |label: &str| both.iter().find(|(l, ..)| *l == label).map(|&(_, i, j)| values(i, j));
    let mut out = Vec::new();
    for &(label, i, j) in &both {
        if let Some(stem) = label.strip_suffix("_x")
            && let [Some(x), Some(y), Some(z)] = AXES.map(|axis| column(&format!("{stem}_{axis}")))
        {
            out.extend(Difference::new(stem.into(), &whole(stem, [&x, &y, &z])));
        }
        let pairs: Vec<_> = values(i, j).iter().map(|(a, b)| (a - b, *b)).collect();
        out.extend(Difference::new(label.into(), &pairs));
    }
    out
}

/// Difference and recorded magnitude of a vector at each instant.
fn whole(stem: &str, components: [&[(f64, f64)]; 3]) -> Vec<(f64, f64)> {
    let [x, y, z] = components;
    let norm = |a: f64, b: f64, c: f64| (a * a + b * b + c * c).sqrt();
    let is_place = stem.rsplit('.').next().is_some_and(|last| last.starts_with("center"));
    let each = x.iter().zip(y).zip(z).map(|((x, y), z)| {
        let size = norm(x.1, y.1, z.1);
        let difference = match is_place {
            true => norm(x.0 - x.1, y.0 - y.1, z.0 - z.1),
            false => norm(x.0, y.0, z.0) - size,
        };
        (difference, size)
    });
    each.collect()
}

/// Rows of both tables at the same time; in both, times increase.
fn same_rows<'t>(computed: &'t Table, recorded: &'t Table) -> Vec<(&'t [f64], &'t [f64])> {
    let mut later = recorded.rows().iter().peekable();
    let mut found = Vec::new();
    for row in computed.rows() {
        let time = row.first().copied().unwrap_or(f64::NAN);
        while later.next_if(|r| r.first().is_some_and(|t| *t < time - SAME_TIME)).is_some() {}
        if let Some(other) = later.peek().filter(|r| r.first().is_some_and(|t| (t - time).abs() <= SAME_TIME)) {
            found.push((row.as_slice(), other.as_slice()));
        }
    }
    found
}
