use nalgebra::{DVector, Vector3};
use wolff_fem::attachment::{Patch, PointSpec};
use wolff_fem::fidelity::LoadCase;
use wolff_fem::gauge::{GaugePlace, GaugeSpec};
use wolff_fem::reduce::{Reduction, Selection};
use wolff_flexbody::FlexBodyFile;

use crate::{SHANK, TIP_LOAD, TIP_STRAIN, assert_close, shank};

fn gauge(name: &str, angle: f64, z: f64) -> GaugeSpec {
    let point = Vector3::new(SHANK[2] * angle.cos(), SHANK[2] * angle.sin(), z);
    GaugeSpec { name: name.into(), place: GaugePlace::Point { point, tolerance: 1e-4 }, along: Vector3::z() }
}

fn gauges() -> Vec<GaugeSpec> {
    let middle = SHANK[0] / 2.0;
    vec![gauge("front", 0.0, middle), gauge("back", std::f64::consts::PI, middle), gauge("side", 1.0, 0.15)]
}

/// The shank under a tip force, all in modes, against beam theory and the whole mesh.
#[test]
fn tip_load_strains_as_beam_theory() {
    let (mesh, materials, ends) = shank([1, 24, 8]);
    let reduction = Reduction {
        gauges: gauges(),
        fixed_modes: 8,
        surface: true,
        ..Reduction::new("shank", &mesh, &materials, ends)
    };
    let load = LoadCase { name: "tip".into(), interface: TIP_LOAD.to_vec(), point: vec![] };
    let selection = Selection::GaugeConvergence { tolerance: 0.0, loads: vec![load.clone()] };
    let reduced = Reduction { selection, ..reduction }.run().unwrap();
    let body = &reduced.body;
    assert_eq!((body.modes(), body.nodes.len(), body.gauges.len()), (14, 3, 3));
    let force = load.modal_force(&body.nodes[1..], body.modes());
    let eta: Vec<f64> = force.iter().enumerate().map(|(i, f)| f / body.stiffness[(i, i)]).collect();
    let [front, back] = [0, 1].map(|k| body.gauges[k].reading(&eta));
    // With 24 curved cells around, within one percent of the beam; with 8 the strain overshoots by four.
    assert_close(front.axial(), -TIP_STRAIN, 0.01 * TIP_STRAIN);
    assert_close(back.axial(), TIP_STRAIN, 0.01 * TIP_STRAIN);
    assert_close(back.plane.first, TIP_STRAIN, 0.01 * TIP_STRAIN);
    assert_close(back.stress[0], 17e9 * TIP_STRAIN, 0.02 * 17e9 * TIP_STRAIN);
    // All interface modes are kept and the load is in equilibrium: the strain is that of the mesh.
    assert_eq!(reduced.report.gauge_errors.len(), 3);
    let worst = reduced.report.gauge_errors.iter().map(|e| e.relative).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
    assert!(reduced.report.momentum < 1e-8, "{}", reduced.report.momentum);
    for column in reduced.report.compliance_shares.column_iter() {
        assert_close(column.sum(), 1.0, 1e-12);
    }
    // Modal damping 2 ζ ω.
    let omega = body.stiffness[(3, 3)].sqrt();
    assert_close(body.damping[(3, 3)], 2.0 * 0.01 * omega, 1e-9 * omega);
    // The surface strains as the gauge on it does.
    let surface = reduced.surface.as_ref().unwrap();
    let at = surface.positions.iter().position(|x| (x - body.gauges[1].position).norm() < 1e-9).unwrap();
    assert_close(surface.strains(&eta)[6 * at + 2], back.axial(), 1e-9 * TIP_STRAIN);
    let bytes = reduced.file(None).to_bytes().unwrap();
    assert_eq!(FlexBodyFile::from_bytes(std::path::Path::new("shank"), &bytes).unwrap().body, *body);
}

/// Fewer modes, larger errors, and the report says so.
#[test]
fn selections_keep_what_they_say() {
    let (mesh, materials, ends) = shank([1, 8, 8]);
    let plain = Reduction { gauges: gauges(), fixed_modes: 8, ..Reduction::new("shank", &mesh, &materials, ends) };
    let run = |selection: Selection| Reduction { selection, ..plain.clone() }.run();
    let worst = |reduced: &wolff_fem::reduce::Reduced| {
        reduced.report.gauge_errors.iter().map(|e| e.relative).fold(0.0, f64::max)
    };
    let four = run(Selection::Count(4)).unwrap();
    let ten = run(Selection::Count(10)).unwrap();
    assert_eq!((four.body.modes(), ten.body.modes()), (4, 10));
    assert_eq!(four.report.available.len(), 14);
    assert!(worst(&four) > 0.1 && worst(&four) > worst(&ten) && worst(&ten) > 1e-4, "{} {}", worst(&four), worst(&ten));
    let limit = ten.report.frequencies[6] + 1.0;
    let cut = run(Selection::UpTo(limit)).unwrap();
    assert!(cut.report.frequencies.iter().all(|f| *f <= limit) && cut.report.available[cut.body.modes()] > limit);
    let tip = LoadCase { name: "tip".into(), interface: TIP_LOAD.to_vec(), point: vec![] };
    let converged = |tolerance: f64| run(Selection::GaugeConvergence { tolerance, loads: vec![tip.clone()] }).unwrap();
    let (loose, tight) = (converged(0.05), converged(1e-4));
    assert!(loose.body.modes() < tight.body.modes());
    // All modes are exact here, so the tolerance is the error.
    assert!(worst(&loose) <= 0.05 * 1.001 && worst(&tight) <= 1e-4 * 1.001, "{} {}", worst(&loose), worst(&tight));
    assert!(
        run(Selection::Count(0)).is_err() && run(Selection::Count(15)).is_err() && run(Selection::UpTo(1.0)).is_err()
    );
    assert!(run(Selection::UpTo(f64::NAN)).is_err());
}

/// A point off the interfaces follows the mesh in every mode, and the check shows that its loads are not exact.
#[test]
fn points_become_nodes_and_their_error_is_shown() {
    let (mesh, materials, ends) = shank([1, 8, 8]);
    let point =
        PointSpec { name: "soleus".into(), position: Vector3::new(0.04, 0.0, 0.15), patch: Patch::Within(0.03) };
    let reduction = Reduction {
        points: vec![point],
        attach: false,
        gauges: gauges(),
        fixed_modes: 8,
        ..Reduction::new("shank", &mesh, &materials, ends)
    };
    let reduced = reduction.run().unwrap();
    let node = reduced.body.node("soleus").unwrap();
    assert_eq!(node.position, Vector3::new(0.04, 0.0, 0.15));
    assert!(DVector::from_iterator(14, node.rotation.row(1).iter().copied()).amax() > 0.0);
    let of = |word: &str| {
        let errors = reduced.report.gauge_errors.iter().filter(|e| e.load.contains(word));
        errors.map(|e| e.relative).fold(0.0, f64::max)
    };
    assert!(of("soleus") > 1e-3, "{}", of("soleus"));
    let mut unknown = reduction.clone();
    unknown.points[0].patch = Patch::Within(1e-6);
    assert!(unknown.run().unwrap_err().to_string().contains("soleus"));
}

/// With attachment modes for the point and for rigid accelerations, the strain under a unit force at the point is that of the
/// whole mesh: no fixed-interface modes are needed for it.
#[test]
fn attachment_modes_make_point_forces_exact() {
    let (mesh, materials, ends) = shank([1, 8, 8]);
    let position = Vector3::new(0.037, 0.0, 0.15);
    let worst = [(false, false), (true, false), (true, true)].map(|(attach, relief)| {
        let reduction = Reduction {
            points: vec![PointSpec { name: "soleus".into(), position, patch: Patch::Within(0.03) }],
            gauges: gauges(),
            fixed_modes: 4,
            attach,
            relief,
            ..Reduction::new("shank", &mesh, &materials, ends.clone())
        };
        let report = reduction.run().unwrap().report;
        let forces = report.gauge_errors.iter().filter(|e| e.load.contains("soleus F"));
        forces.map(|e| e.relative).fold(0.0, f64::max)
    });
    assert!(worst[0] > 1e-2 && worst[1] < worst[0] && worst[2] < 1e-6, "{worst:?}");
}

/// Unit loads accelerate the free body; its distributed inertia is not among the constraint modes, so the error falls with
/// the number of fixed-interface modes.
#[test]
fn unbalanced_loads_need_fixed_modes() {
    let (mesh, materials, ends) = shank([1, 8, 8]);
    let plain = Reduction { gauges: gauges(), ..Reduction::new("shank", &mesh, &materials, ends) };
    let worst = [4, 12, 40].map(|fixed_modes| {
        let report = Reduction { fixed_modes, ..plain.clone() }.run().unwrap().report;
        assert_eq!(report.gauge_errors.len(), 3 * 12);
        report.gauge_errors.iter().map(|e| e.relative).fold(0.0, f64::max)
    });
    assert!(worst[1] < worst[0] && worst[2] < worst[1] && worst[2] < 0.05, "{worst:?}");
}

/// A gauge off the bone is told before any mode is sought: here there could be none, as more are asked for than there are dof.
#[test]
fn a_bad_gauge_fails_at_once() {
    let (mesh, materials, ends) = shank([1, 8, 4]);
    let lost = GaugeSpec {
        name: "lost".into(),
        place: GaugePlace::Point { point: Vector3::new(1.0, 0.0, 0.0), tolerance: 1e-3 },
        along: Vector3::z(),
    };
    let many = Reduction { fixed_modes: 1_000_000, ..Reduction::new("shank", &mesh, &materials, ends) };
    assert!(!many.run().unwrap_err().to_string().contains("lost"));
    let error = Reduction { gauges: vec![lost], ..many }.run().unwrap_err().to_string();
    assert!(error.contains("lost"), "{error}");
}

/// Modes by the strain energy of a load: those of the plane in which it bends, and the share that they hold is the one asked for.
#[test]
fn strain_energy_keeps_the_modes_of_a_load() {
    let (mesh, materials, ends) = shank([1, 8, 8]);
    let tip = LoadCase { name: "tip".into(), interface: TIP_LOAD.to_vec(), point: vec![] };
    let plain = Reduction { fixed_modes: 8, check: false, ..Reduction::new("shank", &mesh, &materials, ends) };
    let all = plain.run().unwrap();
    let energies = |body: &wolff_flexbody::FlexBody| -> Vec<f64> {
        let force = tip.modal_force(&body.nodes[1..], body.modes());
        (0..body.modes()).map(|i| force[i].powi(2) / body.stiffness[(i, i)]).collect()
    };
    let whole: f64 = energies(&all.body).iter().sum();
    let keep = |share: f64| {
        let selection = Selection::StrainEnergy { share, loads: vec![tip.clone()] };
        Reduction { selection, ..plain.clone() }.run().unwrap()
    };
    let (few, more) = (keep(0.9), keep(0.9999));
    for (reduced, share) in [(&few, 0.9), (&more, 0.9999)] {
        let held: f64 = energies(&reduced.body).iter().sum();
        assert!(held >= share * whole, "{held} of {whole}");
        // the fewest: without the least of them it would be too little
        let least = energies(&reduced.body).into_iter().fold(f64::INFINITY, f64::min);
        assert!(held - least < share * whole);
        assert_eq!(reduced.report.frequencies.len(), reduced.body.modes());
        assert_eq!(reduced.report.compliance_shares.nrows(), reduced.body.modes());
    }
    assert!(few.body.modes() < more.body.modes() && more.body.modes() < all.body.modes());
    // unit loads at both ends need modes of both planes
    let any = Reduction { selection: Selection::StrainEnergy { share: 0.9, loads: vec![] }, ..plain }.run().unwrap();
    assert!(any.body.modes() > few.body.modes());
}
