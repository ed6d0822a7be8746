"""Work and precision of a plate hinged along one edge: Flexura beside Exudyn and MuJoCo.

      ┆ hinge                    0.3 x 0.3 m, 10 mm thick, 7810 kg/m3, E = 100 kPa, nu = 0.3, 9.81 m/s2; released level.
      ┆ ●━━━━━━━━━● free corner  Error: distance of the free corner to the reference at 0.2 s. Work: processor time of the
      ┆ ●━━━━━━━━━●              steps per simulated second, one thread; building and starting a model do not count.
      ┆ └ 0.3 m ──┘

    ./run.sh plate [--quick] [--json FILE] [--svg FILE] [--least RATIO]
    ./run.sh plate --reference      computes plate_reference.json anew (Flexura, 16 x 16 to 64 x 64; ten minutes)

All cases take turns in one process, so that a slow moment of the machine hits all of them; the least time of each counts.
A curve's best time at an error is that of its fastest case whose error is not larger. The reference is plate_reference.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from plate_codes import CODES, END, Case, Plate, versions  # before NumPy: it sets the number of threads

import numpy as np

HERE = Path(__file__).parent
REFERENCE = HERE / "plate_reference.json"
STEPS = (4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3)  # s
COARSEST = 2e-3  # m, errors above do not count
BESIDE = "beside"  # variants of peers that are shown but are not what their makers recommend for a plate


def flexura(meshes: tuple[int, ...], steps: tuple[float, ...]) -> list[Case]:
    """Both second-order integrators, both integrations; Newton's tolerance as it is and as loose as the errors allow."""
    out = []
    for n in meshes:
        for h in steps:
            if n >= 12 and h < 0.5e-3:
                continue
            for rule in ("full", "reduced"):
                for name, loose in (("generalized-alpha", ("1e-3", "1e-2")), ("energy-momentum", ("1e-4",))):
                    if n >= 12 and name == "energy-momentum":
                        continue
                    o = {"integrator": name, "integration": rule}
                    if rule == "full":
                        out.append(Case("Flexura", f"{name}, {rule}", n, h, o))
                    for t in loose:
                        out.append(Case("Flexura", f"{name}, {rule}, {t}", n, h, o | {"tolerance": float(t)}))
    return out


def exudyn(meshes: tuple[int, ...], steps: tuple[float, ...]) -> list[Case]:
    """Generalized-alpha, both integrations, tolerances as for Flexura; the default (1e-8) on coarse meshes only."""
    out = []
    for n in meshes:
        for h in steps:
            for rule in ("reduced", "full"):
                if n >= 16 and (h < 1e-3 or rule == "full"):
                    continue
                o = {"reduced": rule == "reduced"}
                if n <= 4 and h in (4e-3, 1e-3):
                    out.append(Case("Exudyn", rule, n, h, o))
                for t in ("1e-3", "1e-2"):
                    out.append(Case("Exudyn", f"{rule}, {t}", n, h, o | {"tolerance": float(t)}))
    return out


def mujoco(meshes: tuple[int, ...], steps: tuple[float, ...], integrators: tuple[str, ...]) -> list[Case]:
    out = []
    for name in integrators:
        for n in meshes:
            for h in steps:
                if (n >= 32 and h < 0.5e-3) or (name == "Euler" and h * n > 33e-3):  # too long; unstable
                    continue
                variant = name if name == "discrete" else f"{name} ({BESIDE})"
                out.append(Case("MuJoCo", variant, n, h, {"integrator": name}))
    return out


def cases(quick: bool) -> list[Case]:
    if quick:
        return (
            [c for c in flexura((3, 4, 6), (4e-3, 1e-3)) if c.options["integrator"] == "generalized-alpha"]
            + exudyn((2, 4, 6), (4e-3, 1e-3))
            + mujoco((6, 8, 10, 12, 16), (4e-3, 2e-3, 1e-3), ("discrete",))
        )
    return (
        flexura((2, 3, 4, 6, 8, 12, 16), STEPS)
        + exudyn((2, 3, 4, 6, 8, 16), STEPS)
        + mujoco((4, 6, 8, 10, 12, 16, 24, 32), STEPS, ("discrete", "Euler", "RK4"))
    )


def measure(todo: list[Case], rounds: int, reference: np.ndarray) -> list[dict[str, Any]]:
    """One row per case. In a round a case runs once, or more often while that takes less than 50 ms."""
    plates: list[Plate] = []
    for case in todo:
        plates.append(CODES[case.code](case))
    rows: list[dict[str, Any]] = []
    for case in todo:
        row = {"code": case.code, "variant": case.variant, "mesh": case.mesh, "step": case.step}
        rows.append(row | {"cpu": math.inf, "wall": math.inf, "runs": 0})
    for k in range(rounds):
        for case, plate, row in zip(todo, plates, rows, strict=True):
            if k > 0 and row["cpu"] > 4:
                continue  # seconds are measured well enough in one round
            spent = 0.0
            while spent < 0.05 and "failed" not in row:
                try:
                    outcome = plate.run()
                except RuntimeError as error:
                    row["failed"] = str(error).splitlines()[0]
                    break
                if "corner" in row and not np.allclose(row["corner"], outcome.corners[0], rtol=0, atol=1e-12):
                    raise RuntimeError(f"not the same result again: {case}")
                row["corner"] = outcome.corners[0].tolist()
                row["error"] = float(np.linalg.norm(outcome.corners[0] - reference))
                row["error_other_corner"] = float(np.linalg.norm(outcome.corners[1] - reference))
                row["cpu"], row["wall"] = min(row["cpu"], outcome.cpu), min(row["wall"], outcome.wall)
                row["runs"] += 1
                spent += max(outcome.wall, 1e-3)
        print(f"round {k + 1} of {rounds}", file=sys.stderr, flush=True)
    for row in rows:
        if "failed" in row:
            print(f"left out: {label(row)}: {row['failed']}", file=sys.stderr)
        row["work"] = float(f"{row['cpu'] / END:.4g}")
        row["ms_per_step"] = row["cpu"] * 1e3 / round(END / row["step"])
    return [row for row in rows if "failed" not in row]


def front(rows: list[dict[str, Any]], key: str = "error") -> list[dict[str, Any]]:
    """The cases that no other beats in both work and error, the least error last."""
    out: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda r: (r["work"], r[key])):
        if not out or row[key] < out[-1][key]:
            out.append(row)
    return out


def best(rows: list[dict[str, Any]], error: float) -> dict[str, Any] | None:
    """The fastest case with at most this error."""
    return min((r for r in rows if r["error"] <= error), key=lambda r: r["work"], default=None)


def compare(rows: list[dict[str, Any]], peers: list[dict[str, Any]], key: str = "error") -> list[dict[str, Any]]:
    """At every error from COARSEST down where the best of the peers changes: it, the best of ours, the ratio."""
    ours = [r for r in rows if r["code"] == "Flexura"]
    shown = []
    for peer in front(peers, key):
        if peer[key] > COARSEST:
            continue
        mine = best(ours, peer[key])
        ratio = peer["work"] / mine["work"] if mine else 0.0
        shown.append({"error": peer[key], "peer": peer, "flexura": mine, "ratio": ratio})
    return shown


def label(row: dict[str, Any]) -> str:
    return f"{row['code']} {row['mesh']}x{row['mesh']}, {row['step'] * 1e3:g} ms, {row['variant']}"


def table(shown: list[dict[str, Any]]) -> str:
    lines = ["| error [mm] | best peer | s per s | Flexura | s per s | error [mm] | ratio |", "|---|---|---|---|---|---|---|"]
    for s in shown:
        p, f = s["peer"], s["flexura"]
        mine = f"{label(f)[8:]} | {f['work']:.4f} | {f['error'] * 1e3:.2f}" if f else "– | – | –"
        lines.append(f"| {s['error'] * 1e3:.2f} | {label(p)} | {p['work']:.4f} | {mine} | {s['ratio']:.1f} |")
    return "\n".join(lines)


def extrapolated(corners: dict[str, list[float]]) -> dict[str, Any]:
    """Step and mesh to zero by Richardson, both of order 2. The bar: the size of the last correction of both, added."""
    limits, correction = {}, np.zeros(3)
    for n in (16, 32, 64):
        coarse, fine = (np.array(corners[f"{n}x{n}, {h} ms"]) for h in ("1", "0.5"))
        correction = (fine - coarse) / 3
        limits[n] = fine + correction
    last = (limits[64] - limits[32]) / 3
    return {
        "corner": (limits[64] + last).tolist(),
        "error_bar": float(np.linalg.norm(last) + np.linalg.norm(correction)),
        "time": END,
        "computed": corners,
        "step_to_zero": {f"{n}x{n}": x.tolist() for n, x in limits.items()},
        "change_by_mesh": [float(np.linalg.norm(limits[2 * n] - limits[n])) for n in (16, 32)],
    }


def make_reference() -> dict[str, Any]:
    """By Flexura: generalized-alpha, full integration."""
    options = {"integrator": "generalized-alpha", "integration": "full"}
    corners: dict[str, list[float]] = {}
    for n in (16, 32, 64):
        for h in (1e-3, 0.5e-3):
            name = f"{n}x{n}, {h * 1e3:g} ms"
            corners[name] = CODES["Flexura"](Case("Flexura", "", n, h, options)).run().corners[0].tolist()
            print(name, corners[name], flush=True)
    return extrapolated(corners)


def main() -> int:
    parser = argparse.ArgumentParser(description="Work and precision of a hinged plate in three programs")
    parser.add_argument("--quick", action="store_true", help="fewer cases and rounds: a minute")
    parser.add_argument("--json", type=Path, help="write all figures here")
    parser.add_argument("--svg", type=Path, help="draw the curves here")
    parser.add_argument("--draw", type=Path, metavar="JSON", help="draw and tabulate figures of an earlier run")
    parser.add_argument("--least", type=float, default=0.0, help="exit with 1 if Flexura is less than this many times faster anywhere")
    parser.add_argument("--reference", action="store_true", help="compute the reference anew")
    args = parser.parse_args()
    if args.reference:
        REFERENCE.write_text(json.dumps(make_reference(), indent=1) + "\n", encoding="utf-8")
        return 0
    if args.draw:
        result = json.loads(args.draw.read_text(encoding="utf-8"))
    else:
        reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
        rows = measure(cases(args.quick), 3 if args.quick else 2, np.array(reference["corner"]))
        result = {"versions": versions(), "reference": reference, "rows": rows}
    rows = result["rows"]
    peers = [r for r in rows if r["code"] != "Flexura" and BESIDE not in r["variant"]]
    shown = compare(rows, peers)
    worst = min((s["ratio"] for s in shown), default=0.0)
    print(", ".join(f"{k} {v}" for k, v in result["versions"].items()))
    print(f"reference {result['reference']['corner']} +- {result['reference']['error_bar'] * 1e3:.3f} mm\n")
    print(table(shown))
    print(f"\nleast ratio {worst:.1f}")
    other = compare(rows, [r for r in peers if r["code"] == "MuJoCo"], "error_other_corner")
    if other:
        print(f"\nMuJoCo by its other free corner\n\n{table(other)}\n\nleast ratio {min(s['ratio'] for s in other):.1f}")
    beside = compare(rows, [r for r in rows if BESIDE in r["variant"]])
    if beside:
        print(f"\nBeside the comparison: other integrators of MuJoCo\n\n{table(beside)}")
    if args.json:
        lines = ",\n".join(json.dumps(row) for row in rows)
        head = json.dumps({k: v for k, v in result.items() if k != "rows"})
        args.json.write_text(f'{head[:-1]}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")
    if args.svg:
        from plate_picture import draw

        draw(result, args.svg, beside=BESIDE)
    return 1 if worst < args.least else 0


if __name__ == "__main__":
    sys.exit(main())
