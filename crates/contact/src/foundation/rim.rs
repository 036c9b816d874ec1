//! The rim of a set of elements, where a contact may be cut off.

use super::elements::ElementSet;
use std::collections::HashMap;
use wolff_spatial::Vec3;

/// Corners nearer than this \[m\] are one.
const SAME_PLACE: f64 = 1e-8;

impl ElementSet {
    /// For each element whether it has an edge that no other element has.
    pub fn on_rim(&self) -> Vec<bool> {
        let key = |x: &Vec3| [x.x, x.y, x.z].map(|c| (c / SAME_PLACE).round() as i64);
        let edges = |corners: Vec<Vec3>| -> Vec<[[i64; 3]; 2]> {
            let next = corners.iter().cycle().skip(1);
            let edge = |(a, b): (&Vec3, &Vec3)| {
                let (a, b) = (key(a), key(b));
                if a < b { [a, b] } else { [b, a] }
            };
            corners.iter().zip(next).map(edge).collect()
        };
        let mut shared: HashMap<[[i64; 3]; 2], u32> = HashMap::new();
        let all: Vec<_> = self.elements.iter().map(|element| edges(element.corners())).collect();
        all.iter().flatten().for_each(|edge| *shared.entry(*edge).or_default() += 1);
        let is_open = |edge: &[[i64; 3]; 2]| shared.get(edge) == Some(&1);
        all.iter().map(|edges| edges.iter().any(is_open)).collect()
    }
}
