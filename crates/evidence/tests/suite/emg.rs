//! Electromyograms: raw ones recognised and processed, files of several formats, timing.

use std::f64::consts::TAU;
use std::path::PathBuf;
use wolff_evidence::emg::envelope::{self, of_raw};
use wolff_evidence::emg::{Kind, Timing, read_emg};
use wolff_formats::c3d::{AnalogChannel, C3d};

/// 2000 Hz for four seconds.
fn times() -> Vec<f64> {
    (0..8000).map(|i| f64::from(i) / 2000.0).collect()
}

/// A carrier of 130 Hz whose amplitude is `1 + sin(2π t)`, with an offset of the amplifier.
fn raw() -> Vec<f64> {
    times().iter().map(|t| 0.3 + (1.0 + (TAU * t).sin()) * (TAU * 130.0 * t).sin()).collect()
}

/// The mean of `|sin|` is 2/π, and a low-pass at 10 Hz leaves a modulation of 1 Hz as it is.
#[test]
fn the_envelope_of_a_modulated_carrier() {
    let (times, raw) = (times(), raw());
    assert_eq!(envelope::kind(&times, &raw), Kind::Raw);
    let found = of_raw(&times, &raw).unwrap();
    // the filter starts within the first tenth of a second
    for (t, y) in times.iter().zip(&found).filter(|(t, _)| (0.2..3.8).contains(*t)) {
        let expected = 2.0 / std::f64::consts::PI * (1.0 + (TAU * t).sin());
        assert!((y - expected).abs() < 0.02, "{t} s: {y}, not {expected}");
    }
    // once processed, it is an envelope
    assert_eq!(envelope::kind(&times, &found), Kind::Envelope);
}

#[test]
fn an_envelope_without_its_mean_is_told_apart() {
    let times = times();
    let values: Vec<f64> = times.iter().map(|t| (TAU * 1.5 * t).sin()).collect();
    assert_eq!(envelope::kind(&times, &values), Kind::Negative);
    let above: Vec<f64> = values.iter().map(|x| x + 1.0).collect();
    assert_eq!(envelope::kind(&times, &above), Kind::Envelope);
    assert_eq!(envelope::kind(&[], &[]), Kind::Envelope);
}

#[test]
fn a_raw_signal_that_is_sampled_too_slowly_or_unevenly_is_refused() {
    let slow: Vec<f64> = (0..400).map(|i| f64::from(i) / 120.0).collect();
    let signs: Vec<f64> = (0..400).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let message = of_raw(&slow, &signs).unwrap_err();
    assert!(message.contains("120 samples per second") && message.contains("200"), "{message}");
    let mut uneven = times();
    uneven[4000] += 4e-4;
    let message = of_raw(&uneven, &raw()).unwrap_err();
    assert!(message.contains("not equally spaced"), "{message}");
    assert!(of_raw(&[0.0], &[1.0]).is_err());
}

/// A file in the folder for temporary files of tests.
fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The same signal in three formats.
#[test]
fn tables_and_analogue_channels_give_the_same_envelope() {
    let (times, raw) = (times(), raw());
    let mut csv = String::from("time,EMG_R_Soleus\n");
    let mut sto = String::from("emg\nversion=1\nnRows=8000\nnColumns=2\ninDegrees=no\nendheader\ntime\tEMG_R_Soleus\n");
    for (t, x) in times.iter().zip(&raw) {
        csv += &format!("{t},{x}\n");
        sto += &format!("{t}\t{x}\n");
    }
    let channel = |label: &str| AnalogChannel { label: label.into(), unit: "V".into(), samples: raw.clone() };
    let c3d = C3d {
        processor: wolff_formats::c3d::Processor::Intel,
        real: true,
        first_frame: 1,
        frames: 400,
        point_rate: 100.0,
        unit: "mm".into(),
        points: Vec::new(),
        analog_per_frame: 20,
        analogs: vec![channel("Fz1"), channel("EMG_R_Soleus")],
        events: Vec::new(),
        parameters: Default::default(),
        remarks: Vec::new(),
        warnings: Vec::new(),
    };
    let c3d = wolff_formats::c3d::write(&c3d).unwrap();
    let files = [("emg.csv", csv.into_bytes()), ("emg.sto", sto.into_bytes()), ("emg.c3d", c3d)];
    let [csv, sto, c3d] = files.map(|(name, bytes)| read_emg(&written(name, &bytes)).unwrap());
    assert_eq!(csv, sto);
    // force plates are left out; a .c3d file has numbers of single precision
    assert_eq!((c3d.len(), c3d[0].name.as_str(), c3d[0].kind), (1, "EMG_R_Soleus", Kind::Raw));
    for ((t, x), (s, y)) in csv[0].samples.iter().zip(&c3d[0].samples) {
        assert!((t - s).abs() < 1e-9 && (x - y).abs() < 1e-6, "{t} {x}, {s} {y}");
    }
}

#[test]
fn a_file_without_electromyograms_names_its_channels() {
    let Some(path) = wolff_testdata::shared("data/c3d/opensim-core/walking2.c3d") else { return };
    let message = read_emg(&path).unwrap_err().to_string();
    assert!(message.contains("Fx1") && message.contains("emg"), "{message}");
}

#[test]
fn a_missing_value_names_column_and_time() {
    let path = written("gap.csv", b"time,soleus\n0,1\n0.001,nan\n0.002,1\n");
    let message = read_emg(&path).unwrap_err().to_string();
    assert!(message.contains("soleus") && message.contains("0.001"), "{message}");
}

/// Squares of known duration: active from 10 to 40 % and from 90 to 20 %.
#[test]
fn timing_of_squares() {
    let square = |from: f64, count: f64| -> Vec<f64> {
        (0..200).map(|i| f64::from(u8::from((f64::from(i) / 200.0 - from).rem_euclid(1.0) < count))).collect()
    };
    let found = Timing::new(&square(0.1, 0.3), &square(0.9, 0.3));
    let close = |found: &[[f64; 2]], expected: [f64; 2]| {
        found.len() == 1 && found[0].iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.006)
    };
    assert!(close(&found.emg, [0.1, 0.4]) && close(&found.force, [0.9, 1.2]), "{found:?}");
    // both in 10 % of the cycle, none in 50 %
    assert!((found.agreement - 0.6).abs() < 0.011);
    let kappa = found.kappa.unwrap();
    assert!((kappa - (0.6 - 0.58) / 0.42).abs() < 0.03, "{kappa}");
    let same = Timing::new(&square(0.1, 0.3), &square(0.1, 0.3));
    assert_eq!((same.agreement, same.kappa), (1.0, Some(1.0)));
    let constant = Timing::new(&[1.0; 200], &[1.0; 200]);
    assert!(constant.emg.is_empty() && constant.kappa.is_none());
}
