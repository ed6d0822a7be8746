"""Scenes whose joints start beyond a quarter of a revolution: what sensors say is where the bodies are."""

import math
import pathlib

import pytest

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases"


def last(flexura, case: str, warnings: int = 0) -> dict:
    summary = flexura.summary(CASES / case, "-o", "out")
    assert summary["status"] == "finished"
    assert len(summary["warnings"]) == warnings, summary["warnings"]
    return {name: sensor["last"] for name, sensor in summary["sensors"].items()}


def tip(angle: float, x: float = 0, length: float = 0.1) -> list[float]:
    return [x + length * math.cos(angle), length * math.sin(angle)]


# Exact kinematics; positions are closed to 8 rounding errors of the model's size.
@pytest.mark.parametrize(
    ("case", "angle"),
    [
        ("start_180", math.pi + 0.3),
        ("start_90_assemble", math.pi / 2 + 0.3),
        ("start_120_assemble", 2 * math.pi / 3 + 0.3),
    ],
)
def test_a_prescribed_crank_starts_where_its_angle_says(flexura, case, angle):
    end = last(flexura, f"starts/{case}.toml")
    assert end["a"] == pytest.approx(angle, abs=1e-14)
    assert end["tip"] == pytest.approx(tip(angle), abs=1e-14)


def test_a_gear_starts_with_its_offset(flexura):
    end = last(flexura, "starts/start_gear_offset.toml")
    assert end["b"] == pytest.approx(2.2, abs=1e-14)
    assert end["q"] == pytest.approx(tip(2.2, x=1), abs=1e-14)


# The servo leaves exp(-kp t/kd) of its way, 5e-131; Newton's method 1e-8 of the largest force.
@pytest.mark.parametrize(("case", "target"), [("servo_flip", 1), ("servo_flip_quiet", 0.5)])
def test_a_servo_brings_a_light_link_to_its_target(flexura, case, target):
    end = last(flexura, f"starts/{case}.toml", warnings=case == "servo_flip")  # of the step, too long for the servo
    assert end["angle"] == pytest.approx(target, abs=1e-9)
    assert end["center"] == pytest.approx(tip(target, length=0.015), abs=1e-10)


# GJ phi/L. An element that is twisted by x is off by 0.013 x^4 (measured from 0.05 to 0.7 rad): 1.2e-6 here.
def test_statics_winds_a_shaft_by_a_quarter_of_a_revolution(flexura):
    end = last(flexura, "starts/twist_quarter_turn.toml")
    assert end["a"] == pytest.approx(math.pi / 2, abs=1e-14)
    assert end["T"] == pytest.approx(5 * math.pi / 2, rel=2e-6)
    assert abs(end["rm"][0]) == pytest.approx(5 * math.pi / 2, rel=2e-6)


# It starts at its target and nothing moves: what rounding of sines leaves over 0.2 s.
def test_a_robot_starts_in_the_revolution_that_is_stated(flexura):
    end = last(flexura, "turns/turns_urdf_servo.toml")
    first, second = math.radians(200), math.radians(-150)
    assert end["a1"] == pytest.approx(first, abs=1e-12)
    assert end["a2"] == pytest.approx(second, abs=1e-12)
    there = [
        0.4 * math.cos(first) + 0.3 * math.cos(first + second),
        0.4 * math.sin(first) + 0.3 * math.sin(first + second),
    ]
    assert end["t"][:2] == pytest.approx(there, abs=1e-12)
