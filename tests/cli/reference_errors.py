"""Estimated errors of `run --verify` against true errors, over the scenes of reference_scenes.py.

FLEXURA=PROGRAM tests/cli/reference_errors.py [NAME...]     all scenes, or those whose names contain a NAME; ends with 1 below the bounds
"""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import typing
from dataclasses import dataclass

from reference_scenes import Reference, references

ROUNDING = 1e-9  # of the sensor's largest value: below, errors and estimates are those of the equations' solution
BOUNDED, FACTOR = (
    0.95,
    3,
)  # fraction of values whose error is at most its estimate; of the median of estimate over error


@dataclass(frozen=True)
class Value:
    scene: str
    key: tuple[str, str, int]
    error: float
    estimate: float
    scale: float

    @property
    def is_rounding(self) -> bool:
        return max(self.error, self.estimate) < ROUNDING * self.scale

    @property
    def is_bounded(self) -> bool:
        return self.error <= max(self.estimate, ROUNDING * self.scale)

    def __str__(self) -> str:
        sensor, of, component = self.key
        return (
            f"{self.scene}: {sensor}[{component}] {of}: error {self.error:.3g}, estimate {self.estimate:.3g}, "
            f"{self.error / self.scale:.2g} of the largest value"
        )


def values_of(scene: Reference, run: typing.Callable[..., dict]) -> list[Value]:
    """`run(text, *options)` returns a summary."""
    summary = run(scene.text, "--verify")
    values = summary["estimated_errors"]["values"]
    found = {(v["sensor"], v["of"], v["component"]): v for v in values if v["estimated"]}
    exact = dict(scene.exact)
    if scene.finer:
        sensors = run(scene.text, *(word for setting in scene.finer for word in ("--set", setting)))["sensors"]
        for sensor, of, component in found:
            value = sensors[sensor][of]
            exact[sensor, of, component] = value[component] if isinstance(value, list) else value
    scale = dict.fromkeys(summary["sensors"], 1e-300)
    for (sensor, _, _), v in found.items():
        scale[sensor] = max(scale[sensor], abs(v["value"]))
    estimates = {key: math.inf if found[key]["error"] is None else found[key]["error"] for key in exact}
    return [
        Value(scene.name, key, abs(found[key]["value"] - true), estimates[key], scale[key[0]])
        for key, true in exact.items()
    ]


def fraction_bounded(values: list[Value]) -> float:
    return sum(value.is_bounded for value in values) / len(values)


def median_ratio(values: list[Value]) -> float:
    """Of estimate over error, without values where both are rounding."""
    return statistics.median(v.estimate / max(v.error, 1e-300) for v in values if not v.is_rounding)


def main(names: list[str]) -> int:
    program = pathlib.Path(os.environ["FLEXURA"]).resolve()
    chosen = [s for s in references() if not names or any(name in s.name for name in names)]
    everything: list[Value] = []
    with tempfile.TemporaryDirectory() as folder:

        def run(text: str, *options: str) -> dict:
            path = pathlib.Path(folder) / "scene.toml"
            path.write_text(text, encoding="utf-8")
            words = [program, "run", path, "--json", "--quiet", "--force", "--no-csv", "--no-report", *options]
            done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
            if done.returncode != 0:
                raise SystemExit(f"{text}\n{done.stderr}")
            return json.loads(done.stdout)

        for scene in chosen:
            values = values_of(scene, run)
            everything += values
            larger = [v for v in values if not v.is_rounding]
            ratio = f"{median_ratio(values):8.2f}" if larger else " rounding"
            print(f"{scene.name:45} {len(values):3} values, median of estimate/error {ratio}", flush=True)
            for value in values:
                if not value.is_bounded:
                    print(f"    above its estimate: {value}")
    above = [v for v in everything if not v.is_rounding]
    bounded, ratio = fraction_bounded(everything), median_ratio(everything)
    print(
        f"{len(chosen)} scenes, {len(everything)} values: {100 * bounded:.1f} % bounded, median of estimate/error {ratio:.2f}"
    )
    print(f"{len(above)} of them above rounding: {100 * fraction_bounded(above):.1f} % bounded")
    return 0 if bounded >= BOUNDED and fraction_bounded(above) >= BOUNDED and 1 / FACTOR <= ratio <= FACTOR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
