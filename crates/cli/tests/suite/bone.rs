//! Options of `wolff bone`.

use crate::{Scratch, code, stderr};
use std::fs;

#[test]
fn options_that_do_not_fit_are_refused() {
    let scratch = Scratch::new("bone-options");
    fs::write(scratch.0.join("ct.nii"), [7_u8; 500]).unwrap();
    for (options, words) in [
        (&["--phantom", "3:0,4"][..], "HU:DENSITY"),
        (&["--phantom", "3:0,108:100", "--calibration", "0,0.001"], "cannot be used with"),
        (&["--phantom", "3:0,108:100", "--phantom-mineral", "chalk"], "k2hpo4"),
        (&["--rule", "v9"], "converged"),
        (&["--isotropic", "--orthotropic"], "cannot be used with"),
        (&["--inner-label", "x"], "x"),
        (&["--inner", "inner.stl"], "--inner-label"),
    ] {
        let run = scratch.wolff(&[&["bone", "ct.nii"], options].concat());
        assert_eq!(code(&run), 2, "{options:?}: {}", stderr(&run));
        assert!(stderr(&run).contains(words), "{options:?}: {}", stderr(&run));
    }
}
