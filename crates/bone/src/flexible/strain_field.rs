//! Displacement and strain on the surface of a body as VTK files, for ParaView and similar programs.
//!
//! Strain is written as VTK's symmetric tensor, `xx, yy, zz, xy, yz, xz` with tensor shear (half of the engineering
//! shear inside this program), in the axes of the body. The equivalent strain is `√(2/3 e:e)` of the deviator.

use std::path::Path;

use nalgebra::{DVectorView, Vector6};
use wolff_fem::FemError;
use wolff_fem::strain::{principal, von_mises};
use wolff_files::atomic::write_file;
use wolff_flexbody::Surface;
use wolff_meshes::solid::vtk::write::{DataArray, Fields, write_pvd, write_triangles};

/// Fields of one state.
struct State {
    displacement: Vec<f64>,
    strain: Vec<f64>,
    equivalent: Vec<f64>,
    largest: Vec<f64>,
    smallest: Vec<f64>,
}

impl State {
    fn new(displacement: Vec<f64>, strain: &[f64]) -> Self {
        let mut state = State {
            displacement,
            strain: Vec::new(),
            equivalent: Vec::new(),
            largest: Vec::new(),
            smallest: Vec::new(),
        };
        for of_node in strain.chunks_exact(6) {
            let strain = Vector6::from_column_slice(of_node);
            let [largest, _, smallest] = principal(&strain);
            state.equivalent.push(von_mises(&strain));
            state.largest.push(largest);
            state.smallest.push(smallest);
            state.strain.extend(of_node.iter().enumerate().map(|(i, e)| if i < 3 { *e } else { 0.5 * e }));
        }
        state
    }

    /// The fields with their names, `before` put before each.
    fn fields(&self, before: &str) -> [(String, usize, &[f64]); 5] {
        [
            (format!("{before}displacement [m]"), 3, &self.displacement),
            (format!("{before}strain"), 6, &self.strain),
            (format!("{before}equivalent strain"), 1, &self.equivalent),
            (format!("{before}largest principal strain"), 1, &self.largest),
            (format!("{before}smallest principal strain"), 1, &self.smallest),
        ]
    }
}

fn content<'a>(surface: &Surface, fields: &'a [(String, usize, &'a [f64])]) -> Result<Vec<u8>, FemError> {
    let array = |(name, components, values): &'a (String, usize, &'a [f64])| DataArray {
        name,
        components: *components,
        values,
    };
    let fields = Fields { point: fields.iter().map(array).collect(), cell: Vec::new() };
    let mut bytes = Vec::new();
    write_triangles(&mut bytes, &surface.positions, &surface.triangles, &fields)?;
    Ok(bytes)
}

/// The surface at rest with the displacement and strain of modal coordinates `eta` (those not given are zero): the
/// content of a `.vtu` file.
///
/// # Errors
/// When a value is not finite.
pub fn strain_field(surface: &Surface, eta: &[f64]) -> Result<Vec<u8>, FemError> {
    let moved = surface.deformed(eta);
    let displacement = moved.iter().zip(&surface.positions).flat_map(|(x, rest)| <[f64; 3]>::from(x - rest)).collect();
    let state = State::new(displacement, &surface.strains(eta));
    content(surface, &state.fields(""))
}

/// Names and contents of a series of [`strain_field`], one for each time \[s\] and its modal coordinates:
/// `STEM-0000.vtu` and so on, and `STEM.pvd`, which puts them on a time axis.
///
/// # Errors
/// When a value is not finite.
pub fn strain_series(
    stem: &str,
    surface: &Surface,
    states: &[(f64, Vec<f64>)],
) -> Result<Vec<(String, Vec<u8>)>, FemError> {
    let (mut files, mut series) = (Vec::with_capacity(states.len() + 1), Vec::with_capacity(states.len()));
    for (i, (time, eta)) in states.iter().enumerate() {
        let name = format!("{stem}-{i:04}.vtu");
        series.push((*time, name.clone()));
        files.push((name, strain_field(surface, eta)?));
    }
    let mut index = Vec::new();
    write_pvd(&mut index, &series)?;
    files.push((format!("{stem}.pvd"), index));
    Ok(files)
}

/// Writes [`strain_field`] to a file.
///
/// # Errors
/// When a value is not finite, or the file cannot be written.
pub fn write_strain_field(path: &Path, surface: &Surface, eta: &[f64]) -> Result<(), FemError> {
    write(path, &strain_field(surface, eta)?)
}

/// Writes the files of [`strain_series`] to one folder: `path` is that of the `.pvd` file.
///
/// # Errors
/// When the path does not end in a name, a value is not finite, or a file cannot be written.
pub fn write_strain_series(path: &Path, surface: &Surface, states: &[(f64, Vec<f64>)]) -> Result<(), FemError> {
    let Some(stem) = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()) else {
        let message = format!("`{}` does not end in a name; write for example strain.pvd", path.display());
        return Err(FemError::Unwritable { format: "a series of strain fields", message });
    };
    for (name, bytes) in strain_series(&stem, surface, states)? {
        write(&path.with_file_name(name), &bytes)?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FemError> {
    write_file(path, bytes).map_err(|e| FemError::Unwritable { format: "a field", message: e.to_string() })
}

/// Writes the surface at rest with displacement and strain of every mode, for a modal coordinate of 1, as a `.vtu`
/// file.
///
/// # Errors
/// When a value is not finite, or the file cannot be written.
pub fn write_mode_fields(path: &Path, surface: &Surface) -> Result<(), FemError> {
    write(path, &mode_fields(surface)?)
}

/// The content of the file of [`write_mode_fields`].
///
/// # Errors
/// When a value is not finite.
pub fn mode_fields(surface: &Surface) -> Result<Vec<u8>, FemError> {
    let column = |view: DVectorView<'_, f64>| view.iter().copied().collect::<Vec<f64>>();
    let state =
        |mode: usize| State::new(column(surface.displacement.column(mode)), &column(surface.strain.column(mode)));
    let states: Vec<State> = (0..surface.displacement.ncols()).map(state).collect();
    let fields = states.iter().enumerate().flat_map(|(i, state)| state.fields(&format!("mode {} ", i + 1)));
    content(surface, &fields.collect::<Vec<_>>())
}
