"""Scenes for co-simulation in other programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from . import _core
from ._source import SceneSource, Source
from .errors import SceneError
from .studies import program

__all__ = ["export_fmu"]


def export_fmu(
    scene: SceneSource,
    path: str | os.PathLike[str] | None = None,
    *,
    fmi: int = 2,
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    parameters: Iterable[str] = (),
    set: Iterable[str] | Mapping[str, object] = (),
) -> Path:
    """Writes a scene as a Functional Mock-up Unit.

    Parameters
    ----------
    scene : path, TOML text or Scene
        What the FMU simulates. It cannot call functions of Python.
    path : path, optional
        File; by default named after the scene, in the current folder.
    fmi : int
        Version of the interface, 2 or 3.
    inputs : iterable of str
        Signals that become inputs, by name, or by the path of the key where they are written; by default those of type
        ``"input"``.
    outputs : iterable of str
        Sensors, or single numbers of them, as ``"tip.x"``; by default all.
    parameters : iterable of str
        Numbers of the scene that become parameters, as ``"section.wall.EI"``.
    set
        As for `simulate`.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    SceneError
        Something is wrong with the scene or a name, each of them said.
    """
    if fmi not in (2, 3):
        raise ValueError(f"fmi: 2 or 3, not {fmi!r}")
    named = {"inputs": inputs, "outputs": outputs, "parameters": parameters}
    for key, names in named.items():
        if isinstance(names, str):
            raise TypeError(f"{key}: a list of names, not a text")
    source = Source(scene, set)
    file = Path(path) if path is not None else Path(Path(source.file).stem + ".fmu")
    library = Path(program()).resolve().parent / "flexura-fmu.so"
    try:
        _core.write_fmu(
            source.document(),
            os.fspath(file),
            os.fspath(library),
            fmi,
            *([str(name) for name in names] for names in named.values()),
        )
    except SceneError as error:
        raise source.reraise(error) from None
    return file
