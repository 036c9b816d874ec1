use std::path::Path;
use wolff_bone::flexible::picture::{check_picture_folder, mode_pictures, mode_svg, mode_titles, write_mode_pictures};
use wolff_bone::flexible::strain_field::{write_mode_fields, write_strain_field, write_strain_series};
use wolff_bone::flexible::{
    GaugeRequest, Interface, InterfaceKind, MaterialChoice, NodeSelector, Recipe, SolidSource, Solver, carried,
    parse_direction, parse_gauge, parse_point,
};
use wolff_fem::ElementKind;
use wolff_fem::generate::tube;
use wolff_flexbody::Surface;
use wolff_spatial::Vec3;

fn recipe(path: &Path) -> Recipe {
    Recipe {
        solid: SolidSource::Mesh { path: path.into(), part: None, scale: 1.0, axis: Vec3::z() },
        material: MaterialChoice::cortical(),
        mass: None,
        interfaces: vec!["knee=z<0.001".parse().unwrap(), "ankle=end@0,0,0.45".parse().unwrap()],
        interface_kind: InterfaceKind::Rigid,
        points: Vec::new(),
        gauges: Vec::new(),
        solver: Solver { surface: true, ..Solver::plain(4) },
    }
}

/// A folder of one test, removed at the end.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("flexible-{test}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn tube(&self) -> std::path::PathBuf {
        let path = self.0.join("tube.inp");
        let mesh = tube(ElementKind::Tet10, 0.4, 0.02, 0.03, [1, 4, 5]).unwrap();
        wolff_meshes::solid::write_mesh(&path, &mesh).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn selectors_find_nodes_by_set_plane_sphere_and_box() {
    let mesh = tube(ElementKind::Tet4, 0.4, 0.02, 0.03, [1, 4, 4]).unwrap();
    let nodes = |text: &str| text.parse::<NodeSelector>().unwrap().nodes(&mesh).unwrap();
    assert_eq!(nodes("start"), mesh.node_set("start").unwrap());
    assert_eq!(nodes("z<0.001"), mesh.node_set("start").unwrap());
    assert_eq!(nodes("z >= 0.4"), mesh.node_set("end").unwrap());
    assert_eq!(nodes("z<=0"), mesh.node_set("start").unwrap());
    // four around, two through the wall: the two nodes of one spoke
    assert_eq!(nodes("end & x>0.01").len(), 2);
    assert_eq!(nodes("sphere(0.03,0,0.4,0.001)").len(), 1);
    assert_eq!(nodes("sphere(0.03,0,0.4,0.011)").len(), 2);
    // the corners of a box may come in any order
    assert_eq!(nodes("box(1,1,0.41,-1,-1,0.25)").len(), 2 * 4 * 2);
}

#[test]
fn selectors_that_hold_nothing_say_how_far_the_mesh_extends() {
    let mesh = tube(ElementKind::Tet4, 0.4, 0.02, 0.03, [1, 4, 4]).unwrap();
    let said = |text: &str| text.parse::<NodeSelector>().unwrap().nodes(&mesh).unwrap_err().to_string();
    for part in ["`z<-1`", "x -0.03000 to 0.03000 m", "z 0.00000 to 0.40000 m"] {
        assert!(said("z<-1").contains(part), "{}", said("z<-1"));
    }
    assert!(said("knee").contains("start") && said("knee").contains("end"), "{}", said("knee"));
    // an open bound does not hold its own plane
    assert!(said("z<0").contains("holds no node"));
}

#[test]
fn texts_of_parts_are_refused_with_an_example() {
    let interface = |text: &str| text.parse::<Interface>().unwrap_err().to_string();
    assert!(interface("z<0.001").contains("knee=z<0.001"));
    assert!(interface("knee=").contains("names no nodes"));
    assert!(interface("knee=w<1").contains("z<0.001"));
    assert!(interface("knee=z<nan").contains("z<0.001"));
    assert!(interface("knee=sphere(1,2,3)").contains("sphere(x,y,z,r)"));
    assert!(interface("knee=box(1,2,3)").contains("box(x0"));
    assert!(interface("knee=start@1,2").contains("x,y,z"));
    assert!(parse_point("a=1,2").unwrap_err().to_string().contains("NAME=x,y,z,radius"));
    assert!(parse_point("a=1,2,3,-1").is_err());
    assert_eq!(parse_point("a = 1, 2,3,0.5").unwrap(), ("a".into(), Vec3::new(1.0, 2.0, 3.0), 0.5));
    assert!(parse_gauge("a=elbow").unwrap_err().to_string().contains("anteromedial"));
    assert!(matches!(parse_gauge("a=anteromedial:0.3").unwrap().1, GaugeRequest::Landmark(_, f) if f == 0.3));
    assert!(parse_direction("0,0,0").is_err() && parse_direction("inf,0,0").is_err());
    assert_eq!(parse_direction("0,-2,0").unwrap(), -Vec3::y());
}

#[test]
fn interfaces_sit_at_the_mean_of_their_nodes_or_where_they_are_put() {
    let scratch = Scratch::new("interfaces");
    let reduced = recipe(&scratch.tube()).reduce("shank").unwrap();
    let position = |name: &str| reduced.body.node(name).unwrap().position;
    assert!(position("knee").norm() < 1e-12 && (position("ankle") - Vec3::new(0.0, 0.0, 0.45)).norm() < 1e-12);
    // the first torsion mode of a tube is torsion and nothing else: some mode carries most of it
    let torsion = (0..reduced.body.modes()).any(|mode| {
        let top = carried(&reduced, mode, 0.3);
        top.first().is_some_and(|share| share.direction == "Tz")
    });
    assert!(torsion, "{}", reduced.report.compliance_shares);
    assert!(carried(&reduced, 999, 0.0).is_empty());
    let shares = carried(&reduced, 0, 0.0);
    assert!(shares.len() == 12 && shares.is_sorted_by(|a, b| a.share >= b.share), "{shares:?}");
}

#[test]
fn names_that_mean_two_things_are_refused_before_the_work() {
    let scratch = Scratch::new("names");
    let mut twice = recipe(&scratch.tube());
    twice.points = vec![parse_point("knee=0.03,0,0.2").unwrap()];
    assert!(twice.reduce("shank").unwrap_err().to_string().contains("two nodes are called `knee`"));
    twice.points = vec![parse_point("base=0.03,0,0.2").unwrap()];
    assert!(twice.reduce("shank").unwrap_err().to_string().contains("`base`"));
}

/// A square of two triangles with one mode, in which one corner moves along z by 1 and another is strained.
fn square() -> Surface {
    Surface {
        positions: vec![Vec3::zeros(), 2.0 * Vec3::x(), Vec3::new(2.0, 1.0, 0.0), Vec3::y()],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        displacement: nalgebra::DMatrix::from_fn(12, 1, |i, _| f64::from(u8::from(i == 8))),
        strain: nalgebra::DMatrix::from_fn(24, 1, |i, _| if i / 6 == 1 { 1e-3 * (i % 6) as f64 } else { 0.0 }),
    }
}

#[test]
fn pictures_show_the_largest_displacement_as_a_tenth_of_the_size() {
    let svg = mode_svg(&square(), 0, "plate <1>");
    assert!(svg.contains("plate &lt;1&gt;") && svg.ends_with("</svg>\n"), "{svg}");
    // 2 m wide on 712 pixels; the corner rises by 0.1 · 2 m = 71.2 pixels in the view with z up.
    assert!(svg.contains("l712.0 0.0 0.0 -71.2z"), "{svg}");
    // A mode that is not there is at rest: nothing is to be seen along the plane.
    assert!(!mode_svg(&square(), 7, "").contains("-71.2z"));
}

#[test]
fn fine_surfaces_are_drawn_coarser() {
    let n = 80;
    let positions: Vec<Vec3> = (0..n * n).map(|i| Vec3::new((i % n) as f64, (i / n) as f64, 0.0) / n as f64).collect();
    let cell = |i: usize| {
        let (a, b) = (i as u32, (i + n) as u32);
        [[a, a + 1, b + 1], [a, b + 1, b]]
    };
    let triangles = (0..n * (n - 1)).filter(|i| i % n + 1 < n).flat_map(cell).collect::<Vec<_>>();
    let m = positions.len();
    let surface = Surface {
        positions,
        triangles,
        displacement: nalgebra::DMatrix::zeros(3 * m, 1),
        strain: nalgebra::DMatrix::zeros(6 * m, 1),
    };
    let svg = mode_svg(&surface, 0, "");
    let drawn = svg.matches('M').count();
    assert!((500..=4016).contains(&drawn), "{drawn} of {} triangles", surface.triangles.len());
}

#[test]
fn a_folder_of_pictures_is_replaced_and_nothing_else_is() {
    let scratch = Scratch::new("pictures");
    let folder = scratch.0.join("pictures");
    for _ in 0..2 {
        write_mode_pictures(&folder, &square(), "plate", &mode_titles("plate", &[12.5]), Vec::new()).unwrap();
    }
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.contains("mode 1: 12.50 Hz") && !page.contains("src="), "{page}");
    assert_eq!(mode_pictures(&square(), "plate", &mode_titles("plate", &[12.5])).len(), 2);
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    assert!(check_picture_folder(&folder, &[]).unwrap_err().to_string().contains("notes.txt"));
    assert!(write_mode_pictures(&folder, &square(), "plate", &mode_titles("plate", &[12.5]), Vec::new()).is_err());
}

#[test]
fn strain_fields_are_written_for_states_modes_and_series() {
    let scratch = Scratch::new("fields");
    let (one, modes, series) = (scratch.0.join("a.vtu"), scratch.0.join("b.vtu"), scratch.0.join("walk.pvd"));
    write_strain_field(&one, &square(), &[0.5]).unwrap();
    let text = std::fs::read_to_string(&one).unwrap();
    for part in ["NumberOfPoints=\"4\" NumberOfCells=\"2\"", "displacement [m]", "\"strain\"", "equivalent strain"] {
        assert!(text.contains(part), "`{part}` is missing");
    }
    write_mode_fields(&modes, &square()).unwrap();
    assert!(std::fs::read_to_string(&modes).unwrap().contains("mode 1 equivalent strain"));
    write_strain_series(&series, &square(), &[(0.0, vec![0.5]), (0.1, vec![-0.5])]).unwrap();
    assert_eq!(std::fs::read_to_string(scratch.0.join("walk-0000.vtu")).unwrap(), text);
    let pvd = std::fs::read_to_string(&series).unwrap();
    assert!(pvd.contains("timestep=\"0.1\"") && pvd.contains("walk-0001.vtu"), "{pvd}");
    assert!(write_strain_field(&one, &square(), &[f64::NAN]).is_err());
    assert_eq!(std::fs::read_to_string(&one).unwrap(), text, "a failed write leaves the old file");
}
