"""The program under test: $FLEXURA, or build/release/flexura. Each test works in a folder of its own."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ.get("FLEXURA", ROOT / "build/release/flexura")).resolve()

OK, UNSUCCESSFUL, BAD_INPUT, IO_FAILURE, INTERRUPTED = 0, 1, 2, 3, 130


class Flexura:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    def __call__(self, *arguments, status=OK) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=self.folder, timeout=300
        )
        assert done.returncode == status, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def start(self, *arguments) -> subprocess.Popen:
        return subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )

    def summary(self, *arguments, status=OK) -> dict:
        return json.loads(self("run", *arguments, "--json", status=status).stdout)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def flexura(tmp_path) -> Flexura:
    return Flexura(tmp_path)


@pytest.fixture
def pendulum(flexura) -> Flexura:
    """The same, with a small scene at hand."""
    flexura("example", "pendulum")
    return flexura
