use super::support::wavy;
use wolff_geometry::nurbs::Mask;
use wolff_geometry::nurbs::file::{NamedSurface, read, write};

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
