# %% [markdown]
# # From a scene to a learned controller
# A soft actuator learns to lift its tip to a height and hold it there, whatever its payload of 20 to 40 g and whatever gust pushes it: a
# policy is learnt by proximal policy optimisation (`ppo.py` beside this file), from rewards alone. The scene is an environment of
# gymnasium, so that any other method may learn on it (`pip install flexura[gym]`).
#
#     ground ▌════════ actuator ════════●  20 … 40 g, target at -20 mm
#                                       ↕  gust

# %%
import os
import sys
import time
from typing import Any, TypeAlias

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of matrices as small as these threads only wait for each other
import numpy as np
from numpy.typing import NDArray

import flexura as fx
from flexura.gym import FlexuraVectorEnv

# %%
sys.path.append("..")  # where a notebook runs
import ppo  # the file beside this one

Numbers: TypeAlias = NDArray[np.float64]
short = "--short" in sys.argv
target, top = -0.02, 90e3  # [m], [Pa]

scene = fx.Scene(title="Soft actuator", gravity=[0, -9.81], mass_damping="2.4 1/s")
scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.mass.payload = fx.PointMass(at="actuator.end", m="30 g")
scene.signal.pump = fx.InputSignal()
scene.signal.gust = fx.SineSignal(amplitude=0.0, frequency=1.0)
ends = ["actuator.start", "actuator.end"]
scene.load.chamber = fx.PneumaticLoad(between=ends, pressure="pump", radius="6 mm", arm="9 mm")
scene.load.gust = fx.ForceLoad(at="actuator.end", force=[0, 1], signal="gust")
scene.sensor.tip = fx.PositionSensor(at="actuator.end")
scene.sensor.speed = fx.VelocitySensor(at="actuator.end")
scene.analysis.hang = fx.StaticAnalysis()
scene.analysis.move = fx.DynamicAnalysis(end=2.0, step=2e-3)

# %% [markdown]
# ## The environment
# Every 40 ms the agent decides by how much the pressure changes, from the tip, its velocity and the pressure, now and 40 ms before; it sees neither the
# payload nor the gust, a force of up to 60 mN that swings 0.2 to 1 times a second. The reward is the error, in centimetres.

# %%
steps, period = 50, 0.04


class Holding:
    """Many actuators as the learner sees them: numbers of about 1, and changes of the pressure as actions."""

    def __init__(self, count: int) -> None:
        self.num_envs = count
        self.actuators = FlexuraVectorEnv(
            scene,
            count,
            threads=2,
            action={"pump": (0, top)},
            observation=["tip", "speed", "pump"],
            reward=f"-abs(signal(tip.y) - {target}) / 0.01",
            period=period,
            randomise={
                "mass.payload.m": (0.02, 0.04),
                "signal.gust.amplitude": (0.0, 0.06),
                "signal.gust.frequency": (0.2, 1.0),
                "signal.gust.phase": (0.0, 2 * np.pi),
            },
        )

    def reset(self, *, seed: int | None = None) -> tuple[Numbers, dict[str, Any]]:
        self.seen, told = self.actuators.reset(seed=seed)
        self.before = self.now()
        return self.known(), told

    def step(self, actions: Numbers) -> tuple[Numbers, Any, Any, Any, dict[str, Any]]:
        pressure = 2 * self.seen[:, -1:] / top - 1  # as the environment takes it
        wanted = pressure + 0.3 * np.clip(actions, -1, 1)
        given = np.asarray(np.clip(wanted, -1, 1), dtype=np.float32)
        self.before = self.now()
        self.seen, rewards, terminated, truncated, told = self.actuators.step(given)
        return self.known(), rewards, terminated, truncated, told

    def known(self) -> Numbers:
        return np.hstack([self.now(), self.before])

    def now(self) -> Numbers:
        x, y, vx, vy, p = self.seen.T
        return np.column_stack([(target - y) / 0.02, x / 0.175 - 0.9, vx / 0.1, vy / 0.3, 2 * p / top - 1])


def hold(env: Holding, act: Any, seed: int) -> tuple[Numbers, Numbers]:
    """Sum of rewards of each actuator, and the mean error of its tip in the second half of its episode [m]."""
    known, _ = env.reset(seed=seed)
    total, late = np.zeros(env.num_envs), np.zeros(env.num_envs)
    for k in range(steps):
        known, rewards, *_ = env.step(act(known))
        total += rewards
        late += np.abs(env.seen[:, 1] - target) * (k >= steps // 2) / (steps - steps // 2)
    return total, late


# %% [markdown]
# ## What it is measured against
# Nothing done at all; the constant pressure that is best; and PI and PID controllers with the best gains of a grid, each tried on the same kind of
# episodes: a pair or triple of gains for each actuator.


# %%
class PID:
    """Change of the pressure by the error's change, the error and the tip's acceleration, (env, 3) gains, in the learner's numbers."""

    def __init__(self, gains: Numbers) -> None:
        self.gains = np.atleast_2d(gains)
        self.before: Numbers | None = None

    def __call__(self, known: Numbers) -> Numbers:
        now = np.column_stack([known[:, 0], np.zeros(len(known)), -known[:, 3]])
        change = now - (now if self.before is None else self.before)
        self.before = now
        change[:, 1] = known[:, 0]
        moves: Numbers = np.sum(self.gains * change, axis=1, keepdims=True) / 0.3
        return moves


def constant(pressure: Any) -> Any:
    return lambda known: (pressure - known[:, 4:5]) / 0.3


def best_of(env: Holding, candidates: Numbers, controller: Any, tries: int) -> Numbers:
    """The candidate, a row for each actuator, with the greatest mean sum of rewards."""
    total = sum(hold(env, controller(candidates), seed=10**5 + 1000 * k)[0] for k in range(tries))
    best: Numbers = candidates[np.argmax(total)]
    return best


env = Holding(8 if short else 64)
tries = 1 if short else 8
proportional, integral, derivative = np.linspace(-0.1, 0.6, 8), np.geomspace(0.01, 0.3, 8), np.zeros(1)
grids = {"PI": [proportional, integral, derivative], "PID": [proportional[::2], integral[1::2], np.linspace(0, 0.3, 4)]}
gains = {}
for name, axes in grids.items():
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    gains[name] = best_of(env, points[: env.num_envs], PID, tries)
    print(
        f"{name}: {gains[name][0]:.2f} of the error's change, {gains[name][1]:.3f} of the error, {gains[name][2]:.2f} of the acceleration"
    )
still = best_of(env, np.linspace(-0.6, 0.8, env.num_envs)[:, None], constant, tries)
print(f"constant: {0.5 * (still[0] + 1) * top / 1e3:.0f} kPa")

# %% [markdown]
# ## Learning

# %%
rounds = 2 if short else 300
learner = ppo.Learner(10, 1, seed=0)
first = hold(env, learner.act, seed=10**6)[0]
begin = time.process_time()
history = ppo.learn(env, learner, steps=steps, rounds=rounds, seed=1000)
seconds = time.process_time() - begin
print(f"{rounds * steps * env.num_envs} steps of the environment, learning included: {seconds:.0f} s of the processor")

# %% [markdown]
# ## What it has learnt
# On payloads and gusts that nobody has seen before, the same for all.

# %%
controllers = {"nothing": constant(-1.0), "constant": constant(still)}
controllers |= {name: PID(of) for name, of in gains.items()} | {"learnt": learner.act}
print(f"sum of rewards of the first policy {first.mean():.1f}")
for name, controller in controllers.items():
    total, late = hold(env, controller, seed=10**6)
    print(
        f"{name:9} sum of rewards {total.mean():6.1f}, tip within {1e3 * late.mean():5.2f} mm in the second half, "
        f"the worst of {env.num_envs} {1e3 * late.max():5.2f} mm"
    )

# %%
import matplotlib.pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5), layout="constrained")
left.plot(history)
left.set(xlabel="round", ylabel="sum of rewards", title="learning")
for name in ("PI", "learnt"):
    controller = PID(gains["PI"]) if name == "PI" else learner.act
    known = env.reset(seed=10**6)[0]
    heights = [env.seen[:6, 1].copy()]
    for _ in range(steps):
        known = env.step(controller(known))[0]
        heights.append(env.seen[:6, 1].copy())
    lines = right.plot(
        period * np.arange(steps + 1), 1e3 * np.array(heights), color="C0" if name == "PI" else "C1", lw=1
    )
    lines[0].set_label(name)
right.axhline(1e3 * target, color="gray", lw=0.8)
right.set(xlabel="t [s]", ylabel="height of the tip [mm]", title="six actuators of each")
right.legend()

# %% tags=["script"]
arguments = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
if arguments:  # python examples/learn_to_hold.py figure.png
    figure.savefig(arguments[0])
elif not short:
    plt.show()
