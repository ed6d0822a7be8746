#!/usr/bin/env python3
"""The same mechanisms with eliminated and with multiplied joints, side by side: methods.py PROGRAM FOLDER

Runs the scenes of examples/ with both values of `method`; prints sizes, times per step (the least of three runs) and the
largest difference of any sensor's last value.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENES = ["windows_2", "windows_40", "andrews", "bricard", "slider_crank", "governor"]


def run(program: pathlib.Path, scene: str, folder: pathlib.Path, multiplied: bool) -> dict:
    path = ROOT / "examples" / f"{scene}.toml"
    text = path.read_text(encoding="utf-8")
    settings = []
    if "rk853" not in text:  # the same formulas for all combinations of coordinates
        (name,) = re.findall(r'\[\[analysis\]\]\nname = "(\w+)"', text)
        settings += ["--set", f'analysis.{name}.integrator="energy-momentum"']
    if multiplied:
        for joint in re.findall(r"\[joint\.(\w+)\]", text):
            settings += ["--set", f'joint.{joint}.method="multipliers"']
    command = [program, "run", path, "--json", "--no-csv", "--force", "--output", folder / scene, *settings]
    runs = []
    for _ in range(3):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{scene}: {done.stderr}")
        runs.append(json.loads(done.stdout))
    best = min(runs, key=lambda r: r["integration_time_s"])
    best["us"] = best["integration_time_s"] / best["steps"] * 1e6
    return best


def values(summary: dict) -> dict:
    """Last values of positions, angles and velocities."""
    out = {}
    for name, sensor in summary["sensors"].items():
        last = sensor["last"]
        if sensor["unit"] not in ("", "J"):
            out[name] = last if isinstance(last, list) else [last]
    return out


def main() -> None:
    program, folder = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    print("| scene | eliminated: coordinates + multipliers, µs a step | multiplied | difference |\n|---|---|---|---|")
    for scene in SCENES:
        a, b = (run(program, scene, folder, multiplied) for multiplied in (False, True))
        x, y = values(a), values(b)
        worst = max(abs(p - q) for name in x for p, q in zip(x[name], y[name], strict=True))
        sizes = [f"{r['model']['coordinates']} + {r['model']['multipliers']}, {r['us']:.1f}" for r in (a, b)]
        print(f"| `{scene}` | {sizes[0]} | {sizes[1]} | {worst:.1e} |")


if __name__ == "__main__":
    main()
