#!/usr/bin/env python3
"""Writes the scene of the N-four-bar mechanism of the IFToMM library (A02): windows.py N [END] > scene.toml

N windows: N + 1 posts and N beams of 1 m and 1 kg, gravity along -y, the tops moving at 1 m/s. A parallelogram whose
angle follows theta'' = -(W/I) g cos(theta), I = (N + 1)/3 + N, W = (N + 1)/2 + N.
"""

import sys

HEAD = """# {n}-four-bar mechanism of the IFToMM library (A02): {n} windows of rods of 1 m and 1 kg.
#
#   o───o───o─ … ─o  → 1 m/s      theta'' = -(W/I) g cos(theta), W = (N + 1)/2 + N, I = (N + 1)/3 + N
#   │   │   │     │               Twice each turn all rods lie on a line: there the mechanism could fold another way.
#   △   △   △  …  △
#
# Written by validation/iftomm/windows.py.

title   = "{n} windows"
space   = "planar"
gravity = [0, -9.81]
"""

POST = """
[body.post{i}]
position = [{i}, 0]
angle    = "90 deg"
shape    = {{ type = "rod", length = 1, center = [0.5, 0] }}
density  = 1
points   = {{ top = [1, 0] }}
angular_velocity = -1

[joint.foot{i}]
type = "revolute"
of   = ["ground", "post{i}"]
at   = [{i}, 0]
"""

BEAM = """
[body.beam{i}]
position = [{j}, 1]
shape    = {{ type = "rod", length = 1, center = [0.5, 0] }}
density  = 1
points   = {{ end = [1, 0] }}
velocity = [1, 0]

[joint.left{i}]
type = "pin"
of   = ["post{j}.top", "beam{i}"]

[joint.right{i}]
type = "pin"
of   = ["beam{i}.end", "post{i}.top"]
"""

TAIL = """
[sensor.B0]
type = "position"
at   = "post0.top"

[sensor.BN]
type = "position"
at   = "post{n}.top"

[sensor.energy]
type = "energy"
of   = "total"

[sensor.open]
type = "constraint_violation"

[[analysis]]
name = "turn"
type = "dynamic"
end  = {end}
step = "1 ms"
integrator = {{ type = "generalized-alpha", rho_inf = 0.9 }}

[output]
sensor_interval = "10 ms"
"""


def scene(n: int, end: float) -> str:
    text = HEAD.format(n=n)
    for i in range(n + 1):
        text += POST.format(i=i)
        if i > 0:
            text += BEAM.format(i=i, j=i - 1)
    return text + TAIL.format(n=n, end=end)


if __name__ == "__main__":
    sys.stdout.write(scene(int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 10))
