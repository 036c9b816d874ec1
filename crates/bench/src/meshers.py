"""Makes tetrahedra from a closed surface with another mesher and prints a JSON object with its CPU time and memory.

Arguments: the package, the file of the surface, the size in mm, the file for the mesh. Both files are binary: the
numbers of points and of elements (u64), the points (3 f64 each, in mm), the elements (u32 each; 3 corners of a triangle
or 4 of a tetrahedron). The size is given to each program as its target length of edges; nothing is tuned further.
"""
import importlib
import importlib.metadata
import json
import resource
import sys
import tempfile

# seconds of CPU time after which a program is stopped
LIMIT = 60
resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))

import numpy as np


def read(path):
    with open(path, "rb") as file:
        points, triangles = np.fromfile(file, np.uint64, 2).astype(int)
        x = np.fromfile(file, np.float64, 3 * points).reshape(-1, 3)
        return x, np.fromfile(file, np.uint32, 3 * triangles).reshape(-1, 3).astype(np.int32)


def write(path, x, tets):
    with open(path, "wb") as file:
        np.array([len(x), len(tets)], np.uint64).tofile(file)
        np.ascontiguousarray(x, np.float64).tofile(file)
        np.ascontiguousarray(tets, np.uint32).tofile(file)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def peak_megabytes():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def gmsh(x, triangles, size):
    import gmsh

    gmsh.initialize()
    for name, value in [
        ("General.Terminal", 0),
        ("General.NumThreads", 1),
        ("Mesh.MeshSizeMin", size),
        ("Mesh.MeshSizeMax", size),
        ("Mesh.MeshSizeExtendFromBoundary", 0),
        ("Mesh.Optimize", 1),
        ("Mesh.OptimizeNetgen", 1),
    ]:
        gmsh.option.setNumber(name, value)
    mesh = gmsh.model.mesh
    surface = gmsh.model.addDiscreteEntity(2)
    mesh.addNodes(2, surface, range(1, len(x) + 1), x.ravel())
    mesh.addElementsByType(surface, 2, [], (triangles + 1).ravel())
    mesh.classifySurfaces(np.pi, True, True, np.pi)
    mesh.createGeometry()
    loop = gmsh.model.geo.addSurfaceLoop([tag for _, tag in gmsh.model.getEntities(2)])
    gmsh.model.geo.addVolume([loop])
    gmsh.model.geo.synchronize()
    mesh.generate(3)
    tags, places, _ = mesh.getNodes()
    number = np.zeros(int(tags.max()) + 1, int)
    number[tags.astype(int)] = np.arange(len(tags))
    tets = number[mesh.getElementsByType(4)[1].astype(int).reshape(-1, 4)]
    gmsh.finalize()
    return places.reshape(-1, 3), tets


def tetgen(x, triangles, size, quality=True):
    import tetgen

    work = tetgen.TetGen(x, triangles)
    if quality:
        volume = 1.6 * size**3 / (6 * 2**0.5)
        bounds = {"mindihedral": 15, "minratio": 1.3, "fixedvolume": True, "maxvolume": volume}
        found = work.tetrahedralize(order=1, quiet=True, **bounds)
    else:
        found = work.tetrahedralize(order=1, quality=False, quiet=True)
    return found[0], found[1]


def ftetwild(x, triangles, size):
    import pytetwild

    # its own envelope of a thousandth of the diagonal
    return pytetwild.tetrahedralize(x, triangles, edge_length_abs=size, epsilon=1e-3, num_threads=1, quiet=True)


def netgen(x, triangles, size):
    from netgen.stl import STLGeometry

    with tempfile.NamedTemporaryFile("w", suffix=".stl") as file:
        file.write("solid s\n")
        for corners in x[triangles]:
            normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
            normal /= max(np.linalg.norm(normal), 1e-300)
            file.write("facet normal %.9g %.9g %.9g\nouter loop\n" % tuple(normal))
            file.writelines("vertex %.9g %.9g %.9g\n" % tuple(corner) for corner in corners)
            file.write("endloop\nendfacet\n")
        file.write("endsolid s\n")
        file.flush()
        mesh = STLGeometry(file.name).GenerateMesh(maxh=size)
    if not len(mesh.Elements3D()):
        mesh.GenerateVolumeMesh(maxh=size)
    places = np.array([list(point.p) for point in mesh.Points()])
    return places, np.array([[v.nr - 1 for v in element.vertices] for element in mesh.Elements3D()])


def mmg(x, triangles, size):
    import mmgpy

    places, tets = tetgen(x, triangles, size, quality=False)
    a, b, c, d = (places[tets[:, i]] for i in range(4))
    inverted = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    tets[inverted] = tets[inverted][:, [1, 0, 2, 3]]
    mesh = mmgpy.MmgMesh3D(np.asarray(places, float), np.asarray(tets, np.int32))
    mesh.remesh(hsiz=size, hausd=size / 20, angle=0, verbose=-1)
    return mesh.get_vertices(), mesh.get_tetrahedra()


MESHERS = {
    "gmsh": (gmsh, ["gmsh"]),
    "tetgen": (tetgen, ["tetgen"]),
    "pytetwild": (ftetwild, ["pytetwild"]),
    "netgen-mesher": (netgen, ["netgen.stl"]),
    "mmgpy": (mmg, ["tetgen", "mmgpy"]),
}

package, surface, size, out = sys.argv[1:5]
version = importlib.metadata.version(package)
mesher, modules = MESHERS[package]
# the time to load a program is not counted
for module in modules:
    importlib.import_module(module)
x, triangles = read(surface)
start = cpu_seconds()
places, tets = mesher(x, triangles, float(size))
used = cpu_seconds() - start
if not len(tets):
    raise SystemExit("it returned an empty mesh")
write(out, places, tets)
print(json.dumps({"version": version, "cpu_s": used, "memory_mb": peak_megabytes()}))
