use wolff_fem::bone::Side;
use wolff_spatial::{MassProperties, Mat3, Vec3};
use wolff_walk::bone::{Attachment, AttachmentKind, Basis, BoneRecipe, Fibula, Solid};
use wolff_walk::gauges::tibia_gauges;

#[test]
fn measure() {
    let start = std::time::Instant::now();
    let tibia = Solid::tibia(0.42506489, Side::Right).unwrap();
    println!("solid {:?} nodes {}", start.elapsed(), tibia.mesh.nodes().len());
    println!("offsets {:?} {:?} {:?}", tibia.shaft_offset(0.25), tibia.shaft_offset(0.5), tibia.shaft_offset(0.75));
    let mut recipe = BoneRecipe::new("shank_r", &tibia);
    let p = |n: &str, x: f64, y: f64, z: f64| Attachment::at(n, Vec3::new(x, y, z), 0.42506489);
    recipe.attachments = vec![
        Attachment::on_set("patellar_tendon", Vec3::new(0.04, -0.04, 0.005), "tuberosity"),
        p("semimem", -0.02669, -0.047162, -0.019345),
        p("semiten", 0.002669, -0.094503, -0.019078),
        p("soleus", -0.002372, -0.151541, 0.007019),
        p("tib_post", -0.009292, -0.133253, 0.001878),
        p("tib_ant", 0.017695, -0.160536, 0.011368),
        p("ext", 0.0032, -0.138, 0.0276),
        p("flex_dig", -0.008205, -0.202252, -0.001779),
        p("flex_hal", -0.007809, -0.230721, 0.02412),
        p("per_brev", -0.00692, -0.261563, 0.032127),
        p("per_long", 0.000494, -0.155, 0.035785),
        p("tib_ant2", 0.032522, -0.390565, -0.017497),
    ];
    println!("{:?}", start.elapsed());
    recipe.gauges = tibia_gauges(&tibia).unwrap();
    println!("gauges {:?}", start.elapsed());
    recipe.check = true;
    let shank = recipe.make().unwrap();
    println!("made {:?}", start.elapsed());
    println!("{:#?}", shank.report);
    recipe.check = false;
    for vibrations in [0, 3, 6, 9, 14] {
        for tolerance in [1e-2, 3e-3, 1e-3, 1e-4, 1e-5] {
            recipe.basis = Basis::Gauges { vibrations, tolerance };
            let r = recipe.make().unwrap().report;
            println!(
                "{vibrations} {tolerance:e} modes {} error {:.2e} {} top {:.0}",
                r.frequencies.len(),
                r.gauge_error,
                r.worst_load,
                r.frequencies.last().unwrap()
            );
        }
    }
}
