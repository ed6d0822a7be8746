"""Random machines: built in code, saved, read and run, they give the same bits; their text is a fixed point."""

import tempfile
import tomllib
from pathlib import Path

import flexura as fx
import numpy as np
import pytest

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

few = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
many = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def number(low, high):
    return st.floats(low, high, allow_nan=False, allow_subnormal=False)


def quantity(low, high, unit):
    """A number in SI, or a text with its unit."""
    plain = number(low, high)
    milli = plain.map(lambda x: f"{x * 1000!r} {'g' if unit == 'kg' else 'm' + unit}")
    return st.one_of(plain, plain.map(lambda x: f"{x!r} {unit}"), milli)


def signals(named):
    kinds = [
        number(-1, 1),
        st.builds(lambda a: f"= {a!r} * sin(5 * t)", number(-1, 1)),
        st.builds(fx.RampSignal, to=number(-1, 1), duration=number(0, 0.1), from_=number(-1, 1)),
        st.builds(fx.SineSignal, amplitude=number(-1, 1), frequency=number(0.1, 20), phase=number(-3, 3)),
        st.builds(fx.PiecewiseSignal, points=st.just([[0, 0], [0.004, 1], [0.009, -1]])),
        st.builds(fx.SmoothStepSignal, to=number(-1, 1), duration=number(0, 0.1)),
    ]
    return st.one_of(*kinds, *([st.sampled_from(named)] if named else []))


@st.composite
def scenes(draw):
    dim = draw(st.sampled_from([2, 3]))
    space = "planar" if dim == 2 else "spatial"
    gravity = st.lists(number(-10, 10), min_size=dim, max_size=dim)
    scene = fx.Scene(title=draw(st.text(max_size=20)), space=space, gravity=draw(gravity), parameters={"L": "300 mm"})
    scene.mass_damping = draw(st.one_of(st.none(), number(0, 5)))
    along = [1, 0, 0][:dim]

    for name in draw(st.sampled_from([[], ["pump"], ["pump", "fan"]])):
        scene.signal[name] = draw(signals([]).filter(lambda s: isinstance(s, fx.Signal)))
    named = scene.signal.keys()

    places = []
    scene.section.wall = fx.Section(
        EA=draw(quantity(100, 1e4, "N")),
        EI=draw(number(1e-3, 1)),
        rhoA=draw(number(0.05, 1)),
        damping_bend=draw(number(0, 0.01)),
    )
    for i in range(draw(st.integers(0, 2))):
        start = np.array([0, i, 0][:dim], dtype=float)
        end = [[*start.tolist()[:1], f"{i} m", 0][:dim], ["= L", i, 0][:dim]]
        path = draw(
            st.sampled_from([end, np.array([start, start + np.array(along) * 0.2]), {"spline": [start, start + along]}])
        )
        scene.cable[f"cable{i}"] = fx.Cable(section="wall", path=path, elements=draw(st.integers(1, 3)))
        joint = draw(st.sampled_from([fx.WeldJoint, fx.PinJoint]))
        scene.joint[f"root{i}"] = joint(of=["ground", f"cable{i}.start"])
        places += [f"cable{i}.end", f"cable{i}@0.5", f"cable{i}@0.25"]
    for i in range(draw(st.integers(0, 2))):
        at = [-1.0, i, 0][:dim]
        scene.point[f"point{i}"] = fx.Point(position=at)
        scene.mass[f"weight{i}"] = fx.PointMass(at=scene.point[f"point{i}"], m=draw(quantity(0.01, 1, "kg")))
        scene.spring[f"coil{i}"] = fx.LinearSpring(
            between=[[-2, i, 0][:dim], f"point{i}"], stiffness=draw(number(1, 1000)), damping=draw(number(0, 1))
        )
        places.append(f"point{i}")
    for i in range(draw(st.integers(0, 2))):
        at = [3.0 + i, 0.5, 0][:dim]
        inertia = draw(number(0.01, 1)) if dim == 2 else [0.01, 0.02, 0.025]
        shaped = draw(st.booleans())
        size = [0.1, 0.2, 0.3][:dim]
        shape = (fx.RectangleShape if dim == 2 else fx.BoxShape)(size=size) if shaped else None
        values = {"shape": shape, "m": "300 g"} if shaped else {"m": draw(number(0.1, 2)), "inertia": inertia}
        scene.body[f"body{i}"] = fx.Body(position=at, points={"tip": [0.1, 0, 0][:dim]}, **values)
        axis = {"axis": [0, 0, 1]} if dim == 3 else {}
        if draw(st.booleans()):
            scene.joint[f"hinge{i}"] = fx.RevoluteJoint(of=["ground", f"body{i}"], at=at, **axis)
        places += [f"body{i}", f"body{i}.tip", f"body{i}.center"]
    if not places:
        scene.point.lonely = fx.Point(position=[0, 0, 0][:dim])
        scene.mass.lonely_mass = fx.PointMass(at="lonely", m=1)
        places = ["lonely"]
    for i in range(draw(st.integers(0, 2))):
        at = draw(st.sampled_from([place for place in places if "@" not in place]))
        force = draw(st.lists(number(-0.1, 0.1), min_size=dim, max_size=dim))
        scene.load[f"push{i}"] = fx.ForceLoad(at=at, force=force, signal=draw(signals(named)))
    for i, place in enumerate(places):
        scene.sensor[f"place{i}"] = draw(st.sampled_from([fx.PositionSensor, fx.VelocitySensor]))(at=place)
    scene.sensor.total = fx.EnergySensor(of="total")
    chosen = st.sampled_from([None, "hht", fx.GeneralizedAlphaIntegrator(rho_inf=0.7)])
    scene.analysis.move = fx.DynamicAnalysis(
        end=draw(st.sampled_from([0.01, "10 ms"])), step=2e-3, integrator=draw(chosen)
    )
    if draw(st.booleans()):
        scene.output = fx.Output(every_step=True)
    return scene


def outcome(scene):
    """The result, or what the solver says."""
    try:
        return fx.simulate(scene, progress=False)
    except fx.SolverError as error:
        return str(error)


@given(scenes())
@few
def test_built_saved_and_read_a_machine_runs_alike_bit_for_bit(scene):
    assert all(problem.warning for problem in scene.check())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.toml"
        scene.save(file)
        read = fx.Scene.load(file)
        assert read.to_toml() == scene.to_toml()
        a, b = outcome(scene), outcome(read)
        if isinstance(a, str) or isinstance(b, str):
            assert a == b
            return
        assert all("/scene@file" in difference for difference in fx.compare(a, b).differences)
        assert all(np.isfinite(a[name].values).all() for name in a)


keys = st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters="_-"), min_size=1, max_size=8)
names = keys.map(lambda key: "n" + key)
values = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)
steps = st.lists(
    st.tuples(st.sampled_from(["cable", "joint", "mass", "spring"]), names, st.dictionaries(keys, values, max_size=4)),
    max_size=8,
)


@given(steps, st.data())
@many
def test_any_tables_read_back_as_they_were_assigned(tables, data):
    scene = fx.Scene(title=data.draw(st.text()))
    meant = {}
    for kind, name, table in tables:
        scene.add(kind, name, table)
        meant.setdefault(kind, {})[name] = table
    for kind, name, _ in tables:
        what = data.draw(st.sampled_from(["keep", "delete", "set", "unset"]))
        if name not in meant[kind]:
            continue
        if what == "delete":
            del getattr(scene, kind)[name]
            del meant[kind][name]
        elif what == "set":
            key, value = data.draw(keys), data.draw(values)
            scene.set(f"{kind}.{name}.{key}", value)
            meant[kind][name] = {**meant[kind][name], key: value}
        elif what == "unset" and meant[kind][name]:
            key = data.draw(st.sampled_from(sorted(meant[kind][name])))
            scene._remove((kind, name, key))
            meant[kind][name] = {k: v for k, v in meant[kind][name].items() if k != key}
    text = scene.to_toml()
    read = tomllib.loads(text)
    read.pop("space"), read.pop("title")
    assert read == {kind: parts for kind, parts in meant.items() if parts}
    assert fx.Scene.loads(text).to_toml() == text
    for kind, parts in meant.items():
        assert {name: part.to_dict() for name, part in getattr(fx.Scene.loads(text), kind).items()} == parts


@given(st.floats(allow_nan=False, allow_infinity=False))
@many
def test_every_double_reads_back(x):
    scene = fx.Scene()
    scene.section.wall = fx.Section(EA=x)
    read = fx.Scene.loads(scene.to_toml()).section.wall.EA
    assert np.float64(read).tobytes() == np.float64(x).tobytes()
