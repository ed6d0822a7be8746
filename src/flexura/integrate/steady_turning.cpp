#include "flexura/integrate/steady_turning.hpp"

#include <algorithm>

#include "flexura/math/instantiate.hpp"
#include "flexura/math/turn_fit.hpp"

namespace flexura {
namespace {

constexpr double largest_square =
    9;  ///< of the angle ω h: beyond nearly half a turn a step nobody knows where it turns

/// a → exp(ω̃ h) a = a + (sin θ/θ) h ω × a + ((1 − cos θ)/θ²) h² ω × (ω × a),  θ = |ω| h, by their series in θ².
template <int D, class S>
class Turn {
 public:
  using Rate = typename TurnFit<D, S>::Turn;

  /// Nothing turns where the rate is too large, or no number.
  Turn(const Rate& rate, double h) : rate_(rate) {
    constexpr int terms = 14;  // 9¹⁴/29! = 3e-18
    S square = S(h * h) * dot(rate, rate);
    const auto is_known = value_of(square) <= ValueOf<S>(largest_square);
    for (S& w : rate_.c) w = select(is_known, w, S(0.0));
    square = select(is_known, square, S(0.0));
    S sine(0.0), cosine(0.0);
    for (int k = terms - 1; k >= 0; --k) {
      sine = S(1.0) - square * sine / S((2.0 * k + 2) * (2 * k + 3));
      cosine = S(1.0) - square * cosine / S((2.0 * k + 3) * (2 * k + 4));
    }
    first_ = S(h) * sine;
    second_ = S(0.5 * h * h) * cosine;
  }
  const Rate& rate() const { return rate_; }
  Vec<D, S> operator()(const Vec<D, S>& a) const {
    const Vec<D, S> da = turned(rate_, a);
    return a + first_ * da + second_ * turned(rate_, da);
  }

 private:
  Rate rate_;
  S first_, second_;
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
  TurnFit<D, S> fit;
  typename TurnFit<D, S>::Turn moment{};
  const auto add = [&](const Vector& e, const Vector& rate) {
    fit.add(e);
    moment += fit.moment(e, rate);
  };
  for (const int i : body.vectors) add(at(state.q, i), at(state.v, i));
  for (const int i : body.points) add(from_base(state.q, i), from_base(state.v, i));
  const Turn<D, S> end(fit(moment), h);
  const auto put = [&](int i, const Vector& e, const Vector& velocity, const Vector& acceleration,
                       const Vector& algorithmic) {
    const Vector turning = turned(end.rate(), e), inwards = turned(end.rate(), turning);
    (end(e) - e).store(&way_[i]);
    end(turning).store(&end_velocity_[i]);
    end(inwards).store(&end_acceleration_[i]);
    end(velocity - turning).store(&velocity_[i]);
    end(acceleration - inwards).store(&acceleration_[i]);
    end(algorithmic - inwards).store(&algorithmic_[i]);
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

}  // namespace flexura
