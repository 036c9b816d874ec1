//! Bounds on XML before it is parsed.

use std::time::{Duration, Instant};
use wolff_formats::vtk::read_pieces;
use wolff_formats::xml::{Lines, MOST_ATTRIBUTES, check_attributes};
use wolff_formats::{FormatError, osim};

/// An element with many attributes, on the second line of a text.
fn element(name: &str, count: usize, content: &str) -> String {
    let attributes: String = (0..count).map(|i| format!(" a{i}=\"{i}\"")).collect();
    format!("<?xml version=\"1.0\"?>\n<{name}{attributes}>{content}</{name}>")
}

/// Far less than the hours of a quadratic search, far more than a linear one takes on a slow machine.
const SOON: Duration = Duration::from_secs(5);

fn refused_soon<T>(read: impl FnOnce() -> Result<T, FormatError>) {
    let start = Instant::now();
    let Err(error) = read() else { panic!("a million attributes are accepted") };
    let message = error.to_string();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert!(message.contains("line 2") && message.contains("1000000 attributes"), "{message}");
}

#[test]
fn a_million_attributes_are_refused_at_once() {
    let model = element("OpenSimDocument", 1_000_000, "<Model/>");
    refused_soon(|| osim::read(model.as_bytes()));
    let grid = element("VTKFile", 1_000_000, "");
    refused_soon(|| read_pieces(grid.as_bytes(), "UnstructuredGrid", ".vtu", |_| Ok(())));
}

/// Attributes are those of tags, not equal signs in text, comments, quotes and other tags.
#[test]
fn only_attributes_of_one_element_count() {
    let equal_signs = "=".repeat(2 * MOST_ATTRIBUTES);
    for text in [
        format!("<a>{equal_signs}</a>"),
        format!("<!-- {equal_signs} --><a/>"),
        format!("<a><![CDATA[<b {equal_signs}>]]></a>"),
        format!("<a b=\"{equal_signs}>\" c='{equal_signs}'/>"),
        format!("<?pi {equal_signs}?><a/>"),
        "<a b=\"1\"/>".repeat(2 * MOST_ATTRIBUTES),
        element("a", MOST_ATTRIBUTES, ""),
        "<a <b <!-- ".into(),
    ] {
        assert_eq!(check_attributes(&text), Ok(()), "{text}");
    }
    let (line, reason) = check_attributes(&element("a", MOST_ATTRIBUTES + 1, "")).unwrap_err();
    assert!(line == 2 && reason.contains("<a> has 257 attributes"), "{reason}");
}

/// Many unknown elements do not make reading slow: their lines are found without another pass over the text.
#[test]
fn many_unknown_elements_are_listed_soon() {
    let unknown = "<Riddle name=\"x\">1</Riddle>\n".repeat(50_000);
    let text = format!(
        "<OpenSimDocument Version=\"40000\">\n<Model name=\"m\"><ComponentSet><objects>\n{unknown}</objects>\
         </ComponentSet></Model></OpenSimDocument>"
    );
    let start = Instant::now();
    let model = osim::read(text.as_bytes()).unwrap();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!((model.unsupported.len(), model.unsupported[49_999].line), (50_000, 50_002));
}

#[test]
fn lines_are_counted_from_one() {
    let lines = Lines::new("a\nbc\n\nd");
    assert_eq!([0, 1, 2, 4, 5, 6].map(|byte| lines.of(byte)), [1, 1, 2, 2, 3, 4]);
}
