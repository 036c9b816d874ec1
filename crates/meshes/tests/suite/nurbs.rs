use wolff_geometry::nurbs::Mask;
use wolff_geometry::{KnotVector, NurbsSurface};
use wolff_meshes::nurbs::{NamedSurface, read, write};
use wolff_spatial::{Pose, Quaternion, Vec3};

/// A small generator of repeatable numbers (a 64 bit linear congruence, upper bits).
struct Numbers(u64);

impl Numbers {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}

/// A bicubic, gently wavy plate of 60 x 80 mm with 15 x 20 control points, turned and moved; waves of `height` [m].
fn wavy(seed: u64, height: f64, rational: bool) -> NurbsSurface {
    let mut numbers = Numbers(seed);
    let (nu, nv) = (15, 20);
    let u = KnotVector::uniform("plate", 3, nu - 3).unwrap();
    let v = KnotVector::uniform("plate", 3, nv - 3).unwrap();
    let mut points = Vec::new();
    for i in 0..nu {
        for j in 0..nv {
            let (x, y) = (0.06 * i as f64 / (nu - 1) as f64, 0.08 * j as f64 / (nv - 1) as f64);
            let z = height * (70.0 * x).sin() * (55.0 * y).cos() + 0.1 * height * numbers.between(-1.0, 1.0);
            points.push(Vec3::new(x, y, z));
        }
    }
    let weights: Vec<f64> = points.iter().map(|_| numbers.between(0.8, 1.3)).collect();
    let plate = NurbsSurface::new(u, v, &points, rational.then_some(&weights[..])).unwrap();
    let turned = Quaternion::from_rotation_vector(&numbers.vector(2.0)).matrix();
    plate.transformed(&Pose::new(turned, numbers.vector(0.1)))
}

fn surfaces() -> Vec<NamedSurface> {
    let mask = Mask::new(2, 3, vec![true, true, false, true, true, true]).unwrap();
    let plain =
        NamedSurface { name: "medial \"plateau\"".into(), surface: wavy(1, 2e-3, false).reversed(), mask: Some(mask) };
    vec![plain, NamedSurface { name: "lateral".into(), surface: wavy(2, 2e-3, true), mask: None }]
}

#[test]
fn surfaces_survive_a_file() {
    let before = surfaces();
    let after = read(&write(&before).unwrap()).unwrap();
    assert_eq!(before[0], after[0]);
    assert_eq!((&before[1].name, &before[1].mask), (&after[1].name, &after[1].mask));
    // weighted points are divided by their weight and multiplied again
    for (a, b) in before[1].surface.net().iter().zip(after[1].surface.net()) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-16));
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    let text = write(&surfaces()).unwrap();
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        read(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(broken("wolff-nurbs", "other").contains("other version 1"));
    assert!(broken("\"version\":1", "\"version\":7").contains("version 7"));
    assert!(
        broken("\"degrees\":[3,3]", "\"degrees\":[4,3]")
            .contains("surface 0 'medial \"plateau\"': control_points: number of rows")
    );
    assert!(broken("\"110\"", "\"11\"").contains("mask[1]"));
    assert!(broken("\"110\"", "\"1x0\"").contains("mask[0]"));
    assert!(broken("\"outward\":false", "\"outwards\":false").contains("line 1 column"));
    assert!(broken("\"weights\":[[", "\"weights\":[[-1,").contains("weights[0]"));
    assert!(read("").is_err() && read("{\"format\":\"wolff-nurbs\",\"version\":1,\"surfaces\":[]}").is_err());
}
