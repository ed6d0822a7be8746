// Loads as arrows: each place that a load acts on is one, with what the term does to its slots there as its vector.

#include <fmt/format.h>

#include <algorithm>

#include "flexura/load/pneumatic_moment_3d.hpp"
#include "flexura/output/drawing_builder.hpp"
#include "flexura/part/joint_types.hpp"
#include "flexura/part/solid_surface.hpp"

namespace flexura::detail {
namespace {

using Effort = DrawnPlaces::Effort;
using Kind = Effort::Kind;

constexpr int most_arrows = 16;  ///< of a load on a cable or plate

}  // namespace

void DrawingBuilder::add_arrow(const TermPart& part, DrawnForm at, const std::string& unit, Effort effort) {
  const int index = static_cast<int>(drawing_.quantities.size());
  const std::string& path = part.spec->origin.path;
  drawing_.quantities.push_back({path, unit});
  places_.efforts.push_back(std::move(effort));
  Drawable& arrow = begin(Drawable::Kind::arrow, path, std::string(part.spec->term->scene.type));
  row(arrow.position, at);
  arrow.quantity = index;
  arrow.is_moment = drawing_.quantities.back().is_moment();
}

/// The same for faces of a solid's surface.
void DrawingBuilder::add_over_faces(const TermPart& part) {
  const int n = static_cast<int>(part.items.size()), arrows = std::min(n, most_arrows);
  for (int k = 0; k < arrows; ++k) {
    const int first = k * n / arrows, end = (k + 1) * n / arrows;
    Effort effort;
    for (int f = first; f < end; ++f) effort.items.push_back(item(part.items[f]));
    const ItemPlace any = effort.items[0];
    if (any.batch < 0) continue;
    const std::vector<SlotKind>& slots = topology_.batches[any.batch].type->info.slots;
    for (size_t s = 0; s < slots.size(); ++s)
      if (slots[s] == SlotKind::point) effort.slots.push_back(static_cast<int>(s));
    add_arrow(part, place(middle_of(machine_, part.surface, (first + end) / 2)).form, "N", std::move(effort));
  }
}

/// One arrow for some elements of a cable or plate, with the sum of their forces, in the middle of them or of one of them.
void DrawingBuilder::add_over_elements(const TermPart& part) {
  const TermSpec& spec = *part.spec;
  const auto is_it = [&](const auto& candidate) { return candidate.name == spec.on; };
  const auto cable = std::find_if(machine_.cables.begin(), machine_.cables.end(), is_it);
  const auto plate = std::find_if(machine_.plates.begin(), machine_.plates.end(), is_it);
  const bool is_line = cable != machine_.cables.end();
  if (!is_line && plate == machine_.plates.end()) return;
  std::vector<std::string> names;
  if (is_line) {
    for (const ElementRef& element : cable->elements) names.push_back(element.name);
  } else {
    for (const PlateElement& element : plate->model.elements) names.push_back(element.name);
  }
  const int n = static_cast<int>(names.size()), arrows = std::min(n, most_arrows);
  // Of beams the items are of another term than the scene's.
  const ItemPlace any = item(spec.origin.path + ", " + names[0]);
  const TermInfo& term = any.batch < 0 ? *spec.term : topology_.batches[any.batch].type->info;
  for (int k = 0; k < arrows; ++k) {
    const int first = k * n / arrows, end = (k + 1) * n / arrows;
    Effort effort;
    for (int e = first; e < end; ++e) effort.items.push_back(item(spec.origin.path + ", " + names[e]));
    for (size_t s = 0; s < term.slots.size(); ++s)
      if (term.slots[s] == SlotKind::point) effort.slots.push_back(static_cast<int>(s));
    const int middle = (first + end) / 2;
    const bool between = (end - first) % 2 == 0;  // two elements meet in the middle
    DrawnForm at =
        is_line ? on_cable(static_cast<int>(cable - machine_.cables.begin()), middle, between ? 0.0 : 0.5, false)
                : drawn(plate_form(*plate, {.on = MaterialPlace::On::plate, .element = middle, .xi = 0.5, .eta = 0.5},
                                   Carried::point));
    add_arrow(part, std::move(at), "N", std::move(effort));
  }
}

/// Moments at the ends of a chamber in a beam: of what its elements do, what shows at the nodes there. False: it is in none.
bool DrawingBuilder::add_chamber_ends(const TermPart& part) {
  const TermSpec& spec = *part.spec;
  if (part.places.empty() || part.places[0].size() != 2) return false;
  const MaterialPlace* ends[] = {&part.places[0][0], &part.places[0][1]};
  for (const MaterialPlace* end : ends)
    if (end->on != MaterialPlace::On::cable || machine_.cables[end->part].frames.empty() || end->node < 0) return false;
  if (ends[0]->node > ends[1]->node) std::swap(ends[0], ends[1]);
  const int first = ends[0]->node / 2, last = ends[1]->node / 2 - 1;
  const std::vector<ElementRef>& elements = machine_.cables[ends[0]->part].elements;
  for (const int end : {0, 1}) {
    const int e = end == 0 ? first : last;
    const ItemPlace own =
        item(e == first ? spec.origin.path : spec.origin.path + ", " + elements[static_cast<size_t>(e)].name);
    const DrawnPlace at = place(*ends[end]);
    Effort effort{
        .kind = Kind::moment, .items = {own}, .slots = end == 0 ? std::vector{1, 2, 3} : std::vector{7, 8, 9}};
    add_arrow(part, at.form, "N m", std::move(effort));
  }
  return true;
}

/// What a motor does about or along the axis of a joint, or to the second end of a truss, along it.
void DrawingBuilder::add_effort(const TermPart& part, const std::string& name) {
  const std::optional<int> joint = joint_drawable(name);
  if (const std::vector<DrawnPlace> ends = ends_of_truss(name); !joint && !ends.empty()) {
    const double length = norm(reference_of(ends[1].form) - reference_of(ends[0].form));
    DrawnForm axis;
    for (const auto& [slot, weight] : ends[1].form) axis.emplace_back(slot, weight / length);
    for (const auto& [slot, weight] : ends[0].form) axis.emplace_back(slot, -weight / length);
    const int arrow = static_cast<int>(drawing_.drawables.size());
    Effort push{.kind = Kind::along_axis, .items = {item(part.spec->origin.path)}, .slots = {0}, .drawable = arrow};
    add_arrow(part, ends[1].form, "N", std::move(push));
    return row(drawing_.drawables.back().tangent, axis);
  }
  const auto of = std::find_if(machine_.joints.begin(), machine_.joints.end(),
                               [&](const JointPart& candidate) { return candidate.name == name; });
  if (!joint || of == machine_.joints.end()) return;
  const JointRow& type = *find_joint(of->type, topology_.dim);
  const bool along = type.has_displacement && part.spec->coordinate == JointCoordinate::displacement;
  Effort effort;
  effort.kind = Kind::along_axis;
  effort.items = {item(part.spec->origin.path)};
  effort.slots = {0};
  effort.drawable = *joint;
  const SlotMap position = drawing_.drawables[*joint].position;
  add_arrow(part, {}, type.has_angle && !along ? "N m" : "N", std::move(effort));
  drawing_.drawables.back().position = position;
}

/// A pressure between two places of one cable.
void DrawingBuilder::note_chamber(const TermPart& part) {
  const TermSpec& spec = *part.spec;
  const auto& sources = spec.term->scene.sources;
  const auto is_pressure = [](const SlotSource& source) { return source.key == "pressure"; };
  if (std::none_of(sources.begin(), sources.end(), is_pressure)) return;
  if (part.places.empty() || part.places[0].size() != 2) return;
  const MaterialPlace &a = part.places[0][0], &b = part.places[0][1];
  if (a.on != MaterialPlace::On::cable || b.on != a.on || a.part != b.part) return;
  const auto share = [&](const MaterialPlace& at) {
    return (at.element + at.xi) / static_cast<double>(machine_.cables[at.part].elements.size());
  };
  const double first = share(a), second = share(b), margin = 1e-9;
  places_.chambers.push_back(
      {spec.name, item(spec.origin.path), a.part, std::min(first, second) - margin, std::max(first, second) + margin});
}

/// Its pressure colours its walls.
void DrawingBuilder::note_enclosed(const ChamberPart& chamber, int index) {
  DrawnPlaces::Chamber& noted = places_.chambers.emplace_back();
  noted.name = chamber.name;
  noted.enclosed = index;
  const auto note = [&](const auto& parts) {
    for (size_t k = 0; k < parts.size(); ++k)
      if (std::find(chamber.parts.begin(), chamber.parts.end(), parts[k].name) != chamber.parts.end())
        noted.around.push_back(static_cast<int>(k));
  };
  topology_.dim == 3 ? note(machine_.plates) : note(machine_.cables);
}

namespace {

/// The place that a slot of a term comes from; null where it comes from none.
const MaterialPlace* place_of(const TermPart& part, const SlotSource& source) {
  for (size_t k = 0; k < part.places.size(); ++k)
    if (part.spec->places[k].first == source.key && source.index < static_cast<int>(part.places[k].size()))
      return &part.places[k][source.index];
  return nullptr;
}

/// Slots of one kind that come from there and are acted on.
std::vector<int> slots_at(const TermInfo& term, const SlotSource& source, SlotKind kind) {
  std::vector<int> out;
  for (size_t s = 0; s < term.slots.size(); ++s) {
    const SlotSource& its = term.scene.sources[s];
    if (term.slots[s] == kind && its.key == source.key && its.index == source.index && !its.only_read)
      out.push_back(static_cast<int>(s));
  }
  return out;
}

}  // namespace

void DrawingBuilder::add_load(const TermPart& part) {
  const TermSpec& spec = *part.spec;
  const TermInfo& term = *spec.term;
  if (part.surface.solid >= 0) return add_over_faces(part);
  if (!spec.on.empty()) return add_over_elements(part);
  for (const auto& [key, joint] : spec.joints) add_effort(part, joint);
  note_chamber(part);
  if (spec.term->name == PneumaticMoment3d::name && add_chamber_ends(part)) return;
  std::vector<const MaterialPlace*> done;
  for (const SlotSource& source : term.scene.sources) {
    const MaterialPlace* on = place_of(part, source);
    if (on == nullptr || std::find(done.begin(), done.end(), on) != done.end()) continue;
    done.push_back(on);
    const DrawnPlace at = place(*on);
    if (at.form.empty()) continue;
    std::vector<ItemPlace> items{item(spec.origin.path)};
    if (on->on == MaterialPlace::On::solid && on->set >= 0 && items[0].batch < 0) {
      items.clear();
      for (const auto& [node, weight] : machine_.solids[on->part].set_means[on->set])
        items.push_back(item(fmt::format("{}, node {}", spec.origin.path, node)));
    }
    const auto add = [&](SlotKind slots, Kind kind, const char* unit) {
      Effort effort{.kind = kind, .items = items, .slots = slots_at(term, source, slots)};
      if (!effort.slots.empty()) add_arrow(part, at.form, unit, std::move(effort));
    };
    add(SlotKind::point, Kind::force, "N");
    add(SlotKind::vector, Kind::moment, "N m");
  }
}

}  // namespace flexura::detail
