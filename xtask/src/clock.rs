//! Time of a step: wall time, and CPU time of this process and of all programs that it has waited for.

use std::fmt;
use std::time::Instant;

/// CPU time is counted in hundredths of a second in `/proc`.
const TICKS_PER_SECOND: f64 = 100.0;

/// Where a measurement starts.
pub struct Clock {
    start: Instant,
    cpu: Option<f64>,
}

/// Time since then \[s\].
pub struct Spent {
    seconds: f64,
    /// Known where the system has `/proc`.
    cpu: Option<f64>,
}

impl Clock {
    /// From now on.
    pub fn start() -> Clock {
        Clock { start: Instant::now(), cpu: cpu_seconds() }
    }

    /// Until now.
    pub fn spent(&self) -> Spent {
        let cpu = self.cpu.zip(cpu_seconds()).map(|(before, now)| now - before);
        Spent { seconds: self.start.elapsed().as_secs_f64(), cpu }
    }
}

impl Spent {
    /// As a person would say it.
    pub fn duration(&self) -> String {
        match self.seconds {
            s if s < 60.0 => format!("{s:.1} s"),
            s => format!("{} min {} s", (s / 60.0).floor(), (s % 60.0).floor()),
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cpu = self.cpu.map_or("-".into(), |s| format!("{s:.1}"));
        write!(f, "{:9.1}  {cpu:>9}", self.seconds)
    }
}

fn cpu_seconds() -> Option<f64> {
    parse_stat(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The sum of the fields utime, stime, cutime and cstime of `/proc/PID/stat` \[s\].
fn parse_stat(line: &str) -> Option<f64> {
    // the name of the program, in parentheses, may hold anything; the state after it is field 3
    let after_name = line.rsplit_once(')')?.1;
    let ticks: Vec<f64> = after_name.split_whitespace().skip(11).take(4).map_while(|x| x.parse().ok()).collect();
    (ticks.len() == 4).then(|| ticks.iter().sum::<f64>() / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_read_from_proc() {
        let line = "42 (a) name) S 1 42 42 0 -1 4194304 90 80 0 0 150 50 700 100 20 0 1 0 12345 1000 200";
        assert_eq!(parse_stat(line), Some(10.0));
        assert_eq!(parse_stat("42 (name) S 1"), None);
    }

    #[test]
    fn durations_are_short() {
        let spent = |seconds| Spent { seconds, cpu: None };
        assert_eq!([spent(3.25).duration(), spent(75.9).duration()], ["3.2 s", "1 min 15 s"]);
        assert_eq!(spent(1.0).to_string().split_whitespace().collect::<Vec<_>>(), ["1.0", "-"]);
    }
}
