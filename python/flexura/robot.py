"""Robots from URDF files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from . import _core
from .errors import warn_of
from .scene import Scene

__all__ = ["from_urdf"]

FilePath: TypeAlias = "str | os.PathLike[str]"


def from_urdf(
    file: FilePath,
    *,
    base: Literal["fixed", "free"] = "fixed",
    joints: Mapping[str, float] | None = None,
    limits: Literal["stops", "rates", "none"] = "stops",
    collision: Literal["spheres", "all", "none"] = "spheres",
    inertia: Literal["strict", "mended"] = "strict",
    packages: Iterable[FilePath] = (),
) -> Scene:
    """Reads a robot as a scene that can be edited: bodies by the names of links, joints, springs, visuals.

    Parameters
    ----------
    file : path
        URDF file. Meshes that it names become relative to the current folder.
    base : {"fixed", "free"}
        The first link: welded to the ground, or held by nothing.
    joints : mapping of names to numbers [rad or m], optional
        Where joints start; the others at 0.
    limits : {"stops", "rates", "none"}
        What limits of joints become: end stops, and efforts the joints' ``max_effort``; with velocities as their
        ``max_rate``; or nothing.
    collision : {"spheres", "all", "none"}
        What collision geometry becomes: each sphere one that contacts know; the same, and points on the corners of boxes and
        cylinders and spheres at the ends of capsules; or nothing.
    inertia : {"strict", "mended"}
        Of inertia that no mass has: it is an error, or the nearest that a mass can have takes its place, and links that
        move without mass or without moments get a little; a warning tells what.
    packages : paths
        Folders in which the packages of ``package://`` lie, besides those above the file and of ``ROS_PACKAGE_PATH``.

    Returns
    -------
    Scene
        With gravity along -z, a sensor for each joint and a motion of 1 s. To use a robot as a part of another scene,
        write ``scene.use.arm = fx.Use(urdf="arm.urdf")``.

    Raises
    ------
    SceneError
        With everything that is wrong with the file.
    FileNotFoundError
        There is no such file.

    Warns
    -----
    SimulationWarning
        What is left out: tags that a scene has nothing for, meshes that cannot be read.
    """
    for name, given, allowed in (
        ("base", base, ("fixed", "free")),
        ("limits", limits, ("stops", "rates", "none")),
        ("collision", collision, ("spheres", "all", "none")),
        ("inertia", inertia, ("strict", "mended")),
    ):
        if given not in allowed:
            names = ", ".join(f'"{choice}"' for choice in allowed[:-1])
            raise ValueError(f'{name}: {names} or "{allowed[-1]}", not {given!r}')
    path = os.fspath(file)
    with open(path, "rb"):  # a FileNotFoundError names it
        pass
    text, warnings = _core.convert_urdf(
        path,
        (base, limits, collision, inertia),
        [os.fspath(folder) for folder in packages],
        [(str(name), float(x)) for name, x in (joints or {}).items()],
    )
    if warnings:
        warn_of(warnings)
    return Scene.loads(text)
