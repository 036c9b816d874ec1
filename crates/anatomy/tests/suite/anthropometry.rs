//! Segments from mass and height.

use crate::support::*;
use wolff_anatomy::anthropometry::*;

#[test]
fn tables_are_whole_bodies_in_the_order_of_their_parts() {
    for sex in [Sex::Male, Sex::Female] {
        let subject = Subject::new("someone", 70.0, 1.7, sex, None).unwrap();
        let mut total = 0.0;
        for (i, row) in sex.table().iter().enumerate() {
            assert_eq!(row.part as usize, i);
            let sides = if i < 4 { 1.0 } else { 2.0 };
            total += sides * subject.part(row.part).mass;
        }
        close(total, 70.0, 1e-12, 70.0);
        // printed shares add up to one but for rounding
        let printed: f64 = sex.table().iter().enumerate().map(|(i, r)| if i < 4 { r.mass } else { 2.0 * r.mass }).sum();
        close(printed, 1.0, 1.5e-4, 1.0);
    }
}

#[test]
fn parts_of_the_trunk_make_the_trunk() {
    // de Leva's row of the whole trunk: 43.46 % and 42.57 % of the mass, 531.9 and 529.3 mm, centre at 44.86 % and 41.51 %
    for (table, mass, length, centre) in [(MALE, 0.4346, 531.9, 0.4486), (FEMALE, 0.4257, 529.3, 0.4151)] {
        let parts = &table[1..4];
        close(parts.iter().map(|r| r.mass).sum(), mass, 1e-9, 1.0);
        close(parts.iter().map(|r| r.length_mm).sum(), length, 1e-9, length);
        let (mut above, mut moment) = (0.0, 0.0);
        for r in parts {
            moment += r.mass * (above + r.centre * r.length_mm);
            above += r.length_mm;
        }
        // the regressions of the parts and of the whole agree within 3.1 mm (men) and 0.1 mm (women)
        close(moment / mass, centre * length, 3.1, 1.0);
    }
}

#[test]
fn the_centre_of_a_shank_does_not_depend_on_where_it_ends() {
    // de Leva's rows to the lateral malleolus and to the tip of the tibia: length [mm], share; printed to 0.1 mm and 0.01 %
    let rows = [(MALE, [(434.0, 0.4459), (427.7, 0.4524)]), (FEMALE, [(432.3, 0.4416), (426.0, 0.4481)])];
    for (table, alternatives) in rows {
        let shank = &table[BodyPart::Shank as usize];
        for (length, centre) in alternatives {
            close(shank.centre * shank.length_mm, centre * length, 0.09, 1.0);
        }
    }
}

#[test]
fn a_thigh_is_what_the_formula_says() {
    let thigh = Subject::preset("reference").unwrap().part(BodyPart::Thigh);
    close(thigh.length, 0.4292, 1e-4, 1.0);
    close(thigh.mass, 10.62, 1e-9, 1.0);
    close(thigh.inertia.y, 10.62 * (0.149 * thigh.length).powi(2), 1e-12, 1.0);
}

#[test]
fn presets_are_known_and_nonsense_is_refused() {
    for name in Subject::preset_names() {
        assert_eq!(Subject::preset(name).unwrap().name, name);
    }
    let first = Subject::preset("al-nazer-1").unwrap();
    assert_eq!((first.mass, first.stature, first.age, first.speed), (89.0, 1.84, Some(25.0), Some(1.47)));
    assert_eq!(Subject::preset("al-nazer-3").unwrap().speed, None);
    assert!(Subject::preset("nobody").unwrap_err().to_string().contains("al-nazer-2"));
    let new = |mass, stature, age| Subject::new("x", mass, stature, Sex::Female, age).map(|_| ());
    assert!(new(75.0, 177.0, None).unwrap_err().to_string().contains("metres"));
    assert!(new(f64::NAN, 1.77, None).is_err());
    assert!(new(75.0, 1.77, Some(-1.0)).is_err());
}
