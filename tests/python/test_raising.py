"""What a function of a scene raises surfaces as itself, at once, and what was computed until then is kept."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_functions import DRIVEN, LAW

import flexura

INTEGRATORS = [
    "",
    'integrator = "energy-momentum"',
    'integrator = "hht"',
    'integrator = "rk45"',
    'integrator = "adams"',
]
KINDS = [ZeroDivisionError, KeyboardInterrupt, SystemExit, MemoryError]


class Raising:
    """Raises once, at its n-th call; `calls` counts them all."""

    def __init__(self, kind: type[BaseException], n: int, value: object) -> None:
        self.kind, self.n, self.value, self.calls = kind, n, value, 0

    def __call__(self, *_: object) -> object:
        self.calls += 1
        if self.calls == self.n:
            raise self.kind("once")
        return self.value


def signal(kind: type[BaseException], n: int) -> tuple[str, dict[str, Raising]]:
    return DRIVEN, {"wave": Raising(kind, n, 0.1)}


def law(kind: type[BaseException], n: int) -> tuple[str, dict[str, Raising]]:
    return LAW, {"spring": Raising(kind, n, [0.0, 0.1])}


@pytest.mark.parametrize("make", [signal, law])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_raised_once_ends_the_run(kind: type[BaseException], make: Callable[..., tuple], pendulum: str) -> None:
    text, functions = make(kind, 60)
    with pytest.raises(kind, match="once") as caught:
        flexura.simulate(pendulum + text, functions=functions)
    (function,) = functions.values()
    assert function.calls == 60, "no step is tried again"
    assert "raised by the" in caught.value.__notes__[0] and "at t = 0.0" in caught.value.__notes__[0]
    assert "__call__" in "".join(traceback.format_tb(caught.value.__traceback__))
    result = caught.value.result
    assert result.status == "interrupted" and 0 < result["tip"].t[-1] < 0.1

    text, functions = make(kind, 60)
    sim = flexura.Simulation(pendulum + text, functions=functions)
    with pytest.raises(kind, match="once"):
        sim.run()
    assert sim.finished and 0 < sim.t < 0.1 and not sim.step() and np.isfinite(sim["tip"]).all()


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("make", [signal, law])
def test_whenever_it_is_raised_it_surfaces_and_leaves_numbers(
    make: Callable[..., tuple], integrator: str, pendulum: str
) -> None:
    statics = '[[analysis]]\nname = "hang"\ntype = "static"\n\n[[analysis]]'
    scene = pendulum.replace('step = "1 ms"', f'step = "1 ms"\n{integrator}').replace("[[analysis]]", statics, 1)
    for n in [*range(1, 40, 3), *range(7, 14), *range(40, 300, 40)]:
        text, functions = make(KeyboardInterrupt, n)
        with pytest.raises(KeyboardInterrupt, match="once") as caught:
            flexura.simulate(scene + text, functions=functions, progress=False)
        assert next(iter(functions.values())).calls == n
        result = getattr(caught.value, "result", None)  # none: at the very beginning
        for path in result.datasets if result else ():
            numbers = result.dataset(path)
            assert not isinstance(numbers, np.ndarray) or np.isfinite(numbers).all(), f"{path}, call {n}"


def test_checks_raise_it_too(pendulum: str) -> None:
    for n in (1, 2):
        scene = flexura.Scene.loads(pendulum + DRIVEN)
        scene.functions["wave"] = Raising(OSError, n, 0.0)
        with pytest.raises(OSError, match="once"):
            scene.check()
            flexura.Simulation(scene)


def test_a_recorded_simulation_keeps_what_it_has(tmp_path: Path, pendulum: str) -> None:
    text, functions = law(KeyboardInterrupt, 60)
    with pytest.raises(KeyboardInterrupt, match="once"):
        with flexura.Simulation(pendulum + text, functions=functions, output=tmp_path / "run") as sim:
            sim.run()
    kept = flexura.load(tmp_path / "run")
    assert kept.status == "interrupted" and kept["tip"].t[-1] == pytest.approx(sim.t)


def test_a_simulation_goes_on_from_a_state_of_before(pendulum: str) -> None:
    text, functions = law(ValueError, 60)
    sim = flexura.Simulation(pendulum + text, functions=functions)
    begin = sim.save()
    with pytest.raises(ValueError, match="once"):
        sim.run()
    sim.restore(begin)
    assert not sim.run() and sim.t == pytest.approx(0.1)


def test_what_a_sensor_needs_may_raise(pendulum: str) -> None:
    broken: list[bool] = []

    def wave(t: float) -> float:
        if broken:
            raise LookupError("broken")
        return 0.1

    scene = pendulum + DRIVEN + '[sensor.a]\ntype = "acceleration"\nat = "cord.end"\n'
    sim = flexura.Simulation(scene, functions={"wave": wave})
    sim.step(5)
    held = sim["a"]
    before = held.copy()
    broken.append(True)
    with pytest.raises(LookupError, match="broken"):
        sim.step()
    np.testing.assert_array_equal(held, before)


def test_a_stopped_run_is_resumed_with_the_function_mended(tmp_path: Path, pendulum: str) -> None:
    text, functions = signal(ZeroDivisionError, 150)
    with pytest.raises(ZeroDivisionError):
        flexura.simulate(pendulum + text, functions=functions, output=tmp_path / "run")
    mended = {"wave": lambda t: 0.1}
    result = flexura.simulate(pendulum + text, functions=mended, output=tmp_path / "run", resume=True)
    assert flexura.compare(result, flexura.simulate(pendulum + text, functions=mended)).identical
