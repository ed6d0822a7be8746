# %% [markdown]
# # A parameter study
# How far does a horizontal actuator with a payload bend, for which pressure and which stiffness of its wall? Each point
# is the equilibrium of a copy of the scene with other values.

# %%
import flexura as fx
import numpy as np

scene = fx.Scene(title="Actuator with payload", gravity=[0, -9.81], parameters={"p": 0.0, "EI": 0.0186})
scene.section.wall = fx.Section(EA=2000, EI="= EI", rhoA=0.12)
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=20)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.mass.payload = fx.PointMass(at="actuator.end", m="30 g")
scene.load.chamber = fx.PneumaticLoad(
    between=["actuator.start", "actuator.end"], pressure="= p", radius="6 mm", arm="9 mm"
)
scene.analysis.hang = fx.StaticAnalysis()

pressures = np.linspace(0, 120e3, 25)  # Pa
stiffnesses = np.array([0.012, 0.0186, 0.028])  # N m^2


def shape_of(p: float, EI: float) -> np.ndarray:
    """Nodes of the actuator in equilibrium, shape (node, 2) [m]."""
    varied = scene.copy()
    varied.parameters.p = p
    varied.parameters.EI = EI
    return np.asarray(fx.solve_static(varied, progress=False).states().nodes("actuator")[-1])


shapes = np.array([[shape_of(p, EI) for p in pressures] for EI in stiffnesses])  # (stiffness, pressure, node, 2)
heights = shapes[:, :, -1, 1]
for EI, height in zip(stiffnesses, heights, strict=True):
    level = np.interp(0.0, height, pressures) / 1e3
    print(f"EI = {EI:.4f} N m²: the payload is level with the clamp at {level:.1f} kPa")

# %% [markdown]
# The pressure that lifts the payload to the height of the clamp hardly depends on the stiffness: there the moment of the
# pressure balances that of the weights.

# %%
import matplotlib.pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for EI, height in zip(stiffnesses, heights, strict=True):
    left.plot(pressures / 1e3, height * 1e3, label=f"EI = {EI:g} N m²")
left.axhline(0, color="0.7", linewidth=1)
left.set(xlabel="pressure [kPa]", ylabel="height of the tip [mm]")
left.legend()
colors = plt.cm.viridis(np.linspace(0, 0.9, len(pressures)))
for p, nodes, color in zip(pressures[::4], shapes[0, ::4] * 1e3, colors[::4], strict=True):
    right.plot(*nodes.T, color=color, label=f"{p / 1e3:.0f} kPa")
right.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
right.legend(loc="upper left", title=f"EI = {stiffnesses[0]:g} N m²")

# %% tags=["script"]
import sys

if len(sys.argv) > 1:  # python examples/parameter_study.py figure.png
    figure.savefig(sys.argv[1])
else:
    plt.show()
