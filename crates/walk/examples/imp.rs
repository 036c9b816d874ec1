use std::path::PathBuf;
use wolff_human::anthropometry::Sex;
use wolff_human::rescale::RescaleSettings;
use wolff_human::*;
use wolff_motion::SubjectModel;
use wolff_walk::bone::*;
use wolff_walk::imported::*;
use wolff_walk::perform::*;
use wolff_walk::stage::StageSettings;
use wolff_walk::trial::*;
use wolff_fem::material::Material;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let flexible = a.iter().any(|x| x == "bone");
    let show = a.iter().any(|x| x == "show");
    let (walk, muscles, trial) = if a[0] == "own" {
        (ReferenceWalk::embedded().unwrap(), PlanMuscles::Legs(LegMuscles::Walking), None)
    } else if a.len() > 2 && a[1].contains('/') {
        let files = TrialFiles { model: PathBuf::from(&a[0]), markers: PathBuf::from(&a[1]), forces: PathBuf::from(&a[2]), tasks: None };
        let p = if a.iter().any(|x| x == "person") { Performer::Person } else { Performer::Model };
        let mut t = read_trial(&files, &Person { mass: None, stature: None, sex: Sex::Male }, p, if a.iter().any(|x| x == "sym") { Symmetry::Yes } else { if std::env::var("APART").is_ok() { Symmetry::Auto } else { Symmetry::Yes } }).unwrap();
        println!("before {:?}\nafter {:?} angle change {:?} asym {:?}", t.before, t.after, t.angle_change, t.asymmetry);
        let m = t.muscles.take();
        (t.walk.clone(), m.map_or(PlanMuscles::Legs(LegMuscles::Walking), PlanMuscles::Given), Some(t))
    } else {
        let person = ImportedPerson::new(&SubjectModel::read(&PathBuf::from(&a[0])).unwrap()).unwrap();
        for r in &person.remarks { println!(" - {}", &r[..r.len().min(200)]); }
        println!("{:?}", person.names);
        let (s, r) = walk_on_model(&ReferenceWalk::embedded().unwrap(), &person, Sex::Male, None, &RescaleSettings::default()).unwrap();
        println!("mass {} stature {} speed {} before {:?}\nafter {:?}", s.mass, s.stature, r.walk.constants.speed, r.before, r.after);
        (r.walk, PlanMuscles::Given(person.muscles), None)
    };
    let bones = if flexible { vec![BoneName::TibiaRight] } else { vec![] };
    let num = |n: &str| std::env::var(n).ok().map(|v| v.parse::<f64>().unwrap());
    let mut stage = StageSettings::default();
    if let Some(x) = num("SE") { stage.servo.error = x; }
    if let Some(x) = num("SD") { stage.servo.derivative_time = x; }
    if let Some(x) = num("RES") { stage.reserve = x; }
    if let Some(x) = num("PAD") { stage.pad_radii = wolff_spatial::Vec3::new(x, x, x); }
    if let Some(x) = num("PADL") { stage.pad_radii.x = x; }
    if let Some(x) = num("AGS") { stage.agent.side_stiffness = x; }
    if let Some(x) = num("AGD") { stage.agent.side_damping = x; }
    if let Some(x) = num("ATS") { stage.agent.turn_stiffness = x; }
    if let Some(x) = num("ATD") { stage.agent.turn_damping = x; }
    if let Some(x) = num("AXS") { stage.agent.stiffness = x; }
    if let Some(x) = num("AXD") { stage.agent.damping = x; }
    let step = num("STEP").unwrap_or(1e-3);
    let strength = num("STR").unwrap_or(1.0);
    let plan = WalkPlan { walk, muscles, strength, cycles: num("CYC").unwrap_or(3.0) as usize, step, sample: 2e-3, bent_lesson: true, prescribed: false, stage, footing_harmonics: num("FH").unwrap_or(8.0) as u32,
        bones: BoneSettings { bones, refinement: 1, cortical: Material::cortical_bone(), damping_ratio: 1.0, vibrations: 3, gauge_error: 2e-5, shaft_offset: None, tibia: None, fibula: false, cache: Some("/tmp/impcache".into()) } };
    let t0 = std::time::Instant::now();
    let p = perform(&plan, &mut |_, _| true).unwrap();
    println!("{:.2} s; ended {:?}", t0.elapsed().as_secs_f64(), p.ended);
    let f = &p.fidelity;
    println!("kin {:.4} {} axes {:.3?} angle {:.2} {} leg {:.2}", f.kinematics_correlation.value, f.kinematics_correlation.at, f.axis_correlation, f.angle_rms.value.to_degrees(), f.angle_rms.at, f.leg_angle_rms.to_degrees());
    println!("ground {:.4?} rms {:.3} peaks {:.3?} wanted {:.3?} max {:.3} agent {:.2} % {:.2} % effort {:.3} sat {:.4}", f.ground_correlation, f.ground_rms, f.ground_peaks, f.wanted_peaks, f.ground_max, 100.*f.agent_force, 100.*f.agent_moment, f.effort, f.saturation);
    println!("report {:?}", p.lesson.report);
    if let Some(ft) = &p.footing { println!("footing change {:.4} err {:.4?}", ft.greatest_change, ft.force_error); }
    if let Some(t) = trial { let g = ground_match(&t.gait, &t.stances, &p.record, p.walk.constants.weight()).unwrap(); println!("measured r {:.4?} peaks {:.3?}", g.correlation, g.peaks); }
    for b in &p.bones { if let Some(g) = b.gauges.first() { println!("{} {:?}", g.gauge, b.report().frequencies.len()); } }
    if a.iter().any(|x| x == "fall") {
        let names = ["pelvis_ty","pelvis_tz","pelvis_list","hip_flexion_r","hip_adduction_r","hip_rotation_r","knee_flexion_r","ankle_flexion_r","ankle_inversion_r","knee_flexion_l","hip_adduction_l","ankle_inversion_l","lumbar_extension","arm_flex_r"];
        for i in (0..p.record.times.len()).step_by(25) { let t = p.record.times[i];
            let s: Vec<String> = names.iter().map(|n| { let k = p.cast.model.coordinate_index(n).unwrap(); let w = p.lesson.coordinates.iter().find(|(x, _)| x == n).unwrap().1.value(t); let q = p.record.q[i][p.cast.model.position_of_speed(k).unwrap()]; let u = if n.starts_with("pelvis_t") {1e3} else {57.3}; format!("{}:{:.1}({:+.1})", &n[..n.len().min(9)], q*u, (q-w)*u) }).collect();
            println!("{:.2} {}", t, s.join(" ")); }
    }
    if show {
        let w = p.walk.constants.weight();
        let n = p.record.times.len();
        let cyc = (p.walk.constants.cycle_time / 2e-3) as usize;
        for i in ((n - cyc)..n).step_by(20) {
            let a = &p.record.agent[i];
            let s: Vec<String> = p.driver.agent.iter().zip(a).map(|(s, f)| format!("{} {:.1}", &s.name[7..], f)).collect();
            let t = p.record.times[i];
            let g = &p.record.ground[i];
            let want: Vec<f64> = (0..3).map(|k| (p.lesson.ground[0][k].value(t) + p.lesson.ground[1][k].value(t)) / w).collect();
            println!("{:.3} {} | {:.3} {:.3} {:.3} want {:.3?}", t, s.join(" "), (g[0].force.x+g[1].force.x)/w, (g[0].force.y+g[1].force.y)/w, (g[0].force.z+g[1].force.z)/w, want);
        }
        {
            use wolff_multibody::*;
            let rigid = Model::build(&p.walk.skeleton.spec().unwrap()).unwrap();
            let mut inv = wolff_human::walk::InverseWalk::new(&p.walk, &rigid).unwrap();
            let mut kin = Kinematics::new(&p.cast.model);
            let inv0 = plan.walk.clone();
            let mut inv0 = wolff_human::walk::InverseWalk::new(&inv0, &rigid).unwrap();
            for i in ((n - cyc)..n).step_by(13) {
                let t = p.record.times[i];
                kin.update(&p.cast.model, &p.record.q[i], &p.record.v[i]);
                let b = |m: &Model, k: &Kinematics, name: &str| k.bodies[m.body_index(name).unwrap()].X_GB;
                let yaw = |x: wolff_spatial::Pose| (x.R[(2,0)]).atan2(x.R[(0,0)]).to_degrees();
                let roll = |x: wolff_spatial::Pose| (x.R[(1,2)]).asin().to_degrees();
                let pitch = |x: wolff_spatial::Pose| (x.R[(1,0)]).asin().to_degrees();
                let f0 = b(&rigid, inv0.move_to(t).kin, "foot_r");
                let f = b(&rigid, inv.move_to(t).kin, "foot_r");
                let tw = b(&rigid, inv.move_to(t).kin, "toes_r");
                let g = b(&p.cast.model, &kin, "foot_r"); let tg = b(&p.cast.model, &kin, "toes_r");
                println!("{:.3} z {:.1} {:.1} {:.1} toes {:.1} {:.1} y {:.1} {:.1} {:.1} yaw {:.1} {:.1} {:.1} roll {:.1} {:.1} {:.1} pitch {:.1} {:.1} {:.1}  F {:.2} {:.2}", t / p.walk.constants.cycle_time % 1.0, f0.p.z*1e3, f.p.z*1e3, g.p.z*1e3, tw.p.z*1e3, tg.p.z*1e3, f0.p.y*1e3, f.p.y*1e3, g.p.y*1e3, yaw(f0), yaw(f), yaw(g), roll(f0), roll(f), roll(g), pitch(f0), pitch(f), pitch(g), p.record.ground[i][0].force.y/w, p.lesson.ground[0][1].value(t)/w);
            }
        }
        let mut e: Vec<(String, f64)> = p.lesson.coordinates.iter().map(|(name, tr)| { let k = p.cast.model.coordinate_index(name).unwrap(); let q = p.cast.model.position_of_speed(k).unwrap();
            let s: f64 = p.record.times.iter().zip(&p.record.q).map(|(t, r)| (r[q] - tr.value(*t)).powi(2)).sum(); (name.clone(), (s / n as f64).sqrt().to_degrees()) }).collect();
        e.sort_by(|a, b| b.1.total_cmp(&a.1)); println!("{:?}", &e[..12]);
    }
}
