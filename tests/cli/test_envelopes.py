"""Least and greatest values come from every step, and plots show what lies between samples."""

import h5py
import numpy as np
import pytest


@pytest.fixture
def swing(flexura):
    flexura("example", "pendulum")
    return flexura


COARSE = ("--set", "output.interval=0.7", "--no-report")


def test_extremes_are_those_of_every_step(swing):
    coarse = swing.summary("pendulum.toml", *COARSE, "--output", "coarse")["sensors"]
    every = swing.summary("pendulum.toml", "--set", "output.every_step=true", "--no-report", "--output", "every")[
        "sensors"
    ]
    assert coarse == every
    with (
        h5py.File(swing.folder / "coarse/results.h5") as few,
        h5py.File(swing.folder / "every/results.h5") as all_steps,
    ):
        assert "envelopes" not in all_steps, "each step is a sample"
        for sensor in coarse:
            samples, steps = few[f"sensors/{sensor}"], all_steps[f"sensors/{sensor}"]
            t, ends = steps["t"][:], few[f"envelopes/{sensor}/t"][:]
            assert list(ends) == list(samples["t"][:])
            for column in set(samples) - {"t"}:
                least, greatest = (few[f"envelopes/{sensor}/{column}_{which}"][:] for which in ("least", "greatest"))
                assert least.shape == samples[column].shape
                for row in range(1, len(ends)):
                    between = steps[column][:][(t >= ends[row - 1]) & (t <= ends[row])]
                    np.testing.assert_array_equal(least[row], between.min(0))
                    np.testing.assert_array_equal(greatest[row], between.max(0))


def test_angles_count_the_turns_between_samples(flexura):
    flexura.write(
        "rotor.toml",
        """
space = "planar"
[body.rotor]
m = 1.0
inertia = 1.0
angular_velocity = 100.0
[joint.axle]
type = "revolute"
of = ["ground", "rotor"]
[sensor.rotor]
type = "frame"
at = "rotor"
[[analysis]]
name = "spin"
type = "dynamic"
end = 1.0
step = 1e-3
""",
    )
    # A sample each 10 rad: nearest to the one before it was another turn, 75 rad in place of 100.
    summary = flexura.summary("rotor.toml", "--set", "output.interval=0.1", "--output", "out")
    assert summary["sensors"]["rotor"]["last"][2] == pytest.approx(100, rel=1e-3)


def test_plots_have_a_band_and_say_so(swing):
    swing("run", "pendulum.toml", *COARSE, "--plots", "--output", "coarse")
    picture = (swing.folder / "coarse/bob.svg").read_text()
    assert picture.count("fill-opacity") == 2, "a band for x and one for y"
    assert "curve: samples; band: least and greatest of all steps" in picture
    swing("run", "pendulum.toml", "--set", "output.every_step=true", "--no-report", "--plots", "--output", "every")
    assert "fill-opacity" not in (swing.folder / "every/bob.svg").read_text()
