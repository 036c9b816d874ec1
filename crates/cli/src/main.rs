//! The `wolff` program: reads the arguments and makes one library call per command.

mod args;
mod check;
mod contact;
mod continuing;
mod convert;
mod dynamics;
mod failure;
mod ik;
mod interrupt;
mod list;
mod mesh;
mod modes;
mod new;
mod output;
mod run;
mod scale;
mod source;
mod verify;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use clap_complete::Shell;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let json = wants_json(&cli.command);
    let done = match cli.command {
        Command::List(args) => list::list(&args),
        Command::Run(args) => run::run(&args),
        Command::New(args) => new::new(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Mesh { command } => mesh::mesh(&command),
        Command::Modes(args) => modes::modes(&args),
        Command::Contact(args) => contact::contact(&args),
        Command::Id(args) => dynamics::id(&args),
        Command::Rra(args) => dynamics::rra(&args),
        Command::So(args) => dynamics::so(&args),
        Command::Reactions(args) => dynamics::reactions(&args),
        Command::Muscle(args) => dynamics::muscle(&args),
        Command::Ik(args) => ik::ik(&args),
        Command::Scale(args) => scale::scale(&args),
        Command::Check(args) => check::check(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Completions { shell } => completions(shell),
    };
    done.unwrap_or_else(|failure| show(&failure, json))
}

fn wants_json(command: &Command) -> bool {
    match command {
        Command::List(args) => args.json,
        Command::Run(args) => args.json,
        Command::Verify(args) => args.json,
        Command::Mesh { command } => mesh::wants_json(command),
        Command::Modes(args) => args.output.json,
        Command::Contact(args) => args.json,
        Command::Id(args) => args.inputs.json,
        Command::Rra(args) => args.inputs.json,
        Command::So(args) => args.inputs.json,
        Command::Reactions(args) => args.inputs.json,
        Command::Muscle(args) => args.inputs.json,
        Command::Ik(args) => args.json,
        Command::Scale(args) => args.json,
        Command::Check(args) => args.json,
        Command::Convert(args) => args.json,
        Command::New(_) | Command::Completions { .. } => false,
    }
}

/// Shows a failure as text on standard error, and with --json also as JSON on standard output.
fn show(failure: &Failure, json: bool) -> ExitCode {
    let mut out = std::io::stderr().lock();
    for report in failure.reports() {
        // if standard error is closed, the failure cannot be reported
        let _ = writeln!(out, "{report:?}");
    }
    if json {
        let _ = output::print_json(&failure.to_json());
    }
    failure.exit_code()
}

fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "wolff", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
