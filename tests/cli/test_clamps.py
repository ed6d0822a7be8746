"""What a clamp holds: place and direction of cables, the edge and its normal of plates; not the stretch across it.

A clamped part that is pulled stretches evenly, however few elements it has; what the joint carries balances the loads.
"""

import itertools
import math

import numpy
import pytest

LENGTH, STIFFNESS, PULL = 1.0, 2000.0, 100.0  # m, N, N
PLANAR = 'space = "planar"\n'
SPATIAL = 'space = "spatial"\n'
CABLES = """
[section.soft]
EA = 2000
EI = 0.02
rhoA = 0.1
[section.hard]
EA = 8000
EI = 0.05
rhoA = 0.1
"""
ROUND = """
[material.m]
E = 1e9
rho = 1000
[section.round]
shape = { type = "circle", radius = 0.01 }
material = "m"
"""
SHEETS = """
[material.m]
E = 1e6
nu = 0
rho = 1000
"""
STATIC = '[[analysis]]\nname = "pull"\ntype = "static"\n'


def stretch(stiffness: float, force: float) -> float:
    """λ of a bar with N = EA (λ² − 1)/2 λ, as cables with Green's strain and thin plates have it."""
    roots = numpy.roots([stiffness / 2, 0, -stiffness / 2, -force])
    return roots[numpy.isreal(roots)].real.max()


@pytest.fixture
def last(flexura):
    """Runs a scene; the last numbers of each sensor."""
    count = itertools.count()

    def run(*pieces):
        name = f"scene{next(count)}"
        flexura.write(f"{name}.toml", "\n".join(pieces))
        summary = flexura.summary(f"{name}.toml", "--no-csv", "--no-report", "--output", name)
        assert not summary["warnings"]
        return {key: numpy.atleast_1d(value["last"]) for key, value in summary["sensors"].items()}

    return run


def vector(dim: int, *components: float) -> str:
    return str(list(map(float, (*components, 0, 0)[:dim])))


def line(name: str, dim: int, start: float = 0, section: str = "soft", elements: int = 4, kind: str = "cable") -> str:
    path = f"[{vector(dim, start)}, {vector(dim, start + LENGTH)}]"
    return f'[{kind}.{name}]\nsection = "{section}"\npath = {path}\nelements = {elements}\n'


def sheet(name: str, start: float = 0, thickness: float = 0.01, elements: tuple = (4, 2)) -> str:
    return f"""[plate.{name}]
shape = {{ type = "flat", size = [1, 0.2] }}
position = [{start}, 0, 0]
thickness = {thickness}
material = "m"
elements = {list(elements)}
"""


def joint(name: str, kind: str, first: str, second: str, more: str = "") -> str:
    return f'[joint.{name}]\ntype = "{kind}"\nof = ["{first}", "{second}"]\n{more}\n'


def force(at: str, *components: float, name: str = "pull", kind: str = "force") -> str:
    return f'[load.{name}]\ntype = "{kind}"\nat = "{at}"\nforce = {list(map(float, components))}\n'


def sensor(name: str, kind: str, key: str, at: str) -> str:
    return f'[sensor.{name}]\ntype = "{kind}"\n{key} = "{at}"\n'


def reactions(of: str) -> str:
    return sensor("force", "reaction", "of", of) + sensor("moment", "reaction_moment", "of", of)


# 0.970, 0.985 of it on 4, 8 elements while the whole gradient was held.
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kind", ["weld", "clamp_direction"])
@pytest.mark.parametrize("elements", [1, 4])
def test_a_clamped_cable_stretches_evenly(last, dim, kind, elements):
    found = last(
        PLANAR if dim == 2 else SPATIAL,
        CABLES,
        line("c", dim, elements=elements),
        joint("w", kind, "ground", "c.start"),
        force("c.end", PULL, *[0] * (dim - 1)),
        sensor("tip", "position", "at", "c.end"),
        reactions("w"),
        STATIC,
    )
    assert found["tip"][0] == pytest.approx(stretch(STIFFNESS, PULL), rel=1e-11)
    assert found["force"][0] == pytest.approx(-PULL, rel=1e-9)


def test_a_clamped_beam_stretches_evenly(last):
    found = last(
        SPATIAL,
        ROUND,
        line("b", 3, section="round", elements=1, kind="beam"),
        joint("w", "weld", "ground", "b.start"),
        force("b.end", PULL, 0, 0),
        sensor("tip", "position", "at", "b.end"),
        STATIC,
    )
    assert found["tip"][0] == pytest.approx(1 + PULL / (1e9 * math.pi * 0.01**2), rel=1e-11)


SLIDER = {
    2: "[body.hub]\nposition = [1, 0]\nangle = 0.4\nm = 1\ninertia = 0.1\n",
    3: "[body.hub]\nposition = [1, 0, 0]\naxes = [[0.8, 0.6, 0], [-0.6, 0.8, 0]]\nm = 1\ninertia = [0.1, 0.1, 0.1]\n",
}


# A body on a guide pulls the cable: its own frame is turned, so that no direction is a coordinate.
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("order", [("hub", "c.end"), ("c.end", "hub")])
@pytest.mark.parametrize("asked", [False, True])
def test_a_body_pulls_a_cable(last, dim, order, asked):
    found = last(
        PLANAR if dim == 2 else SPATIAL,
        CABLES,
        line("c", dim),
        SLIDER[dim],
        joint("w", "weld", "ground", "c.start"),
        joint("guide", "prismatic", "ground", "hub", f"axis = {vector(dim, 1)}"),
        joint("grip", "weld" if dim == 2 else "clamp_direction", *order),
        force("hub", PULL, *[0] * (dim - 1)),
        sensor("tip", "position", "at", "hub"),
        reactions("grip") if asked else "",
        STATIC,
    )
    assert found["tip"][0] == pytest.approx(stretch(STIFFNESS, PULL), rel=1e-11)
    if asked:
        assert found["force"][0] == pytest.approx(PULL * (1 if order[0] == "hub" else -1), rel=1e-9)


# Bodies in the line of force, and an arm across it: the weld carries the moment that a lever of 0.3 m needs.
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("order", [("hub", "c.end"), ("c.end", "hub")])
def test_a_weld_to_a_body_carries_force_and_moment(last, dim, order):
    load = (3.0, 2.0, 0.0)[:dim]
    body = SLIDER[dim].replace("[1, 0", "[1.2, 0.3").replace("[1.2, 0.3, 0]", "[1.2, 0.3, 0]")
    found = last(
        PLANAR if dim == 2 else SPATIAL,
        CABLES,
        line("c", dim),
        body,
        joint("w", "weld", "ground", "c.start"),
        joint("grip", "weld" if dim == 2 else "clamp_direction", *order),
        joint("level", "planar", "ground", "hub", "normal = [0, 0, 1]") if dim == 3 else "",
        force("hub", *load),
        sensor("hub", "position", "at", "hub"),
        sensor("end", "position", "at", "c.end"),
        reactions("grip"),
        STATIC,
    )
    sign = -1 if order[0] == "hub" else 1  # of what the cable does to the hub
    assert numpy.linalg.norm(found["hub"] - found["end"]) == pytest.approx(numpy.hypot(0.2, 0.3), rel=1e-10)
    assert found["force"][:2] == pytest.approx(sign * numpy.array([-3, -2]), rel=1e-8)
    about = found["hub"] if order[1] == "hub" else found["end"]
    lever = found["hub"] - about
    expected = sign * -(lever[0] * 2 - lever[1] * 3)
    if order[1] != "hub":  # of the hub on the cable, about the cable's end
        assert found["moment"][-1] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("kind", ["weld", "clamp_direction"])
def test_cables_in_series_stretch_each_by_its_own(last, kind):
    found = last(
        PLANAR,
        CABLES,
        line("a", 2),
        line("b", 2, 1, "hard"),
        joint("w", "weld", "ground", "a.start"),
        joint("both", kind, "a.end", "b.start"),
        force("b.end", PULL, 0),
        sensor("tip", "position", "at", "b.end"),
        reactions("both"),
        STATIC,
    )
    assert found["tip"][0] == pytest.approx(stretch(2000, PULL) + stretch(8000, PULL), rel=1e-11)
    assert found["force"] == pytest.approx([-PULL, 0], abs=1e-8)


# An L of two cables, the second 0.1 m off the end of the first: the angle and the gap stay, and the moment about the joint
# is that of the tip's force.
@pytest.mark.parametrize("gap", [0, 0.1])
def test_an_angle_of_two_cables_is_kept(last, gap):
    upright = f'[cable.b]\nsection = "hard"\npath = [[{1 + gap}, 0], [{1 + gap}, 1]]\nelements = 4\n'
    found = last(
        PLANAR,
        CABLES,
        line("a", 2),
        upright,
        joint("w", "weld", "ground", "a.start"),
        joint("corner", "weld", "a.end", "b.start"),
        force("b.end", 0.05, 0.02),
        *[sensor(name, "position", "at", at) for name, at in (("e", "a.end"), ("s", "b.start"), ("tip", "b.end"))],
        *[sensor(name, "direction", "at", at) for name, at in (("along", "a.end"), ("up", "b.start"))],
        reactions("corner"),
        STATIC,
    )
    along, up = (found[key] / numpy.linalg.norm(found[key]) for key in ("along", "up"))
    assert up == pytest.approx([-along[1], along[0]], abs=1e-9)
    assert found["s"] - found["e"] == pytest.approx(gap * along, abs=1e-10)
    assert found["force"] == pytest.approx([-0.05, -0.02], rel=1e-7)
    lever = found["tip"] - found["s"]
    assert found["moment"][0] == pytest.approx(-(lever[0] * 0.02 - lever[1] * 0.05), rel=1e-7)


# Both edges that lie across the pull, and a mesh that is coarse across it too.
@pytest.mark.parametrize("elements", [(4, 2), (1, 1)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_clamped_strip_stretches_evenly(last, elements, turned):
    start, end, axis = ("bottom", "top", 1) if turned else ("start", "end", 0)
    pull = [0.0, 0.0, 0.0]
    pull[axis] = 500.0
    strip = sheet("s", elements=elements[::-1] if turned else elements)
    found = last(
        SPATIAL,
        SHEETS,
        strip.replace("[1, 0.2]", "[0.2, 1]") if turned else strip,
        joint("w", "weld", "ground", f"s.{start}"),
        force(f"s.{end}", *pull, kind="edge_force"),
        sensor("tip", "position", "at", f"s.{end}"),
        reactions("w"),
        STATIC,
    )
    assert found["tip"][axis] == pytest.approx(stretch(2000, 100), rel=1e-11)
    assert found["force"][axis] == pytest.approx(-100, rel=1e-8)


HUB = "[body.hub]\nposition = [1.2, 0.1, 0]\naxes = [[0.8, 0.6, 0], [-0.6, 0.8, 0]]\nm = 1\ninertia = [0.1, 0.1, 0.1]\n"


@pytest.mark.parametrize("order", [("hub", "s.end"), ("s.end", "hub")])
def test_a_body_pulls_a_strip(last, order):
    found = last(
        SPATIAL,
        SHEETS,
        sheet("s"),
        HUB,
        joint("w", "weld", "ground", "s.start"),
        joint("guide", "prismatic", "ground", "hub", "axis = [1, 0, 0]"),
        joint("grip", "weld", *order),
        force("hub", 100, 0, 0),
        sensor("tip", "position", "at", "hub"),
        reactions("grip"),
        STATIC,
    )
    assert found["tip"][0] == pytest.approx(0.2 + stretch(2000, 100), rel=1e-11)
    assert found["force"][0] == pytest.approx(100 if order[0] == "hub" else -100, rel=1e-8)


@pytest.mark.parametrize("order", [("a.end", "b.start"), ("b.start", "a.end")])
def test_strips_in_series_stretch_each_by_its_own(last, order):
    found = last(
        SPATIAL,
        SHEETS,
        sheet("a"),
        sheet("b", 1, 0.04),
        joint("w", "weld", "ground", "a.start"),
        joint("seam", "weld", *order),
        force("b.end", 500, 0, 0, kind="edge_force"),
        sensor("tip", "position", "at", "b.end"),
        reactions("seam"),
        STATIC,
    )
    assert found["tip"][0] == pytest.approx(stretch(2000, 100) + stretch(8000, 100), rel=1e-11)
    assert found["force"][0] == pytest.approx(-100 if order[0] == "a.end" else 100, rel=1e-8)


# On the ground, on a body that hangs free on it, and at the seam: the moment that an end force of 10 mN needs.
@pytest.mark.parametrize("held", ["ground", "hub", "seam"])
def test_a_clamped_strip_bends_and_its_moment_is_that_of_the_load(last, held):
    hub = HUB.replace("[1.2, 0.1, 0]", "[0, 0.1, 0]")
    middle = {
        "ground": [sheet("s"), joint("w", "weld", "ground", "s.start")],
        "hub": [sheet("s"), hub, joint("foot", "weld", "ground", "hub"), joint("w", "weld", "hub", "s.start")],
        "seam": [
            sheet("a", -1, 0.04),
            sheet("s"),
            joint("foot", "weld", "ground", "a.start"),
            joint("w", "weld", "a.end", "s.start"),
        ],
    }[held]
    found = last(
        SPATIAL,
        SHEETS,
        *middle,
        force("s.end", 0, 0, 0.01),
        sensor("start", "position", "at", "s.start"),
        sensor("tip", "position", "at", "s.end"),
        sensor("normal", "direction", "at", "s@(0, 0.5)") + 'axis = "normal"\n',
        reactions("w"),
        STATIC,
    )
    if held != "seam":
        assert found["normal"] == pytest.approx([0, 0, 1], abs=1e-9)
        assert found["start"] == pytest.approx([0, 0.1, 0], abs=1e-12)
    assert found["force"] == pytest.approx([0, 0, -0.01], abs=1e-8)
    lever = found["tip"] - found["start"]
    about = numpy.array([0, 0.1, 0]) if held == "hub" else found["start"]
    expected = -numpy.cross(found["tip"] - about, [0, 0, 0.01])
    assert abs(lever[0]) > 0.9
    assert found["moment"][1] == pytest.approx(expected[1], rel=1e-7)


# A single node has its place and its normal held: the strip may turn in its plane and stretch, but not tilt.
def test_a_node_holds_place_and_normal(last):
    found = last(
        SPATIAL,
        SHEETS,
        sheet("s"),
        joint("w", "weld", "ground", "s.corner_start_bottom"),
        joint("guide", "pin", "ground", "s.corner_start_top"),
        force("s.end", 0, 0, 0.05),
        sensor("normal", "direction", "at", "s@(0, 0)") + 'axis = "normal"\n',
        sensor("place", "position", "at", "s@(0, 0)"),
        STATIC,
    )
    assert found["normal"] == pytest.approx([0, 0, 1], abs=1e-9)
    assert found["place"] == pytest.approx([0, 0, 0], abs=1e-12)


# A cable and a sheet on a hub that turns by 3 rad in 0.3 s: the clamps turn with it, whatever the parts stretch.
@pytest.mark.parametrize("integrator", ['{ type = "generalized-alpha" }', '{ type = "energy-momentum" }'])
def test_clamps_turn_with_their_body(last, integrator):
    hub = "[body.hub]\nposition = [0, 0.1, 0]\nm = 1\ninertia = [0.1, 0.1, 0.1]\n"
    found = last(
        SPATIAL,
        SHEETS,
        CABLES,
        sheet("s"),
        '[cable.c]\nsection = "soft"\npath = [[0, 0.1, 0], [-1, 0.1, 0]]\nelements = 4\n',
        hub,
        joint("axle", "revolute", "ground", "hub", 'axis = [0, 1, 0]\nangle = "= 10 * t"'),
        joint("w", "weld", "hub", "s.start"),
        joint("grip", "clamp_direction", "hub", "c.start"),
        sensor("normal", "direction", "at", "s@(0, 0.5)") + 'axis = "normal"\n',
        sensor("tangent", "direction", "at", "c.start"),
        sensor("axis", "direction", "at", "hub"),
        sensor("off", "constraint_violation", "of", "all").replace('of = "all"\n', ""),
        f'[[analysis]]\nname = "turn"\ntype = "dynamic"\nend = 0.3\nstep = 1e-3\nintegrator = {integrator}\n',
    )
    axis, tangent = (found[key] / numpy.linalg.norm(found[key]) for key in ("axis", "tangent"))
    assert tangent == pytest.approx(-axis, abs=1e-8)
    assert found["normal"] @ axis == pytest.approx(0, abs=1e-8)


# A pin looks at the place only, a weld at place and direction: the initial shape may stretch, and turn at a pin.
def test_an_initial_shape_fits_what_is_held(last):
    def scene(kind, initial):
        return (
            PLANAR,
            CABLES,
            line("c", 2) + f"initial = {initial}\n",
            joint("j", kind, "ground", "c.start"),
            joint("k", "pin", "ground", "c.end") if kind == "pin" else "",
            sensor("tip", "position", "at", "c.end"),
            STATIC,
        )

    arc = "{ spline = [[0, 0], [0.5, 0.2], [1, 0]] }"
    assert last(*scene("pin", arc))["tip"] == pytest.approx([1, 0], abs=1e-12)
    assert last(*scene("weld", "[[0, 0], [1.1, 0]]"))["tip"] == pytest.approx([1, 0], abs=1e-9)


def test_an_initial_shape_that_does_not_fit_a_weld_is_refused(flexura):
    flexura.write(
        "bent.toml",
        PLANAR
        + CABLES
        + line("c", 2)
        + "initial = [[0, 0], [0, 1]]\n"
        + joint("j", "weld", "ground", "c.start")
        + STATIC,
    )
    assert (
        'holds "c" as in its path, but its initial shape is 1.41 in direction away'
        in flexura("check", "bent.toml", status=2).stderr
    )
