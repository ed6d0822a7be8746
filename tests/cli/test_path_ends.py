"""Paths of equilibria that end where a sensor has a value: a shallow truss in closed form, and the bistable arch."""

import csv
import math
import pathlib

import pytest
from conftest import BAD_INPUT

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases" / "statics"

HEIGHT, RATE = 0.25, 1000.0
FREE = math.hypot(1, HEIGHT)


def load(y: float) -> float:
    """Of two springs of rate k from (±1, 0) to an apex at (0, y): P = 2k (l₀/l − 1) y, downwards."""
    return 2 * RATE * (FREE / math.hypot(1, y) - 1) * y


LIMIT_Y = math.sqrt(FREE ** (2 / 3) - 1)  # dP/dy = 0
LIMIT = load(LIMIT_Y)


def truss(until: str, force: float = 3 * LIMIT, more: str = "") -> str:
    return f"""
space = "planar"
[point.apex]
position = [0, {HEIGHT}]
[mass.m]
at = "apex"
m = 1
[spring.left]
type = "linear"
between = [[-1, 0], "apex"]
stiffness = {RATE}
[spring.right]
type = "linear"
between = [[1, 0], "apex"]
stiffness = {RATE}
[load.push]
type = "force"
at = "apex"
force = [0, {-force!r}]
[sensor.apex]
type = "position"
at = "apex"
[sensor.strain]
type = "energy"
of = "strain"
[sensor.spring]
type = "force"
of = "left"
[[analysis]]
name = "press"
type = "static"
arc_length = true
until = {{ {until} }}
{more}"""


def rows(flexura, sensor: str) -> list[list[float]]:
    (table,) = (flexura.folder / "out").glob(f"*{sensor}*.csv")
    out = []
    for row in csv.reader(table.open(encoding="utf-8")):
        try:
            out.append([float(cell) for cell in row])
        except ValueError:
            continue
    return out


def run(flexura, text: str):
    flexura.write("scene.toml", text)
    return flexura.summary("scene.toml", "-o", "out", "--force")


@pytest.mark.parametrize("y", [0.2, LIMIT_Y, 0.1, 0.0, -0.1, -0.25, -0.26])
@pytest.mark.parametrize("step", [0.2, 0.01])
def test_the_load_at_a_displacement(flexura, y, step):
    """P(y) in closed form, the end to 1e-9 of the largest distance from the value; nothing is recorded beyond."""
    summary = run(
        flexura, truss(f'sensor = "apex", component = "y", value = "{1e3 * y!r} mm"', more=f"load_step = {step}")
    )
    assert not any("was not reached" in text for text in summary["warnings"])
    assert summary["sensors"]["apex"]["last"][1] == pytest.approx(y, abs=1e-9)
    assert min(row[2] for row in rows(flexura, "apex")) == pytest.approx(y, abs=1e-9)
    assert summary["statics"][0]["load_factor"] == pytest.approx(load(y) / (3 * LIMIT), abs=1e-7)


def test_the_force_of_a_spring_and_its_energy(flexura):
    """At y = 0.1 each spring pushes with k (l₀ − l), and both hold k (l₀ − l)²."""
    shortened = FREE - math.hypot(1, 0.1)
    for until in (
        f'sensor = "spring", value = "{-RATE * shortened!r} N"',
        f'sensor = "strain", value = {RATE * shortened**2!r}',
    ):
        summary = run(flexura, truss(until))
        assert summary["sensors"]["apex"]["last"][1] == pytest.approx(0.1, abs=1e-7), until


@pytest.mark.parametrize(
    ("force", "more", "cause"), [(0.9 * LIMIT, "", "whole load"), (3 * LIMIT, "max_points = 4", "4 points")]
)
def test_a_value_that_is_not_reached(flexura, force, more, cause):
    summary = run(flexura, truss('sensor = "apex", component = "y", value = "-2 m"', force, more))
    (warning,) = [text for text in summary["warnings"] if "was not reached" in text]
    assert "apex.y = -2" in warning and cause in warning
    nearest = float(warning.split("nearest: ")[1].split()[0])
    assert nearest == pytest.approx(summary["sensors"]["apex"]["last"][1], abs=1e-5)


def test_the_next_analysis_goes_on_from_there(flexura):
    """From y = −0.2, where the load rises again, to the whole load 3 P_max."""
    text = truss('sensor = "apex", component = "y", value = "-0.2 m"')
    summary = run(flexura, text + '[[analysis]]\nname = "on"\ntype = "static"\narc_length = true\n')
    assert summary["statics"][1]["load_factor"] == 1
    y = summary["sensors"]["apex"]["last"][1]
    assert y < -HEIGHT and load(y) == pytest.approx(3 * LIMIT, rel=1e-6)


@pytest.mark.parametrize(
    ("until", "message"),
    [
        ('sensor = "top", value = 1', 'there is no sensor named "top"'),
        ('sensor = "apex", value = 1', 'sensor "apex" has "x" and "y"'),
        ('sensor = "apex", component = "z", value = 1', 'sensor "apex" has no component "z", but "x" and "y"'),
        ('sensor = "apex", component = "y", value = "1 kPa"', '"1 kPa" has the wrong dimension; expected [m]'),
        ('sensor = "strain", component = "y", value = 1', 'sensor "strain" reads one number, without components'),
        ('sensor = "apex", component = "y"', '"value" is missing'),
        ('value = "1 m"', '"sensor" is missing'),
    ],
)
def test_what_cannot_be_an_end_is_refused_by_name(flexura, until, message):
    flexura.write("scene.toml", truss(until))
    assert message in flexura("check", "scene.toml", status=BAD_INPUT).stderr


def test_it_needs_a_path(flexura):
    text = truss('sensor = "apex", component = "y", value = 0.1').replace("arc_length = true\n", "")
    flexura.write("scene.toml", text)
    assert (
        "analysis.press.until: only the path of `arc_length = true`"
        in flexura("check", "scene.toml", status=BAD_INPUT).stderr
    )


def test_derivatives_of_a_part_of_the_load_are_refused(flexura):
    flexura.write("scene.toml", truss('sensor = "apex", component = "y", value = 0.1'))
    done = flexura("gradient", "scene.toml", "--with", "spring.left.stiffness", status=1)
    assert "of the loads, and derivatives are those of equilibria under whole loads" in done.stderr + done.stdout


def test_a_bistable_arch_ends_there_whatever_the_first_step(flexura):
    """A perfect arch keeps its symmetric path (test_cases_statics.py): one load, to 1e-6 of it, for any first step."""
    flexura.write("arch.csv", (CASES / "arch.csv").read_text(encoding="utf-8"))
    text = (CASES / "bistable_arch.toml").read_text(encoding="utf-8")
    for y in (0.004, 0.0, -0.004):
        factors = []
        for step in (0.05, 0.02, 0.005):
            end = f'until = {{ sensor = "mid", component = "y", value = "{1e3 * y} mm" }}\n'
            summary = run(flexura, text.replace("load_step = 0.02", f"load_step = {step}\n{end}"))
            assert summary["sensors"]["mid"]["last"][1] == pytest.approx(y, abs=1e-10)
            factors.append(summary["statics"][0]["load_factor"])
        assert factors == pytest.approx([factors[0]] * 3, abs=1e-6), y
