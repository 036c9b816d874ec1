//! Mistakes in meshes, surfaces and studies, and the set-up of the recorded walk.

use super::{Kind, judged, refused, told};
use std::fs;
use std::path::Path;

/// Scales both shanks of the recorded walk by the distance of knee and ankle markers.
pub const SCALE: &str = r#"<OpenSimDocument Version="40000"><ScaleTool name="subject"><mass>85</mass>
<GenericModelMaker><model_file>model.osim</model_file></GenericModelMaker>
<ModelScaler><apply>true</apply><scaling_order>measurements</scaling_order><MeasurementSet><objects>
<Measurement name="shank"><apply>true</apply><MarkerPairSet><objects>
<MarkerPair><markers>R.Knee R.Ankle</markers></MarkerPair><MarkerPair><markers>L.Knee L.Ankle</markers></MarkerPair>
</objects></MarkerPairSet><BodyScaleSet><objects><BodyScale name="tibia_r"><axes>X Y Z</axes></BodyScale>
<BodyScale name="tibia_l"><axes>X Y Z</axes></BodyScale></objects></BodyScaleSet></Measurement></objects></MeasurementSet>
<marker_file>walk.trc</marker_file><time_range>0.1 0.2</time_range><output_model_file>scaled.osim</output_model_file></ModelScaler>
<MarkerPlacer><apply>false</apply></MarkerPlacer></ScaleTool></OpenSimDocument>"#;

/// A block of these sides as a solid mesh of six tetrahedra in Gmsh's format, with the coordinates as text.
fn block(folder: &Path, sides: [&str; 3]) {
    let corner = |i: usize| {
        let side = |d: usize| if i >> d & 1 == 1 { sides[d] } else { "0" };
        format!("{} {} {} {}", i + 1, side(0), side(1), side(2))
    };
    let nodes: Vec<String> = (0..8).map(corner).collect();
    const CELLS: [[usize; 4]; 6] = [[1, 2, 4, 8], [1, 2, 8, 6], [1, 6, 8, 5], [1, 4, 3, 8], [1, 3, 7, 8], [1, 7, 5, 8]];
    let cell = |(k, [a, b, c, d]): (usize, &[usize; 4])| format!("{} 4 2 1 1 {a} {b} {c} {d}", k + 1);
    let cells: Vec<String> = CELLS.iter().enumerate().map(cell).collect();
    let text = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n{}\n$EndNodes\n$Elements\n6\n{}\n$EndElements\n",
        nodes.join("\n"),
        cells.join("\n")
    );
    fs::write(folder.join("bone.msh"), text).unwrap();
}

/// A tetrahedron as a surface, and further triangles.
fn surface(folder: &Path, size: &str, more: &str) {
    let text = format!("v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n{more}");
    fs::write(folder.join("bone.obj"), text).unwrap();
}

pub const KINDS: &[Kind] = &[
    Kind {
        name: "a bone of 466 m",
        plant: |f| {
            block(f, ["466", "60", "50"]);
            surface(f, "466", "");
        },
        said: &[
            told("mesh info bone.msh --json", &["mm", "466"]),
            told("mesh check bone.msh --repair out.msh --json", &["mm"]),
            told("mesh convert bone.msh out.vtu --json", &["mm"]),
            refused("modes bone.msh --count 2 --out out.flexbody --json", &["mm"]),
            told("mesh info bone.obj --json", &["mm"]),
            refused("run walk --set tibia=bone.msh --set cycles=1 --json", &[]),
        ],
    },
    Kind {
        name: "a bone of half a millimetre",
        plant: |f| block(f, ["4.66e-4", "6e-5", "5e-5"]),
        said: &[
            told("mesh info bone.msh --json", &["4.66e-4"]),
            refused("modes bone.msh --count 2 --json", &["4.66e-4"]),
        ],
    },
    Kind {
        name: "coordinates of 1e200",
        plant: |f| {
            block(f, ["1e200", "1e200", "1e200"]);
            surface(f, "1e200", "");
        },
        said: &[
            refused("mesh info bone.msh --json", &[]),
            refused("modes bone.msh --count 2 --json", &[]),
            refused("mesh info bone.obj --json", &[]),
        ],
    },
    Kind {
        name: "coordinates that are not numbers",
        plant: |f| block(f, ["NaN", "0.06", "0.05"]),
        said: &[refused("mesh info bone.msh --json", &["bone.msh"]), refused("modes bone.msh --json", &[])],
    },
    Kind {
        name: "a flat mesh",
        plant: |f| block(f, ["0.4", "0.06", "0"]),
        said: &[
            refused("mesh check bone.msh --json", &["degenerate"]),
            refused("mesh check bone.msh --repair out.msh --json", &["flat"]),
        ],
    },
    Kind {
        name: "an edge with three triangles",
        plant: |f| surface(f, "0.1", "v 0.1 0.1 0.1\nf 1 2 5\n"),
        said: &[told("mesh info bone.obj --json", &["0-2", "--repair"])],
    },
    Kind {
        name: "a mesh file that is a picture",
        plant: |f| fs::write(f.join("bone.msh"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap(),
        said: &[refused("mesh info bone.msh --json", &["bone.msh"]), refused("modes bone.msh --json", &["bone.msh"])],
    },
    Kind {
        name: "one divided by nothing in a study",
        plant: |f| {
            let pendulum = wolff_study::builtin("pendulum").unwrap();
            fs::write(f.join("study.toml"), pendulum.replacen("[results]\n", "[results]\nbad = \"1/0\"\n", 1)).unwrap();
        },
        said: &[judged("run study.toml --json", &["bad", "finite"])],
    },
    Kind {
        name: "a study with unknown keys",
        plant: |f| {
            let pendulum = wolff_study::builtin("pendulum").unwrap();
            fs::write(f.join("study.toml"), pendulum.replacen("[results]", "[result]", 1)).unwrap();
        },
        said: &[refused("run study.toml --json", &["result", "results"])],
    },
    Kind {
        name: "a stature in cm",
        plant: |_| (),
        said: &[refused("run walk --set stature=177 --json", &["stature", "cm"])],
    },
];
