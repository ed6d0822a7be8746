# %% [markdown]
# # Learning to hold
# A soft actuator learns to lift its tip to a height and hold it there, whatever its payload of 20 to 40 g: a policy of seven
# numbers is found by the cross-entropy method, which takes rewards alone. The scene is an environment of
# gymnasium, so that any other method may learn on it (`pip install flexura[gym]`).
#
#     ground ▌════════ actuator ════════●  20 … 40 g, target at -20 mm

# %%
import sys
import time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import flexura as fx
from flexura.gym import FlexuraVectorEnv

scene = fx.Scene(title="Soft actuator", gravity=[0, -9.81], mass_damping="2.4 1/s")
scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.mass.payload = fx.PointMass(at="actuator.end", m="30 g")
scene.signal.pump = fx.InputSignal()
ends = ["actuator.start", "actuator.end"]
scene.load.chamber = fx.PneumaticLoad(between=ends, pressure="pump", radius="6 mm", arm="9 mm")
scene.sensor.tip = fx.PositionSensor(at="actuator.end")
scene.sensor.speed = fx.VelocitySensor(at="actuator.end")
scene.analysis.hang = fx.StaticAnalysis()
scene.analysis.move = fx.DynamicAnalysis(end=2.0, step=2e-3)

# %% [markdown]
# The policy knows the tip, its velocity and the pressure, not the payload. What it decides is by how much the pressure
# changes, from the error and from what it sees.

# %%
short = "--short" in sys.argv
count, rounds, target = (24, 4, -0.02) if short else (64, 20, -0.02)
env = FlexuraVectorEnv(
    scene,
    count,
    action={"pump": ("0 kPa", "90 kPa")},
    observation=["tip", "speed", "pump"],
    reward=f"-abs(signal(tip.y) - {target}) / 0.01",
    period="40 ms",
    randomise={"mass.payload.m": (0.02, 0.04)},
)
Numbers: TypeAlias = NDArray[np.float64]
scale = np.array([0.175, 0.05, 0.3, 0.3, 9e4])  # of what is seen


def act(policies: Numbers, seen: Numbers) -> NDArray[np.float32]:
    """Actions (env, 1) of policies (env, 7): weights of error, what is seen, and 1."""
    known = np.column_stack([(target - seen[:, 1]) / 0.02, seen / scale, np.ones(len(seen))])
    pressure = 2 * seen[:, -1:] / 9e4 - 1  # as the environment takes it
    wanted = pressure + 0.3 * np.sum(policies * known, axis=1, keepdims=True)
    return np.asarray(np.clip(wanted, -1, 1), dtype=np.float32)


def episode(policies: Numbers, seed: int) -> tuple[Numbers, Numbers]:
    """Mean reward of each policy over an episode, and how far its tip is off in the last quarter [m]."""
    seen, _ = env.reset(seed=seed)
    total, late, steps = np.zeros(count), np.zeros(count), 50
    for k in range(steps):
        seen, rewards, *_ = env.step(act(policies, seen))
        total += rewards / steps
        late += np.abs(seen[:, 1] - target) * (k >= 3 * steps // 4) / (steps - 3 * steps // 4)
    return total, late


# %%
rng = np.random.default_rng(0)
mean, spread = np.zeros(7), np.ones(7)
begin, first = time.perf_counter(), None
for k in range(rounds):
    policies = mean + spread * rng.standard_normal((count, 7))
    rewards, _ = episode(policies, seed=1000 * k)
    best = policies[np.argsort(rewards)[-count // 5 :]]
    mean, spread = best.mean(axis=0), best.std(axis=0) + 0.3 * 0.85**k
    first = np.mean(rewards) if first is None else first
seconds = time.perf_counter() - begin
reward, late = episode(np.tile(mean, (count, 1)), seed=10**6)
steps = rounds * count * 50
print(f"{steps} steps of the environment in {seconds:.1f} s")
print(f"mean reward {first:.2f} of the first policies, {reward.mean():.2f} of what was learnt")
print(f"held within {1e3 * late.mean():.1f} mm on {count} payloads it has not seen")
