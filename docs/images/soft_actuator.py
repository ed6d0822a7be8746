"""Draws docs/images/soft_actuator.svg from a run of examples/soft_actuator.toml.

    flexura example soft_actuator && flexura run soft_actuator.toml
    python docs/images/soft_actuator.py soft_actuator/results.h5 docs/images/soft_actuator.svg

Needs h5py and matplotlib.
"""

import json
import sys

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def curve(model, q):
    """Points of the first cable as the element interpolates them: cubic Hermite, 12 points per element."""
    cable = model["cables"][0]
    offsets = np.asarray(model["offsets"])
    at = [q[offsets[s] : offsets[s] + 2] for s in cable["points"]]
    gradient = [q[offsets[s] : offsets[s] + 2] for s in cable["vectors"]]
    length = cable["length"] / (len(at) - 1)
    x = np.linspace(0, 1, 12)[:, None]
    parts = [
        (1 - 3 * x**2 + 2 * x**3) * at[i]
        + (x - 2 * x**2 + x**3) * length * gradient[i]
        + (3 * x**2 - 2 * x**3) * at[i + 1]
        + (x**3 - x**2) * length * gradient[i + 1]
        for i in range(len(at) - 1)
    ]
    return np.concatenate(parts)


def main(results, picture):
    with h5py.File(results) as file:
        models = json.loads(file["/model/summary"].asstr()[()])["models"]
        move = file["/analysis/move"]
        tip_t, tip = file["/sensors/tip/t"][:], file["/sensors/tip/position"][:]
        released = move["model2"]
        loaded = [(t, curve(models[0], q)) for t, q in zip(move["t"][:], move["q"][:])]
        free = [(t, curve(models[1], q)) for t, q in zip(released["t"][:], released["q"][:])]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.5), gridspec_kw={"width_ratios": [1.15, 1]})
    for poses, color, label in [(loaded, "#2166ac", "with 30 g"), (free, "#d6604d", "cut loose")]:
        chosen = poses[:: max(1, len(poses) // 9)] if color == "#2166ac" else poses[2:34:5]
        for k, (_, shape) in enumerate(chosen):
            left.plot(
                *(1e3 * shape.T), color=color, lw=5, alpha=0.28, solid_capstyle="round", label=label if k == 0 else None
            )
        left.plot(*(1e3 * np.array([s[-1] for _, s in chosen]).T), ".", color=color, ms=6)
    left.plot([0, 0], [-18, 18], color="0.25", lw=6)
    left.set(aspect="equal", xlabel="x [mm]", ylabel="y [mm]", title="poses")
    left.legend(frameon=False, loc="lower left")
    right.plot(tip_t, 1e3 * tip[:, 1], color="#1b7837", lw=1)
    right.axvline(6, color="0.5", lw=0.8, ls="--")
    right.text(6.05, right.get_ylim()[0], " payload cut", va="bottom", color="0.35")
    right.set(xlabel="t [s]", ylabel="tip y [mm]", title="tip")
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})
    figure.savefig(picture.replace(".svg", ".png"), dpi=110) if "--png" in sys.argv else None


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
