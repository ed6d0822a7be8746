"""Draws the work-precision curves of plate.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

COLORS = {"Flexura": "#0072b2", "Exudyn": "#d55e00", "MuJoCo": "#009e73"}
MARKERS = {"Flexura": "o", "Exudyn": "s", "MuJoCo": "^"}


def front(rows: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Corners (work, error) of the staircase: the least error within a time."""
    corners: list[tuple[float, float]] = []
    for row in sorted(rows, key=lambda r: r["work"]):
        if not corners or row["error"] < corners[-1][1]:
            corners.append((row["work"], row["error"]))
    return corners


def draw(result: dict[str, Any], path: Path, beside: str) -> None:
    """One dot per case, a staircase per program; hollow dots for variants beside the comparison."""
    rows, bar = result["rows"], result["reference"]["error_bar"] * 1e3
    plt.rcParams.update({"font.size": 10, "svg.hashsalt": "flexura", "font.family": "DejaVu Sans"})
    figure, axes = plt.subplots(figsize=(7.6, 5.2), layout="constrained")
    slowest = 1.5 * max(r["work"] for r in rows)
    for code, color in COLORS.items():
        mine = [r for r in rows if r["code"] == code and beside not in r["variant"]]
        if not mine:
            continue
        x, y = [r["work"] for r in mine], [r["error"] * 1e3 for r in mine]
        axes.scatter(x, y, s=16, marker=MARKERS[code], color=color, alpha=0.35, linewidths=0)
        corners = front(mine)
        axes.step(
            [c[0] for c in corners] + [slowest],
            [c[1] * 1e3 for c in corners] + [corners[-1][1] * 1e3],
            where="post",
            color=color,
            linewidth=2,
            label=f"{code} {result['versions'][code.lower()]}",
        )
        axes.scatter(*zip(*[(a, b * 1e3) for a, b in corners], strict=True), s=30, marker=MARKERS[code], color=color, zorder=3)
    others = [r for r in rows if beside in r["variant"]]
    if others:
        axes.scatter(
            [r["work"] for r in others],
            [r["error"] * 1e3 for r in others],
            s=18,
            marker="v",
            facecolors="none",
            edgecolors=COLORS["MuJoCo"],
            linewidths=0.7,
            alpha=0.6,
            label="MuJoCo, explicit (Euler, RK4)",
        )
    axes.axhline(2, color="0.6", linewidth=0.8, linestyle=":")
    axes.axhspan(1e-3, bar, color="0.9", linewidth=0, label=f"error bar of the reference, {bar:.3f} mm")
    axes.set(xscale="log", yscale="log", xlim=(None, slowest), ylim=(max(1e-3, bar / 2), 40))
    axes.set_xlabel("time per simulated second, one thread [s]")
    axes.set_ylabel("error of the free corner at 0.2 s [mm]")
    axes.set_title("Plate hinged along one edge: meshes 2×2 to 32×32, steps 0.25 to 4 ms", fontsize=11, loc="left")
    axes.grid(True, which="major", color="0.9", linewidth=0.6)
    axes.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left", fontsize=9)
    options: dict[str, Any] = {"metadata": {"Date": None}} if path.suffix == ".svg" else {"dpi": 130}
    figure.savefig(path, **options)
    plt.close(figure)
