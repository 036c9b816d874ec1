//! OpenSim models as persons: they move, weigh and pull as the model of the file does, and they walk.

use crate::simulate::plan;
use std::path::PathBuf;
use wolff_anatomy::Sex;
use wolff_evidence::ground_match;
use wolff_movement::imported::ImportedPerson;
use wolff_movement::measured::{Person, SkeletonChoice, Symmetry, TrialFiles, read_trial, walk_on_model};
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::rescale::RescaleSettings;
use wolff_movement::simulate::{MovementPlan, PlanMuscles, simulate_movement};
use wolff_multibody::spec::{ConstraintKind, ConstraintSpec, FrameSpec};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_muscle::Path;
use wolff_opensim::OpensimSubject;
use wolff_spatial::Vec3;
use wolff_testdata::shared;

/// Models whose knees roll, with patellae that follow (two), with knees that flex by negative angles and points that move, with feet in one piece.
const MODELS: [&str; 4] = [
    "rajagopal-walk/subject_walk_scaled.osim",
    "addbiomechanics-walk/subject01/processed/optimized_scale_and_markers.osim",
    "opensim-models/gait2392_thelen2003muscle.osim",
    "gait1992-pipeline/scale/model_scaled.osim",
];

fn model(name: &str) -> Option<OpensimSubject> {
    shared(&format!("data/{name}")).map(|path: PathBuf| OpensimSubject::read(&path).unwrap())
}

/// A model somewhere: coordinates, and what follows from them.
struct Somewhere<'a> {
    model: &'a Model,
    q: Vec<f64>,
    v: Vec<f64>,
    kin: Kinematics,
}

impl<'a> Somewhere<'a> {
    fn new(model: &'a Model) -> Self {
        let (q, v) = (vec![0.0; model.nq()], vec![0.0; model.nv()]);
        Somewhere { model, q, v, kin: Kinematics::new(model) }
    }

    fn set(&mut self, coordinate: &str, value: f64) {
        let k = self.model.coordinate_index(coordinate).unwrap();
        self.q[self.model.position_of_speed(k).unwrap()] = value;
    }

    fn at(&mut self) -> Instant<'_> {
        self.kin.update(self.model, &self.q, &self.v);
        Instant { t: 0.0, model: self.model, kin: &self.kin, q: &self.q, v: &self.v, approach_speed: None }
    }

    /// Centre of mass of the whole in the axes of the pelvis, from the right hip [m].
    fn centre(&mut self, pelvis: &str, thigh: &str) -> Vec3 {
        let at = self.at();
        let place = |name: &str| at.kin.bodies[at.model.body_index(name).unwrap()].X_GB;
        let moments = at.model.bodies().iter().zip(&at.kin.bodies).skip(1);
        let sum = moments.map(|(b, k)| k.X_GB.point(&b.mass.com) * b.mass.mass).sum::<Vec3>();
        place(pelvis).R.transpose() * (sum / at.model.total_mass() - place(thigh).p)
    }
}

/// Puts the file's model and the person into the same pose: every angle of the person at a share of its range.
fn pose(
    subject: &OpensimSubject,
    person: &ImportedPerson,
    seed: usize,
    file: &mut Somewhere<'_>,
    own: &mut Somewhere<'_>,
) {
    for (i, (here, there)) in person.names.iter().enumerate() {
        let share = ((seed * 37 + i * 53) % 101) as f64 / 101.0;
        let range = subject.converted.coordinates.iter().find(|c| c.name == *there).map(|c| c.range);
        let [low, high] = if here.starts_with("knee") { range.unwrap_or([-0.1, 1.5]) } else { [-0.4, 0.5] };
        let value = low + share * (high - low);
        if file.model.coordinate_index(there).is_some() {
            file.set(there, value);
            own.set(here, value);
        }
    }
    for c in &subject.converted.spec.constraints {
        if let ConstraintKind::Coupler { dependent, independent, function } = &c.kind {
            let k = file.model.coordinate_index(independent).unwrap();
            let leader = file.q[file.model.position_of_speed(k).unwrap()];
            file.set(dependent, function.value(leader));
        }
    }
}

/// Lengths of all muscles in many poses, with rolling knees and absorbed patellae: as in the file to a micrometre. Toes that were fixed stay straight.
#[test]
fn muscles_are_as_long_as_in_the_file() {
    for name in MODELS {
        let Some(subject) = model(name) else { return };
        let person = ImportedPerson::new(&subject).unwrap();
        let built = Model::build(&person.skeleton.spec().unwrap()).unwrap();
        assert_eq!(built.nc(), 0, "{name} still has constraints");
        let theirs: Vec<Path> =
            subject.converted.muscles.iter().map(|m| Path::new(&m.path, &subject.subject.model).unwrap()).collect();
        let ours: Vec<Path> = person.muscles.muscles.iter().map(|m| Path::new(&m.path, &built).unwrap()).collect();
        let (mut file, mut own) = (Somewhere::new(&subject.subject.model), Somewhere::new(&built));
        for seed in 0..6 {
            pose(&subject, &person, seed, &mut file, &mut own);
            for c in subject.subject.coordinates.iter().filter(|c| c.name.starts_with("mtp")) {
                let locked = subject.converted.coordinates.iter().any(|x| x.name == c.name && x.locked);
                if locked {
                    let side = &c.name[c.name.len() - 1..];
                    file.set(&c.name, 0.0);
                    own.set(&format!("toe_flexion_{side}"), 0.0);
                }
            }
            let (there, here) = (file.at(), own.at());
            for (a, b) in theirs.iter().zip(&ours) {
                let (a_length, b_length) = (a.solve(&there, None).length, b.solve(&here, None).length);
                let off = (a_length - b_length).abs();
                assert!(off < 1e-6, "{name}, {}: {a_length} m in the file, {b_length} m here", a.name());
            }
        }
    }
}

/// Moment arms about a knee whose patella was absorbed: the gradient of the length is its slope, by central differences.
#[test]
fn moment_arms_over_an_absorbed_patella_are_slopes_of_the_length() {
    let Some(subject) = model(MODELS[0]) else { return };
    let person = ImportedPerson::new(&subject).unwrap();
    let built = Model::build(&person.skeleton.spec().unwrap()).unwrap();
    let knee = built.coordinate_index("knee_flexion_r").unwrap();
    let muscle = person.muscles.muscles.iter().find(|m| m.name == "vaslat_r").unwrap();
    let path = Path::new(&muscle.path, &built).unwrap();
    let mut own = Somewhere::new(&built);
    for angle in [0.1, 0.5, 1.0] {
        let mut length = |q: f64| {
            own.set("knee_flexion_r", q);
            let at = own.at();
            let geometry = path.solve(&at, None);
            (geometry.length, path.moment_arm(&geometry, &at, knee))
        };
        let h = 1e-5;
        let slope = (length(angle + h).0 - length(angle - h).0) / (2.0 * h);
        let arm = length(angle).1;
        assert!((arm + slope).abs() < 1e-7, "at {angle} rad: arm {arm} m, slope {slope} m");
        assert!(arm.abs() > 0.01, "the quadriceps has a lever: {arm} m");
    }
}

/// Mass and its centre: the same but for patellae (two of 0.09 kg that glide by up to 5 cm, of 75 kg), which now rest on the thigh.
#[test]
fn the_whole_weighs_what_it_weighs_in_the_file() {
    for name in MODELS {
        let Some(subject) = model(name) else { return };
        let person = ImportedPerson::new(&subject).unwrap();
        let built = Model::build(&person.skeleton.spec().unwrap()).unwrap();
        assert!((built.total_mass() - subject.mass()).abs() < 1e-9);
        let (mut file, mut own) = (Somewhere::new(&subject.subject.model), Somewhere::new(&built));
        for seed in 0..4 {
            pose(&subject, &person, seed, &mut file, &mut own);
            let off = (file.centre("pelvis", "femur_r") - own.centre("pelvis", "thigh_r")).norm();
            assert!(off < 2e-4, "{name}: centre {off} m off");
        }
    }
}

/// Segments have the frames of a person: the joint below on -y, the foot's origin at the ankle, the hips beside the pelvis' origin.
#[test]
fn segments_have_the_frames_of_a_person() {
    for name in MODELS {
        let Some(subject) = model(name) else { return };
        let person = ImportedPerson::new(&subject).unwrap();
        let joint = |segment: &str| person.skeleton.segment(segment).unwrap().joint;
        for side in ["r", "l"] {
            for below in [format!("shank_{side}"), format!("talus_{side}")] {
                let p = joint(&below);
                assert!(p.x.abs() < 1e-9 && p.z.abs() < 1e-9 && p.y < -0.3, "{name}: {below} at {p:?}");
            }
            assert!(joint(&format!("foot_{side}")).norm() < 1e-9);
        }
        assert!((joint("thigh_r") + joint("thigh_l")).norm() < 1e-9);
        let points = person.skeleton.contacts.iter().filter(|c| c.name.ends_with("_l")).count();
        assert_eq!((points, person.skeleton.contacts.len()), (7, 14));
    }
}

/// A loop and a joint that slides are refused, with the remedy.
#[test]
fn what_cannot_be_driven_is_refused() {
    let Some(mut subject) = model(MODELS[3]) else { return };
    let (a, b) = (FrameSpec::at("ground", Vec3::zeros()), FrameSpec::at("calcn_r", Vec3::zeros()));
    let kind = ConstraintKind::Weld { a, b };
    subject.converted.spec.constraints.push(ConstraintSpec { name: "glued foot".into(), kind });
    let message = ImportedPerson::new(&subject).unwrap_err().to_string();
    assert!(message.contains("glued foot") && message.contains("closes a kinematic loop"), "{message}");
}

/// The embedded walk on a model that has other legs, a foot in three parts and 80 muscles: it walks, nearly unaided.
#[test]
fn a_model_walks_as_the_embedded_person_does() {
    let Some(subject) = model(MODELS[0]) else { return };
    let person = ImportedPerson::new(&subject).unwrap();
    let embedded = ReferenceWalk::embedded().unwrap();
    let (who, carried) = walk_on_model(&embedded, &person, Sex::Male, None, &RescaleSettings::default()).unwrap();
    assert!((who.mass - subject.mass()).abs() < 1e-9 && carried.after.is_good(), "{:?}", carried.after);
    let muscles = PlanMuscles::Given(person.muscles);
    let done = simulate_movement(&MovementPlan { walk: carried.walk, muscles, ..plan(2) }, &mut |_, _| true).unwrap();
    let f = &done.fidelity;
    assert!(done.ended.is_none() && f.ground_correlation[1] > 0.95 && f.agent_force < 0.06, "{f:?}");
}

/// A model performs its own trial: ground force as measured, by the muscles of the model.
#[test]
fn a_model_performs_its_own_trial() {
    let folder = "data/addbiomechanics-walk/subject01/processed";
    let file = |name: &str| shared(&format!("{folder}/{name}"));
    let Some(model) = file("optimized_scale_and_markers.osim") else { return };
    let (markers, forces) = (file("walk2.trc").unwrap(), file("walk2_grf.mot").unwrap());
    let files = TrialFiles { model, markers, forces, tasks: None, reading: Default::default(), force_axes: None };
    let anyone = Person { mass: None, stature: None, sex: Sex::Male, ankle: None };
    let mut trial = read_trial(&files, &anyone, SkeletonChoice::Model, Symmetry::Yes).unwrap();
    let muscles = PlanMuscles::Given(trial.muscles.take().unwrap());
    let done =
        simulate_movement(&MovementPlan { walk: trial.walk.clone(), muscles, ..plan(2) }, &mut |_, _| true).unwrap();
    let weight = done.walk.constants.weight();
    let measured = ground_match(&trial.gait, &trial.stances, &done.record, weight).unwrap();
    assert!(done.ended.is_none() && measured.correlation[1] > 0.98, "{measured:?}");
    assert!(done.fidelity.agent_force < 0.03, "{:?}", done.fidelity);
}
