"""Streams that are closed or full, files that may not grow: nothing computed is lost, and the exit status tells."""

import contextlib
import json
import os
import pathlib
import random
import resource
import socket
import stat
import subprocess
import time

import h5py
import pytest
from conftest import BAD_INPUT, IO_FAILURE, OK, PROGRAM, UNSUCCESSFUL
from results import differences

FULL = pathlib.Path("/dev/full")


def shell(flexura, line: str, **more) -> int:
    return subprocess.run(["sh", "-c", line], cwd=flexura.folder, check=False, timeout=120, **more).returncode


def test_closed_streams_get_no_file_of_the_run(pendulum):
    # The journal was file descriptor 2: progress lines and warnings went into it.
    pendulum("run", "pendulum.toml", "--quiet", "--output", "whole")
    for k, closed in enumerate(("2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">&-")):
        assert shell(pendulum, f"{PROGRAM} run pendulum.toml --output closed{k} {closed}") == OK
        assert differences(pendulum.folder / "whole/results.h5", pendulum.folder / f"closed{k}/results.h5") == []


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "command",
    [
        "run pendulum.toml --force",
        "run pendulum.toml --force --json",
        "check pendulum.toml",
        "schema",
        "info",
        "--help",
    ],
)
def test_output_that_is_lost_is_an_error(pendulum, command):
    done = subprocess.run(
        f"{PROGRAM} {command} > /dev/full",
        shell=True,
        cwd=pendulum.folder,
        check=False,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    assert done.returncode == IO_FAILURE
    assert "what was to be printed is lost: No space left on device" in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_messages_that_cannot_be_written_stop_nothing(pendulum):
    # The energy balance warns.
    change = " ".join(f"--set analysis.swing.{x}" for x in ("end=5.0", "step=0.1", "integrator.rho_inf=0"))
    pendulum("run", "pendulum.toml", "--output", "whole", *change.split())
    assert shell(pendulum, f"{PROGRAM} run pendulum.toml --output full {change} 2>/dev/full >/dev/null") == IO_FAILURE
    assert differences(pendulum.folder / "whole/results.h5", pendulum.folder / "full/results.h5") == []
    assert (pendulum.folder / "full/bob.csv").exists()


def test_a_reader_that_leaves_stops_nothing(pendulum):
    process = subprocess.Popen(
        [PROGRAM, "run", "pendulum.toml"], cwd=pendulum.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    process.stderr.close()
    assert process.wait(timeout=60) == IO_FAILURE
    assert (pendulum.folder / "pendulum/results.h5").exists()


def test_a_file_that_may_not_grow_ends_the_run_with_what_was_computed(pendulum):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))  # SIGXFSZ

    done = subprocess.run(
        [PROGRAM, "run", "pendulum.toml", "--set", "output.every_step=true", "--no-report", "--no-csv"],
        cwd=pendulum.folder,
        preexec_fn=limit,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == IO_FAILURE, done.stderr
    assert "File too large" in done.stderr
    info = json.loads(pendulum("info", "pendulum/run.journal", "--json").stdout)
    rows = {d["path"]: d["shape"][0] for d in info["datasets"]}
    assert rows["/sensors/bob/t"] > 100


def test_missing_files_exit_with_3(flexura):
    flexura("example", "soft_actuator")
    (flexura.folder / "pressure.csv").unlink()
    assert "cannot be read" in flexura("check", "soft_actuator.toml", status=IO_FAILURE).stderr
    flexura("run", "soft_actuator.toml", status=IO_FAILURE)
    flexura("check", "soft_actuator.toml", "--set", "gravityy=1", status=BAD_INPUT)  # wrong besides
    (flexura.folder / "pressure.csv").symlink_to("/proc/self/mem")  # opens, and every read of it fails
    assert "pressure.csv" in flexura("check", "soft_actuator.toml", status=IO_FAILURE).stderr


def test_running_out_of_memory_is_said(flexura):
    flexura("example", "soft_actuator")
    line = f"ulimit -v 300000; {PROGRAM} check soft_actuator.toml --set cable.actuator.elements=1000000"
    done = subprocess.run(
        ["sh", "-c", line], cwd=flexura.folder, check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == UNSUCCESSFUL
    assert "there is not enough memory" in done.stderr


def test_parts_of_killed_runs_are_removed(pendulum):
    folder = pendulum.folder / "pendulum"
    folder.mkdir()
    dead = subprocess.Popen(["true"])
    dead.wait()
    (folder / f"results.h5.part{dead.pid}").write_text("half", encoding="utf-8")
    (folder / f"bob.csv.part{dead.pid}").write_text("half", encoding="utf-8")
    (folder / f"report.html.part{os.getpid()}").write_text("being written", encoding="utf-8")
    (folder / "spare.parts").write_text("mine", encoding="utf-8")
    pendulum("run", "pendulum.toml")
    names = {path.name for path in folder.iterdir()}
    assert f"report.html.part{os.getpid()}" in names and "spare.parts" in names
    assert not [name for name in names if str(dead.pid) in name]


def test_force_leaves_no_tables_of_another_scene(flexura):
    flexura("example", "pendulum")
    flexura("example", "release")
    flexura("run", "release.toml", "--output", "out", "--plots", "--vtk")
    out = flexura.folder / "out"
    (out / "notes.csv").write_text("mine", encoding="utf-8")
    assert (out / "tip.csv").exists() and list(out.glob("*/*.vtu"))
    flexura("run", "pendulum.toml", "--output", "out", "--force")
    assert {path.name for path in out.iterdir()} == {
        "notes.csv",
        "run.journal",
        "results.h5",
        "report.html",
        "bob.csv",
        "tension.csv",
        "energy.csv",
    }


def test_the_folder_is_locked_until_its_report_is_written(pendulum):
    # A second run began while the first one still made its files from the journal.
    folder = pendulum.folder / "pendulum"
    process = pendulum.start("run", "pendulum.toml", "--set", "output.every_step=true")
    while process.poll() is None and not list(folder.glob("results.h5.part*")):
        time.sleep(0.0005)
    if process.poll() is None:
        done = pendulum("run", "pendulum.toml", "--force", status=IO_FAILURE)
        assert "another process is writing" in done.stderr
    process.communicate()
    assert (folder / "report.html").exists()


# Files named by --output and --png: schema -o is the shortest way to all of them.


def test_devices_and_pipes_are_written_through(flexura):
    schema = flexura("schema").stdout
    pipe = flexura.folder / "pipe"
    os.mkfifo(pipe)
    process = flexura.start("schema", "--output", "pipe")
    assert pipe.read_text(encoding="utf-8") == schema
    assert process.wait(timeout=30) == OK
    process.communicate()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert flexura("schema", "--output", "/dev/stdout").stdout == schema
    before = os.stat("/dev/null")
    flexura("schema", "--output", "/dev/null")
    after = os.stat("/dev/null")
    assert (before.st_ino, before.st_mode, before.st_rdev) == (after.st_ino, after.st_mode, after.st_rdev)
    if FULL.exists():
        done = flexura("schema", "--output", "/dev/full", status=IO_FAILURE)
        assert "No space left on device" in done.stderr
        assert stat.S_ISCHR(FULL.stat().st_mode)


def test_links_are_followed_and_modes_kept(flexura):
    target = flexura.folder / "deep/target.json"
    target.parent.mkdir()
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    link = flexura.folder / "link.json"
    link.symlink_to("deep/again.json")
    (flexura.folder / "deep/again.json").symlink_to("target.json")
    flexura("schema", "--output", "link.json")
    assert link.is_symlink() and (flexura.folder / "deep/again.json").is_symlink()
    assert json.loads(target.read_text(encoding="utf-8"))["title"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    nowhere = flexura.folder / "nowhere.json"
    nowhere.symlink_to("deep/new.json")
    flexura("schema", "--output", "nowhere.json")
    assert nowhere.is_symlink() and (flexura.folder / "deep/new.json").is_file()
    assert not list(flexura.folder.rglob("*.part*"))


def test_what_is_no_file_is_refused(flexura):
    (flexura.folder / "folder").mkdir()
    assert "Is a directory" in flexura("schema", "--output", "folder", status=IO_FAILURE).stderr
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        here = os.getcwd()
        os.chdir(flexura.folder)  # names of sockets are short
        server.bind("socket")
        os.chdir(here)
        assert "it is no file" in flexura("schema", "--output", "socket", status=IO_FAILURE).stderr
    loop = flexura.folder / "loop"
    loop.symlink_to("loop")
    flexura("schema", "--output", "loop", status=IO_FAILURE)
    assert loop.is_symlink()


def test_results_may_be_links(pendulum):
    (pendulum.folder / "disk").mkdir()
    (pendulum.folder / "pendulum").symlink_to("disk")
    pendulum("run", "pendulum.toml")
    assert (pendulum.folder / "pendulum").is_symlink()
    assert (pendulum.folder / "disk/results.h5").is_file()


# Files that are damaged or made to do harm.


def test_flipped_bits_never_kill_the_reader(pendulum):
    # 3 of 100 ended info and view inside the library; checksums find most, a child dies with a message of the rest.
    pendulum("run", "pendulum.toml", "--set", "output.every_step=true", "--no-report")
    results = pendulum.folder / "pendulum/results.h5"
    data = results.read_bytes()
    chance = random.Random(1)
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(chance.choice((1, 1, 20))):
            at = chance.randrange(len(broken) if chance.random() < 0.5 else 4096)
            broken[at] ^= 1 << chance.randrange(8)
        (pendulum.folder / "broken.h5").write_bytes(broken)
        done = subprocess.run([PROGRAM, "info", "broken.h5"], cwd=pendulum.folder, check=False, capture_output=True)
        assert done.returncode in (OK, IO_FAILURE, UNSUCCESSFUL), done.stderr


def test_numbers_that_are_not_stored_are_not_asked_for(pendulum):
    pendulum("run", "pendulum.toml", "--no-report")
    kept = (pendulum.folder / "pendulum/results.h5").read_bytes()
    for harm in ("rows", "circle", "deep"):
        path = pendulum.folder / f"{harm}.h5"
        path.write_bytes(kept)
        with h5py.File(path, "a") as file:
            if harm == "rows":
                file.create_dataset("/huge", shape=(1 << 40,), chunks=(1 << 16,), dtype="f8")
            elif harm == "circle":
                file["/sensors/again"] = file["/sensors"]
            else:
                group = file
                for _ in range(2000):
                    group = group.create_group("g")
        done = pendulum("info", path.name, status=IO_FAILURE)
        assert "damaged" in done.stderr


def test_large_datasets_have_checksums(pendulum):
    pendulum("run", "pendulum.toml", "--set", "output.every_step=true", "--no-report")
    with h5py.File(pendulum.folder / "pendulum/results.h5") as file:
        assert file["/analysis/swing/q"].fletcher32


def test_titles_do_not_command_the_terminal(pendulum):
    text = (pendulum.folder / "pendulum.toml").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("title"))
    pendulum.write("pendulum.toml", text.replace(line, 'title = "\\u001b[2Jgone\\u009b2J"'))
    pendulum("run", "pendulum.toml", "--no-report")
    for place in ("pendulum", "pendulum/run.journal"):
        out = pendulum("info", place).stdout
        assert "\x1b" not in out and "\x9b" not in out and "gone" in out
    assert json.loads(pendulum("info", "pendulum", "--json").stdout)["title"].startswith("\x1b[2Jgone")


def test_names_that_make_no_files_are_refused_at_once(pendulum):
    name = "s" * 121
    pendulum.write(
        "long.toml", (pendulum.folder / "pendulum.toml").read_text() + f'\n[sensor.{name}]\ntype = "energy"\n'
    )
    assert "at most 120 characters" in pendulum("check", "long.toml", status=BAD_INPUT).stderr


def test_a_folder_that_cannot_be_written_is_one_error(pendulum):
    (pendulum.folder / "o").mkdir()
    (pendulum.folder / "o/run.journal").mkdir()
    err = pendulum("run", "pendulum.toml", "--output", "o", "--force", status=IO_FAILURE).stderr
    assert err.count("error") == 1


def test_a_surface_given_twice_is_refused(flexura):
    flexura("example", "tumbling_bracket")
    stl = flexura.folder / "bracket.stl"
    data = stl.read_bytes()
    if data[:5] == b"solid" and b"facet" in data[:200]:
        begin, end = data.index(b"facet"), data.rindex(b"endsolid")
        stl.write_bytes(data[:end] + data[begin:end] + data[end:])
    else:
        count = int.from_bytes(data[80:84], "little")
        stl.write_bytes(data[:80] + (2 * count).to_bytes(4, "little") + data[84:] + data[84:])
    assert "covers its surface more than once" in flexura("check", "tumbling_bracket.toml", status=BAD_INPUT).stderr
