"""Linear models, frequency responses, environments."""

import numpy as np
import pytest
from conftest import EXAMPLES, PUSHED

import flexura

OSCILLATOR = """
space = "planar"
gravity = [0, 0]
[point.bob]
position = [0, -1]
[mass.weight]
at = "bob"
m = 2.0
[spring.coil]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 50
damping = 4
[signal.push]
type = "input"
[load.pull]
type = "force"
at = "bob"
force = [0, 1]
signal = "push"
[sensor.place]
type = "position"
at = "bob"
[[analysis]]
name = "move"
type = "dynamic"
end = "60 s"
step = "2 ms"
"""
HANGING = (
    PUSHED.replace('["0 N", "1 N"]', '["1 N", "0 N"]')
    .replace("[[analysis]]", '[[analysis]]\nname = "hang"\ntype = "static"\n[[analysis]]', 1)
    .replace('end = "0.1 s"', 'end = "1 s"')
)


def exact(f):
    s = 2j * np.pi * np.asarray(f)
    return 1 / (2 * s**2 + 4 * s + 50)


def test_a_linear_model_has_names_units_and_matrices():
    model = flexura.linearise(OSCILLATOR, outputs="place.y")
    assert model.inputs == ["push"] and model.outputs == ["place.y"] and model.output_units == ["m"]
    assert set(model.states) == {f"{a}bob.{x}{b}" for x in "xy" for a, b in (("", ""), ("d(", ")/dt"))}
    assert set(model.state_units) == {"m", "m/s"}
    np.testing.assert_allclose(model.response([0.3, 0.8])[:, 0, 0], exact([0.3, 0.8]), rtol=1e-9)
    assert model.t == 0 and not model.drift.any() and not model.shifted


def test_what_is_asked_wrong_is_told():
    with pytest.raises(flexura.SceneError, match='nearest: "place"'):
        flexura.linearise(OSCILLATOR, outputs="plase")
    with pytest.raises(TypeError, match="taken as it is"):
        flexura.linearise(flexura.Simulation(OSCILLATOR), at=1)
    with pytest.raises(ValueError, match="the run ends at 60 s"):
        flexura.linearise(OSCILLATOR, at=100)
    with pytest.raises(ValueError, match="one number of a sensor"):
        flexura.frequency_response(OSCILLATOR, input="push", output="place", frequencies=1)


def test_python_control_takes_it():
    control = pytest.importorskip("control")
    system = flexura.linearise(OSCILLATOR, outputs="place.y").to_control()
    assert isinstance(system, control.StateSpace) and system.input_labels == ["push"]
    assert system(2j * np.pi * 0.3).squeeze() == pytest.approx(complex(exact(0.3)), rel=1e-9)


def test_a_small_step_is_that_of_the_motion():
    """A pendulum on a cord that hangs, pushed by 1 mN: both within 1e-3 of the way, for 1e-3 of the weight bends it."""
    model = flexura.linearise(HANGING, inputs="push", outputs="tip")
    assert model.poles.real.max() < 1e-6 and np.abs(model.drift).max() < 1e-9
    sim = flexura.Simulation(HANGING)
    sim.step()
    before = flexura.linearise(sim, outputs="tip")
    np.testing.assert_array_equal(before.A, model.A)
    start, size = sim["tip"].copy(), 1e-4
    np.testing.assert_allclose(start, model.y, atol=1e-9)
    sim.set("push", size)
    h = sim.step_size or 1e-3
    # The input grows to its value within the first step; the linear system by the same trapezoid, the engine's order.
    n = len(model.A)
    left, right = np.eye(n) - h / 2 * model.A, np.eye(n) + h / 2 * model.A
    x, u = np.zeros(n), 0.0
    worst = size_of = 0.0
    while sim.t < 0.3 and sim.step():
        x = np.linalg.solve(left, right @ x + h / 2 * model.B[:, 0] * (u + size))
        u = size
        moved = sim["tip"] - start
        worst = max(worst, np.abs(moved - model.C @ x - model.D[:, 0] * u).max())
        size_of = max(size_of, np.abs(moved).max())
    assert worst < 5e-3 * size_of


def test_the_gain_at_rest_is_that_of_statics():
    gain = flexura.frequency_response(HANGING, input="push", output="tip.x", frequencies=[0]).response[0].real
    ends = []
    for value in (-1e-3, 1e-3):
        sim = flexura.Simulation(HANGING, set={"signal.push.value": value})
        sim.step()
        ends.append(sim["tip"][0])
    assert gain == pytest.approx((ends[1] - ends[0]) / 2e-3, rel=1e-4)  # odd in the push: 1e-4 of a radian squared


def test_both_methods_agree_on_an_oscillator():
    f = np.array([0.4, 0.6, 0.8, 1.0, 1.4])
    linear = flexura.frequency_response(OSCILLATOR, input="push", output="place.y", frequencies=f)
    np.testing.assert_allclose(linear.response, exact(f), rtol=1e-9)
    assert (linear.coherence == 1).all() and (linear.phase < 0).all()
    chirp = flexura.frequency_response(
        OSCILLATOR, input="push", output="place.y", frequencies=f, method="chirp", amplitude=1e-3, duration=45
    )
    assert chirp.coherence.min() > 1 - 1e-6
    # steps of 2 ms: (ω h)²/12 twice, of the engine and of an input that is linear between; ω of the highest 8.8 1/s
    np.testing.assert_allclose(chirp.response, linear.response, rtol=2e-4)


def test_a_cantilever_resonates_at_its_modes():
    """0.55959 and 3.5069 Hz (examples/modes.toml): the peaks of a response with little damping."""
    scene = flexura.Scene.load(EXAMPLES / "modes.toml")
    scene.set("mass_damping", "0.02 1/s")
    scene.gravity = [0, 0]
    scene.signal.push = flexura.InputSignal()
    scene.load.push = flexura.ForceLoad(at="beam.end", force=[0, 1], signal="push")
    for exact_f in (0.55959, 3.5069):
        f = np.linspace(0.995, 1.005, 201) * exact_f
        response = flexura.frequency_response(scene, input="push", output="tip.y", frequencies=f)
        assert f[response.magnitude.argmax()] == pytest.approx(exact_f, rel=2e-4)
