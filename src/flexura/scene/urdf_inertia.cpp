#include "flexura/scene/urdf_inertia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

/// Rotates in the plane of i and j so that the entry between them vanishes (Jacobi); V collects the rotations.
void rotate(Matrix& A, Matrix& V, int i, int j) {
  if (A[i][j] == 0) return;
  const double theta = 0.5 * (A[j][j] - A[i][i]) / A[i][j];
  const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::hypot(theta, 1.0)), c = 1 / std::hypot(t, 1.0),
               s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double a = A[k][i], b = A[k][j];
    A[k][i] = c * a - s * b, A[k][j] = s * a + c * b;
  }
  for (int k = 0; k < 3; ++k) {
    const double a = A[i][k], b = A[j][k];
    A[i][k] = c * a - s * b, A[j][k] = s * a + c * b;
    const double v = V[k][i], w = V[k][j];
    V[k][i] = c * v - s * w, V[k][j] = s * v + c * w;
  }
}

double largest(const std::array<double, 6>& inertia) {
  return std::fabs(*std::max_element(inertia.begin(), inertia.end(),
                                     [](double a, double b) { return std::fabs(a) < std::fabs(b); }));
}

}  // namespace

std::array<double, 6> nearest_inertia(const std::array<double, 6>& inertia, double least) {
  const auto& [xx, yy, zz, xy, yz, xz] = inertia;
  const double half = 0.5 * (xx + yy + zz);
  Matrix A{{{half - xx, -xy, -xz}, {-xy, half - yy, -yz}, {-xz, -yz, half - zz}}}, V{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 30; ++sweep)
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) rotate(A, V, i, j);
  Matrix S{};
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) S[i][j] += std::max(least, A[k][k]) * V[i][k] * V[j][k];
  const double trace = S[0][0] + S[1][1] + S[2][2];
  return {trace - S[0][0], trace - S[1][1], trace - S[2][2], -S[0][1], -S[1][2], -S[0][2]};
}

std::vector<std::string> mend_inertia(UrdfRobot& robot, double extent,
                                      const std::function<bool(std::size_t)>& moves_without) {
  double total = 0;
  for (const UrdfLink& link : robot.links) total += link.mass;
  const double gyration = 1e-3 * (extent > 0 ? extent : 1), least = 1e-6 * (total > 0 ? total : 1);
  std::vector<std::string> said;
  for (UrdfLink& link : robot.links) {
    if (!link.mend) continue;
    link.mend = false;
    if (link.mass == 0) {
      link.mass = least;
      said.push_back(fmt::format("{} has {:.3g} kg", link.name, link.mass));
    }
    const std::array<double, 6> given = link.inertia;
    const double sphere = link.mass * gyration * gyration;
    if (largest(given) <= 1e-9 * sphere)
      link.inertia = {};  // what rounding has left of zeros
    else
      link.inertia = nearest_inertia(given, 0.5 * sphere);
    double change = 0;
    for (std::size_t i = 0; i < 6; ++i) change = std::max(change, std::fabs(link.inertia[i] - given[i]));
    if (change > 1e-9 * (largest(given) + sphere))
      said.push_back(fmt::format("moments of {} by {:.3g} of {:.3g} kg m^2", link.name, change, largest(given)));
  }
  std::vector<std::size_t> moving;
  for (std::size_t k = 0; k < robot.links.size(); ++k)
    if (moves_without(k)) moving.push_back(k);
  for (const std::size_t k : moving) {
    UrdfLink& link = robot.links[k];
    std::string text;
    if (link.mass == 0) {
      link.mass = least;
      link.has_inertial = true;
      link.mass_source = link.inertia_source = link.source;
      text = fmt::format("{:.3g} kg and ", link.mass);
    }
    for (int i = 0; i < 3; ++i) link.inertia[i] = link.mass * gyration * gyration;
    said.push_back(fmt::format("{} has {}moments of {:.3g} kg m^2", link.name, text, link.inertia[0]));
  }
  return said;
}

}  // namespace flexura
