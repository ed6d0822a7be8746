"""Runs of a sweep on the workers of a Dask cluster, for `fx.sweep(scheduler=...)` and ``flexura sweep --scheduler``."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from .errors import ResultsError
from .studies import OK, run_program

__all__ = ["fill_journal", "main", "tells_progress"]

#: Times that a worker may be lost with the same runs before they are given up.
_RETRIES = 3


def tells_progress(line: str) -> bool:
    """Whether a line of the program's stderr says how far a sweep is."""
    return "%" in line and " runs" in line


def _lines(words: list[str], runs: list[int]) -> list[str]:
    """What the program prints for these runs: the sweep's own line, then one for each. On a worker."""
    done = subprocess.run(
        [*words, "--lines", "--only", ",".join(map(str, runs))], capture_output=True, text=True, check=False
    )
    if done.returncode != OK:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.splitlines()


def fill_journal(
    words: list[str], folder: Path, scheduler: str, *, overwrite: bool, resume: bool, progress: bool = True
) -> None:
    """Has the workers run what the journal in the folder does not hold yet. A worker that is lost has its runs done by another.

    Parameters
    ----------
    words : list of str
        The command that every worker calls, with its study third: ``["flexura", "sweep", "study.toml"]``.

    Raises
    ------
    ImportError, ResultsError, SceneError
    """
    try:
        from dask.distributed import Client, as_completed
    except ImportError:
        raise ImportError("sweeps on a cluster go through Dask: pip install dask distributed") from None
    journal = folder / "sweep.journal"
    if journal.exists() and not (overwrite or resume):
        raise ResultsError(f"{folder} holds a sweep already\ntry: overwrite=True, resume=True or another output=")
    words = [words[0], words[1], str(Path(words[2]).absolute()), *words[3:]]
    checked = run_program([*words, "--lines", "--only", "0"], tells_progress).splitlines()
    count = int(json.loads(checked[0])["runs"])
    folder.mkdir(parents=True, exist_ok=True)
    done: dict[int, str] = {}
    if resume and journal.exists():
        lines = journal.read_text(encoding="utf-8").split("\n")[:-1]
        if lines and lines[0] != checked[0]:
            raise ResultsError(f"{journal}: the folder holds another sweep")
        done = {json.loads(line)["run"]: line for line in lines[1:]}
    done.setdefault(0, checked[1])
    missing = [run for run in range(count) if run not in done]
    fresh = folder / "sweep.journal.new"  # takes the journal's place at once: a kill loses no run
    fresh.write_text("\n".join([checked[0], *done.values(), ""]), encoding="utf-8")
    fresh.replace(journal)
    with journal.open("a", encoding="utf-8") as file, Client(scheduler) as client:
        workers = max(1, len(client.scheduler_info()["workers"]))
        size = max(1, min(256, -(-len(missing) // (8 * workers))))
        size = -(-size // 4) * 4  # whole groups of lanes
        chunks = [missing[k : k + size] for k in range(0, len(missing), size)]
        begun = time.monotonic()
        tasks = client.map(_lines, [words] * len(chunks), chunks, pure=False, retries=_RETRIES)
        for number, (_, lines) in enumerate(as_completed(tasks, with_results=True), start=1):
            if lines[0] != checked[0]:
                raise ResultsError("a worker has other files than this computer: the sweep is not the same there")
            print(*lines[1:], sep="\n", file=file, flush=True)
            left = (time.monotonic() - begun) / number * (len(chunks) - number)
            if progress:
                print(f"sweep {100 * number / len(chunks):3.0f} %, {left:.0f} s left", file=sys.stderr)


def main(arguments: list[str]) -> int:
    """What ``flexura sweep --scheduler`` starts: ``SCHEDULER FOLDER [--force | --resume] [--quiet] -- flexura sweep STUDY ...``."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scheduler")
    parser.add_argument("folder", type=Path)
    for flag in ("--force", "--resume", "--quiet"):
        parser.add_argument(flag, action="store_true")
    split = arguments.index("--")
    given = parser.parse_args(arguments[:split])
    try:
        fill_journal(
            arguments[split + 1 :],
            given.folder,
            given.scheduler,
            overwrite=given.force,
            resume=given.resume,
            progress=not given.quiet,
        )
    except (ImportError, OSError, ResultsError, RuntimeError) as error:
        print(f"--scheduler {given.scheduler}: {error}", file=sys.stderr)
        return 1
    return 0
