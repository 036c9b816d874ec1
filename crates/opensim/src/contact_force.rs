//! Contact forces of OpenSim models, by the formulas of Simbody.
//!
//! - [`ContactPairs`] with [`ContactLaw::HuntCrossley`]: spheres and half spaces, Hertz with dissipation.
//! - [`ContactPairs`] with [`ContactLaw::Foundation`]: meshes with a spring at the centre of each triangle.
//! - [`SmoothContact`]: a sphere on a half space with forces that are smooth everywhere.
//!
//! Friction has one formula in all: `μ(v) = min(v/v_t, 1) (μ_d + 2 (μ_s - μ_d)/(1 + (v/v_t)²)) + μ_v v`, v speed of
//! sliding and v_t transition velocity \[m/s\], μ_s, μ_d, μ_v static, dynamic \[-\] and viscous \[s/m\] coefficients.
//! Sources: Simbody, classes `HuntCrossleyForce`, `ElasticFoundationForce`, `SmoothSphereHalfSpaceForce`; Sherman, Seth
//! and Delp 2011, Procedia IUTAM 2:241; Serrancolí et al. 2019, IEEE Trans Neural Syst Rehabil Eng 27:1488.

use std::sync::Arc;
use wolff_geometry::{Surface, TriangleMesh, TriangleSurface, triangles::Normals};
use wolff_multibody::{ForceElement, Frame, Instant, Loads};
use wolff_spatial::{Pose, Vec3};

/// A triangulated surface with a spring on each triangle.
#[derive(Debug)]
pub struct SpringMesh {
    surface: TriangleSurface,
    /// Centre and area \[m²\] of each triangle.
    springs: Vec<(Vec3, f64)>,
    /// Smallest and largest coordinates.
    box_: [Vec3; 2],
}

impl SpringMesh {
    /// Springs on a mesh.
    pub fn new(mesh: TriangleMesh) -> Result<Self, wolff_geometry::GeometryError> {
        let fold = |f: fn(f64, f64) -> f64, start: f64| {
            mesh.vertices().iter().fold(Vec3::repeat(start), |m, p| m.zip_map(p, f))
        };
        let box_ = [fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY)];
        let surface = TriangleSurface::new(mesh, Normals::Facets)?;
        let springs = surface.elements().map(|(point, area)| (point.position, area)).collect();
        Ok(SpringMesh { surface, springs, box_ })
    }

    /// The nearest point of the surface to a point inside of it; `None` for points outside.
    fn nearest_from_inside(&self, p: &Vec3) -> Option<Vec3> {
        let within = (0..3).all(|i| p[i] >= self.box_[0][i] && p[i] <= self.box_[1][i]);
        let found = if within { self.surface.closest(p)? } else { return None };
        let inside = !found.on_rim && self.surface.signed_distance(p).is_some_and(|d| d < 0.0);
        inside.then_some(found.position)
    }
}

/// Shape of a contact surface in its own frame.
#[derive(Clone, Debug)]
pub enum ContactShape {
    /// A sphere of this radius \[m\].
    Sphere(f64),
    /// All points with x > 0.
    HalfSpace,
    /// A closed mesh.
    Mesh(Arc<SpringMesh>),
}

impl ContactShape {
    /// The nearest point of the surface to a point inside of it; `None` for points outside.
    fn nearest_from_inside(&self, p: &Vec3) -> Option<Vec3> {
        match self {
            ContactShape::Sphere(radius) => {
                let distance = p.norm();
                (distance < *radius && distance > 0.0).then(|| p * (radius / distance))
            }
            ContactShape::HalfSpace => (p.x > 0.0).then(|| Vec3::new(0.0, p.y, p.z)),
            ContactShape::Mesh(mesh) => mesh.nearest_from_inside(p),
        }
    }
}

/// Material of a contact surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMaterial {
    /// Stiffness: plane strain modulus \[Pa\], of a foundation \[Pa/m\].
    pub stiffness: f64,
    /// Dissipation \[s/m\].
    pub dissipation: f64,
    /// Static, dynamic \[-\] and viscous \[s/m\] friction.
    pub friction: [f64; 3],
}

/// A surface on a body.
#[derive(Clone, Debug)]
pub struct ContactSurface {
    /// Its frame.
    pub frame: Frame,
    /// Its shape.
    pub shape: ContactShape,
    /// Its material.
    pub material: ContactMaterial,
}

/// How surfaces press on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLaw {
    /// `f = 4/3 k d √(R k d) (1 + 3/2 c v)`, with `k_i = E_i^(2/3)`, `k = k_1 k_2/(k_1 + k_2)`, dissipation c weighted
    /// likewise, R effective radius, d depth and v its rate.
    HuntCrossley,
    /// `f = k A d (1 + c v)` at each triangle of area A whose centre is inside the other surface by d, along the way to
    /// the nearest point of that; half of it where both surfaces are meshes.
    Foundation,
}

/// Contact between every two surfaces on different bodies.
#[derive(Clone, Debug)]
pub struct ContactPairs {
    /// Name.
    pub name: String,
    /// The law.
    pub law: ContactLaw,
    /// The surfaces.
    pub surfaces: Vec<ContactSurface>,
    /// Transition velocity of friction \[m/s\].
    pub transition: f64,
}

/// Friction over normal force at a speed of sliding \[m/s\].
fn friction([us, ud, uv]: [f64; 3], speed: f64, transition: f64) -> f64 {
    let x = speed / transition;
    x.min(1.0) * (ud + 2.0 * (us - ud) / (1.0 + x * x)) + uv * speed
}

/// Velocity of the point of body `a` at `p` relative to that of body `b`, ground axes \[m/s\].
fn relative(at: &Instant<'_>, [a, b]: [usize; 2], p: &Vec3) -> Vec3 {
    at.point_velocity(a, p) - at.point_velocity(b, p)
}

/// A force on body `b` at a point, and its opposite on body `a`.
fn act([a, b]: [usize; 2], p: &Vec3, force: Vec3, out: &mut Loads<'_>) {
    out.force_at(b, p, force);
    out.force_at(a, p, -force);
}

/// Two spheres, or a sphere and a half space, that overlap: depth, normal from the first to the second, middle of the
/// overlap, effective radius.
fn overlap(at: &Instant<'_>, a: &ContactSurface, b: &ContactSurface) -> Option<(f64, Vec3, Vec3, f64)> {
    let (X_a, X_b) = (at.pose(&a.frame), at.pose(&b.frame));
    let found = match (&a.shape, &b.shape) {
        (ContactShape::Sphere(r), ContactShape::HalfSpace) => {
            let normal = X_b.R * Vec3::x();
            let depth = normal.dot(&(X_a.p - X_b.p)) + r;
            (depth, normal, X_a.p + normal * (r - 0.5 * depth), *r)
        }
        (ContactShape::Sphere(r), ContactShape::Sphere(s)) => {
            let d = X_b.p - X_a.p;
            let distance = d.norm();
            let normal = if distance > 0.0 { d / distance } else { return None };
            let depth = r + s - distance;
            (depth, normal, X_a.p + normal * (r - 0.5 * depth), r * s / (r + s))
        }
        _ => return None,
    };
    (found.0 > 0.0).then_some(found)
}

impl ContactPairs {
    /// Every two surfaces on different bodies, a half space never first.
    fn pairs(&self) -> impl Iterator<Item = (&ContactSurface, &ContactSurface)> {
        let pairs =
            self.surfaces.iter().enumerate().flat_map(|(i, a)| self.surfaces[i + 1..].iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.frame.body != b.frame.body).map(|(a, b)| match a.shape {
            ContactShape::HalfSpace => (b, a),
            _ => (a, b),
        })
    }

    /// Force on the second surface and the point where it acts, and the energy stored \[J\].
    fn hunt_crossley(&self, at: &Instant<'_>, a: &ContactSurface, b: &ContactSurface) -> Option<(Vec3, Vec3, f64)> {
        let (depth, normal, middle, radius) = overlap(at, a, b)?;
        let [ka, kb] = [a, b].map(|s| s.material.stiffness.powf(2.0 / 3.0));
        let part = kb / (ka + kb);
        let p = middle + normal * (depth * (0.5 - part));
        let k = ka * part;
        let dissipation = a.material.dissipation * part + b.material.dissipation * (1.0 - part);
        let hertz = 4.0 / 3.0 * k * depth * (radius * k * depth).sqrt();
        let v = relative(at, [a.frame.body, b.frame.body], &p);
        let rate = v.dot(&normal);
        let sliding = v - normal * rate;
        let f = (hertz * (1.0 + 1.5 * dissipation * rate)).max(0.0);
        let mean = |i: usize| {
            let (x, y) = (a.material.friction[i], b.material.friction[i]);
            if x + y == 0.0 { 0.0 } else { 2.0 * x * y / (x + y) }
        };
        let speed = sliding.norm();
        let mut force = normal * f;
        if speed > 0.0 {
            force += sliding * (f * friction([0, 1, 2].map(mean), speed, self.transition) / speed);
        }
        Some((force, p, 0.4 * hertz * depth))
    }

    /// The springs of the mesh `a` that are inside of `b`; passes force on `b`, point and energy of each.
    fn springs(
        &self,
        at: &Instant<'_>,
        (a, b): (&ContactSurface, &ContactSurface),
        share: f64,
        mut visit: impl FnMut(Vec3, Vec3, f64),
    ) {
        let ContactShape::Mesh(mesh) = &a.shape else { return };
        let (X_a, X_b) = (at.pose(&a.frame), at.pose(&b.frame));
        let X_ba = Pose { R: X_b.R.transpose() * X_a.R, p: X_b.inverse_point(&X_a.p) };
        let ContactMaterial { stiffness, dissipation, friction: coefficients } = a.material;
        for (centre, area) in &mesh.springs {
            let here = X_ba.point(centre);
            let Some(nearest) = b.shape.nearest_from_inside(&here) else { continue };
            let distance = (nearest - here).norm();
            if distance == 0.0 {
                continue;
            }
            let out_of_b = X_b.R * ((nearest - here) / distance);
            let p = X_b.point(&nearest);
            // of b relative to a: towards the outside while they approach
            let v = relative(at, [b.frame.body, a.frame.body], &p);
            let rate = v.dot(&out_of_b);
            let sliding = v - out_of_b * rate;
            let k = stiffness * area * share;
            let f = (k * distance * (1.0 + dissipation * rate)).max(0.0);
            let speed = sliding.norm();
            let mut force = out_of_b * f;
            if speed > 0.0 {
                force += sliding * (f * friction(coefficients, speed, self.transition) / speed);
            }
            visit(-force, p, 0.5 * k * distance * distance);
        }
    }

    /// All forces: bodies, force on the second of them, point, energy.
    fn each(&self, at: &Instant<'_>, mut visit: impl FnMut([usize; 2], Vec3, Vec3, f64)) {
        for (a, b) in self.pairs() {
            let bodies = [a.frame.body, b.frame.body];
            if self.law == ContactLaw::HuntCrossley {
                if let Some((force, p, energy)) = self.hunt_crossley(at, a, b) {
                    visit(bodies, force, p, energy);
                }
                continue;
            }
            let both = matches!((&a.shape, &b.shape), (ContactShape::Mesh(_), ContactShape::Mesh(_)));
            let share = if both { 0.5 } else { 1.0 };
            self.springs(at, (a, b), share, |force, p, energy| visit(bodies, force, p, energy));
            let turned = [bodies[1], bodies[0]];
            self.springs(at, (b, a), share, |force, p, energy| visit(turned, force, p, energy));
        }
    }
}

impl ForceElement for ContactPairs {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        self.each(at, |bodies, force, p, _| act(bodies, &p, force, out));
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        let mut sum = 0.0;
        self.each(at, |_, _, _, energy| sum += energy);
        sum
    }
}

/// A sphere on a half space, smooth in depth and speed.
///
/// ```text
/// f_H = 4/3 k √(R k) (d² + c_f)^(3/4) (1 + tanh(b_d d))/2,                k = E^(2/3)/2
/// f = f_H (1 + 3/2 c v) (1 + tanh(b_v (v + 2/(3c))))/2,    friction f μ(√(v_t² + c_f)) v_t/√(v_t² + c_f)
/// ```
#[derive(Clone, Debug)]
pub struct SmoothContact {
    /// Name.
    pub name: String,
    /// Centre of the sphere.
    pub sphere: Frame,
    /// Radius R \[m\].
    pub radius: f64,
    /// The half space: all points with x > 0.
    pub half_space: Frame,
    /// Stiffness E, dissipation c and friction.
    pub material: ContactMaterial,
    /// Transition velocity of friction \[m/s\].
    pub transition: f64,
    /// c_f \[m²\] and \[m²/s²\].
    pub constant: f64,
    /// b_d \[1/m\] and b_v \[s/m\].
    pub smoothing: [f64; 2],
}

impl SmoothContact {
    /// Force on the half space, and the point where it acts.
    pub fn force(&self, at: &Instant<'_>) -> (Vec3, Vec3) {
        let (X_s, X_h) = (at.pose(&self.sphere), at.pose(&self.half_space));
        let normal = X_h.R * Vec3::x();
        let d = normal.dot(&(X_s.p - X_h.p)) + self.radius;
        let p = X_s.p + normal * (self.radius - 0.5 * d);
        let v = relative(at, [self.sphere.body, self.half_space.body], &p);
        let rate = v.dot(&normal);
        let sliding = v - normal * rate;
        let ContactMaterial { stiffness, dissipation, friction: coefficients } = self.material;
        let k = 0.5 * stiffness.powf(2.0 / 3.0);
        let half = |x: f64| 0.5 + 0.5 * x.tanh();
        let hertz = 4.0 / 3.0 * k * (self.radius * k).sqrt() * (d * d + self.constant).powf(0.75);
        let hertz = hertz * half(self.smoothing[0] * d);
        let f = hertz * (1.0 + 1.5 * dissipation * rate) * half(self.smoothing[1] * (rate + 2.0 / (3.0 * dissipation)));
        let speed = (sliding.norm_squared() + self.constant).sqrt();
        let mut force = normal * f;
        if speed > 0.0 {
            force += sliding * (f * friction(coefficients, speed, self.transition) / speed);
        }
        (force, p)
    }
}

impl ForceElement for SmoothContact {
    fn name(&self) -> &str {
        &self.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let (force, p) = self.force(at);
        act([self.sphere.body, self.half_space.body], &p, force, out);
    }
}
