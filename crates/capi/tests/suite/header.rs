//! The committed header is what the sources declare.

use std::path::Path;

const SOURCES: [&str; 8] = [
    "error.rs",
    "choice.rs",
    "surface.rs",
    "builder.rs",
    "contact.rs",
    "ffi/surface.rs",
    "ffi/builder.rs",
    "ffi/contact.rs",
];

/// To write the header anew, run this test with WOLFF_WRITE_HEADER=1 in the environment.
#[test]
fn header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/ffi/mod.rs"));
    let builder = SOURCES.iter().fold(builder, |b, name| b.with_src(root.join("src").join(name)));
    let mut written = Vec::new();
    builder.generate().unwrap().write(&mut written);
    let path = root.join("include/wolff.h");
    if std::env::var_os("WOLFF_WRITE_HEADER").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    // a checkout may end lines as Windows does
    let committed = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert!(
        committed == String::from_utf8(written).unwrap(),
        "include/wolff.h differs from the sources; run `WOLFF_WRITE_HEADER=1 cargo test -p wolff-capi header`, look at the change, commit it"
    );
}

#[test]
fn header_declares_every_exported_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(root.join("include/wolff.h")).unwrap();
    let files = ["mod.rs", "surface.rs", "builder.rs", "contact.rs"];
    let sources = files.map(|name| std::fs::read_to_string(root.join("src/ffi").join(name)).unwrap()).concat();
    let exported: Vec<&str> =
        sources.split("extern \"C\" fn ").skip(1).filter_map(|rest| rest.split('(').next()).collect();
    assert_eq!(exported.len(), sources.matches("#[unsafe(no_mangle)]").count());
    for name in exported {
        assert!(header.contains(&format!("{name}(")), "{name} is not in the header");
    }
}
