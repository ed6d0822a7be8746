"""Numbers of a scene from measured records, and for a wish."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._source import SceneSource, settings_of
from .errors import warn_of
from .files import TemporaryFolder
from .records import experiment_table, is_frame, parameter_tables
from .run import thread_count
from .studies import OK, UNSUCCESSFUL, program, run_program, study_folder, table_name, written_study

__all__ = ["Identification", "Inversion", "identify", "invert"]

Tables: TypeAlias = Mapping[str, Mapping[str, object]]
Array: TypeAlias = NDArray[np.float64]

_PROGRESS = re.compile(r"\d+ numbers, \d+ residuals|without |profile of ")


@dataclass(frozen=True)
class Identification:
    """Numbers of a scene that were found from records. Of n numbers, each under the key that it was given.

    Attributes
    ----------
    values : dict
        In SI.
    standard_errors : dict
        In SI; NaN where the records do not determine the number, or it is at its bound. Those of the linear model at the best fit.
    intervals : dict of (float, float)
        95 %, by the standard errors; of a number on a log scale that of its logarithm.
    units : dict
        Of the values; ``"1"`` where the scene gives none.
    at_bound : list of str
        Numbers that the records would have beyond a bound.
    correlation : array, (n, n)
        In the order of `values`; NaN where there is none.
    residuals : dict
        By ``"RECORD.MEASURED"``: arrays ``t`` [s], ``measured``, ``model``, ``residual`` (model less measured) and ``band`` (standard
        error of the model), in SI, over the samples that count.
    noise : dict
        By the same names: standard deviation of the measurement, stated or found, in SI.
    profiles : dict
        With profile=True, by number: ``value``, ``excess`` of the cost, ``interval`` (95 %).
    cross_validation : list of dict
        With cross_validation=True: ``without``, ``values``, ``rms_in_noise`` of what was left out, ``failure``.
    settings : list of str
        For ``set=`` of `simulate`: what was found that holds in all records.
    warnings : list of str
        What to know before the numbers are believed (docs/identify.md).
    converged : bool
    message : str
        Why it did not.
    report : Path
        ``report.html`` with numbers, fits and residuals.
    folder : Path
        Where the files lie; removed with this object if no `output` was given.
    """

    values: dict[str, float]
    standard_errors: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    units: dict[str, str]
    at_bound: list[str]
    correlation: Array
    residuals: dict[str, dict[str, Array]]
    noise: dict[str, float]
    profiles: dict[str, dict[str, Any]]
    cross_validation: list[dict[str, Any]]
    settings: list[str]
    warnings: list[str]
    converged: bool
    message: str
    report: Path
    folder: Path
    _temporary: TemporaryFolder | None = field(default=None, repr=False)

    def __getitem__(self, number: str) -> float:
        return self.values[number]

    def to_pandas(self) -> Any:
        """The numbers as a DataFrame, a row for each; needs pandas."""
        import pandas

        columns = {
            "value": list(self.values.values()),
            "standard_error": list(self.standard_errors.values()),
            "low": [low for low, _ in self.intervals.values()],
            "high": [high for _, high in self.intervals.values()],
            "unit": list(self.units.values()),
            "at_bound": [name in self.at_bound for name in self.values],
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(self.values), name="number"))

    def __repr__(self) -> str:
        rows = []
        for name, value in self.values.items():
            error, (low, high) = self.standard_errors[name], self.intervals[name]
            if np.isfinite(error):
                rows.append([name, f"{value:.6g}", f"{error:.2g}", f"{low:.6g} … {high:.6g}", self.units[name]])
            else:
                why = "at its bound" if name in self.at_bound else "not determined"
                rows.append([name, f"{value:.6g}", why, "", self.units[name]])
        text = _table(["number", "value", "standard error", "95 %", "unit"], rows)
        text += "" if self.converged else f"\nnot converged: {self.message}"
        return "\n".join([text, *(f"warning: {warning}" for warning in self.warnings)])


@dataclass(frozen=True)
class Inversion:
    """Inputs and designs for a wish. Numbers under the keys that they were given.

    Attributes
    ----------
    values : dict
        In SI. Where the targets are not reached, those of the nearest.
    units : dict
    at_bound : list of str
        Numbers that are at a bound.
    targets : dict
        By ``"RECORD.TARGET"``: ``wanted`` and ``reached``, arrays in SI, one entry for each time or one at rest, ``tolerance`` and ``unit``.
    effort : float
        Σ ((p − rest)/effort)² [1]; 0 where no number makes any.
    reached : bool
        Every target is met within its tolerance.
    settings : list of str
        For ``set=`` of `simulate`.
    warnings : list of str
    """

    values: dict[str, float]
    units: dict[str, str]
    at_bound: list[str]
    targets: dict[str, dict[str, Any]]
    effort: float
    reached: bool
    settings: list[str]
    warnings: list[str]

    def __getitem__(self, number: str) -> float:
        return self.values[number]

    def to_pandas(self) -> Any:
        """The numbers as a DataFrame, a row for each; needs pandas."""
        import pandas

        columns = {
            "value": list(self.values.values()),
            "unit": list(self.units.values()),
            "at_bound": [name in self.at_bound for name in self.values],
        }
        return pandas.DataFrame(columns, index=pandas.Index(list(self.values), name="number"))

    def __repr__(self) -> str:
        rows = [
            [name, f"{value:.6g}", self.units[name], "at its bound" if name in self.at_bound else ""]
            for name, value in self.values.items()
        ]
        text = _table(["number", "value", "unit", ""], rows)
        text += f"\n{'reached' if self.reached else 'not reached'}"
        return "\n".join([text, *(f"warning: {warning}" for warning in self.warnings)])


def identify(
    scene: SceneSource | None = None,
    parameters: Tables | None = None,
    records: Sequence[object] | None = None,
    measured: Tables | None = None,
    *,
    study: str | os.PathLike[str] | None = None,
    loss: str = "squares",
    loss_scale: float | None = None,
    profile: bool = False,
    cross_validation: bool = False,
    max_iterations: int | None = None,
    set: Iterable[str] | Mapping[str, object] = (),
    output: str | os.PathLike[str] | None = None,
    threads: int = 1,
    overwrite: bool = False,
    resume: bool = False,
    progress: bool = False,
) -> Identification:
    """Finds the numbers of a scene with which its sensors read what was measured, as ``flexura identify`` does (docs/identify.md).

    Parameters
    ----------
    scene : path, TOML text or Scene
        What is run, as often as it takes.
    parameters : mapping
        What is sought. By its path in the scene, ``"section.wall.EI"``, or by a name with ``path`` among its keys: a mapping of ``bounds``
        (least, largest; None: none), ``start``, ``prior`` (mean, standard deviation), ``scale`` ("linear", "log"), ``experiments``,
        ``each``. A name without a dot and a ``path`` is one of ``[parameters]``.
    records : list
        Each a table over time, or a mapping with it as ``data`` and with ``name``, ``set``, ``scene``, ``shift`` (of the clock: start,
        low, high), ``from``, ``until``, ``left_out``, ``time``, ``time_unit`` as in ``[experiment.NAME]``. A table is a path of a CSV file,
        a pandas DataFrame or a mapping of arrays, all of one length; headings carry units, ``"tip x [mm]"``, and NaN is a missing
        sample. Names are by default "record", of several "record1", "record2", ...
    measured : mapping
        By name what ``[measured.NAME]`` says: ``{"x": {"sensor": "tip", "component": "x", "column": "tip x", "noise": "0.2 mm"}}``.
    study : path, optional
        A study file in place of all of these.
    loss : str
        "squares", "huber", "soft_l1" or "cauchy": what far residuals count for; `loss_scale`, in noise: from where on.
    profile, cross_validation : bool
        The likelihood along each number; fits without each record in turn.
    max_iterations : int, optional
        Of a search; 50 by default.
    set : iterable of str or mapping
        Values that are changed in all runs.
    output : path, optional
        Folder of report, residuals and log; by default a temporary one.
    threads : int
        Runs at a time; changes no number.
    overwrite, resume : bool
        Replaces the study that is in `output`; goes on with it.
    progress : bool
        Says on stderr what is computed.

    Returns
    -------
    Identification
        Its warnings are told as `SimulationWarning` too.

    Raises
    ------
    SceneError
        Study, scene or records are wrong; every problem with its place.
    ValueError, TypeError
        A table or an argument is of no use.
    SolverError
        The scene cannot be run where the search begins.
    ResultsError
        The folder cannot be used.
    KeyboardInterrupt
        After Ctrl-C. Runs that were made are kept in `output`; resume=True goes on.
    """
    threads = thread_count(threads)
    folder, temporary = study_folder(output, overwrite=overwrite, resume=resume)
    keys: dict[str, str] = {}
    if study is not None:
        _only_study(scene, parameters, records, measured)
        file = Path(os.fsdecode(study))
    else:
        if scene is None or parameters is None or measured is None:
            raise ValueError("give scene, parameters and measured; or study, a file")
        head: dict[str, object] = {"loss": loss}
        head |= {} if loss_scale is None else {"loss_scale": loss_scale}
        head |= {} if max_iterations is None else {"max_iterations": max_iterations}
        head |= {"cross_validation": True} if cross_validation else {}
        file, keys = _study_of(
            scene, head, parameters, [] if records is None else records, ("measured", measured), folder
        )
    words = [program(), "identify", str(file), *_settings(set), "--threads", str(threads), "--output", str(folder)]
    words += ["--json"] + ["--profile"] * profile + ["--quiet"] * (not progress)
    words += ["--force"] if overwrite else ["--resume"] if resume else []
    text = run_program(words, _tells_progress, show=progress, ends=(OK, UNSUCCESSFUL))
    found = _identification(json.loads(text), keys, folder, temporary)
    for warning in found.warnings:
        warn_of(warning)
    if not found.converged:
        warn_of(f"not converged: {found.message}")
    return found


def invert(
    scene: SceneSource | None = None,
    parameters: Tables | None = None,
    targets: Tables | None = None,
    records: Sequence[object] | None = None,
    *,
    study: str | os.PathLike[str] | None = None,
    max_iterations: int | None = None,
    log: str | os.PathLike[str] | None = None,
    set: Iterable[str] | Mapping[str, object] = (),
    threads: int = 1,
) -> Inversion:
    """Finds inputs and designs for a wanted behaviour, of all those of the least effort, as ``flexura invert`` does (docs/identify.md).

    Parameters
    ----------
    scene : path, TOML text or Scene
    parameters : mapping
        As of `identify`, without ``prior``, and with ``effort``, a change from ``rest`` that counts as one.
    targets : mapping
        By name what ``[target.NAME]`` says:
        ``{"height": {"sensor": "tip", "component": "y", "value": "-120 mm", "tolerance": "0.1 mm"}}``.
    records : list
        As of `identify`: tables of what is wanted over time.
    study : path, optional
        A study file in place of all of these.
    log : path, optional
        File that keeps each run as it ends, and is read first: a search that was stopped goes on.
    max_iterations, set, threads
        As of `identify`.

    Returns
    -------
    Inversion
        Its warnings are told as `SimulationWarning` too; the nearest, where ``reached`` is False.

    Raises
    ------
    SceneError, ValueError, TypeError, SolverError, ResultsError, KeyboardInterrupt
        As of `identify`.
    """
    threads = thread_count(threads)
    temporary = TemporaryFolder()
    keys: dict[str, str] = {}
    if study is not None:
        _only_study(scene, parameters, records, targets)
        file = Path(os.fsdecode(study))
    else:
        if scene is None or parameters is None or targets is None:
            raise ValueError("give scene, parameters and targets; or study, a file")
        head: dict[str, object] = {} if max_iterations is None else {"max_iterations": max_iterations}
        file, keys = _study_of(
            scene, head, parameters, [] if records is None else records, ("target", targets), Path(temporary.path)
        )
    words = [program(), "invert", str(file), *_settings(set), "--threads", str(threads), "--json", "--quiet"]
    if log is not None:
        words += ["--log", os.fsdecode(log)]
    found = _inversion(json.loads(run_program(words, _tells_progress, ends=(OK, UNSUCCESSFUL))), keys)
    for warning in found.warnings:
        warn_of(warning)
    return found


def _tells_progress(line: str) -> bool:
    return _PROGRESS.match(line) is not None


def _only_study(*others: object) -> None:
    if any(other is not None for other in others):
        raise ValueError("study: a file says all of scene, parameters, records and what is read; give it or these")


def _settings(set: Iterable[str] | Mapping[str, object]) -> list[str]:
    return [word for setting in settings_of(set) for word in ("--set", setting)]


def _study_of(
    scene: SceneSource,
    head: Mapping[str, object],
    parameters: Tables,
    records: Sequence[object],
    read: tuple[str, Tables],
    folder: Path,
) -> tuple[Path, dict[str, str]]:
    """The study file, and the key of each number by its name there."""
    keys, of_parameters = parameter_tables(parameters)
    tables: dict[str, Mapping[str, object]] = {table_name("parameter", name): t for name, t in of_parameters.items()}
    if isinstance(records, str | os.PathLike | Mapping) or is_frame(records):
        raise TypeError("records: a list, of one record too")
    folder.mkdir(parents=True, exist_ok=True)
    for number, record in enumerate(records, start=1):
        experiment, table = experiment_table(record, "record" if len(records) == 1 else f"record{number}", folder)
        heading = table_name("experiment", experiment)
        if heading in tables:
            raise ValueError(f"records[{number - 1}]: another one has the name {experiment!r} too")
        tables[heading] = table
    kind, series = read
    tables |= {table_name(kind, name): table for name, table in series.items()}
    return written_study(scene, head, tables, folder), keys


def _key(name: str, keys: Mapping[str, str]) -> str:
    """What a number was given as; one that each record has for itself, with the record's name before."""
    if name in keys:
        return keys[name]
    record, dot, own = name.rpartition(".")
    return f"{record}.{keys[own]}" if dot and own in keys else name


def _with_keys(warning: str, keys: Mapping[str, str]) -> str:
    """The warning with the numbers named as they were given."""
    return re.sub(r"[\w-]+", lambda word: keys.get(word[0], word[0]), warning)


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def _pair(values: Sequence[float | None]) -> tuple[float, float]:
    low, high = values
    return _number(low), _number(high)


def _array(values: Any) -> Array:
    return np.array(values, dtype=float)  # null is NaN


def _identification(
    said: dict[str, Any], keys: Mapping[str, str], folder: Path, temporary: TemporaryFolder | None
) -> Identification:
    numbers = {_key(name, keys): number for name, number in said["parameters"].items()}
    residuals, noise = {}, {}
    for record in said["records"]:
        name = f"{record['experiment']}.{record['measured']}"
        noise[name] = _number(record["noise"])
        rows = (folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()[1:]
        columns = _array([row.split(",") for row in rows]).reshape(-1, 5)
        residuals[name] = dict(zip(("t", "measured", "model", "residual", "band"), columns.T, strict=True))
    return Identification(
        values={name: _number(number["value"]) for name, number in numbers.items()},
        standard_errors={name: _number(number["standard_error"]) for name, number in numbers.items()},
        intervals={name: _pair(number["interval"]) for name, number in numbers.items()},
        units={name: number["unit"] for name, number in numbers.items()},
        at_bound=[name for name, number in numbers.items() if number["at_bound"]],
        correlation=_array(said["correlation"]).reshape(len(numbers), len(numbers)),
        residuals=residuals,
        noise=noise,
        profiles={
            name: {
                "value": _array(number["profile"]["value"]),
                "excess": _array(number["profile"]["excess"]),
                "interval": _pair(number["profile"]["interval"]),
            }
            for name, number in numbers.items()
            if "profile" in number
        },
        cross_validation=[
            {
                "without": fit["without"],
                "values": {_key(name, keys): value for name, value in (fit.get("values") or {}).items()},
                "rms_in_noise": _number(fit["rms_in_noise"]),
                "failure": fit["failure"],
            }
            for fit in said["cross_validation"]
        ],
        settings=said["settings"],
        warnings=[_with_keys(warning, keys) for warning in said["warnings"]],
        converged=said["converged"],
        message=said["message"],
        report=folder / "report.html",
        folder=folder,
        _temporary=temporary,
    )


def _inversion(said: dict[str, Any], keys: Mapping[str, str]) -> Inversion:
    numbers = {_key(name, keys): number for name, number in said["parameters"].items()}
    return Inversion(
        values={name: _number(number["value"]) for name, number in numbers.items()},
        units={name: number["unit"] for name, number in numbers.items()},
        at_bound=[name for name, number in numbers.items() if number["at_bound"]],
        targets={
            f"{target['experiment']}.{target['target']}": {
                "wanted": _array(target["wanted"]),
                "reached": _array(target["reached"]),
                "tolerance": _number(target["tolerance"]),
                "unit": target["unit"],
            }
            for target in said["targets"]
        },
        effort=_number(said["effort"]),
        reached=said["reached"],
        settings=said["settings"],
        warnings=[_with_keys(warning, keys) for warning in said["warnings"]],
    )


def _table(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in [head, *rows]
    )
