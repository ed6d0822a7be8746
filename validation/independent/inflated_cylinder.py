"""The cylinder of xing2022, table 2, as a solid of revolution: a second program, dense NumPy, no line shared with the library.

    half section       r ^  ___________B__________A__________ ...     both ends held, the circle A of the wall's middle keeps its radius
                         |  p = 100 t kPa
                         +--------------------------------> x

Elements of nine nodes in (x, r), St. Venant-Kirchhoff, Green's strain of F = [[x_X, x_R], [r_X, r_R]] and r/R around:

    W = 2 pi int R (lambda/2 (tr E)^2 + mu E:E) dA,      pressure: p times the volume inside a line of nodes, pi int r^2 dx

Energy, forces and tangents are exact derivatives of these. Motion by generalized-alpha, equilibria by arc length.

    python3 inflated_cylinder.py [rest|paths|waves]
"""

import itertools
import sys
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RADIUS, LENGTH, THICKNESS, DENSITY = 0.2, 0.4, 0.02, 7200.0
YOUNG, POISSON = 1e6, 0.3
RATE = 100e3  # of the pressure [Pa/s]
GAUSS = np.polynomial.legendre.leggauss(3)


def line_functions(s: Array) -> tuple[Array, Array]:
    """Quadratic functions on [-1, 1] and their slopes, (len(s), 3)."""
    s = np.asarray(s)
    return (
        np.stack([s * (s - 1) / 2, 1 - s * s, s * (s + 1) / 2], -1),
        np.stack([s - 0.5, -2 * s, s + 0.5], -1),
    )


@dataclass
class Cylinder:
    """Mesh and matrices that do not change.

    Attributes
    ----------
    along, across
        Elements along the axis and across the wall.
    loaded
        Shares of the pressure on the inner face, the wall's middle and the outer face.
    belt
        Whether the circle in the middle keeps its radius.
    rubber
        mu/2 (I1 - 3 - 2 ln J) + lambda/2 (ln J)^2 of the same moduli in place of St. Venant-Kirchhoff.
    """

    along: int = 24
    across: int = 1
    loaded: tuple[float, float, float] = (0.0, 1.0, 0.0)
    belt: bool = True
    rubber: bool = False
    free: Array = field(init=False)

    def __post_init__(self) -> None:
        lines, rows = 2 * self.along + 1, 2 * self.across + 1
        X = np.linspace(0, LENGTH, lines)
        R = RADIUS + THICKNESS * np.linspace(-0.5, 0.5, rows)
        self.rows, self.lines = rows, lines
        self.X = np.stack(np.meshgrid(X, R, indexing="ij"), -1).reshape(-1, 2)
        first = [(2 * i * rows + 2 * j) for i in range(self.along) for j in range(self.across)]
        offset = [a * rows + b for a in range(3) for b in range(3)]
        nodes = np.add.outer(first, offset)
        self.dofs = np.stack([2 * nodes, 2 * nodes + 1], -1).reshape(len(first), 18)
        s, w = GAUSS
        n, dn = line_functions(s)
        N = np.einsum("ia,jb->ijab", n, n).reshape(9, 9)
        Nx = np.einsum("ia,jb->ijab", dn, n).reshape(9, 9) / (LENGTH / self.along / 2)
        Nr = np.einsum("ia,jb->ijab", n, dn).reshape(9, 9) / (THICKNESS / self.across / 2)
        ref = self.X[nodes]
        at = np.einsum("ga,ea->eg", N, ref[..., 1])
        self.weight = (
            2 * np.pi * at * np.outer(w, w).ravel() * (LENGTH / self.along / 2) * (THICKNESS / self.across / 2)
        )
        # F11, F12, F21, F22, F33 = G q
        G = np.zeros((len(first), 9, 5, 9, 2))
        G[:, :, 0, :, 0], G[:, :, 1, :, 0] = Nx, Nr
        G[:, :, 2, :, 1], G[:, :, 3, :, 1] = Nx, Nr
        G[:, :, 4, :, 1] = N[None] / at[..., None]
        self.G = G.reshape(len(first), 9, 5, 18)
        self.size = 2 * len(self.X)
        mass = np.einsum("eg,ga,gb->eab", DENSITY * self.weight, N, N)
        self.M = np.zeros((self.size, self.size))
        for i in range(2):
            self._add(self.M, mass, self.dofs[:, i::2])
        held = [n for n in range(len(self.X)) if n < rows or n >= len(self.X) - rows]
        fixed = {2 * n + i for n in held for i in range(2)}
        if self.belt:
            fixed.add(2 * self.node(0.5) + 1)
        self.free = np.array([k for k in range(self.size) if k not in fixed])

    def node(self, share: float, row: int | None = None) -> int:
        """Node at this share of the length, in the wall's middle unless another row is named."""
        line = round(share * (self.lines - 1))
        return line * self.rows + (self.rows // 2 if row is None else row)

    def _add(self, K: Array, blocks: Array, dofs: Array) -> None:
        np.add.at(K, (dofs[:, :, None], dofs[:, None, :]), blocks)

    def gradient(self, q: Array) -> Array:
        """F11, F12, F21, F22, F33 at the Gauss points of the elements."""
        return np.einsum("egik,ek->egi", self.G, q[self.dofs])

    def law(self, F: Array) -> tuple[Array, Array, Array]:
        """Energy, stress and moduli by F."""
        lam = YOUNG * POISSON / (1 + POISSON) / (1 - 2 * POISSON)
        mu = YOUNG / 2 / (1 + POISSON)
        a, b, c, d, h = np.moveaxis(F, -1, 0)
        if self.rubber:
            J = (a * d - b * c) * h
            dJ = np.stack([d * h, -c * h, -b * h, a * h, a * d - b * c], -1)
            ddJ = np.zeros((*a.shape, 5, 5))
            for i, j, x in ((0, 3, h), (1, 2, -h), (0, 4, d), (1, 4, -c), (2, 4, -b), (3, 4, a)):
                ddJ[..., i, j] = ddJ[..., j, i] = x
            log, one = np.log(J), np.eye(5)
            W = mu / 2 * (np.sum(F * F, -1) - 3 - 2 * log) + lam / 2 * log**2
            P = mu * F + ((lam * log - mu) / J)[..., None] * dJ
            outer = dJ[..., :, None] * dJ[..., None, :]
            A = mu * one + ((lam * (1 - log) + mu) / J**2)[..., None, None] * outer
            return W, P, A + ((lam * log - mu) / J)[..., None, None] * ddJ
        D = np.diag([2 * mu, 2 * mu, 2 * mu, mu])
        D[:3, :3] += lam
        E = np.stack([(a * a + c * c - 1) / 2, (b * b + d * d - 1) / 2, (h * h - 1) / 2, a * b + c * d], -1)
        S = E @ D
        H = np.zeros((*a.shape, 4, 5))
        H[..., 0, 0], H[..., 0, 2], H[..., 1, 1], H[..., 1, 3], H[..., 2, 4] = a, c, b, d, h
        H[..., 3, 0], H[..., 3, 1], H[..., 3, 2], H[..., 3, 3] = b, a, d, c
        A = np.einsum("egpi,pq,egqj->egij", H, D, H)
        for i, j, k in (
            (0, 0, 0),
            (2, 2, 0),
            (1, 1, 1),
            (3, 3, 1),
            (4, 4, 2),
            (0, 1, 3),
            (1, 0, 3),
            (2, 3, 3),
            (3, 2, 3),
        ):
            A[..., i, j] += S[..., k]
        P = np.einsum("egpi,egp->egi", H, S)
        return np.einsum("egp,egp->eg", E, S) / 2, P, A

    def elastic(self, q: Array) -> tuple[float, Array, Array]:
        """Energy, its gradient and its Hessian."""
        W, P, A = self.law(self.gradient(q))
        energy = float(np.sum(self.weight * W))
        f = np.zeros(self.size)
        np.add.at(f, self.dofs, np.einsum("eg,egik,egi->ek", self.weight, self.G, P))
        K = np.zeros((self.size, self.size))
        WA = np.einsum("eg,egij,egjl->egil", self.weight, A, self.G, optimize=True)
        ne = len(self.dofs)
        blocks = np.matmul(self.G.reshape(ne, 45, 18).transpose(0, 2, 1), WA.reshape(ne, 45, 18))
        self._add(K, blocks, self.dofs)
        return energy, f, K

    def volume(self, q: Array) -> tuple[Array, Array]:
        """Gradient and Hessian of the volume that the pressure acts on."""
        s, w = GAUSS
        n, dn = line_functions(s)
        f, K = np.zeros(self.size), np.zeros((self.size, self.size))
        for share, row in zip(self.loaded, (0, self.rows // 2, self.rows - 1), strict=True):
            if share == 0:
                continue
            line = np.array([[(2 * i + k) * self.rows + row for k in range(3)] for i in range(self.along)])
            x, r = q[2 * line], q[2 * line + 1]
            rg, xg = r @ n.T, x @ dn.T
            c = share * np.pi * w
            fx = np.einsum("g,eg,ga->ea", c, rg * rg, dn)
            fr = np.einsum("g,eg,ga->ea", c, 2 * rg * xg, n)
            np.add.at(f, 2 * line, fx)
            np.add.at(f, 2 * line + 1, fr)
            krr = np.einsum("g,eg,ga,gb->eab", c, 2 * xg, n, n)
            krx = np.einsum("g,eg,ga,gb->eab", c, 2 * rg, n, dn)
            self._add(K, krr, 2 * line + 1)
            np.add.at(K, ((2 * line + 1)[:, :, None], (2 * line)[:, None, :]), krx)
            np.add.at(K, ((2 * line)[:, :, None], (2 * line + 1)[:, None, :]), krx.transpose(0, 2, 1))
        return f, K


def static_path(c: Cylinder, most: float, step: float, steps: int = 400) -> list[tuple[float, Array, int]]:
    """Equilibria by arc length: pressure, positions and the number of negative eigenvalues of the tangent, one after the other."""
    q, p = c.X.ravel().copy(), 0.0
    out: list[tuple[float, Array, int]] = []
    free, scale = c.free, 1e-5  # of pressure against lengths in the arc
    before = np.zeros(len(free) + 1)
    before[-1] = 1
    for _ in range(steps):
        _, f, K = c.elastic(q)
        g, Kp = c.volume(q)
        T = (K - p * Kp)[np.ix_(free, free)]
        way = np.append(np.linalg.solve(T, g[free]), 1.0)
        way /= np.sqrt(way[:-1] @ way[:-1] / len(free) * 1e4 + (scale * way[-1]) ** 2)
        metric = np.append(np.full(len(free), 1e4 / len(free)), scale**2)
        if way @ (metric * before) < 0:
            way = -way
        q0, p0 = q.copy(), p
        ds = step
        while True:
            q, p = q0.copy(), p0 + ds * way[-1]
            q[free] += ds * way[:-1]
            for it in range(12):
                _, f, K = c.elastic(q)
                g, Kp = c.volume(q)
                r = (p * g - f)[free]
                if np.linalg.norm(r) < 1e-9 * (1 + np.linalg.norm(p * g[free])):
                    break
                T = (K - p * Kp)[np.ix_(free, free)]
                z = np.linalg.solve(T, np.stack([r, g[free]], -1))
                m = metric * way
                gap = ds - (m[:-1] @ (q - q0)[free] + m[-1] * (p - p0))
                dp = (gap - m[:-1] @ z[:, 0]) / (m[:-1] @ z[:, 1] + m[-1])
                q[free] += z[:, 0] + dp * z[:, 1]
                p += dp
            if it < 11:
                break
            ds /= 2
            if ds < 1e-4 * step:
                return out
        before = way
        _, _, K = c.elastic(q)
        _, Kp = c.volume(q)
        out.append((p, q.copy(), int(np.sum(np.linalg.eigvalsh((K - p * Kp)[np.ix_(free, free)]) < 0))))
        if p > most:
            break
    return out


def motion(
    c: Cylinder, end: float, h: float, rho: float = 0.8, skew: float = 0.0, every: int = 1
) -> tuple[Array, Array]:
    """Times, and radii of the wall's middle at all lines (time, line). `skew`: of the radii at the start, sin(2 pi x/L) [m]."""
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 - am + af
    beta = (0.5 + gamma) ** 2 / 4
    free = c.free
    q = c.X.ravel().copy()
    q[1::2] += skew * np.sin(2 * np.pi * c.X[:, 0] / LENGTH)
    if c.belt:
        q[2 * c.node(0.5) + 1] = RADIUS
    v, a = np.zeros(len(free)), np.zeros(len(free))
    M = c.M[np.ix_(free, free)]

    def force(q: Array, p: float) -> tuple[Array, Array]:
        _, f, K = c.elastic(q)
        g, Kp = c.volume(q)
        return (f - p * g)[free], (K - p * Kp)[np.ix_(free, free)]

    F, _ = force(q, 0.0)
    a = np.linalg.solve(M, -F)
    times, radii = [0.0], [q[1::2][c.rows // 2 :: c.rows].copy()]
    for k in range(round(end / h)):
        t = (k + 1) * h
        old = F
        q0, v0, a0 = q[free].copy(), v.copy(), a.copy()
        x = q0 + h * v0 + h * h / 2 * a0
        for _ in range(30):
            a = (x - q0 - h * v0) / (beta * h * h) - (0.5 / beta - 1) * a0
            q[free] = x
            F, K = force(q, RATE * t)
            r = M @ ((1 - am) * a + am * a0) + (1 - af) * F + af * old
            dx = np.linalg.solve((1 - am) / (beta * h * h) * M + (1 - af) * K, -r)
            x = x + dx
            if np.max(np.abs(dx)) < 1e-11:
                break
        else:
            break
        q[free] = x
        a = (x - q0 - h * v0) / (beta * h * h) - (0.5 / beta - 1) * a0
        F, _ = force(q, RATE * t)
        v = v0 + h * ((1 - gamma) * a0 + gamma * a)
        if (k + 1) % every == 0:
            times.append(t)
            radii.append(q[1::2][c.rows // 2 :: c.rows].copy())
    return np.array(times), np.array(radii)


def growth_at(c: Cylinder, radii: Array, share: float) -> float:
    """Growth of the middle's radius at this share of the length [m]."""
    return float(radii[round(share * (c.lines - 1))] - RADIUS)


def least_stretch(c: Cylinder, q: Array) -> float:
    """Least stretch of a fibre in the (x, r) plane at the Gauss points."""
    a, b, d, e, _ = np.moveaxis(c.gradient(q), -1, 0)
    half, mixed = (a * a + d * d + b * b + e * e) / 2, (a * a + d * d - b * b - e * e) / 2
    least = half - np.sqrt(mixed**2 + (a * b + d * e) ** 2)
    return float(np.sqrt(np.min(least)))


def ellipticity(c: Cylinder, q: Array) -> float:
    """Least eigenvalue of the acoustic tensor in the (x, r) plane, all directions and Gauss points [Pa]."""
    _, _, A = c.law(c.gradient(q))
    A = A[..., :4, :4].reshape(*A.shape[:2], 2, 2, 2, 2)
    least = np.inf
    for angle in np.linspace(0, np.pi, 61):
        n = np.array([np.cos(angle), np.sin(angle)])
        least = min(least, float(np.min(np.linalg.eigvalsh(np.einsum("egiajb,a,b->egij", A, n, n)))))
    return least


VARIANTS: dict[str, dict[str, bool]] = {
    "as in the paper": {},
    "law of rubber": {"rubber": True},
    "without the belt": {"belt": False},
}


def print_path(name: str, along: int, across: int) -> None:
    """Of the equilibria up to 60 kPa: whether the pressure falls, and where the first bifurcation is."""
    c = Cylinder(along=along, across=across, **VARIANTS[name])
    path = static_path(c, 60e3, 0.1)
    rises = all(p < q for (p, _, _), (q, _, _) in itertools.pairwise(path))
    first = next((p for p, _, negative in path if negative), None)
    print(f"{name}, {along} x {across}: {'no limit point' if rises else 'a limit point'}, unstable from {first} Pa")
    for p, q, _ in path:
        radii = q[1::2][c.rows // 2 :: c.rows]
        growth, stretch, least = 1e3 * growth_at(c, radii, 0.25), least_stretch(c, q), ellipticity(c, q)
        print(f"  {p:8.0f} Pa  B {growth:7.3f} mm  least stretch {stretch:.3f}  acoustic {least:9.0f} Pa", flush=True)


def print_waves(name: str, along: int, h: float) -> None:
    """B and its mirror image at 0.2, 0.3, 0.4, 0.5 s."""
    c = Cylinder(along=along, **VARIANTS[name])
    times, radii = motion(c, 0.5, h)
    row = []
    for t in (0.2, 0.3, 0.4, 0.5):
        k = int(np.argmin(np.abs(times - t)))
        row += [1e3 * growth_at(c, radii[k], share) for share in (0.25, 0.75)]
    print(f"{name}, {along} x 1, {h} s, to {times[-1]:.3f} s:", " ".join(f"{x:.3f}" for x in row), flush=True)


def print_rest(name: str, along: int) -> None:
    """B at rest under 10, 20, 30, 40, 50 kPa."""
    c = Cylinder(along=along, **VARIANTS[name])
    row = []
    q = c.X.ravel().copy()
    for p in np.arange(2e3, 50.1e3, 2e3):
        for _ in range(25):
            _, f, K = c.elastic(q)
            g, Kp = c.volume(q)
            r = (p * g - f)[c.free]
            if np.linalg.norm(r) < 1e-10 * np.linalg.norm(p * g[c.free]):
                break
            q[c.free] += np.linalg.solve((K - p * Kp)[np.ix_(c.free, c.free)], r)
        if round(p) % 10000 == 0:
            row.append(1e3 * growth_at(c, q[1::2][c.rows // 2 :: c.rows], 0.25))
    print(f"{name}, {along} x 1, at rest:", " ".join(f"{x:.3f}" for x in row), flush=True)


def main() -> None:
    what = sys.argv[1] if len(sys.argv) > 1 else "rest"
    for name in VARIANTS:
        for along in (12, 24, 48):
            if what == "rest":
                print_rest(name, along)
            if what == "paths":
                print_path(name, along, 1)
                print_path(name, along, 2)
            if what == "waves":
                for h in (2e-3, 1e-3):
                    print_waves(name, along, h)


if __name__ == "__main__":
    main()
