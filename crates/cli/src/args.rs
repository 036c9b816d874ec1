//! What may be typed.

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Flexible multibody dynamics for biomechanics.
#[derive(Debug, Parser)]
#[command(name = "wolff", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  wolff list                                   what can be run
  wolff run pendulum                           run it; the files go to runs/pendulum
  wolff verify                                 check this program against known answers

Exit codes: 0 well, 1 a run or a verification failed, 2 the input is wrong (nothing is written).")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the built-in studies, or the parameters of one study.
    #[command(after_help = "Examples:
  wolff list
  wolff list spheres                           its parameters: name, value, unit, meaning
  wolff list --json")]
    List(List),
    /// Run a study and write its run folder.
    #[command(after_help = "Examples:
  wolff run spheres
  wolff run spheres --set law=flores --set speed=\"50 cm/s\" --out runs/flores
  wolff run my-study/study.toml --json

`wolff list STUDY` shows what --set can change.")]
    Run(Run),
    /// Copy a built-in study into a new folder, to change it.
    #[command(after_help = "Example:
  wolff new spheres my-study
  wolff run my-study/study.toml")]
    New(New),
    /// Run the verification problems: value, reference, tolerance, verdict.
    #[command(after_help = "Examples:
  wolff verify
  wolff verify --only hertz
  wolff verify --json")]
    Verify(Verify),
    /// Measure speed, beside other programs where they are installed.
    #[command(after_help = "Examples:
  wolff bench
  WOLFF_PEER_PYTHON=venv/bin/python wolff bench    with the peers installed there")]
    Bench(Bench),
    /// Print completions for a shell.
    #[command(after_help = "Example:
  wolff completions bash > ~/.local/share/bash-completion/completions/wolff")]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// `wolff list`.
#[derive(Debug, Args)]
pub struct List {
    /// Built-in study or study file whose parameters are wanted.
    pub study: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Name of a built-in study, or a study file.
    pub study: String,
    /// Change a parameter; may be given many times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub set: Vec<(String, String)>,
    /// Folder for the results [default: runs/STUDY; with --json, none].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object; no folder is written unless --out is given.
    #[arg(long)]
    pub json: bool,
    /// Print nothing but warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
}

/// `wolff new`.
#[derive(Debug, Args)]
pub struct New {
    /// Name of a built-in study.
    pub study: String,
    /// Folder to make; it must not hold a study.toml yet.
    pub dir: PathBuf,
}

/// `wolff verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Only problems whose name contains this.
    #[arg(long, value_name = "ID-PATTERN")]
    pub only: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `wolff bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().into(), value.trim().into())),
        _ => Err(format!("`{text}` is not KEY=VALUE; write for example --set duration=0.5")),
    }
}
