"""Paths of equilibria, and equilibria that are unstable between the first load step and the last."""

import pathlib
import re

import pytest

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases" / "statics"


def arch(flexura, text: str) -> dict:
    flexura.write("arch.csv", (CASES / "arch.csv").read_text(encoding="utf-8"))
    flexura.write("scene.toml", text)
    return flexura.summary("scene.toml", "--no-csv", "--force")


def scene() -> str:
    return (CASES / "bistable_arch.toml").read_text(encoding="utf-8")


def held() -> str:
    """The arch moved in the middle by 15 mm downwards, without a force."""
    text = scene()
    load, sensor, path = (text.index(key) for key in ("[load.push]", "[sensor.mid]", "arc_length = true"))
    joint = '[joint.push]\ntype = "prescribed"\nof = ["ground", "arch@0.5"]\ny = -0.015\n'
    return text[:load] + joint + text[sensor:path]


def test_the_path_does_not_depend_on_the_first_step(flexura):
    """The perfect arch stays symmetric: critical points of one path, located to 1e-7 of a step; rounding of the counts."""
    found = []
    for step in (0.05, 0.02, 0.01, 0.005):
        summary = arch(flexura, scene().replace("load_step = 0.02", f"load_step = {step}"))
        assert summary["statics"][0]["load_factor"] == 1
        assert summary["sensors"]["mid"]["last"][0] == pytest.approx(0.06, abs=1e-8)
        assert summary["sensors"]["mid"]["last"][1] < -0.007, "on the far side"
        found.append([(p["load_factor"], p["unstable_after"]) for p in summary["critical_points"]])
    for other in found[1:]:
        assert [n for _, n in other] == [n for _, n in found[0]]
        assert [x for x, _ in other] == pytest.approx([x for x, _ in found[0]], abs=1e-5)


def test_a_path_that_stops_at_its_last_point_is_no_failure(flexura):
    summary = arch(flexura, scene() + "max_points = 5\n")
    assert summary["statics"][0]["load_steps"] == 5
    assert any("5 points" in text and "max_points" in text for text in summary["warnings"])


def test_a_shorter_largest_step_gives_more_points(flexura):
    points = [
        arch(flexura, scene() + f"max_points = 5000\nlargest_step = {step}\n")["statics"][0]["load_steps"]
        for step in (0.2, 0.01)
    ]
    assert points[1] > 2 * points[0]


@pytest.mark.parametrize("key", ["max_points = 100", "largest_step = 0.1"])
def test_keys_of_paths_need_a_path(flexura, key):
    flexura.write("arch.csv", (CASES / "arch.csv").read_text(encoding="utf-8"))
    flexura.write("scene.toml", scene().replace("arc_length = true", key))
    assert key.split()[0] in flexura("check", "scene.toml", status=2).stderr


@pytest.mark.parametrize("step", [0.1, 0.05, 0.01])
def test_a_warning_says_where_a_held_arch_becomes_unstable(flexura, step):
    """On the path of the force the first bifurcation is at 0.05185 of 30 N, where the middle is 0.490 mm lower: 0.0327 of 15 mm."""
    warnings = arch(flexura, held() + f"load_step = {step}\n")["warnings"]
    found = [
        re.search(r"changes its stability between ([0-9.e-]+) and ([0-9.e-]+) of .*?\(0 .* before, 1 after\)", text)
        for text in warnings
    ]
    (place,) = [match for match in found if match]
    assert float(place[1]) <= 0.0327 <= float(place[2])
