//! Surfaces.

use super::pointer::{hand_out, numbers, slice, take_back, text};
use crate::choice;
use crate::error::{WolffCode, guard};
use crate::surface::WolffSurface;
use std::ffi::c_char;

/// A surface of triangles.
///
/// `vertices`: x, y, z [m] of each of the `vertex_count` vertices. `triangles`: three numbers of vertices, from 0, for
/// each of the `triangle_count` triangles, counter-clockwise seen from outside the material. `normals`: one of
/// `WolffNormals`. The arrays are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_surface_triangles(
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    normals: i32,
    surface: *mut *mut WolffSurface,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`; three numbers in a row are laid out and aligned as an array of three.
        unsafe {
            hand_out("surface", surface, || {
                let vertices = slice("vertices", vertices.cast::<[f64; 3]>(), vertex_count)?;
                let triangles = slice("triangles", triangles.cast::<[u32; 3]>(), triangle_count)?;
                WolffSurface::from_triangles(vertices, triangles, choice::normals(normals)?)
            })
        }
    })
}

/// A surface from a file.
///
/// `path`: triangles in `.stl`, `.obj`, `.vtp` (also packed, `.gz`), or NURBS surfaces in `.json`. Coordinates times
/// `scale` are metres: 0.001 for a file in mm. `normals`: one of `WolffNormals`, for triangles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_surface_file(
    path: *const c_char,
    scale: f64,
    normals: i32,
    surface: *mut *mut WolffSurface,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe {
            hand_out("surface", surface, || {
                WolffSurface::from_file(text("path", path)?, scale, choice::normals(normals)?)
            })
        }
    })
}

/// A sphere: `centre` x, y, z [m] and `radius` [m], with the material inside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_surface_sphere(
    centre: *const f64,
    radius: f64,
    surface: *mut *mut WolffSurface,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe { hand_out("surface", surface, || WolffSurface::sphere(&numbers("centre", centre)?, radius)) }
    })
}

/// An infinite plane through `origin` x, y, z [m]; the material is on the side opposite to `normal` (three numbers, any
/// length).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_surface_plane(
    origin: *const f64,
    normal: *const f64,
    surface: *mut *mut WolffSurface,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe {
            hand_out("surface", surface, || {
                WolffSurface::plane(&numbers("origin", origin)?, &numbers("normal", normal)?)
            })
        }
    })
}

/// Frees a surface; builders and contacts created with it remain valid. NULL has no effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_surface_free(surface: *mut WolffSurface) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe { take_back(surface) };
        Ok(())
    })
}
