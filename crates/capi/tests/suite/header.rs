//! The committed header is what the sources declare.

use std::path::Path;

/// Types, then the functions; `ffi/mod.rs` brings its files along.
const SOURCES: [&str; 6] = ["error.rs", "choice.rs", "surface.rs", "builder.rs", "contact.rs", "ffi/mod.rs"];

/// The header as the sources have it.
fn generated() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = SOURCES.iter().fold(builder, |b, name| b.with_src(root.join("src").join(name)));
    let mut written = Vec::new();
    builder.generate().unwrap().write(&mut written);
    String::from_utf8(written).unwrap()
}

/// To update the header, run this test with WOLFF_WRITE_HEADER=1 in the environment.
#[test]
fn header_is_that_of_the_sources() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/wolff.h");
    if std::env::var_os("WOLFF_WRITE_HEADER").is_some() {
        std::fs::write(&path, generated()).unwrap();
    }
    // a checkout may end lines as Windows does
    let committed = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(
        committed == generated(),
        "include/wolff.h differs from the sources; run `WOLFF_WRITE_HEADER=1 cargo test -p wolff-capi header`, check the \
         change, commit it"
    );
}

#[test]
fn every_exported_function_is_declared_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi");
    let files = ["mod.rs", "surface.rs", "builder.rs", "contact.rs"];
    let sources = files.map(|name| std::fs::read_to_string(folder.join(name)).unwrap()).concat();
    let exported: Vec<&str> =
        sources.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next()).collect();
    assert_eq!(exported.len(), sources.matches("#[unsafe(no_mangle)]").count());
    let header = generated();
    for name in exported {
        assert_eq!(header.matches(&format!("{name}(")).count(), 1, "{name}");
    }
}
