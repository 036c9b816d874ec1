"""Times one rigid-body engine on the benchmark chain and prints a JSON object.

The chain: free base of 5 kg (inertia 0.05 kg m2), then 20 links of 1 kg, centre of mass at (0, 0, -0.1) m, inertia
about it diag(0.004, 0.004, 0.0008) kg m2, each hinged at (0, 0, -0.2) m of the previous link (the first at the origin
of the base), with alternating axes y and x. Gravity 9.81 m/s2 along -z. Hinge angles 0.3 sin(k+1) rad, rates
0.5 cos(k+1) rad/s.
"""
import importlib.metadata
import json
import math
import sys
import time

N = 20
ANGLES = [0.3 * math.sin(k + 1) for k in range(N)]
RATES = [0.5 * math.cos(k + 1) for k in range(N)]
INERTIA = (0.004, 0.004, 0.0008)


def best_us(call, calls=200, batches=60):
    """Fastest of many short batches; Wolff is timed in the same way."""
    best = math.inf
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - start)
    return best / calls * 1e6


def urdf():
    inertial = (
        '<inertial><origin xyz="{}"/><mass value="{}"/>'
        '<inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    text = '<robot name="chain"><link name="base">' + inertial.format("0 0 0", 5, 0.05, 0.05, 0.05) + "</link>"
    for k in range(N):
        parent = "base" if k == 0 else f"link{k - 1}"
        text += f'<link name="link{k}">' + inertial.format("0 0 -0.1", 1, *INERTIA) + "</link>"
        text += (
            f'<joint name="hinge{k}" type="continuous"><parent link="{parent}"/><child link="link{k}"/>'
            f'<origin xyz="0 0 {0 if k == 0 else -0.2}"/><axis xyz="{"0 1 0" if k % 2 == 0 else "1 0 0"}"/></joint>'
        )
    return text + "</robot>"


def mjcf():
    text = '<mujoco><option gravity="0 0 -9.81"/><worldbody><body name="base"><freejoint/>'
    text += '<inertial pos="0 0 0" mass="5" diaginertia="0.05 0.05 0.05"/>'
    for k in range(N):
        text += (
            f'<body pos="0 0 {0 if k == 0 else -0.2}"><joint type="hinge" axis="{"0 1 0" if k % 2 == 0 else "1 0 0"}"/>'
            f'<inertial pos="0 0 -0.1" mass="1" diaginertia="{INERTIA[0]} {INERTIA[1]} {INERTIA[2]}"/>'
        )
    return text + "</body>" * N + "</body></worldbody></mujoco>"


def mujoco():
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf())
    data = mujoco.MjData(model)
    data.qpos[7:] = ANGLES
    data.qvel[6:] = RATES
    mujoco.mj_forward(model, data)
    accelerations = data.qacc[6:].tolist()
    forward = best_us(lambda: mujoco.mj_forward(model, data))
    data.qacc[:] = 0
    mujoco.mj_inverse(model, data)
    inverse = best_us(lambda: mujoco.mj_inverse(model, data))
    return forward, inverse, None, accelerations, data.qfrc_inverse[6:].tolist()


def pin():
    import numpy as np
    import pinocchio

    model = pinocchio.buildModelFromXML(urdf(), pinocchio.JointModelFreeFlyer())
    data = model.createData()
    q, v, zero = pinocchio.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for k in range(N):
        joint = model.joints[model.getJointId(f"hinge{k}")]
        q[joint.idx_q : joint.idx_q + 2] = [math.cos(ANGLES[k]), math.sin(ANGLES[k])]
        v[joint.idx_v] = RATES[k]
    return (
        best_us(lambda: pinocchio.aba(model, data, q, v, zero)),
        best_us(lambda: pinocchio.rnea(model, data, q, v, zero)),
        best_us(lambda: pinocchio.crba(model, data, q)),
        pinocchio.aba(model, data, q, v, zero)[6:].tolist(),
        pinocchio.rnea(model, data, q, v, zero)[6:].tolist(),
    )


def drake():
    import numpy as np
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import MultibodyForces

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(urdf(), "urdf")
    plant.Finalize()
    context = plant.CreateDefaultContext()
    joints = [plant.GetJointByName(f"hinge{k}") for k in range(N)]
    for joint, angle, rate in zip(joints, ANGLES, RATES):
        joint.set_angle(context, angle)
        joint.set_angular_rate(context, rate)
    q, v, zero = plant.GetPositions(context), plant.GetVelocities(context), np.zeros(plant.num_velocities())
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)

    def fresh(call):
        """Setting the state clears Drake's cache, so that every call is computed."""
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        return call()

    def forward():
        return plant.EvalTimeDerivatives(context)

    def inverse():
        return plant.CalcInverseDynamics(context, zero, forces)

    speeds = [joint.velocity_start() for joint in joints]
    accelerations = fresh(forward).get_vector().CopyToVector()[plant.num_positions() :]
    torques = fresh(inverse)
    return (
        best_us(lambda: fresh(forward), 50),
        best_us(lambda: fresh(inverse), 50),
        None,
        [float(accelerations[i]) for i in speeds],
        [float(torques[i]) for i in speeds],
    )


def opensim():
    import opensim as osim

    osim.Logger.setLevelString("Off")
    model = osim.Model()
    model.setGravity(osim.Vec3(0, 0, -9.81))
    parent = osim.Body("base", 5.0, osim.Vec3(0), osim.Inertia(0.05, 0.05, 0.05))
    model.addBody(parent)
    model.addJoint(osim.FreeJoint("float", model.getGround(), parent))
    for k in range(N):
        link = osim.Body(f"link{k}", 1.0, osim.Vec3(0, 0, -0.1), osim.Inertia(*INERTIA))
        turn = osim.Vec3(-math.pi / 2, 0, 0) if k % 2 == 0 else osim.Vec3(0, math.pi / 2, 0)
        at = osim.Vec3(0, 0, 0 if k == 0 else -0.2)
        joint = osim.PinJoint(f"hinge{k}", parent, at, turn, link, osim.Vec3(0), turn)
        joint.updCoordinate().setName(f"q{k}")
        model.addBody(link)
        model.addJoint(joint)
        parent = link
    model.finalizeConnections()
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(f"q{k}") for k in range(N)]
    for coordinate, angle, rate in zip(coordinates, ANGLES, RATES):
        coordinate.setValue(state, angle, False)
        coordinate.setSpeedValue(state, rate)
    q, u = osim.Vector(state.getQ()), osim.Vector(state.getU())
    zero = osim.Vector(state.getNU(), 0.0)
    solver = osim.InverseDynamicsSolver(model)

    def forward():
        state.setQ(q)
        state.setU(u)
        model.realizeAcceleration(state)

    def inverse():
        state.setQ(q)
        state.setU(u)
        return solver.solve(state, zero)

    forward()
    accelerations = [coordinate.getAccelerationValue(state) for coordinate in coordinates]
    torques = inverse()
    hinges = [torques.get(state.getNU() - N + k) for k in range(N)]
    return best_us(forward, 50), best_us(inverse, 50), None, accelerations, hinges


if __name__ == "__main__":
    package = sys.argv[1]
    engine = {"mujoco": mujoco, "pin": pin, "drake": drake, "opensim": opensim}[package]
    forward_us, inverse_us, mass_matrix_us, accelerations, torques = engine()
    title = {"mujoco": "MuJoCo", "pin": "Pinocchio", "drake": "Drake", "opensim": "OpenSim"}[package]
    answer = {
        "name": f"{title} {importlib.metadata.version(package)}",
        "forward_us": forward_us,
        "inverse_us": inverse_us,
        "mass_matrix_us": mass_matrix_us,
        "accelerations": accelerations,
        "torques": torques,
    }
    print(json.dumps(answer))
