use crate::{Scratch, code, json, stderr};
use std::fs;
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};
use wolff_formats::{c3d, csv, sto, trc};

/// Two markers at 50 Hz, one with a gap, in a laboratory with x forward and z up.
fn trial() -> MarkerTrial {
    let points = |o: f64| (0..4).map(|i| Some([0.1 * i as f64 + o, 0.25, 1.0 + o])).collect();
    let mut markers =
        vec![Marker { name: "A".into(), points: points(0.0) }, Marker { name: "B".into(), points: points(0.5) }];
    markers[1].points[2] = None;
    MarkerTrial::new("t", 50.0, (0..4).map(|i| i as f64 / 50.0).collect(), markers).unwrap()
}

fn scratch(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    fs::write(scratch.0.join("t.trc"), trc::write(&trial(), LengthUnit::Millimetre).unwrap()).unwrap();
    scratch
}

fn run(scratch: &Scratch, arguments: &[&str]) {
    let output = scratch.wolff(&[&["convert"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// Largest difference of positions [m]; gaps must be the same.
fn difference(a: &MarkerTrial, b: &MarkerTrial) -> f64 {
    let mut worst = 0.0_f64;
    for (a, b) in a.markers().iter().zip(b.markers()) {
        assert_eq!(a.name, b.name);
        for (a, b) in a.points.iter().zip(&b.points) {
            assert_eq!(a.is_some(), b.is_some());
            let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
            worst = a.iter().zip(b).fold(worst, |m, (a, b)| m.max((a - b).abs()));
        }
    }
    worst
}

#[test]
fn markers_survive_the_way_through_c3d() {
    let scratch = scratch("convert-c3d");
    run(&scratch, &["t.trc", "t.c3d"]);
    run(&scratch, &["t.c3d", "back.trc", "--unit", "m"]);
    let c3d = c3d::read(&fs::read(scratch.0.join("t.c3d")).unwrap()).unwrap().markers().unwrap();
    let back = trc::read(&fs::read(scratch.0.join("back.trc")).unwrap()).unwrap();
    // C3D has single precision
    assert!(difference(&c3d, &trial()) < 1e-6 && difference(&back, &trial()) < 1e-6);
}

#[test]
fn axes_are_turned() {
    let scratch = scratch("convert-axes");
    run(&scratch, &["t.trc", "turned.trc", "--axes", "x,z"]);
    let turned = trc::read(&fs::read(scratch.0.join("turned.trc")).unwrap()).unwrap();
    assert_eq!(turned.markers()[0].points[0], Some([0.0, 1.0, -0.25]));
}

#[test]
fn tables_go_to_csv_and_back() {
    let scratch = scratch("convert-csv");
    run(&scratch, &["t.trc", "t.sto"]);
    run(&scratch, &["t.sto", "t.csv"]);
    run(&scratch, &["t.csv", "again.mot"]);
    let read = |name: &str| sto::read(&fs::read(scratch.0.join(name)).unwrap()).unwrap().table;
    let table = csv::read(&fs::read(scratch.0.join("t.csv")).unwrap()).unwrap();
    assert_eq!(table.labels()[..3], ["time", "A_x", "A_y"]);
    assert_eq!(read("t.sto").column("A_x"), read("again.mot").column("A_x"));
}

#[test]
fn what_cannot_be_is_refused_and_nothing_written() {
    let scratch = scratch("convert-refused");
    let output = scratch.wolff(&["convert", "t.trc", "t.osim", "--json"]);
    assert_eq!(code(&output), 2);
    assert!(json(&output)["errors"][0].to_string().contains("cannot be converted"));
    assert!(!scratch.0.join("t.osim").exists());
}
