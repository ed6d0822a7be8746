"""What sections of cables and beams carry, and where their places are."""

import math

import pytest

CABLE = """
[section.wall]
EA = 400
EI = 1
rhoA = 0.1
curvature = "{curvature}"
[cable.c]
section = "wall"
path = [{start}, {end}]
elements = 16
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
[load.roll]
type = "moment"
at = "c.end"
moment = 4
[sensor.moment]
type = "moment"
at = "c@0.49"
[sensor.force]
type = "axial_force"
at = "c@0.49"
[sensor.stretch]
type = "stretch"
at = "c@0.49"
[sensor.strain]
type = "axial_strain"
at = "c@0.49"
[[analysis]]
name = "roll"
type = "static"
"""


# Read from the strain energy of bending: 4.161 and 4.219 for 4, and 16.7 and -18.7 for 0, where the curvature's own
# dependence on the stretch was left out. What is left is that of 16 cubics.
@pytest.mark.parametrize("curvature", ["material", "geometric", "simplified"])
def test_a_moment_at_the_end_is_that_of_every_section(flexura, curvature):
    flexura.write("c.toml", CABLE.format(curvature=curvature, start=[0, 0], end=[1, 0]))
    sensors = flexura.summary("c.toml", "--no-csv")["sensors"]
    assert sensors["moment"]["last"] == pytest.approx(4, rel=2e-3)
    assert sensors["force"]["last"] == pytest.approx(0, abs=0.05)
    stretch = sensors["stretch"]["last"]
    assert abs(stretch - 1) > 0.03 or curvature == "material"
    assert sensors["strain"]["last"] == pytest.approx(stretch - 1, abs=1e-12)


SPATIAL = """
space = "spatial"
[section.wall]
EA = 400
EI = 1
rhoA = 0.1
curvature = "geometric"
[cable.c]
section = "wall"
path = [[0, 0, 0], [1, 0, 0]]
elements = 16
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
[load.push]
type = "force"
at = "c.end"
force = [0, 3, 4]
[sensor.moment]
type = "moment"
at = "c@0.49"
[sensor.force]
type = "axial_force"
at = "c@0.49"
[sensor.here]
type = "position"
at = "c@0.49"
[sensor.tip]
type = "position"
at = "c.end"
[sensor.tangent]
type = "direction"
at = "c@0.49"
[[analysis]]
name = "bend"
type = "static"
"""


def test_sections_of_a_spatial_cable_balance_the_load(flexura):
    flexura.write("c.toml", SPATIAL)
    last = {name: value["last"] for name, value in flexura.summary("c.toml", "--no-csv")["sensors"].items()}
    load = (0, 3, 4)
    arm = [b - a for a, b in zip(last["here"], last["tip"], strict=True)]
    moment = (arm[1] * 4 - arm[2] * 3, -arm[0] * 4, arm[0] * 3)
    assert last["moment"] == pytest.approx(math.hypot(*moment), rel=3e-3)
    along = sum(f * t for f, t in zip(load, last["tangent"], strict=True))
    assert last["force"] == pytest.approx(along, rel=2e-2)


BEAM = """
space = "spatial"
[material.m]
E = 1e9
rho = 1000
[section.round]
shape = { type = "circle", radius = 0.01 }
material = "m"
[beam.b]
section = "round"
path = [[0, 0, 0], [1, 0, 0]]
elements = 2
[joint.clamp]
type = "weld"
of = ["ground", "b.start"]
[load.push]
type = "force"
at = "b.end"
force = [0, 0, 20]
[sensor.n0]
type = "position"
at = "b@0.5"
[sensor.n1]
type = "position"
at = "b@0.75"
[sensor.n2]
type = "position"
at = "b.end"
[sensor.inside]
type = "position"
at = "b@0.65"
[sensor.far]
type = "distance"
between = ["b@0.65", [0, 0, 0]]
[[analysis]]
name = "bend"
type = "static"
"""


# A beam's element is a parabola through its three nodes: position, distance and what hangs there agree on it.
@pytest.mark.parametrize("load", ["b.end", "b@0.65"])
def test_places_inside_a_beam_are_on_its_parabola(flexura, load):
    flexura.write("b.toml", BEAM.replace('at = "b.end"\nforce', f'at = "{load}"\nforce'))
    last = {name: value["last"] for name, value in flexura.summary("b.toml", "--no-csv")["sensors"].items()}
    x = 0.3
    shape = ((1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1))
    place = [sum(s * last[f"n{k}"][i] for k, s in enumerate(shape)) for i in range(3)]
    assert place[2] > 0.05
    assert last["inside"] == pytest.approx(place, abs=1e-12)
    assert last["far"] == pytest.approx(math.hypot(*place), abs=1e-12)
