"""The tables of a scene, one class per kind and type. Written by scripts/generate_python_parts: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .tables import (
    Analyses,
    File,
    FunctionKey,
    Integer,
    Key,
    Name,
    Number,
    Part,
    Parts,
    Place,
    Places,
    Points,
    Table,
    Tables,
    Time,
    Vector,
)

__all__ = [
    "AccelerationSensor",
    "ActuatorTruss",
    "AdamsIntegrator",
    "Adaptive",
    "Analysis",
    "AngleRateSensor",
    "AngleSensor",
    "AngularAccelerationSensor",
    "AngularMomentumSensor",
    "AngularVelocitySensor",
    "AnnulusSurface",
    "AnyChamber",
    "AnyMaterial",
    "AnyTruss",
    "Arc",
    "AreaConstraint",
    "AreaSensor",
    "ArrudaBoyceMaterial",
    "AxialForceSensor",
    "AxialStrainSensor",
    "Axis",
    "BaumgarteStabilisation",
    "Beam",
    "BendingMomentSensor",
    "BetweenLine",
    "BlockVolume",
    "Body",
    "BodyTruss",
    "BoxShape",
    "Cable",
    "CauchyStressSensor",
    "Chamber",
    "ChirpSignal",
    "CircleCrossSection",
    "ClampDirectionJoint",
    "ConeShape",
    "ConstantSignal",
    "Constraint",
    "ConstraintViolationSensor",
    "Contact",
    "ContactCountSensor",
    "ContactForceSensor",
    "CoupleLoad",
    "CurvatureChangeSensor",
    "CurvatureSensor",
    "CylinderShape",
    "CylinderTruss",
    "CylinderVolume",
    "CylindricalJoint",
    "DirectionSensor",
    "DiscShape",
    "DisplacementRateSensor",
    "DisplacementSensor",
    "DistanceJoint",
    "DistanceSensor",
    "DistributedLoad",
    "DragonSkin30Material",
    "DriveForceSensor",
    "DriveLoad",
    "DriveTorqueSensor",
    "DriveTruss",
    "DynamicAnalysis",
    "Ecoflex0030Material",
    "Ecoflex0050Material",
    "EdgeForceLoad",
    "EdgeForceSensor",
    "ElasticTruss",
    "ElastosilM4601Material",
    "EnergyMomentumIntegrator",
    "EnergySensor",
    "ExpressionSignal",
    "ExternalEffortLoad",
    "ExternalLoad",
    "ExternalSignal",
    "Fibre",
    "FibreStretchSensor",
    "FingerVolume",
    "FlatSurface",
    "FollowerForceLoad",
    "ForceLoad",
    "ForceSensor",
    "FormulaSurface",
    "FormulaVolume",
    "FrameSensor",
    "FreeTruss",
    "FrictionLoad",
    "FuzzyStabilisation",
    "GapSensor",
    "GasMassSensor",
    "GearJoint",
    "GeneralizedAlphaIntegrator",
    "GentMaterial",
    "GmshSurface",
    "GmshVolume",
    "Gravity",
    "GreenStrainSensor",
    "Growth",
    "HHTIntegrator",
    "HemisphereSurface",
    "HydrostaticPressureSensor",
    "InflowLine",
    "InitialPose",
    "Inlay",
    "InputSignal",
    "InverseDynamicsAnalysis",
    "Joint",
    "JointSpring",
    "KinematicAnalysis",
    "LagSignal",
    "Layer",
    "LengthConstraint",
    "LengthSensor",
    "Line",
    "LinearSpring",
    "Linkage",
    "LiquidChamber",
    "Load",
    "Material",
    "Membrane",
    "MembraneForceSensor",
    "MembraneStrainSensor",
    "MeshShape",
    "ModesAnalysis",
    "MomentLoad",
    "MomentSensor",
    "MomentumSensor",
    "MooneyRivlinMaterial",
    "MotorLoad",
    "MultiplierSensor",
    "NaturalRubberTreloarMaterial",
    "NeoHookeMaterial",
    "NewmarkIntegrator",
    "NodeElasticForceNormSensor",
    "NodeElasticMomentSensor",
    "NodeTruss",
    "NoneStabilisation",
    "OgdenMaterial",
    "OrthotropicMaterial",
    "Output",
    "PanelSurface",
    "ParallelogramLinkage",
    "Path",
    "PiecewiseSignal",
    "PinJoint",
    "PlanarJoint",
    "Plane",
    "Plate",
    "PneumaticLoad",
    "Point",
    "PointMass",
    "PointOnLineJoint",
    "PointOnPlaneJoint",
    "PolygonShape",
    "PositionSensor",
    "PrescribedJoint",
    "PressureChamber",
    "PressureLoad",
    "PressureSensor",
    "PrincipalStretchesSensor",
    "PrismaticJoint",
    "ProjectionStabilisation",
    "RK45Integrator",
    "RK4Integrator",
    "RK853Integrator",
    "RampSignal",
    "ReactionMomentSensor",
    "ReactionSensor",
    "RectangleCrossSection",
    "RectangleShape",
    "RevoluteJoint",
    "RingMomentLoad",
    "RodShape",
    "SarrusLinkage",
    "SecondPiolaKirchhoffSensor",
    "Section",
    "SectionForceSensor",
    "SectionMomentSensor",
    "SectionStressSensor",
    "Sensor",
    "ServoLoad",
    "ShearForceSensor",
    "Signal",
    "SignalSensor",
    "SiliconeXing2022Material",
    "SineSignal",
    "SmoothSil950Material",
    "SmoothStepSignal",
    "Solid",
    "SpeedSensor",
    "Sphere",
    "SphereShape",
    "SphereVolume",
    "SphericalJoint",
    "Spring",
    "StVenantKirchhoffMaterial",
    "StaticAnalysis",
    "StraightLineLinkage",
    "StrainSensor",
    "StressSensor",
    "StretchSensor",
    "SupplyLine",
    "SurfaceTensionSensor",
    "TableSignal",
    "TensionSensor",
    "TorqueSensor",
    "TorsionalSpring",
    "Truss",
    "TubeCrossSection",
    "TubeSurface",
    "TubeVolume",
    "UniversalJoint",
    "Until",
    "Use",
    "VelocitySensor",
    "VentLine",
    "Visual",
    "Volume",
    "VolumeRatioSensor",
    "VolumeSensor",
    "VonMisesSensor",
    "WeldJoint",
    "YeohMaterial",
    "YeohPaperMaterial",
]


class AnyMaterial(Part):
    """A material.

    `Material`, `OrthotropicMaterial`, `StVenantKirchhoffMaterial`, `NeoHookeMaterial`,
    `MooneyRivlinMaterial`, `YeohMaterial`, `OgdenMaterial`, `GentMaterial`, `ArrudaBoyceMaterial`,
    `YeohPaperMaterial`, `NaturalRubberTreloarMaterial`, `ElastosilM4601Material`, `Ecoflex0030Material`,
    `Ecoflex0050Material`, `DragonSkin30Material`, `SmoothSil950Material`, `SiliconeXing2022Material`
    """


class Joint(Part):
    """A relation between two places.

    `WeldJoint`, `ClampDirectionJoint`, `PinJoint`, `PrescribedJoint`, `RevoluteJoint`, `PrismaticJoint`,
    `PointOnLineJoint`, `GearJoint`, `DistanceJoint`, `SphericalJoint`, `CylindricalJoint`, `UniversalJoint`,
    `PlanarJoint`, `PointOnPlaneJoint`
    """


class Linkage(Part):
    """Rigid trusses that stand for a joint: points "NAME.A", trusses "NAME.A_B", frames.

    `ParallelogramLinkage`, `StraightLineLinkage`, `SarrusLinkage`
    """


class AnyChamber(Part):
    """What cables are around, and what is in it.

    `Chamber`, `LiquidChamber`, `PressureChamber`
    """


class Line(Part):
    """A way for gas into chambers, out of them and between them.

    `SupplyLine`, `VentLine`, `InflowLine`, `BetweenLine`
    """


class AnyTruss(Part):
    """Straight members between two points, with or without mass.

    `Truss`, `ActuatorTruss`, `ElasticTruss`, `FreeTruss`, `CylinderTruss`, `BodyTruss`, `NodeTruss`,
    `DriveTruss`
    """


class Spring(Part):
    """Springs and dampers.

    `LinearSpring`, `TorsionalSpring`, `JointSpring`
    """


class Load(Part):
    """Forces and moments from outside.

    `ForceLoad`, `FollowerForceLoad`, `MomentLoad`, `CoupleLoad`, `PneumaticLoad`, `DistributedLoad`,
    `MotorLoad`, `ServoLoad`, `ExternalLoad`, `ExternalEffortLoad`, `FrictionLoad`, `DriveLoad`,
    `PressureLoad`, `RingMomentLoad`, `EdgeForceLoad`
    """


class Signal(Part):
    """A function of time.

    `ConstantSignal`, `RampSignal`, `SmoothStepSignal`, `SineSignal`, `ChirpSignal`, `PiecewiseSignal`,
    `TableSignal`, `ExpressionSignal`, `LagSignal`, `InputSignal`, `ExternalSignal`
    """


class Sensor(Part):
    """A recorded time series.

    `PositionSensor`, `VelocitySensor`, `AccelerationSensor`, `SpeedSensor`, `DirectionSensor`, `AngleSensor`,
    `DisplacementSensor`, `AngleRateSensor`, `DisplacementRateSensor`, `FrameSensor`, `AngularVelocitySensor`,
    `AngularAccelerationSensor`, `AxialForceSensor`, `CurvatureSensor`, `MomentSensor`, `StretchSensor`,
    `AxialStrainSensor`, `SectionStressSensor`, `NodeElasticMomentSensor`, `NodeElasticForceNormSensor`,
    `ReactionSensor`, `ReactionMomentSensor`, `MultiplierSensor`, `DriveTorqueSensor`, `DriveForceSensor`,
    `DistanceSensor`, `ForceSensor`, `TorqueSensor`, `PressureSensor`, `ContactForceSensor`,
    `ContactCountSensor`, `GapSensor`, `VolumeSensor`, `GasMassSensor`, `LengthSensor`, `TensionSensor`,
    `AreaSensor`, `SurfaceTensionSensor`, `ConstraintViolationSensor`, `EnergySensor`, `MomentumSensor`,
    `AngularMomentumSensor`, `SignalSensor`, `ShearForceSensor`, `SectionForceSensor`, `SectionMomentSensor`,
    `MembraneForceSensor`, `BendingMomentSensor`, `MembraneStrainSensor`, `CurvatureChangeSensor`,
    `StrainSensor`, `StressSensor`, `VonMisesSensor`, `CauchyStressSensor`, `SecondPiolaKirchhoffSensor`,
    `GreenStrainSensor`, `PrincipalStretchesSensor`, `VolumeRatioSensor`, `HydrostaticPressureSensor`,
    `FibreStretchSensor`, `EdgeForceSensor`
    """


class Analysis(Part):
    """A step of the computation; each starts from the end of the one before.

    `StaticAnalysis`, `DynamicAnalysis`, `KinematicAnalysis`, `InverseDynamicsAnalysis`, `ModesAnalysis`
    """


class Constraint(Part):
    """A length that is kept.

    `LengthConstraint`, `AreaConstraint`
    """


class Gravity(Part):
    """Acceleration of gravity.

    Parameters
    ----------
    vector : vector [m/s²]
        Acceleration.
    signal : signal, optional
        Multiplies it; default: 1.
    """

    _table = "gravity"
    _type = ""

    vector = Key["Vector"]("m/s^2", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")

    def __init__(
        self,
        *,
        vector: Vector,
        signal: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class Material(AnyMaterial):
    """Linear elastic.

    Parameters
    ----------
    E : number [Pa]
        Young's modulus; > 0.
    rho : number [kg/m³]
        Density; > 0.
    nu : number, optional
        Poisson's ratio; > -1 and ≤ 0.5; default: 0.3.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "linear"

    E = Key["Number"]("Pa", required=True)
    rho = Key["Number"]("kg/m^3", required=True)
    nu = Key["Number"]()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        E: Number,
        rho: Number,
        nu: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class Section(Part):
    """Cross-section of cables: stiffnesses, or a shape and a material.

    Parameters
    ----------
    EA : number or vector [N], optional
        Axial stiffness, or [at the start, at the end]; > 0; default: from shape and material.
    EI : number or vector [N m²], optional
        Bending stiffness, or [at the start, at the end]; ≥ 0; default: from shape and material.
    rhoA : number or vector [kg/m], optional
        Mass per length, or [at the start, at the end]; > 0; default: from shape and material.
    shape : `CircleCrossSection`, `RectangleCrossSection`, `TubeCrossSection`, or the name of its type, optional
        Shape of the cross-section; EA, EI and rhoA follow from it and the material.
    material : name, optional
        Material of the shape.
    size_factor : str, optional
        Formula in the arc length s [m] that multiplies the lengths of the section.
    axial : {"green", "engineering", "chord"}, optional
        Measure of stretch; default: "green".
    integration : {"reduced", "full"}, optional
        Points of stretch of a cable; default: "reduced".
    curvature : {"material", "geometric", "simplified"}, optional
        Measure of bending; default: "material".
    damping_stretch : number [s], optional
        Kelvin-Voigt retardation time of stretch; ≥ 0; default: 0.
    damping_bend : number [s], optional
        Kelvin-Voigt retardation time of bending; ≥ 0; default: 0.
    bend_stiffening : number [m²], optional
        b of EI (1 + b k^2), k the change of a cable's curvature; ≥ 0; default: 0; planar scenes only.
    stiffness_damping : number [s], optional
        c2 of the force -c2 K v of straight cables, axial = "green", curvature = "simplified"; ≥ 0;
        default: 0; planar scenes only.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: that of the material.
    mass_damping : number [1/s], optional
        c of the force -c M v, in place of the scene's; ≥ 0.
    GA1 : number or vector [N], optional
        Beam: shear stiffness along d1, or [at the start, at the end]; > 0; default: from shape and
        material; spatial scenes only.
    GA2 : number or vector [N], optional
        Beam: shear stiffness along d2, or [at the start, at the end]; > 0; default: from shape and
        material; spatial scenes only.
    EI1 : number or vector [N m²], optional
        Beam: bending stiffness about d1, or [at the start, at the end]; > 0; default: EI; spatial scenes
        only.
    EI2 : number or vector [N m²], optional
        Beam: bending stiffness about d2, or [at the start, at the end]; > 0; default: EI; spatial scenes
        only.
    GJ : number or vector [N m²], optional
        Beam: torsional stiffness, or [at the start, at the end]; > 0; default: from shape and material;
        spatial scenes only.
    rhoI1 : number or vector [kg m], optional
        Beam: moment of inertia about d1, per length, or [at the start, at the end]; > 0; default: from
        shape and material; spatial scenes only.
    rhoI2 : number or vector [kg m], optional
        Beam: moment of inertia about d2, per length, or [at the start, at the end]; > 0; default: from
        shape and material; spatial scenes only.
    damping_twist : number [s], optional
        Beam: Kelvin-Voigt retardation time of torsion; ≥ 0; default: damping_bend; spatial scenes only.
    """

    _table = "section"
    _type = ""

    EA = Key["Number | Vector"]("N")
    EI = Key["Number | Vector"]("N m^2")
    rhoA = Key["Number | Vector"]("kg/m")
    shape = Key[
        'CircleCrossSection | RectangleCrossSection | TubeCrossSection | Table | Literal["circle", "rectangle", "tube"]'
    ](table="section.shape")
    material = Key["Name"](form="name")
    size_factor = Key["str"]()
    axial = Key['Literal["green", "engineering", "chord"]']()
    integration = Key['Literal["reduced", "full"]']()
    curvature = Key['Literal["material", "geometric", "simplified"]']()
    damping_stretch = Key["Number"]("s")
    damping_bend = Key["Number"]("s")
    bend_stiffening = Key["Number"]("m^2")
    stiffness_damping = Key["Number"]("s")
    relaxation = Key["Points"]()
    mass_damping = Key["Number"]("1/s")
    GA1 = Key["Number | Vector"]("N")
    GA2 = Key["Number | Vector"]("N")
    EI1 = Key["Number | Vector"]("N m^2")
    EI2 = Key["Number | Vector"]("N m^2")
    GJ = Key["Number | Vector"]("N m^2")
    rhoI1 = Key["Number | Vector"]("kg m")
    rhoI2 = Key["Number | Vector"]("kg m")
    damping_twist = Key["Number"]("s")

    def __init__(
        self,
        *,
        EA: Number | Vector | None = None,
        EI: Number | Vector | None = None,
        rhoA: Number | Vector | None = None,
        shape: CircleCrossSection
        | RectangleCrossSection
        | TubeCrossSection
        | Table
        | Literal["circle", "rectangle", "tube"]
        | None = None,
        material: Name | None = None,
        size_factor: str | None = None,
        axial: Literal["green", "engineering", "chord"] | None = None,
        integration: Literal["reduced", "full"] | None = None,
        curvature: Literal["material", "geometric", "simplified"] | None = None,
        damping_stretch: Number | None = None,
        damping_bend: Number | None = None,
        bend_stiffening: Number | None = None,
        stiffness_damping: Number | None = None,
        relaxation: Points | None = None,
        mass_damping: Number | None = None,
        GA1: Number | Vector | None = None,
        GA2: Number | Vector | None = None,
        EI1: Number | Vector | None = None,
        EI2: Number | Vector | None = None,
        GJ: Number | Vector | None = None,
        rhoI1: Number | Vector | None = None,
        rhoI2: Number | Vector | None = None,
        damping_twist: Number | None = None,
    ) -> None:
        self._fill(locals())


class CircleCrossSection(Part):
    """Solid round.

    Parameters
    ----------
    radius : number or vector [m]
        Radius, or [at the start, at the end]; > 0.
    """

    _table = "section.shape"
    _type = "circle"
    _writes_type = True

    radius = Key["Number | Vector"]("m", required=True)

    def __init__(
        self,
        *,
        radius: Number | Vector,
    ) -> None:
        self._fill(locals())


class RectangleCrossSection(Part):
    """Solid rectangle.

    Parameters
    ----------
    width : number or vector [m]
        Across the plane of bending, or [at the start, at the end]; > 0.
    height : number or vector [m]
        In the plane of bending, or [at the start, at the end]; > 0.
    """

    _table = "section.shape"
    _type = "rectangle"
    _writes_type = True

    width = Key["Number | Vector"]("m", required=True)
    height = Key["Number | Vector"]("m", required=True)

    def __init__(
        self,
        *,
        width: Number | Vector,
        height: Number | Vector,
    ) -> None:
        self._fill(locals())


class TubeCrossSection(Part):
    """Round tube.

    Parameters
    ----------
    radius : number or vector [m]
        Outer radius, or [at the start, at the end]; > 0.
    wall : number or vector [m]
        Thickness of the wall, or [at the start, at the end]; > 0.
    """

    _table = "section.shape"
    _type = "tube"
    _writes_type = True

    radius = Key["Number | Vector"]("m", required=True)
    wall = Key["Number | Vector"]("m", required=True)

    def __init__(
        self,
        *,
        radius: Number | Vector,
        wall: Number | Vector,
    ) -> None:
        self._fill(locals())


class Cable(Part):
    """A slender part that stretches and bends.

    Parameters
    ----------
    section : name
        Its cross-section.
    path : points [m] or `Path`
        Stress-free shape, from start to end.
    elements : integer
        Number of elements, of equal length; from 1 to 1e+06.
    initial : points [m] or `Path`, optional
        Another shape to start from, with the same elements; default: the path.
    velocity : vector [m/s], optional
        Initial velocity of the whole cable; default: at rest.
    angular_velocity : number or vector [rad/s], optional
        Initial rotation about `about`; default: 0.
    about : vector [m], optional
        Centre of the initial rotation; default: the cable's start.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    """

    _table = "cable"
    _type = ""

    section = Key["Name"](required=True, form="name")
    path = Key["Points | Path | Table"]("m", required=True, table="path")
    elements = Key["Integer"](required=True)
    initial = Key["Points | Path | Table"]("m", table="path")
    velocity = Key["Vector"]("m/s")
    angular_velocity = Key["Number | Vector"]("rad/s")
    about = Key["Vector"]("m")
    color = Key["str"]()

    def __init__(
        self,
        *,
        section: Name,
        path: Points | Path | Table,
        elements: Integer,
        initial: Points | Path | Table | None = None,
        velocity: Vector | None = None,
        angular_velocity: Number | Vector | None = None,
        about: Vector | None = None,
        color: str | None = None,
    ) -> None:
        self._fill(locals())


class Path(Part):
    """Stress-free shape, from start to end.

    Parameters
    ----------
    arc : `Arc`, optional
        Circular arc.
    spline : points [m], optional
        Natural cubic spline through the points.
    file : path of a file, optional
        File of points, a column per coordinate, joined by a natural cubic spline.
    twist : number [rad], optional
        Initial shape of a beam: angle by which its sections turn about it from start to end, beyond those
        of the path carried along without twist; default: 0; spatial scenes only.
    """

    _table = "path"
    _type = ""

    arc = Key["Arc | Table"](table="arc")
    spline = Key["Points"]("m")
    file = Key["File"]()
    twist = Key["Number"]("rad")

    def __init__(
        self,
        *,
        arc: Arc | Table | None = None,
        spline: Points | None = None,
        file: File | None = None,
        twist: Number | None = None,
    ) -> None:
        self._fill(locals())


class Arc(Part):
    """Circular arc.

    Parameters
    ----------
    center : vector [m], optional
        Centre; required in planar scenes; planar scenes only.
    radius : number [m], optional
        Radius; required in planar scenes; > 0; planar scenes only.
    from_ : number [rad], optional
        Angle of the first point from +X, counter-clockwise; required in planar scenes; planar scenes
        only.
    to : number [rad], optional
        Angle of the last point; less than `from`: clockwise; required in planar scenes; planar scenes
        only.
    through : points [m], optional
        First, some inner and last point of the arc; required in spatial scenes; spatial scenes only.
    """

    _table = "arc"
    _type = ""

    center = Key["Vector"]("m")
    radius = Key["Number"]("m")
    from_ = Key["Number"]("rad")
    to = Key["Number"]("rad")
    through = Key["Points"]("m")

    def __init__(
        self,
        *,
        center: Vector | None = None,
        radius: Number | None = None,
        from_: Number | None = None,
        to: Number | None = None,
        through: Points | None = None,
    ) -> None:
        self._fill(locals())


class Point(Part):
    """A point to which masses, springs and joints attach.

    Parameters
    ----------
    position : vector [m]
        Reference position.
    initial : vector [m], optional
        Another position to start from; default: position.
    velocity : vector [m/s], optional
        Initial velocity; default: at rest.
    fixed : bool, optional
        Does not move.
    """

    _table = "point"
    _type = ""

    position = Key["Vector"]("m", required=True)
    initial = Key["Vector"]("m")
    velocity = Key["Vector"]("m/s")
    fixed = Key["bool"]()

    def __init__(
        self,
        *,
        position: Vector,
        initial: Vector | None = None,
        velocity: Vector | None = None,
        fixed: bool | None = None,
    ) -> None:
        self._fill(locals())


class Body(Part):
    """A rigid body.

    Parameters
    ----------
    position : vector [m], optional
        Where its origin is; default: the origin.
    angle : number [rad], optional
        Of its x axis from +X, counter-clockwise; default: 0; planar scenes only.
    m : number [kg], optional
        Mass; 0: a frame, which a weld keeps on another part; ≥ 0; default: from shape and density.
    center : vector [m], optional
        Centre of mass, in the body's frame; default: the shape's, or the origin.
    inertia : number or vector [kg m²], optional
        Moment of inertia about the centre of mass; spatial: moments of inertia Jxx, Jyy, Jzz about the
        centre of mass, in the body's axes; > 0.
    shape : `RectangleShape`, `DiscShape`, `PolygonShape`, `RodShape`, `BoxShape`, `CylinderShape`, `SphereShape`, `ConeShape`, `MeshShape`, or the name of its type, optional
        From which mass, centre and inertia follow, with the density.
    density : number [kg/m² or kg/m], optional
        Of the shape; of a rod kg/m; spatial: of the shape; > 0; default: from m or the material.
    material : name, optional
        Of the shape, in place of `density`.
    points : mapping of names [m], optional
        Named places, in the body's frame.
    as_ : {"points_and_vectors", "trusses"}, optional
        What carries it; default: "points_and_vectors".
    nodes : places, optional
        Of trusses: points of their own, [point.NAME], that carry it; of mass 0: a frame on them; default:
        its own, where joints are.
    initial : `InitialPose`, optional
        Another pose to start from.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    velocity : vector [m/s], optional
        Initial velocity of the frame's origin; default: at rest.
    angular_velocity : number or vector [rad/s], optional
        Initial angular velocity; spatial: initial angular velocity, in space; default: 0.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned; spatial scenes
        only.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned; spatial
        scenes only.
    products_of_inertia : vector [kg m²], optional
        Jxy, Jyz, Jxz about the centre of mass, entries of the tensor: Jxy = -int x y dm; default: none;
        spatial scenes only.
    """

    _table = "body"
    _type = ""

    position = Key["Vector"]("m")
    angle = Key["Number"]("rad")
    m = Key["Number"]("kg")
    center = Key["Vector"]("m")
    inertia = Key["Number | Vector"]("kg m^2")
    shape = Key[
        'RectangleShape | DiscShape | PolygonShape | RodShape | BoxShape | CylinderShape | SphereShape | ConeShape | MeshShape | Table | Literal["rectangle", "disc", "polygon", "rod", "box", "cylinder", "sphere", "cone", "mesh"]'
    ](table="body.shape")
    density = Key["Number"]("kg/m^2 or kg/m")
    material = Key["Name"](form="name")
    points = Key["Mapping[str, Number] | Mapping[str, Vector]"]("m")
    as_ = Key['Literal["points_and_vectors", "trusses"]']()
    nodes = Key["Places"](form="places")
    initial = Key["InitialPose | Table"](table="body.initial")
    color = Key["str"]()
    velocity = Key["Vector"]("m/s")
    angular_velocity = Key["Number | Vector"]("rad/s")
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()
    products_of_inertia = Key["Vector"]("kg m^2")

    def __init__(
        self,
        *,
        position: Vector | None = None,
        angle: Number | None = None,
        m: Number | None = None,
        center: Vector | None = None,
        inertia: Number | Vector | None = None,
        shape: RectangleShape
        | DiscShape
        | PolygonShape
        | RodShape
        | BoxShape
        | CylinderShape
        | SphereShape
        | ConeShape
        | MeshShape
        | Table
        | Literal["rectangle", "disc", "polygon", "rod", "box", "cylinder", "sphere", "cone", "mesh"]
        | None = None,
        density: Number | None = None,
        material: Name | None = None,
        points: Mapping[str, Number] | Mapping[str, Vector] | None = None,
        as_: Literal["points_and_vectors", "trusses"] | None = None,
        nodes: Places | None = None,
        initial: InitialPose | Table | None = None,
        color: str | None = None,
        velocity: Vector | None = None,
        angular_velocity: Number | Vector | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
        products_of_inertia: Vector | None = None,
    ) -> None:
        self._fill(locals())


class RectangleShape(Part):
    """A plate.

    For planar scenes.

    Parameters
    ----------
    size : vector [m]
        Lengths along x, y; > 0.
    center : vector [m], optional
        Where its centre is in the body's frame; default: the frame's origin.
    """

    _table = "body.shape"
    _type = "rectangle"
    _writes_type = True

    size = Key["Vector"]("m", required=True)
    center = Key["Vector"]("m")

    def __init__(
        self,
        *,
        size: Vector,
        center: Vector | None = None,
    ) -> None:
        self._fill(locals())


class DiscShape(Part):
    """A round plate.

    For planar scenes.

    Parameters
    ----------
    radius : number [m]
        Radius; > 0.
    center : vector [m], optional
        Where its centre is in the body's frame; default: the frame's origin.
    """

    _table = "body.shape"
    _type = "disc"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    center = Key["Vector"]("m")

    def __init__(
        self,
        *,
        radius: Number,
        center: Vector | None = None,
    ) -> None:
        self._fill(locals())


class PolygonShape(Part):
    """A plate of straight edges.

    For planar scenes.

    Parameters
    ----------
    points : points [m]
        Its corners in order, in the body's frame.
    """

    _table = "body.shape"
    _type = "polygon"
    _writes_type = True

    points = Key["Points"]("m", required=True)

    def __init__(
        self,
        *,
        points: Points,
    ) -> None:
        self._fill(locals())


class RodShape(Part):
    """A thin rod.

    For planar scenes.

    Parameters
    ----------
    length : number [m]
        Length; > 0.
    center : vector [m], optional
        Where its middle is in the body's frame; default: the frame's origin.
    """

    _table = "body.shape"
    _type = "rod"
    _writes_type = True

    length = Key["Number"]("m", required=True)
    center = Key["Vector"]("m")

    def __init__(
        self,
        *,
        length: Number,
        center: Vector | None = None,
    ) -> None:
        self._fill(locals())


class InitialPose(Part):
    """Another pose to start from.

    Parameters
    ----------
    position : vector [m], optional
        Where its origin is; default: the origin.
    angle : number [rad], optional
        Of its x axis from +X, counter-clockwise; default: 0; planar scenes only.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned; spatial scenes
        only.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned; spatial
        scenes only.
    """

    _table = "body.initial"
    _type = ""

    position = Key["Vector"]("m")
    angle = Key["Number"]("rad")
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()

    def __init__(
        self,
        *,
        position: Vector | None = None,
        angle: Number | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
    ) -> None:
        self._fill(locals())


class Visual(Part):
    """What a body shows of itself in pictures, without mass, in place of a shape that is drawn for it.

    Parameters
    ----------
    on : name
        The body.
    shape : `RectangleShape`, `DiscShape`, `PolygonShape`, `RodShape`, `BoxShape`, `CylinderShape`, `SphereShape`, `ConeShape`, `MeshShape`, or the name of its type
        What is drawn, in the frame of the visual.
    position : vector [m], optional
        Where its origin is, in the body's frame; default: the origin.
    angle : number [rad], optional
        Of its x axis from +X, counter-clockwise, in the body's frame; default: 0; planar scenes only.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last, in the body's frame; default: not
        turned; spatial scenes only.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw, in the body's frame; default:
        not turned; spatial scenes only.
    """

    _table = "visual"
    _type = ""

    on = Key["Name"](required=True, form="name")
    shape = Key[
        'RectangleShape | DiscShape | PolygonShape | RodShape | BoxShape | CylinderShape | SphereShape | ConeShape | MeshShape | Table | Literal["rectangle", "disc", "polygon", "rod", "box", "cylinder", "sphere", "cone", "mesh"]'
    ](required=True, table="body.shape")
    position = Key["Vector"]("m")
    angle = Key["Number"]("rad")
    color = Key["str"]()
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()

    def __init__(
        self,
        *,
        on: Name,
        shape: RectangleShape
        | DiscShape
        | PolygonShape
        | RodShape
        | BoxShape
        | CylinderShape
        | SphereShape
        | ConeShape
        | MeshShape
        | Table
        | Literal["rectangle", "disc", "polygon", "rod", "box", "cylinder", "sphere", "cone", "mesh"],
        position: Vector | None = None,
        angle: Number | None = None,
        color: str | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
    ) -> None:
        self._fill(locals())


class WeldJoint(Joint):
    """Position and directions as in the reference configuration, offset kept; cables and plates may stretch there.

    Parameters
    ----------
    of : places
        The two places.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    stretch : {"free", "held"}, optional
        Of a cable or plate, at the weld; default: "free".
    method : {"eliminated", "multipliers", "relations", "compliant"}, optional
        How its equations are kept; default: "eliminated".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    stiffness : number [N/m], optional
        Compliant: of all nodes together; > 0; spatial scenes only.
    damping : number [N s/m], optional
        Compliant: of all nodes together; ≥ 0; default: 0; spatial scenes only.
    direction_length : number [m], optional
        Compliant: the gradients' springs have stiffness times its square; > 0; default: the plate's
        thickness; spatial scenes only.
    """

    _table = "joint"
    _type = "weld"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    at = Key["Vector"]("m")
    stretch = Key['Literal["free", "held"]']()
    method = Key['Literal["eliminated", "multipliers", "relations", "compliant"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")
    stiffness = Key["Number"]("N/m")
    damping = Key["Number"]("N s/m")
    direction_length = Key["Number"]("m")

    def __init__(
        self,
        *,
        of: Places,
        at: Vector | None = None,
        stretch: Literal["free", "held"] | None = None,
        method: Literal["eliminated", "multipliers", "relations", "compliant"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        direction_length: Number | None = None,
    ) -> None:
        self._fill(locals())


class ClampDirectionJoint(Joint):
    """Of a cable: place and tangent, as weld; also on a body or beam in space, which may turn about the tangent.

    Parameters
    ----------
    of : places
        The two places.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "clamp_direction"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class PinJoint(Joint):
    """The places coincide and may turn.

    Parameters
    ----------
    of : places
        The two places.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "pin"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class PrescribedJoint(Joint):
    """Coordinates follow signals.

    Parameters
    ----------
    of : places
        The two places.
    x : signal [m], optional
        Displacement of the second place from its reference position, seen from the first; free if left
        out.
    y : signal [m], optional
        Displacement of the second place from its reference position, seen from the first; free if left
        out.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    z : signal [m], optional
        Displacement of the second place from its reference position, seen from the first; free if left
        out; spatial scenes only.
    """

    _table = "joint"
    _type = "prescribed"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    x = Key["Number | Signal | Table"]("m", form="signal", table="signal")
    y = Key["Number | Signal | Table"]("m", form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")
    z = Key["Number | Signal | Table"]("m", form="signal", table="signal")

    def __init__(
        self,
        *,
        of: Places,
        x: Number | Signal | Table | None = None,
        y: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
        z: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class RevoluteJoint(Joint):
    """A pin with an angle.

    Parameters
    ----------
    of : places
        The two places.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    angle : signal [rad], optional
        Prescribes the angle from the reference; free if left out.
    initial_angle : number [rad], optional
        Angle that the joint starts with, where that is more than half a revolution: of the initial poses,
        which leave whole revolutions open; default: within half a revolution.
    max_effort : number [N m], optional
        Largest effort of what drives it: the limit of motors and servos that state none; a prescribed
        motion that needs more is told; > 0; default: none.
    max_rate : number [rad/s], optional
        Largest rate to which motors and servos drive it that state none; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    axis : vector, optional
        Direction of the axis in the reference configuration; moves with the first place; required in
        spatial scenes; spatial scenes only.
    """

    _table = "joint"
    _type = "revolute"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    angle = Key["Number | Signal | Table"]("rad", form="signal", table="signal")
    initial_angle = Key["Number"]("rad")
    max_effort = Key["Number"]("N m")
    max_rate = Key["Number"]("rad/s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")
    axis = Key["Vector"]()

    def __init__(
        self,
        *,
        of: Places,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        angle: Number | Signal | Table | None = None,
        initial_angle: Number | None = None,
        max_effort: Number | None = None,
        max_rate: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
        axis: Vector | None = None,
    ) -> None:
        self._fill(locals())


class PrismaticJoint(Joint):
    """Slides along an axis of the first place, without turning.

    Parameters
    ----------
    of : places
        The two places.
    axis : vector
        Direction of the axis in the reference configuration; moves with the first place.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    displacement : signal [m], optional
        Prescribes the displacement along the axis; free if left out.
    max_effort : number [N], optional
        Largest effort of what drives it: the limit of motors and servos that state none; a prescribed
        motion that needs more is told; > 0; default: none.
    max_rate : number [m/s], optional
        Largest rate to which motors and servos drive it that state none; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "prismatic"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    axis = Key["Vector"](required=True)
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    displacement = Key["Number | Signal | Table"]("m", form="signal", table="signal")
    max_effort = Key["Number"]("N")
    max_rate = Key["Number"]("m/s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        axis: Vector,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        displacement: Number | Signal | Table | None = None,
        max_effort: Number | None = None,
        max_rate: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class PointOnLineJoint(Joint):
    """The second place stays on a line of the first.

    Parameters
    ----------
    of : places
        The two places.
    axis : vector
        Direction of the axis in the reference configuration; moves with the first place.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    displacement : signal [m], optional
        Prescribes the displacement along the axis; free if left out.
    max_effort : number [N], optional
        Largest effort of what drives it: the limit of motors and servos that state none; a prescribed
        motion that needs more is told; > 0; default: none.
    max_rate : number [m/s], optional
        Largest rate to which motors and servos drive it that state none; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "point_on_line"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    axis = Key["Vector"](required=True)
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    displacement = Key["Number | Signal | Table"]("m", form="signal", table="signal")
    max_effort = Key["Number"]("N")
    max_rate = Key["Number"]("m/s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        axis: Vector,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        displacement: Number | Signal | Table | None = None,
        max_effort: Number | None = None,
        max_rate: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class GearJoint(Joint):
    """Ties the angles or displacements of two joints: second = ratio first + what they are in the reference.

    Parameters
    ----------
    first : name
        The first joint or truss.
    second : name
        The second joint or truss.
    ratio : number
        Turns of the second for one of the first; of a rack m/rad.
    offset : number [rad or m], optional
        Of the second where the first is at 0; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "gear"
    _writes_type = True

    first = Key["Name"](required=True, form="name")
    second = Key["Name"](required=True, form="name")
    ratio = Key["Number"](required=True)
    offset = Key["Number"]("rad or m")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        first: Name,
        second: Name,
        ratio: Number,
        offset: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class DistanceJoint(Joint):
    """Keeps two points at a distance.

    Parameters
    ----------
    of : places
        The 2 places.
    length : number [m], optional
        Distance between the points; > 0; default: the distance in the reference configuration.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "distance"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    length = Key["Number"]("m")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        length: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class Use(Part):
    """Another scene or a robot as a part of this one: its things enter with names that begin with "NAME.".

    Parameters
    ----------
    scene : path of a file, optional
        The file of the other scene.
    position : vector [m], optional
        Where its origin is; default: the origin.
    angle : number [rad], optional
        Of its x axis from +X, counter-clockwise; default: 0; planar scenes only.
    parameters : mapping of names, optional
        In place of those of the used scene; default: its own.
    set : mapping of dotted keys, optional
        Changes of its values, as --set makes them: section.wall.EA = 3000.
    urdf : path of a file, optional
        In place of `scene`: the URDF file of a robot; spatial scenes only.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned; spatial scenes
        only.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned; spatial
        scenes only.
    base : {"fixed", "free"}, optional
        Of a robot: its first link; default: "fixed"; spatial scenes only.
    joints : mapping of names [rad or m], optional
        Of a robot: where joints start; default: at 0; spatial scenes only.
    limits : {"stops", "rates", "none"}, optional
        Of a robot: what limits of its joints become; default: "stops"; spatial scenes only.
    collision : {"spheres", "all", "none"}, optional
        Of a robot: what its collision geometry becomes; default: "spheres"; spatial scenes only.
    inertia : {"strict", "mended"}, optional
        Of a robot: what becomes of inertia that no mass has; default: "strict"; spatial scenes only.
    packages : str, optional
        Of a robot: folders in which packages of package:// lie, joined by ":"; default: those above its
        file, ROS_PACKAGE_PATH; spatial scenes only.
    replace : mapping of dotted keys, optional
        Of a robot: parts in place of links, by a place for each joint of the link: replace.forearm = {
        elbow = "blade.start", wrist = "blade.end" }; spatial scenes only.
    """

    _table = "use"
    _type = ""

    scene = Key["File"]()
    position = Key["Vector"]("m")
    angle = Key["Number"]("rad")
    parameters = Key["Mapping[str, Number] | Mapping[str, Vector]"]()
    set = Key["Table"]()
    urdf = Key["File"]()
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()
    base = Key['Literal["fixed", "free"]']()
    joints = Key["Mapping[str, Number] | Mapping[str, Vector]"]("rad or m")
    limits = Key['Literal["stops", "rates", "none"]']()
    collision = Key['Literal["spheres", "all", "none"]']()
    inertia = Key['Literal["strict", "mended"]']()
    packages = Key["str"]()
    replace = Key["Table"]()

    def __init__(
        self,
        *,
        scene: File | None = None,
        position: Vector | None = None,
        angle: Number | None = None,
        parameters: Mapping[str, Number] | Mapping[str, Vector] | None = None,
        set: Table | None = None,
        urdf: File | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
        base: Literal["fixed", "free"] | None = None,
        joints: Mapping[str, Number] | Mapping[str, Vector] | None = None,
        limits: Literal["stops", "rates", "none"] | None = None,
        collision: Literal["spheres", "all", "none"] | None = None,
        inertia: Literal["strict", "mended"] | None = None,
        packages: str | None = None,
        replace: Table | None = None,
    ) -> None:
        self._fill(locals())


class ParallelogramLinkage(Linkage):
    """The coupler moves without turning, on circles.

    For planar scenes.

    Parameters
    ----------
    length : number [m]
        Of the two arms A D and B C; > 0.
    width : number [m]
        Of base and coupler, A B and D C; > 0.
    m : number [kg]
        Mass of each member; > 0.
    inclination : number [rad], optional
        Of the arms from its x, where it starts; default: 1.5707963267948966.
    base : {"fixed", "free"}, optional
        The points that it stands on; default: "fixed".
    position : vector [m], optional
        Where its origin is; default: the origin.
    angle : number [rad], optional
        Of its x axis from +X, counter-clockwise; default: 0.
    set : mapping of dotted keys, optional
        Changes of its values, as --set makes them: truss.A_D.m = 0.2.
    """

    _table = "linkage"
    _type = "parallelogram"
    _writes_type = True

    length = Key["Number"]("m", required=True)
    width = Key["Number"]("m", required=True)
    m = Key["Number"]("kg", required=True)
    inclination = Key["Number"]("rad")
    base = Key['Literal["fixed", "free"]']()
    position = Key["Vector"]("m")
    angle = Key["Number"]("rad")
    set = Key["Table"]()

    def __init__(
        self,
        *,
        length: Number,
        width: Number,
        m: Number,
        inclination: Number | None = None,
        base: Literal["fixed", "free"] | None = None,
        position: Vector | None = None,
        angle: Number | None = None,
        set: Table | None = None,
    ) -> None:
        self._fill(locals())


class StraightLineLinkage(Linkage):
    """Peaucellier and Lipkin's inversor: one point moves on a line.

    For planar scenes.

    Parameters
    ----------
    arm : number [m]
        Of the two arms O A and O B; > 0.
    side : number [m]
        Of the rhombus A C B D; > 0.
    crank : number [m]
        From P to C, and from O to P; > 0.
    m : number [kg]
        Mass of each member; > 0.
    base : {"fixed", "free"}, optional
        The points that it stands on; default: "fixed".
    position : vector [m], optional
        Where its origin is; default: the origin.
    angle : number [rad], optional
        Of its x axis from +X, counter-clockwise; default: 0.
    set : mapping of dotted keys, optional
        Changes of its values, as --set makes them: truss.A_D.m = 0.2.
    """

    _table = "linkage"
    _type = "straight_line"
    _writes_type = True

    arm = Key["Number"]("m", required=True)
    side = Key["Number"]("m", required=True)
    crank = Key["Number"]("m", required=True)
    m = Key["Number"]("kg", required=True)
    base = Key['Literal["fixed", "free"]']()
    position = Key["Vector"]("m")
    angle = Key["Number"]("rad")
    set = Key["Table"]()

    def __init__(
        self,
        *,
        arm: Number,
        side: Number,
        crank: Number,
        m: Number,
        base: Literal["fixed", "free"] | None = None,
        position: Vector | None = None,
        angle: Number | None = None,
        set: Table | None = None,
    ) -> None:
        self._fill(locals())


class Sphere(Part):
    """A disc that contacts know: a mass of its own without rotation, or on a place of a part.

    Parameters
    ----------
    radius : number [m]
        Radius; 0 is the point itself; ≥ 0.
    position : vector [m], optional
        Of its centre, in the reference.
    at : place, optional
        In place of `position`: its centre is this place of a part.
    m : number [kg], optional
        Mass; with `at` it is added to the part; > 0; default: with `at` none.
    velocity : vector [m/s], optional
        Initial velocity; default: at rest.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    density : number [kg/m³], optional
        In place of `m`; > 0; spatial scenes only.
    nodes : place, optional
        In place of `at`: one on each node of this face of a solid; they never touch each other; spatial
        scenes only.
    """

    _table = "sphere"
    _type = ""

    radius = Key["Number"]("m", required=True)
    position = Key["Vector"]("m")
    at = Key["Place"](form="place")
    m = Key["Number"]("kg")
    velocity = Key["Vector"]("m/s")
    color = Key["str"]()
    density = Key["Number"]("kg/m^3")
    nodes = Key["Place"](form="place")

    def __init__(
        self,
        *,
        radius: Number,
        position: Vector | None = None,
        at: Place | None = None,
        m: Number | None = None,
        velocity: Vector | None = None,
        color: str | None = None,
        density: Number | None = None,
        nodes: Place | None = None,
    ) -> None:
        self._fill(locals())


class Plane(Part):
    """A line of the ground; what is behind it is solid.

    Parameters
    ----------
    point : vector [m]
        On it.
    normal : vector
        Out of the solid, of any length.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    """

    _table = "plane"
    _type = ""

    point = Key["Vector"]("m", required=True)
    normal = Key["Vector"](required=True)
    color = Key["str"]()

    def __init__(
        self,
        *,
        point: Vector,
        normal: Vector,
        color: str | None = None,
    ) -> None:
        self._fill(locals())


class Contact(Part):
    """What may touch, without friction.

    Parameters
    ----------
    between : names
        Any two of these may touch; * stands for any letters.
    restitution : number, optional
        Normal velocity after an impact over that before; from 0 to 1; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "contact"
    _type = ""

    between = Key["Sequence[Name]"](required=True, form="names")
    restitution = Key["Number"]()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Sequence[Name],
        restitution: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class Chamber(AnyChamber):
    """A filling of gas, P V^n constant.

    Parameters
    ----------
    surfaces : names
        What is around it; * stands for any letters; spatial: what is around it: plates, membranes, and
        surfaces of solids, as "leg.inner"; * stands for any letters.
    overpressure : number [Pa], optional
        Of the filling in the reference; ≥ 0; default: 0.
    exponent : number, optional
        n: 1 isothermal, 1.4 adiabatic air; > 0; default: 1.
    ambient : number [Pa], optional
        Pressure outside; > 0; default: 101325.
    dead_volume : number [m³], optional
        Of hoses and fittings; ≥ 0; default: 0.
    temperature : number [K], optional
        Of the filling; > 0; default: 293.15.
    gas_constant : number [J/(kg K)], optional
        Of the gas; dry air by default; > 0; default: 287.05.
    added : signal, optional
        Gas added over time, as a share of the filling; default: none.
    lids : bool, optional
        Ends that are apart are joined by straight walls; spatial: openings are closed by lids without
        stiffness, from the middle of their rim.
    tolerance : number [m], optional
        Of what lies side by side; > 0; default: a thousandth of its size.
    depth : number [m], optional
        Across the plane; required in planar scenes; > 0; planar scenes only.
    planes : names, optional
        That close it, of the ground or of symmetry; at most three, through one point; spatial scenes
        only.
    """

    _table = "chamber"
    _type = "gas"

    surfaces = Key["Sequence[Name]"](required=True, form="names")
    overpressure = Key["Number"]("Pa")
    exponent = Key["Number"]()
    ambient = Key["Number"]("Pa")
    dead_volume = Key["Number"]("m^3")
    temperature = Key["Number"]("K")
    gas_constant = Key["Number"]("J/(kg K)")
    added = Key["Number | Signal | Table"](form="signal", table="signal")
    lids = Key["bool"]()
    tolerance = Key["Number"]("m")
    depth = Key["Number"]("m")
    planes = Key["Sequence[Name]"](form="names")

    def __init__(
        self,
        *,
        surfaces: Sequence[Name],
        overpressure: Number | None = None,
        exponent: Number | None = None,
        ambient: Number | None = None,
        dead_volume: Number | None = None,
        temperature: Number | None = None,
        gas_constant: Number | None = None,
        added: Number | Signal | Table | None = None,
        lids: bool | None = None,
        tolerance: Number | None = None,
        depth: Number | None = None,
        planes: Sequence[Name] | None = None,
    ) -> None:
        self._fill(locals())


class LiquidChamber(AnyChamber):
    """Filled with a liquid.

    Parameters
    ----------
    surfaces : names
        What is around it; * stands for any letters; spatial: what is around it: plates, membranes, and
        surfaces of solids, as "leg.inner"; * stands for any letters.
    compressibility : number [1/Pa], optional
        Of the liquid; water 4.6e-10, 0: none; ≥ 0; default: 0.
    dead_volume : number [m³], optional
        Of hoses and fittings; ≥ 0; default: 0.
    added : signal, optional
        Liquid added over time, as a share of the filling; default: none.
    lids : bool, optional
        Ends that are apart are joined by straight walls; spatial: openings are closed by lids without
        stiffness, from the middle of their rim.
    tolerance : number [m], optional
        Of what lies side by side; > 0; default: a thousandth of its size.
    depth : number [m], optional
        Across the plane; required in planar scenes; > 0; planar scenes only.
    planes : names, optional
        That close it, of the ground or of symmetry; at most three, through one point; spatial scenes
        only.
    """

    _table = "chamber"
    _type = "liquid"
    _writes_type = True

    surfaces = Key["Sequence[Name]"](required=True, form="names")
    compressibility = Key["Number"]("1/Pa")
    dead_volume = Key["Number"]("m^3")
    added = Key["Number | Signal | Table"](form="signal", table="signal")
    lids = Key["bool"]()
    tolerance = Key["Number"]("m")
    depth = Key["Number"]("m")
    planes = Key["Sequence[Name]"](form="names")

    def __init__(
        self,
        *,
        surfaces: Sequence[Name],
        compressibility: Number | None = None,
        dead_volume: Number | None = None,
        added: Number | Signal | Table | None = None,
        lids: bool | None = None,
        tolerance: Number | None = None,
        depth: Number | None = None,
        planes: Sequence[Name] | None = None,
    ) -> None:
        self._fill(locals())


class PressureChamber(AnyChamber):
    """At a pressure that is given.

    Parameters
    ----------
    pressure : signal [Pa]
        Overpressure over time.
    surfaces : names
        What is around it; * stands for any letters; spatial: what is around it: plates, membranes, and
        surfaces of solids, as "leg.inner"; * stands for any letters.
    lids : bool, optional
        Ends that are apart are joined by straight walls; spatial: openings are closed by lids without
        stiffness, from the middle of their rim.
    tolerance : number [m], optional
        Of what lies side by side; > 0; default: a thousandth of its size.
    depth : number [m], optional
        Across the plane; required in planar scenes; > 0; planar scenes only.
    planes : names, optional
        That close it, of the ground or of symmetry; at most three, through one point; spatial scenes
        only.
    """

    _table = "chamber"
    _type = "pressure"
    _writes_type = True

    pressure = Key["Number | Signal | Table"]("Pa", required=True, form="signal", table="signal")
    surfaces = Key["Sequence[Name]"](required=True, form="names")
    lids = Key["bool"]()
    tolerance = Key["Number"]("m")
    depth = Key["Number"]("m")
    planes = Key["Sequence[Name]"](form="names")

    def __init__(
        self,
        *,
        pressure: Number | Signal | Table,
        surfaces: Sequence[Name],
        lids: bool | None = None,
        tolerance: Number | None = None,
        depth: Number | None = None,
        planes: Sequence[Name] | None = None,
    ) -> None:
        self._fill(locals())


class SupplyLine(Line):
    """From a supply at a pressure that is given.

    Parameters
    ----------
    of : name
        The chamber.
    pressure : signal [Pa]
        Overpressure of the supply over time, no less than a vacuum's.
    law : {"laminar", "orifice"}, optional
        How the flow depends on the pressures; default: "laminar".
    resistance : number [Pa s/kg], optional
        Laminar: pressure difference over mass flow; > 0; default: 1000000000.
    conductance : number [m³/(s Pa)], optional
        Orifice: sonic conductance C; > 0; default: 1e-08.
    critical_ratio : number, optional
        Orifice: b, ratio of pressures below which the flow is sonic; ≥ 0 and < 0.9; default: 0.4.
    opening : signal, optional
        0 is shut, 1 is open; default: open.
    """

    _table = "line"
    _type = "supply"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    pressure = Key["Number | Signal | Table"]("Pa", required=True, form="signal", table="signal")
    law = Key['Literal["laminar", "orifice"]']()
    resistance = Key["Number"]("Pa s/kg")
    conductance = Key["Number"]("m^3/(s Pa)")
    critical_ratio = Key["Number"]()
    opening = Key["Number | Signal | Table"](form="signal", table="signal")

    def __init__(
        self,
        *,
        of: Name,
        pressure: Number | Signal | Table,
        law: Literal["laminar", "orifice"] | None = None,
        resistance: Number | None = None,
        conductance: Number | None = None,
        critical_ratio: Number | None = None,
        opening: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class VentLine(Line):
    """To the atmosphere.

    Parameters
    ----------
    of : name
        The chamber.
    law : {"laminar", "orifice"}, optional
        How the flow depends on the pressures; default: "laminar".
    resistance : number [Pa s/kg], optional
        Laminar: pressure difference over mass flow; > 0; default: 1000000000.
    conductance : number [m³/(s Pa)], optional
        Orifice: sonic conductance C; > 0; default: 1e-08.
    critical_ratio : number, optional
        Orifice: b, ratio of pressures below which the flow is sonic; ≥ 0 and < 0.9; default: 0.4.
    opening : signal, optional
        0 is shut, 1 is open; default: open.
    """

    _table = "line"
    _type = "vent"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    law = Key['Literal["laminar", "orifice"]']()
    resistance = Key["Number"]("Pa s/kg")
    conductance = Key["Number"]("m^3/(s Pa)")
    critical_ratio = Key["Number"]()
    opening = Key["Number | Signal | Table"](form="signal", table="signal")

    def __init__(
        self,
        *,
        of: Name,
        law: Literal["laminar", "orifice"] | None = None,
        resistance: Number | None = None,
        conductance: Number | None = None,
        critical_ratio: Number | None = None,
        opening: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class InflowLine(Line):
    """Gas that flows in whatever the pressure.

    Parameters
    ----------
    of : name
        The chamber.
    rate : signal [kg/s]
        Mass flow over time; negative: out.
    """

    _table = "line"
    _type = "inflow"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    rate = Key["Number | Signal | Table"]("kg/s", required=True, form="signal", table="signal")

    def __init__(
        self,
        *,
        of: Name,
        rate: Number | Signal | Table,
    ) -> None:
        self._fill(locals())


class BetweenLine(Line):
    """From one chamber to another.

    Parameters
    ----------
    of : name
        The chamber.
    to : name
        The other chamber.
    law : {"laminar", "orifice"}, optional
        How the flow depends on the pressures; default: "laminar".
    resistance : number [Pa s/kg], optional
        Laminar: pressure difference over mass flow; > 0; default: 1000000000.
    conductance : number [m³/(s Pa)], optional
        Orifice: sonic conductance C; > 0; default: 1e-08.
    critical_ratio : number, optional
        Orifice: b, ratio of pressures below which the flow is sonic; ≥ 0 and < 0.9; default: 0.4.
    opening : signal, optional
        0 is shut, 1 is open; default: open.
    """

    _table = "line"
    _type = "between"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    to = Key["Name"](required=True, form="name")
    law = Key['Literal["laminar", "orifice"]']()
    resistance = Key["Number"]("Pa s/kg")
    conductance = Key["Number"]("m^3/(s Pa)")
    critical_ratio = Key["Number"]()
    opening = Key["Number | Signal | Table"](form="signal", table="signal")

    def __init__(
        self,
        *,
        of: Name,
        to: Name,
        law: Literal["laminar", "orifice"] | None = None,
        resistance: Number | None = None,
        conductance: Number | None = None,
        critical_ratio: Number | None = None,
        opening: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class PointMass(Part):
    """Mass concentrated at a point.

    Parameters
    ----------
    at : place
        The place.
    m : number [kg]
        Mass; ≥ 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "mass"
    _type = "point"

    at = Key["Place"](required=True, form="place")
    m = Key["Number"]("kg", required=True)
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        m: Number,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class Truss(AnyTruss):
    """A straight member that keeps its length.

    Parameters
    ----------
    between : places
        The 2 places.
    length : number [m], optional
        Length; > 0; default: the distance in the reference configuration.
    m : number [kg], optional
        Mass, spread evenly over the length; ≥ 0; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "rigid"

    between = Key["Places"](required=True, form="places")
    length = Key["Number"]("m")
    m = Key["Number"]("kg")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        length: Number | None = None,
        m: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ActuatorTruss(AnyTruss):
    """A straight member whose length follows a signal.

    Parameters
    ----------
    between : places
        The 2 places.
    extension : signal [m]
        Extension over time.
    length : number [m], optional
        Length without extension; > 0; default: the distance in the reference configuration.
    m : number [kg], optional
        Mass, spread evenly over the length; ≥ 0; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "actuator"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    extension = Key["Number | Signal | Table"]("m", required=True, form="signal", table="signal")
    length = Key["Number"]("m")
    m = Key["Number"]("kg")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        extension: Number | Signal | Table,
        length: Number | None = None,
        m: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ElasticTruss(AnyTruss):
    """A straight member that stretches.

    Parameters
    ----------
    between : places
        The 2 places.
    EA : number [N]
        Axial stiffness; > 0.
    length : number [m], optional
        Length at which it carries the prestress; > 0; default: the distance in the reference
        configuration.
    prestress : number [N], optional
        Tension at that length; default: 0.
    m : number [kg], optional
        Mass, spread evenly over the length; ≥ 0; default: 0.
    carries : {"both", "tension"}, optional
        What it resists: tension and compression, or tension, as a cable; default: "both".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "elastic"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    EA = Key["Number"]("N", required=True)
    length = Key["Number"]("m")
    prestress = Key["Number"]("N")
    m = Key["Number"]("kg")
    carries = Key['Literal["both", "tension"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        EA: Number,
        length: Number | None = None,
        prestress: Number | None = None,
        m: Number | None = None,
        carries: Literal["both", "tension"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class FreeTruss(AnyTruss):
    """A straight member whose length springs, motors and gears act on.

    Parameters
    ----------
    between : places
        The 2 places.
    m : number [kg], optional
        Mass, spread evenly over the length; ≥ 0; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "free"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    m = Key["Number"]("kg")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        m: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class CylinderTruss(AnyTruss):
    """A straight member that pushes its ends apart.

    Parameters
    ----------
    between : places
        The 2 places.
    thrust : signal [N]
        Thrust over time.
    max_thrust : number [N], optional
        Largest thrust either way; > 0; default: 1000000000000.
    max_rate : number [m/s], optional
        Rate at which its valve leaves it no thrust, of which it loses the square; > 0; default:
        1000000000.
    m : number [kg], optional
        Mass, spread evenly over the length; ≥ 0; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "cylinder"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    thrust = Key["Number | Signal | Table"]("N", required=True, form="signal", table="signal")
    max_thrust = Key["Number"]("N")
    max_rate = Key["Number"]("m/s")
    m = Key["Number"]("kg")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        thrust: Number | Signal | Table,
        max_thrust: Number | None = None,
        max_rate: Number | None = None,
        m: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class BodyTruss(AnyTruss):
    """Mass of a planar body that moves with two places, rigid or dilating.

    For planar scenes.

    Parameters
    ----------
    between : places
        The 2 places.
    m : number [kg]
        Mass; > 0.
    inertia : number [kg m²]
        Moment of inertia about the centre of mass; of a dilating body in the reference; ≥ 0.
    along : number [m], optional
        Centre of mass from the first place towards the second; default: 0.
    across : number [m], optional
        Centre of mass from that line, to the left; default: 0.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "body"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    m = Key["Number"]("kg", required=True)
    inertia = Key["Number"]("kg m^2", required=True)
    along = Key["Number"]("m")
    across = Key["Number"]("m")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        m: Number,
        inertia: Number,
        along: Number | None = None,
        across: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class NodeTruss(AnyTruss):
    """Mass at a node of trusses that have mass; may be negative.

    Parameters
    ----------
    at : place
        The place.
    m : number [kg]
        Mass.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "node"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    m = Key["Number"]("kg", required=True)
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        m: Number,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class DriveTruss(AnyTruss):
    """A straight member whose length follows a signal, with limits of rate and force.

    Parameters
    ----------
    between : places
        The 2 places.
    extension : signal [m]
        Extension over time.
    stiffness : number [N/m]
        Stiffness k over which it carries its load; > 0.
    length : number [m], optional
        Length without extension; > 0; default: the distance in the reference configuration.
    settling : number [s], optional
        Time tau of its damper k tau; ≥ 0; default: 0.
    max_force : number [N], optional
        Largest force either way; > 0; default: 1000000000000.
    max_rate : number [m/s], optional
        Rate at which it runs after its target; > 0; default: 1000000000.
    m : number [kg], optional
        Mass, spread evenly over the length; ≥ 0; default: 0.
    overload : {"yields", "holds"}, optional
        What a load above its limit does: pushes it back, or stops it; default: "yields".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "truss"
    _type = "drive"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    extension = Key["Number | Signal | Table"]("m", required=True, form="signal", table="signal")
    stiffness = Key["Number"]("N/m", required=True)
    length = Key["Number"]("m")
    settling = Key["Number"]("s")
    max_force = Key["Number"]("N")
    max_rate = Key["Number"]("m/s")
    m = Key["Number"]("kg")
    overload = Key['Literal["yields", "holds"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        extension: Number | Signal | Table,
        stiffness: Number,
        length: Number | None = None,
        settling: Number | None = None,
        max_force: Number | None = None,
        max_rate: Number | None = None,
        m: Number | None = None,
        overload: Literal["yields", "holds"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class LinearSpring(Spring):
    """Spring and damper between two points.

    Parameters
    ----------
    between : places
        The 2 places.
    stiffness : number [N/m]
        Spring rate k; ≥ 0.
    damping : number [N s/m], optional
        Damper rate c; ≥ 0; default: 0.
    free_length : number [m], optional
        Length l0 without force; ≥ 0; default: the distance in the reference configuration.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "spring"
    _type = "linear"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    stiffness = Key["Number"]("N/m", required=True)
    damping = Key["Number"]("N s/m")
    free_length = Key["Number"]("m")
    relaxation = Key["Points"]()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        stiffness: Number,
        damping: Number | None = None,
        free_length: Number | None = None,
        relaxation: Points | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class TorsionalSpring(Spring):
    """Spring and damper between two directions.

    For planar scenes.

    Parameters
    ----------
    between : places
        The 2 places.
    stiffness : number [N m/rad]
        Spring rate k; ≥ 0.
    damping : number [N m s/rad], optional
        Damper rate c; ≥ 0; default: 0.
    turn : number [rad], optional
        Free angle beyond that of the reference; default: 0.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "spring"
    _type = "torsional"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    stiffness = Key["Number"]("N m/rad", required=True)
    damping = Key["Number"]("N m s/rad")
    turn = Key["Number"]("rad")
    relaxation = Key["Points"]()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        stiffness: Number,
        damping: Number | None = None,
        turn: Number | None = None,
        relaxation: Points | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class JointSpring(Spring):
    """Spring, damper and end stops on a joint's angle or displacement, or a truss's length.

    Parameters
    ----------
    at : name
        The joint whose angle or displacement it is, or the truss whose length.
    stiffness : number [N m/rad or N/m], optional
        Spring rate k; ≥ 0; default: 0.
    damping : number [N m s/rad or N s/m], optional
        Damper rate c; ≥ 0; default: 0.
    rest : number [rad or m], optional
        Angle or displacement without force; default: 0.
    lower : number [rad or m], optional
        Where the lower stop begins; default: -1000000000.
    upper : number [rad or m], optional
        Where the upper stop begins; default: 1000000000.
    stop_stiffness : number [N m/rad or N/m], optional
        Rate k_s of the stops; ≥ 0; default: 0.
    stop_damping : number [N m s/rad or N s/m], optional
        Damper rate c_s of the stops; ≥ 0; default: 0.
    stop_width : number [rad or m], optional
        Penetration over which the stops engage; > 0; default: 0.001.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "spring"
    _type = "joint"
    _writes_type = True

    at = Key["Name"](required=True, form="name")
    stiffness = Key["Number"]("N m/rad or N/m")
    damping = Key["Number"]("N m s/rad or N s/m")
    rest = Key["Number"]("rad or m")
    lower = Key["Number"]("rad or m")
    upper = Key["Number"]("rad or m")
    stop_stiffness = Key["Number"]("N m/rad or N/m")
    stop_damping = Key["Number"]("N m s/rad or N s/m")
    stop_width = Key["Number"]("rad or m")
    relaxation = Key["Points"]()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Name,
        stiffness: Number | None = None,
        damping: Number | None = None,
        rest: Number | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        stop_stiffness: Number | None = None,
        stop_damping: Number | None = None,
        stop_width: Number | None = None,
        relaxation: Points | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ForceLoad(Load):
    """Force at a point, fixed in space.

    Parameters
    ----------
    at : place
        The place.
    force : vector [N]
        Force, multiplied by the signal.
    signal : signal, optional
        Multiplies it; default: 1.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    force = Key["Vector"]("N", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        force: Vector,
        signal: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class FollowerForceLoad(Load):
    """Force at a point that turns with the part.

    Parameters
    ----------
    at : place
        The place.
    force : vector [N]
        Along and across the direction, times the signal; spatial: along the part and across it, times the
        signal: along the tangent, across it, along `normal` of a cable; along d3, d1, d2 of a beam; along
        x, y, z of a body.
    signal : signal, optional
        Multiplies it; default: 1.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    normal : vector, optional
        Of a cable: direction of space across which it bends; across is normal x tangent; spatial scenes
        only.
    """

    _table = "load"
    _type = "follower_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    force = Key["Vector"]("N", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")
    normal = Key["Vector"]()

    def __init__(
        self,
        *,
        at: Place,
        force: Vector,
        signal: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
        normal: Vector | None = None,
    ) -> None:
        self._fill(locals())


class MomentLoad(Load):
    """Moment on the direction of a node.

    Parameters
    ----------
    at : place
        The place.
    moment : number or vector [N m]
        Moment, multiplied by the signal.
    signal : signal, optional
        Multiplies it; default: 1.
    form : {"exact", "simplified"}, optional
        Exact, or the paper's form for unit gradients; default: "exact"; planar scenes only.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "moment"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    moment = Key["Number | Vector"]("N m", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    form = Key['Literal["exact", "simplified"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        moment: Number | Vector,
        signal: Number | Signal | Table | None = None,
        form: Literal["exact", "simplified"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class CoupleLoad(Load):
    """Moment on the line between two places, as a pair of forces.

    For planar scenes.

    Parameters
    ----------
    between : places
        The 2 places.
    moment : number [N m]
        Moment, multiplied by the signal.
    signal : signal, optional
        Multiplies it; default: 1.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "couple"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    moment = Key["Number"]("N m", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        between: Places,
        moment: Number,
        signal: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class PneumaticLoad(Load):
    """Chamber pressure as a pair of end moments.

    Parameters
    ----------
    between : places
        The 2 places.
    pressure : signal [Pa]
        Pressure over time.
    radius : number [m]
        Radius of the chamber; > 0.
    arm : number [m]
        Distance of the chamber's axis from the neutral line; the sign chooses the side.
    form : {"exact", "simplified"}, optional
        Exact, or the paper's form for unit gradients; default: "exact"; planar scenes only.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    angle : number [rad], optional
        Of a beam: where the chamber lies in its section, from d1 towards d2; default: 0; spatial scenes
        only.
    normal : vector, optional
        Of a cable: direction of space about which it bends; spatial scenes only.
    """

    _table = "load"
    _type = "pneumatic"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    pressure = Key["Number | Signal | Table"]("Pa", required=True, form="signal", table="signal")
    radius = Key["Number"]("m", required=True)
    arm = Key["Number"]("m", required=True)
    form = Key['Literal["exact", "simplified"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")
    angle = Key["Number"]("rad")
    normal = Key["Vector"]()

    def __init__(
        self,
        *,
        between: Places,
        pressure: Number | Signal | Table,
        radius: Number,
        arm: Number,
        form: Literal["exact", "simplified"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
        angle: Number | None = None,
        normal: Vector | None = None,
    ) -> None:
        self._fill(locals())


class DistributedLoad(Load):
    """Force per length along a cable.

    Parameters
    ----------
    on : name
        The cable, over its whole length; spatial: cable or beam, over its length.
    force : vector [N/m]
        Force per length of the reference, times the signal; spatial: force per length of the reference,
        times the signal; follower: along the tangent, across it, along `normal` of a cable; along d3, d1,
        d2 of a beam.
    signal : signal, optional
        Multiplies it; default: 1.
    frame : {"fixed", "follower"}, optional
        Fixed in space, or turning with the cable (along, across); spatial: fixed in space, or turning
        with the part: along it, across it; default: "fixed".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    normal : vector, optional
        Follower on a cable: direction of space across which it bends; across is normal x tangent; spatial
        scenes only.
    """

    _table = "load"
    _type = "distributed"
    _writes_type = True

    on = Key["Name"](required=True, form="name")
    force = Key["Vector"]("N/m", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    frame = Key['Literal["fixed", "follower"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")
    normal = Key["Vector"]()

    def __init__(
        self,
        *,
        on: Name,
        force: Vector,
        signal: Number | Signal | Table | None = None,
        frame: Literal["fixed", "follower"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
        normal: Vector | None = None,
    ) -> None:
        self._fill(locals())


class MotorLoad(Load):
    """Motor on a joint's angle or displacement, or a truss's length.

    Parameters
    ----------
    at : name
        The joint whose angle or displacement it is, or the truss whose length.
    effort : signal [N m or N]
        Effort over time.
    limit : number [N m or N], optional
        Largest effort; > 0; default: 1000000000.
    max_rate : number [rad/s or m/s], optional
        Largest rate to which it drives: its effort fades from 0.9 of it on; > 0; default: 1000000000.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "motor"
    _writes_type = True

    at = Key["Name"](required=True, form="name")
    effort = Key["Number | Signal | Table"]("N m or N", required=True, form="signal", table="signal")
    limit = Key["Number"]("N m or N")
    max_rate = Key["Number"]("rad/s or m/s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Name,
        effort: Number | Signal | Table,
        limit: Number | None = None,
        max_rate: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ServoLoad(Load):
    """Motor that follows a target, on a joint's angle or displacement, or a truss's length.

    Parameters
    ----------
    at : name
        The joint whose angle or displacement it is, or the truss whose length.
    target : signal [rad or m]
        Target over time.
    kp : number [N m/rad or N/m]
        Effort for a unit of error; ≥ 0.
    kd : number [N m s/rad or N s/m], optional
        Effort for a unit of error of the rate; ≥ 0; default: 0.
    limit : number [N m or N], optional
        Largest effort; > 0; default: 1000000000.
    max_rate : number [rad/s or m/s], optional
        Largest rate to which it drives: its effort fades from 0.9 of it on; > 0; default: 1000000000.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "servo"
    _writes_type = True

    at = Key["Name"](required=True, form="name")
    target = Key["Number | Signal | Table"]("rad or m", required=True, form="signal", table="signal")
    kp = Key["Number"]("N m/rad or N/m", required=True)
    kd = Key["Number"]("N m s/rad or N s/m")
    limit = Key["Number"]("N m or N")
    max_rate = Key["Number"]("rad/s or m/s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Name,
        target: Number | Signal | Table,
        kp: Number,
        kd: Number | None = None,
        limit: Number | None = None,
        max_rate: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ExternalLoad(Load):
    """Force at a point that the program computes from t, x and v.

    Parameters
    ----------
    at : place
        The place.
    signal : signal, optional
        Multiplies it; default: 1.
    function : callable, optional
        A function, or its name in `Scene.functions`; default: the load's name.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "external"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    function = Key["FunctionKey"](form="function")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        signal: Number | Signal | Table | None = None,
        function: FunctionKey | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ExternalEffortLoad(Load):
    """Moment or force on a joint's angle or displacement that the program computes.

    Parameters
    ----------
    at : name
        The joint whose angle or displacement it is, or the truss whose length.
    signal : signal, optional
        Multiplies it; default: 1.
    function : callable, optional
        A function, or its name in `Scene.functions`; default: the load's name.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "external_effort"
    _writes_type = True

    at = Key["Name"](required=True, form="name")
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    function = Key["FunctionKey"](form="function")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Name,
        signal: Number | Signal | Table | None = None,
        function: FunctionKey | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class FrictionLoad(Load):
    """Dry friction with stiction on a joint's angle or displacement, or a truss's length.

    Parameters
    ----------
    at : name
        The joint whose angle or displacement it is, or the truss whose length.
    coulomb : number [N m or N]
        Friction F_c of what slides; ≥ 0.
    static_ratio : number, optional
        Largest friction at rest over F_c; ≥ 1; default: 1.
    stribeck : number [rad/s or m/s], optional
        Rate v_s at which the excess at rest has fallen to 1/e; > 0; default: 0.01.
    viscous : number [N m s/rad or N s/m], optional
        Friction c for a unit of rate; ≥ 0; default: 0.
    presliding : number [rad or m], optional
        Elastic displacement z_0 at which what is stuck gives way; > 0; default: 0.0001.
    settling : number [s], optional
        Time tau of the damper that brings what is stuck to rest; ≥ 0; default: 0.001.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "friction"
    _writes_type = True

    at = Key["Name"](required=True, form="name")
    coulomb = Key["Number"]("N m or N", required=True)
    static_ratio = Key["Number"]()
    stribeck = Key["Number"]("rad/s or m/s")
    viscous = Key["Number"]("N m s/rad or N s/m")
    presliding = Key["Number"]("rad or m")
    settling = Key["Number"]("s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Name,
        coulomb: Number,
        static_ratio: Number | None = None,
        stribeck: Number | None = None,
        viscous: Number | None = None,
        presliding: Number | None = None,
        settling: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class DriveLoad(Load):
    """Drive with limits of rate and effort that brings a joint's angle or displacement, or a truss's length, to a
    target.

    Parameters
    ----------
    at : name
        The joint whose angle or displacement it is, or the truss whose length.
    target : signal [rad or m]
        Target over time.
    stiffness : number [N m/rad or N/m]
        Stiffness k over which it carries its load; > 0.
    settling : number [s], optional
        Time tau of its damper k tau; ≥ 0; default: 0.
    limit : number [N m or N], optional
        Largest effort; > 0; default: 1000000000000.
    max_rate : number [rad/s or m/s], optional
        Rate at which it runs after its target; > 0; default: 1000000000.
    overload : {"yields", "holds"}, optional
        What a load above its limit does: pushes it back, or stops it; default: "yields".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "drive"
    _writes_type = True

    at = Key["Name"](required=True, form="name")
    target = Key["Number | Signal | Table"]("rad or m", required=True, form="signal", table="signal")
    stiffness = Key["Number"]("N m/rad or N/m", required=True)
    settling = Key["Number"]("s")
    limit = Key["Number"]("N m or N")
    max_rate = Key["Number"]("rad/s or m/s")
    overload = Key['Literal["yields", "holds"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Name,
        target: Number | Signal | Table,
        stiffness: Number,
        settling: Number | None = None,
        limit: Number | None = None,
        max_rate: Number | None = None,
        overload: Literal["yields", "holds"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ConstantSignal(Signal):
    """A number.

    Parameters
    ----------
    value : number
        The number.
    """

    _table = "signal"
    _type = "constant"
    _writes_type = True

    value = Key["Number"](required=True)

    def __init__(
        self,
        *,
        value: Number,
    ) -> None:
        self._fill(locals())


class RampSignal(Signal):
    """Linear from one value to another, held before and after.

    Parameters
    ----------
    to : number
        Value after.
    duration : number [s]
        0 is a jump; ≥ 0.
    from_ : number, optional
        Value before; default: 0.
    start : number [s], optional
        Time at which it begins; default: 0.
    """

    _table = "signal"
    _type = "ramp"
    _writes_type = True

    to = Key["Number"](required=True)
    duration = Key["Number"]("s", required=True)
    from_ = Key["Number"]()
    start = Key["Number"]("s")

    def __init__(
        self,
        *,
        to: Number,
        duration: Number,
        from_: Number | None = None,
        start: Number | None = None,
    ) -> None:
        self._fill(locals())


class SmoothStepSignal(Signal):
    """As the ramp, twice continuously differentiable.

    Parameters
    ----------
    to : number
        Value after.
    duration : number [s]
        0 is a jump; ≥ 0.
    from_ : number, optional
        Value before; default: 0.
    start : number [s], optional
        Time at which it begins; default: 0.
    """

    _table = "signal"
    _type = "smooth_step"
    _writes_type = True

    to = Key["Number"](required=True)
    duration = Key["Number"]("s", required=True)
    from_ = Key["Number"]()
    start = Key["Number"]("s")

    def __init__(
        self,
        *,
        to: Number,
        duration: Number,
        from_: Number | None = None,
        start: Number | None = None,
    ) -> None:
        self._fill(locals())


class SineSignal(Signal):
    """Offset + amplitude sin(2 pi frequency (t - start) + phase).

    Parameters
    ----------
    amplitude : number
        Amplitude.
    frequency : number [Hz]
        Frequency; ≥ 0.
    phase : number [rad], optional
        Phase at start; default: 0.
    offset : number, optional
        Mean value; default: 0.
    start : number [s], optional
        Time at which it begins; default: 0.
    """

    _table = "signal"
    _type = "sine"
    _writes_type = True

    amplitude = Key["Number"](required=True)
    frequency = Key["Number"]("Hz", required=True)
    phase = Key["Number"]("rad")
    offset = Key["Number"]()
    start = Key["Number"]("s")

    def __init__(
        self,
        *,
        amplitude: Number,
        frequency: Number,
        phase: Number | None = None,
        offset: Number | None = None,
        start: Number | None = None,
    ) -> None:
        self._fill(locals())


class ChirpSignal(Signal):
    """A sine whose frequency grows linearly from f0 to f1.

    Parameters
    ----------
    amplitude : number
        Amplitude.
    f0 : number [Hz]
        First frequency; ≥ 0.
    f1 : number [Hz]
        Last frequency; ≥ 0.
    duration : number [s]
        Duration of the sweep; > 0.
    offset : number, optional
        Mean value; default: 0.
    phase : number [rad], optional
        Phase at start; default: 0.
    start : number [s], optional
        Time at which it begins; default: 0.
    """

    _table = "signal"
    _type = "chirp"
    _writes_type = True

    amplitude = Key["Number"](required=True)
    f0 = Key["Number"]("Hz", required=True)
    f1 = Key["Number"]("Hz", required=True)
    duration = Key["Number"]("s", required=True)
    offset = Key["Number"]()
    phase = Key["Number"]("rad")
    start = Key["Number"]("s")

    def __init__(
        self,
        *,
        amplitude: Number,
        f0: Number,
        f1: Number,
        duration: Number,
        offset: Number | None = None,
        phase: Number | None = None,
        start: Number | None = None,
    ) -> None:
        self._fill(locals())


class PiecewiseSignal(Signal):
    """Straight lines between points [t, u]; two points of the same time are a jump.

    Parameters
    ----------
    points : points
        Pairs [t, u], t in s.
    period : number [s], optional
        Repeats; > 0; default: none.
    """

    _table = "signal"
    _type = "piecewise"
    _writes_type = True

    points = Key["Points"](required=True)
    period = Key["Number"]("s")

    def __init__(
        self,
        *,
        points: Points,
        period: Number | None = None,
    ) -> None:
        self._fill(locals())


class TableSignal(Signal):
    """Columns of a file.

    Parameters
    ----------
    file : path of a file
        Numbers in columns.
    time : str or int, optional
        Column of t [s]; default: the first.
    value : str or int, optional
        Column of the values; default: the second.
    unit : str, optional
        Unit of the values; default: SI.
    interpolation : {"linear", "hold", "cubic", "spline"}, optional
        Between rows; default: "linear".
    period : number [s], optional
        Repeats; > 0; default: none.
    """

    _table = "signal"
    _type = "table"
    _writes_type = True

    file = Key["File"](required=True)
    time = Key["str | int"]()
    value = Key["str | int"]()
    unit = Key["str"]()
    interpolation = Key['Literal["linear", "hold", "cubic", "spline"]']()
    period = Key["Number"]("s")

    def __init__(
        self,
        *,
        file: File,
        time: str | int | None = None,
        value: str | int | None = None,
        unit: str | None = None,
        interpolation: Literal["linear", "hold", "cubic", "spline"] | None = None,
        period: Number | None = None,
    ) -> None:
        self._fill(locals())


class ExpressionSignal(Signal):
    """A formula in t and signal(name).

    Parameters
    ----------
    formula : str
        The formula.
    """

    _table = "signal"
    _type = "expression"
    _writes_type = True

    formula = Key["str"](required=True)

    def __init__(
        self,
        *,
        formula: str,
    ) -> None:
        self._fill(locals())


class LagSignal(Signal):
    """First-order lag of another signal.

    Parameters
    ----------
    of : name
        The signal.
    time_constant : number [s]
        Time constant; > 0.
    initial : number, optional
        Value at the start; default: at rest.
    """

    _table = "signal"
    _type = "lag"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    time_constant = Key["Number"]("s", required=True)
    initial = Key["Number"]()

    def __init__(
        self,
        *,
        of: Name,
        time_constant: Number,
        initial: Number | None = None,
    ) -> None:
        self._fill(locals())


class InputSignal(Signal):
    """A number that the program around the simulation sets between steps.

    Parameters
    ----------
    value : number, optional
        Until it is set; default: 0.
    """

    _table = "signal"
    _type = "input"
    _writes_type = True

    value = Key["Number"]()

    def __init__(
        self,
        *,
        value: Number | None = None,
    ) -> None:
        self._fill(locals())


class ExternalSignal(Signal):
    """Computed by the program around the simulation.

    Parameters
    ----------
    function : callable, optional
        A function, or its name in `Scene.functions`; default: the signal's name.
    """

    _table = "signal"
    _type = "external"
    _writes_type = True

    function = Key["FunctionKey"](form="function")

    def __init__(
        self,
        *,
        function: FunctionKey | None = None,
    ) -> None:
        self._fill(locals())


class PositionSensor(Sensor):
    """Coordinates [m].

    Parameters
    ----------
    at : place
        The place.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "position"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class VelocitySensor(Sensor):
    """Velocity [m/s].

    Parameters
    ----------
    at : place
        The place.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "velocity"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AccelerationSensor(Sensor):
    """Acceleration [m/s^2].

    Parameters
    ----------
    at : place
        The place.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "acceleration"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SpeedSensor(Sensor):
    """Size of the velocity [m/s].

    Parameters
    ----------
    at : place
        The place.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "speed"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class DirectionSensor(Sensor):
    """Unit tangent.

    Parameters
    ----------
    at : place
        The place.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    axis : {"u", "v", "normal"}, optional
        On a plate, which; default: "u"; spatial scenes only.
    """

    _table = "sensor"
    _type = "direction"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")
    axis = Key['Literal["u", "v", "normal"]']()

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
        axis: Literal["u", "v", "normal"] | None = None,
    ) -> None:
        self._fill(locals())


class AngleSensor(Sensor):
    """Counting whole turns [rad]: of the tangent from +X at a place, or between the parts of a joint.

    Parameters
    ----------
    at : place, optional
        The place.
    of : name, optional
        The joint: revolute or cylindrical.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "angle"
    _writes_type = True

    at = Key["Place"](form="place")
    of = Key["Name"](form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place | None = None,
        of: Name | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class DisplacementSensor(Sensor):
    """Of a prismatic or cylindrical joint along its axis; of a truss: by how much it is longer than in the
    reference [m].

    Parameters
    ----------
    of : name
        The joint: prismatic or cylindrical; or the truss.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "displacement"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AngleRateSensor(Sensor):
    """Rate of the angle of a joint [rad/s].

    Parameters
    ----------
    of : name
        The joint: revolute or cylindrical.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "angle_rate"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class DisplacementRateSensor(Sensor):
    """Rate of the displacement of a joint, or of the length of a truss [m/s].

    Parameters
    ----------
    of : name
        The joint: prismatic or cylindrical; or the truss.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "displacement_rate"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class FrameSensor(Sensor):
    """Position [m] and orientation of a body or of a node of a beam: an angle [rad], or quat_xyzw.

    Parameters
    ----------
    at : place
        The body; spatial: the body, or a node of a beam.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "frame"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AngularVelocitySensor(Sensor):
    """Of a body, or of a node of a beam [rad/s].

    Parameters
    ----------
    at : place
        The body; spatial: the body, or a node of a beam.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "angular_velocity"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AngularAccelerationSensor(Sensor):
    """Of a body, or of a node of a beam [rad/s^2].

    Parameters
    ----------
    at : place
        The body; spatial: the body, or a node of a beam.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "angular_acceleration"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AxialForceSensor(Sensor):
    """Axial force [N].

    Parameters
    ----------
    at : place
        Place on a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "axial_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class CurvatureSensor(Sensor):
    """Curvature [1/m].

    Parameters
    ----------
    at : place
        Place on a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "curvature"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class MomentSensor(Sensor):
    """Bending moment of the section [N m].

    Parameters
    ----------
    at : place
        Place on a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "moment"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class StretchSensor(Sensor):
    """Length of the line's tangent over that of the reference.

    Parameters
    ----------
    at : place
        Place on a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "stretch"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AxialStrainSensor(Sensor):
    """Extension over length.

    Parameters
    ----------
    at : place
        Place on a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "axial_strain"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SectionStressSensor(Sensor):
    """Largest normal stress of a section of known shape, |N|/A + |M|/W [Pa].

    Parameters
    ----------
    at : place
        Place on a cable or beam whose section has a shape.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "section_stress"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class NodeElasticMomentSensor(Sensor):
    """r_x x Q, Q the elastic force conjugate to r_x [N m].

    Parameters
    ----------
    at : place
        A node of a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "node_elastic_moment"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class NodeElasticForceNormSensor(Sensor):
    """|Q|, Q the elastic force conjugate to r_x [N].

    Parameters
    ----------
    at : place
        A node of a cable.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "node_elastic_force_norm"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class ReactionSensor(Sensor):
    """Force of the first place on the second; of the ground on a point that is fixed [N].

    Parameters
    ----------
    at : place, optional
        In place of `of`: a point that is `fixed`.
    of : name, optional
        The joint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "reaction"
    _writes_type = True

    at = Key["Place"](form="place")
    of = Key["Name"](form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place | None = None,
        of: Name | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class ReactionMomentSensor(Sensor):
    """Moment of the first place on the second, about it [N m].

    Parameters
    ----------
    of : name
        The joint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "reaction_moment"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class MultiplierSensor(Sensor):
    """All multipliers of a joint; those of least size where equations are redundant.

    Parameters
    ----------
    of : name
        The joint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "multiplier"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class DriveTorqueSensor(Sensor):
    """What prescribes the angle of a joint does to it [N m].

    Parameters
    ----------
    of : name
        The joint, whose coordinate a signal prescribes.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "drive_torque"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class DriveForceSensor(Sensor):
    """What prescribes the displacement of a joint does to it [N].

    Parameters
    ----------
    of : name
        The joint, whose coordinate a signal prescribes.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "drive_force"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class DistanceSensor(Sensor):
    """Between two places [m].

    Parameters
    ----------
    between : places
        The two places.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "distance"
    _writes_type = True

    between = Key["Places"](required=True, form="places")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        between: Places,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class ForceSensor(Sensor):
    """Of a spring, truss, friction or motor: what it pulls its two places together with, or does to a displacement
    [N].

    Parameters
    ----------
    of : name
        The spring, truss or load.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "force"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class TorqueSensor(Sensor):
    """Of a spring, friction or motor: what it does to an angle; of a beam: about the axis of its section [N m].

    Parameters
    ----------
    of : name, optional
        The spring, truss or load.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    at : place, optional
        Place on a beam; spatial scenes only.
    """

    _table = "sensor"
    _type = "torque"
    _writes_type = True

    of = Key["Name"](form="name")
    interval = Key["Number"]("s")
    at = Key["Place"](form="place")

    def __init__(
        self,
        *,
        of: Name | None = None,
        interval: Number | None = None,
        at: Place | None = None,
    ) -> None:
        self._fill(locals())


class PressureSensor(Sensor):
    """Of a chamber: over the ambient; of a load: in its chamber, or on its plate or solid [Pa].

    Parameters
    ----------
    of : name
        The chamber, or a load: pneumatic, or a pressure on a plate or solid.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "pressure"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class ContactForceSensor(Sensor):
    """Of all contacts on a sphere or plane: impulse of a step over its length; in statics the force [N].

    Parameters
    ----------
    of : name
        The sphere or plane.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "contact_force"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class ContactCountSensor(Sensor):
    """How many contacts are closed.

    Parameters
    ----------
    of : name
        The contact.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "contact_count"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class GapSensor(Sensor):
    """Between the surfaces of a sphere and another or a plane; of nodes the smallest [m].

    Parameters
    ----------
    first : name
        A sphere.
    second : name
        Another sphere, or a plane.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "gap"
    _writes_type = True

    first = Key["Name"](required=True, form="name")
    second = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        first: Name,
        second: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class VolumeSensor(Sensor):
    """That a chamber's walls enclose [m^3].

    Parameters
    ----------
    of : name
        The chamber.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "volume"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class GasMassSensor(Sensor):
    """Of the gas in a chamber [kg].

    Parameters
    ----------
    of : name
        The chamber.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "gas_mass"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class LengthSensor(Sensor):
    """Of the lines of a constraint [m].

    Parameters
    ----------
    of : name
        The constraint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "length"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class TensionSensor(Sensor):
    """With which a constraint keeps a length; the largest of its elements' [N].

    Parameters
    ----------
    of : name
        The constraint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "tension"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AreaSensor(Sensor):
    """Of the surface of a constraint [m^2].

    Parameters
    ----------
    of : name
        The constraint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "area"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SurfaceTensionSensor(Sensor):
    """With which a constraint keeps an area; the largest of its elements' [N/m].

    Parameters
    ----------
    of : name
        The constraint.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "surface_tension"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class ConstraintViolationSensor(Sensor):
    """Largest |Phi| and largest |dPhi/dt|.

    Parameters
    ----------
    of : {"all", "rigidity", "distance", "angle", "orthogonality", "length", "area", "offset", "offset_coordinate", "joint_angle", "distance_coordinate", "vector_length", "inner_product"}, optional
        Family of constraints; default: "all".
    part : name, optional
        Only those of this joint or body.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "constraint_violation"
    _writes_type = True

    of = Key[
        'Literal["all", "rigidity", "distance", "angle", "orthogonality", "length", "area", "offset", "offset_coordinate", "joint_angle", "distance_coordinate", "vector_length", "inner_product"]'
    ]()
    part = Key["Name"](form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Literal[
            "all",
            "rigidity",
            "distance",
            "angle",
            "orthogonality",
            "length",
            "area",
            "offset",
            "offset_coordinate",
            "joint_angle",
            "distance_coordinate",
            "vector_length",
            "inner_product",
        ]
        | None = None,
        part: Name | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class EnergySensor(Sensor):
    """An energy of the whole model [J].

    Parameters
    ----------
    of : {"total", "kinetic", "strain", "gravity", "dissipated", "work"}, optional
        Which; default: "total".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "energy"
    _writes_type = True

    of = Key['Literal["total", "kinetic", "strain", "gravity", "dissipated", "work"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Literal["total", "kinetic", "strain", "gravity", "dissipated", "work"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class MomentumSensor(Sensor):
    """Linear momentum of the whole model [kg m/s].

    Parameters
    ----------
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "momentum"
    _writes_type = True

    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class AngularMomentumSensor(Sensor):
    """Angular momentum of the whole model about the origin of space [kg m^2/s].

    Parameters
    ----------
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "angular_momentum"
    _writes_type = True

    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SignalSensor(Sensor):
    """A signal.

    Parameters
    ----------
    of : name
        The signal.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "signal"
    _writes_type = True

    of = Key["Name"](required=True, form="name")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        of: Name,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class StaticAnalysis(Analysis):
    """Equilibrium at fixed time; loads grow by a load factor.

    Parameters
    ----------
    tolerance : number, optional
        Of Newton's residual, relative to the forces; > 0; default: 1e-09.
    max_iterations : integer, optional
        Of Newton per step; from 1 to 1e+06; default: 20.
    load_step : number, optional
        First step of the load factor, adapted from then on; > 0 and ≤ 1; default: 0.1.
    load_levels : vector, optional
        Load factors on the way that are met exactly, ascending; > 0 and ≤ 1; default: none.
    arc_length : bool, optional
        Follows the equilibria through limit points, where loads go down.
    branch : integer, optional
        With `arc_length`: the bifurcation, counted from 1, at which the path goes on along the branch;
        -1: the first one, to the other side; 0: nowhere; from -1000 to 1000; default: 0.
    max_points : integer, optional
        With `arc_length`: points after which the path ends, wherever it is then; from 1 to 1e+06;
        default: 1000.
    largest_step : number, optional
        With `arc_length`: longest step on the path; its length is that of the load factor and of the
        motion, relative to what the loads move at first; > 0 and ≤ 10; default: 0.2.
    until : `Until`, optional
        With `arc_length`: the path ends at the first point behind its start at which a sensor has this
        value; default: the whole load.
    name : name, optional
        Its name, unique.
    """

    _table = "analysis"
    _type = "static"
    _writes_type = True

    tolerance = Key["Number"]()
    max_iterations = Key["Integer"]()
    load_step = Key["Number"]()
    load_levels = Key["Vector"]()
    arc_length = Key["bool"]()
    branch = Key["Integer"]()
    max_points = Key["Integer"]()
    largest_step = Key["Number"]()
    until = Key["Until | Table"](table="until")
    name = Key["Name"](form="name")

    def __init__(
        self,
        *,
        tolerance: Number | None = None,
        max_iterations: Integer | None = None,
        load_step: Number | None = None,
        load_levels: Vector | None = None,
        arc_length: bool | None = None,
        branch: Integer | None = None,
        max_points: Integer | None = None,
        largest_step: Number | None = None,
        until: Until | Table | None = None,
        name: Name | None = None,
    ) -> None:
        self._fill(locals())


class Until(Part):
    """With `arc_length`: the path ends at the first point behind its start at which a sensor has this value.

    Parameters
    ----------
    sensor : name
        A sensor of the scene.
    value : number
        At which the path ends, in the sensor's unit.
    component : str, optional
        Of the sensor, where it has several: "x".
    """

    _table = "until"
    _type = ""

    sensor = Key["Name"](required=True, form="name")
    value = Key["Number"](required=True)
    component = Key["str"]()

    def __init__(
        self,
        *,
        sensor: Name,
        value: Number,
        component: str | None = None,
    ) -> None:
        self._fill(locals())


class DynamicAnalysis(Analysis):
    """Motion up to a time.

    Parameters
    ----------
    end : number [s]
        Time at which it ends; > 0.
    step : number [s]
        Time step; the first one if adaptive; > 0.
    integrator : `GeneralizedAlphaIntegrator`, `HHTIntegrator`, `NewmarkIntegrator`, `EnergyMomentumIntegrator`, `RK4Integrator`, `RK45Integrator`, `RK853Integrator`, `AdamsIntegrator`, or the name of its type, optional
        Method; default: generalized-alpha.
    adaptive : `Adaptive` or True, optional
        Step from an estimate of the error; default: fixed step.
    tolerance : number, optional
        Of Newton's residual, relative to the forces; > 0; default: 1e-08.
    max_iterations : integer, optional
        Of Newton per step; from 1 to 1e+06; default: 25.
    tangent : {"modified", "once_per_step", "full"}, optional
        How often it is evaluated; default: "modified".
    checkpoint : number [s], optional
        Interval at which the run can be resumed; > 0; default: chosen.
    singular_positions : bool, optional
        Warns of positions on the way at which the constraints' rank drops.
    name : name, optional
        Its name, unique.
    """

    _table = "analysis"
    _type = "dynamic"
    _writes_type = True

    end = Key["Number"]("s", required=True)
    step = Key["Number"]("s", required=True)
    integrator = Key[
        'GeneralizedAlphaIntegrator | HHTIntegrator | NewmarkIntegrator | EnergyMomentumIntegrator | RK4Integrator | RK45Integrator | RK853Integrator | AdamsIntegrator | Table | Literal["generalized-alpha", "hht", "newmark", "energy-momentum", "rk4", "rk45", "rk853", "adams"]'
    ](table="integrator")
    adaptive = Key["Adaptive | Table | bool"](table="adaptive")
    tolerance = Key["Number"]()
    max_iterations = Key["Integer"]()
    tangent = Key['Literal["modified", "once_per_step", "full"]']()
    checkpoint = Key["Number"]("s")
    singular_positions = Key["bool"]()
    name = Key["Name"](form="name")

    def __init__(
        self,
        *,
        end: Number,
        step: Number,
        integrator: GeneralizedAlphaIntegrator
        | HHTIntegrator
        | NewmarkIntegrator
        | EnergyMomentumIntegrator
        | RK4Integrator
        | RK45Integrator
        | RK853Integrator
        | AdamsIntegrator
        | Table
        | Literal["generalized-alpha", "hht", "newmark", "energy-momentum", "rk4", "rk45", "rk853", "adams"]
        | None = None,
        adaptive: Adaptive | Table | bool | None = None,
        tolerance: Number | None = None,
        max_iterations: Integer | None = None,
        tangent: Literal["modified", "once_per_step", "full"] | None = None,
        checkpoint: Number | None = None,
        singular_positions: bool | None = None,
        name: Name | None = None,
    ) -> None:
        self._fill(locals())


class GeneralizedAlphaIntegrator(Part):
    """Second order, damps high frequencies.

    Parameters
    ----------
    rho_inf : number, optional
        Spectral radius at infinite frequency; from 0 to 1; default: 0.8.
    project_velocities : bool, optional
        Velocities are projected on the constraints after each step.
    """

    _table = "integrator"
    _type = "generalized-alpha"
    _writes_type = True

    rho_inf = Key["Number"]()
    project_velocities = Key["bool"]()

    def __init__(
        self,
        *,
        rho_inf: Number | None = None,
        project_velocities: bool | None = None,
    ) -> None:
        self._fill(locals())


class HHTIntegrator(Part):
    """Hilber, Hughes and Taylor.

    Parameters
    ----------
    alpha : number, optional
        Damping; from -0.333333 to 0; default: -0.05.
    project_velocities : bool, optional
        Velocities are projected on the constraints after each step.
    """

    _table = "integrator"
    _type = "hht"
    _writes_type = True

    alpha = Key["Number"]()
    project_velocities = Key["bool"]()

    def __init__(
        self,
        *,
        alpha: Number | None = None,
        project_velocities: bool | None = None,
    ) -> None:
        self._fill(locals())


class NewmarkIntegrator(Part):
    """Beta 1/4, gamma 1/2; not with constraints that have multipliers."""

    _table = "integrator"
    _type = "newmark"
    _writes_type = True


class EnergyMomentumIntegrator(Part):
    """Second order, keeps energy and momentum where nothing dissipates or drives."""

    _table = "integrator"
    _type = "energy-momentum"
    _writes_type = True


class RK4Integrator(Part):
    """The classical method of order 4, explicit, constant steps.

    Parameters
    ----------
    stabilisation : `ProjectionStabilisation`, `NoneStabilisation`, `BaumgarteStabilisation`, `FuzzyStabilisation`, or the name of its type, optional
        What keeps the constraints of explicit methods from drifting; default: projection.
    """

    _table = "integrator"
    _type = "rk4"
    _writes_type = True

    stabilisation = Key[
        'ProjectionStabilisation | NoneStabilisation | BaumgarteStabilisation | FuzzyStabilisation | Table | Literal["projection", "none", "baumgarte", "fuzzy"]'
    ](table="stabilisation")

    def __init__(
        self,
        *,
        stabilisation: ProjectionStabilisation
        | NoneStabilisation
        | BaumgarteStabilisation
        | FuzzyStabilisation
        | Table
        | Literal["projection", "none", "baumgarte", "fuzzy"]
        | None = None,
    ) -> None:
        self._fill(locals())


class ProjectionStabilisation(Part):
    """Positions and velocities are brought back after each step, the shortest way in mass."""

    _table = "stabilisation"
    _type = "projection"
    _writes_type = True


class NoneStabilisation(Part):
    """Constraints drift."""

    _table = "stabilisation"
    _type = "none"
    _writes_type = True


class BaumgarteStabilisation(Part):
    """d2Phi/dt2 = -2 alpha dPhi/dt - beta^2 Phi.

    Parameters
    ----------
    alpha : number [1/s], optional
        Of the rate; > 0; default: 5.
    beta : number [1/s], optional
        Of the violation; > 0; default: 12.
    omega : number [1/s], optional
        In place of alpha and beta: the frequency, beta; > 0; default: 12.
    zeta : number, optional
        With omega: the damping ratio, alpha/omega; > 0; default: 0.7071.
    """

    _table = "stabilisation"
    _type = "baumgarte"
    _writes_type = True

    alpha = Key["Number"]("1/s")
    beta = Key["Number"]("1/s")
    omega = Key["Number"]("1/s")
    zeta = Key["Number"]()

    def __init__(
        self,
        *,
        alpha: Number | None = None,
        beta: Number | None = None,
        omega: Number | None = None,
        zeta: Number | None = None,
    ) -> None:
        self._fill(locals())


class FuzzyStabilisation(Part):
    """Fuzzy control of the drift: near zero baumgarte with omega and zeta, limited far away.

    Parameters
    ----------
    sets : integer, optional
        Fuzzy sets of each input, odd; from 3 to 31; default: 7.
    membership : {"gaussian", "triangular", "trapezoidal"}, optional
        Form of the sets; default: "gaussian".
    inference : {"sugeno", "mamdani"}, optional
        What the rules give; default: "sugeno".
    sigma : number, optional
        Width of Gaussian sets; > 0; default: 0.7 of their spacing.
    phi_max : number, optional
        Violation from which the control does not grow, in units of the constraint; > 0; default: 0.001.
    omega : number [1/s], optional
        Frequency near zero; > 0; default: 12.
    zeta : number, optional
        Damping ratio near zero; > 0; default: 0.7.
    """

    _table = "stabilisation"
    _type = "fuzzy"
    _writes_type = True

    sets = Key["Integer"]()
    membership = Key['Literal["gaussian", "triangular", "trapezoidal"]']()
    inference = Key['Literal["sugeno", "mamdani"]']()
    sigma = Key["Number"]()
    phi_max = Key["Number"]()
    omega = Key["Number"]("1/s")
    zeta = Key["Number"]()

    def __init__(
        self,
        *,
        sets: Integer | None = None,
        membership: Literal["gaussian", "triangular", "trapezoidal"] | None = None,
        inference: Literal["sugeno", "mamdani"] | None = None,
        sigma: Number | None = None,
        phi_max: Number | None = None,
        omega: Number | None = None,
        zeta: Number | None = None,
    ) -> None:
        self._fill(locals())


class RK45Integrator(Part):
    """Dormand and Prince 5(4), explicit, steps of its own: rigid mechanisms.

    Parameters
    ----------
    rtol : number, optional
        Relative error of a step; > 0 and < 1; default: 1e-08.
    atol : number [m], optional
        Error of a step where values are small, of positions; > 0; default: 1e-10.
    atol_vector : number, optional
        The same of vectors and angles; > 0; default: atol.
    atol_velocity : number [m/s], optional
        The same of velocities; > 0; default: 100 atol.
    stabilisation : `ProjectionStabilisation`, `NoneStabilisation`, `BaumgarteStabilisation`, `FuzzyStabilisation`, or the name of its type, optional
        What keeps the constraints of explicit methods from drifting; default: projection.
    """

    _table = "integrator"
    _type = "rk45"
    _writes_type = True

    rtol = Key["Number"]()
    atol = Key["Number"]("m")
    atol_vector = Key["Number"]()
    atol_velocity = Key["Number"]("m/s")
    stabilisation = Key[
        'ProjectionStabilisation | NoneStabilisation | BaumgarteStabilisation | FuzzyStabilisation | Table | Literal["projection", "none", "baumgarte", "fuzzy"]'
    ](table="stabilisation")

    def __init__(
        self,
        *,
        rtol: Number | None = None,
        atol: Number | None = None,
        atol_vector: Number | None = None,
        atol_velocity: Number | None = None,
        stabilisation: ProjectionStabilisation
        | NoneStabilisation
        | BaumgarteStabilisation
        | FuzzyStabilisation
        | Table
        | Literal["projection", "none", "baumgarte", "fuzzy"]
        | None = None,
    ) -> None:
        self._fill(locals())


class RK853Integrator(Part):
    """Dormand and Prince 8(5,3), explicit, steps of its own: the same to many digits.

    Parameters
    ----------
    rtol : number, optional
        Relative error of a step; > 0 and < 1; default: 1e-08.
    atol : number [m], optional
        Error of a step where values are small, of positions; > 0; default: 1e-10.
    atol_vector : number, optional
        The same of vectors and angles; > 0; default: atol.
    atol_velocity : number [m/s], optional
        The same of velocities; > 0; default: 100 atol.
    stabilisation : `ProjectionStabilisation`, `NoneStabilisation`, `BaumgarteStabilisation`, `FuzzyStabilisation`, or the name of its type, optional
        What keeps the constraints of explicit methods from drifting; default: projection.
    """

    _table = "integrator"
    _type = "rk853"
    _writes_type = True

    rtol = Key["Number"]()
    atol = Key["Number"]("m")
    atol_vector = Key["Number"]()
    atol_velocity = Key["Number"]("m/s")
    stabilisation = Key[
        'ProjectionStabilisation | NoneStabilisation | BaumgarteStabilisation | FuzzyStabilisation | Table | Literal["projection", "none", "baumgarte", "fuzzy"]'
    ](table="stabilisation")

    def __init__(
        self,
        *,
        rtol: Number | None = None,
        atol: Number | None = None,
        atol_vector: Number | None = None,
        atol_velocity: Number | None = None,
        stabilisation: ProjectionStabilisation
        | NoneStabilisation
        | BaumgarteStabilisation
        | FuzzyStabilisation
        | Table
        | Literal["projection", "none", "baumgarte", "fuzzy"]
        | None = None,
    ) -> None:
        self._fill(locals())


class AdamsIntegrator(Part):
    """Adams, Bashforth and Moulton, explicit, steps and orders of its own: where forces are costly and smooth.

    Parameters
    ----------
    rtol : number, optional
        Relative error of a step; > 0 and < 1; default: 1e-08.
    atol : number [m], optional
        Error of a step where values are small, of positions; > 0; default: 1e-10.
    atol_vector : number, optional
        The same of vectors and angles; > 0; default: atol.
    atol_velocity : number [m/s], optional
        The same of velocities; > 0; default: 100 atol.
    max_order : integer, optional
        Highest order; from 1 to 12; default: 12.
    stabilisation : `ProjectionStabilisation`, `NoneStabilisation`, `BaumgarteStabilisation`, `FuzzyStabilisation`, or the name of its type, optional
        What keeps the constraints of explicit methods from drifting; default: projection.
    """

    _table = "integrator"
    _type = "adams"
    _writes_type = True

    rtol = Key["Number"]()
    atol = Key["Number"]("m")
    atol_vector = Key["Number"]()
    atol_velocity = Key["Number"]("m/s")
    max_order = Key["Integer"]()
    stabilisation = Key[
        'ProjectionStabilisation | NoneStabilisation | BaumgarteStabilisation | FuzzyStabilisation | Table | Literal["projection", "none", "baumgarte", "fuzzy"]'
    ](table="stabilisation")

    def __init__(
        self,
        *,
        rtol: Number | None = None,
        atol: Number | None = None,
        atol_vector: Number | None = None,
        atol_velocity: Number | None = None,
        max_order: Integer | None = None,
        stabilisation: ProjectionStabilisation
        | NoneStabilisation
        | BaumgarteStabilisation
        | FuzzyStabilisation
        | Table
        | Literal["projection", "none", "baumgarte", "fuzzy"]
        | None = None,
    ) -> None:
        self._fill(locals())


class Adaptive(Part):
    """Step from an estimate of the error.

    Parameters
    ----------
    tolerance : number, optional
        Relative error per step; > 0; default: 0.0001.
    min_step : number [s], optional
        Smallest step; > 0; default: 1e-09.
    max_step : number [s], optional
        Largest step; > 0; default: no limit.
    """

    _table = "adaptive"
    _type = ""

    tolerance = Key["Number"]()
    min_step = Key["Number"]("s")
    max_step = Key["Number"]("s")

    def __init__(
        self,
        *,
        tolerance: Number | None = None,
        min_step: Number | None = None,
        max_step: Number | None = None,
    ) -> None:
        self._fill(locals())


class KinematicAnalysis(Analysis):
    """Positions, velocities and accelerations that prescribed motions decide; sensors of forces read those of
    inverse_dynamics.

    Parameters
    ----------
    end : number [s]
        Time at which it ends; > 0.
    step : number [s]
        Between the times at which it is computed; > 0.
    name : name, optional
        Its name, unique.
    """

    _table = "analysis"
    _type = "kinematic"
    _writes_type = True

    end = Key["Number"]("s", required=True)
    step = Key["Number"]("s", required=True)
    name = Key["Name"](form="name")

    def __init__(
        self,
        *,
        end: Number,
        step: Number,
        name: Name | None = None,
    ) -> None:
        self._fill(locals())


class InverseDynamicsAnalysis(Analysis):
    """Kinematic, and the forces that the motion takes.

    Parameters
    ----------
    end : number [s]
        Time at which it ends; > 0.
    step : number [s]
        Between the times at which it is computed; > 0.
    name : name, optional
        Its name, unique.
    """

    _table = "analysis"
    _type = "inverse_dynamics"
    _writes_type = True

    end = Key["Number"]("s", required=True)
    step = Key["Number"]("s", required=True)
    name = Key["Name"](form="name")

    def __init__(
        self,
        *,
        end: Number,
        step: Number,
        name: Name | None = None,
    ) -> None:
        self._fill(locals())


class ModesAnalysis(Analysis):
    """Eigenfrequencies and modes about the state reached.

    Parameters
    ----------
    count : integer, optional
        Number of modes; from 1 to 100000; default: 10.
    damped : bool, optional
        Dampers act: modes with their shares of critical damping.
    name : name, optional
        Its name, unique.
    """

    _table = "analysis"
    _type = "modes"
    _writes_type = True

    count = Key["Integer"]()
    damped = Key["bool"]()
    name = Key["Name"](form="name")

    def __init__(
        self,
        *,
        count: Integer | None = None,
        damped: bool | None = None,
        name: Name | None = None,
    ) -> None:
        self._fill(locals())


class Output(Part):
    """What is recorded how often.

    Parameters
    ----------
    interval : number [s], optional
        Between recorded states; > 0; default: chosen.
    sensor_interval : number [s], optional
        Between samples of sensors; > 0; default: interval.
    every_step : bool, optional
        Records states and sensors at every step.
    """

    _table = "output"
    _type = ""

    interval = Key["Number"]("s")
    sensor_interval = Key["Number"]("s")
    every_step = Key["bool"]()

    def __init__(
        self,
        *,
        interval: Number | None = None,
        sensor_interval: Number | None = None,
        every_step: bool | None = None,
    ) -> None:
        self._fill(locals())


class OrthotropicMaterial(AnyMaterial):
    """Linear elastic, of thin plates and membranes: fibres along its first axis.

    For spatial scenes.

    Parameters
    ----------
    E1 : number [Pa]
        Modulus along the first axis; > 0.
    E2 : number [Pa]
        Modulus across it; > 0.
    nu12 : number
        -strain across / strain along under stress along.
    G12 : number [Pa]
        Shear modulus; > 0.
    rho : number [kg/m³]
        Density; > 0.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "orthotropic"
    _writes_type = True

    E1 = Key["Number"]("Pa", required=True)
    E2 = Key["Number"]("Pa", required=True)
    nu12 = Key["Number"](required=True)
    G12 = Key["Number"]("Pa", required=True)
    rho = Key["Number"]("kg/m^3", required=True)
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        E1: Number,
        E2: Number,
        nu12: Number,
        G12: Number,
        rho: Number,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class StVenantKirchhoffMaterial(AnyMaterial):
    """Of solids: ½ λ (tr E)² + μ E:E: large turns, small strains.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    lambda_ : number [Pa], optional
        Lamé's λ; default: needed, or what stands in its place.
    mu : number [Pa], optional
        Shear modulus μ; default: needed, or what stands in its place.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: from lambda.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "st-venant-kirchhoff"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    lambda_ = Key["Number"]("Pa")
    mu = Key["Number"]("Pa")
    E = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        lambda_: Number | None = None,
        mu: Number | None = None,
        E: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class NeoHookeMaterial(AnyMaterial):
    """Of solids: ½ μ (I₁ − 3): rubber to about half its length again.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    mu : number [Pa], optional
        Shear modulus μ; default: needed, or what stands in its place.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    form : {"isochoric", "coupled"}, optional
        Of the law; default: "isochoric".
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "neo-hooke"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    mu = Key["Number"]("Pa")
    E = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    form = Key['Literal["isochoric", "coupled"]']()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        mu: Number | None = None,
        E: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        form: Literal["isochoric", "coupled"] | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class MooneyRivlinMaterial(AnyMaterial):
    """Of solids: C₁₀ (I₁ − 3) + C₀₁ (I₂ − 3): softer in tension than in compression.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    c10 : number [Pa], optional
        Factor C₁₀ of I₁ − 3; default: needed, or what stands in its place.
    c01 : number [Pa], optional
        Factor C₀₁ of I₂ − 3; default: 0.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    mu : number [Pa], optional
        Shear modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    form : {"isochoric", "coupled"}, optional
        Of the law; default: "isochoric".
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "mooney-rivlin"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    c10 = Key["Number"]("Pa")
    c01 = Key["Number"]("Pa")
    E = Key["Number"]("Pa")
    mu = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    form = Key['Literal["isochoric", "coupled"]']()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        c10: Number | None = None,
        c01: Number | None = None,
        E: Number | None = None,
        mu: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        form: Literal["isochoric", "coupled"] | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class YeohMaterial(AnyMaterial):
    """Of solids: Σ Cᵢ₀ (I₁ − 3)ⁱ, three terms: stiffens again at large stretch.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    c10 : number [Pa], optional
        Factor C₁₀ of I₁ − 3; default: needed, or what stands in its place.
    c20 : number [Pa], optional
        Factor C₂₀ of (I₁ − 3)²; default: 0.
    c30 : number [Pa], optional
        Factor C₃₀ of (I₁ − 3)³; default: 0.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    mu : number [Pa], optional
        Shear modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    form : {"isochoric", "coupled"}, optional
        Of the law; default: "isochoric".
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "yeoh"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    c10 = Key["Number"]("Pa")
    c20 = Key["Number"]("Pa")
    c30 = Key["Number"]("Pa")
    E = Key["Number"]("Pa")
    mu = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    form = Key['Literal["isochoric", "coupled"]']()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        c10: Number | None = None,
        c20: Number | None = None,
        c30: Number | None = None,
        E: Number | None = None,
        mu: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        form: Literal["isochoric", "coupled"] | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class OgdenMaterial(AnyMaterial):
    """Of solids: Σ μᵢ/αᵢ (λ₁^αᵢ + λ₂^αᵢ + λ₃^αᵢ − 3), three terms by principal stretches.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    mu1 : number [Pa], optional
        μ₁ of the first term; default: needed, or what stands in its place.
    alpha1 : number, optional
        Exponent α₁; default: 2.
    mu2 : number [Pa], optional
        μ₂ of the second term; default: 0.
    alpha2 : number, optional
        Exponent α₂; default: 4.
    mu3 : number [Pa], optional
        μ₃ of the third term; default: 0.
    alpha3 : number, optional
        Exponent α₃; default: -2.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    mu : number [Pa], optional
        Shear modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    form : {"isochoric", "coupled"}, optional
        Of the law; default: "isochoric".
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "ogden"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    mu1 = Key["Number"]("Pa")
    alpha1 = Key["Number"]()
    mu2 = Key["Number"]("Pa")
    alpha2 = Key["Number"]()
    mu3 = Key["Number"]("Pa")
    alpha3 = Key["Number"]()
    E = Key["Number"]("Pa")
    mu = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    form = Key['Literal["isochoric", "coupled"]']()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        mu1: Number | None = None,
        alpha1: Number | None = None,
        mu2: Number | None = None,
        alpha2: Number | None = None,
        mu3: Number | None = None,
        alpha3: Number | None = None,
        E: Number | None = None,
        mu: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        form: Literal["isochoric", "coupled"] | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class GentMaterial(AnyMaterial):
    """Of solids: −½ μ Jₘ ln(1 − (I₁ − 3)/Jₘ): chains of finite length.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    mu : number [Pa], optional
        Shear modulus μ; default: needed, or what stands in its place.
    Jm : number, optional
        I₁ − 3 at which the chains are stretched out; default: needed, or what stands in its place.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    form : {"isochoric", "coupled"}, optional
        Of the law; default: "isochoric".
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "gent"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    mu = Key["Number"]("Pa")
    Jm = Key["Number"]()
    E = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    form = Key['Literal["isochoric", "coupled"]']()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        mu: Number | None = None,
        Jm: Number | None = None,
        E: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        form: Literal["isochoric", "coupled"] | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class ArrudaBoyceMaterial(AnyMaterial):
    """Of solids: network of eight chains of finite length, five terms.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    mu : number [Pa], optional
        μ of the chains, a little less than the shear modulus; default: needed, or what stands in its
        place.
    lambda_m : number, optional
        Stretch at which the chains are stretched out; default: needed, or what stands in its place.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    form : {"isochoric", "coupled"}, optional
        Of the law; default: "isochoric".
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "arruda-boyce"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    mu = Key["Number"]("Pa")
    lambda_m = Key["Number"]()
    E = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    form = Key['Literal["isochoric", "coupled"]']()
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        mu: Number | None = None,
        lambda_m: Number | None = None,
        E: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        form: Literal["isochoric", "coupled"] | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class YeohPaperMaterial(AnyMaterial):
    """Of solids: Σ Cᵢ₀ (I₁ − 3)ⁱ of C itself, as xing2022 prints it: not free of stress at rest.

    For spatial scenes.

    Parameters
    ----------
    rho : number [kg/m³]
        Density; > 0.
    c10 : number [Pa], optional
        Factor C₁₀ of I₁ − 3; default: needed, or what stands in its place.
    c20 : number [Pa], optional
        Factor C₂₀ of (I₁ − 3)²; default: 0.
    c30 : number [Pa], optional
        Factor C₃₀ of (I₁ − 3)³; default: 0.
    E : number [Pa], optional
        Young's modulus at rest, in place of the first constant; default: from the constants.
    mu : number [Pa], optional
        Shear modulus at rest, in place of the first constant; default: from the constants.
    nu : number, optional
        Poisson's ratio at rest, below 0.5; default: from bulk.
    bulk : number [Pa], optional
        Bulk modulus k; default: 1000 times the shear modulus.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "yeoh-paper"
    _writes_type = True

    rho = Key["Number"]("kg/m^3", required=True)
    c10 = Key["Number"]("Pa")
    c20 = Key["Number"]("Pa")
    c30 = Key["Number"]("Pa")
    E = Key["Number"]("Pa")
    mu = Key["Number"]("Pa")
    nu = Key["Number"]()
    bulk = Key["Number"]("Pa")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        rho: Number,
        c10: Number | None = None,
        c20: Number | None = None,
        c30: Number | None = None,
        E: Number | None = None,
        mu: Number | None = None,
        nu: Number | None = None,
        bulk: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class NaturalRubberTreloarMaterial(AnyMaterial):
    """Of solids: vulcanised natural rubber, unfilled [ogden1972]; uniaxial to a stretch of 7, equibiaxial to 4.5,
    planar to 5, slow, 20 °C [treloar1944].

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 422500000.
    rho : number [kg/m³], optional
        Density; > 0; default: 930.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "natural-rubber-treloar"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class ElastosilM4601Material(AnyMaterial):
    """Of solids: silicone, Shore A 28 [holland2014]; uniaxial tension; used there for pneumatic fingers.

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 220000000.
    rho : number [kg/m³], optional
        Density; > 0; default: 1130.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "elastosil-m4601"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class Ecoflex0030Material(AnyMaterial):
    """Of solids: silicone, Shore 00-30 [marechal2021]; fitted to its uniaxial tension up to a stretch of 5, 450
    mm/min, strain of the crosshead; within 2.8 %.

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 15170000.
    rho : number [kg/m³], optional
        Density; > 0; default: 1070.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "ecoflex-00-30"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class Ecoflex0050Material(AnyMaterial):
    """Of solids: silicone, Shore 00-50 [marechal2021]; fitted to its uniaxial tension up to a stretch of 5, 450
    mm/min, strain of the crosshead; within 1.7 %.

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 20890000.
    rho : number [kg/m³], optional
        Density; > 0; default: 1070.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "ecoflex-00-50"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class DragonSkin30Material(AnyMaterial):
    """Of solids: silicone, Shore A 30 [marechal2021]; fitted to its uniaxial tension up to a stretch of 5, 450
    mm/min, strain of the crosshead; within 3.8 %.

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 192000000.
    rho : number [kg/m³], optional
        Density; > 0; default: 1080.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "dragon-skin-30"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class SmoothSil950Material(AnyMaterial):
    """Of solids: silicone, Shore A 50 [smoothon-950]; through two figures of its maker, nothing measured here: the
    modulus at 100 %, 1.875 MPa, and at rest that of Shore A 50 [gent1958], to a stretch of 2.

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 818600000.
    rho : number [kg/m³], optional
        Density; > 0; default: 1240.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "smooth-sil-950"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class SiliconeXing2022Material(AnyMaterial):
    """Of solids: silicone of the finger of xing2022 [xing2022]; not given; unstable in tension where C₃₀ < 0 takes
    over.

    For spatial scenes.

    Parameters
    ----------
    bulk : number [Pa], optional
        Bulk modulus k; > 0; default: 1000000000.
    rho : number [kg/m³], optional
        Density; > 0; default: 1100.
    relaxation : points, optional
        Prony series of what relaxes: pairs [share of the stiffness, time in s]; the stiffness given is
        that against what is sudden; > 0; default: none.
    """

    _table = "material"
    _type = "silicone-xing2022"
    _writes_type = True

    bulk = Key["Number"]("Pa")
    rho = Key["Number"]("kg/m^3")
    relaxation = Key["Points"]()

    def __init__(
        self,
        *,
        bulk: Number | None = None,
        rho: Number | None = None,
        relaxation: Points | None = None,
    ) -> None:
        self._fill(locals())


class Beam(Part):
    """A slender part that stretches, shears, bends and twists, with directions d1, d2 of its section.

    For spatial scenes.

    Parameters
    ----------
    section : name
        Its cross-section.
    path : points [m] or `Path`
        Stress-free shape, from start to end.
    elements : integer
        Number of elements, of equal length; from 1 to 1e+06.
    initial : points [m] or `Path`, optional
        Another shape to start from, with the same elements; default: the path.
    velocity : vector [m/s], optional
        Initial velocity of the whole beam; default: at rest.
    angular_velocity : vector [rad/s], optional
        Initial rotation about `about`; default: none.
    about : vector [m], optional
        Centre of the initial rotation; default: the beam's start.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    up : vector, optional
        d1 is this direction made perpendicular to the path (a rectangle's height); default: z, or y or x
        where the path runs along it.
    twist : number [rad], optional
        Angle by which the section turns about the path from start to end, without stress; default: 0.
    element : {"director", "full"}, optional
        What a section is; default: "director".
    strains : {"enhanced", "selective", "full"}, optional
        Of full elements; default: "enhanced".
    width : {"free", "held"}, optional
        Of a full element's section where it bends; default: "free".
    section_points : {"fine", "coarse"}, optional
        Of a full element, over its section; default: "fine".
    """

    _table = "beam"
    _type = ""

    section = Key["Name"](required=True, form="name")
    path = Key["Points | Path | Table"]("m", required=True, table="path")
    elements = Key["Integer"](required=True)
    initial = Key["Points | Path | Table"]("m", table="path")
    velocity = Key["Vector"]("m/s")
    angular_velocity = Key["Vector"]("rad/s")
    about = Key["Vector"]("m")
    color = Key["str"]()
    up = Key["Vector"]()
    twist = Key["Number"]("rad")
    element = Key['Literal["director", "full"]']()
    strains = Key['Literal["enhanced", "selective", "full"]']()
    width = Key['Literal["free", "held"]']()
    section_points = Key['Literal["fine", "coarse"]']()

    def __init__(
        self,
        *,
        section: Name,
        path: Points | Path | Table,
        elements: Integer,
        initial: Points | Path | Table | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        about: Vector | None = None,
        color: str | None = None,
        up: Vector | None = None,
        twist: Number | None = None,
        element: Literal["director", "full"] | None = None,
        strains: Literal["enhanced", "selective", "full"] | None = None,
        width: Literal["free", "held"] | None = None,
        section_points: Literal["fine", "coarse"] | None = None,
    ) -> None:
        self._fill(locals())


class Plate(Part):
    """Without shear across the wall [ghoneimy2025].

    For spatial scenes.

    Parameters
    ----------
    shape : `FlatSurface`, `PanelSurface`, `TubeSurface`, `HemisphereSurface`, `AnnulusSurface`, `FormulaSurface`, `GmshSurface`, or the name of its type
        Its surface, free of stress.
    position : vector [m], optional
        Where its origin is; default: the origin.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned.
    elements : vector, optional
        Number of elements along u and along v; not for gmsh.
    grading : vector, optional
        Size of the last element over that of the first, along u and along v; > 0; default: [1, 1].
    bias : {"single", "double"}, optional
        Of the grading; default: "single".
    lines_u : vector, optional
        Shares of u from 0 to 1 where its lines lie, in place of a grading.
    lines_v : vector, optional
        The same of v.
    material : name, optional
        Material of the wall.
    thickness : number [m], optional
        Of a wall of one material; > 0.
    thickness_factor : str, optional
        Formula in u and v (lengths along them; the angle on tubes) that multiplies it.
    material_angle : number [rad], optional
        Of the material's first axis, from the direction of u; default: 0.
    element : {"thin", "full", "xing2022"}, optional
        Of the wall; default: "thin".
    volume : {"reduced", "full"}, optional
        Its change in full elements; default: "reduced".
    integration : {"full", "reduced"}, optional
        Points of an element; default: "full".
    curvature : {"koiter", "cubed_normal"}, optional
        Measure of bending; default: "koiter".
    damping : number [s], optional
        Kelvin-Voigt retardation time; ≥ 0; default: 0.
    growth : signal, optional
        Of full elements: stretch less 1 at which the wall is free of stress, the same along all
        directions; default: none.
    mass_damping : number [1/s], optional
        c of the force -c M v, in place of the scene's; ≥ 0.
    velocity : vector [m/s], optional
        Initial velocity of the whole plate; default: at rest.
    angular_velocity : vector [rad/s], optional
        Initial rotation about `about`; default: none.
    about : vector [m], optional
        Centre of the initial rotation; default: the plate's position.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    """

    _table = "plate"
    _type = "thin"

    shape = Key[
        'FlatSurface | PanelSurface | TubeSurface | HemisphereSurface | AnnulusSurface | FormulaSurface | GmshSurface | Table | Literal["flat", "panel", "tube", "hemisphere", "annulus", "formula", "gmsh"]'
    ](required=True, table="plate.shape")
    position = Key["Vector"]("m")
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()
    elements = Key["Vector"]()
    grading = Key["Vector"]()
    bias = Key['Literal["single", "double"]']()
    lines_u = Key["Vector"]()
    lines_v = Key["Vector"]()
    material = Key["Name"](form="name")
    thickness = Key["Number"]("m")
    thickness_factor = Key["str"]()
    material_angle = Key["Number"]("rad")
    element = Key['Literal["thin", "full", "xing2022"]']()
    volume = Key['Literal["reduced", "full"]']()
    integration = Key['Literal["full", "reduced"]']()
    curvature = Key['Literal["koiter", "cubed_normal"]']()
    damping = Key["Number"]("s")
    growth = Key["Number | Signal | Table"](form="signal", table="signal")
    mass_damping = Key["Number"]("1/s")
    velocity = Key["Vector"]("m/s")
    angular_velocity = Key["Vector"]("rad/s")
    about = Key["Vector"]("m")
    color = Key["str"]()

    def __init__(
        self,
        *,
        shape: FlatSurface
        | PanelSurface
        | TubeSurface
        | HemisphereSurface
        | AnnulusSurface
        | FormulaSurface
        | GmshSurface
        | Table
        | Literal["flat", "panel", "tube", "hemisphere", "annulus", "formula", "gmsh"],
        position: Vector | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
        elements: Vector | None = None,
        grading: Vector | None = None,
        bias: Literal["single", "double"] | None = None,
        lines_u: Vector | None = None,
        lines_v: Vector | None = None,
        material: Name | None = None,
        thickness: Number | None = None,
        thickness_factor: str | None = None,
        material_angle: Number | None = None,
        element: Literal["thin", "full", "xing2022"] | None = None,
        volume: Literal["reduced", "full"] | None = None,
        integration: Literal["full", "reduced"] | None = None,
        curvature: Literal["koiter", "cubed_normal"] | None = None,
        damping: Number | None = None,
        growth: Number | Signal | Table | None = None,
        mass_damping: Number | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        about: Vector | None = None,
        color: str | None = None,
    ) -> None:
        self._fill(locals())


class FlatSurface(Part):
    """Rectangle in the XY plane from the origin, u along X, v along Y, normal Z.

    For spatial scenes.

    Parameters
    ----------
    size : vector [m]
        Lengths along X and Y.
    """

    _table = "plate.shape"
    _type = "flat"
    _writes_type = True

    size = Key["Vector"]("m", required=True)

    def __init__(
        self,
        *,
        size: Vector,
    ) -> None:
        self._fill(locals())


class PanelSurface(Part):
    """Plate rolled along u: from the origin along X, bending towards Z; v along Y, normal to the axis.

    For spatial scenes.

    Parameters
    ----------
    radius : number [m]
        Radius; > 0.
    angle : number [rad]
        Of the arc; > 0.
    width : number [m]
        Length along Y; > 0.
    """

    _table = "plate.shape"
    _type = "panel"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    angle = Key["Number"]("rad", required=True)
    width = Key["Number"]("m", required=True)

    def __init__(
        self,
        *,
        radius: Number,
        angle: Number,
        width: Number,
    ) -> None:
        self._fill(locals())


class TubeSurface(Part):
    """Cone, cylinder or tube along a path, rings from `up` on; u along the path, normal outwards.

    For spatial scenes.

    Parameters
    ----------
    axis : points [m] or `Axis`
        From start to end.
    radius : vector [m], optional
        At the start and at the end, linear between.
    radius_law : str, optional
        In place of `radius`: a formula in the arc length s [m].
    up : vector, optional
        Where the rings begin; default: Z.
    first_angle : number [rad], optional
        Of the first node of each ring from `up`; default: 0.
    angle : number [rad], optional
        Less than a full turn: a shell with edges "bottom" and "top"; default: 6.283185307179586.
    """

    _table = "plate.shape"
    _type = "tube"
    _writes_type = True

    axis = Key["Points | Axis | Table"]("m", required=True, table="axis")
    radius = Key["Vector"]("m")
    radius_law = Key["str"]()
    up = Key["Vector"]()
    first_angle = Key["Number"]("rad")
    angle = Key["Number"]("rad")

    def __init__(
        self,
        *,
        axis: Points | Axis | Table,
        radius: Vector | None = None,
        radius_law: str | None = None,
        up: Vector | None = None,
        first_angle: Number | None = None,
        angle: Number | None = None,
    ) -> None:
        self._fill(locals())


class Axis(Part):
    """From start to end.

    For spatial scenes.

    Parameters
    ----------
    spline : points [m], optional
        Natural cubic spline through the points.
    arc : `Arc`, optional
        Circular arc.
    """

    _table = "axis"
    _type = ""

    spline = Key["Points"]("m")
    arc = Key["Arc | Table"](table="arc")

    def __init__(
        self,
        *,
        spline: Points | None = None,
        arc: Arc | Table | None = None,
    ) -> None:
        self._fill(locals())


class HemisphereSurface(Part):
    """Sphere about the origin from the XY plane up to a hole about Z; u is the azimuth, normal outwards.

    For spatial scenes.

    Parameters
    ----------
    radius : number [m]
        Radius; > 0.
    hole : number [rad], optional
        Angle from Z to its rim; > 0; default: 0.3141592653589793.
    from_ : number [rad], optional
        Azimuth of the start, from X; default: 0.
    to : number [rad], optional
        Azimuth of the end; default: 1.5707963267948966.
    """

    _table = "plate.shape"
    _type = "hemisphere"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    hole = Key["Number"]("rad")
    from_ = Key["Number"]("rad")
    to = Key["Number"]("rad")

    def __init__(
        self,
        *,
        radius: Number,
        hole: Number | None = None,
        from_: Number | None = None,
        to: Number | None = None,
    ) -> None:
        self._fill(locals())


class AnnulusSurface(Part):
    """Flat ring about the origin, u along the radius, v the angle from X; normal Z.

    For spatial scenes.

    Parameters
    ----------
    radius : vector [m]
        Inner and outer.
    angle : number [rad], optional
        A full turn that is not closed is slit along X; default: 6.283185307179586.
    closed : bool, optional
        A full turn is joined.
    """

    _table = "plate.shape"
    _type = "annulus"
    _writes_type = True

    radius = Key["Vector"]("m", required=True)
    angle = Key["Number"]("rad")
    closed = Key["bool"]()

    def __init__(
        self,
        *,
        radius: Vector,
        angle: Number | None = None,
        closed: bool | None = None,
    ) -> None:
        self._fill(locals())


class FormulaSurface(Part):
    """x, y and z as formulas in u and v.

    For spatial scenes.

    Parameters
    ----------
    x : str
        Formula in u and v [m].
    y : str
        Formula in u and v [m].
    z : str
        Formula in u and v [m].
    u : vector, optional
        Range of u; default: [0, 1].
    v : vector, optional
        Range of v; default: [0, 1].
    closed_u : bool, optional
        The last line of u is the first.
    closed_v : bool, optional
        The last line of v is the first.
    """

    _table = "plate.shape"
    _type = "formula"
    _writes_type = True

    x = Key["str"](required=True)
    y = Key["str"](required=True)
    z = Key["str"](required=True)
    u = Key["Vector"]()
    v = Key["Vector"]()
    closed_u = Key["bool"]()
    closed_v = Key["bool"]()

    def __init__(
        self,
        *,
        x: str,
        y: str,
        z: str,
        u: Vector | None = None,
        v: Vector | None = None,
        closed_u: bool | None = None,
        closed_v: bool | None = None,
    ) -> None:
        self._fill(locals())


class GmshSurface(Part):
    """Quadrilaterals of a Gmsh file of any format.

    For spatial scenes.

    Parameters
    ----------
    file : path of a file
        The file.
    scale : number, optional
        Of the file's coordinates to metres; > 0; default: 1.
    """

    _table = "plate.shape"
    _type = "gmsh"
    _writes_type = True

    file = Key["File"](required=True)
    scale = Key["Number"]()

    def __init__(
        self,
        *,
        file: File,
        scale: Number | None = None,
    ) -> None:
        self._fill(locals())


class Growth(Part):
    """Of full elements: stretch less 1 at which the wall is free of stress, the same along all directions.

    For spatial scenes.

    Parameters
    ----------
    u : signal, optional
        Stretch less 1 along u; default: 0.
    v : signal, optional
        Stretch less 1 across it in the surface; default: 0.
    normal : signal, optional
        Stretch less 1 of the thickness; default: 0.
    bend_u : signal, optional
        Stretch at the top less that at the bottom, along u; default: 0.
    bend_v : signal, optional
        Stretch at the top less that at the bottom, across u; default: 0.
    x : signal, optional
        Stretch less 1 along the solid's own X; default: 0.
    y : signal, optional
        Stretch less 1 along its Y; default: 0.
    z : signal, optional
        Stretch less 1 along its Z; default: 0.
    radial : signal, optional
        Stretch less 1 away from the axis; default: 0.
    around : signal, optional
        Stretch less 1 around the axis; default: 0.
    along : signal, optional
        Stretch less 1 along the axis; default: 0.
    """

    _table = "growth"
    _type = ""

    u = Key["Number | Signal | Table"](form="signal", table="signal")
    v = Key["Number | Signal | Table"](form="signal", table="signal")
    normal = Key["Number | Signal | Table"](form="signal", table="signal")
    bend_u = Key["Number | Signal | Table"](form="signal", table="signal")
    bend_v = Key["Number | Signal | Table"](form="signal", table="signal")
    x = Key["Number | Signal | Table"](form="signal", table="signal")
    y = Key["Number | Signal | Table"](form="signal", table="signal")
    z = Key["Number | Signal | Table"](form="signal", table="signal")
    radial = Key["Number | Signal | Table"](form="signal", table="signal")
    around = Key["Number | Signal | Table"](form="signal", table="signal")
    along = Key["Number | Signal | Table"](form="signal", table="signal")

    def __init__(
        self,
        *,
        u: Number | Signal | Table | None = None,
        v: Number | Signal | Table | None = None,
        normal: Number | Signal | Table | None = None,
        bend_u: Number | Signal | Table | None = None,
        bend_v: Number | Signal | Table | None = None,
        x: Number | Signal | Table | None = None,
        y: Number | Signal | Table | None = None,
        z: Number | Signal | Table | None = None,
        radial: Number | Signal | Table | None = None,
        around: Number | Signal | Table | None = None,
        along: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class Layer(Part):
    """A layer of a plate's wall; they lie in the order of the text from the bottom face up.

    For spatial scenes.

    Parameters
    ----------
    of : name
        The plate.
    material : name
        Material of the wall.
    thickness : number [m]
        Thickness; > 0.
    angle : number [rad], optional
        Of the material's first axis, from the direction of u; default: 0.
    """

    _table = "layer"
    _type = ""

    of = Key["Name"](required=True, form="name")
    material = Key["Name"](required=True, form="name")
    thickness = Key["Number"]("m", required=True)
    angle = Key["Number"]("rad")

    def __init__(
        self,
        *,
        of: Name,
        material: Name,
        thickness: Number,
        angle: Number | None = None,
    ) -> None:
        self._fill(locals())


class Membrane(Part):
    """A sheet that stretches and does not resist bending, of triangles [meijaard-truss].

    For spatial scenes.

    Parameters
    ----------
    shape : `FlatSurface`, `PanelSurface`, `TubeSurface`, `HemisphereSurface`, `AnnulusSurface`, `FormulaSurface`, `GmshSurface`, or the name of its type
        Its surface as it is meshed; the place `surface` is all of it.
    material : name
        What it is made of.
    thickness : number [m]
        Free of stress; > 0.
    position : vector [m], optional
        Where its origin is; default: the origin.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned.
    elements : vector, optional
        Number of quadrilaterals along u and along v, two triangles each; not for gmsh.
    grading : vector, optional
        Size of the last element over that of the first, along u and along v; > 0; default: [1, 1].
    bias : {"single", "double"}, optional
        Of the grading; default: "single".
    lines_u : vector, optional
        Shares of u from 0 to 1 where its lines lie, in place of a grading.
    lines_v : vector, optional
        The same of v.
    along : vector, optional
        First direction of an orthotropic material, fibres and growth, in the sheet's own frame; made
        tangent; default: u of the shape, X of Gmsh files.
    material_angle : number [rad], optional
        By which the first direction is turned about the normal; default: 0.
    damping : number [s], optional
        Kelvin-Voigt retardation time; ≥ 0; default: 0.
    growth : signal, optional
        Stretch less 1 at which it is free of stress, the same along all directions; default: none.
    prestress : number [N/m], optional
        Tension per length, the same along all directions, as it is meshed; ≥ 0; default: 0.
    carries : {"both", "tension"}, optional
        What it resists; default: "both".
    mass_damping : number [1/s], optional
        c of the force -c M v, in place of the scene's; ≥ 0.
    velocity : vector [m/s], optional
        Initial velocity of the whole membrane; default: at rest.
    angular_velocity : vector [rad/s], optional
        Initial rotation about `about`; default: none.
    about : vector [m], optional
        Centre of the initial rotation; default: the membrane's position.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    """

    _table = "membrane"
    _type = ""

    shape = Key[
        'FlatSurface | PanelSurface | TubeSurface | HemisphereSurface | AnnulusSurface | FormulaSurface | GmshSurface | Table | Literal["flat", "panel", "tube", "hemisphere", "annulus", "formula", "gmsh"]'
    ](required=True, table="plate.shape")
    material = Key["Name"](required=True, form="name")
    thickness = Key["Number"]("m", required=True)
    position = Key["Vector"]("m")
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()
    elements = Key["Vector"]()
    grading = Key["Vector"]()
    bias = Key['Literal["single", "double"]']()
    lines_u = Key["Vector"]()
    lines_v = Key["Vector"]()
    along = Key["Vector"]()
    material_angle = Key["Number"]("rad")
    damping = Key["Number"]("s")
    growth = Key["Number | Signal | Table"](form="signal", table="signal")
    prestress = Key["Number"]("N/m")
    carries = Key['Literal["both", "tension"]']()
    mass_damping = Key["Number"]("1/s")
    velocity = Key["Vector"]("m/s")
    angular_velocity = Key["Vector"]("rad/s")
    about = Key["Vector"]("m")
    color = Key["str"]()

    def __init__(
        self,
        *,
        shape: FlatSurface
        | PanelSurface
        | TubeSurface
        | HemisphereSurface
        | AnnulusSurface
        | FormulaSurface
        | GmshSurface
        | Table
        | Literal["flat", "panel", "tube", "hemisphere", "annulus", "formula", "gmsh"],
        material: Name,
        thickness: Number,
        position: Vector | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
        elements: Vector | None = None,
        grading: Vector | None = None,
        bias: Literal["single", "double"] | None = None,
        lines_u: Vector | None = None,
        lines_v: Vector | None = None,
        along: Vector | None = None,
        material_angle: Number | None = None,
        damping: Number | None = None,
        growth: Number | Signal | Table | None = None,
        prestress: Number | None = None,
        carries: Literal["both", "tension"] | None = None,
        mass_damping: Number | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        about: Vector | None = None,
        color: str | None = None,
    ) -> None:
        self._fill(locals())


class Solid(Part):
    """A body of hexahedra or tetrahedra, free of stress as it is meshed.

    For spatial scenes.

    Parameters
    ----------
    shape : `BlockVolume`, `CylinderVolume`, `TubeVolume`, `SphereVolume`, `FingerVolume`, `FormulaVolume`, `GmshVolume`, or the name of its type
        Its volume, free of stress.
    material : name
        What it is made of.
    position : vector [m], optional
        Where its origin is; default: the origin.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned.
    elements : vector, optional
        Number of elements along u, v and w; not for gmsh.
    grading : vector, optional
        Size of the last element over that of the first, along u, v and w; > 0; default: [1, 1, 1].
    bias : {"single", "double"}, optional
        Of the grading; default: "single".
    element : {"hexahedra-20", "hexahedra-8", "hexahedra-27", "tetrahedra-4", "tetrahedra-10"}, optional
        Kind of elements; not for gmsh; default: "hexahedra-20".
    inlay : `Inlay`, optional
        Elements of another material; [volume.NAME] are more of them.
    formulation : {"mixed", "full", "reduced"}, optional
        Of the elements' energy; default: "mixed".
    damping : number [s], optional
        Kelvin-Voigt retardation time; ≥ 0; default: 0.
    growth : signal, optional
        Stretch less 1 at which it is free of stress, the same along all directions; default: none.
    center : vector [m], optional
        A point of the axis of fibres and growth, in the solid's own frame; default: [0, 0, 0].
    axis : vector, optional
        Third direction of fibres and growth, in the solid's own frame; default: [0, 0, 1].
    mass_damping : number [1/s], optional
        c of the force -c M v, in place of the scene's; ≥ 0.
    velocity : vector [m/s], optional
        Initial velocity of the whole solid; default: at rest.
    angular_velocity : vector [rad/s], optional
        Initial rotation about `about`; default: none.
    about : vector [m], optional
        Centre of the initial rotation; default: the solid's position.
    color : #rrggbb, optional
        In reports, as "#8c8f96"; default: of a palette.
    """

    _table = "solid"
    _type = ""

    shape = Key[
        'BlockVolume | CylinderVolume | TubeVolume | SphereVolume | FingerVolume | FormulaVolume | GmshVolume | Table | Literal["block", "cylinder", "tube", "sphere", "finger", "formula", "gmsh"]'
    ](required=True, table="solid.shape")
    material = Key["Name"](required=True, form="name")
    position = Key["Vector"]("m")
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()
    elements = Key["Vector"]()
    grading = Key["Vector"]()
    bias = Key['Literal["single", "double"]']()
    element = Key['Literal["hexahedra-20", "hexahedra-8", "hexahedra-27", "tetrahedra-4", "tetrahedra-10"]']()
    inlay = Key["Inlay | Table"](table="inlay")
    formulation = Key['Literal["mixed", "full", "reduced"]']()
    damping = Key["Number"]("s")
    growth = Key["Number | Signal | Table"](form="signal", table="signal")
    center = Key["Vector"]("m")
    axis = Key["Vector"]()
    mass_damping = Key["Number"]("1/s")
    velocity = Key["Vector"]("m/s")
    angular_velocity = Key["Vector"]("rad/s")
    about = Key["Vector"]("m")
    color = Key["str"]()

    def __init__(
        self,
        *,
        shape: BlockVolume
        | CylinderVolume
        | TubeVolume
        | SphereVolume
        | FingerVolume
        | FormulaVolume
        | GmshVolume
        | Table
        | Literal["block", "cylinder", "tube", "sphere", "finger", "formula", "gmsh"],
        material: Name,
        position: Vector | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
        elements: Vector | None = None,
        grading: Vector | None = None,
        bias: Literal["single", "double"] | None = None,
        element: Literal["hexahedra-20", "hexahedra-8", "hexahedra-27", "tetrahedra-4", "tetrahedra-10"] | None = None,
        inlay: Inlay | Table | None = None,
        formulation: Literal["mixed", "full", "reduced"] | None = None,
        damping: Number | None = None,
        growth: Number | Signal | Table | None = None,
        center: Vector | None = None,
        axis: Vector | None = None,
        mass_damping: Number | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
        about: Vector | None = None,
        color: str | None = None,
    ) -> None:
        self._fill(locals())


class BlockVolume(Part):
    """From the origin along X, Y, Z, which are u, v, w; places left, right, front, back, bottom, top.

    For spatial scenes.

    Parameters
    ----------
    size : vector [m]
        Lengths along X, Y and Z; > 0.
    """

    _table = "solid.shape"
    _type = "block"
    _writes_type = True

    size = Key["Vector"]("m", required=True)

    def __init__(
        self,
        *,
        size: Vector,
    ) -> None:
        self._fill(locals())


class CylinderVolume(Part):
    """About Z from the XY plane up; u along the radius, v around from X, w along Z; places side, bottom, top.

    For spatial scenes.

    Parameters
    ----------
    radius : number [m]
        Radius; > 0.
    height : number [m]
        Length along Z; > 0.
    """

    _table = "solid.shape"
    _type = "cylinder"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    height = Key["Number"]("m", required=True)

    def __init__(
        self,
        *,
        radius: Number,
        height: Number,
    ) -> None:
        self._fill(locals())


class TubeVolume(Part):
    """Hollow, about Z from the XY plane up; u across the wall from inside, v around from X, w along Z; places
    inner, outer, bottom, top, of less than a full turn start and end.

    For spatial scenes.

    Parameters
    ----------
    inner : number [m]
        Radius inside; > 0.
    outer : number [m]
        Radius outside; > 0.
    height : number [m]
        Length along Z; > 0.
    angle : number [rad], optional
        Less than a full turn: a part of it; default: 6.283185307179586.
    """

    _table = "solid.shape"
    _type = "tube"
    _writes_type = True

    inner = Key["Number"]("m", required=True)
    outer = Key["Number"]("m", required=True)
    height = Key["Number"]("m", required=True)
    angle = Key["Number"]("rad")

    def __init__(
        self,
        *,
        inner: Number,
        outer: Number,
        height: Number,
        angle: Number | None = None,
    ) -> None:
        self._fill(locals())


class SphereVolume(Part):
    """Hollow, about the origin; u across the wall from inside, v around Z from X, w from the XY plane, of a whole
    one from the pole, up; elements: of the wall, and twice the same even number along a quarter of the girth;
    places inner, outer, cut ones left, front, bottom.

    For spatial scenes.

    Parameters
    ----------
    inner : number [m]
        Radius inside; > 0.
    outer : number [m]
        Radius outside; > 0.
    part : {"full", "half", "octant"}, optional
        Of the sphere; default: "full".
    """

    _table = "solid.shape"
    _type = "sphere"
    _writes_type = True

    inner = Key["Number"]("m", required=True)
    outer = Key["Number"]("m", required=True)
    part = Key['Literal["full", "half", "octant"]']()

    def __init__(
        self,
        *,
        inner: Number,
        outer: Number,
        part: Literal["full", "half", "octant"] | None = None,
    ) -> None:
        self._fill(locals())


class FingerVolume(Part):
    """Soft finger along X: pockets in a row over a bottom, joined by a channel; it bends towards -Z; elements
    along a pocket, across it and up it; places base, tip, bottom, top, front, back, cavity, of pockets apart
    pocket_1 and so on, layer.

    For spatial scenes.

    Parameters
    ----------
    pockets : integer, optional
        How many; from 1 to 100; default: 6.
    pocket : number [m], optional
        Length of the room in a pocket, along X; > 0; default: 0.008.
    gap : number [m], optional
        Between the walls of two pockets; > 0; default: 0.002.
    wall : number [m], optional
        Thickness of the walls between pockets and gaps; > 0; default: 0.0015.
    width : number [m], optional
        Along Y, outside; > 0; default: 0.016.
    height : number [m], optional
        Along Z, outside; > 0; default: 0.016.
    side : number [m], optional
        Thickness of the side walls; > 0; default: 0.002.
    roof : number [m], optional
        Thickness above the pockets; > 0; default: 0.002.
    bottom : number [m], optional
        Thickness below the pockets; > 0; default: 0.003.
    layer : number [m], optional
        Thickness of the lowest part of the bottom, the place `layer`; 0: none; ≥ 0; default: 0.
    base : number [m], optional
        Length of the end that is held; > 0; default: 0.008.
    tip : number [m], optional
        Length of the other end; > 0; default: 0.004.
    channel : vector [m], optional
        Width and height of the channel; [0, 0]: none, pockets are apart; ≥ 0; default: 4 mm wide, 2 mm
        high.
    part : {"full", "half"}, optional
        Of the finger; default: "full".
    """

    _table = "solid.shape"
    _type = "finger"
    _writes_type = True

    pockets = Key["Integer"]()
    pocket = Key["Number"]("m")
    gap = Key["Number"]("m")
    wall = Key["Number"]("m")
    width = Key["Number"]("m")
    height = Key["Number"]("m")
    side = Key["Number"]("m")
    roof = Key["Number"]("m")
    bottom = Key["Number"]("m")
    layer = Key["Number"]("m")
    base = Key["Number"]("m")
    tip = Key["Number"]("m")
    channel = Key["Vector"]("m")
    part = Key['Literal["full", "half"]']()

    def __init__(
        self,
        *,
        pockets: Integer | None = None,
        pocket: Number | None = None,
        gap: Number | None = None,
        wall: Number | None = None,
        width: Number | None = None,
        height: Number | None = None,
        side: Number | None = None,
        roof: Number | None = None,
        bottom: Number | None = None,
        layer: Number | None = None,
        base: Number | None = None,
        tip: Number | None = None,
        channel: Vector | None = None,
        part: Literal["full", "half"] | None = None,
    ) -> None:
        self._fill(locals())


class FormulaVolume(Part):
    """x, y and z as formulas in u, v and w, right-handed: a wall along u and v, across it w; places left, right,
    front, back, bottom, top, the ends of u, of v (not of a closed one) and of w; layer.

    For spatial scenes.

    Parameters
    ----------
    x : str
        Formula in u, v and w [m].
    y : str
        Formula in u, v and w [m].
    z : str
        Formula in u, v and w [m].
    u : vector, optional
        Range of u; default: [0, 1].
    v : vector, optional
        Range of v; default: [0, 1].
    w : vector, optional
        Range of w; default: [0, 1].
    closed_v : bool, optional
        The last line of v is the first.
    layer : str, optional
        Formula in u, v and w: elements in whose middle it is above 0 are the place `layer`.
    """

    _table = "solid.shape"
    _type = "formula"
    _writes_type = True

    x = Key["str"](required=True)
    y = Key["str"](required=True)
    z = Key["str"](required=True)
    u = Key["Vector"]()
    v = Key["Vector"]()
    w = Key["Vector"]()
    closed_v = Key["bool"]()
    layer = Key["str"]()

    def __init__(
        self,
        *,
        x: str,
        y: str,
        z: str,
        u: Vector | None = None,
        v: Vector | None = None,
        w: Vector | None = None,
        closed_v: bool | None = None,
        layer: str | None = None,
    ) -> None:
        self._fill(locals())


class GmshVolume(Part):
    """Hexahedra and tetrahedra of a Gmsh file of any format; places are its physical groups.

    For spatial scenes.

    Parameters
    ----------
    file : path of a file
        The file.
    scale : number, optional
        Of the file's coordinates to metres: 0.001 for millimetres; > 0; default: 1.
    order : integer, optional
        2: cells of 4 and 8 nodes get middles of their sides, 10 and 20 nodes; 1: as they are; from 1 to
        2; default: 1.
    """

    _table = "solid.shape"
    _type = "gmsh"
    _writes_type = True

    file = Key["File"](required=True)
    scale = Key["Number"]()
    order = Key["Integer"]()

    def __init__(
        self,
        *,
        file: File,
        scale: Number | None = None,
        order: Integer | None = None,
    ) -> None:
        self._fill(locals())


class Inlay(Part):
    """Elements of another material; [volume.NAME] are more of them.

    For spatial scenes.

    Parameters
    ----------
    at : str
        Place of the solid that is a volume: of a finger `layer`.
    material : name
        What it is made of.
    """

    _table = "inlay"
    _type = ""

    at = Key["str"](required=True)
    material = Key["Name"](required=True, form="name")

    def __init__(
        self,
        *,
        at: str,
        material: Name,
    ) -> None:
        self._fill(locals())


class Volume(Part):
    """A volume of a solid that is of another material; where several share elements the last counts.

    For spatial scenes.

    Parameters
    ----------
    of : name
        The part.
    at : str
        Place of the solid that is a volume: of a finger `layer`.
    material : name
        What it is made of.
    """

    _table = "volume"
    _type = ""

    of = Key["Name"](required=True, form="name")
    at = Key["str"](required=True)
    material = Key["Name"](required=True, form="name")

    def __init__(
        self,
        *,
        of: Name,
        at: str,
        material: Name,
    ) -> None:
        self._fill(locals())


class Fibre(Part):
    """Fibres of one direction at each place of a solid, a membrane or a full plate, which resist their stretch or
    pull by themselves.

    For spatial scenes.

    Parameters
    ----------
    of : name
        The part.
    direction : vector, optional
        At rest, by the three directions of `frame`, of any length; in plates and membranes along u,
        across it in the surface, along the normal.
    frame : {"axes", "about-axis"}, optional
        Of `direction`; default: "axes".
    angle : number [rad], optional
        In place of `direction`: of a helix, from the solid's axis; in the surface of plates and
        membranes, from u.
    stiffness : number [Pa], optional
        k1, a quarter of the modulus along the fibres at rest; ≥ 0; default: 0.
    exponent : number, optional
        k2: how fast they stiffen; ≥ 0; default: 0.
    compression : bool, optional
        Whether they bear compression too.
    tension : signal [Pa], optional
        That they pull with whatever their stretch, per area of the reference; default: none.
    """

    _table = "fibre"
    _type = ""

    of = Key["Name"](required=True, form="name")
    direction = Key["Vector"]()
    frame = Key['Literal["axes", "about-axis"]']()
    angle = Key["Number"]("rad")
    stiffness = Key["Number"]("Pa")
    exponent = Key["Number"]()
    compression = Key["bool"]()
    tension = Key["Number | Signal | Table"]("Pa", form="signal", table="signal")

    def __init__(
        self,
        *,
        of: Name,
        direction: Vector | None = None,
        frame: Literal["axes", "about-axis"] | None = None,
        angle: Number | None = None,
        stiffness: Number | None = None,
        exponent: Number | None = None,
        compression: bool | None = None,
        tension: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class BoxShape(Part):
    """A block along the body's axes.

    For spatial scenes.

    Parameters
    ----------
    size : vector [m]
        Lengths along x, y and z; > 0.
    center : vector [m], optional
        Where its centre is in the body's frame; default: the frame's origin.
    """

    _table = "body.shape"
    _type = "box"
    _writes_type = True

    size = Key["Vector"]("m", required=True)
    center = Key["Vector"]("m")

    def __init__(
        self,
        *,
        size: Vector,
        center: Vector | None = None,
    ) -> None:
        self._fill(locals())


class CylinderShape(Part):
    """A solid cylinder.

    For spatial scenes.

    Parameters
    ----------
    radius : number [m]
        Radius; > 0.
    length : number [m]
        Length; > 0.
    center : vector [m], optional
        Where its centre is in the body's frame; default: the frame's origin.
    axis : vector, optional
        Direction of its axis, of any length, in the body's frame; default: z.
    """

    _table = "body.shape"
    _type = "cylinder"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    length = Key["Number"]("m", required=True)
    center = Key["Vector"]("m")
    axis = Key["Vector"]()

    def __init__(
        self,
        *,
        radius: Number,
        length: Number,
        center: Vector | None = None,
        axis: Vector | None = None,
    ) -> None:
        self._fill(locals())


class SphereShape(Part):
    """A solid sphere.

    For spatial scenes.

    Parameters
    ----------
    radius : number [m]
        Radius; > 0.
    center : vector [m], optional
        Where its centre is in the body's frame; default: the frame's origin.
    """

    _table = "body.shape"
    _type = "sphere"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    center = Key["Vector"]("m")

    def __init__(
        self,
        *,
        radius: Number,
        center: Vector | None = None,
    ) -> None:
        self._fill(locals())


class ConeShape(Part):
    """A solid cone, its tip along the axis.

    For spatial scenes.

    Parameters
    ----------
    radius : number [m]
        Radius of the base; > 0.
    height : number [m]
        Height; > 0.
    center : vector [m], optional
        Where the centre of its base is in the body's frame; default: the frame's origin.
    axis : vector, optional
        Direction of its axis, of any length, in the body's frame; default: z.
    """

    _table = "body.shape"
    _type = "cone"
    _writes_type = True

    radius = Key["Number"]("m", required=True)
    height = Key["Number"]("m", required=True)
    center = Key["Vector"]("m")
    axis = Key["Vector"]()

    def __init__(
        self,
        *,
        radius: Number,
        height: Number,
        center: Vector | None = None,
        axis: Vector | None = None,
    ) -> None:
        self._fill(locals())


class MeshShape(Part):
    """What a closed surface of triangles encloses.

    For spatial scenes.

    Parameters
    ----------
    file : path of a file
        STL, OBJ or COLLADA (.dae) file.
    scale : number, optional
        Metres per unit of the file; > 0; default: 1.
    stretch : vector, optional
        Factors along x, y and z of the file, besides; a negative one mirrors; default: 1.
    center : vector [m], optional
        Where the file's origin is in the body's frame; default: the frame's origin.
    """

    _table = "body.shape"
    _type = "mesh"
    _writes_type = True

    file = Key["File"](required=True)
    scale = Key["Number"]()
    stretch = Key["Vector"]()
    center = Key["Vector"]("m")

    def __init__(
        self,
        *,
        file: File,
        scale: Number | None = None,
        stretch: Vector | None = None,
        center: Vector | None = None,
    ) -> None:
        self._fill(locals())


class SphericalJoint(Joint):
    """The same as pin.

    For spatial scenes.

    Parameters
    ----------
    of : places
        The two places.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "spherical"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class CylindricalJoint(Joint):
    """Turns about an axis and slides along it.

    For spatial scenes.

    Parameters
    ----------
    of : places
        The two places.
    axis : vector
        Direction of the axis in the reference configuration; moves with the first place.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    angle : signal [rad], optional
        Prescribes the angle from the reference; free if left out.
    initial_angle : number [rad], optional
        Angle that the joint starts with, where that is more than half a revolution: of the initial poses,
        which leave whole revolutions open; default: within half a revolution.
    displacement : signal [m], optional
        Prescribes the displacement along the axis; free if left out.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "cylindrical"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    axis = Key["Vector"](required=True)
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    angle = Key["Number | Signal | Table"]("rad", form="signal", table="signal")
    initial_angle = Key["Number"]("rad")
    displacement = Key["Number | Signal | Table"]("m", form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        axis: Vector,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        angle: Number | Signal | Table | None = None,
        initial_angle: Number | None = None,
        displacement: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class UniversalJoint(Joint):
    """The places coincide; an axis of each, perpendicular to each other.

    For spatial scenes.

    Parameters
    ----------
    of : places
        The two places.
    axes : points
        One of the first place, one of the second.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "universal"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    axes = Key["Points"](required=True)
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        axes: Points,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class PlanarJoint(Joint):
    """The second place slides and turns in a plane of the first; of an edge of a plate: a plane of symmetry.

    For spatial scenes.

    Parameters
    ----------
    of : places
        The two places.
    normal : vector
        Of the plane.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "planar"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    normal = Key["Vector"](required=True)
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        normal: Vector,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class PointOnPlaneJoint(Joint):
    """The second place stays in a plane of the first.

    For spatial scenes.

    Parameters
    ----------
    of : places
        The two places.
    normal : vector
        Of the plane.
    at : vector [m], optional
        Reference position of the joint, where `of` names whole bodies; default: the places.
    method : {"eliminated", "multipliers"}, optional
        How its equations are kept; default: "eliminated".
    displacement : signal [m], optional
        Prescribes the displacement along the axis; free if left out.
    max_effort : number [N], optional
        Largest effort of what drives it: the limit of motors and servos that state none; a prescribed
        motion that needs more is told; > 0; default: none.
    max_rate : number [m/s], optional
        Largest rate to which motors and servos drive it that state none; > 0; default: none.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "joint"
    _type = "point_on_plane"
    _writes_type = True

    of = Key["Places"](required=True, form="places")
    normal = Key["Vector"](required=True)
    at = Key["Vector"]("m")
    method = Key['Literal["eliminated", "multipliers"]']()
    displacement = Key["Number | Signal | Table"]("m", form="signal", table="signal")
    max_effort = Key["Number"]("N")
    max_rate = Key["Number"]("m/s")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        of: Places,
        normal: Vector,
        at: Vector | None = None,
        method: Literal["eliminated", "multipliers"] | None = None,
        displacement: Number | Signal | Table | None = None,
        max_effort: Number | None = None,
        max_rate: Number | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class SarrusLinkage(Linkage):
    """Sarrus' linkage: the top moves up and down and does not turn.

    For spatial scenes.

    Parameters
    ----------
    width : number [m]
        Of the panels; > 0.
    leg : number [m]
        Height of a panel; > 0.
    height : number [m]
        Of the top above the base, where it starts; > 0.
    m : number [kg]
        Mass of each member; > 0.
    apex : number [m], optional
        By how much apexes stand off panels and top; > 0; default: a quarter of the leg.
    base : {"fixed", "free"}, optional
        The points that it stands on; default: "fixed".
    position : vector [m], optional
        Where its origin is; default: the origin.
    quat_xyzw : vector, optional
        Its orientation as a unit quaternion, the real part last; default: not turned.
    axes : points, optional
        Its orientation by its x axis and its y axis, in place of quat_xyzw; default: not turned.
    set : mapping of dotted keys, optional
        Changes of its values, as --set makes them: truss.A_D.m = 0.2.
    """

    _table = "linkage"
    _type = "sarrus"
    _writes_type = True

    width = Key["Number"]("m", required=True)
    leg = Key["Number"]("m", required=True)
    height = Key["Number"]("m", required=True)
    m = Key["Number"]("kg", required=True)
    apex = Key["Number"]("m")
    base = Key['Literal["fixed", "free"]']()
    position = Key["Vector"]("m")
    quat_xyzw = Key["Vector"]()
    axes = Key["Points"]()
    set = Key["Table"]()

    def __init__(
        self,
        *,
        width: Number,
        leg: Number,
        height: Number,
        m: Number,
        apex: Number | None = None,
        base: Literal["fixed", "free"] | None = None,
        position: Vector | None = None,
        quat_xyzw: Vector | None = None,
        axes: Points | None = None,
        set: Table | None = None,
    ) -> None:
        self._fill(locals())


class LengthConstraint(Constraint):
    """Lines that stay as long as they are in the reference.

    Parameters
    ----------
    on : names, optional
        Whole parts; * stands for any letters.
    between : places, optional
        Two nodes of a part: along the shortest way of edges from one to the other.
    measure : {"arc", "quadratic"}, optional
        What is kept; default: "arc".
    each : bool, optional
        Each element by itself, and not only their sum.
    change : signal, optional
        Of the length over time, as a share of the reference: -0.1 is a tenth shorter; default: none.
    at : places, optional
        Edges of plates, rings of nodes, curves of solids; spatial scenes only.
    """

    _table = "constraint"
    _type = "length"
    _writes_type = True

    on = Key["Sequence[Name]"](form="names")
    between = Key["Places"](form="places")
    measure = Key['Literal["arc", "quadratic"]']()
    each = Key["bool"]()
    change = Key["Number | Signal | Table"](form="signal", table="signal")
    at = Key["Places"](form="places")

    def __init__(
        self,
        *,
        on: Sequence[Name] | None = None,
        between: Places | None = None,
        measure: Literal["arc", "quadratic"] | None = None,
        each: bool | None = None,
        change: Number | Signal | Table | None = None,
        at: Places | None = None,
    ) -> None:
        self._fill(locals())


class AreaConstraint(Constraint):
    """Surfaces that stay as large as they are in the reference.

    For spatial scenes.

    Parameters
    ----------
    on : names, optional
        Whole plates; * stands for any letters.
    at : places, optional
        Sets of elements of plates, of faces of solids.
    each : bool, optional
        Each element by itself, and not only their sum.
    change : signal, optional
        Of lengths over time, as a share of the reference: with 0.1 the area becomes 1.21 of it; default:
        none.
    """

    _table = "constraint"
    _type = "area"
    _writes_type = True

    on = Key["Sequence[Name]"](form="names")
    at = Key["Places"](form="places")
    each = Key["bool"]()
    change = Key["Number | Signal | Table"](form="signal", table="signal")

    def __init__(
        self,
        *,
        on: Sequence[Name] | None = None,
        at: Places | None = None,
        each: bool | None = None,
        change: Number | Signal | Table | None = None,
    ) -> None:
        self._fill(locals())


class PressureLoad(Load):
    """Pressure that turns with what it is on: on a plate along its normal, on a solid into it.

    For spatial scenes.

    Parameters
    ----------
    on : str
        The plate or membrane, over its whole surface, or a surface of a solid, as "leg.inner".
    pressure : signal [Pa]
        Pressure over time.
    face : {"bottom", "middle", "top"}, optional
        Of a full plate, where it acts; thin plates are their mid-surface; default: "bottom".
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "pressure"
    _writes_type = True

    on = Key["str"](required=True)
    pressure = Key["Number | Signal | Table"]("Pa", required=True, form="signal", table="signal")
    face = Key['Literal["bottom", "middle", "top"]']()
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        on: str,
        pressure: Number | Signal | Table,
        face: Literal["bottom", "middle", "top"] | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class RingMomentLoad(Load):
    """Moment on a ring of nodes of a plate, on their mean rotation; fixed in space.

    For spatial scenes.

    Parameters
    ----------
    at : place
        The place.
    moment : vector [N m]
        Moment, multiplied by the signal.
    signal : signal, optional
        Multiplies it; default: 1.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "ring_moment"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    moment = Key["Vector"]("N m", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        moment: Vector,
        signal: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class EdgeForceLoad(Load):
    """Force per length along an edge of a plate, fixed in space.

    For spatial scenes.

    Parameters
    ----------
    at : place
        The place.
    force : vector [N/m]
        Force per length of the reference, times the signal.
    signal : signal, optional
        Multiplies it; default: 1.
    from_ : time [s], optional
        Acts from this time, or from the beginning of this analysis.
    until : time [s], optional
        Acts until this time, or until the end of this analysis.
    """

    _table = "load"
    _type = "edge_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    force = Key["Vector"]("N/m", required=True)
    signal = Key["Number | Signal | Table"](form="signal", table="signal")
    from_ = Key["Time"]("s")
    until = Key["Time"]("s")

    def __init__(
        self,
        *,
        at: Place,
        force: Vector,
        signal: Number | Signal | Table | None = None,
        from_: Time | None = None,
        until: Time | None = None,
    ) -> None:
        self._fill(locals())


class ShearForceSensor(Sensor):
    """Size of the force across the section of a beam [N].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a beam.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "shear_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SectionForceSensor(Sensor):
    """N, V1, V2 of the section of a beam, along d3, d1, d2 [N].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a beam.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "section_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SectionMomentSensor(Sensor):
    """T, M1, M2 of the section of a beam, about d3, d1, d2 [N m].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a beam.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "section_moment"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class MembraneForceSensor(Sensor):
    """N11, N22, N12 per length of the reference [N/m].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate: a node, or shares of u and v.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "membrane_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class BendingMomentSensor(Sensor):
    """M11, M22, M12 per length; positive ones stretch the top face [N].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate: a node, or shares of u and v.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "bending_moment"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class MembraneStrainSensor(Sensor):
    """Green's strain of the middle surface, 11, 22, 12.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate: a node, or shares of u and v.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "membrane_strain"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class CurvatureChangeSensor(Sensor):
    """11, 22, 12; positive ones stretch the top face [1/m].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate: a node, or shares of u and v.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "curvature_change"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class StrainSensor(Sensor):
    """Green's strain of a face, 11, 22, 12.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate: a node, or shares of u and v.
    face : {"top", "bottom", "middle"}, optional
        Of the wall; default: "top".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "strain"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["top", "bottom", "middle"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["top", "bottom", "middle"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class StressSensor(Sensor):
    """11, 22, 12 at a face [Pa].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate: a node, or shares of u and v.
    face : {"top", "bottom", "middle"}, optional
        Of the wall; default: "top".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "stress"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["top", "bottom", "middle"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["top", "bottom", "middle"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class VonMisesSensor(Sensor):
    """Von Mises' stress [Pa]: at a face of a plate, of Cauchy's stress in a solid.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a plate or solid.
    face : {"top", "bottom", "middle", "larger"}, optional
        Of the wall of a plate; default: "top".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "von_mises"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["top", "bottom", "middle", "larger"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["top", "bottom", "middle", "larger"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class CauchyStressSensor(Sensor):
    """In space, per area as it is now: xx, yy, zz, yz, xz, xy [Pa].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements.
    face : {"middle", "bottom", "top"}, optional
        Of the wall of a full plate; default: "middle".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "cauchy_stress"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["middle", "bottom", "top"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["middle", "bottom", "top"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SecondPiolaKirchhoffSensor(Sensor):
    """Second Piola-Kirchhoff's stress: xx, yy, zz, yz, xz, xy of the reference [Pa].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements.
    face : {"middle", "bottom", "top"}, optional
        Of the wall of a full plate; default: "middle".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "second_piola_kirchhoff"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["middle", "bottom", "top"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["middle", "bottom", "top"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class GreenStrainSensor(Sensor):
    """Green's strain: xx, yy, zz, yz, xz, xy of the reference.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements.
    face : {"middle", "bottom", "top"}, optional
        Of the wall of a full plate; default: "middle".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "green_strain"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["middle", "bottom", "top"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["middle", "bottom", "top"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class PrincipalStretchesSensor(Sensor):
    """Lengths over those of the reference along the principal directions, largest first.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements.
    face : {"middle", "bottom", "top", "extreme"}, optional
        Of the wall of a full plate; default: "middle".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "principal_stretches"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["middle", "bottom", "top", "extreme"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["middle", "bottom", "top", "extreme"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class VolumeRatioSensor(Sensor):
    """Volume over that of the reference, J.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements.
    face : {"middle", "bottom", "top"}, optional
        Of the wall of a full plate; default: "middle".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "volume_ratio"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["middle", "bottom", "top"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["middle", "bottom", "top"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class HydrostaticPressureSensor(Sensor):
    """Minus a third of the trace of Cauchy's stress [Pa].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid: a node, shares of u, v and w, or coordinates; or on a plate of full elements.
    face : {"middle", "bottom", "top"}, optional
        Of the wall of a full plate; default: "middle".
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "hydrostatic_pressure"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    face = Key['Literal["middle", "bottom", "top"]']()
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        face: Literal["middle", "bottom", "top"] | None = None,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class FibreStretchSensor(Sensor):
    """Length of the fibres over that at rest, of several families the largest.

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place on a solid with fibres.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "fibre_stretch"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class EdgeForceSensor(Sensor):
    """Of what has constant strain: force along an edge of its elements, of all that share it; tension is positive
    [N].

    For spatial scenes.

    Parameters
    ----------
    at : place
        Place within an edge of a membrane's triangles, or of tetrahedra of 4 nodes.
    interval : number [s], optional
        Between samples; > 0; default: output.sensor_interval.
    """

    _table = "sensor"
    _type = "edge_force"
    _writes_type = True

    at = Key["Place"](required=True, form="place")
    interval = Key["Number"]("s")

    def __init__(
        self,
        *,
        at: Place,
        interval: Number | None = None,
    ) -> None:
        self._fill(locals())


class SceneTables(Tables):
    """What a scene holds: the keys of its head and its tables by kind and name."""

    _tables = (
        "material",
        "section",
        "cable",
        "beam",
        "plate",
        "layer",
        "membrane",
        "solid",
        "volume",
        "fibre",
        "point",
        "body",
        "visual",
        "joint",
        "use",
        "linkage",
        "sphere",
        "plane",
        "contact",
        "chamber",
        "line",
        "constraint",
        "mass",
        "truss",
        "spring",
        "load",
        "signal",
        "sensor",
        "analysis",
        "output",
    )

    title = Key["str"]()
    space = Key['Literal["planar", "spatial"]']()
    gravity = Key["Vector | Gravity | Table"]("m/s^2", table="gravity")
    mass_damping = Key["Number"]("1/s")
    assemble = Key["bool"]()
    output = Key["Output | Table"](table="output")

    @property
    def material(self) -> Parts[AnyMaterial, Any]:
        """A material."""
        return Parts(self, "material")

    @property
    def section(self) -> Parts[Section, Section]:
        """Cross-section of cables: stiffnesses, or a shape and a material."""
        return Parts(self, "section")

    @property
    def cable(self) -> Parts[Cable, Cable]:
        """A slender part that stretches and bends."""
        return Parts(self, "cable")

    @property
    def beam(self) -> Parts[Beam, Beam]:
        """A slender part that stretches, shears, bends and twists, with directions d1, d2 of its section."""
        return Parts(self, "beam")

    @property
    def plate(self) -> Parts[Plate, Plate]:
        """A plate or shell, flat or curved, free of stress as it is meshed."""
        return Parts(self, "plate")

    @property
    def layer(self) -> Parts[Layer, Layer]:
        """A layer of a plate's wall; they lie in the order of the text from the bottom face up."""
        return Parts(self, "layer")

    @property
    def membrane(self) -> Parts[Membrane, Membrane]:
        """A sheet that stretches and does not resist bending, of triangles [meijaard-truss]."""
        return Parts(self, "membrane")

    @property
    def solid(self) -> Parts[Solid, Solid]:
        """A body of hexahedra or tetrahedra, free of stress as it is meshed."""
        return Parts(self, "solid")

    @property
    def volume(self) -> Parts[Volume, Volume]:
        """A volume of a solid that is of another material; where several share elements the last counts."""
        return Parts(self, "volume")

    @property
    def fibre(self) -> Parts[Fibre, Fibre]:
        """Fibres of one direction at each place of a solid, a membrane or a full plate, which resist their stretch or pull by themselves."""
        return Parts(self, "fibre")

    @property
    def point(self) -> Parts[Point, Point]:
        """A point to which masses, springs and joints attach."""
        return Parts(self, "point")

    @property
    def body(self) -> Parts[Body, Body]:
        """A rigid body."""
        return Parts(self, "body")

    @property
    def visual(self) -> Parts[Visual, Visual]:
        """What a body shows of itself in pictures, without mass, in place of a shape that is drawn for it."""
        return Parts(self, "visual")

    @property
    def joint(self) -> Parts[Joint, Any]:
        """A relation between two places."""
        return Parts(self, "joint")

    @property
    def use(self) -> Parts[Use, Use]:
        """Another scene or a robot as a part of this one: its things enter with names that begin with "NAME."."""
        return Parts(self, "use")

    @property
    def linkage(self) -> Parts[Linkage, Any]:
        """Rigid trusses that stand for a joint: points "NAME.A", trusses "NAME.A_B", frames."""
        return Parts(self, "linkage")

    @property
    def sphere(self) -> Parts[Sphere, Sphere]:
        """A disc that contacts know: a mass of its own without rotation, or on a place of a part."""
        return Parts(self, "sphere")

    @property
    def plane(self) -> Parts[Plane, Plane]:
        """A line of the ground; what is behind it is solid."""
        return Parts(self, "plane")

    @property
    def contact(self) -> Parts[Contact, Contact]:
        """What may touch, without friction."""
        return Parts(self, "contact")

    @property
    def chamber(self) -> Parts[AnyChamber, Any]:
        """What cables are around, and what is in it."""
        return Parts(self, "chamber")

    @property
    def line(self) -> Parts[Line, Any]:
        """A way for gas into chambers, out of them and between them."""
        return Parts(self, "line")

    @property
    def constraint(self) -> Parts[Constraint, Any]:
        """A length that is kept."""
        return Parts(self, "constraint")

    @property
    def mass(self) -> Parts[PointMass, PointMass]:
        """Masses."""
        return Parts(self, "mass")

    @property
    def truss(self) -> Parts[AnyTruss, Any]:
        """Straight members between two points, with or without mass."""
        return Parts(self, "truss")

    @property
    def spring(self) -> Parts[Spring, Any]:
        """Springs and dampers."""
        return Parts(self, "spring")

    @property
    def signal(self) -> Parts[Signal, Any]:
        """A function of time."""
        return Parts(self, "signal")

    @property
    def sensor(self) -> Parts[Sensor, Any]:
        """A recorded time series."""
        return Parts(self, "sensor")

    @property
    def analysis(self) -> Analyses[Analysis, Any]:
        """A step of the computation; each starts from the end of the one before."""
        return Analyses(self)
