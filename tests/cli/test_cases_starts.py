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


FOLLOWER = """<robot name="r"><link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.2 0 0"/><axis xyz="0 0 1"/>
<mimic joint="j1" multiplier="{ratio}" offset="{offset}"/></joint></robot>"""


# Nothing acts: both joints stay where the first one is stated, to 8 rounding errors of the angles.
@pytest.mark.parametrize("degrees", [-350, -250, -190, 190, 200, 350])
@pytest.mark.parametrize(("ratio", "offset"), [(-2.5, 1.9), (2, 0), (0.5, 0.3), (-1, 0)])
def test_a_joint_that_follows_another_starts_in_its_revolution(flexura, degrees, ratio, offset):
    flexura.write("r.urdf", FOLLOWER.format(ratio=ratio, offset=offset))
    flexura.write(
        "scene.toml",
        f'space = "spatial"\n[use.r]\nurdf = "r.urdf"\njoints = {{ j1 = "{degrees} deg" }}\n'
        + "".join(f'[sensor.{s}]\ntype = "angle"\nof = "r.{j}"\n' for s, j in (("a", "j1"), ("b", "j2")))
        + '[[analysis]]\nname = "go"\ntype = "dynamic"\nend = 0.01\nstep = 1e-3\n',
    )
    end = {name: s["last"] for name, s in flexura.summary("scene.toml", "-o", "out")["sensors"].items()}
    first = math.radians(degrees)
    assert end["a"] == pytest.approx(first, abs=1e-12)
    assert end["b"] == pytest.approx(ratio * first + offset, abs=1e-12)


# ---- messages ------------------------------------------------------------------------------------------------------

# The body starts at 200 degrees and its joint's angle there; assembled, it is turned and nothing is moved.
TURNED = """
assemble = true
space = "planar"
[body.p]
m = 1
inertia = 0.01
initial = { angle = 3.490658503988659 }
[body.q]
position = [1, 0]
m = 1
inertia = 0.01
initial = { position = [1, 0], angle = -3.490658503988659 }
[joint.a]
type = "revolute"
of = ["ground", "p"]
[joint.b]
type = "revolute"
of = ["ground", "q"]
at = [1, 0]
[joint.g]
type = "gear"
first = "a"
second = "b"
ratio = -1
offset = 0.5
[[analysis]]
name = "x"
type = "dynamic"
end = 0.01
step = 0.001
"""


def test_what_turns_at_the_start_is_said_in_radians(flexura):
    flexura.write("scene.toml", TURNED)
    (start,) = [line for line in flexura("check", "scene.toml").stdout.splitlines() if line.startswith("  start")]
    assert "turned by" in start and "rad (" in start and "degrees) at most" in start and " m " not in start
    flexura.write("scene.toml", TURNED.replace("assemble = true", ""))
    refused = flexura("check", "scene.toml", status=2).stderr
    assert "would turn by" in refused and "rad (" in refused and "change direction" not in refused


# About z a hinge keeps the rotation alone. What is left of the others is rounding, 1e-16 and less: printed as 0.
def test_velocities_are_printed_without_rounding(flexura):
    flexura.write(
        "scene.toml",
        """
space = "spatial"
[body.b]
m = 1
inertia = [1, 1, 1]
position = [0.3, 0.4, 0.5]
velocity = [1, 0, 0]
angular_velocity = [0, 5, 20]
[joint.h]
type = "revolute"
of = ["ground", "b"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[analysis]]
name = "a"
type = "dynamic"
end = 0.01
step = 0.01
""",
    )
    reported = flexura("check", "scene.toml").stderr
    assert "(-6.272, 4.704, 0) kept" in reported and "(0, 0, 15.68) kept" in reported
