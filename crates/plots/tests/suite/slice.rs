use super::plot::{assert_well_formed, texts};
use wolff_plots::{GreyImage, Slice, SlicePlot};

fn slice(image: Option<GreyImage>) -> Slice<'static> {
    Slice {
        label: "50 % <of> the length",
        x_label: "to the right (mm)",
        y_label: "forward (mm)",
        limits: [-10.0, 10.0, -5.0, 5.0],
        image,
        outlines: vec![vec![[[-4.0, 0.0], [4.0, 1.0]]], vec![[[f64::NAN, 0.0], [1.0, 1.0]]]],
    }
}

fn plot(image: Option<GreyImage>, grey: Option<(&str, [f64; 2])>) -> String {
    let lines = vec!["outer surface", "inner side"];
    SlicePlot { title: "Slices", grey, lines, columns: 2, slices: vec![slice(image)] }.to_svg()
}

#[test]
fn cells_of_one_level_beside_each_other_are_one_line() {
    let image = GreyImage { columns: 4, values: vec![0.0, 0.0, 0.0, 1000.0, f64::NAN, 500.0, 2000.0, 1000.0] };
    let svg = plot(Some(image), Some(("grey value (HU)", [0.0, 1000.0])));
    assert_well_formed(&svg);
    assert!(svg.contains("<path stroke=\"#000000\" d=\"M0 0h3\"/>"), "{svg}");
    assert!(svg.contains("<path stroke=\"#ffffff\" d=\"M3 0h1M2 1h2\"/>"), "what is above white is white: {svg}");
    let texts = texts(&svg);
    for expected in ["grey value (HU)", "0", "1000", "to the right (mm)", "outer surface", "inner side"] {
        assert!(texts.contains(&expected), "{expected} missing in {texts:?}");
    }
}

#[test]
fn without_an_image_only_outlines_are_drawn() {
    let svg = plot(None, None);
    assert_well_formed(&svg);
    assert!(!svg.contains("<g transform"), "{svg}");
    assert_eq!(svg.matches("stroke-linecap=\"round\"").count(), 2, "two outlines, the one without numbers is empty");
    let broken = SlicePlot {
        title: "",
        grey: None,
        lines: Vec::new(),
        columns: 0,
        slices: vec![Slice { limits: [f64::NAN; 4], ..slice(None) }],
    };
    assert_well_formed(&broken.to_svg());
}
