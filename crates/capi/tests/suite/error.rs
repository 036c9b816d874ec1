//! Codes and messages.

use wolff_c::error::{guard, with_last_message};
use wolff_c::{CapiError, WolffCode};

fn message() -> String {
    with_last_message(|text| text.to_str().unwrap().to_owned())
}

#[test]
fn panic_becomes_a_code_with_its_message() {
    let code = guard(|| panic!("index {} is out of range", 7));
    assert_eq!(code, WolffCode::Internal);
    assert!(message().contains("index 7 is out of range"), "{}", message());
    assert_eq!(guard(|| panic!("plain")), WolffCode::Internal);
    assert!(message().contains("plain"));
}

#[test]
fn success_keeps_the_last_message() {
    guard(|| Err(CapiError::NullPointer { argument: "q" }));
    assert_eq!(guard(|| Ok(())), WolffCode::Ok);
    assert_eq!(message(), "`q` is NULL; give a valid pointer");
}

#[test]
fn every_thread_has_its_own_message() {
    guard(|| Err(CapiError::NullPointer { argument: "here" }));
    let other = std::thread::spawn(|| {
        let fresh = message();
        guard(|| Err(CapiError::NullPointer { argument: "there" }));
        (fresh, message())
    });
    let (fresh, there) = other.join().unwrap();
    assert!(fresh.is_empty() && there.contains("there") && message().contains("here"));
}

#[test]
fn zero_byte_does_not_cut_the_message() {
    guard(|| Err(CapiError::Missing { what: "a\0b".into(), remedy: "c" }));
    assert_eq!(message(), "a␀b; c");
}
