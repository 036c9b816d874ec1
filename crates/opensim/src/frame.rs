//! From names and paths of frames to poses on bodies.

use crate::OpensimError;
use wolff_formats::osim::{OsimFrame, OsimModel};
use wolff_multibody::spec::{FrameSpec, GROUND};
use wolff_spatial::{Mat3, Pose, Vec3};

/// Maximum length of a chain of frames in a valid model.
const LONGEST_CHAIN: usize = 64;

/// Rotation from body-fixed angles about x, then y, then z \[rad\].
pub fn xyz_rotation(angles: &[f64; 3]) -> Mat3 {
    let [(sx, cx), (sy, cy), (sz, cz)] = angles.map(f64::sin_cos);
    let x = Mat3::new(1.0, 0.0, 0.0, 0.0, cx, -sx, 0.0, sx, cx);
    let y = Mat3::new(cy, 0.0, sy, 0.0, 1.0, 0.0, -sy, 0.0, cy);
    let z = Mat3::new(cz, -sz, 0.0, sz, cz, 0.0, 0.0, 0.0, 1.0);
    x * y * z
}

/// Pose of an offset: position \[m\] and body-fixed x, y, z angles \[rad\].
pub(crate) fn offset(translation: &[f64; 3], orientation: &[f64; 3]) -> Pose {
    Pose::new(xyz_rotation(orientation), Vec3::from(*translation))
}

/// A frame of the model under its absolute path.
struct Entry<'a> {
    path: Vec<&'a str>,
    frame: &'a OsimFrame,
}

/// All frames of a model by their paths.
///
/// `/bodyset/femur`, `/ground`, `/jointset/knee/femur_offset`, and paths relative to the component that names them
/// (`femur_offset`, `../femur`); before version 4 plain names of bodies. The last name of a path that does not exist is
/// tried as well.
pub struct Frames<'a> {
    bodies: Vec<&'a str>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Frames<'a> {
    /// Collects the frames of a model.
    pub fn new(model: &'a OsimModel) -> Self {
        let mut frames = Frames { bodies: model.bodies.iter().map(|b| b.name.as_str()).collect(), entries: Vec::new() };
        frames.add(vec![GROUND], &model.ground.frames);
        frames.add(vec![], &model.frames);
        for body in &model.bodies {
            frames.add(vec!["bodyset", &body.name], &body.attached.frames);
        }
        for joint in &model.joints {
            frames.add(vec!["jointset", &joint.name], &joint.frames);
        }
        for constraint in &model.constraints {
            frames.add(vec!["constraintset", &constraint.name], &constraint.frames);
        }
        for force in &model.forces {
            frames.add(vec!["forceset", &force.name], &force.frames);
        }
        frames
    }

    fn add(&mut self, owner: Vec<&'a str>, frames: &'a [OsimFrame]) {
        for frame in frames {
            let mut path = owner.clone();
            path.push(&frame.name);
            self.add(path.clone(), &frame.attached.frames);
            self.entries.push(Entry { path, frame });
        }
    }

    /// The body and pose of the frame that `object` (a component with this path) calls `name`.
    pub fn resolve(&self, owner: &[&str], name: &str) -> Result<FrameSpec, OpensimError> {
        let refused = |reason: &str| OpensimError::Frame {
            object: owner.last().copied().unwrap_or("model").into(),
            frame: name.into(),
            reason: reason.into(),
        };
        let mut pose = Pose::IDENTITY;
        let mut from: Vec<String> = owner.iter().map(|s| s.to_string()).collect();
        let mut wanted = name.to_string();
        for _ in 0..LONGEST_CHAIN {
            let path = absolute(&from, &wanted);
            if let Some(body) = self.body(&path) {
                return Ok(FrameSpec { body: body.into(), pose });
            }
            let entry = self.entry(&path).ok_or_else(|| refused("does not exist; correct its name"))?;
            pose = offset(&entry.frame.translation, &entry.frame.orientation) * pose;
            from = entry.path.iter().map(|s| s.to_string()).collect();
            wanted = entry.frame.parent.clone();
        }
        Err(refused("is attached to itself; attach it to a body"))
    }

    /// The frame that `object` calls `name`, with a further pose.
    pub fn place(&self, owner: &[&str], name: &str, further: Pose) -> Result<FrameSpec, OpensimError> {
        let frame = self.resolve(owner, name)?;
        Ok(FrameSpec { pose: frame.pose * further, ..frame })
    }

    /// The body at a path: `bodyset/femur`, or its name at the end of a path that belongs to no other frame.
    fn body(&self, path: &[String]) -> Option<&'a str> {
        let last = path.last()?;
        let is_body = |name: &str| name == GROUND || self.bodies.contains(&name);
        let direct = matches!(path, [set, _] if set == "bodyset") || path.len() == 1;
        let found = is_body(last) && (direct || self.exact(path).is_none());
        found.then(|| self.bodies.iter().copied().find(|b| b == last).unwrap_or(GROUND))
    }

    fn exact(&self, path: &[String]) -> Option<&Entry<'a>> {
        self.entries.iter().find(|e| e.path.iter().eq(path.iter()))
    }

    /// The frame at a path, else the only frame with that last name.
    fn entry(&self, path: &[String]) -> Option<&Entry<'a>> {
        if let Some(entry) = self.exact(path) {
            return Some(entry);
        }
        let last = path.last()?;
        let mut named = self.entries.iter().filter(|e| e.frame.name == *last);
        let only = named.next();
        if named.next().is_some() { None } else { only }
    }
}

/// `name` as seen from the component at `from`, without dots.
fn absolute(from: &[String], name: &str) -> Vec<String> {
    let mut path = if name.starts_with('/') { Vec::new() } else { from.to_vec() };
    for part in name.split('/').map(str::trim).filter(|p| !p.is_empty()) {
        match part {
            "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part.into()),
        }
    }
    path
}
