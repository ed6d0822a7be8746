/// Force and tangent of the 36-coordinate thin plate: µs per element, one by one and in lanes.

#include <benchmark/benchmark.h>

#include <cmath>

#include "flexura/element/ancf_thin_plate.hpp"

namespace {

using E = flexura::AncfThinPlate;

template <class T>
struct Element {
  explicit Element(E::Options o) : options(o) {
    E::Params<T> p{};
    p.length = T(0.3), p.width = T(0.2), p.rho_h = T(11.0);
    const double iso[6] = {1e4, 3e3, 1e4, 0, 0, 3500};
    for (int i = 0; i < 6; ++i)
      p.A[i] = T(iso[i]), p.D[i] = T(1e-2 * iso[i]), p.B[i] = T(0.0), p.top[i] = p.bottom[i] = T(0.0);
    for (int i = 0; i < 4; ++i) p.thickness_factor[i] = T(1.0);
    p.retardation = p.thickness = T(0.0);
    T X[36];
    for (int n = 0; n < 4; ++n)
      for (int i = 0; i < 9; ++i) {
        const double at[3] = {(n == 1 || n == 2) * 0.3, (n >= 2) * 0.2, 0};
        X[9 * n + i] = T(i < 3 ? at[i] : double(i / 3 - 1 == i % 3));
        x[9 * n + i] = X[9 * n + i] + T(0.02 * std::sin(3.0 * i + n));
      }
    data = E::prepare(p, options, X);
  }
  E::Options options;
  E::Data<T> data;
  T x[36];
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
  T r[36];
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
  alignas(64) T K[36 * 36];
  for (auto _ : state) {
    E::tangent(e.data, e.options, flexura::Context<T>{}, e.x, e.x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_element<T>(state);
}

// 0: full (16 points), 1: reduced (9 points)
BENCHMARK_TEMPLATE(force, double)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(force, flexura::Lanes)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(tangent, double)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(tangent, flexura::Lanes)->Arg(0)->Arg(1);

}  // namespace

BENCHMARK_MAIN();
