#![allow(missing_docs, clippy::all)]
use std::collections::HashMap;
use wolff_fem::material::Material;
use wolff_human::{LegMuscles, ReferenceWalk};
use wolff_human::walk::InverseWalk;
use wolff_walk::perform::*;
use wolff_walk::stage::*;
use wolff_walk::teach::Lesson;
use wolff_multibody::{Instant, Model, Kinematics};
use wolff_muscle::PathGeometry;
use wolff_spatial::Vec3;
use wolff_walk::ground::FloorParameters;

fn is_below(model: &Model, body: usize, top: usize) -> bool {
    let mut b = body;
    loop { if b == top { return true; } if b == 0 { return false; } b = model.bodies()[b].parent; }
}
fn contact(cast: &Cast, at: &Instant<'_>, tens: &[f64], net: Vec3, body: usize) -> Vec3 {
    let mut f = net; let mut g = PathGeometry::default();
    for (path, t) in cast.paths.iter().zip(tens) {
        path.solve_into(at, None, &mut g);
        for (a, b, u) in g.straight_parts() {
            if is_below(&cast.model, a.body, body) { f -= u * *t; }
            if is_below(&cast.model, b.body, body) { f += u * *t; }
        }
    }
    f
}
fn main() {
    let args: HashMap<String, String> = std::env::args().skip(1).filter_map(|a| a.split_once('=').map(|(k, v)| (k.to_string(), v.to_string()))).collect();
    let num = |k: &str, d: f64| args.get(k).map_or(d, |v| v.parse().unwrap());
    let path = args.get("walk").cloned().unwrap_or("crates/human/data/walk.json".into());
    let walk = ReferenceWalk::from_json(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut stage = StageSettings::default();
    let d = FloorParameters::default();
    stage.floor = FloorParameters { stiffness: num("k", d.stiffness), heel_factor: num("heel", d.heel_factor), damping: num("c", d.damping), exponent: num("e", d.exponent), full_damping_depth: num("dd", d.full_damping_depth), reference_depth: num("rd", d.reference_depth), heel_give: num("hg", d.heel_give), sole_give: num("sg", d.sole_give), ..d };
    let r = num("r", 0.03); stage.pad_radii = Vec3::new(num("rx", r), r, r);
    stage.servo.error = num("err", stage.servo.error); stage.servo.derivative_time = num("td", stage.servo.derivative_time);
    if args.get("passive").is_some_and(|p| p == "none") { stage.passive = PassiveRest::None; }
    if args.get("passive").is_some_and(|p| p == "standing") { stage.passive = PassiveRest::Standing; }
    stage.agent.stiffness = num("ax", stage.agent.stiffness); stage.agent.damping = num("adx", stage.agent.damping);
    stage.agent.side_stiffness = num("az", stage.agent.side_stiffness); stage.agent.side_damping = num("adz", stage.agent.side_damping);
    stage.agent.turn_stiffness = num("at", stage.agent.turn_stiffness); stage.agent.turn_damping = num("adt", stage.agent.turn_damping);
    let muscles = match args.get("muscles").map(String::as_str) { Some("all") => LegMuscles::All, _ => LegMuscles::Walking };
    let plan = WalkPlan { walk, muscles: PlanMuscles::Legs(muscles), strength: num("strength", 1.0), cycles: num("cycles", 3.0) as usize, step: num("h", 1e-3), sample: num("sample", 2e-3),
        bent_lesson: true, prescribed: false, stage, footing_steps: num("fh", 12.0) as usize,
        bones: BoneSettings { stature: 1.77, breadth: 1.0, sex: wolff_fem::bone::Sex::Male, bones: vec![], refinement: 1, cortical: Material::cortical_bone(), damping_ratio: 1.0, vibrations: 3, gauge_error: 1e-5, shaft_offset: None, tibia: None, fibula: false, cache: None } };
    let p = perform(&plan, &mut |_, _| true).unwrap();
    let f = &p.fidelity;
    println!("corr {:.4} {} axes {:.4?} legs {:.3} maxang {:.3} {} | ground r {:.4} {:.4} {:.4} rms {:.4} peaks {:.3?} wanted {:.3?} max {:.3} | agent {:.4} {:.4} effort {:.3}/{:.3} sat {:.4} ended {:?}",
        f.kinematics_correlation.value, f.kinematics_correlation.at, f.axis_correlation, f.leg_angle_rms.to_degrees(), f.angle_rms.value.to_degrees(), f.angle_rms.at, f.ground_correlation[1], f.ground_correlation[0], f.ground_correlation[2], f.ground_rms, f.ground_peaks, f.wanted_peaks, f.ground_max, f.agent_force, f.agent_moment, f.effort, p.lesson.report.effort, f.saturation, p.ended);
    if let Some(ft) = &p.footing { println!("footing change {:.3} deg, force error {:.4?}", ft.greatest_change.to_degrees(), ft.force_error); }
    if args.contains_key("changes") { changes(&plan.walk, &p.walk); }
    if args.contains_key("errors") {
        let n = p.record.times.len(); let per = (p.walk.constants.cycle_time / (p.record.times[1] - p.record.times[0])).round() as usize;
        for (name, track) in &p.lesson.coordinates { if name.ends_with("_l") { continue; } let Some(k) = p.cast.model.coordinate_index(name).and_then(|k| p.cast.model.position_of_speed(k)) else { continue };
            print!("{name:16}"); for j in 0..25 { let i = n - per + j * per / 25; let s = if name.contains("_t") && !name.contains("tilt") { 1e3 } else { 57.3 }; print!(" {:.2}", s * (p.record.q[i][k] - track.value(p.record.times[i]))); } println!(); }
        print!("free moment d/w "); for j in 0..25 { let i = n - per + j * per / 25; let g = p.walk.ground(p.record.times[i], wolff_human::walk::Foot::Right); print!(" {:.1}/{:.1}", p.record.ground[i][0].free_moment, g.moment.y); } println!();
        print!("fz d/w "); for j in 0..25 { let i = n - per + j * per / 25; let g = p.walk.ground(p.record.times[i], wolff_human::walk::Foot::Right); print!(" {:.0}/{:.0}", p.record.ground[i][0].force.z, g.force.z); } println!();
        print!("copx d/w "); for j in 0..16 { let i = n - per + j * per / 25; let g = p.walk.ground(p.record.times[i], wolff_human::walk::Foot::Right); print!(" {:.0}/{:.0}", 1e3*(p.record.ground[i][0].center.x-2.0*1.404), 1e3*(g.point.x-2.0*1.404)); } println!();
        print!("copz d/w "); for j in 0..16 { let i = n - per + j * per / 25; let g = p.walk.ground(p.record.times[i], wolff_human::walk::Foot::Right); print!(" {:.0}/{:.0}", 1e3*p.record.ground[i][0].center.z, 1e3*g.point.z); } println!();
    }
    if args.contains_key("sides") {
        let mut kin = Kinematics::new(&p.cast.model);
        let rigid = Cast::rigid(&p.walk.skeleton, &p.muscles).unwrap();
        let mut inv = InverseWalk::new(&p.walk, &rigid.model).unwrap();
        for name in ["pelvis", "thorax", "thigh_r", "shank_r", "foot_r", "toes_r", "toes_l"] {
            let (b, c) = (p.cast.model.body_index(name).unwrap(), rigid.model.body_index(name).unwrap());
            let mut e = vec![]; let mut w = vec![];
            for i in 0..p.record.times.len() { kin.update(&p.cast.model, &p.record.q[i], &p.record.v[i]); inv.move_to(p.record.times[i]);
                let com = rigid.model.bodies()[c].mass.com;
                let wz = inv.kin.bodies[c].X_GB.point(&com).z; let z = kin.bodies[b].X_GB.point(&com).z; e.push(z - wz); w.push(wz); }
            let n = e.len() as f64; let m = e.iter().sum::<f64>() / n; let mw = w.iter().sum::<f64>() / n;
            let se = (e.iter().map(|x| (x - m).powi(2)).sum::<f64>() / n).sqrt(); let sw = (w.iter().map(|x| (x - mw).powi(2)).sum::<f64>() / n).sqrt();
            println!("{name} z: wanted sd {:.2} mm, error mean {:.2} sd {:.2} mm", 1e3 * sw, 1e3 * m, 1e3 * se);
            if name == "toes_r" { let per = (p.walk.constants.cycle_time / (p.record.times[1] - p.record.times[0])) as usize; for k in 0..25 { print!("{:.1}/{:.1} ", 1e3 * (w[w.len() - per + k * per / 25] - mw), 1e3 * e[e.len() - per + k * per / 25]); } println!(); }
        }
    }
    // curves of the last stride
    let T = p.walk.constants.cycle_time; let bw = p.walk.constants.weight();
    let n = p.record.times.len(); let per = (T / (p.record.times[1] - p.record.times[0])).round() as usize;
    let start = n - per;
    let mut out = String::from("pct,fy,fyw,fx,fxw,fz,fzw\n");
    let (mut rate, mut ratew) = (0.0_f64, 0.0_f64); let dt = p.record.times[1] - p.record.times[0];
    let w = (0.01 / dt).round().max(1.0) as usize;
    for i in start..n {
        let t = p.record.times[i]; let g = &p.record.ground[i][0]; let wf = |a: usize, t: f64| p.lesson.ground[0][a].value(t) / bw;
        out += &format!("{:.3},{:.4},{:.4},{:.4},{:.4},{:.4},{:.4}\n", 100.0 * (t / T).fract(), g.force.y / bw, wf(1, t), g.force.x / bw, wf(0, t), g.force.z / bw, wf(2, t));
        let ph = (t / T).fract(); if ph < 0.2 && i >= w { rate = rate.max((g.force.y - p.record.ground[i - w][0].force.y) / bw / (w as f64 * dt)); ratew = ratew.max((wf(1, t) - wf(1, t - w as f64 * dt)) / (w as f64 * dt)); }
    }
    std::fs::write(args.get("csv").cloned().unwrap_or("/tmp/lab.csv".into()), out).unwrap();
    println!("loading rate {:.1} wanted {:.1} BW/s ratio {:.2}", rate, ratew, rate / ratew);
    // agent mean
    let mean: Vec<f64> = (0..p.driver.agent.len()).map(|k| p.record.agent[start..].iter().map(|r| r[k]).sum::<f64>() / per as f64).collect();
    println!("agent mean {:?}", p.driver.agent.iter().zip(&mean).map(|(a, m)| format!("{} {:.2}", a.name, m)).collect::<Vec<_>>());
    // joint contact forces from the lesson (inverse)
    let rigid = Cast::rigid(&p.walk.skeleton, &p.muscles).unwrap();
    let mut inv = InverseWalk::new(&p.walk, &rigid.model).unwrap();
    let joints = ["thigh_r", "shank_r", "foot_r"];
    let mut peaks = [[0.0_f64; 2]; 3]; let mut driven = [[0.0_f64; 2]; 3];
    let mut kin = Kinematics::new(&rigid.model); let _ = &mut kin;
    for k in 0..100 {
        let t = T * k as f64 / 100.0;
        let _ = inv.at(t);
        let tens: Vec<f64> = p.lesson.tensions.iter().map(|x| x.value(t)).collect();
        for (j, name) in joints.iter().enumerate() {
            let b = rigid.model.body_index(name).unwrap();
            let net = inv.joint_force(b).f;
            let c = contact(&rigid, &inv.instant(), &tens, net, b).norm() / bw;
            let h = usize::from(k > 30); if k < 65 { peaks[j][h] = peaks[j][h].max(c); }
            // driven tensions with wanted net force
            let i = start + (k * per / 100); let c = contact(&rigid, &inv.instant(), &p.record.tensions[i.min(n - 1)], net, b).norm() / bw;
            if k < 65 { driven[j][h] = driven[j][h].max(c); }
        }
    }
    println!("contact hip {:.2?} knee {:.2?} ankle {:.2?}   driven hip {:.2?} knee {:.2?} ankle {:.2?}", peaks[0], peaks[1], peaks[2], driven[0], driven[1], driven[2]);
    let show = ["soleus_r", "med_gas_r", "lat_gas_r", "tib_ant_r", "tib_post_r", "per_long_r", "per_brev_r", "rect_fem_r", "vas_lat_r", "vas_int_r", "vas_med_r", "iliacus_r", "psoas_r", "semimem_r", "bifemlh_r","bifemsh_r", "glut_max1_r", "glut_med1_r", "glut_med2_r", "glut_med3_r","tfl_r"];
    for name in show { if let Some(m) = p.muscles.muscles.iter().position(|m| m.name == name) {
        let l: Vec<f64> = (0..100).map(|k| p.lesson.tensions[m].value(T * k as f64 / 100.0)).collect();
        let (kp, pk) = l.iter().enumerate().fold((0, 0.0), |a, (k, v)| if *v > a.1 { (k, *v) } else { a });
        let (kd, dk) = (start..n).fold((0.0, 0.0), |a, i| if p.record.tensions[i][m] > a.1 { (100.0 * (p.record.times[i] / T).fract(), p.record.tensions[i][m]) } else { a });
        print!("{} {:.0}@{} d{:.0}@{:.0} /{:.0}; ", name, pk, kp, dk, kd, p.muscles.muscles[m].max_force);
    } }
    println!();
    let _: Option<&Lesson> = None;
}
#[allow(dead_code)]
fn changes(before: &ReferenceWalk, after: &ReferenceWalk) {
    let names = before.coordinate_names(); let T = before.constants.cycle_time;
    for n in ["hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_flexion_r", "ankle_flexion_r", "ankle_inversion_r", "toe_flexion_r"] {
        let k = names.iter().position(|m| m == n).unwrap();
        print!("{n:18}");
        for i in 0..50 { let t = T * i as f64 / 50.0; print!(" {:.1}", (after.coordinates(t).q[k] - before.coordinates(t).q[k]).to_degrees()); }
        println!();
    }
}
