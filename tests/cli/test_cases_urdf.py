"""URDF files whose faults are of things that a scene does not use: they are warnings, and the robot runs."""

import pathlib

import pytest

CASES = pathlib.Path(__file__).resolve().parent.parent / "cases" / "urdf"


# Each file, options of `flexura convert`, and a text that the warnings hold; "" where nothing is to be said.
@pytest.mark.parametrize(
    ("case", "options", "warning"),
    [
        ("zero_box", [], "the size of a box must be > 0; this is 0 0 0; this <visual> is left out"),
        ("zero_cyl", [], "the length of a cylinder must be > 0; this is 0; this <visual> is left out"),
        ("zero_sphere", [], "the radius of a sphere must be > 0; this is 0; this <collision> is left out"),
        ("plane_geometry", [], "<geometry> holds <plane>"),
        ("visual_no_geometry", [], "<visual> has no <geometry>; this <visual> is left out"),
        ("scale_one", [], '"scale" of <mesh> has 1 value: it is that of all three axes'),
        ("color_three", [], '"rgba" of <color> has 3 values: they are red, green and blue'),
        ("commas", [], '"rpy" of <origin>: the comma in "0.2," is left out; numbers are separated by spaces'),
        (
            "lower_above_upper",
            ["--limits", "none"],
            "the lower limit 1 is above the upper one, -1; limits are left out",
        ),
        ("no_inertia_fixed", [], "<inertial> has no <inertia>: the mass is taken as a point"),
        ("no_inertia_element", ["--inertia", "mended"], "inertia is mended: b has moments of"),
        ("latin1", [], ""),
        ("trailing_nul", [], "null bytes follow the text; they are left out"),
        ("planar_dyn", [], "damping of <dynamics> of planar joints"),
        ("floating_dyn", [], "friction of <dynamics> of floating joints"),
    ],
)
def test_faults_of_what_is_not_used_are_warnings(flexura, case, options, warning):
    done = flexura("convert", CASES / f"{case}.urdf", "-o", "robot.toml", *options)
    assert warning in done.stderr
    assert bool(warning) == ("warning" in done.stderr)
    assert flexura.summary("robot.toml", "-o", "out")["status"] == "finished"


@pytest.mark.parametrize("case", ["latin1", "trailing_nul", "zero_box"])
def test_the_same_files_are_used_in_scenes(flexura, case):
    flexura.write(
        "scene.toml",
        f'space = "spatial"\n[use.arm]\nurdf = "{CASES / case}.urdf"\n'
        '[[analysis]]\nname = "move"\ntype = "dynamic"\nend = 0.01\nstep = 1e-3\n',
    )
    assert flexura.summary("scene.toml", "-o", "out")["status"] == "finished"
