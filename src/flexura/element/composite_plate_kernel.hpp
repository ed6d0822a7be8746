#pragma once

#include "flexura/element/ancf_plate_48_kernel.hpp"
#include "flexura/element/ancf_plate_60_kernel.hpp"
#include "flexura/element/composite_plate.hpp"

namespace flexura {

/// Full plates whose wall relaxes, has fibres, grows: kernels of the plate with another law at its points and another reference.
///
///     F = F_e F_g(t),   F_g = Σ λ_i(ζ) e_i⊗e_i,   λ_i = 1 + growth_i u_i(t) + ζ growth_i′ u_i′(t)           [rodriguez1994]
///     ψ = W(C_e) by relaxing_law.hpp + U(J_e) + Σ fibre_law.hpp,   V = ∫ ψ dV_g,   dV_g = λ₁λ₂λ₃ dV
///
/// e_i: along the reference's r_x, across it in the surface, along the normal; ζ = ±½ at top and bottom. These are the axes of
/// PlateMetric, whose components of C growth divides by λ_i λ_j. The energy of the change of volume, k/2 θ², and Kelvin–Voigt damping
/// do not relax. Mass stays.                                                                               Units: SI.
template <class T>
struct CompositePlateLaw : LawOfStep<T> {
  FibresAtPoints<T> fibres;

  T energy(int k, const T (&C)[6]) const { return LawOfStep<T>::energy(k, C) + fibres.energy(k, C); }
  void stress(int k, const T (&C)[6], T (&S)[6]) const {
    LawOfStep<T>::stress(k, C, S);
    fibres.add_stress(k, C, S);
  }
  void stiffness(int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    LawOfStep<T>::stiffness(k, C, S, D);
    fibres.add_stiffness(k, C, S, D);
  }
};

template <class E, int vectors>
struct CompositePlateKernel : CompositePlate<vectors> {
  using Base = CompositePlate<vectors>;
  using Base::growths;
  using typename Base::Grows, typename Base::Options;
  template <class T>
  using Params = typename Base::template Params<T>;
  static constexpr int points = E::points, most_history = Relaxation<double>::history(points, most_branches);
  static int history(const Options& o) { return Relaxation<double>::history(points, o.count()); }

  template <class T>
  using Plate = typename E::template Data<T>;
  template <class T>
  struct Data {
    Plate<T> elastic;
    Relaxation<T> relaxation;
    FibreLaw<T> fibre[most_fibres];
    T direction[3 * most_fibres], growth[growths];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.elastic = E::prepare(p.elastic, o.elastic, X);
    data.relaxation = Relaxation<T>(o.count(), p.share, p.time);
    for (int f = 0; f < most_fibres; ++f) {
      data.fibre[f] = {p.fibre_stiffness[f], p.fibre_exponent[f], p.fibre_compression[f]};
      const Vec<3, T> along{p.fibre_direction[3 * f], p.fibre_direction[3 * f + 1], p.fibre_direction[3 * f + 2]};
      const T size = norm(along);
      (T(1.0) / select(size > T(0.0), size, T(1.0)) * along).store(data.direction + 3 * f);
    }
    for (int i = 0; i < growths; ++i) data.growth[i] = p.growth[i];
    return data;
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    constexpr int own_count = E::count, all = slots_of<Base>;
    T own[own_count * own_count];
    E::mass(data.elastic, own);
    for (int i = 0; i < own_count; ++i)
      for (int j = 0; j < own_count; ++j) m[i * all + j] = own[i * own_count + j];
  }

  template <class T>
  struct Growth {
    T of[growths];
    Growth(const Data<T>& data, const T* signal) {
      for (int i = 0; i < growths; ++i) of[i] = data.growth[i] * signal[i];
    }
    void operator()(PlateMetric<T>& metric, double zeta) const {
      metric.grow({fma(T(zeta), of[3], T(1.0) + of[0]), fma(T(zeta), of[4], T(1.0) + of[1]), T(1.0) + of[2]});
    }
  };
  /// The plate as it is in a step: grown, its law partly relaxed.
  template <class T>
  struct Step {
    const Data<T>& data;
    const Options& o;
    T factor, rest[6 * points];
    const Plate<T>* plate;
    Plate<T> grown;

    Step(const Data<T>& of, const Options& options, const Context<T>& c) : data(of), o(options), plate(&of.elastic) {
      data.relaxation.over_step(points, c.past, c.h, factor, rest);
      if (o.grows == Grows::no) return;
      grown = data.elastic;
      E::grow_reference(grown, Growth<T>(data, c.sig));
      plate = &grown;
    }
    Step(const Step&) = delete;
    ShapeLaw<T> shape() const { return {o.elastic.choice(), plate->constants}; }
    FibresAtPoints<T> fibres() const { return {o.fibres(), data.fibre, data.direction, true}; }
    PlateLaw<T, CompositePlateLaw<T>> law(const T* N) const {
      return {{{o.elastic.choice(), plate->constants, factor, N}, fibres()}};
    }
  };
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, T* r) {
    const Step<T> step(data, o, c);
    E::force_of(step.law(step.rest), *step.plate, o.elastic, x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Step<T> step(data, o, c);
    E::tangent_of(step.law(step.rest), *step.plate, o.elastic, x, v, cd, K);
  }

  template <class T>
  using Points = typename E::template Points<T>;
  template <class T>
  static typename Relaxation<T>::Sums sums(const Step<T>& step, const Context<T>& c, const Points<T>& at) {
    return step.data.relaxation.sums(step.shape(), points, c.past, at);
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>& c, const T* x) {
    const Step<T> step(data, o, c);
    const Points<T> at(*step.plate, o.elastic, x);
    T sum = at.volume_energy() + data.relaxation.stored(points, c.past, c.h, sums(step, c, at));
    for (int k = 0; k < points && o.fibres() > 0; ++k) {
      T C[6];
      const T weight = at(k, C);
      sum = fma(weight, step.fibres().energy(k, C), sum);
    }
    return sum;
  }
  template <class T>
  static T loss(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*) {
    if (o.count() == 0) return T(0.0);
    const Step<T> step(data, o, c);
    return data.relaxation.lost(points, c.past, c.h, sums(step, c, Points<T>(*step.plate, o.elastic, x)));
  }
  template <class T>
  static void remember(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    if (o.count() == 0) return;
    const Step<T> step(data, o, c);
    data.relaxation.remember(step.shape(), points, c.past, c.h, Points<T>(*step.plate, o.elastic, x), next);
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v) {
    if (o.elastic.damped == E::Damped::no) return T(0.0);
    return E::dissipation(*Step<T>(data, o, c).plate, o.elastic, c, x, v);
  }

  static constexpr auto& probes = E::probes;
  /// N at the three levels from the points. With growth strains, stresses and J are of what is left of the motion beside growth.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, double xi, double eta,
                    T* out) {
    const Step<T> step(data, o, c);
    T rest[3 * 6];
    for (int level = 0; level < 3; ++level)
      for (int p = 0; p < 6; ++p) {
        T& sum = rest[6 * level + p];
        sum = T(0.0);
        for (int k = 0; k < points; ++k) {
          const int s = k / 2;
          const double weight = lagrange<Gauss<3>, 3>(s % 3, xi) * lagrange<Gauss<3>, 3>(s / 3, eta) *
                                lagrange<Gauss<2>, 2>(k % 2, 0.5 * level);
          sum = fma(T(weight), step.rest[6 * k + p], sum);
        }
      }
    const Growth<T> growth(data, c.sig);
    const auto grow = [&](PlateMetric<T>& metric, double zeta) {
      if (o.grows == Grows::yes) growth(metric, zeta);
    };
    E::probe_of(step.law(rest), *step.plate, o.elastic, x, xi, eta, grow, out);
  }
};

using CompositeAncfPlate48 = CompositePlateKernel<AncfPlate48Kernel, 1>;
using CompositeAncfPlate60 = CompositePlateKernel<AncfPlate60Kernel, 2>;

}  // namespace flexura
