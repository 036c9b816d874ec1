//! A volume from the slices of one series.

use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::Finding;

use super::slice::Slice;
use crate::frame::Frame;
use crate::read::Content;
use crate::volume::{Samples, voxel_count};

/// Directions of two slices of a volume differ at most by this (0.1 degrees): positions are written with six digits.
const DIRECTION: f64 = 2e-3;
/// Distances between slices differ at most by this part, or by 0.02 mm.
const UNEVEN: f64 = 0.02;
const UNEVEN_MM: f64 = 0.02;
/// Slices nearer than this part of the usual distance lie at the same place.
const SAME_PLACE: f64 = 0.05;
/// A gap of this many distances lacks slices.
const GAP: f64 = 1.5;

/// The volume of the slices, which are sorted by their position along the normal of the image plane.
pub fn volume(mut slices: Vec<Slice>, passed_over: usize) -> Result<Content, String> {
    let first = slices.first().ok_or("there is no slice")?.clone();
    let normal = first.directions[0].cross(&first.directions[1]);
    if !((normal.norm() - 1.0).abs() < 1e-2) {
        return Err(format!(
            "slice `{}`: its directions are not perpendicular unit vectors; the file is damaged",
            first.name
        ));
    }
    for slice in &slices {
        require_same(&first, slice)?;
    }
    let height = |slice: &Slice| slice.position.dot(&normal);
    slices.sort_by(|a, b| height(a).total_cmp(&height(b)).then_with(|| a.name.cmp(&b.name)));
    let heights: Vec<f64> = slices.iter().map(height).collect();
    require_even(&slices, &heights)?;
    let count = slices.len();
    let (start, end) = (slices[0].position, slices[count - 1].position);
    let step = (end - start) / (count - 1) as f64;
    require_line(&slices, start, step)?;
    let mut remarks = Vec::new();
    if passed_over > 0 {
        remarks.push(Finding::note(format!("{passed_over} files that are no DICOM slices were passed over"), ""));
    }
    let tilt = (step.dot(&normal) / step.norm()).clamp(-1.0, 1.0).acos().to_degrees();
    if tilt > 0.1 {
        remarks.push(Finding::note(
            format!(
                "the slices are tilted against the direction of the table by {tilt:.1} degrees; positions are right"
            ),
            "",
        ));
    }
    const MM: f64 = 1e-3;
    let columns = Mat3::from_columns(&[
        MM * first.spacing[0] * first.directions[0],
        MM * first.spacing[1] * first.directions[1],
        MM * step,
    ]);
    let frame = Frame::new(MM * start, columns).map_err(|e| e.to_string())?;
    let size = [first.size[0], first.size[1], count];
    voxel_count(size).map_err(|e| e.to_string())?;
    let modality = Some(first.modality).filter(|name| !name.is_empty());
    Ok(Content { size, frame, samples: samples(&slices)?, remarks, modality })
}

fn require_same(first: &Slice, slice: &Slice) -> Result<(), String> {
    let names = format!("slices `{}` and `{}`", first.name, slice.name);
    let turned = (0..2).map(|n| (first.directions[n] - slice.directions[n]).amax()).fold(0.0, f64::max);
    if !(turned < DIRECTION) {
        return Err(format!(
            "{names} have different orientations; a volume needs parallel slices: choose those of one scan"
        ));
    }
    if first.size != slice.size {
        let [[a, b], [c, d]] = [first.size, slice.size];
        return Err(format!("{names} have {a} x {b} and {c} x {d} pixels; a volume needs slices of one size"));
    }
    if (0..2).any(|n| !((first.spacing[n] - slice.spacing[n]).abs() <= 1e-4 * first.spacing[n])) {
        return Err(format!("{names} have different distances between pixels; a volume needs slices of one size"));
    }
    Ok(())
}

fn require_even(slices: &[Slice], heights: &[f64]) -> Result<(), String> {
    let mut steps: Vec<f64> = heights.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if steps.is_empty() {
        return Err("it has one slice; a volume needs two at least".into());
    }
    let places = steps.clone();
    steps.sort_by(f64::total_cmp);
    let usual = steps[steps.len() / 2];
    if let Some(n) = places.iter().position(|step| !(*step > SAME_PLACE * usual && *step > 1e-5)) {
        return Err(format!(
            "slices `{}` and `{}` lie at the same place ({:.3} mm along the normal); remove the doubled slices, or \
             choose one phase of the scan",
            slices[n].name,
            slices[n + 1].name,
            heights[n]
        ));
    }
    let gaps: Vec<usize> = (0..places.len()).filter(|&n| places[n] > GAP * usual).collect();
    if !gaps.is_empty() {
        let missing: f64 = gaps.iter().map(|&n| (places[n] / usual).round() - 1.0).sum();
        let place = |&n: &usize| format!("between {:.3} and {:.3} mm", heights[n], heights[n + 1]);
        let list: Vec<String> = gaps.iter().take(5).map(place).collect();
        return Err(format!(
            "{missing} slices are missing ({} along the normal; the others are {usual:.3} mm apart); export the whole \
             series",
            list.join(", ")
        ));
    }
    let uneven = |step: &f64| (step - usual).abs() > (UNEVEN * usual).max(UNEVEN_MM.min(0.2 * usual));
    if let Some(n) = places.iter().position(uneven) {
        return Err(format!(
            "the slices are not evenly spaced: {:.3} mm between `{}` and `{}`, {usual:.3} mm mostly; resample the \
             series in a program that can, or export one with even slices",
            places[n],
            slices[n].name,
            slices[n + 1].name
        ));
    }
    Ok(())
}

/// The slices lie one behind another along a line.
fn require_line(slices: &[Slice], start: Vec3, step: Vec3) -> Result<(), String> {
    for (n, slice) in slices.iter().enumerate() {
        let aside = (slice.position - start - n as f64 * step).norm();
        if aside > 0.05f64.max(0.1 * slice.spacing[0]) {
            return Err(format!(
                "slice `{}` lies {aside:.2} mm aside of the line of the others; a volume needs one grid",
                slice.name
            ));
        }
    }
    Ok(())
}

fn samples(slices: &[Slice]) -> Result<Samples, String> {
    for slice in slices {
        let [slope, intercept] = slice.rescale;
        if !(slope.is_finite() && slope != 0.0 && intercept.is_finite()) {
            return Err(format!("slice `{}`: values are {slope} x number + {intercept}, which cannot be", slice.name));
        }
    }
    let of_slice = |slice: &Slice| {
        let [slope, intercept] = slice.rescale;
        slice.pixels.iter().map(move |&number| slope * f64::from(number) + intercept).collect::<Vec<f64>>()
    };
    let fits = |x: &f64| x.fract() == 0.0 && *x >= f64::from(i16::MIN) && *x <= f64::from(i16::MAX);
    let whole = slices.iter().all(|slice| of_slice(slice).iter().all(fits));
    Ok(match whole {
        true => Samples::I16(slices.iter().flat_map(of_slice).map(|x| x as i16).collect()),
        false => Samples::F32(slices.iter().flat_map(of_slice).map(|x| x as f32).collect()),
    })
}
