"""Compares results files by their bits, as docs/results-format.md says: all but what begins with wall_."""

import pathlib

import h5py
import numpy


def content(path: pathlib.Path) -> dict[str, bytes]:
    """Every dataset and attribute, by path, as type, shape and bytes."""
    found: dict[str, bytes] = {}

    def is_wall(name: str) -> bool:
        return name.rsplit("/", 1)[-1].startswith("wall_")

    def take(name: str, item) -> None:
        for key, value in item.attrs.items():
            if not is_wall(key):
                found[f"{name}@{key}"] = repr(value).encode()
        if isinstance(item, h5py.Dataset) and not is_wall(name):
            values = item[()]
            raw = values.tobytes() if isinstance(values, numpy.ndarray | numpy.generic) else bytes(values)
            found[name] = f"{item.dtype} {item.shape} ".encode() + raw

    with h5py.File(path) as file:
        take("", file)
        file.visititems(take)
    return found


def differences(a: pathlib.Path, b: pathlib.Path) -> list[str]:
    """Names of what differs."""
    x, y = content(a), content(b)
    return sorted(name for name in x.keys() | y.keys() if x.get(name) != y.get(name))


def not_finite(path: pathlib.Path) -> list[str]:
    """Names of datasets that hold NaN or infinity."""
    found: list[str] = []

    def look(name: str, item) -> None:
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and not numpy.isfinite(item[()]).all():
            found.append(name)

    with h5py.File(path) as file:
        file.visititems(look)
    return found
