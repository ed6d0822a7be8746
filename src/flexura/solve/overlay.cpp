#include "flexura/solve/overlay.hpp"

namespace flexura {

Overlay::Overlay(const Assembler<double>& assembler, std::span<const int> slots) : dim_(assembler.topology().dim) {
  const Topology& topology = assembler.topology();
  for (const int slot : slots) {
    Point point{topology.slots[slot].offset, static_cast<int>(parts_.size()), 0};
    for (const auto& [master, weight] : assembler.masters(slot)) {
      const Slot& free = topology.slots[master];
      Part part{free.offset, free.block, free.block_offset, free.size, {}};
      for (int i = 0; i < dim_; ++i)
        for (int j = 0; j < free.size; ++j) part.weight[i][j] = weight[i * free.size + j];
      parts_.push_back(part);
    }
    point.last = static_cast<int>(parts_.size());
    points_.push_back(point);
  }
}

Vec3d Overlay::at(int point, const double* x) const {
  Vec3d out{0, 0, 0};
  for (int i = 0; i < dim_; ++i) out[i] = x[points_[point].offset + i];
  return out;
}

void Overlay::add_force(PointPair pair, const Vec3d& force, double* r) const {
  for (int i = 0; i < dim_; ++i) r[points_[pair.a].offset + i] += force[i];
  for (int i = 0; i < dim_ && pair.b >= 0; ++i) r[points_[pair.b].offset + i] -= force[i];
}

void Overlay::add_reduced_force(PointPair pair, const Vec3d& force, double* y) const {
  for_parts(pair, [&](const Part& part, double sign) {
    for (int j = 0; j < part.size; ++j)
      for (int i = 0; i < dim_; ++i) y[part.offset + j] += sign * part.weight[i][j] * force[i];
  });
}

double Overlay::along(PointPair pair, const Vec3d& n, const double* y) const {
  double sum = 0;
  for_parts(pair, [&](const Part& part, double sign) {
    for (int j = 0; j < part.size; ++j)
      for (int i = 0; i < dim_; ++i) sum += sign * part.weight[i][j] * n[i] * y[part.offset + j];
  });
  return sum;
}

double Overlay::compliance(PointPair pair, const Vec3d& n, std::span<const double> diagonal) const {
  double sum = 0;
  for_parts(pair, [&](const Part& part, double) {
    for (int j = 0; j < part.size; ++j) {
      double g = 0;
      for (int i = 0; i < dim_; ++i) g += part.weight[i][j] * n[i];
      if (diagonal[part.offset + j] > 0) sum += g * g / diagonal[part.offset + j];
    }
  });
  return sum;
}

void Overlay::add_couplings(PointPair pair, std::vector<std::pair<int, int>>& couplings) const {
  for_parts(pair, [&](const Part& a, double) {
    for_parts(pair, [&](const Part& b, double) {
      if (a.block > b.block) couplings.emplace_back(a.block, b.block);
    });
  });
}

void Overlay::add_tangent(PointPair pair, const double (&K)[3][3], const LinearSolver<double>& solver,
                          std::span<double> values) const {
  for_parts(pair, [&](const Part& a, double sign_a) {
    for_parts(pair, [&](const Part& b, double sign_b) { add_block(a, b, sign_a * sign_b, K, solver, values); });
  });
}

/// sign Wᵀ_a K W_b; of a symmetric matrix the lower triangle in the order of y.
void Overlay::add_block(const Part& a, const Part& b, double sign, const double (&K)[3][3],
                        const LinearSolver<double>& solver, std::span<double> values) const {
  const bool symmetric = solver.layout().symmetry == Symmetry::symmetric;
  if (symmetric && (a.block < b.block || (a.block == b.block && a.block_offset < b.block_offset))) return;
  const bool triangle = symmetric && a.offset == b.offset;
  const Entry entry = solver.entry(a.block, b.block);
  double KW[3][3] = {};
  for (int i = 0; i < dim_; ++i)
    for (int c = 0; c < b.size; ++c)
      for (int k = 0; k < dim_; ++k) KW[i][c] += K[i][k] * b.weight[k][c];
  for (int r = 0; r < a.size; ++r)
    for (int c = 0; c < (triangle ? r + 1 : b.size); ++c) {
      double sum = 0;
      for (int i = 0; i < dim_; ++i) sum += a.weight[i][r] * KW[i][c];
      values[entry.offset + (a.block_offset + r) * entry.row_stride + (b.block_offset + c) * entry.col_stride] +=
          sign * sum;
    }
}

}  // namespace flexura
