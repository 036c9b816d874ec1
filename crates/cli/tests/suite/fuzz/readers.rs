//! Every reader of the program, and what must hold for what it accepts.

use super::{Reader, images, seeds};
use sha2::{Digest, Sha256};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use wolff_analyses::contact_poses::articular_contacts;
use wolff_app::SavedWalk;
use wolff_contact::SurfaceTable;
use wolff_contact::lookup::FileSource;
use wolff_doctor::{Patient, examine};
use wolff_evidence::read_emg;
use wolff_flexbody::FlexBodyFile;
use wolff_formats::c3d::{self, PlateOptions};
use wolff_formats::trial::{ForcePlateTrial, MarkerTrial};
use wolff_formats::{csv, osim, sto, trc};
use wolff_meshes::solid::{MeshFormat, read_mesh_bytes};
use wolff_meshes::{nurbs, surface};
use wolff_motion::marker_map::read_marker_map;
use wolff_multibody::{Baumgarte, System};
use wolff_opensim::{OpensimSubject, setup};
use wolff_reference::walk::ReferenceWalk;
use wolff_study::build::build_model;
use wolff_study::document::{StudyDocument, read_pairs};

pub type Checked = Result<(), String>;

/// All readers.
pub const READERS: [Reader; 34] = [
    Reader { name: "trc", seeds: seeds::trc, read: |bytes, _| trc::read(bytes).map_or_else(refused, |t| markers(&t)) },
    Reader { name: "c3d", seeds: seeds::c3d, read: read_c3d },
    Reader { name: "sto", seeds: seeds::sto, read: read_sto },
    Reader { name: "csv", seeds: seeds::csv, read: |bytes, _| csv::read(bytes).map_or_else(refused, |_| accepted()) },
    Reader { name: "emg", seeds: seeds::sto, read: read_signals },
    Reader { name: "osim", seeds: seeds::osim, read: read_model },
    Reader { name: "jam", seeds: seeds::jam, read: read_jam },
    Reader { name: "setup", seeds: seeds::setup, read: read_setup },
    Reader { name: "study", seeds: seeds::study, read: read_study },
    Reader { name: "pairs", seeds: seeds::pairs, read: read_pair_file },
    Reader { name: "set", seeds: seeds::overrides, read: read_overrides },
    Reader { name: "marker map", seeds: seeds::marker_map, read: read_map },
    Reader { name: "loads", seeds: seeds::loads, read: read_loads },
    Reader { name: "walk", seeds: seeds::walk, read: read_walk },
    Reader { name: "msh", seeds: seeds::msh, read: |bytes, _| solid(bytes, MeshFormat::Gmsh) },
    Reader { name: "inp", seeds: seeds::inp, read: |bytes, _| solid(bytes, MeshFormat::Inp) },
    Reader { name: "vtu", seeds: seeds::vtu, read: |bytes, _| solid(bytes, MeshFormat::Vtu) },
    Reader { name: "vtk", seeds: seeds::vtk, read: |bytes, _| solid(bytes, MeshFormat::LegacyVtk) },
    Reader { name: "msh.gz", seeds: seeds::msh_gz, read: read_packed_mesh },
    Reader { name: "stl", seeds: seeds::stl, read: |bytes, _| triangles("a.stl", bytes) },
    Reader { name: "obj", seeds: seeds::obj, read: |bytes, _| triangles("a.obj", bytes) },
    Reader { name: "vtp", seeds: seeds::vtp, read: |bytes, _| triangles("a.vtp", bytes) },
    Reader { name: "obj.gz", seeds: seeds::obj_gz, read: |bytes, _| triangles("a.obj.gz", bytes) },
    Reader { name: "ply?", seeds: seeds::ply, read: |bytes, _| triangles("a.ply", bytes) },
    Reader { name: "polydata?", seeds: seeds::polydata, read: |bytes, _| triangles("a.vtk", bytes) },
    Reader { name: "nifti", seeds: images::nifti, read: images::read_image },
    Reader { name: "nrrd", seeds: images::nrrd, read: images::read_image },
    Reader { name: "meta", seeds: images::meta, read: images::read_image },
    Reader { name: "dicom zip", seeds: images::dicom_zip, read: images::read_image },
    Reader { name: "dicom folder", seeds: images::dicom, read: images::read_series },
    Reader { name: "nurbs", seeds: seeds::nurbs, read: read_nurbs },
    Reader { name: "table", seeds: seeds::table, read: read_table },
    Reader { name: "flexbody", seeds: seeds::flexbody, read: read_body },
    Reader { name: "resume", seeds: seeds::checkpoint, read: read_checkpoint },
];

thread_local! {
    /// Whether the last file was accepted.
    static ACCEPTED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a reader accepts a file.
pub fn is_understood(name: &str, bytes: &[u8], place: &Path) -> bool {
    ACCEPTED.set(false);
    let reader = READERS.iter().find(|reader| reader.name == name).unwrap();
    (reader.read)(bytes, place).unwrap();
    ACCEPTED.get()
}

pub fn accepted() -> Checked {
    ACCEPTED.set(true);
    Ok(())
}

/// An error is an answer if it says something.
pub fn refused(error: impl std::fmt::Display) -> Checked {
    if error.to_string().trim().is_empty() { Err("refused: without a message".into()) } else { Ok(()) }
}

fn finite<'a>(what: &str, mut values: impl Iterator<Item = &'a f64>) -> Checked {
    match values.find(|x| !x.is_finite()) {
        Some(x) => Err(format!("accepts: {what} {x}")),
        None => accepted(),
    }
}

fn markers(trial: &MarkerTrial) -> Checked {
    let _ = examine(&Patient { markers: Some(trial), ..Patient::default() });
    finite("time", trial.times().iter())?;
    finite("position", trial.markers().iter().flat_map(|m| m.points.iter().flatten().flatten()))
}

fn forces(trial: &ForcePlateTrial) -> Checked {
    let _ = examine(&Patient { forces: Some(trial), mass: Some(70.0), height: Some(1.8), ..Patient::default() });
    finite("time", trial.times().iter())
}

fn read_c3d(bytes: &[u8], _: &Path) -> Checked {
    let file = match c3d::read(bytes) {
        Ok(file) => file,
        Err(e) => return refused(e),
    };
    file.force_plates(&PlateOptions::default()).map_or_else(refused, |f| forces(&f))?;
    file.markers().map_or_else(refused, |m| markers(&m))
}

fn read_sto(bytes: &[u8], _: &Path) -> Checked {
    let storage = match sto::read(bytes) {
        Ok(storage) => storage,
        Err(e) => return refused(e),
    };
    accepted()?;
    ForcePlateTrial::from_storage(&storage).map_or_else(refused, |f| forces(&f))
}

/// A reader of files by their path.
fn at_place(bytes: &[u8], place: &Path) {
    std::fs::write(place, bytes).unwrap();
}

fn read_signals(bytes: &[u8], place: &Path) -> Checked {
    at_place(bytes, place);
    read_emg(place).map_or_else(refused, |signals| {
        let values = signals.iter().flat_map(|s| s.samples.iter().flat_map(|(t, x)| [t, x]));
        finite("signal", values)
    })
}

/// Builds the model, and if that can be done, its accelerations and muscles.
fn read_model(bytes: &[u8], _: &Path) -> Checked {
    let subject = match osim::read(bytes) {
        Ok(model) => OpensimSubject::new(model),
        Err(e) => return refused(e),
    };
    let subject = match subject {
        Ok(subject) => subject.subject,
        Err(e) => return refused(e),
    };
    let model = &subject.model;
    finite("start", model.q0.iter())?;
    let mut system = System::new(model);
    let mut a = vec![0.0; model.nv()];
    if system.accelerations(0.0, &model.q0, &model.v0, Baumgarte::NONE, &mut a).is_ok() {
        finite("acceleration", a.iter())?;
    }
    let Ok(motors) = subject.motors() else { return Ok(()) };
    let at = system.instant(0.0, &model.q0, &model.v0, None);
    for muscle in &motors.muscles {
        let geometry = muscle.path.solve(&at, None);
        muscle.hill.equilibrium(0.5, geometry.length, muscle.path.speed(&geometry, &at));
    }
    Ok(())
}

fn read_jam(bytes: &[u8], place: &Path) -> Checked {
    let model = match osim::read(bytes) {
        Ok(model) => model,
        Err(e) => return refused(e),
    };
    accepted()?;
    let files = wolff_analyses::contact_poses::meshes::MeshFiles::beside(place, &[], Vec::new(), Vec::new());
    articular_contacts(&model, &files, &Default::default(), None).map_or_else(refused, |_| Ok(()))
}

fn read_setup(bytes: &[u8], place: &Path) -> Checked {
    setup::read(bytes, place.parent().unwrap()).map_or_else(refused, |_| accepted())
}

fn read_study(bytes: &[u8], place: &Path) -> Checked {
    let text = String::from_utf8_lossy(bytes);
    let study = StudyDocument::parse_in("study.toml", &text, place.parent().unwrap()).and_then(|d| d.evaluate());
    study.and_then(|study| build_model(&study).map(|_| ())).map_or_else(refused, |()| accepted())
}

fn read_pair_file(bytes: &[u8], place: &Path) -> Checked {
    let text = String::from_utf8_lossy(bytes);
    read_pairs("pair.toml", &text, place.parent().unwrap()).map_or_else(refused, |_| accepted())
}

/// Lines `key=value`, as `--set` takes them.
fn read_overrides(bytes: &[u8], place: &Path) -> Checked {
    let text = String::from_utf8_lossy(bytes);
    let pairs: Vec<(String, String)> =
        text.lines().filter_map(|l| l.split_once('=')).map(|(k, v)| (k.trim().into(), v.trim().into())).collect();
    let pendulum = wolff_study::builtin("pendulum").unwrap();
    let study = StudyDocument::parse_in("pendulum.toml", pendulum, place.parent().unwrap());
    let changed = study.and_then(|mut d| d.apply_overrides(&pairs).and_then(|()| d.evaluate()));
    changed.and_then(|study| build_model(&study).map(|_| ())).map_or_else(refused, |()| accepted())
}

fn read_map(bytes: &[u8], place: &Path) -> Checked {
    at_place(bytes, place);
    read_marker_map(place).map_or_else(refused, |_| accepted())
}

/// External loads; the file of forces that they name does not exist.
fn read_loads(bytes: &[u8], place: &Path) -> Checked {
    let file = match setup::read(bytes, place.parent().unwrap()) {
        Ok(file) => file,
        Err(e) => return refused(e),
    };
    if let setup::Setup::ExternalLoads(loads) = file.setup {
        let _ = loads.columns();
        accepted()?;
    }
    let as_xml = place.with_extension("xml");
    at_place(bytes, &as_xml);
    let read = wolff_opensim::read_recording(&as_xml, None);
    let _ = std::fs::remove_file(as_xml);
    read.map_or_else(refused, |_| Ok(()))
}

fn read_walk(bytes: &[u8], _: &Path) -> Checked {
    ReferenceWalk::from_json(&String::from_utf8_lossy(bytes)).map_or_else(refused, |_| accepted())
}

fn solid(bytes: &[u8], format: MeshFormat) -> Checked {
    read_mesh_bytes(bytes, format)
        .map_or_else(refused, |mesh| finite("coordinate", mesh.nodes().iter().flat_map(|x| x.iter())))
}

fn read_packed_mesh(bytes: &[u8], place: &Path) -> Checked {
    at_place(bytes, place);
    wolff_meshes::solid::read_mesh(place)
        .map_or_else(refused, |mesh| finite("coordinate", mesh.nodes().iter().flat_map(|x| x.iter())))
}

fn triangles(name: &str, bytes: &[u8]) -> Checked {
    let mesh = match surface::read(name, bytes) {
        Ok(cleaned) => cleaned.mesh,
        Err(e) => return refused(e),
    };
    let _ = mesh.report();
    let _ = mesh.parts();
    finite("vertex", mesh.vertices().iter().flat_map(|x| x.iter()))
}

fn read_nurbs(bytes: &[u8], _: &Path) -> Checked {
    nurbs::read(&String::from_utf8_lossy(bytes)).map_or_else(refused, |surfaces| {
        let points = surfaces.iter().flat_map(|s| s.surface.net().iter().flat_map(|p| p.iter()));
        finite("control point", points)
    })
}

fn read_table(bytes: &[u8], place: &Path) -> Checked {
    at_place(bytes, place);
    let table = FileSource::open(place).and_then(|source| SurfaceTable::new(Arc::new(source), 6));
    table.map_or_else(refused, |table| {
        let jet = table.open_window().jet([2.5, 2.5]);
        finite("point", jet.r.iter())
    })
}

/// Puts the checksum right, so that the reader looks at what is before it.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.get(..bytes.len().saturating_sub(32)).unwrap_or_default().to_vec();
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

fn read_body(bytes: &[u8], place: &Path) -> Checked {
    let mut bytes = sealed(bytes);
    let length = bytes.len().saturating_sub(52) as u64;
    if let Some(field) = bytes.get_mut(12..20) {
        field.copy_from_slice(&length.to_le_bytes());
    }
    FlexBodyFile::from_bytes(place, &sealed(&bytes)).map_or_else(refused, |file| {
        finite("mass", std::iter::once(&file.body.inertia.mass))?;
        finite("stiffness", file.body.stiffness.iter())
    })
}

fn read_checkpoint(bytes: &[u8], place: &Path) -> Checked {
    at_place(&sealed(bytes), place);
    SavedWalk::load(place).map_or_else(refused, |_| accepted())
}
