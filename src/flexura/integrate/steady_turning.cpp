#include "flexura/integrate/steady_turning.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

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

/// Finds what turns about what.
template <class S>
class SteadyTurning<S>::Order {
 public:
  Order(const Topology& topology, std::vector<Body>& bodies, std::vector<bool>& held)
      : topology_(topology), bodies_(bodies), rod_is_held_(held), places_(topology.slots.size()) {
    for (size_t i = 0; i < places_.size(); ++i)
      if (is_given(static_cast<int>(i))) places_[i] = {true, true};
    for (size_t k = 0; k < topology.rods.size(); ++k) rods_.push_back(k);
    for (const std::vector<int>& slots : topology.rigid_bodies) {
      masters_.push_back(masters_of(slots));
      for (const int i : masters_.back())
        if (topology.slots[i].block >= 0) bodies_of_[i].push_back(&masters_.back());
    }
    rod_is_held_.assign(rods_.size(), false);
  }

  void find() {
    for (const std::vector<int>& slots : topology_.rigid_bodies) {
      while (add_rod(false)) continue;
      add_body(slots);
    }
    while (add_rod(false) || add_rod(true)) continue;
  }

 private:
  struct Place {
    bool placed = false, held = false;
  };
  /// Fixed or prescribed.
  bool is_given(int i) const {
    const int d = topology_.slots[i].dependent;
    return d >= 0 && topology_.dependents[d].weights.empty();
  }
  bool is_free(int i) const { return topology_.slots[i].block >= 0 && !places_[i].placed; }
  int offset(int i) const { return topology_.slots[i].offset; }

  /// One of those left that leads from what is placed to what is not; `any`: or from anywhere.
  bool add_rod(bool any) {
    for (auto rod = rods_.begin(); rod != rods_.end(); ++rod)
      for (const int k : {0, 1}) {
        const int base = topology_.rods[*rod].ends[k], end = topology_.rods[*rod].ends[1 - k];
        if (!is_free(end) || !(any || places_[base].placed)) continue;
        places_[base].placed = true;
        places_[end] = places_[base];
        rod_is_held_[*rod] = places_[base].held;
        bodies_.push_back({offset(base), {offset(end)}, {}, {offset(end)}, {}, {}});
        rods_.erase(rod);
        return true;
      }
    return false;
  }

  void add_body(const std::vector<int>& slots) {
    const std::set<int> masters = masters_of(slots);
    const auto first = std::ranges::find_if(slots, [&](int i) { return topology_.slots[i].kind == SlotKind::point; });
    int base = first == slots.end() ? -1 : *first;
    if (base >= 0 && is_free(base)) base = pinned_to(slots, masters, base);
    if (base >= 0) places_[base].placed = true;
    const bool held = base < 0 || places_[base].held;
    Body body;
    if (base >= 0) body.base = offset(base);
    for (const int i : slots) {
      if (i == base) continue;
      const bool is_point = topology_.slots[i].kind == SlotKind::point;
      (is_point ? body.points : body.vectors).push_back(offset(i));
      if (!is_free(i)) continue;
      places_[i] = {true, held};
      (is_point ? body.turned_points : body.turned_vectors).push_back(offset(i));
    }
    if (body.turned_points.empty() && body.turned_vectors.empty()) return;
    for (const int i : starts())
      if (!places_[i].placed && rides(i, slots, masters)) {
        places_[i] = {true, held};
        body.riders.push_back(offset(i));
      }
    bodies_.push_back(std::move(body));
  }

  std::set<int> masters_of(const std::vector<int>& slots) const {
    std::set<int> masters(slots.begin(), slots.end());
    for (const int i : slots)
      if (const int d = topology_.slots[i].dependent; d >= 0)
        for (const Weight& weight : topology_.dependents[d].weights) masters.insert(weight.master);
    return masters;
  }
  /// Whether a dependent place is one of the body of these slots: of other bodies, which one of the slots follows, no place is.
  bool rides(int i, const std::vector<int>& slots, const std::set<int>& masters) const {
    const int d = topology_.slots[i].dependent;
    if (d < 0 || is_given(i)) return false;
    const std::vector<Weight>& weights = topology_.dependents[d].weights;
    const auto is_of_body = [&](const Weight& weight) {
      return topology_.slots[weight.master].kind == SlotKind::scalar ||  // a part of one of the slots
             std::ranges::find(slots, weight.master) != slots.end();
    };
    return std::ranges::all_of(weights, [&](const Weight& weight) { return masters.contains(weight.master); }) &&
           std::ranges::any_of(weights, is_of_body) && !is_of_smaller_body(weights, masters);
  }
  /// Bodies share a point where they are pinned. A place that follows it alone is one of the body which that point alone moves: places of
  /// the other follow its vectors too.
  bool is_of_smaller_body(const std::vector<Weight>& weights, const std::set<int>& masters) const {
    const auto free_of = [&](const std::set<int>& all) {
      return std::ranges::count_if(all, [&](int i) { return topology_.slots[i].block >= 0; });
    };
    const auto found = bodies_of_.find(weights.front().master);
    if (found == bodies_of_.end()) return false;
    return std::ranges::any_of(found->second, [&](const std::set<int>* other) {
      return free_of(*other) < free_of(masters) &&
             std::ranges::all_of(weights, [&](const Weight& weight) { return other->contains(weight.master); });
    });
  }
  /// Where others may begin.
  const std::set<int>& starts() {
    if (!starts_.empty()) return starts_;
    const auto add = [&](int i) {
      if (topology_.slots[i].kind == SlotKind::point && topology_.slots[i].dependent >= 0) starts_.insert(i);
    };
    for (const std::vector<int>& slots : topology_.rigid_bodies)
      for (const int i : slots) add(i);
    for (const auto* pairs : {&topology_.rods, &topology_.pins})
      for (const Rod& rod : *pairs) add(rod.ends[0]), add(rod.ends[1]);
    return starts_;
  }
  /// The other end of the only pin of this body, if that is fixed or prescribed, or the body's own first point. Where more pins hold it what
  /// multipliers leave of its own motion adds up: of 100 random mechanisms 5 lost more than 5 % of their energy.
  int pinned_to(const std::vector<int>& slots, const std::set<int>& masters, int own) const {
    int count = 0, other = own;
    for (const Rod& pin : topology_.pins)
      for (const int k : {0, 1})
        if (masters.contains(pin.ends[k]) || rides(pin.ends[k], slots, masters)) ++count, other = pin.ends[1 - k];
    return count == 1 && is_given(other) ? other : own;
  }

  const Topology& topology_;
  std::vector<Body>& bodies_;
  std::vector<bool>& rod_is_held_;
  std::vector<Place> places_;
  std::deque<std::set<int>> masters_;                           ///< of the rigid bodies
  std::map<int, std::vector<const std::set<int>*>> bodies_of_;  ///< those that a free slot moves
  std::vector<size_t> rods_;                                    ///< those left
  std::set<int> starts_;
};

template <class S>
SteadyTurning<S>::SteadyTurning(const Topology& topology) : topology_(topology) {
  for (auto* x : {&velocity_, &acceleration_, &algorithmic_, &way_, &end_velocity_, &end_acceleration_})
    x->assign(topology.nq, S(0.0));
  Order(topology, bodies_, rod_is_held_).find();
}

template <class S>
void SteadyTurning<S>::begin(const State<S>& state, double h) {
  const auto copy = [&](const std::vector<S>& from, int first, int end, std::vector<S>& to) {
    std::copy(from.begin() + first, from.begin() + end, to.begin() + first);
  };
  const int ncoord = topology_.ncoord, nq = bodies_.empty() ? ncoord : topology_.nq;
  copy(state.v, 0, nq, velocity_);
  copy(state.a, 0, nq, acceleration_);
  copy(state.a_alg, 0, ncoord, algorithmic_);
  copy(state.a, ncoord, nq, algorithmic_);  // dependents remember none; the true one is as near as the order asks for
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
  const auto remembered = [&](int place) { return at(place < topology_.ncoord ? state.a_alg : state.a, place); };
  const auto put_from_base = [&](int i) {
    put(i, from_base(state.q, i), from_base(state.v, i), from_base(state.a, i), remembered(i) - remembered(body.base));
    for (auto* x : {&velocity_, &acceleration_, &algorithmic_, &way_, &end_velocity_, &end_acceleration_})
      at(*x, body.base).add_to(&(*x)[i]);
  };
  for (const int i : body.turned_points) put_from_base(i);
  for (const int i : body.riders) put_from_base(i);
}

#define FLEXURA_INSTANTIATE(S) template class SteadyTurning<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE
#ifdef FLEXURA_ENSEMBLE
template class SteadyTurning<Taped<double>>;  // of newmark_tangent.cpp
#endif

}  // namespace flexura
