//! DICOM series: order, choice, what is missing.
