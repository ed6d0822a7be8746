#!/usr/bin/env python3
"""Writes pressure.csv: 1000 rows of gauge pressure in the two chambers of soft_actuator.toml, as a logger would.

Mean 15 kPa + 3 kPa sin(pi t / 10 s); difference 10 kPa (sin 2pi 0.3t + sin 2pi 0.7t + sin 2pi 1.1t).
"""

import math
import pathlib

ROWS = 1000
DURATION = 10.0  # s

lines = ["# gauge pressures of the two chambers, t in s, p in kPa", "t,p_upper,p_lower"]
for row in range(ROWS):
    t = DURATION * row / (ROWS - 1)
    mean = 15 + 3 * math.sin(math.pi * t / DURATION)
    difference = 10 * sum(math.sin(2 * math.pi * f * t) for f in (0.3, 0.7, 1.1))
    lines.append(f"{t:.4f},{mean + difference / 2:.3f},{mean - difference / 2:.3f}")
pathlib.Path(__file__).with_name("pressure.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
