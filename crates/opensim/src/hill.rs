//! Hill parameters and curves of OpenSim's classes of muscles.

use crate::OpensimError;
use wolff_formats::osim::{OsimCurve, OsimFunction, OsimMuscle, OsimPoints};
use wolff_muscle::hill::{
    Activation, ActiveShape, DeGrooteCurves, MillardCurves, MillardShape, PassiveShape, SchutteCurves, TendonShape,
    ThelenCurves, VelocityShape,
};
use wolff_muscle::{Curves, HillParameters};

/// Minimum activation \[-\] where the file allows zero, which the Hill muscle does not support (chosen here: the force
/// is negligible).
const LEAST_ACTIVATION: f64 = 1e-6;

/// Families of classes with the same curves.
#[derive(Clone, Copy, PartialEq)]
enum Family {
    Thelen,
    Millard,
    DeGroote,
    Schutte,
    Rigid,
}

fn family(class: &str) -> Option<Family> {
    Some(match class {
        "Thelen2003Muscle" | "Thelen2003Muscle_Deprecated" => Family::Thelen,
        "Millard2012EquilibriumMuscle" | "Millard2012AccelerationMuscle" => Family::Millard,
        "DeGrooteFregly2016Muscle" => Family::DeGroote,
        "Schutte1993Muscle" | "Schutte1993Muscle_Deprecated" | "Delp1990Muscle_Deprecated" => Family::Schutte,
        "RigidTendonMuscle" => Family::Rigid,
        _ => return None,
    })
}

/// The curves of a muscle's class with the values of the file; `None` for unknown classes.
pub(crate) fn curves(name: &str, muscle: &OsimMuscle) -> Result<Option<Curves>, OpensimError> {
    let Some(family) = family(&muscle.class) else { return Ok(None) };
    Ok(Some(match family {
        Family::Thelen => Curves::Thelen(thelen(muscle)),
        Family::Millard => Curves::Millard(Box::new(MillardCurves::new(name, &millard(muscle))?)),
        Family::Rigid => Curves::Millard(Box::new(MillardCurves::new(name, &MillardShape::default())?)),
        Family::DeGroote => Curves::DeGroote(degroote(muscle)),
        Family::Schutte => Curves::Schutte(Box::new(schutte(name, muscle)?)),
    }))
}

/// Difference of the muscle from its class in OpenSim.
pub(crate) fn differs(muscle: &OsimMuscle) -> Option<&'static str> {
    let flag = |name: &str| muscle.parameter(name) == Some(1.0);
    match family(&muscle.class)? {
        Family::Rigid => Some("has the curves of Millard's muscle, in OpenSim older splines"),
        Family::DeGroote if flag("ignore_passive_fiber_force") => Some("has the passive force that the file ignores"),
        _ if muscle.class.ends_with("AccelerationMuscle") => Some("has no mass, and Millard's equilibrium instead"),
        _ => None,
    }
}

/// Parameters common to all classes, with the defaults of each class.
pub(crate) fn parameters(muscle: &OsimMuscle) -> HillParameters {
    let own = |name: &str, default: f64| muscle.parameter(name).unwrap_or(default);
    let family = family(&muscle.class);
    let usual =
        HillParameters::new(muscle.max_isometric_force, muscle.optimal_fiber_length, muscle.tendon_slack_length);
    let damping = match family {
        Some(Family::Millard) => own("fiber_damping", 0.1),
        Some(Family::DeGroote) => own("fiber_damping", 0.0),
        Some(Family::Schutte) => own("damping", 0.1),
        _ => 0.0,
    };
    let elastic_without_damping = family == Some(Family::Millard) && !muscle.ignore_tendon_compliance && damping < 1e-3;
    HillParameters {
        pennation_angle: muscle.pennation_angle,
        max_velocity: muscle.max_contraction_velocity,
        // without damping OpenSim uses another model; the minimum damping here is close to it
        damping: if elastic_without_damping { 1e-3 } else { damping },
        min_activation: own("minimum_activation", usual.min_activation).max(LEAST_ACTIVATION),
        max_pennation_angle: own("maximum_pennation_angle", usual.max_pennation_angle),
        rigid_tendon: muscle.ignore_tendon_compliance || family == Some(Family::Rigid),
        ..usual
    }
}

/// Activation dynamics with the defaults of each class.
pub(crate) fn activation(muscle: &OsimMuscle) -> Activation {
    let own = |name: &str, default: f64| muscle.parameter(name).unwrap_or(default);
    let first_order = |rise: f64, fall: f64| Activation::FirstOrder {
        rise: own("activation_time_constant", rise),
        fall: own("deactivation_time_constant", fall),
        minimum: own("minimum_activation", 0.01),
    };
    match family(&muscle.class) {
        Some(Family::Thelen) => first_order(0.015, 0.050),
        Some(Family::DeGroote) => Activation::Smooth {
            rise: own("activation_time_constant", 0.015),
            fall: own("deactivation_time_constant", 0.060),
            steepness: own("activation_dynamics_smoothing", 0.1),
        },
        Some(Family::Schutte) => Activation::Schutte {
            rise_rate: own("activation1", 7.667),
            rate: own("activation2", 1.459854),
            time_scale: own("time_scale", 0.1),
        },
        _ => first_order(0.010, 0.040),
    }
}

fn thelen(muscle: &OsimMuscle) -> ThelenCurves {
    let own = |name: &str, default: f64| muscle.parameter(name).unwrap_or(default);
    let usual = ThelenCurves::default();
    ThelenCurves {
        tendon_strain: own("FmaxTendonStrain", usual.tendon_strain),
        passive_strain: own("FmaxMuscleStrain", usual.passive_strain),
        active_width: own("KshapeActive", usual.active_width),
        passive_exponent: own("KshapePassive", usual.passive_exponent),
        velocity_curvature: own("Af", usual.velocity_curvature),
        lengthening_force: own("Flen", usual.lengthening_force),
        straight_from: own("fv_linear_extrap_threshold", usual.straight_from),
    }
}

fn degroote(muscle: &OsimMuscle) -> DeGrooteCurves {
    let own = |name: &str, default: f64| muscle.parameter(name).unwrap_or(default);
    let usual = DeGrooteCurves::default();
    DeGrooteCurves {
        tendon_strain: own("tendon_strain_at_one_norm_force", usual.tendon_strain),
        passive_strain: own("passive_fiber_strain_at_one_norm_force", usual.passive_strain),
        active_width: own("active_force_width_scale", usual.active_width),
    }
}

/// A curve of a muscle by its class.
fn curve_of<'a>(muscle: &'a OsimMuscle, class: &str) -> impl Fn(&str) -> Option<f64> + use<'a> {
    let parameters = muscle.curves.iter().find(|c| c.class == class).map(|c| c.parameters.as_slice());
    move |name: &str| parameters?.iter().find(|(n, _)| n == name).map(|(_, x)| *x).filter(|x| !x.is_nan())
}

/// Shapes of the four curves; the active one has no floor, as in OpenSim with damping or a rigid tendon.
fn millard(muscle: &OsimMuscle) -> MillardShape {
    let usual = MillardShape::default();
    let (active, passive) = (curve_of(muscle, "ActiveForceLengthCurve"), curve_of(muscle, "FiberForceLengthCurve"));
    let (tendon, velocity) = (curve_of(muscle, "TendonForceLengthCurve"), curve_of(muscle, "ForceVelocityCurve"));
    let fibre = PassiveShape::with_strains(
        passive("strain_at_zero_force").unwrap_or(0.0),
        passive("strain_at_one_norm_force").unwrap_or(0.7),
    );
    let cord = TendonShape::with_strain(tendon("strain_at_one_norm_force").unwrap_or(0.049));
    let v = usual.velocity;
    MillardShape {
        active: ActiveShape {
            shortest: active("min_norm_active_fiber_length").unwrap_or(usual.active.shortest),
            transition: active("transition_norm_fiber_length").unwrap_or(usual.active.transition),
            longest: active("max_norm_active_fiber_length").unwrap_or(usual.active.longest),
            shallow_slope: active("shallow_ascending_slope").unwrap_or(usual.active.shallow_slope),
            minimum: 0.0,
        },
        passive: PassiveShape {
            low_slope: passive("stiffness_at_low_force").unwrap_or(fibre.low_slope),
            slope_at_one: passive("stiffness_at_one_norm_force").unwrap_or(fibre.slope_at_one),
            curviness: passive("curviness").unwrap_or(fibre.curviness),
            ..fibre
        },
        tendon: TendonShape {
            slope_at_one: tendon("stiffness_at_one_norm_force").unwrap_or(cord.slope_at_one),
            force_at_toe_end: tendon("norm_force_at_toe_end").unwrap_or(cord.force_at_toe_end),
            curviness: tendon("curviness").unwrap_or(cord.curviness),
            ..cord
        },
        velocity: VelocityShape {
            shortening_slope_at_vmax: velocity("concentric_slope_at_vmax").unwrap_or(v.shortening_slope_at_vmax),
            shortening_slope_near_vmax: velocity("concentric_slope_near_vmax").unwrap_or(v.shortening_slope_near_vmax),
            isometric_slope: velocity("isometric_slope").unwrap_or(v.isometric_slope),
            lengthening_slope_at_vmax: velocity("eccentric_slope_at_vmax").unwrap_or(v.lengthening_slope_at_vmax),
            lengthening_slope_near_vmax: velocity("eccentric_slope_near_vmax").unwrap_or(v.lengthening_slope_near_vmax),
            lengthening_force: velocity("max_eccentric_velocity_force_multiplier").unwrap_or(v.lengthening_force),
            shortening_curviness: velocity("concentric_curviness").unwrap_or(v.shortening_curviness),
            lengthening_curviness: velocity("eccentric_curviness").unwrap_or(v.lengthening_curviness),
        },
    }
}

/// Tables of the file where it has them.
fn schutte(name: &str, muscle: &OsimMuscle) -> Result<SchutteCurves, OpensimError> {
    let table = |curve: &str| {
        let found = muscle.curves.iter().find(|c: &&OsimCurve| c.name == curve);
        found.and_then(|c| points(c.function.as_ref()?)).map(|p| (p.x.as_slice(), p.y.as_slice()))
    };
    match (table("active_force_length_curve"), table("tendon_force_length_curve")) {
        (Some(active), Some(tendon)) => {
            Ok(SchutteCurves::with_tables(name, active, table("passive_force_length_curve"), tendon)?)
        }
        _ => Ok(SchutteCurves::new()?),
    }
}

fn points(f: &OsimFunction) -> Option<&OsimPoints> {
    match f {
        OsimFunction::SimmSpline(points) | OsimFunction::GcvSpline { points, .. } => Some(points),
        _ => None,
    }
}
