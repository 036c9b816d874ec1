//! From the names in a study to the integrators.

use wolff_document::{ConstraintTreatment, IntegratorSettings, MethodName};
use wolff_multibody::Baumgarte;
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings};
use wolff_numerics::{ConstraintLevel, MechanicalMethod, MechanicalOptions, Method, Options, Tolerance};

/// Settings of the simulation.
pub(super) fn settings(s: &IntegratorSettings) -> Settings {
    Settings {
        integrator: integrator(s),
        constraints: match s.constraints {
            ConstraintTreatment::None => ConstraintHandling::None,
            ConstraintTreatment::Baumgarte { alpha, beta } => ConstraintHandling::Baumgarte(Baumgarte { alpha, beta }),
            ConstraintTreatment::Projection => ConstraintHandling::Projection,
        },
        t_start: 0.0,
        t_end: s.duration,
        until_rest: s.until_rest,
        assemble: s.assemble,
    }
}

/// The Baumgarte constants that apply.
pub(super) fn stabilisation(s: &IntegratorSettings) -> Baumgarte {
    match s.constraints {
        ConstraintTreatment::Baumgarte { alpha, beta } => Baumgarte { alpha, beta },
        _ => Baumgarte::NONE,
    }
}

fn integrator(s: &IntegratorSettings) -> Integrator {
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
    match s.method {
        MethodName::Dop853 => ode(Method::Dop853),
        MethodName::DormandPrince => ode(Method::DormandPrince5),
        MethodName::Rk4 => ode(Method::Rk4),
        MethodName::Euler => ode(Method::Euler),
        MethodName::Abm4 => ode(Method::AdamsBashforthMoulton4),
        MethodName::Bdf => ode(Method::Bdf),
        MethodName::Newmark => mechanical(MechanicalMethod::Newmark { beta: 0.25, gamma: 0.5 }),
        MethodName::GeneralizedAlpha => mechanical(MechanicalMethod::GeneralizedAlpha { rho_inf: s.rho_infinity }),
    }
}

fn options(s: &IntegratorSettings) -> Options {
    let mut options = Options { rtol: s.rtol, atol: Tolerance::Scalar(s.atol), ..Options::default() };
    options.max_steps = s.max_steps;
    if let Some(step) = s.step {
        options.h = step;
        if !s.method.fixed_step() {
            options.h_max = step;
        }
    }
    options
}
