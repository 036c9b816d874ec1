//! Forces, measures and derivatives at a pose.

use crate::coordinates::Coordinates;
use crate::error::CapiError;
use nalgebra::Matrix6;
use std::ffi::{CStr, CString};
use std::sync::Arc;
use wolff_contact::foundation::{Element, FoundationMemory, FoundationPair, FoundationResult, PatchResult};

/// Contact at one pose. Vectors have fixed axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WolffContactResult {
    /// Force on the moving body [N].
    pub force_on_moving: [f64; 3],
    /// Moment on the moving body about the fixed origin [N m].
    pub torque_on_moving: [f64; 3],
    /// Moment on the moving body about its own origin [N m].
    pub torque_at_moving_origin: [f64; 3],
    /// Force on the fixed body [N].
    pub force_on_fixed: [f64; 3],
    /// Moment on the fixed body about the fixed origin [N m].
    pub torque_on_fixed: [f64; 3],
    /// Generalised forces on the moving body: their product with u is the power of the contact on it [N, N m].
    pub generalized_force: [f64; 6],
    /// Sum of the normal forces without regard to their directions [N].
    pub normal_force: f64,
    /// Area in contact [m^2].
    pub area: f64,
    /// Largest pressure [Pa].
    pub peak_pressure: f64,
    /// Normal force over area [Pa]; zero without contact.
    pub mean_pressure: f64,
    /// Centre of pressure in the fixed frame [m]; zero without contact.
    pub centre_of_pressure: [f64; 3],
    /// Deepest overlap over thickness [-].
    pub peak_strain: f64,
    /// Energy stored in the layer [J].
    pub energy: f64,
    /// Elements in contact; zero means no contact.
    pub active_elements: usize,
    /// Distance queries made.
    pub queries: usize,
    /// 1 if this is the result of a pose within the reuse distance, otherwise 0.
    pub reused: i32,
    /// 1 if an overlap is beyond the range of layer or material, so that the forces are invalid; otherwise 0.
    pub layer_used_up: i32,
}

/// Contact of one compartment. Vectors have fixed axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WolffPatch {
    /// Force on the moving body [N].
    pub force_on_moving: [f64; 3],
    /// Moment on the moving body about the fixed origin [N m].
    pub torque_on_moving: [f64; 3],
    /// Sum of the normal forces without regard to their directions [N].
    pub normal_force: f64,
    /// Area in contact [m^2].
    pub area: f64,
    /// Largest pressure [Pa].
    pub peak_pressure: f64,
    /// Normal force over area [Pa]; zero without contact.
    pub mean_pressure: f64,
    /// Centre of pressure in the fixed frame [m]; zero without contact.
    pub centre_of_pressure: [f64; 3],
    /// Deepest overlap over thickness [-].
    pub peak_strain: f64,
    /// Elements in contact; zero means no contact.
    pub active_elements: usize,
    /// Distance queries made.
    pub queries: usize,
}

/// An element of the fixed surface, for pressure maps. Fixed frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WolffElement {
    /// Centre [m].
    pub centre: [f64; 3],
    /// Outward unit normal at the centre.
    pub normal: [f64; 3],
    /// Corners around the element [m]; the fourth of a triangle is its first again.
    pub corners: [[f64; 3]; 4],
    /// 4, or 3 for a triangle.
    pub corner_count: u32,
    /// Number of its compartment, from 0.
    pub compartment: u32,
    /// Number in its grid (row by row, second coordinate fastest) or list of triangles, from 0.
    pub source: u32,
    /// Area [m^2].
    pub area: f64,
    /// Thickness of the layer [m].
    pub thickness: f64,
}

/// A contact and its state at the last pose. It must be used by one thread at a time; `wolff_contact_clone` creates
/// another one for another thread. Created by `wolff_contact_build`, freed by `wolff_contact_free`.
#[derive(Clone, Debug)]
pub struct WolffContact {
    pair: Arc<FoundationPair>,
    memory: FoundationMemory,
    names: Vec<CString>,
    last: Option<Coordinates>,
}

impl WolffContact {
    pub(crate) fn new(pair: Arc<FoundationPair>) -> Self {
        let names = pair.elements().compartments.iter();
        let names = names.map(|c| CString::new(c.name.clone()).unwrap_or_default()).collect();
        WolffContact { memory: pair.memory(), pair, names, last: None }
    }

    /// Forces and measures at the coordinates q [m, rad] and rates u [m/s, rad/s].
    pub fn evaluate(&mut self, q: &[f64; 6], u: &[f64; 6]) -> Result<WolffContactResult, CapiError> {
        let coordinates = Coordinates::new(q, u)?;
        let result = self.pair.evaluate(&mut self.memory, &coordinates.X_FM, &coordinates.V_FM)?;
        let mut out = report(result, &coordinates);
        out.energy = self.pair.stored_energy(&self.memory);
        self.last = Some(coordinates);
        Ok(out)
    }

    /// Derivatives of force and moment about the fixed origin on the moving body, by q and by u.
    pub fn derivatives(&mut self, q: &[f64; 6], u: &[f64; 6]) -> Result<(Matrix6<f64>, Matrix6<f64>), CapiError> {
        let coordinates = Coordinates::new(q, u)?;
        self.pair.evaluate(&mut self.memory, &coordinates.X_FM, &coordinates.V_FM)?;
        self.last = Some(coordinates);
        Ok(coordinates.chain(&self.pair.jacobian(&self.memory)))
    }

    /// Names of the compartments.
    pub fn compartment_names(&self) -> impl ExactSizeIterator<Item = &CStr> {
        self.names.iter().map(CString::as_c_str)
    }

    /// The compartments at the last pose, in the order they were added.
    pub fn compartments(&mut self) -> Result<Vec<WolffPatch>, CapiError> {
        Ok(self.last_result()?.compartments.iter().map(patch).collect())
    }

    /// Mean pressures of the elements at the last pose [Pa].
    pub fn pressures(&mut self) -> Result<&[f64], CapiError> {
        Ok(&self.last_result()?.pressures)
    }

    /// The result at the last pose, which the contact stores.
    fn last_result(&mut self) -> Result<&FoundationResult, CapiError> {
        let Some(Coordinates { X_FM, V_FM, .. }) = &self.last else {
            let what = "the contact has not been evaluated at any pose".into();
            return Err(CapiError::Missing { what, remedy: "call wolff_contact_evaluate first" });
        };
        Ok(self.pair.evaluate(&mut self.memory, X_FM, V_FM)?)
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.pair.elements().elements.len()
    }

    /// The elements, compartment after compartment.
    pub fn elements(&self) -> Vec<WolffElement> {
        let set = self.pair.elements();
        let mut out: Vec<WolffElement> = set.elements.iter().map(geometry).collect();
        for (number, compartment) in set.compartments.iter().enumerate() {
            for element in &mut out[compartment.elements.clone()] {
                element.compartment = number as u32;
            }
        }
        out
    }
}

fn report(result: &FoundationResult, coordinates: &Coordinates) -> WolffContactResult {
    let total = patch(&result.total);
    let (on_moving, on_fixed) = (&result.total.on_moving, result.total.on_fixed());
    WolffContactResult {
        force_on_moving: total.force_on_moving,
        torque_on_moving: total.torque_on_moving,
        torque_at_moving_origin: on_moving.at(&coordinates.X_FM.p).n.into(),
        force_on_fixed: on_fixed.f.into(),
        torque_on_fixed: on_fixed.n.into(),
        generalized_force: coordinates.generalized(on_moving),
        normal_force: total.normal_force,
        area: total.area,
        peak_pressure: total.peak_pressure,
        mean_pressure: total.mean_pressure,
        centre_of_pressure: total.centre_of_pressure,
        peak_strain: total.peak_strain,
        energy: 0.0,
        active_elements: total.active_elements,
        queries: total.queries,
        reused: i32::from(result.reused),
        layer_used_up: i32::from(result.overlap.is_some()),
    }
}

fn patch(patch: &PatchResult) -> WolffPatch {
    WolffPatch {
        force_on_moving: patch.on_moving.f.into(),
        torque_on_moving: patch.on_moving.n.into(),
        normal_force: patch.normal_force,
        area: patch.area,
        peak_pressure: patch.peak_pressure,
        mean_pressure: patch.mean_pressure(),
        centre_of_pressure: patch.centre_of_pressure().unwrap_or_default().into(),
        peak_strain: patch.peak_strain,
        active_elements: patch.active,
        queries: patch.queries,
    }
}

fn geometry(element: &Element) -> WolffElement {
    let found = element.corners();
    let mut corners = [element.centre.into(); 4];
    // the fourth of a triangle is its first again
    for (corner, place) in corners.iter_mut().zip(found.iter().cycle()) {
        *corner = (*place).into();
    }
    WolffElement {
        centre: element.centre.into(),
        normal: element.normal.into(),
        corners,
        corner_count: found.len() as u32,
        compartment: 0,
        source: element.source,
        area: element.area,
        thickness: element.thickness,
    }
}
