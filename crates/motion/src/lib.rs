//! From markers and forces to joint angles, moments and muscle forces.
