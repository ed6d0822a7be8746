"""The learner of examples/learn_to_hold.py: its gradients, and a problem whose best policy is known."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
import ppo  # noqa: E402


class Line:
    """x' = x + 0.5 a + noise, reward -(x² + 0.1 a²): the best policy is a = -k x (Riccati)."""

    num_envs = 64

    def reset(self, *, seed=None):
        self._rng = np.random.default_rng(seed)
        self._x = self._rng.uniform(-1, 1, (self.num_envs, 1))
        return self._x.copy(), {}

    def step(self, actions):
        reward = -(self._x**2 + 0.1 * actions**2)[:, 0]
        self._x = self._x + 0.5 * actions + 0.05 * self._rng.standard_normal(self._x.shape)
        none = np.zeros(self.num_envs, dtype=bool)
        return self._x.copy(), reward, none, none, {}


def best_gain(discount):
    p = 1.0
    for _ in range(1000):
        k = discount * 0.5 * p / (0.1 + discount * 0.25 * p)
        p = 1 + 0.1 * k * k + discount * p * (1 - 0.5 * k) ** 2
    return k


def test_gradients_are_those_of_the_loss():
    rng = np.random.default_rng(1)
    learner = ppo.Learner(3, 2, seed=2, hidden=8)
    learner.mean.numbers[:] = 0.5 * rng.standard_normal(learner.mean.numbers.size)
    actions = learner.act(seen := rng.standard_normal((40, 3))) + 0.3 * rng.standard_normal((40, 2))
    log_p = learner.log_p(actions, learner.act(seen)) + 0.3 * rng.standard_normal(
        40
    )  # ratios within and beyond the clip
    samples = ppo.Samples(seen, actions, log_p, rng.standard_normal(40), rng.standard_normal(40))
    by_mean, by_value, by_deviation, _ = learner.gradients(samples, 0.2, 0.01)

    def value_loss():
        return 0.5 * np.mean((learner.value.forward(seen)[-1][:, 0] - samples.returns) ** 2)

    def policy_loss():
        return learner.gradients(samples, 0.2, 0.01)[3]

    for numbers, gradient, loss in [
        (learner.mean.numbers, by_mean, policy_loss),
        (learner.value.numbers, by_value, value_loss),
        (learner.log_deviation, by_deviation, policy_loss),
    ]:
        assert np.abs(gradient).max() > 1e-3
        for i in rng.choice(len(numbers), min(20, len(numbers)), replace=False):
            x, h = numbers[i], 1e-6
            numbers[i] = x + h
            above = loss()
            numbers[i] = x - h
            below = loss()
            numbers[i] = x
            # central differences: h² f'''/6 and 1e-16/h
            assert (above - below) / (2 * h) == pytest.approx(gradient[i], abs=2e-9)


def test_the_best_policy_of_a_linear_problem_is_found_and_again():
    def learnt():
        learner = ppo.Learner(1, 1, seed=3, hidden=16)
        rewards = ppo.learn(Line(), learner, steps=20, rounds=60, rate=3e-3, discount=0.9)
        return learner, rewards

    learner, rewards = learnt()
    assert np.mean(rewards[-5:]) > rewards[0] / 10  # measured: -17 to -23 at first, -0.91 to -0.94 at last
    x = np.linspace(-0.3, 0.3, 7)[:, None]  # 0.05 of noise stay within
    gain = -np.sum(learner.act(x) * x) / np.sum(x * x)
    assert gain == pytest.approx(best_gain(0.9), rel=0.15)  # measured with four seeds: within 0.08
    again, rewards_again = learnt()
    assert (again.mean.numbers == learner.mean.numbers).all() and rewards_again == rewards
