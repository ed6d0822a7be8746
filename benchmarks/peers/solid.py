"""A block of nearly incompressible neo-Hooke in FElupe beside Flexura: the same mesh, law, load and load steps.

    run.sh solid [--cells 12 4 4] [--kinds hexahedron_8 hexahedron_20] [--rounds 2] [--bench build/release/benchmarks/peer_solid]

A bar of 0.12 x 0.02 x 0.02 m, held at x = 0, bends under its own weight in five equal load steps; rho = 1100 kg/m3, mu = 100 kPa,
W = mu/2 (J^(-2/3) I1 - 3) + bulk/2 (J - 1)^2. Hexahedra of 8 nodes have one volume and one pressure each in both
programs, bulk = 1000 mu; those of 20 nodes J at each of 27 points (`full` in Flexura), which is what both offer, bulk = 50 mu: with
more FElupe's iterations fail at these load steps. So both solve the same equations, and what is left between them is what their tolerances
leave.

FElupe's linear systems are solved by SciPy's SuperLU, its default, or by CHOLMOD with METIS (scikit-sparse), and by SuperLU where a
tangent far from equilibrium is not positive definite. Processor time, one thread;
`assembly` is all of an iteration that is not the linear system's.
"""

import argparse
import json
import os
import subprocess
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import felupe as fem  # noqa: E402
import numpy as np  # noqa: E402
import scipy.sparse.linalg  # noqa: E402
from sksparse import cholmod  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZE, MU, RHO, GRAVITY, LOAD_STEPS = (0.12, 0.02, 0.02), 1e5, 1100.0, 9.81, 5
TOLERANCE = 1e-9
BULK = {"hexahedron_8": 1000 * MU, "hexahedron_20": 50 * MU}


class Solver:
    """Times what FElupe asks for."""

    def __init__(self, name):
        self.name, self.seconds, self.indefinite, self.entries, self.factor = name, 0.0, 0, 0, None

    def __call__(self, matrix, right):
        start = time.process_time()
        if self.name == "SuperLU":
            x = scipy.sparse.linalg.spsolve(matrix, right)
        else:
            matrix = scipy.sparse.csc_matrix(matrix)
            if matrix.nnz != self.entries:  # FElupe leaves out entries that happen to vanish
                self.entries = matrix.nnz
                self.factor = cholmod.analyze(matrix, ordering_method="metis", mode="supernodal")
            try:
                self.factor.cholesky_inplace(matrix)
                x = self.factor(right)
            except cholmod.CholmodNotPositiveDefiniteError:
                self.indefinite += 1
                x = scipy.sparse.linalg.spsolve(matrix, right)
        self.seconds += time.process_time() - start
        return x


def bar(kind, cells, bulk):
    mesh = fem.Cube(b=SIZE, n=tuple(c + 1 for c in cells))
    if kind == "hexahedron_8":
        field = fem.FieldContainer([fem.Field(fem.RegionHexahedron(mesh), dim=3)])
        solid = fem.SolidBodyNearlyIncompressible(fem.NeoHooke(mu=MU), field, bulk=bulk)
    else:
        mesh = mesh.add_midpoints_edges()
        field = fem.FieldContainer([fem.Field(fem.RegionQuadraticHexahedron(mesh), dim=3)])
        solid = fem.SolidBody(fem.NeoHooke(mu=MU, bulk=bulk), field)
    return mesh, field, solid


def felupe(kind, cells, bulk, solver_name):
    mesh, field, solid = bar(kind, cells, bulk)
    held = {"clamp": fem.Boundary(field[0], fx=0)}
    dof0, dof1 = fem.dof.partition(field, held)
    weight = fem.SolidBodyForce(field)
    solver = Solver(solver_name)
    iterations = 0
    start = time.process_time()
    for k in range(1, LOAD_STEPS + 1):
        weight.update([0, 0, -RHO * GRAVITY * k / LOAD_STEPS])
        result = fem.newtonraphson(
            items=[solid, weight], dof0=dof0, dof1=dof1, tol=TOLERANCE, solver=solver, verbose=False
        )
        field = result.x
        iterations += result.iterations
    seconds = time.process_time() - start
    tip = np.argmin(np.linalg.norm(mesh.points - np.array([SIZE[0], 0, 0]), axis=1))
    return {
        "coordinates": len(dof1),
        "iterations": iterations,
        "tip": field[0].values[tip].tolist(),
        "seconds": seconds,
        "solve": solver.seconds,
        "indefinite": solver.indefinite,
    }


def flexura(program, kind, cells, bulk):
    out = subprocess.run([program, kind, *map(str, cells), repr(bulk)], check=True, capture_output=True, text=True)
    return json.loads(out.stdout)


def show(name, row, other=None):
    n = row["iterations"]
    per = row["seconds"] / n, (row["seconds"] - row["solve"]) / n, row["solve"] / n
    away = "" if other is None else f"{np.linalg.norm(np.subtract(row['tip'], other['tip'])):12.1e}"
    print(
        f"  {name:18}{row['coordinates']:8}{n:5}{row['tip'][0]:14.9f}{row['tip'][2]:14.9f}{per[0] * 1e3:10.1f}{per[1] * 1e3:10.1f}"
        f"{per[2] * 1e3:10.1f}{row['seconds']:9.2f}{away}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, nargs=3, default=[12, 4, 4])
    parser.add_argument("--kinds", nargs="+", default=["hexahedron_8", "hexahedron_20"])
    parser.add_argument("--solvers", nargs="+", default=["SuperLU", "CHOLMOD"])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--bench", default=os.path.join(ROOT, "build/release/benchmarks/peer_solid"))
    args = parser.parse_args()
    print(f"FElupe {fem.__version__}, load {os.getloadavg()[0]:.1f} at the start, {os.cpu_count()} cores")
    print(
        f"  {'':18}{'coord.':>8}{'it.':>5}{'tip u_x m':>14}{'u_z m':>14}{'ms/it.':>10}{'assembly':>10}{'solve':>10}{'s':>9}{'apart m':>12}"
    )
    for kind in args.kinds:
        print(f"{kind}, {' x '.join(map(str, args.cells))} cells")
        best = {}
        for _ in range(args.rounds):  # all take turns
            for name, run in [("Flexura", lambda: flexura(args.bench, kind, args.cells, BULK[kind]))] + [
                (f"FElupe, {s}", lambda s=s: felupe(kind, args.cells, BULK[kind], s)) for s in args.solvers
            ]:
                row = run()
                if name not in best or row["seconds"] < best[name]["seconds"]:
                    best[name] = row
        for name, row in best.items():
            show(name, row, None if name == "Flexura" else best["Flexura"])


if __name__ == "__main__":
    main()
