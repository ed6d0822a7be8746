"""Joint torques of three arms along a motion, against Pinocchio.

    python inverse_dynamics.py PROGRAM

The arms are read from URDF by both. Flexura prescribes the angles and reads what its drives do; Pinocchio works out the torques
from q, v and a by the recursive Newton-Euler algorithm. Fails where they differ by more than 1e-9 of the largest.
"""

import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pinocchio

HERE = Path(__file__).parent
ARMS = [HERE.parents[1] / "examples/six_axis_arm.urdf", HERE / "scara.urdf", HERE / "seven_axes.urdf"]
TOLERANCE = 1e-9  # of the largest torque of the arm: rounding of constraints and of angles, with a margin
END, STEP = 1.0, 0.05


def motion(k: int) -> tuple[float, float, float, float]:
    """Amplitude, frequency and phase of joint k: s = A (sin(w t + p) - sin(p)) + B t."""
    return 0.5 + 0.1 * k, 2.0 + 0.7 * k, 0.4 * k, 0.3 - 0.1 * k


def formula(k: int) -> str:
    a, w, p, b = motion(k)
    return f"= {a!r} * (sin({w!r} * t + {p!r}) - sin({p!r})) + {b!r} * t"


def place(k: int, t: float) -> tuple[float, float, float]:
    a, w, p, b = motion(k)
    return (
        a * (math.sin(w * t + p) - math.sin(p)) + b * t,
        a * w * math.cos(w * t + p) + b,
        -a * w * w * math.sin(w * t + p),
    )


def by_flexura(program: str, urdf: Path, joints: list[tuple[str, bool]]) -> dict[str, np.ndarray]:
    lines = ['space = "spatial"', "gravity = [0, 0, -9.81]", "[use.arm]", f'urdf = "{urdf}"', 'limits = "none"']
    text = urdf.read_text()
    lines.append("[use.arm.set]")
    for k, (name, turns) in enumerate(joints):
        lines.append(f'joint.{name}.{"angle" if turns else "displacement"} = "{formula(k)}"')
        if "dynamics" in text:
            lines.append(f"spring.{name}.damping = 0")
    for name, turns in joints:
        lines += [f"[sensor.{name}]", f'type = "{"drive_torque" if turns else "drive_force"}"', f'of = "arm.{name}"']
    lines += ["[[analysis]]", 'name = "move"', 'type = "inverse_dynamics"', f"end = {END}", f"step = {STEP}"]
    lines += ["[output]", f"sensor_interval = {STEP}"]
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder, "scene.toml")
        scene.write_text("\n".join(lines) + "\n")
        subprocess.run([program, "run", scene, "--quiet", "-o", Path(folder, "out")], check=True)
        read = {}
        for name, _ in joints:
            with open(Path(folder, "out", f"{name}.csv")) as file:
                read[name] = np.array(list(csv.reader(file))[1:], dtype=float)
        return read


def main() -> int:
    program, worst = sys.argv[1], 0.0
    print("| arm | joints | largest torque | largest difference |\n|---|---|---|---|")
    for urdf in ARMS:
        model = pinocchio.buildModelFromUrdf(str(urdf))
        data = model.createData()
        joints = [
            (str(name), "JointModelP" not in model.joints[k].shortname()) for k, name in enumerate(model.names) if k
        ]
        read = by_flexura(program, urdf, joints)
        largest = difference = 0.0
        for row in range(len(read[joints[0][0]])):
            t = read[joints[0][0]][row, 0]
            states = [place(k, t) for k in range(len(joints))]
            q = np.zeros(model.nq)
            for k, (s, _, _) in enumerate(states):
                joint = model.joints[k + 1]
                if joint.nq == 2:  # a continuous joint: cosine and sine
                    q[joint.idx_q : joint.idx_q + 2] = math.cos(s), math.sin(s)
                else:
                    q[joint.idx_q] = s
            v = np.array([state[1] for state in states])
            a = np.array([state[2] for state in states])
            torque = pinocchio.rnea(model, data, q, v, a)
            for k, (name, _) in enumerate(joints):
                largest = max(largest, abs(torque[k]))
                difference = max(difference, abs(torque[k] - read[name][row, 1]))
        worst = max(worst, difference / largest)
        print(f"| {urdf.stem} | {len(joints)} | {largest:.1f} | {difference:.1e} |")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
