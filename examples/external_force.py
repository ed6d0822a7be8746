# %% [markdown]
# # A force law in Python
# A magnet below the tip of an actuator pulls it, f = c d / (|d|² + h²)^(5/2) towards the magnet's place, and the air
# brakes it with a drag that grows with the square of the speed. The law is a Python function of time, position and
# velocity. Three ways of giving it to the solver differ in their cost:
#
# * the force alone: the solver takes its tangent by differences, which takes 4 n + 1 = 9 calls,
# * the force and its tangent,
# * both compiled by numba, which is optional: the solver then never enters the interpreter.

# %%
import math
import time
from collections.abc import Callable
from typing import Any

import flexura as fx
import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MAGNET = np.array([0.15, -0.08])  # m
STRENGTH, HEIGHT, DRAG = 1.2e-6, 0.02, 0.02  # N m⁴, m, N s²/m²


def pull(t: float, x: Vector, v: Vector) -> Vector:
    """Force [N] at position x [m] and velocity v [m/s]."""
    d = MAGNET - x
    return STRENGTH * d / (d @ d + HEIGHT**2) ** 2.5 - DRAG * math.sqrt(v @ v) * v


def tangent(t: float, x: Vector, v: Vector) -> tuple[Vector, Vector]:
    """Derivatives of the force by x and v, (2, 2) each."""
    d, speed, one = MAGNET - x, math.sqrt(v @ v), np.eye(2)
    s = d @ d + HEIGHT**2
    by_x = STRENGTH * (5 * np.outer(d, d) / s - one) / s**2.5
    by_v = -DRAG * (speed * one + np.outer(v, v) / speed) if speed > 0 else 0 * one
    return by_x, by_v


def actuator(law: Callable[..., Any] | fx.ForceLaw) -> fx.Scene:
    """An actuator that is let go from the horizontal, above a magnet."""
    scene = fx.Scene(title="Actuator above a magnet", gravity=[0, -9.81], mass_damping=1)
    scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
    scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
    scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
    scene.mass.iron = fx.PointMass(at="actuator.end", m="20 g")
    scene.load.magnet = fx.ExternalLoad(at="actuator.end", function=law)
    scene.sensor.tip = fx.PositionSensor(at="actuator.end")
    scene.analysis.fall = fx.DynamicAnalysis(end=3.0, step=1e-3)
    scene.output = fx.Output(interval=0.1, sensor_interval=0.005)
    return scene


# %% [markdown]
# For numba the functions take and fill arrays by pointers, with the same formulas in components:


# %%
def compiled() -> fx.ForceLaw:
    """The same law in machine code. Raises ImportError without numba."""
    from numba import cfunc

    mx, my = (float(c) for c in MAGNET)

    @cfunc("void(float64, CPointer(float64), CPointer(float64), CPointer(float64))")
    def force(t: float, x: Any, v: Any, f: Any) -> None:
        dx, dy = mx - x[0], my - x[1]
        near = STRENGTH / (dx * dx + dy * dy + HEIGHT**2) ** 2.5
        drag = DRAG * math.sqrt(v[0] * v[0] + v[1] * v[1])
        f[0] = near * dx - drag * v[0]
        f[1] = near * dy - drag * v[1]

    @cfunc("void(float64, CPointer(float64), CPointer(float64), CPointer(float64), CPointer(float64))")
    def derivatives(t: float, x: Any, v: Any, by_x: Any, by_v: Any) -> None:
        d = (mx - x[0], my - x[1])
        s = d[0] * d[0] + d[1] * d[1] + HEIGHT**2
        near = STRENGTH / s**2.5
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1])
        for i in range(2):
            for j in range(2):
                one = 1.0 if i == j else 0.0
                by_x[2 * i + j] = near * (5 * d[i] * d[j] / s - one)
                by_v[2 * i + j] = -DRAG * (speed * one + (v[i] * v[j] / speed if speed > 0 else 0.0))

    return fx.ForceLaw(force, derivatives)


laws: dict[str, Any] = {"force alone": pull, "with tangent": fx.ForceLaw(pull, tangent)}
try:
    laws["compiled"] = compiled()
except ImportError:
    print("numba is not installed: the compiled law is left out")

results = {}
for name, law in laws.items():
    scene = actuator(law)
    begin = time.perf_counter()
    sim = fx.Simulation(scene, record=True)
    sim.run()
    seconds = time.perf_counter() - begin
    results[name] = sim.finish()
    tip = results[name]["tip"].position[-1]
    print(f"{name:>12}: {3000 / seconds:8.0f} steps/s, the tip ends at {tip * 1e3} mm")

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
free = fx.simulate(actuator(lambda t, x, v: np.zeros(2)), progress=False)
for label, result in (("without magnet", free), ("with magnet and drag", results["with tangent"])):
    axes.plot(result["tip"].t, result["tip"].position[:, 1] * 1e3, label=label)
axes.set(xlabel="t [s]", ylabel="height of the tip [mm]")
axes.margins(x=0)
axes.legend()

# %% tags=["script"]
import sys

if len(sys.argv) > 1:  # python examples/external_force.py figure.png
    figure.savefig(sys.argv[1])
else:
    plt.show()
