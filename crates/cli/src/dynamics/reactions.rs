//! `wolff reactions`.

use super::args::{Body, Frame, Reactions};
use super::{Job, option};
use crate::failure::Failure;
use crate::interrupt;
use std::process::ExitCode;
use wolff_analyses::dynamics::reactions::{FILE, all_joints, apply_forces, from_setup, run};
use wolff_motion::{Accelerations, Axes, ReactionRequest, Side};
use wolff_multibody::Model;
use wolff_spatial::{Mat3, Pose};

/// Runs `wolff reactions`.
pub fn reactions(args: &Reactions) -> Result<ExitCode, Failure> {
    let job = Job::start("reactions", &args.inputs);
    let mut loaded = job.load_with(&args.actuators, Accelerations::OfSpeeds, args.forces.is_some())?;
    loaded.examine_missing_loads();
    let (setup_forces, joints, bodies, frames) = from_setup(&loaded);
    let forces = args.forces.clone().or(setup_forces);
    apply_forces(&mut loaded, forces.as_deref())?;
    let requests = requests(args, &loaded.subject.model, joints, &bodies, &frames)?;
    let target = job.target(&loaded, &[FILE])?;
    let analysis = job.compute("joint reactions", loaded.times.len(), |progress| {
        run(&loaded, &requests, target.page(), interrupt::stop_requested, progress)
    })?;
    let file = forces.and_then(|f| f.file_name().map(|n| n.to_string_lossy().into_owned()));
    let told: Vec<(String, String)> = file.map(|f| option("forces", f)).into_iter().collect();
    job.finish(&target, analysis, &told)
}

/// Options have priority over the set-up file; the default is all joints, on the child body, in axes of ground.
fn requests(
    args: &Reactions,
    model: &Model,
    from_setup: Vec<String>,
    bodies: &[String],
    frames: &[String],
) -> Result<Vec<ReactionRequest>, Failure> {
    let all = || all_joints(model);
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
        let axes = match (args.frame, pick(frames, k).as_deref()) {
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

/// `ground`, `child`, `parent`, the name of a body of the joint, or that of a frame of the joint which has the axes of
/// its body, such as `knee_r/femur_r_offset`.
fn named_axes(model: &Model, joint: &str, name: &str) -> Result<Axes, Failure> {
    let body = model.bodies().iter().find(|b| b.joint_name == joint);
    let parent = body.map(|b| model.bodies()[b.parent].name.as_str());
    let frame = name.rsplit('/').next().and_then(|last| last.strip_suffix("_offset"));
    let turned = |pose: &Pose| (pose.R - Mat3::identity()).norm() > 1e-9;
    match frame {
        Some(frame) if body.is_some_and(|b| b.name == frame && !turned(&b.X_MB)) => return Ok(Axes::Of(Side::Child)),
        Some(frame) if parent == Some(frame) && body.is_some_and(|b| !turned(&b.X_PF)) => {
            return Ok(Axes::Of(Side::Parent));
        }
        _ => {}
    }
    match name {
        "ground" => Ok(Axes::Ground),
        "child" => Ok(Axes::Of(Side::Child)),
        "parent" => Ok(Axes::Of(Side::Parent)),
        name if body.is_some_and(|b| b.name == name) => Ok(Axes::Of(Side::Child)),
        name if parent == Some(name) => Ok(Axes::Of(Side::Parent)),
        _ => {
            let help =
                "use ground, child, parent, the name of one of its two bodies, or a frame of it with the same axes";
            Err(Failure::usage(format!("the reaction of `{joint}` cannot be given in `{name}`"), help))
        }
    }
}
