//! Where the points of a table come from.

use crate::error::{ContactError, positive, require};
use crate::proximity::lock;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use wolff_files::input;
use wolff_spatial::Vec3;

/// Points on a grid, read in rectangles.
pub trait TableSource: std::fmt::Debug + Send + Sync {
    /// Points along u and v.
    fn size(&self) -> [usize; 2];

    /// Reads `count` points from `start` on, v running fastest; `out` has room for exactly these.
    fn read(&self, start: [usize; 2], count: [usize; 2], out: &mut [Vec3]) -> Result<(), ContactError>;

    /// What it is, for messages.
    fn describe(&self) -> String;
}

/// Surfaces given by formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Part of an ellipsoid about the frame's origin around its lowest point, for condyles and balls:
    /// `(s_x sin u cos v, -s_y cos u cos v, s_z sin v)`, |u| ≤ `turn`, |v| ≤ `tilt` \[rad\]; the material is inside.
    Ellipsoid {
        /// Semi-axes along x, y, z \[m\].
        semi_axes: Vec3,
        /// Half of the range about z, below π.
        turn: f64,
        /// Half of the range towards z, below π/2.
        tilt: f64,
    },
    /// Paraboloid `y = (κ_x x² + κ_z z²)/2` over a rectangle about the frame's origin, for plateaus and floors; the
    /// material is below. Positive curvatures are hollow.
    Dish {
        /// Curvatures at the origin along x and z \[1/m\].
        curvatures: [f64; 2],
        /// Half of the extent along x and z \[m\].
        half_extent: [f64; 2],
    },
}

impl Form {
    /// The form, where its numbers make sense.
    pub fn checked(self) -> Result<Self, ContactError> {
        match &self {
            Form::Ellipsoid { semi_axes, turn, tilt } => {
                for axis in semi_axes.iter() {
                    positive("ellipsoid", "semi-axis [m]", *axis)?;
                }
                let pi = std::f64::consts::PI;
                let rule = "must be greater than zero and less than 180 degrees";
                require(*turn > 0.0 && *turn < pi, "ellipsoid", "range about z [rad]", *turn, rule)?;
                let rule = "must be greater than zero and less than 90 degrees: there is no normal at the poles";
                require(*tilt > 0.0 && *tilt < 0.5 * pi, "ellipsoid", "range towards z [rad]", *tilt, rule)?;
            }
            Form::Dish { curvatures, half_extent } => {
                for extent in half_extent {
                    positive("dish", "half extent [m]", *extent)?;
                }
                for curvature in curvatures {
                    require(curvature.is_finite(), "dish", "curvature [1/m]", *curvature, "must be a finite number")?;
                }
            }
        }
        Ok(self)
    }

    /// The point at shares a, b from -1 to 1 of the ranges.
    fn at(&self, [a, b]: [f64; 2]) -> Vec3 {
        match self {
            Form::Ellipsoid { semi_axes: s, turn, tilt } => {
                let ((sin_u, cos_u), (sin_v, cos_v)) = ((a * turn).sin_cos(), (b * tilt).sin_cos());
                Vec3::new(s.x * sin_u * cos_v, -s.y * cos_u * cos_v, s.z * sin_v)
            }
            Form::Dish { curvatures: [kx, kz], half_extent: [ex, ez] } => {
                // u along z, v along x, so that the normal points up
                let (z, x) = (a * ez, b * ex);
                Vec3::new(x, 0.5 * (kx * x * x + kz * z * z), z)
            }
        }
    }
}

/// A formula on a grid; points are computed when a window asks for them.
#[derive(Clone, Debug)]
pub struct FormSource {
    form: Form,
    size: [usize; 2],
}

impl FormSource {
    /// `size` points along u and v, two or more.
    pub fn new(form: Form, size: [usize; 2]) -> Result<Self, ContactError> {
        for n in size {
            let rule = "must be 2 or more, for both ends of the range";
            require(n >= 2, "surface table", "points along a parameter", n as f64, rule)?;
        }
        Ok(FormSource { form: form.checked()?, size })
    }
}

impl TableSource for FormSource {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn read(&self, start: [usize; 2], count: [usize; 2], out: &mut [Vec3]) -> Result<(), ContactError> {
        let share = |k: usize, n: usize| 2.0 * k as f64 / (n - 1) as f64 - 1.0;
        for (k, point) in out.iter_mut().enumerate() {
            let (i, j) = (start[0] + k / count[1], start[1] + k % count[1]);
            *point = self.form.at([share(i, self.size[0]), share(j, self.size[1])]);
        }
        Ok(())
    }

    fn describe(&self) -> String {
        match self.form {
            Form::Ellipsoid { .. } => "of an ellipsoid".into(),
            Form::Dish { .. } => "of a dish".into(),
        }
    }
}

/// First bytes of a table in a file.
const MAGIC: &[u8; 8] = b"WOLFFTAB";
const HEADER: u64 = 16;
const POINT: u64 = 24;

/// A table in a file, read by direct access: `WOLFFTAB`, points along u and v as 32-bit integers, then x, y, z of every
/// point as 64-bit floats \[m\], v running fastest; little endian.
#[derive(Debug)]
pub struct FileSource {
    file: Mutex<File>,
    name: String,
    size: [usize; 2],
}

impl FileSource {
    /// Opens a table and compares its header with its length.
    pub fn open(path: &Path) -> Result<Self, ContactError> {
        let name = format!("`{}`", path.display());
        let wrong = |rule: String| ContactError::Table { table: name.clone(), rule };
        let mut file = input::open(path).map_err(|e| wrong(e.to_string()))?;
        let mut header = [0; HEADER as usize];
        file.read_exact(&mut header).map_err(|e| wrong(format!("no header: {e}")))?;
        let number = |k: usize| u32::from_le_bytes([header[k], header[k + 1], header[k + 2], header[k + 3]]);
        if &header[..8] != MAGIC {
            return Err(wrong("it does not begin with WOLFFTAB; write it with `write_table`".into()));
        }
        let size = [number(8), number(12)];
        // the largest table that 32-bit integers can name is beyond 64 bits
        let points = u64::from(size[0]) * u64::from(size[1]);
        let expected = points.checked_mul(POINT).and_then(|n| n.checked_add(HEADER)).unwrap_or(u64::MAX);
        let length = file.metadata().map_err(|e| wrong(e.to_string()))?.len();
        if length != expected {
            let rule =
                format!("{} x {} points take {expected} bytes, it has {length}; write it again", size[0], size[1]);
            return Err(wrong(rule));
        }
        Ok(FileSource { file: Mutex::new(file), name, size: size.map(|n| n as usize) })
    }
}

impl TableSource for FileSource {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn read(&self, start: [usize; 2], count: [usize; 2], out: &mut [Vec3]) -> Result<(), ContactError> {
        let wrong = |e: std::io::Error| ContactError::Table { table: self.name.clone(), rule: e.to_string() };
        let mut file = lock(&self.file);
        let mut bytes = vec![0; count[1] * POINT as usize];
        for (row, points) in out.chunks_mut(count[1]).enumerate() {
            let first = (start[0] + row) * self.size[1] + start[1];
            file.seek(SeekFrom::Start(HEADER + first as u64 * POINT)).map_err(wrong)?;
            file.read_exact(&mut bytes).map_err(wrong)?;
            let mut numbers = bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap_or([0xff; 8])));
            for point in points {
                *point = Vec3::from_fn(|_, _| numbers.next().unwrap_or(f64::NAN));
                if !point.iter().all(|x| x.is_finite()) {
                    let rule = "a coordinate is not a finite number; write it again".into();
                    return Err(ContactError::Table { table: self.name.clone(), rule });
                }
            }
        }
        Ok(())
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

/// Writes a table for [`FileSource`], a row at a time.
pub fn write_table(path: &Path, source: &dyn TableSource) -> Result<(), ContactError> {
    let wrong = |e: std::io::Error| ContactError::Table { table: format!("`{}`", path.display()), rule: e.to_string() };
    let [rows, columns] = source.size();
    let mut file = BufWriter::new(File::create(path).map_err(wrong)?);
    file.write_all(MAGIC).map_err(wrong)?;
    for n in [rows, columns] {
        file.write_all(&(n as u32).to_le_bytes()).map_err(wrong)?;
    }
    let mut row = vec![Vec3::zeros(); columns];
    for i in 0..rows {
        source.read([i, 0], [1, columns], &mut row)?;
        for x in row.iter().flat_map(|p| p.iter()) {
            file.write_all(&x.to_le_bytes()).map_err(wrong)?;
        }
    }
    file.flush().map_err(wrong)
}
