//! From options to the recipe of a body.

use super::args::{Modes, ReductionArgs, SolidArgs};
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use wolff_bone::flexible::{FlexibleSource, InterfaceKind, MaterialChoice, Recipe, SolidSource, Solver};
use wolff_bone::parametric::{Bone, BoneKind, Sex};
use wolff_fem::reduce::Selection;
use wolff_files::input;
use wolff_spatial::Vec3;
use wolff_study::document::parse_flexible_body;

/// Default number of modes to compute.
const DEFAULT_MODES: usize = 8;

/// Default critical damping ratio.
const DEFAULT_DAMPING: f64 = 0.01;

/// The requested reduction.
pub struct Request {
    /// Name of the body.
    pub name: String,
    /// The recipe of its reduction.
    pub recipe: Recipe,
    /// Critical damping ratio of every mode.
    pub damping: f64,
}

impl Request {
    /// Whether the modes are those of the free solid.
    pub fn free(&self) -> bool {
        self.recipe.interface_kind == InterfaceKind::Free
    }

    /// The mesh file, if the solid has one.
    pub fn mesh_file(&self) -> Option<&Path> {
        match &self.recipe.solid {
            SolidSource::Mesh { path, .. } => Some(path),
            SolidSource::Bone(_) => None,
        }
    }
}

/// Interprets the options.
pub fn request(args: &Modes) -> Result<Request, Failure> {
    let name = args.output.name.clone().unwrap_or_else(|| stem(&args.mesh));
    let (mut recipe, damping) = starting_point(&args.mesh, &name)?;
    set_solid(&mut recipe, &args.solid)?;
    set_material(&mut recipe.material, &args.solid)?;
    recipe.mass = args.solid.mass.or(recipe.mass);
    set_reduction(&mut recipe, &args.reduction)?;
    recipe.solver.surface = true;
    Ok(Request { name, recipe, damping: args.reduction.damping.unwrap_or(damping) })
}

/// `shank` of `meshes/shank.inp.gz`.
fn stem(mesh: &str) -> String {
    let name = Path::new(mesh).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let whole = name.strip_suffix(".gz").unwrap_or(&name);
    let stem = whole.rsplit_once('.').map_or(whole, |(stem, _)| stem);
    if stem.is_empty() { "body".into() } else { stem.into() }
}

/// The recipe of a bone, a mesh file or a .toml file, with its damping, before options are applied.
fn starting_point(mesh: &str, name: &str) -> Result<(Recipe, f64), Failure> {
    let of_kind = |kind| Some(Bone::new(kind, Sex::Male));
    let bone = match mesh {
        "tube" => of_kind(BoneKind::SHANK_TUBE),
        "flared-tube" => Some(Bone::flared_tube()),
        "tibia" => of_kind(BoneKind::Tibia),
        "femur" => of_kind(BoneKind::Femur),
        _ => None,
    };
    let solid = match bone {
        Some(bone) => SolidSource::Bone(bone),
        None if Path::new(mesh).extension().is_some_and(|e| e.eq_ignore_ascii_case("toml")) => {
            return from_toml(mesh, name);
        }
        None => SolidSource::Mesh { path: PathBuf::from(mesh), part: None, scale: 1.0, axis: Vec3::z() },
    };
    let recipe = Recipe {
        solid,
        material: MaterialChoice::cortical(),
        mass: None,
        interfaces: Vec::new(),
        interface_kind: InterfaceKind::Free,
        points: Vec::new(),
        gauges: Vec::new(),
        solver: Solver::plain(DEFAULT_MODES),
    };
    Ok((recipe, DEFAULT_DAMPING))
}

fn from_toml(file: &str, name: &str) -> Result<(Recipe, f64), Failure> {
    let path = Path::new(file);
    let text = input::read_to_string(path).map_err(|cause| Failure::Unreadable { path: path.into(), cause })?;
    let base_dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let body = parse_flexible_body(file, &text, &base_dir, name)?;
    let FlexibleSource::Solid(mut recipe) = body.source else {
        return Err(Failure::usage(
            format!("`{file}` defines no solid"),
            "write kind = \"bone\" or kind = \"mesh\"; modes of beams and of files of bodies are known already",
        ));
    };
    if recipe.interfaces.is_empty() {
        recipe.interface_kind = InterfaceKind::Free;
    }
    if let Some(share) = body.strain_energy {
        recipe.solver.selection = Selection::StrainEnergy { share, loads: Vec::new() };
    }
    Ok((*recipe, body.damping_ratio))
}

fn set_solid(recipe: &mut Recipe, args: &SolidArgs) -> Result<(), Failure> {
    let direction = args.direction()?;
    match &mut recipe.solid {
        SolidSource::Bone(bone) => {
            if args.file.given_unit().is_some() || direction.is_some() || args.file.part.is_some() {
                let help = "a built-in bone is in m and along y; omit the option";
                return Err(Failure::usage("--scale, --unit, --part and --axis are for mesh files", help));
            }
            // breadths in proportion
            *bone = bone.stretched(args.length.unwrap_or(bone.length), 1.0);
        }
        SolidSource::Mesh { part, scale, axis, .. } => {
            if args.length.is_some() {
                return Err(Failure::usage("--length is for the built-in bones", "scale a mesh with --scale"));
            }
            *scale = args.file.given_unit().unwrap_or(*scale);
            *part = args.file.part.clone().or(part.take());
            *axis = direction.unwrap_or(*axis);
        }
    }
    Ok(())
}

fn set_material(material: &mut MaterialChoice, args: &SolidArgs) -> Result<(), Failure> {
    let isotropic = args.young.is_some() || args.poisson.is_some();
    let transverse = args.transverse.is_given();
    if isotropic && transverse {
        return Err(Failure::usage(
            "--young and --poisson are of an isotropic material, --young-axial and the like of a transversely isotropic one",
            "give the constants of one of them",
        ));
    }
    let implied = match (isotropic, transverse) {
        (true, _) => Some(("isotropic", "--young and --poisson")),
        (_, true) => Some(("transversely-isotropic", "--young-axial and the like")),
        _ => None,
    };
    match (&args.material, implied) {
        (Some(name), Some((kind, options))) if name != kind => {
            return Err(Failure::usage(
                format!("{options} belong to --material {kind}, not {name}"),
                "omit --material, or the constants",
            ));
        }
        (Some(name), _) => material.name.clone_from(name),
        (None, Some((kind, _))) => material.name = kind.into(),
        (None, None) => {}
    }
    material.young = args.young.unwrap_or(material.young);
    material.poisson = args.poisson.unwrap_or(material.poisson);
    material.transverse = args.transverse.over(material.transverse);
    material.density = args.density.or(material.density);
    Ok(())
}

fn set_reduction(recipe: &mut Recipe, args: &ReductionArgs) -> Result<(), Failure> {
    if !args.interface.is_empty() {
        recipe.interfaces.clone_from(&args.interface);
        recipe.interface_kind = InterfaceKind::Rigid;
    }
    if args.free {
        recipe.interfaces.clear();
        recipe.interface_kind = InterfaceKind::Free;
    }
    let free = recipe.interface_kind == InterfaceKind::Free;
    match &args.kind {
        Some(_) if free => {
            return Err(Failure::usage("--kind applies to interfaces only", "add --interface NAME=SELECTOR"));
        }
        Some(kind) if kind == "average" => recipe.interface_kind = InterfaceKind::Average,
        Some(_) => recipe.interface_kind = InterfaceKind::Rigid,
        None => {}
    }
    recipe.points.extend(args.point.iter().map(|point| point.0.clone()));
    recipe.gauges.extend(args.gauge.iter().map(|gauge| gauge.0.clone()));
    recipe.solver.fixed_modes = computed_modes(free, args)?.unwrap_or(recipe.solver.fixed_modes);
    recipe.solver.check = args.check;
    recipe.solver.relief |= args.relief;
    recipe.solver.stiffening |= args.stiffening;
    if let Some(selection) = selection(args) {
        recipe.solver.selection = selection;
    }
    let by_load = matches!(recipe.solver.selection, Selection::StrainEnergy { .. });
    if by_load && free && recipe.points.is_empty() {
        return Err(Failure::usage(
            "modes are selected by the strain energy of loads, but there is no interface or point for a load",
            "add --interface NAME=SELECTOR or --point NAME=x,y,z",
        ));
    }
    let compares = args.check || args.gauge_tolerance.is_some();
    if compares && (recipe.gauges.is_empty() || (free && recipe.points.is_empty())) {
        return Err(Failure::usage(
            "--check and --gauge-tolerance compare strains under loads",
            "add --gauge NAME=x,y,z, and --interface NAME=SELECTOR or --point NAME=x,y,z for the loads",
        ));
    }
    Ok(())
}

/// The selection of modes, if given; the parser ensures that there is at most one.
fn selection(args: &ReductionArgs) -> Option<Selection> {
    let count = args.modes.map(Selection::Count);
    let up_to = args.max_frequency.map(Selection::UpTo);
    let converged = args.gauge_tolerance.map(|tolerance| Selection::GaugeConvergence { tolerance, loads: Vec::new() });
    let energetic = args.strain_energy.map(|share| Selection::StrainEnergy { share, loads: Vec::new() });
    count.or(up_to).or(converged).or(energetic)
}

/// Number of modes to compute, if given.
fn computed_modes(free: bool, args: &ReductionArgs) -> Result<Option<usize>, Failure> {
    match (free, args.count, args.normal) {
        (true, count, None) => Ok(count),
        (false, None, normal) => Ok(normal),
        (true, _, Some(_)) => {
            Err(Failure::usage("--normal requires interfaces", "use --count, or add --interface NAME=SELECTOR"))
        }
        (false, Some(_), _) => Err(Failure::usage(
            "--count applies to modes of the free solid only",
            "use --normal for the number of modes to compute and --modes for the number to retain, or add --free",
        )),
    }
}
