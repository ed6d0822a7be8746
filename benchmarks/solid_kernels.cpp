/// Force and tangent of solids by shape and law: µs per element, one by one and in lanes.

#include <benchmark/benchmark.h>

#include <cmath>

#include "flexura/element/composite_solid_kernel.hpp"
#include "flexura/element/reduced_hexahedron_kernel.hpp"
#include "flexura/element/solid_kernel.hpp"

namespace {

using namespace flexura;

template <class E, class T>
struct Element {
  static constexpr int n = dofs_of<E>;

  explicit Element(ElasticLaw law) {
    options.law = law;
    typename E::template Params<T> p{};
    p.rho = T(1000.0), p.bulk = T(1e8);
    // St. Venant–Kirchhoff λ, μ; of the others a modulus and an exponent, limit or further moduli
    const double constants[6] = {
        3e5, law == ElasticLaw::gent || law == ElasticLaw::arruda_boyce ? 50.0 : 2.0, 1e4, 3.0, 1e3, -2.0};
    for (int i = 0; i < 6; ++i) p.constants[i] = T(constants[i]);
    T X[n];
    for (int i = 0; i < n; ++i) {
      X[i] = T(solid_node(E::kind, i / 3)[i % 3]);
      x[i] = X[i] + T(0.04 * std::sin(3.0 * i));
    }
    data = E::prepare(p, options, X);
  }
  typename E::Options options;
  typename E::template Data<T> data;
  T x[n];
};

template <class E, class T>
void per_element(benchmark::State& state) {
  state.counters["per_element"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * sizeof(T) / sizeof(double),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_element"] = static_cast<double>(sizeof(typename E::template Data<double>));
}

template <class E, class T>
void force(benchmark::State& state) {
  Element<E, T> e(ElasticLaw(state.range(0)));
  T r[e.n];
  for (auto _ : state) {
    E::residual(e.data, e.options, Context<T>{}, e.x, e.x, r);
    benchmark::DoNotOptimize(r);
    benchmark::ClobberMemory();
  }
  per_element<E, T>(state);
}
template <class E, class T>
void tangent(benchmark::State& state) {
  Element<E, T> e(ElasticLaw(state.range(0)));
  alignas(64) T K[e.n * e.n];
  for (auto _ : state) {
    E::tangent(e.data, e.options, Context<T>{}, e.x, e.x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_element<E, T>(state);
}

/// Neo-Hooke with so many families of stiff fibres and branches of a Prony series.
template <SolidKind kind, class T>
void composite_tangent(benchmark::State& state) {
  using E = CompositeSolidKernel<kind>;
  constexpr int n = dofs_of<E>;
  typename E::Options options;
  options.elastic.law = ElasticLaw::neo_hooke;
  options.families = FibreFamilies(state.range(0));
  options.branches = PronyBranches(state.range(1));
  typename E::template Params<T> p{};
  p.elastic.rho = T(1000.0), p.elastic.bulk = T(1e8), p.elastic.constants[0] = T(3e5);
  p.axis[2] = p.first[0] = T(1.0);
  for (int f = 0; f < most_fibres; ++f) {
    p.fibre_direction[3 * f] = p.fibre_direction[3 * f + 1] = T(f % 2 == 0 ? 1.0 : -1.0);
    p.fibre_direction[3 * f] = T(1.0);
    p.fibre_stiffness[f] = T(1e6);
  }
  for (int k = 0; k < most_branches; ++k) p.share[k] = T(0.1), p.time[k] = T(0.01 * (k + 1));
  T X[n], x[n];
  for (int i = 0; i < n; ++i) {
    X[i] = T(solid_node(kind, i / 3)[i % 3]);
    x[i] = X[i] + T(0.04 * std::sin(3.0 * i));
  }
  const auto data = E::prepare(p, options, X);
  T signals[3]{}, past[E::most_history + 1]{};
  const Context<T> context{0.0, signals, signals, past, 1e-3};
  alignas(64) T K[n * n];
  for (auto _ : state) {
    E::tangent(data, options, context, x, x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  state.counters["per_element"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * sizeof(T) / sizeof(double),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// The argument is the law: 0 St. Venant–Kirchhoff, 1 neo-Hooke, 2 Mooney–Rivlin, 3 Yeoh, 4 Ogden, 5 Gent, 6 Arruda–Boyce.
void laws(benchmark::internal::Benchmark* b) { b->DenseRange(0, 6); }
BENCHMARK_TEMPLATE(tangent, SolidHexahedron8Kernel, double)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidHexahedron8Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, ReducedHexahedron8Kernel, double)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, ReducedHexahedron8Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidHexahedron20Kernel, double)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidHexahedron20Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidHexahedron27Kernel, double)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidHexahedron27Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidTetrahedron4Kernel, double)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidTetrahedron4Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidTetrahedron10Kernel, double)->Apply(laws);
BENCHMARK_TEMPLATE(tangent, SolidTetrahedron10Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(force, SolidHexahedron8Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(force, ReducedHexahedron8Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(force, SolidHexahedron20Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(force, SolidHexahedron27Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(force, SolidTetrahedron4Kernel, Lanes)->Apply(laws);
BENCHMARK_TEMPLATE(force, SolidTetrahedron10Kernel, Lanes)->Apply(laws);
// Arguments: families of fibres, branches that relax.
void composites(benchmark::internal::Benchmark* b) { b->Args({0, 0})->Args({2, 0})->Args({0, 3})->Args({2, 3}); }
BENCHMARK_TEMPLATE(composite_tangent, SolidKind::hexahedron_8, Lanes)->Apply(composites);
BENCHMARK_TEMPLATE(composite_tangent, SolidKind::hexahedron_20, Lanes)->Apply(composites);
BENCHMARK_TEMPLATE(composite_tangent, SolidKind::tetrahedron_10, Lanes)->Apply(composites);

}  // namespace

BENCHMARK_MAIN();
