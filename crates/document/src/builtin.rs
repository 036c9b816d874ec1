//! The built-in studies.

/// Name and text of every built-in study, in the order they are listed.
pub const BUILTIN: [(&str, &str); 28] = [
    ("walk", include_str!("../studies/walk.toml")),
    ("spheres", include_str!("../studies/spheres.toml")),
    ("slider-crank", include_str!("../studies/slider-crank.toml")),
    ("human-sagittal", include_str!("../studies/human-sagittal.toml")),
    ("bouncing-ball", include_str!("../studies/bouncing-ball.toml")),
    ("bouncing-ball-table", include_str!("../studies/bouncing-ball-table.toml")),
    ("bouncing-ball-foundation", include_str!("../studies/bouncing-ball-foundation.toml")),
    ("bouncing-ball-models", include_str!("../studies/bouncing-ball-models.toml")),
    ("knee-2d", include_str!("../studies/knee-2d.toml")),
    ("knee-3d", include_str!("../studies/knee-3d.toml")),
    ("pendulum", include_str!("../studies/pendulum.toml")),
    ("double-pendulum", include_str!("../studies/double-pendulum.toml")),
    ("four-bar", include_str!("../studies/four-bar.toml")),
    ("andrews", include_str!("../studies/andrews.toml")),
    ("bricard", include_str!("../studies/bricard.toml")),
    ("flyball", include_str!("../studies/flyball.toml")),
    ("heavy-top", include_str!("../studies/heavy-top.toml")),
    ("free-body", include_str!("../studies/free-body.toml")),
    ("knee-four-bar", include_str!("../studies/knee-four-bar.toml")),
    ("knee-natural", include_str!("../studies/knee-natural.toml")),
    ("knee-artificial", include_str!("../studies/knee-artificial.toml")),
    ("tube-modes", include_str!("../studies/tube-modes.toml")),
    ("cantilever", include_str!("../studies/cantilever.toml")),
    ("flexible-pendulum", include_str!("../studies/flexible-pendulum.toml")),
    ("shank-ways", include_str!("../studies/shank-ways.toml")),
    ("spin-up", include_str!("../studies/spin-up.toml")),
    ("sole-raise", include_str!("../studies/sole-raise.toml")),
    ("flexible-slider-crank", include_str!("../studies/flexible-slider-crank.toml")),
];

/// Text of a built-in study.
pub fn builtin(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}
