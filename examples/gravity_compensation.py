# %% [markdown]
# # An arm that floats
#
# Motors that put out just what gravity asks for hold an arm wherever it is. What that is at a pose tells inverse dynamics: the
# joints are prescribed, and what their drives do is read.

# %%
from pathlib import Path

import flexura as fx

folder = Path(__file__).parent if "__file__" in globals() else Path.cwd()
joints = [f"joint_{k}" for k in range(1, 7)]
pose = {"joint_1": 0.4, "joint_2": 0.5, "joint_3": 0.3, "joint_4": -0.2, "joint_5": 0.7, "joint_6": 0.1}


def arm(changes: dict[str, float] | None = None) -> fx.Scene:
    """The arm at the pose."""
    scene = fx.Scene(title="Gravity compensation", space="spatial", gravity=[0, 0, -9.81])
    scene.use.arm = fx.Use(urdf=folder / "six_axis_arm.urdf", joints=pose, limits="none", set=changes)
    return scene


# %%
held = arm({f"joint.{name}.angle": pose[name] for name in joints})
for name in joints:
    held.sensor[name] = fx.DriveTorqueSensor(of=f"arm.{name}")
held.analysis.hold = fx.InverseDynamicsAnalysis(end=0.01, step=0.01)
result = fx.simulate(held)
torques = {name: float(result[name].drive_torque[-1]) for name in joints}
print({name: round(torque, 3) for name, torque in torques.items()})

# %% [markdown]
# With motors of these torques nothing moves, though nothing is prescribed any more.

# %%
free = arm()
for name in joints:
    free.load[name] = fx.MotorLoad(at=f"arm.{name}", effort=torques[name])
free.sensor.tool = fx.PositionSensor(at="arm.tool0")
free.analysis.float = fx.DynamicAnalysis(end=1.0, step=1e-3)
tool = fx.simulate(free)["tool"].position
drift = abs(tool - tool[0]).max()
print(f"drift of the tool in 1 s: {drift:.1e} m")
assert drift < 1e-9
