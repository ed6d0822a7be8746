"""Estimated errors of sensors: flexura run --verify."""

import json
import math

import pytest

OSCILLATOR = """
space = "planar"
[point.p]
position = [1, 0]
[mass.m]
at = "p"
m = 1
[joint.rail]
type = "prescribed"
of = ["ground", "p"]
y = 0
[spring.s]
type = "linear"
between = [[0, 0], "p"]
stiffness = 100
free_length = 0.5
[sensor.x]
type = "position"
at = "p"
[[analysis]]
name = "swing"
type = "dynamic"
end = 1
step = STEP
"""

CANTILEVER = """
space = "planar"
[section.s]
EA = 1000
EI = 0.01
rhoA = 0.1
[cable.c]
section = "s"
path = [[0, 0], [1, 0]]
elements = N
[joint.wall]
type = "weld"
of = ["ground", "c.start"]
[load.f]
type = "force"
at = "c.end"
force = [0, -0.05]
[sensor.tip]
type = "position"
at = "c.end"
[[analysis]]
name = "bend"
type = "static"
"""


def verified(flexura, scene: str) -> tuple[dict, dict]:
    """The summary, and the estimates by sensor, value and component."""
    (flexura.folder / "scene.toml").write_text(scene, encoding="utf-8")
    run = flexura("run", "scene.toml", "--verify", "--json", "--force", "--quiet")
    assert run.returncode == 0, run.stderr
    summary = json.loads(run.stdout)
    return summary, {(v["sensor"], v["of"], v["component"]): v for v in summary["estimated_errors"]["values"]}


@pytest.mark.parametrize("step", [0.02, 0.01, 0.005])
def test_step_errors_of_an_oscillator(flexura, step):
    """x = 0.5 + 0.5 cos 10 t in closed form; the estimate bounds the error and is at most 3 times as large."""
    _, values = verified(flexura, OSCILLATOR.replace("STEP", str(step)))
    last = values["x", "last", 0]
    error = abs(last["value"] - (0.5 + 0.5 * math.cos(10)))
    assert error <= last["error"] <= 3 * error
    if step < 0.02:  # where 2h = 0.04 s is a sixteenth of a period, the order is one of chance
        assert last["step_order"] == pytest.approx(2, abs=0.5)
    assert last["mesh_order"] is None
    assert values["x", "last", 1]["error"] < 1e-12  # it stays on the rail


def test_adaptive_steps_are_halved_too(flexura):
    """A smaller tolerance alone left the steps as they were, and the estimate was 0."""
    _, values = verified(flexura, OSCILLATOR.replace("STEP", "0.01\nadaptive = {}"))
    last = values["x", "last", 0]
    error = abs(last["value"] - (0.5 + 0.5 * math.cos(10)))
    assert error <= last["error"] <= 10 * error


@pytest.mark.parametrize("elements", [2, 4, 8])
def test_mesh_errors_of_a_cantilever(flexura, elements):
    """Against 64 elements, whose error is below 1e-6 of these by the order 4 of the element."""
    fine, _ = verified(flexura, CANTILEVER.replace("N", "64"))
    _, values = verified(flexura, CANTILEVER.replace("N", str(elements)))
    for k in (0, 1):
        last = values["tip", "last", k]
        error = abs(last["value"] - fine["sensors"]["tip"]["last"][k])
        assert error <= last["error"] <= 10 * error


def test_odd_meshes_have_no_order_and_a_wide_bound(flexura):
    _, values = verified(flexura, CANTILEVER.replace("N", "3"))
    assert values["tip", "last", 1]["mesh_order"] is None
    assert values["tip", "last", 1]["error"] > 0


def test_large_errors_are_warnings(flexura):
    summary, _ = verified(flexura, OSCILLATOR.replace("STEP", "0.1"))
    assert any("estimated error of sensor 'x'" in warning for warning in summary["warnings"])


def test_the_text_says_what_was_refined(flexura):
    (flexura.folder / "scene.toml").write_text(OSCILLATOR.replace("STEP", "0.01"), encoding="utf-8")
    run = flexura("run", "scene.toml", "--verify", "--force")
    assert "step of analysis 'swing', 0.01 s" in run.stdout
    assert "order 2.0 (step)" in run.stdout or "order 2.1 (step)" in run.stdout or "order 1.9 (step)" in run.stdout
    report = (flexura.folder / "scene/report.html").read_text(encoding="utf-8")
    assert report
