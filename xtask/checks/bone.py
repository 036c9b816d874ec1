"""The files of a bone in a run folder, read with numpy alone. Equations and frames: README.md beside the files."""

import csv
import json
from pathlib import Path

import numpy as np


def axial(a):
    """ax(A)_k = eps_kij A_ij, also of lists of matrices."""
    return np.stack([a[..., 1, 2] - a[..., 2, 1], a[..., 2, 0] - a[..., 0, 2], a[..., 0, 1] - a[..., 1, 0]], axis=-1)


class Bone:
    """Mass, modes and motion of a bone, and every load on it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.body = json.loads((self.folder / "body.json").read_text())
        inertia = self.body["inertia"]
        self.mass = inertia["mass_kg"]
        self.first, self.second = np.array(inertia["first_kg_m"]), np.array(inertia["second_kg_m2"])
        self.S, self.B = np.array(inertia["S"]), np.array(inertia["B"])
        n = len(self.S)
        self.C = np.array(inertia["C"]).reshape(n, n, 3, 3)
        self.K, self.D = np.array(self.body["stiffness"]), np.array(self.body["damping"])
        self.nodes = {
            node["name"]: [np.array(node[key]) for key in ("position_m", "translation", "rotation")]
            for node in self.body["nodes"]
        }
        modes = np.loadtxt(self.folder / "modes.csv", delimiter=",", skiprows=1, ndmin=2)
        motion = np.loadtxt(self.folder / "motion.csv", delimiter=",", skiprows=1, ndmin=2)
        self.times = motion[:, 0]
        self.felt, self.omega, self.alpha = np.split(motion[:, 1:], 3, axis=1)
        self.eta, self.speed, self.acceleration = np.split(modes[:, 1:], 3, axis=1)
        h = self.body["step_s"]
        self.eta_end = self.eta + h * h * self.acceleration
        if h == 0:
            # a prescribed walk: loads and inertia are those of the bone at rest
            self.eta = np.zeros_like(self.eta)
        self.speed_end = self.speed + h * self.acceleration
        self.loads = self._loads()

    def _loads(self):
        """For every sample a list of (name, node, point, force, moment)."""
        row_of = {time: i for i, time in enumerate(self.times)}
        loads = [[] for _ in self.times]
        with open(self.folder / "loads.csv", newline="") as file:
            lines = csv.reader(file)
            next(lines)
            for line in lines:
                x = np.array([float(word) for word in line[3:]])
                loads[row_of[float(line[0])]].append((line[1], line[2], x[:3], x[3:6], x[6:]))
        return loads

    def needed(self, i):
        """Force and moment about the origin that the motion of sample i takes."""
        a, w, alpha = self.felt[i], self.omega[i], self.alpha[i]
        eta, speed, acceleration = self.eta[i], self.speed[i], self.acceleration[i]
        s = self.first + eta @ self.S
        half = np.einsum("i,ijk->jk", eta, self.B)
        P = self.second + half + half.T + np.einsum("i,j,ijkl->kl", eta, eta, self.C)
        E = self.moments(i)
        J = np.trace(P) * np.eye(3) - P
        D = np.einsum("i,ijk->jk", speed, E)
        force = self.mass * a + np.cross(alpha, s) + np.cross(w, np.cross(w, s))
        force += 2 * np.cross(w, speed @ self.S) + acceleration @ self.S
        moment = np.cross(s, a) + J @ alpha + np.cross(w, J @ w)
        moment += 2 * (np.trace(D) * w - D.T @ w) + acceleration @ axial(E)
        return force, moment

    def moments(self, i):
        """E_i = B_i + sum_j C_ji eta_j."""
        return self.B + np.einsum("j,jikl->ikl", self.eta[i], self.C)

    def applied(self, i):
        """Sum of all loads of sample i: force and moment about the origin."""
        force = sum((f for _, _, _, f, _ in self.loads[i]), np.zeros(3))
        moment = sum((m + np.cross(p, f) for _, _, p, f, m in self.loads[i]), np.zeros(3))
        return force, moment

    def modal_inertia(self, i):
        """Inertia terms of the modal equations of sample i."""
        w, E = self.omega[i], self.moments(i)
        terms = self.S @ self.felt[i] + axial(E) @ self.alpha[i]
        terms += np.einsum("j,ijk,k->i", w, E, w) - (w @ w) * np.einsum("ijj->i", E)
        terms += 2 * np.einsum("j,jik,k->i", self.speed[i], axial(self.C), w)
        return terms + np.einsum("ijkk,j->i", self.C, self.acceleration[i])

    def modal_loads(self, i):
        """What the loads of sample i do on the modes."""
        total = np.zeros(len(self.S))
        for _, node, point, force, moment in self.loads[i]:
            position, translation, rotation = self.nodes[node]
            arm = point - position - translation @ self.eta[i]
            turn = left_jacobian(rotation @ self.eta[i]) @ rotation
            total += translation.T @ force + turn.T @ (moment + np.cross(arm, force))
        return total


def left_jacobian(theta):
    """Rate of turning a rate of the rotation vector."""
    x, y, z = theta
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    square = theta @ theta
    # series of (1 - cos) / phi^2 and (phi - sin) / phi^3: bones turn by hundredths of a radian
    a = 1 / 2 - square / 24 + square**2 / 720
    b = 1 / 6 - square / 120 + square**2 / 5040
    return np.eye(3) + a * skew + b * skew @ skew


def bones(run):
    """Folders of all bones of a run."""
    return sorted(path.parent for path in Path(run).glob("loads/*/body.json"))
