"""Studies of the program `flexura`, which Python writes, starts and listens to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from ._source import SceneSource, Source
from .errors import NotFound, Problem, ResultsError, SceneError, SolverError
from .files import TemporaryFolder

__all__ = [
    "IO_FAILURE",
    "OK",
    "UNSUCCESSFUL",
    "program",
    "run_program",
    "study_folder",
    "table_name",
    "toml",
    "written_study",
]

OK, UNSUCCESSFUL, _BAD_INPUT, IO_FAILURE, _INTERRUPTED = 0, 1, 2, 3, 130
_FOLDER_IN_USE = ("sweep already", "another sweep", "holds a study already", "another study")


def program() -> str:
    """The program that came with the package. Raises ResultsError."""
    beside = Path(sysconfig.get_path("scripts")) / "flexura"
    found = os.environ.get("FLEXURA") or (str(beside) if beside.exists() else shutil.which("flexura"))
    if not found:
        raise ResultsError(f"studies are run by the program flexura, which is not at {beside} and not in PATH")
    return found


def study_folder(
    output: str | os.PathLike[str] | None, *, overwrite: bool, resume: bool
) -> tuple[Path, TemporaryFolder | None]:
    """Where a study's results go, and what removes that folder where it is a temporary one. Raises ResultsError where it holds a study."""
    if output is None:
        temporary = TemporaryFolder()
        return Path(temporary.path), temporary
    folder = Path(os.fsdecode(output)).absolute()
    if (folder / "evaluations.jsonl").exists() and not (overwrite or resume):
        raise ResultsError(f"{folder} holds a study already\ntry: overwrite=True, resume=True or another output=")
    return folder, None


def written_study(
    scene: SceneSource,
    head: Mapping[str, object],
    tables: Mapping[str, Mapping[str, object]],
    folder: Path,
) -> Path:
    """A study file in the folder. A scene that is no file lies beside it.

    Parameters
    ----------
    head : mapping
        What stands above all tables.
    tables : mapping
        By heading, as `table_name` makes it.

    Raises
    ------
    ValueError
        The scene calls functions of Python, which the program has not.
    """
    source = Source(scene)
    if source.functions:
        raise ValueError("a scene that calls functions of Python is of no study: the runs are another program's")
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(source.file)
    if not (isinstance(scene, str | os.PathLike) and path.is_file()):
        path = folder / "scene.toml"
        path.write_text(source.text, encoding="utf-8", errors="surrogateescape")
    lines = [f"scene = {toml(str(path.absolute()))}"] + [f"{key} = {toml(value)}" for key, value in head.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]"] + [f"{key} = {toml(value)}" for key, value in table.items()]
    study = folder / "study.toml"
    study.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
    return study


def table_name(kind: str, name: str) -> str:
    """Heading of ``[kind.name]``, whatever is in the name."""
    return f"{kind}.{toml(name)}"


def toml(value: object) -> str:
    """The value as TOML writes it; tables in one line, paths absolute. Raises TypeError."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.path.abspath(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float | np.number):
        return repr(value.item() if isinstance(value, np.number) else value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml(str(key))} = {toml(item)}" for key, item in value.items()) + " }"
    raise TypeError(f"a number, a text, a list or a mapping of these, not {type(value).__name__}")


def run_program(
    words: list[str], tells_progress: Callable[[str], bool], *, show: bool = False, ends: tuple[int, ...] = (OK,)
) -> str:
    """Runs the program; what it prints. Ctrl-C reaches it too, and it keeps what it has.

    Parameters
    ----------
    tells_progress : callable
        Whether a line of its stderr tells how far it is: such lines are no part of errors.
    show : bool
        Prints these lines on stderr here.
    ends : tuple of int
        Exit statuses that have results.

    Raises
    ------
    SceneError, ResultsError (where there is no such file, also a FileNotFoundError), SolverError, KeyboardInterrupt
    """
    said: list[str] = []
    printed: list[str] = []
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        assert child.stdout is not None and child.stderr is not None
        # Results may be longer than a pipe holds, before stderr ends.
        listener = threading.Thread(target=lambda out: printed.append(out.read()), args=(child.stdout,), daemon=True)
        listener.start()
        try:
            for line in child.stderr:
                if not tells_progress(line):
                    said.append(line)
                elif show:
                    print(line.rstrip(), file=sys.stderr)
        except KeyboardInterrupt:
            child.send_signal(signal.SIGINT)
            child.stderr.read()
            raise
        finally:
            listener.join()
            child.wait()
    results = "".join(printed)
    if child.returncode in ends and (results or child.returncode == OK):
        return results
    message = "".join(said).strip()
    if child.returncode == _INTERRUPTED:
        raise KeyboardInterrupt(message)
    if child.returncode == _BAD_INPUT and not any(words in message for words in _FOLDER_IN_USE):
        raise SceneError(_problems(message))
    if child.returncode == UNSUCCESSFUL and UNSUCCESSFUL in ends:
        raise SolverError(message)
    missing = message.partition(": error: ")[0]
    if child.returncode == IO_FAILURE and missing and not os.path.exists(missing):
        raise NotFound(message)
    raise ResultsError(message)


def _problems(message: str) -> list[Problem]:
    problems: list[Problem] = []
    for line in message.splitlines():
        place, mark, rest = line.partition(": error: ")
        if not mark or line.startswith(" "):
            continue
        file, number, column = (place.rsplit(":", 2) + ["", ""])[:3] if place.count(":") >= 2 else (place, "0", "0")
        path, colon, text = rest.partition(": ")
        problems.append(
            Problem(
                path=path if colon else "",
                message=text if colon else rest,
                file=file,
                line=int(number or 0),
                column=int(column or 0),
            )
        )
    return problems or [Problem(path="", message=message)]
