# %% [markdown]
# # A first actuator
# A silicone tube with an air chamber below its middle, clamped at one end, with a payload at the other. It hangs under
# its weight; then the chamber is filled within a second and lifts the payload.
#
#     ground ▌════════ actuator ════════●  payload 30 g

# %%
import flexura as fx

scene = fx.Scene(title="Soft actuator", gravity=[0, -9.81], mass_damping="2.4 1/s")
scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.mass.payload = fx.PointMass(at="actuator.end", m="30 g")
scene.signal.pump = fx.SmoothStepSignal(to="60 kPa", duration="1 s")
ends = ["actuator.start", "actuator.end"]
scene.load.chamber = fx.PneumaticLoad(between=ends, pressure="pump", radius="6 mm", arm="9 mm")
scene.sensor.tip = fx.PositionSensor(at="actuator.end")
scene.analysis.hang = fx.StaticAnalysis()
scene.analysis.lift = fx.DynamicAnalysis(end=2.0, step=1e-3)
result = fx.simulate(scene)
tip = result["tip"].position  # (time, 2) [m]
result.plot("tip")

# %% [markdown]
# `tip` is a NumPy array, a row per recorded time. The scene is a TOML text with the same names, which the program
# `flexura` runs too:

# %%
print(f"the tip goes from {tip[0] * 1e3} to {tip[-1] * 1e3} mm")
print(scene.to_toml())

# %% tags=["script"]
import sys

import matplotlib.pyplot as plt

if len(sys.argv) > 1:  # python examples/soft_actuator.py figure.png
    plt.savefig(sys.argv[1])
else:
    plt.show()
