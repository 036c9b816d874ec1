//! Inputs that are refused with a reason, and bones with an inner surface or label.

use std::path::{Path, PathBuf};
use wolff_density::Calibration;
use wolff_fem::ElementKind;
use wolff_geometry::{Normals, TriangleMesh, TriangleSurface};
use wolff_imaging::surface::label_surface;
use wolff_imaging::{Frame, LabelVolume};
use wolff_mesher::Settings;
use wolff_scan::bone::calibrate::{Mineral, Phantom, Rods};
use wolff_scan::bone::outcome::outcome;
use wolff_scan::bone::tissue::Directions;
use wolff_scan::bone::{BoneRequest, MadeBone, make};
use wolff_spatial::{Mat3, Vec3};

/// A folder of one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scan-{test}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A NRRD file of 1 mm voxels.
fn nrrd(size: [usize; 3], value: impl Fn([f64; 3]) -> i16) -> Vec<u8> {
    let [nx, ny, nz] = size;
    let mut file = format!(
        "NRRD0004\ntype: short\ndimension: 3\nsizes: {nx} {ny} {nz}\nspace: left-posterior-superior\nspace directions: \
         (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\nendian: little\nencoding: raw\n\n"
    )
    .into_bytes();
    for n in 0..nx * ny * nz {
        let at = [n % nx, n / nx % ny, n / (nx * ny)].map(|i| i as f64);
        file.extend(value(at).to_le_bytes());
    }
    file
}

const SIZE: [usize; 3] = [40, 40, 60];

/// A tube of bone with rounded ends in soft tissue in air, in Hounsfield units, with some noise; `shift` moves it along
/// its axis.
fn tube(at: [f64; 3], shift: f64) -> f64 {
    let [x, y, z] = [at[0] - 20.0, at[1] - 20.0, at[2] - 30.0 - shift];
    let beyond = (z.abs() - 14.0).max(0.0);
    let depth = 10.0 - (x * x + y * y + beyond * beyond).sqrt();
    let part = |d: f64| 1.0 / (1.0 + (-3.0 * d).exp());
    let noise = ((at[0] * 12.9898 + at[1] * 78.233 + at[2] * 37.719).sin() * 43_758.545).fract() * 20.0;
    noise - 1000.0 + 1050.0 * part(depth + 8.0) + 1450.0 * part(depth) - 1500.0 * part(depth - 4.0)
}

fn request(input: PathBuf) -> BoneRequest {
    BoneRequest {
        calibration: Some(Calibration::parse("0.05,0.00125").unwrap()),
        mesh: Settings { size: 6e-3, order: ElementKind::Tet4, halvings: 1, ..Settings::default() },
        modes: 4,
        ..BoneRequest::new(input)
    }
}

fn refused(request: &BoneRequest) -> String {
    match make(request, &mut |_, _| true) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it was not refused"),
    }
}

#[test]
fn grey_values_that_are_no_hounsfield_units_are_refused() {
    let folder = Folder::new("grey");
    // a converter that forgot the intercept of -1024
    let unsigned = folder.file("unsigned.nrrd", &nrrd(SIZE, |x| (tube(x, 0.0) + 1024.0) as i16));
    // an MRI: air and cortical bone are dark, marrow and muscle bright
    let mri = folder.file("mri.nrrd", &nrrd(SIZE, |x| (0.4 * (1000.0 - tube(x, 0.0)).abs()) as i16));
    let message = refused(&request(unsigned));
    assert!(message.contains("Hounsfield") && message.contains("rescale"), "{message}");
    let message = refused(&request(mri));
    assert!(message.contains("is this a CT") || message.contains("Hounsfield"), "{message}");
}

#[test]
fn a_bone_that_the_image_cuts_is_refused() {
    let folder = Folder::new("cut");
    let path = folder.file("ct.nrrd", &nrrd(SIZE, |x| tube(x, 20.0) as i16));
    let message = refused(&request(path));
    assert!(message.contains("cut off") && message.contains("towards the head"), "{message}");
    let labels = folder.file("labels.nrrd", &nrrd(SIZE, |x| i16::from(tube(x, -20.0) > 300.0)));
    let message = refused(&BoneRequest { label: Some(1), ..request(labels) });
    assert!(message.contains("cut off") && message.contains("towards the feet"), "{message}");
}

#[test]
fn phantoms_that_are_no_line_are_refused() {
    let folder = Folder::new("phantom");
    let path = folder.file("ct.nrrd", &nrrd(SIZE, |x| tube(x, 0.0) as i16));
    let with = |rods: Rods| {
        let phantom = Some(Phantom { rods, mineral: Mineral::Hydroxyapatite });
        refused(&BoneRequest { calibration: None, phantom, ..request(path.clone()) })
    };
    let parsed = |text: &str| Rods::parse(text).unwrap();
    assert!(Rods::parse("3:0,4").unwrap_err().contains("HU:DENSITY"));
    for (rods, words) in [
        (parsed("3:0"), "2 to 100 rods"),
        (parsed("3:100"), "two inserts"),
        (parsed("3:0,108:0.1,871:0.8"), "g/cm³"),
        (parsed("3:0,108:800,871:100"), "grow"),
        (parsed("3:0,108:400,871:500"), "phantom"),
        (Rods::File(folder.0.join("gone.txt")), "gone.txt"),
        (Rods::File(folder.file("bad.txt", b"HU density\n3 0\n108 100 5\n")), "line 3"),
    ] {
        let message = with(rods);
        assert!(message.contains(words), "{words}: {message}");
    }
    let none = refused(&BoneRequest { calibration: None, ..request(path.clone()) });
    assert!(none.contains("--calibration") && none.contains("--phantom"), "{none}");
    // a phantom in a file gives the line of its rods, and the remarks say so
    let rods = Rods::File(folder.file("rods.txt", b"# HU, mg/cm3\nHU;density\n3;0\n108;100\n871;800\n"));
    let phantom = Some(Phantom { rods, mineral: Mineral::Phosphate });
    // a tube is no bone
    let request = BoneRequest { calibration: None, phantom, force: true, ..request(path) };
    match make(&request, &mut |_, _| true) {
        Ok(made) => {
            let remarks = made.tissue.remarks.join("; ");
            assert!(remarks.contains("3 rods") && remarks.contains("les-1994-ash"), "{remarks}");
        }
        Err(error) => panic!("{error}"),
    }
}

/// Distances of the patella below its surface on a grid of voxels, and where the grid lies.
fn patella() -> Option<(TriangleMesh, [usize; 3], Vec3, Vec<f64>)> {
    let path = wolff_testdata::shared("data/bones/bodyparts3d/patella_r_FMA24486.stl")?;
    let mesh = wolff_meshes::surface::read("a.stl", &std::fs::read(path).unwrap()).unwrap().mesh.scaled(1e-3).unwrap();
    let (low, high) =
        mesh.vertices().iter().fold((mesh.vertices()[0], mesh.vertices()[0]), |(l, h), x| (l.inf(x), h.sup(x)));
    let origin = low - Vec3::repeat(4e-3);
    let size = [0, 1, 2].map(|i| ((high[i] - low[i]) / 1e-3) as usize + 9);
    let surface = TriangleSurface::new(mesh.clone(), Normals::Facets).unwrap();
    let at = |n: usize| Vec3::new((n % size[0]) as f64, (n / size[0] % size[1]) as f64, (n / size[0] / size[1]) as f64);
    let depth = |n: usize| -surface.signed_distance(&(origin + 1e-3 * at(n))).unwrap();
    let depths = (0..size.iter().product()).map(depth).collect();
    Some((mesh, size, origin, depths))
}

fn check_regions(made: &MadeBone, request: &BoneRequest, volumes: [f64; 2]) {
    let results = outcome(made, request).results;
    let value = |name: &str| results[name].as_f64().unwrap();
    let [cortex, inside] = volumes;
    assert!((value("cortical_volume_mm3") / cortex - 1.0).abs() < 0.02, "{} {cortex}", value("cortical_volume_mm3"));
    assert!((value("outer_volume_mm3") / (cortex + inside) - 1.0).abs() < 0.02, "{}", value("outer_volume_mm3"));
    let mass = 1.9e-3 * cortex + 0.4e-3 * inside;
    assert!((value("mass_g") / mass - 1.0).abs() < 0.02, "{} {mass}", value("mass_g"));
    assert_eq!(results["bone"], "patella");
    assert!(made.bodies.frequencies[0] > 1000.0, "{:?}", made.bodies.frequencies);
}

/// The wall is what lies outside of the inner label or surface, and elements do not cross it.
#[test]
fn an_inner_label_and_an_inner_surface_part_cortex_from_inside() {
    let Some((outer, size, origin, depths)) = patella() else { return };
    const WALL: f64 = 3e-3;
    let label = |depth: &f64| u16::from(*depth > 0.0) + u16::from(*depth > WALL);
    let labels: Vec<u16> = depths.iter().map(label).collect();
    let volumes = [1, 2].map(|l| labels.iter().filter(|&&other| other == l).count() as f64);
    let frame = Frame::new(origin, Mat3::identity() * 1e-3).unwrap();
    let image = LabelVolume::new(size, frame, labels.clone()).unwrap();
    let folder = Folder::new("inner");
    let text = nrrd(size, |[x, y, z]| labels[x as usize + size[0] * (y as usize + size[1] * z as usize)] as i16);
    let input = folder.file("labels.nrrd", &text);
    let mut of_labels =
        BoneRequest { label: Some(1), inner_labels: vec![2], calibration: None, ..request(input.clone()) };
    of_labels.mesh.size = 3e-3;
    let made = make(&of_labels, &mut |_, _| true).unwrap();
    check_regions(&made, &of_labels, volumes);
    assert!(!made.judgement.warnings().iter().any(|w| w.contains("assumed to be")), "{:?}", made.judgement.warnings());

    let inner = label_surface(&image.region(2).unwrap()).unwrap();
    let write = |name: &str, mesh: &TriangleMesh| {
        let in_mm = mesh.clone().scaled(1e3).unwrap();
        folder.file(name, &wolff_meshes::surface::write(name, &in_mm).unwrap())
    };
    let [outer, inner] = [write("outer.stl", &outer), write("inner.stl", &inner)];
    let directions = Some(Directions::Isotropic);
    let mesh = of_labels.mesh;
    let of_surfaces = BoneRequest { inner: Some(inner.clone()), directions, mesh, ..request(outer.clone()) };
    check_regions(&make(&of_surfaces, &mut |_, _| true).unwrap(), &of_surfaces, volumes);

    let turned_round = refused(&BoneRequest { inner: Some(outer.clone()), ..request(inner.clone()) });
    assert!(turned_round.contains("outside of the outer"), "{turned_round}");
    for (wrong, words) in [
        (BoneRequest { inner_labels: vec![2], ..request(outer) }, "--inner FILE"),
        (BoneRequest { inner: Some(inner), ..request(input.clone()) }, "--inner-label"),
        (BoneRequest { inner_labels: vec![2], ..request(input.clone()) }, "--label"),
        (BoneRequest { label: Some(1), inner_labels: vec![7], ..request(input) }, "there are 1, 2"),
    ] {
        assert!(refused(&wrong).contains(words), "{words}: {}", refused(&wrong));
    }
}
