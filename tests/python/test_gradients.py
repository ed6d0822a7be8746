"""Slopes of sensors by numbers of a scene."""

import numpy as np
import pytest
from conftest import PENDULUM, ROOT

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


def test_ends_of_analyses():
    scene = MOVING + '[[analysis]]\nname = "rest"\ntype = "static"\n'
    slopes = flexura.gradient(scene, of="tip", wrt=WRT[:2], times=[0.1], after="rest")
    assert slopes.analyses == ["swing", "rest"] and slopes.times == pytest.approx([0.1, 0.1])
    hanging = flexura.gradient(scene, of="tip", wrt=WRT[:2])  # where the run ends
    np.testing.assert_array_equal(hanging.values[0], slopes.values[1])
    weights = np.array([[1.0, -2.0], [0.5, 3.0]])
    back = flexura.gradient(scene, of="tip", wrt=WRT[:2], times=[0.1], after=["rest"], weights=weights)
    np.testing.assert_allclose(back, np.einsum("tc,tcp->p", weights, slopes.jacobian), rtol=1e-7)
    with pytest.raises(flexura.SceneError, match="no analysis of this name"):
        flexura.gradient(scene, of="tip", wrt=WRT, after="hang")


def test_frequencies():
    def scene(stiffness):
        return (
            f'space = "planar"\n[point.a]\nposition = [1, 0]\n[mass.m]\nat = "a"\nm = 2\n[spring.s]\ntype = "linear"\n'
            f'between = [[0, 0], "a"]\nstiffness = {stiffness}\n[spring.t]\ntype = "linear"\nbetween = [[1, 1], "a"]\n'
            'stiffness = 100\n[[analysis]]\nname = "sing"\ntype = "modes"\ncount = 2\n'
        )

    (modes,) = flexura.gradient(scene(800), wrt=["spring.s.stiffness", "mass.m.m"]).modes
    assert modes.analysis == "sing" and not modes.problem and list(modes.first_of_equal) == [0, 1]
    # ω² = k/m: df/dk = f/2k, df/dm = -f/2m
    f = np.sqrt(np.array([100, 800]) / 2) / (2 * np.pi)
    np.testing.assert_allclose(modes.frequencies, f, rtol=1e-9)
    np.testing.assert_allclose(modes.slopes, [[0, -f[0] / 4], [f[1] / 1600, -f[1] / 4]], rtol=1e-8, atol=1e-12)
    (both,) = flexura.gradient(scene(100), wrt=["mass.m.m"]).modes
    assert list(both.first_of_equal) == [0, 0]


def test_frequencies_without_slopes_say_why():
    scene = (
        'space = "planar"\n[point.a]\nposition = [1, 0]\nvelocity = [0, 0.1]\n[mass.m]\nat = "a"\nm = 2\n[spring.s]\ntype = "linear"\n'
        'between = [[0, 0], "a"]\nstiffness = 100\n[spring.t]\ntype = "linear"\nbetween = [[1, 1], "a"]\n'
        'stiffness = 100\n[[analysis]]\nname = "sing"\ntype = "modes"\ncount = 2\n'
    )
    (modes,) = flexura.gradient(scene, wrt=["mass.m.m"]).modes
    assert modes.problem and np.isnan(modes.slopes).all()


def test_what_is_wrong_is_said_at_once():
    with pytest.raises(flexura.SceneError, match="section.cordd") as error:
        flexura.gradient(MOVING, of="tip", wrt=["section.cordd.EI", "title"])
    assert len(error.value.problems) == 2 and error.value.problems[0].nearest == "cord"
    with pytest.raises(flexura.SceneError, match="no sensor of this name"):
        flexura.gradient(MOVING, of="tipp", wrt=WRT)
    with pytest.raises(flexura.SceneError, match="changes the step"):
        flexura.gradient(MOVING, of="tip", wrt=["analysis.swing.step"])


NUMBERS = ["section.cord.EI", "section.cord.rhoA"]


def slope_of_squares() -> np.ndarray:
    slopes = flexura.gradient(MOVING, of="tip", wrt=NUMBERS)
    return np.einsum("tc,tcp->p", 2 * slopes.values, slopes.jacobian)


def values_at(*numbers: float) -> np.ndarray:
    return flexura.gradient(MOVING, of="tip", wrt=[], set=dict(zip(NUMBERS, numbers, strict=True))).values


def test_torch():
    torch = pytest.importorskip("torch")
    run = flexura.torch_function(MOVING, of="tip", wrt=NUMBERS)
    x = torch.tensor([0.02, 0.1], dtype=torch.float64, requires_grad=True)
    (run(x) ** 2).sum().backward()
    np.testing.assert_allclose(x.grad, slope_of_squares(), rtol=1e-7)
    jacobian = flexura.gradient(MOVING, of="tip", wrt=NUMBERS).jacobian
    for way in (torch.func.jacrev(run), lambda x: torch.autograd.functional.jacobian(run, x)):
        np.testing.assert_allclose(way(x.detach()).detach(), jacobian, rtol=1e-7, atol=1e-12)
    rows = torch.tensor([[0.02, 0.1], [0.03, 0.2]], dtype=torch.float64)
    expected = [values_at(*row) for row in rows.tolist()]
    np.testing.assert_array_equal(torch.func.vmap(run)(rows), expected)
    np.testing.assert_array_equal(torch.func.vmap(run, in_dims=1)(rows.T), expected)
    with pytest.raises(RuntimeError, match="differentiated once"):
        torch.autograd.functional.hessian(lambda x: (run(x) ** 2).sum(), x.detach())


def test_jax():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    run = flexura.jax_function(MOVING, of="tip", wrt=NUMBERS)
    x = jax.numpy.array([0.02, 0.1])
    slope = jax.jit(jax.grad(lambda x: (run(x) ** 2).sum()))(x)
    np.testing.assert_allclose(slope, slope_of_squares(), rtol=1e-7)
    jacobian = flexura.gradient(MOVING, of="tip", wrt=NUMBERS).jacobian
    np.testing.assert_allclose(jax.jacrev(run)(x), jacobian, rtol=1e-7, atol=1e-12)
    rows = np.array([[0.02, 0.1], [0.03, 0.2]])
    np.testing.assert_array_equal(jax.vmap(run)(rows), [values_at(*row) for row in rows])
    each = jax.vmap(jax.grad(lambda x: (run(x) ** 2).sum()))(rows)
    np.testing.assert_allclose(each[0], slope_of_squares(), rtol=1e-7)


WHOLE = ROOT / "tests/cases/bridges/whole_numbers.toml"
MASS_AND_FORCE = ["parameters.m", "parameters.F"]


@pytest.mark.parametrize("kind", ["int32", "int8", "uint8", "float32", "float16"])
def test_whole_numbers_through_jax(kind):
    """x = F t^2/(2 m) = 0.25 at 1 s, its derivatives -0.125 and 0.25: exact in steps of the trapezoidal rule."""
    jax = pytest.importorskip("jax")
    run = flexura.jax_function(WHOLE, wrt=MASS_AND_FORCE, of="x.x", times=[1.0])
    values = run(jax.numpy.array([2, 1], dtype=kind))
    assert jax.numpy.issubdtype(values.dtype, jax.numpy.floating)
    np.testing.assert_allclose(values, [[0.25]], rtol=1e-3 if kind == "float16" else 1e-6)
    np.testing.assert_allclose(run([2, 1]), [[0.25]], rtol=1e-6)
    np.testing.assert_allclose(run(np.array([2, 1])), [[0.25]], rtol=1e-6)
    rows = jax.vmap(run)(jax.numpy.array([[2, 1], [1, 3]], dtype=kind))
    np.testing.assert_allclose(rows[:, 0, 0], [0.25, 1.5], rtol=1e-3)
    slopes = jax.grad(lambda x: run(x).sum())(jax.numpy.array([2.0, 1.0]))
    np.testing.assert_allclose(slopes, [-0.125, 0.25], rtol=1e-5)


@pytest.mark.parametrize("kind", ["int64", "int8", "bool", "float32", "float64", "float16", "bfloat16"])
def test_whole_numbers_through_pytorch(kind):
    """The same; two truth values are a mass and a force of 1."""
    torch = pytest.importorskip("torch")
    run = flexura.torch_function(WHOLE, wrt=MASS_AND_FORCE, of="x.x", times=[1.0])
    values = run(torch.tensor([2, 1]).to(getattr(torch, kind)))
    assert values.is_floating_point()
    np.testing.assert_allclose(values.double(), [[0.5 if kind == "bool" else 0.25]], rtol=1e-6)
    if values.dtype == getattr(torch, kind):
        x = torch.tensor([2, 1], dtype=values.dtype, requires_grad=True)
        run(x).sum().backward()
        np.testing.assert_allclose(x.grad.double(), [-0.125, 0.25], rtol=1e-6)
    rows = torch.func.vmap(run)(torch.tensor([[2, 1], [1, 3]]))
    np.testing.assert_allclose(rows[:, 0, 0], [0.25, 1.5], rtol=1e-6)
