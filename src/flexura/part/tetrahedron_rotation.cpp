#include "flexura/part/tetrahedron_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "flexura/element/solid_shape.hpp"

namespace flexura {
namespace {

using Matrix = std::array<Vec3, 3>;

double determinant(const Matrix& a) { return dot(a[0], cross(a[1], a[2])); }
double square(const Matrix& a) { return dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]); }

/// A⁻ᵀ; of a regular one.
Matrix inverse_transposed(const Matrix& a) {
  const double d = determinant(a);
  return {cross(a[1], a[2]) / d, cross(a[2], a[0]) / d, cross(a[0], a[1]) / d};
}

/// R of F = R U, by Newton's method with Higham's factors; nothing where F is turned inside out.
std::optional<Matrix> rotation_of(Matrix f) {
  constexpr int enough = 12;
  constexpr double small = 1e-12;
  for (int k = 0; k < enough; ++k) {
    const double size = square(f);
    if (!(determinant(f) > 1e-9 * size * std::sqrt(size))) return {};
    const Matrix inverse = inverse_transposed(f);
    const double factor = std::sqrt(std::sqrt(square(inverse) / size));
    double change = 0;
    for (size_t i = 0; i < 3; ++i) {
      const Vec3 next = 0.5 * (factor * f[i] + inverse[i] / factor);
      change += dot(next - f[i], next - f[i]);
      f[i] = next;
    }
    if (change < small) break;
  }
  return f;
}

/// Derivatives of the functions by ξ, η, ζ at the corners.
const std::array<SolidFunctions, 4>& at_corners(SolidKind kind) {
  const auto all = [](SolidKind of) {
    std::array<SolidFunctions, 4> out;
    for (int k = 0; k < 4; ++k) {
      const std::array<double, 3> at = solid_node(of, k);
      out[static_cast<size_t>(k)] = solid_functions(of, at[0], at[1], at[2]);
    }
    return out;
  };
  static const std::array<SolidFunctions, 4> four = all(SolidKind::tetrahedron_4), ten = all(SolidKind::tetrahedron_10);
  return kind == SolidKind::tetrahedron_4 ? four : ten;
}

}  // namespace

TetrahedronRotations::TetrahedronRotations(const SolidPart& solid, const Model& model) {
  std::map<int, std::vector<int>> around;  // node → cells of four nodes
  for (const SolidCell& from : solid.mesh.elements) {
    const int element = static_cast<int>(cells_.size());
    Cell& cell = cells_.emplace_back();
    const bool four = from.kind == SolidKind::tetrahedron_4;
    if (!four && from.kind != SolidKind::tetrahedron_10) continue;
    cell.nodes = four ? 4 : 10;
    for (int k = 0; k < cell.nodes; ++k)
      cell.offset[static_cast<size_t>(k)] = model.topology->slots[solid.model.nodes[from.nodes[k]]].offset;
    for (int k = 0; k < (four ? 1 : 4); ++k) {
      const Matrix inverse = inverse_transposed(jacobian(cell, k, model.values.reference.data()));
      for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
          cell.at_rest[static_cast<size_t>(k)][j][static_cast<int>(i)] = inverse[i][static_cast<int>(j)];
    }
    for (int k = 0; k < 4 && four; ++k) around[from.nodes[k]].push_back(element);
  }
  for (size_t e = 0; e < cells_.size(); ++e) {
    cells_[e].first = neighbours_.size();
    if (cells_[e].nodes == 4)
      for (const int node : solid.mesh.elements[e].corners())
        for (const int other : around[node])
          if (other > static_cast<int>(e)) neighbours_.push_back(other);
    const auto begin = neighbours_.begin() + static_cast<std::ptrdiff_t>(cells_[e].first);
    std::sort(begin, neighbours_.end());
    neighbours_.erase(std::unique(begin, neighbours_.end()), neighbours_.end());
    cells_[e].last = neighbours_.size();
  }
}

TetrahedronRotations::Matrix TetrahedronRotations::jacobian(const Cell& cell, int corner, const double* q) const {
  const SolidKind kind = cell.nodes == 4 ? SolidKind::tetrahedron_4 : SolidKind::tetrahedron_10;
  const SolidFunctions& at = at_corners(kind)[static_cast<size_t>(corner)];
  Matrix out{};
  for (int a = 0; a < cell.nodes; ++a) {
    const Vec3 x = Vec3::load(q + cell.offset[static_cast<size_t>(a)]);
    for (size_t i = 0; i < 3; ++i) out[i] += at.slope[a][i] * x;
  }
  return out;
}

TetrahedronRotations::Matrix TetrahedronRotations::deformation(const Cell& cell, int corner, const double* q) const {
  const Matrix now = jacobian(cell, corner, q);
  const Matrix& inverse = cell.at_rest[static_cast<size_t>(corner)];
  Matrix out{};
  for (size_t j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) out[j] += inverse[j][i] * now[static_cast<size_t>(i)];
  return out;
}

/// Angle of R_aᵀ R_b of both.
double TetrahedronRotations::between(const Matrix& a, const Matrix& b) {
  constexpr double little = 0.25;  // of |F|² by which they differ at most: at little strain 30 degrees
  const Matrix difference{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  if (square(difference) < little * std::min(square(a), square(b)) / 3) return 0;
  const std::optional<Matrix> r = rotation_of(a), s = rotation_of(b);
  if (!r || !s) return 0;
  const double trace = dot((*r)[0], (*s)[0]) + dot((*r)[1], (*s)[1]) + dot((*r)[2], (*s)[2]);
  return std::acos(std::clamp(0.5 * (trace - 1), -1.0, 1.0));
}

double TetrahedronRotations::angle(int element, std::span<const double> q) const {
  const Cell& cell = cells_[static_cast<size_t>(element)];
  double most = 0;
  if (cell.nodes == 10) {
    std::array<Matrix, 4> f;
    for (int k = 0; k < 4; ++k) f[static_cast<size_t>(k)] = deformation(cell, k, q.data());
    for (size_t a = 0; a < 4; ++a)
      for (size_t b = a + 1; b < 4; ++b) most = std::max(most, between(f[a], f[b]));
  } else if (cell.nodes == 4) {
    const Matrix own = deformation(cell, 0, q.data());
    for (size_t k = cell.first; k < cell.last; ++k)
      most = std::max(most, between(own, deformation(cells_[static_cast<size_t>(neighbours_[k])], 0, q.data())));
  }
  return most;
}

}  // namespace flexura
