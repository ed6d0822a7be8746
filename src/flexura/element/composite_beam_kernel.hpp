#pragma once

#include "flexura/element/ancf_beam_24_kernel.hpp"
#include "flexura/element/composite_beam.hpp"

namespace flexura {

/// Full beam that relaxes: the kernel of the beam with the law of relaxing_law.hpp at its points, which sees Ĉ
/// (ancf_beam_24_kernel.hpp). The change of volume, k/2 θ², and Kelvin–Voigt damping do not relax.        Units: SI.
struct CompositeBeamKernel : CompositeBeam {
  using Beam = AncfBeam24Kernel;
  static constexpr int most_history = Relaxation<double>::history(Beam::most_points, most_branches);
  static int history(const Options& o) { return Relaxation<double>::history(Beam::points(o.elastic), o.count()); }

  template <class T>
  struct Data {
    Beam::Data<T> elastic;
    Relaxation<T> relaxation;
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    return {Beam::prepare(p.elastic, o.elastic, X), Relaxation<T>(o.count(), p.share, p.time)};
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    Beam::mass(data.elastic, m);
  }

  /// The law in a step.
  template <class T>
  struct Step {
    const Data<T>& data;
    const Options& o;
    T factor, rest[6 * Beam::most_points];

    Step(const Data<T>& of, const Options& options, const Context<T>& c) : data(of), o(options) {
      data.relaxation.over_step(Beam::points(o.elastic), c.past, c.h, factor, rest);
    }
    Step(const Step&) = delete;
    PlateLaw<T, LawOfStep<T>> law() const { return {{o.elastic.choice(), data.elastic.constants, factor, rest}}; }
  };
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, T* r) {
    const Step<T> step(data, o, c);
    Beam::force_of(step.law(), data.elastic, o.elastic, x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Step<T> step(data, o, c);
    Beam::tangent_of(step.law(), data.elastic, o.elastic, x, v, cd, K);
  }

  template <class T>
  static ShapeLaw<T> shape(const Data<T>& data, const Options& o) {
    return {o.elastic.choice(), data.elastic.constants};
  }
  template <class T>
  using PointsNow = Beam::PointsNow<T>;
  template <class T>
  static typename Relaxation<T>::Sums sums(const Data<T>& data, const Options& o, const Context<T>& c,
                                           const PointsNow<T>& at) {
    return data.relaxation.sums(shape(data, o), Beam::points(o.elastic), c.past, at);
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>& c, const T* x) {
    const PointsNow<T> at(data.elastic, o.elastic, x);
    return at.volume_energy() + data.relaxation.stored(Beam::points(o.elastic), c.past, c.h, sums(data, o, c, at));
  }
  template <class T>
  static T loss(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*) {
    if (o.count() == 0) return T(0.0);
    const PointsNow<T> at(data.elastic, o.elastic, x);
    return data.relaxation.lost(Beam::points(o.elastic), c.past, c.h, sums(data, o, c, at));
  }
  template <class T>
  static void remember(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    if (o.count() == 0) return;
    data.relaxation.remember(shape(data, o), Beam::points(o.elastic), c.past, c.h,
                             PointsNow<T>(data.elastic, o.elastic, x), next);
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v) {
    return Beam::dissipation(data.elastic, o.elastic, c, x, v);
  }

  static constexpr auto& probes = Beam::probes;
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, double xi, double, T* out) {
    const Step<T> step(data, o, c);
    Beam::probe_of(step.law(), data.elastic, o.elastic, x, xi, out);
  }
};

}  // namespace flexura
