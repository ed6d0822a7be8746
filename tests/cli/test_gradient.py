"""gradient: what sensors and modes feel of numbers of a scene."""

import json

import pytest
from conftest import BAD_INPUT, PROGRAM, ROOT

pytestmark = pytest.mark.skipif(
    not PROGRAM.with_name("flexura-study").exists(), reason="flexura-study is not built here"
)

SCENE = str(ROOT / "examples/soft_actuator.toml")
SHORT = ["--set", "analysis.move.end=0.02"]


def test_a_table_and_its_check(flexura):
    """Slopes agree with differences of runs; the check says how far."""
    tight = ["--set", "analysis.move.tolerance=1e-12", "--set", "analysis.hang.tolerance=1e-12"]
    words = ["gradient", SCENE, *SHORT, *tight, "--of", "tip", "--with", "section.wall.EI", "--with", "mass.payload.m"]
    report = json.loads(flexura(*words, "--times", "0.01,0.02", "--check", "--json").stdout)
    assert report["way"] == "forwards"
    assert [c["name"] for c in report["of"]] == ["tip.x", "tip.y"]
    assert [n["unit"] for n in report["with"]] == ["N m^2", "kg"]
    assert report["times"] == pytest.approx([0.01, 0.02])
    assert len(report["jacobian"]) == 2
    assert report["check"]["agrees"]
    assert report["check"]["runs"] == 24
    text = flexura(*words).stdout
    assert "by section.wall.EI" in text
    assert "tip.y [m]" in text


def test_both_ways(flexura):
    words = ["gradient", SCENE, *SHORT, "--of", "tip.y", "--with", "section.wall.EI", "--json"]
    there = json.loads(flexura(*words, "--way", "forwards").stdout)["jacobian"][0][0][0]
    report = json.loads(flexura(*words, "--way", "backwards", "-o", "slopes.json").stdout)
    assert report["way"] == "backwards"
    assert report["jacobian"][0][0][0] == pytest.approx(there, rel=1e-9)
    assert json.loads((flexura.folder / "slopes.json").read_text(encoding="utf-8")) == report


def test_modes(flexura):
    scene = str(ROOT / "examples/modes.toml")
    words = ["gradient", scene, "--set", "analysis.sag.end=0.01", "--with", "section.strip.EI", "--json"]
    straight = json.loads(flexura(*words).stdout)["modes"][0]
    assert straight["analysis"] == "straight"
    # Of 20 elements the fastest stretch has 4e7 times the square of the lowest frequency: its rounding is left in vectors.
    lowest = straight["frequencies"][0]
    for frequency, slope in zip(straight["frequencies"], straight["slopes"]):
        rounding = 10 * 2.2e-16 * 4e7 * (lowest / frequency) ** 2 + 1e-10
        assert slope[0] == pytest.approx(frequency / 2, rel=rounding)  # EI is 1 N m^2


def test_modes_have_the_same_numbers_everywhere(flexura):
    scene = str(ROOT / "examples/modes.toml")
    words = ["gradient", scene, "--set", "analysis.sag.end=0.01", "--with", "section.strip.EI", "--check"]
    text, report = flexura(*words).stdout, json.loads(flexura(*words, "--json").stdout)
    first = report["modes"][0]
    assert first["first_of_equal"] == list(range(1, len(first["frequencies"]) + 1))
    compared = [c["of"] for c in report["check"]["comparisons"]]
    assert "straight mode 1" in compared
    assert "straight mode 0" not in compared
    assert all(f"{of} by section.strip.EI" in text for of in compared)


def test_numbers_and_what_is_none(flexura):
    numbers = {n["path"]: n for n in json.loads(flexura("gradient", SCENE, "--numbers", "--json").stdout)}
    assert numbers["section.wall.EI"]["unit"] == "N m^2"
    assert "is required" in flexura("gradient", SCENE, status=BAD_INPUT).stderr
    wrong = flexura(
        "gradient", SCENE, "--with", "section.wal.EI", "--with", "cable.actuator.elements", status=BAD_INPUT
    )
    assert 'nearest: "wall"' in wrong.stderr
    both = flexura("gradient", SCENE, "--of", "tip_velocty", "--with", "section.wal.EI", status=BAD_INPUT)
    assert 'nearest: "wall"' in both.stderr
    assert 'nearest: "tip_velocity"' in both.stderr
    counts = flexura("gradient", SCENE, "--with", "cable.actuator.elements", status=BAD_INPUT)
    assert "must be a whole number" in counts.stderr
    touch = flexura("gradient", str(ROOT / "examples/balls.toml"), "--with", "gravity[2]", status=BAD_INPUT)
    assert "what comes to touch and lets go has none" in touch.stderr
