"""Displacement below the forces of the pinched cylinder, by double Fourier series of Koiter's linear shell.

    u = U cos(ax) cos(nθ),  v = V sin(ax) sin(nθ),  w = W sin(ax) cos(nθ),  a = mπ/L, m odd, n even

Two forces of 1 push the middle of a cylinder together whose ends are diaphragms: R 300, L 600, h 3, E 3e6, ν 0.3. With 1600
terms of each, 1.8282e-5 by Koiter's κ = B − b and 1.8263e-5 by Sanders'; literature 1.8248e-5 [lindberg1969].

    python3 pinched_cylinder.py [TERMS]
"""

import sys

import numpy as np
from numpy.typing import NDArray

YOUNG, POISSON, RADIUS, LENGTH, THICKNESS = 3e6, 0.3, 300.0, 600.0, 3.0


def displacement(terms: int, *, sanders: bool = False) -> float:
    """Displacement below a force.

    Parameters
    ----------
    terms
        Largest m and n.
    sanders
        Curvatures of Sanders in place of Koiter's κ = B − b.

    Returns
    -------
    float
        Inwards, in the unit of the lengths.
    """
    m = np.arange(1, terms, 2)[:, None]
    n = np.arange(0, terms, 2)[None, :]
    a, b = m * np.pi / LENGTH + 0 * n, n / RADIUS + 0 * m
    zero, one = 0 * a, 0 * a + 1

    def row(*factors: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack(factors, axis=-1)

    membrane = [row(-a, zero, zero), row(zero, b, one / RADIUS), row(-b, a, zero)]
    if sanders:
        around = row(zero, b / RADIUS, b * b)
        twist = -2 * row(b / (4 * RADIUS), -3 * a / (4 * RADIUS), -a * b)
    else:
        around = row(zero, 2 * b / RADIUS, b * b + 1 / RADIUS**2)
        twist = 2 * row(zero, a / RADIUS, a * b)
    bending = [row(zero, zero, a * a), around, twist]

    stretch = YOUNG * THICKNESS / (1 - POISSON**2)
    stiffness = np.zeros((*a.shape, 3, 3))
    for factor, (xx, ss, xs) in ((stretch, membrane), (stretch * THICKNESS**2 / 12, bending)):
        for weight, p, q in (
            (1, xx, xx),
            (1, ss, ss),
            (POISSON, xx, ss),
            (POISSON, ss, xx),
            ((1 - POISSON) / 2, xs, xs),
        ):
            stiffness += factor * weight * p[..., :, None] * q[..., None, :]
    stiffness[:, 0, 1, 1] += 1  # v has no term with n = 0
    peak = np.sin(m * np.pi / 2)
    load = np.zeros((*a.shape, 3, 1))
    load[..., 2, 0] = 4 / (np.pi * RADIUS * LENGTH) * peak * np.where(n == 0, 0.5, 1.0)
    w = np.linalg.solve(stiffness, load)[..., 2, 0]
    return float((w * peak).sum())


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1600
    for terms in (count // 8, count // 4, count // 2, count):
        print(f"{terms:5d} terms: Koiter {displacement(terms):.6e}, Sanders {displacement(terms, sanders=True):.6e}")
