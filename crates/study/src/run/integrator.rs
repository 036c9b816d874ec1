//! From the names in a study to the integrators.

use wolff_document::{ConstraintTreatment, IntegratorSettings, MethodName};
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings};
use wolff_multibody::{Baumgarte, Penalty};
use wolff_numerics::{ConstraintLevel, MechanicalMethod, MechanicalOptions, Method, Options, Tolerance};

/// Settings of the simulation; none for a kinematic analysis.
pub(super) fn settings(s: &IntegratorSettings) -> Option<Settings> {
    Some(Settings {
        integrator: integrator(s)?,
        constraints: handling(s),
        t_start: 0.0,
        t_end: s.duration,
        until_rest: s.until_rest,
        assemble: s.assemble,
    })
}

fn handling(s: &IntegratorSettings) -> ConstraintHandling {
    match s.constraints {
        ConstraintTreatment::None => ConstraintHandling::None,
        ConstraintTreatment::Baumgarte { alpha, beta } => ConstraintHandling::Baumgarte(Baumgarte { alpha, beta }),
        ConstraintTreatment::Projection => ConstraintHandling::Projection,
        ConstraintTreatment::AugmentedLagrangian { penalty, omega, mu, iterations, tolerance } => {
            ConstraintHandling::AugmentedLagrangian(Penalty { penalty, omega, mu, iterations, tolerance })
        }
        ConstraintTreatment::CoordinatePartitioning { renew_below } => {
            ConstraintHandling::CoordinatePartitioning { renew_below }
        }
    }
}

/// The feedback of violations that applies.
pub(super) fn stabilisation(s: &IntegratorSettings) -> Baumgarte {
    match handling(s) {
        _ if s.method == MethodName::Kinematic => Baumgarte::NONE,
        ConstraintHandling::Baumgarte(feedback) => feedback,
        ConstraintHandling::AugmentedLagrangian(penalty) => penalty.feedback(),
        _ => Baumgarte::NONE,
    }
}

fn integrator(s: &IntegratorSettings) -> Option<Integrator> {
    let ode = |method| Integrator::Ode(method, options(s));
    let mechanical = |method| {
        Integrator::Mechanical(MechanicalOptions {
            method,
            level: match s.index {
                1 => ConstraintLevel::Index1,
                2 => ConstraintLevel::Index2,
                _ => ConstraintLevel::Index3,
            },
            h: s.step.unwrap_or(1e-3),
            max_steps: s.max_steps,
            ..Default::default()
        })
    };
    Some(match s.method {
        MethodName::Dop853 => ode(Method::Dop853),
        MethodName::DormandPrince => ode(Method::DormandPrince5),
        MethodName::Rk4 => ode(Method::Rk4),
        MethodName::Euler => ode(Method::Euler),
        MethodName::Abm4 => ode(Method::AdamsBashforthMoulton4),
        MethodName::Adams => ode(Method::Adams),
        MethodName::Bdf => ode(Method::Bdf),
        MethodName::Newmark => mechanical(MechanicalMethod::Newmark { beta: 0.25, gamma: 0.5 }),
        MethodName::GeneralizedAlpha => mechanical(MechanicalMethod::GeneralizedAlpha { rho_inf: s.rho_infinity }),
        MethodName::Kinematic => return None,
    })
}

fn options(s: &IntegratorSettings) -> Options {
    let mut options = Options { rtol: s.rtol, atol: Tolerance::Scalar(s.atol), ..Options::default() };
    options.max_steps = s.max_steps;
    options.max_order = s.max_order;
    if let Some(step) = s.step {
        options.h = step;
        if !s.method.fixed_step() {
            options.h_max = step;
        }
    }
    options
}
