//! Tests of image files.

mod damage;
mod dicom;
mod files;
mod formats;
