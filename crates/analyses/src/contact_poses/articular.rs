//! The articular contacts of OpenSim JAM models (`Smith2018ArticularContactForce`) as elastic foundations.

use super::error::ContactPosesError;
use super::meshes::MeshFiles;
use super::side::articular_sides;
use super::variable::Layer;
use std::sync::Arc;
use wolff_contact::ContactError;
use wolff_contact::foundation::{
    Along, Distance, ElementSet, FoundationPair, FoundationSettings, LayerMaterial, Rule, Strain,
};
use wolff_formats::osim::{
    OsimContactForce, OsimContactGeometry, OsimContactShape, OsimForceKind, OsimModel, OsimSmithMesh,
};
use wolff_geometry::{ArticularMesh, Normals, TriangleMesh, TriangleSurface};
use wolff_opensim::{Frames, xyz_rotation};
use wolff_report::pressure::PosedContact;
use wolff_spatial::{Pose, Vec3};

/// How contact is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// How the overlap is measured.
    pub distance: Distance,
    /// Direction of strain and pressure.
    pub along: Along,
    /// Integration over a triangle.
    pub rule: Rule,
    /// Normals of the target mesh.
    pub normals: Normals,
}

impl Default for Method {
    /// Integrated over the part of each triangle in contact, smooth normals, along the bisector of both.
    fn default() -> Self {
        Method {
            distance: Distance::default(),
            along: Along::default(),
            rule: Rule::default(),
            normals: Normals::Smooth,
        }
    }
}

impl Method {
    /// As in OpenSim JAM: from the centre of each casting triangle along its normal to the flat triangles of the
    /// target; pressure at the centre times area, along that normal.
    pub const CASTING: Method =
        Method { distance: Distance::Ray, along: Along::FixedNormal, rule: Rule::Centre, normals: Normals::Facets };
}

/// All articular contacts of a model, or only the one with the given name.
///
/// Material, as specified in the file: with `use_lumped_contact_model` moduli and Poisson's ratios are averaged and
/// thicknesses added, otherwise the layers are springs in series. `linear`: `p = k d/h`; `nonlinear`: `p = -k ln(1 -
/// d/h)`; `k = (1-ν)E/((1+ν)(1-2ν))`, d overlap, h sum of the thicknesses \[m\].
///
/// For closed shells, the side that faces the other body in the default pose of the model is used, or the side that is
/// given in `files`; the remarks of the contact report the choice.
///
/// Thickness is constant or variable on each mesh, as the model says. Limits: `min_proximity` and `max_proximity` only
/// limit the search of the rays in OpenSim JAM and are not used.
pub fn articular_contacts(
    model: &OsimModel,
    files: &MeshFiles,
    method: &Method,
    only: Option<&str>,
) -> Result<Vec<PosedContact>, ContactPosesError> {
    let meshes = smith_meshes(model);
    files.check_names(&meshes.iter().map(|(g, _)| g.name.as_str()).collect::<Vec<_>>())?;
    let requested: Vec<_> = articular_forces(model).filter(|(name, _)| only.is_none_or(|o| o == *name)).collect();
    if requested.is_empty() {
        let known: Vec<&str> = articular_forces(model).map(|(name, _)| name).collect();
        return Err(ContactPosesError::NoContact(match (only, known.is_empty()) {
            (Some(only), false) => {
                format!("--contact {only}: the model has no contact of this name; it has {}", known.join(", "))
            }
            _ => {
                "the model has no Smith2018ArticularContactForce; give a JAM model, or a pair file with --poses".into()
            }
        }));
    }
    let frames = Frames::new(model);
    requested.into_iter().map(|(name, force)| contact((name, force), model, &meshes, &frames, files, method)).collect()
}

pub(super) type SmithMesh<'m> = (&'m OsimContactGeometry, &'m OsimSmithMesh);

fn smith_meshes(model: &OsimModel) -> Vec<SmithMesh<'_>> {
    let mut found = Vec::new();
    for geometry in &model.contact_geometry {
        if let OsimContactShape::Smith2018Mesh(mesh) = &geometry.shape {
            found.push((geometry, &**mesh));
        }
    }
    found
}

fn articular_forces(model: &OsimModel) -> impl Iterator<Item = (&str, &OsimContactForce)> {
    model.forces.iter().filter(|f| f.enabled).filter_map(|f| match &f.kind {
        OsimForceKind::Contact(contact @ OsimContactForce::Smith2018 { .. }) => Some((f.name.as_str(), contact)),
        _ => None,
    })
}

fn contact(
    (name, force): (&str, &OsimContactForce),
    model: &OsimModel,
    meshes: &[SmithMesh<'_>],
    frames: &Frames<'_>,
    files: &MeshFiles,
    method: &Method,
) -> Result<PosedContact, ContactPosesError> {
    let refused = |rule: String| ContactPosesError::Contact { contact: name.into(), rule };
    let OsimContactForce::Smith2018 { target, casting, formulation, lumped, .. } = force else {
        return Err(refused("is not an articular contact".into()));
    };
    let find = |path: &str| {
        let last = path.rsplit('/').next().unwrap_or(path);
        let found = meshes.iter().find(|(g, _)| g.name == last).copied();
        found.ok_or_else(|| refused(format!("its mesh `{path}` is not in the model; correct the name")))
    };
    let (casting, target) = (find(casting)?, find(target)?);
    let layer = |(g, mesh): SmithMesh<'_>| Layer::new(name, files, &g.name, mesh);
    let layers = [layer(casting)?, layer(target)?];
    let strain = match formulation.as_str() {
        "linear" => Strain::Small,
        "nonlinear" => Strain::Large,
        other => return Err(refused(format!("its formulation is `{other}`; it must be linear or nonlinear"))),
    };
    let place = |(g, _): SmithMesh<'_>| {
        let pose = Pose::new(xyz_rotation(&g.orientation), Vec3::from(g.location));
        let placed = frames.place(&["contactgeometryset", &g.name], &g.frame, pose);
        placed.map_err(|e| refused(e.to_string()))
    };
    let placed = [(casting, place(casting)?), (target, place(target)?)];
    let [elements, surface] = articular_sides(name, model, files, &placed)?;
    let remarks_of = |(g, _): SmithMesh<'_>, mesh: &ArticularMesh| {
        mesh.shells.iter().map(|shell| format!("mesh `{}`: {shell}", g.name)).collect::<Vec<_>>()
    };
    let mut remarks = [remarks_of(casting, &elements), remarks_of(target, &surface)].concat();
    remarks.extend(layers[0].remark(&casting.0.name, &elements.mesh));
    remarks.extend(layers[1].remark(&target.0.name, &surface.mesh));
    let surface = TriangleSurface::articular(surface, method.normals)
        .map_err(|e| refused(format!("mesh `{}`: {e}", target.0.name)))?;
    let pair = pair(&elements, surface, (casting.1, target.1), &layers, (strain, *lumped), method)
        .map_err(|e| ContactPosesError::contact(name, &e))?;
    let [(_, fixed), (_, moving)] = placed;
    Ok(PosedContact { name: name.into(), fixed, moving, pair: Arc::new(pair), remarks })
}

fn pair(
    elements: &ArticularMesh,
    surface: TriangleSurface,
    (casting, target): (&OsimSmithMesh, &OsimSmithMesh),
    [fixed, moving]: &[Layer; 2],
    (strain, lumped): (Strain, bool),
    method: &Method,
) -> Result<FoundationPair, ContactError> {
    let own = |m: &OsimSmithMesh| LayerMaterial::linear(m.elastic_modulus, m.poissons_ratio, strain);
    let (material, moving_material) = match lumped {
        true => {
            let mean = |a: f64, b: f64| 0.5 * (a + b);
            let young = mean(casting.elastic_modulus, target.elastic_modulus);
            let poisson = mean(casting.poissons_ratio, target.poissons_ratio);
            (LayerMaterial::linear(young, poisson, strain)?, None)
        }
        false => (own(casting)?, Some(own(target)?)),
    };
    let settings = FoundationSettings {
        distance: method.distance,
        along: method.along,
        rule: method.rule,
        moving_layer: moving.on(surface.mesh()),
        moving_material,
        ..FoundationSettings::default()
    };
    // a mesh with inconsistent orientation of neighbours has no parts but can still be the casting mesh
    let parts = elements.mesh.parts().unwrap_or_else(|_| vec![elements.mesh.clone()]);
    let mut behind = &elements.thickness[..];
    let set = |(k, part): (usize, &TriangleMesh)| {
        let (vertices, triangles) = (part.vertices(), part.triangles());
        let set = ElementSet::from_triangles(&format!("part_{}", k + 1), vertices, triangles, casting.thickness);
        // sheets of shells are connected and in sequence, as parts are
        let (own, rest) = behind.split_at(triangles.len().min(behind.len()));
        behind = rest;
        set.and_then(|set| set.with_thickness(|e| fixed.at(&e.centre, &e.normal))).map(|set| set.over_material(own))
    };
    let sets: Result<Vec<_>, _> = parts.iter().enumerate().map(set).collect();
    FoundationPair::new(ElementSet::join(sets?), Arc::new(surface), material, settings)
}
