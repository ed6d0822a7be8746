"""Work that grows with the size of a scene, counted in calls of Python, grows no faster than it."""

from __future__ import annotations

import sys
from collections.abc import Callable

import flexura

SECTION = {"EA": 1e3, "EI": 1.0, "rhoA": 1.0}


def calls(work: Callable[[], object]) -> int:
    """Calls of functions, Python's and compiled ones, during the work."""
    counted = [0]

    def count(_frame: object, event: str, _argument: object) -> None:
        counted[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted[0]


def grows_like_its_size(work: Callable[[int], object], n: int = 100) -> None:
    work(n), work(4 * n)  # what is found once
    one, four = calls(lambda: work(n)), calls(lambda: work(4 * n))
    assert four < 4.4 * one + 200


def with_sensors(n: int) -> flexura.Scene:
    scene = flexura.Scene()
    scene.section.wall = SECTION
    scene.cable.hose = flexura.Cable(section="wall", path=[[0, 0], [1, 0]], elements=2)
    scene.joint.clamp = flexura.WeldJoint(of=["ground", "hose.start"])
    for k in range(n):
        scene.sensor[f"s{k}"] = flexura.PositionSensor(at=f"hose@{k / n}")
    scene.analysis.append({"name": "move", "type": "dynamic", "end": 0.002, "step": 0.001})
    return scene


def test_a_scene_takes_sensors_in_proportion() -> None:
    grows_like_its_size(with_sensors)


def test_a_path_takes_points_in_proportion() -> None:
    def with_path(n: int) -> None:
        scene = flexura.Scene()
        scene.section.wall = SECTION
        scene.cable.hose = flexura.Cable(section="wall", path=[[k * 1e-3, 0.0] for k in range(n)], elements=2)
        scene.to_toml()

    grows_like_its_size(with_path)


def test_a_result_gives_sensors_in_proportion_and_one_at_no_cost_of_the_others() -> None:
    results = {n: flexura.simulate(with_sensors(n)) for n in (100, 400)}
    grows_like_its_size(lambda n: [results[n][name].position for name in results[n]])
    few, many = (calls(lambda n=n: results[n]["s7"].position) for n in (100, 400))
    assert many <= few
