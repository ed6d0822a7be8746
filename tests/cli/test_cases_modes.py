"""Modes: complex ones beyond 200 unknowns, equal ones, stiff parts beside soft ones, rigid motions, gas."""

import math
import pathlib

import pytest

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases" / "modes"


def modes(flexura, text: str) -> tuple[list[float], list[float], list[str]]:
    """Frequencies [Hz], damping [1], warnings."""
    flexura.write("scene.toml", text)
    summary = flexura.summary("scene.toml", "--no-csv", "--force")
    found = summary["modes"][0]
    return found["frequency"], found.get("damping", []), summary["warnings"]


def case(name: str) -> str:
    return (CASES / f"modes_{name}.toml").read_text(encoding="utf-8")


# ---- complex modes of more than 200 unknowns ----------------------------------------------------------------------

BENDING = [22.6762, 141.841, 396.441, 776.868]


@pytest.mark.parametrize("count", [4, 8, 12])
def test_a_damped_beam_has_its_modes_twice(flexura, count):
    """ζ = τ ω/2 less the part of the energy in shear, which nothing damps: up to 1.7 % in the fourth pair. |s| is that of the undamped run of the same scene but for the square of ζ times that part."""
    text = case("damped_beam").replace("count = 8", f"count = {count}")
    frequencies, damping, _ = modes(flexura, text)
    assert len(frequencies) == count
    for k in range(min(count, 8)):
        omega = 2 * math.pi * BENDING[k // 2]
        assert damping[k] == pytest.approx(2e-5 * omega / 2, rel=2e-2)
        assert frequencies[k] == pytest.approx(BENDING[k // 2] * math.sqrt(1 - damping[k] ** 2), rel=1e-4)


def test_a_damped_solid_has_its_modes_twice(flexura):
    """|s| of the undamped run; modes that creep back without oscillating come between them."""
    frequencies, damping, warnings = modes(flexura, case("damped_solid").replace("count = 8", "count = 12"))
    sizes = [f / math.sqrt(1 - z**2) for f, z in zip(frequencies, damping, strict=True) if f > 0]
    assert sizes[:5] == pytest.approx([2.44485, 2.44485, 14.55096, 14.55096, 21.763], rel=1e-3)
    assert not any("residual" in text for text in warnings)


def test_a_spinning_disc_has_its_modes(flexura):
    """In the frame of the disc: [2, 8] elements, which were solved whole, gave 24.908 (twice) … 80.822 Hz."""
    frequencies, _, _ = modes(flexura, case("spinning_disc"))
    assert frequencies == pytest.approx([24.908, 24.908, 29.209, 36.972, 36.972, 80.822], rel=5e-5)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 8, 10])
def test_equal_frequencies_are_all_found(flexura, count):
    """A round bar bends alike in both planes: the same modes as with damped = false."""
    text = case("twins_lost").replace("count = 6", f"count = {count}")
    frequencies, _, _ = modes(flexura, text)
    undamped, _, _ = modes(flexura, text.replace("damped = true", "damped = false"))
    assert frequencies == pytest.approx(undamped, rel=1e-6)
    assert frequencies[: min(count, 8)] == pytest.approx([f for f in BENDING for _ in "ab"][:count], rel=1e-5)


# ---- stiff parts beside soft ones ------------------------------------------------------------------------------------

PISTON = """
space = "planar"
[section.wire]
EA = {EA}
EI = 1e-3
rhoA = 1e-3
[cable.left]
section = "wire"
path = [[-1, 0], [0, 0]]
elements = 4
[cable.right]
section = "wire"
path = [[0, 0], [1, 0]]
elements = 4
[body.piston]
m = 1
inertia = 1
[joint.a]
type = "pin"
of = ["ground", "left.start"]
[joint.b]
type = "pin"
of = ["ground", "right.end"]
[joint.c]
type = "pin"
of = ["piston", "left.end"]
[joint.d]
type = "pin"
of = ["piston", "right.start"]
[spring.k]
type = "linear"
between = [[0, 1], "piston"]
stiffness = 2700
damping = 1
[[analysis]]
name = "m"
type = "modes"
count = 6
damped = {damped}
"""


@pytest.mark.parametrize("damped", ["false", "true"])
@pytest.mark.parametrize("EA", ["1e6", "1e9", "1e12", "1e14"])
def test_a_piston_between_stiff_cables(flexura, EA, damped):
    """Across the cables the piston moves on its spring alone: √(k/m)/2π = 8.26993 Hz, 1.7e-5 less for the cables' mass and
    the bending that they take. At 1e12 the piston was at 8.29 Hz, at 1e14 at 9.15 Hz."""
    frequencies, damping, _ = modes(flexura, PISTON.format(EA=EA, damped=damped))
    own = [f for f in frequencies if 7 < f < 10]
    assert own == pytest.approx([math.sqrt(2700) / (2 * math.pi)], rel=1e-4)
    if damped == "true":
        assert damping[frequencies.index(own[0])] == pytest.approx(1 / (2 * math.sqrt(2700)), rel=1e-3)


# ---- rigid motions are not unstable ----------------------------------------------------------------------------------

FREE = {
    "body": """
[body.b]
m = 2
inertia = [0.1, 0.2, 0.25]
""",
    "bodies": """
[body.b]
m = 2
inertia = [0.1, 0.2, 0.25]
[body.c]
m = 1
inertia = [0.1, 0.2, 0.25]
position = [1, 0, 0]
[body.d]
m = 1
inertia = [0.1, 0.2, 0.25]
position = [2, 0, 0]
[spring.s]
type = "linear"
between = ["b", "c"]
stiffness = 1e5
free_length = 1
[joint.h]
type = "revolute"
of = ["c", "d"]
at = [1.5, 0, 0]
axis = [0, 0, 1]
""",
    "hinged": """
[section.shaft]
shape = { type = "circle", radius = "10 mm" }
material = "steel"
[material.steel]
E = "210 GPa"
nu = 0.3
rho = 7800
[beam.bar]
section = "shaft"
path = [[0, 0, 0], [0.8, 0, 0]]
elements = 8
[joint.h]
type = "spherical"
of = ["ground", "bar.start"]
""",
    "beam": """
[material.steel]
E = "210 GPa"
nu = 0.3
rho = 7800
[section.shaft]
shape = { type = "circle", radius = "10 mm" }
material = "steel"
[beam.bar]
section = "shaft"
path = [[0, 0, 0], [0.8, 0, 0]]
elements = 8
""",
    "solid": """
[material.rubber]
type = "neo-hooke"
E = "1 MPa"
rho = 1100
[solid.p]
shape = { type = "block", size = [0.2, 0.02, 0.02] }
elements = [6, 1, 1]
material = "rubber"
damping = 1e-5
""",
    "plate": """
[material.steel]
E = "210 GPa"
nu = 0.3
rho = 7800
[plate.p]
shape = { type = "flat", size = [0.3, 0.2] }
elements = [3, 2]
material = "steel"
thickness = "1 mm"
""",
}


@pytest.mark.parametrize("damped", ["false", "true"])
@pytest.mark.parametrize("part", FREE)
def test_rigid_motions_do_not_grow(flexura, part, damped):
    """Six of the modes are rigid motions; their eigenvalues are rounding. Without an elastic mode to compare with,
    two to six of them were "inexact"."""
    for count in (2, 3, 4, 5, 6, 9):
        analysis = f'[[analysis]]\nname = "m"\ntype = "modes"\ncount = {count}\ndamped = {damped}\n'
        _, _, warnings = modes(flexura, f'space = "spatial"\n{FREE[part]}{analysis}')
        assert not any("unstable" in text or "inexact" in text for text in warnings), (count, warnings)
