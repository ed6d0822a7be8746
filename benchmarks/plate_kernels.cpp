/// Force and tangent of the plates, 48, 60 and 36 coordinates: µs per element, one by one and in lanes.

#include <benchmark/benchmark.h>

#include <cmath>
#include <initializer_list>

#include "flexura/element/ancf_plate_48_kernel.hpp"
#include "flexura/element/ancf_plate_60_kernel.hpp"
#include "flexura/element/ancf_thin_plate_kernel.hpp"

namespace {

using flexura::AncfPlate48Kernel, flexura::AncfPlate60Kernel, flexura::AncfThinPlateKernel, flexura::ElasticLaw,
    flexura::VolumeForm;

template <class T, class P>
  requires requires(P& p) { p.bulk; }
void set_parameters(P& p) {
  p = {T(0.3), T(0.2), T(0.01), T(1100.0), {{T(2.7e5), T(3e4), T(-400.0)}}, T(1e9)};
}
template <class T>
void set_parameters(AncfThinPlateKernel::Params<T>& p) {
  const double isotropic[6] = {1e4, 3e3, 1e4, 0, 0, 3500};
  p.length = T(0.3), p.width = T(0.2), p.rho_h = T(11.0);
  for (int i = 0; i < 6; ++i) {
    p.A[i] = T(isotropic[i]), p.D[i] = T(1e-2 * isotropic[i]);
    p.B[i] = p.top[i] = p.bottom[i] = T(0.0);
  }
  for (int i = 0; i < 4; ++i) p.thickness_factor[i] = T(1.0);
  p.retardation = p.thickness = T(0.0);
}

/// Constants of those laws of which the first is no modulus of a power of I₁ − 3.
template <class T>
void set_law(ElasticLaw law, auto& p) {
  const auto set = [&](std::initializer_list<double> constants) {
    int i = 0;
    for (const double c : constants) p.constants[i++] = T(c);
  };
  if (law == ElasticLaw::ogden) set({6.3e5, 1.3, 1.2e3, 5.0, -1.0e4, -2.0});
  if (law == ElasticLaw::gent) set({5.4e5, 50});
  if (law == ElasticLaw::arruda_boyce) set({5.4e5, 3});
}

template <class E, class T>
struct Element {
  static constexpr int n = flexura::dofs_of<E>;

  explicit Element(typename E::Options o, double retardation = 0) : options(o) {
    typename E::template Params<T> p{};
    set_parameters<T>(p);
    if constexpr (requires { o.law; }) set_law<T>(o.law, p);
    if constexpr (requires { p.retardation; }) p.retardation = T(retardation);
    T X[n];
    for (int node = 0; node < 4; ++node)
      for (int i = 0; i < n / 4; ++i) {
        const double at[3] = {(node == 1 || node == 2) * 0.3, (node >= 2) * 0.2, 0};
        X[n / 4 * node + i] = T(i < 3 ? at[i] : double(i / 3 - 1 == i % 3));
        x[n / 4 * node + i] = X[n / 4 * node + i] + T(0.02 * std::sin(3.0 * i + node));
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

/// The option that is measured: the law of full plates, the rule of thin ones.
template <class E>
typename E::Options options(benchmark::State& state) {
  if constexpr (requires { typename E::Integration; }) {
    return {typename E::Integration(state.range(0))};
  } else {
    return {static_cast<ElasticLaw>(state.range(0)), VolumeForm::isochoric, E::Volume::reduced};
  }
}

template <class E, class T>
void force(benchmark::State& state) {
  Element<E, T> e(options<E>(state));
  T r[e.n];
  for (auto _ : state) {
    E::residual(e.data, e.options, flexura::Context<T>{}, e.x, e.x, r);
    benchmark::DoNotOptimize(r);
    benchmark::ClobberMemory();
  }
  per_element<E, T>(state);
}
template <class E, class T>
void tangent(benchmark::State& state) {
  Element<E, T> e(options<E>(state));
  alignas(64) T K[e.n * e.n];
  for (auto _ : state) {
    E::tangent(e.data, e.options, flexura::Context<T>{}, e.x, e.x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_element<E, T>(state);
}

/// Kelvin–Voigt, Koiter's curvature.
template <class T>
void damped_tangent(benchmark::State& state) {
  using E = AncfThinPlateKernel;
  Element<E, T> e({E::Integration(state.range(0)), E::Curvature::koiter, E::Damped::yes}, 1e-3);
  alignas(64) T K[e.n * e.n];
  for (auto _ : state) {
    E::tangent(e.data, e.options, flexura::Context<T>{}, e.x, e.x, 1e3, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_element<E, T>(state);
}

// Full plates: 0 St. Venant–Kirchhoff, 1 neo-Hooke, 2 Mooney–Rivlin, 3 Yeoh, 4 Ogden, 5 Gent, 6 Arruda–Boyce; 48 by the paper's rule (27 points), 60 mixed (18)
BENCHMARK_TEMPLATE(force, AncfPlate48Kernel, double)->Arg(0)->Arg(3);
BENCHMARK_TEMPLATE(force, AncfPlate48Kernel, flexura::Lanes)->Arg(0)->Arg(3);
BENCHMARK_TEMPLATE(tangent, AncfPlate48Kernel, double)->Arg(0)->Arg(3);
BENCHMARK_TEMPLATE(tangent, AncfPlate48Kernel, flexura::Lanes)->DenseRange(0, 6);
BENCHMARK_TEMPLATE(force, AncfPlate60Kernel, flexura::Lanes)->Arg(0)->Arg(3);
BENCHMARK_TEMPLATE(tangent, AncfPlate60Kernel, double)->Arg(0)->Arg(3);
BENCHMARK_TEMPLATE(tangent, AncfPlate60Kernel, flexura::Lanes)->DenseRange(0, 6);
// AncfThinPlate: 0 full (16 points), 1 reduced (9 points)
BENCHMARK_TEMPLATE(force, AncfThinPlateKernel, double)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(force, AncfThinPlateKernel, flexura::Lanes)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(tangent, AncfThinPlateKernel, double)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(tangent, AncfThinPlateKernel, flexura::Lanes)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(damped_tangent, double)->Arg(0)->Arg(1);
BENCHMARK_TEMPLATE(damped_tangent, flexura::Lanes)->Arg(0)->Arg(1);

}  // namespace

BENCHMARK_MAIN();
