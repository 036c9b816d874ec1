//! The mesh and the materials that a body was reduced from: another reduction can add interfaces, points and gauges.

use serde::{Deserialize, Serialize};
use wolff_spatial::Vec3;

use crate::error::FlexBodyError;

/// A bone as a mesh in its own frame: x anterior, y up, z to the right of the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidMesh {
    /// Which bone, such as `tibia`.
    pub bone: String,
    /// `left` or `right`.
    pub side: String,
    /// Centres of the upper and the lower joint \[m\].
    pub joints: [Vec3; 2],
    /// Positions of the nodes \[m\].
    pub nodes: Vec<Vec3>,
    /// Nodes of an element: 4 or 10.
    pub nodes_per_element: u8,
    /// Nodes of all elements, one element after another.
    pub elements: Vec<u32>,
    /// Named sets of nodes.
    pub node_sets: Vec<(String, Vec<u32>)>,
    /// Stiffness of every material in the axes of the bone: the upper triangle of the 6 by 6 matrix, row by row \[Pa\].
    pub stiffness: Vec<[f64; 21]>,
    /// Density of every material \[kg/m³\].
    pub density: Vec<f64>,
    /// The material of every element.
    pub element_material: Vec<u32>,
}

impl SolidMesh {
    /// Refuses parts that do not fit together.
    ///
    /// # Errors
    /// With the rule that was broken.
    pub fn check(&self) -> Result<(), FlexBodyError> {
        let wrong = |rule: &str| Err(FlexBodyError::invalid("solid of the body", rule));
        let per_element = usize::from(self.nodes_per_element);
        if !matches!(per_element, 4 | 10) || !self.elements.len().is_multiple_of(per_element) {
            return wrong("its elements must have 4 or 10 nodes each");
        }
        let in_sets = self.node_sets.iter().flat_map(|(_, nodes)| nodes);
        if self.elements.iter().chain(in_sets).any(|&node| node as usize >= self.nodes.len()) {
            return wrong("an element or a set names a node that does not exist");
        }
        if self.element_material.len() != self.elements.len() / per_element
            || self.density.len() != self.stiffness.len()
            || self.element_material.iter().any(|&material| material as usize >= self.density.len())
        {
            return wrong("every element needs a material, and every material stiffness and density");
        }
        let mut values = self.nodes.iter().chain(&self.joints).flatten().chain(&self.density);
        if !values.all(|x| x.is_finite()) || !self.stiffness.iter().flatten().all(|x| x.is_finite()) {
            return Err(FlexBodyError::NonFinite("a value of the solid of the body".into()));
        }
        Ok(())
    }
}
