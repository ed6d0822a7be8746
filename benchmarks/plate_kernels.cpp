/// Force and tangent of the 48-coordinate plate: µs per element, one by one and in lanes.

#include <benchmark/benchmark.h>

#include <cmath>

#include "flexura/element/ancf_plate.hpp"

namespace {

using E = flexura::AncfPlate;

template <class T>
struct Element {
  explicit Element(E::Options o) : options(o) {
    const E::Params<T> p{T(0.3), T(0.2), T(0.01), T(1100.0), T(1e6), T(0.3)};
    T X[48];
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 12; ++i) {
        const double at[3] = {(n == 1 || n == 2) * 0.3, (n >= 2) * 0.2, 0};
        X[12 * n + i] = T(i < 3 ? at[i] : double(i / 3 - 1 == i % 3));
        x[12 * n + i] = X[12 * n + i] + T(0.02 * std::sin(3.0 * i + n));
      }
    data = E::prepare(p, options, X);
  }
  E::Options options;
  E::Data<T> data;
  T x[48];
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
  Element<T> e({E::Integration(state.range(0))});
  T r[48];
  for (auto _ : state) {
    E::residual(e.data, e.options, flexura::Context<T>{}, e.x, e.x, r);
    benchmark::DoNotOptimize(r);
    benchmark::ClobberMemory();
  }
  per_element<T>(state);
}
template <class T>
void tangent(benchmark::State& state) {
  Element<T> e({E::Integration(state.range(0))});
  alignas(64) T K[48 * 48];
  for (auto _ : state) {
    E::tangent(e.data, e.options, flexura::Context<T>{}, e.x, e.x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_element<T>(state);
}

// 0: poisson (27 points), 2: full (18 points)
BENCHMARK_TEMPLATE(force, double)->Arg(0)->Arg(2);
BENCHMARK_TEMPLATE(force, flexura::Lanes)->Arg(0)->Arg(2);
BENCHMARK_TEMPLATE(tangent, double)->Arg(0)->Arg(2);
BENCHMARK_TEMPLATE(tangent, flexura::Lanes)->Arg(0)->Arg(2);

}  // namespace

BENCHMARK_MAIN();
