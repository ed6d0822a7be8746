"""Units of joint coordinates, inputs and headings of columns: inputs of tests/cases/units and their relatives."""

import csv
import shutil

import pytest
from conftest import BAD_INPUT, ROOT

CASES = ROOT / "tests/cases/units"


@pytest.fixture
def cases(flexura):
    for file in CASES.iterdir():
        shutil.copy(file, flexura.folder)
    return flexura


def change(flexura, name: str, *changes: tuple[str, str]) -> None:
    text = (flexura.folder / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    flexura.write(name, text)


def last_row(flexura, sensor: str) -> list[float]:
    with open(flexura.folder / "out" / f"{sensor}.csv", encoding="utf-8") as file:
        return [float(x) for x in list(csv.reader(file))[-1]]


# ── Coordinates of joints ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_unit_on_an_angle_is_compared(cases):
    reported = cases("check", "units_of_coordinates.toml", status=BAD_INPUT).stderr
    for key, unit in [
        ("spring.s.stiffness", "N m/rad"),
        ("spring.s.rest", "rad"),
        ("load.m.effort", "N m"),
        ("load.m.limit", "N m"),
    ]:
        assert any(key in line and line.endswith(f"expected [{unit}]") for line in reported.splitlines()), (
            key,
            reported,
        )
    assert "4 errors" in reported


# Keys of loads and springs on the coordinate of a joint: a unit of an angle, and of a displacement.
KEYS = [
    ("spring", "joint", "stiffness", "1 N m/rad", "1 N/m"),
    ("spring", "joint", "stiffness", "1 mN m/deg", "1 N/mm"),
    ("spring", "joint", "damping", "1 N m s/rad", "1 N s/m"),
    ("spring", "joint", "rest", "10 deg", "10 mm"),
    ("spring", "joint", "lower", "-10 deg", "-10 mm"),
    ("spring", "joint", "upper", "10 deg", "10 mm"),
    ("spring", "joint", "stop_stiffness", "1 N m/rad", "1 N/m"),
    ("spring", "joint", "stop_damping", "1 N m s/rad", "1 N s/m"),
    ("spring", "joint", "stop_width", "1 deg", "1 mm"),
    ("load", "motor", "effort", "1 N m", "1 N"),
    ("load", "motor", "limit", "1 N m", "1 N"),
    ("load", "motor", "max_rate", "10 rpm", "1 m/s"),
    ("load", "servo", "target", "10 deg", "10 mm"),
    ("load", "servo", "kp", "1 N m/rad", "1 N/m"),
    ("load", "servo", "kd", "1 N m s/rad", "1 N s/m"),
    ("load", "servo", "limit", "1 N m", "1 N"),
    ("load", "servo", "max_rate", "10 deg/s", "1 mm/s"),
    ("load", "friction", "coulomb", "1 N m", "1 N"),
    ("load", "friction", "stribeck", "1 rad/s", "1 m/s"),
    ("load", "friction", "viscous", "1 N m s/rad", "1 N s/m"),
    ("load", "friction", "presliding", "1 deg", "1 mm"),
    ("load", "drive", "stiffness", "1 N m/rad", "1 N/m"),
    ("load", "drive", "target", "1 deg", "1 mm"),
    ("load", "drive", "limit", "1 N m", "1 N"),
    ("load", "drive", "max_rate", "1 deg/s", "1 mm/s"),
]
NEEDED = {
    "joint": {},
    "motor": {"effort": "1"},
    "servo": {"target": "0", "kp": "1"},
    "friction": {"coulomb": "1"},
    "drive": {"target": "0", "stiffness": "1"},
}


@pytest.mark.parametrize(("table", "kind", "key", "angle", "displacement"), KEYS)
@pytest.mark.parametrize("is_angle", [True, False])
def test_units_follow_the_coordinate(flexura, table, kind, key, angle, displacement, is_angle):
    """A unit of the joint's coordinate passes, that of the other coordinate is refused with the right one."""
    joint = 'type = "revolute"' if is_angle else 'type = "prismatic"\naxis = [1, 0]'
    for unit, passes in [(angle, is_angle), (displacement, not is_angle)]:
        keys = {**NEEDED[kind], key: f'"{unit}"'}
        if key in ("lower", "upper"):
            keys["stop_stiffness"] = "1"
        elif key.startswith("stop_"):
            keys |= {"upper": "1", "stop_stiffness": "1", key: keys[key]}
        flexura.write(
            "scene.toml",
            f'[body.b]\nm = 1\ninertia = 1\n[joint.j]\nof = ["ground", "b"]\nat = [0, 0]\n{joint}\n'
            f'[{table}.x]\ntype = "{kind}"\nat = "j"\n'
            + "".join(f"{k} = {x}\n" for k, x in keys.items())
            + '[[analysis]]\nname = "go"\ntype = "dynamic"\nend = 0.01\nstep = 0.01\n',
        )
        reported = flexura("check", "scene.toml", status=0 if passes else BAD_INPUT).stderr
        assert passes or f"{table}.x.{key}" in reported and "has the wrong dimension" in reported


def test_units_of_named_signals_gears_and_used_joints(cases):
    """The same checks behind a named signal, in a used scene, on a truss and in a gear."""
    cases.write(
        "arm.toml",
        '[body.b]\nm = 1\ninertia = 1\n[joint.j]\ntype = "revolute"\nof = ["ground", "b"]\nat = [0, 0]\n',
    )
    scene = (
        '[use.left]\nscene = "arm.toml"\n[use.right]\nscene = "arm.toml"\n'
        '[signal.u]\ntype = "constant"\nvalue = "1 N m"\n[load.m]\ntype = "motor"\nat = "left.j"\neffort = "u"\n'
        '[joint.g]\ntype = "gear"\nfirst = "left.j"\nsecond = "right.j"\nratio = 2\noffset = "10 deg"\n'
        '[point.a]\nposition = [0, 1]\nfixed = true\n[point.c]\nposition = [1, 1]\n[mass.bob]\nat = "c"\nm = 1\n'
        '[truss.t]\ntype = "elastic"\nbetween = ["a", "c"]\nEA = 1\n'
        '[load.t]\ntype = "motor"\nat = "t"\neffort = "1 N"\n'
        '[[analysis]]\nname = "go"\ntype = "dynamic"\nend = 0.01\nstep = 0.01\n'
    )
    cases.write("scene.toml", scene)
    cases("check", "scene.toml")
    for old, new, reported in [
        ('"1 N m"', '"1 N"', "expected [N m]"),
        ('"10 deg"', '"10 mm"', "expected [rad]"),
        ("ratio = 2", 'ratio = "2 mm/rad"', "wrong dimension"),
        ('effort = "1 N"', 'effort = "1 N m"', "expected [N]"),
    ]:
        assert old in scene
        cases.write("scene.toml", scene.replace(old, new))
        assert reported in cases("check", "scene.toml", status=BAD_INPUT).stderr, new


# ── Values of inputs in studies ──────────────────────────────────────────────────────────────────────────────────────


def test_bounds_of_an_input_have_the_unit_of_the_key_that_takes_it(cases):
    reported = cases("sweep", "units_of_inputs.toml", "-o", "out", status=BAD_INPUT).stderr
    assert '"1 mm" has the wrong dimension' in reported
    assert '"2 mm" has the wrong dimension' in reported
    change(cases, "units_of_inputs.toml", ('"1 mm"', '"1 kPa"'), ('"2 mm"', '"2 kPa"'))
    cases("sweep", "units_of_inputs.toml", "-o", "out", "--force")


INVERT = """scene = "units_of_inputs_scene.toml"
[parameter.pump]
path = "signal.pump.value"
start = "20 kPa"
low = "0 {}"
high = "80 {}"
[target.tip]
analysis = "hang"
component = "y"
value = "-190 mm"
tolerance = "1 mm"
"""


def test_inputs_of_inverse_statics_have_the_unit_of_the_key_that_takes_them(cases):
    cases.write("wrong.toml", INVERT.format("mm", "kPa"))
    assert '"0 mm" has the wrong dimension' in cases("invert", "wrong.toml", "-o", "out", status=BAD_INPUT).stderr
    cases.write("right.toml", INVERT.format("kPa", "kPa"))
    cases("invert", "right.toml", "-o", "out")


# ── Headings of columns ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_signal_reads_the_units_of_its_headings(cases):
    """10 kPa at 50 ms."""
    cases("run", "table_heading_units.toml", "-o", "out", "-q", "--no-report")
    with open(cases.folder / "out/x.csv", encoding="utf-8") as file:
        rows = {float(row[0]): float(row[1]) for row in list(csv.reader(file))[1:]}
    assert rows[0.05] == pytest.approx(10000, rel=1e-12)


def test_a_factor_in_kilonewtons_is_one_in_newtons(cases):
    """Both files say the same force."""
    ends = []
    for name in ("u.csv", "u_si.csv"):
        change(cases, "sig.toml", ('file = "u.csv"', f'file = "{name}"'))
        cases("run", "sig.toml", "-o", "out", "--force", "-q", "--no-report")
        assert last_row(cases, "u")[1] == pytest.approx(1000, rel=1e-12)
        ends.append(last_row(cases, "x")[1])
        change(cases, "sig.toml", (f'file = "{name}"', 'file = "u.csv"'))
    assert ends[0] == pytest.approx(ends[1], rel=1e-12)


def test_a_path_reads_the_units_of_its_headings(cases):
    """1000 mm: the end of the cable is at x = 1 m."""
    cases("run", "path.toml", "-o", "out", "-q", "--no-report")
    assert last_row(cases, "pull.end")[1:] == pytest.approx([1, 0], abs=1e-12)


def test_a_path_finds_its_columns_by_their_headings(cases):
    cases.write("path.csv", "y [mm],x [cm]\n0,0\n0,50\n0,100\n")
    cases("run", "path.toml", "-o", "out", "-q", "--no-report")
    assert last_row(cases, "pull.end")[1:] == pytest.approx([1, 0], abs=1e-12)
    cases.write("path.csv", "x,z\n0,0\n0.5,0\n1,0\n")
    cases("check", "path.toml")  # z is no coordinate of a plane: the columns are taken in their order
    cases.write("path.csv", "y,z\n0,0\n0.5,0\n1,0\n")
    assert "its heading names y" in cases("check", "path.toml", status=BAD_INPUT).stderr


@pytest.mark.parametrize(
    ("heading", "reported"),
    [
        ("time [mm],p [kPa]", '"mm" has the wrong dimension; expected [s]'),
        ("time [s],p [kPaa]", '"kPaa" is not a unit'),
        ("time [s],p (kPaa)", '"kPaa" is not a unit'),
    ],
)
def test_units_of_headings_that_cannot_be(cases, heading, reported):
    cases.write("ms.csv", f"{heading}\n0,0\n1,10\n")
    message = cases("check", "table_heading_units.toml", status=BAD_INPUT).stderr
    assert reported in message
    assert "ms.csv:1:" in message


@pytest.mark.parametrize(
    ("heading", "at_1"),
    [
        ("t,p", 10),
        ("t [s],p", 10),
        ("t [s],p [-]", 10),
        ("t [s],p(t)", 10),
        ("t / s,p / kPa", 10e3),
        ("t (s);p (kPa)", 10e3),
        ("# comment\n\nt [s],p [mbar]", 1e3),
        ("t [s],angle [deg]", 0.17453292519943295),
    ],
)
def test_headings_as_programs_write_them(cases, heading, at_1):
    separator = ";" if ";" in heading else ","
    cases.write("ms.csv", f"{heading}\n0{separator}0\n1{separator}10\n")
    change(cases, "table_heading_units.toml", ("end = 0.1", "end = 1"))
    cases("run", "table_heading_units.toml", "-o", "out", "-q", "--no-report")
    assert last_row(cases, "x")[1] == pytest.approx(at_1, rel=1e-12)


def test_a_stated_unit_and_columns_by_name(cases):
    """The key `unit` wins over the heading, as `unit` in studies; a column is found by its name without the unit."""
    cases.write("ms.csv", "p [Pa],time [ms]\n0,0\n10,100\n")
    change(
        cases,
        "table_heading_units.toml",
        ('file = "ms.csv"', 'file = "ms.csv"\ntime = "time"\nvalue = "p"\nunit = "kPa"'),
    )
    cases("run", "table_heading_units.toml", "-o", "out", "-q", "--no-report")
    assert last_row(cases, "x")[1] == pytest.approx(10e3, rel=1e-12)


def test_a_heading_of_another_dimension_than_the_key_that_takes_it(cases):
    change(cases, "units_of_inputs_scene.toml", ('type = "input"', 'type = "table"\nfile = "ms.csv"'))
    cases("check", "units_of_inputs_scene.toml")
    cases.write("ms.csv", "time [ms],p [mm]\n0,0\n50,10\n")
    reported = cases("check", "units_of_inputs_scene.toml", status=BAD_INPUT).stderr
    assert "wrong dimension" in reported
    assert "expected [Pa]" in reported


def test_a_list_of_runs_reads_headings_as_tables_do(cases):
    change(
        cases,
        "units_of_inputs.toml",
        ('type = "sobol"\nruns = 2', 'type = "list"\nfile = "runs.csv"'),
        ('low  = "1 mm"\nhigh = "2 mm"', ""),
    )
    cases.write("runs.csv", "pump/kPa\n1\n2\n")
    cases("sweep", "units_of_inputs.toml", "-o", "out")
    with open(cases.folder / "out/table.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row[next(k for k in row if k.startswith("pump"))]) for row in rows] == [1000, 2000]
    cases.write("runs.csv", "pump[mm]\n1\n2\n")
    assert '"mm" has the wrong dimension' in cases("sweep", "units_of_inputs.toml", status=BAD_INPUT).stderr


# ── Parameters of a scene in studies ─────────────────────────────────────────────────────────────────────────────────

WITH_PARAMETERS = """
space = "planar"
[parameters]
length = "300 mm"
push = "2 N"
rate = "30 rpm"
fill = "50 %"
count = 3
area = "= length^2"
[section.s]
EA = 100
EI = 1
rhoA = 1
[cable.c]
section = "s"
path = [[0, 0], ["= length", 0]]
elements = 2
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
[load.f]
type = "force"
at = "c.end"
force = [0, "= push * fill"]
[sensor.tip]
type = "position"
at = "c.end"
[[analysis]]
name = "a"
type = "static"
"""


def sweep_of(cases, path: str, design: str, values: str, status: int = 0):
    cases.write("scene.toml", WITH_PARAMETERS)
    cases.write("study.toml", f'scene = "scene.toml"\n[design]\n{design}\n[parameter.p]\npath = "{path}"\n{values}\n')
    return cases("sweep", "study.toml", "-o", "out", "--force", status=status)


GRID, SOBOL = 'type = "grid"', 'type = "sobol"\nruns = 2'


@pytest.mark.parametrize(
    ("path", "values", "unit"),
    [
        ("parameters.length", 'values = ["0.1 m", "20 kPa"]', "m"),
        ("parameters.length", 'values = ["3 rad", 0.2]', "m"),
        ("parameters.push", 'values = ["1 mm", "2 mm"]', "N"),
        ("parameters.rate", 'values = ["1 Hz", "2 m"]', "rad/s"),
        ("parameters.fill", 'values = ["1 mm", "2 mm"]', "1"),
        ("section.s.EA", 'values = ["1 mm", "2 mm"]', "N"),
    ],
)
def test_values_of_a_sweep_have_the_dimension_of_their_parameter(cases, path, values, unit):
    reported = sweep_of(cases, path, GRID, values, BAD_INPUT).stderr
    assert f"has the wrong dimension; {path} is in [{unit}]" in reported


@pytest.mark.parametrize("bounds", ['low = "1 kPa"\nhigh = "2 kPa"', 'low = "1 mm"\nhigh = "2 N"'])
def test_bounds_of_a_sweep_have_the_dimension_of_their_parameter(cases, bounds):
    assert "parameters.length is in [m]" in sweep_of(cases, "parameters.length", SOBOL, bounds, BAD_INPUT).stderr


@pytest.mark.parametrize(
    ("path", "values", "expected"),
    [
        ("parameters.length", 'values = ["100 mm", "20 cm", 0.3]', [0.1, 0.2, 0.3]),
        ("parameters.push", 'values = ["1 kN", "20 mN"]', [1000, 0.02]),
        ("parameters.fill", 'values = ["10 %", 0.2]', [0.1, 0.2]),
        ("parameters.count", "values = [2, 4]", [2, 4]),
        ("parameters.area", 'values = ["100 cm^2", 0.04]', [0.01, 0.04]),
    ],
)
def test_values_of_a_sweep_are_converted(cases, path, values, expected):
    sweep_of(cases, path, GRID, values)
    with open(cases.folder / "out" / "table.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    column = next(k for k, name in enumerate(rows[0]) if name.split(" ")[0] == "p")
    assert sorted(float(row[column]) for row in rows[1:]) == pytest.approx(sorted(expected))
