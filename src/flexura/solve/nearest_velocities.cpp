#include "flexura/solve/nearest_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flexura/math/decompositions.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

/// Weights of the second and third sum. Without pivoting the first pair makes some matrices too ill-conditioned: rows of Φ̇ are
/// taken for redundant ones there, and stay open.
struct Weights {
  double lower, last;
};
constexpr Weights weights_tried[] = {{1e-6, 1e-9}, {1e-4, 1e-6}, {1e-2, 1e-3}};
constexpr double light = 1;     ///< of coordinates without mass, over the mass that has to move with them
constexpr double loose = 1e-3;  ///< of what is free of V and ω, which hold on to where they are as the last sum does
constexpr int max_passes = 100;
constexpr double settled = 1e-13;   ///< change of a pass over the greatest velocity
constexpr double same = 1e-12;      ///< of velocities
constexpr double kept_rate = 1e-9;  ///< as of Constraints::project_velocities

Triple slot_triple(const std::vector<double>& x, const Slot& slot) {
  Triple out{};
  for (int i = 0; i < slot.size; ++i) out[i] = x[slot.offset + i];
  return out;
}

double largest(const std::vector<Triple>& x) {
  double size = 0;
  for (const Triple& t : x) size = std::max(size, norm(t));
  return size;
}

}  // namespace

NearestVelocities::NearestVelocities(System<double>& system, Constraints& constraints,
                                     std::span<const PartMotion> motions, std::span<const std::pair<int, int>> rest)
    : system_(system),
      constraints_(constraints),
      motions_(motions),
      topology_(system.topology()),
      dim_(system.topology().dim),
      masters_(system.topology().slots.size()),
      fits_(motions.size()) {
  for (const PartMotion& motion : motions) {
    Part& part = add_part(motion.items, motion.massless);
    if (motion.states_any()) part.weight = 1;
    part.follows = !motion.states_any() && !motion.is_rigid;
    part.moves = (part.weight > 0 || part.follows) && !motion.states_velocity;
    part.turns = (part.weight > 0 || part.follows) && !motion.states_turning && !motion.is_point;
  }
  add_part(rest, -1);
  for (const Part& part : parts_)
    for (const int slot : part.slots)
      if (masters_[slot].empty()) masters_[slot] = system.assembler.masters(slot);
  place_free();
}

/// Masses of items, slot by slot.
NearestVelocities::Part& NearestVelocities::add_part(std::span<const std::pair<int, int>> items, int massless) {
  Part& part = parts_.emplace_back();
  std::vector<std::pair<std::pair<int, int>, double>> sums;  ///< of two slots, in any order
  std::vector<double> local;
  for (const auto& [b, item] : items) {
    const ItemBatch& batch = topology_.batches[b];
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    const size_t n = kinds.size();
    local.assign(n * n, 0.0);
    system_.assembler.batches()[b]->mass(item, local.data());
    const auto is_moved = [&](size_t a) {
      return kinds[a] != SlotKind::signal &&
             !(batch.type->info.role == Role::constraint && kinds[a] == SlotKind::scalar);
    };
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        if (is_moved(i) && is_moved(j) && local[i * n + j] != 0)
          sums.push_back({{batch.slots[item * n + i], batch.slots[item * n + j]}, local[i * n + j]});
  }
  if (massless >= 0) sums.push_back({{massless, massless}, 1.0});
  std::ranges::stable_sort(sums, {}, [](const auto& sum) { return sum.first; });
  size_t last_sum = 0;
  for (size_t k = 1; k < sums.size(); ++k)
    if (sums[k].first == sums[last_sum].first)
      sums[last_sum].second += sums[k].second;
    else
      sums[++last_sum] = sums[k];
  if (!sums.empty()) sums.resize(last_sum + 1);
  for (const auto& [slots, mass] : sums)
    for (const int slot : {slots.first, slots.second}) part.slots.push_back(slot);
  std::ranges::sort(part.slots);
  part.slots.erase(std::ranges::unique(part.slots).begin(), part.slots.end());
  const auto place = [&](int slot) {
    return static_cast<int>(std::ranges::lower_bound(part.slots, slot) - part.slots.begin());
  };
  for (const auto& [slots, mass] : sums) {
    part.pairs.push_back({place(slots.first), place(slots.second), mass});
    const auto is_point = [&](int slot) { return topology_.slots[slot].kind == SlotKind::point; };
    if (is_point(slots.first) && is_point(slots.second)) part.mass += mass;
  }
  const size_t n = part.slots.size();
  for (auto* x : {&part.arm, &part.fixed, &part.velocity, &part.target, &part.goal, &part.near}) x->resize(n);
  return part;
}

/// Behind y in x: what is free of V and ω, a block for each part.
void NearestVelocities::place_free() {
  place_.resize(topology_.ny);
  for (const Slot& slot : topology_.slots)
    for (int i = 0; i < slot.size && slot.block >= 0; ++i)
      place_[slot.offset + i] = {slot.block, slot.block_offset + i};
  int block = topology_.block_count;
  for (Part& part : parts_) {
    part.free = (part.moves ? dim_ : 0) + (part.turns ? (dim_ == 2 ? 1 : 3) : 0);
    if (part.free == 0) continue;
    part.block = block++;
    part.first = static_cast<int>(place_.size());
    for (int k = 0; k < part.free; ++k) place_.emplace_back(part.block, k);
  }
  unknowns_ = static_cast<int>(place_.size());
}

void NearestVelocities::analyse() {
  const CouplingPattern& coupling = system_.assembler.pattern();
  BlockPattern pattern{coupling.sizes, coupling.multipliers, coupling.pairs};
  for (const Part& part : parts_) {
    if (part.block < 0) continue;
    pattern.sizes.push_back(part.free);
    if (!pattern.constraint.empty()) pattern.constraint.push_back(0);
    for (const int slot : part.slots)
      for (const auto& [master, weights] : masters_[slot])
        pattern.pairs.emplace_back(topology_.slots[master].block, part.block);
  }
  solver_.analyse(pattern, Symmetry::symmetric);
  values_.assign(static_cast<size_t>(solver_.value_count()), 0.0);
  for (auto* x : {&x_, &rhs_}) x->assign(unknowns_, 0.0);
}

/// The velocity of a slot with the k-th of what is free of V and ω.
Triple NearestVelocities::free_field(const Part& part, size_t slot, int k) const {
  const bool is_point = topology_.slots[part.slots[slot]].kind == SlotKind::point;
  Triple axis{};
  if (part.moves && k < dim_) {
    if (is_point) axis[k] = 1;
    return axis;
  }
  axis[dim_ == 2 ? 2 : k - (part.moves ? dim_ : 0)] = 1;
  return cross(axis, part.arm[slot]);
}

void NearestVelocities::prepare(const State<double>& state) {
  State<double> still = state;
  std::fill(still.v.begin(), still.v.begin() + topology_.ny, 0.0);
  system_.assembler.expand(still.q.data(), still.v.data(), still.a.data());
  base_ = still.v;
  const double* rate = constraints_.motion(still).rate;
  rates_.assign(rate, rate + topology_.ny);
  for (size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    const PartMotion& motion = p < motions_.size() ? motions_[p] : PartMotion();
    for (size_t k = 0; k < part.slots.size(); ++k) {
      const Slot& slot = topology_.slots[part.slots[k]];
      const bool is_point = slot.kind == SlotKind::point;
      part.arm[k] = slot_triple(still.q, slot);
      if (is_point) part.arm[k] = part.arm[k] - motion.center;
      part.fixed[k] = cross(motion.turning, part.arm[k]);
      if (is_point) part.fixed[k] = part.fixed[k] + motion.velocity;
      part.velocity[k] = part.near[k] = part.fixed[k];
      part.target[k] = part.goal[k] = {};
    }
  }
}

/// Whether Φ̇ is 0 beside velocities of that size.
bool NearestVelocities::satisfies_constraints(const State<double>& state, double size) {
  const double* rate = constraints_.motion(state).rate;
  return std::ranges::all_of(constraints_.rows(),
                             [&](int row) { return std::fabs(rate[row]) <= kept_rate * std::max(size, 1e-6); });
}

bool NearestVelocities::fits_already(const State<double>& state) {
  double size = 0;
  for (const double v : state.v) size = std::max(size, std::fabs(v));
  for (const Part& part : parts_) size = std::max(size, largest(part.fixed));
  for (const Part& part : parts_)
    for (size_t k = 0; k < part.slots.size(); ++k)
      if (norm(slot_triple(state.v, topology_.slots[part.slots[k]]) - part.fixed[k]) > same * size) return false;
  return satisfies_constraints(state, size);
}

void NearestVelocities::add(int row, int column, double value) {
  if (row < column) return;  // the other half
  const auto& [i, r] = place_[row];
  const auto& [j, c] = place_[column];
  const Entry entry = solver_.entry(i, j);
  values_[static_cast<size_t>(entry.offset + static_cast<std::ptrdiff_t>(r) * entry.row_stride +
                              static_cast<std::ptrdiff_t>(c) * entry.col_stride)] += value;
}

/// Of a flexible part that follows the joints, once it is known where its nodes are.
void NearestVelocities::share_evenly(Part& part) const {
  int points = 0;
  double square = 0;
  const auto is_point = [&](size_t k) { return topology_.slots[part.slots[k]].kind == SlotKind::point; };
  for (size_t k = 0; k < part.slots.size(); ++k)
    if (is_point(k)) ++points, square = std::max(square, dot(part.arm[k], part.arm[k]));
  const double mass = part.mass / std::max(points, 1);
  for (size_t k = 0; k < part.slots.size(); ++k)
    part.even.push_back({static_cast<int>(k), static_cast<int>(k), is_point(k) ? mass : mass * square});
}

/// weight Wᵀ m W of the pairs.
void NearestVelocities::add_masses(const Part& part, const std::vector<Pair>& pairs, double weight) {
  for (const Pair& pair : pairs) {
    const int rows = topology_.slots[part.slots[pair.a]].size;
    for (const auto& [a, wa] : masters_[part.slots[pair.a]])
      for (const auto& [b, wb] : masters_[part.slots[pair.b]]) {
        const Slot &first = topology_.slots[a], &second = topology_.slots[b];
        for (int i = 0; i < first.size; ++i)
          for (int j = 0; j < second.size; ++j) {
            double sum = 0;
            for (int k = 0; k < rows; ++k) sum += wa[k * first.size + i] * wb[k * second.size + j];
            add(first.offset + i, second.offset + j, weight * pair.mass * sum);
            if (first.offset + i == second.offset + j && weight == last_)
              diagonal_[first.offset + i] += pair.mass * sum;
          }
      }
  }
}

/// Rows of what is free of V and ω.
void NearestVelocities::add_free(const Part& part) {
  for (const Pair& pair : weighted(part)) {
    const double mass = part.weight * pair.mass;
    for (int l = 0; l < part.free; ++l) {
      const Triple field = free_field(part, static_cast<size_t>(pair.a), l);
      for (const auto& [b, weights] : masters_[part.slots[pair.b]]) {
        const Slot& master = topology_.slots[b];
        for (int j = 0; j < master.size; ++j) {
          double sum = 0;
          for (int k = 0; k < topology_.slots[part.slots[pair.b]].size; ++k)
            sum += field[k] * weights[k * master.size + j];
          add(part.first + l, master.offset + j, -mass * sum);
        }
      }
      for (int k = 0; k <= l; ++k)
        add(part.first + l, part.first + k, mass * dot(field, free_field(part, static_cast<size_t>(pair.b), k)));
    }
  }
}

/// Square of the radius at which the mass of a part turns: of its farthest point, or of its inertia [m²].
double NearestVelocities::radius_squared(const Part& part) const {
  double square = 0, inertia = 0;
  const auto is_point = [&](int k) {
    return topology_.slots[part.slots[static_cast<size_t>(k)]].kind == SlotKind::point;
  };
  for (size_t k = 0; k < part.slots.size(); ++k)
    if (is_point(static_cast<int>(k))) square = std::max(square, dot(part.arm[k], part.arm[k]));
  for (const Pair& pair : part.pairs)
    if (pair.a == pair.b && !is_point(pair.a)) inertia += pair.mass;
  return part.mass > 0 ? std::max(square, inertia / part.mass) : square;
}

/// What is free of V and ω, and coordinates without mass, hold on to where they are.
void NearestVelocities::add_light_masses(const State<double>& state) {
  const ConstraintMatrix<double>& matrix = constraints_.matrix();
  light_.assign(unknowns_, 0.0);
  // Masses of directions, in kg m², over the square of the machine's size.
  const double length = extent(topology_, state.q);
  std::vector<double> unit(topology_.ncoord, length * length);
  for (const Slot& slot : topology_.slots)
    for (int i = slot.offset; slot.is_length && i < std::min(slot.offset + slot.size, topology_.ncoord); ++i)
      unit[i] = 1;
  double reference = 0;
  for (int i = 0; i < topology_.ncoord; ++i) reference = std::max(reference, diagonal_[i] / unit[i]);
  if (!(reference > 0)) reference = 1;
  const auto has_mass = [&](int i) { return diagonal_[i] > 1e-14 * reference * unit[i]; };
  std::vector<double> scale(topology_.ny, 0.0);
  for (const auto& c : matrix.couplings())
    if (has_mass(c.column)) scale[c.row] += matrix.value(c) * matrix.value(c) / diagonal_[c.column];
  for (const auto& c : matrix.couplings())
    if (!has_mass(c.column) && scale[c.row] > 0)
      light_[c.column] = std::max(light_[c.column], matrix.value(c) * matrix.value(c) / scale[c.row]);
  for (int i = 0; i < topology_.ncoord; ++i)
    if (!has_mass(i)) light_[i] = last_ * light * (light_[i] > 0 ? light_[i] : reference * unit[i]);
  for (const Part& part : parts_) {
    const double square = radius_squared(part), mass = part.mass > 0 ? part.mass : reference;
    for (int k = 0; k < part.free; ++k)
      light_[part.first + k] = last_ * loose * mass *
                               (part.moves && k < dim_ ? 1
                                : square > 0           ? square
                                                       : length * length);
  }
  for (int i = 0; i < unknowns_; ++i)
    if (light_[i] > 0) add(i, i, light_[i]);
}

bool NearestVelocities::factor(const State<double>& state) {
  std::ranges::fill(values_, 0.0);
  diagonal_.assign(topology_.ncoord, 0.0);
  for (Part& part : parts_) {
    if (part.follows) part.weight = lower_;
    add_masses(part, part.pairs, last_);
    if (part.weight > 0) add_masses(part, weighted(part), part.weight);
    if (part.free > 0) add_free(part);
  }
  constraints_.evaluate(state);
  add_light_masses(state);
  const ConstraintMatrix<double>& matrix = constraints_.matrix();
  for (const auto& c : matrix.couplings()) add(c.row, c.column, matrix.value(c));
  return solver_.factor(values_).ok;
}

/// v − r.
Triple NearestVelocities::deviation(const Part& part, size_t slot) const {
  Triple out = part.velocity[slot] - part.fixed[slot];
  for (int k = 0; k < part.free; ++k) out = out - x_[part.first + k] * free_field(part, slot, k);
  return out;
}

void NearestVelocities::read_velocities(Part& part) const {
  for (size_t k = 0; k < part.slots.size(); ++k) {
    const Slot& slot = topology_.slots[part.slots[k]];
    part.velocity[k] = slot_triple(base_, slot);
    for (const auto& [s, weights] : masters_[part.slots[k]]) {
      const Slot& master = topology_.slots[s];
      for (int i = 0; i < slot.size; ++i)
        for (int j = 0; j < master.size; ++j)
          part.velocity[k][i] += weights[i * master.size + j] * x_[master.offset + j];
    }
  }
}

/// A force on a slot, on its masters in the right-hand side.
void NearestVelocities::push(int slot, const Triple& force) {
  for (const auto& [s, weights] : masters_[slot]) {
    const Slot& master = topology_.slots[s];
    for (int i = 0; i < topology_.slots[slot].size; ++i)
      for (int j = 0; j < master.size; ++j) rhs_[master.offset + j] += weights[i * master.size + j] * force[i];
  }
}

/// A step to the solution for the targets of all parts. Returns the largest change of a velocity over the largest
/// velocity.
double NearestVelocities::pass() {
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  for (const int row : constraints_.rows()) rhs_[row] = -rates_[row];
  for (const auto& c : constraints_.matrix().couplings()) {
    const double value = constraints_.matrix().value(c);
    rhs_[c.row] -= value * x_[c.column];
    rhs_[c.column] -= value * x_[c.row];
  }
  for (const Part& part : parts_) {
    for (const Pair& pair : part.pairs) {
      const auto b = static_cast<size_t>(pair.b);
      push(part.slots[pair.a], last_ * pair.mass * (part.near[b] - part.velocity[b]));
    }
    if (part.weight == 0) continue;
    for (const Pair& pair : weighted(part)) {
      const auto a = static_cast<size_t>(pair.a), b = static_cast<size_t>(pair.b);
      const Triple force = part.weight * pair.mass * (part.target[b] - deviation(part, b));
      push(part.slots[a], force);
      for (int k = 0; k < part.free; ++k) rhs_[part.first + k] -= dot(free_field(part, a, k), force);
    }
  }
  solver_.solve(std::span<double>(rhs_));
  for (int i = 0; i < unknowns_; ++i) x_[i] += rhs_[i];
  double change = 0, size = 0;
  for (Part& part : parts_) {
    const std::vector<Triple> before = part.velocity;
    read_velocities(part);
    size = std::max(size, largest(part.velocity));
    for (size_t k = 0; k < before.size(); ++k) change = std::max(change, norm(part.velocity[k] - before[k]));
  }
  return change / std::max(size, 1e-300);
}

/// The sum of that weight: greater ones keep what they have reached, smaller ones hold on to where they are.
void NearestVelocities::make_least(double weight) {
  for (Part& part : parts_)
    for (size_t k = 0; k < part.slots.size(); ++k)
      if (part.weight > weight) part.goal[k] = part.target[k] = deviation(part, k);
  for (int count = 0; count < max_passes; ++count) {
    for (Part& part : parts_)
      for (size_t k = 0; k < part.slots.size(); ++k) {
        part.near[k] = weight == last_ || !has_begun_ ? part.fixed[k] : part.velocity[k];
        if (part.weight == weight || !has_begun_) part.target[k] = {};
        if (part.weight == 0 || part.weight == weight || !has_begun_) continue;
        const Triple now = deviation(part, k);
        part.target[k] = part.weight < weight ? now : count > 0 ? part.target[k] + part.goal[k] - now : part.target[k];
      }
    const bool first = !std::exchange(has_begun_, true);
    if (!(pass() > settled) && !first) return;
  }
}

bool NearestVelocities::satisfies_constraints_at_x(const State<double>& state) {
  State<double> moving = state;
  std::copy_n(x_.begin(), topology_.ncoord, moving.v.begin());
  system_.assembler.expand(moving.q.data(), moving.v.data(), moving.a.data());
  double size = 0;
  for (const double v : moving.v) size = std::max(size, std::fabs(v));
  return satisfies_constraints(moving, size);
}

bool NearestVelocities::solve_with(const State<double>& state, double lower, double last) {
  lower_ = lower, last_ = last;
  x_.assign(unknowns_, 0.0);
  if (!factor(state)) return false;
  for (Part& part : parts_) {
    read_velocities(part);
    part.near = part.fixed;
    for (auto* x : {&part.target, &part.goal}) std::ranges::fill(*x, Triple{});
  }
  has_begun_ = false;
  for (const double weight : {1.0, lower_, last_})
    if (weight == last_ || std::ranges::any_of(parts_, [&](const Part& part) { return part.weight == weight; }))
      make_least(weight);
  return std::ranges::all_of(x_, [](double x) { return std::isfinite(x); });
}

bool NearestVelocities::solve(State<double>& state) {
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  prepare(state);
  x_.assign(unknowns_, 0.0);
  if (fits_already(state)) {
    for (size_t p = 0; p < motions_.size(); ++p) find_fit(p);
    return true;
  }
  analyse();
  for (Part& part : parts_)
    if (part.follows) share_evenly(part);
  bool solved = false, satisfied = false;
  for (const Weights& weights : weights_tried) {
    solved = solve_with(state, weights.lower, weights.last);
    satisfied = solved && satisfies_constraints_at_x(state);
    if (satisfied) break;
  }
  // Velocities that contradict each other leave rows open with any weights: the caller names them.
  if (!satisfied) solved = solve_with(state, weights_tried[0].lower, weights_tried[0].last);
  if (!solved) return false;
  std::copy_n(x_.begin(), topology_.ncoord, state.v.begin());
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  for (size_t p = 0; p < motions_.size(); ++p) find_fit(p);
  return true;
}

void NearestVelocities::find_fit(size_t p) {
  Part whole = parts_[p];
  whole.moves = true;
  whole.turns = !motions_[p].is_point;
  const int turns = whole.turns ? (dim_ == 2 ? 1 : 3) : 0, count = dim_ + turns;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd moment = Eigen::VectorXd::Zero(count);
  double speed = 0, stated = 0, missed = 0;
  const double square = radius_squared(whole), radius = square > 0 ? std::sqrt(square) : 1;
  const auto field = [&](size_t slot, int k) { return (k < dim_ ? 1 : 1 / radius) * free_field(whole, slot, k); };
  for (const Pair& pair : weighted(parts_[p])) {
    const auto a = static_cast<size_t>(pair.a), b = static_cast<size_t>(pair.b);
    const Triple lost = deviation(parts_[p], a), other = deviation(parts_[p], b);
    speed += pair.mass * dot(whole.velocity[a], whole.velocity[b]);
    stated += pair.mass * dot(whole.velocity[a] - lost, whole.velocity[b] - other);
    if (whole.weight > 0) missed += pair.mass * dot(lost, other);
  }
  for (const Pair& pair : whole.pairs) {
    const auto a = static_cast<size_t>(pair.a), b = static_cast<size_t>(pair.b);
    for (int k = 0; k < count; ++k) {
      moment[k] += pair.mass * dot(field(a, k), whole.velocity[b]);
      for (int l = 0; l < count; ++l) normal(k, l) += pair.mass * dot(field(a, k), field(b, l));
    }
  }
  const Eigen::MatrixXd motion = PivotedQr(normal, 1e-10).solve(moment);
  Fit& fit = fits_[p];
  fit = {};
  for (int k = 0; k < dim_; ++k) fit.velocity[k] = motion(k, 0);
  for (int k = 0; k < turns; ++k) fit.turning[dim_ == 2 ? 2 : k] = motion(dim_ + k, 0) / radius;
  const auto root = [&](double energy) { return std::sqrt(std::max(0.0, energy) / std::max(whole.mass, 1e-300)); };
  fit.speed = root(speed), fit.stated = root(stated), fit.missed = root(missed);
}

}  // namespace flexura
