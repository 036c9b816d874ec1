//! Damaged copies of files: every reader answers, with a value or a reason, and never panics.

use crate::shared;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use wolff_formats::c3d::{self, C3d, PlateOptions};
use wolff_formats::trial::{ForcePlateTrial, LengthUnit, Marker, MarkerTrial};
use wolff_formats::{csv, sto, trc};

/// One damage: what, where (as a share of the file), and a byte.
type Damage = (u8, f64, u8);

/// Reads bytes and whatever follows from them.
type Read = fn(&[u8]);

/// Copies of each file to damage; `WOLFF_MUTATIONS` asks for more.
fn cases() -> u32 {
    std::env::var("WOLFF_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

fn damaged(bytes: &[u8], damage: &[Damage]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for &(kind, place, byte) in damage {
        let at = ((out.len() as f64 * place) as usize).min(out.len().saturating_sub(1));
        let end = (at + usize::from(byte)).min(out.len());
        match kind % 6 {
            _ if out.is_empty() => {}
            0 | 1 => out[at] = byte,
            2 => out[at] ^= 1 << (byte % 8),
            3 => drop(out.drain(at..end)),
            4 => out.truncate(at),
            _ => {
                let copy = out[at..end].to_vec();
                out.splice(at..at, copy);
            }
        }
    }
    out
}

/// Damages the file over and over, the same way each time, most often near its beginning where the header is.
fn torment(bytes: &[u8], read: impl Fn(&[u8])) {
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let place = prop_oneof![0.0..1.0f64, 0.0..0.02f64];
    let damage = proptest::collection::vec((any::<u8>(), place, any::<u8>()), 1..6);
    runner
        .run(&damage, |damage| {
            read(&damaged(bytes, &damage));
            Ok(())
        })
        .unwrap();
}

fn read_c3d(bytes: &[u8]) {
    let Ok(file) = c3d::read(bytes) else { return };
    let _ = file.force_plates(&PlateOptions::default());
    let _ = file.markers();
    let _ = c3d::write(&file);
}

fn read_trc(bytes: &[u8]) {
    if let Ok(trial) = trc::read(bytes) {
        let _ = trc::write(&trial, LengthUnit::Millimetre);
    }
}

fn read_sto(bytes: &[u8]) {
    for policy in [sto::TimePolicy::Remark, sto::TimePolicy::Refuse, sto::TimePolicy::KeepFirst] {
        if let Ok(storage) = sto::read_with(bytes, policy) {
            let _ = ForcePlateTrial::from_storage(&storage);
        }
    }
}

fn small_trial() -> MarkerTrial {
    let marker = |i: usize| Marker {
        name: format!("R.Toe {i}"),
        points: (0..6).map(|f| (f != i).then_some([f as f64 * 0.01, 0.1 * i as f64, 0.3])).collect(),
    };
    MarkerTrial::new("a", 50.0, (0..6).map(|f| 0.02 * f as f64).collect(), (0..4).map(marker).collect()).unwrap()
}

#[test]
fn damaged_files_of_our_own_never_panic() {
    torment(&c3d::write(&C3d::from_markers(&small_trial(), LengthUnit::Millimetre)).unwrap(), read_c3d);
    torment(trc::write(&small_trial(), LengthUnit::Millimetre).unwrap().as_bytes(), read_trc);
    torment(
        b"grf\nversion=1\nnRows=2\nnColumns=4\ninDegrees=no\nendheader\ntime\tground_force_vx\tground_force_vy\tground_force_vz\n0\t1\t2\t3\n0.01\t1,5\t\tNaN\n",
        read_sto,
    );
    torment(b"time;a;\"b c\"\n0;1,5;2\n1;;3\n", |bytes| drop(csv::read(bytes)));
}

#[test]
fn damaged_real_files_never_panic() {
    let files: [(&str, Read); 7] = [
        ("c3d/BTKData/c3d.org/sample02/sgi_int.c3d", read_c3d),
        ("c3d/BTKData/c3d.org/sample02/Dec_real.c3d", read_c3d),
        ("c3d/BTKData/c3d.org/sample10/TYPE-4.C3D", read_c3d),
        ("c3d/BTKData/others/MyCube.c3d", read_c3d),
        ("opensim-core/IK/subject01_synthetic_marker_data.trc", read_trc),
        ("opensim-core/Analyze/singlePendulum_controls.sto", read_sto),
        ("opensim-core/IK/std_subject01_walk1_ik.mot", read_sto),
    ];
    for (name, read) in files {
        if let Some(bytes) = shared::bytes(name) {
            torment(&bytes, read);
        }
    }
}
