//! Lines that a rule forbids, and the files that are allowed to have them, each with its reason.

use crate::source::Source;

/// A rule about single lines of code.
pub struct Rule {
    /// Crates to which it does not apply.
    pub exempt: &'static [&'static str],
    /// Whether a line is against the rule.
    pub forbids: fn(&str) -> bool,
    /// Remedy for a forbidden line.
    pub remedy: &'static str,
}

impl Rule {
    /// Forbidden lines outside of the allowed files, and allowed files that need not be.
    pub fn offenders(&self, sources: &[Source], allowed: &[(&str, &str)]) -> Vec<String> {
        let mut found = Vec::new();
        let mut needed = Vec::new();
        for source in sources.iter().filter(|source| !self.exempt.contains(&source.package.as_str())) {
            let is_allowed = allowed.iter().any(|(path, _)| *path == source.path);
            for (index, line) in source.text.lines().enumerate().filter(|(_, line)| (self.forbids)(line)) {
                if is_allowed {
                    needed.push(source.path.as_str());
                } else {
                    found.push(format!("{}:{}: {} ({})", source.path, index + 1, line.trim(), self.remedy));
                }
            }
        }
        let idle = allowed.iter().filter(|(path, _)| !needed.contains(path));
        found.extend(idle.map(|(path, why)| format!("{path} needs no exception; take it from the list ({why})")));
        found
    }
}
