"""fx.sweep: tables of many runs, here and on a cluster."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import flexura as fx
import numpy as np
import pytest
from flexura._source import settings_of
from flexura.studies import program

STUDY = {
    "parameters": {
        "section.wall.EI": {"bounds": (0.012, 0.028)},
        "offset": {"low": "8 mm", "high": "10 mm"},
    },
    "design": {"type": "sobol", "runs": 64, "seed": 3},
    "outputs": {
        "low": {"sensor": "tip", "component": "y", "take": "min"},
        "path": {"sensor": "tip", "take": "series", "interval": 0.1},
    },
    "set": {"cable.actuator.elements": 4, "analysis.move.end": 0.5, "analysis.move.step": 1e-3},
    "progress": False,
}


def text_of(table: fx.Sweep) -> str:
    return (table.folder / "table.csv").read_text(encoding="utf-8")


def lose_a_worker(cluster: Any, journal: Path) -> Future[int]:
    """Kills a worker's process once the journal holds some runs; how many it held then."""
    lost = next(iter(cluster.workers.values())).pid

    def kill() -> int:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 6:
            time.sleep(0.005)
        os.kill(lost, signal.SIGKILL)
        return journal.read_bytes().count(b"\n") - 1

    return ThreadPoolExecutor(1).submit(kill)


def test_has_a_column_for_each_parameter_and_output(actuator: Path) -> None:
    table = fx.sweep(actuator, **STUDY)
    assert len(table) == 64
    assert table.parameters == ["section.wall.EI", "offset"]
    assert table.outputs == ["low"]
    assert np.all((table["section.wall.EI"] >= 0.012) & (table["section.wall.EI"] <= 0.028) & (table["low"] < 0))
    assert len(table.failed) == 0
    assert table.series["path"]["path_y"].shape == (64 * 6,)


def test_wrong_studies_are_scene_errors_with_every_problem(actuator: Path) -> None:
    with pytest.raises(fx.SceneError) as caught:
        fx.sweep(actuator, {"EI": {"path": "section.wal.EI", "bounds": (2, 1)}}, design={"type": "sobol", "runs": 4})
    assert [problem.path for problem in caught.value.problems] == ["parameter.EI.path", "parameter.EI.low"]


def test_writes_parquet(actuator: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    table = fx.sweep(actuator, **STUDY)
    table.to_parquet(tmp_path / "table.parquet")
    assert pandas.read_parquet(tmp_path / "table.parquet").equals(table.to_pandas())


def test_the_program_writes_parquet_beside_the_tables(actuator: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    fx.sweep(actuator, **STUDY, output=tmp_path / "swept")
    for name in ("table", "series_path"):
        read = pandas.read_parquet(tmp_path / f"swept/{name}.parquet")
        expected = pandas.read_csv(tmp_path / f"swept/{name}.csv", keep_default_na=True).fillna({"message": ""})
        pandas.testing.assert_frame_equal(read, expected, check_exact=True, check_dtype=False)


def test_has_a_page(actuator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = fx.sweep(actuator, **STUDY, output=tmp_path / "table")
    assert table.page == tmp_path / "table/index.html"
    assert '"format":"flexura-sweep"' in table.page.read_text(encoding="utf-8")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    table.show()
    assert opened == [table.page.as_uri()]
    assert "<th>section.wall.EI</th>" in table._repr_html_() and "44 more runs" in table._repr_html_()


def test_is_the_same_on_a_cluster_that_loses_a_worker(actuator: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed")
    here = fx.sweep(actuator, **STUDY)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        at_loss = lose_a_worker(cluster, tmp_path / "table/sweep.journal")
        there = fx.sweep(actuator, **STUDY, scheduler=cluster.scheduler_address, output=tmp_path / "table")
    assert 0 < at_loss.result() < 64
    assert text_of(there) == text_of(here)


def test_the_program_spreads_runs_too_and_goes_on_without_a_lost_worker(actuator: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed")
    here = fx.sweep(actuator, **STUDY, output=tmp_path / "here")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        at_loss = lose_a_worker(cluster, tmp_path / "there/sweep.journal")
        words = [program(), "sweep", str(tmp_path / "here/study.toml"), "--scheduler", cluster.scheduler_address]
        words += [word for setting in settings_of(STUDY["set"]) for word in ("--set", setting)]
        done = subprocess.run(
            [*words, "-o", str(tmp_path / "there"), "--json"],
            env={**os.environ, "FLEXURA_PYTHON": sys.executable},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert 0 < at_loss.result() < 64
    assert json.loads(done.stdout)["finished"] == 64
    assert (tmp_path / "there/table.csv").read_text(encoding="utf-8") == text_of(here)
