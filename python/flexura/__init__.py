"""Dynamics of rigid and highly flexible bodies.

>>> import flexura
>>> result = flexura.simulate("soft_actuator.toml")
>>> result["tip"].position.shape
(5001, 2)
"""

from __future__ import annotations

from . import _core, parts
from .control import FrequencyResponse, LinearModel, frequency_response, linearise
from .errors import Problem, ResultsError, SceneError, SimulationWarning, SolverError
from .fit import LawFit, MaterialFit, fit_material
from .fmu import export_fmu
from .form import Form, find_form
from .frame import FrameStates, Mechanism
from .parts import *  # noqa: F403
from .functions import ForceLaw, SignalFunction
from .gradients import Gradient, ModeGradient, gradient, jax_function, torch_function
from .identification import Identification, Inversion, identify, invert
from .result import Comparison, EstimatedError, Result, SensorDifference, States, Table, compare, load
from .run import Modes, modes, simulate, solve_static, verify
from .robot import from_urdf
from .scene import Scene
from .simulation import Simulation, State
from .steering import InverseDynamics, InverseStatics, Workspace, inverse_dynamics, inverse_statics, workspace
from .sweeps import Sweep, sweep

__version__: str = _core.version

__all__ = [
    "Comparison",
    "EstimatedError",
    "ForceLaw",
    "Form",
    "FrameStates",
    "FrequencyResponse",
    "Gradient",
    "Identification",
    "InverseDynamics",
    "InverseStatics",
    "Inversion",
    "LawFit",
    "MaterialFit",
    "Mechanism",
    "LinearModel",
    "ModeGradient",
    "Modes",
    "Problem",
    "Result",
    "ResultsError",
    "Scene",
    "SceneError",
    "SensorDifference",
    "SignalFunction",
    "Simulation",
    "SimulationWarning",
    "SolverError",
    "State",
    "States",
    "Sweep",
    "Table",
    "Workspace",
    "compare",
    "export_fmu",
    "find_form",
    "fit_material",
    "frequency_response",
    "from_urdf",
    "gradient",
    "identify",
    "inverse_dynamics",
    "inverse_statics",
    "invert",
    "jax_function",
    "linearise",
    "load",
    "modes",
    "simulate",
    "solve_static",
    "sweep",
    "torch_function",
    "verify",
    "workspace",
]
__all__ += parts.__all__
