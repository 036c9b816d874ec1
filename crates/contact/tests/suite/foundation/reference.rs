//! The shared reference for elastic foundations: closed forms, quadratures, grids and the socket.

use super::*;
use crate::support::close;
use wolff_contact::foundation::exact::{SphereInSocket, SphereOnLayer};

/// sphere_on_layer: law, then per row delta [mm] and force [N]; R = 30 mm, h = 8 mm.
fn sphere_rows() -> Vec<(LayerMaterial, [(f64, f64); 4])> {
    use {Reading::*, Strain::*};
    let rows = |f: [f64; 4]| [(0.05, f[0]), (0.1, f[1]), (0.2, f[2]), (0.4, f[3])];
    vec![
        (polyethylene(Small), rows([63.01032438176399, 251.90119675022046, 1006.4839807861979, 4016.96947342732])),
        (polyethylene(Large), rows([63.14202599306509, 252.9576894331644, 1014.9825539045092, 4085.7224756511396])),
        (
            nonlinear(Tangent, Small),
            rows([56.11533512538048, 167.1064245839979, 468.6271982432931, 1261.5956049557255]),
        ),
        (
            nonlinear(Tangent, Large),
            rows([56.1805595708924, 167.42261410181197, 470.15134062773836, 1269.0370278618611]),
        ),
        (
            nonlinear(Secant, Small),
            rows([66.91529520716713, 212.30080972702825, 622.8718852525777, 1727.6110241177698]),
        ),
        (nonlinear(Secant, Large), rows([67.00904522627188, 212.77280689626554, 625.1540918661904, 1738.663515641306])),
        (
            nonlinear(Uniaxial, Small),
            rows([17.77794408157958, 67.67835589786259, 239.80526769658042, 773.7176330901873]),
        ),
    ]
}

/// contact_area_mm2 of the four indentations.
const AREAS: [f64; 4] = [9.416923979135404, 18.81813999500286, 37.57344813693392, 74.89556886158067];

/// The quadratures of the reference were stopped at 1e-8; ours go to rounding.
const QUADRATURE: f64 = 1e-8;

#[test]
fn sphere_on_layer_by_quadrature() {
    for (law, rows) in sphere_rows() {
        let sphere = SphereOnLayer::new(30.0 * MM, 8.0 * MM, law).unwrap();
        for ((delta, force), area) in rows.into_iter().zip(AREAS) {
            let state = sphere.state(delta * MM);
            close(state.force, force, QUADRATURE, "force");
            close(state.area / (MM * MM), area, 1e-12, "area");
        }
    }
    // closed form of the linear law
    let linear = SphereOnLayer::new(30.0 * MM, 8.0 * MM, polyethylene(Strain::Small)).unwrap();
    close(linear.state(0.2 * MM).force, 1006.4839807861979, 1e-13, "closed form");
}

#[test]
fn cartilage_by_quadrature() {
    let rows = [
        (Strain::Small, [(0.2, 11.884608898269793), (0.5, 73.98089596600114), (1.0, 293.9375195427693)]),
        (Strain::Large, [(0.2, 12.087929233841711), (0.5, 77.27760692335994), (1.0, 322.14998332618876)]),
    ];
    for (strain, row) in rows {
        let law = LayerMaterial::linear(4.0 * MPA, 0.45, strain).unwrap();
        let sphere = SphereOnLayer::new(25.0 * MM, 4.0 * MM, law).unwrap();
        for (delta, force) in row {
            close(sphere.state(delta * MM).force, force, QUADRATURE, "force");
        }
    }
}

/// equal_force_1467N, table4_like and table4_like_lateral: radius [mm], force [N], law, delta [mm], peak [MPa].
#[test]
fn states_under_equal_force() {
    use {Reading::*, Strain::*};
    let (medial, lateral) = (158.38521823811294, 182.21025725126643);
    let rows = [
        (30.0, 1467.0, polyethylene(Small), 0.24151384257120537, 64.62252880955992),
        (30.0, 1467.0, polyethylene(Large), 0.2402931362923111, 65.28129976946363),
        (30.0, 1467.0, nonlinear(Tangent, Small), 0.44539983721032583, 24.725352831015012),
        (30.0, 1467.0, nonlinear(Tangent, Large), 0.44335309346324114, 24.944711489688032),
        (30.0, 1467.0, nonlinear(Secant, Small), 0.35720249248458713, 31.846565200183672),
        (30.0, 1467.0, nonlinear(Secant, Large), 0.3557808637383278, 32.085094225980406),
        (30.0, 1467.0, nonlinear(Uniaxial, Small), 0.5981340822231427, 20.529815835513848),
        (medial, 1467.0, polyethylene(Small), 0.10498078553715649, 28.09),
        (medial, 1417.0, nonlinear(Tangent, Small), 0.13680681075211834, 15.532116357276806),
        (medial, 1417.0, nonlinear(Tangent, Large), 0.13658743789497108, 15.57813446347775),
        (medial, 1417.0, nonlinear(Secant, Large), 0.11559985654806365, 19.518232233099454),
        (medial, 1417.0, nonlinear(Uniaxial, Small), 0.21302962846904472, 11.692623273311538),
        (lateral, 623.3, polyethylene(Large), 0.06371087498832112, 17.115539248702586),
        (lateral, 613.1, nonlinear(Tangent, Small), 0.07215881654606446, 11.659662497123406),
        (lateral, 613.1, nonlinear(Tangent, Large), 0.07209027073144693, 11.679573489550705),
    ];
    for (radius, force, law, delta, peak) in rows {
        let state = SphereOnLayer::new(radius * MM, 8.0 * MM, law).unwrap().under_force(force).unwrap();
        close(state.indentation / MM, delta, QUADRATURE, "indentation");
        close(state.peak_pressure / MPA, peak, QUADRATURE, "peak pressure");
    }
}

/// grid_convergence: n, force [N], area [mm²], peak [MPa], Mx, My [N mm]. The rule of the paper, to rounding.
#[test]
fn centre_rule_on_the_grids_of_the_reference() {
    let rows = [
        (10, [1013.2449379863823, 37.44, 52.354989021506285, 689.6444625347956, 1332.0243497348918]),
        (20, [1005.0998408988371, 38.16, 53.157783167455435, 708.1479799970058, 1311.2078845363076]),
        (30, [1006.6365177936405, 37.440000000000005, 53.42536337435205, 704.1135211815732, 1309.1595144057076]),
        (50, [1006.4938686777393, 37.324799999999996, 53.46817537971328, 705.0455191895979, 1308.5052983554044]),
        (100, [1006.483643734332, 37.656, 53.50028423389035, 704.4942249913561, 1308.3844112319548]),
        (150, [1006.48163029444, 37.5488, 53.51098715674097, 704.5590682912211, 1308.404192297659]),
        (200, [1006.4908661150625, 37.5732, 53.513662885224925, 704.5470602965452, 1308.4415799655824]),
    ];
    for (n, [force, area, peak, mx, my]) in rows {
        let pair = pair(
            flat_layer(n, 6.0 * MM, 8.0 * MM),
            ball(30.0 * MM),
            polyethylene(Strain::Small),
            vertical(Rule::Centre),
        );
        let result = at(&pair, &pressed(0.2 * MM, 1.3 * MM, -0.7 * MM)).total;
        let on_fixed = result.on_fixed();
        close(-on_fixed.f.z, force, 1e-10, "force");
        close(result.area / (MM * MM), area, 1e-10, "area");
        close(result.peak_pressure / MPA, peak, 1e-10, "peak");
        close(on_fixed.n.x / MM, mx, 1e-10, "Mx");
        close(on_fixed.n.y / MM, my, 1e-10, "My");
    }
}

/// The same state with the adaptive rule: what the paper calls sensitive to the grid is not.
#[test]
fn adaptive_rule_hardly_feels_the_grid() {
    let (force, area, peak, mx, my) =
        (1006.4839807861962, 37.57344813693392, 53.51455479452058, 704.5387865503372, 1308.429175022055);
    let mut errors = Vec::new();
    for n in [10, 20, 40, 80, 160] {
        let pair = pair(
            flat_layer(n, 6.0 * MM, 8.0 * MM),
            ball(30.0 * MM),
            polyethylene(Strain::Small),
            vertical(Rule::Adaptive),
        );
        let result = at(&pair, &pressed(0.2 * MM, 1.3 * MM, -0.7 * MM)).total;
        let on_fixed = result.on_fixed();
        let relative = [
            -on_fixed.f.z / force,
            result.area / (MM * MM) / area,
            result.peak_pressure / MPA / peak,
            on_fixed.n.x / MM / mx,
            on_fixed.n.y / MM / my,
        ]
        .map(|x| (x - 1.0).abs());
        println!(
            "n = {n:3}: force {:.1e} area {:.1e} peak {:.1e} Mx {:.1e} My {:.1e}",
            relative[0], relative[1], relative[2], relative[3], relative[4]
        );
        errors.push(relative);
    }
    // at n = 10 the contact is six elements wide
    assert!(errors[0].iter().all(|e| *e < 5e-5), "{:?}", errors[0]);
    // from n = 10 to n = 160, four halvings: fourth order for force and moments, at least third for the area
    let order = |k: usize| (errors[0][k] / errors[4][k]).log2() / 4.0;
    println!("orders: force {:.1} area {:.1} Mx {:.1} My {:.1}", order(0), order(1), order(3), order(4));
    assert!(order(0) > 3.7 && order(3) > 3.7 && order(4) > 3.7 && order(1) > 2.7);
    assert!(errors[4].iter().all(|e| *e < 1e-9), "{:?}", errors[4]);
}

/// Every law with the adaptive rule against the quadratures: at n = 12 the smallest contact is three elements wide.
#[test]
fn adaptive_rule_for_every_law() {
    for (law, rows) in sphere_rows() {
        for (n, tolerance) in [(12, 1e-4), (100, 1e-7)] {
            let pair = pair(flat_layer(n, 6.0 * MM, 8.0 * MM), ball(30.0 * MM), law, vertical(Rule::Adaptive));
            for (delta, force) in rows {
                let result = at(&pair, &pressed(delta * MM, 0.13 * MM, -0.21 * MM)).total;
                println!("n {n} delta {delta}: {:.1e}", (result.on_moving.f.z / force - 1.0).abs());
                close(result.on_moving.f.z, force, tolerance, "force");
            }
        }
    }
}

/// sphere_in_socket: method, delta [mm], axial force [N].
#[test]
fn socket_by_quadrature_and_by_elements() {
    use {Along::*, Distance::*};
    let linear = polyethylene(Strain::Small);
    let tangent = nonlinear(Reading::Tangent, Strain::Small);
    let rows = [
        (linear, Ray, FixedNormal, 0.05, 2803.29467109851),
        (linear, Minimum, FixedNormal, 0.05, 2803.263291383634),
        (linear, Minimum, Midsurface, 0.05, 2801.142766054281),
        (linear, Ray, FixedNormal, 0.1, 9436.20324405207),
        (linear, Minimum, FixedNormal, 0.1, 9435.97295339998),
        (linear, Minimum, Midsurface, 0.1, 9421.558334723522),
        (tangent, Ray, FixedNormal, 0.1, 6171.963008589043),
        (tangent, Minimum, FixedNormal, 0.1, 6171.86345560258),
        (tangent, Minimum, Midsurface, 0.1, 6160.809352548273),
    ];
    let angles = [(0.05, 0.5370437302202413, 439.8611194132909), (0.1, 0.7167819480474616, 768.8812400212306)];
    for (law, distance, along, delta, force) in rows {
        let exact = SphereInSocket::new(22.0 * MM, 22.3 * MM, 8.0 * MM, law).unwrap();
        let state = exact.state(delta * MM, distance, along);
        close(state.force, force, QUADRATURE, "quadrature");
        let (_, angle, area) = angles.into_iter().find(|a| a.0 == delta).unwrap();
        close(exact.half_angle(delta * MM), angle, QUADRATURE, "half angle");
        for (n, tolerance) in [(12, 1e-3), (60, 2e-6)] {
            let pair = pair(
                socket(n, 0.8, 22.3 * MM, 8.0 * MM),
                ball(22.0 * MM),
                law,
                settings(distance, along, Rule::Adaptive),
            );
            let result = at(&pair, &Pose::translation(-Vec3::z() * (0.3 + delta) * MM)).total;
            println!(
                "{distance:?} {along:?} {delta} n {n}: force {:.1e} area {:.1e}",
                result.on_moving.f.z / force - 1.0,
                result.area / (MM * MM) / area - 1.0
            );
            close(result.on_moving.f.z, force, tolerance, "elements");
            close(result.area / (MM * MM), area, 2.0 * tolerance, "area");
        }
    }
}

/// Corrected to the midsurface, both ways of measuring agree, far better than they do uncorrected.
#[test]
fn minimum_distance_and_ray_agree() {
    for (set, radius, pose) in [
        (socket(30, 0.8, 22.3 * MM, 8.0 * MM), 22.0 * MM, Pose::translation(-Vec3::z() * 0.4 * MM)),
        (flat_layer(30, 6.0 * MM, 8.0 * MM), 30.0 * MM, pressed(0.4 * MM, 0.3 * MM, 0.1 * MM)),
    ] {
        let force = |distance| {
            let pair = pair(
                set.clone(),
                ball(radius),
                polyethylene(Strain::Small),
                settings(distance, Along::Midsurface, Rule::Adaptive),
            );
            at(&pair, &pose).total.on_moving.f.z
        };
        close(force(Distance::Minimum), force(Distance::Ray), 1e-3, "both ways");
    }
}
