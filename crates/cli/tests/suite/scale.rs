use crate::{Scratch, code, json, stderr, stdout};
use std::fs;
use wolff_formats::osim;
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};

/// A bar on a slider, with two markers 0.5 m apart and a comment that must survive.
const MODEL: &str = r#"<OpenSimDocument Version="40000"><Model name="bar"><!-- keep me -->
<BodySet><objects><Body name="bar"><mass>2</mass><mass_center>0.25 0 0</mass_center><inertia>0.1 0.2 0.2 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><SliderJoint name="rail"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/bar</socket_child_frame>
<coordinates><Coordinate name="way"/></coordinates></SliderJoint></objects></JointSet><MarkerSet><objects>
<Marker name="A"><socket_parent_frame>/bodyset/bar</socket_parent_frame><location>0 0 0</location></Marker>
<Marker name="B"><socket_parent_frame>/bodyset/bar</socket_parent_frame><location>0.5 0 0</location></Marker>
</objects></MarkerSet></Model></OpenSimDocument>"#;

const SETUP: &str = r#"<OpenSimDocument Version="40000"><ScaleTool name="subject"><mass>3</mass>
<GenericModelMaker><model_file>bar.osim</model_file></GenericModelMaker>
<ModelScaler><apply>true</apply><scaling_order>measurements</scaling_order><MeasurementSet><objects><Measurement name="length"><apply>true</apply>
<MarkerPairSet><objects><MarkerPair><markers>A B</markers></MarkerPair></objects></MarkerPairSet>
<BodyScaleSet><objects><BodyScale name="bar"><axes>X Y Z</axes></BodyScale></objects></BodyScaleSet></Measurement></objects></MeasurementSet>
<marker_file>static.trc</marker_file><time_range>0 1</time_range><preserve_mass_distribution>true</preserve_mass_distribution>
<output_model_file>scaled.osim</output_model_file><output_scale_file>factors.xml</output_scale_file></ModelScaler>
<MarkerPlacer><apply>true</apply><IKTaskSet><objects><IKMarkerTask name="A"><weight>1</weight></IKMarkerTask></objects></IKTaskSet>
<marker_file>static.trc</marker_file><time_range>0 1</time_range><output_model_file>scaled.osim</output_model_file></MarkerPlacer>
</ScaleTool></OpenSimDocument>"#;

fn scratch(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let still = |name: &str, p: [f64; 3]| Marker { name: name.into(), points: vec![Some(p); 3] };
    let markers = vec![still("A", [0.1, 0.0, 0.0]), still("B", [0.7, 0.0, 0.0])];
    let trial = MarkerTrial::new("static", 2.0, vec![0.0, 0.5, 1.0], markers).unwrap();
    for (name, text) in [
        ("bar.osim", MODEL.to_string()),
        ("setup.xml", SETUP.to_string()),
        ("static.trc", wolff_formats::trc::write(&trial, LengthUnit::Millimetre).unwrap()),
    ] {
        fs::write(scratch.0.join(name), text).unwrap();
    }
    scratch
}

/// 0.6 m over 0.5 m is a factor of 1.2; the mass goes to 3 kg and the inertia grows by 1.2² · 3/2.
#[test]
fn a_bar_grows_to_its_subject() {
    let scratch = scratch("scale-bar");
    let run = scratch.wolff(&["scale", "setup.xml"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stdout(&run).contains("1.2") && stdout(&run).contains("mass: 3 kg"), "{}", stdout(&run));
    let text = fs::read_to_string(scratch.0.join("scaled.osim")).unwrap();
    assert!(text.contains("<!-- keep me -->"));
    let model = osim::read(text.as_bytes()).unwrap();
    let body = &model.bodies[0];
    assert_eq!((model.name.as_str(), body.mass), ("subject", 3.0));
    assert!((body.mass_center[0] - 0.3).abs() < 1e-12);
    assert!((body.inertia[0] - 0.1 * 1.44 * 1.5).abs() < 1e-12);
    assert!((model.markers[1].location[0] - 0.6).abs() < 1e-9);
    assert!(fs::read_to_string(scratch.0.join("factors.xml")).unwrap().contains("<segment>bar</segment>"));
}

#[test]
fn json_writes_nothing_unless_asked() {
    let scratch = scratch("scale-json");
    let found = json(&scratch.wolff(&["scale", "setup.xml", "--json"]));
    assert!((found["results"]["factors"]["bar"][0].as_f64().unwrap() - 1.2).abs() < 1e-9, "{found}");
    assert!(!scratch.0.join("scaled.osim").exists());
    assert_eq!(code(&scratch.wolff(&["scale", "bar.osim"])), 2);
}

/// Everything is written beside the model that is named, and a range of time without frames is refused.
#[test]
fn results_are_beside_the_named_model() {
    let scratch = scratch("scale-beside");
    fs::create_dir(scratch.0.join("new")).unwrap();
    let run = scratch.wolff(&["scale", "setup.xml", "--out-model", "new/mine.osim"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(scratch.0.join("new/mine.osim").exists() && scratch.0.join("new/factors.xml").exists());
    assert!(!scratch.0.join("factors.xml").exists() && !scratch.0.join("scaled.osim").exists());
    fs::write(scratch.0.join("late.xml"), SETUP.replace("<time_range>0 1<", "<time_range>50 51<")).unwrap();
    let late = scratch.wolff(&["scale", "late.xml"]);
    assert!(code(&late) == 2 && stderr(&late).contains("50 to 51 s of the set-up is outside"), "{}", stderr(&late));
}
