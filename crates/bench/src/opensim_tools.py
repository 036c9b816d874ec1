"""Times OpenSim on a recorded walk and prints a JSON object: `opensim_tools.py WORK ARGUMENTS...`.

ik MODEL MARKERS TASKS                   solver of inverse kinematics, frame after frame, without the time for files
id MODEL MOTION LOADS START END EVERY    solver of inverse dynamics under loads, without the time for files and for the
                                         splines of the motion
so SETUP START MIDDLE END                static optimisation of a set-up: the difference of a long and a short run, so
                                         that the time for files is not included
forward STATE                            accelerations of the state in a JSON file: model, values, speeds, activation,
                                         fibre lengths, and the muscles that are omitted from the compared accelerations
"""
import json
import math
import os
import sys
import tempfile
import time

import opensim as osim

osim.Logger.setLevelString("Off")


def timed(call):
    start = time.process_time()
    result = call()
    return result, time.process_time() - start


def ik(model_file, marker_file, task_file):
    model = osim.Model(model_file)
    state = model.initSystem()
    tool = osim.InverseKinematicsTool(task_file, False)
    tasks = tool.getIKTaskSet() if tool.getIKTaskSet().getSize() else osim.IKTaskSet(task_file)
    weights = osim.SetMarkerWeights()
    for i in range(tasks.getSize()):
        task = tasks.get(i)
        if task.getApply() and osim.IKMarkerTask.safeDownCast(task):
            weights.cloneAndAppend(osim.MarkerWeight(task.getName(), osim.IKMarkerTask.safeDownCast(task).getWeight()))
    markers = osim.MarkersReference(marker_file, weights)
    coordinates = osim.SimTKArrayCoordinateReference()
    solver = osim.InverseKinematicsSolver(model, markers, coordinates, math.inf)
    solver.setAccuracy(1e-5)
    times = list(markers.getMarkerTable().getIndependentColumn())
    state.setTime(times[0])
    solver.assemble(state)
    used = solver.getNumMarkersInUse()
    weight = {weights.get(i).getName(): weights.get(i).getWeight() for i in range(weights.getSize())}
    used_weights = [weight.get(solver.getMarkerNameForIndex(i), 1.0) for i in range(used)]
    squares, cost, spent = 0.0, 0.0, 0.0
    errors = osim.SimTKArrayDouble()
    for t in times[1:]:
        state.setTime(t)
        _, seconds = timed(lambda: solver.track(state))
        spent += seconds
        solver.computeCurrentSquaredMarkerErrors(errors)
        found = [errors.getElt(i) for i in range(used)]
        squares += sum(found) / used
        cost += sum(w * e for w, e in zip(used_weights, found)) / sum(used_weights)
    n = len(times) - 1
    return {"us": spent / n * 1e6, "rms": math.sqrt(squares / n), "weighted": math.sqrt(cost / n), "frames": n, "markers": used}


def tree_order(model, state):
    """Names of the coordinates in the order of the solver: each gets a different value, which shows its place."""
    coordinates = model.getCoordinateSet()
    names = [coordinates.get(i).getName() for i in range(coordinates.getSize())]
    trial = osim.State(state)
    for k, name in enumerate(names):
        coordinates.get(name).setLocked(trial, False)
        coordinates.get(name).setValue(trial, 1e-3 * (k + 1), False)
    q = trial.getQ()
    return [names[round(q.get(i) * 1e3) - 1] for i in range(len(names))]


def couplers(model, names):
    """Coordinates that are functions of another, as indices in `names`."""
    found, constraints = [], model.getConstraintSet()
    for i in range(constraints.getSize()):
        coupler = osim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
        if coupler:
            leader = coupler.getIndependentCoordinateNames().get(0)
            found.append((names.index(coupler.getDependentCoordinateName()), names.index(leader), coupler.getFunction()))
    return found


def inverse(model_file, motion_file, loads_file, start, end, every):
    model = osim.Model(model_file)
    os.chdir(os.path.dirname(loads_file))
    model.addModelComponent(osim.ExternalLoads(loads_file, True))
    model.initSystem()
    storage = osim.Storage(motion_file)
    model.getSimbodyEngine().convertDegreesToRadians(storage) if storage.isInDegrees() else None
    state = model.initSystem()
    muscles = model.getMuscles()
    for i in range(muscles.getSize()):
        muscles.get(i).setAppliesForce(state, False)
    splines = osim.GCVSplineSet(5, storage)
    names = tree_order(model, state)
    labels = storage.getColumnLabels()
    labels = [labels.get(i) for i in range(1, labels.getSize())]
    column = {label.removesuffix("/value").split("/")[-1]: label for label in labels if not label.endswith("/speed")}
    functions = [splines.get(column[name]) if name in column else None for name in names]
    rest = [model.getCoordinateSet().get(name).getDefaultValue() for name in names]
    followers = couplers(model, names)
    times = osim.ArrayDouble()
    storage.getTimeColumn(times)
    chosen = [times.getitem(i) for i in range(times.getSize())]
    chosen = [t for t in chosen if float(start) - 1e-6 <= t <= float(end) + 1e-6][:: int(every)]
    solver = osim.InverseDynamicsSolver(model)
    rows, spent = [], 0.0
    for t in chosen:
        at = osim.Vector(1, t)
        values = [f.calcValue(at) if f else q for f, q in zip(functions, rest)]
        rates = [[f.calcDerivative(order, at) if f else 0.0 for f in functions] for order in ([0], [0, 0])]
        for dependent, leader, f in followers:
            x, v = osim.Vector(1, values[leader]), rates[0][leader]
            slope, bend = f.calcDerivative([0], x), f.calcDerivative([0, 0], x)
            values[dependent] = f.calcValue(x)
            rates[0][dependent], rates[1][dependent] = slope * v, slope * rates[1][leader] + bend * v * v
        state.setTime(t)
        state.setQ(osim.Vector(values))
        state.setU(osim.Vector(rates[0]))
        accelerations = osim.Vector(rates[1])
        row, seconds = timed(lambda: solver.solve(state, accelerations))
        spent += seconds
        rows.append([row.get(i) for i in range(row.size())])
    return {"us": spent / len(chosen) * 1e6, "times": chosen, "names": names, "rows": rows}


def sharing(setup, start, middle, end):
    def run(until, folder):
        tool = osim.AnalyzeTool(setup)
        tool.setResultsDir(folder)
        tool.setInitialTime(float(start))
        tool.setFinalTime(until)
        analyses = tool.getAnalysisSet()
        for i in reversed(range(analyses.getSize())):
            if analyses.get(i).getConcreteClassName() == "StaticOptimization":
                analyses.get(i).setStepInterval(1)
            else:
                analyses.remove(i)
        _, seconds = timed(tool.run)
        name = tool.getName() + "_StaticOptimization_activation.sto"
        return osim.TimeSeriesTable(os.path.join(folder, name)), seconds

    with tempfile.TemporaryDirectory() as folder:
        short, short_seconds = run(float(middle), folder)
        table, seconds = run(float(end), folder)
    labels = list(table.getColumnLabels())
    times = list(table.getIndependentColumn())
    rows = [[table.getRowAtIndex(i)[k] for k in range(len(labels))] for i in range(len(times))]
    us = (seconds - short_seconds) / (table.getNumRows() - short.getNumRows()) * 1e6
    return {"us": us, "times": times, "names": labels, "rows": rows}


def forward(job_file):
    with open(job_file) as file:
        job = json.load(file)
    model = osim.Model(job["model"])
    state = model.initSystem()
    coordinates = model.getCoordinateSet()
    for name, value in job["values"].items():
        coordinate = coordinates.get(name)
        locked = coordinate.getLocked(state)
        coordinate.setLocked(state, False)
        coordinate.setValue(state, value, False)
        coordinate.setSpeedValue(state, job["speeds"][name])
        coordinate.setLocked(state, locked)
    for name, length in job["fibres"].items():
        muscle = model.getMuscles().get(name)
        muscle.setActivation(state, job["activation"])
        if not muscle.get_ignore_tendon_compliance():
            model.setStateVariableValue(state, muscle.getAbsolutePathString() + "/fiber_length", length)
    # contacts, bushings and expression-based forces are not part of the comparison
    forces = model.getForceSet()
    for i in range(forces.getSize()):
        if not osim.Muscle.safeDownCast(forces.get(i)):
            forces.get(i).setAppliesForce(state, False)
    q, u, z = osim.Vector(state.getQ()), osim.Vector(state.getU()), osim.Vector(state.getZ())

    def call():
        state.setQ(q)
        state.setU(u)
        state.setZ(z)
        model.realizeAcceleration(state)

    best = math.inf
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(10):
            call()
        best = min(best, time.perf_counter() - start)
    muscles = model.getMuscles()
    forces = {m: muscles.get(m).getActuation(state) for m in job["fibres"]}
    for name in job["left_out"]:
        muscles.get(name).setAppliesForce(state, False)
    model.realizeAcceleration(state)
    return {
        "us": best / 10 * 1e6,
        "accelerations": {c: coordinates.get(c).getAccelerationValue(state) for c in job["values"]},
        "forces": forces,
    }


WORK = {"ik": ik, "id": inverse, "so": sharing, "forward": forward}
answer = WORK[sys.argv[1]](*sys.argv[2:])
answer["name"] = "OpenSim " + osim.GetVersion()[:5].rstrip("-")
print(json.dumps(answer))
