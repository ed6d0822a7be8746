"""Form-finding by force densities against closed forms."""

import math
from itertools import pairwise

import flexura as fx
import numpy as np
import pytest


def prism(n: int, turn: float) -> fx.Scene:
    """2n points, a strut from each of the base to the next of the top; drawn with any turn."""
    scene = fx.Scene(title="prism", space="spatial")
    for k in range(n):
        for name, angle, z in (("b", 0.0, 0.0), ("t", turn, 1.3)):
            a = 2 * math.pi * k / n + angle
            scene.point[f"{name}{k}"] = fx.Point(position=[math.cos(a), math.sin(a), z])
    for k in range(n):
        then = (k + 1) % n
        for name, i, j in (
            ("strut", f"b{k}", f"t{then}"),
            ("side", f"b{k}", f"t{k}"),
            ("lid", f"t{k}", f"t{then}"),
            ("base", f"b{k}", f"b{then}"),
        ):
            scene.truss[f"{name}_{k}"] = fx.ElasticTruss(between=[i, j], EA=1e4, m=0.01)
    scene.analysis.swing = fx.DynamicAnalysis(end=0.01, step=1e-3)
    return scene


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_prisms_stand_free(n: int) -> None:
    """Turned by pi/2 - pi/n, polygons of density 1/(2 sin(pi/n)) [connelly1995]."""
    scene = prism(n, 0.2)
    form = fx.find_form(scene, {"*": None, "side_*": 100.0, "strut_*": -100.0})
    assert form.densities["lid_0"] == pytest.approx(50 / math.sin(math.pi / n), rel=1e-12)
    x, y, _ = form.positions["t0"] - np.mean([form.positions[f"t{k}"] for k in range(n)], axis=0)
    u, v, _ = form.positions["b0"] - np.mean([form.positions[f"b{k}"] for k in range(n)], axis=0)
    assert math.atan2(y, x) - math.atan2(v, u) == pytest.approx(math.pi / 2 - math.pi / n, abs=1e-12)
    frame = scene.frame_states()
    assert (frame.self_stress, frame.mechanisms, frame.rigid_body_motions) == (1, 2 * n - 5, 6)
    assert frame.prestress is not None and frame.prestress_stiffens
    assert frame.prestress["truss.strut_0"] == pytest.approx(form.forces["strut_0"], rel=1e-9)


def test_a_net_hangs_between_fixed_points() -> None:
    """A chain of equal densities under no load is straight, its points evenly apart."""
    scene = fx.Scene(title="chain", space="planar")
    scene.point.a = fx.Point(position=[0.0, 0.0], fixed=True)
    scene.point.b = fx.Point(position=[0.3, 1.0])
    scene.point.c = fx.Point(position=[0.1, -1.0])
    scene.point.d = fx.Point(position=[3.0, 1.5], fixed=True)
    for i, j in pairwise("abcd"):
        scene.truss[i + j] = fx.ElasticTruss(between=[i, j], EA=1e4, length=0.7)
    scene.analysis.rest = fx.StaticAnalysis()
    form = fx.find_form(scene, {"*": 10.0})
    assert scene.point.b.position == pytest.approx([1.0, 0.5])
    assert scene.point.c.position == pytest.approx([2.0, 1.0])
    assert form.forces["ab"] == pytest.approx(10 * math.hypot(1, 0.5))
    assert scene.truss.bc.prestress == pytest.approx(form.forces["bc"])
    assert "length" not in scene.truss.bc


def test_messages() -> None:
    with pytest.raises(ValueError, match="no frame in 3 dimensions stands free"):
        fx.find_form(prism(3, 0.2), {"*": 1.0, "strut_*": -1.0})
    with pytest.raises(ValueError, match="none is given for side_0"):
        fx.find_form(prism(3, 0.2), {"strut_*": -1.0, "lid_*": 1.0, "base_*": 1.0})
    with pytest.raises(ValueError, match="no truss 'strud_"):
        fx.find_form(prism(3, 0.2), {"*": 1.0, "strud_*": -1.0})
