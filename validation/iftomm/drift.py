#!/usr/bin/env python3
"""Energy and constraint drift of the integrators over 10 s: drift.py PROGRAM FOLDER

Energy: largest less least total of any sample; violation: the largest of any sample.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENES = {"windows_2": "turn", "bricard": "swing"}
INTEGRATORS = {
    "generalized-alpha, 0.8": '{ type = "generalized-alpha", rho_inf = 0.8 }',
    "the same, velocities projected": '{ type = "generalized-alpha", rho_inf = 0.8, project_velocities = true }',
    "hht, -0.05": '{ type = "hht" }',
    "energy-momentum": '{ type = "energy-momentum" }',
    "rk45, 1e-9": '{ type = "rk45", rtol = 1e-9, atol = 1e-11 }',
    "rk853, 1e-9": '{ type = "rk853", rtol = 1e-9, atol = 1e-11 }',
    "rk853, 1e-9, not projected": '{ type = "rk853", rtol = 1e-9, atol = 1e-11, stabilisation = "none" }',
}


def main() -> None:
    program, folder = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    for scene, analysis in SCENES.items():
        print(f"| `{scene}`, 10 s, 1 ms | energy, J | position, m | velocity, m/s | ms |\n|---|---|---|---|---|")
        for name, integrator in INTEGRATORS.items():
            path = ROOT / "examples" / f"{scene}.toml"
            command = [program, "run", path, "--json", "--no-csv", "--force", "--output", folder / scene]
            command += ["--set", f"analysis.{analysis}.integrator={integrator}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"| {name} | {done.stderr.splitlines()[0]} | | | |")
                continue
            s = json.loads(done.stdout)
            energy = s["sensors"]["energy"]
            drift, open_ = energy["max"] - energy["min"], s["sensors"]["open"]["max"]
            time = 1e3 * s["integration_time_s"]
            print(f"| {name} | {drift:.1e} | {open_[0]:.1e} | {open_[1]:.1e} | {time:.0f} |")


if __name__ == "__main__":
    main()
