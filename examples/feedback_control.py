# %% [markdown]
# # A controller bends an actuator
# Two air chambers bend a tube that hangs upright, one to each side. A controller reads the angle of the tip a thousand
# times a second and sets the difference of the pressures; the target is a staircase. After 4 s somebody hangs 5 g to the
# tip, which the controller is not told.
#
#      ▀▀▀▀        u = kp e + ki ∫ e dt − kd ω, limited to ±200 kPa
#       ║
#       ║  ↺ u     e = target − angle of the tip
#       ●

# %%
import flexura as fx
import numpy as np

scene = fx.Scene(title="Pressure control of a soft actuator", gravity=[0, -9.81])
scene.section.wall = fx.Section(EA="2 kN", EI="0.0186 N m^2", rhoA="0.12 kg/m", damping_bend="10 ms")
scene.cable.actuator = fx.Cable(section="wall", path=[[0, 0], [0, -0.175]], elements=4)
scene.joint.clamp = fx.WeldJoint(of=["ground", "actuator.start"])
scene.signal.pump = fx.InputSignal(value=0)  # set between steps
scene.load.chamber = fx.PneumaticLoad(
    between=["actuator.start", "actuator.end"], pressure="pump", radius="6 mm", arm="9 mm"
)
scene.mass.weight = fx.PointMass(at="actuator.end", m="5 g", from_="4 s")
scene.sensor.bend = fx.AngleSensor(at="actuator.end")
scene.sensor.tip = fx.PositionSensor(at="actuator.end")
scene.sensor.pressure = fx.SignalSensor(of="pump")
scene.analysis.control = fx.DynamicAnalysis(end=5.0, step="0.5 ms")
scene.output = fx.Output(interval="10 ms", sensor_interval="2 ms")

# %% [markdown]
# The controller: proportional and integral action on the error, damping on the measured rate. It stops integrating
# while the pump is at its limit.

# %%
PERIOD = 1e-3  # s
LIMIT = 200e3  # Pa


class Controller:
    """Reads the angle, sets the pressure."""

    kp, ki, kd = 60e3, 1.2e6, 2e3  # Pa/rad, Pa/(rad s), Pa s/rad

    def __init__(self, start: float) -> None:
        self.start, self.last, self.integral = start, start, 0.0

    @staticmethod
    def target(t: float) -> float:
        """Staircase of the tip's angle [rad]."""
        return float(np.deg2rad([0, 30, 60, 20, 20][min(int(t), 4)]))

    def __call__(self, sim: fx.Simulation) -> None:
        angle = float(sim["bend"])
        error = self.target(sim.t) - (angle - self.start)
        rate, self.last = (angle - self.last) / PERIOD, angle
        wanted = self.kp * error + self.ki * self.integral - self.kd * rate
        if abs(wanted) < LIMIT:
            self.integral += error * PERIOD
        sim.set("pump", min(max(wanted, -LIMIT), LIMIT))


sim = fx.Simulation(scene, record=True)
controller = Controller(float(sim["bend"]))
sim.run(controller, every=PERIOD)
result = sim.finish()

bend = result["bend"]
angle = np.rad2deg(bend.values - controller.start)
target = np.rad2deg([controller.target(t) for t in bend.t])
for t in (1.99, 2.99, 4.99):
    print(f"t = {t:.2f} s: target {np.interp(t, bend.t, target):5.1f}°, angle {np.interp(t, bend.t, angle):6.2f}°")

# %%
import matplotlib.pyplot as plt

figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
above.plot(bend.t, target, "k--", label="target")
above.plot(bend.t, angle, label="tip")
above.set_ylabel("angle [°]")
above.legend()
below.plot(result["pressure"].t, result["pressure"].values / 1e3)
below.set(xlabel="t [s]", ylabel="pressure [kPa]")
below.margins(x=0)

# %% tags=["script"]
import sys

if len(sys.argv) > 1:  # python examples/feedback_control.py figure.png
    figure.savefig(sys.argv[1])
else:
    plt.show()
