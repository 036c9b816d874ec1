//! The `wolff` program: reads the arguments and makes one library call per command.

mod answer;
mod args;
mod bone;
mod check;
mod contact;
mod continuing;
mod convert;
mod dynamics;
mod failure;
mod help;
mod ik;
mod interrupt;
mod list;
mod mesh;
mod mesh_file;
mod modes;
mod new;
mod number;
mod output;
mod overwrite;
mod recorded;
mod run;
mod run_text;
mod scale;
mod source;
mod surface;
mod table;
mod time_range;
mod verify;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use clap_complete::Shell;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let read = help::fitted(Cli::command()).try_get_matches().and_then(|m| Cli::from_arg_matches(&m));
    let cli = read.unwrap_or_else(|error| refuse_usage(&error));
    let json = wants_json(&cli.command);
    let name = name_of(&cli.command);
    interrupt::report_files_beyond_limit();
    let done = match cli.command {
        Command::List(args) => list::list(&args),
        Command::Run(args) => run::run(&args),
        Command::New(args) => new::new(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Mesh { command } => mesh::mesh(&command),
        Command::Surface { command } => surface::surface(&command),
        Command::Modes(args) => modes::modes(&args),
        Command::Bone(args) => bone::bone(&args),
        Command::Contact(args) => contact::contact(&args),
        Command::Id(args) => dynamics::id(&args),
        Command::Rra(args) => dynamics::rra(&args),
        Command::So(args) => dynamics::so(&args),
        Command::Cmc(args) => dynamics::cmc(&args),
        Command::Forward(args) => dynamics::forward(&args),
        Command::Reactions(args) => dynamics::reactions(&args),
        Command::Muscle(args) => dynamics::muscle(&args),
        Command::Ik(args) => ik::ik(&args),
        Command::Scale(args) => scale::scale(&args),
        Command::Check(args) => check::check(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Completions { shell } => completions(shell),
    };
    done.unwrap_or_else(|failure| show(&failure, json, &name))
}

/// Shows help, the version or an error of usage, the latter with --json also as JSON, and ends the program.
fn refuse_usage(error: &clap::Error) -> ! {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    if error.use_stderr() && arguments.iter().any(|a| a == "--json") {
        let command = arguments.iter().find(|a| !a.starts_with('-')).cloned().unwrap_or_default();
        let text = error.to_string();
        let (message, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        let message = message.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = output::print_json(&Failure::usage(message, rest.trim()).to_json("command", &command));
    }
    error.exit()
}

fn wants_json(command: &Command) -> bool {
    match command {
        Command::List(args) => args.json,
        Command::Run(args) => args.json,
        Command::Verify(args) => args.json,
        Command::Mesh { command } => mesh::wants_json(command),
        Command::Surface { command } => surface::wants_json(command),
        Command::Modes(args) => args.output.json,
        Command::Bone(args) => args.json,
        Command::Contact(args) => args.json,
        Command::Id(args) => args.inputs.json,
        Command::Rra(args) => args.inputs.json,
        Command::So(args) => args.inputs.json,
        Command::Cmc(args) => args.inputs.json,
        Command::Forward(args) => args.json,
        Command::Reactions(args) => args.inputs.json,
        Command::Muscle(args) => args.inputs.json,
        Command::Ik(args) => args.json,
        Command::Scale(args) => args.json,
        Command::Check(args) => args.json,
        Command::Convert(args) => args.json,
        Command::New(args) => args.json,
        Command::Completions { .. } => false,
    }
}

/// The key `study` or `command` of the JSON object, and the name of the study or command.
fn name_of(command: &Command) -> (&'static str, String) {
    let name = match command {
        Command::Run(args) => return ("study", args.study.clone()),
        Command::List(_) => "list",
        Command::New(_) => "new",
        Command::Verify(_) => "verify",
        Command::Mesh { .. } => "mesh",
        Command::Surface { .. } => "surface",
        Command::Modes(_) => "modes",
        Command::Bone(_) => "bone",
        Command::Contact(_) => "contact",
        Command::Id(_) => "id",
        Command::Rra(_) => "rra",
        Command::So(_) => "so",
        Command::Cmc(_) => "cmc",
        Command::Forward(_) => "forward",
        Command::Reactions(_) => "reactions",
        Command::Muscle(_) => "muscle",
        Command::Ik(_) => "ik",
        Command::Scale(_) => "scale",
        Command::Check(_) => "check",
        Command::Convert(_) => "convert",
        Command::Completions { .. } => "completions",
    };
    ("command", name.into())
}

/// Shows a failure as text on standard error, and with --json also as JSON on standard output.
fn show(failure: &Failure, json: bool, (key, name): &(&str, String)) -> ExitCode {
    let mut out = std::io::stderr().lock();
    for report in failure.reports() {
        // if standard error is closed, the failure cannot be reported
        let _ = writeln!(out, "{report:?}");
    }
    if json {
        let _ = output::print_json(&failure.to_json(key, name));
    }
    failure.exit_code()
}

fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "wolff", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
