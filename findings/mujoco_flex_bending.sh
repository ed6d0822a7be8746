#!/bin/bash
# MuJoCo 4.0.0: how a two-dimensional flex (elastic2d = "bend") bends, beside a Kirchhoff plate of the same E, nu and thickness.
#
# Guess before it was run: the plate is isotropic, Poisson's ratio couples the curvatures, and deflections are right to
# some 14 % whatever the supports, as those of a cantilever are (11 to 13 % too large for nu = 0).
#
# Seen, on square cells, each cut by one diagonal, at every mesh from 8 x 8 to 24 x 24:
#   - supported on all four edges and loaded evenly, the plate deflects 0.56 times the plate's value: 1.8 times too stiff;
#     with diagonals that alternate like a chessboard 0.75 times;
#   - a square on two opposite edges, for nu = 0 a beam, deflects 1.03 times as much as the beam, 1.21 times with
#     alternating diagonals: the error has another sign than on four edges, and a finer mesh does not help;
#   - bent to a cylinder about an axis along the diagonals it stores the plate's energy, about the axis across them three times that;
#   - Poisson's ratio changes E/(1 - nu^2) and nothing else: a dome of curvatures (k, k) stores 1/(1 + nu) of the plate's
#     energy, so that deflections relative to those of D = E t^3/12/(1 - nu^2) are the same for nu = 0 and 0.3.
#
# Exit 0: as described; 1: it changed; 77: the packages cannot be installed.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" >/dev/null 2>&1 &&
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check mujoco==4.0.0 numpy==2.4.6 || exit 77
cat >"$folder/bend.py" <<'PY'
import sys

import mujoco
import numpy as np

YOUNG, THICKNESS, SIZE = 1e5, 0.01, 0.3


class Sheet:
    """A square of n x n cells, flat, without gravity; all vertices free."""

    def __init__(self, n, nu, alternating=False):
        cells = [(i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + j) % 2) for i in range(n) for j in range(n)]
        triangles = []
        for a, b, odd in cells:
            triangles += [[a, b, a + 1], [b, b + 1, a + 1]] if alternating and odd else [[a, b, b + 1], [a, b + 1, a + 1]]
        self.x, self.y = (SIZE / n * np.indices((n + 1, n + 1)).reshape(2, -1)).astype(float)
        self.triangles, self.n = np.array(triangles), n
        self.D = YOUNG * THICKNESS**3 / 12 / (1 - nu**2)
        points = " ".join(f"{x!r} {y!r} 0" for x, y in zip(self.x.tolist(), self.y.tolist()))
        self.model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <worldbody>
    <flexcomp name="sheet" type="direct" dim="2" radius="{THICKNESS / 2}" mass="1" point="{points}"
              element="{" ".join(map(str, self.triangles.ravel()))}">
      <contact selfcollide="none" contype="0" conaffinity="0"/>
      <elasticity young="{YOUNG}" poisson="{nu}" thickness="{THICKNESS}" elastic2d="bend"/>
    </flexcomp>
  </worldbody>
</mujoco>""")
        self.data = mujoco.MjData(self.model)
        self.z = np.array([self.model.body_dofadr[body] + 2 for body in self.model.flex_vertbodyid])

    def force(self, w):
        self.data.qpos[:] = self.data.qvel[:] = 0
        self.data.qpos[self.z] = w
        mujoco.mj_forward(self.model, self.data)
        return self.data.qfrc_passive[self.z].copy()

    def energy(self, xx, yy, xy, nu):
        """That of the shape with these curvatures over that of the plate."""
        k, x, y = 1e-2, self.x - SIZE / 2, self.y - SIZE / 2
        w = k * (xx * x * x / 2 + yy * y * y / 2 + xy * x * y)
        plate = self.D / 2 * ((xx + yy) ** 2 - 2 * (1 - nu) * (xx * yy - xy**2)) * (k * SIZE) ** 2
        return -0.5 * self.force(w) @ w / plate

    def stiffness(self):
        return np.array([-self.force(1e-6 * unit) / 1e-6 for unit in np.eye(len(self.x))])

    def cantilever(self):
        """Under an even load, over that of a beam of stiffness D that is clamped in the middle of the first, held row of cells."""
        count, h = len(self.x), SIZE / self.n
        free, tip = self.x > h + 1e-9, self.x > SIZE - 1e-9
        load = np.bincount(self.triangles.ravel(), minlength=count) * h**2 / 2 / 3
        w = np.zeros(count)
        w[free] = np.linalg.solve(self.stiffness()[np.ix_(free, free)], load[free])
        return w[tip].mean() / ((SIZE - h / 2) ** 4 / 8 / self.D)

    def deflection(self, all_edges):
        """Under an even load, over that of the plate (all edges supported) or of a beam of stiffness D."""
        count, K = len(self.x), self.stiffness()
        load = np.bincount(self.triangles.ravel(), minlength=count) * SIZE**2 / (2 * self.n**2) / 3
        near = lambda u: (u < 1e-9) | (u > SIZE - 1e-9)
        free = ~(near(self.x) | near(self.y)) if all_edges else ~near(self.x)
        w = np.zeros(count)
        w[free] = np.linalg.solve(K[np.ix_(free, free)], load[free])
        middle = np.abs(self.x - SIZE / 2) < 1e-9
        return w.max() / (0.00406235 * SIZE**4 / self.D) if all_edges else w[middle].mean() / (5 / 384 * SIZE**4 / self.D)


found = {}
for n in (8, 16, 24):
    for name, alternating in (("one way", False), ("alternating", True)):
        for nu in (0.0, 0.3):
            sheet = Sheet(n, nu, alternating)
            found[n, name, nu] = sheet.deflection(True), sheet.deflection(False)
            print(f"{n} x {n}, {name}, nu {nu}: all edges {found[n, name, nu][0]:.3f}, two edges {found[n, name, nu][1]:.3f}")
cantilevers = {(n, name): Sheet(n, 0.0, name == "alternating").cantilever()
               for n in (8, 16, 24) for name in ("one way", "alternating")}
print("cantilevers:", ", ".join(f"{n} x {n} {name} {value:.3f}" for (n, name), value in cantilevers.items()))
energies = {}
for shape, curvatures in {"along": (0.5, 0.5, -0.5), "across": (0.5, 0.5, 0.5), "dome": (1, 1, 0)}.items():
    for nu in (0.0, 0.3):
        values = [Sheet(n, nu).energy(*curvatures, nu) for n in (16, 32)]
        energies[shape, nu] = 2 * values[1] - values[0]  # hinges are missing along the boundary: first order in the mesh
        print(f"energy of {shape}, nu {nu}: {energies[shape, nu]:.3f}")

near = lambda x, y, tolerance=0.02: abs(x / y - 1) < tolerance
checks = {
    "all edges, one way": all(near(found[n, "one way", nu][0], 0.565, 0.03) for n in (8, 16, 24) for nu in (0.0, 0.3)),
    "all edges, alternating": all(near(found[n, "alternating", nu][0], 0.75) for n in (8, 16, 24) for nu in (0.0, 0.3)),
    "two edges, one way": all(near(found[n, "one way", 0.0][1], 1.032) for n in (8, 16, 24)),
    "two edges, alternating": all(near(found[n, "alternating", 0.0][1], 1.216) for n in (8, 16, 24)),
    "cantilever, one way": all(near(cantilevers[n, "one way"], 1.122) for n in (8, 16, 24)),
    "cantilever, alternating": all(near(cantilevers[n, "alternating"], 1.156, 0.03) for n in (8, 16, 24)),
    "no influence of nu": all(near(found[n, w, 0.0][i], found[n, w, 0.3][i], 1e-4)
                              for n in (8, 16, 24) for w in ("one way", "alternating") for i in (0, 1)),
    "diagonal": near(energies["along", 0.3], 1) and near(energies["across", 0.3], 3),
    "dome": near(energies["dome", 0.0], 1) and near(energies["dome", 0.3], 1 / 1.3),
}
for name, ok in checks.items():
    print(f"{'as described' if ok else 'CHANGED':13} {name}")
print("MuJoCo", mujoco.__version__)
sys.exit(0 if all(checks.values()) else 1)
PY
"$folder/venv/bin/python" "$folder/bend.py"
