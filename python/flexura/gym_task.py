"""What single environments and vectors share: what an agent does and sees, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import _core

Array = NDArray[np.float64]
Number = float | str


def number(given: Number) -> float:
    """Of a number or a quantity, in SI."""
    return _core.quantity(given) if isinstance(given, str) else float(given)


class Task:
    """Bounds of the inputs, names of what is seen, times [s].

    Parameters
    ----------
    sizes : callable
        Says how many numbers sensors and inputs have, from the names of the inputs and of what is observed; 0: one by itself.
    """

    def __init__(
        self,
        action: Mapping[str, tuple[Number, Number]],
        observation: Sequence[str],
        *,
        period: Number,
        limit: Number | None,
        randomise: Mapping[str, tuple[float, float]] | None,
        failed: float,
        sizes: Callable[[Sequence[str], Sequence[str]], Sequence[int]],
    ) -> None:
        self.period = number(period)
        if not self.period > 0:
            raise ValueError(f"period: a time above 0 s, not {period!r}")
        self.limit = None if limit is None else number(limit)
        self.randomise = {path: (float(low), float(high)) for path, (low, high) in (randomise or {}).items()}
        self.failed = float(failed)
        bounds = {name: (number(low), number(high)) for name, (low, high) in action.items()}
        for name, (low, high) in bounds.items():
            if not low < high:
                raise ValueError(f"action: bounds of {name!r} from the lower to the higher, not {action[name]!r}")
        self.actions, self.observation = list(bounds), list(observation)
        self._low = np.array([low for low, _ in bounds.values()])
        self._half = 0.5 * (np.array([high for _, high in bounds.values()]) - self._low)
        self.columns: list[str] = []
        for name, size in zip(self.observation, sizes(self.actions, self.observation), strict=True):
            axes = "xyz" if size <= 3 else range(size)
            self.columns += [f"{name}.{axes[k]}" for k in range(size)] if size > 0 else [name]

    def inputs(self, actions: Array) -> Array:
        """Values of the inputs (…, input) of an agent's numbers from -1 to 1."""
        values: Array = self._low + self._half * (actions.clip(-1, 1) + 1)
        return values

    def spaces(self) -> tuple[gymnasium.Space[NDArray[np.float32]], gymnasium.Space[Array]]:
        """Of actions and observations."""
        acts: gymnasium.Space[NDArray[np.float32]] = gymnasium.spaces.Box(-1.0, 1.0, (len(self.actions),), np.float32)
        sees: gymnasium.Space[Array] = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.columns),), np.float64)
        return acts, sees
