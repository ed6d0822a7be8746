#include "flexura/output/drawn_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexura {
namespace {

using FieldPoint = DrawnPlaces::FieldPoint;
using Chamber = DrawnPlaces::Chamber;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double to_the_edge = 0.36602540378443865;  ///< from the Gauss point, of the distance of both: (√3 − 1)/2
constexpr size_t most_of_their_own = 4;              ///< things of which each has a field

/// Rows of one name are one field.
struct FieldRows {
  std::vector<const Quantity*> rows;
  int thing = -1;  ///< only of this one of the things that have fields of their own

  const DrawnAs& as() const { return rows[0]->drawn; }
  unsigned where() const {
    unsigned all = 0;
    for (const Quantity* row : rows) all |= row->where;
    return all;
  }
};

std::vector<FieldRows> all_fields() {
  std::vector<FieldRows> out;
  for (const Quantity* row : drawn_quantities()) {
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const FieldRows& f) { return f.as().name == row->drawn.name; });
    (same == out.end() ? out.emplace_back() : *same).rows.push_back(row);
  }
  return out;
}

ItemRef item_of(const ItemPlace& at) { return {at.batch, at.item}; }

bool is_inside(const Chamber& chamber, const FieldPoint& point) {
  if (point.on_solid) return chamber.enclosed >= 0 && point.chamber == chamber.enclosed;
  if (chamber.enclosed >= 0)
    return std::find(chamber.around.begin(), chamber.around.end(), point.on_plate ? point.plate : point.cable) !=
           chamber.around.end();
  return point.cable == chamber.cable && point.along >= chamber.from && point.along <= chamber.to;
}

/// Places of a drawing as the table of quantities knows them.
class FieldPlaces {
 public:
  FieldPlaces(const Machine& machine, const DrawnModel& drawn) : machine_(machine), places_(drawn.places) {
    sections_.resize(places_.points.size());
    curves_.resize(places_.points.size());
    for (const Drawable& drawable : drawn.drawing.drawables) {
      if (drawable.kind != Drawable::Kind::curve) continue;
      const SectionShape& s = drawable.section;
      for (int k = drawable.field; k < drawable.field + drawable.field_count; ++k) {
        curves_[k] = &drawable;
        if (s.is_nominal) continue;
        const auto [a, b] = places_.points[k].size;
        if (s.type == SectionShape::Type::rectangle) {
          sections_[k] = rectangle_moduli(a, b);
        } else if (a > 0) {
          sections_[k] = round_moduli(a, b);
        }
      }
    }
  }

  const SectionModuli& section(size_t point) const { return sections_[point]; }
  /// Null where the point is on no cable or beam.
  const Drawable* curve(size_t point) const { return curves_[point]; }

  /// Where it is, a set of where::Where.
  unsigned where_is(size_t k) const {
    const FieldPoint& point = places_.points[k];
    const bool in_chamber = std::any_of(places_.chambers.begin(), places_.chambers.end(),
                                        [&](const Chamber& chamber) { return is_inside(chamber, point); });
    const unsigned inside = in_chamber ? unsigned{where::chamber} : 0u;
    if (point.on_plate) {
      const bool is_full = point.plate >= 0 && machine_.plates[point.plate].is_full;
      return where::plate | where::wall | (is_full ? unsigned{where::thick} : 0u) | inside;
    }
    if (point.on_solid) return where::solid | (point.has_fibres ? unsigned{where::fibred} : 0u) | inside;
    if (point.cable < 0) return where::point | (point.between.batch >= 0 ? unsigned{where::item_force} : 0u);
    unsigned here = where::line;
    if (machine_.cables[point.cable].has_axes()) here |= where::beam;
    if (sections_[k].area > 0) here |= where::shaped;
    return here | inside;
  }

  /// In the order of the table; what nothing of the drawing has is left out.
  std::vector<FieldRows> list(std::vector<DrawnField>& fields) const {
    unsigned anywhere = where::point;
    if (!places_.chambers.empty()) anywhere |= where::chamber;
    for (size_t k = 0; k < places_.points.size(); ++k) anywhere |= where_is(k);
    const bool planar = machine_.model.topology->dim == 2;
    std::vector<FieldRows> out;
    for (FieldRows& field : all_fields()) {
      if (!(field.where() & anywhere)) continue;
      const DrawnAs& as = field.as();
      const auto add = [&](std::string name, std::string_view doc, int thing) {
        const bool is_signed =
            as.sign == DrawnAs::Sign::either || (planar && as.sign == DrawnAs::Sign::either_in_plane);
        fields.push_back({std::move(name), std::string(field.rows[0]->unit), std::string(doc), is_signed});
        field.thing = thing;
        out.push_back(field);
      };
      const std::string name(as.name);
      if (as.shared_doc.empty()) {
        add(name, planar && !as.planar_doc.empty() ? as.planar_doc : as.doc, -1);
      } else if (const std::vector<Chamber>& chambers = places_.chambers; chambers.size() > most_of_their_own) {
        add(name, as.shared_doc, -1);
      } else {
        for (size_t c = 0; c < chambers.size(); ++c) add(name + " " + chambers[c].name, as.doc, static_cast<int>(c));
      }
    }
    return out;
  }

 private:
  const Machine& machine_;
  const DrawnPlaces& places_;
  std::vector<SectionModuli> sections_;  ///< of the field points
  std::vector<const Drawable*> curves_;
};

/// Slots of a drawing are those of the model by where they begin in q.
class DrawnSlots {
 public:
  DrawnSlots(const Drawing& drawing, const Topology& topology) : drawing_(drawing), at_(topology.nq, -1) {
    for (size_t s = 0; s < topology.slots.size(); ++s)
      if (topology.slots[s].size > 0) at_[topology.slots[s].offset] = static_cast<int>(s);
  }
  /// A row of a map; what never moves is left out.
  SlotSum row(const SlotMap& map, int row) const {
    SlotSum out;
    for (std::uint32_t k = map.start[row]; k < map.start[row + 1]; ++k)
      if (map.slot[k] < drawing_.slots.size())
        out.terms.emplace_back(at_[drawing_.slots[map.slot[k]].offset], map.weight[k]);
    return out;
  }

 private:
  const Drawing& drawing_;
  std::vector<int> at_;
};

/// The slot of an item that is the pressure of its chamber.
SensorPlace chamber_place(const Chamber& chamber, const Topology& topology) {
  SensorPlace out;
  out.chamber = chamber.enclosed;
  if (chamber.enclosed >= 0) return out;
  const std::vector<SlotKind>& kinds = topology.batches[chamber.item.batch].type->info.slots;
  for (size_t s = 0; s < kinds.size(); ++s)
    if (kinds[s] == SlotKind::signal)
      out.item_shares.push_back({.name = {}, .slot = static_cast<int>(s), .item = item_of(chamber.item)});
  return out;
}

}  // namespace

std::vector<DrawnField> fields_of(const Machine& machine, const DrawnModel& drawn) {
  std::vector<DrawnField> fields;
  FieldPlaces(machine, drawn).list(fields);
  return fields;
}

DrawnFields::DrawnFields(const Machine& machine, const DrawnModel& drawn)
    : drawing_(drawn.drawing), now_(machine, *machine.model.topology) {
  const Topology& topology = now_.topology;
  const FieldPlaces at(machine, drawn);
  const DrawnSlots slots(drawing_, topology);
  const std::vector<FieldRows> rows = at.list(fields_);
  for (const Chamber& chamber : drawn.places.chambers) chambers_.push_back(chamber_place(chamber, topology));
  places_.resize(drawn.places.points.size());
  const auto is_at_edge = [](const FieldPoint& point) { return point.at_edge; };
  deeper_.reserve(static_cast<size_t>(std::ranges::count_if(drawn.places.points, is_at_edge)));
  for (size_t k = 0; k < places_.size(); ++k) {
    const FieldPoint& point = drawn.places.points[k];
    SensorPlace& place = places_[k];
    place.place = slots.row(drawn.places.point_position, static_cast<int>(k));
    place.section = at.section(k);
    place.cable = point.cable;
    const auto elements_at = [](const std::vector<ItemPlace>& inside) {
      std::vector<SensorPlace::Element> out;
      for (const ItemPlace& element : inside)
        if (element.batch >= 0)
          out.push_back(
              {.xi = element.where, .eta = element.across, .item = item_of(element), .zeta = element.through});
      return out;
    };
    place.elements = elements_at(point.inside);
    place.find_stiffness(machine);
    if (const Drawable* curve = at.curve(k); curve != nullptr && !(place.EA > 0))
      place.slope = slots.row(curve->tangent, static_cast<int>(k) - curve->field);
    if (point.between.batch >= 0) place.item_shares.push_back({.name = {}, .slot = 1, .item = item_of(point.between)});
    for (size_t c = 0; c < chambers_.size(); ++c)
      if (is_inside(drawn.places.chambers[c], point)) {
        place.chamber = std::max(place.chamber, chambers_[c].chamber);
        place.item_shares.insert(place.item_shares.end(), chambers_[c].item_shares.begin(),
                                 chambers_[c].item_shares.end());
      }
    now_.make_room(place);
    if (point.at_edge) deeper_.emplace_back(place).elements = elements_at(point.deeper);
    const unsigned here = at.where_is(k);
    for (size_t f = 0; f < rows.size(); ++f)
      for (const Quantity* row : rows[f].rows) {
        const int thing = rows[f].thing;
        if (!(row->where & here) || (thing >= 0 && !is_inside(drawn.places.chambers[thing], point))) continue;
        const SensorPlace& read = thing >= 0 ? chambers_[thing] : place;
        readings_.push_back({static_cast<int>(f), static_cast<int>(k), bind(*row, read, row->drawn.choice, topology)});
        if (point.at_edge && (row->where & (where::wall | where::thick)))
          readings_.back().deeper = bind(*row, deeper_.back(), row->drawn.choice, topology);
      }
  }
  for (const DrawnPlaces::Effort& wanted : drawn.places.efforts) {
    Effort& effort = efforts_.emplace_back();
    effort.kind = wanted.kind;
    if (wanted.drawable >= 0) effort.axis = &drawing_.drawables[wanted.drawable].tangent;
    for (const ItemPlace& item : wanted.items)
      for (const int slot : wanted.slots)
        if (item.batch >= 0) effort.place.item_shares.push_back({.name = {}, .slot = slot, .item = item_of(item)});
    now_.make_room(effort.place);
  }
  int most = 0;
  for (const Reading& reading : readings_) most = std::max(most, reading.sensor.size);
  numbers_.assign(most, 0.0);
}

bool DrawnFields::show_constraints() const {
  return std::ranges::any_of(places_, [&](const SensorPlace& place) {
    return std::ranges::any_of(place.item_shares, [&](const JointReaction::ItemShare& share) {
      return share.item.exists() && now_.topology.batches[share.item.batch].type->info.role == Role::constraint;
    });
  });
}

Triple DrawnFields::vector_of(const Effort& effort) const {
  using Kind = DrawnPlaces::Effort::Kind;
  Triple sum{};
  if (effort.kind == Kind::force) add_item_forces(now_, effort.place.item_shares, sum);
  if (effort.kind == Kind::moment) add_item_moments(now_, effort.place.item_shares, nullptr, sum);
  if (effort.kind != Kind::along_axis) return sum;
  double size = 0;
  add_item_efforts(now_, effort.place.item_shares, {&size, 1});
  Triple axis{};
  if (effort.axis == nullptr || effort.axis->size() == 0) {
    axis = {0, 0, 1};
  } else {
    const SlotMap& map = *effort.axis;
    for (std::uint32_t k = map.start[0]; k < map.start[1]; ++k) {
      const size_t moving = drawing_.slots.size(), slot = map.slot[k];
      const Triple x =
          slot < moving ? now_.vector(&state_.q[drawing_.slots[slot].offset]) : drawing_.fixed[slot - moving];
      axis = axis + static_cast<double>(map.weight[k]) * x;
    }
  }
  return sum + size * axis;
}

double DrawnFields::number(const BoundSensor& sensor) {
  const std::span<double> numbers(numbers_.data(), static_cast<size_t>(sensor.size));
  for (double& x : numbers) x = 0;
  sensor.quantity->read(now_, sensor, numbers, {});
  const auto as_drawn = sensor.quantity->drawn.number;
  return as_drawn == nullptr ? numbers[0] : as_drawn(numbers);
}

void DrawnFields::evaluate(const Assembler<double>& assembler, double t, std::span<const double> q,
                           std::span<const double> v, std::span<double> values, std::span<double> quantities) {
  state_.t = t;
  state_.q.assign(q.begin(), q.end());
  state_.v.assign(v.begin(), v.end());
  state_.v.resize(q.size(), 0.0);
  now_.assembler = &assembler;
  now_.state = &state_;
  now_.forget();
  std::fill(values.begin(), values.end(), nothing);
  for (const Reading& reading : readings_) {
    double x = number(reading.sensor);
    if (reading.deeper.quantity != nullptr) {
      x += to_the_edge * (x - number(reading.deeper));
      if (!fields_[reading.field].is_signed) x = std::max(x, 0.0);
    }
    values[static_cast<size_t>(reading.field) * drawing_.field_points + reading.point] = x;
  }
  for (size_t k = 0; k < efforts_.size(); ++k) {
    const Triple x = vector_of(efforts_[k]);
    std::copy(x.begin(), x.end(), quantities.begin() + static_cast<std::ptrdiff_t>(3 * k));
  }
}

}  // namespace flexura
