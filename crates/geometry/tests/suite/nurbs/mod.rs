//! NURBS surfaces.

mod closest;
mod file;
mod fit;
mod knots;
mod ray;
mod reference;
mod refine;
mod shapes;
mod support;
mod surface;
