use std::hint::black_box;
use std::time::Instant;
use wolff_multibody::{Baumgarte, System, benchmark::chain};
fn best(mut f: impl FnMut()) -> f64 {
    (0..200).map(|_| { let t = Instant::now(); for _ in 0..500 { f(); } t.elapsed().as_secs_f64() / 500.0 * 1e6 }).fold(f64::MAX, f64::min)
}
fn main() {
    let model = chain(20).unwrap();
    let mut s = System::new(&model);
    let (q, v) = (model.q0.clone(), model.v0.clone());
    let mut a = vec![0.0; model.nv()];
    let zero = vec![0.0; model.nv()];
    let mut tau = zero.clone();
    println!("forward {:.3}", best(|| s.accelerations(0.0, black_box(&q), black_box(&v), Baumgarte::NONE, &mut a).unwrap()));
    println!("inverse {:.3}", best(|| s.residual(0.0, black_box(&q), black_box(&v), black_box(&zero), &[], &mut tau)));
    println!("kin {:.3}", best(|| s.update_kinematics(black_box(&q), black_box(&v))));
}
