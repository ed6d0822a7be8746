"""Whole runs: `simulate`, `solve_static`, `modes`."""

from __future__ import annotations

import itertools
import json
import operator
import os
import time
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._source import Functions, SceneSource, Source
from .document import Document
from .errors import ResultsError, SceneError, SolverError, warn_of
from .files import TemporaryFolder
from .functions import prepared
from .result import EstimatedError, Result

__all__ = ["Modes", "modes", "simulate", "solve_static", "verify"]

_PATIENCE = 0.5  # s without a progress bar


class _Bar:
    """A progress bar of tqdm, one per analysis, shown where the run takes longer than `_PATIENCE`. Where it cannot be
    shown (no tqdm, no stderr), the run goes on without."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._bar: Any = None
        self._analysis = ""
        self._broken = False

    def __call__(self, analysis: str, done: float, end: float, real_time_factor: float) -> None:
        if self._broken or time.monotonic() - self._begun < _PATIENCE:
            return
        try:
            self._show(analysis, done, end, real_time_factor)
        except Exception:
            self._broken = True

    def _show(self, analysis: str, done: float, end: float, real_time_factor: float) -> None:
        if analysis != self._analysis:
            self.close()
            self._analysis = analysis
            form = "{desc}: {percentage:3.0f}% |{bar}| {n:.3g} of {total:.4g} [{elapsed}<{remaining}{postfix}]"
            self._bar = _tqdm()(total=end, desc=analysis, bar_format=form, leave=False)
        if real_time_factor > 0:
            self._bar.set_postfix_str(f"{real_time_factor:.3g} x real time", refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Takes the bar away."""
        bar, self._bar = self._bar, None
        if bar is None:
            return
        try:
            bar.close()
        except Exception:
            self._broken = True


def _tqdm() -> Any:
    """The bar of notebooks where they can show it, else the one of text, without a word about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm
    return tqdm


def thread_count(threads: int) -> int:
    """Raises TypeError, ValueError."""
    try:
        count = operator.index(threads)
    except TypeError:
        raise TypeError(f"threads: a whole number from 1 to 256, not {threads!r}") from None
    if not 1 <= count <= 256:
        raise ValueError(f"threads: a whole number from 1 to 256, not {threads!r}")
    return count


def output_folder(
    output: str | os.PathLike[str] | None, *, overwrite: bool, resume: bool
) -> tuple[str, TemporaryFolder | None]:
    """The folder of a run, made where it does not exist; a temporary one for None. Its name does not depend on the
    current folder. Raises ResultsError."""
    if output is None:
        if resume:
            raise ValueError("resume=True goes on with the stopped run in a folder: give output=")
        folder = TemporaryFolder()
        return str(folder.path), folder
    path = Path(os.fsdecode(output))
    holds = any((path / name).exists() for name in ("run.journal", "results.h5"))
    if holds and not (overwrite or resume):
        raise ResultsError(
            f"{path} holds a run already\ntry: overwrite=True to overwrite it, resume=True to go on with it, or "
            "another output="
        )
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResultsError(f"cannot make the folder {path}: {error.strerror}") from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise ResultsError(f"cannot write into the folder {path}")
    return str(path.absolute()), None


def simulate(
    scene: SceneSource,
    *,
    output: str | os.PathLike[str] | None = None,
    threads: int = 1,
    progress: bool = True,
    overwrite: bool = False,
    resume: bool = False,
    report: bool | None = None,
    csv: bool = False,
    vtk: bool = False,
    plots: bool = False,
    verify: bool = False,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
) -> Result:
    """Runs all analyses of a scene.

    Parameters
    ----------
    scene : path, TOML text or Scene
        What to run.
    output : path, optional
        Folder of the results; by default a temporary one that lives as long as the result.
    threads : int
        Changes the time only, never a bit of the results.
    progress : bool
        Shows a bar where tqdm is installed and the run takes longer than half a second.
    overwrite : bool
        Replaces a run that is in the folder.
    resume : bool
        Goes on with the stopped run that is in the folder, bit for bit.
    report : bool, optional
        Writes ``report.html``; by default where `output` is given.
    csv, vtk, plots : bool
        Write tables of the sensors, frames for ParaView, a plot per sensor.
    verify : bool
        Estimates the error of every sensor by further runs with other steps and meshes: ``result.estimated_errors``.
    set : iterable of str or mapping
        Changed values: ``{"section.wall.EI": 0.02}`` or ``["section.wall.EI=0.02"]``.
    functions : mapping, optional
        Callables by the names that signals and loads of type "external" give them.

    Returns
    -------
    Result

    Raises
    ------
    SceneError
        The scene is wrong; every problem with its place.
    SolverError
        A solver failed; ``error.result`` holds what was computed until then.
    ResultsError
        The folder cannot be used.
    KeyboardInterrupt
        After Ctrl-C. What was computed is kept in `output`; resume=True goes on.
    Exception
        Whatever a function of the scene raises ends the run in the same way, and ``error.result`` holds what was computed
        until then.

    Warns
    -----
    SimulationWarning
        What the engine doubts, also in ``result.warnings``.
    """
    threads = thread_count(threads)
    source = Source(scene, set, functions)
    folder, temporary = output_folder(output, overwrite=overwrite, resume=resume)
    document: _core.Document | None = None
    going_on = False
    if resume:
        document, going_on = _core.resume_scene(
            source.text, source.file, folder, source.settings, prepared(source.functions)
        )
    if document is None:
        document = source.document()
    bar = _Bar()
    try:
        summary, text, unwritten, stopped_by = _core.run(
            document,
            folder,
            resume=going_on,
            csv=bool(csv),
            vtk=bool(vtk),
            plots=bool(plots),
            report=bool(report) if report is not None else output is not None,
            threads=threads,
            verify=bool(verify),
            progress=bar if progress else None,
        )
    except SceneError as error:
        raise source.reraise(error) from None
    finally:
        bar.close()
    results = Path(folder) / "results.h5"
    result = Result(results, summary=json.loads(summary), text=text, temporary=temporary) if results.exists() else None
    if unwritten or result is None:
        unwritable = ResultsError("\n".join(unwritten))
        _keep(result, unwritable)
        raise unwritable from stopped_by
    for warning in result.warnings:
        warn_of(warning)
    if stopped_by is not None:
        _keep(result, stopped_by)
        raise stopped_by
    if result.status == "failed":
        raise SolverError(result.message, result)
    return result


def verify(
    scene: SceneSource,
    *,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
    **options: Any,
) -> list[EstimatedError]:
    """Runs a scene, and again with other steps and meshes: value, estimated error and observed order of every sensor.

    Parameters
    ----------
    scene : path, TOML text or Scene
        What to run.
    set, functions, **options
        As for `simulate`.

    Returns
    -------
    list of EstimatedError
        Last value, minimum and maximum of each component of each sensor, in the unit of the sensor: those of
        ``simulate(scene, verify=True).estimated_errors``. The error is None of violations of constraints and of counts
        of contacts, which have no discretisation error.

    Raises
    ------
    SceneError, SolverError, ResultsError
        As `simulate`. A refined run that fails leaves infinite errors instead.

    Warns
    -----
    SimulationWarning
        Of sensors that are not converged or have large errors too.
    """
    return simulate(scene, verify=True, set=set, functions=functions, **options).estimated_errors


def _keep(result: Result | None, error: BaseException) -> None:
    """What was computed until an exception stopped the run, in its `result`."""
    try:
        if not hasattr(error, "result"):
            error.result = result  # type: ignore[attr-defined]
    except (AttributeError, TypeError):  # of a class with __slots__
        pass


def _with_analyses(source: Source, analyses: list[dict[str, object]]) -> Source:
    """The same scene with these analyses behind the static ones that it begins with; a static one where it has neither."""
    text = source.document().effective_text
    statics = itertools.takewhile(lambda a: a["type"] == "static", tomllib.loads(text).get("analysis", []))
    kept: list[dict[str, object]] = list(statics)
    document = Document(text)
    for index in reversed(range(document.count("analysis"))):
        document.remove(("analysis", index))
    document.remove(("analysis",))
    for index, analysis in enumerate([*kept, *(analyses or ([] if kept else [_STATIC]))]):
        document.add_table(("analysis", index), analysis, is_list=True)
    changed = Source(document.as_string() + "\n", (), source.functions)
    changed.file = source.file
    return changed


def _run_source(source: Source, **options: Any) -> Result:
    class Text:
        file = source.file
        functions = source.functions

        def to_toml(self) -> str:
            return source.text

    return simulate(Text(), **options)


def solve_static(
    scene: SceneSource,
    *,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
    **options: Any,
) -> Result:
    """Equilibrium of a scene: the static analyses that it begins with, or one at time 0 where it begins with none.

    Parameters
    ----------
    scene : path, TOML text or Scene
        Other analyses of it are left out.
    set, functions, **options
        As for `simulate`.

    Returns
    -------
    Result
        ``result.states(name)`` has a row per load step, the last one is the equilibrium.
    """
    return _run_source(_with_analyses(Source(scene, set, functions), []), **options)


_STATIC: dict[str, object] = {"name": "equilibrium", "type": "static"}


@dataclass(frozen=True)
class Modes:
    """Natural modes of a scene.

    Attributes
    ----------
    frequencies : ndarray, shape (mode,)
        [Hz]; negative: the mode grows without swinging.
    shapes : ndarray, shape (mode, coordinate)
        Slot by slot as ``result.states(...).q``; complex where modes are (dampers, follower loads, what turns): the motion is
        ``Re(shape * exp(s t))``.
    growth : ndarray, shape (mode,)
        Real part of the exponent s [1/s]: positive where the state is unstable.
    damping : ndarray, shape (mode,)
        Share of critical damping.
    result : Result
        The run that they come from.
    """

    frequencies: NDArray[np.float64]
    shapes: NDArray[np.float64] | NDArray[np.complex128]
    result: Result
    growth: NDArray[np.float64]
    damping: NDArray[np.float64]

    def __iter__(self) -> Any:
        return iter((self.frequencies, self.shapes))


def modes(
    scene: SceneSource,
    count: int = 10,
    *,
    damped: bool = False,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
    **options: Any,
) -> Modes:
    """Natural frequencies and shapes about the state behind the static analyses that the scene begins with.

    Parameters
    ----------
    scene : path, TOML text or Scene
        Other analyses of it are left out.
    count : int
        How many modes, those of the lowest frequencies.
    damped : bool
        Dampers act.
    set, functions, **options
        As for `simulate`.

    Returns
    -------
    Modes
        ``frequencies, shapes = flexura.modes(...)`` works too.
    """
    source = Source(scene, set, functions)
    own: list[dict[str, object]] = [{"name": "modes", "type": "modes", "count": count, "damped": damped}]
    result = _run_source(_with_analyses(source, own), **options)

    def read(name: str) -> Any:
        return result.dataset("/analysis/modes/" + name)

    shapes = read("shape")
    try:
        shapes = shapes + 1j * read("shape_imaginary")
    except KeyError:
        pass  # all are real
    return Modes(read("frequency"), shapes, result, read("growth"), read("damping"))
