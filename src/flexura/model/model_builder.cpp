#include "flexura/model/model_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/base/text.hpp"
#include "flexura/model/block_layout.hpp"
#include "flexura/model/redundancy.hpp"

namespace flexura {

int ModelBuilder::slot(std::string name, SlotKind kind, std::span<const double> X, int node) {
  names_.push_back(std::move(name));
  kinds_.push_back(kind);
  split_kinds_.push_back(kind);
  sizes_.push_back(static_cast<int>(X.size()));
  node_of_.push_back(node < 0 ? nodes_++ : node);
  multiplier_.push_back(false);
  reference_.emplace_back(X.begin(), X.end());
  q0_.emplace_back(X.begin(), X.end());
  v0_.emplace_back(X.size(), 0.0);
  return static_cast<int>(names_.size()) - 1;
}

int ModelBuilder::multiplier(std::string name, int node) {
  const double zero = 0;
  const int s = slot(std::move(name), SlotKind::scalar, {&zero, 1}, node);
  multiplier_[s] = true;
  return s;
}

void ModelBuilder::set_initial(int slot, std::span<const double> q0, std::span<const double> v0) {
  q0_[slot].assign(q0.begin(), q0.end());
  v0_[slot].assign(v0.begin(), v0.end());
}

int ModelBuilder::effective(const EffectiveSignal& signal) {
  const auto found = std::find(effective_.begin(), effective_.end(), signal);
  if (found != effective_.end()) return static_cast<int>(found - effective_.begin());
  effective_.push_back(signal);
  return static_cast<int>(effective_.size()) - 1;
}

bool ModelBuilder::stays_zero(const EffectiveSignal& signal) const {
  if (!signal_set_ || signal.signal < 0 || !signal_set_->is_constant(signal.signal)) return false;
  std::vector<double> u(static_cast<size_t>(signal_set_->size()));
  signal_set_->evaluate(0, u);
  return u[signal.signal] == 0;
}

void ModelBuilder::fix(int slot, const std::string& author, Source source) {
  equate(slot, {sizes_[slot], {}, q0_[slot], {}}, author, std::move(source));
}

void ModelBuilder::prescribe(int slot, const std::map<int, std::vector<double>>& drives, const std::string& author,
                             Source source) {
  equate(slot, {sizes_[slot], {}, q0_[slot], drives}, author, std::move(source));
}

void ModelBuilder::equate(int slot, LinearForm form, const std::string& author, Source source) {
  const int n = sizes_[slot];
  std::vector<double> minus_one(static_cast<size_t>(n) * n, 0.0);
  for (int i = 0; i < n; ++i) minus_one[i * n + i] = -1.0;
  form.rows = n;
  // First, so that among equally good pivots it becomes the dependent one.
  form.terms.insert(form.terms.begin(), {slot, std::move(minus_one)});
  relate(std::move(form), author, std::move(source));
}

std::optional<std::vector<double>> ModelBuilder::constant(int slot) const {
  LinearForm form = relations_.expand(slot);
  if (!form.terms.empty() || !form.drives.empty()) return {};
  return std::move(form.constant);
}

void ModelBuilder::relate(LinearForm form, const std::string& author, Source source) {
  if (form.constant.empty()) form.constant.assign(form.rows, 0.0);
  double scale = 1e-3;
  for (const LinearTerm& term : form.terms)
    for (double x : q0_[term.slot]) scale = std::max(scale, std::fabs(x));
  stated_.push_back({form.rows, form.terms, author});
  const size_t known = sizes_.size();
  const auto weight = [&](int slot) { return split_kinds_[slot] == SlotKind::vector ? 1 / length_ : 1.0; };
  const auto conflict = relations_.impose(form, author, scale, weight);
  std::map<int, int> made;  // coordinates by the slot that was split: all of them at once
  for (size_t s = known; s < sizes_.size(); ++s) {
    const int origin = relations_.split_from().at(static_cast<int>(s));
    const int component = made[origin]++;
    names_.push_back(fmt::format("{}[{}]", names_[origin], component));
    kinds_.push_back(SlotKind::scalar);
    split_kinds_.push_back(split_kinds_[origin]);
    node_of_.push_back(node_of_[origin]);
    multiplier_.push_back(false);
    reference_.push_back({reference_[origin][component]});
    q0_.push_back({q0_[origin][component]});
    v0_.push_back({v0_[origin][component]});
  }
  if (!conflict) return;
  std::vector<std::string> others = conflict->with;
  std::erase(others, author);
  problems_.push_back(
      {std::move(source),
       author,
       fmt::format("contradicts {}: {}", others.empty() ? "itself" : joined_text(others, " and "),
                   conflict->in_time ? std::string("both say where the same thing is, by different signals")
                                     : fmt::format("the places are {:.6g} apart", conflict->mismatch)),
       {}});
}

int ModelBuilder::combination(std::string name, SlotKind kind, LinearForm form, const std::string& author) {
  std::vector<double> X(form.rows, 0.0), q(form.rows, 0.0), v(form.rows, 0.0);
  if (form.constant.empty()) form.constant.assign(form.rows, 0.0);
  for (int i = 0; i < form.rows; ++i) {
    X[i] = q[i] = form.constant[i];
    for (const LinearTerm& term : form.terms) {
      const int m = sizes_[term.slot];
      for (int j = 0; j < m; ++j) {
        X[i] += term.matrix[i * m + j] * reference_[term.slot][j];
        q[i] += term.matrix[i * m + j] * q0_[term.slot][j];
        v[i] += term.matrix[i * m + j] * v0_[term.slot][j];
      }
    }
  }
  const int s = slot(std::move(name), kind, X);
  set_initial(s, q, v);
  relations_.define_fresh(s, form, author);
  stated_.push_back({form.rows, std::move(form.terms), author, s});
  defined_[s] = next_relation() - 1;
  return s;
}

void ModelBuilder::item(const std::string& type_name, std::span<const int> slots, std::span<const double> parameters,
                        std::span<const int> options, std::string name, double mass_damping, Source source) {
  const TermType* type = find_term(type_name);
  if (type == nullptr) {
    std::vector<std::string> known;
    for (const TermType* t : registered_terms()) known.emplace_back(t->info.name);
    problems_.push_back({std::move(source), name, fmt::format("there is no term named \"{}\"", type_name),
                         nearest_name(type_name, known)});
    return;
  }
  const TermInfo& info = type->info;
  const auto wrong = [&](std::string message) { problems_.push_back({source, name, std::move(message), {}}); };
  if (slots.size() != info.slots.size())
    return wrong(fmt::format("{} touches {} slots, {} were given", type_name, info.slots.size(), slots.size()));
  if (static_cast<int>(parameters.size()) != info.parameter_count())
    return wrong(
        fmt::format("{} has {} parameters, {} were given", type_name, info.parameter_count(), parameters.size()));
  if (options.size() != info.options.size())
    return wrong(fmt::format("{} has {} options, {} were given", type_name, info.options.size(), options.size()));
  for (size_t a = 0; a < slots.size(); ++a) {
    const bool is_signal = info.slots[a] == SlotKind::signal;
    const int limit = static_cast<int>(is_signal ? effective_.size() : names_.size());
    if (slots[a] < 0 || slots[a] >= limit) return wrong(fmt::format("slot {} does not exist", a));
    if (!is_signal && sizes_[slots[a]] != flexura::slot_size(info.slots[a], info.dim))
      return wrong(fmt::format("slot {} (\"{}\") has {} coordinates, {} are needed", a, names_[slots[a]],
                               sizes_[slots[a]], flexura::slot_size(info.slots[a], info.dim)));
  }
  int next = 0;
  for (const Field& field : info.fields)
    for (int k = 0; k < field.size; ++k, ++next)
      if (std::isnan(parameters[next])) {
        wrong(fmt::format("{} ({}) is missing, or comes out as no number", field.name, field.doc));
      } else if (!std::isfinite(parameters[next])) {
        wrong(fmt::format("{} ({}) comes out as infinite: what it follows from is too large or too small", field.name,
                          field.doc));
      } else if (!field.allows(parameters[next])) {
        wrong(fmt::format("{} = {} {} is not allowed ({})", field.name, parameters[next], field.unit, field.doc));
      }
  items_.push_back({type,
                    {slots.begin(), slots.end()},
                    {options.begin(), options.end()},
                    {parameters.begin(), parameters.end()},
                    std::move(name),
                    mass_damping});
}

void ModelBuilder::gravity(std::span<const double> g, int signal) {
  GravityField field;
  std::copy(g.begin(), g.end(), field.g);
  field.signal = signal;
  gravity_.push_back(field);
}

void ModelBuilder::number(Topology& topology) const {
  const int n = static_cast<int>(names_.size());
  topology.slots.resize(n);
  std::vector<int> order(n);
  for (int s = 0; s < n; ++s) order[s] = s;
  // Coordinates by node, then multipliers, then dependent slots.
  const auto group = [&](int s) { return !relations_.is_free(s) ? 2 : multiplier_[s] ? 1 : 0; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(group(a), group(a) == 2 ? 0 : node_of_[a]) < std::pair(group(b), group(b) == 2 ? 0 : node_of_[b]);
  });
  int offset = 0;
  for (int s : order) {
    Slot& slot = topology.slots[s];
    slot.kind = kinds_[s];
    slot.size = sizes_[s];
    slot.offset = offset;
    slot.multiplier = multiplier_[s];
    slot.is_length = is_length(s);
    offset += slot.size;
    if (group(s) < 2) topology.ny = offset;
    if (group(s) == 0) topology.ncoord = offset;
  }
  topology.nq = offset;
}

void ModelBuilder::eliminate(Topology& topology, Values& values) const {
  for (const auto& [s, form] : relations_.dependents()) {
    Dependent dependent{.slot = s, .base = static_cast<int>(values.bases.size()), .weights = {}, .drives = {}};
    values.bases.insert(values.bases.end(), form.constant.begin(), form.constant.end());
    for (const LinearTerm& term : form.terms) {
      dependent.weights.push_back({term.slot, static_cast<int>(values.weights.size())});
      values.weights.insert(values.weights.end(), term.matrix.begin(), term.matrix.end());
    }
    for (const auto& [signal, direction] : form.drives) {
      dependent.drives.push_back({signal, static_cast<int>(values.directions.size())});
      values.directions.insert(values.directions.end(), direction.begin(), direction.end());
    }
    topology.slots[s].dependent = static_cast<int>(topology.dependents.size());
    topology.dependents.push_back(std::move(dependent));
  }
}

void ModelBuilder::collect(Topology& topology, Values& values) const {
  for (const Item& item : items_) {
    size_t b = 0;
    while (b < topology.batches.size() &&
           !(topology.batches[b].type == item.type && topology.batches[b].options == item.options))
      ++b;
    if (b == topology.batches.size()) {
      topology.batches.push_back({.type = item.type, .options = item.options, .count = 0, .slots = {}, .names = {}});
      values.parameters.emplace_back();
      values.mass_damping.emplace_back();
    }
    ItemBatch& batch = topology.batches[b];
    ++batch.count;
    batch.slots.insert(batch.slots.end(), item.slots.begin(), item.slots.end());
    batch.names.push_back(static_cast<int>(topology.item_names.size()));
    topology.item_names.push_back(item.name);
    values.parameters[b].insert(values.parameters[b].end(), item.parameters.begin(), item.parameters.end());
    values.mass_damping[b].push_back(item.mass_damping);
  }
  int work = 0;
  for (ItemBatch& batch : topology.batches) {
    work += batch.count * batch.type->info.dofs();
    batch.history = batch.type->history(batch.options);
    batch.first_history = topology.history;
    topology.history += batch.count * batch.history;
  }
  topology.chunks = std::clamp(work / 1024, 1, 16);
}

void ModelBuilder::initial_state(const Topology& topology, Values& values) const {
  values.reference.resize(topology.nq);
  values.q0.resize(topology.nq);
  values.v0.resize(topology.nq);
  for (size_t s = 0; s < names_.size(); ++s) {
    const int offset = topology.slots[s].offset;
    std::copy(reference_[s].begin(), reference_[s].end(), values.reference.begin() + offset);
    std::copy(q0_[s].begin(), q0_[s].end(), values.q0.begin() + offset);
    std::copy(v0_[s].begin(), v0_[s].end(), values.v0.begin() + offset);
  }
}

bool ModelBuilder::is_length(int slot) const {
  if (multiplier_[slot]) return false;
  const std::string& name = names_[slot];
  return split_kinds_[slot] == SlotKind::point ||
         (split_kinds_[slot] == SlotKind::scalar && (name.ends_with(".displacement") || name.ends_with(".length")));
}

void ModelBuilder::check_multipliers() {
  for (size_t s = 0; s < names_.size(); ++s)
    if (multiplier_[s] && !relations_.is_free(static_cast<int>(s)))
      problems_.push_back({{}, names_[s], "a multiplier cannot be part of a linear relation", {}});
}

bool ModelBuilder::holds(std::string_view type, std::span<const int> slots, std::span<const double> parameters) const {
  std::vector<AffineVector> places;
  for (const int slot : slots) places.push_back(affine_vector({sizes_[slot], {}, reference_[slot], {}}, {}, 0));
  const QuadraticConstraint row = quadratic_constraint(type, places, parameters, {});
  return find_redundancy({&row, 1}).contradictions.empty();
}

/// Leaves out expendable constraints that follow from others, and all that say nothing (0 = 0 but for rounding, of which a
/// solver would make a pivot); their multipliers are fixed at zero.
void ModelBuilder::drop_implied(Topology& topology) {
  std::vector<int> first(names_.size()), uses(names_.size(), 0);
  std::vector<double> y, unit;
  for (size_t s = 0; s < names_.size(); ++s) {
    first[s] = static_cast<int>(y.size());
    unit.resize(y.size() + q0_[s].size(), is_length(static_cast<int>(s)) ? length_ : 1.0);
    for (const double x : q0_[s]) y.push_back(x / unit.back());
  }
  const int signals = static_cast<int>(y.size());
  y.resize(y.size() + effective_.size(), 1.0);
  for (const Item& item : items_)
    for (size_t a = 0; a < item.slots.size(); ++a)
      if (item.type->info.slots[a] != SlotKind::signal) ++uses[item.slots[a]];
  std::vector<int> origin;
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (is_quadratic(item.type->info.name) && multiplier_[item.slots.back()] && uses[item.slots.back()] == 1)
      origin.push_back(static_cast<int>(i));
  }
  const auto expendable = [&](int item) { return expendable_.contains(items_[item].slots.back()); };
  // Last, so that they follow from the others and not the others from them.
  std::stable_partition(origin.begin(), origin.end(), [&](int item) { return !expendable(item); });
  std::vector<QuadraticConstraint> rows;
  for (int i : origin) {
    const Item& item = items_[i];
    std::vector<AffineVector> slots;
    for (size_t a = 0; a + 1 < item.slots.size(); ++a)
      slots.push_back(affine_vector(relations_.expand(item.slots[a]), first, signals, unit));
    rows.push_back(quadratic_constraint(item.type->info.name, slots, item.parameters, y));
  }
  const Redundancy found = find_redundancy(rows);
  for (const auto& contradiction : found.contradictions) {
    std::vector<std::string> with;
    for (int k : contradiction.with) with.push_back(items_[origin[k]].name);
    problems_.push_back(
        {{},
         items_[origin[contradiction.constraint]].name,
         fmt::format("contradicts {}: the constraints differ by {:.6g} however the parts are placed",
                     with.empty() ? "what is fixed" : joined_text(with, " and "), contradiction.mismatch),
         {}});
  }
  for (int k : found.implied) {
    if (!expendable(origin[k]) && !rows[k].says_nothing()) continue;
    Item& item = items_[origin[k]];
    const int lambda = item.slots.back();
    relations_.define_fresh(lambda, {1, {}, {0.0}, {}}, item.name);
    multiplier_[lambda] = false;
    topology.implied.push_back(item.name);
    if (item.type->info.has_mass) continue;  // of a truss: it stays
    item.type = nullptr;
  }
  std::erase_if(items_, [](const Item& item) { return item.type == nullptr; });
}

Model ModelBuilder::build() {
  check_multipliers();
  if (effective_.empty()) constant_signal();
  auto topology = std::make_shared<Topology>();
  const auto stop_if_wrong = [&] {
    if (std::any_of(problems_.begin(), problems_.end(), [](const Problem& p) { return !p.warning; }))
      throw InputError(problems_);
  };
  stop_if_wrong();
  drop_implied(*topology);
  stop_if_wrong();
  Values values;
  topology->dim = dim_;
  topology->slot_names = names_;
  topology->signals = effective_;
  topology->signal_set = signal_set_;
  topology->laws = laws_;
  number(*topology);
  eliminate(*topology, values);
  collect(*topology, values);
  assign_blocks(*topology, node_of_);
  topology->rigid_bodies = rigid_bodies_;
  topology->rods = rods_;
  topology->pins = pins_;
  values.gravity = gravity_;
  if (!contacts_.empty()) topology->contacts = std::make_shared<const ContactModel>(contacts_);
  initial_state(*topology, values);
  return {std::move(topology), std::move(values)};
}

int Topology::find_slot(const std::string& name) const {
  const auto found = std::find(slot_names.begin(), slot_names.end(), name);
  return found == slot_names.end() ? -1 : static_cast<int>(found - slot_names.begin());
}

}  // namespace flexura
