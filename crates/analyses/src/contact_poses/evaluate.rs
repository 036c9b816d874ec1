//! Evaluation of contacts and ligaments for each pose.

use super::error::ContactPosesError;
use super::quantity::{ContactQuantities, LIGAMENT, PosedLigament};
use super::states::StateColumns;
use std::path::Path;
use std::time::Instant as Clock;
use wolff_contact::foundation::FoundationMemory;
use wolff_formats::Table;
use wolff_formats::osim::OsimModel;
use wolff_formats::sto::Storage;
use wolff_multibody::force::Ligament;
use wolff_multibody::{Frame, Model, System};
use wolff_opensim::{ForceKind, OpensimModel, PathLaw};
use wolff_report::pressure::{PosedContact, PressureMap};
use wolff_spatial::{Motion, Pose};

/// Results of the evaluated poses.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// `time` and one column per quantity, one row per pose.
    pub table: Table,
    /// Pressures on the elements at the requested poses.
    pub maps: Vec<PressureMap>,
    /// The deepest overlap of each contact over all poses, as a fraction of the thickness of its layers.
    pub deepest: Vec<f64>,
    /// The largest pressure at the rim of the elements of each contact over the largest pressure of the same pose.
    pub rim: Vec<f64>,
    /// Computing time for all poses, without reading of files \[s\].
    pub seconds: f64,
    /// Remarks on the poses for the reader.
    pub remarks: Vec<String>,
}

/// The selected poses of a file.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// Numbers of the poses, from 0.
    pub rows: Vec<usize>,
    /// Indices into `rows` of the poses whose pressures are returned.
    pub maps: Vec<usize>,
}

/// A model whose contacts and ligaments can be evaluated.
#[derive(Debug)]
pub struct PosedModel {
    model: Model,
    contacts: Vec<PosedContact>,
    /// Fixed and moving frame of each contact.
    places: Vec<[Frame; 2]>,
    ligaments: Vec<PosedLigament>,
    /// Ligaments that may bend over a surface.
    pub wrapping: Vec<String>,
}

impl PosedModel {
    /// Creates it from the file of the model and its contacts.
    pub fn new(file: &OsimModel, contacts: Vec<PosedContact>) -> Result<Self, ContactPosesError> {
        let listed = |errors: Vec<String>| ContactPosesError::Model(errors);
        let converted =
            wolff_opensim::convert(file).map_err(|e| listed(e.iter().map(ToString::to_string).collect()))?;
        let model = Model::build(&converted.spec).map_err(|e| listed(e.iter().map(ToString::to_string).collect()))?;
        let place = |c: &PosedContact| {
            let frames = [model.frame(&c.fixed), model.frame(&c.moving)];
            let [Some(fixed), Some(moving)] = frames else {
                let rule = format!("its bodies `{}` and `{}` must be in the model", c.fixed.body, c.moving.body);
                return Err(ContactPosesError::Contact { contact: c.name.clone(), rule });
            };
            Ok([fixed, moving])
        };
        let places = contacts.iter().map(place).collect::<Result<_, _>>()?;
        let ligaments = ligaments(&converted, &model)?;
        let wraps = |l: &&PosedLigament| matches!(l, PosedLigament::Bent(_));
        let wrapping = ligaments.iter().filter(wraps).map(|l| l.name().to_string()).collect();
        Ok(PosedModel { model, contacts, places, ligaments, wrapping })
    }

    /// The contacts.
    pub fn contacts(&self) -> &[PosedContact] {
        &self.contacts
    }

    /// The ligaments.
    pub fn ligaments(&self) -> &[PosedLigament] {
        &self.ligaments
    }

    /// Places the model by rows of a states file and evaluates everything.
    pub fn evaluate(&self, states: &Storage, path: &Path, chosen: &Chosen) -> Result<Evaluation, ContactPosesError> {
        let columns = StateColumns::new(&self.model, states);
        if columns.is_empty() {
            let rule = "no column is a coordinate of the model; give states of this model, with columns such as \
                        /jointset/knee/angle/value or angle";
            return Err(ContactPosesError::Poses { path: path.into(), rule: rule.into() });
        }
        let mut sheet = Sheet::new(&self.contacts, self.ligaments.iter().map(|l| l.name()));
        let mut system = System::new(&self.model);
        for pose in poses(&states.table, path, chosen)? {
            let (q, v) = columns.state(&self.model, pose.values);
            if !q.iter().chain(&v).all(|x| x.is_finite()) {
                return Err(not_finite(path, pose.row));
            }
            system.update_kinematics(&q, &v);
            let at = system.instant(pose.time, &q, &v, None);
            let placed = self.places.iter().map(|[fixed, moving]| at.pose(fixed).inverse() * at.pose(moving));
            sheet.begin(&pose, &placed.collect::<Vec<_>>())?;
            for ligament in &self.ligaments {
                sheet.extend(&ligament.values(&at));
            }
        }
        let unset = columns.unset;
        let remark = format!(
            "{} coordinates are not in the file and have their default values: {}",
            unset.len(),
            unset.join(", ")
        );
        let unset = (!unset.is_empty()).then_some(remark);
        sheet.finish(unset.into_iter().chain(disorder(&states.table)).collect())
    }
}

/// Blankevoort ligaments, straight or wrapped.
fn ligaments(converted: &OpensimModel, model: &Model) -> Result<Vec<PosedLigament>, ContactPosesError> {
    let refused = |rule: String| ContactPosesError::Model(vec![rule]);
    let mut found = Vec::new();
    for force in &converted.forces {
        match &force.kind {
            ForceKind::Ligament { points, law, slack_length } => {
                let points: Option<Vec<Frame>> = points.iter().map(|p| model.frame(p)).collect();
                let missing = || {
                    refused(format!(
                        "ligament `{}` is attached to a body that is not in the model; correct its name",
                        force.name
                    ))
                };
                let ligament = Ligament::new(&force.name, points.ok_or_else(missing)?, *law, *slack_length);
                found.push(PosedLigament::Straight(ligament.map_err(|e| refused(e.to_string()))?));
            }
            ForceKind::Path { law: PathLaw::Blankevoort { .. }, .. } => {
                let bent = force.bent(model).map_err(|e| refused(e.to_string()))?;
                found.extend(bent.map(|b| PosedLigament::Bent(Box::new(b))));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// One selected row.
pub(super) struct ChosenPose<'t> {
    pub row: usize,
    pub time: f64,
    pub values: &'t [f64],
    map: bool,
}

/// The selected rows of a table whose first column is time.
pub(super) fn poses<'t>(
    table: &'t Table,
    path: &Path,
    chosen: &Chosen,
) -> Result<Vec<ChosenPose<'t>>, ContactPosesError> {
    let wrong = |rule: String| ContactPosesError::Poses { path: path.into(), rule };
    let count = table.rows().len();
    let take = |(k, &row): (usize, &usize)| {
        let values = table
            .rows()
            .get(row)
            .ok_or_else(|| wrong(format!("there is no row {row}; there are {count}, numbered from 0")))?;
        let time = values.first().copied().unwrap_or(f64::NAN);
        if !time.is_finite() {
            return Err(not_finite(path, row));
        }
        Ok(ChosenPose { row, time, values, map: chosen.maps.contains(&k) })
    };
    if chosen.rows.is_empty() {
        return Err(wrong(
            "no pose is selected; the file must have rows, and --rows or --every must select at least one".into(),
        ));
    }
    chosen.rows.iter().enumerate().map(take).collect()
}

/// A remark on times that do not increase.
pub(super) fn disorder(table: &Table) -> Option<String> {
    let time = |row: &Vec<f64>| row.first().copied().unwrap_or(f64::NAN);
    let wrong = table.rows().windows(2).position(|pair| !(time(&pair[1]) > time(&pair[0])))?;
    Some(format!(
        "the time does not increase from row {wrong} to row {} (from 0); poses are evaluated in the order of the file",
        wrong + 1
    ))
}

pub(super) fn not_finite(path: &Path, row: usize) -> ContactPosesError {
    let rule = format!("row {row} (from 0) has a value that is not finite; omit it with --rows");
    ContactPosesError::Poses { path: path.into(), rule }
}

/// The table under construction.
pub(super) struct Sheet<'c> {
    contacts: &'c [PosedContact],
    quantities: Vec<ContactQuantities>,
    memories: Vec<FoundationMemory>,
    labels: Vec<String>,
    rows: Vec<Vec<f64>>,
    maps: Vec<PressureMap>,
    deepest: Vec<f64>,
    /// Elements at the rim of each contact.
    on_rim: Vec<Vec<bool>>,
    rim: Vec<f64>,
    started: Clock,
}

impl<'c> Sheet<'c> {
    pub fn new<'l>(contacts: &'c [PosedContact], ligaments: impl Iterator<Item = &'l str>) -> Self {
        let quantities: Vec<_> = contacts.iter().map(ContactQuantities::new).collect();
        let mut labels = vec!["time".to_string()];
        labels.extend(quantities.iter().flat_map(|q| q.labels.iter().cloned()));
        labels.extend(ligaments.flat_map(|name| LIGAMENT.iter().map(move |what| format!("{name}.{what}"))));
        Sheet {
            contacts,
            quantities,
            memories: contacts.iter().map(|c| c.pair.memory()).collect(),
            labels,
            rows: Vec::new(),
            maps: Vec::new(),
            deepest: vec![0.0; contacts.len()],
            on_rim: contacts.iter().map(|c| c.pair.elements().on_rim()).collect(),
            rim: vec![0.0; contacts.len()],
            started: Clock::now(),
        }
    }

    /// Starts the row of a pose with its contacts; `placed` is the pose of the moving frame in the fixed frame of each.
    pub fn begin(&mut self, pose: &ChosenPose<'_>, placed: &[Pose]) -> Result<(), ContactPosesError> {
        let mut row = Vec::with_capacity(self.labels.len());
        row.push(pose.time);
        let each = self.contacts.iter().zip(&mut self.memories).zip(&self.quantities).zip(placed);
        for (index, (((contact, memory), quantities), X_FM)) in each.enumerate() {
            let result = contact.pair.evaluate(memory, X_FM, &Motion::ZERO).and_then(|r| r.checked());
            let result = result.map_err(|e| ContactPosesError::too_deep(&contact.name, pose.row, &e))?;
            quantities.push(result, &mut row);
            self.deepest[index] = self.deepest[index].max(result.total.peak_strain);
            let largest = |chosen: &dyn Fn(usize) -> bool| {
                let all = result.pressures.iter().enumerate();
                all.filter(|(element, _)| chosen(*element)).map(|(_, p)| *p).fold(0.0, f64::max)
            };
            let (on_rim, all) = (&self.on_rim[index], largest(&|_| true));
            if all > 0.0 {
                self.rim[index] = self.rim[index].max(largest(&|element| on_rim[element]) / all);
            }
            if pose.map {
                let pressures = result.pressures.clone();
                self.maps.push(PressureMap {
                    contact: index,
                    row: pose.row,
                    time: pose.time,
                    state: format!("in row {}", pose.row),
                    pressures,
                });
            }
        }
        self.rows.push(row);
        Ok(())
    }

    /// Appends values to the current row.
    pub fn extend(&mut self, values: &[f64]) {
        if let Some(row) = self.rows.last_mut() {
            row.extend_from_slice(values);
        }
    }

    pub fn finish(self, remarks: Vec<String>) -> Result<Evaluation, ContactPosesError> {
        let seconds = self.started.elapsed().as_secs_f64();
        let table = Table::new(self.labels, self.rows)
            .map_err(|cause| ContactPosesError::Format { path: "results".into(), cause })?;
        Ok(Evaluation { table, maps: self.maps, deepest: self.deepest, rim: self.rim, seconds, remarks })
    }
}
