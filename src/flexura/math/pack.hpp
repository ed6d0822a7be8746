#pragma once
// Lanes: W doubles that move together, one item or one simulation per lane.
//
// Every operation acts on each lane by itself with IEEE rules, so a lane's bits do not depend on W or on its neighbours.
// Transcendental functions call the scalar library lane by lane for the same reason.

#include <immintrin.h>

#include <cmath>
#include <cstdint>

namespace flexura {

#if defined(__AVX512F__) && defined(FLEXURA_LANES_8)
inline constexpr int native_lanes = 8;
#else
inline constexpr int native_lanes = 4;
#endif

/// The compiler's vector types (a vector_size that depends on a template parameter is lost by g++ 12).
template <int W>
struct LaneTypes;
#define FLEXURA_LANE_TYPES(W)                                        \
  template <>                                                        \
  struct LaneTypes<W> {                                              \
    typedef double Lanes __attribute__((vector_size(8 * (W))));      \
    typedef std::int64_t Bits __attribute__((vector_size(8 * (W)))); \
  };
FLEXURA_LANE_TYPES(1)
FLEXURA_LANE_TYPES(2)
FLEXURA_LANE_TYPES(4)
FLEXURA_LANE_TYPES(8)
#undef FLEXURA_LANE_TYPES

/// Truth value of each lane.
template <int W>
struct PackMask {
  using Bits = typename LaneTypes<W>::Bits;
  Bits bits;

  bool lane(int i) const { return bits[i] != 0; }
  void set(int i, bool value) { bits[i] = value ? -1 : 0; }
  friend PackMask operator&(PackMask a, PackMask b) { return {a.bits & b.bits}; }
  friend PackMask operator|(PackMask a, PackMask b) { return {a.bits | b.bits}; }
  friend PackMask operator!(PackMask a) { return {~a.bits}; }
};

template <int W>
struct Pack {
  using Lanes = typename LaneTypes<W>::Lanes;
  Lanes lanes;

  Pack() = default;
  Pack(double x) : lanes(broadcast(x)) {}  // NOLINT: broadcasting is the meaning of mixing doubles and packs
  explicit Pack(Lanes x) : lanes(x) {}
  // By hand: g++ 12 copies the trivial ones of a Vec through 8-byte registers.
  [[gnu::always_inline]] Pack(const Pack& x) : lanes(x.lanes) {}
  [[gnu::always_inline]] Pack& operator=(const Pack& x) { return lanes = x.lanes, *this; }

  static constexpr int size() { return W; }
  /// Not Lanes{} + x: that is an addition at run time, and turns −0 into +0.
  static Lanes broadcast(double x) {
    if constexpr (W == 4) {
      return Lanes{x, x, x, x};
    } else {
      Lanes out{};
      for (int i = 0; i < W; ++i) out[i] = x;
      return out;
    }
  }
  double operator[](int i) const { return lanes[i]; }
  void set(int i, double x) { lanes[i] = x; }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.lanes + b.lanes); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.lanes - b.lanes); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.lanes * b.lanes); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.lanes / b.lanes); }
  friend Pack operator-(Pack a) { return Pack(-a.lanes); }
  Pack& operator+=(Pack b) { return lanes += b.lanes, *this; }
  Pack& operator-=(Pack b) { return lanes -= b.lanes, *this; }
  Pack& operator*=(Pack b) { return lanes *= b.lanes, *this; }
  Pack& operator/=(Pack b) { return lanes /= b.lanes, *this; }

  friend PackMask<W> operator<(Pack a, Pack b) { return {a.lanes < b.lanes}; }
  friend PackMask<W> operator<=(Pack a, Pack b) { return {a.lanes <= b.lanes}; }
  friend PackMask<W> operator>(Pack a, Pack b) { return {a.lanes > b.lanes}; }
  friend PackMask<W> operator>=(Pack a, Pack b) { return {a.lanes >= b.lanes}; }
  friend PackMask<W> operator==(Pack a, Pack b) { return {a.lanes == b.lanes}; }
};

template <int W, class F>
Pack<W> each_lane(Pack<W> a, F f) {
  Pack<W> out;
  for (int i = 0; i < W; ++i) out.lanes[i] = f(a.lanes[i]);
  return out;
}

template <int W, class F>
Pack<W> each_lane(Pack<W> a, Pack<W> b, F f) {
  Pack<W> out;
  for (int i = 0; i < W; ++i) out.lanes[i] = f(a.lanes[i], b.lanes[i]);
  return out;
}

template <int W>
Pack<W> fma(Pack<W> a, Pack<W> b, Pack<W> c) {
  if constexpr (W == 4) return Pack<W>(_mm256_fmadd_pd(a.lanes, b.lanes, c.lanes));
#ifdef __AVX512F__
  if constexpr (W == 8) return Pack<W>(_mm512_fmadd_pd(a.lanes, b.lanes, c.lanes));
#endif
  Pack<W> out;
  for (int i = 0; i < W; ++i) out.lanes[i] = __builtin_fma(a.lanes[i], b.lanes[i], c.lanes[i]);
  return out;
}

template <int W>
Pack<W> sqrt(Pack<W> a) {
  if constexpr (W == 4) return Pack<W>(_mm256_sqrt_pd(a.lanes));
#ifdef __AVX512F__
  if constexpr (W == 8) return Pack<W>(_mm512_sqrt_pd(a.lanes));
#endif
  return each_lane(a, [](double x) { return std::sqrt(x); });
}

template <int W>
Pack<W> select(PackMask<W> mask, Pack<W> yes, Pack<W> no) {
  return Pack<W>(mask.bits ? yes.lanes : no.lanes);
}

template <int W>
Pack<W> abs(Pack<W> a) {
  using Bits = typename LaneTypes<W>::Bits;
  return Pack<W>(reinterpret_cast<typename Pack<W>::Lanes>(reinterpret_cast<Bits>(a.lanes) & (Bits{} + INT64_MAX)));
}
/// Larger of two; a NaN in either argument stays visible (unlike std::max).
template <int W>
Pack<W> max(Pack<W> a, Pack<W> b) {
  return Pack<W>(((a.lanes > b.lanes) | (a.lanes != a.lanes)) ? a.lanes : b.lanes);
}
template <int W>
Pack<W> min(Pack<W> a, Pack<W> b) {
  return Pack<W>(((a.lanes < b.lanes) | (a.lanes != a.lanes)) ? a.lanes : b.lanes);
}
template <int W>
Pack<W> sin(Pack<W> a) {
  return each_lane(a, [](double x) { return std::sin(x); });
}
template <int W>
Pack<W> cos(Pack<W> a) {
  return each_lane(a, [](double x) { return std::cos(x); });
}
template <int W>
Pack<W> exp(Pack<W> a) {
  return each_lane(a, [](double x) { return std::exp(x); });
}
template <int W>
Pack<W> log(Pack<W> a) {
  return each_lane(a, [](double x) { return std::log(x); });
}
template <int W>
Pack<W> atan2(Pack<W> y, Pack<W> x) {
  return each_lane(y, x, [](double s, double c) { return std::atan2(s, c); });
}

template <int W>
bool any(PackMask<W> m) {
  if constexpr (W == 4) return _mm256_movemask_pd(reinterpret_cast<__m256d>(m.bits)) != 0;
  std::int64_t seen = 0;
  for (int i = 0; i < W; ++i) seen |= m.bits[i];
  return seen != 0;
}
template <int W>
bool all(PackMask<W> m) {
  if constexpr (W == 4) return _mm256_movemask_pd(reinterpret_cast<__m256d>(m.bits)) == 15;
  std::int64_t seen = -1;
  for (int i = 0; i < W; ++i) seen &= m.bits[i];
  return seen != 0;
}

}  // namespace flexura
