"""Numbers that are sought and records of measurements, as studies write them."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["bounded_table", "experiment_table", "is_frame", "parameter_tables", "table_file"]

_OF_RECORDS = {"name", "data", "scene", "set", "shift", "from", "until", "left_out", "time", "time_unit"}


def parameter_tables(
    parameters: Mapping[str, Mapping[str, object]],
) -> tuple[dict[str, str], dict[str, dict[str, object]]]:
    """Of each parameter, which goes by its path or a name: its key here by its name in a study; the keys of ``[parameter.NAME]`` by that
    name. Raises TypeError, ValueError."""
    keys: dict[str, str] = {}
    tables: dict[str, dict[str, object]] = {}
    for key, given in parameters.items():
        name = re.sub(r"[^A-Za-z0-9_-]", "_", key)
        while name in keys:
            name += "_"
        keys[name] = key
        tables[name] = bounded_table("parameters", key, given)
        if "path" not in tables[name] and "." in key:
            tables[name]["path"] = key
    return keys, tables


def bounded_table(what: str, key: str, given: Mapping[str, object]) -> dict[str, object]:
    """The keys of one of `what`, with ``low`` and ``high`` for ``bounds``. Raises TypeError, ValueError."""
    if not isinstance(given, Mapping):
        raise TypeError(f"{what}[{key!r}]: a mapping such as {{'bounds': (0.01, 0.03)}}, not {given!r}")
    table = dict(given)
    if "bounds" in table:
        bounds: Any = table.pop("bounds")
        if "low" in table or "high" in table:
            raise ValueError(f"{what}[{key!r}]: bounds are low and high; give them or these")
        if isinstance(bounds, str) or not hasattr(bounds, "__len__") or len(bounds) != 2:
            raise ValueError(f"{what}[{key!r}]: bounds are two, least and largest, not {bounds!r}")
        table |= {end: bound for end, bound in zip(("low", "high"), bounds, strict=True) if bound is not None}
    return table


def experiment_table(record: object, name: str, folder: Path) -> tuple[str, dict[str, object]]:
    """Name and keys of ``[experiment.NAME]``. Tables that are no files are written into the folder. Raises TypeError, ValueError."""
    if isinstance(record, Mapping) and ("data" in record or _OF_RECORDS.issuperset(record)):
        table = dict(record)
    else:
        table = {"data": record}
    name = str(table.pop("name", name))
    data = table.pop("data", None)
    if data is None:
        return name, table
    if isinstance(data, str | os.PathLike):
        table["record"] = os.path.abspath(data)
        return name, table
    table["record"] = str(table_file(data, name, folder))
    return name, table


def table_file(data: object, name: str, folder: Path) -> Path:
    """The file of a table: itself, or written into the folder. Raises TypeError, ValueError."""
    if isinstance(data, str | os.PathLike):
        return Path(os.path.abspath(data))
    path = folder / f"record_{re.sub(r'[^A-Za-z0-9_-]', '_', name)}.csv"
    folder.mkdir(parents=True, exist_ok=True)
    _write_columns(path, _columns(data, name), name)
    return path


def is_frame(data: object) -> bool:
    """Whether it is a DataFrame, without pandas."""
    return hasattr(data, "columns") and hasattr(data, "to_dict")


def _columns(data: Any, name: str) -> dict[str, Any]:
    if is_frame(data):
        if data.index.name is not None:
            data = data.reset_index()
        return {str(heading): data[heading].to_numpy(dtype=float, na_value=np.nan) for heading in data.columns}
    if isinstance(data, Mapping):
        return {str(heading): values for heading, values in data.items()}
    raise TypeError(
        f"record {name!r}: a path of a CSV file, a DataFrame or a mapping of arrays, not {type(data).__name__}"
    )


def _write_columns(path: Path, columns: Mapping[str, Any], name: str) -> None:
    """A table that reads back as the same doubles; NaN is an empty cell."""
    arrays = {}
    for heading, values in columns.items():
        if re.search(r'[,;"\t\r\n]', heading):
            raise ValueError(f"record {name!r}: a heading has no comma, semicolon, quote or tab: {heading!r}")
        arrays[heading] = np.asarray(values, dtype=float)
    shapes = {heading: array.shape for heading, array in arrays.items()}
    if len({*shapes.values()}) > 1 or any(len(shape) != 1 for shape in shapes.values()):
        said = ", ".join(f"{heading!r} {shape}" for heading, shape in shapes.items())
        raise ValueError(f"record {name!r}: columns are of one dimension and one length, not {said}")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(arrays)
        for row in zip(*(array.tolist() for array in arrays.values()), strict=True):
            writer.writerow(["" if value != value else repr(value) for value in row])
