# %% [markdown]
# # Ten thousand actuators, on as many computers as there are
# How far does an actuator sag and swing when stiffness, damping and payload are known only within bounds? `fx.sweep`
# runs the scene for each row of a design. With the address of a Dask scheduler its workers share the runs; the table is
# the same to the last bit, also when a worker is lost on the way.

# %% tags=["script"]
import sys

# %%
import flexura as fx
import numpy as np

scene = fx.Scene(title="Actuator, let go", gravity=[0, -9.81], parameters={"payload": 0.01}, mass_damping=2.5)
scene.section.wall = fx.Section(EA=2000, EI=0.0186, rhoA=0.12)
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0.175, 0]], elements=4)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.mass.payload = fx.PointMass(at="actuator.end", m="= payload")
scene.sensor.tip = fx.PositionSensor(at="actuator.end")
scene.analysis.swing = fx.DynamicAnalysis(end=1.0, step=1e-3)
scene.output = fx.Output(interval=0.1, sensor_interval=0.01)

runs = 256  # 10 000 take as many times longer

# %% tags=["script"]
if len(sys.argv) > 1:
    runs = int(sys.argv[1])

# %% [markdown]
# A cluster on this computer stands for a real one: only the address differs.

# %%
from dask.distributed import LocalCluster

if __name__ == "__main__":  # workers are processes that read this file
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        table = fx.sweep(
            scene,
            {
                "EI": {"path": "section.wall.EI", "bounds": (0.012, 0.028), "distribution": "log"},
                "damping": {"path": "mass_damping", "bounds": ("1 1/s", "4 1/s")},
                "payload": {"bounds": ("5 g", "20 g")},
            },
            design={"type": "sobol", "runs": runs, "seed": 1},
            outputs={"lowest": {"sensor": "tip", "component": "y", "take": "min"}},
            scheduler=cluster.scheduler_address,
            progress=False,
        )
    lowest = 1e3 * table["lowest"]
    low, middle, high = np.percentile(lowest, [5, 50, 95])
    print(f"{len(table)} runs, {len(table.failed)} failed")
    print(f"the tip swings down to {middle:.1f} mm; nine runs of ten: {low:.1f} to {high:.1f} mm")
    for name in table.parameters:
        print(f"  correlation with {name:8} {np.corrcoef(table[name], lowest)[0, 1]:+.2f}")
