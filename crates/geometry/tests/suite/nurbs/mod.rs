//! NURBS surfaces.

mod closest;
mod fit;
mod follow;
mod knots;
mod mesh_fit;
mod ray;
mod reference;
mod refine;
mod shapes;
mod support;
mod surface;
