"""Slopes of sensors by numbers of a scene."""

import numpy as np
import pytest
from conftest import PENDULUM

import flexura

MOVING = PENDULUM.replace('end = "0.1 s"', 'end = "0.1 s"\ntolerance = 1e-12')
WRT = ["section.cord.EI", "section.cord.rhoA", "gravity[1]", "cable.cord.path[1][0]"]


def final(numbers=()):
    result = flexura.simulate(MOVING, set=list(numbers), progress=False)
    return np.asarray(result["tip"].position)[-1]


def test_slopes_are_those_of_whole_runs():
    slopes = flexura.gradient(MOVING, of="tip", wrt=WRT)
    assert slopes.of == ["tip.x", "tip.y"] and slopes.units == ["m", "m"] and slopes.times == pytest.approx([0.1])
    assert slopes.values.shape == (1, 2) and slopes.jacobian.shape == (1, 2, 4)
    np.testing.assert_allclose(slopes.values[0], final(), rtol=1e-12)
    step = 1e-5 * 0.1
    moved = [final([f"section.cord.rhoA={0.1 + s * step!r}"]) for s in (-1, 1)]
    # central differences in 1e-5: 1e-10 of their order and 1e-7 of Newton's tolerance
    np.testing.assert_allclose(slopes.jacobian[0, :, 1], (moved[1] - moved[0]) / (2 * step), rtol=1e-6)
    np.testing.assert_array_equal(slopes["tip.y"], slopes.jacobian[0, 1])
    with pytest.raises(KeyError):
        slopes["tip.z"]


def test_backwards_is_forwards():
    weights = np.array([[1.0, -2.0], [0.5, 3.0]])
    slopes = flexura.gradient(MOVING, of="tip", wrt=WRT, times=[0.05, 0.1])
    back = flexura.gradient(MOVING, of="tip", wrt=WRT, times=[0.05, 0.1], weights=weights)
    np.testing.assert_allclose(back, np.einsum("tc,tcp->p", weights, slopes.jacobian), rtol=1e-7)
    called = flexura.gradient(MOVING, of="tip", wrt=WRT, times=[0.05, 0.1], weights=lambda values: 2 * values)
    np.testing.assert_allclose(called, np.einsum("tc,tcp->p", 2 * slopes.values, slopes.jacobian), rtol=1e-7)


def test_what_is_wrong_is_said_at_once():
    with pytest.raises(flexura.SceneError, match="section.cordd") as error:
        flexura.gradient(MOVING, of="tip", wrt=["section.cordd.EI", "title"])
    assert len(error.value.problems) == 2 and error.value.problems[0].nearest == "cord"
    with pytest.raises(flexura.SceneError, match="no sensor of this name"):
        flexura.gradient(MOVING, of="tipp", wrt=WRT)
    with pytest.raises(flexura.SceneError, match="changes the step"):
        flexura.gradient(MOVING, of="tip", wrt=["analysis.swing.step"])


def test_torch():
    torch = pytest.importorskip("torch")
    run = flexura.torch_function(MOVING, of="tip", wrt=["section.cord.EI", "section.cord.rhoA"])
    x = torch.tensor([0.02, 0.1], dtype=torch.float64, requires_grad=True)
    (run(x) ** 2).sum().backward()
    slopes = flexura.gradient(MOVING, of="tip", wrt=["section.cord.EI", "section.cord.rhoA"])
    np.testing.assert_allclose(x.grad, np.einsum("tc,tcp->p", 2 * slopes.values, slopes.jacobian), rtol=1e-7)


def test_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    run = flexura.jax_function(MOVING, of="tip", wrt=["section.cord.EI", "section.cord.rhoA"])
    slope = jax.grad(lambda x: (run(x) ** 2).sum())(jax.numpy.array([0.02, 0.1]))
    slopes = flexura.gradient(MOVING, of="tip", wrt=["section.cord.EI", "section.cord.rhoA"])
    np.testing.assert_allclose(slope, np.einsum("tc,tcp->p", 2 * slopes.values, slopes.jacobian), rtol=1e-7)
