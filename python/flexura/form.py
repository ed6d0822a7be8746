"""Form-finding of tensegrities and nets by force densities [schek1974]."""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parts import ElasticTruss

if TYPE_CHECKING:
    from .scene import Scene

Numbers = NDArray[np.float64]

_SINGULAR = 1e-9
"""Of the largest eigenvalue: less counts as zero."""


def force_densities(members: Sequence[tuple[int, int]], densities: ArrayLike, count: int) -> Numbers:
    """D = Cᵀ diag(q) C of a frame: D x is what its members pull at each node, for each axis.

    Parameters
    ----------
    members : pairs of nodes
    densities : array [members]
        q = force / length [N/m]; tension is positive.
    count : int
        Nodes.
    """
    C = np.zeros((len(members), count))
    for k, (i, j) in enumerate(members):
        C[k, i], C[k, j] = 1, -1
    return np.asarray(C.T @ (np.asarray(densities, float)[:, None] * C))


def form_of_held(D: Numbers, points: ArrayLike, fixed: Sequence[bool]) -> Numbers:
    """Positions [nodes, axes] in balance, where some are fixed: D_ff x_f = -D_fc x_c. Raises ValueError where they do not follow."""
    x, held = np.array(points, float), np.asarray(fixed, bool)
    inner = D[np.ix_(~held, ~held)]
    if not inner.size:
        return x
    size = np.linalg.svd(inner, compute_uv=False)
    if size[-1] <= _SINGULAR * size[0]:
        raise ValueError("these densities leave positions open: some nodes can move without a force")
    x[~held] = np.linalg.solve(inner, -D[np.ix_(~held, held)] @ x[held])
    return x


def form_of_free(D: Numbers, points: ArrayLike) -> Numbers:
    """Positions [nodes, axes] in balance without any fixed, nearest to `points`.

    They span null(D), which has dimension axes + 1 or more, or there are none: ValueError.
    """
    x = np.array(points, float)
    size, vectors = np.linalg.eigh(D)
    null = vectors[:, np.abs(size) < _SINGULAR * np.abs(size).max()]
    if null.shape[1] <= x.shape[1]:
        raise ValueError(
            f"with these densities no frame in {x.shape[1]} dimensions stands free: D has {null.shape[1]} zero eigenvalues "
            f"and needs {x.shape[1] + 1}; leave the density of one group open (None)"
        )
    found = null @ (null.T @ x)
    spread = np.linalg.svd(found - found.mean(axis=0), compute_uv=False)
    if spread[-1] < 1e-6 * spread[0]:
        raise ValueError(
            "the form that is nearest to the positions drawn is flat: draw them nearer to the form that is meant"
        )
    return np.asarray(found)


def open_density(fixed: Numbers, unit: Numbers, axes: int) -> float:
    """x for which D = fixed + x unit has axes + 1 zero eigenvalues and none below: then the frame is stiff at any prestress.

    Raises ValueError where there is none.
    """
    n = len(fixed)
    # All that is no translation, and not in balance whatever x is.
    _, singular, right = np.linalg.svd(np.vstack([fixed, unit]))
    rest = right[singular > _SINGULAR * singular[0]].T
    nothing = "no density of the open group lets the frame stand free with all eigenvalues of D at least 0"
    if not rest.size:
        raise ValueError(nothing)
    a, b = rest.T @ fixed @ rest, rest.T @ unit @ rest
    shift = 0.7310 * np.abs(a).max() / max(np.abs(b).max(), 1e-300)
    try:
        mu = np.linalg.eigvals(np.linalg.solve(a + shift * b, b))
    except np.linalg.LinAlgError:
        raise ValueError(nothing) from None
    size = np.abs(fixed).max()
    found = []
    for root in shift - 1 / mu[np.abs(mu) > 1e-9]:
        if abs(root.imag) > 1e-6 * abs(root):
            continue
        # Of multiple roots eigenvalues have few digits: D is linear in x, and so is the mean of those that vanish.
        x = float(root.real)
        for _ in range(4):
            values, vectors = np.linalg.eigh(fixed + x * unit)
            near = [k for k in range(n) if abs(values[k]) < 1e-4 * size]
            slopes = np.array([vectors[:, k] @ unit @ vectors[:, k] for k in near])
            moving = np.abs(slopes) > 1e-9 * np.abs(unit).max()
            if not moving.any():
                break
            x -= float(np.mean(values[near][moving]) / np.mean(slopes[moving]))
        values = np.linalg.eigvalsh(fixed + x * unit)
        zeros = int(np.sum(np.abs(values) < _SINGULAR * np.abs(values).max()))
        if zeros > axes and values[0] > -_SINGULAR * np.abs(values).max():
            found.append(x)
    if not found:
        raise ValueError(nothing)
    return max(found)


@dataclasses.dataclass(frozen=True)
class Form:
    """A form in balance.

    Attributes
    ----------
    positions : dict of arrays
        Of each point [m].
    densities, forces : dict of float
        Of each truss: force over length [N/m], and force [N]; tension is positive.
    """

    positions: dict[str, Numbers]
    densities: dict[str, float]
    forces: dict[str, float]


def _pattern_values(names: Sequence[str], densities: Mapping[str, float | None]) -> dict[str, float | None]:
    values: dict[str, float | None] = {}
    for pattern, value in densities.items():
        matched = [name for name in names if fnmatch.fnmatchcase(name, pattern)]
        if not matched:
            raise ValueError(f"densities: there is no truss '{pattern}'")
        values.update(dict.fromkeys(matched, value))
    if missing := [name for name in names if name not in values]:
        raise ValueError(f"densities: none is given for {', '.join(missing)}")
    for name, value in values.items():
        is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
        if value is not None and not (is_number and np.isfinite(value)):
            raise ValueError(f"densities: that of truss.{name} is no number: {value!r}")
    return values


def _check_frame(
    points: Sequence[str], fixed: Sequence[bool], names: Sequence[str], members: Sequence[tuple[int, int]], q: Numbers
) -> None:
    """All that keeps nodes and members from being one frame, at once."""
    wrong = [f"truss.{name}: both ends are {points[i]}" for name, (i, j) in zip(names, members, strict=True) if i == j]
    if not names:
        wrong.append("the scene has no truss between points")
    elif not q.any():
        wrong.append("densities: all are 0: nothing carries")
    group = list(range(len(points)))  # of nodes that members with a density join
    for (i, j), density in zip(members, q, strict=True):
        if density != 0 and group[i] != group[j]:
            old = group[j]
            group = [group[i] if g == old else g for g in group]
    apart: dict[int, list[str]] = {}
    for name, g in zip(points, group, strict=True):
        apart.setdefault(g, []).append(name)
    if any(fixed):
        loose = [apart[g] for g in apart if not any(fixed[k] for k, of in enumerate(group) if of == g)]
    else:
        loose = sorted(apart.values(), key=len)[:-1]
    if names and q.any():
        wrong += [f"point.{', point.'.join(some)}: no truss that carries joins it to the rest" for some in loose]
    if wrong:
        raise ValueError("\n".join(wrong))


def find_form(scene: Scene, densities: Mapping[str, float | None]) -> Form:
    """Moves the points of a scene to where its trusses are in balance, and prestresses them.

    Points that are `fixed` stay. Where none is, the frame stands free: its form is the one nearest to the positions
    drawn. Elastic trusses get the `prestress`, and lose a `length` of their own; rigid ones and actuators carry theirs as
    constraints. Loads and weight are left out.

    Parameters
    ----------
    scene : Scene
        Its trusses are all between points, whose positions are plain numbers [m].
    densities : dict of float or None
        Force over length [N/m] of trusses by name; `*` stands for any letters, later ones count. None for one group of
        a frame that stands free: its density is found.

    Raises
    ------
    ValueError
        Where no form in balance follows, or the scene is none of points and trusses: names what it is about, and all of it where
        more is wrong. The scene is as it was then.
    """
    points = list(scene.point.keys())
    place = {name: k for k, name in enumerate(points)}
    x, fixed = [], []
    for name in points:
        position = scene.point[name]["position"] if "position" in scene.point[name] else None
        if position is None or not all(isinstance(value, int | float) for value in position):
            raise ValueError(f"point.{name}: its position must be plain numbers [m]")
        x.append([float(value) for value in position])
        fixed.append(bool("fixed" in scene.point[name] and scene.point[name]["fixed"]))
    names, members = [], []
    for name in scene.truss.keys():
        if "between" not in scene.truss[name]:
            continue  # masses of nodes
        ends = [str(end) for end in scene.truss[name]["between"]]
        if unknown := [end for end in ends if end not in place]:
            raise ValueError(f"truss.{name}: {unknown[0]} is no point")
        names.append(name)
        members.append((place[ends[0]], place[ends[1]]))
    values = _pattern_values(names, densities)
    is_open = [values[name] is None for name in names]
    q = np.array([0.0 if values[name] is None else values[name] for name in names], float)
    axes = len(x[0]) if x else 0
    if any(is_open):
        if any(fixed):
            raise ValueError("densities: None is for frames that stand free; this one has fixed points")
        _check_frame(points, fixed, names, members, np.where(is_open, 1.0, q))
        unit = force_densities(members, np.array(is_open, float), len(points))
        q[is_open] = open_density(force_densities(members, q, len(points)), unit, axes)
    _check_frame(points, fixed, names, members, q)
    D = force_densities(members, q, len(points))
    found = form_of_held(D, x, fixed) if any(fixed) else form_of_free(D, x)
    lengths = np.array([np.linalg.norm(found[j] - found[i]) for i, j in members])
    size = max(float(np.ptp(found, axis=0).max()), float(np.ptp(x, axis=0).max()))
    wrong = [
        f"truss.{name}: its ends meet in the form that is in balance"
        for name, l in zip(names, lengths, strict=True)
        if l <= 1e-9 * size
    ]
    wrong += [
        f"truss.{name}: carries tension only, and its density is {q[k]:g}"
        for k, name in enumerate(names)
        if q[k] < 0 and "carries" in scene.truss[name] and scene.truss[name]["carries"] == "tension"
    ]
    if wrong:
        raise ValueError("\n".join(wrong))
    forces = {}
    for k, name in enumerate(names):
        forces[name] = float(q[k] * lengths[k])
        truss = scene.truss[name]
        if isinstance(truss, ElasticTruss):
            truss["prestress"] = forces[name]
            if "length" in truss:
                del truss["length"]
    for name, moved, held in zip(points, found, fixed, strict=True):
        if not held:
            scene.point[name]["position"] = [float(value) for value in moved]
    return Form(dict(zip(points, found, strict=True)), dict(zip(names, map(float, q), strict=True)), forces)
