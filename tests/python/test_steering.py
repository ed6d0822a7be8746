"""fx.inverse_statics, fx.inverse_dynamics and fx.workspace."""

import math
from pathlib import Path

import flexura as fx
import numpy as np
import pytest

# A rod that is driven about the origin: its tip is on a circle of 0.5 m.
ROD = """
space = "planar"
gravity = [0, -9.81]
[signal.turn]
type = "input"
[body.rod]
shape = { type = "rod", length = 0.5, center = [0.25, 0] }
density = 1
points = { tip = [0.5, 0] }
[joint.axis]
type = "revolute"
of = ["ground", "rod"]
at = [0, 0]
angle = "turn"
[sensor.tip]
type = "position"
at = "rod.tip"
[[analysis]]
name = "hold"
type = "static"
"""
TURN = {"turn": {"bounds": ("-90 deg", "90 deg")}}

# 2 kg on a spring of 50 N/m, pushed.
OSCILLATOR = """
space = "planar"
[point.bob]
position = [0, -1]
[mass.bob_mass]
at = "bob"
m = 2.0
[joint.guide]
type = "prescribed"
of = ["ground", "bob"]
x = 0
[spring.coil]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 50
[signal.push]
type = "input"
[load.force]
type = "force"
at = "bob"
force = [0, 1]
signal = "push"
[sensor.place]
type = "position"
at = "bob"
[[analysis]]
name = "rest"
type = "static"
[[analysis]]
name = "move"
type = "dynamic"
end = "0.5 s"
step = "5 ms"
"""


def test_angles_of_a_rod_for_points_of_a_table() -> None:
    angles = np.radians([10, 40, 80])
    found = fx.inverse_statics(
        ROD,
        TURN,
        {"tip": {"sensor": "tip", "tolerance": "1 um"}},
        points={"x [mm]": 500 * np.cos(angles), "y [mm]": 500 * np.sin(angles)},
    )
    assert found.reached.all()
    assert found.inputs["turn"] == pytest.approx(angles, abs=1e-6)
    assert found.targets["tip"]["wanted"].shape == (3, 2)
    assert found.report.exists()
    assert repr(found) == "<flexura.InverseStatics: 3 of 3 points reached>"


def test_what_is_out_of_reach_has_a_distance() -> None:
    found = fx.inverse_statics(ROD, TURN, {"tip": {"at": "rod.tip", "point": [0.6, 0.8], "tolerance": 1e-6}})
    assert not found.reached[0]
    assert found.targets["tip"]["distance"][0] == pytest.approx(0.5)
    assert found.inputs["turn"][0] == pytest.approx(math.atan2(0.8, 0.6), abs=1e-6)
    assert "out of reach" in found.messages[0]


def test_workspace_of_a_rod(tmp_path: Path) -> None:
    with pytest.warns(fx.SimulationWarning, match="a curve"):
        found = fx.workspace(
            ROD,
            {"turn": {"bounds": (-1, 1), "count": 5}},
            "rod.tip",
            design={"type": "grid"},
            targets={"on": [0.5, 0], "off": [0, 0]},
            output=tmp_path / "rod",
        )
    assert len(found) == 5
    assert found["turn"] == pytest.approx([-1, -0.5, 0, 0.5, 1])
    assert found["x"] == pytest.approx(0.5 * np.cos(found["turn"]))
    assert found["manipulability"] == pytest.approx(0.5)
    assert found.targets["on"]["status"] == "reached"
    assert found.targets["off"]["distance"] == pytest.approx(0.5)
    assert found.page == tmp_path / "rod/index.html"
    with pytest.raises(fx.ResultsError, match="holds a study already"):
        fx.workspace(ROD, TURN, "rod.tip", design={"type": "sobol", "runs": 2}, output=tmp_path / "rod")
    with pytest.raises(fx.ResultsError, match="another study"):
        fx.workspace(ROD, TURN, "rod.tip", design={"type": "sobol", "runs": 2}, output=tmp_path / "rod", resume=True)


def test_a_search_goes_on_from_its_log(tmp_path: Path) -> None:
    def search(resume: bool) -> fx.InverseStatics:
        targets = {"tip": {"at": "rod.tip", "points": [[0.4, 0.3], [0.3, 0.4]], "tolerance": "1 um"}}
        return fx.inverse_statics(ROD, TURN, targets, output=tmp_path / "rod", resume=resume)

    whole = search(False)
    log = tmp_path / "rod/evaluations.jsonl"
    log.write_text("".join(log.read_text(encoding="utf-8").splitlines(keepends=True)[:2]), encoding="utf-8")
    again = search(True)
    assert again.inputs["turn"].tolist() == whole.inputs["turn"].tolist()
    assert len(log.read_text(encoding="utf-8").splitlines()) == 3  # which study, and two points


def test_an_input_named_as_a_column_of_the_place() -> None:
    scene = ROD.replace("signal.turn", "signal.x").replace('angle = "turn"', 'angle = "x"')
    with pytest.warns(fx.SimulationWarning, match="a curve"):
        found = fx.workspace(scene, {"x": {"bounds": (-1, 1), "count": 3}}, "rod.tip", design={"type": "grid"})
    assert found["input.x"] == pytest.approx([-1, 0, 1])
    assert found["x"] == pytest.approx(0.5 * np.cos(found["input.x"]))


def test_a_force_over_time_and_its_replay() -> None:
    t = np.linspace(0, 0.5, 26)
    s = t / 0.5
    y = -1 + 0.05 * s**3 * (10 - 15 * s + 6 * s**2)
    found = fx.inverse_dynamics(
        OSCILLATOR,
        {"push": {"bounds": (-50, 50), "samples": 14}},
        {"height": {"sensor": "place", "component": "y", "tolerance": "0.1 mm"}},
        {"t [s]": t, "y [m]": y},
    )
    assert found.followed, found
    assert found.targets["height"]["largest"] < 1e-4
    assert found.inputs["push"]["values"][-1] == pytest.approx(50 * 0.05, abs=0.3)
    replay = fx.simulate(OSCILLATOR, set=found.settings)["place"]
    assert replay.position[-1, 1] == pytest.approx(-0.95, abs=1e-4)


def test_wrong_studies_are_scene_errors_with_every_problem() -> None:
    with pytest.raises(fx.SceneError) as caught:
        fx.inverse_statics(ROD, {"tourn": {"bounds": (1, -1)}}, {"tip": {"sensor": "tipp", "tolerance": 1}})
    text = str(caught.value)
    for expected in ("tourn", "the wrong way", "tipp"):
        assert expected in text
    with pytest.raises(ValueError, match="give scene, inputs"):
        fx.inverse_statics(ROD, TURN)
    with pytest.raises(ValueError, match="study: a file says all"):
        fx.inverse_statics(ROD, study="study.toml")


def test_linearised_at_the_start_and_behind_an_analysis() -> None:
    pushed = OSCILLATOR.replace('type = "input"', 'type = "input"\nvalue = 5')
    start = fx.linearise(pushed, at="start", outputs="place.y")
    assert start.drift == pytest.approx([0, 2.5])
    rest = fx.linearise(pushed, at="rest", outputs="place.y")
    assert rest.drift == pytest.approx([0, 0], abs=1e-9)
    assert rest.y == pytest.approx([-0.9])
    assert fx.linearise(pushed, at="move", outputs="place.y").t == pytest.approx(0.5)
    with pytest.raises(ValueError, match="'rest', 'move'"):
        fx.linearise(pushed, at="nowhere")
    for time in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="no time of the run, which begins at 0 s"):
            fx.linearise(pushed, at=time)
