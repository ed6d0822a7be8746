// Edges of full plates on faces of solids. The edge's face, r(s, ζ) = Σ N_c r_c + T_c g_c + ζ t L_c r_z,c + ½ ζ² t² L_c r_zz,c, is fitted to
// the motion of the solid's points that it lies on:
//
//     ∫ (r_plate − r_solid)² dA → min,    (∫ N Nᵀ dA) q = ∫ N x_solid dA
//
// so that the plate's coordinates are combinations of the solid's nodes. Constants and linear motions go over exactly, and with them
// uniform stress, whatever the meshes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/element/plate_shape.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/mesh/solid_place.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// L Lᵀ of a symmetric positive definite matrix, in its lower half; false where it is none.
bool factor(std::vector<double>& a, size_t n) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0)) return false;
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
  return true;
}
void solve(const std::vector<double>& factor, size_t n, std::vector<double>& x) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) x[i] -= factor[i * n + k] * x[k];
    x[i] /= factor[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) x[i] -= factor[k * n + i] * x[k];
    x[i] /= factor[i * n + i];
  }
}

class PlateOnSolid {
 public:
  PlateOnSolid(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other)
      : draft_(draft),
        joint_(joint),
        held_(held),
        other_(other),
        plate_(draft.machine.plates[held.at.part]),
        solid_(draft.machine.solids[other.at.part]) {}

  void finish() {
    if (plate_.model.nodes[0].r_z < 0)
      return wrong(
          "a thin plate has no thickness by which a solid could hold it: write element = \"full\", or use \"pin\", or "
          "a "
          "[body.NAME] welded to both");
    const std::vector<ElementSide> sides = held_sides(draft_, held_);
    if (sides.empty())
      return wrong(fmt::format("\"{}\" is no edge of the plate: a weld to a solid needs one", held_.place.text));
    collect();
    take_cells();
    const size_t n = functions_.size();
    mass_.assign(n * n, 0.0);
    for (const ElementSide& side : sides)
      if (!integrate(side)) return;
    if (!factor(mass_, n)) return wrong(fmt::format("the edge \"{}\" has no area", held_.place.text));
    joint_.center = point_slot(draft_, other_);
    relate();
  }

 private:
  /// Of a node of the edge: a slot, or of directions along the edge a combination of two; `size` makes it a length.
  struct Function {
    std::vector<std::pair<int, double>> of;
    Vec3 reference{};
    double size = 1;
    bool is_point = false;
  };
  struct OfNode {
    HeldNode node;
    int first = 0;  ///< r, the directions along the edge, r_z, r_zz
    int across() const { return first + 1 + static_cast<int>(node.along.size()); }
  };
  /// A point of an element's side: values of functions, and where it is.
  struct EdgePoint {
    std::vector<std::pair<int, double>> values;
    Vec3 position{}, slope{};  ///< r, ∂r/∂s
    Vec3 wall{};               ///< ∂r/∂ζ
  };

  void wrong(std::string message) { draft_.wrong(joint_.spec->origin, "of", std::move(message)); }
  Vec3 reference(int slot) const {
    const auto X = draft_.builder.reference(slot);
    return {X[0], X[1], X[2]};
  }

  void collect() {
    double size = 0;
    for (const SurfaceElement& e : plate_.mesh.elements) size = std::max({size, e.length_u, e.length_v});
    const auto add = [&](std::vector<std::pair<int, double>> of, double length, bool is_point = false) {
      Function f{std::move(of), {}, length, is_point};
      for (const auto& [slot, c] : f.of) f.reference += c * reference(slot);
      functions_.push_back(std::move(f));
    };
    for (const HeldNode& node : held_nodes(draft_, joint_, held_)) {
      const PlateNode& slots = plate_.model.nodes[node.node];
      nodes_[node.node] = {node, static_cast<int>(functions_.size())};
      add({{slots.r, 1}}, 1, true);
      for (const auto& [u, v] : node.along) {
        std::vector<std::pair<int, double>> of;
        if (u != 0) of.emplace_back(slots.g_u, u);
        if (v != 0) of.emplace_back(slots.g_v, v);
        add(std::move(of), size);
      }
      add({{slots.r_z, 1}}, plate_.thickness);
      if (slots.r_zz >= 0) add({{slots.r_zz, 1}}, plate_.thickness * plate_.thickness);
    }
  }

  /// The elements that have a face in the named set, or all where it has none.
  void take_cells() {
    cells_.nodes = solid_.mesh.nodes;
    if (other_.at.set >= 0)
      for (const SolidFace& face : solid_.mesh.sets[other_.at.set].faces) own_.push_back(face.element);
    std::sort(own_.begin(), own_.end());
    own_.erase(std::unique(own_.begin(), own_.end()), own_.end());
    if (own_.empty())
      for (size_t e = 0; e < solid_.mesh.elements.size(); ++e) own_.push_back(static_cast<int>(e));
    for (const int e : own_) cells_.elements.push_back(solid_.mesh.elements[e]);
  }

  EdgePoint point(const ElementSide& side, double s, double zeta) const {
    const SurfaceElement& element = plate_.mesh.elements[side.element];
    const bool along_x = side.side % 2 == 0;
    const double way = side.side < 2 ? 1 : -1, t = way > 0 ? s : 1 - s;  // the parameter that changes along the side
    const PlateShape::Values shape =
        along_x ? PlateShape::at(t, side.side == 0 ? 0 : 1) : PlateShape::at(side.side == 1 ? 1 : 0, t);
    const auto& rate = along_x ? shape.dx : shape.dy;
    EdgePoint out;
    const auto add = [&](int function, double factor, double value, double slope, double across) {
      const Function& f = functions_[function];
      out.values.emplace_back(function, factor * value / f.size);
      out.position += factor * value * f.reference;
      out.slope += factor * way * slope * f.reference;
      out.wall += factor * across * f.reference;
    };
    const double wall = plate_.thickness;
    for (const int corner : {side.side, (side.side + 1) % 4}) {
      const OfNode& at = nodes_.at(element.nodes[corner]);
      add(at.first, 1, shape.f[corner][0], rate[corner][0], 0);
      const CornerMap map = plate_.mesh.corner_map(side.element, corner);
      const std::array<double, 2> c = along_x ? std::array{map.uu, map.uv} : std::array{map.vu, map.vv};
      const auto [k, share] = direction(at.node, c);
      const int f = along_x ? 1 : 2;
      const double length = along_x ? element.length_u : element.length_v;
      add(at.first + 1 + k, share * length, shape.f[corner][f], rate[corner][f], 0);
      const double L = shape.f[corner][3], dL = rate[corner][3];
      add(at.across(), wall, zeta * L, zeta * dL, L);
      if (plate_.model.nodes[at.node.node].r_zz >= 0)
        add(at.across() + 1, wall * wall, 0.5 * zeta * zeta * L, 0.5 * zeta * zeta * dL, zeta * L);
    }
    return out;
  }
  /// Which of a node's directions c is, and how often.
  static std::pair<int, double> direction(const HeldNode& node, const std::array<double, 2>& c) {
    int best = 0;
    double least = HUGE_VAL, share = 0;
    for (size_t k = 0; k < node.along.size(); ++k) {
      const std::array<double, 2>& d = node.along[k];
      const double off = std::fabs(d[0] * c[1] - d[1] * c[0]) / std::hypot(d[0], d[1]);
      if (off < least)
        least = off, best = static_cast<int>(k), share = (c[0] * d[0] + c[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
    }
    return {best, share};
  }

  /// 0, 1 and where nodes of the solid lie along the side and through the wall: between them the functions of hexahedra are smooth.
  /// Triangles lie across; more panels do.
  std::array<std::vector<double>, 2> breaks(const ElementSide& side) const {
    std::array<std::vector<double>, 2> out{{{0, 1}, {-0.5, 0.5}}};
    const auto is_tetrahedron = [](const SolidCell& cell) { return cell_info(cell.kind).is_simplex; };
    if (std::any_of(cells_.elements.begin(), cells_.elements.end(), is_tetrahedron))
      for (int k = 1; k < 8; ++k) out[0].push_back(k / 8.0), out[1].push_back(k / 8.0 - 0.5);
    std::vector<int> near;
    for (const SolidCell& cell : cells_.elements) near.insert(near.end(), cell.corners().begin(), cell.corners().end());
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const int node : near) {
      double s = 0.5, zeta = 0;
      for (int round = 0; round < 8; ++round) {  // nearest in the face, by Gauss's steps
        const EdgePoint p = point(side, s, zeta);
        const Vec3 d = solid_.mesh.nodes[node] - p.position;
        const double ss = dot(p.slope, p.slope), sw = dot(p.slope, p.wall), ww = dot(p.wall, p.wall),
                     det = ss * ww - sw * sw, bs = dot(d, p.slope), bw = dot(d, p.wall);
        s += std::clamp((ww * bs - sw * bw) / det, -1.0, 1.0);
        zeta += std::clamp((ss * bw - sw * bs) / det, -1.0, 1.0);
      }
      if (!(std::fabs(s) <= 3 && std::fabs(zeta) <= 3)) continue;
      if (norm(point(side, s, zeta).position - solid_.mesh.nodes[node]) > gap()) continue;
      if (s > 0 && s < 1) out[0].push_back(s);
      if (std::fabs(zeta) < 0.5) out[1].push_back(zeta);
    }
    for (std::vector<double>& x : out) {
      std::sort(x.begin(), x.end());
      std::vector<double> apart{x.front()};
      constexpr double least = 1.0 / 64;
      for (const double b : x)
        if (b - apart.back() > least || (b == x.back() && b > apart.back())) apart.push_back(b);
      x = std::move(apart);
    }
    return out;
  }
  /// How far the edge may be from the solid: curved faces of two meshes are not the same [m].
  double gap() const { return 0.01 * plate_.thickness; }

  /// False after a problem.
  bool integrate(const ElementSide& side) {
    const auto [along, across] = breaks(side);
    using Rule = Gauss<4>;  // a cubic times a square of the solid's, and the cubic's square but for 1e-5 of a panel
    for (size_t i = 0; i + 1 < along.size(); ++i)
      for (size_t j = 0; j + 1 < across.size(); ++j)
        for (int k = 0; k < 16; ++k) {
          const double ds = along[i + 1] - along[i], dz = across[j + 1] - across[j];
          const EdgePoint p = point(side, along[i] + Rule::x[k % 4] * ds, across[j] + Rule::x[k / 4] * dz);
          const double weight = Rule::w[k % 4] * Rule::w[k / 4] * ds * dz * norm(cross(p.slope, p.wall));
          if (!add(p, weight)) return false;
        }
    return true;
  }
  bool add(const EdgePoint& p, double weight) {
    const PlaceInSolid at = nearest_place(cells_, p.position);
    if (at.element < 0 || at.distance > gap()) {
      wrong(
          fmt::format("the edge \"{}\" reaches {:.6g} m beyond \"{}\" in the reference configuration: its whole face, "
                      "{:.6g} m thick, lies on a face of the solid",
                      held_.place.text, at.distance, other_.place.text, plate_.thickness));
      return false;
    }
    const size_t n = functions_.size();
    for (const auto& [i, a] : p.values)
      for (const auto& [j, b] : p.values) mass_[i * n + j] += weight * a * b;
    const SolidCell& cell = cells_.elements[at.element];
    const SolidFunctions shape = solid_functions(cell.kind, at.at[0], at.at[1], at.at[2]);
    for (size_t a = 0; a < cell.all().size(); ++a) {
      if (shape.value[a] == 0) continue;
      std::vector<double>& row = from_[cell.nodes[a]];
      row.resize(n);
      for (const auto& [i, value] : p.values) row[i] += weight * value * shape.value[a];
    }
    return true;
  }

  void relate() {
    const size_t n = functions_.size();
    for (auto& [node, row] : from_) solve(mass_, n, row);
    for (size_t i = 0; i < n; ++i) {
      const Function& f = functions_[i];
      double most = 0;
      for (const auto& [node, row] : from_) most = std::max(most, std::fabs(row[i]));
      LinearForm form{3, {}, {0, 0, 0}, {}};
      Vec3 place{};
      for (const auto& [node, row] : from_) {
        if (std::fabs(row[i]) <= 1e-14 * most) continue;
        form.terms.push_back(scaled(solid_.model.nodes[node], 3, row[i] / f.size));
        place += row[i] / f.size * solid_.mesh.nodes[node];
      }
      start(f, place);
      hold(f, std::move(form));
    }
  }
  /// Where the faces of two meshes are not quite the same the plate starts on the solid.
  void start(const Function& f, const Vec3& place) {
    if (norm(place - f.reference) * f.size <= 1e-9 * plate_.thickness || f.of.size() != 1) return;
    draft_.set_initial(f.of[0].first, triple_of(place / f.of[0].second), {});
  }
  void hold(const Function& f, LinearForm form) {
    const JointSpec& spec = *joint_.spec;
    draft_.machine.joints[joint_.part].eliminated += 3;
    for (const auto& [slot, c] : f.of)
      joint_.shares.push_back(f.is_point ? JointReaction::Share{slot, -1} : JointReaction::Share{-1, slot});
    if (f.of.size() == 1) {
      for (LinearTerm& term : form.terms)
        for (double& x : term.matrix) x /= f.of[0].second;
      return draft_.define(f.of[0].first, std::move(form), spec.origin, spec.origin.source_of("of"));
    }
    for (const auto& [slot, c] : f.of) form.terms.push_back(scaled(slot, 3, -c));
    draft_.builder.relate(std::move(form), spec.origin.path, spec.origin.source_of("of"));
  }

  MachineDraft& draft_;
  PlateJoint& joint_;
  Location &held_, &other_;
  const PlatePart& plate_;
  const SolidPart& solid_;
  std::map<int, OfNode> nodes_;
  std::vector<Function> functions_;
  SolidMesh cells_;
  std::vector<int> own_;
  std::vector<double> mass_;                 ///< ∫ N Nᵀ dA, [functions × functions]
  std::map<int, std::vector<double>> from_;  ///< of each of the solid's nodes ∫ N φ dA, then the weights
};

}  // namespace

void plate_to_solid(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other) {
  PlateOnSolid(draft, joint, held, other).finish();
}

}  // namespace flexura::detail
