use wolff_geometry::nurbs::KnotVector;

#[test]
fn the_basis_sums_to_one_and_its_derivatives_to_zero_and_match_differences() {
    let knots = KnotVector::new("test", 3, vec![-0.2, -0.1, 0.0, 0.0, 0.3, 0.5, 0.5, 0.9, 1.0, 1.0, 1.2, 1.4]).unwrap();
    assert!(!knots.is_clamped());
    for u in [0.0, 0.1, 0.31, 0.49, 0.51, 0.77, 1.0] {
        let (start, [value, first, second]) = knots.basis(u);
        assert!((value.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        assert!(first.iter().sum::<f64>().abs() < 1e-12 && second.iter().sum::<f64>().abs() < 1e-10);
        // the polynomials continue beyond the domain, so central differences work at its ends too
        let h = 1e-5;
        let ((left, [low, low_first, _]), (right, [high, high_first, _])) = (knots.basis(u - h), knots.basis(u + h));
        assert!(left == start && right == start);
        for j in 0..4 {
            assert!(((high[j] - low[j]) / (2.0 * h) - first[j]).abs() < 1e-6, "error h² times the third derivative");
            assert!(((high_first[j] - low_first[j]) / (2.0 * h) - second[j]).abs() < 1e-5);
        }
    }
}

#[test]
fn wrong_knots_are_refused_with_their_reason() {
    let message = |degree, knots: &[f64]| KnotVector::new("patella", degree, knots.to_vec()).unwrap_err().to_string();
    assert!(message(0, &[0.0, 1.0]).contains("degree is 0"));
    assert!(message(10, &[0.0; 30]).contains("degree is 10"));
    assert!(message(2, &[0.0, 0.0, 1.0, 1.0]).contains("number of knots is 4"));
    assert!(message(1, &[0.0, f64::NAN, 1.0, 1.0]).contains("finite"));
    assert!(message(1, &[0.0, 0.0, 0.6, 0.5, 1.0, 1.0]).contains("must not decrease"));
    assert!(message(1, &[0.0, 0.0, 0.5, 0.5, 1.0, 1.0]).contains("more than degree times"));
    assert!(message(1, &[0.0, 0.0, 0.0, 1.0, 1.0]).contains("more than degree + 1"));
    assert!(message(1, &[2.0, 2.0, 2.0, 2.0]).contains("positive range"));
    assert!(message(1, &[2.0, 2.0, 2.0, 2.0]).starts_with("patella"));
}
