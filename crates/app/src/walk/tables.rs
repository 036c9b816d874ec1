//! Results of a walk compared with published ones.

use super::around;
use super::cycle::{strain_peaks, strides};
use super::joints;
use super::results::bending;
use wolff_bone::gauges::{ROSETTE, extremes, sites::FACE};
use wolff_evidence::literature::{AroundRow, DEFLECTIONS, MID_SHAFT, Measure, Origin, STRAINS_AROUND, WALKING_STRAINS};
use wolff_movement::bones::BoneResult;
use wolff_movement::simulate::MovementResult;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

const THESIS: &str = "Al Nazer, thesis, Lappeenranta 2008";

/// All tables; tables of bones are for the first bone with gauges. A walk that ended early is not put beside others.
pub(super) fn tables(result: &MovementResult) -> Vec<Table> {
    let mut tables = vec![following(result)];
    // what is beside measurements must be a walk
    if result.ended.is_some() {
        return tables;
    }
    tables.extend(joints::tables(result));
    if let Some(bone) = result.bones.iter().find(|b| b.gauge(ROSETTE).is_some()) {
        tables.push(size(result, bone));
        tables.push(rosette(result, bone));
        tables.extend(around::differences(result, bone));
        tables.push(axial(result, bone));
        tables.push(around::joined(result, bone));
        tables.push(around::levels(result, bone));
        tables.push(face(result, bone));
        tables.extend(deflections(result, bone));
    }
    tables
}

fn own(label: &str, cells: Vec<Cell>) -> TableRow {
    TableRow { label: label.into(), kind: RowKind::Own, source: "this run".into(), cells }
}

fn micro(strain: f64) -> Cell {
    Cell::Number(1e6 * strain)
}

fn maybe(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}

fn kind(origin: Origin) -> RowKind {
    if origin == Origin::Model { RowKind::Model } else { RowKind::Measured }
}

/// Size and position of the bone compared with the CT mean at the stature of the person.
fn size(result: &MovementResult, bone: &BoneResult) -> Table {
    let (report, stature) = (bone.report(), result.walk.constants.stature);
    let [larger, smaller] = report.midshaft.second_moments;
    let [anterior, lateral] = report.shaft_offsets[1];
    let [knee, ankle] = report.gaps;
    let ours = [1e6 * report.midshaft.area, 1e12 * larger, 1e12 * smaller].map(Cell::Number);
    let torsion = maybe(report.midshaft.torsion_constant.map(|j| 1e12 * j));
    let place = [anterior, lateral, report.length, knee, ankle].map(|x| Cell::Number(1e3 * x));
    let row = |label: &str, values: [f64; 6]| TableRow {
        label: label.into(),
        kind: RowKind::Measured,
        source: MID_SHAFT.source.into(),
        cells: values.map(Cell::Number).to_vec(),
    };
    let mean = row("CT, mean at this stature", MID_SHAFT.at(MID_SHAFT.mean, stature));
    let deviation = row("CT, standard deviation", MID_SHAFT.at(MID_SHAFT.deviation, stature));
    let columns = [
        "cortical area [mm²]",
        "I max [mm⁴]",
        "I min [mm⁴]",
        "J [mm⁴]",
        "anterior of the joint line [mm]",
        "lateral [mm]",
        "plateau to plafond [mm]",
        "knee centre above plateau [mm]",
        "ankle centre below plafond [mm]",
    ];
    Table {
        name: "bone".into(),
        title: "Mid-shaft section of the tibia and its position in the shank".into(),
        columns: columns.map(String::from).to_vec(),
        rows: vec![own("Wolff", ours.into_iter().chain([torsion]).chain(place).collect()), mean, deviation],
    }
}

/// Table 4.4 of the thesis.
fn rosette(result: &MovementResult, bone: &BoneResult) -> Table {
    let mut rows = Vec::new();
    if let Some(history) = bone.gauge(ROSETTE) {
        let p = strain_peaks(result, history);
        let strains = [p.max_principal, p.min_principal, p.max_shear];
        rows.push(own("Wolff", strains.into_iter().chain(p.rates).map(micro).collect()));
    }
    for row in &WALKING_STRAINS {
        let strains = [Some(row.max_principal), Some(row.min_principal), row.max_shear];
        let cells = strains.into_iter().chain(row.rates).map(maybe).collect();
        let source = format!("{THESIS}, Table 4.4");
        rows.push(TableRow { label: row.source.into(), kind: kind(row.origin), source, cells });
    }
    let head = ["max principal", "min principal", "max shear"];
    let strains = head.map(|h| format!("{h} [microstrain]"));
    let rates = head.map(|h| format!("{h} [microstrain/s]"));
    Table {
        name: "strain".into(),
        title: "Strain and strain rate (over 20 ms) at the anteromedial mid-shaft of the tibia in walking".into(),
        columns: strains.into_iter().chain(rates).collect(),
        rows,
    }
}

/// Table 4.6 of the thesis.
fn axial(result: &MovementResult, bone: &BoneResult) -> Table {
    let places = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"];
    let peaks = |name: &str| bone.gauge(name).map(|h| strain_peaks(result, h));
    let line = |of: &dyn Fn(&AroundRow) -> Option<f64>| {
        let cell = |place: &&str| {
            let row = STRAINS_AROUND.iter().find(|r| r.location == *place && r.measure == Measure::Axial);
            maybe(row.and_then(of))
        };
        places.iter().map(cell).collect::<Vec<_>>()
    };
    let ours = |of: &dyn Fn(&wolff_bone::gauges::StrainPeaks) -> f64| {
        places.iter().map(|p| peaks(p).map_or(Cell::Empty, |p| micro(of(&p)))).collect::<Vec<_>>()
    };
    let published =
        |label: &str, kind, source: &str, cells| TableRow { label: label.into(), kind, source: source.into(), cells };
    let peterman = "Peterman et al. 2001, five feet in a gait simulator";
    let beam = |k: usize| {
        let cell = |p: &&str| bone.beam(p).map_or(Cell::Empty, |e| micro(extremes(e, &strides(result))[k]));
        places.iter().map(cell).collect::<Vec<_>>()
    };
    let mut rows = vec![
        own("Wolff, largest tension", ours(&|p| p.axial_max)),
        own("Wolff, largest compression", ours(&|p| p.axial_min)),
        own("beam with the section of this bone, tension", beam(1)),
        own("beam with the section of this bone, compression", beam(0)),
        published("measured, mean", RowKind::Measured, peterman, line(&|r| Some(r.mean))),
        published("measured, peak", RowKind::Measured, peterman, line(&|r| r.peak)),
    ];
    for (k, label) in ["first model", "second model", "third model"].into_iter().enumerate() {
        let source = format!("{THESIS}, Table 4.6");
        rows.push(published(label, RowKind::Model, &source, line(&|r| Some(r.models[k]))));
    }
    Table {
        name: "axial-strain".into(),
        title: "Axial strain around the mid-shaft [microstrain], L1 in front, L5 behind".into(),
        columns: places.map(String::from).to_vec(),
        rows,
    }
}

/// Strain from the crest to the medial border: the dependence on the position of a gauge.
fn face(result: &MovementResult, bone: &BoneResult) -> Table {
    let peaks: Vec<_> = FACE.iter().map(|(name, _)| bone.gauge(name).map(|h| strain_peaks(result, h))).collect();
    let line = |label: &str, of: &dyn Fn(&wolff_bone::gauges::StrainPeaks) -> f64| {
        own(label, peaks.iter().map(|p| p.as_ref().map_or(Cell::Empty, |p| micro(of(p)))).collect())
    };
    Table {
        name: "face".into(),
        title:
            "Strain across the anteromedial face at mid-shaft [microstrain], from the crest (0 %) to the medial border \
                (100 %)"
                .into(),
        columns: FACE.iter().map(|(_, fraction)| format!("{:.1} %", 100.0 * fraction)).collect(),
        rows: vec![
            line("max principal", &|p| p.max_principal),
            line("min principal", &|p| p.min_principal),
            line("max shear", &|p| p.max_shear),
            line("axial, tension", &|p| p.axial_max),
            line("axial, compression", &|p| p.axial_min),
        ],
    }
}

/// Bending and torsion of the shaft.
fn deflections(result: &MovementResult, bone: &BoneResult) -> Option<Table> {
    let turns = bending(result, bone)?;
    let range = |[low, high]: [f64; 2]| Cell::Text(format!("{low} to {high}"));
    let speeds = DEFLECTIONS.speeds_km_h;
    Some(Table {
        name: "deflection".into(),
        title: "Maximum rotation of the proximal relative to the distal shaft [deg]".into(),
        columns: ["posterior bending", "medial bending", "external torsion"].map(String::from).to_vec(),
        rows: vec![
            own("Wolff", turns.iter().map(|t| Cell::Number(t.to_degrees())).collect()),
            TableRow {
                label: "markers on the bone".into(),
                kind: RowKind::Measured,
                source: format!("{}, {} to {} km/h", DEFLECTIONS.source, speeds[0], speeds[1]),
                cells: [DEFLECTIONS.posterior, DEFLECTIONS.medial, DEFLECTIONS.external].map(range).to_vec(),
            },
        ],
    })
}

/// How well the forward simulation tracks the reference motion.
fn following(result: &MovementResult) -> Table {
    let f = &result.fidelity;
    let number = Cell::Number;
    let thesis = |label: &str, r: f64| TableRow {
        label: label.into(),
        kind: RowKind::Model,
        source: format!("{THESIS}, Table 4.5 and section 4.6; force compared with force plates"),
        cells: vec![Cell::Text("above 0.99".into()), Cell::Empty, number(r)],
    };
    Table {
        name: "following".into(),
        title: "Tracking of the reference motion by the forward simulation".into(),
        columns: [
            "correlation of segment positions, minimum",
            "leg angles, rms [deg]",
            "correlation of the vertical ground force",
            "largest ground force [BW]",
            "force of the tracking agent [% BW]",
            "moment of the tracking agent [% BW height]",
            "effort relative to static optimisation",
        ]
        .map(String::from)
        .to_vec(),
        rows: vec![
            own(
                "Wolff",
                vec![
                    number(f.kinematics_correlation.value),
                    number(f.leg_angle_rms.to_degrees()),
                    number(f.ground_correlation[1]),
                    number(f.ground_max),
                    number(100.0 * f.agent_force),
                    number(100.0 * f.agent_moment),
                    number(f.effort / result.reference.report.effort),
                ],
            ),
            thesis("first model", 0.97),
            thesis("second model", 0.95),
        ],
    }
}
