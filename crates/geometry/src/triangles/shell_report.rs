//! What was found in a closed shell, in numbers and words.

use wolff_spatial::Vec3;

use super::mesh::{TriangleMesh, double_area};
use super::shell::{Sheet, Shell, areas};

/// What was found in a shell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellReport {
    /// Area of the articular sheet \[m²\].
    pub articular_area: f64,
    /// Area of the sheet behind it \[m²\].
    pub back_area: f64,
    /// Area of the rim \[m²\].
    pub rim_area: f64,
    /// Mean thickness under the articular sheet \[m\].
    pub mean_thickness: f64,
    /// Mean outward normal of the articular sheet, not of unit length.
    pub mean_normal: Vec3,
    /// Whether the shell was inside out and had to be turned.
    pub turned: bool,
}

impl ShellReport {
    pub(super) fn new(part: &TriangleMesh, shell: &Shell, sheet: &Sheet) -> Self {
        let articular_area = sheet.area();
        let both: f64 = shell.sheets().iter().map(Sheet::area).sum();
        let normals = (0..sheet.mesh.triangles().len()).map(|t| double_area(&sheet.mesh.corners(t)));
        ShellReport {
            articular_area,
            back_area: both - articular_area,
            rim_area: areas(part).sum::<f64>() - both,
            mean_thickness: sheet.mean_thickness(),
            mean_normal: normals.sum::<Vec3>() / (2.0 * articular_area),
            turned: shell.turned,
        }
    }
}

/// In the words of a report.
impl std::fmt::Display for ShellReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mm2 = |area: f64| 1e6 * area;
        let [x, y, z] = (self.mean_normal / self.mean_normal.norm().max(f64::MIN_POSITIVE)).into();
        write!(
            f,
            "closed shell of {:.2} mm mean thickness: contact is with its articular sheet ({:.0} mm², facing ({x:.2}, {y:.2}, {z:.2})); \
             the sheet behind it ({:.0} mm²) and the rim ({:.0} mm²) are left out",
            1e3 * self.mean_thickness,
            mm2(self.articular_area),
            mm2(self.back_area),
            mm2(self.rim_area),
        )?;
        if self.turned { f.write_str("; it was inside out and is turned") } else { Ok(()) }
    }
}
