"""What can go wrong: wrong scenes, solvers that fail, files that cannot be used."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flexura.result import Result

__all__ = ["Problem", "ResultsError", "SceneError", "SimulationWarning", "SolverError"]

_package = os.path.dirname(__file__) + os.sep


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scene.

    Attributes
    ----------
    path : str
        Dotted key, for example ``joint.clamp.of[1]``.
    message : str
        One sentence: what is wrong, and what is allowed.
    file : str
        Name of the scene's file; empty where unknown.
    line, column : int
        Place in the file, counted from 1; 0 where unknown. Of values that were given in Python: of the code.
    length : int
        Characters from there on that are meant.
    nearest : str
        Nearest valid name, or empty.
    warning : bool
        True: the scene can be used all the same.
    line_text : str
        The line, or empty.
    """

    path: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    length: int = 1
    nearest: str = ""
    warning: bool = False
    line_text: str = ""

    def __str__(self) -> str:
        place = ":".join([self.file, *(str(number) for number in (self.line, self.column) if number > 0)])
        text = f"{place}: " if place else ""
        text += "warning: " if self.warning else "error: "
        text += f"{self.path}: " if self.path else ""
        text += self.message
        if self.line_text and self.column > 0:
            text += f"\n    {self.line_text}\n    {'^':>{self.column}}{'~' * max(0, self.length - 1)}"
            return text + (f'  nearest: "{self.nearest}"' if self.nearest else "")
        text += f' (nearest: "{self.nearest}")' if self.nearest else ""
        return f"{text}\n    {self.line_text}" if self.line_text else text


class SceneError(ValueError):
    """A scene is wrong. The text lists every problem with its place, as the program `flexura` prints it.

    Attributes
    ----------
    problems : list of Problem
        All of them, ordered by file and place.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        errors = sum(not problem.warning for problem in self.problems)
        lines = [str(problem) for problem in self.problems]
        super().__init__("\n".join(lines + [f"{errors} errors"] * (errors > 1)))

    def __reduce__(self) -> tuple[type[SceneError], tuple[list[Problem]]]:
        return type(self), (self.problems,)


class SolverError(RuntimeError):
    """A solver failed; the text says where, why and what to try.

    Attributes
    ----------
    result : Result or None
        Everything computed until then.
    """

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


class ResultsError(OSError):
    """A file or folder of results cannot be read or written."""


class NotFound(ResultsError, FileNotFoundError):
    """A file or folder is not there: to be caught as either."""


class SimulationWarning(UserWarning):
    """The engine doubts something: a scene, a motion, an equilibrium. `Result.warnings` holds the same texts."""


def warn_of(message: str) -> None:
    """Warns at the line outside of this package that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_package):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, SimulationWarning, stacklevel=level)
