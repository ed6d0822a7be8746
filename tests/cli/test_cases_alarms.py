"""Alarms that must not sound: inputs of tests/cases/statics and their relatives, and those that must."""

import itertools

import pytest
from conftest import ROOT

CASES = ROOT / "tests/cases/statics"
ALARMS = ("snapped", "do not trust", "redundant", "may be off")


def alarms(summary) -> list[str]:
    return [w for w in summary["warnings"] if any(alarm in w for alarm in ALARMS)]


def case(flexura, name: str, *changes: tuple[str, str]):
    text = (CASES / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    flexura.write("scene.toml", text)
    return flexura.summary("scene.toml", "-o", "out", "--force")


@pytest.mark.parametrize("step", ["", "load_step = 0.05\n", "arc_length = true\n"])
def test_a_released_load_gives_back_its_work(flexura, step):
    """A cantilever bends back along one path. The work is an integral of fourth order over five load steps."""
    summary = case(flexura, "warn_released_load", ('name = "back"\n', f'name = "back"\n{step}'))
    assert alarms(summary) == []
    pull, back = summary["statics"]
    assert back["work"] == pytest.approx(-pull["work"], rel=1e-3)
    assert abs(back["open"]) < 1e-3 * pull["work"]
    assert back["stored"] == pytest.approx(-pull["stored"], rel=1e-9)


def test_a_new_spring_takes_part_of_a_load(flexura):
    """P/(k + 3 EI/L³): P/60, 100/60/160 and 2 P/160; the bar shortens by 1e-4 of its length."""
    summary = case(flexura, "warn_new_spring")
    assert alarms(summary) == []
    for path in summary["statics"]:
        assert abs(path["open"]) < 1e-3 * abs(path["stored"])
    assert summary["sensors"]["tip"]["last"][1] == pytest.approx(-2 / 160, rel=1e-3)


CHANGES = {
    "a mass hung on": ("[load.f]\ntype = \"force\"\nat = \"c.end\"\nforce = [0, 1]\nuntil = \"pull\"", "[mass.m]\nat = \"c.end\"\nm = 0.1\nfrom = \"back\""),
    "a moment let go": ("type = \"force\"\nat = \"c.end\"\nforce = [0, 1]", "type = \"moment\"\nat = \"c.end\"\nmoment = 2.0"),
    "a spring let go": ("[load.f]\ntype = \"force\"\nat = \"c.end\"\nforce = [0, 1]", "[spring.f]\ntype = \"linear\"\nbetween = [[1, 1], \"c.end\"]\nstiffness = 10\nfree_length = 0.5"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("gravity", ["", "gravity = [0, -9.81]\n"])
def test_what_comes_or_goes_does_work(flexura, name, gravity):
    """Of one path of equilibria nothing is lost but the error of the integral over load steps; `pull` may begin out of balance."""
    summary = case(flexura, "warn_released_load", CHANGES[name], ("[section.s]", f"{gravity}[section.s]"))
    assert alarms(summary) == []
    assert summary["status"] == "finished"
    back = summary["statics"][-1]
    scale = max(abs(back["work"]), abs(back["work_of_weight"]), abs(back["stored"]))
    assert abs(back["open"]) <= 2e-3 * scale


ENDS = {
    "statics": '[[analysis]]\nname = "f"\ntype = "static"\n',
    "motion from rest": '[[analysis]]\nname = "f"\ntype = "static"\n[[analysis]]\nname = "g"\ntype = "dynamic"\n'
    "end = 0.05\nstep = 0.001\n",
    "motion": '[[analysis]]\nname = "g"\ntype = "dynamic"\nend = 0.05\nstep = 0.001\n',
}
LOADS = {
    "none": "",
    "on a held face": '[load.q]\ntype = "pressure"\non = "s.bottom"\npressure = {p}\n',
    "between held faces": '[joint.h]\ntype = "weld"\nof = ["ground", "s.top"]\n[load.q]\ntype = "pressure"\n'
    'on = "s.top"\npressure = {p}\n',
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("load", LOADS)
def test_nothing_moves(flexura, load, end):
    """Cubes of 1 mm, 1 m and 50 m, of 1 kPa to 200 GPa, on which nothing or a balanced pressure acts: all energies are rounding."""
    alarmed = []
    for size, modulus in itertools.product([1e-3, 1.0, 50.0], [1e3, 1e6, 2e11]):
        text = (CASES / "false_snap.toml").read_text(encoding="utf-8").split("[load.p]")[0]
        text = text.replace("E = 1e6", f"E = {modulus}").replace("[1,1,1]", f"[{size}, {size}, {size}]")
        flexura.write("scene.toml", text + LOADS[load].format(p=1e-4 * modulus) + ENDS[end])
        summary = flexura.summary("scene.toml", "-o", "out", "--force")
        alarmed += [(size, modulus, text) for text in alarms(summary)]
    assert alarmed == []


def test_a_face_under_pressure(flexura):
    assert alarms(case(flexura, "false_snap")) == []


def test_a_stretched_cube_does_not_turn(flexura):
    """Seen from a corner stretching looks like turning, by 0.19 rad a step: the energy that is lost is none of a rotation."""
    text = (CASES / "false_snap.toml").read_text(encoding="utf-8").split("[load.p]")[0].replace("E = 1e6", "E = 1e8")
    text += '[load.p]\ntype = "pressure"\non = "s.top"\npressure = -3e7\n'
    flexura.write("scene.toml", text + ENDS["motion"].replace("0.05", "0.026").replace("0.001", "0.002"))
    said = alarms(flexura.summary("scene.toml", "-o", "out", "--force"))
    assert said != [] and not any("turned by" in text for text in said)


def test_a_motion_of_micrometres_is_still_watched(flexura):
    """A cantilever of 1 mm whose periods are far below the step loses its energy: the scale is the model's, not a joule."""
    text = (CASES / "warn_released_load.toml").read_text(encoding="utf-8").split("[joint.clamp]")[0]
    text = text.replace("EA = 1e5", "EA = 1e-2").replace("EI = 2", "EI = 1e-11").replace("rhoA = 1", "rhoA = 1e-5")
    text = text.replace("[1, 0]", "[1e-3, 0]").replace("[section.s]", "gravity = [0, -9.81]\n[section.s]", 1)
    text += '[joint.clamp]\ntype = "weld"\nof = ["ground", "c.start"]\n' + ENDS["motion"]
    flexura.write("scene.toml", text)
    summary = flexura.summary("scene.toml", "-o", "out", "--force")
    assert any("took out" in w for w in summary["warnings"])
