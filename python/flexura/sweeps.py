"""Sweeps: a scene many times with other values, into one table."""

from __future__ import annotations

import csv
import html
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._source import SceneSource, settings_of
from .cluster import fill_journal, tells_progress
from .files import TemporaryFolder
from .pages import in_notebook, show_page
from .records import parameter_tables
from .run import thread_count
from .studies import program, run_program, table_name, written_study
from .columns import ColumnTable

__all__ = ["Sweep", "sweep"]


@dataclass(frozen=True)
class Sweep(ColumnTable):
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
    page : Path
        ``index.html``: all runs to look at, in any browser.
    """

    columns: dict[str, Any]
    parameters: list[str]
    outputs: list[str]
    series: dict[str, dict[str, NDArray[np.float64]]]
    folder: Path
    _temporary: TemporaryFolder | None = field(default=None, repr=False)

    @property
    def failed(self) -> NDArray[np.int64]:
        """Numbers of the runs that failed."""
        return np.array([run for run, s in zip(self["run"], self["status"], strict=True) if s != "finished"], dtype=int)

    @property
    def page(self) -> Path:
        return self.folder / "index.html"

    def show(self, height: int = 900) -> None:
        """Shows the page: inside a notebook, else in the browser; of a sweep without a folder it is then a file in the system's folder for
        temporary files, which stays there.

        Parameters
        ----------
        height : int
            Of the frame in a notebook, in pixels.
        """
        path = self.page
        if self._temporary is not None and not in_notebook():
            # The browser may ask for it when this table, and its folder, are gone.
            path = Path(shutil.copy(path, tempfile.mkdtemp(prefix="flexura-sweep-")))
        show_page(path, height, repr(self))

    def __repr__(self) -> str:
        return f"<flexura.Sweep: {len(self)} runs, {len(self.failed)} failed, {self.folder}>"

    def _repr_html_(self) -> str:
        most = 20
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        rows = ""
        for row in range(min(len(self), most)):
            values = (column[row] for column in self.columns.values())
            cells = (value if isinstance(value, str) else f"{value:.6g}" for value in values)
            rows += "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
        more = f"<p>{len(self) - most} more runs</p>" if len(self) > most else ""
        return f"<div>{html.escape(repr(self))}<table><tr>{head}</tr>{rows}</table>{more}</div>"


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
        fill_journal(words, folder, scheduler, overwrite=overwrite, resume=resume, progress=progress)
        resume, overwrite = True, False
    words += ["--output", str(folder), "--threads", str(threads), "--json"]
    words += ["--force"] if overwrite else ["--resume"] if resume else []
    words += [] if progress else ["--quiet"]
    run_program(words, tells_progress, show=progress)
    return _table(folder, temporary, keys)


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
