"""Independent reference for the planar ANCF cable: plain NumPy, dense matrices, no code shared with the C++ library.

    node i o----------------o node i+1        q_i = (r, r_x),  8 numbers per element, cubic Hermite in xi = x/l

    U = EA/2 int eps^2 dx + EI/2 int kappa^2 dx        p = r_x, s = r_xx

    axial       green        eps = (p.p - 1)/2
                engineering  eps = |p| - 1
                chord        eps = |r_1 - r_0|/l - 1               (constant over the element)
    curvature   material     kappa = (p x s)/|p|^2                 (turn of the tangent per material length)
                geometric    kappa = (p x s)/|p|^3                 (turn per deformed length)
                simplified   kappa = |s|

The reference is straight and stress-free. Units: SI.
"""

import numpy as np


def hermite(xi, l):
    """Shape functions and their first and second derivatives with respect to x, each of shape (points, 4)."""
    xi = np.asarray(xi, float)
    s = np.stack([1 - 3 * xi**2 + 2 * xi**3, l * (xi - 2 * xi**2 + xi**3), 3 * xi**2 - 2 * xi**3, l * (xi**3 - xi**2)], -1)
    d = np.stack([(6 * xi**2 - 6 * xi) / l, 1 - 4 * xi + 3 * xi**2, (6 * xi - 6 * xi**2) / l, 3 * xi**2 - 2 * xi], -1)
    dd = np.stack([(12 * xi - 6) / l**2, (6 * xi - 4) / l, (6 - 12 * xi) / l**2, (6 * xi - 2) / l], -1)
    return s, d, dd


def gauss(points):
    """Nodes and weights on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(points)
    return (x + 1) / 2, w / 2


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


class Cable:
    """A straight chain of n elements from `origin` along `direction`; node 0 is held by `clamp`.

    clamp: "weld" holds r and r_x; "direction" holds r and the component of r_x across an axis-parallel `direction`,
    so the length of r_x is free there.
    """

    def __init__(self, n, L, EA, EI, rhoA, curvature="material", axial="green", axial_points=5, bending_points=3,
                 origin=(0.0, 0.0), direction=(1.0, 0.0), clamp="weld"):
        self.n, self.L, self.l = n, L, L / n
        self.EA, self.EI, self.rhoA = EA, EI, rhoA
        self.curvature, self.axial = curvature, axial
        self.size = 4 * (n + 1)
        self.direction = np.asarray(direction, float)
        self.map = 4 * np.arange(n)[:, None] + np.arange(8)[None, :]  # element -> global
        nodes = np.zeros((n + 1, 4))
        nodes[:, :2] = np.asarray(origin) + np.arange(n + 1)[:, None] * self.l * self.direction
        nodes[:, 2:] = self.direction
        self.q0 = nodes.ravel()
        if clamp == "weld":
            held = [0, 1, 2, 3]
        else:
            held = [0, 1, 2 if abs(self.direction[1]) > 0.5 else 3]
        self.free = np.setdiff1d(np.arange(self.size), held)
        self._rules = {"axial": self._rule(axial_points), "bending": self._rule(bending_points)}
        x, w = gauss(4)  # S^T S is of degree 6: exact
        s, _, _ = hermite(x, self.l)
        me = rhoA * self.l * np.einsum("g,ga,gb->ab", w, s, s)
        M = np.zeros((self.size, self.size))
        for e in range(n):
            for a in range(4):
                for b in range(4):
                    for d in range(2):
                        M[4 * e + 2 * a + d, 4 * e + 2 * b + d] += me[a, b]
        self.M = M

    def _rule(self, points):
        """Weights times l and B of shape (points, 4, 8): (p, s) = B e."""
        x, w = gauss(points)
        _, d, dd = hermite(x, self.l)
        B = np.zeros((points, 4, 8))
        for a in range(4):
            for k in range(2):
                B[:, k, 2 * a + k] = d[:, a]
                B[:, 2 + k, 2 * a + k] = dd[:, a]
        return w * self.l, B

    # Energy density, gradient (4) and Hessian (4 x 4) with respect to (p, s), for arrays of points.

    def _axial_density(self, g):
        p = g[..., :2]
        u = (p * p).sum(-1)
        G, A = np.zeros(g.shape), np.zeros(g.shape + (4,))
        pp = p[..., :, None] * p[..., None, :]
        I = np.eye(2)
        if self.axial == "green":
            eps = (u - 1) / 2
            W = self.EA / 2 * eps**2
            G[..., :2] = self.EA * eps[..., None] * p
            A[..., :2, :2] = self.EA * (pp + eps[..., None, None] * I)
        else:  # engineering
            r = np.sqrt(u)
            eps = r - 1
            W = self.EA / 2 * eps**2
            G[..., :2] = self.EA * (eps / r)[..., None] * p
            A[..., :2, :2] = self.EA * (pp / u[..., None, None]
                                        + (eps / r)[..., None, None] * (I - pp / u[..., None, None]))
        return W, G, A

    def _bending_density(self, g):
        p, s = g[..., :2], g[..., 2:]
        if self.curvature == "simplified":
            G, A = np.zeros(g.shape), np.zeros(g.shape + (4,))
            G[..., 2:] = self.EI * s
            A[..., 2:, 2:] = self.EI * np.eye(2)
            return self.EI / 2 * (s * s).sum(-1), G, A
        m = {"material": 1.0, "geometric": 1.5}[self.curvature]
        u, w = (p * p).sum(-1), cross(p, s)
        f = u**-m  # kappa = w f
        dw = np.stack([s[..., 1], -s[..., 0], -p[..., 1], p[..., 0]], -1)
        df = np.zeros(g.shape)
        df[..., :2] = (-2 * m * u ** (-m - 1))[..., None] * p
        ddw = np.zeros((4, 4))
        ddw[0, 3] = ddw[3, 0] = 1
        ddw[1, 2] = ddw[2, 1] = -1
        ddf = np.zeros(g.shape + (4,))
        ddf[..., :2, :2] = ((-2 * m * u ** (-m - 1))[..., None, None] * np.eye(2)
                            + (4 * m * (m + 1) * u ** (-m - 2))[..., None, None] * p[..., :, None] * p[..., None, :])
        k = w * f
        dk = f[..., None] * dw + w[..., None] * df
        mixed = dw[..., :, None] * df[..., None, :]
        ddk = f[..., None, None] * ddw + mixed + np.swapaxes(mixed, -1, -2) + w[..., None, None] * ddf
        W = self.EI / 2 * k**2
        G = self.EI * k[..., None] * dk
        A = self.EI * (dk[..., :, None] * dk[..., None, :] + k[..., None, None] * ddk)
        return W, G, A

    def elastic(self, q):
        """Strain energy [J], assembled elastic force dU/dq and its tangent, in full coordinates."""
        e = q[self.map]
        U, fe, Ke = 0.0, np.zeros((self.n, 8)), np.zeros((self.n, 8, 8))
        parts = [("bending", self._bending_density)]
        if self.axial == "chord":
            d = e[:, 4:6] - e[:, 0:2]
            ld = np.sqrt((d * d).sum(-1))
            t = d / ld[:, None]
            N = self.EA * (ld / self.l - 1)
            U += (self.EA * self.l / 2 * (ld / self.l - 1) ** 2).sum()
            fe[:, 4:6] += N[:, None] * t
            fe[:, 0:2] -= N[:, None] * t
            tt = t[:, :, None] * t[:, None, :]
            k = self.EA / self.l * tt + (N / ld)[:, None, None] * (np.eye(2) - tt)
            for a, sa in ((0, -1), (4, 1)):
                for b, sb in ((0, -1), (4, 1)):
                    Ke[:, a:a + 2, b:b + 2] += sa * sb * k
        else:
            parts.append(("axial", self._axial_density))
        for rule, density in parts:
            w, B = self._rules[rule]
            W, G, A = density(np.einsum("gij,ej->egi", B, e))
            U += (W * w).sum()
            fe += np.einsum("g,gij,egi->ej", w, B, G, optimize=False)
            BT = np.swapaxes(B, -1, -2) * w[:, None, None]
            Ke += np.matmul(np.matmul(BT, A), B).sum(1)
        f, K = np.zeros(self.size), np.zeros((self.size, self.size))
        np.add.at(f, self.map, fe)
        for i in range(self.n):
            K[4 * i:4 * i + 8, 4 * i:4 * i + 8] += Ke[i]
        return U, f, K

    def gravity(self, g):
        """M times a uniform acceleration of the points."""
        a = np.zeros(self.size)
        a[0::4], a[1::4] = g
        return self.M @ a

    def end_moment(self, q, M, form="exact"):
        """Moment M [N m] on the last node's gradient and its tangent dQ/dq. exact: M J n/|n|^2; simplified: M J n."""
        Q, K = np.zeros(self.size), np.zeros((self.size, self.size))
        n = q[-2:]
        J = np.array([[0.0, -1.0], [1.0, 0.0]])
        if form == "exact":
            u = n @ n
            Q[-2:] = M * J @ n / u
            K[-2:, -2:] = M * (J / u - 2 * np.outer(J @ n, n) / u**2)
        else:
            Q[-2:] = M * J @ n
            K[-2:, -2:] = M * J
        return Q, K


def statics(cable, load, q=None, steps=1, tol=1e-13, most=60):
    """Newton on f(q) = load(q, factor) for factors 1/steps ... 1. load returns (Q, dQ/dq). Returns q."""
    q = cable.q0.copy() if q is None else q.copy()
    F = cable.free
    for k in range(1, steps + 1):
        last = np.inf
        for it in range(most):
            _, f, K = cable.elastic(q)
            Q, KQ = load(q, k / steps)
            r = (Q - f)[F]
            dq = np.linalg.solve((K - KQ)[np.ix_(F, F)], r)
            size = np.abs(dq).max()
            q[F] += dq * min(1.0, 0.5 / size)
            if size < tol or (size < 1e-9 and size >= last):
                break
            last = size
        else:
            raise RuntimeError(f"no equilibrium at load factor {k / steps}: last correction {size:.2e}")
    return q


def dynamics(cable, load, q, h, end, damping=0.0, rho_inf=None, v=None, watch=None, tol=1e-11):
    """From t = 0 at fixed step h. load(q, t) -> (Q, dQ/dq). watch(t, q, v, f) at every step, f the elastic force.

    rho_inf None: Newmark beta = 1/4, gamma = 1/2. Else generalized-alpha (Arnold and Bruels 2007), equations of motion
    at t_{n+1}, first auxiliary acceleration = first acceleration. Full Newton, |dq|_inf < tol. Returns (q, v, a).
    """
    if rho_inf is None:
        am, af, beta, gamma = 0.0, 0.0, 0.25, 0.5
    else:
        am, af = (2 * rho_inf - 1) / (rho_inf + 1), rho_inf / (rho_inf + 1)
        gamma = 0.5 + af - am
        beta = 0.25 * (gamma + 0.5) ** 2
    F, M = cable.free, cable.M
    ff = np.ix_(F, F)
    Mf = M[ff]
    q, v = q.copy(), np.zeros(cable.size) if v is None else v.copy()
    _, f, _ = cable.elastic(q)
    acc = np.zeros(cable.size)  # the true acceleration; b is the auxiliary one
    acc[F] = np.linalg.solve(Mf, (load(q, 0.0)[0] - f)[F] - damping * (M @ v)[F])
    b = acc.copy()
    db, dv = 1 / (beta * h * h), gamma / (beta * h)
    da = db * (1 - am) / (1 - af)
    if watch:
        watch(0.0, q, v, f)
    for k in range(1, round(end / h) + 1):
        t = k * h
        # First guess: constant acceleration; where that is too far off (a sudden release), the old positions.
        for b1 in (((1 - af) * acc + af * acc - am * b) / (1 - am), -v / (beta * h) - (0.5 / beta - 1) * b):
            q1 = q + h * v + h * h * ((0.5 - beta) * b + beta * b1)
            v1 = v + h * ((1 - gamma) * b + gamma * b1)
            a1 = ((1 - am) * b1 + am * b - af * acc) / (1 - af)
            last, done = np.inf, False
            for _ in range(30):
                _, f, K = cable.elastic(q1)
                Q, KQ = load(q1, t)
                r = (Q - f - M @ (a1 + damping * v1))[F]
                dq = np.zeros(cable.size)
                dq[F] = np.linalg.solve(Mf * (da + damping * dv) + (K - KQ)[ff], r)
                q1, v1, a1, b1 = q1 + dq, v1 + dv * dq, a1 + da * dq, b1 + db * dq
                size = np.abs(dq).max()
                done = size < tol or (size < 1e3 * tol and size >= last)
                if done or not size < 1e3:
                    break
                last = size
            if done:
                break
        else:
            raise RuntimeError(f"no convergence at t = {t}: last correction {size:.2e}")
        q, v, acc, b = q1, v1, a1, b1
        if watch:
            watch(t, q, v, cable.elastic(q)[1])
    return q, v, acc


def check():
    """Tangents against central differences; rigid motion without force. Raises if off."""
    rng = np.random.default_rng(1)
    for curvature in ("material", "geometric", "simplified"):
        for axial in ("green", "engineering", "chord"):
            c = Cable(3, 0.6, 50.0, 0.3, 0.1, curvature, axial)
            q = c.q0 + 0.05 * rng.standard_normal(c.size)
            _, f, K = c.elastic(q)
            D, Df, d = np.zeros_like(K), np.zeros(c.size), 1e-6
            for j in range(c.size):
                up, down = q.copy(), q.copy()
                up[j] += d
                down[j] -= d
                (U1, f1, _), (U0, f0, _) = c.elastic(up), c.elastic(down)
                D[:, j], Df[j] = (f1 - f0) / (2 * d), (U1 - U0) / (2 * d)
            assert np.abs(D - K).max() < 1e-7 * np.abs(K).max(), (curvature, axial)
            assert np.abs(Df - f).max() < 1e-7 * np.abs(f).max(), (curvature, axial)
            R = np.array([[0.6, -0.8], [0.8, 0.6]])
            turned = (c.q0.reshape(-1, 2) @ R.T)
            turned[0::2] += [3.0, -2.0]
            assert np.abs(c.elastic(turned.ravel())[1]).max() < 1e-11
    c = Cable(1, 1.0, 1.0, 1.0, 1.0)
    for form in ("exact", "simplified"):
        q = c.q0 + 0.1 * rng.standard_normal(c.size)
        _, K = c.end_moment(q, 0.7, form)
        for j in range(c.size):
            up, down = q.copy(), q.copy()
            up[j] += 1e-6
            down[j] -= 1e-6
            D = (c.end_moment(up, 0.7, form)[0] - c.end_moment(down, 0.7, form)[0]) / 2e-6
            assert np.abs(D - K[:, j]).max() < 1e-8


if __name__ == "__main__":
    check()
    print("tangents, forces and rigid motion: as they should be")
