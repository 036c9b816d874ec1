//! Fewer modes.

use nalgebra::DMatrix;
use wolff_flexbody::select::{keep_by_energy, strain_energy_shares};

use crate::{assert_close, sample_body, sample_surface};

/// Motion with the dropped modes at rest is the same before and after, whatever is asked.
#[test]
fn selected_body_is_the_body_with_modes_at_rest() {
    let body = sample_body(5);
    let kept = [3, 0, 4];
    let small = body.select(&kept).unwrap();
    small.check().unwrap();
    let few = [0.7, -0.3, 0.2];
    let mut all = [0.0; 5];
    kept.iter().zip(few).for_each(|(&mode, eta)| all[mode] = eta);

    assert!((small.gauges[1].strain(&few) - body.gauges[1].strain(&all)).amax() < 1e-15);
    let quadratic = |k: &DMatrix<f64>, eta: &[f64]| {
        let eta = nalgebra::DVector::from_row_slice(eta);
        (k * &eta).dot(&eta)
    };
    assert_close(quadratic(&small.stiffness, &few), quadratic(&body.stiffness, &all), 1e-14);
    assert_close(quadratic(&small.damping, &few), quadratic(&body.damping, &all), 1e-14);
    assert_close(quadratic(&small.inertia.modal_mass(), &few), quadratic(&body.inertia.modal_mass(), &all), 1e-13);
    let second = |body: &wolff_flexbody::FlexBody, eta: &[f64]| -> wolff_spatial::Vec3 {
        let n = eta.len();
        let weight = |k: usize| eta[k / n] * eta[k % n];
        let (node, inertia) = (&body.nodes[2], &body.inertia);
        let second = |k: usize| node.second[k] + node.second_rotation[k] + inertia.S2[k] + inertia.B2[k].column(2);
        (0..n * n).map(|k| second(k) * weight(k)).sum()
    };
    assert!((second(&small, &few) - second(&body, &all)).amax() < 1e-15);
    for (a, b) in small.nodes.iter().zip(&body.nodes) {
        assert_eq!(a.translation.column(1), b.translation.column(0));
        assert_eq!(a.rotation.column(0), b.rotation.column(3));
    }
    let surface = sample_surface(6, 5);
    let few_strains = surface.select(&kept).unwrap().strains(&few);
    for (a, b) in few_strains.iter().zip(surface.strains(&all)) {
        assert_close(*a, b, 1e-15);
    }
    assert_eq!(surface.select(&kept).unwrap().deformed(&[0.0; 3]), surface.positions);
}

#[test]
fn modes_that_do_not_exist_are_refused() {
    let body = sample_body(3);
    let refused = |kept: &[usize], word: &str| {
        let message = body.select(kept).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refused(&[0, 3], "no mode 3");
    refused(&[1, 2, 1], "twice");
    assert!(sample_surface(4, 3).select(&[3]).is_err());
}

/// Shares by hand: energies 2·1, 8·0.25 and 0 over one frame and its double.
#[test]
fn energy_shares_by_hand() {
    let stiffness = DMatrix::from_diagonal(&nalgebra::DVector::from_vec(vec![2.0, 8.0, 100.0]));
    let shares = strain_energy_shares(&stiffness, &[vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.2]]).unwrap();
    // Twice the energies: 2, 2 + 8, 4.
    for (share, expected) in shares.iter().zip([2.0 / 16.0, 10.0 / 16.0, 4.0 / 16.0]) {
        assert_close(*share, expected, 1e-15);
    }
    assert_eq!(keep_by_energy(&shares, 0.8).unwrap(), [1, 2]);
    assert_eq!(keep_by_energy(&shares, 0.625).unwrap(), [1]);
    assert_eq!(keep_by_energy(&shares, 1.0).unwrap(), [0, 1, 2]);
    assert_eq!(keep_by_energy(&shares, 0.0).unwrap(), [0usize; 0]);
    assert!(keep_by_energy(&shares, f64::NAN).is_err());
    assert!(strain_energy_shares(&stiffness, &[vec![1.0, f64::NAN, 0.0]]).is_err());
    assert!(strain_energy_shares(&stiffness, &[vec![1.0]]).is_err());
    assert_eq!(strain_energy_shares(&stiffness, &[]).unwrap(), [0.0; 3]);
}
