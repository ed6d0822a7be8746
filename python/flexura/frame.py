"""States of self-stress and mechanisms of a scene."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray


@dataclasses.dataclass(frozen=True)
class Mechanism:
    """A way in which nothing changes its length to first order.

    Attributes
    ----------
    kind : {"finite", "infinitesimal", "branching"}
        finite: no self-stress acts on it, it goes on to second order. infinitesimal: prestress stiffens it. branching:
        self-stress acts on it, but none stiffens all; paths may cross.
    moves : dict of arrays
        Of each slot that moves [m], of directions [1]; the largest move of a point is 1.
    parts : list of str
        Points, bodies and parts that move.
    """

    kind: Literal["finite", "infinitesimal", "branching"]
    moves: dict[str, NDArray[np.float64]]
    parts: list[str]


@dataclasses.dataclass(frozen=True)
class FrameStates:
    """What Maxwell and Calladine count: constraints + elastic members - coordinates = states of self-stress - mechanisms.

    Attributes
    ----------
    coordinates, constraints, elastic_members, rank : int
        Free coordinates; equations of constraints; elastic trusses; how many of both are independent.
    self_stress, mechanisms, rigid_body_motions : int
        Independent states, mechanisms, and motions of all as one body, which are not among the mechanisms.
    states : list of dict of float
        Of each state the forces by name, tension positive; the largest has size 1.
    motions : list of Mechanism
        Empty where there are too many, or parts that are elastic themselves.
    prestress : dict of float, optional
        What the tensions of the elastic members make of all forces [N], where they are a state of self-stress.
    prestress_stiffens : bool
        Whether they stiffen every mechanism that is not finite.
    remarks : list of str
        What should be known besides.
    """

    coordinates: int
    constraints: int
    elastic_members: int
    rank: int
    self_stress: int
    mechanisms: int
    rigid_body_motions: int
    states: list[dict[str, float]]
    motions: list[Mechanism]
    prestress: dict[str, float] | None
    prestress_stiffens: bool
    remarks: list[str]

    @classmethod
    def of(cls, text: str) -> FrameStates:
        """From the program's JSON. Raises ValueError where a frame was too large to be counted."""
        found = json.loads(text)
        if "rank" not in found:
            raise ValueError("; ".join(found["remarks"]))
        prestress: Mapping[str, dict[str, float]] = found.get("prestress", {})
        counts = {key.name: found[key.name] for key in dataclasses.fields(cls) if key.name in found}
        counts["motions"] = [
            Mechanism(one["kind"], {name: np.array(x) for name, x in one["moves"].items()}, one["parts"])
            for one in found["motions"]
        ]
        counts["prestress"] = prestress.get("forces") or None
        counts["prestress_stiffens"] = bool(prestress.get("stiffens", False))
        return cls(**counts)
