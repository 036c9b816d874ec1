//! `wolff reactions`.

use super::args::{Body, Frame, Reactions};
use super::folder::Picture;
use super::inputs::{Loaded, load, read_storage};
use super::stream::Tables;
use super::{Outcome, analysis_from_setup, check_folder, finish, summary, timed};
use crate::failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_motion::{Accelerations, Axes, ReactionRequest, Side, add_motor_forces, joint_reactions};
use wolff_multibody::Model;
use wolff_opensim::setup::AnalysisKind;

/// Settings of a set-up file: muscle forces, joints, bodies, frames.
type FromSetup = (Option<PathBuf>, Vec<String>, Vec<String>, Vec<String>);

/// Runs `wolff reactions`.
pub fn reactions(args: &Reactions) -> Result<ExitCode, Failure> {
    let mut loaded = load(&args.inputs, &args.actuators, Accelerations::OfSpeeds)?;
    let folder = check_folder(&args.inputs, &loaded, "reactions")?;
    let from_setup: Option<FromSetup> = analysis_from_setup(&loaded, |kind| match kind {
        AnalysisKind::JointReaction { forces_file, joints, on_bodies, in_frames } => {
            Some((forces_file.clone(), joints.clone(), on_bodies.clone(), in_frames.clone()))
        }
        _ => None,
    });
    let (setup_forces, joints, bodies, frames) = from_setup.unwrap_or_default();
    let motors = loaded.subject.motors()?;
    match args.forces.clone().or(setup_forces) {
        Some(path) => add_motor_forces(&mut loaded.subject.model, &motors, &read_storage(&path)?.table)?,
        None if motors.is_empty() => {}
        None => {
            let help = "give --forces FORCES.sto; `wolff so` writes them";
            return Err(Failure::usage("the model has muscles or actuators, but no forces of them are given", help));
        }
    }
    let requests = requests(args, &loaded.subject.model, joints, &bodies, &frames)?;
    let (found, seconds) = timed("joint reactions", &args.inputs, loaded.times.len(), |progress| {
        joint_reactions(&loaded.subject.model, &loaded.history, &loaded.times, &requests, progress)
    })?;
    let tables = Tables::of(folder.as_deref(), &[("joint_reactions.sto".into(), found.to_storage()?)])?;
    finish(&args.inputs, &loaded, folder, result(&loaded, seconds, tables))?;
    Ok(ExitCode::SUCCESS)
}

fn result<'a>(loaded: &Loaded, seconds: f64, tables: Tables) -> Outcome<'a> {
    Outcome {
        summary: summary(loaded, seconds),
        tables,
        picture: Picture {
            file: "reactions.svg",
            title: "Joint reactions: largest forces",
            y_label: "force [N]",
            takes: &|label| label.ends_with("_fx") || label.ends_with("_fy") || label.ends_with("_fz"),
        },
    }
}

/// Options have priority over the set-up file; the default is all joints, on the child body, in axes of ground.
fn requests(
    args: &Reactions,
    model: &Model,
    from_setup: Vec<String>,
    bodies: &[String],
    frames: &[String],
) -> Result<Vec<ReactionRequest>, Failure> {
    let all = || model.bodies().iter().skip(1).filter(|b| !b.is_node()).map(|b| b.joint_name.clone()).collect();
    let joints: Vec<String> = match (&args.joint[..], &from_setup[..]) {
        ([], []) => all(),
        ([], [only]) if only.eq_ignore_ascii_case("all") => all(),
        ([], _) => from_setup,
        (given, _) => given.to_vec(),
    };
    let pick = |list: &[String], k: usize| list.get(k).or(list.first()).cloned();
    let request = |(k, joint): (usize, String)| {
        let on = match (args.on, pick(bodies, k).as_deref()) {
            (Some(Body::Parent), _) => Side::Parent,
            (None, Some("parent")) => Side::Parent,
            _ => Side::Child,
        };
        let axes = match (args.axes, pick(frames, k).as_deref()) {
            (Some(Frame::Child), _) => Axes::Of(Side::Child),
            (Some(Frame::Parent), _) => Axes::Of(Side::Parent),
            (Some(Frame::Ground), _) => Axes::Ground,
            (None, Some(name)) => named_axes(model, &joint, name)?,
            (None, None) => Axes::Ground,
        };
        Ok(ReactionRequest { joint, on, axes })
    };
    joints.into_iter().enumerate().map(request).collect()
}

/// `ground`, `child`, `parent` or the name of a body of the joint.
fn named_axes(model: &Model, joint: &str, name: &str) -> Result<Axes, Failure> {
    let body = model.bodies().iter().find(|b| b.joint_name == joint);
    let parent = body.map(|b| model.bodies()[b.parent].name.as_str());
    match name {
        "ground" => Ok(Axes::Ground),
        "child" => Ok(Axes::Of(Side::Child)),
        "parent" => Ok(Axes::Of(Side::Parent)),
        name if body.is_some_and(|b| b.name == name) => Ok(Axes::Of(Side::Child)),
        name if parent == Some(name) => Ok(Axes::Of(Side::Parent)),
        _ => {
            let help = "use ground, child, parent, or the name of one of its two bodies";
            Err(Failure::usage(format!("the reaction of `{joint}` cannot be given in `{name}`"), help))
        }
    }
}
