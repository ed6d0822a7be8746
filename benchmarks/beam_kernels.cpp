/// Force and tangent of the full beam, 24 coordinates: µs per element, one by one and in lanes.

#include <benchmark/benchmark.h>

#include <cmath>

#include "flexura/element/ancf_beam_24_kernel.hpp"

namespace {

using flexura::ElasticLaw, flexura::VolumeForm;
using E = flexura::AncfBeam24Kernel;

template <class T>
struct Element {
  explicit Element(benchmark::State& state)
      : options{.law = static_cast<ElasticLaw>(state.range(0)), .strains = static_cast<E::Strains>(state.range(1))} {
    E::Params<T> p{};
    p.length = T(0.1), p.size_1 = T(0.01), p.size_2 = T(0.02), p.hole = T(0.0), p.rho = T(1100.0);
    p.constants = {{T(2.7e5), T(3e4), T(-400.0)}}, p.bulk = T(1e9), p.viscosity = T(0.0);
    p.shear_1 = p.shear_2 = p.torsion = T(0.9), p.contraction_1 = p.contraction_2 = T(0.49);
    T X[24];
    for (int i = 0; i < 24; ++i) {
      const int k = i % 12 / 3;
      X[i] = T(k == 0 ? 0.1 * (i == 12) : double(k - 1 == i % 3));
      x[i] = X[i] + T((k == 0 ? 0.001 : 0.02) * std::sin(3.0 * i));
    }
    data = E::prepare(p, options, X);
  }
  E::Options options;
  E::Data<T> data;
  T x[24];
};
template <class T>
void per_element(benchmark::State& state) {
  state.counters["per_element"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * sizeof(T) / sizeof(double),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_element"] = static_cast<double>(sizeof(E::Data<double>));
}

template <class T>
void force(benchmark::State& state) {
  Element<T> e(state);
  T r[24];
  for (auto _ : state) {
    E::residual(e.data, e.options, flexura::Context<T>{}, e.x, e.x, r);
    benchmark::DoNotOptimize(r);
    benchmark::ClobberMemory();
  }
  per_element<T>(state);
}
template <class T>
void tangent(benchmark::State& state) {
  Element<T> e(state);
  alignas(64) T K[24 * 24];
  for (auto _ : state) {
    E::tangent(e.data, e.options, flexura::Context<T>{}, e.x, e.x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_element<T>(state);
}

// Law: 0 St. Venant–Kirchhoff, 1 neo-Hooke, 2 Mooney–Rivlin, 3 Yeoh. Strains: 0 enhanced (27 points), 1 selective (36), 2 full (36).
BENCHMARK_TEMPLATE(force, double)->ArgsProduct({{0, 3}, {0, 1, 2}});
BENCHMARK_TEMPLATE(force, flexura::Lanes)->ArgsProduct({{0, 3}, {0, 1, 2}});
BENCHMARK_TEMPLATE(tangent, double)->ArgsProduct({{0, 3}, {0, 1, 2}});
BENCHMARK_TEMPLATE(tangent, flexura::Lanes)->ArgsProduct({{0, 1, 2, 3}, {0, 1, 2}});

}  // namespace

BENCHMARK_MAIN();
