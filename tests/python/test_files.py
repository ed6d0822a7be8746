"""Files are written whole or stay what they were; what is missing is a FileNotFoundError."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PENDULUM

import flexura


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond 100 bytes: not that of the test's own output either, so only for a call."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_saved_scene_what_it_was(tmp_path: Path, pendulum: str) -> None:
    file = tmp_path / "scene.toml"
    file.write_text(pendulum)
    scene = flexura.Scene.load(file)
    scene.title = "another"
    result = flexura.simulate(pendulum)
    kept = result.save(tmp_path / "kept.h5")
    content = kept.read_bytes()
    with pytest.raises(OSError), full_disk():
        scene.save(file)
    with pytest.raises(OSError), full_disk():
        result.save(kept)
    assert file.read_text() == pendulum and kept.read_bytes() == content
    assert sorted(os.listdir(tmp_path)) == ["kept.h5", "scene.toml"]


def test_saving_follows_links_and_keeps_modes(tmp_path: Path, pendulum: str) -> None:
    file, link = tmp_path / "scene.toml", tmp_path / "link.toml"
    file.write_text("")
    file.chmod(0o640)
    link.symlink_to(file)
    flexura.Scene.loads(pendulum).save(link)
    assert link.is_symlink() and file.read_text() == pendulum and stat.S_IMODE(file.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        flexura.Scene.loads(pendulum).save(tmp_path / "new.toml")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.toml").stat().st_mode) == 0o640
    flexura.Scene.loads(pendulum).save("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        flexura.Scene.loads(pendulum).save(tmp_path / "nowhere" / "scene.toml")


def test_results_on_a_full_disk_are_an_error_and_no_crash(tmp_path: Path) -> None:
    code = f"""
import flexura, resource
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))
scene = {PENDULUM!r}.replace('"0.1 s"', '"20 s"')
for output in ("{tmp_path}/run", None):
    try:
        flexura.simulate(scene, output=output, progress=False)
    except flexura.ResultsError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
print(flexura.simulate({PENDULUM!r}, output="{tmp_path}/run", overwrite=True).status)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and done.stderr == "" and lines[-1] == "finished"
    assert len(lines) >= 3 and all("File too large" in line and "errno" not in line for line in lines[:-1])


def test_damaged_results_are_an_error_and_no_crash(tmp_path: Path, pendulum: str) -> None:
    """The library that reads them ends some of these with a signal: its process is another one."""
    flexura.simulate(pendulum, output=tmp_path / "run")
    sound = (tmp_path / "run" / "results.h5").read_bytes()
    bits = random.Random(5)
    for k in range(80):
        damaged = bytearray(sound)
        for _ in range(bits.choice((1, 3, 20))):
            damaged[bits.randrange(min(len(damaged), 12_000))] ^= 1 << bits.randrange(8)
        (tmp_path / f"{k}.h5").write_bytes(damaged)
    code = f"""
import flexura
for k in range(80):
    file = "{tmp_path}/" + str(k) + ".h5"
    for read in (flexura.load, lambda damaged: flexura.compare("{tmp_path}/run", damaged)):
        try:
            read(file)
        except flexura.ResultsError as error:
            print(error)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "ended with signal" in done.stdout and ".h5'" in done.stdout


def test_what_is_missing_is_a_file_not_found_error(tmp_path: Path, pendulum: str) -> None:
    for missing in (
        lambda: flexura.simulate(tmp_path / "nothing.toml"),
        lambda: flexura.Simulation(tmp_path / "nothing.toml"),
        lambda: flexura.Scene.load(tmp_path / "nothing.toml"),
        lambda: flexura.load(tmp_path / "nothing.h5"),
        lambda: flexura.load(tmp_path),
        lambda: flexura.compare(tmp_path / "a.h5", tmp_path / "b.h5"),
        lambda: flexura.sweep(study=tmp_path / "nothing.toml"),
        lambda: flexura.identify(study=tmp_path / "nothing.toml"),
        lambda: flexura.workspace(study=tmp_path / "nothing.toml"),
    ):
        with pytest.raises(FileNotFoundError):
            missing()
    with pytest.raises(flexura.ResultsError):
        flexura.simulate(tmp_path / "nothing.toml")


def test_texts_and_names_that_are_not_utf8(tmp_path: Path, pendulum: str) -> None:
    odd = tmp_path / os.fsdecode(b"odd\xff.toml")
    odd.write_text(pendulum)
    assert flexura.simulate(odd, output=tmp_path / os.fsdecode(b"run\xff")).status == "finished"
    assert flexura.load(tmp_path / os.fsdecode(b"run\xff"))["tip"].position.shape == (101, 2)
    broken = tmp_path / "broken.toml"
    broken.write_bytes(pendulum.encode().replace(b"pendulum on", b"pendulum \xff on"))
    for read in (flexura.simulate, flexura.Scene.load):
        with pytest.raises(flexura.SceneError, match=r"broken\.toml:2.*(?i:utf-8)"):
            read(broken)
    with pytest.raises(ValueError, match="half of a pair"):
        flexura.simulate(pendulum + "# \ud800\n")
