/// Force and tangent of the planar ANCF cable: ns per element, one by one and in lanes.

#include <benchmark/benchmark.h>

#include "flexura/element/ancf_cable_2d_kernel.hpp"

namespace {

using flexura::AncfCable2dKernel;
using E = AncfCable2dKernel;

template <class T>
struct Element {
  explicit Element(E::Options o) : options(o) {
    const E::Params<T> p{T(2000.0), T(0.0186), T(0.12), T(0.05), T(1e-3), T(1e-3)};
    const T X[8] = {T(0.0), T(0.0), T(1.0), T(0.0), T(0.05), T(0.0), T(1.0), T(0.0)};
    data = E::prepare(p, options, X);
    const double bent[8] = {0.0, 0.0, 0.99, 0.1, 0.0497, 0.003, 0.98, 0.2};
    for (int i = 0; i < 8; ++i) x[i] = T(bent[i]), v[i] = T(0.1 * bent[i]);
  }
  E::Options options;
  E::Data<T> data;
  T x[8], v[8];
};

E::Options options_of(int code) { return {E::Curvature(code % 3), E::Axial(code / 3 % 3), E::Damped(code / 9)}; }

template <class T>
void force(benchmark::State& state) {
  Element<T> e(options_of(static_cast<int>(state.range(0))));
  T r[8];
  for (auto _ : state) {
    E::residual(e.data, e.options, flexura::Context<T>{}, e.x, e.v, r);
    benchmark::DoNotOptimize(r);
    benchmark::ClobberMemory();
  }
  state.counters["per_element"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * sizeof(T) / sizeof(double),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
template <class T>
void tangent(benchmark::State& state) {
  Element<T> e(options_of(static_cast<int>(state.range(0))));
  T K[64];
  for (auto _ : state) {
    E::tangent(e.data, e.options, flexura::Context<T>{}, e.x, e.v, 1.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  state.counters["per_element"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * sizeof(T) / sizeof(double),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// 0: material, green; 3: material, engineering; 8: simplified, chord; 9: material, green, damped
BENCHMARK_TEMPLATE(force, double)->Arg(0)->Arg(3)->Arg(8)->Arg(9);
BENCHMARK_TEMPLATE(force, flexura::Lanes)->Arg(0)->Arg(3)->Arg(8)->Arg(9);
BENCHMARK_TEMPLATE(tangent, double)->Arg(0)->Arg(3)->Arg(8)->Arg(9);
BENCHMARK_TEMPLATE(tangent, flexura::Lanes)->Arg(0)->Arg(3)->Arg(8)->Arg(9);

}  // namespace

BENCHMARK_MAIN();
