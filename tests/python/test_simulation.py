"""Stepping from Python gives the run's own numbers; views follow the simulation."""

from __future__ import annotations

import gc
import pickle
import signal
import threading
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


def test_steps_read_what_the_run_records_bit_for_bit(pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    sim = flexura.Simulation(pendulum)
    tip, bend = [sim["tip"].copy()], [float(sim["bend"])]
    while not sim.finished:
        sim.step()
        tip.append(sim["tip"].copy())
        bend.append(float(sim["bend"]))
    np.testing.assert_array_equal(tip, result["tip"].position)
    np.testing.assert_array_equal(bend, result["bend"].values)


def test_views_are_read_only_the_same_object_and_follow_the_simulation(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum)
    tip, q = sim["tip"], sim.q
    assert sim["tip"] is tip and sim.q is q and sim.sensor("tip") is tip
    with pytest.raises(ValueError, match="read-only"):
        tip[0] = 1
    before = tip.copy()
    sim.step(50)
    assert not np.array_equal(tip, before)
    np.testing.assert_array_equal(tip, sim.nodes("cord")[-1])
    kept = tip.copy()
    del sim
    gc.collect()
    np.testing.assert_array_equal(tip, kept)


def test_run_until_reaches_the_time(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum)
    assert sim.run_until(0.05)
    assert sim.t == pytest.approx(0.05, abs=1e-12) and sim.analysis == "swing" and not sim.finished
    assert not sim.run_until(1.0) and sim.finished and sim.t == pytest.approx(0.1, abs=1e-12)


def test_a_restored_state_goes_on_bit_for_bit(pushed: str) -> None:
    sim = flexura.Simulation(pushed)
    sim.set("push", 0.3)
    sim.step(20)
    state = pickle.loads(pickle.dumps(sim.save()))
    assert state.t == sim.t
    sim.step(30)
    there, q = sim.t, sim.q.copy()
    sim.restore(state)
    assert sim.t == state.t and sim.inputs["push"] == 0.3
    sim.step(30)
    assert sim.t == there
    np.testing.assert_array_equal(sim.q, q)
    other = flexura.Simulation(pushed)
    other.restore(state)
    other.step(30)
    np.testing.assert_array_equal(other.q, q)


def test_a_wrong_state_is_refused(pendulum: str, actuator: Path) -> None:
    sim = flexura.Simulation(pendulum)
    with pytest.raises(ValueError, match="not the saved state"):
        sim.restore(flexura.State(0.0, b"nonsense"))
    with pytest.raises(ValueError):
        sim.restore(flexura.Simulation(actuator).save())


def test_inputs_push_and_are_listed(pushed: str) -> None:
    sim = flexura.Simulation(pushed)
    assert dict(sim.inputs) == {"push": 0.0}
    sim.inputs["push"] = 5.0
    sim.step(20)
    free = flexura.Simulation(pushed)
    free.step(20)
    assert sim["tip"][1] > free["tip"][1]
    with pytest.raises(KeyError, match="nearest.*push"):
        sim.set("pusch", 1)
    with pytest.raises(ValueError, match="finite"):
        sim.set("push", float("nan"))


def test_a_controller_is_called_at_its_rate(pushed: str) -> None:
    sim = flexura.Simulation(pushed)
    times: list[float] = []

    def control(s: flexura.Simulation) -> None:
        times.append(s.t)
        s.set("push", -2.0 * s["tip"][0])

    assert not sim.run(control, every=0.01)
    np.testing.assert_allclose(times, np.arange(10) * 0.01, atol=1e-12)


def test_a_controller_is_called_once_per_step_at_most(pushed: str) -> None:
    times: list[float] = []
    flexura.Simulation(pushed).run(lambda s: times.append(s.t), every=1e-4, until=0.01)
    np.testing.assert_allclose(times, np.arange(10) * 0.001, atol=1e-12)
    with pytest.raises(ValueError, match="above 0"):
        flexura.Simulation(pushed).run(every=float("nan"))


def test_a_time_that_rounding_leaves_above_that_of_the_step_is_reached(pendulum: str) -> None:
    scene = pendulum.replace('"0.1 s"', '"1 s"')
    for controller in (None, lambda s: None):
        sim = flexura.Simulation(scene)
        assert sim.run(controller, until=0.1 + 0.2) and sim.t < 0.1 + 0.2


def test_no_steps_change_nothing_and_tell_whether_something_is_left(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum)
    assert sim.step(0) and sim.t == 0
    sim.run()
    assert not sim.step(0)
    with pytest.raises(ValueError, match="0 or more"):
        sim.step(-1)


def test_a_recorded_simulation_gives_the_results_of_the_run(tmp_path: Path, pendulum: str) -> None:
    with flexura.Simulation(pendulum, output=tmp_path / "steps") as sim:
        while sim.step():
            pass
    result = sim.finish()
    assert flexura.compare(result, flexura.simulate(pendulum)).identical
    with pytest.raises(ValueError, match="output="):
        flexura.Simulation(pendulum).finish()


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_ctrl_c_between_steps_leaves_the_simulation_usable(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum.replace('"0.1 s"', '"1000 s"'))
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.run_until(1000)
    timer.join()
    t = sim.t
    assert 0 < t < 1000 and sim.step() and sim.t > t


def test_other_threads_run_while_the_engine_works(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum.replace('"0.1 s"', '"1000 s"'))
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.wait(0.001):
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    sim.run_until(50.0)
    done.set()
    thread.join()
    assert counted[0] > 5


def test_other_threads_are_turned_away_while_a_step_works(pendulum: str) -> None:
    armed, under_way, looked = threading.Event(), threading.Event(), threading.Event()

    def wave(t: float) -> float:
        if armed.is_set():
            under_way.set()
            looked.wait(10)
        return 0.0

    sim = flexura.Simulation(pendulum + DRIVEN, functions={"wave": wave})
    tip, said = sim["tip"], []

    def look() -> None:
        under_way.wait(10)
        for use in (sim.step, sim.save, lambda: sim.q, lambda: sim.t, lambda: sim.nodes("cord")):
            try:
                use()
            except RuntimeError as error:
                said.append(str(error))
        said.append(f"{tip[0]:.3f}")
        looked.set()

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    armed.set()
    assert sim.step()
    thread.join(10)
    assert len(said) == 6 and all("the simulation is in a step" in text for text in said[:5]) and said[5] == "0.200"
    assert sim.step()


def test_a_function_cannot_use_the_simulation_that_calls_it(pendulum: str) -> None:
    using: list[flexura.Simulation] = []
    sim = flexura.Simulation(pendulum + DRIVEN, functions={"wave": lambda t: using[0]["tip"][0] if using else 0.0})
    using.append(sim)
    with pytest.raises(RuntimeError, match="is in a step"):
        sim.step(5)


def test_a_failed_step_raises_and_ends(failing: str) -> None:
    sim = flexura.Simulation(failing)
    with pytest.raises(flexura.SolverError, match="try:"):
        sim.step()
    assert sim.finished


def test_a_sensor_that_is_not_there_is_named_with_the_nearest(pendulum: str) -> None:
    with pytest.raises(KeyError, match="tipp.*nearest.*tip"):
        flexura.Simulation(pendulum)["tipp"]
