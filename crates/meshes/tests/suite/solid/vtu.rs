use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use wolff_fem::{ElementKind, TetMesh, element::tet10::EDGES};
use wolff_meshes::solid::vtk::write::{DataArray, Fields, write_pvd_to, write_triangles_to, write_vtu};
use wolff_meshes::solid::vtk::xml::read_vtu;

use super::{Bytes, Scratch, assert_straight_ten_nodes, sample, ten_nodes};

/// How a fixture is written.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub big: bool,
    pub wide_header: bool,
    pub zlib: bool,
    /// `binary` (inline), `raw` or `base64` (appended).
    pub place: &'static str,
}

/// All of them.
pub fn styles() -> Vec<Style> {
    let mut styles = Vec::new();
    for place in ["binary", "raw", "base64"] {
        for bits in 0..8 {
            styles.push(Style { big: bits & 1 > 0, wide_header: bits & 2 > 0, zlib: bits & 4 > 0, place });
        }
    }
    styles
}

/// Base64 after RFC 4648, apart from the library's.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, i| bits << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i)) as usize & 63] as char;
            text.push(if i <= three.len() { letter } else { '=' });
        }
    }
    text
}

impl Style {
    fn lengths(&self, values: &[usize]) -> Vec<u8> {
        let mut bytes = Bytes::new(self.big);
        for &value in values {
            if self.wide_header {
                bytes.longs(&[value as i64])
            } else {
                bytes.ints(&[value as i32])
            };
        }
        bytes.out
    }

    /// Header and data as VTK writes them: packed data have their header in base64 of its own.
    fn encoded(&self, data: &[u8]) -> Vec<u8> {
        const BLOCK: usize = 24;
        let (header, body) = if self.zlib {
            let packed: Vec<Vec<u8>> = data
                .chunks(BLOCK)
                .map(|block| {
                    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
                    packer.write_all(block).unwrap();
                    packer.finish().unwrap()
                })
                .collect();
            let mut header = vec![packed.len(), BLOCK, data.len() % BLOCK];
            header.extend(packed.iter().map(Vec::len));
            (self.lengths(&header), packed.concat())
        } else {
            (self.lengths(&[data.len()]), data.to_vec())
        };
        match (self.place, self.zlib) {
            ("raw", _) => [header, body].concat(),
            (_, true) => (base64(&header) + &base64(&body)).into_bytes(),
            (_, false) => base64(&[header, body].concat()).into_bytes(),
        }
    }

    /// A ten-node tetrahedron after a triangle; point 2 is in a set.
    pub fn file(&self) -> Vec<u8> {
        let order = if self.big { "BigEndian" } else { "LittleEndian" };
        let header = if self.wide_header { "UInt64" } else { "UInt32" };
        let compressor = if self.zlib { " compressor=\"vtkZLibDataCompressor\"" } else { "" };
        let bytes = || Bytes::new(self.big);
        let mut small = vec![0; 10];
        small[2] = 1;
        let arrays = [
            ("Points", "Float64", "Points", bytes().doubles(ten_nodes(EDGES).as_flattened()).out.clone()),
            ("Cells", "Int64", "connectivity", bytes().longs(&[0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).out.clone()),
            ("Cells", "Int32", "offsets", bytes().ints(&[3, 13]).out.clone()),
            ("Cells", "UInt8", "types", vec![5, 24]),
            ("PointData", "Int8", "nset:two", small),
            ("CellData", "UInt8", "elset:solid", vec![0, 1]),
        ];
        let mut text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{order}\" \
             header_type=\"{header}\"{compressor}>\n<UnstructuredGrid><FieldData></FieldData>\n\
             <Piece NumberOfPoints=\"10\" NumberOfCells=\"2\">\n"
        );
        let mut appended: Vec<u8> = Vec::new();
        for parent in ["PointData", "CellData", "Points", "Cells"] {
            text += &format!("<{parent}>\n");
            for (_, of, name, data) in arrays.iter().filter(|array| array.0 == parent) {
                let encoded = self.encoded(data);
                if self.place == "binary" {
                    let inline = String::from_utf8(encoded).unwrap();
                    text += &format!(
                        "<DataArray type=\"{of}\" Name=\"{name}\" format=\"binary\">\n  {inline}\n</DataArray>\n"
                    );
                } else {
                    let offset = appended.len();
                    text += &format!(
                        "<DataArray type=\"{of}\" Name=\"{name}\" format=\"appended\" offset=\"{offset}\"/>\n"
                    );
                    appended.extend(encoded);
                }
            }
            text += &format!("</{parent}>\n");
        }
        text += "</Piece>\n</UnstructuredGrid>\n";
        let mut file = text.into_bytes();
        if self.place != "binary" {
            file.extend(format!("<AppendedData encoding=\"{}\">\n  _", self.place).bytes());
            file.extend(appended);
            file.extend(b"\n</AppendedData>\n");
        }
        file.extend(b"</VTKFile>\n");
        file
    }
}

#[test]
fn every_way_of_writing_arrays_is_read() {
    for style in styles() {
        let mesh = read_vtu(&style.file()).unwrap_or_else(|e| panic!("{style:?}: {e}"));
        assert_straight_ten_nodes(&mesh);
        assert_eq!(mesh.node_set("two").unwrap(), [2], "{style:?}");
        assert_eq!(mesh.element_set("solid").unwrap(), [0], "{style:?}");
    }
}

pub const TEXT: &str = "\
<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">
<UnstructuredGrid>
<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">
<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">
0 0 0 1 0 0
0 1 0 0 0 1
</DataArray></Points>
<Cells>
<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>
<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>
<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray>
</Cells>
</Piece>
</UnstructuredGrid>
</VTKFile>
";

#[test]
fn text_and_several_pieces_are_read() {
    let mesh = read_vtu(TEXT.as_bytes()).unwrap();
    assert_eq!((mesh.kind(), mesh.nodes().len(), mesh.element_count()), (ElementKind::Tet4, 4, 1));
    let (before, rest) = TEXT.split_once("<Piece").unwrap();
    let (piece, after) = rest.split_once("</Piece>").unwrap();
    let twice = format!("{before}<Piece{piece}</Piece>\n<Piece{piece}</Piece>{after}");
    let mesh = read_vtu(twice.as_bytes()).unwrap();
    assert_eq!(mesh.elements().collect::<Vec<_>>(), [[0, 1, 2, 3], [4, 5, 6, 7]]);
}

#[test]
fn wrong_files_are_refused_with_line_and_array() {
    let refuse = |from: &str, to: &str, words: &[&str]| {
        let message = read_vtu(TEXT.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    refuse("=\"UnstructuredGrid\"", "=\"PolyData\"", &["line 1", "PolyData"]);
    refuse("=\"UnstructuredGrid\"", "=\"PUnstructuredGrid\"", &["line 1", "pieces"]);
    refuse("version=\"0.1\"", "compressor=\"vtkLZ4DataCompressor\"", &["LZ4", "zlib"]);
    refuse("</Piece>", "", &["line ", "damaged XML"]);
    refuse(">10<", ">12<", &["line 3", "type 12"]);
    refuse(">10<", ">24<", &["element 0 has 4 nodes instead of 10"]);
    refuse(">10<", ">5<", &["no tetrahedra", "1 triangles"]);
    refuse("0 1 2 3", "0 1 2 4", &["names point 4"]);
    refuse("0 1 2 3", "0 1 2 x", &["array `connectivity`", "`x`"]);
    refuse(">4<", ">5<", &["cell 0 ends at 5"]);
    refuse("0 0 1\n", "0 0 nan\n", &["array `Points`", "not finite"]);
    refuse("offsets", "offset", &["no array Cells/offsets"]);
    refuse("\"ascii\">0 1 2 3", "\"binary\">AAAA====", &["array `connectivity`", "base64"]);
    refuse("\"ascii\">0 1 2 3", "\"binary\">0 1 2 !", &["array `connectivity`", "base64"]);
}

fn written(mesh: &TetMesh, fields: &Fields) -> String {
    let mut out = Vec::new();
    write_vtu(&mut out, mesh, fields).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn fields_are_written_with_names_components_and_all_bits() {
    let mesh = sample(ElementKind::Tet4);
    let displacement: Vec<f64> = (0..3 * mesh.nodes().len()).map(|i| (i as f64).sin()).collect();
    let energy = vec![0.1; mesh.element_count()];
    let fields = Fields {
        point: vec![DataArray { name: "u <m> & \"more\"", components: 3, values: &displacement }],
        cell: vec![DataArray { name: "energy", components: 1, values: &energy }],
    };
    let text = written(&mesh, &fields);
    assert_eq!(read_vtu(text.as_bytes()).unwrap(), mesh);
    let length = (8 * displacement.len() as u64).to_le_bytes().to_vec();
    let bytes = displacement.iter().flat_map(|v| v.to_le_bytes());
    let expected = format!(
        "<DataArray type=\"Float64\" Name=\"u &lt;m&gt; &amp; &quot;more&quot;\" NumberOfComponents=\"3\" \
         format=\"binary\">\n{}\n</DataArray>",
        base64(&length.into_iter().chain(bytes).collect::<Vec<_>>())
    );
    assert!(text.contains(&expected));
}

#[test]
fn fields_that_do_not_fit_are_refused() {
    let mesh = sample(ElementKind::Tet4);
    let refuse = |name: &str, components: usize, values: &[f64], word: &str| {
        let fields = Fields { point: vec![DataArray { name, components, values }], cell: Vec::new() };
        let message = write_vtu(&mut Vec::new(), &mesh, &fields).unwrap_err().to_string();
        assert!(message.contains(word) && message.contains(name), "{message}");
    };
    let mut values = vec![0.0; mesh.nodes().len()];
    refuse("short", 1, &values[1..], "numbers");
    refuse("none", 0, &[], "numbers");
    refuse("nset:x", 1, &values, "nset:");
    values[7] = f64::NAN;
    refuse("not a number", 1, &values, "at 7");
}

#[test]
fn triangles_are_cells_of_type_5_with_fields() {
    let scratch = Scratch::new("triangles");
    let path = scratch.0.join("surface.vtu");
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]].map(nalgebra::Vector3::from);
    let values = [0.1, 0.2, 0.3, 0.4];
    let fields = Fields { point: vec![DataArray { name: "e", components: 1, values: &values }], cell: Vec::new() };
    write_triangles_to(&path, &points, &[[0, 1, 2], [0, 3, 1]], &fields).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let array = |bytes: Vec<u8>| base64(&[(bytes.len() as u64).to_le_bytes().to_vec(), bytes].concat());
    let integers = |values: &[i64]| array(values.iter().flat_map(|v| v.to_le_bytes()).collect());
    for expected in [
        "NumberOfPoints=\"4\" NumberOfCells=\"2\"".to_string(),
        integers(&[0, 1, 2, 0, 3, 1]),
        integers(&[3, 6]),
        array(vec![5, 5]),
        array(values.iter().flat_map(|v| v.to_le_bytes()).collect()),
    ] {
        assert!(text.contains(&expected), "`{expected}` is missing");
    }
    let beyond = write_triangles_to(&path, &points, &[[0, 1, 4]], &Fields::default()).unwrap_err();
    assert!(beyond.to_string().contains("point 4"), "{beyond}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "a refused write leaves the old file");
}

#[test]
fn a_series_lists_times_and_files() {
    let scratch = Scratch::new("pvd");
    let path = scratch.0.join("walk.pvd");
    write_pvd_to(&path, &[(0.0, "walk_0.vtu".into()), (0.125, "a&b.vtu".into())]).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("<DataSet timestep=\"0.125\" part=\"0\" file=\"a&amp;b.vtu\"/>"), "{text}");
    assert!(write_pvd_to(&path, &[(f64::NAN, "x.vtu".into())]).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "a failed write leaves the old file");
}
