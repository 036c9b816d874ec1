//! Tests of flexible bodies, one module per source file.

mod flexible;
