//! Tests of `wolff-human`, a file for a file.
