"""Times Exudyn on a tube of four-node tetrahedra: Craig-Bampton reduction, inertia integrals, strain modes, and the
fall of the tube as a flexible pendulum. Argument: a text file with the numbers of nodes and elements, the nodes and the
elements. Prints one JSON object."""
import json
import os
import sys
import time

os.environ.setdefault("EXUDYN_MODULE", "fast")
import exudyn as exu
import numpy as np
import skfem as fe
from exudyn.FEM import FEMinterface, HCBstaticModeSelection, KirchhoffMaterial, ObjectFFRFreducedOrderInterface
from exudyn.utilities import GenericJoint, MarkerBodyRigid, MarkerNodeRigid, ObjectGround, SensorSuperElement
from skfem.helpers import ddot, dot, eye, sym_grad, trace

YOUNG, POISSON, DENSITY, LENGTH, RADIUS, BETA = 17e9, 0.3, 3544.127, 0.421, 0.037, 1e-5
exu.config.suppressWarnings = True


def read(path):
    numbers = open(path).read().split()
    nodes, elements = int(numbers[0]), int(numbers[1])
    x = np.array(numbers[2 : 2 + 3 * nodes], dtype=float).reshape(-1, 3)
    return x, np.array(numbers[2 + 3 * nodes :], dtype=int).reshape(elements, 4)


def matrices(x, tets):
    mu, lam = YOUNG / (2 + 2 * POISSON), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    basis = fe.Basis(fe.MeshTet(x.T, tets.T), fe.ElementVector(fe.ElementTetP1()))

    @fe.BilinearForm
    def stiffness(u, v, w):
        e = sym_grad(u)
        return ddot(2 * mu * e + lam * eye(trace(e), 3), sym_grad(v))

    @fe.BilinearForm
    def mass(u, v, w):
        return DENSITY * dot(u, v)

    order = basis.nodal_dofs.T.ravel()
    return [form.assemble(basis).tocsr()[order][:, order].tocsr() for form in (stiffness, mass)]


def clocked(work):
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def swing(cms, tip, modified, h=1e-3, end=2.0):
    mbs = exu.SystemContainer().AddSystem()
    body = cms.AddObjectFFRFreducedOrder(mbs, positionRef=[0, 0, 0], initialVelocity=[0, 0, 0],
                                         initialAngularVelocity=[0, 0, 0], gravity=[-9.81, 0, 0],
                                         stiffnessProportionalDamping=BETA)
    ground = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
    frame = mbs.AddMarker(MarkerNodeRigid(nodeNumber=body["nRigidBody"]))
    mbs.AddObject(GenericJoint(markerNumbers=[ground, frame], constrainedAxes=[1, 1, 1, 1, 0, 1]))
    sensor = mbs.AddSensor(SensorSuperElement(bodyNumber=body["oFFRFreducedOrder"], meshNodeNumber=tip, storeInternal=True,
                                              outputVariableType=exu.OutputVariableType.Position))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(end / h)
    settings.timeIntegration.endTime = end
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = modified
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 0.01
    settings.linearSolverType = exu.LinearSolverType.EXUdense
    _, seconds = clocked(lambda: mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha))
    return seconds / end, [float(v) for v in mbs.GetSensorStoredData(sensor)[-1, 1:]]


def main():
    x, tets = read(sys.argv[1])
    (K, M), assembly = clocked(lambda: matrices(x, tets))
    fem = FEMinterface()
    fem.nodes, fem.elements = {"Position": x}, [{"Name": "tube", "Tet4": tets}]
    fem.stiffnessMatrix, fem.massMatrix = K, M
    fem.VolumeToSurfaceElements()
    ends = [np.where(x[:, 2] < 1e-9)[0], np.where(x[:, 2] > LENGTH - 1e-9)[0]]
    _, reduction = clocked(lambda: fem.ComputeHurtyCraigBamptonModes(
        boundaryNodesList=ends, nEigenModes=14, useSparseSolver=True, computationMode=HCBstaticModeSelection.RBE2))
    cms, integrals = clocked(lambda: ObjectFFRFreducedOrderInterface(fem))
    tip = int(np.argmin(np.linalg.norm(x - [RADIUS, 0, LENGTH], axis=1)))
    per_second, tip_end = min(swing(cms, tip, modified) for modified in (True, False))
    _, strain = clocked(lambda: fem.ComputePostProcessingModes(
        material=KirchhoffMaterial(YOUNG, POISSON, DENSITY), outputVariableType=exu.OutputVariableType.StrainLocal))
    print(json.dumps(dict(version=exu.__version__, reduction_s=assembly + reduction + integrals + strain,
                          pendulum_s_per_s=per_second, tip=tip_end)))


main()
