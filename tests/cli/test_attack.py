"""A small fixed sample of tests/cli/attack.py: journals forged with right checksums, results files with flipped bits."""

import re
import subprocess

import attack
import pytest


@pytest.fixture(scope="module")
def seed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    attack.seeds(folder)
    return folder


def test_checksums_are_those_of_journals(seed):
    assert attack.crc32c(b"123456789") == 0xE3069283
    for name in attack.SCENES:
        journal = (seed / f"{name}.journal").read_bytes()
        whole = journal[:32] + b"".join(map(attack.packed, attack.records(journal)))
        assert journal.startswith(whole)


def test_forged_journals_are_refused_or_gone_on_from(seed, tmp_path):
    assert attack.attack(attack.attack_journal, seed, range(24), tmp_path / "work") == []


def test_flipped_bits_in_results_are_told(seed, tmp_path):
    assert attack.attack(attack.attack_results, seed, range(8), tmp_path / "work") == []


# A text whose characters claim 2³⁰ + 1 bytes each. The bound on memory ends it, too, but with a message of the HDF5 library that names
# neither the file's fault nor how large a smaller width may get: here the attribute is told.
def test_texts_of_wide_characters_are_damaged(seed, tmp_path):
    data = (seed / "swing.h5").read_bytes()
    text_type = re.compile(rb"\x19...\x10\x00\x00\x00....\x01\x00\x00\x00", re.DOTALL)  # of bytes, by their number
    types = list(text_type.finditer(data))
    assert len(types) > 10
    for number in (0, len(types) // 2, len(types) - 1):
        at = types[number].end() - 1
        file = tmp_path / f"{number}.h5"
        file.write_bytes(data[:at] + b"\x40" + data[at + 1 :])
        done = subprocess.run([attack.PROGRAM, "info", file], capture_output=True, text=True, check=False)
        assert done.returncode == 3
        assert re.search(r"attribute '\w+' of '.+' is damaged", done.stderr), number
