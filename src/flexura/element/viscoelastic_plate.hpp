#pragma once

#include "flexura/element/ancf_plate_48_kernel.hpp"
#include "flexura/element/ancf_plate_60_kernel.hpp"

namespace flexura {

/// A full plate whose law relaxes: relaxing_law.hpp at its points, kernels of the plate. The energy of the change of volume, k/2 θ²,
/// and Kelvin–Voigt damping stay as they are.
template <class E>
struct ViscoelasticPlate {
  static constexpr std::string_view prefix = "viscoelastic_";
  static constexpr auto letters = [] {
    std::array<char, prefix.size() + E::name.size()> text{};
    for (size_t i = 0; i < text.size(); ++i) text[i] = i < prefix.size() ? prefix[i] : E::name[i - prefix.size()];
    return text;
  }();
  static constexpr std::string_view name{letters.data(), letters.size()};
  static constexpr int dim = E::dim;
  static constexpr auto slots = E::slots;
  static constexpr Role role = E::role;
  static constexpr int points = E::points, most_history = Relaxation<double>::history(points, most_branches);

  enum class Branches { one, two, three, four, five, six, seven, eight };
  struct Options {
    typename E::Options elastic{};
    Branches branches = Branches::one;
    bool operator==(const Options&) const = default;
    int count() const { return static_cast<int>(branches) + 1; }
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view counts[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    E::options(o.elastic, option);
    option(o.branches, Option{"branches", "terms of the Prony series", counts});
  }
  static bool symmetric(const Options& o) { return E::symmetric(o.elastic); }
  static bool uses_velocity(const Options& o) { return E::uses_velocity(o.elastic); }
  static int history(const Options& o) { return Relaxation<double>::history(points, o.count()); }

  template <class T>
  struct Params {
    typename E::template Params<T> elastic;
    Vec<most_branches, T> share, time;
  };
  static void fields(auto& p, auto&& field) {
    E::fields(p.elastic, field);
    field(p.share, Field{.name = "share",
                         .unit = "1",
                         .doc = "parts g of the stress of W that relax",
                         .value = 0,
                         .min = 0,
                         .below = 1});
    field(p.time, Field{.name = "time", .unit = "s", .doc = "their times tau", .value = 1, .above = 0});
  }

  template <class T>
  struct Data {
    typename E::template Data<T> elastic;
    Relaxation<T> relaxation;
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    return {E::prepare(p.elastic, o.elastic, X), Relaxation<T>(o.count(), p.share, p.time)};
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    E::mass(data.elastic, m);
  }

  /// a and N of this step.
  template <class T>
  struct Step {
    T factor, rest[6 * points];
    Step(const Data<T>& data, const Context<T>& c) { data.relaxation.over_step(points, c.past, c.h, factor, rest); }
    PlateLaw<T, LawOfStep<T>> law(const Data<T>& data, const Options& o) const {
      return {{o.elastic.choice(), data.elastic.constants, factor, rest}};
    }
  };
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, T* r) {
    const Step<T> step(data, c);
    E::force_of(step.law(data, o), data.elastic, o.elastic, x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Step<T> step(data, c);
    E::tangent_of(step.law(data, o), data.elastic, o.elastic, x, v, cd, K);
  }

  template <class T>
  using Points = typename E::template Points<T>;
  template <class T>
  static typename Relaxation<T>::Sums sums(const Data<T>& data, const Options& o, const Context<T>& c,
                                           const Points<T>& at) {
    return data.relaxation.sums(o.elastic.choice(), data.elastic.constants, points, c.past, at);
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>& c, const T* x) {
    const Points<T> at(data.elastic, o.elastic, x);
    return at.volume_energy() + data.relaxation.stored(points, c.past, c.h, sums(data, o, c, at));
  }
  template <class T>
  static T loss(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*) {
    return data.relaxation.lost(points, c.past, c.h, sums(data, o, c, Points<T>(data.elastic, o.elastic, x)));
  }
  template <class T>
  static void remember(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    data.relaxation.remember(o.elastic.choice(), data.elastic.constants, points, c.past, c.h,
                             Points<T>(data.elastic, o.elastic, x), next);
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v) {
    return E::dissipation(data.elastic, o.elastic, c, x, v);
  }

  static constexpr auto& probes = E::probes;
  /// N at the three levels from the points.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, double xi, double eta,
                    T* out) {
    const Step<T> step(data, c);
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
    const PlateLaw<T, LawOfStep<T>> law{{o.elastic.choice(), data.elastic.constants, step.factor, rest}};
    E::probe_of(law, data.elastic, o.elastic, x, xi, eta, out);
  }
};

using ViscoelasticAncfPlate48 = ViscoelasticPlate<AncfPlate48Kernel>;
using ViscoelasticAncfPlate60 = ViscoelasticPlate<AncfPlate60Kernel>;

}  // namespace flexura
