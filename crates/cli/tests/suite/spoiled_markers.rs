//! A real walk with the mistakes that users make, through the commands that read markers.

use crate::{Scratch, code, json, stderr, stdout};
use std::fs;
use std::path::PathBuf;
use wolff_formats::trc;
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};

/// A model and its walk; nothing where the data are not there.
struct Walk {
    scratch: Scratch,
    model: String,
    trial: MarkerTrial,
}

impl Walk {
    fn new(test: &str) -> Option<Self> {
        let data = wolff_testdata::shared("data/addbiomechanics-walk/subject01/processed")?;
        let trial = trc::read(&fs::read(data.join("walk2.trc")).unwrap()).unwrap();
        let model = data.join("optimized_scale_and_markers.osim").display().to_string();
        Some(Walk { scratch: Scratch::new(test), model, trial })
    }

    fn write(&self, trial: &MarkerTrial) -> PathBuf {
        let path = self.scratch.0.join("walk.trc");
        fs::write(&path, trc::write(trial, LengthUnit::Millimetre).unwrap()).unwrap();
        path
    }

    /// The trial with changed markers.
    fn with(&self, change: impl FnOnce(&mut Vec<Marker>)) -> MarkerTrial {
        let mut markers = self.trial.markers().to_vec();
        change(&mut markers);
        self.trial.clone().with_markers(markers).unwrap()
    }

    /// The trial with every point changed.
    fn moved(&self, change: impl Fn([f64; 3]) -> [f64; 3]) -> MarkerTrial {
        self.with(|m| m.iter_mut().flat_map(|m| &mut m.points).flatten().for_each(|p| *p = change(*p)))
    }

    /// Exit code and all text of `wolff ik`, on one line.
    fn ik(&self, more: &[&str]) -> (i32, String) {
        let options = ["ik", "--model", &self.model, "--markers", "walk.trc", "--out", "out"];
        let _ = fs::remove_dir_all(self.scratch.0.join("out"));
        let run = self.scratch.wolff(&[&options[..], more].concat());
        let text = format!("{} {}", stderr(&run), stdout(&run));
        (code(&run), text.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[track_caller]
    fn gives(&self, trial: &MarkerTrial, wanted: i32, words: &str) {
        self.write(trial);
        let (code, text) = self.ik(&[]);
        assert!(code == wanted && text.contains(words), "{wanted} `{words}`: {code} {text}");
        // a refused input leaves nothing behind
        assert_eq!(self.scratch.0.join("out").exists(), wanted != 2);
    }
}

#[test]
fn what_cannot_be_right_is_refused() {
    let Some(walk) = Walk::new("spoiled-refused") else { return };
    walk.gives(&walk.trial.clone(), 0, "ik: ok");
    walk.gives(&walk.moved(|p| p.map(|x| 1e-3 * x)), 2, "read it with --input-unit m");
    walk.gives(&walk.moved(|[x, y, z]| [x, -z, y]), 2, "--axes x,z");
    walk.gives(&walk.moved(|[x, y, z]| [x, y, -z]), 2, "right markers are to the left of their partners");
    let times = |f: &dyn Fn(f64) -> f64| {
        let new: Vec<f64> = walk.trial.times().iter().map(|t| f(*t)).collect();
        MarkerTrial::new("walk", walk.trial.rate(), new, walk.trial.markers().to_vec()).unwrap()
    };
    walk.gives(&times(&|t| 1000.0 * t), 2, "the times seem to be in ms");
    walk.gives(&times(&|t| -t), 2, "time runs backwards");
    // the user insists
    let (code, text) = walk.ik(&["--force"]);
    assert!(code == 3 && text.contains("ik: doubtful"), "{code} {text}");
}

#[test]
fn what_is_doubtful_is_told() {
    let Some(walk) = Walk::new("spoiled-told") else { return };
    let one = |change: &dyn Fn(&mut Marker)| {
        walk.with(|m| m.iter_mut().filter(|m| m.name == "RHEE" || m.name == "RCAL").for_each(change))
    };
    let shift = |m: &mut Marker| m.points.iter_mut().flatten().for_each(|p| p[0] += 0.1);
    walk.gives(&one(&shift), 3, "largest marker error, of `RCAL`");
    let freeze = |m: &mut Marker| {
        let kept = m.points[0];
        m.points.fill(kept);
    };
    walk.write(&one(&freeze));
    let (code, text) = walk.ik(&[]);
    assert!(code == 1 && text.contains("`RCAL` is at exactly the same place"), "{code} {text}");
    assert!(text.contains("failed: RMS error of the worst marker, `RCAL`"), "{text}");
    walk.gives(&walk.moved(|[x, y, z]| [x, y + 1.0, z]), 0, "above the floor");
    let reversed = walk.with(|m| m.iter_mut().for_each(|m| m.points.reverse()));
    walk.gives(&reversed, 0, "against the direction of the toes");
    let pelvis = walk.with(|m| m.retain(|m| ["RASI", "LASI", "RPSI", "LPSI"].contains(&m.name.as_str())));
    walk.gives(&pelvis, 3, "not determined by the tracked markers");
    let scaled = walk.moved(|p| p.map(|x| 1.3 * x));
    walk.write(&scaled);
    let (code, text) = walk.ik(&[]);
    assert!(code == 1 && text.contains("failed: marker error RMS"), "{code} {text}");
    assert!(walk.scratch.0.join("out-failed/report.html").exists() && !walk.scratch.0.join("out").exists());
}

/// In every command, what programs write for a lost marker is a gap and is told.
#[test]
fn values_for_lost_markers_are_gaps_in_every_command() {
    let Some(walk) = Walk::new("spoiled-zeros") else { return };
    let path = walk.write(&walk.trial);
    let text = fs::read_to_string(&path).unwrap();
    let spoil = |value: &str| {
        let rows = text.lines().enumerate().map(|(i, line)| {
            let mut cells: Vec<&str> = line.split('\t').collect();
            if (20..40).contains(&i) {
                cells[2..5].fill(value);
            }
            cells.join("\t") + "\n"
        });
        fs::write(&path, rows.collect::<String>()).unwrap();
    };
    for value in ["0", "NaN", "", "9999999"] {
        spoil(value);
        let (code, told) = walk.ik(&[]);
        assert!(code == 0 && told.contains("20 of 14272 points of tracked markers are missing"), "{value}: {told}");
        let check = stdout(&walk.scratch.wolff(&["check", "walk.trc"]));
        assert!(check.contains("1 marker has 1 gap, the longest 0.100 s"), "{value}: {check}");
        let convert = walk.scratch.wolff(&["convert", "walk.trc", "new.trc", "--json"]);
        assert!(json(&convert)["notes"].to_string().contains("1 gaps are written as gaps"), "{value}");
        let new = trc::read(&fs::read(walk.scratch.0.join("new.trc")).unwrap()).unwrap();
        assert_eq!(new.gaps().len(), 1, "{value}");
    }
}

/// Names of another set of markers: a proposal that works as it is, and options.
#[test]
fn other_names_are_mapped() {
    let Some(walk) = Walk::new("spoiled-names") else { return };
    let lower = walk.with(|m| m.iter_mut().for_each(|m| m.name = format!("{}_{}", m.name.to_lowercase(), "m")));
    walk.write(&lower);
    let options = ["ik", "--model", &walk.model, "--markers", "walk.trc", "--json"];
    let run = walk.scratch.wolff(&options);
    let help = json(&run)["errors"][0]["help"].as_str().unwrap().to_string();
    assert!(code(&run) == 2 && help.contains("--marker-map FILE"), "{help}");
    let pairs: Vec<&str> =
        help.lines().skip(1).map(|l| l.split(';').next().unwrap()).filter(|l| l.contains(", ")).collect();
    fs::write(walk.scratch.0.join("names.csv"), pairs.join("\n")).unwrap();
    let run = walk.scratch.wolff(&[&options[..], &["--marker-map", "names.csv"]].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(json(&run)["results"]["marker_rms_m"].as_f64().unwrap() < 0.01, "{}", stdout(&run));
    // names with the subject in front are those of the model
    let named = walk.with(|m| m.iter_mut().for_each(|m| m.name = format!("Subject 1:{}", m.name)));
    walk.gives(&named, 0, "`Subject 1:` was removed from the names of 64 markers");
}
