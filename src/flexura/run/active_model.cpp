#include "flexura/run/active_model.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "flexura/constraint/joint_angle.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/model/contact_model.hpp"
#include "flexura/observe/body_motion.hpp"

namespace flexura {

std::vector<CarriedMemory> carried_memories(const Topology& from, const Topology& to) {
  std::unordered_map<std::string_view, std::pair<const ItemBatch*, int>> before;
  for (const ItemBatch& batch : from.batches)
    for (int i = 0; i < batch.count && batch.history > 0; ++i) before[from.item_names[batch.names[i]]] = {&batch, i};
  std::vector<CarriedMemory> out;
  for (const ItemBatch& batch : to.batches)
    for (int i = 0; i < batch.count && batch.history > 0; ++i) {
      CarriedMemory& memory = out.emplace_back(-1, batch.first_history + i * batch.history, batch.history);
      const auto found = before.find(to.item_names[batch.names[i]]);
      if (found == before.end()) continue;
      const auto [old, item] = found->second;
      if (old->type == batch.type && old->options == batch.options)
        memory.from = old->first_history + item * batch.history;
    }
  return out;
}

void ActiveModel::build(int model, bool unsymmetric) {
  const SceneModel& next = scene_.models[model];
  probe_.reset();
  constraints_.reset();
  system_.reset();
  index_ = model;
  unsymmetric_ = unsymmetric;
  const Values* values = &next.model.values;
  system_ = std::make_unique<System<double>>(next.model.topology, std::span(&values, 1),
                                             AssemblerOptions{.threads = threads_, .unsymmetric = unsymmetric});
  probe_ = std::make_unique<SensorProbe>(next, next.sensors, *system_);
  angles_ = std::make_unique<CountedAngles>(next, next.sensors);
  system_->angles = angles_->counts();
}

void ActiveModel::begin_memory() {
  system_->begin_history(state);
  angles_->begin(state);
  angles_->wind_springs(scene(), state);
  system_->look_back(state);
}

void ActiveModel::enter(int model, bool unsymmetric) {
  if (model == index_ && unsymmetric == unsymmetric_) return;
  if (model == index_) return build(model, unsymmetric);
  const int before = index_;
  const State<double> old = std::move(state);
  const std::unique_ptr<CountedAngles> angles_before = std::move(angles_);
  build(model, unsymmetric);
  state = system_->initial_state(old.t);
  begin_memory();
  if (before < 0) return;
  carry_over(scene_.models[before], old);
  carry_angles(scene_.models[before], *angles_before, old);
}

void ActiveModel::enter_saved(int model, bool unsymmetric) {
  if (model != index_ || unsymmetric != unsymmetric_) build(model, unsymmetric);
}

void ActiveModel::carry_over(const SceneModel& from_scene, const State<double>& old) {
  const Topology &from = *from_scene.model.topology, &to = topology();
  const std::vector<int> origin = slots_by_name(from, to);
  for (size_t s = 0; s < to.slots.size(); ++s) {
    if (origin[s] < 0) continue;
    const Slot &a = from.slots[origin[s]], &b = to.slots[s];
    for (int i = 0; i < b.size; ++i) {
      state.q[b.offset + i] = old.q[a.offset + i];
      state.v[b.offset + i] = old.v[a.offset + i];
      state.a[b.offset + i] = old.a[a.offset + i];
      if (b.offset + i >= to.ny) continue;
      state.a_alg[b.offset + i] = a.offset + i < from.ny ? old.a_alg[a.offset + i] : old.a[a.offset + i];
    }
  }
  carry_anchors(from_scene, old, origin);
  begin_coordinates(origin);
  carry_history(from, old);
  carry_contacts(from, old.contacts);
  state.lags = old.lags;
  state.energy = old.energy;
  for (size_t i = 0; i < to.signals.size(); ++i) {
    state.loads[i] = 0;
    for (size_t j = 0; j < from.signals.size(); ++j)
      if (from.signals[j] == to.signals[i]) state.loads[i] = old.loads[j];
  }
}

/// Φ = x − s with a coordinate s of its own, as of joint_angle.hpp and offset.hpp: s += Φ.
void ActiveModel::begin_coordinates(const std::vector<int>& origin) {
  constexpr std::string_view kinds[] = {JointAngle<2>::name, JointAngle<3>::name, Offset<2, true>::name,
                                        Offset<3, true>::name};
  constexpr size_t slots = 5, coordinate = 3, multiplier = 4;
  std::vector<std::pair<int, int>> places;  // of s and λ
  for (const ItemBatch& batch : topology().batches) {
    if (std::ranges::find(kinds, batch.type->info.name) == std::end(kinds)) continue;
    for (size_t i = 0; i < static_cast<size_t>(batch.count); ++i) {
      const int s = batch.slots[slots * i + coordinate];
      if (origin[s] < 0 && topology().slots[s].dependent < 0)
        places.emplace_back(topology().slots[s].offset, topology().slots[batch.slots[slots * i + multiplier]].offset);
    }
  }
  if (places.empty()) return;
  system_->assembler.expand(state.q.data(), state.v.data(), state.a.data());
  const ConstraintMotion<double>& motion = constraints().motion(state);
  for (const auto& [s, row] : places) {
    state.q[s] += motion.phi[row];
    state.v[s] += motion.rate[row];
  }
}

/// Springs that begin now are wound by what their frames have turned since the reference.
void ActiveModel::carry_angles(const SceneModel& from, const CountedAngles& before, const State<double>& old) {
  State<double> now = state;
  system_->assembler.expand(now.q.data(), now.v.data(), now.a.data());
  angles_->begin(now, &before, old.angles);
  state.angles = now.angles;
  std::vector<char> fresh(state.history.size(), 0);
  for (const CarriedMemory& m : carried_memories(*from.model.topology, topology()))
    if (m.from < 0) std::fill_n(fresh.begin() + m.to, m.count, 1);
  if (!fresh.empty()) angles_->wind_springs(scene(), state, fresh);
  system_->look_back(state);
}

void ActiveModel::carry_history(const Topology& from, const State<double>& old) {
  const Topology& to = topology();
  if (to.history == 0) return;
  system_->assembler.expand(state.q.data(), state.v.data(), state.a.data());
  system_->begin_history(state);
  for (const CarriedMemory& m : carried_memories(from, to))
    if (m.from >= 0) std::copy_n(old.history.begin() + m.from, m.count, state.history.begin() + m.to);
  system_->look_back(state);
}

/// What touches is known by its name, which is looked up once for each.
void ActiveModel::carry_contacts(const Topology& from, const ContactHistory& old) {
  const ContactModel* now = topology().contacts.get();
  if (now == nullptr || from.contacts == nullptr) return;
  std::unordered_map<std::string_view, int> members;
  for (int member = 0; member < now->size(); ++member) members.emplace(now->name(member), member);
  std::vector<int> here_is;
  for (int member = 0; member < from.contacts->size(); ++member) {
    const auto found = members.find(from.contacts->name(member));
    here_is.push_back(found == members.end() ? -1 : found->second);
  }
  for (ContactRecord record : old) {
    const ContactKey key = ContactKey::unpacked(record.key);
    const int a = here_is[key.a], b = here_is[key.b];
    if (a < 0 || b < 0) continue;
    const ContactKey here{std::min(a, b), std::max(a, b)};
    if (now->group_of(here) < 0) continue;
    record.key = here.packed();
    state.contacts.push_back(record);
  }
  std::sort(state.contacts.begin(), state.contacts.end(),
            [](const ContactRecord& a, const ContactRecord& b) { return a.key < b.key; });
}

/// Slots that carry a body now and did not before: where the body has them.
void ActiveModel::carry_anchors(const SceneModel& from, const State<double>& old, const std::vector<int>& origin) {
  const Topology& to = topology();
  for (const BodyAnchor& anchor : scene().anchors) {
    if (origin[anchor.slot] >= 0) continue;
    const auto body = std::find_if(from.bodies.begin(), from.bodies.end(),
                                   [&](const BodyPart& b) { return b.name == scene().bodies[anchor.body].name; });
    if (body == from.bodies.end()) continue;
    for (const auto& [before, now] : {std::pair(&old.q, &state.q), {&old.v, &state.v}, {&old.a, &state.a}}) {
      const BodyFrame frame = body_frame(*body, *from.model.topology, *before);
      for (int i = 0; i < to.dim; ++i) {
        double x = anchor.is_point ? frame.origin[i] : 0.0;
        for (int k = 0; k < body->axes; ++k) x += anchor.local[k] * frame.axes[k][i];
        const int place = to.slots[anchor.slot].offset + i;
        (*now)[place] = x;
        if (now == &state.a && place < to.ny) state.a_alg[place] = x;
      }
    }
  }
}

Energies ActiveModel::energies_at(const State<double>& at, double baseline) {
  system_->look_back(at);
  return energies_of(state_energies(system_->assembler, at), at.energy, baseline);
}

void ActiveModel::set_signals(double from) {
  system_->look_back(state);
  system_->drives.enter(from);
  system_->assembler.set_signals(system_->drives.at(state.t, state.lags));
}

Constraints& ActiveModel::constraints() {
  if (!constraints_) constraints_ = std::make_unique<Constraints>(*system_);
  return *constraints_;
}

}  // namespace flexura
