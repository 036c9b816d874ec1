//! Equilibrium: the position in which nothing moves.

use crate::error::DynamicsError;
use crate::system::System;
use nalgebra::DMatrix;
use wolff_numerics::dense::Lu;

const MAX_ITERATIONS: usize = 400;

/// Longest first step of a coordinate [m or rad]: less than the layers and gaps of joints, so that no body steps
/// through another.
const FIRST_REACH: f64 = 1e-3;

/// An equilibrium found.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Largest force left on a coordinate \[N or N m\].
    pub residual: f64,
    /// Iterations.
    pub iterations: usize,
}

impl System<'_> {
    /// Moves `q` to an equilibrium of all forces at time `t`, with the multipliers in `lambda`.
    ///
    /// Pseudo-transient continuation: `(K + μ M) Δq + Jᵀ Δλ = -r`, `J Δq = -φ`, with μ falling as the unbalanced force
    /// r does (Kelley and Keyes 1998). Far away it creeps downhill as a heavily damped motion would, so it ends in a
    /// stable equilibrium; near the end it is Newton's method. A step reaches no farther than the last one while the
    /// unbalanced force does not answer, so that bodies which do not touch yet creep towards each other. `tolerance` is
    /// the largest force left on a coordinate \[N or N m\]. Contacts press where shapes overlap.
    pub fn equilibrium(
        &mut self,
        t: f64,
        q: &mut [f64],
        lambda: &mut [f64],
        tolerance: f64,
    ) -> Result<Equilibrium, DynamicsError> {
        // at rest the speed of approach has no influence: any closes the contacts
        self.approach_speeds.fill(Some(1.0));
        let found = self.settle(t, q, lambda, tolerance);
        self.approach_speeds.fill(None);
        found
    }

    fn settle(
        &mut self,
        t: f64,
        q: &mut [f64],
        lambda: &mut [f64],
        tolerance: f64,
    ) -> Result<Equilibrium, DynamicsError> {
        let (nv, nc) = (self.model.nv(), self.model.nc());
        let rest = vec![0.0; nv];
        let mut r = vec![0.0; nv];
        let mut lu = Lu::new(nv + nc);
        let mut step = vec![0.0; nv + nc];
        let mut trial = q.to_vec();
        let mut mass = DMatrix::zeros(nv, nv);
        let mut last = f64::INFINITY;
        let mut mu = f64::NAN;
        let mut reach = FIRST_REACH;
        for iterations in 0..MAX_ITERATIONS {
            self.residual(t, q, &rest, &rest, lambda, &mut r);
            self.update_constraints(t, q, &rest);
            let (worst, residual) = largest(&r);
            let open = self.constraints.phi.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if residual <= tolerance && open <= 1e-9 {
                return Ok(Equilibrium { residual, iterations });
            }
            if !residual.is_finite() {
                let name = self.model.coordinate_names()[worst].clone();
                return Err(DynamicsError::NotFinite { quantity: "the unbalanced force", name });
            }
            self.mass.compute(self.model, &self.kin);
            self.mass.write_full(&mut mass);
            step[..nv].iter_mut().zip(&r).for_each(|(s, r)| *s = -r);
            step[nv..].iter_mut().zip(&self.constraints.phi).for_each(|(s, phi)| *s = -phi);
            self.tangent(t, q, lambda, &r, lu.matrix_mut());
            reach = next_reach(reach, residual / last);
            mu = next_mu(mu, residual / last, lu.matrix_mut(), &mass);
            last = residual;
            for j in 0..nv {
                for i in 0..nv {
                    lu.matrix_mut()[(i, j)] += mu * mass[(i, j)];
                }
            }
            if lu.factor_in_place().is_err() {
                return Err(self.no_equilibrium(&r));
            }
            lu.solve(&mut step);
            let longest = largest(&step[..nv]).1;
            if longest > reach {
                step.iter_mut().for_each(|s| *s *= reach / longest);
            }
            self.model.retract(q, &step[..nv], &mut trial);
            q.copy_from_slice(&trial);
            lambda.iter_mut().zip(&step[nv..]).for_each(|(l, s)| *l += s);
        }
        Err(self.no_equilibrium(&r))
    }

    /// `K = ∂r/∂q` by differences, bordered by `Jᵀ` and `J`.
    fn tangent(&mut self, t: f64, q: &[f64], lambda: &[f64], r: &[f64], k: &mut DMatrix<f64>) {
        let nv = self.model.nv();
        k.fill(0.0);
        for (i, column) in self.constraints.J_transpose.column_iter().enumerate() {
            for j in 0..nv {
                k[(j, nv + i)] = column[j];
                k[(nv + i, j)] = column[j];
            }
        }
        // a displacement of 1e-7 m or rad balances rounding and curvature
        const STEP: f64 = 1e-7;
        let rest = vec![0.0; nv];
        let mut moved = q.to_vec();
        let mut d = rest.clone();
        let mut r_moved = rest.clone();
        for j in 0..nv {
            d[j] = STEP;
            self.model.retract(q, &d, &mut moved);
            self.residual(t, &moved, &rest, &rest, lambda, &mut r_moved);
            for i in 0..nv {
                k[(i, j)] = (r_moved[i] - r[i]) / STEP;
            }
            d[j] = 0.0;
        }
    }

    fn no_equilibrium(&self, r: &[f64]) -> DynamicsError {
        let (worst, force) = largest(r);
        DynamicsError::NoEquilibrium { coordinate: self.model.coordinate_names()[worst].clone(), force }
    }
}

/// μ starts where it outweighs the stiffness and follows the residual (switched evolution relaxation).
fn next_mu(mu: f64, ratio: f64, k: &DMatrix<f64>, mass: &DMatrix<f64>) -> f64 {
    if mu.is_nan() {
        let weight = |i: usize| if mass[(i, i)] > 0.0 { k[(i, i)].abs() / mass[(i, i)] } else { 0.0 };
        return 2.0 * (0..mass.nrows()).map(weight).fold(1.0, f64::max);
    }
    mu * ratio.clamp(0.1, 2.0)
}

/// Steps may grow where the unbalanced force answers to them. It does not while bodies fall towards each other; and
/// where it leaps, they must shrink.
fn next_reach(reach: f64, ratio: f64) -> f64 {
    match ratio {
        r if (r - 1.0).abs() < 1e-9 || !r.is_finite() => reach,
        r if r > 1.5 => (0.5 * reach).max(FIRST_REACH),
        _ => 2.0 * reach,
    }
}

fn largest(x: &[f64]) -> (usize, f64) {
    x.iter().enumerate().fold((0, 0.0), |best, (i, x)| if !(x.abs() <= best.1) { (i, x.abs()) } else { best })
}
