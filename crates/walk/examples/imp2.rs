use std::path::PathBuf;
use wolff_human::anthropometry::Sex;
use wolff_walk::trial::*;
use wolff_human::walk::*;
use wolff_multibody::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let files = TrialFiles { model: PathBuf::from(&a[0]), markers: PathBuf::from(&a[1]), forces: PathBuf::from(&a[2]), tasks: None };
    let p = if a.iter().any(|x| x == "person") { Performer::Person } else { Performer::Model };
    let t = read_trial(&files, &Person { mass: None, stature: None, sex: Sex::Male }, p, Symmetry::Auto).unwrap();
    println!("{:?} {:?}", t.gait, t.walk.constants);
    for s in &t.stances { println!("stance foot {} strike {:?} leave {:?} n {} first {:?} last {:?}", s.foot, s.strike, s.leave, s.samples.len(), s.samples.first().map(|x| x.time), s.samples.last().map(|x| x.time)); }
    for r in &t.remarks { println!(" - {}", &r[..r.len().min(160)]); }
    for w in [t.raw.as_ref().unwrap(), &t.walk] {
        let model = Model::build(&w.skeleton.spec().unwrap()).unwrap();
        let mut inv = InverseWalk::new(w, &model).unwrap();
        let bw = w.constants.weight();
        for i in 0..25 { let time = w.constants.cycle_time * i as f64 / 50.0; inv.at(time); let r = inv.residual(); let g = Foot::BOTH.map(|f| w.ground(time, f));
            let names = ["heel_r", "mt1_r","mt5_r","toe_r","heel_l","mt1_l","mt5_l","toe_l"];
            let h: Vec<String> = names.iter().map(|n| { let c = w.skeleton.contacts.iter().find(|c| c.name == *n).unwrap(); let b = model.body_index(&c.segment).unwrap(); let ph = (time / w.constants.cycle_time + if n.ends_with("l") {0.5} else {0.0}) % 1.0; let on = c.window[0] <= ph && ph <= c.window[1]; format!("{:.0}{}", inv.kin.bodies[b].X_GB.point(&c.point).y*1e3, if on {"*"} else {""}) }).collect();
            let q = |n: &str| w.coordinate_named(n, time).map_or(0.0, |d| d.value.to_degrees());
            println!("{:.2} res f {:.3} {:.3} {:.3} m {:.3} {:.3} {:.3} Fy {:.2} {:.2} {:.2} Fx {:.3} | {} | knee {:.1} ank {:.1} ty {:.1}", time / w.constants.cycle_time, r.f.x/bw, r.f.y/bw, r.f.z/bw, r.n.x/bw, r.n.y/bw, r.n.z/bw, g[0].force.y/bw, g[1].force.y/bw, (g[0].force.y+g[1].force.y)/bw, (g[0].force.x+g[1].force.x)/bw, h.join(" "), q("knee_flexion_r"), q("ankle_flexion_r"), w.coordinate_named("pelvis_ty", time).unwrap().value*1e3); }
        println!();
    }
}
