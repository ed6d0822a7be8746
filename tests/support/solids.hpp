#pragma once
// Blocks of solid elements of any kind, mapped to any shape, as models; loads on their faces as dead forces of the nodes.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "flexura/element/reduced_hexahedron.hpp"
#include "flexura/element/solid.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {

inline constexpr SolidKind all_solids[] = {SolidKind::hexahedron_8, SolidKind::hexahedron_20, SolidKind::hexahedron_27,
                                           SolidKind::tetrahedron_4, SolidKind::tetrahedron_10};

inline const char* name_of(SolidKind kind) {
  constexpr const char* names[] = {"hexahedron_8", "hexahedron_20", "hexahedron_27", "tetrahedron_4", "tetrahedron_10"};
  return names[static_cast<int>(kind)];
}

/// f.template operator()<kind>()
template <class F>
auto with_kind(SolidKind kind, F&& f) {
  switch (kind) {
    case SolidKind::hexahedron_8:
      return f.template operator()<SolidKind::hexahedron_8>();
    case SolidKind::hexahedron_20:
      return f.template operator()<SolidKind::hexahedron_20>();
    case SolidKind::hexahedron_27:
      return f.template operator()<SolidKind::hexahedron_27>();
    case SolidKind::tetrahedron_4:
      return f.template operator()<SolidKind::tetrahedron_4>();
    case SolidKind::tetrahedron_10:
    case SolidKind::triangle_3:  // of no solid
      break;
  }
  return f.template operator()<SolidKind::tetrahedron_10>();
}

struct SolidBlock {
  SolidKind kind{};
  std::vector<Triple> share, X;            ///< of each node: place in the unit cube, and in space
  std::vector<std::vector<int>> elements;  ///< nodes
};

using Map = std::function<Triple(const Triple&)>;

/// nx × ny × nz cells of the unit cube, a hexahedron or six tetrahedra each; `map` takes all nodes to their places.
inline SolidBlock solid_block(SolidKind kind, std::array<int, 3> cells, const Map& map) {
  SolidBlock out;
  out.kind = kind;
  std::map<std::array<int, 3>, int> numbers;  // by twice the place in cells
  const auto node = [&](const std::array<int, 3>& at) {
    const auto [entry, is_new] = numbers.try_emplace(at, static_cast<int>(out.X.size()));
    if (is_new) {
      const Triple share{0.5 * at[0] / cells[0], 0.5 * at[1] / cells[1], 0.5 * at[2] / cells[2]};
      out.share.push_back(share);
      out.X.push_back(map(share));
    }
    return entry->second;
  };
  constexpr int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  for (int cell = 0; cell < cells[0] * cells[1] * cells[2]; ++cell) {
    const std::array<int, 3> first{2 * (cell % cells[0]), 2 * (cell / cells[0] % cells[1]),
                                   2 * (cell / cells[0] / cells[1])};
    if (is_hexahedron(kind)) {
      std::vector<int> nodes;
      for (int n = 0; n < node_count(kind); ++n) {
        std::array<int, 3> at = first;
        for (int i = 0; i < 3; ++i) at[i] += static_cast<int>(2 * solid_node(kind, n)[i]);
        nodes.push_back(node(at));
      }
      out.elements.push_back(nodes);
      continue;
    }
    for (int p = 0; p < 6; ++p) {
      std::array<int, 3> corner[4] = {first, first, first, first};
      for (int c = 1; c < 4; ++c) {
        corner[c] = corner[c - 1];
        corner[c][path[p][c - 1]] += 2;
      }
      if (p >= 3) std::swap(corner[1], corner[2]);
      std::vector<int> nodes;
      for (int n = 0; n < node_count(kind); ++n) {
        const std::array<double, 3> x = solid_node(kind, n);
        std::array<int, 3> at;
        for (int i = 0; i < 3; ++i)
          at[i] = static_cast<int>(std::lround((1 - x[0] - x[1] - x[2]) * corner[0][i] + x[0] * corner[1][i] +
                                               x[1] * corner[2][i] + x[2] * corner[3][i]));
        nodes.push_back(node(at));
      }
      out.elements.push_back(nodes);
    }
  }
  return out;
}

struct Rubber {
  Solid::Options options;
  std::array<double, most_elastic_constants> constants{};
  double bulk = 0, rho = 1000, viscosity = 0;
  bool reduced = false;  ///< hexahedra of 8 nodes with one point

  std::vector<double> parameters() const {
    std::vector<double> out{rho};
    out.insert(out.end(), constants.begin(), constants.end());
    out.push_back(bulk);
    out.push_back(viscosity);
    return out;
  }
};
inline Rubber neo_hooke(double mu, double bulk, Solid::Formulation formulation = Solid::Formulation::mixed) {
  return {{.law = ElasticLaw::neo_hooke, .formulation = formulation}, {mu}, bulk};
}

inline Rubber reduced(Rubber rubber) {
  rubber.reduced = true;
  return rubber;
}

/// The slots of the nodes.
inline std::vector<int> add_solid(ModelBuilder& b, const SolidBlock& block, const Rubber& rubber) {
  std::vector<int> slots;
  for (const Triple& X : block.X) slots.push_back(b.slot("x", SlotKind::point, X, b.node()));
  const Solid::Options& o = rubber.options;
  const std::vector<int> choices =
      rubber.reduced ? choices_of<ReducedHexahedron8>({o.law, o.form, o.damped}) : choices_of<SolidHexahedron8>(o);
  const std::string name =
      rubber.reduced ? std::string(ReducedHexahedron8::name) : fmt::format("solid_{}", name_of(block.kind));
  for (size_t e = 0; e < block.elements.size(); ++e) {
    std::vector<int> nodes;
    for (int n : block.elements[e]) nodes.push_back(slots[n]);
    b.item(name, nodes, rubber.parameters(), choices, fmt::format("element {}", e));
  }
  return slots;
}

/// Holds coordinate i of a slot.
inline void hold(ModelBuilder& b, int slot, int i) {
  std::vector<double> row(3, 0.0);
  row[i] = 1;
  b.relate({1, {{slot, row}}, {-b.reference(slot)[i]}, {}}, "held");
}
/// slot = X + u: at the full load.
inline void move(ModelBuilder& b, int slot, const Triple& u) {
  b.prescribe(slot, {{b.constant_signal(), {u[0], u[1], u[2]}}}, "moved");
}

/// ∫ N_i n dA, outwards, and ∫ N_i dA over the faces of the block's side `axis` = 0 or 1 (`end`), by node; in the reference.
struct FaceAreas {
  std::vector<Triple> vector;
  std::vector<double> size;
};
inline FaceAreas face_areas(const SolidBlock& block, int axis, double end) {
  FaceAreas out{std::vector<Triple>(block.X.size()), std::vector<double>(block.X.size())};
  constexpr int triangles[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  const bool hexa = is_hexahedron(block.kind);
  for (const std::vector<int>& nodes : block.elements)
    for (int face = 0; face < (hexa ? 6 : 4); ++face) {
      Triple corner[3];  // of the parameters
      if (hexa) {
        const int a = face / 2;
        corner[0] = corner[1] = corner[2] = {0, 0, 0};
        for (Triple& c : corner) c[a] = face % 2;
        corner[1][(a + 1) % 3] = corner[2][(a + 2) % 3] = 1;
      } else {
        for (int c = 0; c < 3; ++c) {
          const auto at = solid_node(block.kind, triangles[face][c]);
          corner[c] = {at[0], at[1], at[2]};
        }
      }
      bool on = true;
      for (int n = 0; n < node_count(block.kind) && on; ++n) {
        const std::array<double, 3> at = solid_node(block.kind, n);
        const bool on_face = hexa ? at[face / 2] == face % 2
                                  : (face == 0 ? std::fabs(at[0] + at[1] + at[2] - 1) < 1e-12 : at[face - 1] == 0);
        if (on_face) on = std::fabs(block.share[nodes[n]][axis] - end) < 1e-12;
      }
      if (!on) continue;
      using G = Gauss<4>;
      for (int k = 0; k < 16; ++k) {
        const double a = G::x[k % 4], b = hexa ? G::x[k / 4] : G::x[k / 4] * (1 - a);
        const double weight = G::w[k % 4] * G::w[k / 4] * (hexa ? 1 : 1 - a);
        const Triple along = corner[1] - corner[0], across = corner[2] - corner[0],
                     at = corner[0] + a * along + b * across;
        const SolidFunctions f = solid_functions(block.kind, at[0], at[1], at[2]);
        Vec<3, double> u{0, 0, 0}, v{0, 0, 0};
        for (size_t n = 0; n < nodes.size(); ++n)
          for (int i = 0; i < 3; ++i)
            for (int d = 0; d < 3; ++d) {
              u[i] += f.slope[n][d] * along[d] * block.X[nodes[n]][i];
              v[i] += f.slope[n][d] * across[d] * block.X[nodes[n]][i];
            }
        const Vec<3, double> normal = (hexa && face % 2 == 0 ? -weight : weight) * cross(u, v);
        for (size_t n = 0; n < nodes.size(); ++n) {
          out.size[nodes[n]] += norm(normal) * f.value[n];
          for (int i = 0; i < 3; ++i) out.vector[nodes[n]][i] += normal[i] * f.value[n];
        }
      }
    }
  return out;
}
/// A dead force per area of the reference on a side.
inline void pull(ModelBuilder& b, const SolidBlock& block, const std::vector<int>& slots, int axis, double end,
                 const Triple& traction) {
  const std::vector<double> area = face_areas(block, axis, end).size;
  for (size_t n = 0; n < area.size(); ++n)
    if (area[n] != 0)
      b.item<PointForce3d>({slots[n], b.constant_signal()},
                           {.force = {area[n] * traction[0], area[n] * traction[1], area[n] * traction[2]}}, "pull");
}

/// The node nearest to a place of the unit cube.
inline int node_at(const SolidBlock& block, const Triple& share) {
  int best = 0;
  double least = 1e300;
  for (size_t n = 0; n < block.share.size(); ++n) {
    const Triple d = block.share[n] - share;
    if (dot(d, d) < least) least = dot(d, d), best = static_cast<int>(n);
  }
  return best;
}

}  // namespace flexura::test
