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


def three(*trusses: tuple[str, str], **more: object) -> fx.Scene:
    """Points a, b fixed and c, d free in the plane; elastic trusses between pairs, named by both."""
    scene = fx.Scene(title="three", space="planar")
    for name, at, held in (
        ("a", [0.0, 0.0], True),
        ("b", [1.0, 0.0], True),
        ("c", [0.5, 1.0], False),
        ("d", [2.0, 1.0], False),
    ):
        scene.point[name] = fx.Point(position=at, fixed=held)
    for i, j in trusses:
        scene.truss[i + j] = fx.ElasticTruss(between=[i, j], EA=1e3, **more)  # type: ignore[arg-type]
    return scene


@pytest.mark.parametrize(
    ("scene", "densities", "says"),
    [
        (three(("a", "c"), ("b", "c")), {"*": 1.0}, ["point.d: no truss that carries joins it"]),
        (three(("a", "c"), ("c", "d")), {"ac": 1.0, "cd": 0.0}, ["point.d: no truss that carries"]),
        (three(("a", "c"), ("c", "d"), ("d", "d")), {"*": 1.0}, ["truss.dd: both ends are d"]),
        (three(("a", "c"), ("c", "d")), {"*": 0.0}, ["all are 0"]),
        (three(), {}, ["no truss between points"]),
        (three(("a", "c"), ("c", "d")), {"*": math.nan}, ["truss.ac is no number: nan"]),
        (three(("a", "c"), ("c", "d")), {"*": 1.0}, ["truss.ac: its ends meet", "truss.cd: its ends meet"]),
        (
            three(("a", "c"), ("b", "c"), ("a", "d"), ("b", "d"), carries="tension"),
            {"*": 3.0, "bc": -1.0, "bd": -1.0},
            ["truss.bc: carries tension only, and its density is -1", "truss.bd: carries"],
        ),
    ],
)
def test_what_is_no_frame_is_told_at_once(scene: fx.Scene, densities: dict[str, float | None], says: list[str]) -> None:
    before = str(scene)
    with pytest.raises(ValueError) as error:
        fx.find_form(scene, densities)
    for text in says:
        assert text in str(error.value)
    assert str(scene) == before


def test_free_frames_that_are_none() -> None:
    """Two frames that nothing joins; members all pushed; one flat in space; members there twice count twice."""
    apart = prism(3, 0.2)
    apart.point.alone = fx.Point(position=[9.0, 0.0, 0.0])
    with pytest.raises(ValueError, match=r"point\.alone: no truss that carries joins it to the rest"):
        fx.find_form(apart, {"*": None, "side_*": 100.0, "strut_*": -100.0})
    with pytest.raises(ValueError, match="stands free"):
        fx.find_form(prism(3, 0.2), {"*": -1.0})
    with pytest.raises(ValueError, match="open group"):
        fx.find_form(prism(3, 0.2), {"*": None})
    twice = prism(3, 0.2)
    for k in range(3):
        twice.truss[f"side_again_{k}"] = fx.ElasticTruss(between=[f"b{k}", f"t{k}"], EA=1e4)
    form = fx.find_form(twice, {"*": None, "side_*": 50.0, "strut_*": -100.0})
    assert form.densities["lid_0"] == pytest.approx(50 / math.sin(math.pi / 3), rel=1e-12)


def test_all_points_fixed() -> None:
    scene = fx.Scene(title="held", space="planar")
    scene.point.a = fx.Point(position=[0.0, 0.0], fixed=True)
    scene.point.b = fx.Point(position=[3.0, 4.0], fixed=True)
    scene.truss.ab = fx.ElasticTruss(between=["a", "b"], EA=1e3)
    assert fx.find_form(scene, {"*": 2.0}).forces["ab"] == pytest.approx(10)
