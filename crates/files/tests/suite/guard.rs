use std::fs;
use std::path::Path;
use wolff_files::guard::check_replaceable_files;

#[test]
fn files_of_others_are_replaced_only_on_request() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guard");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("inner")).unwrap();
    let [mine, foreign, new] = ["mine.mot", "foreign.mot", "new.mot"].map(|name| folder.join(name));
    fs::write(&mine, "a").unwrap();
    fs::write(&foreign, "b").unwrap();
    let ours = |path: &Path| path.ends_with("mine.mot");
    check_replaceable_files(&[mine.clone(), new.clone()], &ours, false).unwrap();
    let message = check_replaceable_files(&[mine, foreign.clone()], &ours, false).unwrap_err().to_string();
    assert!(message.contains("foreign.mot") && message.contains("--force"), "{message}");
    check_replaceable_files(std::slice::from_ref(&foreign), &ours, true).unwrap();
    // a folder is never replaced by a file
    assert!(check_replaceable_files(&[folder.join("inner")], &ours, true).is_err());
    assert_eq!(fs::read(foreign).unwrap(), b"b");
}
