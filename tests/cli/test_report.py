"""`report.html` of a run, `flexura view` and `flexura compare`."""

import json
import os
import re
import shlex
import time

import pytest
from conftest import BAD_INPUT, IO_FAILURE, UNSUCCESSFUL
from results import differences


def report_of(path) -> dict:
    """The JSON of a report, as a browser reads it."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script id="flexura-report" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found and '<script id="flexura-data" type="text/plain">' in text
    return json.loads(found[1])


def test_run_leaves_a_report_and_names_it(pendulum):
    done = pendulum("run", "pendulum.toml")
    assert "wrote        pendulum/report.html" in done.stdout
    run = report_of(pendulum.folder / "pendulum/report.html")["runs"][0]
    assert run["title"] == "Pendulum on a rod"
    assert run["status"] == "finished"
    assert {"bob", "tension", "energy"} <= {table["name"] for table in run["tables"]}


def test_run_can_leave_the_report_out(pendulum):
    summary = pendulum.summary("pendulum.toml", "--no-report")
    assert not (pendulum.folder / "pendulum/report.html").exists()
    assert not any(file.endswith(".html") for file in summary["files"])


def test_report_of_an_earlier_run_does_not_stay(pendulum):
    pendulum("run", "pendulum.toml")
    pendulum("run", "pendulum.toml", "--force", "--no-report", "--set", "analysis.swing.end=1")
    assert not (pendulum.folder / "pendulum/report.html").exists()


def test_report_says_how_to_repeat_the_run(pendulum):
    pendulum("run", "pendulum.toml", "--set", "analysis.swing.end=1", "--set", 'title="A new one"', "--output", "other")
    command = report_of(pendulum.folder / "other/report.html")["runs"][0]["scene"]["command"]
    assert command == "flexura run pendulum.toml --set analysis.swing.end=1 --set 'title=\"A new one\"'"
    pendulum(*shlex.split(command)[1:], "--quiet")
    assert differences(pendulum.folder / "other/results.h5", pendulum.folder / "pendulum/results.h5") == []


def test_report_that_cannot_be_written_costs_no_results(pendulum):
    (pendulum.folder / "pendulum/report.html").mkdir(parents=True)
    (pendulum.folder / "pendulum/report.html/in the way").touch()
    done = pendulum("run", "pendulum.toml", status=IO_FAILURE)
    assert "no report: " in done.stderr and "report.html" in done.stderr
    assert (pendulum.folder / "pendulum/results.h5").stat().st_size > 0
    assert (pendulum.folder / "pendulum/bob.csv").stat().st_size > 0


def test_failed_run_has_a_report_that_says_why(pendulum):
    numbers = {"max_iterations": "1", "tolerance": "1e-14", "step": "0.1"}
    limits = [word for key, value in numbers.items() for word in ("--set", f"analysis.swing.{key}={value}")]
    done = pendulum("run", "pendulum.toml", *limits, status=UNSUCCESSFUL)
    run = report_of(pendulum.folder / "pendulum/report.html")["runs"][0]
    assert run["status"] == "failed"
    assert run["message"] and run["message"].splitlines()[0] in done.stderr


def test_view_makes_the_same_report_again(pendulum):
    pendulum("run", "pendulum.toml")
    report = pendulum.folder / "pendulum/report.html"
    before = report.read_bytes()
    report.unlink()
    done = pendulum("view", "pendulum", "--no-open")
    assert done.stdout == f"file://{report}\n"
    assert report.read_bytes() == before
    pendulum("view", "pendulum/results.h5", "--no-open", "--output", "a b.html")
    assert (pendulum.folder / "a b.html").read_bytes() == before


def test_view_escapes_the_address(pendulum):
    pendulum("run", "pendulum.toml")
    done = pendulum("view", "pendulum", "--no-open", "--output", "a b#ä.html")
    assert done.stdout.endswith("/a%20b%23%C3%A4.html\n")


def test_view_keeps_reports_of_several_results_apart(pendulum):
    pendulum("run", "pendulum.toml", "--no-report")
    for name in ("first.h5", "second.h5"):
        (pendulum.folder / name).write_bytes((pendulum.folder / "pendulum/results.h5").read_bytes())
        pendulum("view", name, "--no-open")
    assert {path.name for path in pendulum.folder.glob("*.html")} == {"first.html", "second.html"}


def test_view_of_a_killed_run_reads_its_journal(pendulum):
    pendulum("run", "pendulum.toml")
    folder = pendulum.folder / "pendulum"
    for name in ("results.h5", "report.html"):
        (folder / name).unlink()
    journal = folder / "run.journal"
    journal.write_bytes(journal.read_bytes()[:-8])  # without its last record
    pendulum("view", "pendulum", "--no-open")
    run = report_of(folder / "report.html")["runs"][0]
    assert run["status"] == "unfinished"
    assert run["playback"] and run["tables"]
    assert not (folder / "results.h5").exists(), "leaves the report only"


def test_view_opens_the_browser_where_there_is_a_screen(pendulum, monkeypatch):
    pendulum("run", "pendulum.toml")
    programs = pendulum.folder / "bin"
    programs.mkdir()
    opener = programs / "xdg-open"
    opener.write_text('#!/bin/sh\necho "$1" > opened.part && mv opened.part opened\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("DISPLAY", ":0")
    done = pendulum("view", "pendulum")
    assert done.stdout.startswith("opening file://")
    opened = pendulum.folder / "opened"
    for _ in range(100):
        if opened.exists():
            break
        time.sleep(0.05)
    assert opened.read_text().strip() == str(pendulum.folder / "pendulum/report.html")
    opened.unlink()
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert pendulum("view", "pendulum").stdout.startswith("file://")


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("nothing", IO_FAILURE, "there is no file or folder nothing"),
        (".", BAD_INPUT, "holds no run"),
        ("pendulum.toml", IO_FAILURE, "pendulum.toml"),
    ],
)
def test_view_says_what_is_no_run(pendulum, path, status, message):
    for command in (("view", path), ("compare", path, path)):
        assert message in pendulum(*command, status=status).stderr


def test_compare_measures_each_sensor(pendulum):
    pendulum("run", "pendulum.toml", "--output", "one")
    pendulum("run", "pendulum.toml", "--output", "same")
    pendulum("run", "pendulum.toml", "--output", "long", "--set", "parameters.L=1.1")
    same = json.loads(pendulum("compare", "one", "same", "--json").stdout)
    assert [column["max_difference"] for column in same["columns"]] == [0] * len(same["columns"])
    other = json.loads(pendulum("compare", "one", "long", "--json", "--output", "c.html").stdout)
    assert other["runs"] == ["one", "long"]
    bob = {column["column"]: column for column in other["columns"] if column["sensor"] == "bob"}
    assert set(bob) == {"x", "y"}
    assert bob["x"]["unit"] == "m" and bob["x"]["compared"] == [0, 5]
    assert 0 < bob["x"]["rms"] < bob["x"]["max_difference"] <= 2.1
    assert 0 <= bob["x"]["at"] <= 5
    assert bob["x"]["range"] == pytest.approx(2, abs=0.01)
    report = report_of(pendulum.folder / "c.html")
    assert [run["name"] for run in report["runs"]] == ["one", "long"]
    assert len(report["comparison"]) == len(other["columns"])


def test_compare_interpolates_between_other_time_grids(pendulum):
    pendulum("run", "pendulum.toml", "--output", "a", "--set", "output.sensor_interval=0.005")
    pendulum("run", "pendulum.toml", "--output", "b", "--set", "output.sensor_interval=0.007")
    columns = json.loads(pendulum("compare", "a", "b", "--json").stdout)["columns"]
    bob = next(column for column in columns if (column["sensor"], column["column"]) == ("bob", "y"))
    # The same motion: linear interpolation leaves a h^2 / 8, a <= 3 g.
    assert 0 < bob["max_difference"] < 3 * 9.81 * 0.007**2 / 8


def test_compare_names_sensors_of_one_run_and_prints_a_table(pendulum):
    scene = (pendulum.folder / "pendulum.toml").read_text()
    pendulum.write("other.toml", scene.replace("[sensor.tension]", "[sensor.pull]"))
    pendulum("run", "pendulum.toml")
    pendulum("run", "other.toml")
    done = pendulum("compare", "pendulum", "other")
    assert re.search(r"^bob\.x +0 ", done.stdout, re.MULTILINE)
    assert "only in pendulum: tension" in done.stdout
    assert "only in other: pull" in done.stdout
    assert "wrote        compare.html" in done.stdout
