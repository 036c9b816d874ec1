//! Surface files: the formats, damaged files, files of real knees and bones.

mod damage;
mod real_files;

use wolff_geometry::TriangleMesh;
use wolff_meshes::surface::{obj, read, stl, vtp, write};

pub const TEXT_STL: &str = "solid two faces of a cube
  facet normal 0 0 0
    outer loop
      vertex 0 0 0
      vertex 1 0 0
      vertex 1.5e0 2 -0
    endloop
  endfacet
  facet normal 0 0 1
    outer loop
      vertex 0 0 0.0
      vertex 1.5 2 0
      vertex 0 1 0
    endloop
  endfacet
endsolid two
";

/// A square, then an L of six corners given backwards, a texture seam and a line that goes on.
pub const OBJ: &str = "# a comment
mtllib x.mtl
o thing
v 0 0 0
v 1 0 0 # corner
v 1 1 0
v 0 1 0
vn 0 0 1
vt 0.5 0.5
s off
f 1/1/1 2/1/1 3//1 4
v 2 0 0
v 4 0 0
v 4 1 0
v 3 1 0
v 3 2 0
v 2 2 0
f -6 -5 -4 \\
 -3 -2 -1
";

pub const VTP: &str = "<?xml version=\"1.0\"?>
<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">
<PolyData><Piece NumberOfPoints=\"5\" NumberOfPolys=\"2\" NumberOfStrips=\"1\">
<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 0 2 0.5 0</DataArray></Points>
<Verts><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\"></DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\"></DataArray></Verts>
<Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">1 4 2</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3</DataArray></Polys>
<Strips><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 3 2</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray></Strips>
</Piece></PolyData></VTKFile>
";

pub fn ball() -> TriangleMesh {
    TriangleMesh::icosphere(0.03, 1).unwrap()
}

/// A `.vtp` file with arrays as ParaView writes them: `binary` (inline) or appended `base64` or `raw`, plain or packed.
pub fn vtp_file(mesh: &TriangleMesh, place: &str, zlib: bool) -> Vec<u8> {
    let points: Vec<u8> = mesh.vertices().iter().flat_map(|x| [x.x, x.y, x.z]).flat_map(f64::to_le_bytes).collect();
    let corners: Vec<u8> = mesh.triangles().iter().flatten().flat_map(|&v| i64::from(v).to_le_bytes()).collect();
    let ends: Vec<u8> = (1..=mesh.triangles().len() as i64).flat_map(|t| (3 * t).to_le_bytes()).collect();
    let mut appended = Vec::new();
    let mut array = |of: &str, name: &str, data: &[u8]| {
        let (head, body) = packed(data, zlib);
        let encoded = match (place, zlib) {
            ("raw", _) => [head, body].concat(),
            (_, true) => (base64(&head) + &base64(&body)).into_bytes(),
            (_, false) => base64(&[head, body].concat()).into_bytes(),
        };
        let attributes = format!(
            "<DataArray type=\"{of}\" Name=\"{name}\" NumberOfComponents=\"{}\"",
            if name == "Points" { 3 } else { 1 }
        );
        if place == "binary" {
            return format!("{attributes} format=\"binary\">{}</DataArray>", String::from_utf8(encoded).unwrap());
        }
        let offset = appended.len();
        appended.extend(encoded);
        format!("{attributes} format=\"appended\" offset=\"{offset}\"/>")
    };
    let (points, corners, ends) = (
        array("Float64", "Points", &points),
        array("Int64", "connectivity", &corners),
        array("Int64", "offsets", &ends),
    );
    let packer = if zlib { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
    let mut file = format!(
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"{packer}><PolyData><Piece>\
         <Points>{points}</Points><Polys>{corners}{ends}</Polys></Piece></PolyData>"
    )
    .into_bytes();
    if place != "binary" {
        file.extend(format!("<AppendedData encoding=\"{place}\">\n_").into_bytes());
        file.extend(appended);
        file.extend(b"\n</AppendedData>");
    }
    file.extend(b"</VTKFile>\n");
    file
}

/// Header and data; packed data in one block.
fn packed(data: &[u8], zlib: bool) -> (Vec<u8>, Vec<u8>) {
    if !zlib {
        return ((data.len() as u64).to_le_bytes().to_vec(), data.to_vec());
    }
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, data).unwrap();
    let body = encoder.finish().unwrap();
    let head = [1, data.len() as u64, 0, body.len() as u64].iter().flat_map(|n| n.to_le_bytes()).collect();
    (head, body)
}

/// By the book (RFC 4648), apart from the library the reader uses.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |sum, b| sum << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if i > chunk.len() { '=' } else { letter.into() });
        }
    }
    out
}

#[test]
fn text_stl_is_read_and_welded() {
    let read = stl::read(TEXT_STL.as_bytes()).unwrap();
    assert_eq!((read.mesh.vertices().len(), read.mesh.triangles().len(), read.vertices_removed), (4, 2, 2));
    assert_eq!(read.mesh.report().unwrap().parts, 1, "0 and -0 are one place");
}

#[test]
fn binary_stl_round_trips_whatever_its_header_says() {
    let mesh = ball();
    let mut bytes = stl::write(&mesh).unwrap();
    assert_eq!(bytes.len(), 84 + 50 * mesh.triangles().len());
    let check = |bytes: &[u8]| {
        let read = stl::read(bytes).unwrap().mesh;
        assert_eq!((read.vertices().len(), read.triangles().len()), (mesh.vertices().len(), mesh.triangles().len()));
        for t in 0..mesh.triangles().len() {
            for (a, b) in read.corners(t).iter().zip(mesh.corners(t)) {
                // half a unit in the last of 24 bits
                assert!((a - b).abs().max() <= 0.03 * f64::from(f32::EPSILON));
            }
        }
    };
    check(&bytes);
    bytes[..6].copy_from_slice(b"solid ");
    check(&bytes);
    bytes.extend(b"padding");
    bytes[..6].copy_from_slice(b"MESHMI");
    check(&bytes);
}

#[test]
fn obj_polygons_negative_numbers_and_slashes() {
    let read = obj::read(OBJ.as_bytes()).unwrap();
    let report = read.mesh.report().unwrap();
    // a square and an L of three squares, the L concave: cut along its inside only
    assert_eq!((report.triangles, report.parts, report.rims.len()), (6, 2, 2));
    assert!((report.area - 4.0).abs() < 1e-15, "{}", report.area);
    assert!(read.mesh.parts().unwrap().iter().all(|part| part.report().unwrap().rims.len() == 1));
}

#[test]
fn obj_round_trips_to_the_last_bit() {
    let mesh = ball();
    let read = obj::read(obj::write(&mesh).as_bytes()).unwrap();
    assert_eq!((read.vertices_removed, read.triangles_removed), (0, 0));
    let corners = |mesh: &TriangleMesh| (0..mesh.triangles().len()).map(|t| mesh.corners(t)).collect::<Vec<_>>();
    assert_eq!(corners(&read.mesh), corners(&mesh));
}

#[test]
fn vtp_polygons_and_strips_in_every_encoding() {
    let report = vtp::read(VTP.as_bytes()).unwrap().mesh.report().unwrap();
    // the strip is a square, turned as its first triangle
    assert_eq!((report.triangles, report.parts), (3, 1));
    assert!((report.area - 1.5).abs() < 1e-15);
    let mesh = ball();
    let corners = |mesh: &TriangleMesh| (0..mesh.triangles().len()).map(|t| mesh.corners(t)).collect::<Vec<_>>();
    for place in ["binary", "base64", "raw"] {
        for zlib in [false, true] {
            let read = vtp::read(&vtp_file(&mesh, place, zlib)).unwrap();
            assert_eq!(corners(&read.mesh), corners(&mesh), "{place} {zlib}");
        }
    }
}

#[test]
fn the_name_chooses_the_format() {
    let mesh = ball();
    for name in ["a.STL", "b.stl.gz", "c.obj", "bones/d.Obj.GZ"] {
        let bytes = write(name, &mesh).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), name.to_lowercase().ends_with("gz"));
        assert_eq!(read(name, &bytes).unwrap().mesh.triangles().len(), 80);
    }
    for name in ["a.ply", "a.vtp", "a.vtk"] {
        let message = write(name, &mesh).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(".stl and .obj can be written"), "{message}");
    }
    for name in ["a.off", "stl", "b.gz"] {
        let message = read(name, b"").unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(".stl"), "{message}");
        assert!(write(name, &mesh).is_err());
    }
    let mut cut = write("b.stl.gz", &mesh).unwrap();
    cut.truncate(200);
    assert!(read("b.stl.gz", &cut).unwrap_err().to_string().contains("gzip"));
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    let refuse = |name: &str, from: &str, change: [&str; 2], words: &[&str]| {
        let message = read(name, from.replacen(change[0], change[1], 1).as_bytes()).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    refuse("a.stl", TEXT_STL, ["1 0 0", "1 0 zero"], &["line 5", "`zero`"]);
    refuse("a.stl", TEXT_STL, ["1 0 0", "1 0"], &["line 5", "three coordinates"]);
    refuse("a.stl", TEXT_STL, ["      vertex 1 0 0\n", ""], &["line 6", "loop of 2"]);
    refuse("a.stl", TEXT_STL, ["endsolid two", ""], &["cut off"]);
    refuse("a.stl", TEXT_STL, ["1 0 0", "1 0 inf"], &["line 5", "not finite"]);
    refuse("a.stl", TEXT_STL, ["outer", "under"], &["line 3", "`under`"]);
    refuse("a.obj", OBJ, ["f 1/1/1", "f 7/1/1"], &["line 11", "vertex 7", "4 come before"]);
    refuse("a.obj", OBJ, ["f 1/1/1", "f 0/1/1"], &["line 11", "vertex 0"]);
    refuse("a.obj", OBJ, ["3//1 4", ""], &["line 11", "face of 2"]);
    refuse("a.obj", OBJ, ["v 1 0 0", "v 1 O 0"], &["line 5", "`O`"]);
    refuse("a.obj", "v 0 0 0\n", ["", ""], &["no faces"]);
    refuse("a.vtp", VTP, ["PolyData\" v", "ImageData\" v"], &["line 2", "ImageData"]);
    refuse("a.vtp", VTP, ["1 4 2", "1 5 2"], &["line 3", "cell 0", "5 there are"]);
    refuse("a.vtp", VTP, [">3<", ">4<"], &["line 3", "cell 0"]);
    refuse("a.vtp", VTP, ["2 0.5 0", "2 0.5"], &["14 coordinates"]);
    let mut cut = stl::write(&ball()).unwrap();
    cut.truncate(1000);
    let message = stl::read(&cut).unwrap_err().to_string();
    assert!(
        message.contains("byte 80") && message.contains("80 triangles") && message.contains("room for 18"),
        "{message}"
    );
    assert!(stl::read(b"x").is_err() && stl::read(b"").is_err());
}
