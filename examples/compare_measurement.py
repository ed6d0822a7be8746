# %% [markdown]
# # Comparison with a measurement
# A camera has followed the tip of an actuator that was let go from the horizontal. Which stiffness and which damping
# does the model need to move like it? Gauss and Newton's method finds them; its derivatives are differences of two runs.
#
# `measured_tip.csv` stands for the camera's record: `python examples/compare_measurement.py --make` has made it with
# EI = 0.0172 N m², a mass damping of 2.9 1/s and 0.3 mm of noise. These are the values that should come out.

# %%
from pathlib import Path

import flexura as fx
import numpy as np


def actuator(EI: float, mass_damping: float) -> fx.Scene:
    """The model of the experiment."""
    scene = fx.Scene(title="Actuator, let go", gravity=[0, -9.81], mass_damping=mass_damping)
    scene.section.wall = fx.Section(EA=2000, EI=EI, rhoA=0.12)
    scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
    scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
    scene.mass.marker = fx.PointMass(at="actuator.end", m="10 g")
    scene.sensor.tip = fx.PositionSensor(at="actuator.end")
    scene.analysis.swing = fx.DynamicAnalysis(end=2.0, step=1e-3)
    scene.output = fx.Output(interval=0.1, sensor_interval=0.01)
    return scene


folder = Path(__file__).parent if "__file__" in globals() else Path("..")
file = folder / "measured_tip.csv"

# %% tags=["script"]
import sys

if "--make" in sys.argv:
    made = fx.simulate(actuator(0.0172, 2.9))["tip"]
    xy = made.position + np.random.default_rng(5).normal(0, 3e-4, made.position.shape)
    rows = np.column_stack([made.t, xy])
    np.savetxt(
        file, rows, fmt="%.5f", delimiter=",", header="t,x,y", comments="# tip of an actuator, t in s, x y in m\n"
    )
    sys.exit()

# %%
t, x, y = np.loadtxt(file, delimiter=",", skiprows=2, unpack=True)
measured = np.column_stack([x, y])  # (time, 2) [m]


def simulated(values: np.ndarray) -> np.ndarray:
    """Position of the tip at the measured times, shape (time, 2) [m]."""
    tip = fx.simulate(actuator(*values.tolist()), progress=False)["tip"]
    return np.column_stack([np.interp(t, tip.t, tip.position[:, k]) for k in range(2)])


values = first = np.array([0.02, 2.0])  # EI [N m²], mass damping [1/s]
for _ in range(6):
    here = simulated(values)
    step = 1e-4 * values
    slopes = [(simulated(values + change) - here).ravel() / change.sum() for change in np.diag(step)]
    values = values + np.linalg.lstsq(np.column_stack(slopes), (measured - here).ravel(), rcond=None)[0]
    error = np.sqrt(np.mean((measured - here) ** 2))
    print(f"rms difference {error * 1e3:6.3f} mm; next EI = {values[0]:.5f} N m², damping {values[1]:.3f} 1/s")

# %%
import matplotlib.pyplot as plt

figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
above.plot(t, measured[:, 1] * 1e3, ".", color="0.6", label="measured")
above.plot(t, simulated(first)[:, 1] * 1e3, "--", label="first guess")
above.plot(t, simulated(values)[:, 1] * 1e3, label="fitted")
above.set_ylabel("height of the tip [mm]")
above.legend()
below.plot(t, (simulated(values) - measured) * 1e3, ".", label=["x", "y"])
below.set(xlabel="t [s]", ylabel="simulated − measured [mm]")
below.legend()
below.margins(x=0)

# %% tags=["script"]
if len(sys.argv) > 1:  # python examples/compare_measurement.py figure.png
    figure.savefig(sys.argv[1])
else:
    plt.show()
