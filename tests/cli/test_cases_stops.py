"""End stops: what goes into a stop comes out with no more energy than it had."""

import pathlib

import pytest
from conftest import BAD_INPUT

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases" / "contact"

# Energy of the fall of one bar to its stop at 0.5 rad: m g l sin(0.5) [J]. A chain of three has more than that.
STAKE = 0.02 * 9.81 * 0.015 * 0.479
# Of the energy at stake, put in by the integration; dissipation by the method is none.
ALLOWED = 1e-3


def put_in(summary: dict) -> float:
    assert summary["status"] == "finished"
    return -summary["energy"]["numerical"]


@pytest.mark.parametrize("robot", ["finger1", "finger3"])
@pytest.mark.parametrize("step", ["1 ms", "0.5 ms"])
def test_fingers_fall_onto_their_stops(flexura, robot, step):
    flexura("convert", CASES / f"{robot}.urdf", "-o", "robot.toml")
    summary = flexura.summary("robot.toml", "-o", "out", "--set", f"analysis.move.step={step}")
    assert put_in(summary) < ALLOWED * STAKE
    for sensor in summary["sensors"].values():
        assert max(abs(sensor["min"]), abs(sensor["max"])) < 0.6  # 0.5 rad, and 0.1 for three that strike at once


METHODS = ["generalized-alpha", "hht"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("step", [1e-3, 5e-4, 2e-3])
@pytest.mark.parametrize("gravity", [-9.81, 9.81])
def test_a_stated_stop_puts_nothing_in(flexura, method, step, gravity):
    scene = (CASES / "stop_planar.toml").read_text()
    scene = scene.replace("-9.81", str(gravity)).replace("step = 1e-3", f'step = {step}\nintegrator = "{method}"')
    flexura.write("scene.toml", scene)
    summary = flexura.summary("scene.toml", "-o", "out")
    assert put_in(summary) < ALLOWED * STAKE
    # It comes to rest on the stop: m g l cos(0.5) = 2.6e-3 N m are borne within the width of 1e-3 rad.
    assert abs(summary["sensors"]["angle"]["last"]) == pytest.approx(0.5, abs=1e-3)


def stop_scene(mass: float, damping: float, analysis: str = "step = 1e-3") -> str:
    scene = (CASES / "stop_planar.toml").read_text()
    scene = scene.replace("m = 0.02", f"m = {mass}").replace("1.5e-6", str(1.5e-6 * mass / 0.02))
    return scene.replace("stop_damping = 100.0", f"stop_damping = {damping}").replace("step = 1e-3", analysis)


def error(summary: dict, mass: float) -> float:
    """What the integration puts in or takes out, of the energy at stake, which grows with the mass."""
    assert summary["status"] == "finished"
    return abs(summary["energy"]["numerical"]) / (STAKE * mass / 0.02)


MASSES = [2e-5, 2e-3, 0.02, 2.0, 200.0]


@pytest.mark.parametrize("mass", MASSES)
@pytest.mark.parametrize("damping", [0.0, 1.0, 100.0])
def test_stops_of_light_and_heavy_links(flexura, mass, damping):
    flexura.write("scene.toml", stop_scene(mass, damping))
    assert error(flexura.summary("scene.toml", "-o", "out"), mass) < ALLOWED


# Adaptive steps went through the stops: their estimates of errors are of smooth motions. With the default tolerance, 1e-4, a fall without
# any stop is off by 2e-3 already.
@pytest.mark.parametrize("mass", MASSES[1:])
@pytest.mark.parametrize("damping", [0.0, 1.0, 100.0])
@pytest.mark.parametrize("method", METHODS)
def test_adaptive_steps_resolve_stops(flexura, method, mass, damping):
    flexura.write(
        "scene.toml",
        stop_scene(mass, damping, f'step = 1e-3\nadaptive = {{ tolerance = 1e-6 }}\nintegrator = "{method}"'),
    )
    assert error(flexura.summary("scene.toml", "-o", "out"), mass) < ALLOWED


# Newton's method does not converge in steps that pass a stiff stop; halves of them do. The method conserves energy.
@pytest.mark.parametrize("mass", MASSES)
def test_a_conserving_method_goes_into_stops(flexura, mass):
    flexura.write("scene.toml", stop_scene(mass, 0.0, 'step = 1e-3\nintegrator = "energy-momentum"'))
    assert error(flexura.summary("scene.toml", "-o", "out"), mass) < ALLOWED


SLIDE = """
space = "spatial"
[body.carriage]
m = 0.5
inertia = [1e-3, 1e-3, 1e-3]
velocity = [{velocity}, 0, 0]
[joint.slide]
type = "prismatic"
of = ["ground", "carriage"]
at = [0, 0, 0]
axis = [1, 0, 0]
[spring.stop]
type = "joint"
at = "slide"
lower = -0.1
upper = 0.1
stop_stiffness = 1e6
stop_damping = 1e4
stop_width = 1e-4
[sensor.way]
type = "displacement"
of = "slide"
[[analysis]]
name = "move"
type = "dynamic"
end = 0.2
step = 1e-3
"""


@pytest.mark.parametrize("velocity", [2, -2])
def test_a_carriage_runs_into_its_stop(flexura, velocity):
    flexura.write("scene.toml", SLIDE.format(velocity=velocity))
    summary = flexura.summary("scene.toml", "-o", "out")
    assert put_in(summary) < ALLOWED * 0.5 * 0.5 * 2**2
    assert abs(summary["sensors"]["way"]["last"]) < 0.102


# A limit without a stop was passed over in silence: the carriage went through 0.1 m to 0.4 m, with exit status 0.

STOP = "lower = -0.1\nupper = 0.1\nstop_stiffness = 1e6\nstop_damping = 1e4\nstop_width = 1e-4\n"
NO_STOP = 'no "stop_stiffness" or "stop_damping"'
NO_LIMIT = 'no "lower" or "upper"'
REFUSED = [
    ("lower = -0.1", "lower", NO_STOP),
    ("upper = 0.1", "upper", NO_STOP),
    ("lower = -0.1\nupper = 0.1", "lower", NO_STOP),
    ("upper = 0.1\nstiffness = 10\ndamping = 1", "upper", NO_STOP),
    ("upper = 0.1\nstop_width = 1e-4", "upper", NO_STOP),
    ("stop_stiffness = 1e6", "stop_stiffness", NO_LIMIT),
    ("stop_damping = 1e4", "stop_damping", NO_LIMIT),
    ("stiffness = 10\nstop_width = 1e-4", "stop_width", NO_LIMIT),
    ("lower = 0.1\nupper = -0.1\nstop_stiffness = 1e6", "lower", "beyond"),
]


@pytest.mark.parametrize(("keys", "key", "reason"), REFUSED)
@pytest.mark.parametrize("joint", ["prismatic", "revolute", "truss"])
def test_stops_are_complete(flexura, joint, keys, key, reason):
    scene = SLIDE.format(velocity=2).replace(STOP, keys + "\n")
    if joint == "revolute":
        scene = scene.replace('type = "prismatic"', 'type = "revolute"').replace("velocity = [2, 0, 0]\n", "")
        scene = scene.replace('type = "displacement"', 'type = "angle"')
    if joint == "truss":
        begin, end = scene.index("[joint.slide]"), scene.index("[spring.stop]")
        scene = scene[:begin] + '[truss.slide]\ntype = "free"\nbetween = [[-1, 0, 0], "carriage"]\n' + scene[end:]
        scene = scene.replace('"displacement"\nof = "slide"', '"distance"\nbetween = [[-1, 0, 0], "carriage"]')
    flexura.write("scene.toml", scene)
    reported = flexura("check", "scene.toml", status=BAD_INPUT).stderr
    assert f"spring.stop.{key}" in reported and reason in reported
    assert reported.count("error:") == 1


# A stop of stiffness 0 that the scene states is none, and it says so itself: sweeps may begin there.
@pytest.mark.parametrize(
    "keys", ["stop_stiffness = 0", "stop_damping = 0", "stop_damping = 1e4", "stop_stiffness = 1e6"]
)
def test_one_of_stiffness_and_damping_makes_a_stop(flexura, keys):
    flexura.write("scene.toml", SLIDE.format(velocity=2).replace(STOP, f"upper = 0.1\n{keys}\n"))
    flexura("check", "scene.toml")
