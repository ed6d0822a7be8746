"""Velocities with which motions begin, and motions that are cut: the cases of tests/cases/velocities."""

import csv
import pathlib

import pytest

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases"


def run(flexura, case: str, *arguments) -> dict:
    path = CASES / case
    return flexura.summary(path, "-o", path.stem, "--force", "--no-report", *arguments)


def first_row(flexura, case: str, sensor: str) -> list[float]:
    with open(flexura.folder / case / f"{sensor}.csv", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    return [float(x) for x in rows[1]][1:]


def test_a_ball_keeps_its_velocity_on_a_beam_that_stands_still(flexura):
    run(flexura, "velocities/velocity_ball_on_beam.toml")
    # By what the scene states alone: the beam follows.
    assert first_row(flexura, "velocity_ball_on_beam", "vb") == pytest.approx([0, 0, -2], abs=1e-8)


@pytest.mark.parametrize("method", ["eliminated", "multipliers"])
def test_a_bead_keeps_what_its_plane_lets_it(flexura, method):
    summary = run(flexura, "velocities/velocity_bead_on_plane.toml", "--set", f"joint.j.method={method}")
    # v − n (n·v), exact but for rounding.
    assert first_row(flexura, "velocity_bead_on_plane", "v") == pytest.approx([-0.4, 0, 0.2], abs=1e-12)
    assert len(summary["warnings"]) == 1
    assert "point 'p': velocity (0, 0, 1) m/s stated, (-0.4, 0, 0.2) kept" in summary["warnings"][0]


def test_a_prescribed_crank_turns_its_flexible_rod_without_a_shock(flexura):
    summary = run(flexura, "velocities/crank_flexible_rod.toml")
    assert summary["warnings"] == []
    sensors = summary["sensors"]
    # A rigid rod takes 237 N m; 4.3 N m bend it. A twentieth: what the steps of 50 us leave of its first vibration.
    assert max(abs(sensors["mid"][side]) for side in ("min", "max")) == pytest.approx(4.3, rel=0.05)
    assert max(abs(sensors["torque"][side]) for side in ("min", "max")) == pytest.approx(237, rel=0.05)


def test_the_rod_begins_as_with_its_velocity_stated(flexura):
    run(flexura, "velocities/crank_flexible_rod.toml")
    free = [first_row(flexura, "crank_flexible_rod", name) for name in ("mid", "torque")]
    text = (CASES / "velocities/crank_flexible_rod.toml").read_text(encoding="utf-8")
    stated = 'elements = 8\nangular_velocity = "= -w * 0.12 / 0.25"\nabout = [0.37, 0]\n'
    flexura.write("stated.toml", text.replace("elements = 8\n", stated))
    assert flexura.summary("stated.toml", "--no-report")["warnings"] == []
    for name, value in zip(("mid", "torque"), free, strict=True):
        assert first_row(flexura, "stated", name) == pytest.approx(value, rel=1e-8, abs=1e-6)


def test_a_stated_velocity_begins_the_motion_behind_a_static_analysis(flexura):
    summary = run(flexura, "studies/velocity_before_static.toml")
    assert first_row(flexura, "velocity_before_static", "v")[-2:] == pytest.approx([2, 0], abs=1e-12)
    assert summary["warnings"] == []


def dissipated(flexura, *arguments, text=None) -> float:
    if text is None:
        text = (CASES / "velocities/damped_beam_cut.toml").read_text(encoding="utf-8")
    flexura.write("cut.toml", text)
    summary = flexura.summary("cut.toml", "--force", "--no-report", *arguments)
    assert not any("the integration" in warning for warning in summary["warnings"])
    return summary["energy"]["dissipated"]


def test_no_cut_dissipates_energy_in_a_damped_beam(flexura):
    # 2.07e-3 and 2.01e-3 J with steps of 0.5 and 0.25 ms, whatever the beam's measure: of 0.0028 at 1 ms the rest is the step's error.
    fine = dissipated(flexura, "--set", "load.nothing.signal=1", "--set", "analysis.spin.step=0.25 ms")
    assert fine == pytest.approx(2.01e-3, rel=0.01)
    plain = dissipated(flexura, "--set", "load.nothing.signal=1")
    assert plain == pytest.approx(fine, abs=1e-3)
    text = (CASES / "velocities/damped_beam_cut.toml").read_text(encoding="utf-8")
    split = text.replace(
        "[[analysis]]\n", '[[analysis]]\nname = "before"\ntype = "dynamic"\nend = 0.15\nstep = "1 ms"\n[[analysis]]\n'
    )
    projected = text + 'integrator = { type = "generalized-alpha", rho_inf = 0.8, project_velocities = true }\n'
    # Of 1335 J in motion; 114 to 324 J went.
    assert dissipated(flexura) == pytest.approx(plain, abs=2e-4)
    assert dissipated(flexura, "--set", "load.nothing.signal=1", text=split) == pytest.approx(plain, abs=2e-4)
    assert dissipated(flexura, "--set", "load.nothing.signal=1", text=projected) == pytest.approx(plain, abs=2e-4)
