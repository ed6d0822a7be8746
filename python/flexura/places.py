"""Where in the user's Python code a value of a scene was given."""

from __future__ import annotations

import ast
import itertools
import linecache
import os
import sys
from dataclasses import dataclass
from pathlib import Path

_package = str(Path(__file__).parent) + os.sep


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A statement of the user's code; `line` and `end_line` are 1-based."""

    file: str
    line: int
    end_line: int = 0

    @property
    def name(self) -> str:
        """The file as messages name it: relative to the current folder if it lies below it."""
        if "ipykernel" in self.file or self.file.startswith("<"):
            return "this cell" if "ipykernel" in self.file else self.file
        relative = os.path.relpath(self.file)
        return self.file if relative.startswith("..") else relative

    def text(self) -> str:
        """The line itself, "" if the code is not at hand."""
        return linecache.getline(self.file, self.line).rstrip()

    def of_keyword(self, keyword: str) -> CodePlace:
        """The line of `keyword=` in a call over several lines."""
        if self.end_line <= self.line:
            return self
        try:
            tree = ast.parse("".join(linecache.getlines(self.file)))
        except (SyntaxError, ValueError):
            return self
        for node in ast.walk(tree):
            inside = isinstance(node, ast.Call) and node.lineno == self.line and node.end_lineno == self.end_line
            for entry in node.keywords if inside and isinstance(node, ast.Call) else ():
                if entry.arg is not None and entry.arg.rstrip("_") == keyword:
                    return CodePlace(self.file, entry.value.lineno)
        return self


def code_place() -> CodePlace | None:
    """The innermost call from outside this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_package):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return None
    line, end = frame.f_lineno, 0
    at = frame.f_lasti // 2
    positions = next(itertools.islice(frame.f_code.co_positions(), at, None)) if at >= 0 else None
    if positions is not None and positions[0] is not None:
        line, end = positions[0], positions[1] or 0
    return CodePlace(frame.f_code.co_filename, line, end)


class CodePlaces:
    """Places in code by paths of tables and keys, ("joint", "clamp", "of")."""

    def __init__(self) -> None:
        self._by_table: dict[tuple[str | int, ...], dict[tuple[str | int, ...], CodePlace]] = {}

    def note(self, path: tuple[str | int, ...], place: CodePlace | None) -> None:
        """What was given at the path was given there."""
        if place is not None:
            self._by_table.setdefault(path[:2], {})[path] = place

    def find(self, path: tuple[str | int, ...]) -> tuple[CodePlace, int] | None:
        """The place of the path, of the nearest above it, or of the first below it; and how many of its keys that has."""
        for length in range(len(path), 0, -1):
            place = self._by_table.get(path[: min(length, 2)], {}).get(path[:length])
            if place is not None:
                return place, length
        below = (places for table, places in self._by_table.items() if table[: len(path)] == path and path)
        return next(((place, len(path)) for places in below for place in places.values()), None)

    def forget(self, path: tuple[str | int, ...]) -> None:
        """What is at the path and below it is given anew, or no more."""
        if len(path) < 2:
            for table in [table for table in self._by_table if table[: len(path)] == path]:
                del self._by_table[table]
            return
        places = self._by_table.get(path[:2], {})
        for other in [other for other in places if other[: len(path)] == path]:
            del places[other]

    def close_gap(self, kind: str, index: int) -> None:
        """The table of a list is gone: those behind it move up."""
        behind = [table for table in self._by_table if table[0] == kind and len(table) > 1 and int(table[1]) > index]
        for table in sorted(behind, key=lambda table: int(table[1])):
            places = self._by_table.pop(table)
            moved = (kind, int(table[1]) - 1)
            self._by_table[moved] = {(*moved, *path[2:]): place for path, place in places.items()}

    def copy(self) -> CodePlaces:
        other = CodePlaces()
        other._by_table = {table: dict(places) for table, places in self._by_table.items()}
        return other
