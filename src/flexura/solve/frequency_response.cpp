#include "flexura/solve/frequency_response.hpp"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <complex>

#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/drive_rows.hpp"
#include "flexura/solve/flow_rows.hpp"
#include "flexura/solve/state_tangents.hpp"

namespace flexura {

using Complex = std::complex<double>;
using SparseComplex = Eigen::SparseMatrix<Complex>;

struct FrequencyResponse::Matrices {
  struct Place {
    Eigen::Index at;  ///< among the nonzeros
    double stiffness, damping, mass;
  };
  Eigen::MatrixXd inputs[3];
  double flow_rate = 0;
  std::string flow_line;
  SparseComplex matrix;
  std::vector<Place> places;
  Eigen::SparseLU<SparseComplex, Eigen::COLAMDOrdering<int>> factor;
};

FrequencyResponse::FrequencyResponse(System<double>& system, DualResidual& residual, const State<double>& state,
                                     std::span<const SignalValue> signals,
                                     const std::vector<std::vector<double>>& inputs)
    : matrices_(std::make_unique<Matrices>()) {
  Matrices& m = *matrices_;
  const int ny = system.topology().ny;
  const FlowRows flows(system, residual, state, signals, inputs);
  std::vector<TangentEntry> tangents = state_tangents(system, state, signals);
  const DriveRows drives(system, state, signals);
  drives.add_tangents(tangents);
  flows.replace_tangents(tangents);
  m.flow_rate = flows.imbalance(), m.flow_line = flows.unbalanced();

  std::vector<char> redundant(static_cast<size_t>(ny), 0);
  ConstraintMatrix<double> constraints(system);
  if (!constraints.rows().empty() && constraints.factor(state.t, state.q, state.v))
    for (const auto& row : constraints.redundant()) redundant[static_cast<size_t>(row.unknown)] = 1;

  std::vector<Eigen::Triplet<Complex>> entries;
  for (int i = 0; i < ny; ++i) entries.emplace_back(i, i, 0.0);
  const auto each = [&](auto&& f) {
    for (const TangentEntry& e : tangents)
      if (!redundant[static_cast<size_t>(e.row)] && !redundant[static_cast<size_t>(e.column)]) f(e);
  };
  each([&](const TangentEntry& e) { entries.emplace_back(e.row, e.column, 0.0); });
  m.matrix.resize(ny, ny);
  m.matrix.setFromTriplets(entries.begin(), entries.end());
  m.matrix.makeCompressed();
  const auto place = [&](int i, int j) { return &m.matrix.coeffRef(i, j) - m.matrix.valuePtr(); };
  each([&](const TangentEntry& e) { m.places.push_back({place(e.row, e.column), e.stiffness, e.damping, e.mass}); });
  for (int i = 0; i < ny; ++i)
    if (redundant[static_cast<size_t>(i)]) m.places.push_back({place(i, i), 1, 0, 0});
  m.factor.analyzePattern(m.matrix);

  State<Tangent> plain = unchanging(state);
  residual.assembler.set_history(plain.history, 0);
  for (int k = 0; k < 3; ++k) {
    m.inputs[k].setZero(ny, static_cast<Eigen::Index>(inputs.size()));
    for (size_t input = 0; input < inputs.size(); ++input) {
      std::vector<Tangent> u, du, ddu;
      for (const SignalValue& s : signals) u.push_back(s.u), du.push_back(s.du), ddu.push_back(s.ddu);
      std::vector<Tangent>& to = k == 0 ? u : k == 1 ? du : ddu;
      for (size_t i = 0; i < to.size(); ++i) to[i].d = inputs[input][i];
      residual.assembler.set_signals(u, du, ddu);
      const std::span<const Tangent> r = residual.at(plain, true);
      auto change = m.inputs[k].col(static_cast<Eigen::Index>(input));
      for (int i = 0; i < ny; ++i) change[i] = r[static_cast<size_t>(i)].d;
      drives.add_change(residual, plain, change);
      flows.replace_change(residual, plain, change);
      for (int i = 0; i < ny; ++i)
        if (redundant[static_cast<size_t>(i)]) change[i] = 0;
    }
  }
}

FrequencyResponse::~FrequencyResponse() = default;

std::pair<double, std::string> FrequencyResponse::flow() const { return {matrices_->flow_rate, matrices_->flow_line}; }

bool FrequencyResponse::solve(double omega, Eigen::MatrixXcd& out) {
  Matrices& m = *matrices_;
  const Complex s(0, omega);
  std::fill_n(m.matrix.valuePtr(), m.matrix.nonZeros(), Complex(0));
  for (const Matrices::Place& p : m.places) m.matrix.valuePtr()[p.at] += p.stiffness + s * p.damping + s * s * p.mass;
  m.factor.factorize(m.matrix);
  if (m.factor.info() != Eigen::Success) return false;
  const Eigen::MatrixXcd loads = m.inputs[0] + s * m.inputs[1] + s * s * m.inputs[2];
  out = m.factor.solve(loads);
  return out.allFinite();
}

}  // namespace flexura
