//! Blur and cortical level, from many profiles at once.
//!
//! One thin wall does not tell its density from its thickness, nor its thickness from the blur. Many walls together
//! do: the thick ones see the cortical level and the width of an edge, and all have them in common. The fit of all
//! profiles has four unknowns for each and two for all; the four are eliminated (Schur's complement), so that a round
//! solves many small systems and one of two equations.

use nalgebra::{Matrix2, Matrix2x4, Matrix4, Vector2, Vector4};
use rayon::prelude::*;

use super::model::{Shared, Wall, fit, misfit, stepped, value};
use super::profile::Profile;

const MOST_ROUNDS: usize = 60;
/// Changes of blur and level below this part of themselves end the fit.
const SETTLED: f64 = 1e-4;
/// Blurs that a scanner can have, in distances between voxels.
const BLURS: [f64; 2] = [0.05, 5.0];

/// A profile with its wall and its weight.
struct Member<'a> {
    profile: &'a Profile,
    wall: Wall,
    weight: f64,
}

/// What a member gives to the common equations, and what its own unknowns need later.
struct Part {
    matrix: Matrix2<f64>,
    right: Vector2<f64>,
    inverse: Matrix4<f64>,
    coupling: Matrix2x4<f64>,
    own: Vector4<f64>,
}

/// Blur and cortical level that fit the profiles best, from a first guess; `voxel` is the usual distance between
/// voxels \[m\]. `None` where no profile can be fitted.
pub fn shared(profiles: &[Profile], first: Shared, voxel: f64) -> Option<Shared> {
    let mut common = first;
    let mut members = members(profiles, &common);
    if members.is_empty() {
        return None;
    }
    let mut damping = 1e-3;
    let mut now = total(&members, &common);
    for _ in 0..MOST_ROUNDS {
        let parts: Vec<Part> = members.par_iter().map(|member| part(member, &common, damping)).collect();
        let (mut matrix, mut right) = (Matrix2::zeros(), Vector2::zeros());
        for part in &parts {
            matrix += part.matrix;
            right += part.right;
        }
        matrix += Matrix2::from_diagonal(&(matrix.diagonal() * damping).add_scalar(1e-12));
        let step = matrix.try_inverse()? * right;
        let next = moved(&common, &step, voxel);
        let taken = Vector2::new(next.cortical - common.cortical, next.blur - common.blur);
        let next_members: Vec<Member> =
            members.par_iter().zip(&parts).map(|(m, p)| moved_member(m, p, &taken, &common)).collect();
        let then = total(&next_members, &next);
        if then < now {
            let change = (taken.x / common.cortical).abs().max((taken.y / common.blur).abs());
            (common, members, now, damping) = (next, next_members, then, (0.3 * damping).max(1e-8));
            if change < SETTLED {
                break;
            }
        } else {
            damping *= 8.0;
            if damping > 1e8 {
                break;
            }
        }
    }
    Some(common)
}

/// Profiles with their first walls. Those that three levels do not fit (another bone beside, a medullary cavity of
/// uneven density) weigh less.
fn members<'a>(profiles: &'a [Profile], common: &Shared) -> Vec<Member<'a>> {
    let fitted = profiles.par_iter().map(|profile| Some((profile, fit(common, profile, None)?)));
    let fitted: Vec<(&Profile, Wall)> = fitted.collect::<Vec<_>>().into_iter().flatten().collect();
    let mut residuals: Vec<f64> = fitted.iter().map(|(_, wall)| wall.residual).collect();
    residuals.sort_by(f64::total_cmp);
    let usual = residuals.get(residuals.len() / 2).copied().unwrap_or(1.0).max(1e-9);
    let member = |(profile, wall): (&'a Profile, Wall)| {
        let weight = 1.0 / (1.0 + (0.5 * wall.residual / usual).powi(4));
        Member { profile, wall, weight }
    };
    fitted.into_iter().map(member).collect()
}

fn total(members: &[Member], common: &Shared) -> f64 {
    let of = |m: &Member| m.weight * misfit(&m.wall, common.cortical, common.deviation(m.profile), m.profile);
    let each: Vec<f64> = members.par_iter().map(of).collect();
    each.iter().sum()
}

fn part(member: &Member, common: &Shared, damping: f64) -> Part {
    let sigma = common.deviation(member.profile);
    let (mut own_matrix, mut own) = (Matrix4::zeros(), Vector4::zeros());
    let (mut matrix, mut right, mut coupling) = (Matrix2::zeros(), Vector2::zeros(), Matrix2x4::zeros());
    for (s, v) in member.profile.depths.iter().zip(&member.profile.values) {
        let (g, by) = value(&member.wall, common.cortical, sigma, *s);
        // σ² = blur² + grid², so dσ/dblur = blur/σ
        let common_by = Vector2::new(by.shared.x, by.shared.y * common.blur / sigma);
        let rest = v - g;
        own_matrix += by.own * by.own.transpose();
        own += by.own * rest;
        matrix += common_by * common_by.transpose();
        right += common_by * rest;
        coupling += common_by * by.own.transpose();
    }
    own_matrix += Matrix4::from_diagonal(&(own_matrix.diagonal() * damping).add_scalar(1e-9));
    let inverse = own_matrix.try_inverse().unwrap_or(Matrix4::zeros());
    Part {
        matrix: member.weight * (matrix - coupling * inverse * coupling.transpose()),
        right: member.weight * (right - coupling * inverse * own),
        inverse,
        coupling,
        own,
    }
}

fn moved(common: &Shared, step: &Vector2<f64>, voxel: f64) -> Shared {
    let cortical = common.cortical + step.x.clamp(-0.2 * common.cortical.abs(), 0.2 * common.cortical.abs());
    let blur =
        (common.blur + step.y.clamp(-0.3 * common.blur, 0.3 * common.blur)).clamp(BLURS[0] * voxel, BLURS[1] * voxel);
    Shared { blur, cortical }
}

fn moved_member<'a>(member: &Member<'a>, part: &Part, taken: &Vector2<f64>, common: &Shared) -> Member<'a> {
    let step = part.inverse * (part.own - part.coupling.transpose() * taken);
    let sigma = common.deviation(member.profile);
    Member { wall: stepped(&member.wall, &step, sigma, member.profile), ..*member }
}
