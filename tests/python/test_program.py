"""`pip install` brings the program, which runs scenes as the package does."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest

import flexura


@pytest.fixture
def program() -> Path:
    found = Path(sysconfig.get_path("scripts")) / "flexura"
    if not found.exists():
        pytest.skip("the package is not installed")
    return found


def test_the_program_beside_the_interpreter_is_of_this_version(program: Path) -> None:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert said == f"flexura {flexura.__version__}\n"


def test_it_gives_the_results_of_the_package(program: Path, tmp_path: Path, pendulum: str) -> None:
    scene = tmp_path / "pendulum.toml"
    scene.write_text(pendulum)
    subprocess.run([program, "run", scene, "-o", tmp_path / "run", "-q"], check=True)
    assert flexura.compare(tmp_path / "run", flexura.simulate(scene)).identical
    assert (tmp_path / "run" / "report.html").exists()


def test_it_needs_no_library_of_fmt_or_hdf5(program: Path) -> None:
    needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    assert "libc" in needed and "fmt" not in needed and "hdf5" not in needed
