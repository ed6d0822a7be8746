"""Scenes as environments of gymnasium, which is not installed with flexura: ``pip install flexura[gym]``.

import flexura.gym
env = flexura.gym.FlexuraEnv("arm.toml", action={"pump": ("0 kPa", "60 kPa")}, observation=["tip", "bend"],
                             reward="-abs(signal(tip.y) - 0.02)", period="20 ms")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from . import _core
from ._source import Functions, SceneSource, Source
from .errors import SolverError
from .gym_task import NO_NUMBER, Array, Number, Problems, Task
from .gym_vector import FlexuraVectorEnv
from .scene import Scene
from .simulation import Simulation, State

__all__ = ["FlexuraEnv", "FlexuraVectorEnv", "make"]

Rule = str | Callable[[Simulation], float]


class FlexuraEnv(gymnasium.Env[Array, NDArray[np.float32]]):
    """A scene that an agent acts on by its inputs and sees by its sensors.

    Parameters
    ----------
    scene : path, TOML text or Scene
        With signals of type "input". Analyses without time that come first are done before an episode begins.
    action : mapping
        Inputs with their bounds, ``{"pump": ("0 kPa", "60 kPa")}``. The agent's numbers are from -1 to 1, bounds at
        their ends.
    observation : list of str
        Sensors, ``"tip"``, and inputs.
    reward, terminated : str or callable
        Formulas as in scenes, of columns that are observed and of `t`: ``"-abs(signal(tip.y) - 0.02)"``; `terminated`
        ends the episode where it is not 0. Or a function of the simulation.
    period : float or str
        Between two actions [s], a multiple of the analysis's step.
    limit : float or str, optional
        Time at which an episode is truncated [s]; by default where the analysis ends.
    randomise : mapping, optional
        Numbers of the scene drawn anew for every episode, uniform between bounds: ``{"mass.payload.m": (0.02, 0.04)}``.
    set, functions
        As for `simulate`.
    render_mode : {"rgb_array"}, optional
        `render` gives a picture of the parts as they are then; None: there are none.
    size : tuple of int
        Of the picture, width and height in pixels.

    A step that the solver cannot do ends the episode as terminated, with ``info["message"]``, the observation before it and
    the reward `failed`; numbers that are not finite do the same: of the action, the sensors, the reward or `terminated`.

    ``reset(options={"set": {...}})`` changes values of the scene for one episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"]}

    _simulation: Simulation
    _start: State
    _values: dict[str, object]  # of the scene, that the simulation was made with
    _broken: bool  # a step failed: the simulation is of no use

    def __init__(
        self,
        scene: SceneSource,
        *,
        action: Mapping[str, tuple[Number, Number]],
        observation: Sequence[str],
        reward: Rule,
        terminated: Rule | None = None,
        period: Number = 0.02,
        limit: Number | None = None,
        randomise: Mapping[str, tuple[Number, Number]] | None = None,
        failed: float = 0.0,
        set: Mapping[str, object] | None = None,
        functions: Functions | None = None,
        render_mode: str | None = None,
        size: tuple[int, int] = (640, 480),
    ) -> None:
        problems = Problems()
        with problems:
            if render_mode not in (None, "rgb_array"):
                raise ValueError(f'render_mode: "rgb_array" or None, not {render_mode!r}')
        self.render_mode = render_mode
        self._size = size
        self._scene = scene.copy() if isinstance(scene, Scene) else scene
        self._set = dict(set or {})
        self._functions = functions
        self._begin(self._set)
        self._task = Task(
            action,
            observation,
            period=period,
            limit=limit,
            randomise=randomise,
            failed=failed,
            sizes=lambda inputs, reads: self._simulation.connect(list(inputs), list(reads)),
            document=Source(self._scene, self._set, self._functions).document(),
            problems=problems,
        )
        self.columns = self._task.columns
        with problems:
            self._task.try_randomised(Source(self._scene, self._set, self._functions))
        if self._task.connected:
            with problems:
                self._reward = self._rule(reward)
            with problems:
                self._terminated = self._rule(terminated) if terminated is not None else None
        problems.throw()
        self.action_space, self.observation_space = self._task.spaces()
        self.metadata = {**type(self).metadata, "render_fps": 1 / self._task.period}

    @property
    def simulation(self) -> Simulation:
        """The one that the episode is in."""
        return self._simulation

    def _rule(self, rule: Rule) -> Callable[[Array], float]:
        if callable(rule):
            return lambda _: float(rule(self._simulation))
        formula = _core.Formula(rule, self.columns)
        return lambda seen: formula.value(self._simulation.t, seen.tolist())

    def _begin(self, values: Mapping[str, object]) -> None:
        """A new simulation where the values are others than before, else the start of this one again."""
        if hasattr(self, "_start") and values == self._values and not self._broken:
            self._simulation.restore(self._start)
        else:
            self._simulation = Simulation(self._scene, set=values, functions=self._functions)
            while not self._simulation.finished and not self._simulation.moving:
                self._simulation.step()
            self._start, self._values, self._broken = self._simulation.save(), dict(values), False
            if hasattr(self, "_task"):
                self._simulation.connect(self._task.actions, self._task.observation)
        self._count, self._from = 0, self._simulation.t

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = {path: float(self.np_random.uniform(low, high)) for path, (low, high) in self._task.randomise.items()}
        self._begin({**self._set, **drawn, **(options or {}).get("set", {})})
        self._seen = self._simulation.see()
        return self._seen.copy(), {"t": self._simulation.t}

    def step(self, action: NDArray[Any]) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        sim = self._simulation
        count = self._count + 1
        values = self._task.inputs(np.asarray(action, dtype=float).ravel())
        if np.isnan(values).any():
            return self._fail(NO_NUMBER["action"])
        try:
            seen = sim.act(values, self._from + count * self._task.period)
        except SolverError as error:
            return self._fail(str(error))
        self._count = count
        if not np.isfinite(seen).all():
            return self._fail(NO_NUMBER["sensor"])
        reward = self._reward(seen)
        if not np.isfinite(reward):
            return self._fail(NO_NUMBER["reward"])
        rule = 0.0 if self._terminated is None else self._terminated(seen)
        if np.isnan(rule):
            return self._fail(NO_NUMBER["terminated"])
        self._seen = seen
        ended = bool(rule)
        t = sim.t
        end = sim.end_time if self._task.limit is None else self._task.limit
        over = sim.finished or t >= end - 1e-9 * self._task.period
        return seen.copy(), reward, ended, over and not ended, {"t": t}

    def render(self) -> NDArray[np.uint8] | None:
        """The parts as they are now, (height, width, 3); None where `render_mode` is None."""
        return None if self.render_mode is None else self._simulation.picture(self._size)

    def _fail(self, message: str) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        self._broken = True
        return self._seen.copy(), self._task.failed, True, False, {"t": self._simulation.t, "message": message}


def make(scene: SceneSource, **arguments: Any) -> FlexuraEnv:
    """The same as `FlexuraEnv`."""
    return FlexuraEnv(scene, **arguments)
