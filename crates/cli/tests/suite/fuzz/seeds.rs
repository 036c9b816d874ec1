//! Files from which mutated copies are made: small ones of our own, and real ones where they are at hand.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use wolff_flexbody::beam::{Beam, Direction, Shape, ShapeFunction};
use wolff_formats::c3d::C3d;
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};
use wolff_geometry::TriangleMesh;
use wolff_meshes::surface;
use wolff_testdata::shared_files;

/// Largest real files, so that many copies are read in little time.
const LARGEST: u64 = 64_000;
/// Real files of each kind.
const MOST: usize = 12;

/// Our own files and real ones.
fn with_shared(own: Vec<Vec<u8>>, folders: &[&str], ending: &str) -> Vec<Vec<u8>> {
    let mut all = own;
    for folder in folders {
        all.extend(
            shared_files(&format!("data/{folder}"), ending, LARGEST).iter().take(MOST).map(|f| fs::read(f).unwrap()),
        );
    }
    all.retain(|bytes| !bytes.is_empty());
    all
}

fn trial() -> MarkerTrial {
    let marker = |i: usize| Marker {
        name: format!("R.Toe {i}"),
        points: (0..6).map(|f| (f != i).then_some([f as f64 * 0.01, 0.1 * i as f64, 0.3])).collect(),
    };
    MarkerTrial::new("a", 50.0, (0..6).map(|f| 0.02 * f as f64).collect(), (0..4).map(marker).collect()).unwrap()
}

pub fn trc() -> Vec<Vec<u8>> {
    let own = wolff_formats::trc::write(&trial(), LengthUnit::Millimetre).unwrap().into_bytes();
    with_shared(vec![own], &["opensim-core", "c3d"], "trc")
}

pub fn c3d() -> Vec<Vec<u8>> {
    let own = wolff_formats::c3d::write(&C3d::from_markers(&trial(), LengthUnit::Millimetre)).unwrap();
    with_shared(vec![own], &["c3d"], "c3d")
}

pub fn sto() -> Vec<Vec<u8>> {
    let own =
        b"grf\nversion=1\nnRows=2\nnColumns=10\ninDegrees=no\nendheader\ntime\tground_force_vx\tground_force_vy\t\
        ground_force_vz\tground_force_px\tground_force_py\tground_force_pz\tground_torque_x\tground_torque_y\t\
        ground_torque_z\n0\t1\t2\t3\t0\t0\t0\t0\t1\t0\n0.01\t1\t600\t4\t0.1\t0\t0\t0\t1\t0\n";
    let mut all = with_shared(vec![own.to_vec()], &["opensim-core"], "sto");
    all.extend(with_shared(Vec::new(), &["opensim-core"], "mot"));
    all
}

pub fn csv() -> Vec<Vec<u8>> {
    with_shared(vec![b"time;a;\"b c\"\n0;1,5;2\n1;;3\n".to_vec()], &["gait2d-invdyn", "addbiomechanics-walk"], "csv")
}

/// A model of the current version of OpenSim and one of an older version.
fn small_models() -> Vec<Vec<u8>> {
    let texts = [
        include_str!("../../../../formats/tests/suite/osim_version3.xml"),
        include_str!("../../../../formats/tests/suite/osim_version4.xml"),
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

pub fn osim() -> Vec<Vec<u8>> {
    with_shared(small_models(), &["opensim-core"], "osim")
}

/// Models of OpenSim JAM with contact of articular surfaces: of a real one, the contact meshes and forces.
pub fn jam() -> Vec<Vec<u8>> {
    let own = "<OpenSimDocument Version=\"40000\"><Model name=\"knee\">\n<ContactGeometrySet><objects>\n\
        <Smith2018ContactMesh name=\"a\"><mesh_file>a.stl</mesh_file><scale_factors>1 1 1</scale_factors>\n\
        <elastic_modulus>5e6</elastic_modulus><poissons_ratio>0.45</poissons_ratio><thickness>0.003</thickness>\n\
        <socket_mesh_frame>/ground</socket_mesh_frame></Smith2018ContactMesh>\n\
        <Smith2018ContactMesh name=\"b\"><mesh_file>b.stl</mesh_file><thickness>0.003</thickness>\n\
        </Smith2018ContactMesh></objects></ContactGeometrySet><ForceSet><objects>\n\
        <Smith2018ArticularContactForce name=\"f\"><min_proximity>0</min_proximity><max_proximity>0.01</max_proximity>\n\
        <socket_target_mesh>/contactgeometryset/a</socket_target_mesh>\n\
        <socket_casting_mesh>/contactgeometryset/b</socket_casting_mesh></Smith2018ArticularContactForce>\n\
        </objects></ForceSet></Model></OpenSimDocument>\n";
    let real = wolff_testdata::shared("data/knee-lenhart/model/lenhart2015.osim").map(|path| fs::read(path).unwrap());
    std::iter::once(own.as_bytes().to_vec()).chain(real.and_then(|bytes| contact_part(&bytes))).collect()
}

/// Of a large model, the sets of contact geometry and forces only, so that many copies are read in little time.
fn contact_part(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes);
    let part = |tag: &str, most: usize| {
        let start = text.find(&format!("<{tag}"))?;
        let end = start + text.get(start..)?.find(&format!("</{tag}>"))? + tag.len() + 3;
        text.get(start..end).filter(|part| part.len() <= most)
    };
    let meshes = part("ContactGeometrySet", LARGEST as usize)?;
    let force = part("Smith2018ArticularContactForce", LARGEST as usize)?;
    let whole = format!(
        "<OpenSimDocument Version=\"40000\"><Model name=\"knee\">\n{meshes}\n<ForceSet><objects>{force}</objects></ForceSet>\
         </Model></OpenSimDocument>\n"
    );
    Some(whole.into_bytes())
}

/// Lines `key=value`.
pub fn overrides() -> Vec<Vec<u8>> {
    vec![b"length=2 m\nintegrator.rtol=1e-6\n".to_vec(), b"gravity=9.81 m/s^2\nlength=1 m + 20 cm\n".to_vec()]
}

pub fn marker_map() -> Vec<Vec<u8>> {
    [
        "# recorded name, name of the model\nRASI, R.ASIS\nLASI, L.ASIS\n",
        "recorded;model\n\"R ASI\";R.ASIS\nknee\tR.Knee\n",
        "[markers]\n\"RASI\" = \"R.ASIS\"\n",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

pub fn loads() -> Vec<Vec<u8>> {
    let own = b"<OpenSimDocument Version=\"40000\"><ExternalLoads name=\"a\"><objects><ExternalForce name=\"r\">\n\
        <isDisabled>false</isDisabled><applied_to_body>calcn_r</applied_to_body>\n\
        <force_expressed_in_body>ground</force_expressed_in_body><point_expressed_in_body>ground\
        </point_expressed_in_body>\n<force_identifier>ground_force_v</force_identifier><point_identifier>\
        ground_force_p</point_identifier>\n<torque_identifier>ground_torque_</torque_identifier></ExternalForce></objects>\n\
        <datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>\n";
    let mut all = with_shared(vec![own.to_vec()], &["opensim-core", "rajagopal-walk", "addbiomechanics-walk"], "xml");
    all.retain(|bytes| String::from_utf8_lossy(bytes).contains("<ExternalLoads"));
    all
}

/// The walk that is built in.
pub fn walk() -> Vec<Vec<u8>> {
    vec![include_bytes!("../../../../reference/data/walk.json").to_vec()]
}

pub fn setup() -> Vec<Vec<u8>> {
    let own = b"<?xml version=\"1.0\"?>\n<OpenSimDocument Version=\"30000\"><InverseKinematicsTool name=\"a\">\n\
        <model_file>m.osim</model_file><marker_file>t.trc</marker_file><time_range>0 1</time_range>\n\
        <IKTaskSet><objects><IKMarkerTask name=\"R.Toe\"><apply>true</apply><weight>2</weight></IKMarkerTask></objects>\n\
        </IKTaskSet></InverseKinematicsTool></OpenSimDocument>\n";
    with_shared(vec![own.to_vec()], &["opensim-core", "gait1992-pipeline", "rajagopal-walk"], "xml")
}

pub fn study() -> Vec<Vec<u8>> {
    // files of other studies take longer to build than to read
    let quick = ["pendulum", "bouncing-ball", "double-pendulum", "four-bar", "heavy-top", "spheres", "knee-2d"];
    quick.iter().filter_map(|name| wolff_study::builtin(name)).map(|text| text.as_bytes().to_vec()).collect()
}

pub fn pairs() -> Vec<Vec<u8>> {
    let text = "[[foundation]]\nname = \"ball\"\nfixed = \"plate\"\nmoving = \"ball\"\n\
        surface = { kind = \"sphere\", radius = \"30 mm\" }\ncompartments = [\n  { name = \"plate\", surface = { kind = \
        \"plane\" }, grid = [10, 10], x = [\"-6 mm\", \"6 mm\"], z = [\"-6 mm\", \"6 mm\"],\n    thickness = \"8 mm\" },\n]\n\
        young = \"463 MPa\"\npoisson = 0.46\ndistance = \"ray\"\nalong = \"fixed-normal\"\n";
    vec![text.as_bytes().to_vec()]
}

/// Nodes and two tetrahedra.
const NODES: [&str; 5] = ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "1 1 1"];

fn numbered(separator: &str) -> String {
    let line = |(i, x): (usize, &&str)| format!("{}{separator}{}\n", i + 1, x.replace(' ', separator));
    NODES.iter().enumerate().map(line).collect()
}

/// The same mesh as this program writes it.
fn written(name: &str) -> Vec<u8> {
    let mesh = wolff_meshes::solid::read_mesh_bytes(&small_msh(), wolff_meshes::solid::MeshFormat::Gmsh).unwrap();
    let path = super::folder().join(name);
    wolff_meshes::solid::write_mesh(&path, &mesh).unwrap();
    let bytes = fs::read(&path).unwrap();
    let _ = fs::remove_file(path);
    bytes
}

fn small_msh() -> Vec<u8> {
    let nodes = numbered(" ");
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"end\"\n$EndPhysicalNames\n$Nodes\n5\n{nodes}$EndNodes\n\
         $Elements\n3\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 4 5\n3 2 2 1 1 1 2 3\n$EndElements\n"
    )
    .into_bytes()
}

pub fn msh() -> Vec<Vec<u8>> {
    vec![small_msh(), written("seed.msh")]
}

pub fn inp() -> Vec<Vec<u8>> {
    let own = format!(
        "*NODE\n{}*ELEMENT, TYPE=C3D4, ELSET=all\n1, 1, 2, 3, 4\n2, 2, 3, 4, 5\n*NSET, NSET=end\n1, 2\n",
        numbered(", ")
    );
    with_shared(vec![own.into_bytes(), written("seed.inp")], &["bones/bonemat-tiny"], "inp")
}

pub fn vtu() -> Vec<Vec<u8>> {
    let text = format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"5\" NumberOfCells=\"2\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" \
         format=\"ascii\">{}</DataArray></Points>\n<Cells><DataArray type=\"Int64\" Name=\"connectivity\" \
         format=\"ascii\">0 1 2 3 1 2 3 4</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4 8\
         </DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 10</DataArray></Cells>\n\
         </Piece></UnstructuredGrid></VTKFile>\n",
        NODES.join("\n")
    );
    let mut all = vec![text.into_bytes(), written("seed.vtu")];
    all.extend(VTU.iter().map(|bytes| bytes.to_vec()));
    all
}

/// The same mesh in the other encodings of VTK.
const VTU: [&[u8]; 5] = [
    include_bytes!("vtu/binary.vtu"),
    include_bytes!("vtu/compressed.vtu"),
    include_bytes!("vtu/appended_raw.vtu"),
    include_bytes!("vtu/appended_base64.vtu"),
    include_bytes!("vtu/appended_compressed.vtu"),
];

pub fn vtk() -> Vec<Vec<u8>> {
    let text = format!(
        "# vtk DataFile Version 3.0\nmesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n{}\nCELLS 2 10\n\
         4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10\n10\n",
        NODES.join("\n")
    );
    with_shared(vec![text.into_bytes()], &["bones/bonemat-tiny"], "vtk")
}

pub fn msh_gz() -> Vec<Vec<u8>> {
    vec![written("seed.msh.gz")]
}

fn ball() -> TriangleMesh {
    TriangleMesh::icosphere(0.02, 1).unwrap()
}

pub fn stl() -> Vec<Vec<u8>> {
    let text = "solid a\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n \
        endfacet\n facet normal 0 0 1\n  outer loop\n   vertex 1 0 0\n   vertex 1 1 0\n   vertex 0 1 0\n  endloop\n \
        endfacet\nendsolid a\n";
    vec![text.as_bytes().to_vec(), surface::write("a.stl", &ball()).unwrap()]
}

pub fn obj() -> Vec<Vec<u8>> {
    with_shared(vec![surface::write("a.obj", &ball()).unwrap()], &["opensim-core/contact"], "obj")
}

pub fn obj_gz() -> Vec<Vec<u8>> {
    vec![surface::write("a.obj.gz", &ball()).unwrap()]
}

pub fn vtp() -> Vec<Vec<u8>> {
    let text = format!(
        "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\"><PolyData>\n<Piece \
         NumberOfPoints=\"5\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"2\"><Points>\
         <DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">{}</DataArray></Points>\n<Polys><DataArray \
         type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 1 2 3</DataArray>\n<DataArray type=\"Int32\" \
         Name=\"offsets\" format=\"ascii\">3 6</DataArray></Polys>\n</Piece></PolyData></VTKFile>\n",
        NODES.join("\n")
    );
    vec![text.into_bytes()]
}

pub fn ply() -> Vec<Vec<u8>> {
    let text = format!(
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement face 2\n\
         property list uchar int vertex_indices\nend_header\n{}\n3 0 1 2\n3 1 2 3\n",
        NODES.join("\n")
    );
    vec![text.into_bytes()]
}

pub fn polydata() -> Vec<Vec<u8>> {
    let text = format!(
        "# vtk DataFile Version 3.0\nsurface\nASCII\nDATASET POLYDATA\nPOINTS 5 float\n{}\nPOLYGONS 2 8\n3 0 1 2\n3 1 2 \
         3\n",
        NODES.join("\n")
    );
    vec![text.into_bytes()]
}

pub fn nurbs() -> Vec<Vec<u8>> {
    let text = "{\"format\": \"wolff-nurbs\", \"version\": 1, \"surfaces\": [{\"name\": \"a\", \"degrees\": [1, 1],\n\
        \"knots_u\": [0, 0, 1, 1], \"knots_v\": [0, 0, 1, 1],\n\"control_points\": [[[0, 0, 0], [0, 0, 0.01]], [[0.01, \
        0, 0], [0.01, 0, 0.01]]],\n\"weights\": [[1, 1], [1, 2]]}]}\n";
    vec![text.as_bytes().to_vec()]
}

/// A surface sampled on a grid of 8 x 8 points.
pub fn table() -> Vec<Vec<u8>> {
    let mut bytes = b"WOLFFTAB".to_vec();
    bytes.extend([8u32, 8].iter().flat_map(|n| n.to_le_bytes()));
    for i in 0..64 {
        let (u, v) = (f64::from(i / 8), f64::from(i % 8));
        let point = [1e-3 * u, 1e-4 * (u * u + v * v), 1e-3 * v];
        bytes.extend(point.iter().flat_map(|x| x.to_le_bytes()));
    }
    vec![bytes]
}

pub fn flexbody() -> Vec<Vec<u8>> {
    let beam = Beam {
        length: 2.0,
        mass_per_length: 0.8,
        axial_stiffness: 4e5,
        bending_stiffness: [2.0, 3.0],
        section_inertia: [0.0, 0.0],
        young: 0.0,
        shapes: vec![Shape { direction: Direction::Y, function: ShapeFunction::Sine(1) }],
        stiffening: true,
        axial_inertia_factor: 1.0,
    };
    let body = beam.body("beam", &[("end", 2.0)], &[]).unwrap();
    vec![wolff_flexbody::FlexBodyFile::of(body).to_bytes().unwrap()]
}

/// The checkpoint of a walk, made once by the program itself.
pub fn checkpoint() -> Vec<Vec<u8>> {
    static MADE: OnceLock<Vec<u8>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let folder = super::folder().join("walk");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let bytes = first_checkpoint(&folder);
        let _ = fs::remove_dir_all(&folder);
        bytes
    });
    vec![made.clone()]
}

/// Runs a walk until its first checkpoint is there.
fn first_checkpoint(folder: &Path) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wolff"));
    command.args(["run", "walk", "--quiet", "--out", "out"]).current_dir(folder);
    let mut walk = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    loop {
        if let Ok(bytes) = fs::read(folder.join("out.resume")) {
            let _ = walk.kill();
            let _ = walk.wait();
            return bytes;
        }
        if let Some(status) = walk.try_wait().unwrap() {
            panic!("the walk ended before its first checkpoint: {status}");
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
