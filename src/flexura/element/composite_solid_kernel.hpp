#pragma once

#include "flexura/element/composite_law.hpp"
#include "flexura/element/composite_solid.hpp"
#include "flexura/element/solid_directions.hpp"
#include "flexura/element/solid_kernel.hpp"

namespace flexura {

/// Solids whose matrix relaxes, that have fibres, that grow: the solid of solid_kernel.hpp with another law at its points.
///
///     F = F_e F_g(t),   F_g = Σ λ_i e_i⊗e_i,   λ_i = 1 + growth_i u_i(t)                          [rodriguez1994]
///     ψ = W(C_e) by relaxing_law.hpp + U(J_e) + Σ fibre_law.hpp,   V = ∫ ψ dV_g,   dV_g = λ₁λ₂λ₃ dV
///
/// e_i: axes of the item, or from an axis away, around it and along it; C_e = F_eᵀ F_e. Growth is another reference: ∂ξ/∂X F_g⁻¹ in
/// place of ∂ξ/∂X and w λ₁λ₂λ₃ in place of w, so with λ's that are the same at all points the kernels and the modes of the change of
/// volume (scaled by √(λ₁λ₂λ₃)) are those of the solid. Mass stays.                                Units: SI.
template <SolidKind its_kind>
struct CompositeSolidKernel : CompositeSolidElement<its_kind> {
  using Base = CompositeSolidElement<its_kind>;
  using Plain = SolidKernel<its_kind>;
  using Options = CompositeSolid::Options;
  using Grows = CompositeSolid::Grows;
  using Base::kind, Base::nodes;
  static constexpr int places = Plain::places, modes = Plain::modes;
  static constexpr int most_history = Relaxation<double>::history(places, most_branches);
  static int history(const Options& o) { return Relaxation<double>::history(places, o.count()); }

  template <class T>
  using Params = CompositeSolid::Params<T>;
  template <class T>
  struct Data {
    typename Plain::template Data<T> elastic;
    ElasticConstants<T> shape;  ///< of what relaxes
    T trace_bulk;
    Relaxation<T> relaxation;
    FibreLaw<T> fibre[most_fibres];
    T component[3 * most_fibres], about[most_fibres], growth[3];
    SolidDirections<T> directions;
    T direction[3 * most_fibres * places];
    T axes[9 * places];  ///< of growth
  };

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.elastic = Plain::prepare(p.elastic, o.elastic, X);
    data.trace_bulk = split_shape(o.elastic.law, data.elastic.constants, data.shape);
    data.relaxation = Relaxation<T>(o.count(), p.share, p.time);
    for (int f = 0; f < most_fibres; ++f) {
      data.fibre[f] = {p.fibre_stiffness[f], p.fibre_exponent[f], p.fibre_compression[f]};
      data.about[f] = p.fibre_about[f];
    }
    for (int i = 0; i < 3 * most_fibres; ++i) data.component[i] = p.fibre_direction[i];
    for (int i = 0; i < 3; ++i) data.growth[i] = p.growth[i];
    data.directions = SolidDirections<T>(p.center, p.axis, p.first);
    for (int k = 0; k < places; ++k) {
      const SolidPlace place = solid_place(kind, k);
      set_directions(data, o, X, place.x[0], place.x[1], place.x[2], data.direction + 3 * most_fibres * k,
                     data.axes + 9 * k);
    }
    return data;
  }
  /// Of fibres and of growth at a place.
  template <class T>
  [[gnu::noinline]] static void set_directions(const Data<T>& data, const Options& o, const T* X, double xi, double eta,
                                               double zeta, T* fibre, T* growth) {
    T at[3], round[9];
    solid_position(solid_functions(kind, xi, eta, zeta), nodes, X, at);
    data.directions.about_axis(at, round);
    for (int i = 0; i < 9; ++i) growth[i] = o.grows == Grows::about_axis ? round[i] : data.directions.axes[i];
    for (int f = 0; f < most_fibres; ++f)
      data.directions.along(data.component + 3 * f, data.about[f], at, fibre + 3 * f);
  }

  /// λ₁, λ₂, λ₃ and their product.
  template <class T>
  struct Growth {
    T per[3], volume;
    Growth(const Data<T>& data, const T* signal) : volume(1.0) {
      for (int i = 0; i < 3; ++i) {
        const T stretch = fma(data.growth[i], signal[i], T(1.0));
        per[i] = T(1.0) / stretch;
        volume = volume * stretch;
      }
    }
    /// inverse F_g⁻¹, F_g⁻¹ = Σ e_i⊗e_i/λ_i
    void apply(const T* e, T (&inverse)[9]) const {
      for (int a = 0; a < 3; ++a) {
        T along[3];
        for (int i = 0; i < 3; ++i)
          along[i] = per[i] * fma(inverse[3 * a], e[3 * i],
                                  fma(inverse[3 * a + 1], e[3 * i + 1], inverse[3 * a + 2] * e[3 * i + 2]));
        for (int b = 0; b < 3; ++b)
          inverse[3 * a + b] = fma(along[0], e[b], fma(along[1], e[3 + b], along[2] * e[6 + b]));
      }
    }
  };

  /// The solid as it is in a step: grown, its law partly relaxed.
  template <class T>
  struct Step {
    SolidGaussPoint<T> point[places];
    T mode[places * modes], shift[modes], rest[6 * places], factor;
    SolidView<T, CompositeLaw<T>> view;

    Step(const Data<T>& data, const Options& o, const Context<T>& c)
        : view{Plain::rule,
               law_of(data, o, rest),
               o.elastic.formulation == Solid::Formulation::mixed,
               o.elastic.damped == Solid::Damped::yes,
               data.elastic.modal,
               data.elastic.pointwise,
               data.elastic.viscosity,
               data.elastic.point,
               data.elastic.mode,
               data.elastic.shift} {
      data.relaxation.over_step(places, c.past, c.h, factor, rest);
      view.law.matrix.factor = factor;
      if (o.grows != Grows::no) grow(data, c);
    }
    void grow(const Data<T>& data, const Context<T>& c) {
      const Growth<T> growth(data, c.sig);
      const T root = sqrt(growth.volume), per = T(1.0) / root;
      for (int k = 0; k < places; ++k) {
        point[k] = data.elastic.point[k];
        growth.apply(data.axes + 9 * k, point[k].inverse);
        point[k].weight = growth.volume * point[k].weight;
      }
      for (int i = 0; i < places * modes; ++i) mode[i] = root * data.elastic.mode[i];
      for (int a = 0; a < modes; ++a) shift[a] = per * data.elastic.shift[a];
      view.point = point, view.mode = mode, view.shift = shift;
    }
    static CompositeLaw<T> law_of(const Data<T>& data, const Options& o, const T* rest) {
      return {{{o.elastic.law, o.elastic.form}, data.shape, T(1.0), rest},
              data.trace_bulk,
              {o.fibres(), data.fibre, data.direction}};
    }
    ShapeLaw<T> shape(const Data<T>& data) const { return {view.law.matrix.choice, data.shape}; }
    /// For Relaxation: the strains of x.
    auto points(const SolidStrain<T>* strain) const {
      return [this, strain](int k, T(&C)[6]) {
        strain[k].cauchy_green(C);
        return view.point[k].weight;
      };
    }
    typename Relaxation<T>::Sums sums(const Data<T>& data, const Context<T>& c, const T* x) const {
      SolidStrain<T> strain[places];
      solid_strains(view, x, strain);
      return data.relaxation.sums(shape(data), places, c.past, points(strain));
    }
  };

  template <class T>
  static void mass(const Data<T>& data, T* m) {
    T own[nodes * nodes];
    Plain::mass(data.elastic, own);
    constexpr int all = slots_of<Base>;
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) m[i * all + j] = own[i * nodes + j];
  }
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, T* r) {
    solid_force(Step<T>(data, o, c).view, x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    solid_tangent(Step<T>(data, o, c).view, x, v, cd, K);
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>& c, const T* x) {
    const Step<T> step(data, o, c);
    return energy_beside(step.view, x) + data.relaxation.stored(places, c.past, c.h, step.sums(data, c, x));
  }
  template <class T>
  static T energy_beside(const SolidView<T, CompositeLaw<T>>& view, const T* x) {
    return solid_energy(SolidView<T, LawBeside<T>>{view.rule,
                                                   {view.law},
                                                   view.mixed,
                                                   view.damped,
                                                   view.modal,
                                                   view.pointwise,
                                                   view.viscosity,
                                                   view.point,
                                                   view.mode,
                                                   view.shift},
                        x);
  }
  template <class T>
  static T loss(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*) {
    if (o.count() == 0) return T(0.0);
    return data.relaxation.lost(places, c.past, c.h, Step<T>(data, o, c).sums(data, c, x));
  }
  template <class T>
  static void remember(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    if (o.count() == 0) return;
    const Step<T> step(data, o, c);
    SolidStrain<T> strain[places];
    solid_strains(step.view, x, strain);
    data.relaxation.remember(step.shape(data), places, c.past, c.h, step.points(strain), next);
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v) {
    return o.elastic.damped == Solid::Damped::yes ? solid_dissipation(Step<T>(data, o, c).view, x, v) : T(0.0);
  }

  template <class T>
  static void probe(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, double xi, double eta,
                    double zeta, T* out) {
    const Step<T> step(data, o, c);
    T fibre[3 * most_fibres], axes[9], there[6];
    set_directions(data, o, data.elastic.reference, xi, eta, zeta, fibre, axes);
    double weight[most_solid_places];
    solid_place_weights(kind, xi, eta, zeta, weight);
    for (int p = 0; p < 6; ++p) {
      there[p] = T(0.0);
      for (int k = 0; k < places; ++k) there[p] = fma(T(weight[k]), step.rest[6 * k + p], there[p]);
    }
    CompositeLaw<T> law = step.view.law;
    law.matrix.rest = there;
    law.fibres.direction = fibre;
    const Growth<T> growth(data, c.sig);
    const bool grows = o.grows != Grows::no;
    T C[6];
    solid_probe(
        step.view, law, {data.elastic.polynomial, data.elastic.center}, data.elastic.reference, x, xi, eta, zeta,
        [&](T(&inverse)[9]) {
          if (grows) growth.apply(axes, inverse);
        },
        grows ? T(1.0) / sqrt(growth.volume) : T(1.0), C, out);
    T longest(0.0);
    for (int f = 0; f < o.fibres(); ++f) {
      T A[6];
      dyad(fibre + 3 * f, A);
      longest = max(longest, sqrt(fibre_strain(A, C) + T(1.0)));
    }
    out[CompositeSolid::fibre_probe] = o.fibres() > 0 ? longest : T(1.0);
  }

  // For tangents of predicted stresses, as the solid's; growth scales the modes in each step.
  static constexpr int strain_count = modes;
  template <class T>
  static void strains(const Data<T>& data, const Options& o, const T* x, T* c) {
    Plain::strains(data.elastic, o.elastic, x, c);
  }
  template <class T>
  static void set_free(Data<T>& data, const Options& o, const T& factor, const T* shift) {
    Plain::set_free(data.elastic, o.elastic, factor, shift);
  }
};

using CompositeSolidHexahedron8 = CompositeSolidKernel<SolidKind::hexahedron_8>;
using CompositeSolidHexahedron20 = CompositeSolidKernel<SolidKind::hexahedron_20>;
using CompositeSolidHexahedron27 = CompositeSolidKernel<SolidKind::hexahedron_27>;
using CompositeSolidTetrahedron4 = CompositeSolidKernel<SolidKind::tetrahedron_4>;
using CompositeSolidTetrahedron10 = CompositeSolidKernel<SolidKind::tetrahedron_10>;

}  // namespace flexura
