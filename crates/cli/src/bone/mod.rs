//! `wolff bone`: a flexible bone from a CT, a label image or a surface.

pub mod args;

use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use crate::{answer, interrupt};
use args::{BoneArgs, BoneWord, SideWord};
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_anatomy::Side;
use wolff_fem::ElementKind;
use wolff_files::atomic::write_file;
use wolff_files::input::Recorder;
use wolff_mesher::Settings;
use wolff_meshes::solid::write_mesh;
use wolff_meshes::surface;
use wolff_morphology::BoneKind;
use wolff_report::folder::{Provenance, check_run_folder, write_run_folder};
use wolff_report::json::Stopwatch;
use wolff_scan::ScanError;
use wolff_scan::bone::outcome::{add_figures, bone_mass, outcome};
use wolff_scan::bone::{BoneRequest, MadeBone, STAGES, make};

/// Runs the command.
pub fn bone(args: &BoneArgs) -> Result<ExitCode, Failure> {
    let (recorder, clock) = (Recorder::start(), Stopwatch::start());
    if let Some(folder) = &args.report {
        check_run_folder(folder)?;
    }
    interrupt::install_handler();
    // the stages ask for requests to stop only now and then
    interrupt::end_when_stuck(None, |_| ());
    let request = request(args);
    let bar = output::creeping_bar("bone", args.json);
    let mut progress = |stage: &str, part: f64| {
        bar.stage(&format!("bone: {stage}"), part, next_stage(part));
        !interrupt::stop_requested()
    };
    let made = make(&request, &mut progress).and_then(|made| {
        let mut outcome = outcome(&made, &request);
        if args.report.is_some() {
            add_figures(&mut outcome, &made, &request);
        }
        if progress("writing", 1.0) { Ok((made, outcome)) } else { Err(ScanError::Stopped) }
    });
    bar.finish();
    interrupt::finish();
    let (made, mut outcome) = made.map_err(|error| match error {
        ScanError::Refused(findings) => Failure::Refused(findings),
        other => other.into(),
    })?;
    let written = write_all(args, &made)?;
    outcome.results.insert("written".into(), json!(written));
    outcome.add_inputs(recorder.finish());
    let timing = clock.stop(0.0);
    if let Some(folder) = &args.report {
        write_run_folder(folder, &outcome, &Provenance::of_command("bone", &args.options()), &timing)?;
    }
    answer::show(&outcome, &timing, args.report.as_deref(), args.json, &shown(&made, &written))
}

/// The part of the work at which the next stage begins.
fn next_stage(part: f64) -> f64 {
    STAGES.into_iter().find(|start| *start > part).unwrap_or(1.0)
}

fn request(args: &BoneArgs) -> BoneRequest {
    BoneRequest {
        input: args.input.clone(),
        unit: args.unit,
        series: args.series.clone(),
        label: args.label,
        threshold: args.threshold,
        seed: args.seed,
        neck: args.split.map(|mm| 1e-3 * mm),
        inner: args.inner.clone(),
        inner_labels: args.inner_label.clone(),
        calibration: args.calibration,
        phantom: args.phantom(),
        rule: args.rule.rule(),
        directions: args.directions(),
        relation: args.relation.clone(),
        wall: args.wall.0,
        kind: args.bone.map(|word| match word {
            BoneWord::Femur => BoneKind::Femur,
            BoneWord::Tibia => BoneKind::Tibia,
            BoneWord::Fibula => BoneKind::Fibula,
            BoneWord::Patella => BoneKind::Patella,
        }),
        side: args.side.map(|word| match word {
            SideWord::Left => Side::Left,
            SideWord::Right => Side::Right,
        }),
        up: args.up,
        anterior: args.anterior,
        stature: args.stature,
        mesh: Settings {
            size: 1e-3 * args.size,
            order: if args.order == 2 { ElementKind::Tet10 } else { ElementKind::Tet4 },
            halvings: 1,
            ..Settings::default()
        },
        modes: args.modes.into(),
        force: args.force,
    }
}

/// Writes what was asked for; returns the names.
fn write_all(args: &BoneArgs, made: &MadeBone) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    let mut note = |path: &Path| written.push(path.display().to_string());
    let out = args.out.clone().or_else(|| (!args.json).then(|| default_file(made)));
    if let (Some(out), Some(file)) = (&out, made.file()) {
        write_file(out, &file.to_bytes()?)?;
        note(out);
    }
    if let Some(path) = &args.surface_out {
        let wrong =
            |e: wolff_geometry::GeometryError| Failure::usage(e.to_string(), "surfaces are written as .stl or .obj");
        let in_mm = made.shape.surface.clone().scaled(1e3).map_err(wrong)?;
        write_file(path, &surface::write(&path.to_string_lossy(), &in_mm).map_err(wrong)?)?;
        note(path);
    }
    if let Some(path) = &args.field_out {
        write_file(path, field(made).as_bytes())?;
        note(path);
    }
    if let Some(path) = &args.mesh_out {
        write_mesh(path, &made.bodies.mesh)?;
        note(path);
    }
    Ok(written)
}

/// Density and modulus of all elements.
fn field(made: &MadeBone) -> String {
    let mut text = String::from("x_mm,y_mm,z_mm,density_g_cm3,modulus_mpa,volume_mm3\n");
    let tissue = &made.tissue;
    for (i, x) in tissue.centroids.iter().enumerate() {
        let [x, y, z] = [x.x, x.y, x.z].map(|c| 1e3 * c);
        let (density, modulus, volume) = (1e-3 * tissue.density[i], 1e-6 * tissue.modulus[i], 1e9 * tissue.volumes[i]);
        let _ = writeln!(text, "{x:.6},{y:.6},{z:.6},{density:.6},{modulus:.4},{volume:.6}");
    }
    text
}

/// `BONE_SIDE.flexbody` in the current folder.
fn default_file(made: &MadeBone) -> PathBuf {
    PathBuf::from(format!("{}_{}.flexbody", made.morphology.kind.word(), made.morphology.side.word()))
}

fn shown(made: &MadeBone, written: &[String]) -> String {
    let row = |name: &str, value: f64, unit: &str| vec![name.to_string(), number(value), unit.to_string()];
    let (report, morphology) = (&made.meshed.report, &made.morphology);
    let mut rows = vec![
        row("mass of bone, without marrow", 1e3 * bone_mass(made), "g"),
        row("outer volume", 1e9 * report.input_volume, "mm³"),
        row("length", 1e3 * morphology.length, "mm"),
        row("tetrahedra", report.tets as f64, ""),
        row("smallest dihedral angle", report.min_dihedral.to_degrees(), "deg"),
    ];
    for (i, frequency) in made.bodies.frequencies.iter().enumerate() {
        rows.push(row(&format!("natural frequency {}, free", i + 1), *frequency, "Hz"));
    }
    let mut text = format!("{} {}\n", morphology.side.word(), morphology.kind.word());
    text += &table(&[("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)], &rows);
    for file in written {
        let _ = writeln!(text, "Wrote {file}.");
    }
    text
}
