#pragma once
// An assembler whose tangent is a dense matrix over y, row-major: what tests compare against.

#include <vector>

#include "flexura/assembly/assembler.hpp"

namespace flexura::test {

template <class S>
class Dense {
 public:
  using V = ValueOf<S>;

  /// The assembler copies `values`. symmetric: only the lower triangle is written.
  Dense(const Topology& topology, std::span<const Values* const> values, const AssemblerOptions& options = {},
        bool symmetric = false)
      : assembler({&topology, [](const Topology*) {}}, values, options), n(topology.ny), nq(topology.nq) {
    std::vector<int> first{0};
    for (int size : assembler.pattern().sizes) first.push_back(first.back() + size);
    MatrixLayout layout;
    layout.value_count = static_cast<std::ptrdiff_t>(n) * n;
    layout.symmetric = symmetric;
    layout.target = [first, rows = n](int i, int j) {
      return Target{first[i] * rows + first[j], static_cast<std::int16_t>(rows), 1};
    };
    assembler.set_layout(layout);
  }
  Dense(const Model& model, const AssemblerOptions& options = {}, bool symmetric = false)
      : Dense(*model.topology, one(model.values), options, symmetric) {}

  /// Forces in q order; reactions included.
  std::vector<S> residual(const std::vector<S>& q, const std::vector<S>& v) const {
    std::vector<S> r(assembler.residual_size());
    assembler.residual(t, q.data(), v.data(), r.data());
    r.resize(nq);
    return r;
  }
  /// Tᵀ r after the dependent tails of q and v have been filled in.
  std::vector<S> reduced_residual(std::vector<S> q, std::vector<S> v) const {
    std::vector<S> a(nq, S(0.0)), r(assembler.residual_size());
    assembler.expand(q.data(), v.data(), a.data());
    assembler.residual(t, q.data(), v.data(), r.data());
    assembler.reduce(r.data());
    r.resize(n);
    return r;
  }
  std::vector<V> tangent(const std::vector<S>& q, const std::vector<S>& v, double cm, double cd) {
    std::vector<V> k(static_cast<size_t>(n) * n, V(0.0));
    assembler.tangent(t, q.data(), v.data(), cm, cd, k.data());
    return k;
  }

  Assembler<S> assembler;
  int n, nq;
  double t = 0;

 private:
  static std::span<const Values* const> one(const Values& values) {
    static thread_local const Values* pointer;
    pointer = &values;
    return {&pointer, 1};
  }
};

inline std::vector<Dual<double>> to_dual(const std::vector<double>& x) { return {x.begin(), x.end()}; }

}  // namespace flexura::test
