//! Results of contacts that every run has: stiffness from materials, work on surfaces from tables.

use crate::build::Built;
use serde_json::{Value, json};
use wolff_document::Study;
use wolff_multibody::ForceElement;

/// Stiffness that was computed from materials and radii \[N/m^1.5\], by contact.
pub(super) fn stiffness(study: &Study) -> impl Iterator<Item = (String, Value)> + '_ {
    let named = |contact: &wolff_document::ContactSpec| {
        contact.hertz_stiffness.map(|k| (format!("{}_stiffness_n_per_m1_5", contact.name), json!(k)))
    };
    study.contacts.iter().filter_map(named)
}

/// What was read of surfaces from tables, and how many of their points were in memory, by contact.
pub(super) fn tables(built: &Built) -> Vec<(String, Value)> {
    let contacts = built.contacts.iter().filter_map(|contact| Some((contact.name(), contact.table_work()?)));
    let rows = contacts.flat_map(|(name, work)| {
        [
            ("table_points", work.points),
            ("points_held", work.points_held),
            ("points_read", work.points_read),
            ("window_moves", work.window_moves),
            ("full_searches", work.searches),
        ]
        .map(|(quantity, count)| (format!("{name}_{quantity}"), json!(count)))
    });
    rows.collect()
}
