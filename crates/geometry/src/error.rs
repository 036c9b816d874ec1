//! The one error type of the crate.

use thiserror::Error;

/// Why a surface was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A number breaks a rule.
    #[error("{object}: {quantity} is {value}, {rule}")]
    Parameter {
        /// The surface.
        object: String,
        /// What the number means, with its unit.
        quantity: &'static str,
        /// The number.
        value: f64,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// A count breaks a rule.
    #[error("{object}: {what} is {found}, {rule}")]
    Count {
        /// The surface.
        object: String,
        /// What was counted.
        what: &'static str,
        /// The count.
        found: usize,
        /// The rule it breaks, and the remedy.
        rule: &'static str,
    },
    /// A file of NURBS surfaces cannot be used.
    #[error("NURBS file, {place}: {problem}")]
    NurbsFile {
        /// Line or surface.
        place: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// A mesh of no triangles.
    #[error("the mesh has no triangles; give at least one")]
    NoTriangles,
    /// More vertices or triangles than 32-bit numbers can name.
    #[error("the mesh has {count} {what}, more than 4294967295; make it coarser or split it")]
    TooMany {
        /// `vertices` or `triangles`.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error(
        "triangle {triangle} names vertex {vertex}, but there are {count} (numbered from 0); correct the list of \
         triangles"
    )]
    VertexIndex {
        /// The triangle, from 0.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// Vertices there are.
        count: usize,
    },
    /// A coordinate is infinite, not a number or too large to be a length.
    #[error("vertex {vertex} lies at ({x}, {y}, {z}) m; coordinates must be finite numbers, and lengths; the file is damaged", x = position[0], y = position[1], z = position[2])]
    NonFiniteVertex {
        /// The vertex, from 0.
        vertex: usize,
        /// Its coordinates \[m\].
        position: [f64; 3],
    },
    /// A triangle without area has no normal.
    #[error(
        "triangle {triangle} has an area of {area:.3e} m² for a longest edge of {edge:.3e} m; remove it with \
         `TriangleMesh::cleaned`"
    )]
    DegenerateTriangle {
        /// The triangle, from 0.
        triangle: usize,
        /// Its area \[m²\].
        area: f64,
        /// Its longest edge \[m\].
        edge: f64,
    },
    /// Two neighbours run along their common edge in the same direction, so that one of them is inside out.
    #[error(
        "triangles {first} and {second} run along their common edge {a}-{b} in the same direction: one is inside out; \
         orient it with `wolff mesh check FILE --repair OUT`", a = edge[0], b = edge[1]
    )]
    InconsistentOrientation {
        /// A triangle, from 0.
        first: usize,
        /// Its neighbour.
        second: usize,
        /// Vertices of the edge.
        edge: [u32; 2],
    },
    /// More than two triangles meet at an edge, so that there is no inside.
    #[error("{count} triangles meet at the edge {a}-{b}, at most two may; remove the inner ones or split the mesh \
         there", a = edge[0], b = edge[1])]
    NonManifoldEdge {
        /// Vertices of the edge.
        edge: [u32; 2],
        /// Triangles at it.
        count: usize,
    },
    /// A thin closed mesh whose two sides cannot be told apart.
    #[error(
        "the mesh is a thin closed layer whose two sides cannot be told apart (one has {:.0} % of its area); repair it, or cut it down to \
         its articular side", 100.0 * part
    )]
    NoSheets {
        /// Part of the area that was left for a side.
        part: f64,
    },
    /// It is not clear which side of a closed layer is articular.
    #[error(
        "the mesh is a closed layer, and neither of its sides clearly faces the other body (scores {:.2} and {:.2}); say with a \
         direction which way the articular side looks, or cut the mesh down to it", scores[0], scores[1]
    )]
    UnclearSheet {
        /// Mean cosine between normal and direction, or part from which the other body is in sight, of both sides.
        scores: [f64; 2],
    },
    /// A text file that cannot be understood.
    #[error("{format} line {line}: {message}")]
    Text {
        /// The format, such as `.obj`.
        format: &'static str,
        /// Line number, from 1.
        line: usize,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// A binary file that cannot be understood.
    #[error("{format} byte {byte}: {message}")]
    Binary {
        /// The format, such as `.stl`.
        format: &'static str,
        /// Bytes from the start of the (unpacked) file.
        byte: usize,
        /// What is wrong, and the remedy.
        message: String,
    },
    /// A file that cannot be named, unpacked or put into another format.
    #[error("`{name}`: {message}")]
    File {
        /// The name of the file.
        name: String,
        /// What is wrong, and the remedy.
        message: String,
    },
}

impl GeometryError {
    /// Refuses what is not a positive finite number.
    pub(crate) fn positive(object: &str, quantity: &'static str, value: f64) -> Result<f64, GeometryError> {
        if value > 0.0 && value.is_finite() {
            return Ok(value);
        }
        let rule = "it must be positive and finite";
        Err(GeometryError::Parameter { object: object.into(), quantity, value, rule })
    }
}
