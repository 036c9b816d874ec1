//! What was done, in sentences: the description of the study file, then what ran.

use wolff_document::{MethodName, Study};

/// The description of the study, the files that took the place of built-in data, and the integration.
pub(super) fn method(study: &Study, simulated: f64) -> Vec<String> {
    let mut text = vec![study.about.clone()];
    let files: Vec<String> = study
        .inputs
        .iter()
        .filter(|input| !input.parameter.is_empty())
        .map(|input| format!("`{}` from `{}`", input.parameter, input.name))
        .collect();
    if !files.is_empty() {
        text.push(format!("This run read {}; they take the place of what is built in.", files.join(", ")));
    }
    text.push(integration(study, simulated));
    text
}

fn integration(study: &Study, simulated: f64) -> String {
    let s = &study.integrator;
    if s.method == MethodName::Kinematic {
        return format!(
            "Positions, velocities and accelerations over {simulated:.4} s follow from the constraints and drivers \
             alone; masses and forces have no effect on them. Forces are those that this motion requires; contacts of `[[contact]]` do not act."
        );
    }
    let name = MethodName::ALL.iter().find(|(method, _)| *method == s.method).map_or("", |(_, name)| name);
    let accuracy = match s.step {
        Some(step) if s.method.fixed_step() => format!("steps of {step:.3e} s"),
        _ => format!("a relative tolerance of {:.0e}", s.rtol),
    };
    let end = match s.until_rest {
        Some(limit) => format!(", until all accelerations were below {limit:.0e} m/s² or rad/s²"),
        None => String::new(),
    };
    format!(
        "The equations of motion were integrated over {simulated:.4} s with the method `{name}` and {accuracy}{end}."
    )
}
