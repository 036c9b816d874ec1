"""Newton's, Euler's and the modal equations of every flexible bone, from the files of a run alone (numpy only).

    python check_balance.py RUN_FOLDER

Every sample must close within 1 N and 0.1 N m rms over the three axes; the modal equations within 1e-6 of the largest elastic modal force.
"""

import sys

import numpy as np

from bone import Bone, bones

FORCE_N, MOMENT_NM, MODAL = 1.0, 0.1, 1e-6


def check(folder):
    """Number of checks that passed and failed."""
    bone = Bone(folder)
    samples = range(len(bone.times))
    apart = np.array([np.concatenate(bone.applied(i)) - np.concatenate(bone.needed(i)) for i in samples])
    rms = np.sqrt(np.mean(apart.reshape(len(samples), 2, 3) ** 2, axis=2))
    elastic = bone.eta_end @ bone.K.T
    modal = np.array([bone.modal_loads(i) - bone.modal_inertia(i) for i in samples])
    modal -= elastic + bone.speed_end @ bone.D.T
    modal = np.abs(modal).max() / np.abs(elastic).max()
    names = {load[0] for loads in bone.loads for load in loads}
    print(f"{folder}: {len(samples)} samples, {len(names)} loads, {len(bone.S)} modes")
    verdicts = []
    for k, (what, unit, most) in enumerate([("Newton", "N", FORCE_N), ("Euler", "N m", MOMENT_NM)]):
        part = apart[:, 3 * k : 3 * k + 3]
        print(
            f"  {what}: rms of all samples {np.sqrt(np.mean(part**2)):.2e} {unit}, "
            f"largest rms of a sample {rms[:, k].max():.2e} {unit}, largest component {np.abs(part).max():.2e} {unit}; allowed {most} {unit} a sample"
        )
        verdicts.append(rms[:, k].max() <= most)
    print(f"  modes: largest left over {modal:.2e} of the largest elastic force; allowed {MODAL}")
    verdicts.append(modal <= MODAL)
    return sum(verdicts), len(verdicts) - sum(verdicts)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folders = bones(sys.argv[1])
    counts = np.array([check(folder) for folder in folders]).reshape(-1, 2).sum(axis=0)
    print(f"{counts[0]} passed, {counts[1]} failed")
    sys.exit(0 if folders and counts[1] == 0 else 1)


main()
