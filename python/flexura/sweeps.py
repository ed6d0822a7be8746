"""Sweeps: a scene many times with other values, into one table."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._source import SceneSource, settings_of
from .errors import ResultsError
from .files import TemporaryFolder
from .records import parameter_tables
from .run import thread_count
from .studies import OK, program, run_program, table_name, written_study

__all__ = ["Sweep", "sweep"]


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
        By path, or by a name with ``path`` among its keys, what ``[parameter.NAME]`` of a study file says, ``bounds`` in place of ``low``
        and ``high``: ``{"section.wall.EI": {"bounds": (0.012, 0.028)}}``.
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
    keys: dict[str, str] = {}
    if study is not None:
        if scene is not None or parameters is not None or design is not None or outputs is not None:
            raise ValueError("study: a file says all of scene, parameters, design and outputs; give it or these")
        file = Path(os.fsdecode(study))
    else:
        if scene is None or parameters is None or design is None:
            raise ValueError("give scene, parameters and design; or study, a file")
        keys, of_parameters = parameter_tables(parameters)
        tables: dict[str, Mapping[str, object]] = {"design": design}
        tables |= {table_name("parameter", name): table for name, table in of_parameters.items()}
        tables |= {table_name("output", name): table for name, table in (outputs or {}).items()}
        file = written_study(scene, {}, tables, folder)
    words = [program(), "sweep", str(file)]
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
    run_program(words, _tells_progress, show=progress)
    return _table(folder, temporary, keys)


def _tells_progress(line: str) -> bool:
    return "%" in line and " runs" in line


def _table(folder: Path, temporary: TemporaryFolder | None, keys: Mapping[str, str]) -> Sweep:
    """`keys`: what columns are called here, by their names in the file."""
    with (folder / "table.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    head, body = [keys.get(name, name) for name in rows[0]], rows[1:]
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
        parameters = [keys.get(name, name) for name in json.loads(file.readline())["parameters"]]
    outputs = [name for name in head if name not in ("run", "status", "message", *parameters)]
    return Sweep(columns, parameters, outputs, series, folder, temporary)


def _lines(words: list[str], runs: list[int]) -> list[str]:
    """What the program prints for these runs: the sweep's own line, then one for each. On a worker."""
    done = subprocess.run(
        [*words, "--lines", "--only", ",".join(map(str, runs))], capture_output=True, text=True, check=False
    )
    if done.returncode != OK:
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
    checked = run_program([*words, "--lines", "--only", "0"], _tells_progress).splitlines()
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
