"""Environments of gymnasium."""

import warnings

import numpy as np
import pytest
from conftest import FAILING, PUSHED

import flexura

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import flexura.gym  # noqa: E402

ARGUMENTS = {
    "action": {"push": ("-20 mN", 0.02)},
    "observation": ["tip", "bend", "push"],
    "reward": "-abs(signal(tip.y) + 0.1)",
    "period": "5 ms",
}


def test_the_checker_of_gymnasium_is_content():
    env = flexura.gym.make(PUSHED, **ARGUMENTS, randomise={"section.cord.rhoA": (0.05, 0.2)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # bounds of what sensors read are not known
        check_env(env, skip_render_check=True)
    assert env.columns == ["tip.x", "tip.y", "bend", "push"]


def test_an_episode_is_a_simulation():
    env = flexura.gym.make(PUSHED, **ARGUMENTS)
    seen, _ = env.reset(seed=1)
    sim = flexura.Simulation(PUSHED)
    np.testing.assert_array_equal(seen, [*sim["tip"], sim["bend"], 0.0])
    for k in range(20):
        seen, reward, terminated, truncated, info = env.step(np.array([1.0]))
        sim.set("push", 0.02)
        sim.run_until(5e-3 * (k + 1))
        np.testing.assert_array_equal(seen, [*sim["tip"], sim["bend"], 0.02])
        assert reward == -abs(seen[1] + 0.1) and not terminated and truncated == (k == 19)
        assert info["t"] == pytest.approx(5e-3 * (k + 1))
    again, _ = env.reset()
    assert again[1] == flexura.Simulation(PUSHED)["tip"][1]


def test_statics_come_before_an_episode():
    scene = PUSHED.replace("[[analysis]]", '[[analysis]]\nname = "hang"\ntype = "static"\n[[analysis]]', 1)
    env = flexura.gym.make(scene, **ARGUMENTS)
    for _ in range(2):
        seen, _ = env.reset()
        np.testing.assert_allclose(seen[:3], [0, -0.2, -np.pi / 2], atol=1e-3)
        assert [env.step(np.array([0.0]))[3] for _ in range(20)] == [False] * 19 + [True]
    limited = flexura.gym.make(scene, **ARGUMENTS, limit="10 ms")
    limited.reset()
    assert [limited.step(np.array([0.0]))[3] for _ in range(2)] == [False, True]


def test_parameters_are_drawn_by_the_seed():
    env = flexura.gym.make(PUSHED, **ARGUMENTS, randomise={"section.cord.rhoA": (0.05, 0.2)})

    def end(**reset):
        env.reset(**reset)
        for _ in range(5):
            seen = env.step(np.array([0.5]))[0]
        return seen

    first = end(seed=3)
    assert (end() != first).any() and (end(seed=3) == first).all()
    fixed = end(seed=3, options={"set": {"section.cord.rhoA": 0.1}})
    assert (end(seed=4, options={"set": {"section.cord.rhoA": 0.1}}) == fixed).all() and (fixed != first).any()


def test_rules_may_be_functions_and_end_an_episode():
    env = flexura.gym.make(
        PUSHED, **{**ARGUMENTS, "reward": lambda sim: float(sim["tip"][0])}, terminated="signal(tip.y) < -0.01"
    )
    env.reset()
    for _ in range(20):
        seen, reward, terminated, truncated, _ = env.step(np.array([0.0]))
        assert reward == seen[0] and terminated == (seen[1] < -0.01)
        if terminated:
            assert not truncated
            return
    pytest.fail("it falls by more than 10 mm in 0.1 s")


def test_a_solver_that_fails_ends_the_episode():
    scene = (
        FAILING
        + '[signal.push]\ntype = "input"\n[load.push]\ntype = "force"\nat = "cord.end"\nforce = [0, 1]\nsignal = "push"\n'
    )
    env = flexura.gym.make(scene, **{**ARGUMENTS, "period": "0.1 s"}, failed=-7.0)
    for _ in range(2):
        before, _ = env.reset()
        seen, reward, terminated, truncated, info = env.step(np.array([0.0]))
        assert terminated and not truncated and reward == -7 and "converge" in info["message"]
        assert np.isfinite(seen).all() and (seen == before).all()


def test_what_is_asked_wrong_is_told():
    with pytest.raises(KeyError, match="push"):
        flexura.gym.make(PUSHED, **{**ARGUMENTS, "action": {"pusj": (0, 1)}})
    with pytest.raises(ValueError, match="from the lower to the higher"):
        flexura.gym.make(PUSHED, **{**ARGUMENTS, "action": {"push": (1, 0)}})
    with pytest.raises(ValueError, match="there is no 'tip.z'"):
        flexura.gym.make(PUSHED, **{**ARGUMENTS, "reward": "signal(tip.z)"})
    with pytest.raises(ValueError, match="no number with a unit"):
        flexura.gym.make(PUSHED, **{**ARGUMENTS, "period": "fast"})


@pytest.mark.parametrize("threads", [1, 2])
def test_a_vector_is_its_environments(threads):
    vector = flexura.gym.FlexuraVectorEnv(PUSHED, 3, threads=threads, **ARGUMENTS)
    assert vector.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.NEXT_STEP
    single = flexura.gym.make(PUSHED, **ARGUMENTS)
    seen, _ = vector.reset(seed=5)
    alone, _ = single.reset(seed=5)
    assert seen.shape == (3, 4) and vector.observation_space.contains(seen)
    actions = np.array([[-1.0], [0.25], [1.0]], dtype=np.float32)
    for _ in range(20):
        seen, rewards, terminated, truncated, infos = vector.step(actions)
        alone, reward, *_ = single.step(actions[1])
        np.testing.assert_array_equal(seen[1], alone)
        assert rewards[1] == reward and infos["t"].shape == (3,)
    assert truncated.all() and not terminated.any()
    seen, rewards, terminated, truncated, _ = vector.step(actions)
    np.testing.assert_array_equal(seen[1], single.reset()[0])
    assert not rewards.any() and not truncated.any()
    vector.close()
