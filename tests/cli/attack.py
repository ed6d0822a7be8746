#!/usr/bin/env python3
"""Journals that are forged with right checksums, and results files with flipped bits: no command may crash on them or hang.

tests/cli/attack.py [--journals 300] [--results 100] [--seed 1] [--first 0]

Every failure of the program must be a message and a documented exit status (0 to 3). The exit status of this program is 1 if
anything else happens; what did it stays in --keep. A folder of seeds (a journal of a run that was killed, a results file) is
made of small scenes first.
"""

import argparse
import functools
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from conftest import PROGRAM

LIMIT = 20  # s: a command on a scene of milliseconds
DOCUMENTED = (0, 1, 2, 3)
CHANNEL, BLOB, ATTRIBUTE, ARRAY, ROW, CHECKPOINT, END = range(1, 8)

SCENES = {
    "swing": """
space = "planar"
gravity = [0, -9.81]
[body.rod]
shape = { type = "rod", length = 1, center = [0.5, 0] }
density = "1 kg/m"
points = { end = [1, 0] }
[section.s]
EA = 1e4
EI = 1
rhoA = 1
[cable.tail]
section = "s"
path = [[1, 0], [2, 0]]
elements = 2
[joint.pin]
type = "revolute"
of = ["ground", "rod"]
at = [0, 0]
[joint.clamp]
type = "weld"
of = ["rod.end", "tail.start"]
[signal.push]
type = "sine"
amplitude = 1
frequency = 2
[load.push]
type = "force"
at = "tail.end"
force = [0, 1]
signal = "push"
[sensor.tip]
type = "position"
at = "tail.end"
[sensor.angle]
type = "angle"
of = "pin"
[[analysis]]
name = "hang"
type = "static"
[[analysis]]
name = "swing"
type = "dynamic"
end = 0.2
step = 1e-3
checkpoint = 0.02
""",
    "drop": """
space = "spatial"
gravity = [0, 0, -9.81]
[sphere.ball]
radius = 0.1
m = 1
position = [0, 0, 0.15]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[contact.all]
between = ["ball", "floor"]
[sensor.height]
type = "position"
at = "ball"
[[analysis]]
name = "fall"
type = "dynamic"
end = 0.3
step = 1e-3
checkpoint = 0.02
""",
}

# ---- checksums and records ----


def _table() -> list[int]:
    table = []
    for i in range(256):
        crc = i
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


TABLE = _table()


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


Record = tuple[int, int, bytes]  # kind, channel, payload


def records(journal: bytes) -> list[Record]:
    place, found = 32, []
    while place + 16 <= len(journal):
        kind, channel, words, _ = struct.unpack_from("<IIII", journal, place)
        payload = journal[place + 16 : place + 16 + 8 * words]
        if len(payload) < 8 * words:
            break
        found.append((kind, channel, payload))
        place += 16 + 8 * words
    return found


@functools.lru_cache(maxsize=1 << 14)  # most records of a forged journal are those of the seed
def packed(record: Record) -> bytes:
    kind, channel, payload = record
    payload += bytes(-len(payload) % 8)
    head = struct.pack("<III", kind & 0xFFFFFFFF, channel & 0xFFFFFFFF, len(payload) // 8)
    return head + struct.pack("<I", crc32c(head + payload)) + payload


# ---- forging ----

HOSTILE = [0, 1, 2, 3, 7, 8, 255, 2**16, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**61, 2**62, 2**63 - 1]
HOSTILE += [2**63, 2**64 - 8, 2**64 - 2, 2**64 - 1]
REALS = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, -0.0, 1e18, -1.0, 1e300]


def _number(chance: random.Random) -> bytes:
    if chance.random() < 0.4:
        return struct.pack("<d", chance.choice(REALS))
    return struct.pack("<Q", (chance.choice(HOSTILE) + chance.choice([0, 0, 0, 1, -1])) % 2**64)


def _words(chance: random.Random, payload: bytes) -> bytes:
    """Some words of eight bytes are others: counts, sizes, shapes, flags, numbers."""
    words = bytearray(payload)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        if len(words) >= 8:
            at = 8 * chance.randrange(len(words) // 8)
            words[at : at + 8] = _number(chance)
    return bytes(words)


def _small(chance: random.Random, payload: bytes) -> bytes:
    """A word that looks like a count is one more or less, or another small number."""
    places = [i for i in range(0, len(payload), 8) if struct.unpack_from("<Q", payload, i)[0] < 4096]
    if not places:
        return payload
    at = chance.choice(places)
    old = struct.unpack_from("<Q", payload, at)[0]
    new = chance.choice([old + 1, max(old, 1) - 1, 2 * old, chance.randrange(64)])
    return payload[:at] + struct.pack("<Q", new) + payload[at + 8 :]


def _bytes(chance: random.Random, payload: bytes) -> bytes:
    """Text turns: names with slashes, controls, other names, no UTF-8."""
    data = bytearray(payload)
    for _ in range(chance.choice([1, 2, 8])):
        if data:
            data[chance.randrange(len(data))] = chance.choice(
                [0, 9, 10, 27, 46, 47, 34, 92, 128, 255, chance.randrange(256)]
            )
    return bytes(data)


def _length(chance: random.Random, payload: bytes) -> bytes:
    at = 8 * chance.randrange(len(payload) // 8 + 1)
    return (
        payload[:at] if chance.random() < 0.5 else payload[:at] + bytes(8 * chance.choice([1, 2, 100])) + payload[at:]
    )


MUTATIONS: list[Callable[[random.Random, bytes], bytes]] = [_words, _words, _small, _small, _bytes, _length]


def forged(chance: random.Random, journal: bytes) -> bytes:
    """Another journal, each record of which has its right checksum."""
    all_records = records(journal)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        # Kinds are equally likely, though most records are rows.
        kind = chance.choice(sorted({kind for kind, _, _ in all_records}))
        places = [i for i, record in enumerate(all_records) if record[0] == kind]
        at = chance.choice(places[-3:] if kind == CHECKPOINT else places)
        kind, channel, payload = all_records[at]
        what = chance.randrange(12)
        if what == 0:
            all_records[at] = (chance.choice([kind, 0, 1, 2, 3, 4, 5, 6, 7, 8, 2**31]), chance.choice(HOSTILE), payload)
        elif what == 1:
            all_records.insert(chance.randrange(len(all_records) + 1), all_records[at])
        elif what == 2:
            del all_records[at]
        elif what == 3:
            other = chance.randrange(len(all_records))
            all_records[at], all_records[other] = all_records[other], all_records[at]
        else:
            all_records[at] = (kind, channel, chance.choice(MUTATIONS)(chance, payload))
        if not all_records:
            break
    data = journal[:32] + b"".join(map(packed, all_records))
    return data[: chance.randrange(32, len(data) + 1)] if chance.random() < 0.1 else data


def flipped(chance: random.Random, data: bytes) -> bytes:
    """Some bits turned, or the end cut off."""
    out = bytearray(data)
    for _ in range(chance.choice([1, 1, 3, 10, 100])):
        # The first kilobytes hold what all else is found by.
        at = chance.randrange(min(len(out), 8192) if chance.random() < 0.4 else len(out))
        out[at] ^= 1 << chance.randrange(8)
    return bytes(out[: chance.randrange(len(out))] if chance.random() < 0.05 else out)


# ---- what is run on them ----


def failure(*command: object, cwd: pathlib.Path) -> str | None:
    """What is wrong with how the command ended, or None."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            cwd=cwd,
            timeout=LIMIT,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return f"{' '.join(map(str, command[1:]))}: no end after {LIMIT} s"
    shown = " ".join(map(str, command[1:]))
    errors = done.stderr.decode(errors="replace")
    if done.returncode not in DOCUMENTED:
        return f"{shown}: exit status {done.returncode}\n{errors[-2000:]}"
    if "AddressSanitizer" in errors or "runtime error:" in errors:
        return f"{shown}: {errors[-4000:]}"
    if done.returncode != 0 and not (errors.strip() or done.stdout.strip()):
        return f"{shown}: exit status {done.returncode} without a word"
    return None


def killed_run(scene: pathlib.Path, folder: pathlib.Path) -> None:
    """A run that was killed after a checkpoint: its journal is left."""
    for delay in (0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.4):
        for _ in range(8):
            shutil.rmtree(folder, ignore_errors=True)
            process = subprocess.Popen(
                [PROGRAM, "run", scene, "-o", folder, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait()
            journal = folder / "run.journal"
            if journal.exists() and sum(kind == CHECKPOINT for kind, _, _ in records(journal.read_bytes())) >= 2:
                return
    raise RuntimeError(f"{scene.name} could not be killed between its second checkpoint and its end")


def seeds(folder: pathlib.Path) -> list[str]:
    """Scenes, with the journal of a killed run and the results of a whole one beside each. Returns their names."""
    for name, text in SCENES.items():
        scene = folder / f"{name}.toml"
        scene.write_text(text, encoding="utf-8")
        subprocess.run(
            [PROGRAM, "run", scene, "-o", folder / "whole", "-q", "--force"], check=True, capture_output=True
        )
        shutil.move(folder / "whole/results.h5", folder / f"{name}.h5")
        killed_run(scene, folder / "killed")
        shutil.move(folder / "killed/run.journal", folder / f"{name}.journal")
    return list(SCENES)


def attack_journal(seed: pathlib.Path, name: str, number: int, folder: pathlib.Path) -> Iterator[str]:
    """Everything that goes wrong with journal `number` of a scene."""
    chance = random.Random(f"journal {number}")
    shutil.rmtree(folder, ignore_errors=True)
    run = folder / name
    run.mkdir(parents=True)
    (run / "run.journal").write_bytes(forged(chance, (seed / f"{name}.journal").read_bytes()))
    shutil.copy(seed / f"{name}.toml", folder)
    commands = [("info", run / "run.journal"), ("run", f"{name}.toml", "-o", run, "--resume", "-q")]
    if number % 4 == 0:
        commands.insert(1, ("view", run / "run.journal", "--no-open", "-o", folder / "page.html"))
    for command in commands:
        if problem := failure(PROGRAM, *command, cwd=folder):
            yield f"journal {number} of {name}: {problem}"


def attack_results(seed: pathlib.Path, name: str, number: int, folder: pathlib.Path) -> Iterator[str]:
    chance = random.Random(f"results {number}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    results = folder / "results.h5"
    results.write_bytes(flipped(chance, (seed / f"{name}.h5").read_bytes()))
    commands = [("info", results), ("view", results, "--no-open", "-o", folder / "page.html")]
    commands += [("compare", results, seed / f"{name}.h5")]
    for command in commands:
        if problem := failure(PROGRAM, *command, cwd=folder):
            yield f"results {number} of {name}: {problem}"


def attack(kind: Callable[..., Iterator[str]], seed: pathlib.Path, numbers: range, folder: pathlib.Path) -> list[str]:
    names = list(SCENES)
    return [problem for n in numbers for problem in kind(seed, names[n % len(names)], n, folder)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--journals", type=int, default=300)
    parser.add_argument("--results", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first of each")
    parser.add_argument("--keep", type=pathlib.Path, help="where seeds are kept and found again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        seed = options.keep or pathlib.Path(temporary, "seeds")
        seed.mkdir(parents=True, exist_ok=True)
        if not all((seed / f"{name}.journal").exists() for name in SCENES):
            seeds(seed)
        problems = 0
        for kind, count in ((attack_journal, options.journals), (attack_results, options.results)):
            for number in range(options.first, options.first + count):
                for problem in attack(kind, seed, range(number, number + 1), pathlib.Path(temporary, "work")):
                    print(problem, flush=True)
                    problems += 1
        print(f"{options.journals} journals, {options.results} results files: {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
