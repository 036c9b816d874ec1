use std::f64::consts::PI;

use wolff_fem::ElementKind;
use wolff_fem::generate::{bar, tube};
use wolff_fem::summary::summarise;

use crate::assert_close;

#[test]
fn measures_of_a_bar() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let summary = summarise(&bar(kind, 0.02, 0.12, 2, 8).unwrap());
        assert_close(summary.volume, 0.02 * 0.02 * 0.12, 1e-18);
        assert_close(summary.surface_area.unwrap(), 2.0 * 0.02 * 0.02 + 4.0 * 0.02 * 0.12, 1e-16);
        assert_eq!(summary.dof, 3 * summary.nodes);
        assert_eq!((summary.low.z, summary.high.z), (0.0, 0.12));
        assert_eq!((summary.low.x, summary.high.y), (-0.01, 0.01));
    }
}

#[test]
fn area_of_a_curved_tube_converges_with_order_four() {
    let (inner, outer, length) = (0.027, 0.037, 0.421);
    let exact = 2.0 * PI * ((inner + outer) * length + outer * outer - inner * inner);
    let error = |around| {
        let mesh = tube(ElementKind::Tet10, length, inner, outer, [1, around, 2]).unwrap();
        (summarise(&mesh).surface_area.unwrap() - exact).abs() / exact
    };
    let order = (error(12) / error(24)).log2();
    assert!((3.7..4.3).contains(&order), "order {order}");
}
