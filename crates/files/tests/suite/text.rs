use wolff_files::text::{in_place, on_one_line, printable};

#[test]
fn control_characters_are_shown() {
    assert_eq!(printable("plain ä µ ±\tx\n"), "plain ä µ ±\tx\n");
    assert_eq!(printable("\u{1b}[2Jgone\r\u{7}"), "\\u{1b}[2Jgone\\u{d}\\u{7}".replace("\\u{d}", "\\r"));
    // the one-byte form of an escape sequence, and a change of the direction of text
    assert_eq!(printable("\u{9b}31m \u{202e}abc"), "\\u{9b}31m \\u{202e}abc");
    assert_eq!(on_one_line("two\nlines\tand a tab"), "two\\nlines\\tand a tab");
    assert!(!on_one_line("\u{2028}").contains('\u{2028}'));
}

#[test]
fn positions_stay_where_control_characters_are_replaced() {
    let text = "a\u{1b}b\u{9b}c\u{202e}d\r\ne\rf";
    let shown = in_place(text);
    assert_eq!(shown, "a?b??c???d\r\ne?f");
    assert_eq!(shown.len(), text.len());
}
