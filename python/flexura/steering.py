"""Inputs of a scene for wanted places, poses and trajectories, and what they can reach."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._source import SceneSource, settings_of
from .errors import warn_of
from .files import TemporaryFolder
from .records import bounded_table, table_file
from .run import thread_count
from .studies import OK, UNSUCCESSFUL, program, run_program, study_folder, table_name, written_study
from .columns import ColumnTable

__all__ = ["InverseDynamics", "InverseStatics", "Workspace", "inverse_dynamics", "inverse_statics", "workspace"]

Tables: TypeAlias = Mapping[str, Mapping[str, object]]
Array: TypeAlias = NDArray[np.float64]
Settings: TypeAlias = Iterable[str] | Mapping[str, object]


@dataclass(frozen=True)
class InverseStatics:
    """Inputs for a list of points, each an equilibrium. Arrays are over the points; all in SI.

    Attributes
    ----------
    inputs : dict of array
        By name; NaN where there is no equilibrium.
    targets : dict
        By name: ``wanted`` and ``reached`` (point, number), ``distance`` that is left, ``tolerance`` and ``unit``.
    reached : bool array
        Every target within its tolerance.
    effort : array
        Σ ((u − rest)/effort)².
    messages : list of str
        Why a point is not reached.
    report : Path
        A page of all of it.
    folder : Path
        Where the files lie; removed with this object if no `output` was given.
    """

    inputs: dict[str, Array]
    targets: dict[str, dict[str, Any]]
    reached: NDArray[np.bool_]
    effort: Array
    messages: list[str]
    report: Path
    folder: Path
    _temporary: TemporaryFolder | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<flexura.InverseStatics: {int(self.reached.sum())} of {len(self.reached)} points reached>"


@dataclass(frozen=True)
class InverseDynamics:
    """Inputs over time with which sensors follow trajectories; in SI.

    Attributes
    ----------
    inputs : dict
        By name: ``t`` [s] and ``values`` of the samples, straight lines in between.
    t : array
        Ends of steps within the trajectory [s].
    targets : dict
        By name: ``wanted`` and ``reached`` (time, number), ``distance`` (time), its ``largest`` and ``rms``, ``first_rms`` of the inputs
        that the search began with, ``tolerance`` and ``unit``.
    followed : bool
        Each target within its tolerance at the ends of all steps.
    message : str
        Why not.
    settings : dict
        For `simulate(scene, set=…)`: the motion by itself; the scene reads the inputs of `folder`.
    report, folder : Path
        As of `InverseStatics`.
    """

    inputs: dict[str, dict[str, Array]]
    t: Array
    targets: dict[str, dict[str, Any]]
    followed: bool
    message: str
    settings: dict[str, object]
    report: Path
    folder: Path
    _temporary: TemporaryFolder | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        misses = ", ".join(f"{name} within {t['largest']:.4g} {t['unit']}" for name, t in self.targets.items())
        return f"<flexura.InverseDynamics: {misses}>"


@dataclass(frozen=True)
class Workspace(ColumnTable):
    """What inputs can reach.

    Attributes
    ----------
    columns : dict
        Of the samples, by name: inputs, the numbers of the place, ``manipulability``, ``condition``, ``singular_value_1``…, in SI;
        NaN where there is no equilibrium. An input named as another column, ``x``, is ``input.x``.
    boundary : dict
        The same of points of the boundary.
    targets : dict
        By name: ``wanted``, ``reached``, ``inputs``, ``distance`` that is left, ``status``.
    measure : float
        Length, area or volume of what is reached, by cells of `cell` that count whole at the boundary.
    cell : float
    page : Path
        The pictures.
    folder : Path
        As of `InverseStatics`.
    """

    columns: dict[str, Array]
    boundary: dict[str, Array]
    targets: dict[str, dict[str, Any]]
    measure: float
    cell: float
    page: Path
    folder: Path
    _temporary: TemporaryFolder | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<flexura.Workspace: {len(self)} samples, {len(next(iter(self.boundary.values())))} of the boundary>"


def inverse_statics(
    scene: SceneSource | None = None,
    inputs: Tables | None = None,
    targets: Tables | None = None,
    points: object = None,
    *,
    study: str | os.PathLike[str] | None = None,
    restarts: int | None = None,
    max_iterations: int | None = None,
    set: Settings = (),
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    resume: bool = False,
) -> InverseStatics:
    """Finds inputs for places and poses at rest, of all those of the least effort, as ``flexura inverse-statics`` does (docs/inverse.md).

    Parameters
    ----------
    scene : path, TOML text or Scene
        With signals of type "input".
    inputs : mapping
        By the name of the signal, or another with ``signal`` among its keys, what ``[input.NAME]`` of a study says, ``bounds`` in place
        of ``low`` and ``high``: ``{"pump": {"bounds": ("0 kPa", "60 kPa"), "effort": "10 kPa"}}``.
    targets : mapping
        By name what ``[target.NAME]`` says: ``{"tip": {"sensor": "tip", "points": [[0.1, 0.0]], "tolerance": "0.1 mm"}}``.
    points : path, DataFrame or dict of arrays, optional
        What is wanted of targets without a value, a row for each point; headings carry units.
    study : path, optional
        A study file in place of all of these.
    restarts, max_iterations : int, optional
        Searches from elsewhere where a point is not reached from the one before; iterations of each.
    set : iterable of str or mapping
        Values of the scene that are changed.
    output : path, optional
        Folder of the results; by default a temporary one.
    overwrite, resume : bool
        Replaces the study that is in `output`; goes on with it where it was stopped, to the same numbers.

    Returns
    -------
    InverseStatics
        Points out of reach too, with the distance that is left.

    Raises
    ------
    SceneError
        The study or its scene is wrong; every problem with its place.
    ResultsError
        The folder cannot be used.
    """
    head: dict[str, object] = {} if restarts is None else {"restarts": restarts}
    head |= {} if max_iterations is None else {"max_iterations": max_iterations}
    run = _Run("inverse-statics", study, (scene, inputs, targets, points), output, overwrite, resume)
    said = run(scene, head, inputs, {"target": targets}, points, set)
    for warning in said["warnings"]:
        warn_of(warning)
    found = said["points"]
    return InverseStatics(
        inputs={name: _array(one["values"]) for name, one in said["inputs"].items()},
        targets={name: _target(one) for name, one in said["targets"].items()},
        reached=np.array([point["status"] == "reached" for point in found], dtype=bool),
        effort=_array([point["effort"] for point in found]),
        messages=[point["message"] for point in found],
        report=run.folder / "report.html",
        folder=run.folder,
        _temporary=run.temporary,
    )


def inverse_dynamics(
    scene: SceneSource | None = None,
    inputs: Tables | None = None,
    targets: Tables | None = None,
    points: object = None,
    *,
    study: str | os.PathLike[str] | None = None,
    max_iterations: int | None = None,
    set: Settings = (),
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    resume: bool = False,
) -> InverseDynamics:
    """Finds inputs over time with which sensors follow trajectories, as ``flexura inverse-dynamics`` does (docs/inverse.md).

    Parameters
    ----------
    scene, study, set, output, overwrite, resume
        As of `inverse_statics`.
    inputs : mapping
        As there, with ``samples`` for how many there are of each over the trajectory.
    targets : mapping
        By name what ``[target.NAME]`` says: ``{"tip": {"sensor": "tip", "tolerance": "1 mm"}}``.
    points : path, DataFrame or dict of arrays
        What is wanted over time: ``{"t [s]": t, "x [mm]": x, "y [mm]": y}``.
    max_iterations : int, optional

    Returns
    -------
    InverseDynamics
        The nearest, where ``followed`` is False.

    Raises
    ------
    SceneError, ResultsError
        As of `inverse_statics`.
    SolverError
        The motion at the start of the search fails, or has no derivative.
    """
    head: dict[str, object] = {} if max_iterations is None else {"max_iterations": max_iterations}
    run = _Run("inverse-dynamics", study, (scene, inputs, targets, points), output, overwrite, resume)
    said = run(scene, head, inputs, {"target": targets}, points, set)
    table = str(run.folder / "inputs.csv")
    return InverseDynamics(
        inputs={name: {"t": _array(one["t"]), "values": _array(one["values"])} for name, one in said["inputs"].items()},
        t=_array(said["t"]),
        targets={
            name: _target(one) | {key: one[key] for key in ("largest", "rms", "first_rms")}
            for name, one in said["targets"].items()
        },
        followed=said["followed"],
        message=said["message"],
        settings={
            f"signal.{name}": {"type": "table", "file": table, "value": column}
            for column, name in enumerate(said["inputs"], start=2)
        },
        report=run.folder / "report.html",
        folder=run.folder,
        _temporary=run.temporary,
    )


def workspace(
    scene: SceneSource | None = None,
    inputs: Tables | None = None,
    place: str | Mapping[str, object] | None = None,
    *,
    design: Mapping[str, object] | None = None,
    targets: Mapping[str, Any] | None = None,
    cells: int | None = None,
    study: str | os.PathLike[str] | None = None,
    set: Settings = (),
    threads: int = 1,
    output: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    resume: bool = False,
) -> Workspace:
    """Maps what inputs can reach at rest, its boundary, and how well they move the place there, as ``flexura workspace`` does
    (docs/inverse.md).

    Parameters
    ----------
    scene, study, set, output, overwrite, resume
        As of `inverse_statics`.
    inputs : mapping
        As there, with ``count`` for a grid. Manipulability is per ``effort`` of those that have one.
    place : str or mapping
        ``"arm.end"``; or what ``[place]`` of a study says, ``{"sensor": "tip"}``.
    design : mapping
        ``{"type": "sobol", "runs": 256}``, or ``{"type": "grid"}``.
    targets : mapping, optional
        By name points that may be in reach.
    cells : int, optional
        Of the map along its longest side; 0 for none.
    threads : int
        Changes the time only.

    Returns
    -------
    Workspace
        Its warnings are told as `SimulationWarning` too.
    """
    head: dict[str, object] = {} if cells is None else {"cells": cells}
    run = _Run("workspace", study, (scene, inputs, place, design, targets), output, overwrite, resume)
    tables: dict[str, Any] = {
        "place": {"at": place} if isinstance(place, str) else place,
        "design": design,
        "target": {name: {"point": point} for name, point in (targets or {}).items()},
    }
    words = ["--threads", str(thread_count(threads))]
    said = run(scene, head, inputs, tables, None, set, words)
    for warning in said["warnings"]:
        warn_of(warning)
    return Workspace(
        columns=_columns(run.folder / "table.csv"),
        boundary=_columns(run.folder / "boundary.csv"),
        targets={
            name: {
                "wanted": _array(one["wanted"]),
                "reached": _array(one["reached"] or []),
                "inputs": dict(zip(said["inputs"], one["inputs"] or [], strict=False)),
                "distance": np.nan if one["distance"] is None else one["distance"],
                "status": one["status"],
            }
            for name, one in said["targets"].items()
        },
        measure=said["measure"],
        cell=said["cell"],
        page=run.folder / "index.html",
        folder=run.folder,
        _temporary=run.temporary,
    )


class _Run:
    """A study of one command, and where its results go."""

    def __init__(
        self,
        command: str,
        study: str | os.PathLike[str] | None,
        said: tuple[object, ...],
        output: str | os.PathLike[str] | None,
        overwrite: bool,
        resume: bool,
    ) -> None:
        if study is not None and any(one is not None for one in said):
            raise ValueError("study: a file says all of scene, inputs and what is wanted; give it or these")
        if study is None and any(one is None for one in said[:3]):
            raise ValueError("give scene, inputs and what is wanted; or study, a file")
        self.command, self.study = command, study
        self.words = ["--force"] if overwrite else ["--resume"] if resume else []
        self.folder, self.temporary = study_folder(output, overwrite=overwrite, resume=resume)

    def __call__(
        self,
        scene: SceneSource | None,
        head: dict[str, object],
        inputs: Tables | None,
        tables: Mapping[str, Any],
        points: object,
        settings: Settings,
        words: Iterable[str] = (),
    ) -> dict[str, Any]:
        if self.study is not None:
            file = Path(os.fsdecode(self.study))
        else:
            assert scene is not None and inputs is not None
            if points is not None:
                head["points"] = table_file(points, "points", self.folder)
            file = written_study(scene, head, _tables(inputs, tables), self.folder)
        line = [
            program(),
            self.command,
            str(file),
            "--output",
            str(self.folder),
            "--json",
            "--quiet",
            *self.words,
            *words,
        ]
        for setting in settings_of(settings):
            line += ["--set", setting]
        said: dict[str, Any] = json.loads(run_program(line, lambda line: False, ends=(OK, UNSUCCESSFUL)))
        return said


def _tables(inputs: Tables, tables: Mapping[str, Any]) -> dict[str, Mapping[str, object]]:
    out: dict[str, Mapping[str, object]] = {}
    for key, given in inputs.items():
        name = re.sub(r"[^A-Za-z0-9_-]", "_", key)
        table = bounded_table("inputs", key, given)
        if name != key:
            table.setdefault("signal", key)
        out[table_name("input", name)] = table
    for kind, given in tables.items():
        if kind == "target":
            out |= {table_name("target", name): table for name, table in (given or {}).items()}
        elif given is not None:
            out[kind] = given
    return out


def _array(values: Any) -> Array:
    return np.array(values, dtype=float)  # null is NaN


def _target(said: Mapping[str, Any]) -> dict[str, Any]:
    size = len(said["columns"])
    return {
        "wanted": _array(said["wanted"]),
        "reached": _array([row if row is not None else [np.nan] * size for row in said["reached"]]),
        "distance": _array(said["distance"]),
        "tolerance": said["tolerance"],
        "unit": said.get("tolerance_unit", said["unit"]),
    }


def _columns(path: Path) -> dict[str, Array]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    kept = [k for k, name in enumerate(head) if name not in ("sample", "status")]
    names = [re.sub(r" \[[^]]*\]$", "", head[k]) for k in kept]
    return {
        name: np.array([float(row[k]) if row[k] else np.nan for row in rows])
        for name, k in zip(names, kept, strict=True)
    }
