use wolff_fem::fidelity::{LoadCase, unit_loads};

#[test]
fn unit_loads_cover_every_place() {
    let loads = unit_loads(&["knee", "ankle"], &["soleus"]);
    let names: Vec<&str> = loads.iter().map(|load| load.name.as_str()).collect();
    assert_eq!(names.len(), 15);
    assert_eq!((names[0], names[11], names[14]), ("knee Fx", "ankle Tz", "soleus Fz"));
    assert_eq!(loads[11].interface, [[0.0; 6], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]]);
    assert_eq!(loads[14].point, [[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]);
    assert!(loads.iter().all(|load| load.check(2, 1).is_ok()));
    assert!(loads[0].check(2, 0).unwrap_err().to_string().contains("2 interfaces and 1 points, the body 2 and 0"));
    let endless = LoadCase { name: "pull".into(), interface: vec![[f64::INFINITY; 6]], point: vec![] };
    assert!(endless.check(1, 0).is_err());
}
