//! Grids and meshes for tests.

use wolff_density::{Calibration, Chain, DensityKind, GridField, Relation};
use wolff_fem::{ElementKind, TetMesh};
use wolff_spatial::{Mat3, Vec3};

/// A grid of `n` voxels per side of `spacing` \[m\] whose first voxel lies at `origin`, with values of a function.
pub fn grid(n: usize, spacing: f64, origin: Vec3, value: impl Fn(&Vec3) -> f64) -> GridField {
    let mut values = Vec::new();
    for k in 0..n {
        for j in 0..n {
            for i in 0..n {
                values.push(value(&(origin + Vec3::new(i as f64, j as f64, k as f64) * spacing)));
            }
        }
    }
    GridField::new([n; 3], origin, Mat3::from_diagonal_element(spacing), values).unwrap()
}

/// The element of the example of py_bonemat_abaqus (Pegg and Gill 2016): four corners of a cube, with straight edges.
pub fn cube_element(kind: ElementKind) -> TetMesh {
    let corners = [[-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, 1.0]].map(Vec3::from);
    let mesh = TetMesh::new(ElementKind::Tet4, corners.to_vec(), vec![0, 1, 2, 3]);
    let mesh = mesh.unwrap_or_else(|_| TetMesh::new(ElementKind::Tet4, corners.to_vec(), vec![1, 0, 2, 3]).unwrap());
    if kind == ElementKind::Tet10 { mesh.to_quadratic() } else { mesh }
}

/// Its grid: grey value 15 + 5 (x + y + z) at -1, 0 and 1.
pub fn cube_grid() -> GridField {
    grid(3, 1.0, Vec3::from_element(-1.0), |x| 15.0 + 5.0 * x.sum())
}

/// Its law: ρ = 1.3152 + 0.6944 HU, E = 0.0105 ρ^2.29.
pub fn cube_chain() -> Chain {
    let calibration = Calibration::line(1.3152, 0.6944, DensityKind::Ash).unwrap();
    Chain::new(calibration, Relation::own(DensityKind::Ash, 0.0, 0.0105, 2.29).unwrap()).unwrap()
}

/// Apparent density in g/cm³ as grey value, E = 3790 x 0.01^0.06 ρ³.
pub fn direct_chain() -> Chain {
    Chain::new(Calibration::identity(DensityKind::Apparent), Relation::named("carter-hayes-1977").unwrap()).unwrap()
}

/// A cuboid with a corner at the origin \[m\].
pub fn cuboid(kind: ElementKind, sides: [f64; 3], cells: [usize; 3]) -> TetMesh {
    wolff_fem::generate::grid(kind, cells, false, |u| Vec3::from_fn(|i, _| u[i] * sides[i])).unwrap()
}
