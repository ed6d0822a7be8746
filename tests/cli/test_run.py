"""`flexura run`: folders, summary, changes from the command line, failures."""

import json
import os
import pty
import re
import subprocess

import h5py
import pytest
from conftest import BAD_INPUT, IO_FAILURE, OK, PROGRAM, UNSUCCESSFUL
from results import differences, not_finite


def test_results_go_to_a_folder_named_after_the_scene(pendulum):
    done = pendulum("run", "pendulum.toml")
    folder = pendulum.folder / "pendulum"
    for name in ("run.journal", "results.h5", "bob.csv", "tension.csv", "energy.csv"):
        assert (folder / name).stat().st_size > 0
    assert "finished at t = 5 s" in done.stdout
    assert "wrote        pendulum/results.h5" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr, "no terminal, no control characters"


def test_run_is_not_overwritten_without_force(pendulum):
    pendulum("run", "pendulum.toml")
    before = (pendulum.folder / "pendulum/results.h5").read_bytes()
    done = pendulum("run", "pendulum.toml", "--set", "parameters.L=2", status=BAD_INPUT)
    assert "holds a run already" in done.stderr
    for way in ("--force", "--resume", "--output"):
        assert way in done.stderr
    assert (pendulum.folder / "pendulum/results.h5").read_bytes() == before
    pendulum("run", "pendulum.toml", "--set", "parameters.L=2", "--force")
    assert (pendulum.folder / "pendulum/results.h5").read_bytes() != before


def test_json_summary_is_alone_on_stdout(pendulum):
    done = pendulum("run", "pendulum.toml", "--json", "--output", "a/b")
    summary = json.loads(done.stdout)
    assert summary["status"] == "finished"
    bob = summary["sensors"]["bob"]
    assert bob["unit"] == "m"
    # Let go at y = 0 on a rod of 1 m: the lowest point is y = -1.
    assert bob["min"][1] == pytest.approx(-1, abs=2e-5)
    assert bob["max"][1] == pytest.approx(0, abs=2e-5)
    assert len(bob["last"]) == 2
    assert "a/b/results.h5" in summary["files"]
    assert summary["real_time_factor"] > 1


def test_set_changes_the_run_and_is_kept_with_its_results(pendulum):
    summary = pendulum.summary("pendulum.toml", "--set", "parameters.L=0.5", "--set", 'analysis.swing.end="1 s"')
    assert summary["t"] == 1
    assert summary["sensors"]["bob"]["min"][1] == pytest.approx(-0.5, abs=1e-4)
    with h5py.File(pendulum.folder / "pendulum/results.h5") as file:
        assert "L = 0.5" in file["/scene/effective"].asstr()[()]
        assert "L = 1.0" in file["/scene/text"].asstr()[()]


def test_files_that_the_scene_reads_are_kept_with_its_results(flexura):
    flexura("example", "soft_actuator")
    flexura("run", "soft_actuator.toml", "--set", "analysis.move.end=0.1", "--no-csv")
    with h5py.File(flexura.folder / "soft_actuator/results.h5") as file:
        kept = file["/scene/files/pressure.csv"][()].tobytes()
    assert kept == (flexura.folder / "pressure.csv").read_bytes()
    assert not list((flexura.folder / "soft_actuator").glob("*.csv"))


def test_plots_and_frames_are_written_when_asked_for(flexura):
    flexura("example", "release")
    flexura("run", "release.toml", "--plots", "--vtk")
    folder = flexura.folder / "release"
    assert (folder / "tip.svg").read_text(encoding="utf-8").startswith(("<svg", "<?xml"))
    assert list(folder.glob("*.pvd"))
    assert list(folder.glob("*/*.vtu"))


def test_quiet_prints_nothing(pendulum):
    done = pendulum("run", "pendulum.toml", "--quiet")
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("scene", ["soft_actuator", "pendulum", "adaptive_step", "modes"])
def test_results_do_not_depend_on_threads_and_are_finite(flexura, scene):
    flexura("example", scene)
    flexura("run", f"{scene}.toml", "--output", "one", "--threads", 1, "--quiet")
    flexura("run", f"{scene}.toml", "--output", "two", "--threads", 2, "--quiet")
    one, two = (flexura.folder / name / "results.h5" for name in ("one", "two"))
    assert differences(one, two) == []
    assert not_finite(one) == []


def test_threads_do_not_change_contacts(flexura):
    flexura("example", "balls")
    for threads in (1, 2, 3):
        flexura("run", "balls.toml", "--output", threads, "--threads", threads, "--quiet", "--no-report")
    one, two, three = (flexura.folder / str(threads) / "results.h5" for threads in (1, 2, 3))
    assert differences(one, two) == []
    assert differences(one, three) == []
    assert not_finite(one) == []


def test_threads_do_not_change_a_model_of_many_elements(flexura):
    flexura("example", "prescribed_motion")
    for folder, threads in (("one", 1), ("two", 2)):
        changes = ("--set", "cable.cord.elements=400", "--set", "analysis.shake.end=0.1")
        flexura("run", "prescribed_motion.toml", "--output", folder, "--threads", threads, "--quiet", *changes)
    assert differences(flexura.folder / "one/results.h5", flexura.folder / "two/results.h5") == []


def test_failing_run_keeps_what_it_has_computed(flexura):
    # One iteration: Newton does not get there, in pieces of the step neither.
    flexura("example", "release")
    changes = ("--set", "analysis.swing.step=0.01", "--set", "analysis.swing.max_iterations=1")
    done = flexura("run", "release.toml", "--json", *changes, status=UNSUCCESSFUL)
    summary = json.loads(done.stdout)
    assert summary["status"] == "failed"
    assert "newton: no convergence at t = " in done.stderr
    assert "try: analysis.swing.step <= " in done.stderr
    with h5py.File(flexura.folder / "release/results.h5") as file:
        assert file.attrs["status"].startswith("failed: newton")
        assert len(file["/analysis/hang/load_factor"]) > 1
        assert file["/sensors/tip/t"][-1] == pytest.approx(0.2)
    assert not_finite(flexura.folder / "release/results.h5") == []


# A pendulum that swings in steps of a sixth of its period, with the strongest numerical damping.
def test_energy_that_the_integration_takes_out_is_a_warning(pendulum):
    changes = ("--set", "analysis.swing.step=0.3", "--set", "analysis.swing.integrator.rho_inf=0")
    summary = pendulum.summary("pendulum.toml", *changes)
    assert len(summary["warnings"]) == 1
    assert "the integration took out" in summary["warnings"][0]


def test_missing_scene_is_a_failure_of_files(flexura):
    done = flexura("run", "nothing.toml", status=IO_FAILURE)
    assert "nothing.toml" in done.stderr


def test_folder_that_cannot_be_made_is_a_failure_of_files(pendulum):
    pendulum.write("taken", "a file")
    done = pendulum("run", "pendulum.toml", "--output", "taken/results", status=IO_FAILURE)
    assert "taken/results" in done.stderr


def test_full_disk_is_a_failure_of_files(pendulum):
    # A limit on the size of files stands for a disk that is full.
    command = f"ulimit -f 200; trap '' XFSZ; exec {PROGRAM} run pendulum.toml"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=pendulum.folder, check=False)
    assert done.returncode == IO_FAILURE, done.stderr
    assert "run.journal" in done.stderr


def test_wrong_scene_says_where_and_what(pendulum):
    text = (pendulum.folder / "pendulum.toml").read_text(encoding="utf-8")
    pendulum.write("wrong.toml", text.replace('at = "bob"', 'at = "bub"').replace('"1 kg"', '"-1 kg"'))
    done = pendulum("run", "wrong.toml", status=BAD_INPUT)
    assert 'nearest: "bob"' in done.stderr
    assert "^~~" in done.stderr
    assert "wrong.toml:" in done.stderr
    assert "2 errors" in done.stderr
    assert not (pendulum.folder / "wrong").exists(), "nothing is made for a scene that is wrong"


@pytest.mark.parametrize(
    "arguments", [("run",), ("run", "a.toml", "--thread"), ("jump",), ("run", "a.toml", "--threads", "0")]
)
def test_wrong_command_line(flexura, arguments):
    flexura(*arguments, status=BAD_INPUT)


def test_help_and_version(flexura):
    assert flexura("--version").stdout.startswith("flexura ")
    text = flexura("--help", status=OK).stdout
    for command in ("run", "check", "example", "info", "reproduce", "schema", "completion"):
        assert f"\n  {command} " in text
    assert "Exit status" in text
    assert "--resume" in flexura("run", "--help").stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission_is_a_failure_of_files(pendulum):
    (pendulum.folder / "closed").mkdir(mode=0o500)
    pendulum("run", "pendulum.toml", "--output", "closed", status=IO_FAILURE)


def test_terminal_shows_one_line_that_is_overwritten(pendulum):
    terminal, other_end = pty.openpty()
    command = [PROGRAM, "run", "pendulum.toml", "--set", "analysis.swing.end=300"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=other_end, cwd=pendulum.folder)
    os.close(other_end)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    assert process.wait() == OK
    text = shown.decode()
    assert "\n" not in text
    assert re.search(
        r"\rswing  \[#*\.*\]  +\d+ %  [0-9.]+ of 300 s, [0-9.e+]+ x real time, [0-9.]+ s left\x1b\[K", text
    )
    assert text.endswith("\r\x1b[K"), "the line is gone at the end"


def test_without_a_terminal_progress_is_plain_lines(flexura):
    flexura("example", "soft_actuator")
    done = flexura(
        "run", "soft_actuator.toml", "--set", "analysis.move.end=100", "--set", "output.interval=1", "--no-csv"
    )
    lines = [line for line in done.stderr.splitlines() if "real time" in line]
    assert all(line.startswith("move ") and "[" not in line for line in lines)
    assert len(lines) <= 11


PRESCRIBED = """
space = "planar"
[point.p]
position = ["= sqrt(0.05)", 0]
[mass.m]
at = "p"
m = 1.0
[joint.j]
type = "prescribed"
of = ["ground", "p"]
x = "= sqrt(0.05 - t)"
y = 0
[sensor.p]
type = "position"
at = "p"
[[analysis]]
name = "go"
type = "dynamic"
end = 0.1
step = "1 ms"
"""


def test_a_motion_that_is_no_number_fails_where_nothing_is_free(flexura):
    # Newton's method had nothing to solve, and so nothing that did not converge.
    flexura.write("still.toml", PRESCRIBED)
    summary = flexura.summary("still.toml", status=UNSUCCESSFUL)
    assert summary["status"] == "failed"
    assert "no finite rate at t = 0.05 s" in summary["message"]
    assert summary["t"] == pytest.approx(0.049)
    assert not_finite(flexura.folder / "still/results.h5") == []


MOTOR = """
space = "planar"
gravity = [0, -9.81]
[body.arm]
position = [0, 0]
m = 1.0
center = [0.5, 0]
inertia = 0.1
points = { tip = [1, 0] }
[joint.hinge]
type = "revolute"
of = ["ground", "arm"]
[load.motor]
type = "moment"
at = "arm"
moment = 1e7
[[analysis]]
name = "go"
type = "dynamic"
end = "4 ms"
step = "1 ms"
integrator = { type = "rk4", stabilisation = "baumgarte" }
"""


def test_an_open_joint_is_no_result(flexura):
    # A moment of 1e7 N m puts the tip of the arm of 1 m into 67 m, 233 m after a step; that was finished.
    flexura.write("motor.toml", MOTOR)
    message = flexura.summary("motor.toml", status=UNSUCCESSFUL)["message"]
    assert "joints are not kept at t = 0.001 s" in message
    assert "try: analysis.go.step <= 0.0001 s" in message


TWO_MASSES = """
space = "planar"
[point.a]
position = [0, 0]
[point.b]
position = [0, 0]
[mass.a_mass]
at = "a"
m = 1
[mass.b_mass]
at = "b"
m = 1
[spring.s]
type = "linear"
between = ["a", "b"]
stiffness = 10
free_length = 1
[[analysis]]
name = "go"
type = "dynamic"
end = 0.1
step = 1e-3
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ([], "the forces on 'a' are no finite numbers at t = 0 s"),
        (
            ["point.b.position=[1,0]", "mass.a_mass.m=1e-300", "spring.s.stiffness=1e200", "spring.s.free_length=0"],
            "forces up to 1e+200 N are beyond the range of numbers",
        ),
    ],
)
def test_a_start_without_accelerations_says_why(flexura, change, message):
    # All of them were "the mass matrix is singular".
    flexura.write("two.toml", TWO_MASSES)
    settings = [word for one in change for word in ("--set", one)]
    summary = flexura.summary("two.toml", *settings, status=UNSUCCESSFUL)
    assert message in summary["message"]
    assert "mass matrix" not in summary["message"]


def test_a_light_shaft_turns_into_one_without_mass(flexura):
    # Below 0.3 kg/m^3 it was refused: what keeps directors orthonormal drowned their masses in the matrix of the start.
    flexura("example", "block_on_beam")
    heights = []
    for rho in (0.2, 1e-3, 1e-9):
        summary = flexura.summary("block_on_beam.toml", "--force", "--set", f"material.spring_steel.rho={rho}")
        heights.append(summary["sensors"]["block"]["last"][2])
    # The shaft of 0.2 kg/m^3 weighs 8e-6 of the block.
    assert heights[0] == pytest.approx(heights[2], rel=1e-4)
    assert heights[1] == pytest.approx(heights[2], rel=1e-6)


def test_one_step_may_be_as_long_as_the_analysis_but_for_rounding(pendulum):
    text = (pendulum.folder / "pendulum.toml").read_text(encoding="utf-8")
    head, _, _ = text.partition("[[analysis]]")
    parts = "".join(
        f'[[analysis]]\nname = "{name}"\ntype = "dynamic"\nend = {end}\nstep = 0.1\n'
        for name, end in (("a", 0.7), ("b", 0.7999999999999999))
    )
    pendulum.write("two.toml", head + parts)
    assert pendulum.summary("two.toml")["steps"] == 8


# The squares of these velocities are no numbers: "forces up to 9.8 N" said nothing, "nan J, nan %" less.
@pytest.mark.parametrize(
    ("motion", "status", "said"),
    [
        ("angular_velocity = 1e160", UNSUCCESSFUL, "velocities up to 1e+160 m/s"),
        ("velocity = [1e160, 0]", OK, "energies are beyond"),
    ],
)
def test_motions_beyond_the_range_of_numbers_are_named(flexura, motion, status, said):
    flexura.write(
        "fast.toml",
        f"""space = "planar"
gravity = [0, -9.81]
body.disc = {{ m = 1, inertia = 1, {motion} }}
analysis = [{{ name = "go", type = "dynamic", end = 0.1, step = 1e-3 }}]
""",
    )
    message = flexura("run", "fast.toml", status=status).stderr
    assert said in message and "nan" not in message
