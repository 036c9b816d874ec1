use wolff_formats::vtk::{DataArray, Fields, Grid, Marks, Piece, SurfaceCells, pvd, read_pieces, surface_vtu, vtu};

const POINTS: [[f64; 3]; 5] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [1.0, 2.0, -0.3], [0.0, 2.0, 1e-9], [0.5, 3.0, 4.0]];

/// What a reader finds: points, connectivity, ends, types.
fn read_back(text: &str) -> (Vec<f64>, Vec<u64>, Vec<u64>, Vec<u64>) {
    let mut found = None;
    let read = |piece: &Piece| {
        let cells = |name| piece.counts("Cells", name);
        found = Some((piece.points()?, cells("connectivity")?, cells("offsets")?, cells("types")?));
        Ok(())
    };
    read_pieces(text.as_bytes(), "UnstructuredGrid", ".vtu", read).unwrap();
    found.unwrap()
}

#[test]
fn triangles_quads_and_polygons_read_back_with_their_types() {
    let polygon = vec![vec![0, 1, 2, 4, 3]];
    let cases: [(SurfaceCells, Vec<u64>, Vec<u64>, u64); 3] = [
        (SurfaceCells::Triangles(&[[0, 1, 2], [0, 2, 3]]), vec![0, 1, 2, 0, 2, 3], vec![3, 6], 5),
        (SurfaceCells::Quads(&[[0, 1, 2, 3]]), vec![0, 1, 2, 3], vec![4], 9),
        (SurfaceCells::Polygons(&polygon), vec![0, 1, 2, 4, 3], vec![5], 7),
    ];
    for (cells, connectivity, ends, cell_type) in cases {
        let text = surface_vtu(POINTS.to_vec(), cells, &Fields::default()).unwrap();
        let found = read_back(&text);
        assert_eq!(found.0, POINTS.concat(), "all bits of the points");
        assert_eq!((found.1, found.3), (connectivity, vec![cell_type; ends.len()]));
        assert_eq!(found.2, ends);
    }
}

#[test]
fn fields_and_sets_must_fit() {
    let triangles = SurfaceCells::Triangles(&[[0, 1, 2]]);
    let refuse = |name: &str, components: usize, values: &[f64], word: &str| {
        let fields = Fields { point: Vec::new(), cell: vec![DataArray { name, components, values }] };
        let message = surface_vtu(POINTS.to_vec(), triangles, &fields).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains(word), "{message}");
    };
    refuse("pressure [Pa]", 1, &[1.0, 2.0], "2 numbers; 1 for each of 1");
    refuse("force [N]", 0, &[], "0 numbers");
    refuse("pressure [Pa]", 1, &[f64::NAN], "not finite");
    let beyond = surface_vtu(POINTS.to_vec(), SurfaceCells::Triangles(&[[0, 1, 5]]), &Fields::default()).unwrap_err();
    assert!(beyond.to_string().contains("point 5"), "{beyond}");
    let short = vec![vec![0, 1]];
    let short = surface_vtu(POINTS.to_vec(), SurfaceCells::Polygons(&short), &Fields::default()).unwrap_err();
    assert!(short.to_string().contains("polygon 0"), "{short}");
    let marks = vec![Marks { name: "rim".into(), members: vec![5] }];
    let grid = Grid { points: POINTS.to_vec(), point_marks: marks, ..Grid::default() };
    assert!(vtu(&grid, &Fields::default()).unwrap_err().to_string().contains("`rim`"));
    let grid =
        Grid { points: POINTS.to_vec(), connectivity: vec![0, 1, 2], ends: vec![2], types: vec![5], ..Grid::default() };
    assert!(vtu(&grid, &Fields::default()).unwrap_err().to_string().contains("ends"));
}

#[test]
fn a_cell_field_is_written_beside_the_cells() {
    let fields =
        Fields { point: Vec::new(), cell: vec![DataArray { name: "pressure [Pa]", components: 1, values: &[7.25e6] }] };
    let text = surface_vtu(POINTS.to_vec(), SurfaceCells::Triangles(&[[0, 1, 2]]), &fields).unwrap();
    let (_, cell_data) = text.split_once("<CellData>").unwrap();
    assert!(cell_data.contains("Name=\"pressure [Pa]\" NumberOfComponents=\"1\""), "{cell_data}");
}

#[test]
fn a_series_lists_times_and_files() {
    let text = pvd(&[(0.0, "knee-0.vtu".into()), (0.125, "a&b.vtu".into())]).unwrap();
    assert!(text.contains("<DataSet timestep=\"0.125\" part=\"0\" file=\"a&amp;b.vtu\"/>"), "{text}");
    assert!(pvd(&[(f64::NAN, "x.vtu".into())]).is_err());
}

#[test]
fn another_kind_of_data_set_is_refused_with_the_line() {
    let text = surface_vtu(POINTS.to_vec(), SurfaceCells::Quads(&[[0, 1, 2, 3]]), &Fields::default()).unwrap();
    let message = read_pieces(text.as_bytes(), "PolyData", ".vtp", |_| Ok(())).unwrap_err().to_string();
    assert!(message.contains(".vtp line 2") && message.contains("UnstructuredGrid"), "{message}");
}
