use wolff_fem::ElementKind;
use wolff_fem::generate::tube;
use wolff_fem::ordering::nested_dissection;

use crate::{assembled, isotropic};

#[test]
fn separators_part_their_halves_and_no_node_is_lost() {
    let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, [1, 12, 20]).unwrap();
    let system = assembled(&mesh, &isotropic(1.0));
    let graph = system.mass.graph();
    let tree = nested_dissection(mesh.nodes(), graph);
    // The piece of every node, each in exactly one.
    let mut owner = vec![usize::MAX; mesh.nodes().len()];
    for (index, piece) in tree.iter().enumerate() {
        for &node in &piece.nodes {
            assert_eq!(owner[node], usize::MAX, "node {node} comes twice");
            owner[node] = index;
        }
    }
    assert!(owner.iter().all(|&piece| piece != usize::MAX));
    let mut parent = vec![usize::MAX; tree.len()];
    for (index, piece) in tree.iter().enumerate() {
        for child in piece.children.into_iter().flatten() {
            assert!(child < index);
            parent[child] = index;
        }
    }
    // Coupled nodes are in one line of descent.
    let above = |mut piece: usize, ancestor: usize| {
        while piece < ancestor {
            piece = parent[piece];
        }
        piece == ancestor
    };
    for node in 0..owner.len() {
        for &other in graph.neighbours(node).iter().filter(|&&other| owner[other] >= owner[node]) {
            assert!(above(owner[node], owner[other]), "nodes {node} and {other} are in halves parted by a separator");
        }
    }
    // A long tube is parted by rings: three radial by 24 nodes around, on one plane.
    assert_eq!(tree.last().unwrap().nodes.len(), 72);
}
