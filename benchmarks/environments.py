"""Steps a second of environments: one by itself, and vectors, one by one and in lanes, on one thread and on two.

    python benchmarks/environments.py [COUNT]

An actuator of four elements, 20 steps of 1 ms for each random action of up to 60 kPa. Times are of the processor, least of several, all threads
together, and of the wall clock: on a machine that does nothing else they agree for one thread.
"""

import sys
import time

import numpy as np

import flexura as fx
from flexura.gym import FlexuraEnv, FlexuraVectorEnv

count = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
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
scene.analysis.move = fx.DynamicAnalysis(end=2.0, step=1e-3)
task = {
    "action": {"pump": ("0 kPa", "60 kPa")},
    "observation": ["tip", "speed", "pump"],
    "reward": "-abs(signal(tip.y) + 0.02)",
    "period": "20 ms",
}
rng = np.random.default_rng(0)


def least(work, repeats=5):
    """Least processor and wall times [s]."""
    times = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(cpu for cpu, _ in times), min(wall for _, wall in times)


def tell(name, steps, cpu, wall):
    print(f"{name:42} {steps / cpu:9.0f} steps a second of the processor, {steps / wall:9.0f} of the clock")


simulation = fx.Simulation(scene)
simulation.step()
start = simulation.save()


def alone():
    simulation.restore(start)
    simulation.run_until(1.99)


tell("the engine alone, without new actions", 100, *least(alone))

env = FlexuraEnv(scene, **task)
actions = rng.uniform(-1, 1, (100, 1)).astype(np.float32)


def single():
    env.reset(seed=0)
    for action in actions:
        env.step(action)


tell("FlexuraEnv", 100, *least(single))

for lanes, threads in [(False, 1), (True, 1), (False, 2), (True, 2)]:
    begin = time.process_time()
    vector = FlexuraVectorEnv(scene, count, threads=threads, lanes=lanes, **task)
    vector.reset(seed=0)
    made = time.process_time() - begin
    many = rng.uniform(-1, 1, (20, count, 1)).astype(np.float32)

    def steps():
        vector.reset(seed=0)
        for action in many:
            vector.step(action)

    name = f"{count} {'in lanes' if lanes else 'one by one'}, {threads} thread{'s' * (threads > 1)}"
    tell(name, 20 * count, *least(steps, 3))
    print(f"{'':42} made and reset in {made:.2f} s")
    vector.close()

varied = FlexuraVectorEnv(scene, count, threads=1, randomise={"mass.payload.m": (0.02, 0.04)}, **task)
begin = time.process_time()
varied.reset(seed=0)
seeds = iter(range(1, 9))
cpu, _ = least(lambda: varied.reset(seed=count * next(seeds)), 2)
print(f"a reset with another payload takes {1e3 * cpu / count:.2f} ms of an environment")
