# %% [markdown]
# # Swinging a flexible pendulum up
# A thin rod with a mass at its end hangs from a motor that is far too weak to lift it. What torque over 2 s brings it
# up, and to rest there? The torque is a signal of 500 samples; the gradient of the objective by all of them comes
# from one run and one way back through it (`flexura.gradient` with weights), whatever their number.

# %%
import sys

import flexura as fx
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

quick = "--quick" in sys.argv  # few iterations
samples, duration = 500, 2.0
times = np.linspace(0, duration, samples)
paths = [f"signal.torque.points[{k}][1]" for k in range(samples)]

scene = fx.Scene(title="Flexible pendulum", gravity=[0, -9.81], mass_damping="0.05 1/s")
scene.section.rod = fx.Section(EA=3000, EI=0.3, rhoA=0.05)
scene.cable.rod = fx.Cable(section="rod", path=[[0, 0], [0, -0.5]], elements=4)
scene.joint.pin = fx.PinJoint(of=["ground", "rod.start"])
scene.mass.tip = fx.PointMass(at="rod.end", m="50 g")
scene.signal.torque = fx.PiecewiseSignal(points=[[float(t), 0.0] for t in times])
scene.load.motor = fx.MomentLoad(at="rod.start", moment=1.0, signal="torque")
scene.sensor.tip = fx.PositionSensor(at="rod.end")
scene.sensor.tip_velocity = fx.VelocitySensor(at="rod.end")
scene.analysis.swing = fx.DynamicAnalysis(end=duration, step=duration / samples / 2)

# %% [markdown]
# The objective: where the tip is at the end [m] and how fast [m/s], and a little of the effort.

# %%
goal, effort = np.array([0.0, 0.5, 0.0, 0.0]), 0.02
scale = np.array([1.0, 1.0, 0.1, 0.1])


def with_torque(torque: Numbers) -> fx.Scene:
    changed = scene.copy()
    changed.signal.torque.points = [[float(t), float(u)] for t, u in zip(times, torque, strict=True)]
    return changed


def objective(torque: Numbers) -> tuple[float, Numbers]:
    """Its value, and its slopes by all samples."""
    changed = with_torque(torque)
    seen: dict[str, float] = {}

    def felt(values: Numbers) -> Numbers:
        miss = scale * (values[-1] - goal)
        seen["miss"] = float(miss @ miss)
        return np.asarray(2 * scale * miss)

    try:
        slopes = fx.gradient(changed, of=["tip", "tip_velocity"], wrt=paths, weights=felt)
    except fx.SolverError:  # so wild that steps fail
        return np.inf, np.zeros(samples)
    assert isinstance(slopes, np.ndarray)
    return seen["miss"] + float(effort * np.mean(torque**2)), np.asarray(slopes + 2 * effort * torque / samples)


# %% [markdown]
# L-BFGS in a few lines: steps from the last ten changes of the slopes, halved until the objective falls.


# %%
def minimise(torque: Numbers, iterations: int) -> tuple[Numbers, float]:
    value, slopes = objective(torque)
    history: list[tuple[Numbers, Numbers]] = []
    for _ in range(iterations):
        step, coefficients = slopes.copy(), []
        for s, y in reversed(history):
            a = (s @ step) / (s @ y)
            coefficients.append(a)
            step -= a * y
        s, y = history[-1] if history else (slopes, slopes * np.linalg.norm(slopes) / 0.2)
        step *= (s @ y) / (y @ y)
        for (s, y), a in zip(history, reversed(coefficients), strict=True):
            step += (a - (y @ step) / (s @ y)) * s
        length = 1.0
        while length > 1e-6:
            trial = torque - length * step
            new_value, new_slopes = objective(trial)
            if new_value < value - 1e-4 * length * (step @ slopes):
                break
            length *= 0.5
        else:
            break
        if (trial - torque) @ (new_slopes - slopes) > 0:
            history = [*history, (trial - torque, new_slopes - slopes)][-10:]
        torque, value, slopes = trial, new_value, new_slopes
    return torque, value


# Nothing moves at rest, and no slope says which way: a small push at the pendulum's own pace begins.
torque = 0.05 * np.sin(2 * np.pi * 0.8 * times)
torque, value = minimise(torque, 12 if quick else 300)
print(f"objective {value:.4g}, torque at most {np.abs(torque).max():.3f} N m")
result = fx.simulate(with_torque(torque), progress=False)
print("the tip ends at", np.round(np.asarray(result["tip"].position)[-1], 3), "m")
