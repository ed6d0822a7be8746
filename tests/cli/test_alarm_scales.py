"""Alarms do not depend on the size of a model: lengths and gravity in powers of two, so that all numbers are the same bits but for the scale."""

import re

import pytest


def drifting_chain(scale: float) -> str:
    """Two masses on massless rods, whose lengths an explicit method without stabilisation loses."""
    return f"""
space = "planar"
gravity = [0, {-9.81 * scale!r}]
[point.a]
position = [{scale!r}, 0]
[point.b]
position = [{2 * scale!r}, 0]
[mass.a1]
at = "a"
m = 1
[mass.b1]
at = "b"
m = 1
[joint.j1]
type = "distance"
of = [[0, 0], "a"]
[joint.j2]
type = "distance"
of = ["a", "b"]
[sensor.tip]
type = "position"
at = "b"
[[analysis]]
name = "move"
type = "dynamic"
end = 20
step = 0.05
integrator = {{ type = "rk4", stabilisation = "none" }}
"""


@pytest.mark.parametrize("power", [-20, -14, -10, -4, 9])
def test_lost_joints_are_noticed_at_every_size(flexura, power):
    """Of a micrometre to half a kilometre: the run ends at the same time. Below 1 mm violations of 1e-6 m were never looked at."""
    ends = []
    for scale in (1.0, 2.0**power):
        flexura.write("scene.toml", drifting_chain(scale))
        summary = flexura.summary("scene.toml", "--no-csv", "--force", status=1)
        found = re.search(r"joints are not kept at t = ([0-9.]+) s", summary["message"])
        assert found, summary["message"]
        assert any("do not trust the motion" in warning for warning in summary["warnings"])
        ends.append(float(found[1]))
    assert ends[0] == ends[1]
