"""What lives as long as what: results, functions, threads, forks."""

from __future__ import annotations

import copy
import ctypes
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import warnings
import weakref
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import PENDULUM
from test_functions import DRIVEN, LAW, wave

import flexura


def end_of(stiffness: float) -> flexura.Result:
    return flexura.simulate(PENDULUM, set={"section.cord.EI": stiffness})


def python(code: str, *, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs code in an interpreter of its own, with PENDULUM, DRIVEN and a scene that lasts long."""
    head = f"import flexura, threading, time, os, sys, gc\nPENDULUM = {PENDULUM!r}\nDRIVEN = {DRIVEN!r}\n"
    head += "LONG = PENDULUM.replace('\"0.1 s\"', '\"1000 s\"')\n"
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", head + code], capture_output=True, text=True, timeout=timeout
    )


def test_results_come_back_from_a_process_pool() -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = list(pool.map(end_of, (0.01, 0.02)))
    for result, stiffness in zip(results, (0.01, 0.02), strict=True):
        assert flexura.compare(result, end_of(stiffness)).identical


def test_copies_outlive_their_original(pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    folder, expected = result.path.parent, result["tip"].position
    copies = [copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))]
    parts = [pickle.loads(pickle.dumps(result["tip"])), copy.copy(result["tip"])]
    del result
    gc.collect()
    for kept in copies:
        np.testing.assert_array_equal(kept["tip"].position, expected)
    for table in parts:
        np.testing.assert_array_equal(table.position, expected)
    del copies, parts, kept, table
    gc.collect()
    assert not folder.exists()


def test_a_simulation_is_not_copied_but_its_state_is(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum)
    for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"save\(\) gives its state"):
            duplicate(sim)


def test_temporary_results_go_without_a_warning(pendulum: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        folder = flexura.simulate(pendulum).path.parent
        gc.collect()
    assert not folder.exists()


@pytest.mark.parametrize("hold", ["signal", "law"])
def test_an_owner_of_a_simulation_that_calls_it_is_collected(hold: str, pendulum: str) -> None:
    class Owner:
        def __init__(self) -> None:
            text, name, function = (
                (DRIVEN, "wave", self.wave) if hold == "signal" else (LAW, "spring", flexura.ForceLaw(self.law))
            )
            self.sim = flexura.Simulation(pendulum + text, functions={name: function})
            self.sim.step(2)

        def wave(self, t: float) -> float:
            return 0.0

        def law(self, t: float, x: np.ndarray, v: np.ndarray) -> list[float]:
            return [0.0, 0.0]

    owner = Owner()
    gone = weakref.ref(owner)
    gc.collect()
    owner.sim.step(2)  # collecting does no harm
    del owner
    gc.collect()
    assert gone() is None


def test_compiled_functions_live_as_long_as_they_are_called(pendulum: str) -> None:
    kept = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(wave)
    expected = flexura.Simulation(pendulum + DRIVEN, functions={"wave": kept})
    sim = flexura.Simulation(
        pendulum + DRIVEN, functions={"wave": ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(wave)}
    )
    gc.collect()
    others = [ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda t: 1e3) for _ in range(50)]
    sim.step(50)
    expected.step(50)
    np.testing.assert_array_equal(sim.q, expected.q)
    assert others


def test_addresses_that_are_none_and_other_signatures_are_refused(pendulum: str) -> None:
    scene = flexura.Scene.loads(pendulum)
    scene.signal.wave = flexura.ExternalSignal(function=5)
    with pytest.raises(ValueError, match='functions\\["wave"\\].*no compiled function at the address 5'):
        scene.check()
    wrong = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int)(lambda n: 0.0)
    for function, said in ((-1, "address"), (True, "bool"), (None, "NoneType"), (wrong, "double\\(double\\)")):
        with pytest.raises((TypeError, ValueError), match=said):
            flexura.simulate(pendulum + DRIVEN, functions={"wave": function})


@pytest.mark.parametrize(
    "work",
    [
        "sim = flexura.Simulation(LONG); go = lambda: sim.run()",
        "sim = flexura.Simulation(LONG)\ndef go():\n    while sim.step(): pass",
        "go = lambda: flexura.Simulation(LONG + DRIVEN, functions={'wave': lambda t: 0.0}).run()",
        "go = lambda: flexura.simulate(LONG, progress=False)",
        "go = lambda: flexura.simulate(LONG + DRIVEN, functions={'wave': lambda t: time.sleep(1e-3) or 0.0})",
    ],
)
def test_a_daemon_thread_does_not_hinder_the_end(work: str) -> None:
    done = python(f"{work}\nthreading.Thread(target=go, daemon=True).start()\ntime.sleep(0.6)\n")
    assert done.returncode == 0 and "rror" not in done.stderr, done.stderr


def test_simulations_still_run_at_the_end() -> None:
    run = "flexura.simulate(PENDULUM + DRIVEN, functions={'wave': lambda t: 0.0})"
    for code in (
        f"import atexit\natexit.register(lambda: print({run}.status))\n",
        f"sys.modules.pop('flexura'); import atexit\natexit.register(lambda: print({run}.status))\n",
    ):
        done = python(code)
        assert done.returncode == 0 and done.stdout == "finished\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_leaves_its_parents_results_alone() -> None:
    done = python(
        "result = flexura.simulate(PENDULUM)\n"
        "child = os.fork()\n"
        "if child == 0:\n    del result\n    gc.collect()\n    sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "print(result['tip'].position.shape)\n"
    )
    assert done.stdout == "(101, 2)\n" and done.returncode == 0, done.stderr


def test_a_progress_bar_that_cannot_be_shown_does_not_stop_the_run() -> None:
    pytest.importorskip("tqdm")
    done = python("sys.stderr.close()\nprint(flexura.simulate(PENDULUM.replace('0.1 s', '200 s')).status)\n")
    assert done.stdout == "finished\n" and done.returncode == 0, done.stderr


def test_names_do_not_depend_on_the_current_folder(
    tmp_path: Path, pendulum: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a")
    Path("pump.csv").write_text("t,u\n0,0\n1,1\n")
    Path("scene.toml").write_text(pendulum + '[signal.u]\ntype = "table"\nfile = "pump.csv"\n')
    scene = flexura.Scene.load("scene.toml")
    assert scene.file == "scene.toml"
    sim = flexura.Simulation(scene, output="steps")
    result = flexura.simulate("scene.toml", output="run")
    monkeypatch.chdir("b")
    scene.check()
    assert scene.file == str(tmp_path / "a" / "scene.toml")
    sim.run()
    assert flexura.compare(sim.finish(), result).identical
