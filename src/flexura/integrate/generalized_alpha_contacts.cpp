// Contacts in a step of generalized-α [bruls2014]: positions, accelerations and velocities one after the other.
//
//     1. q₁, ν     the stage with contacts; ν corrects positions and nothing else
//     2. q̈₁        M q̈₁ = f(q₁, v₁) without contacts, bilateral constraints included; a₁ by the formulas
//     3. v₁, Λ     from ṽ = v₀ + h (1 − γ) a₀ + h γ a₁ by impulses behind the contacts that are closed (impacts.hpp)
//
// Where forces depend on velocities, 2 and 3 are repeated until they agree: Newton's method (impacts.hpp).

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {
namespace {

constexpr int most_passes = 40;
constexpr double agreement = 1e-11;  ///< of the largest velocity, or of h q̈₁ without contacts where that is more
/// The same where repetition makes it no smaller: forces of stiff bodies leave 1e-9 to 1e-8 (rubber of k/mu 1000, 1 ms).
constexpr double rounding = 1e-7;
/// Matrices of a pass serve the next ones while those come nearer by this.
constexpr double slow = 0.3;

}  // namespace

template <class S>
void GeneralizedAlpha<S>::make_contacts() {
  const Topology& topology = system_.topology();
  if (topology.contacts == nullptr) return;
  if constexpr (std::is_same_v<S, double>) {
    contacts_ = std::make_unique<Contacts>(system_);
    impacts_ = std::make_unique<Impacts>(system_, *contacts_, constraints());
    newton_.set_contacts(contacts_.get());
    for (auto* x : {&guess_, &end_acting_}) x->assign(topology.nq, 0.0);
    end_residual_.assign(system_.assembler.residual_size(), 0.0);
  } else {
    refuse_contacts(topology.contacts.get(), "an ensemble or a derivative of simulations");
  }
}

/// The predictor is in s.
template <class S>
void GeneralizedAlpha<S>::begin_contacts(State<S>& s) {
  if constexpr (std::is_same_v<S, double>) {
    system_.assembler.expand(s.q.data(), s.v.data(), s.a.data());
    contacts_->begin(before_.q, s.contacts, s.q);
  }
}

/// Stages 2 and 3.
template <class S>
bool GeneralizedAlpha<S>::close_contacts(State<S>& s, const Formulas& f) {
  if constexpr (std::is_same_v<S, double>) {
    const Assembler<double>& assembler = system_.assembler;
    in_contact_ = contacts_->any_closed();
    if (!in_contact_) {
      s.contacts.clear();
      return true;
    }
    // What terms remember is as old as the step at its end, and as it was at its beginning.
    system_.look_back(s);
    double held = assembler.kinetic_energy(before_.v.data()) + assembler.potential_energy(before_.t, before_.q.data());
    system_.look_back(s, f.h);
    held -= assembler.potential_energy(s.t, s.q.data());
    const int ncoord = system_.topology().ncoord;
    const bool depends_on_velocity =
        has_losses_ || assembler.has_damping() || assembler.has_loads() || !constraints().rows().empty();
    std::copy(before_.v.begin(), before_.v.begin() + ncoord, s.v.begin());
    double moved_before = std::numeric_limits<double>::infinity();
    bool renews = true;
    for (int pass = 0; pass < most_passes; ++pass) {
      guess_.assign(s.v.begin(), s.v.end());
      if (!find_accelerations(s, pass > 0)) return false;
      evaluate_end(s);
      const Work work = work_of_step(s);
      available_ = held + 0.5 * (work.gravity + work.loads + work.prescribed);
      set_algorithmic(s, f);
      for (int i = 0; i < ncoord; ++i)
        s.v[i] = fma(f.v_after, s.a_alg[i] - turning_.end_acceleration()[i],
                     fma(f.v_before, turning_.algorithmic()[i], turning_.velocity()[i] + turning_.end_velocity()[i]));
      assembler.expand(s.q.data(), s.v.data(), s.a.data());
      const double forgotten = assembler.has_history() ? assembler.loss(s.t, s.q.data(), s.v.data()) : 0.0;
      impacts_->follow_velocities(has_losses_ ? f.v_after * f.acc_new : 0.0, guess_);
      if (!impacts_->solve(s, before_, f.h, available_ - forgotten, !renews)) return false;
      // At rest velocities are rounding: of what the step would make without contacts.
      double moved = 0, largest = 0;
      for (int i = 0; i < ncoord; ++i) {
        moved = std::max(moved, std::fabs(s.v[i] - guess_[i]));
        largest = std::max({largest, std::fabs(s.v[i]), std::fabs(guess_[i]), f.h * std::fabs(s.a[i])});
      }
      const bool stands = renews && moved <= rounding * largest && moved > 0.5 * moved_before;
      renews = !(moved <= slow * moved_before);
      moved_before = moved;
      if (!depends_on_velocity || moved <= agreement * largest || stands) {
        contacts_->write(s.contacts, f.h);
        evaluate_end(s);  // at the velocities that are kept: a run that goes on from here begins with these forces
        std::fill(drag_.begin(), drag_.end(), 0.0);
        assembler.subtract_damping(s.v.data(), drag_.data());
        return true;
      }
    }
  }
  return false;
}

template <class S>
void GeneralizedAlpha<S>::evaluate_end(const State<S>& s) {
  const Assembler<S>& assembler = system_.assembler;
  if (driven_.empty() && !assembler.has_loads()) return;
  assembler.residual(s.t, s.q.data(), s.v.data(), end_residual_.data(), end_acting_.data());
  assembler.subtract_mass_times(s.a.data(), S(1.0), end_residual_.data());
  assembler.subtract_damping(s.v.data(), end_residual_.data());
}

/// What the step took out of the energy, beside dampers. What those take is h times the mean of their power, which in an impact begins at nothing or
/// ends there: too much, by what the step did not lose. A gain would be the integrator's, and shows as such.
template <class S>
void GeneralizedAlpha<S>::book_impacts(State<S>& s, S dissipated_before) {
  const S in_dampers = s.energy.dissipated - dissipated_before;
  const S lost = S(available_ + impacts_->drive_work()) - system_.assembler.kinetic_energy(s.v.data()) - in_dampers;
  if constexpr (std::is_same_v<S, double>) {
    s.energy.dissipated += std::max(lost, std::min(-in_dampers, 0.0));
    if (lost < 0) lost_before_ = 0;  // nor does it last over half of the next step
  }
}

#define FLEXURA_INSTANTIATE(S)                                                   \
  template void GeneralizedAlpha<S>::make_contacts();                            \
  template void GeneralizedAlpha<S>::begin_contacts(State<S>&);                  \
  template bool GeneralizedAlpha<S>::close_contacts(State<S>&, const Formulas&); \
  template void GeneralizedAlpha<S>::evaluate_end(const State<S>&);              \
  template void GeneralizedAlpha<S>::book_impacts(State<S>&, S);
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura
