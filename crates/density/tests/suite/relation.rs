use wolff_density::{Checked, DensityKind, RELATIONS, Relation};

/// Values worked out by hand from the formulas in the publications' words.
#[test]
fn moduli_of_named_relations() {
    for (name, rho, expected) in [
        ("morgan-2003-pooled", 0.3, 985.2),
        ("morgan-2003-femoral-neck", 0.5, 2438.6),
        ("keller-1994", 1.0, 10500.0),
        ("carter-hayes-1977", 1.0, 2875.0),
        ("keyak-1998", 0.2, 982.8),
        ("keyak-1998", 0.4, 2591.8),
        ("keyak-1998", 1.0, 10200.0),
        ("snyder-schneider-1991", 1.9, 18042.0),
        ("rho-1995-cortical-axial", 1.9, 20458.0),
        ("wirtz-2000-axial", 0.5, 610.9),
        ("wirtz-2000-axial", 1.9, 15006.0),
    ] {
        let found = Relation::named(name).unwrap().modulus(rho);
        assert!((found / expected - 1.0).abs() < 1e-3, "{name} at {rho}: {found}, expected {expected}");
    }
}

/// All relations that hold for cortical bone give 9 to 25 GPa for it; those for trabecular bone 0.05 to 3 GPa.
#[test]
fn relations_are_of_the_right_size() {
    for published in RELATIONS {
        let relation = Relation::named(published.name).unwrap();
        let ash = if relation.density == DensityKind::Ash { 0.6 } else { 1.0 };
        if relation.range[1] >= 1.2 * ash {
            let cortical = relation.modulus(1.9 * ash);
            assert!((9e3..26e3).contains(&cortical), "{}: {cortical}", published.name);
        }
        if relation.range[0] <= 0.3 * ash {
            let trabecular = relation.modulus(0.3 * ash);
            assert!((50.0..3e3).contains(&trabecular), "{}: {trabecular}", published.name);
        }
    }
}

#[test]
fn remarks_tell_what_was_not_confirmed() {
    for published in RELATIONS {
        let remark = Relation::named(published.name).unwrap().remark();
        assert_eq!(remark.contains("not confirmed"), published.checked < Checked::TwoSources, "{remark}");
        assert!(remark.contains(published.citation));
    }
    let formula = Relation::named("keyak-1998").unwrap().formula();
    assert!(formula.contains("33900 rho_ash^2.2 up to 0.27; 5307 rho_ash + 469 up to 0.6"), "{formula}");
}

#[test]
fn unknown_and_impossible_relations_are_refused() {
    assert!(Relation::named("nobody").unwrap_err().to_string().contains("keller-1994"));
    assert!(Relation::own(DensityKind::Ash, 0.0, -1.0, 2.0).is_err());
    assert!(Relation::own(DensityKind::Ash, f64::NAN, 1.0, 2.0).is_err());
}
