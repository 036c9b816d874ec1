"""Times OpenSim's ElasticFoundationForce on a ball over a half-space and prints a JSON object.

usage: ball.py MESH.obj RADIUS STIFFNESS DEPTH...

The mesh is the ball [m]; springs of STIFFNESS [Pa/m] are on its triangles, without damping and friction. There is one
force per depth. The time is that of the contact only: an evaluation of the forces at a depth of 5 mm minus one without
contact.
"""
import importlib.metadata
import json
import math
import sys
import time

import opensim as osim

osim.Logger.setLevelString("Off")
mesh, radius, stiffness = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
depths = [float(x) for x in sys.argv[4:]]


def best_us(call, calls=50, batches=400):
    """Fastest of many short batches; Wolff is timed in the same way."""
    best = math.inf
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter() - start)
    return best / calls * 1e6


model = osim.Model()
model.setGravity(osim.Vec3(0, -9.81, 0))
ball = osim.Body("ball", 1.0, osim.Vec3(0), osim.Inertia(*(3 * [0.4 * radius**2])))
model.addBody(ball)
model.addJoint(osim.FreeJoint("free", model.getGround(), ball))
# a half-space is x > 0 of its frame: rotated to y < 0
model.addContactGeometry(osim.ContactHalfSpace(osim.Vec3(0), osim.Vec3(0, 0, -math.pi / 2), model.getGround(), "floor"))
model.addContactGeometry(osim.ContactMesh(mesh, osim.Vec3(0), osim.Vec3(0), ball, "skin"))
force = osim.ElasticFoundationForce()
force.addGeometry("skin")
force.addGeometry("floor")
force.setStiffness(stiffness)
force.setDissipation(0)
force.setStaticFriction(0)
force.setDynamicFriction(0)
force.setViscousFriction(0)
force.setName("contact")
model.addForce(force)
state = model.initSystem()
height = model.getCoordinateSet().get(4)

forces = []
for depth in depths:
    height.setValue(state, radius - depth)
    model.realizeDynamics(state)
    record = model.getForceSet().get("contact").getRecordValues(state)
    forces.append(max(abs(record.get(i)) for i in range(record.size())))


def evaluation(y):
    """New coordinates clear OpenSim's cache, so that every call is computed."""
    height.setValue(state, y)
    q = osim.Vector(state.getQ())

    def call():
        state.setQ(q)
        model.realizeDynamics(state)

    return best_us(call)


in_contact, in_the_air = evaluation(radius - 0.005), evaluation(3 * radius)
answer = {
    "name": f"OpenSim {importlib.metadata.version('opensim')}",
    "contact_us": in_contact - in_the_air,
    "forces": forces,
}
print(json.dumps(answer))
