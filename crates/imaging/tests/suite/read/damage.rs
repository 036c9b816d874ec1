//! Damaged files give an error or a volume, never a panic.
