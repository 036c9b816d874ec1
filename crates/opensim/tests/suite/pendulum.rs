//! A double pendulum with a spring of its own, and its motion in closed form.

use wolff_formats::osim;
use wolff_formats::sto::{self, Storage};
use wolff_opensim::OpensimSubject;

const MODEL: &str = r#"<OpenSimDocument Version="40000"><Model name="pendulum"><gravity>0 -10 0</gravity>
<BodySet><objects>
<Body name="arm"><mass>2</mass><mass_center>0 -1 0</mass_center></Body>
<Body name="hand"><mass>1</mass><mass_center>0 -0.5 0</mass_center></Body>
</objects></BodySet>
<JointSet><objects>
<PinJoint name="shoulder"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/arm</socket_child_frame>
<coordinates><Coordinate name="swing"/></coordinates></PinJoint>
<PinJoint name="wrist"><socket_parent_frame>arm_end</socket_parent_frame><socket_child_frame>/bodyset/hand</socket_child_frame>
<coordinates><Coordinate name="bend"/></coordinates>
<frames><PhysicalOffsetFrame name="arm_end"><socket_parent>/bodyset/arm</socket_parent><translation>0 -1 0</translation></PhysicalOffsetFrame></frames>
</PinJoint>
</objects></JointSet></Model></OpenSimDocument>"#;

/// The model.
pub fn subject() -> OpensimSubject {
    OpensimSubject::new(osim::read(MODEL.as_bytes()).unwrap()).unwrap()
}

/// A motion file with `swing = f(t)` and the hand straight, 101 rows from 0 to 1 s.
pub fn motion(header: &str, f: impl Fn(f64) -> f64) -> Storage {
    let mut text = format!("motion\n{header}endheader\ntime\t/jointset/shoulder/swing/value\tbend\tother\n");
    for i in 0..=100 {
        let t = f64::from(i) / 100.0;
        text.push_str(&format!("{t}\t{}\t0\t7\n", f(t)));
    }
    sto::read(text.as_bytes()).unwrap()
}
