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
