"""Wrong values are refused in words of the package, and leave scenes and simulations what they were."""

from __future__ import annotations

import copy
import math
import pickle
import tomllib

import numpy as np
import pytest

import flexura


@pytest.mark.parametrize(
    ("key", "value", "kind", "said"),
    [
        ("analysis.99.end", 1, KeyError, "no analysis 99: there is 1"),
        ("analysis.-1.end", 1, KeyError, "no analysis '-1'"),
        ("analysis.²", 1, KeyError, "no analysis '²'"),
        ("analysis.swing", 5, TypeError, "analysis.swing is a table and cannot be an int"),
        ("analysis", 5, TypeError, "tables by name"),
        ("cable", {}, TypeError, "tables by name"),
        ("cable.cord", 5, TypeError, "cable.cord is a table"),
        ("cable.a b.EI", 1, ValueError, "'a b' is no name"),
        ("section.cord.EI.x", 1, ValueError, "section.cord.EI is a str, not a table"),
        ("joint.pin.of.x.y", 1, ValueError, "joint.pin.of is a list, not a table"),
        ("space.a.b", 1, ValueError, "space is a str"),
        ("output", 5, TypeError, "output is a table"),
        ("parameters", 5, TypeError, "parameters is a table"),
        ("title", "\ud800", ValueError, "half of a pair"),
        ("section.cord.EI", np.longdouble("1e4000"), ValueError, "not a finite number"),
        (5, 1, TypeError, "a dotted key is a text"),
    ],
)
def test_a_key_that_leads_nowhere_changes_nothing(
    key: str, value: object, kind: type[Exception], said: str, pendulum: str
) -> None:
    scene = flexura.Scene.loads(pendulum)
    with pytest.raises(kind, match=said):
        scene.set(key, value)
    assert scene.to_toml() == pendulum


def test_tables_can_be_set_by_their_key(pendulum: str) -> None:
    scene = flexura.Scene.loads(pendulum)
    scene.set("analysis.swing", flexura.StaticAnalysis(name="hang"))
    scene.set("cable.other", {"section": "cord", "path": [[0, 0], [1, 0]]})
    scene.set("analysis.0.load_step", 0.5)
    scene.set("output.interval", 0.1)
    assert scene.analysis[0].load_step == 0.5 and scene.cable.other.section == "cord"
    tomllib.loads(scene.to_toml())


def test_numbers_of_all_widths_are_numbers(pendulum: str) -> None:
    scene = flexura.Scene.loads(pendulum)
    for value in (
        np.longdouble(1.5),
        np.float16(1.5),
        np.float32(1.5),
        np.array(1.5),
        np.array(1.5, dtype=np.longdouble),
    ):
        scene.section.cord.EI = value
        assert scene.section.cord.EI == 1.5
    scene.cable.cord.path = np.array([[0, 0], [0.5, 0]], dtype=np.longdouble)
    assert scene.cable.cord.path == [[0, 0], [0.5, 0]]
    with pytest.raises(TypeError, match="cannot be a"):
        scene.section.cord.EI = np.clongdouble(1)


def test_collections_are_copied_and_pickled(pendulum: str) -> None:
    scene = flexura.Scene.loads(pendulum)
    scene.parameters.L = 2.0
    for part in (scene.cable, scene.analysis, scene.parameters, scene.cable.cord):
        for other in (copy.copy(part), copy.deepcopy(part), pickle.loads(pickle.dumps(part))):
            assert repr(other) == repr(part)
    with pytest.raises(AttributeError, match="no cable 'rope'"):
        copy.copy(scene.cable).rope  # noqa: B018


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda sim: sim.step("x"), TypeError, "a number of steps, 0 or more, not 'x'"),
        (lambda sim: sim.step(None), TypeError, "a number of steps"),
        (lambda sim: sim.step(10**30), ValueError, "a number of steps"),
        (lambda sim: sim.run_until("a"), TypeError, "a time"),
        (lambda sim: sim.run_until(math.nan), ValueError, "a time.*not nan"),
        (lambda sim: sim.run(until=math.nan), ValueError, "until: a time"),
        (lambda sim: sim[5], TypeError, "name of a sensor is a text, not 5"),
        (lambda sim: sim.set("push", "a"), TypeError, "value: a number, not 'a'"),
        (lambda sim: sim.set(None, 1), TypeError, "name of an input"),
        (lambda sim: sim.restore(5), TypeError, "flexura.State is needed"),
        (lambda sim: sim.restore(flexura.State(0.0, "abc")), TypeError, "holds bytes"),
    ],
)
def test_calls_with_wrong_values_are_refused_in_plain_words(
    call: object, kind: type[Exception], said: str, pushed: str
) -> None:
    sim = flexura.Simulation(pushed)
    with pytest.raises(kind, match=said) as caught:
        call(sim)
    assert "incompatible function arguments" not in str(caught.value) and sim.t == 0 and sim.step()


def test_runs_with_wrong_options_are_refused_in_plain_words(pendulum: str) -> None:
    for options, said in (
        ({"threads": 2.0}, "threads: a whole number from 1 to 256, not 2.0"),
        ({"threads": "2"}, "threads"),
        ({"set": [1]}, "set: texts such as"),
        ({"set": 5}, "set: texts such as"),
        ({"functions": [abs]}, "functions: a mapping"),
        ({"functions": {5: abs}}, "names are texts"),
    ):
        with pytest.raises(TypeError, match=said):
            flexura.simulate(pendulum, **options)
    with pytest.raises(flexura.SceneError):
        flexura.solve_static(pendulum + "[[")
    assert flexura.simulate(pendulum, csv=0, threads=np.int64(1)).status == "finished"


def test_a_state_of_another_scene_is_refused(pendulum: str) -> None:
    sim = flexura.Simulation(pendulum)
    sim.step(5)
    state = sim.save()
    for other in ({"analysis.swing.step": "0.1 ms"}, {"section.cord.EI": 0.01}, {"analysis.swing.end": "1 s"}):
        with pytest.raises(ValueError, match="another scene"):
            flexura.Simulation(pendulum, set=other).restore(state)
    flexura.Simulation(pendulum).restore(state)


def test_calls_closer_than_steps_come_once_per_step(pushed: str) -> None:
    for every in (1e-12, 1e-320, 5e-4):
        times: list[float] = []
        sim = flexura.Simulation(pushed)
        sim.run(lambda s, times=times: times.append(s.t), every=every, until=0.01)
        np.testing.assert_allclose(times, np.arange(10) * 0.001, atol=1e-12)
        assert sim.t == pytest.approx(0.01)


def test_texts_that_are_no_tables_by_name_are_refused_as_the_engine_does() -> None:
    for text, said in (
        ("cable = 5", r"must be a table, \[cable.NAME\]"),
        ("[[cable]]\nx = 1", "this is an array"),
        ("[cable]\nelements = 4", "cable"),
        ('[analysis.hang]\ntype = "static"', r"begins with \[\[analysis\]\]"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested"),
        ("a = 1979-13-01", "scene.toml:1"),
    ):
        with pytest.raises(flexura.SceneError, match=said):
            flexura.Scene.loads(text)
    with pytest.raises(TypeError, match="text of a scene"):
        flexura.Scene.loads(5)


def test_analyses_in_one_value_can_be_edited(pendulum: str) -> None:
    head, rest = pendulum.split("[[analysis]]")
    output = rest[rest.index("[output]") :]
    written = 'analysis = [{ name = "swing", type = "dynamic", end = "0.1 s", step = "1 ms" }]\n' + head + output
    scene = flexura.Scene.loads(written)
    assert scene.analysis.names() == ["swing"]
    scene.analysis.append(flexura.StaticAnalysis(name="hang"))
    scene.check()
    assert flexura.solve_static(written).analyses == ["equilibrium"]
