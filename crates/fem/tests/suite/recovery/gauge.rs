use nalgebra::{Matrix3, Vector3, Vector6};
use wolff_fem::gauge::{GaugePlace, GaugeSite, GaugeSpec};
use wolff_fem::locate::Locator;
use wolff_fem::material::{Material, MaterialField};
use wolff_fem::recovery::Recovery;

use crate::{SHANK, assert_close, field, shank};

fn spec(place: GaugePlace) -> GaugeSpec {
    GaugeSpec { name: "anterior".into(), place, along: Vector3::new(0.0, 0.0, -2.0) }
}

fn place(spec: &GaugeSpec) -> Result<GaugeSite, wolff_fem::FemError> {
    let mesh = shank([1, 16, 8]).0;
    let materials = MaterialField::uniform(&mesh, &Material::cortical_bone()).unwrap();
    GaugeSite::place(spec, &Recovery::new(&mesh), &Locator::new(&mesh).unwrap(), &materials)
}

/// At the front of the tube: x along -z, z outwards, y = z × x; strain of a known field in these axes.
#[test]
fn axes_and_strain_on_the_round_surface() {
    let [length, _, outer] = SHANK;
    let point = Vector3::new(0.0, 0.0371, length / 2.0);
    let site = place(&spec(GaugePlace::Point { point, tolerance: 2e-4 })).unwrap();
    assert!((site.position - Vector3::new(0.0, outer, length / 2.0)).norm() < 1e-4 * outer);
    let expected = Matrix3::from_columns(&[-Vector3::z(), -Vector3::x(), Vector3::y()]);
    assert!((site.axes - expected).amax() < 5e-3, "{}", site.axes);
    // u = (a z, b y, c z): ε_zz = c, ε_yy = b, γ_zx = a; in the gauge's axes xx, zz, xy.
    let (a, b, c) = (2e-4, -3e-4, 5e-4);
    let mesh = shank([1, 16, 8]).0;
    let strain = site.strain(&field(&mesh, |x| Vector3::new(a * x.z, b * x.y, c * x.z)));
    assert!((strain - Vector6::new(c, 0.0, b, a, 0.0, 0.0)).amax() < 5e-3 * c, "{strain}");
    // 17 GPa along the bone is found along the gauge's x axis: compliance 1/E.
    let compliance = site.elasticity.try_inverse().unwrap();
    assert_close(1.0 / compliance[(0, 0)], 17e9, 1e-3 * 17e9);
    assert_close(1.0 / compliance[(1, 1)], 10e9, 1e-3 * 10e9);
    assert_close(1.0 / compliance[(3, 3)], 5e9, 1e-3 * 5e9);
}

/// A point on a node is that node; the nearest node is found.
#[test]
fn the_three_places_agree_at_a_node() {
    let mesh = shank([1, 16, 8]).0;
    let node = mesh.nodes().iter().position(|x| (x - Vector3::new(0.037, 0.0, SHANK[0] / 2.0)).norm() < 1e-12).unwrap();
    let at = mesh.nodes()[node];
    let by_node = place(&spec(GaugePlace::Node(node))).unwrap();
    let nearest = place(&spec(GaugePlace::NearestNode(at * 1.01))).unwrap();
    let by_point = place(&spec(GaugePlace::Point { point: at, tolerance: 1e-9 })).unwrap();
    assert_eq!(by_node, nearest);
    let u = field(&mesh, |x| Vector3::new((20.0 * x.z).sin(), x.x * x.y, (9.0 * x.z + x.x).cos()));
    assert!((by_node.strain(&u) - by_point.strain(&u)).amax() < 1e-9 * by_node.strain(&u).amax());
    assert!((by_node.axes - by_point.axes).amax() < 1e-9);
}

#[test]
fn misplaced_gauges_are_refused_with_the_reason() {
    let refused = |spec: &GaugeSpec, word: &str| {
        let message = place(spec).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let point = Vector3::new(0.0, 0.05, 0.2);
    refused(&spec(GaugePlace::Point { point, tolerance: 1e-3 }), "is 1.300e-2 m from the surface");
    refused(&spec(GaugePlace::Point { point, tolerance: f64::NAN }), "from the surface");
    refused(&spec(GaugePlace::Node(usize::MAX)), "no node");
    refused(&spec(GaugePlace::NearestNode(Vector3::repeat(f64::NAN))), "not finite");
    let across = GaugeSpec { along: Vector3::y(), ..spec(GaugePlace::NearestNode(Vector3::new(0.0, 0.037, 0.2))) };
    refused(&across, "along the normal");
    refused(&GaugeSpec { along: Vector3::zeros(), ..across }, "no direction");
}
