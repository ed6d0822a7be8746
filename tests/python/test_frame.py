"""States of self-stress and mechanisms from Python; what they are is tested in C++."""

import math
from pathlib import Path

import flexura as fx
import numpy as np
import pytest

root = Path(__file__).resolve().parents[2]


def test_a_tensegrity_has_one_state_that_stiffens_its_mechanism() -> None:
    frame = fx.Scene.load(root / "examples" / "tensegrity.toml").frame_states()
    assert (frame.self_stress, frame.mechanisms, frame.rigid_body_motions) == (1, 1, 0)
    assert frame.motions[0].kind == "infinitesimal"
    assert frame.motions[0].parts == ["top_1", "top_2", "top_3"]
    assert np.linalg.norm(frame.motions[0].moves["top_3"]) == pytest.approx(math.hypot(1, 0.25))
    assert frame.prestress is not None and frame.prestress_stiffens
    assert frame.prestress["truss.lid_1"] == pytest.approx(40)


def test_a_scene_that_is_wrong_raises() -> None:
    scene = fx.Scene.load(root / "examples" / "tensegrity.toml")
    scene.truss.side_1.between = ["nowhere", "top_1"]
    with pytest.raises(fx.SceneError, match="nowhere"):
        scene.frame_states()


def test_a_frame_needs_no_analysis() -> None:
    """Two trusses hold a point in the plane: no mechanism, no self-stress; with one alone a mechanism."""
    text = """
[point.p]
position = [0, 0]
fixed = true
[point.q]
position = [1, 0]
[point.r]
position = [1, 1]
fixed = true
[mass.m]
at = "q"
m = 1
[truss.a]
type = "elastic"
between = ["p", "q"]
EA = 1e3
[truss.b]
type = "elastic"
between = ["q", "r"]
EA = 1e3
"""
    scene = fx.Scene.loads(text)
    states = scene.frame_states()
    assert (states.rank, states.self_stress, states.mechanisms) == (2, 0, 0)
    assert scene.to_toml() == text
    del scene.truss.b
    assert scene.frame_states().mechanisms == 1
    analysed = fx.Scene.loads(text + '[[analysis]]\nname = "rest"\ntype = "static"\n')
    assert analysed.frame_states() == states
