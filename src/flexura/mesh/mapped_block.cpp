#include <algorithm>
#include <cmath>

#include "flexura/mesh/patch_joiner.hpp"

namespace flexura {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

/// Shares of u, v, w as places of a block, or, v closed, of a ring about X, on which both ends of v are one.
struct ShareSpace {
  bool closed_v;

  Vec3 place(const Vec3& share) const {
    if (!closed_v) return share;
    const double angle = whole_turn * share[1], radius = 1 + share[2];
    return {share[0], radius * std::cos(angle), radius * std::sin(angle)};
  }
  Vec3 share(const Vec3& place) const {
    if (!closed_v) return place;
    const double turn = std::atan2(place[2], place[1]) / whole_turn;
    // at v_first rounding may be to either side
    return {place[0], turn < -1e-12 ? turn + 1 : std::fmax(turn, 0), std::hypot(place[1], place[2]) - 1};
  }
};

/// Where the map gives no number, or the ends of a closed v apart.
void check_map(ParameterCheck& check, const MappedBlock& b, const std::array<std::vector<double>, 3>& lines) {
  bool is_finite = true;
  double size = 0, apart = 0;
  const Vec3 first = b.map(b.from[0], b.from[1], b.from[2]);
  for (const double u : lines[0])
    for (const double w : lines[2]) {
      for (const double v : lines[1]) {
        const Vec3 r = b.map(u, v, w);
        for (int i = 0; i < 3; ++i) is_finite = is_finite && std::isfinite(r[i]);
        size = std::fmax(size, norm(r - first));
      }
      apart = std::fmax(apart, norm(b.map(u, b.to[1], w) - b.map(u, b.from[1], w)));
    }
  check.require(is_finite, "", "the formulas give no finite place somewhere");
  check.require(!is_finite || !b.closed_v || apart <= 1e-9 * size, "closed_v", "the ends of v do not meet");
}

/// Those elements in whose middle `layer` is above 0; cells lie one behind the other along w, v, u.
void add_layer(SolidMesh& mesh, const MappedBlock& b, const std::array<std::vector<double>, 3>& lines) {
  const auto [nu, nv, nw] = b.elements;
  const size_t per_cell = mesh.elements.size() / (static_cast<size_t>(nu) * nv * nw);
  SolidSet set{"layer", {}, {}, {}};
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const size_t cell = e / per_cell, i = cell / nw / nv, j = cell / nw % nv, k = cell % nw;
    if (!(b.layer(lines[0][2 * i + 1], lines[1][2 * j + 1], lines[2][2 * k + 1]) > 0)) continue;
    set.elements.push_back(static_cast<int>(e));
    const std::span<const int> nodes = mesh.elements[e].all();
    set.nodes.insert(set.nodes.end(), nodes.begin(), nodes.end());
  }
  std::sort(set.nodes.begin(), set.nodes.end());
  set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
  if (!set.elements.empty()) mesh.sets.push_back(std::move(set));
}

}  // namespace

SolidMesh make_mesh(const MappedBlock& b) {
  ParameterCheck check;
  check.require(b.map != nullptr, "map", "must be given");
  constexpr const char* ranges[] = {"u", "v", "w"};
  double cells = 1;
  for (int i = 0; i < 3; ++i) {
    check.require(std::isfinite(b.from[i]) && b.to[i] > b.from[i], ranges[i], "must be a range that ascends");
    check.count(b.elements[i], "elements");
    detail::check_grading(check, b.grading[i]);
    cells *= b.elements[i];
  }
  check.require(!b.closed_v || b.elements[1] >= 3, "elements", "along a closed v must be three or more");
  detail::check_count(check, cells, b.kind);
  check.done();
  std::array<std::vector<double>, 3> shares, lines;
  for (int i = 0; i < 3; ++i) {
    shares[i] = detail::with_middles(grid_lines(0, 1, b.elements[i], b.grading[i]));
    for (const double share : shares[i]) lines[i].push_back(b.from[i] + share * (b.to[i] - b.from[i]));
  }
  check_map(check, b, lines);
  check.done();

  const ShareSpace space{b.closed_v};
  detail::PatchJoiner joiner(b.kind, b.closed_v ? 4 : 1);
  joiner.add(
      {b.elements, [&](int i, int j, int k) { return space.place({shares[0][i], shares[1][j], shares[2][k]}); }});
  SolidMesh mesh = joiner.finish();
  const std::vector<SolidFace> outer = outer_faces(mesh);
  constexpr const char* names[3][2] = {{"left", "right"}, {"front", "back"}, {"bottom", "top"}};
  for (int i = 0; i < 3; ++i)
    for (int end = 0; end < 2 && !(i == 1 && b.closed_v); ++end)
      add_face_set(mesh, names[i][end], outer,
                   [&](const Vec3& place) { return std::fabs(space.share(place)[i] - end) <= 1e-9; });
  if (b.layer) add_layer(mesh, b, lines);
  const auto at_shares = [map = b.map, from = b.from, to = b.to](double u, double v, double w) {
    return map(from[0] + u * (to[0] - from[0]), from[1] + v * (to[1] - from[1]), from[2] + w * (to[2] - from[2]));
  };
  for (Vec3& node : mesh.nodes) {
    const Vec3 share = space.share(node);
    node = at_shares(share[0], share[1], share[2]);
  }
  mesh.at_shares = at_shares;
  return mesh;
}

}  // namespace flexura
