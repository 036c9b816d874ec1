//! The option `--time START:END`.

/// Start and end [s].
#[derive(Clone, Copy, Debug)]
pub struct TimeRange(pub [f64; 2]);

/// Reads `START:END`.
pub fn time_range(text: &str) -> Result<TimeRange, String> {
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    match text.split_once(':').map(|(a, b)| (number(a), number(b))) {
        Some((Some(start), Some(end))) if start <= end => Ok(TimeRange([start, end])),
        Some((Some(start), Some(end))) => {
            Err(format!("the start {start} s is after the end {end} s; write --time {end}:{start}"))
        }
        _ => Err(format!("`{text}` is not START:END in seconds; write for example --time 0.4:1.6")),
    }
}
