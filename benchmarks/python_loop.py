"""Processor time per step from Python, for the soft actuator with four elements.

    python benchmarks/python_loop.py [REPEATS] [STEPS]

Least of REPEATS (default 5) runs of STEPS (default 5000) steps of 1 ms, without payload.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import flexura as fx
import numpy as np

STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
REST, STIFFNESS = np.array([0.175, 0.1]), 5.0  # m, N/m


def actuator() -> fx.Scene:
    scene = fx.Scene(title="Soft actuator", gravity=[0, -9.81], mass_damping="2.4 1/s")
    scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
    scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
    scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
    scene.sensor.tip = fx.PositionSensor(at="actuator.end")
    scene.analysis.move = fx.DynamicAnalysis(end=2e-3 * STEPS, step=1e-3)
    return scene


def pushed() -> fx.Scene:
    scene = actuator()
    scene.signal.push = fx.InputSignal()
    scene.load.push = fx.ForceLoad(at="actuator.end", force=[0, 1], signal="push")
    return scene


def with_spring() -> fx.Scene:
    scene = actuator()
    scene.spring.tip = fx.LinearSpring(between=[REST, "actuator.end"], stiffness=STIFFNESS, free_length=0)
    return scene


def with_law(law: Any) -> fx.Scene:
    scene = actuator()
    scene.load.spring = fx.ExternalLoad(at="actuator.end", function=law)
    return scene


def of_arrays(t: float, x: Any, v: Any) -> Any:
    return -STIFFNESS * (x - REST)


def of_floats(t: float, x: Any, v: Any) -> Any:
    return -STIFFNESS * (x[0] - 0.175), -STIFFNESS * (x[1] - 0.1)


def nothing(t: float, x: Any, v: Any) -> Any:
    return (0.0, 0.0)


BY_X, BY_V = -STIFFNESS * np.eye(2), np.zeros((2, 2))


def compiled() -> Any:
    from numba import cfunc

    @cfunc("void(float64, CPointer(float64), CPointer(float64), CPointer(float64))")
    def law(t: float, x: Any, v: Any, f: Any) -> None:
        f[0] = -STIFFNESS * (x[0] - 0.175)
        f[1] = -STIFFNESS * (x[1] - 0.1)

    return law


def plain(sim: fx.Simulation) -> None:
    for _ in range(STEPS):
        sim.step()


def reading(sim: fx.Simulation) -> None:
    for _ in range(STEPS):
        sim.step()
        sim["tip"]


def view(sim: fx.Simulation) -> None:
    tip, height = sim["tip"], 0.0
    for _ in range(STEPS):
        sim.step()
        height += tip[1]


def controlled(sim: fx.Simulation) -> None:
    tip = sim["tip"]
    for _ in range(STEPS):
        sim.set("push", -0.1 * tip[1])
        sim.step()


def one_call(sim: fx.Simulation) -> None:
    sim.step(STEPS)


def called_back(sim: fx.Simulation) -> None:
    sim.run(lambda s: s.set("push", -0.1 * s["tip"][1]), every=1e-3, until=1e-3 * STEPS)


def report(name: str, scene: fx.Scene, loop: Callable[[fx.Simulation], None]) -> None:
    least = float("inf")
    for _ in range(REPEATS):
        sim = fx.Simulation(scene)
        sim.step(10)
        begin = time.process_time()
        loop(sim)
        least = min(least, time.process_time() - begin)
    print(f"{name:44} {least / STEPS * 1e6:7.2f} µs {STEPS / least:10.0f} steps/s")


def main() -> None:
    report("sim.step(n)", actuator(), one_call)
    report("sim.step()", actuator(), plain)
    report("sim.step(), sim['tip']", actuator(), reading)
    report("sim.step(), tip[1] of a view", actuator(), view)
    report("sim.set(...), sim.step(), tip[1] of a view", pushed(), controlled)
    report("sim.run(controller, every=1e-3), the same", pushed(), called_back)
    report("a built-in spring at the tip", with_spring(), one_call)
    report("a law in Python that returns zeros", with_law(nothing), one_call)
    report("a spring in Python with NumPy", with_law(of_arrays), one_call)
    report("... with its tangent", with_law(fx.ForceLaw(of_arrays, lambda t, x, v: (BY_X, BY_V))), one_call)
    report("... with floats", with_law(of_floats), one_call)
    try:
        report("... compiled by numba", with_law(compiled()), one_call)
    except ImportError:
        print("... compiled: numba is not installed")


if __name__ == "__main__":
    main()
