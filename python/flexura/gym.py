"""Scenes as environments of gymnasium, which is not installed with flexura: ``pip install flexura[gym]``.

import flexura.gym
env = flexura.gym.FlexuraEnv("arm.toml", action={"pump": ("0 kPa", "60 kPa")}, observation=["tip", "bend"],
                             reward="-abs(signal(tip.y) - 0.02)", period="20 ms")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _core
from ._source import Functions, SceneSource
from .errors import SolverError
from .scene import Scene
from .simulation import Simulation, State

__all__ = ["FlexuraEnv", "FlexuraVectorEnv", "make"]

Array = NDArray[np.float64]
Number = float | str
Rule = str | Callable[[Simulation], float]


def _number(given: Number) -> float:
    return _core.quantity(given) if isinstance(given, str) else float(given)


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

    A step that the solver cannot do ends the episode as terminated, with ``info["message"]``, the observation before it and
    the reward `failed`; numbers that are not finite do the same.

    ``reset(options={"set": {...}})`` changes values of the scene for one episode.
    """

    metadata: dict[str, Any] = {"render_modes": []}

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
        randomise: Mapping[str, tuple[float, float]] | None = None,
        failed: float = 0.0,
        set: Mapping[str, object] | None = None,
        functions: Functions | None = None,
    ) -> None:
        self._scene = scene.copy() if isinstance(scene, Scene) else scene
        self._set = dict(set or {})
        self._functions = functions
        self._randomise = {path: (float(low), float(high)) for path, (low, high) in (randomise or {}).items()}
        self._failed = float(failed)
        self._period = _number(period)
        if not self._period > 0:
            raise ValueError(f"period: a time above 0 s, not {period!r}")
        self._begin(self._set)
        bounds = {name: (_number(low), _number(high)) for name, (low, high) in action.items()}
        for name, (low, high) in bounds.items():
            self._simulation.input(name)
            if not low < high:
                raise ValueError(f"action: bounds of {name!r} from the lower to the higher, not {action[name]!r}")
        self._inputs = list(bounds)
        self._low = np.array([low for low, _ in bounds.values()])
        self._high = np.array([high for _, high in bounds.values()])
        self._limit = None if limit is None else _number(limit)
        self.columns: list[str] = []
        self._reads: list[tuple[bool, str]] = []
        for name in observation:
            is_sensor = name in self._simulation.sensor_names
            self._reads.append((is_sensor, name))
            view = self._simulation.sensor(name) if is_sensor else np.asarray(self._simulation.input(name))
            axes = "xyz" if view.size <= 3 else range(view.size)
            self.columns += [name] if view.ndim == 0 else [f"{name}.{axes[k]}" for k in range(view.size)]
        self._reward = self._rule(reward)
        self._terminated = self._rule(terminated) if terminated is not None else None
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(bounds),), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (len(self.columns),), np.float64)

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
        self._count, self._from = 0, self._simulation.t

    def _see(self) -> Array:
        sim = self._simulation
        parts = [sim.sensor(name).ravel() if is_sensor else [sim.input(name)] for is_sensor, name in self._reads]
        return np.concatenate(parts).astype(np.float64) if parts else np.zeros(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        drawn = {path: float(self.np_random.uniform(low, high)) for path, (low, high) in self._randomise.items()}
        self._begin({**self._set, **drawn, **(options or {}).get("set", {})})
        self._seen = self._see()
        return self._seen.copy(), {"t": self._simulation.t}

    def step(self, action: NDArray[Any]) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        sim = self._simulation
        share = 0.5 * (np.clip(np.asarray(action, dtype=float).ravel(), -1, 1) + 1)
        for name, value in zip(self._inputs, (self._low + share * (self._high - self._low)).tolist(), strict=True):
            sim.set(name, value)
        self._count += 1
        ahead = self._from + self._count * self._period
        try:
            sim.run_until(ahead)
        except SolverError as error:
            return self._fail(str(error))
        seen = self._see()
        if not np.isfinite(seen).all():
            return self._fail("a sensor reads no finite number")
        self._seen = seen
        reward = self._reward(seen)
        ended = self._terminated is not None and bool(self._terminated(seen))
        end = sim.end_time if self._limit is None else self._limit
        over = sim.finished or sim.t >= end - 1e-9 * self._period
        return seen.copy(), float(reward), ended, over and not ended, {"t": sim.t}

    def _fail(self, message: str) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        self._broken = True
        return self._seen.copy(), self._failed, True, False, {"t": self._simulation.t, "message": message}


class FlexuraVectorEnv(VectorEnv[Array, NDArray[np.float32], NDArray[Any]]):
    """Many of a scene, stepped side by side; parameters as for `FlexuraEnv`.

    An episode that ended begins again with the next step, whose action is not used and whose reward is 0
    (``AutoresetMode.NEXT_STEP``).

    Parameters
    ----------
    count : int
    threads : int
        On which they are stepped: an engine's step frees the interpreter.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, scene: SceneSource, count: int, *, threads: int = 1, **arguments: Any) -> None:
        self.envs = [FlexuraEnv(scene, **arguments) for _ in range(count)]
        self.num_envs = count
        self.single_action_space = self.envs[0].action_space
        self.single_observation_space = self.envs[0].observation_space
        self.action_space = batch_space(self.single_action_space, count)
        self.observation_space = batch_space(self.single_observation_space, count)
        self._ended = np.zeros(count, dtype=bool)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._share = -(-count // threads)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        seeds = (
            [None if seed is None else seed + k for k in range(self.num_envs)] if not isinstance(seed, list) else seed
        )
        done = [env.reset(seed=s, options=options) for env, s in zip(self.envs, seeds, strict=True)]
        self._ended[:] = False
        infos: dict[str, Any] = {}
        for k, (_, info) in enumerate(done):
            infos = self._add_info(infos, info, k)
        return np.stack([seen for seen, _ in done]), infos

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[Array, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        def one(k: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
            if self._ended[k]:
                seen, info = self.envs[k].reset()
                return seen, 0.0, False, False, info
            return self.envs[k].step(actions[k])

        def some(first: int) -> list[tuple[Array, float, bool, bool, dict[str, Any]]]:
            return [one(k) for k in range(first, min(first + self._share, self.num_envs))]

        firsts = range(0, self.num_envs, self._share)
        parts = map(some, firsts) if self._pool is None else self._pool.map(some, firsts)
        done = [result for part in parts for result in part]
        seen, rewards, ended, over, told = zip(*done, strict=True)
        terminated, truncated = np.array(ended), np.array(over)
        self._ended = terminated | truncated
        infos: dict[str, Any] = {}
        for k, info in enumerate(told):
            infos = self._add_info(infos, info, k)
        return np.stack(seen), np.array(rewards), terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def make(scene: SceneSource, **arguments: Any) -> FlexuraEnv:
    """The same as `FlexuraEnv`."""
    return FlexuraEnv(scene, **arguments)
