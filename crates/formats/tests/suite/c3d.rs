use crate::shared;
use wolff_formats::c3d::{self, AnalogChannel, Baseline, C3d, Event, PlateOptions, Processor, Values};
use wolff_formats::trial::{GroundWrench, LengthUnit, Marker, MarkerTrial};

fn sample(name: &str) -> Option<C3d> {
    shared::bytes(&format!("c3d/{name}")).map(|bytes| c3d::read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// Mean of all coordinates, and how many points are invalid.
fn mean_and_gaps(c3d: &C3d) -> (f64, usize) {
    let points = || c3d.points.iter().flat_map(|p| &p.positions);
    let seen: Vec<f64> = points().flatten().flatten().copied().collect();
    (seen.iter().sum::<f64>() / seen.len() as f64, points().filter(|p| p.is_none()).count())
}

/// Shape, mean of coordinates and count of invalid points, from the README and from ezc3d 1.7.2; of `type1`, whose
/// analog channels ezc3d misses, from the Python package c3d 0.6.0.
#[test]
fn real_files_hold_what_other_readers_find() {
    let cases = [
        ("BTKData/c3d.org/sample01/Eb015pi.c3d", 26, 450, 16, 4, 529.2969286, 226),
        ("BTKData/c3d.org/sample02/pc_real.c3d", 36, 89, 16, 4, 726.9371527, 228),
        ("BTKData/c3d.org/sample10/TYPE-2.C3D", 13, 199, 6, 20, 439.2237926, 653),
        ("BTKData/c3d.org/sample28/type1.C3D", 28, 296, 6, 1, 430.76556, 1796),
        ("BTKData/others/Gait.c3d", 33, 487, 28, 10, 457.3987839, 9682),
        ("BTKData/others/MyCube.c3d", 14, 1, 0, 1, 129.0341920, 0),
        ("opensim-core/walking2.c3d", 44, 1249, 12, 8, 559.6029486, 27567),
        ("opensim-core/walking5.c3d", 40, 1103, 12, 8, 469.0546739, 20082),
    ];
    for (name, points, frames, channels, per_frame, mean, gaps) in cases {
        let Some(c) = sample(name) else { continue };
        assert_eq!(
            (c.points.len(), c.frames, c.analogs.len(), c.analog_per_frame),
            (points, frames, channels, per_frame)
        );
        let found = mean_and_gaps(&c);
        // the references were summed in other orders, some in single precision
        assert!((found.0 - mean).abs() < 1e-4 && found.1 == gaps, "{name}: {found:?}");
    }
}

#[test]
fn six_encodings_of_one_trial_are_one_trial() {
    let sets = [
        ("sample01", ["Eb015pi", "Eb015pr", "Eb015vi", "Eb015vr", "Eb015si", "Eb015sr"].map(|n| format!("{n}.c3d"))),
        (
            "sample02",
            ["pc_real.c3d", "pc_int.c3d", "DEC_INT.C3D", "Dec_real.c3d", "sgi_int.c3d", "sgi_real.c3d"]
                .map(String::from),
        ),
    ];
    for (folder, files) in sets {
        let read: Vec<C3d> = files.iter().filter_map(|f| sample(&format!("BTKData/c3d.org/{folder}/{f}"))).collect();
        let Some(first) = read.first() else { continue };
        // real numbers of 2 to 4 m in mm are steps of 2.4e-4 mm; integers of sample02 are steps of 0.281 mm, and some of
        // its files were rounded the other way
        let step = if folder == "sample01" { 2.5e-4 } else { 0.2812 };
        for other in &read {
            assert_eq!(other.points.len(), first.points.len());
            for (a, b) in first.points.iter().zip(&other.points) {
                for (p, q) in a.positions.iter().zip(&b.positions) {
                    assert_eq!(p.is_some(), q.is_some());
                    let (p, q) = (p.unwrap_or_default(), q.unwrap_or_default());
                    assert!(p.iter().zip(&q).all(|(x, y)| (x - y).abs() <= step), "{folder} {} {p:?} {q:?}", a.label);
                }
            }
            for (a, b) in first.analogs.iter().zip(&other.analogs) {
                assert!(
                    a.samples.iter().zip(&b.samples).all(|(x, y)| (x - y).abs() <= 1e-3 + 1e-6 * x.abs()),
                    "{}",
                    a.label
                );
            }
        }
        let orders: Vec<Processor> = read.iter().map(|c| c.processor).collect();
        for processor in [Processor::Intel, Processor::Dec, Processor::Mips] {
            assert!(orders.contains(&processor));
        }
    }
}

#[test]
fn residuals_cameras_and_events_are_read() {
    let Some(c) = sample("BTKData/c3d.org/sample01/Eb015pi.c3d") else { return };
    // the first point: word 0x3e10, residual 16 steps of 1/12 mm, cameras 2 to 6
    assert_eq!((c.points[0].label.as_str(), c.points[0].cameras[0]), ("RFT1", 62));
    assert!((c.points[0].residuals[0] - 16.0 / 12.0).abs() < 1e-5);
    let labels: Vec<&str> = c.events.iter().map(|e| e.label.as_str()).collect();
    assert_eq!(labels, ["RIC", "RHS", "RTO"]);
    assert!((c.events[1].time - 5.4).abs() < 1e-6);
}

/// Largest vertical force of each plate, its centre of pressure [mm] and free moment [N mm], from ezc3d 1.7.2.
#[test]
fn ground_forces_are_those_of_another_reader() {
    let cases = [
        (
            "BTKData/c3d.org/sample01/Eb015pi.c3d",
            0,
            1244,
            [-39.51157, 22.42986, 838.55563],
            [181.53297, 1432.66086],
            -838.806,
        ),
        (
            "BTKData/c3d.org/sample01/Eb015pi.c3d",
            1,
            904,
            [12.37145, 36.72178, 836.31332],
            [158.57855, 837.01100],
            3690.851,
        ),
        (
            "BTKData/c3d.org/sample02/pc_real.c3d",
            0,
            194,
            [48.40415, -81.46232, 815.50865],
            [183.18855, 1487.60070],
            -3940.534,
        ),
        ("BTKData/others/Gait.c3d", 0, 3007, [-101.74659, 57.51108, 798.65670], [-48.28984, -91.90217], -2141.724),
        ("BTKData/others/Gait.c3d", 1, 2529, [-128.18936, -57.71285, 855.40181], [675.44304, 68.57478], 3256.382),
        ("opensim-core/walking2.c3d", 0, 5590, [-146.63307, 33.85385, 950.95367], [779.42259, 459.00633], -1264.412),
        ("opensim-core/walking2.c3d", 1, 5294, [139.76239, -28.27020, 746.87836], [89.37014, 568.65447], -4054.165),
    ];
    for (name, plate, at, force, point_mm, moment_nmm) in cases {
        let Some(c) = sample(name) else { continue };
        let forces = c.force_plates(&PlateOptions::default()).unwrap();
        let found = forces.plates()[plate].samples[at].unwrap();
        let point = found.point.unwrap();
        // the last digits of the reference; axes of a plate whose corners are not quite square differ by 1e-5
        assert!(found.force.iter().zip(force).all(|(a, b)| (a - b).abs() < 1e-4), "{name}: {found:?}");
        assert!(point.iter().zip(point_mm).all(|(a, b)| (1000.0 * a - b).abs() < 1e-4), "{name}: {found:?}");
        assert!((1000.0 * found.moment[2] - moment_nmm).abs() < 1e-2, "{name}: {found:?}");
        // the remark on the origin appears exactly where the file holds the opposite vector
        let turned = c.parameters.numbers("FORCE_PLATFORM", "ORIGIN")[2] > 0.0;
        assert_eq!(forces.remarks().is_empty(), !turned, "{name}");
    }
}

/// The markers of the C3D file against the TRC file of the same trial, which was smoothed otherwise.
#[test]
fn markers_agree_with_the_same_trial_in_another_format() {
    let (Some(c), Some(bytes)) = (sample("BTKData/others/Gait.c3d"), shared::bytes("c3d/BTKData/trc/Gait.trc")) else {
        return;
    };
    let (markers, trc) = (c.markers().unwrap(), wolff_formats::trc::read(&bytes).unwrap());
    let (a, b) = (markers.marker("RSHO").unwrap(), trc.marker("R.Shoulder").unwrap());
    let mut apart: Vec<f64> = a
        .points
        .iter()
        .zip(&b.points)
        .filter_map(|(a, b)| {
            let (a, b) = ((*a)?, (*b)?);
            Some(a.iter().zip(&b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt())
        })
        .collect();
    apart.sort_by(f64::total_cmp);
    assert!(apart.len() > 100 && apart[apart.len() / 2] < 0.002, "{} {:?}", apart.len(), apart.get(apart.len() / 2));
}

#[test]
fn broken_files_are_refused_with_the_reason() {
    let cases = [
        ("BTKData/others/Empty.c3d", "the file is empty"),
        ("BTKData/others/badParameterOffset.c3d", "the parameter `UNITS` claims [4, 32] values of 1 bytes"),
        ("BTKData/c3d.org/sample18/bad_parameter_section.c3d", "the parameter `LABELS` claims [32, 6] values"),
    ];
    for (name, words) in cases {
        let Some(bytes) = shared::bytes(&format!("c3d/{name}")) else { continue };
        let error = c3d::read(&bytes).unwrap_err().to_string();
        assert!(error.starts_with("C3D at byte") && error.contains(words), "{name}: {error}");
    }
}

/// The frames that are there are read as they are in the whole file, and the loss is told.
#[test]
fn a_cut_off_file_has_the_frames_that_are_left() {
    let Some(whole) = shared::bytes("c3d/opensim-core/walking2.c3d") else { return };
    let read = |bytes: &[u8]| c3d::read(bytes).unwrap();
    let (half, all) = (read(&whole[..whole.len() / 2]), read(&whole));
    assert_eq!((all.frames, half.frames, half.warnings.len()), (1249, 621, 1));
    assert!(half.warnings[0].contains("the header says 1249 frames, the file ends after 621"), "{:?}", half.warnings);
    for (part, point) in half.points.iter().zip(&all.points) {
        assert_eq!(part.positions[..], point.positions[..621]);
    }
    assert_eq!(half.markers().unwrap().warnings(), half.warnings);
}

fn markers(count: usize, frames: usize) -> MarkerTrial {
    let point = |m: usize, f: usize| ((m + f) % 5 != 3).then(|| [0.1 * m as f64, 1.0 + 0.001 * f as f64, -0.25]);
    let markers = (0..count)
        .map(|m| Marker { name: format!("m{m}"), points: (0..frames).map(|f| point(m, f)).collect() })
        .collect();
    MarkerTrial::new("", 100.0, (0..frames).map(|f| f as f64 / 100.0).collect(), markers).unwrap()
}

#[test]
fn what_was_written_reads_back() {
    let before = markers(4, 7);
    let mut file = C3d::from_markers(&before, LengthUnit::Millimetre);
    file.points[0].residuals[1] = 0.51;
    file.points[0].cameras[1] = 5;
    file.events = vec![Event { label: "Foot Strike".into(), context: "Left".into(), time: 61.25 }];
    file.analog_per_frame = 2;
    file.analogs = vec![AnalogChannel {
        label: "EMG1".into(),
        unit: "V".into(),
        samples: (0..14).map(|i| 0.5 * i as f64).collect(),
    }];
    let after = c3d::read(&c3d::write(&file).unwrap()).unwrap();
    assert_eq!((after.real, after.processor, after.frames, after.analog_rate()), (true, Processor::Intel, 7, 200.0));
    assert_eq!(after.analogs, file.analogs);
    assert_eq!(after.events, file.events);
    assert_eq!((after.points[0].residuals[1], after.points[0].cameras[1]), (0.51, 5));
    let markers = after.markers().unwrap();
    assert_eq!(markers.gaps(), before.gaps());
    for (a, b) in before.markers().iter().zip(markers.markers()) {
        let near = |(p, q): (&Option<[f64; 3]>, &Option<[f64; 3]>)| {
            // single precision of a metre in millimetres
            p.unwrap_or_default().iter().zip(q.unwrap_or_default()).all(|(x, y)| (x - y).abs() < 1e-7)
        };
        assert!(a.name == b.name && a.points.iter().zip(&b.points).all(near));
    }
}

#[test]
fn real_files_survive_being_written() {
    for name in
        ["opensim-core/walking2.c3d", "BTKData/c3d.org/sample02/sgi_int.c3d", "BTKData/c3d.org/sample10/TYPE-4.C3D"]
    {
        let Some(before) = sample(name) else { continue };
        let after = c3d::read(&c3d::write(&before).unwrap()).unwrap();
        assert_eq!(mean_and_gaps(&after).1, mean_and_gaps(&before).1, "{name}");
        // integers times a scale are rounded to single precision once
        assert!((mean_and_gaps(&after).0 / mean_and_gaps(&before).0 - 1.0).abs() < 1e-7, "{name}");
        assert_eq!(after.events, before.events, "{name}");
        let forces = |c: &C3d| c.force_plates(&PlateOptions::default()).unwrap();
        let peak = |c: &C3d| forces(c).plates()[0].samples.iter().flatten().map(|s| s.force[2]).fold(0.0, f64::max);
        assert!((peak(&after) / peak(&before) - 1.0).abs() < 1e-6, "{name}");
    }
}

#[test]
fn more_than_255_points_and_65535_frames_are_counted() {
    let many = c3d::read(&c3d::write(&C3d::from_markers(&markers(600, 2), LengthUnit::Metre)).unwrap()).unwrap();
    assert_eq!(many.points.len(), 600);
    assert_eq!(many.points[599].label, "m599");
    let long = c3d::read(&c3d::write(&C3d::from_markers(&markers(1, 70_000), LengthUnit::Metre)).unwrap()).unwrap();
    assert_eq!(long.frames, 70_000);
}

#[test]
fn computed_points_are_no_markers_and_prefixes_fall() {
    let mut file = C3d::from_markers(&markers(3, 2), LengthUnit::Metre);
    file.points[0].label = "Anna:LASI".into();
    file.points[1].label = "Anna:RASI".into();
    file.points[2].label = "LKneeAngles".into();
    file.parameters.set("POINT", "ANGLES", &[11, 1], Values::Text(vec!["LKneeAngles".into()]));
    let trial = c3d::read(&c3d::write(&file).unwrap()).unwrap().markers().unwrap();
    let names: Vec<&str> = trial.markers().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["LASI", "RASI"]);
    assert!(trial.remarks()[0].contains("1 points are angles"), "{:?}", trial.remarks());
}

/// A plate turned and moved in the laboratory, and a load on it.
struct Load {
    force: [f64; 3],
    point: [f64; 3],
    free: f64,
}

const HALF: [f64; 2] = [0.3, 0.2];
const MIDDLE: [f64; 3] = [0.5, -0.7, 0.1];
/// From the sensor to the surface, in the axes of the plate [m].
const DEPTH: [f64; 3] = [0.002, -0.003, -0.04];
/// Sensors of a type 3 plate from its middle [m].
const SENSORS: [f64; 2] = [0.25, 0.15];

/// Columns: the axes of the plate in the laboratory: x level at 30°, y square to it, z down.
fn plate_axes() -> [[f64; 3]; 3] {
    let (s, c) = 30f64.to_radians().sin_cos();
    [[c, s, 0.0], [s, -c, 0.0], [0.0, 0.0, -1.0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// What a plate of that type would measure: statics from the load to the channels, the other way than the reader.
fn channels(kind: i16, load: &Load) -> Vec<f64> {
    let axes = plate_axes();
    let in_plate = |v: [f64; 3]| axes.map(|axis| dot(axis, v));
    let f = in_plate(load.force);
    let p = in_plate([0, 1, 2].map(|i| load.point[i] - MIDDLE[i]));
    // the free moment turns about the normal, which points up, against z of the plate
    let t = -load.free;
    let about = |o: [f64; 3]| {
        let m = cross([0, 1, 2].map(|i| p[i] - o[i]), f);
        [m[0], m[1], m[2] + t]
    };
    let sensor = DEPTH.map(|x| -x);
    let nmm = |m: [f64; 3]| m.map(|x| 1000.0 * x);
    match kind {
        1 => vec![f[0], f[1], f[2], 1000.0 * p[0], 1000.0 * p[1], 1000.0 * t],
        2 => [f, nmm(about(sensor))].concat(),
        4 => [f.map(|x| 2.0 * x), nmm(about(sensor)).map(|x| x / 3.0)].concat(),
        _ => {
            let ([a, b], m) = (SENSORS, about([0.0, 0.0, -DEPTH[2]]));
            let turn = m[2] / b;
            let (sum, x, y) = (f[2] / 4.0, m[0] / (4.0 * b), m[1] / (4.0 * a));
            let z = [sum + x - y, sum + x + y, sum - x + y, sum - x - y];
            [vec![(f[0] - turn) / 2.0, (f[0] + turn) / 2.0, f[1] / 2.0, f[1] / 2.0], z.to_vec()].concat()
        }
    }
}

fn plate_file(kind: i16, load: &Load, sign: f64) -> C3d {
    let mut file = C3d::from_markers(&markers(1, 2), LengthUnit::Millimetre);
    let values = channels(kind, load);
    let unit = |i: usize| if kind == 3 || i < 3 { "N" } else { "Nmm" };
    // the first frame is empty
    file.analogs = values
        .iter()
        .enumerate()
        .map(|(i, &v)| AnalogChannel { label: format!("c{i}"), unit: unit(i).into(), samples: vec![0.0, v] })
        .collect();
    let axes = plate_axes();
    let corner =
        |x: f64, y: f64| [0, 1, 2].map(|i| 1000.0 * (MIDDLE[i] + x * HALF[0] * axes[0][i] + y * HALF[1] * axes[1][i]));
    let corners = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)].concat();
    let origin = if kind == 3 { [SENSORS[0], SENSORS[1], sign * DEPTH[2]] } else { DEPTH.map(|x| sign * x) };
    let real = |v: &[f64]| Values::Real(v.iter().map(|&x| x as f32).collect());
    let p = &mut file.parameters;
    p.set("FORCE_PLATFORM", "USED", &[], Values::Integer(vec![1]));
    p.set("FORCE_PLATFORM", "TYPE", &[1], Values::Integer(vec![kind]));
    p.set("FORCE_PLATFORM", "CORNERS", &[3, 4, 1], real(&corners));
    p.set("FORCE_PLATFORM", "ORIGIN", &[3, 1], real(&origin.map(|x| 1000.0 * x)));
    let count = values.len();
    p.set("FORCE_PLATFORM", "CHANNEL", &[count, 1], Values::Integer((1..=count as i16).collect()));
    if kind == 4 {
        let matrix: Vec<f64> = (0..36)
            .map(|i| {
                if i % 7 != 0 {
                    0.0
                } else if i < 21 {
                    0.5
                } else {
                    3.0
                }
            })
            .collect();
        p.set("FORCE_PLATFORM", "CAL_MATRIX", &[6, 6, 1], real(&matrix));
    }
    c3d::read(&c3d::write(&file).unwrap()).unwrap()
}

/// All four types and both signs of the origin give the load back, on a plate that is turned and moved.
#[test]
fn platforms_of_types_1_to_4_give_the_load_back() {
    let load = Load { force: [-120.0, 75.0, 810.0], point: [0.56, -0.62, 0.1], free: 4.5 };
    for kind in [1, 2, 3, 4] {
        for sign in [1.0, -1.0] {
            let file = plate_file(kind, &load, sign);
            let forces = file.force_plates(&PlateOptions::default()).unwrap();
            let found = forces.plates()[0].samples[1].unwrap();
            let point = found.point.unwrap();
            // channels, corners and origin are single precision
            assert!(found.force.iter().zip(load.force).all(|(a, b)| (a - b).abs() < 1e-3), "type {kind}: {found:?}");
            assert!(point.iter().zip(load.point).all(|(a, b)| (a - b).abs() < 1e-6), "type {kind}: {found:?}");
            assert!((found.moment[2] - load.free).abs() < 1e-4, "type {kind}: {found:?}");
            assert_eq!(forces.plates()[0].samples[0], Some(GroundWrench::UNLOADED));
            assert_eq!(
                forces.remarks().len(),
                usize::from(sign < 0.0 && kind != 1),
                "type {kind}: {:?}",
                forces.remarks()
            );
        }
    }
}

#[test]
fn other_types_and_missing_geometry_are_refused_by_name() {
    let load = Load { force: [0.0, 0.0, 500.0], point: MIDDLE, free: 0.0 };
    let error = |file: &C3d| file.force_plates(&PlateOptions::default()).unwrap_err().to_string();
    for kind in [5, 6, 7] {
        let mut file = plate_file(2, &load, 1.0);
        file.parameters.set("FORCE_PLATFORM", "TYPE", &[1], Values::Integer(vec![kind]));
        assert!(error(&file).contains(&format!("force platform 1 is of type {kind}; supported are types 1 to 4")));
    }
    let mut file = plate_file(2, &load, 1.0);
    file.parameters.set("FORCE_PLATFORM", "CHANNEL", &[6, 1], Values::Integer(vec![1, 2, 3, 4, 5, 9]));
    assert!(error(&file).contains("FORCE_PLATFORM:CHANNEL"));
    file.parameters.set("FORCE_PLATFORM", "CORNERS", &[3, 4, 1], Values::Real(vec![0.0; 12]));
    assert!(error(&file).contains("FORCE_PLATFORM:C"));
}

#[test]
fn a_baseline_is_taken_away_only_when_asked() {
    let load = Load { force: [0.0, 0.0, 500.0], point: MIDDLE, free: 0.0 };
    let mut file = plate_file(2, &load, 1.0);
    file.parameters.set("FORCE_PLATFORM", "ZERO", &[2], Values::Integer(vec![1, 1]));
    for channel in &mut file.analogs {
        channel.samples.iter_mut().for_each(|x| *x -= 20.0);
    }
    let vertical = |baseline| {
        let forces = file.force_plates(&PlateOptions { baseline, ..PlateOptions::default() }).unwrap();
        forces.plates()[0].samples[1].unwrap().force[2]
    };
    assert!((vertical(Baseline::AsStored) - 520.0).abs() < 1e-3);
    assert!((vertical(Baseline::ZeroFrames) - 500.0).abs() < 1e-3);
}

#[test]
fn a_channel_without_a_number_is_a_gap_of_its_plate() {
    let load = Load { force: [0.0, 0.0, 500.0], point: MIDDLE, free: 0.0 };
    let mut file = plate_file(2, &load, 1.0);
    file.analogs[4].samples[1] = f64::NAN;
    let file = c3d::read(&c3d::write(&file).unwrap()).unwrap();
    let forces = file.force_plates(&PlateOptions::default()).unwrap();
    assert_eq!(forces.plates()[0].samples[1], None);
}

/// Integers by hand, since only real numbers are written here: scale 0.5, residual 2 steps, cameras 1 and 3; then an
/// invalid point; an analog word above 32767.
#[test]
fn integers_with_and_without_sign_are_read() {
    let mut file = C3d::from_markers(&markers(1, 2), LengthUnit::Millimetre);
    file.analogs = vec![AnalogChannel { label: "a".into(), unit: "V".into(), samples: vec![0.0; 2] }];
    for (format, value) in [("SIGNED", -25536.0), ("UNSIGNED", 40000.0)] {
        file.parameters.set("ANALOG", "FORMAT", &[8, 1], Values::Text(vec![format.into()]));
        let mut bytes = c3d::write(&file).unwrap();
        // POINT:SCALE is the one that is -1
        let is_scale = |w: &[u8]| w.starts_with(b"SCALE") && w[9..] == (-1f32).to_le_bytes();
        let scale = bytes.windows(13).position(is_scale).unwrap() + 9;
        for at in [12, scale] {
            bytes[at..at + 4].copy_from_slice(&0.5f32.to_le_bytes());
        }
        let start = (usize::from(u16::from_le_bytes([bytes[16], bytes[17]])) - 1) * 512;
        let words: [u16; 10] = [20, 40, 65536u32.wrapping_sub(60) as u16, 0x0502, 40000, 0, 0, 0, 0xffff, 1];
        for (i, word) in words.iter().enumerate() {
            bytes[start + 2 * i..start + 2 * i + 2].copy_from_slice(&word.to_le_bytes());
        }
        let read = c3d::read(&bytes).unwrap();
        assert_eq!(read.points[0].positions, [Some([10.0, 20.0, -30.0]), None]);
        assert_eq!((read.points[0].residuals[0], read.points[0].cameras[0]), (1.0, 5));
        assert_eq!(read.analogs[0].samples, [value, 1.0], "{format}");
    }
}
