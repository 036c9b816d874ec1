use std::path::PathBuf;
use wolff_fem::ElementKind;
use wolff_imaging::density::Calibration;
use wolff_mesher::Settings;
use wolff_morphology::BoneKind;
use wolff_report::outcome::Outcome;
use wolff_scan::bone::outcome::{add_figures, outcome};
use wolff_scan::bone::{BoneRequest, STAGES, make};
use wolff_spatial::Vec3;

/// The figures of a bone, by name.
fn figures(request: &BoneRequest) -> Outcome {
    let mut last = 0.0;
    let made = make(request, &mut |stage, part| {
        assert!(part >= last && part <= 1.0, "{stage} goes back from {last} to {part}");
        last = part;
        true
    })
    .unwrap();
    assert_eq!(last, STAGES[9]);
    let mut outcome = outcome(&made, request);
    add_figures(&mut outcome, &made, request);
    let size: usize = outcome.pictures.iter().map(|picture| picture.svg.len()).sum();
    assert!(size < 3_000_000, "{size} bytes");
    assert!(outcome.pictures.iter().all(|p| p.svg.starts_with("<svg") && p.svg.ends_with("</svg>\n")));
    let plots: Vec<&str> = outcome.plots.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(plots, ["angles", "density", "modulus"]);
    outcome
}

fn names(outcome: &Outcome) -> Vec<&str> {
    outcome.pictures.iter().map(|picture| picture.name.as_str()).collect()
}

fn request(input: PathBuf, calibration: Option<Calibration>) -> BoneRequest {
    BoneRequest {
        calibration,
        wall: [2e-3, 1.5e-3],
        kind: Some(BoneKind::Patella),
        side: Some(wolff_anatomy::Side::Right),
        up: Some(Vec3::z()),
        anterior: Some(-Vec3::y()),
        mesh: Settings { size: 6e-3, order: ElementKind::Tet4, halvings: 1, ..Settings::default() },
        modes: 4,
        ..BoneRequest::new(input)
    }
}

/// A surface has outlines of its slices and an assumed wall, but neither grey values nor a thickness of the cortex.
#[test]
fn figures_of_a_surface() {
    let Some(input) = wolff_testdata::shared("data/bones/bodyparts3d/patella_r_FMA24486.stl") else { return };
    let outcome = figures(&request(input, None));
    let expected = ["bone", "slices-across", "slices-along", "modulus-map", "distance-map", "free-modes"];
    assert_eq!(names(&outcome), expected);
    let along = &outcome.pictures[2].svg;
    assert!(along.contains("inner side of the wall, assumed") && !along.contains("grey value"));
    assert!(outcome.pictures[4].svg.contains("largest (Hausdorff)"));
    assert!(outcome.pictures[5].svg.contains("mode 4: "));
}

/// An image has its grey values under the outlines, and a map of the thickness of its cortex.
#[test]
fn figures_of_a_scan() {
    let folder = std::env::temp_dir().join(format!("wolff-figures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let input = folder.join("egg.mha");
    std::fs::write(&input, egg()).unwrap();
    let outcome = figures(&request(input, Some(Calibration::parse("0.05,0.00125").unwrap())));
    let all = names(&outcome);
    assert!(all.contains(&"cortical-thickness") && all.len() == 7, "{all:?}");
    let across = &outcome.pictures[1].svg;
    assert!(across.contains("grey value of the scan (HU)") && across.contains("inner side of the cortex, fitted"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// An egg of 36 by 22 by 42 mm with a wall of 3 mm as MetaImage, with edges as soft as a scanner makes them.
fn egg() -> Vec<u8> {
    const COUNT: i32 = 62;
    let header = "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n\
        CompressedData = False\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = -30.5 -30.5 -30.5\n\
        ElementSpacing = 1 1 1\nDimSize = 62 62 62\nElementType = MET_SHORT\nElementDataFile = LOCAL\n";
    let inside = |depth: f64| 1.0 / (1.0 + (-depth / 0.5).exp());
    let grey = |x: Vec3| {
        let depth = 11.0 * (1.0 - Vec3::new(x.x / 18.0, x.y / 11.0, x.z / 21.0).norm() / (1.0 + 0.012 * x.z));
        40.0 + 1260.0 * inside(depth) - 1050.0 * inside(depth - 3.0)
    };
    let place = |i: i32| f64::from(i) - 30.5;
    let mut bytes = header.as_bytes().to_vec();
    for n in 0..COUNT.pow(3) {
        let x = Vec3::new(place(n % COUNT), place(n / COUNT % COUNT), place(n / COUNT.pow(2)));
        bytes.extend((grey(x) as i16).to_le_bytes());
    }
    bytes
}
