use std::hint::black_box;
use std::time::Instant;
use wolff_multibody::{Baumgarte, System, benchmark::chain};
fn main() {
    let model = chain(20).unwrap();
    let mut s = System::new(&model);
    let (q, v) = (model.q0.clone(), model.v0.clone());
    let mut a = vec![0.0; model.nv()];
    let zero = vec![0.0; model.nv()];
    let mut tau = zero.clone();
    for _ in 0..3 {
        let n = 100_000;
        let t = Instant::now();
        for _ in 0..n {
            s.accelerations(0.0, black_box(&q), black_box(&v), Baumgarte::NONE, &mut a).unwrap();
        }
        println!("forward {:.3} us", t.elapsed().as_secs_f64() / n as f64 * 1e6);
        let t = Instant::now();
        for _ in 0..n {
            s.residual(0.0, black_box(&q), black_box(&v), black_box(&zero), &[], &mut tau);
        }
        println!("inverse {:.3} us", t.elapsed().as_secs_f64() / n as f64 * 1e6);
        let t = Instant::now();
        for _ in 0..n {
            s.update_kinematics(black_box(&q), black_box(&v));
        }
        println!("kin {:.3} us", t.elapsed().as_secs_f64() / n as f64 * 1e6);
    }
    println!("{:?}\n{:?}", &a[..10], &tau[..10]);
}
