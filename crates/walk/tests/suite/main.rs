//! Tests of `wolff-walk`, a file for a file.
