//! Coefficients of the formulas on the present grid of steps.

use super::SIZE;

/// What depends on the steps only. Indices begin at one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coefficients {
    /// `ψ_i = h_n + ... + h_{n+1-i}` \[s\].
    pub psi: [f64; SIZE],
    /// `h / ψ_i`.
    alpha: [f64; SIZE],
    /// Factors that turn the differences of the last step into those of this one.
    pub beta: [f64; SIZE],
    /// `σ_i = h (i-1)! h^(i-1) / (ψ_1 ... ψ_i)`.
    pub sigma: [f64; SIZE],
    /// Integrals of the basis polynomials over the step.
    pub g: [f64; SIZE],
    v: [f64; SIZE],
    w: [f64; SIZE],
    /// Steps of equal length, including this one.
    pub equal_steps: usize,
    /// Length of the last step \[s\], and its order; zero before the first.
    pub last: (f64, usize),
}

impl Coefficients {
    /// Before the first step.
    pub fn start() -> Self {
        let mut c = Coefficients {
            psi: [0.0; SIZE],
            alpha: [0.0; SIZE],
            beta: [1.0; SIZE],
            sigma: [1.0; SIZE],
            g: [0.0; SIZE],
            v: [0.0; SIZE],
            w: [0.0; SIZE],
            equal_steps: 0,
            last: (0.0, 0),
        };
        (c.g[1], c.g[2]) = (1.0, 0.5);
        c
    }

    /// For a step of length `h` and order `k`; those of the first `equal_steps` are still right.
    pub fn update(&mut self, h: f64, k: usize) {
        if h != self.last.0 {
            self.equal_steps = 0;
        }
        if self.equal_steps <= self.last.1 {
            self.equal_steps += 1;
        }
        let ns = self.equal_steps;
        if k < ns {
            return;
        }
        self.update_grid(h, k, ns);
        self.update_integrals(k, ns);
    }

    fn update_grid(&mut self, h: f64, k: usize, ns: usize) {
        self.beta[ns] = 1.0;
        self.alpha[ns] = 1.0 / ns as f64;
        self.sigma[ns + 1] = 1.0;
        let mut sum = h * ns as f64;
        for i in ns + 1..=k {
            let before = self.psi[i - 1];
            self.psi[i - 1] = sum;
            self.beta[i] = self.beta[i - 1] * self.psi[i - 1] / before;
            sum = before + h;
            self.alpha[i] = h / sum;
            self.sigma[i + 1] = i as f64 * self.alpha[i] * self.sigma[i];
        }
        self.psi[k] = sum;
    }

    fn update_integrals(&mut self, k: usize, ns: usize) {
        if ns <= 1 {
            for q in 1..=k {
                self.v[q] = 1.0 / (q * (q + 1)) as f64;
            }
            self.w = self.v;
        } else {
            if k > self.last.1 {
                self.v[k] = 1.0 / (k * (k + 1)) as f64;
                for j in 1..=ns.saturating_sub(2) {
                    let i = k - j;
                    self.v[i] -= self.alpha[j + 1] * self.v[i + 1];
                }
            }
            for q in 1..=k + 1 - ns {
                self.v[q] -= self.alpha[ns] * self.v[q + 1];
                self.w[q] = self.v[q];
            }
            self.g[ns + 1] = self.w[1];
        }
        for i in ns + 2..=k + 1 {
            for q in 1..=k + 2 - i {
                self.w[q] -= self.alpha[i - 1] * self.w[q + 1];
            }
            self.g[i] = self.w[1];
        }
    }
}
