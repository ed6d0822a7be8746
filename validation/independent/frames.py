"""Limit points and modes of pin-jointed frames, dense NumPy, no line shared with the library.

    python frames.py        prints the figures; they stand in tests/run/frame_motion_test.cpp

Needs NumPy only. A member has N = N0 + EA (l - l0)/l0 and its mass spread evenly, m/3 on either end and m/6 between them.
"""

import numpy as np


class Frame:
    """X: nodes [n, 3]; free: whether each moves; members: (i, j, EA, N0, mass); N0 is what it carries in X."""

    def __init__(self, X, free, members):
        self.X, self.members = np.array(X, float), members
        self.index = np.full((len(X), 3), -1)
        count = 3 * sum(free)
        self.index[np.array(free)] = np.arange(count).reshape(-1, 3)
        self.count = count
        self.length = [np.linalg.norm(self.X[j] - self.X[i]) for i, j, *_ in members]

    def forces(self, u):
        """Forces that hold the nodes at X + u, and their derivative."""
        x = self.X.copy()
        x[self.index[:, 0] >= 0] += u.reshape(-1, 3)
        f, K = np.zeros(self.count + 1), np.zeros((self.count + 1, self.count + 1))  # the last collects the ground's
        for (i, j, EA, N0, _), l0 in zip(self.members, self.length):
            d = x[j] - x[i]
            l = np.linalg.norm(d)
            n, N = d / l, N0 + EA * (l - l0) / l0
            k = (EA / l0) * np.outer(n, n) + N / l * (np.eye(3) - np.outer(n, n))
            where = np.concatenate([self.index[i], self.index[j]])
            np.add.at(f, where, np.concatenate([-N * n, N * n]))
            np.add.at(K, np.ix_(where, where), np.block([[k, -k], [-k, k]]))
        return f[:-1], K[:-1, :-1]

    def mass(self, at_nodes=0.0):
        M = np.zeros((self.count + 1, self.count + 1))
        for i, j, _, _, m in self.members:
            where = np.concatenate([self.index[i], self.index[j]])
            np.add.at(M, np.ix_(where, where), m / 6 * np.kron([[2, 1], [1, 2]], np.eye(3)))
        return M[:-1, :-1] + at_nodes * np.eye(self.count)

    def held_at(self, u, coordinate, value):
        """Equilibrium in which one coordinate is held: the other coordinates, and the force that holds it."""
        u = u.copy()
        u[coordinate] = value
        rest = np.arange(self.count) != coordinate
        for _ in range(50):
            f, K = self.forces(u)
            step = np.linalg.solve(K[np.ix_(rest, rest)], f[rest])
            u[rest] -= step
            if np.abs(step).max() < 1e-14:
                break
        return u, self.forces(u)[0][coordinate]

    def frequencies(self, at_nodes=0.0):
        K, L = self.forces(np.zeros(self.count))[1], np.linalg.cholesky(self.mass(at_nodes))
        inverse = np.linalg.inv(L)
        return np.sign(w := np.linalg.eigvalsh(inverse @ K @ inverse.T)) * np.sqrt(np.abs(w)) / (2 * np.pi)


def ring(count, radius, height, turn):
    angles = np.arange(count) * 2 * np.pi / count + turn
    return [[radius * np.cos(a), radius * np.sin(a), height] for a in angles]


def star_dome(EA=960.51e3):
    """24 bars: the apex, six inner nodes on r = 0.25 m, six supports on r = 0.5 m turned by 30 degrees."""
    X = [[0, 0, 0.08216], *ring(6, 0.25, 0.06216, 0), *ring(6, 0.5, 0, np.pi / 6)]
    members = []
    for k in range(6):
        members += [(0, 1 + k), (1 + k, 1 + (k + 1) % 6), (1 + k, 7 + k), (1 + k, 7 + (k + 5) % 6)]
    return Frame(X, [k < 7 for k in range(13)], [(i, j, EA, 0.0, 0.0) for i, j in members])


def load_at(dome, near, depth):
    return -dome.held_at(near, 2, -depth)[1]


def dome_limits(dome):
    """Extremes of the force on the apex as it goes down, by parabolas through fine steps: (depth, load)."""
    u, depths, loads, out = np.zeros(dome.count), np.linspace(0, 0.06, 601), [], []
    for depth in depths:
        u, force = dome.held_at(u, 2, -depth)
        loads.append(-force)
    for k in range(1, len(loads) - 1):
        if (loads[k] - loads[k - 1]) * (loads[k + 1] - loads[k]) < 0:
            lo, hi = depths[k - 1], depths[k + 1]
            u0 = np.zeros(dome.count)
            for depth in depths[:k]:
                u0, _ = dome.held_at(u0, 2, -depth)
            sign = np.sign(loads[k] - loads[k - 1])
            for _ in range(60):  # golden section
                a, b = hi - (hi - lo) / 1.618033988749895, lo + (hi - lo) / 1.618033988749895
                if sign * load_at(dome, u0, a) > sign * load_at(dome, u0, b):
                    hi = b
                else:
                    lo = a
            out.append((0.5 * (lo + hi), load_at(dome, u0, 0.5 * (lo + hi))))
    return out


def prism(n=3, q=400.0, EA=1e3, strut_EA=1e6, radius=0.1, height=0.2, free=False):
    """Base, top turned by pi/2 - pi/n; force densities q beside the struts, -q in them, q/(2 sin(pi/n)) in the polygons."""
    turn = np.pi / 2 - np.pi / n
    X = np.array([*ring(n, radius, 0, 0), *ring(n, radius, height, turn)])
    members, side = [], q / (2 * np.sin(np.pi / n))
    for k in range(n):
        then = (k + 1) % n
        for i, j, density, stiffness, m in (
            (k, n + then, -q, strut_EA, 0.06),
            (k, n + k, q, EA, 0.002),
            (n + k, n + then, side, EA, 0.002),
            *([(k, then, side, EA, 0.002)] if free else []),
        ):
            members.append((i, j, stiffness, density * np.linalg.norm(X[j] - X[i]), m))
    return Frame(X, [free or k >= n for k in range(2 * n)], members)


if __name__ == "__main__":
    for depth, load in dome_limits(star_dome()):
        print(f"star dome: limit at {depth:.9g} m, {load:.12g} N")
    for n, free in ((3, False), (3, True), (4, True)):
        f = prism(n, free=free).frequencies()
        print(
            f"prism of {n} struts, {'free' if free else 'standing'}: "
            + ", ".join(f"{x:.10g}" for x in f[f > 1e-3])
            + " Hz"
        )
