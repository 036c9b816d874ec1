//! The library from C: programs compiled with the C compiler of the system, all warnings errors, linked and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[derive(Clone, Copy)]
enum Link {
    Dynamic,
    Static,
}

/// Where cargo puts the library: next to this test, or above for `cargo build`.
fn library_folder(file: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folders: Vec<&Path> = test.ancestors().skip(1).take(2).collect();
    let found = folders.iter().find(|folder| folder.join(file).is_file());
    found.unwrap_or_else(|| panic!("{file} is in none of {folders:?}; run `cargo build -p wolff-capi`")).to_path_buf()
}

/// The compiler, if there is one.
fn compiler() -> Option<String> {
    let name = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let answers = Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success());
    wolff_testdata::needs(&format!("a C compiler `{name}`"), answers).then_some(name)
}

/// Compiles and runs a program; its output, or none without a compiler.
fn run(source: &str, link: Link) -> Option<Output> {
    let compiler = compiler()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = root.join(source);
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.file_stem()?);
    let mut command = Command::new(compiler);
    command.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-I"]).arg(root.join("include"));
    command.arg(&source).arg("-o").arg(&program);
    match link {
        Link::Dynamic => {
            let folder = library_folder(&format!("libwolff_c{}", std::env::consts::DLL_SUFFIX));
            command.arg("-L").arg(&folder).arg("-lwolff_c").arg(format!("-Wl,-rpath,{}", folder.display())).arg("-lm");
        }
        Link::Static => {
            command.arg(library_folder("libwolff_c.a").join("libwolff_c.a"));
            let system: &[&str] =
                if cfg!(target_os = "macos") { &["-lm"] } else { &["-lm", "-lpthread", "-ldl", "-lrt"] };
            command.args(system);
        }
    }
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    Some(Command::new(&program).current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap())
}

#[track_caller]
fn assert_success(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn dropped_ball_comes_to_rest_at_the_closed_form() {
    let Some(output) = run("examples/drop.c", Link::Dynamic) else { return };
    let text = assert_success(&output);
    assert!(text.contains(concat!("wolff ", env!("CARGO_PKG_VERSION"))), "{text}");
    assert!(text.contains("closed form"), "{text}");
}

#[test]
fn bad_input_to_every_function_is_refused() {
    let Some(output) = run("tests/c/misuse.c", Link::Static) else { return };
    let text = assert_success(&output);
    assert!(text.contains(" 0 failures"), "{text}");
}

#[test]
fn misuse_leaves_out_no_function() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(root.join("include/wolff.h")).unwrap();
    let misuse = std::fs::read_to_string(root.join("tests/c/misuse.c")).unwrap();
    let names = header.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.starts_with("wolff_"));
    // the version cannot fail
    for name in names.filter(|name| header.contains(&format!("{name}(")) && *name != "wolff_version") {
        assert!(misuse.contains(&format!("{name}(")), "{name} gets no bad input");
    }
}
