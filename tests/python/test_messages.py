"""Wrong calls, names and units: the message says what is wrong, where in the code, and what would be right."""

import traceback

import flexura as fx
import pytest

MODEL = """\
import flexura as fx
scene = fx.Scene(title="Soft actuator", gravity=[0, -9.81])
scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.sensor.tip = fx.PositionSensor(at="actuator.end")
scene.analysis.move = fx.DynamicAnalysis(end=0.01, step=1e-3)
"""
FIRST = MODEL.count("\n") + 1  # the line on which a case begins

# Code behind the model, the exception, the line that the message or the traceback names, and what the message says.
CASES = {
    "keyword of a class": (
        "scene.section.wall = fx.Section(EL=3)",
        TypeError,
        0,
        ["Section has no 'EL'", "did you mean 'EI'?", "It has EA, EI, rhoA"],
    ),
    "values without keywords": (
        "scene.section.wall = fx.Section(2000, 0.0186)",
        TypeError,
        0,
        ["Section takes keywords only", "Section(EA=..., EI=..., rhoA=...)"],
    ),
    "missing keyword": (
        "scene.cable.second = fx.Cable(section='wall')",
        TypeError,
        0,
        ["Cable needs path= and elements="],
    ),
    "attribute of a part": (
        "scene.cable.actuator.element = 8",
        AttributeError,
        0,
        ["cable.actuator has no 'element'", "did you mean 'elements'?"],
    ),
    "part that is not there": (
        "scene.cable.actuater.elements = 8",
        AttributeError,
        0,
        ["there is no cable 'actuater'", "did you mean 'actuator'?", "There is actuator"],
    ),
    "key of the scene": (
        "scene.gravty = [0, -9.81]",
        AttributeError,
        0,
        ["scenes have no 'gravty'", "did you mean 'gravity'?"],
    ),
    "table in place of a collection": (
        "scene.sensor = fx.PositionSensor(at='actuator.end')",
        AttributeError,
        0,
        ["scene.sensor holds tables by name", "scene.sensor.NAME = ..."],
    ),
    "part of another kind": (
        "scene.joint.push = fx.ForceLoad(at='actuator.end', force=[0, 1])",
        TypeError,
        0,
        ["joint.push cannot be a ForceLoad", "that is for scene.load"],
    ),
    "kind by its name": (
        "scene.add('joints', 'a', {})",
        ValueError,
        0,
        ["scenes have no 'joints'", "did you mean 'joint'?"],
    ),
    "name with a blank": (
        "scene.sensor['the tip'] = fx.PositionSensor(at='actuator.end')",
        ValueError,
        0,
        ["'the tip' is no name", "begin with a letter and hold letters, digits, _ and -"],
    ),
    "name that is a method": (
        "scene.sensor.values = fx.PositionSensor(at='actuator.end')",
        AttributeError,
        0,
        ["'values' is a method here", "scene.sensor['values'] = ..."],
    ),
    "not a number": (
        "scene.section.wall.EI = float('nan')",
        ValueError,
        0,
        ["section.wall.EI", "nan is not a finite number"],
    ),
    "value of no use": (
        "scene.load.push = fx.ForceLoad(at='actuator.end', force=lambda t: t)",
        TypeError,
        0,
        ["ForceLoad: force cannot be a function", "give it to ExternalSignal or ExternalLoad"],
    ),
    "analysis without a name": (
        "scene.analysis.append(fx.StaticAnalysis())",
        TypeError,
        0,
        ["an analysis needs a name", 'name="move"', "scene.analysis.move = ..."],
    ),
    "analysis that is there already": (
        "scene.analysis.append(fx.StaticAnalysis(name='move'))",
        ValueError,
        0,
        ["there is an analysis 'move' already", "scene.analysis['move'] = ... replaces it"],
    ),
    "unit of the wrong dimension": (
        "scene.section.wall.EI = '3 kg'\nfx.simulate(scene)",
        fx.SceneError,
        0,
        ['section.wall.EI: "3 kg" has the wrong dimension', "expected [N m^2]"],
    ),
    "unit that there is not": (
        "scene.mass.load = fx.PointMass(\n    at='actuator.end',\n    m='30 gramm',\n)\nscene.check()",
        fx.SceneError,
        2,
        ['mass.load.m: "gramm" is not a unit', "[kg]"],
    ),
    "number out of range": (
        "scene.section.wall.rhoA = -0.12\nscene.check()",
        fx.SceneError,
        0,
        ["section.wall.rhoA: -0.12 is out of range", "allowed: > 0 [kg/m]"],
    ),
    "name of a section": (
        "scene.cable.actuator.section = 'wal'\nscene.check()",
        fx.SceneError,
        0,
        ['cable.actuator.section: there is no section named "wal"', 'nearest: "wall"'],
    ),
    "name of a place": (
        "scene.sensor.end = fx.VelocitySensor(at='actuater.end')\nfx.Simulation(scene)",
        fx.SceneError,
        0,
        ['there is no part named "actuater"', 'nearest: "actuator"'],
    ),
    "place on a part": (
        "scene.sensor.end = fx.VelocitySensor(at='actuator.ende')\nscene.check()",
        fx.SceneError,
        0,
        ["sensor.end.at", '"ende"', "start", "end"],
    ),
    "choice": (
        "scene.section.wall.axial = 'greem'\nscene.check()",
        fx.SceneError,
        0,
        ["section.wall.axial", '"greem"', '"green"', '"engineering"'],
    ),
    "vector of the other space": (
        "scene.gravity = [0, 0, -9.81]\nscene.check()",
        fx.SceneError,
        0,
        ["gravity", "2"],
    ),
    "table of the other space": (
        "scene.beam.b = fx.Beam(section='wall', path=[[0, 0], [1, 0]], elements=2)\nscene.check()",
        fx.SceneError,
        0,
        ["beam", "spatial scenes", 'space = "spatial"'],
    ),
    "expression": (
        "scene.parameters.L = 0.1\nscene.cable.actuator.path = [[0, 0], ['= LL', 0]]\nscene.check()",
        fx.SceneError,
        1,
        ["cable.actuator.path", "LL"],
    ),
    "parameter by its name": (
        "scene.parameters.L = 0.1\nprint(scene.parameters.LL)",
        AttributeError,
        1,
        ["there is no parameter 'LL'", "did you mean 'L'?"],
    ),
    "file that there is not": (
        "scene.signal.pump = fx.TableSignal(file='pump.csv')\nscene.check()",
        fx.SceneError,
        0,
        ["signal.pump.file", "pump.csv"],
    ),
    "sensor of a result": (
        "result = fx.simulate(scene)\nresult['tipp'].position",
        KeyError,
        1,
        ['there is no sensor named "tipp"', 'nearest: "tip"'],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_line_is_told_with_its_place_and_what_would_be_right(case, tmp_path, monkeypatch):
    code, exception, line, says = CASES[case]
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.py"
    file.write_text(MODEL + code + "\n")
    with pytest.raises(exception) as raised:
        exec(compile(file.read_text(), str(file), "exec"), {})
    message = str(raised.value)
    for text in says:
        assert text in message
    if exception is fx.SceneError:
        assert message.startswith(f"model.py:{FIRST + line}:"), message
        assert code.splitlines()[line].strip() in message
        assert len(raised.value.problems) == 1
    else:
        lines = [frame.lineno for frame in traceback.extract_tb(raised.tb) if frame.filename == str(file)]
        assert lines[-1] == FIRST + line


def test_all_problems_are_told_at_once_in_the_order_of_the_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "model.py"
    code = "scene.sensor.tip.at = 'x'\nscene.section.wall.EI = '3 kg'\nscene.analysis.move.step = 0\nscene.check()\n"
    file.write_text(MODEL + code)
    with pytest.raises(fx.SceneError) as raised:
        exec(compile(file.read_text(), str(file), "exec"), {})
    assert [(problem.file, problem.line) for problem in raised.value.problems] == [
        ("model.py", FIRST),
        ("model.py", FIRST + 1),
        ("model.py", FIRST + 2),
    ]


def test_what_stands_in_a_file_is_told_by_its_line_there(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text(
        'title = "A"\n[section.wall]\nEA = 1\nEI = "3 kg"\nrhoA = 1\n[[analysis]]\nname = "a"\ntype = "static"\n'
    )
    with pytest.raises(fx.SceneError, match=r"scene.toml:4:6: error: section.wall.EI"):
        fx.Scene.load(file).check()
    scene = fx.Scene.load(file)
    scene.parameters.L = 1  # two lines more, above
    with pytest.raises(fx.SceneError) as raised:
        scene.check()
    assert [problem.line for problem in raised.value.problems] == [4]
    with pytest.raises(fx.SceneError, match=r"scene.toml:2:"):
        fx.Scene.loads("a = 1\nb = \n")


def test_warnings_are_returned():
    scene = fx.Scene()
    scene.body.door = fx.Body(m=1, inertia=1)
    for name in ("hinge", "second"):
        scene.joint[name] = fx.RevoluteJoint(of=["ground", "door"], at=[0, 0], method="multipliers")
    scene.analysis.swing = fx.DynamicAnalysis(end=1, step=1e-2)
    (warning,) = scene.check()
    assert warning.warning and "redundant" in str(warning)
