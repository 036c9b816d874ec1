//! People as multibody systems: skeletons from mass and height, their muscles, and the walk that the program carries.
