"""Derivatives where something jumps, saturates or goes slack: inputs of tests/cases/studies and their relatives."""

import json

import pytest
from conftest import PROGRAM, ROOT

pytestmark = pytest.mark.skipif(
    not PROGRAM.with_name("flexura-study").exists(), reason="flexura-study is not built here"
)

CASES = ROOT / "tests/cases/studies"
BOTH = pytest.mark.parametrize("way", ["forwards", "backwards"])
FAILED = 1


def case(flexura, name: str, *changes: tuple[str, str]) -> None:
    text = (CASES / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    flexura.write("scene.toml", text)


def gradient(flexura, way: str, *parameters: str, more: tuple[str, ...] = ()) -> dict[str, list[float]]:
    """By column, with respect to each parameter."""
    report = json.loads(flexura("gradient", "scene.toml", "--way", way, "--with", *parameters, *more, "--json").stdout)
    return {c["name"]: row for c, row in zip(report["of"], report["jacobian"][0], strict=True)}


@BOTH
def test_the_time_of_a_jump_is_refused_by_name(flexura, way):
    case(flexura, "grad_jump_time")
    said = flexura(
        "gradient", "scene.toml", "--way", way, "--with", "load.s.effort.start", "--json", status=FAILED
    ).stderr
    assert "load.s.effort.start" in said
    assert "the time of a jump" in said and "0.0203 s" in said and "'go'" in said


@BOTH
def test_the_size_of_a_jump_has_a_derivative(flexura, way):
    """w = 2 u (t − t₀), q = u (t − t₀)²: generalized-α has both for a constant torque."""
    case(flexura, "grad_jump_time")
    found = gradient(flexura, way, "load.s.effort.to")
    assert found["w"][0] == pytest.approx(2 * 0.0597, rel=1e-9)
    assert found["q"][0] == pytest.approx(0.0597**2, rel=1e-3)  # the step in which it begins


@BOTH
@pytest.mark.parametrize("start", [0.0203, 0.02])
def test_the_start_of_a_ramp_has_a_derivative(flexura, way, start):
    """w = 2 u (t − t₀ − d/2): the trapezoidal rule over the steps has it for a ramp whose corners are between or at their ends."""
    case(flexura, "grad_jump_time", ("start = 0.0203, duration = 0.0", f"start = {start}, duration = 0.02"))
    found = gradient(flexura, way, "load.s.effort.start")
    assert found["w"][0] == pytest.approx(-60, rel=2e-2)  # measured; a corner within a step of 0.02/20


@BOTH
def test_limit_of_a_motor(flexura, way):
    """Differences of runs, central with 1e-4 of the parameter; at 18 N m, 0.9 of the limit, a step ends."""
    case(flexura, "grad_motor_limit")
    found = gradient(flexura, way, "load.s.limit", "load.s.effort.to")
    assert found["q"] == pytest.approx([0.0021699, 0.0012857], abs=5e-8)


@BOTH
@pytest.mark.parametrize("limit", [15.0, 19.0, 20.0, 25.0, 30.0 / 0.9, 30.0 / 1.1])
def test_limits_against_runs(flexura, way, limit):
    case(flexura, "grad_motor_limit", ("limit = 20.0", f"limit = {limit}"))
    found = gradient(flexura, way, "load.s.limit")
    ends = []
    for to in [limit * (1 - 1e-4), limit * (1 + 1e-4)]:
        summary = flexura.summary("scene.toml", "--set", f"load.s.limit={to!r}", "-o", "out", "--force")
        ends.append(summary["sensors"]["q"]["last"])
    # Curved by 1/(0.2 limit) where it saturates; a saturated effort ends there within a step.
    assert found["q"][0] == pytest.approx((ends[1] - ends[0]) / (2e-4 * limit), abs=2e-3 * 0.0022)


@BOTH
def test_a_slack_cable(flexura, way):
    case(flexura, "back_truss_slack")
    assert gradient(flexura, way, "point.pt.position[0]")["f"][0] == pytest.approx(0, abs=1e-9)


@BOTH
def test_a_wrinkled_membrane(flexura, way):
    """Differences of runs with 5e-5 m of the width."""
    case(flexura, "back_membrane_slack")
    found = gradient(flexura, way, "membrane.m.shape.width")
    assert found["s.yy"][0] == pytest.approx(-66.999, abs=2e-2)
    assert found["R.x"][0] == pytest.approx(0.81682, abs=1e-5)


@BOTH
def test_fibres_in_a_solid_that_grows(flexura, way):
    """Differences of runs, from the case."""
    case(flexura, "back_fibre_growth")
    found = gradient(flexura, way, "solid.b.shape.size[2]")
    assert [found[f"R.{x}"][0] for x in "xyz"] == pytest.approx([102.3338, 0, -87.8807], abs=1e-3)


@BOTH
@pytest.mark.parametrize("step", [(), ("--relative-step", "1e-4")])
def test_gas_from_a_supply(flexura, way, step):
    """Differences of runs: 0.114854."""
    case(flexura, "forward_supply")
    assert gradient(flexura, way, "material.r.nu", more=step)["R.z"][0] == pytest.approx(0.114854, abs=2e-6)


def test_identify_finds_a_switching_time(flexura):
    """By differences of runs, and says why."""
    case(flexura, "grad_jump_time")
    rows = "".join(f"{t},{60 * max(0, t - 0.0203)}\n" for t in [0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08])
    flexura.write("measured.csv", "t [s],w [rad/s]\n" + rows)
    flexura.write(
        "study.toml",
        'scene = "scene.toml"\n[parameter.start]\npath = "load.s.effort.start"\nstart = 0.03\nlow = 0.01\nhigh = 0.04\n'
        '[experiment.one]\nrecord = "measured.csv"\n[measured.w]\nsensor = "w"\ncolumn = "w"\n',
    )
    found = json.loads(flexura("identify", "study.toml", "--json", "-q").stdout)
    assert found["converged"]
    assert found["parameters"]["start"]["value"] == pytest.approx(0.0203, abs=3e-6)
    assert "the time of a jump" in found["slopes"]
