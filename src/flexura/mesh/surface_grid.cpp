#include "flexura/mesh/surface_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flexura {
namespace {

using std::numbers::pi;

/// ξ' = ξ + w sin 2πξ sin 2πη and η' likewise: smooth, periodic, the edges stay; unfolded for w < 1/(2π).
struct Warp {
  double u0, v0, length_u, length_v, amount;

  SurfacePoint at(const SurfaceMap& map, double u, double v) const {
    const double xi = (u - u0) / length_u, eta = (v - v0) / length_v;
    const double su = std::sin(2 * pi * xi), cu = std::cos(2 * pi * xi), sv = std::sin(2 * pi * eta),
                 cv = std::cos(2 * pi * eta);
    const double shift = amount * su * sv, by_xi = 2 * pi * amount * cu * sv, by_eta = 2 * pi * amount * su * cv;
    const SurfacePoint p = map(u + length_u * shift, v + length_v * shift);
    const double ratio = length_v / length_u;
    return {p.position, (1 + by_xi) * p.along_u + (by_xi * ratio) * p.along_v,
            (by_eta / ratio) * p.along_u + (1 + by_eta) * p.along_v};
  }
};

bool is_finite(const Vec3& a) { return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]); }
bool is_finite(const SurfacePoint& p) { return is_finite(p.position) && is_finite(p.along_u) && is_finite(p.along_v); }

[[noreturn]] void refuse(std::string field, std::string message) {
  throw InputError({{{}, std::move(field), std::move(message), {}}});
}

void check_lines(const std::vector<double>& lines, const char* name) {
  if (lines.size() < 2) refuse(name, "needs two or more lines");
  for (size_t k = 0; k < lines.size(); ++k)
    if (!std::isfinite(lines[k]) || (k > 0 && lines[k] <= lines[k - 1]))
      refuse(name, fmt::format("must ascend; line {} is at {}", k + 1, lines[k]));
}

/// Opposite edges of a closed direction are the same; relative to the size of the surface.
void check_closed(const SurfaceGrid& grid, double size) {
  const auto compare = [&](const SurfacePoint& a, const SurfacePoint& b, const char* name, double length_u,
                           double length_v) {
    const double gap = norm(a.position - b.position);
    const double slope = std::max(norm(a.along_u - b.along_u) * length_u, norm(a.along_v - b.along_v) * length_v);
    if (gap > 1e-9 * size)
      refuse(name, fmt::format("the surface is said to be closed, but its edges are {:.3g} m apart", gap));
    if (slope > 1e-6 * size) refuse(name, "the surface is said to be closed, but has a crease where it closes");
  };
  const double length_u = grid.u.back() - grid.u.front(), length_v = grid.v.back() - grid.v.front();
  if (grid.closed_u)
    for (const double v : grid.v)
      compare(grid.map(grid.u.front(), v), grid.map(grid.u.back(), v), "closed_u", length_u, length_v);
  if (grid.closed_v)
    for (const double u : grid.u)
      compare(grid.map(u, grid.v.front()), grid.map(u, grid.v.back()), "closed_v", length_u, length_v);
}

std::vector<double> lines_at(double from, double to, int count, const std::vector<double>& shares) {
  if (static_cast<size_t>(count) + 1 != shares.size())
    refuse("lines", fmt::format("{} lines make {} elements, not {}", shares.size(), shares.size() - 1, count));
  if (shares.front() != 0 || shares.back() != 1)
    refuse("lines", fmt::format("must lead from 0 to 1, not from {} to {}", shares.front(), shares.back()));
  check_lines(shares, "lines");
  std::vector<double> lines;
  for (const double share : shares) lines.push_back(share == 1 ? to : from + share * (to - from));
  return lines;
}

void name_edges(SurfaceMesh& mesh, int elements_u, int elements_v) {
  const auto node = [&](int i, int j) { return i * mesh.nodes_v + j; };
  if (!mesh.closed_u)
    for (const bool end : {false, true}) {
      MeshSet set{end ? "end" : "start", mesh.slice(end ? -1 : 0), {}, {}};
      for (int j = 0; j < elements_v; ++j)
        set.sides.push_back({(end ? elements_u - 1 : 0) * elements_v + j, end ? 1 : 3});
      mesh.sets.push_back(std::move(set));
    }
  if (mesh.closed_v) return;
  for (const bool top : {false, true}) {
    MeshSet set{top ? "top" : "bottom", {}, {}, {}};
    for (int i = 0; i < mesh.nodes_u; ++i) set.nodes.push_back(node(i, top ? mesh.nodes_v - 1 : 0));
    for (int i = 0; i < elements_u; ++i)
      set.sides.push_back({i * elements_v + (top ? elements_v - 1 : 0), top ? 2 : 0});
    mesh.sets.push_back(std::move(set));
  }
  if (mesh.closed_u) return;
  for (const bool end : {false, true})
    for (const bool top : {false, true})
      mesh.sets.push_back({fmt::format("corner_{}_{}", end ? "end" : "start", top ? "top" : "bottom"),
                           {node(end ? mesh.nodes_u - 1 : 0, top ? mesh.nodes_v - 1 : 0)},
                           {},
                           {}});
}

}  // namespace

std::vector<double> grid_lines(double from, double to, int count, const Grading& grading) {
  if (!grading.lines.empty()) return lines_at(from, to, count, grading.lines);
  std::vector<double> lines(count + 1);
  const auto graded = [](int k, int n, double ratio) {  // share of the length up to line k of n
    if (n < 2 || ratio == 1) return static_cast<double>(k) / n;
    const double factor = std::log(ratio) / (n - 1);
    return std::expm1(factor * k) / std::expm1(factor * n);
  };
  for (int k = 0; k <= count; ++k) {
    double share = 0;
    if (!grading.ends) {
      share = graded(k, count, grading.ratio);
    } else if (const int half = (count + 1) / 2; count % 2 == 0) {
      share = k <= half ? graded(k, half, grading.ratio) / 2 : 1 - graded(count - k, half, grading.ratio) / 2;
    } else {  // the middle element belongs to both halves
      const double factor = half > 1 ? std::log(grading.ratio) / (half - 1) : 0;
      const auto sum = [&](int n) { return factor == 0 ? n : std::expm1(factor * n) / std::expm1(factor); };
      const double total = 2 * sum(half) - std::exp(factor * (half - 1));
      share = k < half ? sum(k) / total : 1 - sum(count - k) / total;
    }
    lines[k] = k == count ? to : from + share * (to - from);
  }
  return lines;
}

int divisions_of_size(double length, double size, int least) {
  ParameterCheck check;
  check.positive(size, "size");
  check.require(std::isfinite(length) && length >= 0, "length", "must be a length in m");
  check.done();
  const double wanted = std::ceil(length / size * (1 - 1e-12));
  if (wanted > most_divisions)
    refuse("size",
           fmt::format("would take {:.0f} elements on a length of {} m; at most {}", wanted, length, most_divisions));
  return std::max(least, static_cast<int>(wanted));
}

int divisions_per_metre(double length, double per_metre, int least) {
  ParameterCheck check;
  check.positive(per_metre, "per_metre", "1/m");
  check.done();
  return divisions_of_size(length, 1 / per_metre, least);
}

SurfaceMesh structured_mesh(const SurfaceGrid& grid) {
  check_lines(grid.u, "u");
  check_lines(grid.v, "v");
  const int elements_u = static_cast<int>(grid.u.size()) - 1, elements_v = static_cast<int>(grid.v.size()) - 1;
  ParameterCheck check;
  check.count(elements_u, "u", grid.closed_u ? 3 : 1);
  check.count(elements_v, "v", grid.closed_v ? 3 : 1);
  check.require(std::abs(grid.warp) < 1 / (2 * pi), "warp", "must be below 1/(2 pi) = 0.159, else elements fold");
  check.done();

  SurfaceMesh mesh;
  mesh.closed_u = grid.closed_u;
  mesh.closed_v = grid.closed_v;
  mesh.nodes_u = elements_u + (grid.closed_u ? 0 : 1);
  mesh.nodes_v = elements_v + (grid.closed_v ? 0 : 1);
  if (static_cast<double>(mesh.nodes_u) * mesh.nodes_v > most_surface_nodes)
    refuse("", fmt::format("{} x {} nodes are too many; at most {}", mesh.nodes_u, mesh.nodes_v, most_surface_nodes));

  const Warp warp{grid.u.front(), grid.v.front(), grid.u.back() - grid.u.front(), grid.v.back() - grid.v.front(),
                  grid.warp};
  double mean_u = 0, mean_v = 0;
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < mesh.nodes_u; ++i)
    for (int j = 0; j < mesh.nodes_v; ++j) {
      const double u = grid.u[i], v = grid.v[j];
      const SurfacePoint p = grid.warp == 0 ? grid.map(u, v) : warp.at(grid.map, u, v);
      if (!is_finite(p)) refuse("", fmt::format("the surface or its slope is not finite at u = {}, v = {}", u, v));
      const double thickness = grid.thickness ? grid.thickness(u, v) : 1;
      if (!(thickness > 0) || !std::isfinite(thickness))
        refuse("thickness", fmt::format("the factor must be above 0; it is {} at u = {}, v = {}", thickness, u, v));
      mesh.nodes.push_back({p.position, p.along_u, p.along_v, thickness});
      mean_u += norm(p.along_u);
      mean_v += norm(p.along_v);
      for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p.position[k]), high[k] = std::max(high[k], p.position[k]);
    }
  check_closed(grid, norm(high - low));
  const auto count = static_cast<double>(mesh.nodes.size());
  const double scale_u = grid.scale_u > 0 ? grid.scale_u : mean_u / count;
  const double scale_v = grid.scale_v > 0 ? grid.scale_v : mean_v / count;
  if (!(scale_u > 0) || !(scale_v > 0)) refuse("", "the surface does not change along one of its parameters");
  for (SurfaceNode& node : mesh.nodes)
    node.gradient_u = node.gradient_u / scale_u, node.gradient_v = node.gradient_v / scale_v;

  mesh.elements.reserve(static_cast<size_t>(elements_u) * elements_v);
  for (int i = 0; i < elements_u; ++i)
    for (int j = 0; j < elements_v; ++j) {
      const int i1 = (i + 1) % mesh.nodes_u, j1 = (j + 1) % mesh.nodes_v, n = mesh.nodes_v;
      mesh.elements.push_back({{i * n + j, i1 * n + j, i1 * n + j1, i * n + j1},
                               (grid.u[i + 1] - grid.u[i]) * scale_u,
                               (grid.v[j + 1] - grid.v[j]) * scale_v});
    }
  name_edges(mesh, elements_u, elements_v);
  return mesh;
}

void ParameterCheck::positive(double value, std::string_view field, std::string_view unit) {
  require(std::isfinite(value) && value > 0, field, fmt::format("must be above 0 {}, it is {}", unit, value));
}

void ParameterCheck::finite(double value, std::string_view field) {
  require(std::isfinite(value), field, fmt::format("must be a finite number, it is {}", value));
}

void ParameterCheck::count(int value, std::string_view field, int least) {
  require(value >= least && value <= most_divisions, field,
          fmt::format("must be {} to {} elements, it is {}", least, most_divisions, value));
}

void ParameterCheck::done() const {
  if (!problems_.empty()) throw InputError(problems_);
}

}  // namespace flexura
