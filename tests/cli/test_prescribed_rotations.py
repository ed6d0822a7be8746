"""Statics with prescribed angles: the drive's work is exact, and no warning or alarm comes where there is one equilibrium per angle."""

import math

import pytest

from test_cases_alarms import alarms

REST = '[[analysis]]\nname = "rest"\ntype = "static"\n'
ANGLES = [90, 180, 200, 250, 270, 350, 360, 720, -60, -250, -350]


def crank(degrees: float, gravity: float = -9.81, space: str = "planar") -> str:
    """1 kg at 0.1 m from a hinge."""
    planar = space == "planar"
    return f"""
space = "{space}"
gravity = [0, {gravity}{"" if planar else ", 0"}]
[body.c]
m = 1
inertia = {0.01 if planar else [0.01, 0.01, 0.01]}
center = [0.1, 0{"" if planar else ", 0"}]
[joint.a]
type = "revolute"
of = ["ground", "c"]
{"" if planar else "axis = [0, 0, 1]"}
angle = "= {math.radians(degrees)!r}"
[sensor.T]
type = "drive_torque"
of = "a"
{REST}"""


def cable_on_hub(degrees: float, gravity: float, EI: float) -> str:
    return f"""
space = "planar"
gravity = [0, {gravity}]
[section.s]
EA = 1e5
EI = {EI}
rhoA = 0.5
[body.h]
m = 1
inertia = 0.01
[cable.c]
section = "s"
path = [[0, 0], [0.5, 0]]
elements = 4
[joint.w]
type = "weld"
of = ["h", "c.start"]
[joint.a]
type = "revolute"
of = ["ground", "h"]
angle = "= {math.radians(degrees)!r}"
{REST}"""


def geared(degrees: float, ratio: float, gravity: float) -> str:
    return crank(degrees, gravity).replace(
        REST,
        f"""[body.d]
m = 2
inertia = 0.01
position = [1, 0]
[joint.b]
type = "revolute"
of = ["ground", "d"]
at = [1, 0]
[joint.g]
type = "gear"
first = "a"
second = "b"
ratio = {ratio}
{REST}""",
    )


# Weight grows with the load factor s, the angle is s A: W = m g l ∫ s cos(s A) A ds = m g l (sin A + (cos A - 1)/A). The integral over load
# steps of 15 degrees is off by 1.3e-4 of m g l at most.
@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("degrees", ANGLES)
def test_a_drive_that_lifts_a_crank_does_the_work_of_its_weight(flexura, degrees, space):
    flexura.write("scene.toml", crank(degrees, space=space))
    summary = flexura.summary("scene.toml", "-o", "out")
    assert alarms(summary) == []
    angle, weight = math.radians(degrees), 9.81 * 0.1
    exact = weight * (math.sin(angle) + (math.cos(angle) - 1) / angle)
    path = summary["statics"][0]
    assert path["work"] == pytest.approx(exact, rel=1e-3, abs=2e-4 * weight)
    assert path["work_of_weight"] == pytest.approx(-exact, rel=1e-3, abs=2e-4 * weight)
    assert abs(path["open"]) < 4e-4 * weight
    assert summary["sensors"]["T"]["last"] == pytest.approx(weight * math.cos(angle), abs=1e-9)


# One equilibrium per angle: nothing snaps. Without weight nothing is stored, and work is rounding.
@pytest.mark.parametrize("gravity", [-9.81, 0])
@pytest.mark.parametrize("degrees", ANGLES)
def test_nothing_snaps_where_rotations_are_prescribed(flexura, degrees, gravity):
    for text in (
        crank(degrees, gravity),
        crank(degrees, gravity, "spatial"),
        geared(degrees, -2.5, gravity),
        geared(degrees, 0.5, gravity),
        cable_on_hub(degrees, gravity, 5),
        cable_on_hub(degrees, gravity, 50),
    ):
        flexura.write("scene.toml", text)
        assert alarms(flexura.summary("scene.toml", "-o", "out", "--force")) == [], text


CHAMBER = """
space = "spatial"
[material.r]
type = "neo-hooke"
mu = 1e5
nu = 0.4
rho = 1100
[solid.t]
shape = { type = "tube", inner = 0.02, outer = 0.025, height = 0.06 }
elements = [1, 6, 1]
element = "hexahedra-8"
material = "r"
[joint.w]
type = "weld"
of = ["ground", "t.bottom"]
[joint.w2]
type = "weld"
of = ["ground", "t.top"]
[chamber.c]
surfaces = ["t.inner"]
lids = true
dead_volume = 1e-5
exponent = 1.4
"""
MOTION = '[[analysis]]\nname = "go"\ntype = "dynamic"\nend = {end}\nstep = {step}\n'


# All nodes are held: gas goes in and out of 62 cm^3 at 1 bar, 6 J, and nothing moves. What is lost is rounding of that.
@pytest.mark.parametrize("end", [0.2, 0.35, 0.5])
def test_gas_in_a_chamber_that_cannot_move_raises_no_alarm(flexura, end):
    supply = (
        '[line.s]\ntype = "supply"\nof = "c"\n'
        'pressure = { type = "sine", amplitude = 2e4, frequency = 3 }\nresistance = 1e9\n'
    )
    flexura.write("scene.toml", CHAMBER + supply + MOTION.format(end=end, step=0.005) + REST)
    summary = flexura.summary("scene.toml", "-o", "out", "--force")
    assert summary["status"] == "finished"
    assert alarms(summary) == []
