"""The six-axis arm falling under gravity, read from the same URDF by MuJoCo.

    python mujoco_motion.py PROGRAM

Both take Runge-Kutta steps of fourth order; the arm starts off its limits and meets none. Prints the largest difference of the
joints' angles over the steps, which falls with the fourth power of the step, and processor time per step. Fails where the
angles differ by more than 1e-6 rad at the smallest step.
"""

import csv
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mujoco
import numpy as np

URDF = Path(__file__).parents[2] / "examples/six_axis_arm.urdf"
JOINTS = [f"joint_{k}" for k in range(1, 7)]
START = [0.3, 0.2, 0.3, -0.4, 0.6, 0.2]
END = 0.4
TOLERANCE = 1e-6


def by_flexura(program: str, step: float) -> tuple[np.ndarray, float]:
    lines = ['space = "spatial"', "gravity = [0, 0, -9.81]", "[use.arm]", f'urdf = "{URDF}"']
    lines.append(f"joints = {{ {', '.join(f'{j} = {x}' for j, x in zip(JOINTS, START, strict=True))} }}")
    for joint in JOINTS:
        lines += [f"[sensor.{joint}]", 'type = "angle"', f'of = "arm.{joint}"']
    lines += ["[[analysis]]", 'name = "fall"', 'type = "dynamic"', f"end = {END}", f"step = {step}"]
    lines += ['integrator = { type = "rk4" }', "[output]", f"sensor_interval = {END}"]
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder, "scene.toml")
        scene.write_text("\n".join(lines) + "\n")
        out = Path(folder, "out")
        said = subprocess.run([program, "run", scene, "--json", "-o", out], check=True, capture_output=True, text=True)
        end = []
        for joint in JOINTS:
            with open(out / f"{joint}.csv") as file:
                end.append(float(list(csv.reader(file))[-1][1]))
    return np.array(end), json.loads(said.stdout)["integration_time_s"] / round(END / step)


def by_mujoco(step: float) -> tuple[np.ndarray, float]:
    model = mujoco.MjModel.from_xml_path(str(URDF))
    model.opt.timestep = step
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    data.qpos[:] = START
    begin = time.process_time()
    for _ in range(round(END / step)):
        mujoco.mj_step(model, data)
    return np.array(data.qpos), (time.process_time() - begin) / round(END / step)


def main() -> int:
    print("| step, ms | largest difference, rad | Flexura, us a step | MuJoCo, us a step |\n|---|---|---|---|")
    difference = 0.0
    for step in (1e-3, 5e-4, 2.5e-4, 1.25e-4):
        (ours, our_time), (theirs, their_time) = by_flexura(sys.argv[1], step), by_mujoco(step)
        difference = float(np.abs(ours - theirs).max())
        print(f"| {1e3 * step:g} | {difference:.1e} | {1e6 * our_time:.1f} | {1e6 * their_time:.1f} |")
    return int(difference > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
