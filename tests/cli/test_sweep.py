"""sweep: tables of many runs."""

import csv
import json
import re
import signal
import subprocess
import sys
import time

from conftest import BAD_INPUT, INTERRUPTED, IO_FAILURE, PROGRAM, ROOT

STUDY = ROOT / "examples/studies/bending.toml"


def rows(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_example_is_the_same_in_lanes_and_alone(flexura):
    flexura("sweep", STUDY, "-o", "lanes", "-q")
    done = flexura("sweep", STUDY, "-o", "alone", "--no-lanes", "--threads", 2, "--json", "-q")
    summary = json.loads(done.stdout)
    assert (summary["runs"], summary["finished"], summary["in_lanes"]) == (16, 16, 0)
    for name in ("table.csv", "series_path.csv", "table.parquet", "series_path.parquet"):
        assert (flexura.folder / "lanes" / name).read_bytes() == (flexura.folder / "alone" / name).read_bytes()
    table = rows(flexura.folder / "lanes/table.csv")
    assert [row["status"] for row in table] == ["finished"] * 16
    assert all(0.012 <= float(row["EI"]) <= 0.028 and 0.01 <= float(row["payload"]) <= 0.05 for row in table)
    # A softer wall hangs lower under the same payload: the order of both says so for the extremes.
    assert len({row["lowest"] for row in table}) == 16


def test_a_row_is_what_run_gives(flexura):
    flexura("sweep", STUDY, "-o", "swept", "-q")
    row = rows(flexura.folder / "swept/table.csv")[5]
    changes = [
        "cable.actuator.elements=4",
        "analysis.move.end=0.5",
        "analysis.move.step=1e-3",
        f"section.wall.EI={row['EI']}",
        f"mass.payload.m={row['payload']}",
        f"parameters.offset={row['offset']}",
    ]
    settings = [word for change in changes for word in ("--set", change)]
    summary = flexura.summary(ROOT / "examples/soft_actuator.toml", "--no-csv", "-o", "one", *settings)
    assert repr(summary["sensors"]["bend"]["last"]) == row["bend"]


def test_writes_a_page_of_what_there_is(flexura):
    flexura("sweep", STUDY, "-o", "table", "-q")
    page = (flexura.folder / "table/index.html").read_text(encoding="utf-8")
    what = json.loads(re.search(r'id="flexura-report" type="application/json">(.*?)</script>', page)[1])
    assert (what["planned"], what["known"], what["failed"], what["title"]) == (
        16,
        16,
        0,
        "Bending of the soft actuator",
    )
    assert [(c["name"], c["unit"], c["log"]) for c in what["columns"][:3]] == [
        ("EI", "N m^2", False),
        ("payload", "kg", True),
        ("offset", "m", False),
    ]
    assert what["command"]["head"].startswith("flexura run ") and what["command"]["output"] == "--output table/runs/"
    assert [column["name"] for column in what["series"][0]["columns"]] == ["path_x", "path_y"]


def test_a_sweep_that_was_stopped_has_its_page(flexura):
    text = STUDY.read_text(encoding="utf-8").replace('"../soft_actuator.toml"', f'"{ROOT}/examples/soft_actuator.toml"')
    flexura.write("long.toml", text.replace("runs = 16", "runs = 20000"))
    child = subprocess.Popen([PROGRAM, "sweep", "long.toml", "-q"], cwd=flexura.folder)
    journal = flexura.folder / "long/sweep.journal"
    for _ in range(600):
        if journal.exists() and journal.read_bytes().count(b"\n") > 3:
            break
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    assert child.wait() == INTERRUPTED
    page = (flexura.folder / "long/index.html").read_text(encoding="utf-8")
    known = int(re.search(r'"known":(\d+)', page)[1])
    assert 3 < known < 20000 and '"planned":20000' in page


def test_goes_on_after_kill_9(flexura):
    whole = flexura("sweep", STUDY, "-o", "whole", "-q")
    assert whole.stderr == ""
    words = [PROGRAM, "sweep", str(STUDY), "-o", "killed", "-q", "--no-lanes"]
    child = subprocess.Popen(words, cwd=flexura.folder)
    journal = flexura.folder / "killed/sweep.journal"
    for _ in range(600):
        if journal.exists() and journal.read_bytes().count(b"\n") > 3:
            break
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert "holds a sweep already" in flexura("sweep", STUDY, "-o", "killed", status=BAD_INPUT).stderr
    flexura("sweep", STUDY, "-o", "killed", "--resume", "-q")
    assert (flexura.folder / "killed/table.csv").read_bytes() == (flexura.folder / "whole/table.csv").read_bytes()


def test_names_every_problem_at_once(flexura):
    text = STUDY.read_text(encoding="utf-8").replace('"../soft_actuator.toml"', f'"{ROOT}/examples/soft_actuator.toml"')
    flexura.write("bad.toml", text.replace("section.wall.EI", "section.wall.IE").replace('"min"', '"least"'))
    said = flexura("sweep", "bad.toml", status=BAD_INPUT).stderr
    assert "bad.toml:21:8: error: parameter.EI.path: section.wall.IE" in said
    assert "output.lowest.take" in said


def test_refuses_a_setting_that_every_run_replaces(flexura):
    options = ["--set", "section.wall.EI = 0.02", "--set", "mass.payload.m=0.02", "--set", "analysis.move.end=0.1"]
    said = flexura("sweep", STUDY, *options, status=BAD_INPUT).stderr
    nothing = "is without effect: parameter.{} gives this number a value in each run"
    assert f"--set section.wall.EI = 0.02: error: section.wall.EI: {nothing.format('EI')}" in said
    assert f"--set mass.payload.m=0.02: error: mass.payload.m: {nothing.format('payload')}" in said
    assert "analysis.move.end" not in said


def test_prints_lines_for_who_spreads_the_runs(flexura):
    flexura("sweep", STUDY, "-o", "whole", "-q")
    some = flexura("sweep", STUDY, "--lines", "--only", "3,7").stdout.splitlines()
    kept = (flexura.folder / "whole/sweep.journal").read_text(encoding="utf-8").splitlines()
    assert some[0] == kept[0]
    by_run = {json.loads(line)["run"]: json.loads(line) for line in kept[1:]}
    for line in some[1:]:
        outcome = json.loads(line)
        assert outcome["numbers"] == by_run[outcome["run"]]["numbers"]


def test_says_what_a_cluster_needs(flexura, monkeypatch):
    monkeypatch.setenv("FLEXURA_PYTHON", "/no/python")
    said = flexura("sweep", STUDY, "--scheduler", "tcp://127.0.0.1:1", status=BAD_INPUT).stderr
    assert "there is no program '/no/python'" in said and "pip install 'flexura[cluster]'" in said
    # A Python without the package: isolated, it sees no site-packages.
    flexura.write("bare.sh", f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    bare = flexura.folder / "bare.sh"
    bare.chmod(0o755)
    monkeypatch.setenv("FLEXURA_PYTHON", str(bare))
    said = flexura("sweep", STUDY, "--scheduler", "tcp://127.0.0.1:1", status=IO_FAILURE).stderr
    assert "No module named 'flexura'" in said and "pip install 'flexura[cluster]'" in said
    assert "Traceback" not in said
