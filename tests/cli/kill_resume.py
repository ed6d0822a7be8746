#!/usr/bin/env python3
"""Kill a run with SIGKILL at random moments, resume it, and compare its results with those of an undisturbed run.

tests/cli/kill_resume.py [--kills 50] [--after-checkpoint 40] [--scene examples/soft_actuator.toml] [--seed 1]

A kill counts as after the first checkpoint if the journal holds one when the process is dead. The exit status is 1 if
any dataset differs by a bit (times of the clock on the wall excepted), or too few kills came after a checkpoint.
"""

import argparse
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from conftest import PROGRAM, ROOT
from results import differences


def has_checkpoint(folder: pathlib.Path) -> bool:
    done = subprocess.run([PROGRAM, "info", folder / "run.journal"], capture_output=True, text=True, check=False)
    return "\ncheckpoint " in done.stdout


def killed_run(scene: pathlib.Path, folder: pathlib.Path, delay: float, options: list[str]) -> bool:
    """Starts a run and kills it after `delay` s. False if it had ended before."""
    process = subprocess.Popen(
        [PROGRAM, "run", scene, "--output", folder, "--quiet", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    _, errors = process.communicate()
    if process.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"run ended with {process.returncode}: {errors.decode()}")
    return process.returncode != 0


def resume(scene: pathlib.Path, folder: pathlib.Path) -> None:
    subprocess.run([PROGRAM, "run", scene, "--output", folder, "--quiet", "--resume"], check=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--after-checkpoint", type=int, help="at least so many of them (default: four of five)")
    parser.add_argument("--scene", type=pathlib.Path, default=ROOT / "examples/soft_actuator.toml")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], help="change of the scene, as for the program")
    options = parser.parse_args()
    wanted = options.after_checkpoint if options.after_checkpoint is not None else options.kills * 4 // 5
    chance = random.Random(options.seed)
    settings = [word for change in options.set for word in ("--set", change)]

    with tempfile.TemporaryDirectory() as temporary:
        whole = pathlib.Path(temporary, "whole")
        begin = time.monotonic()
        command = [PROGRAM, "run", options.scene, "--output", whole, "--quiet", *settings]
        subprocess.run(command, check=True)
        duration = time.monotonic() - begin
        kills = after = failed = twice = 0
        while kills < options.kills:
            folder = pathlib.Path(temporary, "killed")
            shutil.rmtree(folder, ignore_errors=True)
            if not killed_run(options.scene, folder, chance.uniform(0.01, duration), settings):
                continue  # it was faster: not a kill
            if not (folder / "run.journal").exists():
                continue  # killed before it made its journal: nothing to resume
            kills += 1
            after += has_checkpoint(folder)
            if chance.random() < 0.25:  # killed again while it goes on
                twice += killed_run(options.scene, folder, chance.uniform(0.01, duration), ["--resume"])
            resume(options.scene, folder)
            different = differences(whole / "results.h5", folder / "results.h5")
            if different:
                failed += 1
                print(f"kill {kills}: {len(different)} differ: {', '.join(different[:5])}")
    print(
        f"{kills} kills of a run of {duration:.2f} s, {after} after the first checkpoint, {twice} killed again: {failed} differ"
    )
    if after < wanted:
        print(f"too few after the first checkpoint: {after} of {wanted}")
    return 1 if failed or after < wanted else 0


if __name__ == "__main__":
    sys.exit(main())
