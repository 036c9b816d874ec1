//! Forces beside the markers.

use crate::support::{edit, ground, of_both, only, walker};
use wolff_doctor::{Fault, Patient, Severity, examine, plate_sides};
use wolff_formats::trial::{ForcePlate, ForcePlateTrial, GroundWrench};

/// `ank` in `Shank` is not the ankle: a foot beside the plate is not told from its shank.
#[test]
fn a_shank_is_not_a_foot() {
    let named = edit(walker(), |m| {
        for marker in m.iter_mut().filter(|m| m.name.ends_with("Knee")) {
            marker.name = marker.name.replace("Knee", "Shank.Upper");
            marker.points.iter_mut().flatten().for_each(|p| p[1] = 0.3);
        }
        m.retain(|m| m.name.contains("Shank") || !["Heel", "Toe", "Ankle"].iter().any(|w| m.name.ends_with(w)));
    });
    // without markers of the feet nothing is said about them
    assert_eq!(of_both(&named, &ground(1000.0)), []);
}

#[test]
fn force_rates_that_do_not_fit_are_told() {
    assert!(only(of_both(&walker(), &ground(1050.0)), Fault::Rate).message.contains("not a whole multiple"));
}

fn with_plates(change: impl Fn(&mut ForcePlate)) -> ForcePlateTrial {
    let forces = ground(1000.0);
    let mut plates = forces.plates().to_vec();
    plates.iter_mut().for_each(change);
    ForcePlateTrial::new(1000.0, forces.times().to_vec(), plates, Vec::new()).unwrap()
}

#[test]
fn faults_of_the_force_plates_are_named() {
    let each = |change: fn(&mut GroundWrench)| with_plates(|p| p.samples.iter_mut().flatten().for_each(change));
    let cases = [
        (each(|s| s.force = s.force.map(|x| -x)), Fault::ForceDirection, "change the sign"),
        (each(|s| s.force = [s.force[0], s.force[2], s.force[1]]), Fault::ForceDirection, "different axes"),
        (each(|s| s.point = s.point.map(|p| [p[0], p[1], p[2] + 0.8])), Fault::PlateNotUnderFoot, "plates exchanged"),
        (each(|s| s.point = None), Fault::ForceGap, "export the forces again"),
        (with_plates(|p| p.samples[5] = None), Fault::ForceGap, "export the forces again"),
        (
            with_plates(|p| p.corners = Some([[9.0, 0.0, 1.0], [8.0, 0.0, 1.0], [8.0, 0.0, 0.0], [9.0, 0.0, 0.0]])),
            Fault::OffPlate,
            "wrong origin",
        ),
    ];
    for (forces, fault, words) in cases {
        let findings = of_both(&walker(), &forces);
        assert_eq!(
            findings.iter().map(|f| (f.fault, f.subjects.join(" "))).collect::<Vec<_>>(),
            [(fault, "R".into()), (fault, "L".into())]
        );
        assert!(findings[0].remedy.contains(words), "{findings:#?}");
    }
}

/// Sides by the names of the bodies, forces that start at another time, horizontal components of the wrong sign, and
/// forces of nobody.
#[test]
fn forces_that_do_not_belong_to_the_feet_are_told() {
    let markers = walker();
    let named = |names: [&str; 2]| {
        let forces = ground(1000.0);
        let mut plates = forces.plates().to_vec();
        plates.iter_mut().zip(names).for_each(|(p, name)| p.name = name.into());
        ForcePlateTrial::new(1000.0, forces.times().to_vec(), plates, Vec::new()).unwrap()
    };
    assert_eq!(plate_sides(&markers, &named(["calcn_r", "calcn_l"]), true), []);
    let exchanged = named(["calcn_l", "calcn_r"]);
    let errors = plate_sides(&markers, &exchanged, true);
    assert_eq!(errors.len(), 2);
    assert!(errors[0].severity == Severity::Error && errors[0].message.contains("under the right foot"), "{errors:?}");
    assert_eq!(plate_sides(&markers, &exchanged, false)[0].severity, Severity::Warning);

    let forces = ground(1000.0);
    let later = forces.times().iter().map(|t| t + 0.25).collect();
    let shifted = ForcePlateTrial::new(1000.0, later, forces.plates().to_vec(), Vec::new()).unwrap();
    let found = of_both(&markers, &shifted);
    assert!(found.iter().any(|f| f.fault == Fault::PlateNotUnderFoot), "{found:#?}");

    let turned = with_plates(|p| p.samples.iter_mut().flatten().for_each(|s| s.force[0] = -s.force[0]));
    let found = only(of_both(&markers, &turned), Fault::ForceDirection);
    assert!(found.message.contains("along x points away"), "{found}");

    let nobody = with_plates(|p| p.samples.iter_mut().flatten().for_each(|s| s.force = s.force.map(|x| 1e-3 * x)));
    let found = only(of_both(&markers, &nobody), Fault::PartialContact);
    assert!(found.remedy.contains("kN"), "{found}");
    let giant = with_plates(|p| p.samples.iter_mut().flatten().for_each(|s| s.force = s.force.map(|x| 20.0 * x)));
    assert!(only(of_both(&markers, &giant), Fault::Mass).remedy.contains("scale of the channels"));
}

#[test]
fn a_mass_in_pounds_is_named() {
    let forces = ground(1000.0);
    let by_height = examine(&Patient { mass: Some(154.0), height: Some(1.75), ..Patient::default() });
    assert!(only(by_height, Fault::Mass).remedy.contains("69.9 kg"));
    let by_force = examine(&Patient { mass: Some(154.0), forces: Some(&forces), ..Patient::default() });
    // forces alone do not tell whether the whole subject is on the plates
    let part = only(by_force, Fault::PartialContact);
    assert!(part.message.contains("0.73 of the weight") && part.remedy.contains("pounds"), "{part}");
    assert!(examine(&Patient { mass: Some(-1.0), ..Patient::default() })[0].message.contains("-1 kg"));
}

fn told_of_plates(change: impl Fn(&mut ForcePlate)) -> Vec<wolff_doctor::Finding> {
    let forces = with_plates(change);
    examine(&Patient { forces: Some(&forces), ..Patient::default() })
}

#[test]
fn spikes_and_saturated_amplifiers_are_told() {
    let loaded = |p: &ForcePlate| p.samples.iter().position(|s| s.is_some_and(|s| s.force[1] > 500.0)).unwrap();
    let spike = told_of_plates(|p| {
        let i = loaded(p);
        p.samples[i].as_mut().unwrap().force[1] = 8000.0;
    });
    assert!(spike.iter().any(|f| f.fault == Fault::ForceChannel && f.message.contains("up to 800")), "{spike:?}");
    let flat = told_of_plates(|p| {
        p.samples.iter_mut().flatten().for_each(|s| s.force[1] = s.force[1].min(800.0));
    });
    assert!(flat.iter().any(|f| f.fault == Fault::ForceChannel && f.message.contains("exactly 800.0 N")), "{flat:?}");
    assert_eq!(told_of_plates(|_| ()), []);
}

#[test]
fn forces_that_end_early_are_told() {
    let forces = ground(1000.0);
    let part = |n: usize| {
        let plates = forces.plates().iter().cloned();
        let plates = plates.map(|p| ForcePlate { samples: p.samples[..n].to_vec(), ..p }).collect();
        ForcePlateTrial::new(1000.0, forces.times()[..n].to_vec(), plates, Vec::new()).unwrap()
    };
    let found = of_both(&walker(), &part(1500));
    assert!(found.iter().any(|f| f.fault == Fault::Rate && f.message.contains("no force is known")), "{found:?}");
    assert!(of_both(&walker(), &part(2980)).iter().all(|f| f.fault != Fault::Rate));
}

/// A mass that is too large is refused, one that is a little too large is told.
#[test]
fn masses_above_what_the_plates_carry_are_told() {
    let (walk, forces) = (walker(), ground(1000.0));
    let of = |mass: f64| {
        let patient = Patient { markers: Some(&walk), forces: Some(&forces), mass: Some(mass), height: None };
        examine(&patient).first().map(|f| f.severity)
    };
    let severities: Vec<Option<Severity>> = [70.0, 200.0].map(of).to_vec();
    assert_eq!(severities, [None, Some(Severity::Error)]);
}
