"""Statics of machines that joints and prescribed motions hold altogether: nothing snaps, and nothing loses its stability."""

import pytest

SCENE = """
space = "spatial"
[body.b]
position = [0.3, 0.4, 0.5]
m = 1
inertia = [0.01, 0.02, 0.015]
[joint.j]
type = "prismatic"
of = ["ground", "b"]
axis = [{axis}]
method = "{method}"
displacement = {displacement}
[sensor.d]
type = "displacement"
of = "j"
[[analysis]]
name = "g"
type = "static"
"""


# Work and stored energy are rounding of 1e-18 J, of which the warnings spoke.
@pytest.mark.parametrize("method", ["eliminated", "multipliers"])
@pytest.mark.parametrize("axis", ["0.3, 0.5, 0.7", "-0.172, -0.678, 0.245"])
@pytest.mark.parametrize("displacement", [0.5, -0.731334])
def test_nothing_snaps_where_nothing_can_move(flexura, method, axis, displacement):
    flexura.write("scene.toml", SCENE.format(method=method, axis=axis, displacement=displacement))
    done = flexura("run", "scene.toml", "-o", "out")
    assert "warning" not in done.stderr
    assert flexura.summary("scene.toml", "-o", "out2")["sensors"]["d"]["last"] == pytest.approx(displacement, abs=1e-12)
