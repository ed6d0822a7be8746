"""fx.sweep: tables of many runs, here and on a cluster."""

import os
import signal
import threading
import time
from pathlib import Path

import flexura as fx
import numpy as np
import pytest

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


def test_is_the_same_on_a_cluster_that_loses_a_worker(actuator: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed")
    here = fx.sweep(actuator, **STUDY)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        lost = next(iter(cluster.workers.values())).pid

        def kill() -> None:
            time.sleep(1)
            os.kill(lost, signal.SIGKILL)

        threading.Thread(target=kill).start()
        there = fx.sweep(actuator, **STUDY, scheduler=cluster.scheduler_address, output=tmp_path / "table")
    assert text_of(there) == text_of(here)
