use wolff_density::{Calibration, Chain, Checked, DensityKind, Relation};

fn chain(from: DensityKind, relation: &str) -> Chain {
    Chain::new(Calibration::identity(from), Relation::named(relation).unwrap()).unwrap()
}

/// ρ_QCT 1.2 is ρ_ash 0.877 x 1.2 + 0.079 = 1.1314 and ρ_app 1.8857; Keller's modulus of that ash density is 13.93 GPa.
#[test]
fn the_way_from_mineral_to_modulus() {
    let tissue = chain(DensityKind::Qct, "keller-1994").tissue(1.2);
    assert!((tissue.apparent - 1.1314 / 0.6).abs() < 1e-12);
    assert!((tissue.modulus - 10500.0 * 1.1314_f64.powf(2.29)).abs() < 1e-9);
    assert!(!tissue.clipped);
}

#[test]
fn densities_convert_there_and_back() {
    let chain = chain(DensityKind::Qct, "keller-1994");
    let kinds = [DensityKind::Qct, DensityKind::Ash, DensityKind::Apparent];
    for from in kinds {
        for to in kinds {
            let there = chain.convert(0.8, from, to);
            assert!((chain.convert(there, to, from) - 0.8).abs() < 1e-12, "{from:?} {to:?}");
        }
    }
}

/// Where the scan shows less than water there is no bone, whatever the intercepts of the conversions.
#[test]
fn negative_density_is_nothing() {
    let tissue = chain(DensityKind::Qct, "morgan-2003-pooled").tissue(-0.05);
    assert!(tissue.clipped && tissue.apparent == 0.0 && tissue.modulus == 0.0);
}

#[test]
fn only_what_is_used_is_named() {
    let direct = chain(DensityKind::Apparent, "carter-hayes-1977");
    assert!(direct.conversions().is_empty());
    assert_eq!(direct.checked(), Checked::TwoSources);
    let through = chain(DensityKind::Qct, "keller-1994");
    assert_eq!(through.conversions().len(), 2);
    assert_eq!(through.checked(), Checked::FromMemory);
    assert!(through.remarks().join(" ").contains("not confirmed"));
}
