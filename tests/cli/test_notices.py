"""What a mesh should be known for reaches whoever checks or runs the scene."""

SCENE = """
space = "spatial"

[material.rubber]
E = 1e6
rho = 1000

[plate.strip]
shape = { type = "flat", size = [1, 0.02] }
elements = [2, 1]
material = "rubber"
thickness = 0.01

[joint.clamp]
type = "weld"
of = ["ground", "strip.start"]

[[analysis]]
name = "fall"
type = "dynamic"
end = 0.01
step = 0.01
"""
NOTICE = "plate.strip.shape: Element 0 is 25 times as long as wide."


def test_check_shows_the_line_that_a_notice_is_about(flexura):
    flexura.write("strip.toml", SCENE)
    done = flexura("check", "strip.toml")
    assert done.stderr.startswith(f"strip.toml:9:9: warning: {NOTICE}\n")
    assert 'shape = { type = "flat", size = [1, 0.02] }' in done.stderr
    assert done.stdout.startswith("ok: strip.toml")


def test_run_says_it_and_keeps_it_with_the_results(flexura):
    flexura.write("strip.toml", SCENE)
    done = flexura("run", "strip.toml")
    assert f"warning: {NOTICE}\n" in done.stderr
    assert NOTICE in flexura.summary("strip.toml", "--force")["warnings"]
    assert NOTICE in (flexura.folder / "strip/report.html").read_text(encoding="utf-8")


HOOK = """
space = "spatial"
gravity = [0, 0, -9.81]
[section.wire]
shape = { type = "circle", radius = "2 mm" }
material = "steel"
[material.steel]
E = 2e11
rho = 7800
[cable.hook]
section = "wire"
path = { arc = { through = [[0, 0, 0], [0.2, 0.2, 0], [0.4, 0, 0]] } }
elements = 8
[joint.clamp]
type = "weld"
of = ["ground", "hook.start"]
[[analysis]]
name = "sag"
type = "dynamic"
end = 0.001
step = 0.001
"""
MECHANISM = "cable.hook.path: a cable has no torsion"


# Its bending knows no plane: a hook of 4 mm steel wire sagged by 0.3 m.
def test_a_curved_cable_in_space_is_told_to_be_a_beam(flexura):
    flexura.write("hook.toml", HOOK)
    told = flexura("check", "hook.toml").stderr
    assert MECHANISM in told
    assert "a [beam.NAME] keeps it" in told
    flexura.write(
        "rope.toml", HOOK.replace(HOOK.split("path = ")[1].split("\n")[0], "[[0, 0, 0], [0.1, 0, 0], [0.4, 0, 0]]")
    )
    assert not flexura("check", "rope.toml").stderr
    flexura.write("beam.toml", HOOK.replace("cable.hook", "beam.hook"))
    assert not flexura("check", "beam.toml").stderr
    flexura.write("start.toml", HOOK.replace("path = {", "path = [[0, 0, 0], [0.6, 0, 0]]\ninitial = {"))
    assert MECHANISM not in flexura("check", "start.toml", status=2).stderr
