"""Signals and force laws in Python and compiled: the same motion, failures with their traceback."""

from __future__ import annotations

import ctypes
import math
import traceback
from pathlib import Path

import numpy as np
import pytest

import flexura

DRIVEN = """
[signal.wave]
type = "external"
function = "wave"

[load.shake]
type = "force"
at = "cord.end"
force = ["0 N", "1 N"]
signal = "wave"
"""

LAW = """
[load.spring]
type = "external"
at = "cord.end"
function = "spring"
"""

BUILT_IN = DRIVEN.replace('type = "external"\nfunction = "wave"', 'type = "expression"\nformula = "0.5*sin(30*t)"')


def wave(t: float) -> float:
    return 0.5 * math.sin(30 * t)


def spring(t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    return -20.0 * (x - [0.2, 0.0]) - 0.1 * v


def test_a_signal_in_python_moves_the_tip_like_a_built_in_one(pendulum: str) -> None:
    a = flexura.simulate(pendulum + DRIVEN, functions={"wave": wave})
    b = flexura.simulate(pendulum + BUILT_IN)
    np.testing.assert_allclose(a["tip"].position, b["tip"].position, atol=1e-12)


def test_a_compiled_signal_is_called_by_its_address(pendulum: str) -> None:
    compiled = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(wave)
    a = flexura.simulate(pendulum + DRIVEN, functions={"wave": compiled})
    b = flexura.simulate(pendulum + DRIVEN, functions={"wave": wave})
    np.testing.assert_array_equal(a["tip"].position, b["tip"].position)


def test_numba_functions_are_called_without_the_interpreter(pendulum: str) -> None:
    numba = pytest.importorskip("numba")

    @numba.cfunc("float64(float64)")
    def compiled(t: float) -> float:
        return 0.5 * math.sin(30 * t)

    a = flexura.simulate(pendulum + DRIVEN, functions={"wave": compiled})
    b = flexura.simulate(pendulum + DRIVEN, functions={"wave": wave})
    np.testing.assert_allclose(a["tip"].position, b["tip"].position, atol=1e-12)


def test_a_law_with_its_tangent_moves_like_one_without(pendulum: str) -> None:
    def tangent(t: float, x: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return -20.0 * np.eye(2), -0.1 * np.eye(2)

    a = flexura.simulate(pendulum + LAW, functions={"spring": spring})
    b = flexura.simulate(pendulum + LAW, functions={"spring": flexura.ForceLaw(spring, tangent)})
    free = flexura.simulate(pendulum)
    np.testing.assert_allclose(a["tip"].position, b["tip"].position, atol=1e-8)
    assert abs(a["tip"].position[-1] - free["tip"].position[-1]).max() > 1e-3


def test_a_law_may_keep_its_arguments_and_return_any_numbers(pendulum: str) -> None:
    def motion(law: object) -> np.ndarray:
        return flexura.simulate(pendulum + LAW, functions={"spring": law})["tip"].position

    kept: list[tuple[np.ndarray, np.ndarray, float]] = []

    def keeping(t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        kept.append((x, x[1:], float(x[1])))
        return spring(t, x, v)

    def changing(t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        f = spring(t, x, v)
        x[:] = v[:] = 1e9
        return f

    expected = motion(spring)
    for law in (
        keeping,
        changing,
        lambda t, x, v: list(spring(t, x, v)),
        lambda t, x, v: tuple(float(f) for f in spring(t, x, v)),
        lambda t, x, v: np.repeat(spring(t, x, v), 2)[::2],
        lambda t, x, v: spring(t, x, v)[:, None],
        lambda t, x, v: spring(t, x, v).astype(">f8"),
    ):
        np.testing.assert_array_equal(motion(law), expected)
    assert all(x[1] == y[0] == number for x, y, number in kept) and len({number for *_, number in kept}) > 100
    pushed = [motion(law) for law in (lambda t, x, v: [0, 1], lambda t, x, v: np.float32([0, 1]))]
    np.testing.assert_array_equal(*pushed)


def test_an_exception_stops_the_step_and_is_raised_with_its_traceback(pendulum: str) -> None:
    def broken(t: float) -> float:
        if t > 0.01:
            raise ZeroDivisionError("the sensor is unplugged")
        return 0.0

    for go in (
        lambda: flexura.simulate(pendulum + DRIVEN, functions={"wave": broken}),
        lambda: flexura.Simulation(pendulum + DRIVEN, functions={"wave": broken}).step(100),
    ):
        with pytest.raises(ZeroDivisionError, match="unplugged") as caught:
            go()
        assert "broken" in "".join(traceback.format_tb(caught.value.__traceback__))


def test_wrong_functions_are_named(pendulum: str) -> None:
    with pytest.raises(flexura.SceneError, match="wave"):
        flexura.simulate(pendulum + DRIVEN)
    with pytest.raises(flexura.SceneError, match="nearest.*wawe|wawe"):
        flexura.simulate(pendulum + DRIVEN, functions={"wawe": wave})
    with pytest.raises(TypeError, match='functions\\["wave"\\]'):
        flexura.simulate(pendulum + DRIVEN, functions={"wave": "sin"})
    with pytest.raises(ValueError, match="3 numbers as force where 2"):
        flexura.simulate(pendulum + LAW, functions={"spring": lambda t, x, v: [0, 0, 0]})
    with pytest.raises(TypeError):
        flexura.simulate(pendulum + DRIVEN, functions={"wave": lambda t: "much"})


def test_a_function_goes_on_when_a_run_is_resumed(tmp_path: Path, pendulum: str) -> None:
    scene = pendulum + DRIVEN
    flexura.simulate(scene, functions={"wave": wave}, output=tmp_path / "run")
    again = flexura.simulate(scene, functions={"wave": wave}, output=tmp_path / "run", resume=True)
    assert again.status == "finished"
