//! Straight beams from shape functions (Ritz): Euler-Bernoulli bending, stretch, foreshortening.
//!
//! The beam lies on the x axis of its frame from 0 to `L`. With `s = x / L`,
//!
//! ```text
//! displacement   u(x) along x,  v(x) along y,  w(x) along z       each Σ shape η
//! energy         ½ ∫ EA u'² + EI_y v''² + EI_z w''² dx
//! inertia        ∫ ρA (u'² + v'² + w'²) dx, sections turn as rigid ones with the frame only
//! second order   g_ij(x) = -∫₀ˣ φ_i' φ_j' dξ  along x, for two shapes of the same direction (inextensible bending)
//! ```
//!
//! All integrals by Gauss-Legendre quadrature on panels fine enough for the highest shape. Sources: Meirovitch,
//! Fundamentals of Vibrations, ch. 8; the foreshortening as in Kane, Ryan and Banerjee 1987, J. Guidance 10, 139-151.

use nalgebra::{DMatrix, Matrix6};
use std::f64::consts::PI;
use wolff_spatial::{Mat3, Vec3};

use crate::body::FlexBody;
use crate::error::FlexBodyError;
use crate::gauge::Gauge;
use crate::inertia::InertiaIntegrals;
use crate::node::Node;

/// A uniform straight beam and the shapes it may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// Length `L` \[m\].
    pub length: f64,
    /// Mass per length `ρA` \[kg/m\].
    pub mass_per_length: f64,
    /// `EA` \[N\].
    pub axial_stiffness: f64,
    /// Bending stiffness for displacement along y and along z \[N m²\].
    pub bending_stiffness: [f64; 2],
    /// Second moments of the section's mass along y and z, per length (`ρ ∫ y² dA`, `ρ ∫ z² dA`) \[kg m\]; zero for a
    /// line.
    pub section_inertia: [f64; 2],
    /// Young's modulus at the gauges \[Pa\]; zero: gauges give strain only.
    pub young: f64,
    /// Shapes, one a mode.
    pub shapes: Vec<Shape>,
    /// Whether bending shortens the beam (geometric stiffening).
    pub stiffening: bool,
    /// Factor on the inertia of the axial shapes among themselves: 1 is right. The flexible slider-crank of the IVP
    /// test set is published with 15 (coefficients 8, 1, 2 in place of 8/15, 1/15, 2/15).
    pub axial_inertia_factor: f64,
}

/// A shape function with its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Direction of the displacement.
    pub direction: Direction,
    /// The function of `x`.
    pub function: ShapeFunction,
}

/// Direction of a displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along the beam.
    Axial,
    /// Along y.
    Y,
    /// Along z.
    Z,
}

/// A function of `s = x / L`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeFunction {
    /// `sin(k π s)`: zero at both ends, the frame lies on the chord.
    Sine(usize),
    /// `sin((k - ½) π s)`: zero at the start only; stretch of a rod held at its start.
    QuarterSine(usize),
    /// The k-th bending mode of a cantilever clamped at the start, 2 at its free end up to sign.
    Cantilever(usize),
    /// `4 s (1 - s)`: one in the middle, zero at the ends.
    QuadraticMiddle,
    /// `s (2 s - 1)`: one at the end, zero in the middle and at the start.
    QuadraticEnd,
}

/// A gauge on a beam: at `x` along it, `(y, z)` away from its line.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamGauge {
    /// Name.
    pub name: String,
    /// Position \[m\].
    pub position: Vec3,
}

impl ShapeFunction {
    /// Value and first and second derivative by `s`.
    pub fn evaluate(&self, s: f64) -> [f64; 3] {
        match self {
            ShapeFunction::Sine(k) => sine(*k as f64 * PI, s),
            ShapeFunction::QuarterSine(k) => sine((*k as f64 - 0.5) * PI, s),
            ShapeFunction::Cantilever(k) => cantilever(*k, s),
            ShapeFunction::QuadraticMiddle => [4.0 * s * (1.0 - s), 4.0 - 8.0 * s, -8.0],
            ShapeFunction::QuadraticEnd => [s * (2.0 * s - 1.0), 4.0 * s - 1.0, 4.0],
        }
    }

    /// Half waves along the beam, for the choice of quadrature.
    fn waves(&self) -> usize {
        match self {
            ShapeFunction::Sine(k) | ShapeFunction::QuarterSine(k) | ShapeFunction::Cantilever(k) => *k,
            ShapeFunction::QuadraticMiddle | ShapeFunction::QuadraticEnd => 1,
        }
    }
}

fn sine(wave: f64, s: f64) -> [f64; 3] {
    let (sin, cos) = (wave * s).sin_cos();
    [sin, wave * cos, -wave * wave * sin]
}

/// `cosh βs - cos βs - σ (sinh βs - sin βs)`, `cos β cosh β = -1`, written without large differences.
fn cantilever(k: usize, s: f64) -> [f64; 3] {
    let beta = cantilever_root(k);
    let denominator = beta.sinh() + beta.sin();
    let sigma = (beta.cosh() + beta.cos()) / denominator;
    // cosh - σ sinh = e^{-βs} (1 + σ)/2 + e^{βs} (1 - σ)/2, the second factor without cancellation
    let falling = (-beta * s).exp() * (1.0 + sigma) / 2.0;
    let rising = (beta * s).exp() * (beta.sin() - beta.cos() - (-beta).exp()) / denominator / 2.0;
    let (sin, cos) = (beta * s).sin_cos();
    [
        falling + rising - cos + sigma * sin,
        beta * (rising - falling + sin + sigma * cos),
        beta * beta * (falling + rising + cos - sigma * sin),
    ]
}

/// The k-th root of `cos β cosh β = -1`, as `cos β + 1/cosh β = 0`.
fn cantilever_root(k: usize) -> f64 {
    let mut beta = (k as f64 - 0.5) * PI;
    for _ in 0..20 {
        let sech = 1.0 / beta.cosh();
        let step = (beta.cos() + sech) / (-beta.sin() - sech * beta.tanh());
        beta -= step;
        if step.abs() < 1e-15 * beta {
            break;
        }
    }
    beta
}

impl Beam {
    /// The body with nodes at the given distances from the start and gauges.
    ///
    /// # Errors
    /// When a number is out of bounds, a node or gauge is off the beam, or the shapes are not independent.
    pub fn body(&self, name: &str, nodes: &[(&str, f64)], gauges: &[BeamGauge]) -> Result<FlexBody, FlexBodyError> {
        self.check(name)?;
        let nodes = nodes.iter().map(|(node, x)| self.node(name, node, *x)).collect::<Result<_, _>>()?;
        let gauges = gauges.iter().map(|g| self.gauge(name, g)).collect::<Result<_, _>>()?;
        let (inertia, stiffness) = self.integrals();
        FlexBody::new(name, inertia, stiffness, nodes, gauges)
    }

    fn check(&self, name: &str) -> Result<(), FlexBodyError> {
        let positive = [("length", self.length), ("mass_per_length", self.mass_per_length)];
        let stiff = [self.axial_stiffness, self.bending_stiffness[0], self.bending_stiffness[1]];
        let not_negative = stiff.into_iter().chain(self.section_inertia).chain([self.axial_inertia_factor, self.young]);
        for (what, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(FlexBodyError::invalid(name, format!("{what} is {value}, must be greater than zero")));
            }
        }
        if not_negative.into_iter().any(|x| !(x.is_finite() && x >= 0.0)) {
            return Err(FlexBodyError::invalid(name, "stiffness and section inertia must be finite, zero or more"));
        }
        if self.shapes.iter().any(|s| s.function.waves() == 0 || s.function.waves() > MAX_WAVES) {
            return Err(FlexBodyError::invalid(name, format!("shapes are numbered from 1 to {MAX_WAVES}")));
        }
        Ok(())
    }

    /// Displacement, slope `d/dx` and curvature `d²/dx²` of every shape at `x`.
    fn shapes_at(&self, x: f64) -> Vec<[f64; 3]> {
        let L = self.length;
        let scaled = |[f, d, dd]: [f64; 3]| [f, d / L, dd / (L * L)];
        self.shapes.iter().map(|shape| scaled(shape.function.evaluate(x / L))).collect()
    }

    /// Inertia integrals and stiffness, point by point of the quadrature.
    fn integrals(&self) -> (InertiaIntegrals, DMatrix<f64>) {
        let n = self.shapes.len();
        let (L, rhoA) = (self.length, self.mass_per_length);
        let mut inertia = InertiaIntegrals::rigid(0.0, Vec3::zeros(), Mat3::zeros(), n);
        let mut stiffness = DMatrix::zeros(n, n);
        let (mut S2, mut B2) = (vec![Vec3::zeros(); n * n], vec![Mat3::zeros(); n * n]);
        for (x, weight) in self.quadrature(L) {
            let values = self.shapes_at(x);
            let phi: Vec<Vec3> = self.shapes.iter().zip(&values).map(|(s, f)| s.direction.unit() * f[0]).collect();
            inertia.add_point(rhoA * weight, &Vec3::new(x, 0.0, 0.0), &phi);
            for i in 0..n {
                for j in 0..n {
                    let Some(stiff) = self.stiffness_of(i, j) else { continue };
                    let derivative = if self.shapes[i].direction == Direction::Axial { 1 } else { 2 };
                    stiffness[(i, j)] += weight * stiff * values[i][derivative] * values[j][derivative];
                    if self.shapes[i].direction != Direction::Axial {
                        // ∫ ρA g dx and ∫ ρA x g dx, the order of integration exchanged
                        let slopes = weight * rhoA * values[i][1] * values[j][1];
                        S2[i * n + j].x -= slopes * (L - x);
                        B2[i * n + j][(0, 0)] -= slopes * (L * L - x * x) / 2.0;
                    }
                }
            }
        }
        inertia.second[(1, 1)] += self.section_inertia[0] * L;
        inertia.second[(2, 2)] += self.section_inertia[1] * L;
        self.scale_axial_inertia(&mut inertia);
        if self.stiffening {
            (inertia.S2, inertia.B2) = (S2, B2);
        }
        (inertia, stiffness)
    }

    fn scale_axial_inertia(&self, inertia: &mut InertiaIntegrals) {
        let n = self.shapes.len();
        let axial = |i: usize| self.shapes[i].direction == Direction::Axial;
        for (_, C) in inertia.C.iter_mut().enumerate().filter(|(k, _)| axial(k / n) && axial(k % n)) {
            *C *= self.axial_inertia_factor;
        }
    }

    /// Stiffness that couples two shapes; none between directions.
    fn stiffness_of(&self, i: usize, j: usize) -> Option<f64> {
        (self.shapes[i].direction == self.shapes[j].direction).then(|| match self.shapes[i].direction {
            Direction::Axial => self.axial_stiffness,
            Direction::Y => self.bending_stiffness[0],
            Direction::Z => self.bending_stiffness[1],
        })
    }

    fn node(&self, body: &str, name: &str, x: f64) -> Result<Node, FlexBodyError> {
        self.on_beam(&format!("{body}.{name}"), x)?;
        let n = self.shapes.len();
        let (mut translation, mut rotation) = (DMatrix::zeros(3, n), DMatrix::zeros(3, n));
        for (i, (shape, f)) in self.shapes.iter().zip(self.shapes_at(x)).enumerate() {
            translation.column_mut(i).copy_from(&(shape.direction.unit() * f[0]));
            // the section turns by the slope: about z for y, about -y for z
            rotation.column_mut(i).copy_from(&(Vec3::x().cross(&shape.direction.unit()) * f[1]));
        }
        let mut node = Node::new(name, Vec3::new(x, 0.0, 0.0), translation, rotation);
        if self.stiffening {
            node.second = self.shortening(x);
        }
        Ok(node)
    }

    /// `g_ij(x)`.
    fn shortening(&self, x: f64) -> Vec<Vec3> {
        let n = self.shapes.len();
        let mut g = vec![Vec3::zeros(); n * n];
        for (xi, weight) in self.quadrature(x) {
            let values = self.shapes_at(xi);
            for (k, g) in g.iter_mut().enumerate() {
                let (i, j) = (k / n, k % n);
                let (a, b) = (self.shapes[i].direction, self.shapes[j].direction);
                if a == b && a != Direction::Axial {
                    g.x -= weight * values[i][1] * values[j][1];
                }
            }
        }
        g
    }

    fn gauge(&self, body: &str, gauge: &BeamGauge) -> Result<Gauge, FlexBodyError> {
        let p = gauge.position;
        self.on_beam(&format!("gauge {body}.{}", gauge.name), p.x)?;
        let mut strain = DMatrix::zeros(6, self.shapes.len());
        for (i, (shape, f)) in self.shapes.iter().zip(self.shapes_at(p.x)).enumerate() {
            strain[(0, i)] = match shape.direction {
                Direction::Axial => f[1],
                Direction::Y => -p.y * f[2],
                Direction::Z => -p.z * f[2],
            };
        }
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut elasticity = Matrix6::zeros();
        elasticity[(0, 0)] = self.young;
        Ok(Gauge { name: gauge.name.clone(), position: p, axes, strain, elasticity })
    }

    fn on_beam(&self, object: &str, x: f64) -> Result<(), FlexBodyError> {
        if (0.0..=self.length).contains(&x) {
            return Ok(());
        }
        let rule = format!("x is {x} m, the beam reaches from 0 to {} m", self.length);
        Err(FlexBodyError::invalid(object, rule))
    }

    /// Points and weights of a Gauss rule on `[0, end]`.
    fn quadrature(&self, end: f64) -> impl Iterator<Item = (f64, f64)> {
        let waves = self.shapes.iter().map(|s| s.function.waves()).max().unwrap_or(1);
        let panels = 4 * waves;
        let width = end / panels as f64;
        (0..panels).flat_map(move |panel| {
            GAUSS_8.into_iter().flat_map(move |(t, w)| {
                let middle = (panel as f64 + 0.5) * width;
                [(middle - t * width / 2.0, w * width / 2.0), (middle + t * width / 2.0, w * width / 2.0)]
            })
        })
    }
}

/// The highest shape whose quadrature and exponentials are safe.
const MAX_WAVES: usize = 100;

/// Positive points and weights of the eight-point Gauss-Legendre rule: exact to degree 15 on a panel of a quarter wave.
const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
];

impl Direction {
    fn unit(self) -> Vec3 {
        match self {
            Direction::Axial => Vec3::x(),
            Direction::Y => Vec3::y(),
            Direction::Z => Vec3::z(),
        }
    }
}
