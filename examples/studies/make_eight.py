"""Makes eight.csv: an eight that the tip of ../two_chamber_arm.toml is to draw in two seconds, from rest to rest."""

import math
from pathlib import Path

ROWS, DURATION = 101, 2.0


def main() -> None:
    rows = ["t [s],x [mm],y [mm]"]
    for k in range(ROWS):
        s = k / (ROWS - 1)
        phase = 2 * math.pi * s**3 * (10 - 15 * s + 6 * s**2)  # rates and accelerations vanish at both ends
        rows.append(f"{DURATION * s:.6g},{145 + 12 * math.sin(2 * phase):.6f},{-60 + 24 * math.sin(phase):.6f}")
    Path(__file__).with_name("eight.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
