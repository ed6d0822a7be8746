"""Balls of different sizes that fall on a ramp and a table: examples/balls.toml and examples/thousand_balls.toml.

    python examples/make_balls.py            writes both
    python examples/make_balls.py 5000 x.toml

Names need not be written pair by pair: `between = ["sphere.*", ...]` lets any two of the things named touch.
"""

import math
import random
import sys
from pathlib import Path

HEAD = """\
# {count} balls of different sizes fall on a ramp and slide on to a table, without friction.
#
#     o O o          Any two of the balls may touch, and each of them the table, the ramp and the walls. Half of the speed
#     O o O          of an impact comes back (restitution); slow impacts end, so that balls come to rest. What impacts take
#      ╲   o         is in the energy `dissipated`.
#       ╲____        Written by examples/make_balls.py.

title   = "{count} balls on a ramp and a table"
space   = "spatial"
gravity = [0, 0, -9.81]

[plane.table]
point  = [0, 0, 0]
normal = [0, 0, 1]

[plane.ramp]                    # 30 degrees, rising to the left
point  = [0, 0, 0]
normal = [{sine}, 0, {cosine}]

[plane.front]
point  = [0, {front}, 0]
normal = [0, 1, 0]

[plane.back]
point  = [0, {back}, 0]
normal = [0, -1, 0]

[plane.end]
point  = [{end}, 0, 0]
normal = [-1, 0, 0]

[contact.all]
between     = ["sphere.*", "table", "ramp", "front", "back", "end"]
restitution = 0.5

[sensor.closed]
type = "contact_count"
of   = "all"

[sensor.on_table]
type = "contact_force"
of   = "table"

[sensor.energy]
type = "energy"

[sensor.dissipated]
type = "energy"
of   = "dissipated"

[[analysis]]
name = "fall"
type = "dynamic"
end  = {duration}
step = 2e-3

[sphere]
"""


def scene(count: int, duration: float) -> str:
    """The scene of `count` balls, simulated for `duration` [s]."""
    random.seed(count)
    pitch = 0.11  # m, of the grid that the balls start on: no two touch
    columns = max(2, math.ceil(count ** (1 / 3)))
    width = columns * pitch
    lines = [
        HEAD.format(
            count=count,
            duration=duration,
            sine=0.5,
            cosine=round(math.sqrt(0.75), 9),
            front=round(-0.5 * width - 0.02, 6),
            back=round(0.5 * width + 0.02, 6),
            end=round(0.5 * width + 0.1, 6),
        )
    ]
    for i in range(count):
        layer, rest = divmod(i, columns * columns)
        row, column = divmod(rest, columns)
        radius = random.uniform(0.02, 0.05)
        x = -(row + 0.5) * pitch + random.uniform(-0.004, 0.004)
        y = (column + 0.5) * pitch - 0.5 * width + random.uniform(-0.004, 0.004)
        z = (columns * pitch) / math.sqrt(3) + 0.15 + layer * pitch
        position = ", ".join(f"{c:.4f}" for c in (x, y, z))
        lines.append(f"b{i + 1} = {{ position = [{position}], radius = {radius:.4f}, density = 2500 }}\n")
    return "".join(lines)


def main() -> None:
    here = Path(__file__).parent
    if len(sys.argv) == 3:
        Path(sys.argv[2]).write_text(scene(int(sys.argv[1]), 1.0), encoding="utf-8")
        return
    (here / "balls.toml").write_text(scene(60, 1.0), encoding="utf-8")
    (here / "thousand_balls.toml").write_text(scene(1000, 0.5), encoding="utf-8")


if __name__ == "__main__":
    main()
