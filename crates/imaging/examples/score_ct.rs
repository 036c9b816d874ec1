//! scratch
use std::time::Instant;
use wolff_geometry::*;
use wolff_imaging::cortex::*;
use wolff_imaging::segment::*;
use wolff_imaging::*;
use wolff_spatial::Vec3;
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let t = Instant::now();
    let a = read(std::path::Path::new(&format!("{dir}/ct.nii.gz")), &Choice::only()).unwrap();
    println!("nifti {:?} {:?} size {:?}", t.elapsed(), a.remarks, a.volume.size());
    let b = read(std::path::Path::new(&format!("{dir}/dicom.zip")), &Choice::only()).unwrap();
    println!("dicom equal {} {}", a.volume == b.volume, a.volume.frame() == b.volume.frame());
    let truth: serde_json::Value =
        serde_json::from_slice(&std::fs::read(format!("{dir}/truth.json")).unwrap()).unwrap();
    let stl = std::fs::read(format!("{dir}/bone_lps.stl")).unwrap();
    let true_mesh = wolff_meshes::surface::read("a.stl", &stl).unwrap().mesh.scaled(1e-3).unwrap();
    let true_surface = TriangleSurface::new(true_mesh, Normals::Facets).unwrap();
    let t = Instant::now();
    let bone = bone(&a.volume, &BoneOptions::default()).unwrap();
    println!(
        "bone {:?} {:?} tri {} vol {:.0}",
        t.elapsed(),
        bone.levels,
        bone.surface.triangles().len(),
        1e9 * bone.surface.report().unwrap().volume.unwrap()
    );
    let t = Instant::now();
    let c = cortex::cortex(&a.volume, &bone, &CortexOptions::default()).unwrap();
    let r = c.outer.report().unwrap();
    println!(
        "cortex {:?} vertices {} blur {:.3} cortical {:.1} fitted {:.3}",
        t.elapsed(),
        c.outer.vertices().len(),
        1e3 * c.shared.blur,
        c.shared.cortical,
        c.fitted
    );
    let g = |k: &str| truth["parameters"][k].as_f64().unwrap();
    println!("  true blur {} cortical {:.1}", g("psf_mm"), (g("rho_cort") - g("cal_a")) / g("cal_b"));
    let tv = truth["outer_volume_mm3"].as_f64().unwrap();
    println!(
        "  volume {:.0} true {:.0} ({:+.2} %)",
        1e9 * r.volume.unwrap(),
        tv,
        100.0 * (1e9 * r.volume.unwrap() / tv - 1.0)
    );
    let ds: Vec<f64> = c.outer.vertices().iter().map(|v| 1e3 * true_surface.signed_distance(v).unwrap()).collect();
    let n = ds.len() as f64;
    let mut ab: Vec<f64> = ds.iter().map(|d| d.abs()).collect();
    ab.sort_by(f64::total_cmp);
    println!(
        "  distance mean {:+.4} abs {:.4} p95 {:.3} p99 {:.3} max {:.3}",
        ds.iter().sum::<f64>() / n,
        ab.iter().sum::<f64>() / n,
        ab[(0.95 * n) as usize],
        ab[(0.99 * n) as usize],
        ab[ab.len() - 1]
    );
    let mine = TriangleSurface::new(c.outer.clone(), Normals::Facets).unwrap();
    let rev: Vec<f64> =
        true_surface.mesh().vertices().iter().map(|v| 1e3 * mine.signed_distance(v).unwrap().abs()).collect();
    println!(
        "  reverse abs {:.4} max {:.3}",
        rev.iter().sum::<f64>() / rev.len() as f64,
        rev.iter().copied().fold(0.0, f64::max)
    );
    // thickness by axial position
    let axis = Vec3::from_iterator(truth["axis_lps"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()));
    let range: Vec<f64> = truth["axial_range_mm"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let sm = |x: f64| {
        let x = x.clamp(0.0, 1.0);
        x * x * (3.0 - 2.0 * x)
    };
    let (s0, s1, b, te, ts) = (g("s0"), g("s1"), g("blend"), g("t_end"), g("t_shaft"));
    for bin in 0..10 {
        let mut e = vec![];
        let mut tt = 0.0;
        let mut ins = 0.0;
        for (v, t) in c.outer.vertices().iter().zip(&c.thickness).enumerate().map(|(i, (v, t))| ((i, v), t)) {
            let s = (1e3 * v.1.dot(&axis) - range[0]) / (range[1] - range[0]);
            if s >= bin as f64 * 0.1 && s < (bin + 1) as f64 * 0.1 {
                let truth = te + (ts - te) * sm((s - s0) / b) * sm((s1 - s) / b);
                e.push(1e3 * t - truth);
                tt += truth;
                ins += c.inside[v.0];
            }
        }
        if e.is_empty() {
            continue;
        }
        let n = e.len() as f64;
        let m = e.iter().sum::<f64>() / n;
        println!(
            "    s {:.1} n {} true t {:.2} error mean {:+.3} rms {:.3} inside {:.0}",
            bin as f64 * 0.1,
            e.len(),
            tt / n,
            m,
            (e.iter().map(|x| x * x).sum::<f64>() / n).sqrt(),
            ins / n
        );
    }

    if std::env::args().nth(2).is_some() {
        let mut shown = 0;
        for (i, v) in c.outer.vertices().iter().enumerate() {
            let s = (1e3 * v.dot(&axis) - range[0]) / (range[1] - range[0]);
            if s > 0.4 && s < 0.41 && shown < 120 {
                shown += 1;
                println!("{:.1} {:.1} t {:.2} inside {:.0}", 1e3 * v.x, 1e3 * v.y, 1e3 * c.thickness[i], c.inside[i]);
            }
        }
        return;
    }
    let cal = density::Calibration::new(1e3 * g("cal_a"), 1e3 * g("cal_b")).unwrap();
    let t = Instant::now();
    let d = density::DensityField::new(&a.volume, &bone, c, &cal, &Default::default()).unwrap();
    let m = d.mass();
    let tm = truth["bone_mass_g"].as_f64().unwrap();
    let lab = |l: &str, k: &str| truth["labels"][l][k].as_f64().unwrap();
    println!(
        "density {:?} mass {:.2} g ({:+.2} %) balance {:.2} ({:+.2} %) true {:.2}",
        t.elapsed(),
        1e3 * m.total,
        100.0 * (1e3 * m.total / tm - 1.0),
        1e3 * m.by_balance,
        100.0 * (1e3 * m.by_balance / tm - 1.0),
        tm
    );
    println!(
        "  cortical {:.2} true {:.2}; cortical volume {:.0} true {:.0}; volume {:.0} centre {:?} true {}",
        1e3 * m.cortical,
        lab("cortex", "bone_mass_g"),
        1e9 * m.cortical_volume,
        lab("cortex", "volume_mm3"),
        1e9 * m.volume,
        (1e3 * m.centre).as_slice(),
        truth["centre_of_bone_mass_lps_mm"]
    );
    // density deep: sample truth
    let t = Instant::now();
    let (mut n, mut bad, mut worst, mut sum) = (0, 0, 0.0f64, 0.0);
    let (mut nt, mut sumt, mut badt) = (0, 0.0, 0);
    let size = a.volume.size();
    for k in (0..size[2]).step_by(7) {
        for j in (0..size[1]).step_by(5) {
            for i in (0..size[0]).step_by(5) {
                let x = a.volume.frame().position(&Vec3::new(i as f64 + 0.3, j as f64 + 0.2, k as f64 - 0.1));
                let depth = -1e3 * true_surface.signed_distance(&x).unwrap();
                if depth < 2.0 {
                    continue;
                }
                let ax = 1e3 * x.dot(&axis);
                let s = (ax - range[0]) / (range[1] - range[0]);
                let w = sm((s - s0) / b) * sm((s1 - s) / b);
                let tw = te + (ts - te) * w;
                if (depth - tw).abs() < 2.0 {
                    continue;
                }
                let sp = |w: f64| w;
                let _ = sp;
                // distance to the plane w = 0.5
                let w1 = |e: f64| {
                    let s = (ax + e - range[0]) / (range[1] - range[0]);
                    sm((s - s0) / b) * sm((s1 - s) / b) > 0.5
                };
                if depth > tw && (w1(2.0) != w1(-2.0)) {
                    continue;
                }
                let u = (ax - range[0]).min(range[1] - ax);
                let true_rho = if depth < tw {
                    g("rho_cort")
                } else if w > 0.5 {
                    0.0
                } else {
                    (g("rho_t0") + g("g_axial") * u + g("g_radial") * (depth - tw) / g("r_ref"))
                        .clamp(g("rho_t_min"), g("rho_t_max"))
                };
                let found = 1e-3 * d.at(x);
                if true_rho == 0.0 {
                    if found > 0.02 {
                        badt += 1;
                    }
                    nt += 1;
                    sumt += found;
                    continue;
                }
                let e = found / true_rho - 1.0;
                n += 1;
                sum += e.abs();
                worst = worst.max(e.abs());
                if e.abs() > 0.05 {
                    bad += 1;
                }
            }
        }
    }
    println!(
        "  density {:?} n {} mean |e| {:.4} above 5%: {:.4} worst {:.3}; marrow n {} mean {:.4} bad {}",
        t.elapsed(),
        n,
        sum / n as f64,
        bad as f64 / n as f64,
        worst,
        nt,
        sumt / nt as f64,
        badt
    );
}
