use faer::Mat;
use wolff_fem::ElementKind;

use crate::{assert_close, reference_bar};

#[test]
fn block_product_equals_the_product_by_vectors_and_is_symmetric() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let n = 3 * mesh.nodes().len();
    let x = Mat::from_fn(n, 7, |i, j| ((i * 31 + j * 17) % 23) as f64 - 9.0);
    // groups of four columns, what is left of one, and a lone column
    for count in [7, 5, 1] {
        let y = system.mass.mul(x.as_ref().subcols(0, count));
        let mut single = vec![0.0; n];
        for j in 0..count {
            system.mass.mul_vec(x.col_as_slice(j), &mut single);
            assert_eq!(y.col_as_slice(j), single);
        }
    }
    let y = system.mass.mul(x.as_ref());
    let gram = x.transpose() * &y;
    for i in 0..7 {
        (0..7).for_each(|j| assert_close(gram[(i, j)], gram[(j, i)], 1e-12 * gram.norm_max()));
    }
}

#[test]
fn shifted_stiffness_is_the_sum_of_both_products() {
    let (mesh, system) = reference_bar(ElementKind::Tet4);
    let n = 3 * mesh.nodes().len();
    let x = Mat::from_fn(n, 2, |i, j| ((i * 7 + j * 5) % 13) as f64 - 6.0);
    let shift = system.stiffness.trace() / system.mass.trace();
    let sum = system.stiffness.plus(-shift, &system.mass).unwrap().mul(x.as_ref());
    let expected = system.stiffness.mul(x.as_ref()) - system.mass.mul(x.as_ref()) * faer::Scale(shift);
    assert!((&sum - &expected).norm_max() < 1e-13 * expected.norm_max());
}
