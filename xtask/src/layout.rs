//! Whether anything of a page is cut: on a screen, on a phone, on paper.
//!
//! A copy of the page gets a script of its own in place of the policy that forbids others, and is loaded in frames of
//! the widths to be looked at, since browsers have no windows as narrow as a phone. Each copy reports elements that are
//! wider than the page and cells whose text is wider than the cell. For paper, the rules of printed pages apply to a
//! frame as wide as a sheet.

use std::fs;
use std::path::{Path, PathBuf};

/// Names of the frames, their widths \[px\], and whether the rules of printed pages apply: a sheet of A4 without
/// margins of 14 mm is 688 px wide.
const FRAMES: [(&str, u32, bool); 3] = [("screen", 1400, false), ("phone", 390, false), ("paper", 688, true)];

/// The script of a copy: what is wider than its page or its cell, at most twenty of them.
const PROBE: &str = r#"<script>
addEventListener("load", () => {
  const wide = [], page = document.documentElement, room = page.clientWidth;
  const say = (what, e) => wide.push(what + " " + e.tagName.toLowerCase() + " " + e.textContent.trim().slice(0, 40));
  if (page.scrollWidth > room) wide.push("page of " + page.scrollWidth + " px");
  for (const e of document.body.querySelectorAll("*")) {
    const box = e.getBoundingClientRect();
    if (box.width > 0 && (box.right > room + 1 || box.left < -1) && !e.closest("svg")) say("outside", e);
    if (e.matches("td, th, li, .card, .card span") && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline")
      say("cut", e);
  }
  for (const text of document.querySelectorAll("svg text")) {
    const box = text.getBoundingClientRect(), sheet = text.ownerSVGElement.getBoundingClientRect();
    if (box.width > 0 && (box.right > sheet.right + 1 || box.left < sheet.left - 1)) say("cut in figure", text);
  }
  parent.postMessage({ name: NAME, wide: wide.slice(0, 20), count: document.querySelectorAll("td").length }, "*");
});
</script>"#;

/// The page that holds the frames and writes down what they report.
const HOLDER: &str = r#"<!DOCTYPE html><html><body><pre id="report"></pre><script>
addEventListener("message", e => {
  const line = e.data.name + " saw " + e.data.count + " cells\n" + e.data.wide.map(w => e.data.name + ": " + w + "\n").join("");
  document.getElementById("report").textContent += line;
});
</script>FRAMES</body></html>"#;

/// Writes the copies and the page that holds them; returns that page.
pub fn write(page: &str, place: &Path) -> Result<PathBuf, String> {
    let put = |name: &str, text: &str| {
        let path = place.join(name);
        fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok::<_, String>(path)
    };
    let mut frames = String::new();
    for (name, width, printed) in FRAMES {
        put(&format!("copy-{name}.html"), &copy(page, name, printed)?)?;
        frames +=
            &format!("<iframe src=\"copy-{name}.html\" style=\"width:{width}px;height:900px;border:0\"></iframe>");
    }
    put("frames.html", &HOLDER.replace("FRAMES", &frames))
}

/// The page without its policy and with the probe; printed rules in place of those for screens.
fn copy(page: &str, name: &str, printed: bool) -> Result<String, String> {
    let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").ok_or("there is no policy")?;
    let (_, after) = rest.split_once('>').ok_or("the policy is not closed")?;
    let probe = PROBE.replace("NAME", &format!("\"{name}\""));
    let copy = format!("{before}{after}").replacen("</body>", &format!("{probe}</body>"), 1);
    Ok(if printed {
        copy.replace("@media print", "@media all").replace("@media screen", "@media speech")
    } else {
        copy
    })
}

/// What the frames reported, in the document of the page that holds them.
pub fn judge(document: &str) -> Result<(), String> {
    let report = document.split_once("<pre id=\"report\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let report = report.map_or("", |(report, _)| report);
    let mut wrong: Vec<String> = report.lines().filter(|line| line.contains(": ")).map(String::from).collect();
    for (name, ..) in FRAMES {
        let seen = report.lines().find_map(|line| line.strip_prefix(&format!("{name} saw "))?.strip_suffix(" cells"));
        if seen.and_then(|count| count.parse::<usize>().ok()).is_none_or(|count| count == 0) {
            wrong.push(format!("the frame `{name}` did not report any cells"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::{copy, judge};

    #[test]
    fn the_copy_has_the_probe_instead_of_the_policy() {
        let page =
            "<meta http-equiv=\"Content-Security-Policy\" content=\"x\"><style>@media print { }</style><body></body>";
        let copy = copy(page, "paper", true).unwrap();
        assert!(!copy.contains("Policy") && copy.contains("@media all") && copy.contains("name: \"paper\""), "{copy}");
    }

    #[test]
    fn what_is_cut_is_told_and_silence_is_no_success() {
        let good = "<pre id=\"report\">screen saw 3 cells\nphone saw 3 cells\npaper saw 3 cells\n</pre>";
        assert_eq!(judge(good), Ok(()));
        let cut = good.replace("phone saw 3 cells", "phone saw 3 cells\nphone: cut td 12");
        assert_eq!(judge(&cut), Err("phone: cut td 12".into()));
        assert!(judge("<pre id=\"report\"></pre>").unwrap_err().contains("`screen`"));
    }
}
