"""Results of a run: arrays read when they are asked for, tables, plots, the report."""

from __future__ import annotations

import functools
import html
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core
from .errors import NotFound, ResultsError
from .files import TemporaryFolder, written_whole
from .pages import in_notebook, show_page

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.axes import Axes

__all__ = ["Comparison", "EstimatedError", "Result", "SensorDifference", "States", "Table", "compare", "load"]

Array = NDArray[Any]


@dataclass(frozen=True)
class _Info:
    path: str
    type: str
    shape: tuple[int, ...]
    unit: str
    doc: str
    axis: str


def _nearest(name: str, names: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, names, n=1)
    return f' (nearest: "{close[0]}")' if close else ""


class _Lookup(Mapping[str, Any]):
    """Names and what is made of them, when it is asked for."""

    def __init__(self, what: str, names: list[str], make: Any) -> None:
        self._what, self._names, self._make = what, dict.fromkeys(names), make

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(f'there is no {self._what} named "{name}"{_nearest(str(name), list(self._names))}')
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        many = f"{self._what[:-1]}ies" if self._what.endswith("y") else f"{self._what}s"
        return f"<{many}: {', '.join(self._names)}>"


class Table:
    """A table of the results: a sensor, the energies, the steps of the solver, a body.

    Its columns are attributes, for example ``result["tip"].position``: arrays with the rows first, float64 or int64, that
    belong to whoever asked for them. ``np.asarray(table)`` is `values`.

    Attributes
    ----------
    name : str
        As in the scene.
    columns : tuple of str
        Names of the columns, without the axis.
    """

    def __init__(self, result: Result, path: str, name: str) -> None:
        self._result, self._path, self.name = result, path, name
        found = result._group(path)
        if not found:
            raise ResultsError(f"{result.path} holds no table {path}")
        axis = next((d.axis for d in found.values() if d.axis), "")
        self._axis = axis.rsplit("/", 1)[-1] if axis else ("t" if "t" in found else "")
        self._columns = {key: info for key, info in found.items() if key != self._axis}
        self.columns = tuple(self._columns)

    @property
    def axis_name(self) -> str:
        """``t``, or ``load_factor`` in static analyses."""
        return self._axis

    @property
    def axis(self) -> Array:
        """Time [s] or load factor of each row, shape (row,)."""
        return self._result.array(f"{self._path}/{self._axis}")

    @property
    def t(self) -> Array:
        """Time [s] of each row, shape (row,); the load factor in static analyses."""
        return self.axis

    def __getattr__(self, name: str) -> Array:
        columns: dict[str, _Info] = self.__dict__.get("_columns", {})
        if name == self.__dict__.get("_axis"):
            return self.axis
        if name not in columns:
            raise AttributeError(f'"{self.__dict__.get("name")}" has no column "{name}", but {", ".join(columns)}')
        return self._result.array(f"{self._path}/{name}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns]

    def __getitem__(self, column: str) -> Array:
        try:
            return self.__getattr__(column)
        except AttributeError as error:
            raise KeyError(str(error)) from None

    @property
    def values(self) -> Array:
        """All columns: that of the only one, or (row, numbers of all columns)."""
        if len(self.columns) == 1:
            return self.__getattr__(self.columns[0])
        arrays = [self.__getattr__(c) for c in self.columns]
        return np.concatenate([x.reshape(x.shape[0], int(np.prod(x.shape[1:]))) for x in arrays], axis=1)

    @property
    def unit(self) -> str:
        """Unit of the only column; of the first where there are several."""
        return next(iter(self._columns.values())).unit

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column."""
        return {key: info.unit for key, info in self._columns.items()}

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        return np.asarray(self.values, dtype=dtype)

    def __len__(self) -> int:
        return next(iter(self._columns.values())).shape[0]

    def __repr__(self) -> str:
        parts = ", ".join(f"{c} [{i.unit}] {i.shape}" for c, i in self._columns.items())
        return f'<"{self.name}": {parts}>'

    def _flat(self) -> dict[str, tuple[Array, str]]:
        """Each number's column: name, values, unit."""
        flat: dict[str, tuple[Array, str]] = {}
        for column in self.columns:
            x = self.__getattr__(column)
            base = self.name if len(self.columns) == 1 else f"{self.name}.{column}"
            x = x.reshape(x.shape[0], int(np.prod(x.shape[1:])))
            for k in range(x.shape[1]):
                suffix = "" if x.shape[1] == 1 else f".{'xyzw'[k] if x.shape[1] <= 4 else k}"
                flat[base + suffix] = (np.ascontiguousarray(x[:, k]), self._columns[column].unit)
        return flat

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with a column per number, the time as index; units in ``frame.attrs["units"]``."""
        import pandas

        flat = self._flat()
        index = pandas.Index(self.axis, name=self._axis)
        frame = pandas.DataFrame({key: x for key, (x, _) in flat.items()}, index=index)
        frame.attrs["units"] = {key: unit for key, (_, unit) in flat.items()}
        return frame


_PARTS_WITH_NODES = ("cable", "beam", "plate", "membrane", "solid")


def _slots_of_nodes(model: Mapping[str, Any]) -> dict[str, list[int]]:
    """Slots of the places of the nodes, by part."""
    found = {part["name"]: part["points"] for part in model["cables"]}
    found |= {part["name"]: [node[0] for node in part["nodes"]] for part in model.get("plates", [])}
    return found | {part["name"]: part["nodes"] for part in model.get("solids", [])}


class States:
    """States of an analysis: all coordinates over time.

    Coordinates stand slot by slot, in the axes of the scene: those of a point [m], of a vector [1], of a scalar in its own
    unit (a multiplier [N], an angle [rad]). ``result.model["models"]`` says which slots there are and where they begin.

    Attributes
    ----------
    analysis : str
        Name of the analysis.
    t : ndarray, shape (time,)
        Time [s] of each state; the load factor [1] in static analyses.
    q : ndarray, shape (time, coordinate)
        Coordinates.
    v : ndarray, shape (time, coordinate)
        Their rates, per s; static analyses have none.
    """

    def __init__(self, result: Result, analysis: str, parts: list[tuple[str, int]]) -> None:
        self._result, self.analysis, self._parts = result, analysis, parts

    def _joined(self, column: str) -> Array:
        arrays = [self._result.array(f"{path}/{column}") for path, _ in self._parts]
        if len({x.shape[1:] for x in arrays}) > 1:
            widths = " and ".join(str(x.shape[1]) for x in arrays)
            raise ValueError(
                f'the models of "{self.analysis}" have {widths} coordinates: choose one with states(..., model=1), ...'
            )
        return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)

    @property
    def t(self) -> Array:
        """Time [s], or load factor [1], of each state, shape (time,)."""
        names = {info.axis.rsplit("/", 1)[-1] for info in self._result._group(self._parts[0][0]).values() if info.axis}
        return self._joined(next(iter(names), "t"))

    @property
    def q(self) -> Array:
        """Coordinates, slot by slot, shape (time, coordinate): of points [m], of vectors [1], of scalars in their unit."""
        return self._joined("q")

    @property
    def v(self) -> Array:
        """Rates of `q`, shape (time, coordinate), in its units per s."""
        return self._joined("v")

    def nodes(self, name: str) -> NDArray[np.float64]:
        """Positions of a part's nodes, shape (time, node, dim) [m].

        Parameters
        ----------
        name : str
            A cable, beam, plate, membrane or solid: ``"actuator"`` or ``"cable.actuator"``.

        Raises
        ------
        KeyError
            There is no such part.
        """
        dim = self._result.dim
        pieces = []
        for path, index in self._parts:
            model = self._result.model["models"][index]
            parts = _slots_of_nodes(model)
            kind, _, rest = name.partition(".")
            bare = rest if kind in _PARTS_WITH_NODES and name not in parts else name
            if bare not in parts:
                raise KeyError(f'there is no part with nodes named "{bare}"{_nearest(bare, list(parts))}')
            offsets = np.asarray(model["offsets"])[parts[bare]]
            pieces.append(self._result.array(f"{path}/q")[:, offsets[:, None] + np.arange(dim)])
        return np.ascontiguousarray(np.concatenate(pieces))

    def __len__(self) -> int:
        return sum(self._result._infos[f"{path}/q"].shape[0] for path, _ in self._parts)

    def __repr__(self) -> str:
        return f'<{len(self)} states of "{self.analysis}">'


class Result:
    """Results of a run. Arrays are read when they are asked for, and belong to whoever asked.

    Results without a folder of their own live in a temporary one, which goes with the last copy of them; pickled, to come
    back from a process pool, they carry their numbers along.

    Parameters
    ----------
    path : path
        A results file, or the folder of a run.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        summary: dict[str, Any] | None = None,
        text: str = "",
        temporary: TemporaryFolder | None = None,
    ) -> None:
        self.path = Path(os.fsdecode(path)).absolute()
        self._temporary = temporary
        self._text = text
        if self.path.is_dir():
            self.path = self.path / "results.h5"
            journal = self.path.with_name("run.journal")
            if not self.path.exists() and journal.exists():
                self._temporary = TemporaryFolder()
                made = self._temporary.path / "results.h5"
                _core.convert_journal(str(journal), str(made))
                self.path = made
        if not self.path.exists():
            raise NotFound(f"there are no results: {self.path} does not exist")
        self.summary: dict[str, Any] = summary or {}
        self._infos = {info.path: info for info in map(lambda d: _Info(*d), _core.list_datasets(str(self.path)))}
        self._lookups: dict[str, Mapping[str, Table]] = {}
        self._groups: dict[str, dict[str, _Info]] = {}
        for info in self._infos.values():
            group, _, name = info.path.rpartition("/")
            self._groups.setdefault(group, {})[name] = info

    # ---- copies ----

    def __copy__(self) -> Result:
        """A copy of results without a folder of their own shares the temporary one."""
        copied = object.__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Result:
        return self.__copy__()

    def __getstate__(self) -> dict[str, Any]:
        """Results in a temporary folder travel whole, others by their path."""
        data = None if self._temporary is None else self.path.read_bytes()
        return {"path": self.path, "summary": self.summary, "text": self._text, "data": data}

    def __setstate__(self, state: dict[str, Any]) -> None:
        temporary, path = None, state["path"]
        if state["data"] is not None:
            temporary = TemporaryFolder()
            path = temporary.path / "results.h5"
            path.write_bytes(state["data"])
        Result.__init__(self, path, summary=state["summary"], text=state["text"], temporary=temporary)

    # ---- what the file holds ----

    @functools.cached_property
    def attributes(self) -> dict[tuple[str, str], float | int | str]:
        """Attributes of the file's groups and datasets by path and name."""
        return _core.attributes(str(self.path))

    def dataset(self, path: str) -> Any:
        """One dataset of the results file: an array, or str for a text.

        Parameters
        ----------
        path : str
            As listed in ``result.datasets``.
        """
        if path not in self._infos:
            raise KeyError(f'there is no dataset "{path}"{_nearest(path, list(self._infos))}')
        return _core.read_dataset(str(self.path), path)

    def array(self, path: str) -> Array:
        """One dataset of numbers of the results file."""
        found: Array = self.dataset(path)
        return found

    @property
    def datasets(self) -> list[str]:
        """Paths of all datasets."""
        return list(self._infos)

    def _group(self, path: str) -> dict[str, _Info]:
        return self._groups.get(path, {})

    def _tables(self, prefix: str) -> list[str]:
        """Groups below `prefix` that are tables."""
        return sorted(group[len(prefix) :] for group in self._groups if group.startswith(prefix) and group != prefix)

    def _lookup(self, what: str, prefix: str) -> Mapping[str, Table]:
        """The tables below `prefix` by name."""
        if prefix not in self._lookups:
            self._lookups[prefix] = _Lookup(what, self._tables(prefix), functools.partial(self._table, prefix))
        return self._lookups[prefix]

    def _table(self, prefix: str, name: str) -> Table:
        return Table(self, prefix + name, name)

    # ---- about the run ----

    @property
    def status(self) -> str:
        """``finished``, ``interrupted``, ``failed``, or ``unfinished`` (killed)."""
        return str(self.summary.get("status") or str(self.attributes.get(("/", "status"), "unfinished")).split(":")[0])

    @property
    def message(self) -> str:
        """Why it failed or stopped."""
        if "message" in self.summary:
            return str(self.summary["message"])
        return str(self.attributes.get(("/", "status"), "")).partition(": ")[2]

    @property
    def warnings(self) -> list[str]:
        """Everything that the run warned of."""
        if "warnings" in self.summary:
            return list(self.summary["warnings"])
        stored = str(self.attributes.get(("/meta", "warnings"), ""))
        return stored.split("\n") if stored else []

    @property
    def estimated_errors(self) -> list[EstimatedError]:
        """Of a run by ``simulate(..., verify=True)``: last value, minimum and maximum of each number of each sensor."""
        values = self.summary.get("estimated_errors", {}).get("values", [])
        failed = [v["error"] is None and v.get("estimated", True) for v in values]
        return [EstimatedError(**({**v, "error": float("inf")} if f else v)) for v, f in zip(values, failed)]

    @property
    def title(self) -> str:
        """Title of the scene."""
        return str(self.attributes.get(("/meta", "title"), ""))

    @property
    def scene_text(self) -> str:
        """The scene as it was given."""
        return str(self.dataset("/scene/text"))

    @property
    def effective_text(self) -> str:
        """The scene as it was run: with all changed values."""
        return str(self.dataset("/scene/effective"))

    @property
    def analyses(self) -> list[str]:
        """Names of the analyses in order."""
        names = str(self.attributes.get(("/meta", "analyses"), ""))
        return names.split(", ") if names else []

    @functools.cached_property
    def model(self) -> dict[str, Any]:
        """Parts, joints and slots of each model (``/model/summary``)."""
        return dict(json.loads(self.dataset("/model/summary")))

    @functools.cached_property
    def dim(self) -> int:
        """2 planar, 3 spatial."""
        import tomllib

        return 3 if tomllib.loads(self.effective_text).get("space") == "spatial" else 2

    # ---- tables ----

    @property
    def sensors(self) -> Mapping[str, Table]:
        """Sensors by name, over time. Of a run without motion those of its last static analysis, over the load factor."""
        path = self._last_load_path
        return self._lookup("sensor", "/sensors/" if path is None else f"/analysis/{path}/sensors/")

    @property
    def load_paths(self) -> list[str]:
        """Names of the static analyses, whose sensors ``static_sensors(name)`` gives."""
        return [name for name in self.analyses if self._tables(f"/analysis/{name}/sensors/")]

    @functools.cached_property
    def _last_load_path(self) -> str | None:
        """The last static analysis where no sensor has a value over time."""
        paths = self.load_paths
        moves = any(self._infos[f"/sensors/{name}/t"].shape[0] for name in self._tables("/sensors/"))
        return paths[-1] if paths and not moves else None

    def static_sensors(self, analysis: str) -> Mapping[str, Table]:
        """Sensors of a static analysis, over the load factor.

        Parameters
        ----------
        analysis : str
            Its name, one of `load_paths`.

        Raises
        ------
        KeyError
            There is no static analysis of that name.
        """
        paths = self.load_paths
        if analysis not in paths:
            known = f"; there are {', '.join(paths)}" if paths else "; the run has none"
            raise KeyError(f'there is no static analysis with sensors named "{analysis}"{known}')
        return self._lookup("sensor", f"/analysis/{analysis}/sensors/")

    def _chosen(self, names: tuple[str, ...], analysis: str | None) -> list[Table]:
        sensors = self.sensors if analysis is None else self.static_sensors(analysis)
        return [sensors[name] for name in (names or tuple(sensors))]

    def __getitem__(self, sensor: str) -> Table:
        return self.sensors[sensor]

    def __contains__(self, sensor: object) -> bool:
        return sensor in self.sensors

    def __iter__(self) -> Iterator[str]:
        return iter(self.sensors)

    def __len__(self) -> int:
        return len(self.sensors)

    @property
    def energies(self) -> Table:
        """Energies of the whole model [J], each column of shape (time,): ``kinetic``, ``strain``, ``gravity``,
        ``dissipated``, ``work`` (of loads and prescribed motions), ``numerical`` (lost by the integration)."""
        return Table(self, "/energies", "energies")

    @property
    def violations(self) -> Table:
        """Largest violation of the constraints that carry multipliers, each column of shape (time,).

        ``constraint``: the largest abs(Phi) of all, each Phi in the unit of its equation (of places [m], of products of
        directions [1]); ``rate``: of their rates, per s; then one column for each family, ``rigidity`` of bodies for one.
        """
        return Table(self, "/violations", "violations")

    @property
    def solver(self) -> Table:
        """Each step of the solver, each column of shape (step,): ``t`` at its end [s], its size ``step`` [s],
        ``iterations`` and ``factorizations`` (whole numbers), ``residual`` [1], over what was to be reached."""
        return Table(self, "/solver", "solver")

    @property
    def bodies(self) -> Mapping[str, Table]:
        """Rigid bodies by name: ``position`` of the reference point, shape (time, dim) [m], and the rotation from the axes
        of the body to those of the scene: ``quat_xyzw``, shape (time, 4) [1], or planar ``angle``, shape (time,) [rad]."""
        return self._lookup("body", "/parts/body/")

    @property
    def joints(self) -> Mapping[str, Table]:
        """Joints by name, with what they have: ``angle``, shape (time,) [rad], counts turns; ``displacement``, shape
        (time,) [m]; ``lambda``, the multipliers of their constraints, shape (time, constraint), in the unit of
        ``joints[name].units`` (forces [N], moments [N m])."""
        return self._lookup("joint", "/joints/")

    def states(self, analysis: str | None = None, model: int | None = None) -> States:
        """All coordinates of an analysis over time.

        Parameters
        ----------
        analysis : str, optional
            Its name; by default the last one that has states.
        model : int, optional
            Where something is let go in between, a new model begins. Counted from 1, it chooses the states of one; by
            default they follow each other.
        """
        having = {name: parts for name, parts in self._states_parts().items() if parts}
        if not having:
            raise KeyError("there are no states in these results")
        name = list(having)[-1] if analysis is None else analysis
        if name not in having:
            raise KeyError(f'there are no states of an analysis "{name}"{_nearest(name, list(having))}')
        parts = [part for part in having[name] if model is None or part[1] == model - 1]
        if not parts:
            known = ", ".join(str(index + 1) for _, index in having[name])
            raise KeyError(f'analysis "{name}" has no states of model {model}, but of {known}')
        return States(self, name, parts)

    def _states_parts(self) -> dict[str, list[tuple[str, int]]]:
        """Paths and models of the states of each analysis. The first model of an analysis is not written: it is that of
        the analysis before, or a later one of the same size."""
        widths = [m["coordinates"] + m["eliminated"] + m["multipliers"] for m in self.model["models"]]
        found: dict[str, list[tuple[str, int]]] = {}
        model = 0
        for name in self.analyses:
            base = f"/analysis/{name}"
            later = [k for k in range(len(widths)) if f"{base}/model{k + 1}/q" in self._infos]
            parts: list[tuple[str, int]] = []
            if base + "/q" in self._infos:
                width = self._infos[base + "/q"].shape[1]
                fits = [k for k in range(model, len(widths)) if widths[k] == width and k not in later]
                parts.append((base, fits[0] if fits else model))
            parts += [(f"{base}/model{k + 1}", k) for k in later]
            found[name] = parts
            model = parts[-1][1] if parts else model
        return found

    # ---- other forms ----

    def to_pandas(self, *names: str, analysis: str | None = None) -> pandas.DataFrame:
        """Sensors as one data frame, the time or load factor as index, a column per number; all sensors where none is named.

        `analysis`: a static one, by name; by default as `sensors`.
        """
        import pandas

        frames = [table.to_pandas() for table in self._chosen(names, analysis)]
        frame = pandas.concat(frames, axis=1) if frames else pandas.DataFrame()
        frame.attrs["units"] = {key: unit for f in frames for key, unit in f.attrs["units"].items()}
        return frame

    def to_xarray(self, *names: str, analysis: str | None = None) -> xarray.Dataset:
        """Sensors as a data set with a dimension of time per interval, or of the load factor; units are attributes.

        `analysis`: a static one, by name; by default as `sensors`.
        """
        import xarray

        variables: dict[str, Any] = {}
        coords: dict[str, Any] = {}
        axes: list[tuple[str, Array]] = []
        for table in self._chosen(names, analysis):
            name, t = table.name, table.axis
            dim = next((d for d, x in axes if np.array_equal(x, t)), "")
            if not dim:
                dim = table.axis_name if not axes else f"{table.axis_name}{len(axes) + 1}"
                axes.append((dim, t))
                coords[dim] = (dim, t, {"units": "s" if table.axis_name == "t" else "1"})
            for column in table.columns:
                x = table[column]
                key = name if len(table.columns) == 1 else f"{name}.{column}"
                inner = [f"{key}_{k}" if x.ndim > 2 else _COMPONENTS.get(n, f"n{n}") for k, n in enumerate(x.shape[1:])]
                variables[key] = ([dim, *inner], x, {"units": table.units[column]})
                for axis, n in zip(inner, x.shape[1:], strict=True):
                    if axis in _COMPONENTS.values():
                        coords[axis] = (axis, list("xyzw"[:n]))
        return xarray.Dataset(variables, coords=coords, attrs={"title": self.title})

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Copies the results file; `flexura.load` reads it again."""
        target = Path(path)
        if target.is_dir():
            target = target / "results.h5"
        if target.exists() and target.samefile(self.path):
            return target
        with self.path.open("rb") as source:
            written_whole(target, lambda file: shutil.copyfileobj(source, file))
        return target

    # ---- pictures ----

    def plot(self, *names: str, ax: Axes | None = None, analysis: str | None = None) -> Axes:
        """Draws sensors over time, or over the load factor, with matplotlib.

        Parameters
        ----------
        *names : str
            Sensors; all of the same unit as the first one where none is named.
        ax : Axes, optional
            Where to draw; by default new axes.
        analysis : str, optional
            A static analysis, by name; by default as `sensors`.

        Returns
        -------
        Axes
        """
        import matplotlib.pyplot as plt

        tables = self._chosen(names, analysis)
        if not names:
            tables = [table for table in tables if table.unit == tables[0].unit]
        if ax is None:
            _, ax = plt.subplots(layout="constrained")
        units: dict[str, None] = {}
        lines = 0
        for table in tables:
            for label, (x, unit) in table._flat().items():
                ax.plot(table.axis, x, label=label)
                units[unit] = None
                lines += 1
        shown = ", ".join(unit for unit in units if unit not in ("", "1"))
        shared = {column for table in tables for column in table.columns}
        what = tables[0].name if len(tables) == 1 else shared.pop() if len(shared) == 1 else ""
        ax.set_xlabel("t [s]" if not tables or tables[0].axis_name == "t" else "load factor [1]")
        ax.set_ylabel(f"{what} [{shown}]".strip() if shown else what)
        ax.margins(x=0)
        if lines > 1:
            ax.legend()
        return ax

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Writes the report, one file with 3D playback and plots that any browser opens.

        Parameters
        ----------
        path : path, optional
            By default beside the results: ``report.html``, or for ``other.h5`` ``other.html``.
        """
        target = Path(path) if path is not None else self._report_path
        _core.write_report([str(self.path)], str(target))
        return target

    @property
    def _report_path(self) -> Path:
        return self.path.with_name("report.html") if self.path.name == "results.h5" else self.path.with_suffix(".html")

    def show(self, height: int = 720) -> None:
        """Shows the report: inside a notebook, else in the browser; of a run without a folder it is then a file in the
        system's folder for temporary files, which stays there.

        Parameters
        ----------
        height : int
            Of the frame in a notebook, in pixels.
        """
        path = self._report_path
        if self._temporary is not None and not in_notebook():
            # The browser may ask for it when this result, and its folder, are gone.
            path = Path(tempfile.mkdtemp(prefix="flexura-report-")) / "report.html"
        if not path.exists() or path.stat().st_mtime < self.path.stat().st_mtime:
            self.report(path)
        show_page(path, height, repr(self))

    def __repr__(self) -> str:
        stopped = f" ({self.message})" if self.message else ""
        first = f'<flexura.Result "{self.title}": {self.status}{stopped}, {len(self.sensors)} sensors, {self.path}>'
        return "\n".join([first, *(f"warning: {warning}" for warning in self.warnings)])

    def __str__(self) -> str:
        return self._text or repr(self)

    def _repr_html_(self) -> str:
        cell = "<td>{}</td>".format
        rows = ""
        for name, sensor in self.sensors.items():
            x = sensor.values
            last = np.array2string(x[-1], precision=6, separator=", ") if len(x) else ""
            rows += f"<tr>{cell(html.escape(name))}{cell(html.escape(last))}{cell(html.escape(sensor.unit))}</tr>"
        notes = "".join(f"<p>warning: {html.escape(w)}</p>" for w in self.warnings)
        head = f"<b>{html.escape(self.title)}</b>, {html.escape(self.status)} {html.escape(self.message)}"
        table = f"<table><tr><th>sensor</th><th>last</th><th>unit</th></tr>{rows}</table>"
        return f"<div>{head}{notes}{table}</div>"


_COMPONENTS = {2: "xy", 3: "xyz", 4: "xyzw"}


def load(path: str | os.PathLike[str]) -> Result:
    """Results of an earlier run.

    Parameters
    ----------
    path : path
        A results file, or the folder of a run; of a run that was killed, what it had computed.

    Raises
    ------
    NotFound
        A FileNotFoundError: there are no results.
    ResultsError
        The file is damaged. What ends the HDF5 library ends another process, in which the file is read first.
    """
    _read_by_another(Path(os.fsdecode(path)))
    return Result(path)


def _read_by_another(path: Path) -> None:
    """Raises ResultsError where the program cannot read the file. It reads in a child (cli/reading_child.cpp)."""
    from .studies import IO_FAILURE, program

    if not (path / "results.h5" if path.is_dir() else path).is_file():
        return
    try:
        words = [program(), "info", str(path.absolute())]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except (ResultsError, OSError):  # there is no program to ask
        return
    if done.returncode == IO_FAILURE:
        said = done.stderr.decode(errors="replace").strip()
        message = said.splitlines()[-1].removeprefix("error: ")
        raise ResultsError(message if str(path) in message else f"{path}: {message}")


@dataclass(frozen=True)
class EstimatedError:
    """Estimated error of a value of a sensor, by Richardson's extrapolation over steps and meshes.

    Attributes
    ----------
    sensor, of, component, unit : str, str, int, str
        Which number: `of` is "last", "min" or "max".
    value : float
        In the unit.
    error : float or None
        In the unit; infinite where a finer run failed. None of sensors without a discretisation error: violations of
        constraints and counts of contacts.
    step_order, mesh_order : float or None
        Observed orders of convergence; None where there are no three levels, or differences are rounding.
    converged : bool
        False where a refinement changes the value by no less than the coarser one did, as in chaotic motions; of a
        run with such a value also where the error is above 20 % of the sensor's largest value.
    estimated : bool
        False where `error` is None.
    """

    sensor: str
    of: str
    component: int
    unit: str
    value: float
    error: float | None
    step_order: float | None
    mesh_order: float | None
    converged: bool
    estimated: bool = True


@dataclass(frozen=True)
class SensorDifference:
    """How far one number of a sensor differs between two runs.

    Attributes
    ----------
    column : str
        Sensor and component, for example ``tip.x``.
    unit : str
        Of the differences.
    max_difference : float
        Largest absolute difference.
    at : float
        Its time [s].
    rms : float
        Root mean square of the difference.
    """

    column: str
    unit: str
    max_difference: float
    at: float
    rms: float


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side.

    Attributes
    ----------
    sensors : tuple of SensorDifference
        Of every number of every sensor that both runs have; the second run is interpolated at the times of the first.
    identical : bool
        The results files hold the same bits, times of the clock left out.
    differences : tuple of str
        What differs, dataset by dataset.
    """

    sensors: tuple[SensorDifference, ...]
    identical: bool
    differences: tuple[str, ...]
    _runs: tuple[Result, Result]

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Writes a report in which the second run is drawn over the first."""
        target = Path(path)
        _core.write_report([str(run.path) for run in self._runs], str(target))
        return target

    def __getitem__(self, column: str) -> SensorDifference:
        for difference in self.sensors:
            if difference.column == column:
                return difference
        names = [d.column for d in self.sensors]
        raise KeyError(f'there is no column "{column}" in both runs{_nearest(column, names)}')

    def __str__(self) -> str:
        if self.identical:
            return "the same results, bit for bit"
        lines = [f"{'sensor':32} {'max difference':>15} {'at [s]':>10} {'rms':>12}  unit"]
        lines += [f"{d.column:32} {d.max_difference:15.6g} {d.at:10.4g} {d.rms:12.6g}  {d.unit}" for d in self.sensors]
        return "\n".join(lines)


def compare(a: Result | str | os.PathLike[str], b: Result | str | os.PathLike[str]) -> Comparison:
    """Differences of two runs, sensor by sensor.

    Parameters
    ----------
    a, b : Result or path
        Two runs.

    Returns
    -------
    Comparison
    """
    first, second = (run if isinstance(run, Result) else load(run) for run in (a, b))
    rows: list[SensorDifference] = []
    for name in first:
        if name not in second:
            continue
        x, y = first[name], second[name]
        t, u = x.axis, y.axis
        if not len(t) or not len(u):
            continue
        other = y._flat()
        for column, (values, unit) in x._flat().items():
            if column not in other:
                continue
            inside = (t >= u[0]) & (t <= u[-1])
            if not inside.any():
                continue
            difference = np.abs(values[inside] - np.interp(t[inside], u, other[column][0]))
            worst = int(np.argmax(difference))
            rms = float(np.sqrt(np.mean(difference**2)))
            rows.append(SensorDifference(column, unit, float(difference[worst]), float(t[inside][worst]), rms))
    lines = tuple(_core.compare_results(str(first.path), str(second.path)))
    return Comparison(tuple(rows), not lines, lines, (first, second))
