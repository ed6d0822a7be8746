"""Where in the user's Python code a value of a scene was given."""

from __future__ import annotations

import ast
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
        return linecache.getline(self.file, self.line).strip()

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
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2] if frame.f_lasti >= 0 else None
    if positions is not None and positions[0] is not None:
        line, end = positions[0], positions[1] or 0
    return CodePlace(frame.f_code.co_filename, line, end)
