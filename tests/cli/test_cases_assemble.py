"""Loops that `assemble` closes: by lengths, not by masses."""

import pytest


def linkage(
    coupler: list[float], rocker: list[float], tips: list[list[float]], starts: list[str], end: list[float]
) -> str:
    """Crank at the origin, coupler and rocker: where they begin, their tips from there and how each starts; `end`: the last hinge."""
    text = "gravity = [0, 0]\nassemble = true\n"
    names = ["crank", "coupler", "rocker"]
    for name, at, tip, start in zip(names, [[0, 0], coupler, rocker], tips, starts, strict=True):
        text += f"[body.{name}]\nposition = {at}\nm = 1\ninertia = 0.1\ninitial = {{ {start} }}\npoints.tip = {tip}\n"
    hinges = [("ground", "crank", [0, 0]), ("crank", "coupler", coupler)]
    hinges += [("coupler", "rocker", [c + t for c, t in zip(coupler, tips[1], strict=True)]), ("ground", "rocker", end)]
    for name, (first, second, at) in zip("abcd", hinges, strict=True):
        text += f'[joint.{name}]\ntype = "revolute"\nof = ["{first}", "{second}"]\nat = {at}\n'
    return text


# Bodies start up to 0.5 m and 0.6 rad from where the hinges meet.
PLANAR = linkage(
    coupler=[0.4, 0.9],
    rocker=[2, 0],
    tips=[[0.4, 0.9], [1.3, 0.2], [-0.3, 1.1]],
    starts=["angle = 0.6", "position = [0.2, 1.3], angle = 0.3", "angle = -0.4"],
    end=[2, 0],
)

# 2.5 mm longer than its base of 3 m: closed only where it is nearly stretched.
STRETCHED = linkage(
    coupler=[1, 0.05],
    rocker=[2, 0],
    tips=[[1, 0.05], [1, -0.05], [1, 0]],
    starts=["angle = 1.2", "position = [0.5, 0.8], angle = 0.3", "angle = 0.2"],
    end=[3, 0],
)

# The first in space, with a ball and a universal joint, so that it is not overdetermined; RSSR loops of robots are such.
SPATIAL = """
space = "spatial"
gravity = [0, 0, 0]
assemble = true
[body.crank]
m = 1
inertia = [0.1, 0.1, 0.1]
points.tip = [0.4, 0.9, 0]
[body.coupler]
position = [0.4, 0.9, 0]
m = 1
inertia = [0.1, 0.1, 0.1]
points.tip = [1.3, 0.2, 0]
initial = { position = [0.2, 1.3, 0.1] }
[body.rocker]
position = [2, 0, 0]
m = 1
inertia = [0.1, 0.1, 0.1]
points.tip = [-0.3, 1.1, 0]
initial = { position = [1.8, 0.2, 0] }
[joint.a]
type = "revolute"
of = ["ground", "crank"]
at = [0, 0, 0]
axis = [0, 0, 1]
[joint.b]
type = "universal"
of = ["crank", "coupler"]
at = [0.4, 0.9, 0]
axes = [[0, 0, 1], [0, 1, 0]]
[joint.c]
type = "spherical"
of = ["coupler", "rocker"]
at = [1.7, 1.1, 0]
[joint.d]
type = "revolute"
of = ["ground", "rocker"]
at = [2, 0, 0]
axis = [0, 0, 1]
"""

END = """
[mass.load]
at = "{at}.tip"
m = {mass}
[sensor.crank]
type = "position"
at = "crank.tip"
[sensor.coupler]
type = "position"
at = "coupler.tip"
[[analysis]]
name = "rest"
type = "dynamic"
end = 0.002
step = 1e-3
"""

SCENES = {"planar": PLANAR, "stretched": STRETCHED, "spatial": SPATIAL}
MASSES = [0.006, 6, 60, 6e3, 60e3]  # [kg]


def positions(flexura, scene: str, at: str, mass: float) -> list[float]:
    flexura.write("scene.toml", SCENES[scene] + END.format(at=at, mass=mass))
    summary = flexura.summary("scene.toml", "-o", "out", "--force")
    assert summary["status"] == "finished"
    assert summary["initial_move"] > 0.1
    assert summary["violation"] < 3e-11  # closed to 1e-11 of the machine, 3 m
    return [x for name in ("crank", "coupler") for x in summary["sensors"][name]["last"]]


# Nothing acts, so the machine stays where it was assembled. No mass takes part: what differs is rounding.
@pytest.mark.parametrize("at", ["crank", "coupler", "rocker"])
@pytest.mark.parametrize("scene", SCENES)
def test_a_loop_closes_to_the_same_positions_whatever_its_masses(flexura, scene, at):
    found = [positions(flexura, scene, at, mass) for mass in MASSES]
    for other in found[1:]:
        assert other == pytest.approx(found[0], abs=1e-9)
