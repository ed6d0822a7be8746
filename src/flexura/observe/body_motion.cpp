#include "flexura/observe/body_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flexura/math/triple.hpp"

namespace flexura {
namespace {

using Axes = std::array<std::array<double, 3>, 3>;

/// Of the rotation whose columns are the axes, from its largest component [shepperd1978].
std::array<double, 4> quaternion(const Axes& e) {
  const double t = e[0][0] + e[1][1] + e[2][2];
  std::array<double, 4> q{};
  int i = 0;
  for (int k = 1; k < 3; ++k)
    if (e[k][k] > e[i][i]) i = k;
  if (t >= e[i][i]) {
    q = {e[1][2] - e[2][1], e[2][0] - e[0][2], e[0][1] - e[1][0], 1 + t};
  } else {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + e[i][i] - e[j][j] - e[k][k];
    q[j] = e[j][i] + e[i][j];
    q[k] = e[k][i] + e[i][k];
    q[3] = e[j][k] - e[k][j];
  }
  return q;
}

/// Shortest rotation that takes X to e.
std::array<double, 4> shortest(const std::array<double, 3>& e) {
  if (e[0] < -1 + 1e-12) return {0, 0, 1, 0};
  return {0, -e[2], e[1], 1 + e[0]};
}

}  // namespace

BodyFrame body_frame(const BodyPart& body, const Topology& topology, const std::vector<double>& from) {
  BodyFrame frame;
  const size_t n = body.slots.size();
  for (int row = 0; row <= body.axes; ++row) {
    std::array<double, 3>& out = row == 0 ? frame.origin : frame.axes[row - 1];
    for (size_t a = 0; a < n; ++a) {
      const double weight = body.weights[row * n + a];
      const double* x = &from[topology.slots[body.slots[a]].offset];
      for (int i = 0; i < topology.dim; ++i) out[i] += weight * x[i];
    }
  }
  return frame;
}

std::array<double, 3> turning(int axes, const BodyFrame& frame, const BodyFrame& rates) {
  std::array<double, 3> sum{};
  for (int k = 0; k < axes; ++k) {
    const std::array<double, 3> part = cross(frame.axes[k], rates.axes[k]);
    for (int i = 0; i < 3; ++i) sum[i] += (axes == 1 ? 1.0 : 0.5) * part[i];
  }
  return sum;
}

double unwrapped(double angle, double last) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((last - angle) / turn);
}

ChannelColumn vector_column(int dim, std::string name, std::string unit, std::string doc) {
  ChannelColumn column{std::move(name), {static_cast<std::uint64_t>(dim)}, std::move(unit), std::move(doc), "world",
                       {"x", "y", "z"}};
  column.components.resize(dim);
  return column;
}

std::vector<ChannelColumn> frame_columns(int dim, const std::string& doc) {
  if (dim == 2) return {vector_column(dim, "position", "m", doc), {"angle", {}, "rad", doc, "world"}};
  return {vector_column(dim, "position", "m", doc), {"quat_xyzw", {4}, "1", doc, "world", {"x", "y", "z", "w"}}};
}

void read_frame(const BodyPart& body, const Topology& topology, const std::vector<double>& q, std::span<double> out,
                std::span<const double> last) {
  read_frame(body.axes, body_frame(body, topology, q), out, last);
}

void read_frame(int axes, const BodyFrame& frame, std::span<double> out, std::span<const double> last) {
  const bool planar = out.size() == 3;
  std::copy_n(frame.origin.begin(), planar ? 2 : 3, out.begin());
  if (planar) {
    out[2] = unwrapped(std::atan2(frame.axes[0][1], frame.axes[0][0]), last[2]);
    return;
  }
  const std::array<double, 4> turn = axes == 3 ? quaternion(frame.axes) : shortest(frame.axes[0]);
  double size = 0, along = 0;
  for (int i = 0; i < 4; ++i) size += turn[i] * turn[i], along += turn[i] * last[3 + i];
  size = std::sqrt(size);
  if (along < 0 || (along == 0 && turn[3] < 0)) size = -size;
  for (int i = 0; i < 4; ++i) out[3 + i] = turn[i] / size;
}

}  // namespace flexura
