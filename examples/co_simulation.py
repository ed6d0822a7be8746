"""A soft actuator as an FMU, and a controller that sees nothing but the FMU.

    pressure ──▶ [ actuator.fmu ] ──▶ height of the tip
        ▲                                  │
        └────────── controller ◀───────────┘       every 5 ms

Both chambers are inputs, the lower one keeps its pressure; an integral controller brings the tip to 45 mm below the
clamp. It needs FMPy (pip install fmpy).
"""

import tempfile
from pathlib import Path

import fmpy  # type: ignore[import-untyped]
from fmpy.fmi3 import FMU3Slave  # type: ignore[import-untyped]

import flexura as fx

WANTED, EVERY, END = -0.045, 5e-3, 5.0  # m, s, s
scene = Path(__file__).with_name("soft_actuator.toml")
folder = tempfile.TemporaryDirectory()
file = Path(folder.name) / "actuator.fmu"
fx.export_fmu(scene, file, fmi=3, inputs=["upper", "lower"], outputs=["tip"])

model = fmpy.read_model_description(str(file))
variables = {v.name: v.valueReference for v in model.modelVariables}
actuator = FMU3Slave(
    guid=model.instantiationToken,
    unzipDirectory=fmpy.extract(str(file), folder.name),
    modelIdentifier=model.coSimulation.modelIdentifier,
    instanceName="actuator",
)
actuator.instantiate()
actuator.enterInitializationMode(startTime=0.0)
actuator.exitInitializationMode()

pressure = 15e3
for k in range(round(END / EVERY)):
    (height,) = actuator.getFloat64([variables["tip.y"]])
    pressure = min(max(pressure - 1.5e6 * (WANTED - height) * EVERY, 0.0), 40e3)  # above the middle: it bends down
    actuator.setFloat64([variables["upper"]], [pressure])
    actuator.doStep(currentCommunicationPoint=k * EVERY, communicationStepSize=EVERY)
(height,) = actuator.getFloat64([variables["tip.y"]])
actuator.terminate()
actuator.freeInstance()
print(f"the tip is at {1e3 * height:.2f} mm, with {1e-3 * pressure:.2f} kPa")
