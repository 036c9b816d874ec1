//! The recorded trials that results are compared with: where they come from, and which of them are absent.

use std::path::Path;

/// A folder of recorded trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name of the folder.
    pub folder: &'static str,
    /// What it holds.
    pub content: &'static str,
    /// Where it comes from: address, and the folders there.
    pub origin: &'static str,
    /// Its licence.
    pub licence: &'static str,
}

/// All folders that [`crate::validate`] compares results with.
pub const SOURCES: [Source; 6] = [
    Source {
        folder: "opensim-core",
        content: "inputs and expected results of OpenSim's own tests: Scale, IK, ID, Analyze, moco, momentarm and \
                  wrapping",
        origin: "https://github.com/opensim-org/opensim-core, commit 0435b081: Applications/<Tool>/tests/resources, \
                 OpenSim/Tests/Wrapping, OpenSim/Moco/Test, OpenSim/Simulation/Test",
        licence: "Apache-2.0",
    },
    Source {
        folder: "opensim-models",
        content: "generic models",
        origin: "https://github.com/opensim-org/opensim-models, commit 20a888b9: Models",
        licence: "CC BY 3.0, as stated in each file",
    },
    Source {
        folder: "gait1992-pipeline",
        content: "a walk of a model with 92 muscles: scaling, kinematics, residual reduction, dynamics, muscle forces and \
                  joint reactions",
        origin: "https://github.com/mitkof6/OpenSimRT: data/gait1992; the folder opensim-4.5.2 holds results of OpenSim \
                 4.5.2 with these files",
        licence: "GPL-3.0",
    },
    Source {
        folder: "rajagopal-walk",
        content: "a walk of a model with 80 muscles and arms",
        origin: "https://github.com/opensim-org/opensim-core, commit 0435b081: OpenSim/Examples/Moco/example3DWalking",
        licence: "Apache-2.0",
    },
    Source {
        folder: "addbiomechanics-walk",
        content: "walks of two subjects (Arnold 2013), processed by AddBiomechanics",
        origin: "https://github.com/stanfordnmbl/addbiomechanics-paper: \
                 Arnold2013Walking/{ID,Processed}/{subject01,subject02}",
        licence: "Apache-2.0",
    },
    Source {
        folder: "gait2d-invdyn",
        content: "inverse dynamics of a leg in a plane with reference results",
        origin: "https://github.com/csu-hmc/GaitAnalysisToolKit: gaitanalysis/octave/2d_inverse_dynamics/test",
        licence: "Apache-2.0",
    },
];

/// Folders of the list that are not in `data`.
pub fn missing(data: &Path) -> Vec<&'static Source> {
    SOURCES.iter().filter(|s| !data.join(s.folder).is_dir()).collect()
}

/// What is missing in `data`, and where to get it.
pub fn describe(data: &Path, missing: &[&Source]) -> String {
    let mut text = format!("recorded trials are missing in `{}`:\n", data.display());
    for s in missing {
        text.push_str(&format!("  {}: {}\n    from {}\n    licence: {}\n", s.folder, s.content, s.origin, s.licence));
    }
    text.push_str("copy them there, or give --allow-missing to compare only with what is there\n");
    text
}
