"""What turns too far in a step ends the run with a message; what was computed is kept, and a smaller step does."""

from conftest import OK, UNSUCCESSFUL

SCENE = """
[body.rotor]
m = 2
inertia = 0.02
angular_velocity = 500

[joint.axle]
type = "revolute"
of = ["ground", "rotor"]
at = [0, 0]

[sensor.angle]
type = "angle"
of = "axle"

[[analysis]]
name = "spin"
type = "dynamic"
end = 0.21
step = {step}
integrator = "{integrator}"
"""


def test_a_rotor_beyond_the_limit_fails_and_keeps_what_there_is(flexura):
    flexura.write("rotor.toml", SCENE.format(step=0.007, integrator="generalized-alpha"))
    done = flexura("run", "rotor.toml", status=UNSUCCESSFUL)
    assert "dynamics: body 'rotor' turns by 3.5 rad a step at t = 0.007 s (h = 0.007 s)" in done.stderr
    assert "try: analysis.spin.step <= 0.0052 s" in done.stderr
    assert (flexura.folder / "rotor/results.h5").exists()
    assert "failed" in flexura("info", "rotor").stdout
    flexura.write("rotor.toml", SCENE.format(step=0.005, integrator="generalized-alpha"))
    assert flexura("run", "rotor.toml", "--force", status=OK).stderr.count("turns by") == 0


def test_a_rotor_that_is_followed_badly_is_told_of(flexura):
    flexura.write("rotor.toml", SCENE.format(step=0.001, integrator="energy-momentum"))
    summary = flexura.summary("rotor.toml")
    assert summary["status"] == "finished"
    assert len(summary["warnings"]) == 1
    assert summary["warnings"][0].startswith("body 'rotor' turns by 0.5 rad a step at t = 0.013 s (h = 0.001 s)")
    assert summary["warnings"][0].endswith("better: analysis.spin.step <= 0.00063 s")
