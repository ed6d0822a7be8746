#pragma once

#include "flexura/element/relaxing_term.hpp"

namespace flexura {

/// An elastic term E whose stiffness relaxes: the Prony series of prony.hpp acts on each of its strains.
///
/// E says what its strains are and how to be free of stress elsewhere; its kernels are used as they are:
///     strain_count, strains(data, o, x, e)     strains, less those of the stress-free state; also (data, o, c, x, e) of angles
///                                              that count revolutions, from c.past[0], the first strain at t_n
///     set_free(data, o, factor, shift)         stiffness × factor, free of stress at the strains `shift`
/// Over a step  S = a C (e − ê),  a = g∞ + Σ gᵢ βᵢ,  a ê = Σ gᵢ (βᵢ e_n − Eᵢ εᵢ,n): an elastic term again, so that tangent,
/// symmetry and objectivity are those of E. All stiffnesses relax alike. Kelvin–Voigt damping of E stays C θ ė.
/// History: e_n, then εᵢ of each branch.
template <class E>
struct Viscoelastic : RelaxingTerm<E> {
  using typename RelaxingTerm<E>::Options;
  template <class T>
  using Params = typename RelaxingTerm<E>::template Params<T>;
  static constexpr int strains = E::strain_count, most_history = strains * (1 + most_branches);
  static int history(const Options& o) { return strains * (1 + o.count()); }

  static void fields(auto& p, auto&& field) {
    E::fields(p.elastic, field);
    prony_fields(p, field, "parts g of the stiffness that relax");
  }

  template <class T>
  struct Data {
    DataOf<E, T> elastic;
    T share[most_branches], time[most_branches], lasting;  ///< g∞
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    if constexpr (detail::has_data<E>) {
      data.elastic = E::prepare(p.elastic, o.elastic, X);
    } else {
      data.elastic = p.elastic;
    }
    data.lasting = T(1.0);
    for (int i = 0; i < most_branches; ++i) {
      data.share[i] = p.share.c[i];
      data.time[i] = p.time.c[i];
      if (i < o.count()) data.lasting -= p.share.c[i];
    }
    return data;
  }

  template <class T>
  static void mass(const Data<T>& data, T* m)
    requires HasMass<E>
  {
    E::mass(data.elastic, m);
  }

  template <class T>
  static void strains_of(const DataOf<E, T>& elastic, const Options& o, const Context<T>& c, const T* x, T* e) {
    if constexpr (requires { E::strains(elastic, o.elastic, c, x, e); }) {
      E::strains(elastic, o.elastic, c, x, e);
    } else {
      E::strains(elastic, o.elastic, x, e);
    }
  }

  /// a and ê of this step.
  template <class T>
  struct Step {
    T factor, shift[strains];
    Step(const Data<T>& data, const Options& o, const Context<T>& c) : factor(data.lasting) {
      for (T& s : shift) s = T(0.0);
      for (int i = 0; i < o.count(); ++i) {
        const MaxwellStep<T> step(data.time[i], c.h);
        const T *before = c.past, *branch = c.past + (i + 1) * strains;
        const T gain = data.share[i] * step.gain, keep = data.share[i] * step.keep;
        factor += gain;
        for (int k = 0; k < strains; ++k) shift[k] = fma(gain, before[k], fma(-keep, branch[k], shift[k]));
      }
      const T inverse = T(1.0) / factor;
      for (T& s : shift) s *= inverse;
    }
  };
  /// The elastic term of this step.
  template <class T>
  static DataOf<E, T> of_step(const Data<T>& data, const Options& o, const Context<T>& c) {
    const Step<T> step(data, o, c);
    DataOf<E, T> elastic = data.elastic;
    E::set_free(elastic, o.elastic, step.factor, step.shift);
    return elastic;
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, T* r) {
    E::residual(of_step(data, o, c), o.elastic, c, x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    E::tangent(of_step(data, o, c), o.elastic, c, x, v, cd, K);
  }
  template <class T>
  static void remember(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    strains_of(data.elastic, o, c, x, next);
    for (int i = 0; i < o.count(); ++i) {
      const MaxwellStep<T> step(data.time[i], c.h);
      const T* branch = c.past + (i + 1) * strains;
      for (int k = 0; k < strains; ++k)
        next[(i + 1) * strains + k] = fma(step.keep, branch[k], step.gain * (next[k] - c.past[k]));
    }
  }

  /// Energies of springs of the stiffness g C at other strains u than the term's: that of E, free of stress at e − u.
  template <class T>
  struct Springs {
    const Data<T>& data;
    const Options& o;
    const Context<T>& c;
    const T* x;
    T e[strains], other;  ///< what E stores that does not relax

    Springs(const Data<T>& d, const Options& options, const Context<T>& context, const T* at)
        : data(d), o(options), c(context), x(at) {
      strains_of(data.elastic, o, c, x, e);
      other = T(0.0);
      const T zero[strains]{};
      other = energy_of(T(0.0), [&](int k) { return zero[k]; });
    }
    T energy_of(const T& factor, auto&& u) const {
      T shift[strains];
      for (int k = 0; k < strains; ++k) shift[k] = e[k] - u(k);
      DataOf<E, T> elastic = data.elastic;
      E::set_free(elastic, o.elastic, factor, shift);
      return E::energy(elastic, o.elastic, c, x) - other;
    }
  };
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>& c, const T* x) {
    const Springs<T> springs(data, o, c, x);
    T sum = springs.other + springs.energy_of(data.lasting, [&](int k) { return springs.e[k]; });
    for (int i = 0; i < o.count(); ++i) {
      const MaxwellStep<T> step(data.time[i], c.h);
      const T* branch = c.past + (i + 1) * strains;
      sum += springs.energy_of(
          data.share[i], [&](int k) { return fma(step.keep, branch[k], step.gain * (springs.e[k] - c.past[k])); });
    }
    return sum;
  }
  template <class T>
  static T loss(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*) {
    const Springs<T> springs(data, o, c, x);
    T sum = T(0.0);
    for (int i = 0; i < o.count(); ++i) {
      const MaxwellStep<T> step(data.time[i], c.h);
      const T* branch = c.past + (i + 1) * strains;
      const auto moved = [&](int k) { return springs.e[k] - c.past[k]; };
      sum += step.spent * springs.energy_of(data.share[i], [&](int k) { return fma(step.turn, moved(k), branch[k]); });
      sum += step.along * springs.energy_of(data.share[i], moved);
    }
    return sum;
  }
  static constexpr auto probes = [] {
    if constexpr (requires { E::probes; }) {
      return std::to_array(E::probes);
    } else {
      return std::array<std::string_view, 0>{};
    }
  }();
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, double xi, double eta,
                    T* out) {
    const Step<T> step(data, o, c);
    if constexpr (requires { E::probe(data.elastic, o.elastic, x, xi, eta, step.factor, step.shift, out); }) {
      E::probe(data.elastic, o.elastic, x, xi, eta, step.factor, step.shift, out);
    } else if constexpr (requires { E::probe(data.elastic, o.elastic, x, xi, step.factor, step.shift, out); }) {
      E::probe(data.elastic, o.elastic, x, xi, step.factor, step.shift, out);
    }
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v)
    requires HasDissipation<E>
  {
    return E::dissipation(data.elastic, o.elastic, c, x, v);
  }
};

}  // namespace flexura
