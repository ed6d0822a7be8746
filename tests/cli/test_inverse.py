"""inverse-statics, inverse-dynamics and workspace: the studies of examples/studies."""

import csv
import json
import math
import signal

import pytest
from conftest import BAD_INPUT, INTERRUPTED, PROGRAM, ROOT, UNSUCCESSFUL

pytestmark = pytest.mark.skipif(
    not PROGRAM.with_name("flexura-study").exists(), reason="flexura-study is not built here"
)

STUDIES = ROOT / "examples/studies"


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_circle_is_reached_and_replayed(flexura):
    """Each point again by a static analysis of the scene itself, with the inputs of the table."""
    said = json.loads(flexura("inverse-statics", STUDIES / "inverse_statics.toml", "--json", "-q").stdout)
    assert said["reached"]
    table = rows(flexura.folder / "inverse_statics/table.csv")
    assert len(table) == 9
    for row in table[::4]:
        words = [f"signal.{name}.value={row[f'{name} [Pa]']}" for name in ("shoulder", "wrist")]
        words.append("analysis.move.end=0.01")
        scene = ROOT / "examples/two_chamber_arm.toml"
        run = flexura.summary(scene, "--force", *[word for w in words for word in ("--set", w)])
        tip = run["sensors"]["tip"]["last"]  # it stays at rest
        wanted = float(row["tip.x wanted [m]"]), float(row["tip.y wanted [m]"])
        assert math.dist(tip, wanted) < 1e-5
    assert "<svg" in (flexura.folder / "inverse_statics/report.html").read_text(encoding="utf-8")
    stderr = flexura("inverse-statics", STUDIES / "inverse_statics.toml", status=BAD_INPUT).stderr
    assert "holds a study already" in stderr


def test_a_point_out_of_reach_has_a_distance(flexura):
    study = (STUDIES / "inverse_statics.toml").read_text(encoding="utf-8")
    study = study[: study.index("points")].replace('"../', f'"{ROOT}/examples/')
    flexura.write("far.toml", study + 'point = ["0 mm", "-300 mm"]\n')
    done = flexura("inverse-statics", "far.toml", "--json", "-q", status=UNSUCCESSFUL)
    target = json.loads(done.stdout)["targets"]["tip"]
    # The arm hangs down 200 mm and a little.
    assert target["distance"][0] == pytest.approx(0.1, abs=1e-3)


def test_an_eight_is_drawn_to_a_millimetre(flexura):
    """Must-show of the project: replayed by flexura run with the table of inputs, at every sample of the sensor."""
    said = json.loads(flexura("inverse-dynamics", STUDIES / "follow_eight.toml", "--json", "-q").stdout)
    tip = said["targets"]["tip"]
    assert said["followed"]
    assert tip["largest"] < 0.5e-3  # 0.31 mm
    assert tip["first_rms"] > 1.5e-3  # 1.9 mm with the inputs of rest
    table = flexura.folder / "follow_eight/inputs.csv"
    words = []
    for column, name in enumerate(("shoulder", "wrist"), start=2):
        words += ["--set", f'signal.{name}={{type="table", file="{table}", value={column}}}']
    flexura("run", ROOT / "examples/two_chamber_arm.toml", "-o", "replay", "-q", *words)
    wanted = {round(t, 6): xy for t, xy in zip(said["t"], tip["wanted"], strict=True)}
    compared = 0
    for row in rows(flexura.folder / "replay/tip.csv"):
        t = round(float(row["t [s]"]), 6)
        if t in wanted:
            compared += 1
            assert math.dist((float(row["position.x [m]"]), float(row["position.y [m]"])), wanted[t]) < 0.5e-3
    assert compared >= 100


def test_an_interrupted_search_keeps_its_best(flexura):
    with flexura.start("inverse-dynamics", STUDIES / "follow_eight.toml", "--json") as process:
        assert process.stderr.readline().startswith("run 1: ")
        process.send_signal(signal.SIGINT)
        said, stderr = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert "interrupted: the best inputs so far are kept" in stderr
    report = json.loads(said)
    assert report["message"] == "interrupted"
    assert len(rows(flexura.folder / "follow_eight/inputs.csv")) == 31
    assert len(rows(flexura.folder / "follow_eight/path.csv")) == len(report["t"])
    assert "go on with: flexura inverse-dynamics" in stderr
    gone_on = flexura("inverse-dynamics", STUDIES / "follow_eight.toml", "--json", "-q", "--resume")
    assert json.loads(gone_on.stdout)["followed"]


def test_a_workspace_and_its_page(flexura):
    said = json.loads(flexura("workspace", STUDIES / "workspace.toml", "--json", "-q").stdout)
    assert said["found"] == said["samples"] == 128
    assert said["targets"]["aside"]["status"] == "reached"
    assert said["targets"]["above"]["distance"] > 0.1
    boundary = rows(flexura.folder / "workspace/boundary.csv")
    assert len(boundary) == said["boundary"] > 50
    for row in boundary:  # of such a point one input is at a bound, or J is singular
        at_bound = any(abs(abs(float(row[f"{name} [Pa]"])) - 1e5) < 1 for name in ("shoulder", "wrist"))
        assert at_bound or float(row["condition"] or "inf") > 100
    assert (flexura.folder / "workspace/index.html").read_text(encoding="utf-8").count("<svg") == 2


@pytest.mark.parametrize(
    ("command", "study", "tables"),
    [
        ("inverse-statics", "inverse_statics", ("table.csv",)),
        ("inverse-dynamics", "follow_eight", ("inputs.csv", "path.csv")),
        ("workspace", "workspace", ("table.csv", "boundary.csv", "targets.csv")),
    ],
)
def test_a_study_that_was_killed_goes_on_to_the_same_bytes(flexura, command, study, tables):
    """Its log is cut anywhere, as kill -9 leaves it."""
    name = f"{command.replace('-', '_')}.json"
    flexura(command, STUDIES / f"{study}.toml", "-q", "-o", "whole")
    whole = (flexura.folder / "whole/evaluations.jsonl").read_bytes()
    for share in (0, 0.1, 0.5, 0.9, 1):
        folder = flexura.folder / f"cut_{share}"
        folder.mkdir()
        (folder / "evaluations.jsonl").write_bytes(whole[: int(share * len(whole))])
        flexura(command, STUDIES / f"{study}.toml", "-q", "-o", folder.name, "--resume")
        for file in (name, *tables):
            assert (folder / file).read_bytes() == (flexura.folder / "whole" / file).read_bytes(), (share, file)
        lines = (folder / "evaluations.jsonl").read_bytes().splitlines()
        assert sorted(lines) == sorted(whole.splitlines())


def test_the_log_of_another_study_is_not_gone_on_with(flexura):
    study = STUDIES / "inverse_statics.toml"
    flexura("inverse-statics", study, "-q")
    table = (flexura.folder / "inverse_statics/table.csv").read_bytes()
    words = ("inverse-statics", study, "--set", "section.wall.EI=1e-3")
    stderr = flexura(*words, "--resume", status=BAD_INPUT).stderr
    assert "the folder holds another study" in stderr
    assert (flexura.folder / "inverse_statics/table.csv").read_bytes() == table
    assert "--force" in flexura(*words, status=BAD_INPUT).stderr
    (flexura.folder / "inverse_statics/evaluations.jsonl").unlink()
    assert "holds a study already" in flexura(*words, status=BAD_INPUT).stderr  # its results
    assert (flexura.folder / "inverse_statics/table.csv").read_bytes() == table


def test_wrong_studies_are_told_whole(flexura):
    study = (STUDIES / "workspace.toml").read_text(encoding="utf-8").replace('"../', f'"{ROOT}/examples/')
    study = study.replace("[input.wrist]", "[input.wirst]").replace('at = "arm.end"', 'at = "arm.ennd"')
    flexura.write("bad.toml", study.replace('"100 kPa"', '"100 mm"', 1))
    stderr = flexura("workspace", "bad.toml", status=BAD_INPUT).stderr
    for expected in ('nearest: "wrist"', "bad.toml:26:", "place.at", '"100 mm" has the wrong dimension'):
        assert expected in stderr
