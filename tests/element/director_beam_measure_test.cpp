// The strains of the beam of directors at large rotations of one element: a prototype's tables and closed forms.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "flexura/element/director_beam_kernel.hpp"
#include "flexura/load/follower_force_3d.hpp"
#include "flexura/load/pneumatic_moment_3d.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/beams.hpp"

namespace flexura::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::array;
constexpr double pi = std::numbers::pi, degree = pi / 180;

// ── One element held by its end sections ─────────────────────────────────────────────────────────────────────────────

Matrix3d turn(const Vector3d& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }
Matrix3d turn(const Vector3d& rotation) {
  return rotation.norm() > 0 ? turn(rotation.normalized(), rotation.norm()) : Matrix3d::Identity();
}

/// Nodes of an element of length 1 along z at rest; the columns of a frame are d₁, d₂, d₃.
struct Nodes {
  Vector3d r[3];
  Matrix3d frame[3];

  /// Evenly bent and twisted by `angle` about an axis of space, from −angle/2 to angle/2.
  static Nodes even(const Vector3d& axis, double angle) {
    Nodes out;
    constexpr int n = 400;  // midpoint rule on r' = d₃, from the middle outwards
    for (int a = 0; a < 3; ++a) {
      out.frame[a] = turn(axis, 0.5 * angle * (a - 1));
      out.r[a].setZero();
      for (int k = 0; k < n; ++k)
        out.r[a] += (a - 1) * 0.5 / n * turn(axis, 0.5 * angle * (a - 1) * (k + 0.5) / n).col(2);
    }
    return out;
  }
  std::vector<double> coordinates() const {
    std::vector<double> x(36);
    for (int a = 0; a < 3; ++a) {
      std::copy_n(r[a].data(), 3, &x[12 * a]);
      std::copy_n(frame[a].data(), 9, &x[12 * a + 3]);
    }
    return x;
  }
};

struct Element {
  using Kernel = DirectorBeam3Kernel;
  Kernel::Data<double> data;

  Element(const BeamSection& s, const Nodes& reference)
      : data(Kernel::prepare<double>({s.GA1, s.GA2, s.EA, s.EI1, s.EI2, s.GJ, 1, 1, 1}, {},
                                     reference.coordinates().data())) {}
  double energy(const Nodes& at) const {
    return Kernel::energy<double>(data, {}, Context<double>{}, at.coordinates().data());
  }
  Eigen::VectorXd force(const Nodes& at) const {
    Eigen::VectorXd r(36);
    const std::vector<double> x = at.coordinates();
    Kernel::residual<double>(data, {}, Context<double>{}, x.data(), x.data(), r.data());
    return r;
  }
  Eigen::MatrixXd stiffness(const Nodes& at) const {
    Eigen::Matrix<double, 36, 36, Eigen::RowMajor> K;
    const std::vector<double> x = at.coordinates();
    Kernel::tangent<double>(data, {}, Context<double>{}, x.data(), x.data(), 0, K.data());
    return K.selfadjointView<Eigen::Lower>();
  }
};

/// The equilibrium with both end sections kept, the middle node and the second end's position being free.
struct Held {
  double moment = 0;     ///< dV/dθ of the ends, turned against each other about the axis
  double stiffness = 0;  ///< least eigenvalue of the second derivative of V
  double chord = 0;
  bool converged = false;
};
Held hold(const Element& element, const Vector3d& axis, double angle) {
  using Matrix = Eigen::Matrix<double, 9, 9>;
  Nodes at = Nodes::even(axis, angle);
  Held out;
  for (int iteration = 0; iteration < 40 && !out.converged; ++iteration) {
    const Eigen::VectorXd f = element.force(at);
    Eigen::Matrix<double, 36, 9> B = Eigen::Matrix<double, 36, 9>::Zero();  // of r₁, the spin of the middle and r₂
    B.block<3, 3>(12, 0).setIdentity();
    B.block<3, 3>(24, 6).setIdentity();
    Matrix H = Matrix::Zero();
    for (int k = 0; k < 3; ++k) {  // d(ω) = d + ω × d + ½ ω × (ω × d)
      const Vector3d d = at.frame[1].col(k), fd = f.segment<3>(15 + 3 * k);
      for (int j = 0; j < 3; ++j) B.block<3, 1>(15 + 3 * k, 3 + j) = Vector3d::Unit(j).cross(d);
      H.block<3, 3>(3, 3) += -0.5 * (fd * d.transpose() + d * fd.transpose()) + fd.dot(d) * Matrix3d::Identity();
    }
    H += B.transpose() * element.stiffness(at) * B;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
    out.stiffness = eigen.eigenvalues()[0];
    const Eigen::Matrix<double, 9, 1> step =
        eigen.eigenvectors() *
        (eigen.eigenvectors().transpose() * (B.transpose() * f)).cwiseQuotient(eigen.eigenvalues());
    out.converged = step.norm() < 1e-12;
    at.r[1] += step.head<3>();
    at.frame[1] = turn(step.segment<3>(3)) * at.frame[1];
    at.r[2] += step.tail<3>();
    out.moment = 0;
    for (int a : {0, 2})
      for (int k = 0; k < 3; ++k)
        out.moment -= 0.5 * (a - 1) * axis.cross(at.frame[a].col(k)).dot(f.segment<3>(12 * a + 3 + 3 * k));
    out.chord = (at.r[2] - at.r[0]).norm();
  }
  return out;
}

// EI = GJ = 1 on a length of 1.
constexpr BeamSection rod{.GA1 = 1e6, .GA2 = 1e6, .EA = 1e6, .EI1 = 1, .EI2 = 1, .GJ = 1};
const Nodes straight_nodes = Nodes::even({1, 0, 0}, 0);

const struct {
  const char* name;
  Vector3d axis;
} turns[] = {{"bend", {1, 0, 0}},
             {"twist", {0, 0, 1}},
             {"helix of 45 degrees", {std::sqrt(0.5), 0, std::sqrt(0.5)}},
             {"oblique bend", {0.6, 0.8, 0}}};

// A prototype's table, to its digits and alike in all directions. Exact: the angle. Before, the moment was 1.032, 1.464, 1.684 (the most),
// 1.527, 0.889, and the middle node was unstable from 90 degrees.
TEST(DirectorBeamMeasure, EndMomentOfOneElementMeetsTheTable) {
  constexpr double table[][2] = {{60, 1.047}, {90, 1.568}, {120, 2.079}, {150, 2.571}, {180, 3.056}};
  const Element element(rod, straight_nodes);
  for (const auto& [name, axis] : turns)
    for (const auto& [angle, moment] : table) {
      const Held held = hold(element, axis, angle * degree);
      ASSERT_TRUE(held.converged) << name << " " << angle;
      fmt::print("{:20} {:3} deg: M l/EI {:.4f}, exact {:.4f}, least stiffness {:.3f}, chord {:.3f}\n", name, angle,
                 held.moment, angle * degree, held.stiffness, held.chord);
      EXPECT_NEAR(held.moment, moment, 6e-4) << name << " " << angle;
    }
  EXPECT_NEAR(hold(element, {1, 0, 0}, 180 * degree).chord, 0.756, 1e-3);
  EXPECT_NEAR(hold(element, {1, 0, 0}, 90 * degree).chord, 0.911, 1e-3);  // exact 0.900
}

TEST(DirectorBeamMeasure, EndMomentRisesAndTheHeldElementIsStableUpTo180Degrees) {
  for (const double gj : {1.0, 0.7}) {
    BeamSection s = rod;
    s.GJ = gj;
    const Element element(s, straight_nodes);
    for (const auto& [name, axis] : turns) {
      if (gj != 1 && axis[0] != 0 && axis[2] != 0) continue;  // bends unevenly
      double before = 0;
      for (int angle = 5; angle <= 180; angle += 5) {
        const Held held = hold(element, axis, angle * degree);
        ASSERT_TRUE(held.converged) << name << " " << angle;
        EXPECT_GT(held.moment, before) << name << " " << angle;
        EXPECT_GT(held.stiffness, 0) << name << " " << angle;
        before = held.moment;
      }
    }
  }
}

// Two nodes: M l/EI is 7 % high at 60 degrees and 41 % at 90, p being cos²(θ/2).
TEST(DirectorBeamMeasure, TwoNodesAreStiffFromNinetyDegrees) {
  using Kernel = DirectorBeam2Kernel;
  const Nodes reference = Nodes::even({0, 0, 1}, 0);
  const auto coordinates = [](const Nodes& at) {
    const std::vector<double> all = at.coordinates();
    std::vector<double> x(all.begin(), all.begin() + 12);
    x.insert(x.end(), all.begin() + 24, all.end());
    return x;
  };
  const auto data = Kernel::prepare<double>({1e6, 1e6, 1e6, 1, 1, 1, 1, 1, 1}, {}, coordinates(reference).data());
  for (const auto& [angle, high] : {array{60.0, 0.07}, array{90.0, 0.41}}) {
    const double h = 1e-4;
    const auto energy = [&](double theta) {
      return Kernel::energy<double>(data, {}, Context<double>{}, coordinates(Nodes::even({0, 0, 1}, theta)).data());
    };
    const double moment = (energy(angle * degree + h) - energy(angle * degree - h)) / (2 * h);
    EXPECT_NEAR(moment / (angle * degree), 1 + high, 5e-3) << angle;
  }
}

// A stress-free arc of 90 degrees bent by 90 more, and straightened by 90: exact 1, a prototype 0.967 bent further, which had the length of
// the arc where this has that of the parabola; before, 0.24.
TEST(DirectorBeamMeasure, BentReferenceBendsFurther) {
  const Vector3d axis{1, 0, 0};
  const Element element(rod, Nodes::even(axis, 90 * degree));
  const Held further = hold(element, axis, 180 * degree), straightened = hold(element, axis, 0);
  fmt::print("reference bent by 90 deg: M l/(EI theta) {:.4f} bent further, {:.4f} straightened\n",
             further.moment / (90 * degree), straightened.moment / (-90 * degree));
  EXPECT_NEAR(further.moment / (90 * degree), 0.967, 3e-3);
  EXPECT_NEAR(straightened.moment / (-90 * degree), 1, 0.02);
  EXPECT_GT(further.stiffness, 0);
}

// Axes of a round section have no say: energies of the same nodes, 1e-14 being rounding.
TEST(DirectorBeamMeasure, AxesOfARoundSectionDoNotMatter) {
  const Nodes bent = [] {
    Nodes out = Nodes::even(Vector3d(0.6, 0.3, 0.74).normalized(), 1.7);
    out.frame[1] = turn({0.2, -0.1, 0.3}) * out.frame[1];
    out.r[1] += Vector3d(0.02, 0.01, -0.03);
    return out;
  }();
  const auto about_axis = [](Nodes nodes, double angle) {
    for (Matrix3d& frame : nodes.frame) frame = frame * turn({0, 0, 1}, angle);
    return nodes;
  };
  const double energy = Element(rod, straight_nodes).energy(bent);
  for (const double angle : {0.3, 1.0, 2.5})
    EXPECT_NEAR(Element(rod, about_axis(straight_nodes, angle)).energy(about_axis(bent, angle)), energy,
                1e-14 * energy);
}

// An iterate whose directors have shrunk to nothing is refused: no finite force, so that the solver shortens its step.
TEST(DirectorBeamMeasure, RefusesCollapsedDirectors) {
  const Element element(rod, straight_nodes);
  Nodes at = straight_nodes;
  for (Matrix3d& frame : at.frame) frame *= 0.5;  // p = −1/8
  EXPECT_FALSE(std::isfinite(element.energy(at)));
  for (int i : {3, 7, 11, 15, 19, 23}) EXPECT_FALSE(std::isfinite(element.force(at)[i])) << i;
  for (const auto& [name, axis] : turns)  // any three rotations can be evaluated: p ≥ 0.00798
    for (int angle = 0; angle <= 700; angle += 20)
      EXPECT_TRUE(std::isfinite(element.energy(Nodes::even(axis, angle * degree)))) << name << " " << angle;
}

// ── Rods of several elements ─────────────────────────────────────────────────────────────────────────────────────────

Vector3d place(const Simulation<>& s, int slot) { return {s.q(slot, 0), s.q(slot, 1), s.q(slot, 2)}; }
Frame along_x(double x) { return frame({x, 0, 0}, {1, 0, 0}, {0, 0, 1}); }

/// Tip of a clamped beam of elements of three nodes after `load` has been added.
Vector3d tip_of(int elements, const BeamSection& s, double length, const std::function<Frame(double)>& at, auto&& load,
                double first_step = 0.25) {
  ModelBuilder b(3);
  const Beam beam = add_beam(b, elements, 3, s, length, at);
  load(b, beam);
  Simulation sim(b.build());
  StaticOptions options;
  options.first_step = first_step;
  EXPECT_TRUE(StaticSolver(sim.system, options).solve(sim.state).converged) << elements << " elements";
  return place(sim, beam.tip());
}
auto moment_at_tip(const Triple& m) {
  return [m](ModelBuilder& b, const Beam& beam) {
    const array<int, 4>& node = beam.nodes.back();
    b.item("frame_moment_3d", array{node[1], node[2], node[3], b.constant_signal()}, m, {}, "moment");
  };
}
auto force_at_tip(const Triple& f) {
  return [f](ModelBuilder& b, const Beam& beam) { add_force(b, beam.tip(), f); };
}

/// Errors against a table, whose digits are met within a tenth (its two digits are rounded to a twentieth).
void expect_table(const char* name, std::span<const int> elements, std::span<const double> table,
                  const std::function<double(int)>& error) {
  fmt::print("{:28}", name);
  for (size_t k = 0; k < elements.size(); ++k) {
    const double e = error(elements[k]);
    fmt::print(" {}: {:.2e}", elements[k], e);
    EXPECT_LE(e, 1.1 * table[k]) << name << ", " << elements[k] << " elements";
    EXPECT_GE(e, 0.8 * table[k]) << name << ", " << elements[k] << " elements";
  }
  fmt::print("\n");
}

// M = 2π EI/L: a full circle, which ends where it began.
TEST(DirectorBeamMeasure, RollsUpToTheFullCircleOnTwoElements) {
  BeamSection s = rod;
  constexpr int elements[] = {2, 3, 4, 8};
  constexpr double table[] = {3.4e-2, 8.1e-3, 2.0e-3, 4.2e-5};
  expect_table("roll-up to the full circle", elements, table,
               [&](int n) { return tip_of(n, s, 1, along_x, moment_at_tip({0, 0, 2 * pi}), 0.1).norm(); });
}

// A chamber in the wall, M = p A a = 2π EI/L: the beam has K = M/EI everywhere, half a turn an element of two. Before, two elements had no
// equilibrium, as their curvature had its maximum at 2.75/l. Errors as those of an end moment; measured 6.9e-3, 2.7e-4, 5.3e-6.
TEST(DirectorBeamMeasure, ChambersRollARodUpToTheFullCircle) {
  double before = 1;
  for (const auto& [elements, limit] : {std::pair{2, 1e-2}, {4, 4e-4}, {8, 8e-6}}) {
    const double gap = tip_of(elements, rod, 1, along_x, [](ModelBuilder& b, const Beam& beam) {
                         const int pressure = b.constant_signal();
                         for (size_t node = 0; node + 2 < beam.nodes.size(); node += 2) {
                           array<int, 10> slots{pressure};
                           for (size_t a = 0; a < 3; ++a)
                             std::copy_n(beam.nodes[node + a].begin() + 1, 3, slots.begin() + 1 + 3 * a);
                           b.item<PneumaticMomentBeam3d>(slots, {.radius = 1, .arm = 2, .angle = 0}, "chamber");
                         }
                       }).norm();
    fmt::print("chamber, full circle: {} elements {:.2e}\n", elements, gap);
    EXPECT_LE(gap, limit) << elements;
    EXPECT_LT(gap, before) << elements;
    before = gap;
  }
}

/// Distance of tips from that of 48 elements, over the length.
void expect_tips(const char* name, std::span<const int> elements, std::span<const double> table, double length,
                 const std::function<Vector3d(int)>& tip) {
  const Vector3d exact = tip(48);
  std::vector<double> errors;
  expect_table(name, elements, table, [&](int n) {
    errors.push_back((tip(n) - exact).norm() / length);
    return errors.back();
  });
  const size_t last = errors.size() - 1;
  EXPECT_GT(std::log2(errors[last - 1] / errors[last]), 3.8) << name << ": the order";
}

// [bathe1979], F = 600; before 3.1e-2, 1.2e-3, 6.9e-5, 4.2e-6.
TEST(DirectorBeamMeasure, BendOf45DegreesMeetsTheTable) {
  constexpr double R = 100, E = 1e7, G = E / 2, L = R * pi / 4;
  constexpr BeamSection s{.GA1 = G * 5 / 6, .GA2 = G * 5 / 6, .EA = E, .EI1 = E / 12, .EI2 = E / 12, .GJ = G * .1406};
  constexpr int elements[] = {2, 4, 8, 16};
  constexpr double table[] = {1.8e-3, 1.9e-4, 1.4e-5, 9.1e-7};
  const auto bend = [](double x) {
    const double a = x * pi / 4;
    return frame({R * std::sin(a), R * (1 - std::cos(a)), 0}, {std::cos(a), std::sin(a), 0}, {0, 0, 1});
  };
  expect_tips("bend of 45 degrees, 600, over R", elements, table, R,
              [&](int n) { return tip_of(n, s, L, bend, force_at_tip({0, 0, 600})); });
}

// Four times the largest load of [dowell1975], at 45 degrees to the axes of the section; before 1.4e-2, 6.8e-4, 4.1e-5, 2.5e-6.
TEST(DirectorBeamMeasure, PrincetonBeamMeetsTheTable) {
  constexpr double L = .508, h = 12.377e-3, w = 3.2024e-3, E = 71.7e9, G = E / (2 * 1.31), A = h * w;
  const BeamSection s{.GA1 = G * A * 5 / 6,
                      .GA2 = G * A * 5 / 6,
                      .EA = E * A,
                      .EI1 = E * w * h * h * h / 12,
                      .EI2 = E * h * w * w * w / 12,
                      .GJ = G * .28 * h * w * w * w};
  constexpr int elements[] = {2, 4, 8, 16};
  constexpr double table[] = {3.2e-3, 2.6e-4, 1.7e-5, 1.1e-6};
  const double F = 4 * 8.896 * std::sqrt(0.5);
  expect_tips("Princeton, four times the load", elements, table, L, [&](int n) {
    return tip_of(n, s, L, [&](double x) { return along_x(x * L); }, force_at_tip({0, F, F}));
  });
}

// A force across the end section that turns with it, P L²/EI = 10.
TEST(DirectorBeamMeasure, FollowerForceMeetsTheTable) {
  constexpr int elements[] = {2, 4, 8, 16};
  constexpr double table[] = {4.1e-2, 3.9e-3, 2.8e-4, 1.8e-5};
  expect_tips("follower force, P L^2/EI 10", elements, table, 1, [&](int n) {
    return tip_of(n, rod, 1, along_x, [](ModelBuilder& b, const Beam& beam) {
      const array<int, 4>& node = beam.nodes.back();
      b.item<FollowerForceFrame3d>({node[0], node[1], node[2], node[3], b.constant_signal()}, {.force = {10, 0, 0}},
                                   "follower force");
    });
  });
}

// Bending and twisting together with unequal EI and GJ: up to 180 degrees an element of three.
TEST(DirectorBeamMeasure, EndMomentOutOfPlaneMeetsTheTable) {
  BeamSection s = rod;
  s.EI2 = 2, s.GJ = 0.7;
  constexpr int elements[] = {3, 4, 8, 16};
  constexpr double table[] = {1.2e-2, 3.8e-3, 2.7e-4, 1.8e-5};
  expect_tips("end moment out of plane", elements, table, 1,
              [&](int n) { return tip_of(n, s, 1, along_x, moment_at_tip({3, 0, 4}), 0.05); });
}

// Length 1e4 times the height: the closed form of a cantilever [timoshenko], bending and shear, to rounding of the stiffest over the softest
// on one element; a quarter circle in its plane, (3π/4 − 2) P R³/EI, and across it, (π/4)/EI + (3π/4 − 2)/GJ, within 2 %.
TEST(DirectorBeamMeasure, SlenderBeamsDoNotLock) {
  constexpr double h = 1e-4, E = 1 / (h * h * h * h / 12), G = E / 2.6, A = h * h, P = 1e-6;
  const BeamSection s{.GA1 = G * A, .GA2 = G * A, .EA = E * A, .EI1 = 1, .EI2 = 1, .GJ = 0.8};
  const double exact = P / 3 + P / (G * A);
  EXPECT_NEAR(tip_of(1, s, 1, along_x, force_at_tip({0, P, 0}))[1] / exact, 1, 1e-7);
  constexpr double R = 2 / pi;
  const auto quarter = [](double x) {
    const double a = x * pi / 2;
    return frame({R * std::sin(a), R * (1 - std::cos(a)), 0}, {std::cos(a), std::sin(a), 0}, {0, 0, 1});
  };
  const double in_plane = (3 * pi / 4 - 2) * P * R * R * R, across = P * R * R * R * (pi / 4 + (3 * pi / 4 - 2) / s.GJ);
  for (const auto& [elements, in, out] : {std::tuple{1, 1.002, 0.981}, {2, 0.998, 0.999}}) {
    const double y = tip_of(elements, s, 1, quarter, force_at_tip({0, P, 0}))[1] - R;
    const double z = tip_of(elements, s, 1, quarter, force_at_tip({0, 0, P}))[2];
    fmt::print("quarter circle, {} elements: {:.4f} in its plane, {:.4f} across\n", elements, y / in_plane, z / across);
    EXPECT_NEAR(y / in_plane, in, 2e-3) << elements;
    EXPECT_NEAR(z / across, out, 2e-3) << elements;
  }
}

// A cantilever under 0.9 of its buckling load π² EI/(4 L²) and a small force across it: w = Q (tan kL − kL)/(P k), k² = P/EI. Of fourth
// order in the length of an element; what is left is the square of the deflection, 3e-3.
TEST(DirectorBeamMeasure, ColumnsBuckleAtEulersLoad) {
  const double P = 0.9 * pi * pi / 4, k = std::sqrt(P), Q = 1e-3, exact = Q * (std::tan(k) - k) / (P * k);
  EXPECT_NEAR(tip_of(16, rod, 1, along_x, force_at_tip({-P, Q, 0}))[1], exact, 1e-4 * exact);
}

}  // namespace
}  // namespace flexura::test
