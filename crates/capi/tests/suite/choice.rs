//! Numbers of enumerations.

use wolff_c::choice::{self, WolffAlong, WolffBody, WolffDistance, WolffReading, WolffRule};
use wolff_c::{CapiError, WolffCode};
use wolff_contact::foundation::{Along, Distance, Reading, Rule, Strain};

#[test]
fn numbers_mean_what_the_header_names() {
    assert_eq!(choice::distance(WolffDistance::Ray as i32).unwrap(), Distance::Ray);
    assert_eq!(choice::along(WolffAlong::MovingNormal as i32).unwrap(), Along::MovingNormal);
    assert_eq!(choice::rule(WolffRule::Centre as i32).unwrap(), Rule::Centre);
    assert_eq!(choice::reading(WolffReading::Uniaxial as i32).unwrap(), Reading::Uniaxial);
    assert_eq!(choice::body(WolffBody::Moving as i32).unwrap(), WolffBody::Moving);
}

#[test]
fn zero_is_the_default_of_the_library() {
    assert_eq!(choice::distance(0).unwrap(), Distance::default());
    assert_eq!(choice::along(0).unwrap(), Along::default());
    assert_eq!(choice::rule(0).unwrap(), Rule::default());
    assert_eq!(choice::strain(0).unwrap(), Strain::default());
    assert_eq!(choice::reading(0).unwrap(), Reading::default());
}

#[test]
fn other_numbers_are_refused_with_those_there_are() {
    let error: CapiError = choice::along(-1).unwrap_err();
    assert_eq!(error.code(), WolffCode::UnknownChoice);
    assert_eq!(error.to_string(), "`along` is -1; it must be one of 0 Midsurface, 1 FixedNormal, 2 MovingNormal");
}
