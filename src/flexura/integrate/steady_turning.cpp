#include "flexura/integrate/steady_turning.hpp"

#include <algorithm>

#include "flexura/math/instantiate.hpp"
#include "flexura/math/turn_fit.hpp"
#ifdef FLEXURA_ENSEMBLE
#include "flexura/math/taped.hpp"
#endif

namespace flexura {
namespace {

constexpr double largest_square = 9;     ///< of a step's angle: beyond nearly half a turn nobody knows where it turns
constexpr double largest_change = 0.04;  ///< of ω̇ h², squared: beyond that a step does not resolve what moves the body

/// A body's turn over a step, at the rate R (ω + ω̇ τ): by the angle φ = ω h + ½ ω̇ h² + ω × ω̇ h³/12 [magnus1954].
template <int D, class S>
class Turn {
 public:
  using Rate = typename TurnFit<D, S>::Turn;
  using Vector = Vec<D, S>;

  /// Nothing turns where that is too much for a step, or no number.
  Turn(const Rate& rate, const Rate& change, double h) : rate_(rate), change_(change) {
    angle_ = S(h) * rate + S(0.5 * h * h) * change;
    if constexpr (D == 3) angle_ += S(h * h * h / 12) * cross(rate, change);
    S square = dot(angle_, angle_);
    is_known_ = (value_of(square) <= ValueOf<S>(largest_square)) &
                (value_of(S(h * h * h * h) * dot(change, change)) <= ValueOf<S>(largest_change));
    for (Rate* x : {&rate_, &change_, &angle_})
      for (S& w : x->c) w = select(is_known_, w, S(0.0));
    square = select(is_known_, square, S(0.0));
    constexpr int terms = 14;  // 9¹⁴/29! = 3e-18
    sine_ = cosine_ = S(0.0);
    for (int k = terms - 1; k >= 0; --k) {
      sine_ = S(1.0) - square * sine_ / S((2.0 * k + 2) * (2 * k + 3));
      cosine_ = S(1.0) - square * cosine_ / S((2.0 * k + 3) * (2 * k + 4));
    }
    cosine_ = S(0.5) * cosine_;
    end_rate_ = rate_ + S(h) * change_;
    end_change_ = change_;
    if constexpr (D == 3) {
      end_rate_ = (*this)(end_rate_);
      end_change_ = (*this)(end_change_);
    }
  }
  /// exp(φ̃) a = a + (sin θ/θ) φ × a + ((1 − cos θ)/θ²) φ × (φ × a),  θ = |φ|, by their series in θ².
  Vector operator()(const Vector& a) const {
    const Vector across = turned(angle_, a);
    return a + sine_ * across + cosine_ * turned(angle_, across);
  }
  // Of a vector that turns, at the beginning and at the end.
  Vector velocity(const Vector& e) const { return turned(rate_, e); }
  /// What of the acceleration the turning leaves: of a rigid body nothing but ringing.
  Vector rest(Vector acceleration) const {
    for (S& a : acceleration.c) a = select(is_known_, S(0.0), a);
    return acceleration;
  }
  Vector end_velocity(const Vector& e) const { return turned(end_rate_, e); }
  Vector acceleration(const Vector& e) const { return turned(change_, e) + turned(rate_, turned(rate_, e)); }
  Vector end_acceleration(const Vector& e) const {
    return turned(end_change_, e) + turned(end_rate_, turned(end_rate_, e));
  }

 private:
  Rate rate_, change_, angle_, end_rate_, end_change_;
  S sine_, cosine_;
  MaskOf<ValueOf<S>> is_known_;
};

}  // namespace

template <class S>
SteadyTurning<S>::SteadyTurning(const Topology& topology) : topology_(topology) {
  for (auto* x : {&velocity_, &acceleration_, &algorithmic_, &way_, &end_velocity_, &end_acceleration_})
    x->assign(topology.ncoord, S(0.0));
  enum class Use { none, base, turned };
  std::vector<Use> use(topology.slots.size(), Use::none);
  for (const std::vector<int>& slots : topology.rigid_bodies) {
    Body body;
    bool turns = false;
    for (const int i : slots) {
      const Slot& slot = topology.slots[i];
      const bool is_point = slot.kind == SlotKind::point;
      if (is_point && body.base < 0) {
        body.base = slot.offset;
        if (use[i] == Use::none) use[i] = Use::base;
        continue;
      }
      (is_point ? body.points : body.vectors).push_back(slot.offset);
      if (slot.block < 0 || use[i] != Use::none) continue;
      use[i] = Use::turned;
      turns = true;
      (is_point ? body.turned_points : body.turned_vectors).push_back(slot.offset);
    }
    if (turns) bodies_.push_back(std::move(body));
  }
}

template <class S>
void SteadyTurning<S>::begin(const State<S>& state, double h) {
  const auto copy = [&](const std::vector<S>& from, std::vector<S>& to) {
    std::copy_n(from.begin(), topology_.ncoord, to.begin());
  };
  copy(state.v, velocity_);
  copy(state.a, acceleration_);
  copy(state.a_alg, algorithmic_);
  for (const Body& body : bodies_) topology_.dim == 2 ? turn<2>(body, state, h) : turn<3>(body, state, h);
}

template <class S>
template <int D>
void SteadyTurning<S>::turn(const Body& body, const State<S>& state, double h) {
  using Vector = Vec<D, S>;
  const auto at = [](const std::vector<S>& x, int place) { return Vector::load(&x[place]); };
  const auto from_base = [&](const std::vector<S>& x, int place) { return at(x, place) - at(x, body.base); };
  const auto for_each = [&](const auto& f) {
    for (const int i : body.vectors) f(at(state.q, i), at(state.v, i), at(state.a, i));
    for (const int i : body.points) f(from_base(state.q, i), from_base(state.v, i), from_base(state.a, i));
  };
  TurnFit<D, S> fit;
  typename TurnFit<D, S>::Turn moment{}, second{};
  for_each([&](const Vector& e, const Vector& velocity, const Vector&) {
    fit.add(e);
    moment += fit.moment(e, velocity);
  });
  const auto rate = fit(moment);
  for_each([&](const Vector& e, const Vector&, const Vector& acceleration) {
    second += fit.moment(e, acceleration - turned(rate, turned(rate, e)));
  });
  const Turn<D, S> turn(rate, fit(second), h);
  const auto put = [&](int i, const Vector& e, const Vector& velocity, const Vector& acceleration,
                       const Vector& algorithmic) {
    const Vector end = turn(e);
    (end - e).store(&way_[i]);
    turn.end_velocity(end).store(&end_velocity_[i]);
    turn.end_acceleration(end).store(&end_acceleration_[i]);
    turn(velocity - turn.velocity(e)).store(&velocity_[i]);
    turn.rest(acceleration).store(&acceleration_[i]);
    turn(algorithmic - turn.acceleration(e)).store(&algorithmic_[i]);
  };
  for (const int i : body.turned_vectors) put(i, at(state.q, i), at(state.v, i), at(state.a, i), at(state.a_alg, i));
  // A base that depends on others remembers no algorithmic acceleration; the true one is as near as the order asks for.
  const bool is_free = body.base < topology_.ncoord;
  const std::vector<S>& remembered = is_free ? state.a_alg : state.a;
  for (const int i : body.turned_points) {
    put(i, from_base(state.q, i), from_base(state.v, i), from_base(state.a, i),
        at(state.a_alg, i) - at(remembered, body.base));
    const auto add_base = [&](std::vector<S>& to, const std::vector<S>& depending) {
      at(is_free ? to : depending, body.base).add_to(&to[i]);
    };
    add_base(velocity_, state.v);
    add_base(acceleration_, state.a);
    add_base(algorithmic_, state.a);
    if (!is_free) continue;
    for (auto* x : {&way_, &end_velocity_, &end_acceleration_}) at(*x, body.base).add_to(&(*x)[i]);
  }
}

#define FLEXURA_INSTANTIATE(S) template class SteadyTurning<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE
#ifdef FLEXURA_ENSEMBLE
template class SteadyTurning<Taped>;  // of newmark_tangent.cpp
#endif

}  // namespace flexura
