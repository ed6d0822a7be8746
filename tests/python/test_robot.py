"""Robots from URDF files."""

from pathlib import Path

import flexura as fx
import pytest

examples = Path(__file__).resolve().parents[2] / "examples"


def test_a_robot_is_a_scene_that_can_be_edited_and_runs():
    scene = fx.from_urdf(examples / "six_axis_arm.urdf", joints={"joint_2": 0.4}, limits="none")
    assert list(scene.body) == [
        "base_link",
        "shoulder",
        "upper_arm",
        "elbow",
        "forearm",
        "wrist",
        "flange",
        "tool0",
    ]
    scene.body.flange.m = "0.5 kg"
    scene.analysis.move.end = 0.01
    result = fx.simulate(scene)
    assert result["joint_2"].angle[0] == pytest.approx(0.4, abs=1e-12)


def test_what_is_left_out_is_a_warning():
    with pytest.warns(fx.SimulationWarning, match="left out: <transmission>"):
        fx.from_urdf(written("<transmission/>"))


def test_what_is_wrong_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(fx.SceneError) as error:
        fx.from_urdf(written('<joint name="j" type="hinge"><parent link="a"/><child link="b"/></joint>'))
    assert 'there is no joint of type "hinge"' in str(error.value)
    assert error.value.problems[0].line == 2
    with pytest.raises(fx.SceneError, match='the robot has no joint "k"'):
        fx.from_urdf(written(""), joints={"k": 1})
    with pytest.raises(FileNotFoundError):
        fx.from_urdf("none.urdf")
    with pytest.raises(ValueError, match="base"):
        fx.from_urdf(written(""), base="loose")


def test_a_robot_is_used_in_a_scene():
    scene = fx.Scene(space="spatial", gravity=[0, 0, -9.81])
    scene.use.arm = fx.Use(urdf=examples / "six_axis_arm.urdf", set={"joint.joint_1.angle": "= t"})
    scene.sensor.drive = fx.DriveTorqueSensor(of="arm.joint_1")
    scene.analysis.move = fx.DynamicAnalysis(end=0.01, step=1e-3)
    assert len(fx.simulate(scene)["drive"].drive_torque) == 11


def written(inside: str) -> str:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    Path("robot.urdf").write_text(f'<robot name="r"><link name="a">{inertial}</link>\n{inside}</robot>')
    return "robot.urdf"


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
