#pragma once
// What a full beam does at its points, station by station of its axis (ancf_beam_24_kernel.hpp).

#include "flexura/element/full_beam_rotation.hpp"

namespace flexura {

/// With σ = ln(J₀/J), κ_p the power of s in Ĉ_p (ν₁ of xy, 2 ν₁ of yy, …), T_p = s^κ S_p and τ = Σ κ_p T_p ε_p, ε = C/2 and shears C,
///     ∂V/∂ε_p = T_p + τ ∂σ/∂ε_p,   ∂τ/∂ε_p = κ_p T_p + Σ_q s^κ D_pq s^κ κ_q ε_q,   ∂τ/∂σ = Σ κ_p ε_p ∂τ/∂ε_p
///     r = −Σ N_p B_p − Σ V_s g_s,   K = Σ M_pq B_p⊗B_q + Σ N_p A_p + Σ (c_s⊗g_s + g_s⊗c_s + V_s ∂g_s/∂u) + Σ V_st g_s⊗g_t
///     N = ∂V/∂e, M = ∂²V/∂e∂e of a station, B_p = A_p u; of the element s, t: p and w, g = ∂(p, w)/∂u, c_s = Σ B_p ∂²V/∂e_p∂s

struct FullBeamPoint : AncfBeam24 {
  static constexpr int most_points = 4 * most_section_points, strain_pairs = beam_strains * (beam_strains + 1) / 2;

  template <class T>
  struct Data {
    T inv_l, size[2];
    ElasticConstants<T> constants;
    T exponent[2];
    SectionMap<T> axis, map[most_section_points];
    PlateMetric<T> at_axis[4], metric[most_points];  ///< station by station
    T viscous[4][strain_pairs];                      ///< V of each station (full_beam_damping.hpp), where it is damped
    T mass[count * (count + 1) / 2];
  };

  static int stations(const Options& o) { return stations_of(o).count; }
  static int points(const Options& o) { return stations(o) * section_points(o.section, o.points); }

  template <class T>
  static PlateLaw<T> law_of(const Data<T>& data, const Options& o) {
    return {{o.choice(), data.constants}};
  }
  static bool contracts(const Options& o) { return o.strains == Strains::enhanced; }
  static bool has_volume_on_axis(const Options& o) { return o.strains == Strains::selective; }

  /// Of a station: C of the axis, and of a point Ĉ with what it is made of.
  template <class T>
  struct Station {
    const Data<T>& data;
    const Options& o;
    const RotationFactors<T>& factors;
    int index;
    T plain[beam_strains], e[beam_parts], axis[6],
        J0;  ///< e without and with its factors; J0 over that of the reference

    Station(const Data<T>& of, const Options& options, const BeamVectors<T>& u, const RotationFactors<T>& rotation,
            int s)
        : data(of), o(options), factors(rotation), index(s) {
      u.strains(stations_of(o).forms[s], e);
      for (int p = 0; p < beam_strains; ++p) plain[p] = e[p];
      if (contracts(o)) factors.apply(is_middle(), e);
      data.axis.metric(e, axis);
      J0 = VolumeChange<T>(axis).J / data.at_axis[s].root;
    }
    bool is_middle() const { return index == 1; }
    const PlateMetric<T>& metric(int k) const { return data.metric[index * section_points(o.section, o.points) + k]; }
  };
  template <class T>
  struct Contracted {
    T C[6], scale[6];
    VolumeChange<T> change;
    Contracted(const Station<T>& station, int k) : Contracted(station, station.metric(k), point_metric(station, k)) {}
    /// Ĉ
    void metric(T (&hat)[6]) const {
      for (int p = 0; p < 6; ++p) hat[p] = scale[p] * C[p];
    }

   private:
    struct Metric {
      T C[6];
    };
    static Metric point_metric(const Station<T>& station, int k) {
      Metric out;
      station.data.map[k].metric(station.e, out.C);
      return out;
    }
    Contracted(const Station<T>& station, const PlateMetric<T>& metric, const Metric& m) : change(m.C) {
      for (int p = 0; p < 6; ++p) C[p] = m.C[p];
      const T sigma = log(station.J0 * metric.root / change.J);
      const T s1 = exp(station.data.exponent[0] * sigma), s2 = exp(station.data.exponent[1] * sigma);
      scale[0] = T(1.0), scale[1] = s1 * s1, scale[2] = s2 * s2, scale[3] = s1 * s2, scale[4] = s2, scale[5] = s1;
    }
  };
  /// κ
  template <class T>
  static void powers(const Data<T>& data, T (&kappa)[6]) {
    const T a = data.exponent[0], b = data.exponent[1];
    kappa[0] = T(0.0), kappa[1] = a + a, kappa[2] = b + b, kappa[3] = a + b, kappa[4] = b, kappa[5] = a;
  }

  /// ∂V/∂ε of a point and τ, with the point's weight.
  template <class T>
  struct PointForce {
    T S[6], tau;
  };
  template <class T, class Law>
  static PointForce<T> force_at(const PlateLaw<T, Law>& law, const Station<T>& at, int k) {
    const PlateMetric<T>& metric = at.metric(k);
    const Contracted<T> point(at, k);
    PointForce<T> out;
    T hat[6], kappa[6];
    point.metric(hat);
    law.stress(metric, at.index * section_points(at.o.section, at.o.points) + k, hat, out.S);
    if (!has_volume_on_axis(at.o)) add_pressure(at, metric, hat, out.S);
    powers(at.data, kappa);
    out.tau = T(0.0);
    for (int p = 0; p < 6; ++p) {
      out.S[p] = metric.weight * point.scale[p] * out.S[p];
      out.tau = fma(T(p < 3 ? 0.5 : 1.0) * kappa[p] * out.S[p], point.C[p], out.tau);
    }
    for (int p = 0; p < 6; ++p) out.S[p] = fma(-out.tau, point.change.inverse[p], out.S[p]);
    return out;
  }
  template <class T>
  static void add_pressure(const Station<T>& at, const PlateMetric<T>& metric, const T (&C)[6], T (&S)[6]) {
    const PlateVolume<T> volume(at.o.law, metric, C);
    volume.add_stress(at.data.constants.bulk * volume.value, S);
  }
  /// ∂V/∂e of a station; rotation: += ∂V/∂(p, w).
  template <class T, class Law>
  [[gnu::noinline]] static void station_force(const PlateLaw<T, Law>& law, const Station<T>& at, T (&N)[beam_parts],
                                              RotationForce<T>& rotation) {
    for (T& n : N) n = T(0.0);
    T tau(0.0);
    for (int k = 0; k < section_points(at.o.section, at.o.points); ++k) {
      const PointForce<T> point = force_at(law, at, k);
      at.data.map[k].add_force(point.S, N);
      tau += point.tau;
    }
    T S[6];
    const VolumeChange<T> change(at.axis);
    for (int p = 0; p < 6; ++p) S[p] = tau * change.inverse[p];
    if (has_volume_on_axis(at.o)) {
      T pressure[6] = {T(0.0), T(0.0), T(0.0), T(0.0), T(0.0), T(0.0)};
      add_pressure(at, at.data.at_axis[at.index], at.axis, pressure);
      for (int p = 0; p < 6; ++p) S[p] = fma(at.data.at_axis[at.index].weight, pressure[p], S[p]);
    }
    at.data.axis.add_force(S, N);
    if (!contracts(at.o)) return;
    pull_back(at.e, N);
    pull_back_rotation(at.factors, at.is_middle(), at.plain, N, rotation);
  }

  /// Second derivatives of a point's energy, times its weight: of ε, of ε and ln J₀, of ln J₀.
  template <class T>
  struct PointStiffness {
    T H[21], mixed[6], axis;
  };
  template <class T, class Law>
  static void stiffness_at(const PlateLaw<T, Law>& law, const Station<T>& at, int k, PointForce<T>& force,
                           PointStiffness<T>& out) {
    const PlateMetric<T>& metric = at.metric(k);
    const Contracted<T> point(at, k);
    const T(&inverse)[6] = point.change.inverse;
    T hat[6], kappa[6], c[6], turn[6];
    point.metric(hat);
    law.stiffness(metric, at.index * section_points(at.o.section, at.o.points) + k, hat, force.S, out.H);
    if (!has_volume_on_axis(at.o)) {
      const PlateVolume<T> volume(at.o.law, metric, hat);
      const T pressure = at.data.constants.bulk * volume.value;
      volume.add_stress(pressure, force.S);
      volume.add_stiffness(pressure, at.data.constants.bulk, out.H);
    }
    powers(at.data, kappa);
    force.tau = T(0.0);
    for (int p = 0; p < 6; ++p) {
      force.S[p] = metric.weight * point.scale[p] * force.S[p];
      c[p] = T(p < 3 ? 0.5 : 1.0) * kappa[p] * point.C[p];
      force.tau = fma(c[p], force.S[p], force.tau);
      for (int q = 0; q <= p; ++q)
        out.H[triangle(p, q)] = metric.weight * point.scale[p] * point.scale[q] * out.H[triangle(p, q)];
    }
    out.axis = T(0.0);
    for (int p = 0; p < 6; ++p) {  // ∂τ/∂ε at fixed σ
      turn[p] = kappa[p] * force.S[p];
      for (int q = 0; q < 6; ++q) turn[p] = fma(out.H[triangle(p, q)], c[q], turn[p]);
      out.axis = fma(c[p], turn[p], out.axis);
    }
    const T twice = T(2.0) * force.tau;
    for (int p = 0; p < 6; ++p) {
      for (int q = 0; q <= p; ++q) {
        T& h = out.H[triangle(p, q)];
        h -= fma(turn[p], inverse[q], inverse[p] * turn[q]);
        h = fma(out.axis * inverse[p], inverse[q], fma(twice, point.change.product(p, q), h));
      }
      out.mixed[p] = fma(-out.axis, inverse[p], turn[p]);
      force.S[p] = fma(-force.tau, inverse[p], force.S[p]);
    }
  }
  template <class T, class Law>
  [[gnu::noinline]] static void station_stiffness(const PlateLaw<T, Law>& law, const Station<T>& at, T (&N)[beam_parts],
                                                  T (&M)[beam_parts][beam_parts], RotationForce<T>& rotation) {
    T mixed[beam_parts], ratio[beam_parts], tau(0.0), axis(0.0);
    typename SectionMap<T>::Stiffness sum;
    for (T& s : sum) s = T(0.0);
    for (int p = 0; p < beam_parts; ++p) {
      N[p] = mixed[p] = ratio[p] = T(0.0);
      for (T& m : M[p]) m = T(0.0);
    }
    for (int k = 0; k < section_points(at.o.section, at.o.points); ++k) {
      PointForce<T> force;
      PointStiffness<T> point;
      stiffness_at(law, at, k, force, point);
      at.data.map[k].add_force(force.S, N);
      at.data.map[k].add_force(point.mixed, mixed);
      at.data.map[k].add_stiffness(point.H, sum);
      tau += force.tau, axis += point.axis;
    }
    const VolumeChange<T> change(at.axis);
    const T twice = T(-2.0) * tau;
    T S[6], H[21];
    for (int p = 0; p < 6; ++p) {
      S[p] = T(0.0);
      for (int q = 0; q <= p; ++q) H[triangle(p, q)] = twice * change.product(p, q);
    }
    at.data.axis.add_force(change.inverse, ratio);  // ∂ ln J₀/∂e
    for (int p = 0; p < beam_parts; ++p) {
      N[p] = fma(tau, ratio[p], N[p]);
      for (int q = 0; q < beam_parts; ++q)
        M[p][q] += fma(mixed[p], ratio[q], fma(ratio[p], mixed[q], axis * ratio[p] * ratio[q]));
    }
    if (has_volume_on_axis(at.o)) {
      const PlateMetric<T>& metric = at.data.at_axis[at.index];
      const PlateVolume<T> volume(at.o.law, metric, at.axis);
      const T bulk = metric.weight * at.data.constants.bulk;
      volume.add_stress(bulk * volume.value, S);
      volume.add_stiffness(bulk * volume.value, bulk, H);
    }
    at.data.axis.add_force(S, N);
    at.data.axis.add_stiffness(H, sum);
    SectionMap<T>::spread(sum, M);
    if (!contracts(at.o)) return;
    pull_back(at.e, N, M);
    pull_back_rotation(at.factors, at.is_middle(), at.plain, N, M, rotation);
  }
};

}  // namespace flexura
