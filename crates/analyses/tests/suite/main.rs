//! Tests of analyses, one module per source file.

mod contact_poses;
