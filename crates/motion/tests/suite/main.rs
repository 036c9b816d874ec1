//! Tests of `wolff-motion`, a file for a file.
