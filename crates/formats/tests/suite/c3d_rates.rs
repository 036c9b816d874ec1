//! Rates of a C3D file that contradict each other.

use wolff_formats::c3d::{self, AnalogChannel, C3d};
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};

/// Byte of the frame rate in the header block.
const RATE: usize = 20;

fn file() -> C3d {
    let marker = Marker { name: "a".into(), points: vec![Some([0.1, 0.2, 0.3]); 4] };
    let trial = MarkerTrial::new("t", 100.0, vec![0.0, 0.01, 0.02, 0.03], vec![marker]).unwrap();
    let mut file = C3d::from_markers(&trial, LengthUnit::Millimetre);
    file.analogs = vec![AnalogChannel { label: "f".into(), unit: "N".into(), samples: vec![1.0; 8] }];
    file.analog_per_frame = 2;
    file
}

fn warnings(bytes: &[u8]) -> Vec<String> {
    let file = c3d::read(bytes).unwrap();
    assert_eq!(file.point_rate, 100.0);
    file.markers().unwrap().warnings().to_vec()
}

#[test]
fn rates_that_differ_are_told_with_the_one_that_is_used() {
    let sound = c3d::write(&file()).unwrap();
    assert_eq!(warnings(&sound), Vec::<String>::new());
    let mut header = sound.clone();
    header[RATE..RATE + 4].copy_from_slice(&50f32.to_le_bytes());
    assert!(warnings(&header)[0].contains("POINT:RATE is 100 Hz, but the header of the file says 50 Hz"));
    // two samples per frame at 100 Hz are 200 Hz
    let at = sound.windows(4).position(|bytes| bytes == 200f32.to_le_bytes()).unwrap();
    let mut analog = sound.clone();
    analog[at..at + 4].copy_from_slice(&250f32.to_le_bytes());
    let told = warnings(&analog);
    assert!(told[0].contains("ANALOG:RATE is 250 Hz with 2 samples per frame, which is 125 frames"), "{told:?}");
}
