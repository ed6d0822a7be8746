# %% [markdown]
# # Comparison with a measurement
# A camera has followed the tip of an actuator that was let go from the horizontal. Which stiffness and which damping
# does the model need to move like it, and how surely does the record say so?
#
# `measured_tip.csv` stands for the camera's record: `python examples/compare_measurement.py --make` has made it with
# EI = 0.0172 N m², a mass damping of 2.9 1/s and 0.3 mm of noise. These are the values that should come out.

# %%
from pathlib import Path

import flexura as fx


def actuator(EI: float = 0.02, mass_damping: float = 2.0) -> fx.Scene:
    """The model of the experiment, with what one would guess."""
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

import numpy as np

if "--make" in sys.argv:
    made = fx.simulate(actuator(0.0172, 2.9))["tip"]
    xy = made.position + np.random.default_rng(5).normal(0, 3e-4, made.position.shape)
    rows = np.column_stack([made.t, xy])
    np.savetxt(
        file, rows, fmt="%.5f", delimiter=",", header="t,x,y", comments="# tip of an actuator, t in s, x y in m\n"
    )
    sys.exit()

# %%
found = fx.identify(
    actuator(),
    {
        "EI": {"path": "section.wall.EI", "bounds": (0.005, 0.05), "scale": "log"},
        "damping": {"path": "mass_damping", "bounds": (0.0, 10.0)},
    },
    [{"name": "swing", "data": file, "time": "t", "time_unit": "s"}],
    {
        "x": {"sensor": "tip", "component": "x", "column": "x", "unit": "m"},
        "y": {"sensor": "tip", "component": "y", "column": "y", "unit": "m"},
    },
)
print(found)
print(f"noise of the camera: {1e3 * found.noise['swing.y']:.3f} mm; correlation {found.correlation[0, 1]:+.3f}")

# %% [markdown]
# The standard errors are those of the noise alone. They can be trusted as far as residuals look like noise, below.

# %%
import matplotlib.pyplot as plt

x, y = found.residuals["swing.x"], found.residuals["swing.y"]
guess = fx.simulate(actuator(), progress=False)["tip"]
figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
above.plot(y["t"], y["measured"] * 1e3, ".", color="0.6", label="measured")
above.plot(guess.t, guess.position[:, 1] * 1e3, "--", label="first guess")
above.plot(y["t"], y["model"] * 1e3, label="fitted")
above.fill_between(y["t"], *((y["model"] + sign * 1.96 * y["band"]) * 1e3 for sign in (-1, 1)), alpha=0.4)
above.set_ylabel("height of the tip [mm]")
above.legend()
for name, measured in {"x": x, "y": y}.items():
    below.plot(measured["t"], measured["residual"] * 1e3, ".", label=name)
below.set(xlabel="t [s]", ylabel="simulated − measured [mm]")
below.legend()
below.margins(x=0)

# %% tags=["script"]
if len(sys.argv) > 1:  # python examples/compare_measurement.py figure.png
    figure.savefig(sys.argv[1])
else:
    plt.show()
