//! Published numbers against their transcription.

use serde_json::Value;
use wolff_evidence::literature::{SIGNAL_CORRELATIONS, STRAINS_AROUND, WALKING_STRAINS, in_vivo_ranges};
use wolff_testdata::shared;

/// The data of a file of reference values.
fn reference(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(&format!("reference/{name}"))?).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().get("data").cloned()
}

#[test]
fn rows_are_those_of_the_tables() {
    let Some(data) = reference("10_literature_tables.json") else { return };
    let rows = data["tibia_strain_walking"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), WALKING_STRAINS.len());
    for (row, ours) in rows.iter().zip(&WALKING_STRAINS) {
        assert_eq!(row["max_principal"].as_f64().unwrap(), ours.max_principal);
        assert_eq!(row["min_principal"].as_f64().unwrap(), ours.min_principal);
        assert_eq!(row["max_shear"].as_f64(), ours.max_shear);
        assert_eq!(["rate_max", "rate_min", "rate_shear"].map(|k| row[k].as_f64()), ours.rates);
    }
    let rows = data["cross_correlation_gamma"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), SIGNAL_CORRELATIONS.len());
    for (row, (name, values)) in rows.iter().zip(&SIGNAL_CORRELATIONS) {
        assert_eq!(row["item"].as_str().unwrap(), *name);
        assert_eq!(["first", "second", "third"].map(|k| row[k].as_f64()), *values);
    }
    let rows = data["strain_distribution_tibia"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), STRAINS_AROUND.len());
    for (row, ours) in rows.iter().zip(&STRAINS_AROUND) {
        assert_eq!(row["location"].as_str().unwrap(), ours.location);
        assert_eq!((row["peterman_mean"].as_f64().unwrap(), row["peterman_peak"].as_f64()), (ours.mean, ours.peak));
        assert_eq!(["first", "second", "third"].map(|k| row[k].as_f64().unwrap()), ours.models);
    }
}

#[test]
fn ranges_of_living_people() {
    assert_eq!(in_vivo_ranges(), [[394.0, 840.0], [-672.0, -434.0], [829.0, 1183.0]]);
}
