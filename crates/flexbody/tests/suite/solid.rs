//! The solid in the file of a body.

use wolff_flexbody::SolidMesh;

use crate::sample_solid;

#[test]
fn parts_that_do_not_fit_together_are_refused() {
    assert!(sample_solid().check().is_ok());
    type Change = fn(&mut SolidMesh);
    let wrong: [(Change, &str); 6] = [
        (|s| s.nodes_per_element = 5, "4 or 10 nodes"),
        (|s| s.elements[3] = 4, "does not exist"),
        (|s| s.node_sets[0].1.push(9), "does not exist"),
        (|s| s.element_material[0] = 1, "needs a material"),
        (|s| s.density.clear(), "needs a material"),
        (|s| s.stiffness[0][3] = f64::NAN, "not a finite number"),
    ];
    for (change, word) in wrong {
        let mut solid = sample_solid();
        change(&mut solid);
        let message = solid.check().unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
}
