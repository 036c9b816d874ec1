//! Elements, materials and options, and the contact built from them.

use crate::choice::{WolffBody, WolffGridShape, grid_shape};
use crate::contact::WolffContact;
use crate::coordinates::require_finite;
use crate::error::CapiError;
use crate::surface::WolffSurface;
use std::sync::Arc;
use wolff_contact::foundation::{
    Along, Back, Distance, ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, LayerMaterial,
    LayerThickness, MovingLayer, Reading, Rule, Strain, ThicknessMap,
};
use wolff_contact::{ContactError, Friction};
use wolff_spatial::Vec3;

/// Maximum number of elements of a grid: with more, memory could be exhausted, which cannot be reported. Chosen here: a
/// thousand times the usual number.
pub const MOST_ELEMENTS: usize = 1 << 20;

/// Maximum number of samples of a moving layer along a side of a patch.
const MOST_SAMPLES: usize = 1000;

/// A rectangular grid on a plane, a cylinder or a sphere, projected along its normals onto the fixed surface. Fixed
/// frame.
///
/// Elements are omitted if the ray of a corner, of the middle of a side or of the centre misses the surface.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WolffGrid {
    /// One of `WolffGridShape`.
    pub shape: i32,
    /// Origin of the plane, a point of the axis of the cylinder, centre of the sphere [m].
    pub origin: [f64; 3],
    /// Normal of the plane, axis of the cylinder, middle of the grid on the sphere; any length.
    pub normal: [f64; 3],
    /// Direction of the first coordinate (plane, sphere) or of the angle zero (cylinder); any length.
    pub along: [f64; 3],
    /// Radius of cylinder and sphere [m]; not used by the plane.
    pub radius: f64,
    /// Range of the first coordinate [m or rad].
    pub first: [f64; 2],
    /// Range of the second coordinate [m or rad].
    pub second: [f64; 2],
    /// Elements along the first and the second coordinate.
    pub counts: [usize; 2],
    /// Range along the rays in which the surface is searched [m]: from, to; negative values are behind the shape.
    pub range: [f64; 2],
}

impl WolffGrid {
    /// The grid as a type of the contact crate.
    fn checked(&self) -> Result<Grid, CapiError> {
        let numbers: [(&'static str, &[f64]); 7] = [
            ("grid.origin", &self.origin),
            ("grid.normal", &self.normal),
            ("grid.along", &self.along),
            ("grid.radius", &[self.radius]),
            ("grid.first", &self.first),
            ("grid.second", &self.second),
            ("grid.range", &self.range),
        ];
        for (argument, values) in numbers {
            require_finite(argument, values)?;
        }
        let [n, m] = self.counts;
        let count = n.saturating_mul(m);
        if count == 0 || count > MOST_ELEMENTS {
            let rule = format!("the product of both counts must be from 1 to {MOST_ELEMENTS}");
            return Err(CapiError::BadCount { argument: "grid.counts", found: count, rule });
        }
        let (origin, normal, along) = (Vec3::from(self.origin), Vec3::from(self.normal), Vec3::from(self.along));
        let radius = self.radius;
        let surface = match grid_shape(self.shape)? {
            WolffGridShape::Plane => ElementSurface::Plane { origin, normal, along },
            WolffGridShape::Cylinder => ElementSurface::Cylinder { origin, axis: normal, start: along, radius },
            WolffGridShape::Sphere => ElementSurface::Sphere { centre: origin, towards: normal, along, radius },
        };
        Ok(Grid { surface, first: self.first.into(), second: self.second.into(), counts: (n, m) })
    }
}

/// Source of the thickness of the fixed layer.
#[derive(Clone, Copy, Debug)]
pub enum Layer<'a> {
    /// Constant [m].
    Constant(f64),
    /// The distance from the shape of the grid.
    ToElementSurface,
    /// The distance to a surface behind, up to `reach` [m].
    ToBack {
        /// The surface behind the layer.
        back: &'a WolffSurface,
        /// Maximum distance of the search [m].
        reach: f64,
    },
}

/// The parts of a contact: collected first, then built. Created by `wolff_builder_new`, freed by `wolff_builder_free`.
#[derive(Clone, Debug)]
pub struct WolffBuilder {
    moving: WolffSurface,
    fixed: WolffSurface,
    sets: Vec<ElementSet>,
    material: Option<LayerMaterial>,
    damping: f64,
    settings: FoundationSettings,
    /// Thickness maps of the moving layer by the number of the surface.
    maps: Vec<(usize, ThicknessMap)>,
}

impl WolffBuilder {
    /// A moving surface over a fixed one, each in the frame of its body.
    pub fn new(moving: &WolffSurface, fixed: &WolffSurface) -> Self {
        WolffBuilder {
            moving: moving.clone(),
            fixed: fixed.clone(),
            sets: Vec::new(),
            material: None,
            damping: 0.0,
            settings: FoundationSettings::default(),
            maps: Vec::new(),
        }
    }

    /// Adds a compartment: a grid projected onto the fixed surface.
    pub fn add_grid(&mut self, name: &str, grid: &WolffGrid, layer: &Layer<'_>) -> Result<(), CapiError> {
        self.require_new_name(name)?;
        let thickness = match *layer {
            Layer::Constant(h) => LayerThickness::Constant(h),
            Layer::ToElementSurface => LayerThickness::ToElementSurface,
            Layer::ToBack { back, reach } => {
                require_finite("layer.reach", &[reach])?;
                LayerThickness::ToBack { back: &**back.surface(), reach, least: 0.0 }
            }
        };
        let range = (grid.range[0], grid.range[1]);
        let set = grid.checked()?.project(name, &**self.fixed.surface(), range, &thickness)?;
        self.sets.push(set);
        Ok(())
    }

    /// Adds a compartment: all triangles of the fixed surface.
    pub fn add_triangles(&mut self, name: &str, layer: &Layer<'_>) -> Result<(), CapiError> {
        self.require_new_name(name)?;
        let missing = |what: String, remedy| CapiError::Missing { what, remedy };
        let Some(mesh) = self.fixed.mesh() else {
            let what = format!("compartment `{name}`: the fixed surface has no triangles");
            return Err(missing(what, "give a surface of triangles, or add a grid"));
        };
        let from = |h: f64| ElementSet::from_triangles(name, mesh.vertices(), mesh.triangles(), h);
        let set = match *layer {
            Layer::Constant(h) => from(h)?,
            Layer::ToElementSurface => {
                let what = format!("compartment `{name}`: the thickness from a grid is not available for triangles");
                return Err(missing(what, "use a constant thickness, or the distance to a surface behind"));
            }
            Layer::ToBack { back, reach } => from(reach)?.to_back(&**back.surface(), reach, 0.0)?,
        };
        self.sets.push(set);
        Ok(())
    }

    fn require_new_name(&self, name: &str) -> Result<(), CapiError> {
        if self.sets.iter().flat_map(|set| &set.compartments).any(|c| c.name == name) {
            return Err(CapiError::NameTaken { name: name.into() });
        }
        Ok(())
    }

    /// A linear layer: Young's modulus [Pa] and Poisson's ratio.
    pub fn set_linear(&mut self, body: WolffBody, E: f64, nu: f64, strain: Strain) -> Result<(), CapiError> {
        self.set_material(body, LayerMaterial::linear(E, nu, strain)?);
        Ok(())
    }

    /// A layer of the three-parameter law: ε0 [-], σ0 [Pa], n.
    pub fn set_nonlinear(
        &mut self,
        body: WolffBody,
        law: (f64, f64, f64),
        nu: f64,
        reading: Reading,
        strain: Strain,
    ) -> Result<(), CapiError> {
        self.set_material(body, LayerMaterial::nonlinear(law, nu, reading, strain)?);
        Ok(())
    }

    fn set_material(&mut self, body: WolffBody, material: LayerMaterial) {
        match body {
            WolffBody::Fixed => self.material = Some(material),
            WolffBody::Moving => self.settings.moving_material = Some(material),
        }
    }

    /// Damping a of the viscous factor 1 + a d' [s/m].
    pub fn set_damping(&mut self, damping: f64) -> Result<(), CapiError> {
        self.damping = not_negative("damping [s/m]", damping)?;
        Ok(())
    }

    /// Measure of the overlap and integration of the pressure.
    pub fn set_method(&mut self, distance: Distance, along: Along, rule: Rule) {
        self.settings = FoundationSettings { distance, along, rule, ..self.settings.clone() };
    }

    /// Friction in the contact; `None` for no friction.
    pub fn set_friction(&mut self, friction: Option<Friction>) {
        self.settings.friction = friction;
    }

    /// Distance [m] within which the last result is reused.
    pub fn set_reuse_within(&mut self, way: f64) -> Result<(), CapiError> {
        self.settings.reuse_within = not_negative("distance within which results are reused [m]", way)?;
        Ok(())
    }

    /// Thickness [m] of the layer on the moving body; zero for a rigid one.
    pub fn set_moving_layer(&mut self, thickness: f64) -> Result<(), CapiError> {
        self.settings.moving_layer =
            MovingLayer::Constant(not_negative("thickness of the moving layer [m]", thickness)?);
        self.maps.clear();
        Ok(())
    }

    /// Thickness of the moving layer over the parameters of a NURBS surface of the moving body: `counts` samples over
    /// the ranges `u` and `v`, `values` [m] with v fastest.
    pub fn set_moving_layer_map(
        &mut self,
        surface: usize,
        (u, v): ([f64; 2], [f64; 2]),
        counts: [usize; 2],
        values: &[f64],
    ) -> Result<(), CapiError> {
        let map = ThicknessMap::new(u.into(), v.into(), counts.into(), values.to_vec())?;
        let mut maps: Vec<_> = self.maps.iter().filter(|(other, _)| *other != surface).cloned().collect();
        maps.push((surface, map));
        self.settings.moving_layer = MovingLayer::over_parameters(&**self.moving.surface(), &maps)?;
        self.maps = maps;
        Ok(())
    }

    /// Thickness of the moving layer by the distance to a surface behind it, in the frame of the moving body; returns
    /// the part of the samples without one.
    pub fn set_moving_layer_back(
        &mut self,
        back: &WolffSurface,
        (reach, least): (f64, f64),
        samples: usize,
    ) -> Result<f64, CapiError> {
        if samples > MOST_SAMPLES {
            let rule = format!("at most {MOST_SAMPLES} samples along a side of a patch are accepted");
            return Err(CapiError::BadCount { argument: "samples", found: samples, rule });
        }
        let back = Back { surface: &**back.surface(), reach, least };
        let (layer, without) = MovingLayer::to_back(&**self.moving.surface(), &back, samples)?;
        self.settings.moving_layer = layer;
        self.maps.clear();
        Ok(without)
    }

    /// Minimum number of elements for which all threads are used.
    pub fn set_threads_from(&mut self, elements: usize) {
        self.settings.threads_from = elements;
    }

    /// Builds the contact; the builder does not change.
    pub fn build(&self) -> Result<WolffContact, CapiError> {
        let missing = |what: &str, remedy| CapiError::Missing { what: what.into(), remedy };
        let Some(material) = self.material else {
            return Err(missing(
                "the fixed layer has no material",
                "call wolff_builder_set_linear or _nonlinear for it",
            ));
        };
        if self.sets.is_empty() {
            return Err(missing("there are no elements", "call wolff_builder_add_grid or wolff_builder_add_triangles"));
        }
        let set = ElementSet::join(self.sets.iter().cloned());
        let material = material.with_damping(self.damping)?;
        let pair = FoundationPair::new(set, self.moving.surface().clone(), material, self.settings.clone())?;
        Ok(WolffContact::new(Arc::new(pair)))
    }
}

fn not_negative(quantity: &'static str, value: f64) -> Result<f64, CapiError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    let rule = "must be a finite number, zero or more";
    Err(ContactError::Parameter { object: "contact".into(), quantity, value, rule }.into())
}
