"""A small fixed sample of tests/cli/attack.py: journals forged with right checksums, results files with flipped bits."""

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
