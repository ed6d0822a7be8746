"""Scenes in code: what is assigned is written as TOML, what is read stays as it was written."""

import copy
import itertools
import math
import pickle
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import flexura as fx
import numpy as np
import pytest

root = Path(__file__).resolve().parents[2]
examples = sorted((root / "examples").glob("*.toml"))


def actuator() -> fx.Scene:
    scene = fx.Scene(title="Soft actuator", gravity=[0, -9.81], parameters={"L": "175 mm"})
    scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
    scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], ["= L", 0]], elements=4)
    scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
    scene.sensor.tip = fx.PositionSensor(at="actuator.end")
    scene.analysis.move = fx.DynamicAnalysis(end=0.02, step=1e-3)
    return scene


def test_a_scene_in_code_is_the_text_that_one_would_write():
    assert (
        actuator().to_toml()
        == """\
title = "Soft actuator"
space = "planar"
gravity = [0, -9.81]

[parameters]
L = "175 mm"

[section.wall]
EA = 2000
EI = 0.0186
rhoA = 0.12

[cable.actuator]
section = "wall"
path = [[0, 0], ["= L", 0]]
elements = 4

[joint.clamp]
type = "weld"
of = ["ground", "actuator.start"]

[sensor.tip]
type = "position"
at = "actuator.end"

[[analysis]]
name = "move"
type = "dynamic"
end = 0.02
step = 0.001
"""
    )


@pytest.mark.parametrize("file", examples, ids=lambda file: file.stem)
def test_a_loaded_scene_is_saved_byte_for_byte(file, tmp_path):
    scene = fx.Scene.load(file)
    assert scene.to_toml() == file.read_text()
    assert scene.copy().to_toml() == file.read_text()
    kinds = [kind for kind in scene._tables if kind not in ("analysis", "output")]
    tables = {kind: {name: part.to_dict() for name, part in getattr(scene, kind).items()} for kind in kinds}
    plain = tomllib.loads(file.read_text())
    assert {kind: parts for kind, parts in tables.items() if parts} == {k: plain[k] for k in kinds if k in plain}
    assert [analysis.to_dict() for analysis in scene.analysis] == plain["analysis"]


@pytest.mark.parametrize("file", examples, ids=lambda file: file.stem)
def test_every_table_of_the_examples_can_be_written_by_its_class(file):
    read = fx.Scene.load(file)
    built = fx.Scene.loads("")
    for key in ("title", "space", "gravity", "mass_damping", "assemble", "output"):
        setattr(built, key, getattr(read, key))
    for name in read.parameters:
        built.parameters[name] = read.parameters[name]

    def made(part):
        values = {f"{k}_" if k == "from" else k: part[k] for k in part if k != "type"}
        return type(part)(**values)

    for kind in (kind for kind in read._tables if kind not in ("analysis", "output")):
        for name, part in getattr(read, kind).items():
            getattr(built, kind)[name] = made(part)
    for analysis in read.analysis:
        built.analysis.append(made(analysis))
    assert normal(tomllib.loads(built.to_toml())) == normal(tomllib.loads(read.to_toml()))


def normal(tables):
    """Without the types that a class leaves out."""
    for kind in ("material", "mass"):
        for table in tables.get(kind, {}).values():
            table.pop("type", None)
    return tables


def test_changes_keep_comments_and_order():
    text = """\
# An actuator.
title = "A"   # for reports

# stiff
[section.wall]
EA = 2000  # N
EI = 0.02

# The part.
[cable.actuator]
section = "wall"   # its section
path = [
    [0, 0],  # start
    [1, 0],
]
elements = 4

[[analysis]]
name = "a"
type = "static"

# The end.
"""
    scene = fx.Scene.loads(text)
    scene.section.wall.EA = 2500
    scene.section.wall.rhoA = 0.1
    scene.section.soft = fx.Section(EA=1, EI=2, rhoA=3)
    scene.sensor.tip = fx.PositionSensor(at="actuator.end")
    scene.gravity = [0, -9.81]
    assert (
        scene.to_toml()
        == """\
# An actuator.
title = "A"   # for reports
gravity = [0, -9.81]

# stiff
[section.wall]
EA = 2500  # N
EI = 0.02
rhoA = 0.1

[section.soft]
EA = 1
EI = 2
rhoA = 3

# The part.
[cable.actuator]
section = "wall"   # its section
path = [
    [0, 0],  # start
    [1, 0],
]
elements = 4

[sensor.tip]
type = "position"
at = "actuator.end"

[[analysis]]
name = "a"
type = "static"

# The end.
"""
    )
    del scene.sensor.tip, scene.section["soft"], scene.section.wall.rhoA
    scene.gravity = None
    scene.section.wall.EA = 2000
    assert scene.to_toml() == text


def test_tables_of_every_form_are_read_and_changed():
    scene = fx.Scene.loads(
        """\
output.interval = 0.1
mass = { a = { at = "p", m = 1 } }
[joint]
hinge = { type = "pin", of = ["ground", "p"] }
slide.type = "point_on_line"
slide.of = ["ground", "p"]
[section.wall.shape]
type = "circle"
radius = 0.1
[section.wall]
material = "steel"
[[analysis]]
name = "a"
type = "dynamic"
[analysis.integrator]
type = "hht"
alpha = -0.1
[[analysis]]
name = "b"
type = "static"
[section.other]
EA = 1
[material.steel]
E = 1
"""
    )
    assert scene.joint.keys() == ["hinge", "slide"] and isinstance(scene.joint.slide, fx.PointOnLineJoint)
    assert scene.section.keys() == ["wall", "other"]
    assert isinstance(scene.section.wall.shape, fx.CircleCrossSection)
    scene.section.wall.shape.radius = 0.2
    scene.joint.hinge.at = [0, 1]
    scene.joint.slide.axis = [1, 0]
    scene.mass.a.m = "2 kg"
    scene.output.interval = 0.2
    scene.analysis.a.integrator.alpha = -0.2
    scene.joint.third = fx.WeldJoint(of=["ground", "p"])
    assert isinstance(scene.analysis.a.integrator, fx.HHTIntegrator)
    table = tomllib.loads(scene.to_toml())
    assert table["section"]["wall"] == {"shape": {"type": "circle", "radius": 0.2}, "material": "steel"}
    assert table["joint"]["hinge"] == {"type": "pin", "of": ["ground", "p"], "at": [0, 1]}
    assert table["joint"]["slide"] == {"type": "point_on_line", "of": ["ground", "p"], "axis": [1, 0]}
    assert table["mass"]["a"]["m"] == "2 kg" and table["output"]["interval"] == 0.2
    assert table["analysis"][0]["integrator"] == {"type": "hht", "alpha": -0.2}
    scene.analysis.a.integrator = fx.GeneralizedAlphaIntegrator(rho_inf=0.5)
    assert scene.analysis["a"].to_dict()["integrator"] == {"type": "generalized-alpha", "rho_inf": 0.5}
    del scene.section.wall, scene.joint.hinge, scene.analysis.a
    assert [a.name for a in scene.analysis] == ["b"] and scene.joint.keys() == ["slide", "third"]
    assert "wall" not in scene.section and scene.section.other.EA == 1


def test_values_are_written_with_the_fewest_digits_that_read_back():
    scene = actuator()
    numbers = [
        0.1,
        1 / 3,
        1e-5,
        2.5e-300,
        1e16,
        5e-324,
        1.7976931348623157e308,
        -0.0,
        3.0,
        np.float32(0.1),
        2**53 + 2.0,
    ]
    for x in numbers:
        scene.section.wall.EI = x
        read = tomllib.loads(scene.to_toml())["section"]["wall"]["EI"]
        assert read == float(x) and math.copysign(1, read) == math.copysign(1, x)
        written = next(line for line in scene.to_toml().splitlines() if line.startswith("EI = "))[5:]
        assert len(written) <= len(repr(float(x)))
    scene.section.wall.EI = 1e-5
    assert "EI = 1e-5\n" in scene.to_toml()


def test_arrays_of_numpy_and_paths_are_plain_values():
    scene = actuator()
    scene.cable.actuator.path = np.array([[0.0, 0.0], [0.1, 0.0], [0.1, 0.2]])
    scene.cable.actuator.elements = np.int32(8)
    scene.body.box = fx.Body(shape=fx.RectangleShape(size=(1, 2)), density=1, points={"tip": np.zeros(2)})
    scene.signal.pump = fx.TableSignal(file=Path("data") / "pump.csv")
    assert scene.cable.actuator.path == [[0, 0], [0.1, 0], [0.1, 0.2]]
    assert np.array_equal(np.asarray(scene.cable.actuator.path, dtype=float), [[0, 0], [0.1, 0], [0.1, 0.2]])
    assert scene.cable.actuator.elements == 8 and scene.signal.pump.file == "data/pump.csv"
    assert scene.body.box.points == {"tip": [0, 0]} and scene.body.box.shape.size == [1, 2]
    scene.cable.actuator.path = np.linspace([0, 0], [1, 1], 40)
    assert max(map(len, scene.to_toml().splitlines())) < 120
    assert fx.Scene.loads(scene.to_toml()).cable.actuator.path == scene.cable.actuator.path


def test_parts_of_the_scene_stand_for_their_names():
    scene = actuator()
    scene.section.soft = fx.Section(EA=1, EI=2, rhoA=3)
    scene.cable.actuator.section = scene.section.soft
    scene.body.box = fx.Body(m=1, inertia=1)
    scene.joint.weld = fx.WeldJoint(of=[scene.body.box, "actuator.end"])
    scene.signal.pump = fx.RampSignal(from_=1, to=2, duration=1)
    scene.load.push = fx.ForceLoad(at=scene.body.box, force=[0, 1], signal=scene.signal.pump)
    assert scene.cable.actuator.section == "soft" and scene.joint.weld.of == ["box", "actuator.end"]
    assert scene.load.push.signal == "pump" and scene.load.push.at == "box"
    assert scene.signal.pump.from_ == 1 and scene.signal.pump["from"] == 1


def test_assigning_copies_and_parts_of_the_scene_are_views():
    scene = actuator()
    wall = fx.Section(EA=1, EI=2, rhoA=3)
    scene.section.a = scene.section.b = wall
    wall.EA = 5
    scene.section.a.EA = 7
    view = scene.section.b
    scene.section.b.EI = 9
    assert (scene.section.a.EA, scene.section.b.EA, view.EI) == (7, 1, 9)
    other = scene.copy()
    other.section.a.EA = 8
    assert scene.section.a.EA == 7 and copy.deepcopy(scene) == scene and pickle.loads(pickle.dumps(scene)) == scene
    free = copy.copy(scene.section.a)
    free.EA = 6
    assert scene.section.a.EA == 7 and pickle.loads(pickle.dumps(free)) == free
    scene.section.c = scene.section.a
    assert scene.section.c == scene.section.a and scene.section.c.EA == 7


def test_dotted_keys_as_on_the_command_line():
    scene = actuator()
    scene.set("section.wall.EI", 0.02)
    scene.set("analysis.move.end", "5 s")
    scene.set("gravity", [0, 0])
    scene.set("output.interval", 0.1)
    scene.set("mass.payload", {"at": "actuator.end", "m": "30 g"})
    scene.set("parameters.R", 0.1)
    assert scene.get("section.wall.EI") == 0.02 and scene.get("analysis.move.end") == "5 s"
    assert scene.analysis[0].end == "5 s" and scene.mass.payload.m == "30 g" and scene.output.interval == 0.1
    assert scene.parameters.R == 0.1 and dict(zip(scene.parameters, ["L", "R"])) == {"L": "L", "R": "R"}
    assert scene.get("section.wall.GJ") is None


def test_analyses_are_in_order_and_have_names():
    scene = actuator()
    scene.analysis.append(fx.StaticAnalysis(name="hang"))
    scene.analysis.append({"name": "sway", "type": "dynamic", "end": 3, "step": 1e-3})
    assert scene.analysis.names() == ["move", "hang", "sway"] and len(scene.analysis) == 3
    del scene.analysis[0]
    assert [type(a) for a in scene.analysis] == [fx.StaticAnalysis, fx.DynamicAnalysis]
    scene.analysis.sway = fx.DynamicAnalysis(end=4, step=1e-3)
    scene.analysis[-1].step = 2e-3
    assert scene.analysis.sway.end == 4 and scene.analysis["sway"].step == 2e-3 and "sway" in scene.analysis


def test_saved_beside_other_files_a_scene_still_finds_its_own(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "pump.csv").write_text("t,p\n0,0\n1,1\n")
    scene = actuator()
    scene.signal.pump = fx.TableSignal(file="pump.csv")
    scene.save(tmp_path / "a" / "scene.toml")
    scene = fx.Scene.load(tmp_path / "a" / "scene.toml")
    assert scene.signal.pump.file == "pump.csv" and scene.check() == []
    scene.save(tmp_path / "b" / "scene.toml")
    assert scene.signal.pump.file == "pump.csv"
    moved = fx.Scene.load(tmp_path / "b" / "scene.toml")
    assert moved.signal.pump.file == "../a/pump.csv" and moved.check() == []


def test_a_scene_built_in_code_runs_as_its_saved_file_does(tmp_path):
    scene = actuator()
    scene.save(tmp_path / "scene.toml")
    built, read = fx.simulate(scene), fx.simulate(tmp_path / "scene.toml")
    assert np.array_equal(built["tip"].position, read["tip"].position)
    assert all("/scene@file" in difference for difference in fx.compare(built, read).differences)


def test_functions_stay_with_the_scene_and_their_names_in_the_text():
    scene = actuator()

    def pull(t, x, v):
        return [0.0, 0.1 - 0.01 * v[1]]

    def ramp(t):
        return min(t / 0.01, 1)

    scene.signal.pull = fx.ExternalSignal(function=ramp)
    scene.load.pull = fx.ExternalLoad(at="actuator.end", function=pull, signal="pull")
    assert scene.functions == {"pull": ramp, "load_pull": pull}
    assert scene.load.pull.function is pull and 'function = "load_pull"' in scene.to_toml()
    assert scene.copy().functions == scene.functions and scene.check() == []
    text = fx.Scene.loads(scene.to_toml())
    with pytest.raises(fx.SceneError, match='must give the force law "load_pull"'):
        text.check()
    text.functions.update(scene.functions)
    a, b = fx.simulate(scene), fx.simulate(text)
    assert np.array_equal(a["tip"].position, b["tip"].position)
    scene.load.pull.function = lambda t, x, v: [0.0, 0.0]
    assert sorted(scene.functions) == ["load_pull", "pull"] and scene.load.pull.function is not pull
    del scene.load.pull
    assert np.all(fx.simulate(scene)["tip"].position[-1] < a["tip"].position[-1] + [1, 0])


def test_numbers_of_any_kind_fit_their_place():
    scene = fx.Scene(space="spatial", gravity={"vector": [0, 0, -9.81], "signal": 1.0})
    assert isinstance(scene.gravity, fx.Gravity) and scene.gravity.vector == [0, 0, -9.81]
    scene.gravity = fx.Gravity(vector=[0, 0, -1], signal=fx.RampSignal(to=1, duration=1))
    assert scene.gravity.signal.duration == 1 and isinstance(scene.gravity.signal, fx.RampSignal)
    scene.gravity.signal.duration = 2
    assert tomllib.loads(scene.to_toml())["gravity"]["signal"] == {"type": "ramp", "to": 1, "duration": 2}


def test_many_parts_are_added_in_a_moment():
    scene = fx.Scene()
    for i in range(2000):
        scene.point[f"p{i}"] = fx.Point(position=[i, 0])
    assert len(scene.point) == 2000 and fx.Scene.loads(scene.to_toml()) == scene


def test_classes_match_the_grammar():
    """python/flexura/parts.py is what scripts/generate_python_parts makes of the schema of the installed module."""
    script = root / "scripts" / "generate_python_parts"
    if not (root / ".venv" / "bin" / "ruff").exists() and shutil.which("ruff") is None:
        pytest.skip("needs ruff")
    program = "import flexura._core; print(flexura._core.schema(), end='')"
    check = [sys.executable, script, "--check", "--parts", str(Path(fx.parts.__file__))]
    schema = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    done = subprocess.run([*check, "--schema", "-"], input=schema, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_class_takes_its_keys_and_no_others():
    classes = [getattr(fx, name) for name in fx.parts.__all__]
    concrete = [cls for cls in classes if cls._table]
    assert len(concrete) > 60
    for cls in concrete:
        part = cls(**{name: "1" for name in cls._keywords if name != "function"})
        assert set(part.keys()) >= {key for key in cls._keys if key != "function"}
        with pytest.raises(TypeError, match=f"{cls.__name__} has no 'nonsense'"):
            cls(nonsense=1)
        assert cls.__doc__ and all(f"    {name} : " in cls.__doc__ for name in cls._keywords)
    tables = {(cls._table, cls._type) for cls in concrete}
    assert all(a is b or a != b for a, b in itertools.combinations(tables, 2)) and len(tables) == len(concrete)


def test_balls_touch_what_they_are_told_to():
    scene = fx.Scene(space="spatial", gravity=[0, 0, -9.81])
    scene.plane.table = fx.Plane(point=[0, 0, 0], normal=[0, 0, 1])
    scene.sphere.ball = fx.Sphere(position=[0, 0, 1.1], radius=0.1, m=2)
    scene.contact.floor = fx.Contact(between=[scene.sphere.ball, "plane.*"], restitution=0.5)
    scene.sensor.gap = fx.GapSensor(first="ball", second="table")
    scene.sensor.count = fx.ContactCountSensor(of="floor")
    scene.sensor.force = fx.ContactForceSensor(of="ball")
    scene.sensor.speed = fx.VelocitySensor(at="ball")
    scene.analysis.fall = fx.DynamicAnalysis(end=0.6, step=1e-3)
    scene.output = fx.Output(every_step=True)
    assert 'between = ["ball", "plane.*"]' in scene.to_toml()
    result = fx.simulate(scene)
    assert result["gap"].values.min() > -1e-10
    assert result["count"].values.max() == 1
    # Up with half of sqrt(2 g H) after the impact at sqrt(2 H / g), less what weight takes until the end.
    fall = math.sqrt(2 / 9.81)
    assert result["speed"].velocity[-1, 2] == pytest.approx(0.5 * 9.81 * fall - 9.81 * (0.6 - fall), abs=2e-2)
    # The impulse m (1 + e) v within one step.
    assert result["force"].values[:, 2].max() * 1e-3 == pytest.approx(2 * 1.5 * math.sqrt(2 * 9.81), rel=2e-3)
