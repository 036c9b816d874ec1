//! Tetrahedra, materials and measures of strain against exact rational numbers.

use super::items::{Failure, Items};
use super::table::Table;
use nalgebra::{DMatrix, Matrix3, Matrix6, SymmetricEigen, Vector3, Vector6};
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_fem::assembly::assemble;
use wolff_fem::dofs::Constraints;
use wolff_fem::element::{add_mass, add_stiffness, strain_operator, tet10};
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::solve::{Loads, Statics, strain_at};
use wolff_fem::{ElementKind, TetMesh};
use wolff_flexbody::measures;

/// Tolerance relative to the maximum of a matrix or vector.
const EXACT: f64 = 1e-12;

/// Tolerance of the maximum valid Poisson's ratio, relative: a material whose smallest eigenvalue is below 1e-12 counts
/// as singular.
const LIMIT: f64 = 1e-11;

#[derive(Deserialize)]
struct Reference {
    source: String,
    materials: BTreeMap<String, Moduli>,
    tet4: UnitElement,
    tet4_general: GeneralElement,
    tet10: UnitElement,
    patch: Patch,
    plane: Table,
    space: Vec<SpaceStrain>,
}

/// Moduli in GPa; the axis is z.
#[derive(Deserialize)]
struct Moduli {
    young_axial: f64,
    young_transverse: f64,
    shear_axial: f64,
    shear_transverse: f64,
    poisson_axial: String,
    poisson_transverse: f64,
    compliance: Vec<Vec<f64>>,
    stiffness: Vec<Vec<f64>>,
    compliance_eigenvalues: Vec<f64>,
    poisson_limit_squared: f64,
}

/// An element on the unit corners with unit modulus and density and Poisson's ratio 1/4; matrices of fractions, one
/// line per row.
#[derive(Deserialize)]
struct UnitElement {
    #[serde(default)]
    volume: Option<String>,
    #[serde(default)]
    elasticity: Vec<String>,
    #[serde(default)]
    strain: Vec<String>,
    stiffness: Vec<String>,
    mass: Vec<String>,
    #[serde(default)]
    trace: Option<String>,
    eigenvalues: Vec<f64>,
}

#[derive(Deserialize)]
struct GeneralElement {
    nodes: Vec<String>,
    volume: String,
    stiffness: Vec<String>,
    trace: f64,
    mass_diagonal: f64,
}

#[derive(Deserialize)]
struct Patch {
    nodes: Vec<[f64; 3]>,
    tets: Vec<[usize; 4]>,
    young: f64,
    poisson: f64,
    gradient: [[f64; 3]; 3],
    offset: [f64; 3],
    inner: Vec<f64>,
    strain: Vec<f64>,
    stress: Vec<f64>,
    energy: f64,
    volume: f64,
}

#[derive(Deserialize)]
struct SpaceStrain {
    strain: [f64; 6],
    principal: Vec<f64>,
    max_shear: f64,
    von_mises: f64,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/elements.json"))?;
    items.cite(&reference.source);
    for (name, moduli) in &reference.materials {
        check_material(items, &format!("material.{name}"), moduli)?;
    }
    check_unit(items, "tet4", ElementKind::Tet4, &reference.tet4)?;
    check_unit(items, "tet10", ElementKind::Tet10, &reference.tet10)?;
    check_general(items, &reference.tet4_general)?;
    check_patch(items, &reference.patch)?;
    check_measures(items, &reference);
    Ok(())
}

/// A number or a fraction.
fn fraction(word: &str) -> Result<f64, Failure> {
    match word.split_once('/') {
        Some((top, bottom)) => Ok(top.parse::<f64>()? / bottom.parse::<f64>()?),
        None => Ok(word.parse()?),
    }
}

/// Numbers of all rows.
fn fractions(rows: &[String]) -> Result<Vec<f64>, Failure> {
    rows.iter().flat_map(|row| row.split_whitespace()).map(fraction).collect()
}

/// Compares numbers with a tolerance relative to the maximum.
fn compare(items: &mut Items, id: &str, values: &[f64], references: &[f64]) {
    let scale = references.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    items.lists(id, values, references, |_| EXACT * scale);
}

/// Entries row by row.
fn entries(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

impl Moduli {
    fn elasticity(&self, poisson_axial: f64) -> Elasticity {
        let across = self.young_transverse / (2.0 * (1.0 + self.poisson_transverse));
        if (across / self.shear_transverse - 1.0).abs() < EXACT {
            return Elasticity::TransverselyIsotropic {
                young_axial: self.young_axial,
                young_transverse: self.young_transverse,
                shear_axial: self.shear_axial,
                poisson_axial,
                poisson_transverse: self.poisson_transverse,
            };
        }
        // ratios 12, 13, 23: the strain along the axis under stress across it is ν_l E_t / E_l
        let ratio = poisson_axial * self.young_transverse / self.young_axial;
        Elasticity::Orthotropic {
            young: [self.young_transverse, self.young_transverse, self.young_axial],
            shear: [self.shear_transverse, self.shear_axial, self.shear_axial],
            poisson: [self.poisson_transverse, ratio, ratio],
        }
    }
}

fn check_material(items: &mut Items, case: &str, moduli: &Moduli) -> Result<(), Failure> {
    let elasticity = moduli.elasticity(fraction(&moduli.poisson_axial)?);
    let compliance = elasticity.compliance();
    let rows = |m: &Matrix6<f64>| m.transpose().as_slice().to_vec();
    compare(items, &format!("{case}.compliance"), &rows(&compliance), &moduli.compliance.concat());
    compare(items, &format!("{case}.stiffness"), &rows(&elasticity.stiffness()?), &moduli.stiffness.concat());
    let mut values = SymmetricEigen::new(compliance).eigenvalues.as_slice().to_vec();
    values.sort_by(f64::total_cmp);
    compare(items, &format!("{case}.compliance_eigenvalues"), &values, &moduli.compliance_eigenvalues);
    // the maximum valid ratio, by bisection
    let (mut accepted, mut refused) = (0.0, 4.0);
    for _ in 0..60 {
        let middle = 0.5 * (accepted + refused);
        if moduli.elasticity(middle).stiffness().is_ok() { accepted = middle } else { refused = middle }
    }
    items.relative(&format!("{case}.poisson_limit"), accepted * accepted, moduli.poisson_limit_squared, LIMIT);
    Ok(())
}

/// Stiffness of an element, node-major.
fn stiffness(kind: ElementKind, x: &[Vector3<f64>], elasticity: &Matrix6<f64>) -> Result<DMatrix<f64>, Failure> {
    let mut blocks = [Matrix3::zeros(); 55];
    if !add_stiffness(kind, x, elasticity, &mut blocks) {
        return Err("the element is inverted".into());
    }
    Ok(DMatrix::from_fn(3 * x.len(), 3 * x.len(), |i, j| {
        let (a, b) = (i / 3, j / 3);
        if a >= b { blocks[a * (a + 1) / 2 + b][(i % 3, j % 3)] } else { blocks[b * (b + 1) / 2 + a][(j % 3, i % 3)] }
    }))
}

/// Consistent mass of an element, one direction.
fn mass(kind: ElementKind, x: &[Vector3<f64>], density: f64) -> DMatrix<f64> {
    let mut lower = [0.0; 55];
    add_mass(kind, x, density, &mut lower);
    DMatrix::from_fn(x.len(), x.len(), |i, j| {
        let (a, b) = (i.max(j), i.min(j));
        lower[a * (a + 1) / 2 + b]
    })
}

fn check_unit(items: &mut Items, case: &str, kind: ElementKind, reference: &UnitElement) -> Result<(), Failure> {
    let mut x = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    if kind == ElementKind::Tet10 {
        x.extend(tet10::EDGES.map(|(a, b)| 0.5 * (x[a] + x[b])));
    }
    let elasticity = Elasticity::Isotropic { young: 1.0, poisson: 0.25 }.stiffness()?;
    let k = stiffness(kind, &x, &elasticity)?;
    let mut m = mass(kind, &x, 1.0);
    let volume = m.sum();
    compare(items, &format!("{case}.stiffness"), &entries(&k), &fractions(&reference.stiffness)?);
    let mut values = SymmetricEigen::new(k.clone()).eigenvalues.as_slice().to_vec();
    values.sort_by(f64::total_cmp);
    compare(items, &format!("{case}.eigenvalues"), &values, &reference.eigenvalues);
    if reference.mass.len() > x.len() {
        m = m.kronecker(&DMatrix::identity(3, 3));
    }
    compare(items, &format!("{case}.mass"), &entries(&m), &fractions(&reference.mass)?);
    if let Some(trace) = &reference.trace {
        items.relative(&format!("{case}.trace"), k.trace(), fraction(trace)?, EXACT);
    }
    if let Some(expected) = &reference.volume {
        items.relative(&format!("{case}.volume"), volume, fraction(expected)?, EXACT);
    }
    if !reference.elasticity.is_empty() {
        let ours = DMatrix::from_iterator(6, 6, elasticity.iter().copied());
        compare(items, &format!("{case}.elasticity"), &entries(&ours), &fractions(&reference.elasticity)?);
    }
    if !reference.strain.is_empty() {
        let (gradients, _) = kind.sample([0.25; 3], 1.0).spatial_gradients(&x).ok_or("the element is inverted")?;
        let b = DMatrix::from_fn(6, 12, |i, j| strain_operator(&gradients[j / 3])[(i, j % 3)]);
        compare(items, &format!("{case}.strain_operator"), &entries(&b), &fractions(&reference.strain)?);
    }
    Ok(())
}

/// A skew tetrahedron of bone with density 2.
fn check_general(items: &mut Items, reference: &GeneralElement) -> Result<(), Failure> {
    let elasticity = Elasticity::TransverselyIsotropic {
        young_axial: 17.0,
        young_transverse: 10.0,
        shear_axial: 5.0,
        poisson_axial: 0.3,
        poisson_transverse: 3.0 / 7.0,
    };
    let x: Vec<_> = fractions(&reference.nodes)?.chunks_exact(3).map(Vector3::from_column_slice).collect();
    let k = stiffness(ElementKind::Tet4, &x, &elasticity.stiffness()?)?;
    let m = mass(ElementKind::Tet4, &x, 2.0);
    compare(items, "tet4_general.stiffness", &entries(&k), &fractions(&reference.stiffness)?);
    items.relative("tet4_general.trace", k.trace(), reference.trace, EXACT);
    items.relative("tet4_general.mass_diagonal", m[(0, 0)], reference.mass_diagonal, EXACT);
    items.relative("tet4_general.volume", 0.5 * m.sum(), fraction(&reference.volume)?, EXACT);
    Ok(())
}

/// A field of constant strain prescribed on the boundary of a cube is reproduced inside.
fn check_patch(items: &mut Items, reference: &Patch) -> Result<(), Failure> {
    let nodes: Vec<_> = reference.nodes.iter().map(|x| Vector3::from(*x)).collect();
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, reference.tets.concat())?;
    let elasticity = Elasticity::Isotropic { young: reference.young, poisson: reference.poisson };
    let system = assemble(&mesh, &MaterialField::uniform(&mesh, &Material { elasticity, density: 1.0 })?)?;
    let gradient = Matrix3::from_fn(|i, j| reference.gradient[i][j]);
    let mut constraints = Constraints::default();
    for (node, x) in mesh.nodes().iter().enumerate().take(8) {
        let u = Vector3::from(reference.offset) + gradient * x;
        constraints.prescribed.extend((0..3).map(|axis| (node, axis, u[axis])));
    }
    let u = Statics::new(&mesh, &system, &constraints)?.solve(&Loads::none(&mesh, 0))?.displacement;
    compare(items, "patch.inner", &u[24..], &reference.inner);
    let (mut strains, mut stresses) = (Vec::new(), Vec::new());
    for element in 0..mesh.element_count() {
        let strain = strain_at(&mesh, element, [0.25; 3], &u)?;
        strains.extend(strain.iter().copied());
        stresses.extend((elasticity.stiffness()? * strain).iter().copied());
    }
    compare(items, "patch.strain", &strains, &reference.strain.repeat(mesh.element_count()));
    compare(items, "patch.stress", &stresses, &reference.stress.repeat(mesh.element_count()));
    let mut force = vec![0.0; u.len()];
    system.stiffness.mul_vec(&u, &mut force);
    let energy = 0.5 * u.iter().zip(&force).map(|(u, f)| u * f).sum::<f64>();
    items.relative("patch.energy", energy, reference.energy, EXACT);
    items.relative("patch.volume", mesh.volume(), reference.volume, EXACT);
    Ok(())
}

/// Principal strains, maximum shear and equivalent strain.
fn check_measures(items: &mut Items, reference: &Reference) {
    for (i, row) in reference.plane.rows.iter().enumerate() {
        if let [x, y, shear, expected @ ..] = &row[..] {
            let plane = measures::in_plane(*x, *y, *shear);
            let ours = [plane.first, plane.second, plane.max_shear];
            compare(items, &format!("plane.{}.strains", i + 1), &ours, &expected[..3]);
            compare(items, &format!("plane.{}.angle", i + 1), &[plane.angle], &expected[3..]);
        }
    }
    for (i, case) in reference.space.iter().enumerate() {
        let strain = Vector6::from(case.strain);
        let name = |quantity: &str| format!("space.{}.{quantity}", i + 1);
        compare(items, &name("principal"), &measures::principal(&strain), &case.principal);
        items.relative(&name("max_shear"), measures::max_shear(&strain), case.max_shear, EXACT);
        items.relative(&name("von_mises"), measures::von_mises(&strain), case.von_mises, EXACT);
    }
}
