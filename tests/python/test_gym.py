"""Environments of gymnasium."""

import warnings

import numpy as np
import pytest
from conftest import FAILING, PUSHED, ROOT

import flexura

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import flexura.gym  # noqa: E402
from flexura import _core  # noqa: E402
from flexura._source import Source  # noqa: E402

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


def test_pictures_of_episodes():
    env = flexura.gym.make(PUSHED, **ARGUMENTS, render_mode="rgb_array", size=(160, 120))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env)
    assert env.metadata["render_fps"] == pytest.approx(200)
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (120, 160, 3) and first.dtype == np.uint8
    assert 20 < (first < 200).any(axis=2).sum() < 160 * 120 / 2  # a cord on white paper
    for _ in range(3):
        env.step([1.0])
    moved = env.render()
    assert (moved != first).any() and moved.flags.owndata is False and (env.render() == moved).all()
    env.reset(seed=1)
    np.testing.assert_array_equal(env.render(), first)
    np.testing.assert_array_equal(env.simulation.picture((160, 120)), first)


def test_pictures_are_not_drawn_unasked():
    env = flexura.gym.make(PUSHED, **ARGUMENTS)
    env.reset(seed=1)
    assert env.render_mode is None and env.render() is None
    with pytest.raises(ValueError, match='render_mode: "rgb_array" or None'):
        flexura.gym.make(PUSHED, **ARGUMENTS, render_mode="human")
    with pytest.raises(ValueError, match="1 to 8192 pixels"):
        env.simulation.picture((0, 10))


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


def test_all_that_is_wrong_is_told_at_once():
    wrong = {
        **ARGUMENTS,
        "action": {"pusj": (1, 0)},
        "observation": ["tipp", "tip"],
        "period": -1,
        "randomise": {"section.cordd.EI": (1, 2), "section.cord.rhoA": (-1, 1)},
    }
    for make in (flexura.gym.make, lambda scene, **given: flexura.gym.FlexuraVectorEnv(scene, 2, **given)):
        with pytest.raises(ValueError) as error:
            make(PUSHED, **wrong)
        for said in ("pusj", "tipp", "period", "from the lower to the higher", "section.cordd", "section.cord.rhoA"):
            assert said in str(error.value), said
        with pytest.raises(ValueError) as error:
            make(PUSHED, **{**ARGUMENTS, "reward": "signal(tip.z)", "terminated": "1 +"})
        assert "tip.z" in str(error.value) and "2 errors" in str(error.value)


def test_a_place_of_a_list_is_drawn():
    env = flexura.gym.make(PUSHED, **{**ARGUMENTS, "randomise": {"cable.cord.path[1][0]": (0.4, 0.6)}})
    env.reset(seed=1)
    first = env.simulation.sensor("tip")[0]
    env.reset(seed=2)
    assert 0.39 < first < 0.61 and env.simulation.sensor("tip")[0] != first


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


def episodes(env, actions, seed):
    """All that a vector gives."""
    given = [env.reset(seed=seed)]
    for action in actions:
        if env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.DISABLED and len(given) > 1:
            ended = given[-1][2] | given[-1][3]
            if ended.any():
                given.append(env.reset(options={"reset_mask": ended}))
        given.append(env.step(action))
    return given


def assert_same(a, b):
    """Infos too, where their masks say that there is something."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            if f"_{key}" in a and not isinstance(a[key], dict):
                assert (a[f"_{key}"] == b[f"_{key}"]).all()
                chosen = a[f"_{key}"]
                for x, y in zip(a[key][chosen], b[key][chosen], strict=True):
                    np.testing.assert_array_equal(x, y)
            else:
                assert_same(a[key], b[key])
    elif isinstance(a, tuple):
        for x, y in zip(a, b, strict=True):
            assert_same(x, y)
    else:
        np.testing.assert_array_equal(a, b)


HANGING = PUSHED.replace("[[analysis]]", '[[analysis]]\nname = "hang"\ntype = "static"\n[[analysis]]', 1)


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
@pytest.mark.parametrize(("scene", "lanes"), [(PUSHED, True), (PUSHED, False), (HANGING, True)])
def test_a_vector_is_gymnasiums_own_of_single_environments(mode, scene, lanes):
    # Episodes that end at 0.1 s or where the tip falls too low, each with a cord of its own: at different times.
    arguments = {
        **ARGUMENTS,
        "terminated": "signal(tip.y) < -0.03" if scene == PUSHED else "abs(signal(push)) > 0.019",
        "randomise": {"section.cord.rhoA": (0.05, 0.2)},
    }
    count = 11
    own = flexura.gym.FlexuraVectorEnv(scene, count, threads=2, lanes=lanes, autoreset=mode, **arguments)
    makers = [lambda: flexura.gym.FlexuraEnv(scene, **arguments)] * count
    reference = gymnasium.vector.SyncVectorEnv(makers, autoreset_mode=mode)
    assert own.metadata["autoreset_mode"] is mode and own.num_envs == count
    assert own.observation_space == reference.observation_space and own.action_space == reference.action_space
    rng = np.random.default_rng(4)
    actions = rng.uniform(-1.5, 1.5, (30, count, 1)).astype(np.float32)
    given, expected = episodes(own, actions, 7), episodes(reference, actions, 7)
    ends = [step[2].sum() + 1j * step[3].sum() for step in given if len(step) == 5]
    assert sum(ends).real > 0 and (scene == HANGING or sum(ends).real > count)  # some end early
    assert len(given) == len(expected)
    for a, b in zip(given, expected, strict=True):
        assert_same(a, b)
    # Again by the same seeds, to the last bit.
    for a, b in zip(episodes(own, actions, 7), given, strict=True):
        assert_same(a, b)
    own.close()


def test_a_vector_tells_of_solvers_that_fail():
    scene = (
        FAILING
        + '[signal.push]\ntype = "input"\n[load.push]\ntype = "force"\nat = "cord.end"\nforce = [0, 1]\nsignal = "push"\n'
    )
    arguments = {**ARGUMENTS, "period": "0.1 s", "failed": -7.0}
    own = flexura.gym.FlexuraVectorEnv(scene, 5, **arguments)
    reference = gymnasium.vector.SyncVectorEnv([lambda: flexura.gym.FlexuraEnv(scene, **arguments)] * 5)
    actions = np.zeros((3, 5, 1), dtype=np.float32)
    for a, b in zip(episodes(own, actions, 1), episodes(reference, actions, 1), strict=True):
        assert_same(a, b)


def test_what_is_asked_wrong_of_a_vector_is_told():
    vector = flexura.gym.FlexuraVectorEnv
    with pytest.raises(TypeError, match="a formula"):
        vector(PUSHED, 2, **{**ARGUMENTS, "reward": lambda sim: 0.0})
    with pytest.raises(KeyError, match="pusj"):
        vector(PUSHED, 2, **{**ARGUMENTS, "action": {"pusj": (0, 1)}})
    with pytest.raises(ValueError, match="there is no 'tip.z'"):
        vector(PUSHED, 2, **{**ARGUMENTS, "reward": "signal(tip.z)"})
    with pytest.raises(ValueError, match="count"):
        vector(PUSHED, 0, **ARGUMENTS)
    env = vector(PUSHED, 2, **ARGUMENTS)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros((2, 1)))
    with pytest.raises(ValueError, match="one for each of 2"):
        env.reset(seed=[1])
    with pytest.raises(flexura.SceneError, match="section.cord.rhoA"):
        env.reset(options={"set": {"section.cord.rhoA": -1.0}})
    assert env.reset(seed=1)[0].shape == (2, 4)


def test_a_vector_goes_on_after_settings_that_are_wrong():
    env = flexura.gym.FlexuraVectorEnv(PUSHED, 2, **ARGUMENTS)
    single = flexura.gym.make(PUSHED, **ARGUMENTS)
    env.reset()
    single.reset()
    action = np.array([0.5])
    for _ in range(3):
        with pytest.raises(flexura.SceneError, match="section.cord.rhoA"):
            env.reset(options={"set": {"section.cord.rhoA": -1.0}})
        np.testing.assert_array_equal(env.step(np.array([action, action]))[0], [single.step(action)[0]] * 2)


def test_members_that_have_not_begun_are_refused():
    ensemble = _core.Ensemble(Source(PUSHED, {}).document(), 2, 1, True)
    ensemble.observe(["tip"])
    ensemble.act_on(["push"])
    ensemble.begin([1], [[]])
    ensemble.step(np.zeros((2, 1)), np.array([np.nan, 5e-3]))
    for ask in (
        lambda: ensemble.step(np.zeros((2, 1)), np.array([5e-3, 5e-3])),
        lambda: ensemble.read([0, 1]),
        lambda: ensemble.read([2]),
        lambda: ensemble.message(0),
    ):
        with pytest.raises(ValueError, match="has not begun"):
            ask()
    assert ensemble.read([1]).shape == (1, 2)


@pytest.mark.parametrize("lanes", [True, False])
def test_an_action_that_is_no_number_ends_its_own_episode_alone(lanes):
    env = flexura.gym.make(PUSHED, **ARGUMENTS, failed=-5.0)
    vector = flexura.gym.FlexuraVectorEnv(PUSHED, 3, **ARGUMENTS, failed=-5.0, lanes=lanes)
    before, _ = env.reset(seed=1)
    first, _ = vector.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(np.array([np.nan]))
    assert (reward, terminated, truncated, info["t"]) == (-5.0, True, False, 0.0)
    assert info["message"] == "an action is not a number"
    np.testing.assert_array_equal(seen, before)
    seen, rewards, terminated, truncated, infos = vector.step(np.array([[0.0], [np.nan], [0.5]]))
    assert terminated.tolist() == [False, True, False] and not truncated.any()
    assert rewards[1] == -5.0 and infos["message"][1] == "an action is not a number"
    np.testing.assert_array_equal(seen[1], first[1])
    assert infos["t"] == pytest.approx([5e-3, 0, 5e-3])
    alone = flexura.gym.make(PUSHED, **ARGUMENTS)
    alone.reset()
    np.testing.assert_array_equal(seen[2], alone.step(np.array([0.5]))[0])
    assert vector.step(np.zeros((3, 1)))[-1]["t"] == pytest.approx([10e-3, 0, 10e-3])  # the second begins again
    assert vector.step(np.zeros((3, 1)))[-1]["t"] == pytest.approx([15e-3, 5e-3, 15e-3])


OSCILLATOR = ROOT / "tests/cases/bridges/osc.toml"
NO_REWARD = {
    "action": {"u": (-1, 1)},
    "observation": ["x"],
    "period": 0.1,
    "failed": -5.0,
}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"reward": "sqrt(signal(x.x) - 1)"}, "the reward is no finite number"),
        ({"reward": "1 / (signal(x.x) - signal(x.x))"}, "the reward is no finite number"),
        ({"reward": "log(signal(x.x) - 1)"}, "the reward is no finite number"),
        ({"reward": "0", "terminated": "sqrt(signal(x.x) - 1)"}, "the rule `terminated` gives no number"),
    ],
)
def test_rules_that_are_no_numbers_end_the_episode(rules, message):
    env = flexura.gym.FlexuraEnv(OSCILLATOR, **NO_REWARD, **rules)
    before, _ = env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(np.zeros(1, np.float32))
    assert (reward, terminated, truncated, info["message"]) == (-5.0, True, False, message)
    np.testing.assert_array_equal(seen, before)
    vector = flexura.gym.FlexuraVectorEnv(OSCILLATOR, 2, **NO_REWARD, **rules)
    vector.reset(seed=1)
    seen, rewards, terminated, truncated, infos = vector.step(np.zeros((2, 1), np.float32))
    assert rewards.tolist() == [-5.0, -5.0] and terminated.all() and not truncated.any()
    assert infos["message"].tolist() == [message] * 2
    np.testing.assert_array_equal(seen, [before] * 2)


def test_a_reward_of_python_that_is_no_number_ends_the_episode():
    env = flexura.gym.FlexuraEnv(OSCILLATOR, **NO_REWARD, reward=lambda sim: float("nan"))
    env.reset()
    assert env.step(np.zeros(1))[1:3] == (-5.0, True)


PUMPED = ROOT / "tests/cases/units/units_of_inputs_scene.toml"


def test_bounds_have_the_units_of_what_they_bound():
    """The input is a pressure, the drawn value a mass, the period a time."""
    right = {
        "action": {"pump": ("0 kPa", "0.6 bar")},
        "observation": ["tip"],
        "reward": "0",
        "period": "20 ms",
        "randomise": {"mass.tip.m": ("5 g", "0.01 kg")},
    }
    for make in (flexura.gym.FlexuraEnv, lambda *a, **k: flexura.gym.FlexuraVectorEnv(a[0], 2, **k)):
        make(PUMPED, **right).reset(seed=1)
        for key, wrong in [
            ("action", {"pump": ("0 mm", "60 mm")}),
            ("action", {"pump": ("0 kPa", "60 mm")}),
            ("randomise", {"mass.tip.m": ("5 mm", "10 mm")}),
            ("randomise", {"signal.pump.value": ("5 mm", "10 mm")}),
            ("period", "20 mm"),
            ("limit", "1 kPa"),
        ]:
            with pytest.raises(ValueError, match="has the wrong dimension"):
                make(PUMPED, **{**right, key: wrong})


def test_inputs_that_are_written_in_place_go_by_their_load():
    scene = PUSHED.replace('[signal.push]\ntype = "input"\nvalue = 0.0\n', "")
    scene = scene.replace("[load.tip]", "[load.push]").replace('signal = "push"', 'signal = { type = "input" }')
    env = flexura.gym.make(scene, **ARGUMENTS)
    vector = flexura.gym.FlexuraVectorEnv(scene, 2, **ARGUMENTS)
    env.reset()
    vector.reset()
    seen = env.step(np.array([0.5]))[0]
    assert seen[3] == pytest.approx(0.01)
    np.testing.assert_array_equal(vector.step(np.full((2, 1), 0.5))[0], [seen] * 2)
    with pytest.raises(KeyError, match='nearest: "load.push.signal"'):
        flexura.gym.FlexuraVectorEnv(scene, 2, **{**ARGUMENTS, "action": {"load.push.signl": (0, 1)}})
