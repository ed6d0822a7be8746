"""Proximal policy optimisation in NumPy, for vector environments of gymnasium: what learn_to_hold.py learns with.

    L = E[min(r A, clip(r, 1 - ε, 1 + ε) A)] - ½ E[(V(s) - R)²],      r = π(a|s)/π_old(a|s)     Schulman et al. 2017, eq. 7, 9
    A_t = Σ_k (γ λ)^k δ_{t+k},  δ_t = r_t + γ V(s_{t+1}) - V(s_t),    R = A + V                  Schulman et al. 2016, eq. 16

π is normal, its mean a network of two hidden layers of tanh and its deviation a number for each action; V is another network.
Larger networks and other methods are in libraries that take environments of gymnasium.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]


class Environment(Protocol):
    """Of a vector environment what learning needs: all its episodes begin together."""

    @property
    def num_envs(self) -> int: ...
    def reset(self, *, seed: int | None = None) -> tuple[Numbers, dict[str, Any]]: ...
    def step(self, actions: NDArray[Any]) -> tuple[Numbers, Any, Any, Any, dict[str, Any]]: ...


class Network:
    """Layers of tanh and a linear one; weights and biases lie in `numbers`, which others may change."""

    def __init__(self, sizes: list[int], rng: np.random.Generator, last: float = 1.0) -> None:
        shapes = list(zip(sizes, sizes[1:], strict=False))
        self.numbers = np.zeros(sum((n + 1) * m for n, m in shapes))
        self.weights = self.split(self.numbers, shapes)
        for k, (w, _) in enumerate(self.weights):  # orthogonal: a layer neither swells nor shrinks what passes
            q, r = np.linalg.qr(rng.standard_normal((max(w.shape), min(w.shape))))
            q = q * np.sign(np.diag(r))
            w[:] = (q if w.shape[0] >= w.shape[1] else q.T) * (last if k == len(shapes) - 1 else np.sqrt(2))
        self.shapes = shapes

    @staticmethod
    def split(numbers: Numbers, shapes: list[tuple[int, int]]) -> list[tuple[Numbers, Numbers]]:
        parts, at = [], 0
        for n, m in shapes:
            parts.append((numbers[at : at + n * m].reshape(n, m), numbers[at + n * m : at + (n + 1) * m]))
            at += (n + 1) * m
        return parts

    def forward(self, x: Numbers) -> list[Numbers]:
        """What each layer hands on, (sample, number) each; the last is the answer."""
        passed = [x]
        for k, (w, b) in enumerate(self.weights):
            z = passed[-1] @ w + b
            passed.append(np.tanh(z) if k < len(self.weights) - 1 else z)
        return passed

    def backward(self, passed: list[Numbers], slope: Numbers) -> Numbers:
        """Gradient of a loss by `numbers`, from its slopes by the answers (sample, number)."""
        gradient = np.zeros_like(self.numbers)
        for k in reversed(range(len(self.weights))):
            (w, _), (dw, db) = self.weights[k], self.split(gradient, self.shapes)[k]
            dw[:], db[:] = passed[k].T @ slope, slope.sum(axis=0)
            slope = (slope @ w.T) * (1 - passed[k] ** 2)
        return gradient


class Adam:
    """Kingma and Ba 2015, algorithm 1; a gradient longer than `most` is cut to that."""

    def __init__(self, size: int, most: float = 0.5) -> None:
        self.m, self.v, self.t, self.most = np.zeros(size), np.zeros(size), 0, most

    def step(self, gradient: Numbers, rate: float) -> Numbers:
        g = gradient * min(1.0, self.most / (float(np.linalg.norm(gradient)) + 1e-12))
        self.t += 1
        self.m += 0.1 * (g - self.m)
        self.v += 0.001 * (g * g - self.v)
        step: Numbers = rate * (self.m / (1 - 0.9**self.t)) / (np.sqrt(self.v / (1 - 0.999**self.t)) + 1e-8)
        return step


@dataclass
class Samples:
    """What was seen, done and got, (sample, …): of steps that belong to an episode alone."""

    seen: Numbers
    actions: Numbers
    log_p: Numbers
    advantages: Numbers
    returns: Numbers


class Learner:
    """A policy and what it takes to better it."""

    def __init__(self, seen: int, actions: int, *, seed: int = 0, hidden: int = 64, deviation: float = 0.5) -> None:
        self.rng = np.random.default_rng(seed)
        self.mean = Network([seen, hidden, hidden, actions], self.rng, last=0.01)
        self.value = Network([seen, hidden, hidden, 1], self.rng)
        self.log_deviation = np.full(actions, np.log(deviation))
        self._adams = [Adam(len(x)) for x in (self.mean.numbers, self.value.numbers, self.log_deviation)]

    def act(self, seen: Numbers) -> Numbers:
        """The policy's mean, (env, action)."""
        return self.mean.forward(seen)[-1]

    def log_p(self, actions: Numbers, mean: Numbers) -> Numbers:
        z = (actions - mean) / np.exp(self.log_deviation)
        p: Numbers = -0.5 * np.sum(z * z + np.log(2 * np.pi), axis=1) - self.log_deviation.sum()
        return p

    def episode(
        self, env: Environment, steps: int, *, seed: int | None, discount: float, trace: float
    ) -> tuple[Samples, float]:
        """Episodes of all environments by the policy as it is, and their mean sum of rewards."""
        seen, _ = env.reset(seed=seed)
        count, alive = env.num_envs, np.ones(env.num_envs, dtype=bool)
        shape = (steps, count)
        all_seen, live = np.zeros((steps + 1, *seen.shape)), np.zeros(shape, dtype=bool)
        actions, log_p = np.zeros((steps, count, len(self.log_deviation))), np.zeros(shape)
        rewards, ended = np.zeros(shape), np.zeros(shape, dtype=bool)
        for t in range(steps):
            mean = self.act(seen)
            actions[t] = mean + np.exp(self.log_deviation) * self.rng.standard_normal(mean.shape)
            log_p[t], all_seen[t], live[t] = self.log_p(actions[t], mean), seen, alive
            seen, rewards[t], terminated, truncated, _ = env.step(actions[t])
            ended[t] = terminated
            alive = alive & ~terminated & ~truncated
        all_seen[steps] = seen
        values = self.value.forward(all_seen.reshape(-1, seen.shape[1]))[-1].reshape(steps + 1, count)
        advantages, ahead = np.zeros(shape), np.zeros(count)
        for t in reversed(range(steps)):
            delta = rewards[t] + discount * values[t + 1] * ~ended[t] - values[t]
            ahead = advantages[t] = delta + discount * trace * ahead * (live[t + 1] if t + 1 < steps else False)
        returns = advantages + values[:-1]
        kept = live.ravel()

        def flat(x: Numbers) -> Numbers:
            return x.reshape(steps * count, *x.shape[2:])[kept]

        samples = Samples(flat(all_seen[:-1]), flat(actions), flat(log_p), flat(advantages), flat(returns))
        return samples, float((rewards * live).sum(axis=0).mean())

    def gradients(self, s: Samples, clip: float, entropy: float) -> tuple[Numbers, Numbers, Numbers, float]:
        """Of the loss by the numbers of the mean, of the value and by log σ; and the loss, without its value's part."""
        n, sigma = len(s.log_p), np.exp(self.log_deviation)
        passed = self.mean.forward(s.seen)
        z = (s.actions - passed[-1]) / sigma
        ratio = np.exp(self.log_p(s.actions, passed[-1]) - s.log_p)
        held = np.clip(ratio, 1 - clip, 1 + clip)
        free = ratio * s.advantages <= held * s.advantages
        loss = -np.mean(np.minimum(ratio * s.advantages, held * s.advantages)) - entropy * self.log_deviation.sum()
        by_log_p = np.where(free, -s.advantages * ratio, 0.0)[:, None] / n
        by_mean = self.mean.backward(passed, by_log_p * z / sigma)
        by_deviation = np.sum(by_log_p * (z * z - 1), axis=0) - entropy
        judged = self.value.forward(s.seen)
        by_value = self.value.backward(judged, (judged[-1] - s.returns[:, None]) / n)
        return by_mean, by_value, by_deviation, float(loss)

    def improve(
        self, s: Samples, *, rate: float, epochs: int = 8, batch: int = 1024, clip: float = 0.2, entropy: float = 1e-3
    ) -> None:
        """Several passes over the samples, in batches drawn anew for each."""
        a = (s.advantages - s.advantages.mean()) / (s.advantages.std() + 1e-8)
        numbers = (self.mean.numbers, self.value.numbers, self.log_deviation)
        for _ in range(epochs):
            order = self.rng.permutation(len(a))
            for k in range(0, len(a) - len(a) % min(batch, len(a)), batch):
                i = order[k : k + batch]
                part = Samples(s.seen[i], s.actions[i], s.log_p[i], a[i], s.returns[i])
                for x, g, adam in zip(numbers, self.gradients(part, clip, entropy)[:3], self._adams, strict=True):
                    x -= adam.step(g, rate)


def learn(
    env: Environment,
    learner: Learner,
    *,
    steps: int,
    rounds: int,
    rate: float = 1e-3,
    discount: float = 0.97,
    trace: float = 0.95,
    seed: int = 0,
    tell: Callable[[int, float], object] | None = None,
) -> list[float]:
    """Rounds of an episode in each environment and what is learnt from it; the step's size goes down to a tenth.

    Returns
    -------
    list of float
        Mean sum of rewards of each round's episodes, noise of the policy included.
    """
    history = []
    for k in range(rounds):
        samples, total = learner.episode(env, steps, seed=seed + k * env.num_envs, discount=discount, trace=trace)
        learner.improve(samples, rate=rate * (1 - 0.9 * k / max(1, rounds - 1)))
        history.append(total)
        if tell is not None:
            tell(k, total)
    return history
