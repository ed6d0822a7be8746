"""Constants of rubber from measured tension."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .errors import NotFound, ResultsError, warn_of

__all__ = ["LawFit", "MaterialFit", "fit_material"]

FilePath: TypeAlias = "str | os.PathLike[str]"


@dataclass(frozen=True)
class LawFit:
    """A law of rubber against measured tension.

    Attributes
    ----------
    law : str
        Its name, as in ``[material.NAME] type``.
    constants : dict
        Values by name, in SI.
    standard_errors : dict
        The same of their standard errors; NaN of those that are fixed, at a bound or not determined.
    correlation : array
        Of the constants in this order; NaN where there is none.
    rms, rms_relative : float
        Of stress less the measured one [Pa], and of the same over it.
    r_squared, aicc : float
        Share of the spread that is explained; Akaike's criterion, of which the least is best.
    shear_modulus : float
        At rest [Pa].
    stable : dict
        By test, the least and the largest stretch between which the law is stable in Drucker's sense; 0 and infinity where no
        limit was found in ``MaterialFit.stability_searched``.
    stable_over_data : bool
        Stable over the stretches of each test and 5 % of the logarithmic stretch beyond, and in the other tests up to the
        largest I1 of the data.
    converged : bool
    failure : str
        Why the constants are no result, as where one ends at the bound of the search; empty where they are one.
    notes : list of str
        Remarks on the fit.
    residuals : list of array
        Of each test: stress less the measured one [Pa].
    toml : str
        ``[material.NAME]`` for scenes.
    """

    law: str
    constants: dict[str, float]
    standard_errors: dict[str, float]
    correlation: NDArray[np.float64]
    rms: float
    rms_relative: float
    r_squared: float
    aicc: float
    shear_modulus: float
    stable: dict[str, tuple[float, float]]
    stable_over_data: bool
    converged: bool
    failure: str
    notes: list[str]
    residuals: list[NDArray[np.float64]]
    toml: str

    def stress(self, test: str, stretch: ArrayLike) -> NDArray[np.float64]:
        """Nominal stress [Pa] of an incompressible body in uniaxial, equibiaxial or planar tension."""
        at = np.asarray(stretch, dtype=float)
        values = _core.tension_stress(self.law, list(self.constants.values()), test, at.ravel().tolist())
        return np.array(values).reshape(at.shape)


@dataclass(frozen=True)
class MaterialFit:
    """Laws of rubber that were fitted to the same tests.

    Attributes
    ----------
    laws : dict of LawFit
        By name.
    best : LawFit
        With the least `aicc` among those without `failure` that are stable over the data.
    warnings : list of str
    stability_searched : tuple
        Least and largest stretch between which limits of stability were searched.
    """

    laws: dict[str, LawFit]
    best: LawFit
    warnings: list[str]
    stability_searched: tuple[float, float]
    _page: str = field(repr=False)

    @property
    def toml(self) -> str:
        """``[material.NAME]`` of the best law."""
        return self.best.toml

    def stress(self, test: str, stretch: ArrayLike) -> NDArray[np.float64]:
        """Nominal stress [Pa] of the best law."""
        return self.best.stress(test, stretch)

    def save(self, path: FilePath) -> None:
        """Writes the page with curves, residuals and constants."""
        try:
            Path(os.fsdecode(path)).write_text(self._page, encoding="utf-8")
        except OSError as error:
            raise ResultsError(f"cannot write {os.fsdecode(path)}: {error.strerror}") from None


def fit_material(
    data: FilePath | Iterable[FilePath] | Mapping[str, Any],
    *,
    laws: str | Iterable[str] = (),
    fixed: Mapping[str, float] | None = None,
    relative: bool = False,
    unit: str = "",
    name: str = "rubber",
    columns: Mapping[str, str | int] | None = None,
    decimal: str = "automatic",
    branch: str = "loading",
) -> MaterialFit:
    """Finds the constants of laws of rubber from measured tension, as ``flexura fit-material`` does.

    Parameters
    ----------
    data : file, list of files or mapping
        Tables that say their test and their units (docs/fit-material.md), or by test, ``"uniaxial"``, ``"equibiaxial"``,
        ``"planar"``: a file, or a pair of stretches and nominal stresses [Pa].
    laws : str or iterable of str
        Names; all that can be fitted by default.
    fixed : mapping
        Constants that are known, in SI.
    relative : bool
        Make relative residuals least: small stresses count as much as large ones.
    unit : str
        Of stress, where a file says none.
    name : str
        Of the material in the TOML.
    columns : mapping
        Columns of files by measure (``"stretch"``, ``"strain"``, ``"true_strain"``, ``"stress"``, ``"true_stress"``): a heading, or
        a number from 1. By default the headings say them.
    decimal : str
        Decimal mark of files: ``"automatic"``, ``"point"`` or ``"comma"``.
    branch : str
        Rows to fit where a test goes up and down: ``"loading"``, ``"unloading"`` or ``"all"``.

    Raises
    ------
    SceneError
        Tables or options are wrong; every problem at once.
    ResultsError
        A file cannot be read.
    """
    files, tables = _sorted(data)
    text, page = _core.fit_material(
        files,
        tables,
        [laws] if isinstance(laws, str) else list(laws),
        [(key, float(value)) for key, value in (fixed or {}).items()],
        relative,
        unit,
        name,
        [(key, str(value)) for key, value in (columns or {}).items()],
        decimal,
        branch,
    )
    made = json.loads(text)
    by_name = {entry["law"]: _law(entry) for entry in made["laws"]}
    for warning in made["warnings"]:
        warn_of(warning)
    return MaterialFit(by_name, by_name[made["best"]], made["warnings"], tuple(made["stability_searched"]), page)


def _sorted(
    data: FilePath | Iterable[FilePath] | Mapping[str, Any],
) -> tuple[list[tuple[str, str | None]], list[tuple[str, list[float], list[float]]]]:
    """Files with their tests, or tables; never both."""
    if not isinstance(data, Mapping):
        paths = [data] if isinstance(data, str | os.PathLike) else list(data)
        return [(_existing(path), None) for path in paths], []
    files: list[tuple[str, str | None]] = []
    tables: list[tuple[str, list[float], list[float]]] = []
    for test, given in data.items():
        if isinstance(given, str | os.PathLike):
            files.append((_existing(given), test))
        else:
            tables.append((test, *_pair(test, given)))
    if files and tables:
        raise TypeError("data: files or arrays, not both")
    return files, tables


def _existing(path: FilePath) -> str:
    name = os.fsdecode(path)
    if not os.path.exists(name):
        raise NotFound(f"there is no file {name}")
    return name


def _pair(test: str, given: Sequence[ArrayLike]) -> tuple[list[float], list[float]]:
    try:
        stretch, stress = given
    except (TypeError, ValueError):
        raise TypeError(f"{test}: a file, or a pair of stretches and nominal stresses [Pa]") from None
    return np.asarray(stretch, dtype=float).ravel().tolist(), np.asarray(stress, dtype=float).ravel().tolist()


def _law(entry: dict[str, Any]) -> LawFit:
    def number(value: float | None) -> float:
        return float("nan") if value is None else value

    constants = entry["constants"]
    rows = entry.get("correlation") or [[None] * len(constants)] * len(constants)
    return LawFit(
        law=entry["law"],
        constants={key: number(c["value"]) for key, c in constants.items()},
        standard_errors={key: number(c["standard_error"]) for key, c in constants.items()},
        correlation=np.array([[number(x) for x in row] for row in rows]),
        **{key: number(entry[key]) for key in ("rms", "rms_relative", "r_squared", "aicc", "shear_modulus")},
        stable={
            test: (0.0 if low is None else low, math.inf if high is None else high)
            for test, (low, high) in entry["stable"].items()
        },
        stable_over_data=entry["stable_over_data"],
        converged=entry["converged"],
        failure=entry["failure"] or "",
        notes=entry["notes"],
        residuals=[np.array([number(x) for x in row]) for row in entry["residuals"]],
        toml=entry["toml"],
    )
