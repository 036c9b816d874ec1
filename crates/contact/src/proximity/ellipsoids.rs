//! Two ellipsoids, by the common normal.

use super::{Proximity, direction};
use wolff_spatial::{Mat3, Pose, Vec3};

/// Newton steps after which the normal is as good as it gets; five or six suffice from a warm start.
const MAX_ITERATIONS: usize = 60;

/// Ellipsoids A and B.
///
/// ```text
/// depth = min over unit n of  D(n) = h_A(n) + h_B(n) - n · (c_B - c_A),    h(n) = √(nᵀ Q n),   Q = R diag(s²) Rᵀ
/// ```
///
/// h support functions, s semi-axes \[m\], c centres. For separated bodies the minimum is unique and -D the distance;
/// for overlapping ones D is the shortest translation that parts them. At the minimum the support points `Q n/h` of
/// both have n as common normal. Minimised by Newton on the unit sphere, with the Hessian `P (∇²h_A + ∇²h_B) P - D P`
/// (P projects along n) shifted where it is not positive definite, and a line search.
///
/// Limits: overlaps so deep that a centre passes the medial axis have several local minima; the start without `warm` is
/// the best of nine directions (wrong at times for depths beyond the smallest semi-axis).
pub(super) fn ellipsoids(
    (X_GA, axes_a): (&Pose, &Vec3),
    (X_GB, axes_b): (&Pose, &Vec3),
    warm: Option<Vec3>,
) -> Proximity {
    let overlap = Overlap { Q_a: support_matrix(X_GA, axes_a), Q_b: support_matrix(X_GB, axes_b), d: X_GB.p - X_GA.p };
    let start = warm.and_then(|w| w.try_normalize(f64::MIN_POSITIVE)).unwrap_or_else(|| overlap.cold_start(X_GA, X_GB));
    let normal = overlap.minimise(start);
    let (h_a, h_b) = overlap.supports(&normal);
    Proximity {
        depth: overlap.depth(&normal),
        normal,
        point_a: X_GA.p + overlap.Q_a * normal / h_a,
        point_b: X_GB.p - overlap.Q_b * normal / h_b,
    }
}

/// `R diag(s²) Rᵀ`.
fn support_matrix(X: &Pose, semi_axes: &Vec3) -> Mat3 {
    let scaled = X.R * Mat3::from_diagonal(semi_axes);
    scaled * scaled.transpose()
}

/// The function D(n).
struct Overlap {
    Q_a: Mat3,
    Q_b: Mat3,
    d: Vec3,
}

impl Overlap {
    fn supports(&self, n: &Vec3) -> (f64, f64) {
        (n.dot(&(self.Q_a * n)).sqrt(), n.dot(&(self.Q_b * n)).sqrt())
    }

    fn depth(&self, n: &Vec3) -> f64 {
        let (h_a, h_b) = self.supports(n);
        h_a + h_b - n.dot(&self.d)
    }

    /// Best of: line of centres, the normal of the sum of both shapes scaled to touch, the axes of both bodies on B's
    /// side.
    fn cold_start(&self, X_GA: &Pose, X_GB: &Pose) -> Vec3 {
        let line = direction(&self.d, None);
        let scaled =
            (self.Q_a + self.Q_b).try_inverse().map_or(line, |inverse| direction(&(inverse * self.d), Some(line)));
        let mut best = if self.depth(&scaled) < self.depth(&line) { scaled } else { line };
        for R in [&X_GA.R, &X_GB.R] {
            for i in 0..3 {
                let axis: Vec3 = R.column(i).into();
                let axis = if axis.dot(&self.d) < 0.0 { -axis } else { axis };
                if self.depth(&axis) < self.depth(&best) {
                    best = axis;
                }
            }
        }
        best
    }

    /// Newton with line search from `n`.
    fn minimise(&self, mut n: Vec3) -> Vec3 {
        let mut depth = self.depth(&n);
        for _ in 0..MAX_ITERATIONS {
            let (step, decrease) = self.newton_step(&n, depth);
            let Some((next, next_depth)) = self.line_search(&n, depth, &step, decrease) else {
                return n;
            };
            n = next;
            depth = next_depth;
            // quadratic convergence: the next step would be the square of this one
            if step.norm_squared() < f64::EPSILON {
                return n;
            }
        }
        n
    }

    /// Tangential Newton step and the decrease of D it predicts per unit of its length factor.
    fn newton_step(&self, n: &Vec3, depth: f64) -> (Vec3, f64) {
        let (h_a, h_b) = self.supports(n);
        let (x_a, x_b) = (self.Q_a * n / h_a, self.Q_b * n / h_b);
        let hessian = (self.Q_a - x_a * x_a.transpose()) / h_a + (self.Q_b - x_b * x_b.transpose()) / h_b;
        let gradient = x_a + x_b - self.d;

        // two tangents span the plane of the step
        let (t1, t2) = tangents(n);
        let (g1, g2) = (gradient.dot(&t1), gradient.dot(&t2));
        let (h11, h12, h22) = (t1.dot(&(hessian * t1)), t1.dot(&(hessian * t2)), t2.dot(&(hessian * t2)));
        let (h11, h22) = (h11 - depth, h22 - depth);

        // shift the spectrum where the smaller eigenvalue is not safely positive
        let mean = 0.5 * (h11 + h22);
        let spread = (0.25 * (h11 - h22).powi(2) + h12 * h12).sqrt();
        let shift = (1e-3 * (mean.abs() + spread) - (mean - spread)).max(0.0);
        let (h11, h22) = (h11 + shift, h22 + shift);
        let determinant = h11 * h22 - h12 * h12;
        let s1 = -(h22 * g1 - h12 * g2) / determinant;
        let s2 = -(h11 * g2 - h12 * g1) / determinant;
        (t1 * s1 + t2 * s2, -(s1 * g1 + s2 * g2))
    }

    /// First of the steps 1, 1/2, 1/4, … that lowers D; `None` where rounding leaves nothing to gain.
    fn line_search(&self, n: &Vec3, depth: f64, step: &Vec3, decrease: f64) -> Option<(Vec3, f64)> {
        let rounding = 8.0 * f64::EPSILON * (depth.abs() + self.d.norm());
        let mut length = 1.0;
        for _ in 0..30 {
            let candidate = (n + step * length).try_normalize(0.0)?;
            let value = self.depth(&candidate);
            if value <= depth - 0.1 * length * decrease + rounding {
                return Some((candidate, value));
            }
            length *= 0.5;
        }
        None
    }
}

/// Two unit vectors perpendicular to the unit vector `n` and to each other.
fn tangents(n: &Vec3) -> (Vec3, Vec3) {
    let axis = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let t1 = n.cross(&axis).normalize();
    (t1, n.cross(&t1))
}
