#!/usr/bin/env python3
"""Writes arm_record.csv: arm.toml with what identify_arm.toml does not fit, on a clock of its own, with noise and gaps."""

import csv
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
RICHER = [
    "cable.arm.elements=12",
    "section.wall.EI=0.0186",
    'section.wall.damping_bend="4 ms"',
    'section.wall.relaxation=[[0.05, "0.4 s"]]',
    "load.chamber.pressure=line",
    'analysis.move.step="0.5 ms"',
    'output.sensor_interval="10 ms"',
    "parameters.payload=0.012",
]
DELAY = 0.08  # s
NOISE = 0.3e-3  # m


def main(program: str) -> None:
    random.seed(2024)
    with tempfile.TemporaryDirectory() as folder:
        settings = [word for setting in RICHER for word in ("--set", setting)]
        subprocess.run(
            [program, "run", HERE / "arm.toml", "-o", folder, "--force", "-q", "--no-report", *settings], check=True
        )
        with open(pathlib.Path(folder) / "tip.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
    lines = ["# made by make_arm_record.py", "t [s],tip x [mm],tip y [mm]"]
    for k, (t, *place) in enumerate(rows):
        cells = [f"{1e3 * (float(x) + random.gauss(0, NOISE)):.3f}" for x in place]
        if k % 37 == 5:
            cells[0] = ""  # the camera lost the marker
        lines.append(f"{float(t) + DELAY:.4f}," + ",".join(cells))
    (HERE / "arm_record.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "flexura")
