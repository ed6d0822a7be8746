"""Draws the head and a tusk of an elephant as closed triangle meshes: elephant_head.obj and elephant_tusk.obj.

The head is the zero set of rounded solids that blend into each other, meshed by surface nets: one vertex in each cell
of a grid that the surface crosses, moved onto the surface. x points forward, y to the left, z up; metres.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Field = Callable[[Array], Array]


def ellipsoid(center: tuple[float, float, float], radii: tuple[float, float, float], tilt: float = 0.0) -> Field:
    """Return an estimate of the distance from an ellipsoid, turned about y by `tilt` degrees.

    Parameters
    ----------
    center, radii
        Centre and semi-axes [m].
    tilt
        Turn of its axes about y, nose down where positive [deg].
    """
    c, s = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    axes = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])

    def distance(x: Array) -> Array:
        scaled = (x - center) @ axes.T / radii
        size = np.linalg.norm(scaled, axis=-1)
        slope = np.linalg.norm(scaled / radii, axis=-1)
        return size * (size - 1) / np.maximum(slope, 1e-9)

    return distance


def capsule(start: tuple[float, float, float], end: tuple[float, float, float], radii: tuple[float, float]) -> Field:
    """Return the distance from a rod with round ends whose radius goes from `radii[0]` to `radii[1]` [m]."""
    a, b = np.array(start), np.array(end)

    def distance(x: Array) -> Array:
        t = np.clip((x - a) @ (b - a) / np.dot(b - a, b - a), 0, 1)
        return np.linalg.norm(x - a - t[..., None] * (b - a), axis=-1) - (radii[0] + t * (radii[1] - radii[0]))

    return distance


def both_sides(field: Field) -> Field:
    """Return the union of a solid at y > 0 and its mirror image."""
    return lambda x: field(np.stack([x[..., 0], np.abs(x[..., 1]), x[..., 2]], axis=-1))


def blend(fields: list[tuple[Field, float]]) -> Field:
    """Return the union of solids, each melted into those before it over a width [m]."""

    def distance(x: Array) -> Array:
        out = fields[0][0](x)
        for field, width in fields[1:]:
            other = field(x)
            h = np.clip(0.5 + 0.5 * (out - other) / width, 0, 1)
            out = out + h * (other - out) - width * h * (1 - h)
        return out

    return distance


def head() -> Field:
    """Return the head; the trunk begins at the origin and goes forward and down."""
    return blend(
        [
            (ellipsoid((-0.36, 0, 0.12), (0.30, 0.25, 0.33), 20), 0.0),
            (both_sides(ellipsoid((-0.30, 0.09, 0.34), (0.17, 0.13, 0.15))), 0.10),
            (capsule((-0.26, 0, 0.16), (0.0, 0, -0.03), (0.21, 0.162)), 0.14),
            (both_sides(ellipsoid((-0.20, 0.15, -0.08), (0.17, 0.10, 0.19), 25)), 0.10),
            (both_sides(capsule((-0.16, 0.14, -0.06), (-0.06, 0.155, -0.19), (0.09, 0.066))), 0.10),
            (both_sides(ellipsoid((-0.155, 0.165, 0.145), (0.085, 0.055, 0.035), 20)), 0.06),
            (capsule((-0.40, 0, -0.16), (-0.26, 0, -0.29), (0.15, 0.07)), 0.10),
            (capsule((-0.45, 0, 0.06), (-0.72, 0, 0.0), (0.27, 0.27)), 0.12),
        ]
    )


def surface_net(field: Field, low: Array, high: Array, cell: float) -> tuple[Array, NDArray[np.int64]]:
    """Return vertices (n, 3) [m] and triangles (m, 3), outward, of the surface where `field` is zero."""
    count = np.ceil((high - low) / cell).astype(int) + 1
    axes = [low[i] + cell * np.arange(count[i]) for i in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    inside = field(grid) < 0
    corners = [
        inside[i : count[0] - 1 + i, j : count[1] - 1 + j, k : count[2] - 1 + k]
        for i in (0, 1)
        for j in (0, 1)
        for k in (0, 1)
    ]
    crossed = np.any(corners, axis=0) & ~np.all(corners, axis=0)
    number = np.full(crossed.shape, -1)
    number[crossed] = np.arange(crossed.sum())
    x = grid[:-1, :-1, :-1][crossed] + cell / 2
    for _ in range(8):  # onto the surface, along the gradient
        step = 1e-4 * np.eye(3)
        gradient = np.stack([(field(x + d) - field(x - d)) / 2e-4 for d in step], axis=-1)
        x = x - (field(x) / np.maximum(np.sum(gradient**2, axis=-1), 1e-3))[:, None] * gradient
    quads = []
    for axis in range(3):
        here = np.moveaxis(inside, axis, 0)
        cells = np.moveaxis(number, axis, 0)
        a, b = here[:-1, 1:-1, 1:-1], here[1:, 1:-1, 1:-1]
        ring = np.stack([cells[:, :-1, :-1], cells[:, 1:, :-1], cells[:, 1:, 1:], cells[:, :-1, 1:]], axis=-1)
        order = -1 if axis == 1 else 1  # moving y to the front mirrors the other two
        quads += [ring[a & ~b][:, ::order], ring[~a & b][:, ::-order]]
    faces = np.concatenate(quads)
    # Along the shorter diagonal, which is the same on both sides of a symmetric solid.
    a, b, c, d = (x[faces[:, i]] for i in range(4))
    turned = np.linalg.norm(b - d, axis=-1) < np.linalg.norm(a - c, axis=-1) - 1e-9
    faces = np.where(turned[:, None], np.roll(faces, -1, axis=1), faces)
    return x, np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])


def tusk(length: float = 0.62, radius: float = 0.045, rise: float = 0.62) -> tuple[Array, NDArray[np.int64]]:
    """Return vertices and triangles of a tusk along x that curves up by `rise` [rad], closed at both ends."""
    around, along = 16, 14
    s = length * np.sin(0.5 * np.pi * np.linspace(0, 1, along))
    angle = rise * (s / length) ** 1.3
    step = np.diff(s, prepend=0.0)
    center = np.cumsum(np.stack([np.cos(angle) * step, 0 * s, np.sin(angle) * step], axis=-1), axis=0)
    across = np.stack([-np.sin(angle), 0 * s, np.cos(angle)], axis=-1)
    size = radius * np.sqrt(np.maximum(1 - (s / length) ** 1.6, 0))[:-1]
    turn = 2 * np.pi * np.arange(around) / around
    rings = center[:-1, None] + size[:, None, None] * (
        np.cos(turn)[None, :, None] * across[:-1, None] - np.sin(turn)[None, :, None] * np.array([0, 1, 0])
    )
    x = np.concatenate([rings.reshape(-1, 3), center[:1], center[-1:]])
    root, tip = len(x) - 2, len(x) - 1
    triangles = []
    for k in range(around):
        n = (k + 1) % around
        for i in range(along - 2):
            p, q, r, t = i * around + k, i * around + n, (i + 1) * around + n, (i + 1) * around + k
            triangles += [(p, q, r), (p, r, t)]
        triangles += [(root, n, k), ((along - 2) * around + k, (along - 2) * around + n, tip)]
    return x, np.array(triangles)


def write(path: Path, x: Array, triangles: NDArray[np.int64]) -> None:
    """Write an OBJ file in millimetres, without vertices that no triangle uses."""
    used, place = np.unique(triangles, return_inverse=True)
    lines = [f"v {a:.1f} {b:.1f} {c:.1f}\n" for a, b, c in 1e3 * x[used]]
    lines += [f"f {a} {b} {c}\n" for a, b, c in place.reshape(-1, 3) + 1]
    path.write_text("".join(lines))
    a, b, c = (x[triangles[:, i]] for i in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    print(f"{path}: {len(used)} vertices, {len(triangles)} triangles, {volume:.4f} m^3")


if __name__ == "__main__":
    folder = Path(__file__).parent
    cell = 0.026
    half = cell * np.round(0.6 / cell)  # the grid is its own mirror image: y = 0 is one of its planes
    write(
        folder / "elephant_head.obj",
        *surface_net(head(), np.array([-1.15, -half, -0.5]), np.array([0.3, half, 0.65]), cell),
    )
    write(folder / "elephant_tusk.obj", *tusk())
