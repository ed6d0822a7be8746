"""Runs that are stopped: Ctrl-C, SIGTERM, SIGKILL; and how they go on."""

import os
import pathlib
import random
import resource
import signal
import struct
import time

import h5py
import pytest
from conftest import BAD_INPUT, INTERRUPTED
from kill_resume import killed_run, resume
from results import differences, not_finite

LONG = ("--set", "analysis.swing.end=300")  # s; about half a second of computing


def start_and_signal(flexura, number, *arguments):
    """Runs the pendulum, signals it once its journal grows, and returns the finished process."""
    journal = flexura.folder / "pendulum/run.journal"
    process = flexura.start("run", "pendulum.toml", *arguments)
    while process.poll() is None and not (journal.exists() and journal.stat().st_size > 1 << 20):
        time.sleep(0.002)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_keeps_its_results_and_goes_on_to_the_same_bits(pendulum, number):
    pendulum("run", "pendulum.toml", "--output", "whole", "--quiet", *LONG)
    status, out, err = start_and_signal(pendulum, number, *LONG)
    assert status == INTERRUPTED
    assert "interrupted at t = " in err
    assert "go on with: flexura run pendulum.toml --resume" in err
    assert "interrupted at t = " in out
    with h5py.File(pendulum.folder / "pendulum/results.h5") as file:
        assert file.attrs["status"] == "interrupted"
        assert 0 < file["/sensors/bob/t"][-1] < 300
    assert (pendulum.folder / "pendulum/bob.csv").exists()
    done = pendulum("run", "pendulum.toml", "--resume")  # --set comes from the journal
    assert "going on from t = " in done.stderr
    assert differences(pendulum.folder / "whole/results.h5", pendulum.folder / "pendulum/results.h5") == []
    whole, again = ((pendulum.folder / name / "bob.csv").read_bytes() for name in ("whole", "pendulum"))
    assert whole == again


@pytest.mark.parametrize(
    "scene",
    [
        "soft_actuator",
        "pendulum",
        "adaptive_step",
        "signals",
        "prescribed_motion",
        "modes",
        "stick_slip",
        "relaxation",
        "balls",
    ],
)
def test_killed_runs_go_on_to_the_same_bits(flexura, scene):
    flexura("example", scene)
    path = flexura.folder / f"{scene}.toml"
    begin = time.monotonic()
    flexura("run", path, "--output", "whole", "--quiet")
    duration = time.monotonic() - begin
    chance = random.Random(scene)
    for k in range(3):
        folder = flexura.folder / f"killed{k}"
        killed_run(path, folder, chance.uniform(0.2, 1) * duration, [])
        if not (folder / "run.journal").exists():
            continue
        resume(path, folder)
        assert differences(flexura.folder / "whole/results.h5", folder / "results.h5") == []
    assert not_finite(flexura.folder / "whole/results.h5") == []


def ends_of_checkpoints(journal: bytes) -> list[int]:
    """Places right behind the records of kind 6 (docs/results-format.md)."""
    ends, at = [], 32
    while at < len(journal):
        kind, _, words, _ = struct.unpack_from("<4I", journal, at)
        at += 16 + 8 * words
        if kind == 6:
            ends.append(at)
    return ends


# Also those between two analyses (hang, move) and at the release, where the model changes.
@pytest.mark.parametrize(
    ("scene", "change"),
    [
        ("soft_actuator", 'analysis.move.checkpoint="1 s"'),
        ("modes", 'analysis.sag.checkpoint="0.2 s"'),
        ("adaptive_step", 'analysis.kick.checkpoint="0.3 s"'),
        ("prescribed_motion", 'analysis.shake.checkpoint="1 s"'),
        ("stick_slip", 'analysis.ride.checkpoint="0.5 s"'),
        ("relaxation", 'analysis.hold.checkpoint="2 s"'),
        ("balls", 'analysis.fall.checkpoint="0.1 s"'),
    ],
)
def test_every_checkpoint_leads_to_the_same_bits(flexura, scene, change):
    flexura("example", scene)
    flexura("run", f"{scene}.toml", "--set", change, "--quiet", "--no-csv")
    journal = flexura.folder / scene / "run.journal"
    whole = flexura.folder / "whole.h5"
    (flexura.folder / scene / "results.h5").rename(whole)
    data = journal.read_bytes()
    ends = ends_of_checkpoints(data)
    assert len(ends) >= 6
    for end in ends:
        journal.write_bytes(data[:end])
        flexura("run", f"{scene}.toml", "--resume", "--quiet", "--no-csv")
        assert differences(whole, flexura.folder / scene / "results.h5") == [], f"checkpoint {ends.index(end) + 1}"


def test_finished_run_is_made_again_by_resume(pendulum):
    # As after a kill between the journal's last record and the results file.
    pendulum("run", "pendulum.toml", "--quiet")
    results = pendulum.folder / "pendulum/results.h5"
    results.rename(pendulum.folder / "kept.h5")
    summary = pendulum.summary("pendulum.toml", "--resume")
    assert summary["status"] == "finished"
    assert summary["steps"] == 5000
    assert summary["sensors"]["bob"]["min"][1] == pytest.approx(-1, abs=1e-4)
    assert differences(pendulum.folder / "kept.h5", results) == []


def test_resume_refuses_a_scene_that_has_changed(flexura):
    flexura("example", "soft_actuator")
    flexura("run", "soft_actuator.toml", "--quiet", "--set", "analysis.move.end=1")
    scene, table = flexura.folder / "soft_actuator.toml", flexura.folder / "pressure.csv"
    text = scene.read_text(encoding="utf-8")
    scene.write_text(text.replace('EA   = "2 kN"', 'EA   = "3 kN"'), encoding="utf-8")
    line = 1 + text[: text.index('EA   = "2 kN"')].count("\n")
    done = flexura("run", "soft_actuator.toml", "--resume", status=BAD_INPUT)
    assert f"soft_actuator.toml:{line}: the scene differs from that of the stopped run" in done.stderr
    scene.write_text(text, encoding="utf-8")

    rows = table.read_text(encoding="utf-8")
    table.write_text(rows.replace("0.0000,15.000", "0.0000,15.001"), encoding="utf-8")
    done = flexura("run", "soft_actuator.toml", "--resume", status=BAD_INPUT)
    assert "pressure.csv:3: the file differs" in done.stderr
    table.write_text(rows, encoding="utf-8")

    done = flexura("run", "soft_actuator.toml", "--resume", "--set", "analysis.move.end=2", status=BAD_INPUT)
    assert "--set differs" in done.stderr
    flexura("run", "soft_actuator.toml", "--resume", "--set", "analysis.move.end=1", "--quiet")


def test_resume_without_a_run(pendulum):
    done = pendulum("run", "pendulum.toml", "--resume", status=BAD_INPUT)
    assert "there is no stopped run" in done.stderr


def test_resume_excludes_force(pendulum):
    pendulum("run", "pendulum.toml", "--resume", "--force", status=BAD_INPUT)


def test_run_that_begins_again_keeps_its_text_and_what_was_set(pendulum):
    pendulum("run", "pendulum.toml", "--quiet", "--set", "analysis.swing.end=0.5")
    journal = pendulum.folder / "pendulum/run.journal"
    whole = pendulum.folder / "whole.h5"
    (pendulum.folder / "pendulum/results.h5").rename(whole)
    data = journal.read_bytes()
    before = data[: ends_of_checkpoints(data)[0] - 8]
    for _ in range(2):  # what begins again may be killed and begin again
        journal.write_bytes(before)
        done = pendulum("run", "pendulum.toml", "--resume")
        assert "beginning again" in done.stderr
        assert differences(whole, pendulum.folder / "pendulum/results.h5") == []
        data = journal.read_bytes()
        before = data[: ends_of_checkpoints(data)[0] - 8]


def test_info_of_a_run_killed_behind_its_results_is_that_of_the_journal(pendulum):
    pendulum("run", "pendulum.toml", "--quiet")
    journal, results = (pendulum.folder / "pendulum" / name for name in ("run.journal", "results.h5"))
    assert f"file         pendulum/{results.name}" in pendulum("info", "pendulum").stdout
    journal.write_bytes(journal.read_bytes()[:-8])
    os.utime(results, (1, 1))
    said = pendulum("info", "pendulum").stdout
    assert f"file         pendulum/{journal.name}" in said
    assert "unfinished" in said


def test_run_killed_before_its_first_checkpoint_begins_again(pendulum):
    pendulum("run", "pendulum.toml", "--quiet")
    journal = pendulum.folder / "pendulum/run.journal"
    whole = pendulum.folder / "whole.h5"
    (pendulum.folder / "pendulum/results.h5").rename(whole)
    data = journal.read_bytes()
    for size in (0, 32, 6000):
        journal.write_bytes(data[:size])
        done = pendulum("run", "pendulum.toml", "--resume")
        assert "beginning" in done.stderr
        assert differences(whole, pendulum.folder / "pendulum/results.h5") == []


def test_a_resumed_run_tells_what_the_undisturbed_one_told(flexura):
    # Warnings of the start and of statics, critical points, degrees of freedom: /meta differed in 83 of 1000 kills.
    flexura("example", "soft_actuator")
    flexura("example", "bricard")
    for scene, set_ in (("bricard", []), ("soft_actuator", ["--set", "analysis.move.end=0.5"])):
        whole = flexura.summary(f"{scene}.toml", *set_)
        folder = flexura.folder / scene
        (folder / "results.h5").rename(flexura.folder / "kept.h5")
        journal = folder / "run.journal"
        data = journal.read_bytes()
        for end in ends_of_checkpoints(data)[:: max(1, len(ends_of_checkpoints(data)) // 4)]:
            journal.write_bytes(data[:end])
            again = flexura.summary(f"{scene}.toml", "--resume")
            for key in ("warnings", "critical_points", "model", "initial_move", "violation"):
                assert again[key] == whole[key], key
            assert differences(flexura.folder / "kept.h5", folder / "results.h5") == []


def processor_time(pid: int) -> float:
    """Of a running process, s: user and system, fields 14 and 15 of its stat."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def of_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def stopped_soon(flexura, *arguments, after: float):
    """Starts a run, interrupts it when it has computed for `after` s and returns for how long it went on computing, and its messages.

    Processor time, not that of the clock: other programs may have the machine.
    """
    before = of_children()
    process = flexura.start("run", *arguments)
    while process.poll() is None and processor_time(process.pid) < after:
        time.sleep(0.01)
    assert process.poll() is None, process.communicate()
    spent = processor_time(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == INTERRUPTED, err
    return of_children() - before - spent, err


def test_one_long_explicit_step_is_interrupted(pendulum):
    # Steps of its own: a month of motion in one step of the analysis.
    for method in ("rk45", "adams"):
        changes = ("analysis.swing.end=1e7", "analysis.swing.step=1e7", f'analysis.swing.integrator="{method}"')
        settings = [word for change in changes for word in ("--set", change)]
        went_on, err = stopped_soon(pendulum, "pendulum.toml", "--output", method, *settings, after=1)
        assert went_on < 5
        assert "interrupted at t = " in err
        assert (pendulum.folder / method / "results.h5").exists()


def test_modes_are_interrupted(flexura):
    flexura.write(
        "many.toml",
        """
space = "spatial"
[section.rod]
shape = { type = "circle", radius = "5 mm" }
material = "steel"
[material.steel]
E = "200 GPa"
nu = 0.3
rho = "7800 kg/m^3"
[beam.rod]
section = "rod"
path = [[0, 0, 0], [10, 0, 0]]
elements = 4000
[joint.clamp]
type = "weld"
of = ["ground", "rod.start"]
[[analysis]]
name = "sing"
type = "modes"
count = 300
""",
    )
    went_on, err = stopped_soon(flexura, "many.toml", after=3)
    assert went_on < 8
    assert "interrupted" in err


def test_one_long_step_with_contacts_is_interrupted(flexura):
    flexura("example", "thousand_balls")
    step = ("--set", "analysis.fall.step=0.5", "--set", "analysis.fall.end=0.5")  # a minute
    went_on, err = stopped_soon(flexura, "thousand_balls.toml", *step, after=2)
    assert went_on < 8
    assert "interrupted" in err
