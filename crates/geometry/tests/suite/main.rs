//! Tests of the surfaces; each file mirrors one of the sources.

mod analytic;
mod nurbs;
