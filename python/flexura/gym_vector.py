"""Many environments side by side: `flexura.gym.FlexuraVectorEnv`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _core
from ._source import SceneSource, Source, settings_of
from .errors import SceneError
from .gym_task import NO_NUMBER, Array, Number, Problems, Task
from .scene import Scene

__all__ = ["FlexuraVectorEnv"]


class FlexuraVectorEnv(VectorEnv[Array, NDArray[np.float32], NDArray[Any]]):
    """Many of a scene, stepped together; parameters as for `FlexuraEnv`, rules being formulas.

    Environment k of a vector that is reset with a seed is `FlexuraEnv` reset with seed + k, bit for bit, on any number of threads. Those whose
    episodes begin together and whose scenes differ in numbers alone make their steps in lanes of one.

    An episode that ended begins again with the next step, whose action is not used and whose reward is 0
    (``AutoresetMode.NEXT_STEP``), or within the step in which it ended: the observation is then that of the new episode, and the last
    one is in ``infos["final_obs"]``, ``infos["final_info"]`` (``AutoresetMode.SAME_STEP``); or where
    ``reset(options={"reset_mask": ...})`` says so (``AutoresetMode.DISABLED``).

    Parameters
    ----------
    count : int
    threads : int
        That share the environments.
    autoreset : gymnasium.vector.AutoresetMode or str
    lanes : bool
        False: each by itself, for comparison.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        scene: SceneSource,
        count: int,
        *,
        action: Mapping[str, tuple[Number, Number]],
        observation: Sequence[str],
        reward: str,
        terminated: str | None = None,
        period: Number = 0.02,
        limit: Number | None = None,
        randomise: Mapping[str, tuple[Number, Number]] | None = None,
        failed: float = 0.0,
        set: Mapping[str, object] | None = None,
        threads: int = 1,
        lanes: bool = True,
        autoreset: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.num_envs = int(count)
        if self.num_envs < 1:
            raise ValueError(f"count: 1 or more, not {count}")
        self._mode = AutoresetMode(autoreset)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        self._source = Source(scene.copy() if isinstance(scene, Scene) else scene, set or {})
        if self._source.functions:
            raise TypeError(
                "a scene that calls functions of Python: gymnasium.vector.SyncVectorEnv of FlexuraEnv steps many"
            )
        self._ensemble = _core.Ensemble(self._source.document(), self.num_envs, int(threads), lanes)
        problems = Problems()
        self._task = Task(
            action,
            observation,
            period=period,
            limit=limit,
            randomise=randomise,
            failed=failed,
            sizes=self._connect,
            document=self._source.document(),
            problems=problems,
        )
        self.columns = self._task.columns
        with problems:
            self._task.try_randomised(self._source)
        if self._task.connected:
            with problems:
                self._reward = _core.Formula(_formula(reward, "reward"), self.columns)
            with problems:
                self._terminated = (
                    _core.Formula(_formula(terminated, "terminated"), self.columns) if terminated else None
                )
        problems.throw()
        self.single_action_space, self.single_observation_space = self._task.spaces()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._draws: list[np.random.Generator | None] = [None] * self.num_envs
        self._ended = np.ones(self.num_envs, dtype=bool)
        self._from = np.zeros(self.num_envs)
        self._count = np.zeros(self.num_envs, dtype=int)
        self._seen = np.zeros((self.num_envs, len(self.columns)))
        self._began = False

    def _connect(self, inputs: Sequence[str], observation: Sequence[str]) -> list[int]:
        self._ensemble.act_on(list(inputs))
        return list(self._ensemble.observe(list(observation)))

    def _settings(self, k: int, values: Mapping[str, object]) -> list[str]:
        """What differs from the scene in this episode, by the environment's own draws."""
        draws = self._draws[k]
        if draws is None:
            draws = self._draws[k] = gymnasium.utils.seeding.np_random(None)[0]
        drawn = {path: float(draws.uniform(low, high)) for path, (low, high) in self._task.randomise.items()}
        return [f"{path}={x!r}" for path, x in drawn.items() if path not in values] + settings_of(values)

    def _begin(self, members: Sequence[int], values: Mapping[str, object]) -> None:
        try:
            self._ensemble.begin(list(members), [self._settings(k, values) for k in members])
        except SceneError as error:
            raise self._source.reraise(error) from None
        chosen = np.asarray(members, dtype=int)
        self._from[chosen] = self._ensemble.where()[0][chosen]
        self._count[chosen] = 0
        self._ended[chosen] = False
        self._seen[chosen] = self._ensemble.read(list(members))

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """All environments, or those of ``options["reset_mask"]``; ``options["set"]`` as for `FlexuraEnv.reset`."""
        options = options or {}
        if seed is None:
            seeds: Sequence[int | None] = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + k for k in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: one for each of {self.num_envs} environments, not {len(seeds)}")
        mask = np.asarray(options.get("reset_mask", np.ones(self.num_envs)), dtype=bool)
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError("reset_mask: a truth value for each environment, one of them true")
        for k, one in enumerate(seeds):
            if one is not None and mask[k]:
                self._draws[k] = gymnasium.utils.seeding.np_random(one)[0]
        self._begin(np.flatnonzero(mask).tolist(), options.get("set", {}))
        self._began = True
        return self._seen.copy(), self._told(mask)

    def _told(self, mask: NDArray[np.bool_]) -> dict[str, Any]:
        return {"t": np.where(mask, self._ensemble.where()[0], 0.0), "_t": mask.copy()}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if not self._began:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        if self._mode is AutoresetMode.DISABLED and self._ended.any():
            raise gymnasium.error.ResetNeeded(
                "episodes have ended: reset(options={'reset_mask': ...}) begins them anew"
            )
        again = self._ended
        goes = ~again
        given = self._task.inputs(np.asarray(actions, dtype=float).reshape(self.num_envs, -1))
        wrong_action = goes & np.isnan(given).any(axis=1)
        moves = goes & ~wrong_action
        count = self._count + moves
        ahead = np.where(moves, self._from + count * self._task.period, np.nan)
        self._ensemble.step(np.nan_to_num(given), ahead)
        self._count = count
        now, all_seen = self._seen.copy(), self._seen
        all_seen[moves] = self._ensemble.read(np.flatnonzero(moves).tolist())
        times, states, ends = self._ensemble.where()
        reward = self._reward.values(times, all_seen)
        rule = np.zeros(self.num_envs) if self._terminated is None else self._terminated.values(times, all_seen)
        failures = {
            "action": wrong_action,
            "solver": moves & (states == 2),
            "sensor": moves & ~np.isfinite(all_seen).all(axis=1),
            "reward": moves & ~np.isfinite(reward),
            "terminated": moves & np.isnan(rule),
        }
        broken = np.logical_or.reduce(list(failures.values()))
        all_seen[broken] = now[broken]
        fine = goes & ~broken
        rewards = np.where(fine, reward, np.where(broken, self._task.failed, 0.0))
        terminated = broken | (fine & (rule != 0))
        end = ends if self._task.limit is None else self._task.limit
        over = (states != 0) | (times >= end - 1e-9 * self._task.period)
        truncated = fine & ~terminated & over
        told: dict[str, Any] = {}
        if broken.any():
            texts = [self._message(k, failures) if broken[k] else None for k in range(self.num_envs)]
            told = {"message": np.array(texts, dtype=object), "_message": broken}
        self._ended = terminated | truncated
        infos: dict[str, Any] = {"t": times, "_t": np.ones(self.num_envs, dtype=bool)}
        last = self._ended & (self._mode is AutoresetMode.SAME_STEP)
        if last.any():
            final = np.full(self.num_envs, None, dtype=object)
            for k in np.flatnonzero(last):
                final[k] = self._seen[k].copy()
            infos["final_obs"], infos["_final_obs"] = final, last
            infos["final_info"] = {"t": np.where(last, times, 0.0), "_t": last, **told}
            infos["_final_info"] = last
        else:
            infos |= told
        anew = last | again
        if anew.any():
            self._begin(np.flatnonzero(anew).tolist(), {})
            infos["t"] = np.where(anew, self._from, times)
        return self._seen.copy(), rewards, terminated, truncated, infos

    def _message(self, k: int, failures: Mapping[str, NDArray[np.bool_]]) -> str:
        first = next(what for what, where in failures.items() if where[k])
        return self._ensemble.message(k) if first == "solver" else NO_NUMBER[first]


def _formula(rule: str | Callable[..., float], what: str) -> str:
    if not isinstance(rule, str):
        raise TypeError(
            f"{what}: a formula, not {rule!r}: functions are for FlexuraEnv and gymnasium.vector.SyncVectorEnv"
        )
    return rule
