use nalgebra::Vector3;
use wolff_fem::dofs::Constraints;
use wolff_fem::element::SamplePoint;
use wolff_fem::generate::tube;
use wolff_fem::material::MaterialField;
use wolff_fem::modes::{ModeOptions, modes_below, verify_modes, vibration_modes};
use wolff_fem::{ElementKind, FemError, TetMesh};
use wolff_meshes::solid::read_mesh;

use crate::{assembled, assert_relative, isotropic, reference_bar};

/// Independent reference: dense eigenvalues of the same matrices, good to 1e-8.
const REFERENCE: f64 = 1e-8;

#[test]
fn free_bars_equal_reference() {
    let cases = [
        (
            ElementKind::Tet4,
            [
                5401.6229284136125,
                6134.581564154107,
                12080.435791416057,
                12143.413908286506,
                13008.82687997594,
                14323.266090413821,
                22290.525024622257,
                23265.954567545225,
                24438.828434705574,
                25311.94934913505,
                32330.67580470273,
                33281.2871415177,
            ],
        ),
        (
            ElementKind::Tet10,
            [
                3850.2907303496836,
                3876.6087094896,
                7590.245581866048,
                9567.090058260797,
                9762.070814911915,
                12124.376435823891,
                15513.265784842035,
                16881.851441498766,
                17454.052886122026,
                24049.813909932618,
                24136.97999070662,
                25379.01150339491,
            ],
        ),
    ];
    for (kind, expected) in cases {
        let (mesh, system) = reference_bar(kind);
        let modes = vibration_modes(&mesh, &system, &Constraints::default(), 12, &ModeOptions::default()).unwrap();
        assert_relative(&modes.frequencies(), &expected, REFERENCE);
        // φᵀ M φ = 1 and φᵀ K φ = ω².
        let (mp, kp) = (system.mass.mul(modes.shapes.as_ref()), system.stiffness.mul(modes.shapes.as_ref()));
        let (mass, stiffness) = (modes.shapes.transpose() * &mp, modes.shapes.transpose() * &kp);
        for i in 0..12 {
            for j in 0..12 {
                let scale = (modes.eigenvalues[i] * modes.eigenvalues[j]).sqrt();
                let unit = f64::from(u8::from(i == j));
                assert!((mass[(i, j)] - unit).abs() < 1e-11, "{i} {j} {:e}", mass[(i, j)] - unit);
                assert!((stiffness[(i, j)] / scale - unit).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn free_bars_with_rigid_faces_equal_reference() {
    let cases = [
        (ElementKind::Tet4, [5404.890621481519, 6138.107041656464, 12084.645194880488, 12151.473434332334]),
        (ElementKind::Tet10, [3852.0240110165078, 3885.673912447492, 7596.694079629973, 9588.332919042194]),
    ];
    for (kind, expected) in cases {
        let (mesh, system) = reference_bar(kind);
        let constraints = Constraints::default().tie("start", Vector3::zeros(), mesh.node_set("start").unwrap()).tie(
            "end",
            Vector3::new(0.0, 0.0, 0.12),
            mesh.node_set("end").unwrap(),
        );
        let modes = vibration_modes(&mesh, &system, &constraints, 4, &ModeOptions::default()).unwrap();
        assert_relative(&modes.frequencies(), &expected, REFERENCE);
    }
}

#[test]
fn all_modes_of_a_small_model_are_found() {
    let mesh = wolff_fem::generate::bar(ElementKind::Tet4, 1.0, 1.0, 1, 1).unwrap();
    let system = assembled(&mesh, &isotropic(1.0));
    let all = vibration_modes(&mesh, &system, &Constraints::default(), 18, &ModeOptions::default()).unwrap();
    let few = vibration_modes(&mesh, &system, &Constraints::default(), 5, &ModeOptions::default()).unwrap();
    assert_relative(&few.eigenvalues, &all.eigenvalues[..5], 1e-10);
    assert!(all.eigenvalues.windows(2).all(|pair| pair[0] <= pair[1] * (1.0 + 1e-10)));
    for count in [0, 19] {
        let refused = vibration_modes(&mesh, &system, &Constraints::default(), count, &ModeOptions::default());
        assert!(matches!(refused.unwrap_err(), FemError::ModeCount { available: 18, .. }));
    }
}

/// Independent reference: converged free-free frequencies of the tube (bending pair, torsion, bending pair, axial).
/// Quadratic elements approach them from above, with the order 4 of the eigenvalue; 1e-3 is asked for.
#[test]
fn free_tube_converges_from_above() {
    let expected = [886.6729, 886.6729, 1613.136, 2031.191, 2031.191, 2593.936];
    let frequencies = |cells| {
        let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, cells).unwrap();
        let system = assembled(&mesh, &isotropic(3544.127295692445));
        let modes = vibration_modes(&mesh, &system, &Constraints::default(), 6, &ModeOptions::default()).unwrap();
        assert!(modes.residuals.iter().all(|r| *r < 1e-6), "{:?}", modes.residuals);
        modes.frequencies()
    };
    let error = |cells| -> Vec<f64> { frequencies(cells).iter().zip(expected).map(|(f, e)| f / e - 1.0).collect() };
    // All directions must be refined for a rate.
    let (coarse, fine) = (error([1, 8, 8]), error([2, 16, 16]));
    for mode in 0..5 {
        let order = (coarse[mode] / fine[mode]).log2();
        assert!(fine[mode] > 0.0 && order > 3.0, "mode {mode}: order {order} of {coarse:?} {fine:?}");
    }
    for (mode, error) in error([1, 24, 24]).iter().enumerate() {
        assert!(*error > 0.0 && *error < 1e-3, "mode {mode}: {error:e}");
    }
}

/// Independent reference: clamped-free tube, converged 153.134 (pair) and 803.72 (pair), torsion 806.568 Hz, within
/// 5e-3 for the singular clamp.
#[test]
fn clamped_tube_equals_reference() {
    let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, 16, 24]).unwrap();
    let system = assembled(&mesh, &isotropic(3544.127295692445));
    let constraints = Constraints::default().clamp(mesh.node_set("start").unwrap());
    let modes = vibration_modes(&mesh, &system, &constraints, 5, &ModeOptions::default()).unwrap();
    assert_relative(&modes.frequencies(), &[153.134, 153.134, 803.72, 803.72, 806.568], 5e-3);
}

/// A count by the signs of pivots knows what the search does not.
#[test]
fn an_overlooked_mode_is_detected() {
    let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, 8, 8]).unwrap();
    let system = assembled(&mesh, &isotropic(3544.127295692445));
    let clamped = Constraints::default().clamp(mesh.node_set("start").unwrap());
    let options = ModeOptions { verify: true, ..ModeOptions::default() };
    for constraints in [Constraints::default(), clamped] {
        let modes = vibration_modes(&mesh, &system, &constraints, 8, &options).unwrap();
        verify_modes(&mesh, &system, &constraints, &modes).unwrap();
        let rigid = if constraints.prescribed.is_empty() { 6 } else { 0 };
        let third = modes.frequencies()[2];
        assert_eq!(modes_below(&mesh, &system, &constraints, 0.999 * third).unwrap(), rigid + 2);
        assert_eq!(modes_below(&mesh, &system, &constraints, 0.5 * modes.frequencies()[0]).unwrap(), rigid);
        // One of the bending pair is taken away.
        let mut lacking = modes.clone();
        lacking.eigenvalues.remove(1);
        let error = verify_modes(&mesh, &system, &constraints, &lacking).unwrap_err();
        assert!(matches!(error, FemError::MissedModes { exist, found, .. } if exist == found + 1), "{error}");
    }
}

/// Independent reference: scikit-fem with the same meshes of the tube. Linear elements have no choice of quadrature and agree to
/// the digits given; of curved quadratic elements, where theirs have 11 points and ours 15, 1e-4 is asked.
#[test]
fn meshes_of_the_tube_equal_scikit_fem() {
    let cases = [
        (
            "shank_tet4.inp.gz",
            [897.933712, 898.750426, 1640.720122, 2070.972782, 2072.67097, 2594.016092, 3282.719, 3397.603],
            2e-7,
        ),
        (
            "shank_tet10.inp.gz",
            [886.715989, 886.718845, 1613.201154, 2031.453704, 2031.46019, 2593.940648, 2691.118, 2691.512],
            1e-4,
        ),
    ];
    for (name, expected, tolerance) in cases {
        let Some(file) = wolff_testdata::shared(&format!("reference/meshes/{name}")) else { continue };
        let mesh = read_mesh(&file).unwrap();
        let system = assembled(&mesh, &isotropic(3544.127295692445));
        let modes = vibration_modes(&mesh, &system, &Constraints::default(), 8, &ModeOptions::default()).unwrap();
        assert_relative(&modes.frequencies(), &expected, tolerance);
    }
}

/// `∫ εᵀ D ε dV` of a displacement, by the given points.
fn strain_energy(mesh: &TetMesh, materials: &MaterialField, u: &[f64], points: &[SamplePoint]) -> f64 {
    let mut sum = 0.0;
    for (index, element) in mesh.elements().enumerate() {
        let x: Vec<_> = element.iter().map(|&n| mesh.nodes()[n]).collect();
        let moved: Vec<_> = element.iter().map(|&n| Vector3::from_column_slice(&u[3 * n..3 * n + 3])).collect();
        for point in points {
            let strain = point.strain(&x, &moved).unwrap();
            let volume = point.weight * point.jacobian(&x).determinant();
            sum += volume * (materials.stiffness(index) * strain).dot(&strain);
        }
    }
    sum
}

/// CalculiX 2.20 (C3D10, `*FREQUENCY`) on the same quadratic mesh of the tube. Its stiffness is summed over 4 points, ours over 15:
/// bending, torsion and stretch do not feel it, the two ovalisation modes after them differ by 3e-3. The energy of our own shapes over 4
/// points (Rayleigh's quotient) gives its frequencies. Its linear elements, with one point for the mass too, differ by up to 2.4e-3
/// (898.297, 899.119, 1644.533, 2072.601, 2074.293, 2594.126 Hz).
#[test]
fn the_quadratic_mesh_of_the_tube_equals_calculix() {
    let Some(file) = wolff_testdata::shared("reference/meshes/shank_tet10.inp.gz") else { return };
    let mesh = read_mesh(&file).unwrap();
    let material = isotropic(3544.127295692445);
    let system = assembled(&mesh, &material);
    let modes = vibration_modes(&mesh, &system, &Constraints::default(), 8, &ModeOptions::default()).unwrap();
    let theirs = [886.707, 886.711, 1613.178, 2031.424, 2031.431, 2593.941, 2683.95, 2685.01];
    let ours = modes.frequencies();
    assert_relative(&ours[..6], &theirs[..6], 1e-4);
    assert!(ours[6..].iter().zip(&theirs[6..]).all(|(f, soft)| *f > 1.002 * soft), "{ours:?}");

    // Four points, exact to degree 2
    let (a, b) = ((5.0 - 5f64.sqrt()) / 20.0, (5.0 + 3.0 * 5f64.sqrt()) / 20.0);
    let four = [[a, a, a], [b, a, a], [a, b, a], [a, a, b]].map(|at| ElementKind::Tet10.sample(at, 1.0 / 24.0));
    let materials = MaterialField::uniform(&mesh, &material).unwrap();
    let softened = ours.iter().enumerate().map(|(mode, f)| {
        let u: Vec<f64> = modes.shapes.col(mode).iter().copied().collect();
        let energy = |points: &[SamplePoint]| strain_energy(&mesh, &materials, &u, points);
        f * (energy(&four) / energy(&ElementKind::Tet10.tables().stiffness)).sqrt()
    });
    // the ovals lie 4e-4 apart and their shapes mix; four points for the mass as well would raise them by some 1e-5
    assert_relative(&softened.collect::<Vec<_>>(), &theirs, 1e-4);
}
