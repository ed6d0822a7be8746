"""identify and invert: numbers of a scene from records and for a wish."""

import json
import os
import shutil
import signal
import time

import pytest
from conftest import BAD_INPUT, PROGRAM, ROOT, UNSUCCESSFUL

pytestmark = pytest.mark.skipif(
    not PROGRAM.with_name("flexura-study").exists(), reason="flexura-study is not built here"
)

STUDIES = ROOT / "docs/studies"


@pytest.fixture
def arm(flexura):
    for name in ("arm.toml", "arm_record.csv", "identify_arm.toml"):
        shutil.copy(STUDIES / name, flexura.folder)
    return flexura


def test_an_arm_richer_than_its_model(arm):
    """The numbers of docs/identify.md."""
    done = arm("identify", "identify_arm.toml", "--json", "-q")
    result = json.loads(done.stdout)
    found = result["parameters"]
    assert result["converged"]
    assert found["EI"]["value"] == pytest.approx(0.01806, abs=2e-5)
    assert found["payload"]["value"] == pytest.approx(0.0113, abs=1e-4)
    assert found["move.shift"]["value"] == pytest.approx(-0.1013, abs=2e-4)
    assert len(result["correlation"]) == 4
    assert [r["missing"] for r in result["records"]] == [8, 0]
    assert any("residuals follow each other" in w for w in result["warnings"])
    page = (arm.folder / "identify_arm/report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    rows = (arm.folder / "identify_arm/move.y.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "t [s],measured [m],model [m],residual [m],band [m]"
    assert len(rows) == 1 + result["records"][1]["samples"]
    assert "holds a study already" in arm("identify", "identify_arm.toml", status=BAD_INPUT).stderr
    again = json.loads(arm("identify", "identify_arm.toml", "--json", "-q", "--resume").stdout)
    assert again["runs"] == 0
    assert again["parameters"] == found


def test_kill_and_resume(arm):
    whole = json.loads(arm("identify", "identify_arm.toml", "--json", "-q", "-o", "whole").stdout)
    log = arm.folder / "killed/evaluations.jsonl"
    process = arm.start("identify", "identify_arm.toml", "-q", "-o", "killed")
    while not (log.exists() and log.stat().st_size > 100_000) and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    resumed = json.loads(arm("identify", "identify_arm.toml", "--json", "-q", "-o", "killed", "--resume").stdout)
    assert resumed["recalled"] > 0
    assert resumed["runs"] + resumed["recalled"] == whole["runs"]
    assert resumed["parameters"] == whole["parameters"]
    assert resumed["correlation"] == whole["correlation"]


def test_problems_of_study_scene_and_record_come_at_once(arm):
    text = (arm.folder / "identify_arm.toml").read_text(encoding="utf-8")
    text = text.replace('"section.wall.EI"', '"section.wal.EI"').replace('column    = "tip y"', 'column    = "tip yy"')
    arm.write("bad.toml", text.replace('low   = "0 g"', 'low   = "1 m"'))
    stderr = arm("identify", "bad.toml", status=BAD_INPUT).stderr
    for expected in ('nearest: "wall"', 'has no column "tip yy"', 'nearest: "tip y"', "bad.toml:"):
        assert expected in stderr


def test_invert_finds_the_stiffness_of_a_bend(arm):
    study = """scene = "arm.toml"
set = { "load.chamber.pressure" = "15 kPa" }
[parameter.stiffness]
path = "section.wall.EI"
low = 0.001
high = 1
scale = "log"
[target.aside]
sensor = "tip"
component = "x"
value = "25 mm"
tolerance = "0.01 mm"
"""
    arm.write("bend.toml", study)
    found = json.loads(arm("invert", "bend.toml", "--json").stdout)
    assert found["reached"]
    assert found["settings"][0].startswith("section.wall.EI=")
    assert found["targets"][0]["reached"][0] == pytest.approx(0.025, abs=1e-5)
    first = json.loads(arm("invert", "bend.toml", "--json", "--log", "bend.jsonl").stdout)
    with open(arm.folder / "bend.jsonl", "r+b") as log:  # as a kill leaves it
        log.truncate(log.seek(0, 2) - 7)
    again = json.loads(arm("invert", "bend.toml", "--json", "--log", "bend.jsonl").stdout)
    assert first["recalled"] == 0 and again["runs"] == 1 and again["recalled"] == first["runs"] - 1
    assert again["parameters"] == first["parameters"] == found["parameters"]
    arm.write("far.toml", study.replace("25 mm", "1 m"))
    assert not json.loads(arm("invert", "far.toml", "--json", status=UNSUCCESSFUL).stdout)["reached"]
