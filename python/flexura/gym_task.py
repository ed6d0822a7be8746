"""What single environments and vectors share: what an agent does and sees, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import _core
from ._source import Source, settings_of
from .errors import Problem, SceneError

Array = NDArray[np.float64]
Number = float | str

NO_NUMBER = {
    "action": "an action is not a number",
    "sensor": "a sensor reads no finite number",
    "reward": "the reward is no finite number",
    "terminated": "the rule `terminated` gives no number",
}
"""What ends an episode without a failure of the solver, and the message."""


def seconds(given: Number) -> float:
    return _core.quantity(given, "s") if isinstance(given, str) else float(given)


def any_quantity(given: Number) -> float:
    """In SI; the scene compares the dimension."""
    return _core.quantity(given, "*") if isinstance(given, str) else float(given)


class Problems:
    """Gathers what is wrong with an environment: one error as it is, several as one ValueError with all texts."""

    def __init__(self) -> None:
        self.errors: list[Exception] = []

    def __enter__(self) -> Problems:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> bool:
        """Keeps what goes wrong within, and goes on behind it."""
        if not isinstance(error, (KeyError, TypeError, ValueError)):
            return False
        self.errors.append(error)
        return True

    def throw(self) -> None:
        if len(self.errors) == 1:
            raise self.errors[0]
        if self.errors:
            texts = [str(error.args[0]) if error.args else str(error) for error in self.errors]
            raise ValueError("\n".join([*texts, f"{len(texts)} errors"]))


class Task:
    """Bounds of the inputs, names of what is seen, times [s].

    Parameters
    ----------
    sizes : callable
        Says how many numbers sensors and inputs have, from the names of the inputs and of what is observed; 0: one by itself.
    document : Document
        The scene: bounds in quantities have the unit of the key that takes the input.
    """

    def __init__(
        self,
        action: Mapping[str, tuple[Number, Number]],
        observation: Sequence[str],
        *,
        period: Number,
        limit: Number | None,
        randomise: Mapping[str, tuple[Number, Number]] | None,
        failed: float,
        sizes: Callable[[Sequence[str], Sequence[str]], Sequence[int]],
        document: _core.Document,
        problems: Problems,
    ) -> None:
        def value(name: str, given: Number) -> float:
            if not isinstance(given, str):
                return float(given)
            try:
                return document.input_quantity(name, given)
            except KeyError:  # `sizes` says that there is no such input
                return any_quantity(given)
            except ValueError as error:
                raise ValueError(f"action: bounds of {name!r}: {error}") from None

        with problems:
            self.period = seconds(period)
            if not self.period > 0:
                raise ValueError(f"period: a time above 0 s, not {period!r}")
        with problems:
            self.limit = None if limit is None else seconds(limit)
        self.randomise: dict[str, tuple[float, float]] = {}
        self._drawn: dict[str, tuple[Number, Number]] = {}  # as they are given
        for path, drawn in (randomise or {}).items():
            with problems:
                low, high = self.randomise[path] = (any_quantity(drawn[0]), any_quantity(drawn[1]))
                self._drawn[path] = (drawn[0], drawn[1])
                if not low <= high:
                    raise ValueError(f"randomise: bounds of {path!r} from the lower to the higher, not {drawn!r}")
        self.failed = float(failed)
        bounds: dict[str, tuple[float, float]] = {}
        for name, given in action.items():
            bounds[name] = (0.0, 0.0)
            with problems:
                low, high = bounds[name] = (value(name, given[0]), value(name, given[1]))
                if not low < high:
                    raise ValueError(f"action: bounds of {name!r} from the lower to the higher, not {given!r}")
        self.actions, self.observation = list(bounds), list(observation)
        self._low = np.array([low for low, _ in bounds.values()])
        self._half = 0.5 * (np.array([high for _, high in bounds.values()]) - self._low)
        self.columns: list[str] = []
        found: Sequence[int] | None = None
        try:
            found = sizes(self.actions, self.observation)
        except KeyError:  # which tells the first of them
            for inputs, reads in [([name], []) for name in self.actions] + [([], [name]) for name in self.observation]:
                with problems:
                    sizes(inputs, reads)
        self.connected = found is not None
        for name, size in zip(self.observation, found or [0] * len(self.observation), strict=True):
            axes = "xyz" if size <= 3 else range(size)
            self.columns += [f"{name}.{axes[k]}" for k in range(size)] if size > 0 else [name]

    def try_randomised(self, source: Source) -> None:
        """Raises SceneError with all that the scene says against the bounds of what is drawn."""
        if not self.randomise:
            return
        before = source.settings
        problems: dict[str, Problem] = {}
        for end in (0, 1):
            source.settings = [*before, *settings_of({path: bounds[end] for path, bounds in self._drawn.items()})]
            try:
                source.document()
            except SceneError as error:
                problems.update((f"{problem.path}: {problem.message}", problem) for problem in error.problems)
        source.settings = before
        if problems:
            raise SceneError(problems.values())

    def inputs(self, actions: Array) -> Array:
        """Values of the inputs (…, input) of an agent's numbers from -1 to 1."""
        values: Array = self._low + self._half * (actions.clip(-1, 1) + 1)
        return values

    def spaces(self) -> tuple[gymnasium.Space[NDArray[np.float32]], gymnasium.Space[Array]]:
        """Of actions and observations."""
        acts: gymnasium.Space[NDArray[np.float32]] = gymnasium.spaces.Box(-1.0, 1.0, (len(self.actions),), np.float32)
        sees: gymnasium.Space[Array] = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.columns),), np.float64)
        return acts, sees
