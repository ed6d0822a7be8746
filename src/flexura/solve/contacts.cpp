#include "flexura/solve/contacts.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr double solves = 1e6;      ///< ρ/ρ_J: less leaves gaps and takes laps in heaps, more is as good (1e8 alike)
constexpr double gap_zero = 1e-11;  ///< of the size
constexpr double gap_rounding = 1e-15;  ///< of coordinates
constexpr double margin = 1e-3;         ///< of the size, around what a motion sweeps
constexpr double crossed = 1e-6;        ///< of the reach: less deep a way through is none
constexpr int restless = 25;            ///< changes of sides
constexpr int most_refusals = 8;

std::vector<int> centres_of(const ContactModel& model) {
  std::vector<int> slots;
  for (const ContactSphere& sphere : model.spheres) slots.push_back(sphere.slot);
  return slots;
}

Vec3d normal_of(const ContactPlane& plane) { return {plane.normal[0], plane.normal[1], plane.normal[2]}; }

double distance_to(const ContactPlane& plane, const Vec3d& x) {
  return dot(normal_of(plane), x - Vec3d{plane.point[0], plane.point[1], plane.point[2]});
}

}  // namespace

Contacts::Contacts(System<double>& system)
    : system_(system),
      model_(*system.topology().contacts),
      overlay_(system.assembler, centres_of(model_)),
      problem_(overlay_) {
  std::vector<double> values(system.solver.layout().value_count(), 0.0);
  system.assembler.mass_matrix(values.data());
  mass_.assign(system.topology().ny, 0.0);
  system.solver.diagonal(values, std::span<double>(mass_));
  groups_of_.resize(model_.size());
  for (size_t g = 0; g < model_.groups.size(); ++g)
    for (const int member : model_.groups[g].members) groups_of_[member].push_back(static_cast<int>(g));
  list_planes();
  Box all = Box::nothing();
  const std::vector<double> q = system.assembler.initial_q();
  for (size_t s = 0; s < model_.spheres.size(); ++s) {
    const Vec3d x = overlay_.at(static_cast<int>(s), q.data());
    all.include(x.c, overlay_.dim(), model_.spheres[s].radius);
  }
  for (int i = 0; i < overlay_.dim() && !model_.spheres.empty(); ++i)
    extent_ = std::max(extent_, all.high[i] - all.low[i]);
  boxes_.resize(model_.spheres.size());
}

/// Planes are compared with all that may touch them.
void Contacts::list_planes() {
  for (int sphere = 0; sphere < static_cast<int>(model_.spheres.size()); ++sphere)
    for (int plane = static_cast<int>(model_.spheres.size()); plane < model_.size(); ++plane)
      if (const int group = group_of(sphere, plane); group >= 0) plane_pairs_.push_back({sphere, plane, group});
}

/// The group that lets them touch, −1: none.
int Contacts::group_of(int a, int b) const {
  if (model_.are_tied({a, b})) return -1;
  for (const int g : groups_of_[a])
    if (std::binary_search(groups_of_[b].begin(), groups_of_[b].end(), g)) return g;
  return -1;
}

void Contacts::begin(std::span<const double> before, const ContactHistory& history, std::span<const double> after) {
  start_.assign(before.begin(), before.end());
  history_.assign(history.begin(), history.end());
  candidates_.clear();
  refusals_ = 0;
  sweep(after.data());
  search();
}

/// Boxes around each sphere on its way. They reach a tenth of the way further: what others push may go beyond its end.
void Contacts::sweep(const double* after) {
  for (size_t s = 0; s < boxes_.size(); ++s) {
    const int point = static_cast<int>(s), dim = overlay_.dim();
    const Vec3d from = overlay_.at(point, start_.data()), to = overlay_.at(point, after);
    const double radius = model_.spheres[s].radius;
    const double reach = radius + margin * (radius > 0 ? radius : extent_) + 0.1 * norm(to - from);
    boxes_[s] = Box::nothing();
    boxes_[s].include(from.c, dim, reach);
    boxes_[s].include(to.c, dim, reach);
  }
}

/// Candidates from the boxes, ascending; those that are known already stay as they are.
void Contacts::search() {
  ++work_.searches;
  fresh_.clear();
  for (const auto& [a, b] : tree_.overlaps(boxes_))
    if (const int group = group_of(a, b); group >= 0 && model_.spheres[a].radius + model_.spheres[b].radius > 0)
      fresh_.push_back(make({a, b}, group));
  work_.comparisons += tree_.comparisons() + static_cast<long>(plane_pairs_.size());
  for (const PlanePair& pair : plane_pairs_) {
    const Box& box = boxes_[pair.sphere];
    const Vec3d n = normal_of(model_.plane(pair.plane));
    Vec3d deepest;
    for (int i = 0; i < 3; ++i) deepest[i] = n[i] > 0 ? box.low[i] : box.high[i];
    if (distance_to(model_.plane(pair.plane), deepest) <= 0)
      fresh_.push_back(make({pair.sphere, pair.plane}, pair.group));
  }
  std::sort(fresh_.begin(), fresh_.end(), [](const Contact& a, const Contact& b) { return a.key < b.key; });
  auto known = candidates_.begin();
  for (Contact& c : fresh_) {
    while (known != candidates_.end() && known->key < c.key) ++known;
    if (known != candidates_.end() && known->key == c.key) c = *known;
  }
  candidates_.swap(fresh_);
  work_.candidates += static_cast<long>(candidates_.size());
}

Contact Contacts::make(ContactKey key, int group) const {
  Contact c;
  c.key = key;
  c.group = group;
  c.points.a = key.a;
  c.reach = model_.spheres[key.a].radius;
  if (!model_.is_plane(key.b)) {
    c.points.b = key.b;
    c.reach += model_.spheres[key.b].radius;
  }
  c.size = c.reach > 0 ? c.reach : std::max(margin * extent_, 1e-12);
  c.before = overlay_.difference(c.points, start_.data());
  place(c, start_.data());
  c.gap_before = c.gap;
  return c;
}

/// Coordinates that nothing holds are as soft as rounding leaves them.
void Contacts::rest_on(std::span<const double> diagonal) {
  constexpr double soft = 1e-9;
  const double hardest = diagonal.empty() ? 0 : *std::max_element(diagonal.begin(), diagonal.end());
  stiffness_.assign(diagonal.begin(), diagonal.end());
  for (double& k : stiffness_) k = std::max(k, hardest > 0 ? soft * hardest : 1.0);
}

void Contacts::restart(double cm) {
  cm_ = cm;
  changes_ = 0;
  pivoting_.restart();
  active_ = 0;
  auto record = history_.begin();
  for (Contact& c : candidates_) {
    while (record != history_.end() && record->key < c.key.packed()) ++record;
    const bool known = record != history_.end() && record->key == c.key.packed();
    c.lambda = known ? record->correction : 0;
    // At rest what lies on something may be held by nothing else: it begins as if pressed by a gap that counts as closed.
    if (const double gap = closed_gap(c); !stiffness_.empty() && !(c.lambda > 0) && std::fabs(c.gap_before) <= gap)
      if (const double mobility = overlay_.compliance(c.points, c.n, stiffness_); mobility > 0)
        c.lambda = 2 * gap / mobility;
    c.active = c.lambda > 0;
    c.held = false;
    c.impulse = c.approach = 0;
  }
}

/// n, g and H.
void Contacts::place(Contact& c, const double* q) const {
  const Vec3d d = overlay_.difference(c.points, q);
  if (model_.is_plane(c.key.b)) {
    c.n = normal_of(model_.plane(c.key.b));
    c.gap = distance_to(model_.plane(c.key.b), d) - c.reach;
    c.curvature = 0;
    return;
  }
  if (!c.held && (dot(d, c.before) > 0 || !holds_back(c, d))) {
    const double distance = norm(d);
    c.n = distance > 0 ? d / distance : Vec3d{1, 0, 0};
    c.gap = distance - c.reach;
    c.curvature = distance > 0 ? 1 / distance : 0;
    return;
  }
  c.gap = dot(c.n, d) - c.reach;
  c.curvature = 0;
}

/// Whether the straight way from t_n to `after` leads through: then n is that of the first touch.
bool Contacts::holds_back(Contact& c, const Vec3d& after) const {
  const Vec3d way = after - c.before;
  const double length2 = dot(way, way), towards = -dot(way, c.before);
  if (!(length2 > 0) || towards <= 0) return false;
  const double nearest = std::min(towards / length2, 1.0);
  const Vec3d closest = c.before + nearest * way;
  const double depth = c.reach - norm(closest);
  if (depth <= crossed * c.size) return false;
  // |before + s way| = reach, the smaller root; 0 where they touch already.
  const double excess = std::max(dot(c.before, c.before) - c.reach * c.reach, 0.0);
  const double root = std::sqrt(std::max(towards * towards - length2 * excess, 0.0));
  const double touch = std::clamp(excess / (towards + root), 0.0, 1.0);
  c.n = c.before + touch * way;
  c.n = c.n / norm(c.n);
  c.held = true;
  return true;
}

void Contacts::look(const double* q) {
  for (Contact& c : candidates_) place(c, q);
  decide();
}

void Contacts::decide() {
  active_ = 0;
  int wrong = 0;
  for (Contact& c : candidates_) {
    const double mobility = overlay_.compliance(c.points, c.n, stiffness_.empty() ? mass_ : stiffness_);
    c.scale = mobility > 0 ? (stiffness_.empty() ? cm_ : 1) / mobility : 0;
    wrong += c.active != wants_to_act(c);
  }
  const bool all = pivoting_.changes_all(wrong);
  changes_ += wrong > 0;
  bool may_change = true;
  for (Contact& c : candidates_) {
    if (may_change && c.active != wants_to_act(c)) {
      c.active = !c.active;
      may_change = all;
    }
    if (!c.active) c.lambda = 0;
    active_ += c.active;
  }
}

void Contacts::add_forces(double* r) const {
  for (const Contact& c : candidates_)
    if (c.active) overlay_.add_force(c.points, c.lambda * c.n, r);
}

std::span<const std::pair<int, int>> Contacts::couplings() {
  couplings_.clear();
  for (const Contact& c : candidates_)
    if (c.active) overlay_.add_couplings(c.points, couplings_);
  return couplings_;
}

void Contacts::add_tangent(std::span<const double> diagonal, const LinearSolver<double>& solver,
                           std::span<double> values) {
  ++work_.factorizations;
  work_.active += active_;
  for (Contact& c : candidates_) {
    if (!c.active) continue;
    c.stiffness = solves / overlay_.compliance(c.points, c.n, diagonal);
    const double turning = -c.lambda * c.curvature;
    double K[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K[i][j] = c.stiffness * c.n[i] * c.n[j] + turning * ((i == j) - c.n[i] * c.n[j]);
    overlay_.add_tangent(c.points, K, solver, values);
  }
}

void Contacts::add_right_side(double* y) const {
  for (const Contact& c : candidates_)
    if (c.active) overlay_.add_reduced_force(c.points, -c.stiffness * c.gap * c.n, y);
}

void Contacts::recentre(const double* dy) {
  for (Contact& c : candidates_)
    if (c.active) c.lambda -= c.stiffness * (c.gap + overlay_.along(c.points, c.n, dy));
}

bool Contacts::is_restless() const { return changes_ >= restless; }

bool Contacts::find_step(LinearSolver<double>& solver, std::span<const double> J, std::span<const double> diagonal,
                         std::vector<double>& step) {
  std::vector<ContactProblem::Row>& rows = problem_.rows();
  rows.clear();
  loads_.assign(step.begin(), step.end());
  for (const Contact& c : candidates_) {
    const double mobility = overlay_.compliance(c.points, c.n, diagonal);
    if (!(mobility > 0)) continue;
    rows.push_back({c.points, c.n, c.gap, 1 / mobility, c.size, c.lambda});
    if (c.active) overlay_.add_reduced_force(c.points, -c.lambda * c.n, loads_.data());
  }
  const bool found = problem_.solve(solver, J, loads_, step);
  work_.factorizations += problem_.factorizations();
  work_.active += problem_.entered();
  if (!found) return false;
  auto row = rows.begin();
  for (Contact& c : candidates_) {
    if (!(overlay_.compliance(c.points, c.n, diagonal) > 0)) continue;
    c.active = row->pushes;
    c.lambda = row->force;
    ++row;
  }
  return true;
}

double Contacts::gap_tolerance(const Contact& c) const {
  double largest = 0;
  for (int i = 0; i < 3; ++i) largest = std::max(largest, std::fabs(c.before[i]));
  for (int i = 0; i < 3; ++i) largest = std::max(largest, std::fabs(overlay_.at(c.points.a, start_.data())[i]));
  return gap_zero * c.size + gap_rounding * largest;
}

double Contacts::misfit(const Contact& c) const {
  const double wrong = c.active ? std::fabs(c.gap) : -c.gap;
  return wrong <= gap_tolerance(c) ? 0 : wrong;
}

bool Contacts::are_closed() const {
  return std::none_of(candidates_.begin(), candidates_.end(), [&](const Contact& c) { return misfit(c) > 0; });
}

bool Contacts::is_blocked() const {
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Contact& c) { return !(c.scale > 0) && misfit(c) > 0; });
}

const Contact* Contacts::worst() const {
  const Contact* found = nullptr;
  for (const Contact& c : candidates_)
    if (misfit(c) > (found == nullptr ? 0 : misfit(*found))) found = &c;
  return found;
}

bool Contacts::admits(const double* q) {
  const bool outside = [&] {
    for (size_t s = 0; s < boxes_.size(); ++s) {
      const Vec3d x = overlay_.at(static_cast<int>(s), q);
      const double radius = model_.spheres[s].radius;
      for (int i = 0; i < overlay_.dim(); ++i)
        if (x[i] - radius < boxes_[s].low[i] || x[i] + radius > boxes_[s].high[i]) return true;
    }
    return false;
  }();
  const size_t known = candidates_.size();
  if (outside) {
    for (size_t s = 0; s < boxes_.size(); ++s) {
      const double radius = model_.spheres[s].radius;
      boxes_[s].include(overlay_.at(static_cast<int>(s), q).c, overlay_.dim(),
                        radius + margin * (radius > 0 ? radius : extent_));
    }
    search();
  }
  bool fine = candidates_.size() == known;
  for (Contact& c : candidates_) {
    if (model_.is_plane(c.key.b) || c.held || c.active || !(c.scale > 0)) continue;
    const Vec3d after = overlay_.difference(c.points, q), way = after - c.before;
    if (norm(way) <= c.gap_before) continue;  // cannot have met
    if (holds_back(c, after)) fine = false;
  }
  if (!fine) ++refusals_;
  return fine;
}

bool Contacts::is_hopeless() const { return refusals_ > most_refusals; }

std::optional<Overlap> find_overlap(System<double>& system, const std::vector<double>& q) {
  constexpr double typed = 1e-6;
  std::optional<Overlap> deepest;
  if (system.topology().contacts == nullptr) return deepest;
  Contacts contacts(system);
  contacts.begin(q, {}, q);
  for (const Contact& c : contacts.candidates()) {
    if (!(-c.gap_before > typed * c.size) || (deepest && -c.gap_before <= deepest->depth)) continue;
    if (contacts.overlay().compliance(c.points, c.n, contacts.mass()) > 0)  // else neither of them moves
      deepest = Overlap{c.key, c.group, -c.gap_before};
  }
  return deepest;
}

void Contacts::write(ContactHistory& history, double h) const {
  history.clear();
  for (const Contact& c : candidates_)
    if (is_closed(c)) history.push_back({c.key.packed(), c.lambda, c.impulse, c.impulse / h, c.approach});
}

void Contacts::write_at_rest(ContactHistory& history) const {
  history.clear();
  for (const Contact& c : candidates_)
    if (is_closed(c)) history.push_back({c.key.packed(), c.lambda, 0, c.lambda, 0});
}

}  // namespace flexura
