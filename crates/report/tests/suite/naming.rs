use wolff_report::naming::{heading, label, label_beside, parts, unit};

#[test]
fn units_are_read_from_the_ends_of_names() {
    for (name, expected) in [
        ("medial_torque_n_m", "N m"),
        ("reserve_moment_peak_nm", "N m"),
        ("medial_area_mm2", "mm²"),
        ("midshaft_imax_mm4", "mm⁴"),
        ("stiffness_n_per_m", "N/m"),
        ("stiffness_n_m_per_rad", "N m/rad"),
        ("loading_rate_bw_per_s", "BW/s"),
        ("speed_m_per_s", "m/s"),
        ("moment_nm_per_kg", "N m/kg"),
        ("max_shear_microstrain_rate_per_s", "µε/s"),
        ("max_shear_microstrain", "µε"),
        ("residual_moment_peak_bw_height", "BW × height"),
        ("joint_angle_rms_deg_max", "°"),
        ("equations_left_over_n_or_nm", "N or N m"),
        ("depth_um", "µm"),
        ("inertia_kg_m2", "kg m²"),
        ("height_m", "m"),
        ("steps", ""),
        ("restitution", ""),
        ("kinematics_correlation_min_at", ""),
        // an ending is a word of its own
        ("maximum", ""),
        ("pelvis_tx", ""),
        ("m", ""),
    ] {
        assert_eq!(unit(name), expected, "{name}");
    }
}

#[test]
fn names_become_words_and_words_stay() {
    assert_eq!(label("medial_force_n"), "medial force [N]");
    assert_eq!(label("kinematics_correlation_min_at"), "kinematics correlation min at");
    assert_eq!(label("impact.1.restitution"), "impact 1 restitution");
    assert_eq!(label("joint_angle_rms_deg_max"), "joint angle RMS max [°]");
    assert_eq!(label("t_s"), "time [s]");
    assert_eq!(parts("knee, first peak"), ("knee, first peak".into(), String::new()));
    assert_eq!(label_beside("medial_force_n", "force [N]"), "medial force");
    assert_eq!(label_beside("medial_force_n", "pressure [MPa]"), "medial force [N]");
    assert_eq!(heading("max shear [microstrain/s]"), "max shear [µε/s]");
    assert_eq!(heading("medial_force_n"), "medial force [N]");
    assert_eq!(heading("time"), "time");
}
