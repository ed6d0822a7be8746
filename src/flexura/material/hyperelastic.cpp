#include "flexura/material/hyperelastic.hpp"

#include "flexura/material/invariant_laws.hpp"
#include "flexura/material/ogden.hpp"

namespace flexura {

namespace {

/// All of ψ: ½ λ (tr E)² + μ E:E, E = ½ (C − 1).   c: λ, μ
template <class T>
class KirchhoffPoint {
 public:
  KirchhoffPoint(const T* c, const T (&C)[6]) : lambda_(c[0]), mu_(c[1]) {
    for (int p = 0; p < 6; ++p) E_[p] = T(0.5) * (p < 3 ? C[p] - T(1.0) : C[p]);
    trace_ = E_[0] + E_[1] + E_[2];
  }
  T energy() const {
    T square = T(0.0);
    for (int p = 0; p < 6; ++p) square = fma(T(p < 3 ? 1.0 : 2.0) * E_[p], E_[p], square);
    return fma(T(0.5) * lambda_ * trace_, trace_, mu_ * square);
  }
  void stress(T (&S)[6]) const {
    for (int p = 0; p < 6; ++p) S[p] = T(2.0) * mu_ * E_[p];
    for (int p = 0; p < 3; ++p) S[p] = fma(lambda_, trace_, S[p]);
  }
  void stiffness(T (&S)[6], T (&D)[21]) const {
    stress(S);
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) {
        D[triangle(p, q)] = p < 3 && q < 3 ? lambda_ : T(0.0);
        if (p == q) D[triangle(p, q)] += p < 3 ? T(2.0) * mu_ : mu_;
      }
  }

 private:
  T lambda_, mu_, E_[6], trace_;
};

template <class Law, class T>
auto by_invariants(VolumeForm form, const T* constants, const T (&C)[6], auto&& use) {
  using Point = InvariantPoint<Law, T>;
  return use(Point(form == VolumeForm::coupled ? Point::Form::coupled : Point::Form::isochoric, constants, C));
}

/// use(point) of the law's type; the choice is the same in all lanes.
template <class T>
auto at_point(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6], auto&& use) {
  const T* const c = constants.c;
  switch (choice.law) {
    case ElasticLaw::neo_hooke:
      return by_invariants<NeoHooke>(choice.form, c, C, use);
    case ElasticLaw::mooney_rivlin:
      return by_invariants<MooneyRivlin>(choice.form, c, C, use);
    case ElasticLaw::yeoh:
      return by_invariants<Yeoh>(choice.form, c, C, use);
    case ElasticLaw::gent:
      return by_invariants<Gent>(choice.form, c, C, use);
    case ElasticLaw::arruda_boyce:
      return by_invariants<ArrudaBoyce>(choice.form, c, C, use);
    case ElasticLaw::yeoh_paper:
      return use(InvariantPoint<Yeoh, T>(InvariantPoint<Yeoh, T>::Form::plain, c, C));
    case ElasticLaw::ogden:
      return use(OgdenPoint<T>(choice.form, c, C));
    case ElasticLaw::st_venant_kirchhoff:
      break;
  }
  return use(KirchhoffPoint<T>(c, C));
}

}  // namespace

template <class T>
T elastic_energy(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6]) {
  return at_point(choice, constants, C, [](const auto& point) { return point.energy(); });
}
template <class T>
void elastic_stress(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6], T (&S)[6]) {
  at_point(choice, constants, C, [&](const auto& point) { point.stress(S); });
}
template <class T>
void elastic_stiffness(LawChoice choice, const ElasticConstants<T>& constants, const T (&C)[6], T (&S)[6], T (&D)[21]) {
  at_point(choice, constants, C, [&](const auto& point) { point.stiffness(S, D); });
}

#define FLEXURA_INSTANTIATE_LAWS(T)                                                            \
  template T elastic_energy(LawChoice, const ElasticConstants<T>&, const T(&)[6]);             \
  template void elastic_stress(LawChoice, const ElasticConstants<T>&, const T(&)[6], T(&)[6]); \
  template void elastic_stiffness(LawChoice, const ElasticConstants<T>&, const T(&)[6], T(&)[6], T(&)[21]);
#ifdef FLEXURA_ENSEMBLE
FLEXURA_INSTANTIATE_LAWS(Dual<double>)
FLEXURA_INSTANTIATE_LAWS(Dual<Lanes>)
#else
FLEXURA_INSTANTIATE_LAWS(double)
FLEXURA_INSTANTIATE_LAWS(Lanes)
#endif

}  // namespace flexura
