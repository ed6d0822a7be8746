"""What grows with the size of a scene: counted, not timed."""

import os
import subprocess

from conftest import PROGRAM

CABLE = """
space = "planar"
[section.s]
EA = 1e4
EI = 1
rhoA = 1
[cable.c]
section = "s"
path = [[0, 0], [1, 0]]
elements = {}
[joint.clamp]
type = "weld"
of = ["ground", "c.start"]
[[analysis]]
name = "hang"
type = "static"
"""


def most_memory(folder, *arguments):
    """The largest memory of one run of the program [bytes]."""
    child = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, cwd=folder)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return 1024 * usage.ru_maxrss


# 4.1 kB an element with matrices that nobody asked for, 1.5 kB without: a million took 5 GB.
def test_check_of_a_long_cable_makes_no_matrices(flexura):
    few, many = 20_000, 60_000
    memory = []
    for elements in (few, many):
        flexura.write("cable.toml", CABLE.format(elements))
        memory.append(most_memory(flexura.folder, "check", "cable.toml"))
    assert (memory[1] - memory[0]) / (many - few) < 2200
