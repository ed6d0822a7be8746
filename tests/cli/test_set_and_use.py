"""New things by --set, and formulas in [use] that name what the using scene has."""

import csv

import pytest
from conftest import BAD_INPUT

BOB = """[point.a]
position = [0.0, 0.0]
[mass.m]
at = "a"
m = 2.0
[sensor.p]
type = "position"
at = "a"
[[analysis]]
name = "go"
type = "dynamic"
end = 1.0
step = 0.1
"""


def last(flexura, sensor: str) -> list[float]:
    with open(flexura.folder / "out" / f"{sensor}.csv", encoding="utf-8") as file:
        return [float(x) for x in list(csv.reader(file))[-1]]


def test_set_adds_a_table_of_a_kind_that_the_scene_does_not_have(flexura):
    """x = F t^2/(2 m), exact in steps of the trapezoidal rule."""
    flexura.write("scene.toml", BOB)
    load = 'load.x={type="force", at="a", force=[1, 0]}'
    flexura("run", "scene.toml", "-o", "out", "-q", "--no-report", "--set", load)
    assert last(flexura, "p")[1] == pytest.approx(0.25, rel=1e-9)
    flexura(
        *("run", "scene.toml", "-o", "out", "--force", "-q", "--no-report"),
        *("--set", load, "--set", "load.x.force[0]=3", "--set", 'sensor.v={type="velocity", at="a"}'),
    )
    assert last(flexura, "v")[1] == pytest.approx(1.5, rel=1e-9)


@pytest.mark.parametrize(
    ("setting", "reported"),
    [
        ("load.x.force=[1, 0]", 'the scene has no "load"'),
        ("load.x=5", "every load has a name"),
        ('laod.x={type="force"}', 'nearest: "load"'),
        ('load.x={type="force"}', '"force" is missing'),
        ("mass.n.m=1", 'the scene has no "mass.n"'),
    ],
)
def test_set_reports_what_cannot_be_added(flexura, setting, reported):
    flexura.write("scene.toml", BOB)
    assert reported in flexura("check", "scene.toml", "--set", setting, status=BAD_INPUT).stderr


PART = """[parameters]
L = 1.0
F = 2.0
[body.b]
m = 1.0
inertia = "= L"
[joint.j]
type = "prismatic"
of = ["ground", "b"]
axis = [1, 0]
[load.f]
type = "force"
at = "b"
force = ["= F", 0]
"""
OUTER = """[parameters]
F0 = 3.0
L = 7.0
[signal.s]
type = "expression"
formula = "F0"
[use.a]
scene = "part.toml"
{}
[sensor.p]
type = "position"
at = "a.b"
[[analysis]]
name = "go"
type = "dynamic"
end = 1.0
step = 0.1
"""


@pytest.mark.parametrize(
    ("keys", "x"),
    [
        ("", 1.0),
        ('parameters = { F = "= 2 * F0" }', 3.0),
        ('set = { "parameters.F" = "= F0" }', 1.5),
        ('set = { body.b.m = "= F0" }', 1 / 3),
        ('set = { load.f.force = ["= F0 / 2", 0] }', 0.75),
        ('set = { load.f.force = ["= F0 * F", 0] }', 3.0),
        ('set = { body.b.m = "= L" }', 1.0),  # the part's own L comes first
        ('set = { load.f.signal = "= signal(s)" }', 3.0),
        ('set = { load.f.signal = "s" }', 3.0),
        ('set = { load.f.signal = "= 2 * F0 * signal(s)" }', 18.0),
        ('set = { load.f.signal = { type = "expression", formula = "signal(s) / 2" } }', 1.5),
        ('set = { load.more = { type = "force", at = "b", force = ["= F0", 0] } }', 2.5),
    ],
)
def test_formulas_in_use_name_what_the_using_scene_has(flexura, keys, x):
    """x = F t^2/(2 m) at 1 s, with F = 2 and m = 1 where nothing is changed."""
    flexura.write("part.toml", PART)
    flexura.write("scene.toml", OUTER.format(keys))
    flexura("run", "scene.toml", "-o", "out", "-q", "--no-report")
    assert last(flexura, "p")[1] == pytest.approx(x, rel=1e-9)


def test_formulas_in_use_through_a_scene_between(flexura):
    """The innermost part has a mass and a factor of the outermost scene."""
    flexura.write("part.toml", PART)
    flexura.write("middle.toml", '[use.b]\nscene = "part.toml"\n')
    flexura.write(
        "scene.toml",
        OUTER.format('set = { b.body.b.m = "= F0", b.load.f.signal = "= signal(s)" }')
        .replace('"part.toml"', '"middle.toml"')
        .replace('"a.b"', '"a.b.b"'),
    )
    flexura("run", "scene.toml", "-o", "out", "-q", "--no-report")
    assert last(flexura, "p")[1] == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize(
    ("keys", "reported"),
    [
        ('set = { body.b.m = "= F1" }', "unknown name 'F1'"),
        ('set = { load.f.signal = "= signal(r)" }', "there is no signal named 'r'"),
        ('set = { load.f.signal = "r" }', 'there is no signal named "r"'),
    ],
)
def test_names_that_neither_scene_has(flexura, keys, reported):
    flexura.write("part.toml", PART)
    flexura.write("scene.toml", OUTER.format(keys))
    assert reported in flexura("check", "scene.toml", status=BAD_INPUT).stderr


def test_a_used_scene_does_not_see_the_parameters_of_its_user(flexura):
    """Only what is written in `set` does: a part that names what it does not have is wrong by itself."""
    flexura.write("part.toml", PART.replace('"= L"', '"= F0"'))
    flexura.write("scene.toml", OUTER.format(""))
    assert "unknown name 'F0'" in flexura("check", "scene.toml", status=BAD_INPUT).stderr


# ── Reactions of sides that share an edge ────────────────────────────────────────────────────────────────────────────

BLOCK = """space = "spatial"
[material.rubber]
E = "1 MPa"
nu = 0.3
rho = "1000 kg/m^3"
[solid.block]
material = "rubber"
shape = {{ type = "block", size = ["100 mm", "100 mm", "100 mm"] }}
elements = [2, 2, 2]
[joint.one]
type = "prescribed"
of = ["ground", "block.{one}"]
{of_one}
[joint.two]
type = "prescribed"
of = ["ground", "block.{two}"]
{of_two}
[load.f]
type = "force"
at = "block.{loaded}"
force = [0.5, 1, -2]
[sensor.one]
type = "reaction"
of = "one"
[sensor.two]
type = "reaction"
of = "two"
[[analysis]]
name = "press"
type = "static"
"""


@pytest.mark.parametrize(
    ("one", "of_one", "two", "of_two"),
    [
        ("left", "x = 0\ny = 0", "bottom", "z = 0"),
        ("bottom", "z = 0", "left", "x = 0\ny = 0"),
        ("left", "x = 0", "bottom", "y = 0\nz = 0"),
        ("left", 'x = "1 mm"\ny = 0', "front", 'z = "-1 mm"'),
    ],
)
def test_reactions_of_prescribed_sides_that_share_an_edge(flexura, one, of_one, two, of_two):
    """Each carries the components that it prescribes, and both together what the load is: Newton's tolerance is 1e-8 of the forces."""
    flexura.write("scene.toml", BLOCK.format(one=one, of_one=of_one, two=two, of_two=of_two, loaded="right"))
    flexura("run", "scene.toml", "-o", "out", "-q", "--no-report")
    for k, axis in enumerate("xyz"):
        forces = {"one": last(flexura, "press.one")[1 + k], "two": last(flexura, "press.two")[1 + k]}
        holds = "one" if f"{axis} =" in of_one else "two"
        assert forces[holds] == pytest.approx([-0.5, -1, 2][k], abs=1e-6)
        assert forces["two" if holds == "one" else "one"] == 0
