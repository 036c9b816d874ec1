//! The flexible pendulum of the comparison against the trajectory and strain that another program gives for the same
//! mesh.

use serde_json::Value;
use wolff_bench::shank::{Swing, pendulum, reduce, swing};
use wolff_flexbody::FlexBody;
use wolff_meshes::solid::read_mesh;
use wolff_multibody::{ForceElement, Instant, Loads};
use wolff_spatial::Vec3;
use wolff_testdata::shared;

/// Exudyn's step at which its solution has converged to 1e-8 m (it falls with the square of the step).
const STEP: f64 = 2e-5;

/// Tip and strain of the finest run.
fn reference() -> Option<(Vec<[f64; 2]>, Vec<f64>)> {
    let text = std::fs::read_to_string(shared("peers/ref_exudyn_pendulum.json")?).unwrap();
    let data: Value = serde_json::from_str(&text).unwrap();
    let run = data["runs"].as_array().unwrap().last().unwrap();
    let column =
        |name: &str| -> Vec<f64> { run[name].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
    let (x, z) = (column("tip_x"), column("tip_z"));
    Some((x.into_iter().zip(z).map(|(x, z)| [x, z]).collect(), column("strain_zz_mid")))
}

fn body() -> Option<FlexBody> {
    let mesh = read_mesh(shared("peers/shank_tet4.inp.gz")?).unwrap();
    Some(reduce(&mesh, 8, false).unwrap().0)
}

fn farthest(ours: &Swing, tip: &[[f64; 2]]) -> f64 {
    assert_eq!(ours.tip.len(), tip.len());
    ours.tip.iter().zip(tip).map(|(p, [x, z])| (p.x - x).hypot(p.z - z)).fold(0.0, f64::max)
}

/// Takes from a body the moment that its weight has because its centre of mass has moved with the deformation.
#[derive(Debug)]
struct WeightOfTheUndeformed {
    body: usize,
    knee: usize,
    mass: f64,
    com: Vec3,
}

impl ForceElement for WeightOfTheUndeformed {
    fn name(&self) -> &str {
        "weight of the undeformed body"
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let now = at.kin.bodies[self.body].X_GB.point(&at.kin.flexible[0].com);
        let undeformed = at.kin.bodies[self.knee].X_GB.point(&self.com);
        out.torque(self.knee, -(now - undeformed).cross(&(at.model.gravity * self.mass)));
    }
}

/// Exudyn 1.13 lets gravity act on the undeformed centre of mass (strains of 1e-6 move the tip by 2.5e-6 m in two
/// seconds). With that moment left out here too, the tip is the same to 1e-8 m and the strain to a thousandth of its
/// range.
#[test]
fn equals_exudyn() {
    let (Some((tip, strain)), Some(body)) = (reference(), body()) else { return };
    let m = body.mass_properties();
    let mut model = pendulum(body).unwrap();
    let index = |name: &str| model.body_index(name).unwrap();
    let weight = WeightOfTheUndeformed { body: index("shank"), knee: index("shank.knee"), mass: m.mass, com: m.com };
    model.add_force(Box::new(weight)).unwrap();
    let ours = swing(&model, STEP, 2.0).unwrap();
    let off = farthest(&ours, &tip);
    assert!(off < 1e-8, "tip off by {off} m");
    let range = strain.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
    let strained = ours.strain.iter().zip(&strain).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / range;
    assert!(strained < 1e-3, "strain off by {strained} of its range");
}

/// With the full weight the tip differs by the effect of that moment: a fraction of its path of the order of the
/// strain, 1e-6.
#[test]
fn whole_weight_moves_the_tip() {
    let (Some((tip, _)), Some(body)) = (reference(), body()) else { return };
    let off = farthest(&swing(&pendulum(body).unwrap(), STEP, 2.0).unwrap(), &tip);
    assert!((1e-6..3e-6).contains(&off), "tip off by {off} m");
}
