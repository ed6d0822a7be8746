"""Steps per second of a plain Python loop, for the soft actuator with four elements.

    python benchmarks/python_loop.py [REPEATS]

Best of REPEATS (default 5) runs over the 20 000 steps of the motion.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import flexura

SCENE = Path(__file__).resolve().parents[1] / "examples" / "soft_actuator.toml"


def plain(sim: flexura.Simulation) -> int:
    n = 0
    while sim.step():
        n += 1
    return n


def reading(sim: flexura.Simulation) -> int:
    n = 0
    while sim.step():
        sim["tip"]
        n += 1
    return n


def view(sim: flexura.Simulation) -> int:
    n = 0
    tip = sim["tip"]
    height = 0.0
    while sim.step():
        height += tip[1]
        n += 1
    return n


def in_one_call(sim: flexura.Simulation) -> int:
    sim.step(20000)
    return 20000


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, loop in {
        "sim.step()": plain,
        "sim.step(), sim['tip']": reading,
        "sim.step(), tip[1] of a view": view,
        "sim.step(20000)": in_one_call,
    }.items():
        best = 0.0
        for _ in range(repeats):
            sim = flexura.Simulation(SCENE, set={"cable.actuator.elements": 4})
            sim.step()  # the static analysis
            begin = time.perf_counter()
            n = loop(sim)
            best = max(best, n / (time.perf_counter() - begin))
        print(f"{name:30} {best:10.0f} steps/s")


if __name__ == "__main__":
    main()
