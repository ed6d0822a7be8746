/// Force and tangent of faces that pressure acts on: µs per face, one by one and in lanes.

#include <benchmark/benchmark.h>

#include <cmath>

#include "flexura/load/chamber_face.hpp"
#include "flexura/load/face_pressure.hpp"
#include "flexura/load/plate_load.hpp"
#include "flexura/math/pack.hpp"

namespace {

template <class E, class T>
struct Face {
  static constexpr int n = flexura::dofs_of<E>;

  Face() {
    typename E::template Params<T> p{};
    E::fields(p, [](auto& member, const flexura::Field& field) {
      if constexpr (std::is_same_v<std::remove_reference_t<decltype(member)>, T>)
        member = T(field.required() ? 1.0 : field.value);
    });
    for (int i = 0; i < n; ++i) x[i] = T(std::sin(2.0 * i + 1));
    if constexpr (requires { E::prepare(p, flexura::NoOptions{}, x); }) {
      data = E::prepare(p, {}, x);
    } else {
      data = p;
    }
  }
  flexura::DataOf<E, T> data;
  T x[n], signal[1] = {T(1e3)};
  flexura::Context<T> context{0, signal, signal};
};

template <class E, class T>
void per_face(benchmark::State& state) {
  state.counters["per_face"] = benchmark::Counter(static_cast<double>(state.iterations()) * sizeof(T) / sizeof(double),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
template <class E, class T>
void force(benchmark::State& state) {
  Face<E, T> f;
  T r[f.n];
  for (auto _ : state) {
    E::residual(f.data, {}, f.context, f.x, f.x, r);
    benchmark::DoNotOptimize(r);
    benchmark::ClobberMemory();
  }
  per_face<E, T>(state);
}
template <class E, class T>
void tangent(benchmark::State& state) {
  Face<E, T> f;
  alignas(64) T K[f.n * f.n];
  for (auto _ : state) {
    E::tangent(f.data, {}, f.context, f.x, f.x, 0.0, K);
    benchmark::DoNotOptimize(K);
    benchmark::ClobberMemory();
  }
  per_face<E, T>(state);
}

using namespace flexura;
#define FACE(E)                        \
  BENCHMARK(force<E, double>);         \
  BENCHMARK(force<E, flexura::Lanes>); \
  BENCHMARK(tangent<E, double>);       \
  BENCHMARK(tangent<E, flexura::Lanes>)

FACE(FacePressureT3);
FACE(FacePressureT6);
FACE(FacePressureQ4);
FACE(FacePressureQ8);
FACE(FacePressureQ9);
FACE(PlatePressure);
FACE(ChamberFaceT3);
FACE(ChamberFaceT6);
FACE(ChamberFaceQ4);
FACE(ChamberFaceQ8);
FACE(ChamberFaceQ9);
FACE(ChamberFacePlate);
FACE(ChamberCone);

}  // namespace

BENCHMARK_MAIN();
