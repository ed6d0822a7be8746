"""Sweeps: a scene many times with other values, into one table."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._source import SceneSource, Source, settings_of
from .errors import ResultsError, SceneError
from .files import TemporaryFolder
from .run import thread_count

__all__ = ["Sweep", "sweep"]

_OK, _BAD_INPUT, _INTERRUPTED = 0, 2, 130


def _program() -> str:
    """The program that came with the package. Raises ResultsError."""
    beside = Path(sysconfig.get_path("scripts")) / "flexura"
    found = os.environ.get("FLEXURA") or (str(beside) if beside.exists() else shutil.which("flexura"))
    if not found:
        raise ResultsError(f"sweeps are run by the program flexura, which is not at {beside} and not in PATH")
    return found


@dataclass(frozen=True)
class Sweep:
    """The table of a sweep.

    Attributes
    ----------
    columns : dict
        By name, as long as there are runs: ``run``, the parameters, the outputs (NaN of runs that failed) as arrays, ``status`` and
        ``message`` as lists.
    parameters, outputs : list of str
        Which of these.
    series : dict
        Outputs with ``take = "series"`` by name: arrays by column, ``run`` and ``t`` among them.
    folder : Path
        Where the files lie; removed with this object if no `output` was given.
    """

    columns: dict[str, Any]
    parameters: list[str]
    outputs: list[str]
    series: dict[str, dict[str, NDArray[np.float64]]]
    folder: Path
    _temporary: TemporaryFolder | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.columns["run"])

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    @property
    def failed(self) -> NDArray[np.int64]:
        """Numbers of the runs that failed."""
        return np.array([run for run, s in zip(self["run"], self["status"], strict=True) if s != "finished"], dtype=int)

    def to_pandas(self) -> Any:
        """The table as a DataFrame; needs pandas."""
        import pandas

        return pandas.DataFrame(self.columns)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as Parquet; needs pyarrow."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ImportError("Parquet is written by pyarrow: pip install pyarrow") from None
        pyarrow.parquet.write_table(pyarrow.table(self.columns), os.fspath(path))


def sweep(
    scene: SceneSource | None = None,
    parameters: Mapping[str, Mapping[str, object]] | None = None,
    *,
    design: Mapping[str, object] | None = None,
    outputs: Mapping[str, Mapping[str, object]] | None = None,
    study: str | os.PathLike[str] | None = None,
    set: Iterable[str] | Mapping[str, object] = (),
    output: str | os.PathLike[str] | None = None,
    threads: int = 1,
    lanes: bool = True,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool = True,
    scheduler: str | None = None,
) -> Sweep:
    """Runs a scene many times with other values.

    Parameters
    ----------
    scene : path, TOML text or Scene
        What is repeated.
    parameters : mapping
        By name what ``[parameter.NAME]`` of a study file says:
        ``{"EI": {"path": "section.wall.EI", "range": [0.012, 0.028]}}``.
    design : mapping
        What ``[design]`` says: ``{"type": "sobol", "runs": 64}``.
    outputs : mapping, optional
        What ``[output.NAME]`` says; by default all sensors at the end.
    study : path, optional
        A study file in place of all of these.
    set : iterable of str or mapping
        Values that are changed in all runs.
    output : path, optional
        Folder of the table; by default a temporary one.
    threads : int
        Changes the time only, never a bit of the table.
    lanes : bool
        False: each run by itself, for the same table.
    overwrite, resume : bool
        Replaces the sweep that is in `output`; goes on with it.
    progress : bool
        Says on stderr how far it is.
    scheduler : str, optional
        Address of a Dask scheduler, whose workers run the sweep; they see the files under the same paths. Needs dask.distributed.

    Returns
    -------
    Sweep

    Raises
    ------
    SceneError
        The study or its scene is wrong; every problem with its place.
    ResultsError
        The folder cannot be used.
    KeyboardInterrupt
        After Ctrl-C. Finished runs are kept in `output`; resume=True goes on.
    """
    threads = thread_count(threads)
    temporary = TemporaryFolder() if output is None else None
    folder = Path(os.fsdecode(output)).absolute() if output is not None else Path(temporary.path)  # type: ignore[union-attr]
    if study is not None:
        if scene is not None or parameters is not None or design is not None or outputs is not None:
            raise ValueError("study: a file says all of scene, parameters, design and outputs; give it or these")
        file = Path(os.fsdecode(study))
    else:
        if scene is None or parameters is None or design is None:
            raise ValueError("give scene, parameters and design; or study, a file")
        file = _written_study(scene, parameters, design, outputs or {}, folder)
    words = [_program(), "sweep", str(file)]
    for setting in settings_of(set):
        words += ["--set", setting]
    if not lanes:
        words += ["--no-lanes"]
    if scheduler is not None:
        _on_cluster(words, folder, scheduler, overwrite=overwrite, resume=resume)
        resume, overwrite = True, False
    words += ["--output", str(folder), "--threads", str(threads), "--json"]
    words += ["--force"] if overwrite else ["--resume"] if resume else []
    words += [] if progress else ["--quiet"]
    _run(words, progress=progress)
    return _table(folder, temporary)


def _written_study(
    scene: SceneSource,
    parameters: Mapping[str, Mapping[str, object]],
    design: Mapping[str, object],
    outputs: Mapping[str, Mapping[str, object]],
    folder: Path,
) -> Path:
    """A study file in the folder. A scene that is no file lies beside it."""
    source = Source(scene)
    if source.functions:
        raise ValueError("a scene that calls functions of Python cannot be swept: the runs are another program's")
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(source.file)
    if not (isinstance(scene, str | os.PathLike) and path.is_file()):
        path = folder / "scene.toml"
        path.write_text(source.text, encoding="utf-8", errors="surrogateescape")
    lines = [f"scene = {_toml(str(path.absolute()))}"]
    for head, table in [("design", design)] + [
        (f"{kind}.{_toml(name)}", keys)
        for kind, tables in (("parameter", parameters), ("output", outputs))
        for name, keys in tables.items()
    ]:
        lines += ["", f"[{head}]"] + [f"{key} = {_toml(value)}" for key, value in table.items()]
    study = folder / "study.toml"
    study.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
    return study


def _toml(value: object) -> str:
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
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    raise TypeError(f"a number, a text or a list of these, not {type(value).__name__}")


def _run(words: list[str], *, progress: bool) -> str:
    """Runs the program; its results. Ctrl-C reaches it too, and it keeps what it has."""
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    said: list[str] = []
    assert child.stdout is not None and child.stderr is not None
    try:
        for line in child.stderr:
            said.append(line)
            if progress and " runs" in line and "%" in line:
                print(line.rstrip(), file=sys.stderr)
        results = child.stdout.read()
        child.wait()
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
        child.communicate()
        raise
    if child.returncode == _OK:
        return results
    message = "".join(line for line in said if "%" not in line).strip()
    if child.returncode == _INTERRUPTED:
        raise KeyboardInterrupt(message)
    if child.returncode == _BAD_INPUT and "sweep already" not in message and "another sweep" not in message:
        raise SceneError(_problems(message))
    raise ResultsError(message)


def _problems(message: str) -> list[Any]:
    from .errors import Problem

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


def _table(folder: Path, temporary: TemporaryFolder | None) -> Sweep:
    with (folder / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    head, body = rows[0], rows[1:]
    columns: dict[str, Any] = {}
    for index, name in enumerate(head):
        values = [row[index] for row in body]
        if name in ("status", "message"):
            columns[name] = values
        elif name == "run":
            columns[name] = np.array(values, dtype=int)
        else:
            columns[name] = np.array([float(value) if value else np.nan for value in values])
    series = {}
    for path in sorted(folder.glob("series_*.csv")):
        with path.open(encoding="utf-8") as file:
            names = file.readline().strip().split(",")
            numbers = np.genfromtxt(file, delimiter=",", ndmin=2)
        numbers = numbers.reshape(-1, len(names))
        series[path.stem.removeprefix("series_")] = {name: numbers[:, k] for k, name in enumerate(names)}
    with (folder / "sweep.journal").open(encoding="utf-8") as file:
        parameters = json.loads(file.readline())["parameters"]
    outputs = [name for name in head if name not in ("run", "status", "message", *parameters)]
    return Sweep(columns, parameters, outputs, series, folder, temporary)


def _lines(words: list[str], runs: list[int]) -> list[str]:
    """What the program prints for these runs: the sweep's own line, then one for each. On a worker."""
    done = subprocess.run(
        [*words, "--lines", "--only", ",".join(map(str, runs))], capture_output=True, text=True, check=False
    )
    if done.returncode != _OK:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.splitlines()


def _on_cluster(words: list[str], folder: Path, scheduler: str, *, overwrite: bool, resume: bool) -> None:
    """Has the workers run what the journal in the folder does not hold yet. A worker that is lost has its runs done by another."""
    try:
        from dask.distributed import Client, as_completed
    except ImportError:
        raise ImportError("sweeps on a cluster go through Dask: pip install dask distributed") from None
    journal = folder / "sweep.journal"
    if journal.exists() and not (overwrite or resume):
        raise ResultsError(f"{folder} holds a sweep already\ntry: overwrite=True, resume=True or another output=")
    words = [words[0], words[1], str(Path(words[2]).absolute()), *words[3:]]
    checked = _run([*words, "--lines", "--only", "0"], progress=False).splitlines()
    count = int(json.loads(checked[0])["runs"])
    folder.mkdir(parents=True, exist_ok=True)
    done: dict[int, str] = {}
    if resume and journal.exists():
        lines = journal.read_text(encoding="utf-8").split("\n")[:-1]
        if lines and lines[0] != checked[0]:
            raise ResultsError(f"{journal}: the folder holds another sweep")
        done = {json.loads(line)["run"]: line for line in lines[1:]}
    done.setdefault(0, checked[1])
    missing = [run for run in range(count) if run not in done]
    with journal.open("w", encoding="utf-8") as file, Client(scheduler) as client:
        print(checked[0], *done.values(), sep="\n", file=file, flush=True)
        workers = max(1, len(client.scheduler_info()["workers"]))
        size = max(1, min(256, -(-len(missing) // (8 * workers))))
        size = -(-size // 4) * 4  # whole groups of lanes
        chunks = [missing[k : k + size] for k in range(0, len(missing), size)]
        begun = time.monotonic()
        tasks = client.map(_lines, [words] * len(chunks), chunks, pure=False, retries=3)
        for number, (_, lines) in enumerate(as_completed(tasks, with_results=True), start=1):
            if lines[0] != checked[0]:
                raise ResultsError("a worker has other files than this computer: the sweep is not the same there")
            print(*lines[1:], sep="\n", file=file, flush=True)
            left = (time.monotonic() - begun) / number * (len(chunks) - number)
            print(f"sweep {100 * number / len(chunks):3.0f} %, {left:.0f} s left", file=sys.stderr)
