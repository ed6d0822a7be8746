"""Modes and linear models about states that no static analysis has found: constraint forces, warnings."""

import json
import math

import pytest

G = 9.81
MODES = '[[analysis]]\nname = "m"\ntype = "modes"\ncount = 3\n'
STATIC = '[[analysis]]\nname = "rest"\ntype = "static"\n'
MOTION = '[[analysis]]\nname = "move"\ntype = "dynamic"\nend = "0.1 s"\nstep = "1 ms"\n'
#: A uniform rod of length 1 about its end: omega^2 = 3 g / 2.
PENDULUM = math.sqrt(1.5 * G) / (2 * math.pi)


def pendulum(angle: float, method: str, gravity: float = G) -> str:
    """Angle from the horizontal [degrees]: -90 hangs."""
    x, y = 0.5 * math.cos(math.radians(angle)), 0.5 * math.sin(math.radians(angle))
    return f"""
space = "planar"
gravity = [0, {-gravity}]
[body.rod]
position = [{x!r}, {y!r}]
angle = "{angle} deg"
shape = {{ type = "rectangle", size = [1, 1e-3] }}
m = 1
points = {{ a = [-0.5, 0], b = [0.5, 0] }}
[joint.hinge]
type = "revolute"
of = ["ground", "rod.a"]
method = "{method}"
[sensor.tip]
type = "position"
at = "rod.b"
"""


def chain(method: str) -> str:
    text = f'space = "planar"\ngravity = [0, {-G}]\n'
    for i in range(3):
        text += f"""
[body.b{i}]
position = [0, {-i - 0.5}]
angle = "-90 deg"
shape = {{ type = "rectangle", size = [1, 0.1] }}
m = 1
points = {{ a = [-0.5, 0], b = [0.5, 0] }}
[joint.j{i}]
type = "revolute"
of = ["{"ground" if i == 0 else f"b{i - 1}.b"}", "b{i}.a"]
method = "{method}"
"""
    return text


def beam(gravity: float, end: str = "[1, 0]") -> str:
    return f"""
space = "planar"
gravity = [0, {-gravity}]
[section.strip]
EA = 1e5
EI = 1.0
rhoA = 1.0
[cable.beam]
section = "strip"
path = [[0, 0], {end}]
elements = 10
[joint.clamp]
type = "weld"
of = ["ground", "beam.start"]
[sensor.tip]
type = "position"
at = "beam.end"
"""


def solid(gravity: float) -> str:
    return f"""
space = "spatial"
gravity = [0, 0, {-gravity}]
[material.rubber]
E = "1 MPa"
nu = 0.3
rho = 1000
[solid.block]
material = "rubber"
shape = {{ type = "block", size = [0.1, 0.02, 0.02] }}
elements = [4, 1, 1]
[joint.clamp]
type = "weld"
of = ["ground", "block.left"]
"""


def plate(gravity: float) -> str:
    return f"""
space = "spatial"
gravity = [0, 0, {-gravity}]
[material.steel]
E = "210 GPa"
nu = 0.3
rho = 7850
[plate.sheet]
material = "steel"
thickness = "1 mm"
shape = {{ type = "flat", size = [0.2, 0.1] }}
elements = [4, 2]
[joint.clamp]
type = "weld"
of = ["ground", "sheet.start"]
"""


def modes(flexura, text: str) -> tuple[list[float], str]:
    """Frequencies [Hz]; the warnings of imbalance."""
    flexura.write("scene.toml", text)
    summary = flexura.summary("scene.toml", "--no-csv", "--no-report", "--force")
    return summary["modes"][0]["frequency"], "\n".join(w for w in summary["warnings"] if "no equilibrium" in w)


METHODS = pytest.mark.parametrize("method", ["eliminated", "multipliers"])


@METHODS
@pytest.mark.parametrize(("angle", "sign"), [(-90, 1), (90, -1)])
def test_a_pendulum_in_equilibrium_needs_no_static_analysis(flexura, method, angle, sign):
    """Rod of inertia (1 + 1e-6)/12: 5e-7 in the frequency; it was 0 Hz. Inverted it diverges at the same rate."""
    frequency, warning = modes(flexura, pendulum(angle, method) + MODES)
    assert frequency[0] == pytest.approx(sign * PENDULUM, rel=1e-6)
    assert warning == ""


@METHODS
@pytest.mark.parametrize("angle", [0, 10, -45, -85])
def test_a_pendulum_that_would_fall_is_reported(flexura, method, angle):
    """Its centre has the acceleration 3/4 g cos(angle): that times 1 kg where the centre is a coordinate."""
    _, warning = modes(flexura, pendulum(angle, method) + MODES)
    assert "add a static analysis before it" in warning
    assert " at rod." in warning
    if method == "multipliers":
        assert float(warning.split("unbalanced force ")[1].split()[0]) == pytest.approx(
            0.75 * G * math.cos(math.radians(angle)), rel=5e-3
        )


@METHODS
def test_a_state_that_moves_is_reported(flexura, method):
    flexura.write("scene.toml", pendulum(0, method) + MOTION + MODES)
    warnings = flexura.summary("scene.toml", "--no-csv", "--no-report", "--force")["warnings"]
    assert any("does not turn steadily" in w or "no equilibrium" in w for w in warnings)


@METHODS
def test_a_hanging_chain_has_the_modes_of_its_static_state(flexura, method):
    """Its reference is the equilibrium: the same constraint forces but for rounding. They were 0 Hz."""
    at_start, warning = modes(flexura, chain(method) + MODES)
    behind_statics, _ = modes(flexura, chain(method) + STATIC + MODES)
    assert at_start == pytest.approx(behind_statics, rel=1e-9)
    assert behind_statics[0] > 0.3
    assert warning == ""


@pytest.mark.parametrize(
    "make", [beam, lambda g: beam(g, "[0, -1]"), solid, plate], ids=["beam", "hanging", "solid", "plate"]
)
def test_parts_that_gravity_would_deform_are_reported(flexura, make):
    """Not without gravity, nor behind a static analysis."""
    assert "no equilibrium: unbalanced force" in modes(flexura, make(G) + MODES)[1]
    assert modes(flexura, make(0) + MODES)[1] == ""
    assert modes(flexura, make(G) + STATIC + MODES)[1] == ""


def test_the_force_on_a_beam_is_that_of_its_node(flexura):
    """rhoA g h of ten elements of 0.1 m: 0.981 N."""
    assert "unbalanced force 0.981 N at beam." in modes(flexura, beam(G) + MODES)[1]


def test_a_static_analysis_of_loose_tolerance_raises_no_warning(flexura):
    assert modes(flexura, beam(G) + STATIC + "tolerance = 1e-3\n" + MODES)[1] == ""


def test_a_free_body_under_gravity_is_reported(flexura):
    """m g."""
    text = pendulum(0, "multipliers").split("[joint.hinge]")[0]
    assert "unbalanced force 9.81 N at rod.center" in modes(flexura, text + MODES)[1]


def linear(flexura, text: str) -> tuple[list[dict[str, float]], str]:
    flexura.write("scene.toml", text)
    run = flexura("linearise", "scene.toml", "--json")
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)["eigenvalues"], run.stderr


@METHODS
@pytest.mark.parametrize("first", [MODES, MOTION, STATIC], ids=["modes", "motion", "static"])
def test_linear_models_have_the_constraint_forces_too(flexura, method, first):
    """s = ±i sqrt(3 g/2), whatever analysis comes first."""
    poles, said = linear(flexura, pendulum(-90, method) + first)
    assert max(p["imag"] for p in poles) == pytest.approx(2 * math.pi * PENDULUM, rel=1e-6)
    assert "no equilibrium" not in said


@METHODS
@pytest.mark.parametrize("first", [MODES, MOTION], ids=["modes", "motion"])
def test_linear_models_report_a_state_that_would_fall(flexura, method, first):
    assert "the state is no equilibrium" in linear(flexura, pendulum(-30, method) + first)[1]
