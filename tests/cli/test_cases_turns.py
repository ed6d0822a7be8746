"""Revolutions belong to the state: they do not depend on where samples lie, and springs and starts count them."""

import math
import pathlib

import h5py
import numpy
import pytest
from conftest import ROOT

CASES = ROOT / "tests/cases"


def run(flexura, scene: str | pathlib.Path, *settings: str) -> dict:
    """The last values of all sensors; the run's results lie in the folder "out"."""
    if isinstance(scene, str):
        flexura.write("scene.toml", scene)
        scene = "scene.toml"
    sets = [word for setting in settings for word in ("--set", setting)]
    summary = flexura.summary(scene, "-o", "out", "--force", "--no-csv", "--no-report", *sets)
    assert summary["status"] == "finished"
    last = {name: numpy.atleast_1d(sensor["last"]) for name, sensor in summary["sensors"].items()}
    last["warnings"] = summary.get("warnings", [])
    return last


def last_row(flexura, path: str):
    with h5py.File(flexura.folder / "out/results.h5") as file:
        return file[path][()][-1]


# ── The inputs handed in ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", [0.5, 0.1])
def test_frames_count_what_prescribed_angles_say(flexura, step):
    """Exact: 100 rad and -200 rad. 1e-6 rad: Newton's tolerance over the crank's length."""
    last = run(flexura, CASES / "turns/turns_kinematic.toml", f"analysis.turn.step={step}")
    assert last["ja"][0] == pytest.approx(100, abs=1e-6)
    assert last["jb"][0] == pytest.approx(-200, abs=1e-6)
    assert last["fa"][2] == pytest.approx(100, abs=1e-6)
    assert last["fb"][2] == pytest.approx(-200, abs=1e-6)
    assert last_row(flexura, "/parts/body/crank/angle") == pytest.approx(100, abs=1e-6)
    assert last_row(flexura, "/parts/body/wheel/angle") == pytest.approx(-200, abs=1e-6)
    assert last["warnings"] == []


@pytest.mark.parametrize("integrator", ["rk853", "rk45", "adams"])
@pytest.mark.parametrize("step", [1, 0.1])
def test_methods_with_steps_of_their_own_count_between_samples(flexura, integrator, step):
    """Exact: omega t = 100 rad; 1e-4: the methods' own tolerance of 1e-8 a step over some hundred steps."""
    settings = [f"analysis.turn.step={step}", f'analysis.turn.integrator="{integrator}"']
    last = run(flexura, CASES / "turns/turns_rk853.toml", *settings)
    for angle in (last["fa"][2], last["fb"][2], last["jb"][0]):
        assert angle == pytest.approx(100, abs=1e-4)
    assert last_row(flexura, "/parts/body/disc/angle") == pytest.approx(100, abs=1e-4)


@pytest.mark.parametrize("step", [0.5, 0.2])
def test_tangents_of_cables_count_between_samples(flexura, step):
    """20 rad/s for 1 s: 20 rad, less what the strip stretches and swings: 0.05 rad."""
    last = run(flexura, CASES / "turns/turns_cable_rk853.toml", f"analysis.s.step={step}")
    assert last["a"][0] == pytest.approx(20, abs=0.05)


@pytest.mark.parametrize("step", [0.5, 0.01])
def test_a_drive_winds_a_torsional_spring(flexura, step):
    """k theta = 2 * 3 pi; the sensor reads the torque on the second direction, which the spring pulls back."""
    last = run(flexura, CASES / "torsion/torsional_drive.toml", f"analysis.go.step={step}")
    assert last["d"][0] == pytest.approx(6 * math.pi, rel=1e-9)
    assert abs(last["t"][0]) == pytest.approx(6 * math.pi, rel=1e-9)


@pytest.mark.parametrize(
    ("integrator", "error"),
    [("generalized-alpha", 2e-3), ("energy-momentum", 2e-3), ("rk45", 1e-5), ("rk853", 1e-5), ("adams", 1e-5)],
)
def test_a_wheel_winds_its_spring_and_comes_back(flexura, integrator, error):
    """w0/w sin(w t) at 2 s. Second-order methods shift the phase by (w h)^2/12 w t and a wheel that turns by
    0.016 rad a step by its own share: measured 4e-4; the explicit ones reach their own tolerance."""
    last = run(flexura, CASES / "torsion/torsional_wound.toml", f'analysis.go.integrator="{integrator}"')
    assert last["a"][0] == pytest.approx(4 * math.sin(4), abs=error)
    assert last["f"][2] == pytest.approx(last["a"][0], abs=1e-8)


# ── Related cases ────────────────────────────────────────────────────────────────────────────────────────────────────

EVERYTHING = """
space = "planar"
[section.strip]
EA = 1e3
EI = 2
rhoA = 0.1
[body.free]
m = 1
inertia = 0.01
angular_velocity = 30
[body.hinged]
position = [2, 0]
m = 1
inertia = 0.01
angular_velocity = -40
[body.wound]
position = [3, 0]
m = 1
inertia = 0.02
angular_velocity = 25
[joint.pin]
type = "pin"
of = ["ground", "hinged"]
at = [2, 0]
[joint.axle]
type = "pin"
of = ["ground", "wound"]
at = [3, 0]
[spring.s]
type = "torsional"
between = ["ground", "wound"]
stiffness = 0.05
[cable.strip]
section = "strip"
path = [[0, 1], [0.5, 1]]
elements = 2
angular_velocity = 15
[sensor.free]
type = "frame"
at = "free"
[sensor.hinged]
type = "frame"
at = "hinged"
[sensor.direction]
type = "angle"
at = "hinged"
[sensor.wound]
type = "frame"
at = "wound"
[sensor.torque]
type = "torque"
of = "s"
[sensor.end]
type = "angle"
at = "strip.end"
[output]
interval = {interval}
[[analysis]]
name = "go"
type = "dynamic"
end = 1
step = {step}
integrator = "{integrator}"
"""


@pytest.mark.parametrize("integrator", ["generalized-alpha", "hht", "energy-momentum", "rk4", "rk45", "rk853", "adams"])
def test_revolutions_do_not_depend_on_the_output_interval(flexura, integrator):
    """Steps are the same for methods with steps of their own up to where samples cut them: 1e-3 rad, far below a turn."""
    steps = {"rk45": 0.5, "rk853": 0.5, "adams": 0.5, "rk4": 2e-4}
    step = steps.get(integrator, 2e-3)
    fine = run(flexura, EVERYTHING.format(interval=1e-3, step=min(step, 1e-2), integrator=integrator))
    bodies = [last_row(flexura, f"/parts/body/{name}/angle") for name in ("free", "hinged", "wound")]
    coarse = run(flexura, EVERYTHING.format(interval=1, step=step, integrator=integrator))
    for name, angle in zip(("free", "hinged", "wound"), bodies, strict=True):
        assert last_row(flexura, f"/parts/body/{name}/angle") == pytest.approx(angle, abs=1e-3)
    for name in ("free", "hinged", "direction", "wound", "torque", "end"):
        assert coarse[name] == pytest.approx(fine[name], abs=1e-3), name
    error = 0.03  # second-order methods at 0.08 rad a step: 40 (w h)^2/12 = 0.021
    assert coarse["free"][2] == pytest.approx(30, abs=error)
    assert coarse["hinged"][2] == pytest.approx(-40, abs=error)
    assert coarse["direction"][0] == pytest.approx(-40, abs=error)
    frequency = math.sqrt(0.05 / 0.02)
    assert coarse["wound"][2] == pytest.approx(25 / frequency * math.sin(frequency), abs=0.05)
    assert abs(coarse["torque"][0]) == pytest.approx(0.05 * abs(coarse["wound"][2]), rel=1e-6)
    assert coarse["end"][0] == pytest.approx(15, abs=0.5)


START = """
space = "planar"
[body.a]
m = 1
inertia = 0.01
angle = "{angle} deg"
{initial}
[joint.j]
type = "revolute"
of = ["ground", "a"]
[spring.s]
type = "torsional"
between = ["ground", "a"]
stiffness = 2
turn = "{turn} deg"
[sensor.f]
type = "frame"
at = "a"
[sensor.d]
type = "angle"
at = "a"
[sensor.j]
type = "angle"
of = "j"
[sensor.t]
type = "torque"
of = "s"
[[analysis]]
name = "go"
type = "dynamic"
end = 1e-9
step = 1e-9
"""


@pytest.mark.parametrize(
    ("angle", "beyond", "turn"),
    [(500, None, 0), (-350, 0, 0), (30, 270, 0), (200, 720, -540), (30, -400, 400), (-1000, -180, 180)],
)
def test_stated_angles_count_from_the_start(flexura, angle, beyond, turn):
    """Exact: the frame reads what is stated, the joint and the spring the rotation since the reference."""
    initial = "" if beyond is None else f'initial = {{ angle = "{angle + beyond} deg" }}'
    last = run(flexura, START.format(angle=angle, initial=initial, turn=turn))
    beyond = beyond or 0
    degrees = {name: math.degrees(last[name][-1]) for name in ("f", "d", "j")}
    assert degrees == pytest.approx({"f": angle + beyond, "d": angle + beyond, "j": beyond}, abs=1e-6)
    assert last["t"][0] == pytest.approx(-2 * math.radians(beyond - turn), abs=1e-6)


def test_a_spring_that_begins_later_is_wound_by_all_that_its_frames_have_turned(flexura):
    """Exact: a wheel at 20 rad/s for 1 s, then a spring of 0.1 N m/rad: 2 N m. The model is rebuilt at that time."""
    scene = """
space = "planar"
[body.w]
m = 1
inertia = 1e6
angular_velocity = 20
[joint.j]
type = "pin"
of = ["ground", "w"]
[spring.s]
type = "torsional"
between = ["ground", "w"]
stiffness = 0.1
from = 1
[sensor.f]
type = "frame"
at = "w"
[sensor.t]
type = "torque"
of = "s"
[[analysis]]
name = "first"
type = "dynamic"
end = 0.6
step = 0.01
[[analysis]]
name = "second"
type = "dynamic"
end = 1.5
step = 0.01
"""
    last = run(flexura, scene)
    # The conserving average of a step lags by (w h)^2/12 = 3e-3 of the angle.
    assert last["f"][2] == pytest.approx(30, rel=5e-3)
    assert abs(last["t"][0]) == pytest.approx(0.1 * last["f"][2], rel=1e-9)


def test_a_run_cut_in_two_analyses_counts_on(flexura):
    """The second analysis begins 6 rad on: nothing but the order of starts differs, 1e-6 rad."""
    scene = (CASES / "torsion/torsional_wound.toml").read_text()
    whole = run(flexura, scene)
    cut = scene.replace('name = "go"', 'name = "first"').replace("end = 2", "end = 0.5")
    cut += '[[analysis]]\nname = "go"\ntype = "dynamic"\nend = 2\nstep = 0.002\n'
    both = run(flexura, cut)
    assert both["a"][0] == pytest.approx(whole["a"][0], abs=1e-4)
    assert both["f"][2] == pytest.approx(whole["f"][2], abs=1e-4)


def test_spring_of_relaxing_material_counts(flexura):
    """Held at three half turns for ten times its relaxation time: k g_inf theta = 2 * 0.5 * 3 pi."""
    scene = """
space = "planar"
[body.a]
m = 1
inertia = 0.01
[joint.j]
type = "revolute"
of = ["ground", "a"]
angle = "= 3 * pi * min(t, 1)^3 * (10 - 15 * min(t, 1) + 6 * min(t, 1)^2)"
[spring.s]
type = "torsional"
between = ["ground", "a"]
stiffness = 2
relaxation = [[0.5, "0.1 s"]]
[sensor.d]
type = "drive_torque"
of = "j"
[[analysis]]
name = "go"
type = "inverse_dynamics"
end = 3
step = 0.02
"""
    last = run(flexura, scene)
    assert last["d"][0] == pytest.approx(3 * math.pi, rel=1e-6)


def test_static_windings(flexura):
    """A moment of 20 N m on a spring of 2 N m/rad: 10 rad."""
    scene = """
space = "planar"
[body.a]
m = 1
inertia = 0.01
[joint.j]
type = "revolute"
of = ["ground", "a"]
[spring.s]
type = "torsional"
between = ["ground", "a"]
stiffness = 2
[load.m]
type = "moment"
at = "a"
moment = 20
[sensor.j]
type = "angle"
of = "j"
[sensor.f]
type = "frame"
at = "a"
[[analysis]]
name = "wind"
type = "static"
load_step = 0.1
"""
    last = run(flexura, scene)
    assert last["j"][0] == pytest.approx(10, abs=1e-6)
    assert last["f"][2] == pytest.approx(10, abs=1e-6)
