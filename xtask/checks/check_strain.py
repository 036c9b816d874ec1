"""Strains of every flexible bone against an independent finite element solution (scikit-fem, scipy, meshio).

    python check_strain.py RUN_FOLDER

`mesh.inp` and each `step-T.inp` are solved as statics with ten-node tetrahedra and rigid joint faces; the strain at each gauge is recovered as README.md
tells, and the strain that damping and inertia of the deformation make in the reduced body is added. In-plane strains (xx, yy, xy) of every gauge must agree with
`gauges-T.csv` within 1 % of the largest principal strain at that gauge.
"""

import re
import sys

import meshio
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg
from scipy.spatial import cKDTree
from skfem import Basis, BilinearForm, ElementTetP2, ElementVector, MeshTet2
from skfem.helpers import grad

from bone import Bone, bones

ALLOWED = 0.01
# reactions of a support that has nothing to carry [N, N m]
NOTHING = 1e-3
VOIGT = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)]
# places of the 21 constants of *ELASTIC, TYPE=ANISO in the order xx, yy, zz, xy, yz, zx
ANISO = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3), (3, 3), (0, 5)]
ANISO += [(1, 5), (2, 5), (3, 5), (5, 5), (0, 4), (1, 4), (2, 4), (3, 4), (5, 4), (4, 4)]
# corners and edges of a ten-node tetrahedron
EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]


class Model:
    """Mesh, materials and rigid faces of `mesh.inp`, with the factor of its stiffness."""

    def __init__(self, path):
        text = path.read_text()
        mesh = meshio.read(path, file_format="abaqus")
        self.points = mesh.points
        self.elements = np.vstack([block.data for block in mesh.cells if block.type == "tetra10"])
        numbers = re.search(r"\*NODE\n(.*?)\*", text, re.S).group(1)
        self.number = {int(line.split(",")[0]): i for i, line in enumerate(numbers.splitlines()) if line.strip()}
        self.solid_nodes = np.unique(self.elements)
        self.stiffness = self._stiffness(text, mesh)
        self._tie(text, mesh)

    def _stiffness(self, text, mesh):
        """Global stiffness, three dof a point of the file."""
        used = {node: i for i, node in enumerate(self.solid_nodes)}
        t = np.vectorize(used.get)(self.elements)
        grid = MeshTet2(self.points[self.solid_nodes].T, t.T)
        element = ElementVector(ElementTetP2())
        total = 0
        for name, D in materials(text):
            own = element_set(mesh, name)
            basis = Basis(grid, element, elements=own, intorder=4)
            total = total + form(D).assemble(basis)
        # where the dof of the basis are in the file
        basis = Basis(grid, element, intorder=1)
        tree = cKDTree(self.points[self.solid_nodes])
        place = np.zeros(basis.N, dtype=int)
        for dofs in (basis.nodal_dofs, basis.edge_dofs):
            for axis in range(3):
                distance, near = tree.query(basis.doflocs[:, dofs[axis]].T)
                assert distance.max() < 1e-9, "a node of the mesh is not where its element has it"
                place[dofs[axis]] = 3 * self.solid_nodes[near] + axis
        total = total.tocoo()
        size = 3 * len(self.points)
        return sparse.csr_matrix((total.data, (place[total.row], place[total.col])), shape=(size, size))

    def _tie(self, text, mesh):
        """T of u = T q: nodes of a rigid face follow its reference nodes; q without the proximal reference node, which is held."""
        size = 3 * len(self.points)
        self.rigid = []
        follows = {}
        for name, moving, turning in re.findall(r"\*RIGID BODY, NSET=(\w+), REF NODE=(\d+), ROT NODE=(\d+)", text):
            moving, turning = self.number[int(moving)], self.number[int(turning)]
            self.rigid.append((moving, turning))
            for node in mesh.point_sets[name]:
                follows[node] = (moving, turning)
        rows, columns, values = [], [], []
        free = set(self.solid_nodes) - set(follows)
        for node in list(free) + [node for pair in self.rigid for node in pair]:
            for axis in range(3):
                rows.append(3 * node + axis), columns.append(3 * node + axis), values.append(1.0)
        for node, (moving, turning) in follows.items():
            x, y, z = self.points[node] - self.points[moving]
            lever = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
            for axis in range(3):
                rows.append(3 * node + axis), columns.append(3 * moving + axis), values.append(1.0)
                for turn in range(3):
                    rows.append(3 * node + axis), columns.append(3 * turning + turn), values.append(lever[axis, turn])
        self.T = sparse.csr_matrix((values, (rows, columns)), shape=(size, size))
        self.reduced = (self.T.T @ self.stiffness @ self.T).tocsc()
        held = {3 * node + axis for node in self.rigid[0] for axis in range(3)}
        self.held = np.array(sorted(held))
        self.free = np.array([i for i in np.unique(self.T.indices) if i not in held])
        self.factor = scipy.sparse.linalg.splu(self.reduced[self.free][:, self.free])

    def solve(self, forces):
        """Displacements, and the largest reaction of the support, for forces on all points."""
        load = self.T.T @ forces
        q = np.zeros_like(load)
        q[self.free] = self.factor.solve(load[self.free])
        reaction = (self.reduced @ q - load)[self.held]
        return (self.T @ q).reshape(-1, 3), np.abs(reaction).max()

    def nodal_strain(self, node, u):
        """Strain at a node: mean over its elements, weighted by volume."""
        around = [(e, list(nodes).index(node)) for e, nodes in enumerate(self.elements) if node in nodes]
        total, weight = np.zeros((3, 3)), 0.0
        for e, local in around:
            nodes = self.elements[e]
            volume = sum(w * np.linalg.det(self.points[nodes].T @ shape_gradients(at)) for at, w in QUADRATURE)
            slopes = shape_gradients(CORNERS[local])
            gradient = u[nodes].T @ slopes @ np.linalg.inv(self.points[nodes].T @ slopes)
            total += volume * (gradient + gradient.T) / 2
            weight += volume
        return total / weight


def form(D):
    """Bilinear form of linear elasticity with the matrix D, Voigt order xx, yy, zz, xy, yz, zx."""

    def strain(u):
        g = grad(u)
        return [g[i, j] if i == j else g[i, j] + g[j, i] for i, j in VOIGT]

    @BilinearForm
    def elastic(u, v, _):
        e, f = strain(u), strain(v)
        return sum(D[i, j] * e[j] * f[i] for i in range(6) for j in range(6) if D[i, j] != 0)

    return elastic


def materials(text):
    """Element set and elasticity matrix of every material."""
    for name, constants in re.findall(r"\*MATERIAL, NAME=(\w+)\n\*ELASTIC, TYPE=ANISO\n(.*?)\*DENSITY", text, re.S):
        D = np.zeros((6, 6))
        for (i, j), value in zip(ANISO, re.split(r"[,\s]+", constants.strip()), strict=True):
            D[i, j] = D[j, i] = float(value)
        yield name, D


def element_set(mesh, name):
    return np.concatenate([np.asarray(part, dtype=int) for part in mesh.cell_sets[name] if part is not None])


CORNERS = [np.array(x, dtype=float) for x in ([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1])]
CORNERS += [(CORNERS[a] + CORNERS[b]) / 2 for a, b in EDGES]
A, B = 0.5854101966249685, 0.1381966011250105
QUADRATURE = [(np.array(x), 1 / 24) for x in ([B, B, B], [A, B, B], [B, A, B], [B, B, A])]


def shape_gradients(at):
    """Gradients of the ten shape functions by the reference coordinates (10 by 3)."""
    L = np.array([1 - sum(at), *at])
    dL = np.array([[-1.0, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    corners = [(4 * L[a] - 1) * dL[a] for a in range(4)]
    edges = [4 * (L[a] * dL[b] + L[b] * dL[a]) for a, b in EDGES]
    return np.array(corners + edges)


def forces(path, model):
    """Nodal forces of a step file, three a point."""
    out = np.zeros(3 * len(model.points))
    block = re.search(r"\*CLOAD\n(.*?)\n\*", path.read_text(), re.S).group(1)
    for line in block.splitlines():
        node, axis, value = line.split(",")
        out[3 * model.number[int(node)] + int(axis) - 1] += float(value)
    return out


def in_plane(strain):
    return strain[[0, 1, 3]]


def largest_principal(xx, yy, xy):
    middle, radius = (xx + yy) / 2, np.hypot(xx - yy, xy) / 2
    return abs(middle) + radius


def check_step(path, bone, model):
    """Whether every gauge of a step agrees, and whether the support carries nothing."""
    time = float(path.stem.split("-", 1)[1])
    i = int(np.argmin(abs(bone.times - time)))
    u, reaction = model.solve(forces(path, model))
    table = np.genfromtxt(path.with_name(f"gauges-{path.stem[5:]}.csv"), delimiter=",", names=True, dtype=None, encoding="utf8")
    given = {row[0]: np.array(list(row)[1:7]) for row in table}
    dynamic = -np.linalg.solve(bone.K, bone.D @ bone.speed_end[i] + bone.modal_inertia(i))
    known, rows = {}, []
    for gauge in bone.body["gauges"]:
        tensor = 0
        for number, weight in zip(gauge["mesh_nodes"], gauge["weights"], strict=True):
            node = model.number[number]
            if node not in known:
                known[node] = model.nodal_strain(node, u)
            tensor = tensor + weight * known[node]
        axes = np.array(gauge["axes"])
        local = axes.T @ tensor @ axes
        static = np.array([local[a, b] if a == b else 2 * local[a, b] for a, b in VOIGT])
        extra = np.array(gauge["strain"]) @ dynamic
        ours = given[gauge["name"]]
        rows.append((gauge["name"], in_plane(static), in_plane(extra), in_plane(ours)))
    overall = max(largest_principal(*ours) for *_, ours in rows)
    print(f"  {path.name}: reaction of the support {reaction:.1e}; gauge, FE xx yy xy + dynamic, ours [microstrain], difference [% of the gauge, of the largest gauge]")
    worst = 0.0
    for name, static, extra, ours in rows:
        off = np.abs(static + extra - ours).max()
        own = off / largest_principal(*ours)
        worst = max(worst, own)
        show = lambda x: " ".join(f"{1e6 * e:8.1f}" for e in x)
        print(f"    {name:8} {show(static)} + {show(extra)} {show(ours)}  {100 * own:6.2f} {100 * off / overall:6.2f}")
    print(f"    largest difference {100 * worst:.2f} %, allowed {100 * ALLOWED:g} %")
    return [worst <= ALLOWED, reaction <= NOTHING]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    verdicts = []
    for folder in bones(sys.argv[1]):
        steps = sorted(folder.glob("step-*.inp"))
        bone = Bone(folder)
        print(f"{folder}: {len(steps)} instants, {len(bone.body['gauges'])} gauges")
        if not steps or not bone.body["gauges"]:
            continue
        model = Model(folder / "mesh.inp")
        for path in steps:
            verdicts += check_step(path, bone, model)
    print(f"{sum(verdicts)} passed, {len(verdicts) - sum(verdicts)} failed")
    sys.exit(0 if verdicts and all(verdicts) else 1)


main()
