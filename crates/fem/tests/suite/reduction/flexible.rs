use faer::Mat;
use nalgebra::Vector3;
use wolff_fem::ElementKind;
use wolff_fem::craig_bampton::{FlexibleModes, craig_bampton};
use wolff_fem::dofs::Constraints;
use wolff_fem::modes::ModeOptions;

use crate::{assert_close, reference_bar};

fn modes() -> FlexibleModes {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let joints = Constraints::default().tie("start", Vector3::zeros(), mesh.node_set("start").unwrap()).tie(
        "end",
        Vector3::new(0.0, 0.0, 0.12),
        mesh.node_set("end").unwrap(),
    );
    craig_bampton(&mesh, &system, &joints, 6, &ModeOptions::default()).unwrap().orthonormalise().unwrap()
}

#[test]
fn selections_agree_with_each_other() {
    let modes = modes();
    let first = modes.keep_first(4).unwrap();
    let between = 0.5 * (modes.frequencies()[3] + modes.frequencies()[4]);
    let below = modes.keep_below(between).unwrap();
    assert_eq!(first.eigenvalues, below.eigenvalues);
    assert_eq!(first.shapes, below.shapes);
    let picked = modes.keep(&[5, 2]).unwrap();
    assert_eq!(picked.eigenvalues, [modes.eigenvalues[5], modes.eigenvalues[2]]);
    assert_eq!(picked.interface_shapes.col_as_slice(1), modes.interface_shapes.col_as_slice(2));
    assert_eq!(modes.keep_below(1.0).unwrap().eigenvalues.len(), 0);
    assert!(modes.keep(&[99]).unwrap_err().to_string().contains("no mode 99"));
    assert!(modes.keep(&[1, 2, 1]).unwrap_err().to_string().contains("twice"));
    assert!(modes.keep_below(f64::NAN).is_err());
}

/// The loss equals the drop of the strain energy `½ fᵀ u` of the modal response, computed by its displacements.
#[test]
fn loss_is_the_missing_strain_energy() {
    let modes = modes();
    let count = modes.eigenvalues.len();
    let n = modes.shapes.nrows();
    let loads = Mat::from_fn(n, 2, |i, j| ((i * 7 + j * 13) % 11) as f64 - 4.0);
    let energy = |modes: &FlexibleModes, pattern: usize| {
        let f = loads.as_ref().subcols(pattern, 1);
        let mut q = modes.shapes.transpose() * f;
        modes.eigenvalues.iter().enumerate().for_each(|(i, lambda)| q[(i, 0)] /= lambda);
        let u = &modes.shapes * &q;
        (0..n).map(|i| 0.5 * f[(i, 0)] * u[(i, 0)]).sum::<f64>()
    };
    let mut last = vec![1.0; 2];
    for kept in [0, 3, 8, count] {
        let indices: Vec<usize> = (0..kept).collect();
        let loss = modes.static_loss(&indices, loads.as_ref()).unwrap();
        for pattern in 0..2 {
            let expected = 1.0 - energy(&modes.keep(&indices).unwrap(), pattern) / energy(&modes, pattern);
            assert_close(loss[pattern], expected, 1e-10);
            assert!(loss[pattern] <= last[pattern]);
        }
        last = loss;
    }
    assert_eq!(last, [0.0, 0.0]);
    assert!(modes.static_loss(&[0], Mat::zeros(3, 1).as_ref()).is_err());
}
