#include "flexura/output/drawn_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/math/triple.hpp"

namespace flexura {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr size_t most_pressures = 4;  ///< fields of their own

// Order of the probes of cables and beams.
enum Probe { axial_force, curvature, moment, shear_force_1, shear_force_2, torque, moment_1, moment_2 };

/// Of (11, 22, 12): the principal value of larger size.
double principal(const double* x) {
  const double mean = 0.5 * (x[0] + x[1]), radius = std::hypot(0.5 * (x[0] - x[1]), x[2]);
  return mean >= 0 ? mean + radius : mean - radius;
}

double parameter(const Machine& scene, const ItemPlace& at, std::string_view name) {
  const TermInfo& info = scene.model.topology->batches[at.batch].type->info;
  int offset = 0;
  for (const Field& field : info.fields) {
    if (field.name == name) return scene.model.values.parameters[at.batch][at.item * info.parameter_count() + offset];
    offset += field.size;
  }
  return 0;
}

}  // namespace

DrawnFields::DrawnFields(const Machine& scene, const DrawnModel& drawn)
    : scene_(scene), drawing_(drawn.drawing), places_(drawn.places), topology_(*scene.model.topology) {
  int most = 0;
  for (const ItemBatch& batch : topology_.batches) most = std::max(most, batch.type->info.dofs());
  local_.assign(most, 0.0);
  still_.assign(topology_.nq, 0.0);
  resistances_.resize(places_.points.size());
  for (const Drawable& drawable : drawing_.drawables) {
    const SectionShape& s = drawable.section;
    if (drawable.kind != Drawable::Kind::curve || s.is_nominal) continue;
    for (int k = drawable.field; k < drawable.field + drawable.field_count; ++k) {
      const auto [a, b] = places_.points[k].size;
      if (s.type == SectionShape::Type::rectangle) {
        resistances_[k] = {a * b, a * b * b / 6, b * a * a / 6};
      } else if (a > 0) {
        const double W = std::numbers::pi / 4 * (std::pow(a, 4) - std::pow(b, 4)) / a;
        resistances_[k] = {std::numbers::pi * (a * a - b * b), W, W};
      }
    }
  }
  list_fields();
}

bool DrawnFields::is_beam(const DrawnPlaces::FieldPoint& point) const {
  return point.cable >= 0 && !scene_.cables[point.cable].frames.empty();
}

void DrawnFields::list_fields() {
  const auto any = [&](auto&& of) { return std::any_of(places_.points.begin(), places_.points.end(), of); };
  const bool plates = any([](const auto& point) { return point.on_plate; });
  const bool cables = any([](const auto& point) { return point.cable >= 0; });
  const bool beams = any([&](const auto& point) { return is_beam(point); });
  const bool lines = any([](const auto& point) { return point.between.batch >= 0; });
  const bool stresses =
      std::any_of(resistances_.begin(), resistances_.end(), [](const Resistance& r) { return r.area > 0; });
  const bool planar = topology_.dim == 2;
  const auto add = [&](bool wanted, Source source, const char* name, const char* unit, const char* doc,
                       bool is_signed) {
    if (!wanted) return;
    fields_.push_back({name, unit, doc, is_signed});
    sources_.push_back(source);
  };
  add(cables, Source::strain, "axial strain", "1", "extension over length", true);
  add(cables, Source::curvature, "curvature", "1/m",
      planar ? "of the deformed line, counter-clockwise" : "of the deformed line", planar);
  add(cables, Source::moment, "bending moment", "N m",
      planar ? "in the section, counter-clockwise" : "size of the moment that bends the section", planar);
  add(stresses, Source::stress, "stress", "Pa", "largest normal stress of the section, |N|/A + |M|/W", false);
  add(cables || lines, Source::axial_force, "axial force", "N", "tension is positive", true);
  add(beams, Source::torque, "torque", "N m", "about the axis of the section", true);
  add(beams, Source::shear, "shear force", "N", "size of the force across the section", false);
  add(plates, Source::plate_stress, "plate stress", "Pa", "von Mises, larger of both faces", false);
  add(plates, Source::membrane, "membrane force", "N/m",
      "principal one of larger size, per length; tension is positive", true);
  add(plates, Source::bending, "plate bending moment", "N", "size of the larger principal moment, per length", false);
  list_pressures();
  add(true, Source::speed, "speed", "m/s", "of bodies: at the centre of mass", false);
}

void DrawnFields::list_pressures() {
  struct Load {
    std::string name;
    std::vector<Pressure> where;
  };
  std::vector<Load> loads;
  for (const DrawnPlaces::Chamber& chamber : places_.chambers) {
    const ItemBatch& batch = topology_.batches[chamber.item.batch];
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    for (size_t s = 0; s < kinds.size(); ++s)
      if (kinds[s] == SlotKind::signal)
        loads.push_back({chamber.name,
                         {{chamber.cable, chamber.from, chamber.to,
                           batch.slots[static_cast<size_t>(chamber.item.item) * kinds.size() + s]}}});
  }
  if (loads.size() > most_pressures) {
    Load all;
    for (const Load& load : loads) all.where.push_back(load.where[0]);
    loads = {all};
  }
  for (Load& load : loads) {
    fields_.push_back({load.name.empty() ? "pressure" : "pressure " + load.name, "Pa",
                       load.name.empty() ? "largest of the chambers there" : "in the chamber", true});
    sources_.push_back(Source::pressure);
    pressures_.push_back(std::move(load.where));
  }
}

Triple DrawnFields::combine(const SlotMap& map, int row, const double* x, bool fixed) const {
  Triple out{};
  const auto moving = static_cast<std::uint32_t>(drawing_.slots.size());
  for (std::uint32_t k = map.start[row]; k < map.start[row + 1]; ++k) {
    const double weight = map.weight[k];
    if (map.slot[k] >= moving) {
      for (int i = 0; i < 3 && fixed; ++i) out[i] += weight * drawing_.fixed[map.slot[k] - moving][i];
      continue;
    }
    const double* at = x + drawing_.slots[map.slot[k]].offset;
    for (int i = 0; i < topology_.dim; ++i) out[i] += weight * at[i];
  }
  return out;
}

std::array<double, most_probes> DrawnFields::inside(const DrawnPlaces::FieldPoint& point, const double* q) const {
  std::array<double, most_probes> out{};
  int count = 0;
  for (const ItemPlace& at : point.inside) count += at.batch >= 0;
  for (int k = 0; k < count; ++k) {
    std::array<double, most_probes> one{};
    const ItemPlace& at = point.inside[k];
    assembler_->batches()[at.batch]->probe(at.item, assembler_->input(time_, q, q), at.where, at.across, one.data());
    for (size_t i = 0; i < out.size(); ++i) out[i] += one[i] / count;
  }
  return out;
}

/// ‖r′‖ − 1 where the force is not EA times that.
double DrawnFields::strain(const DrawnPlaces::FieldPoint& point, int index, double force, const double* q) const {
  const ItemPlace& at = point.inside[0];
  const ItemBatch& batch = topology_.batches[at.batch];
  const std::vector<Option>& options = batch.type->info.options;
  if (batch.history > 0) return norm(combine(places_.point_tangent, index, q, true)) - 1;  // the force relaxes
  for (size_t k = 0; k < options.size() && k < batch.options.size(); ++k)
    if (options[k].name == "axial" && options[k].choices[batch.options[k]] == "green")
      return norm(combine(places_.point_tangent, index, q, true)) - 1;
  return force / parameter(scene_, at, "EA");
}

double DrawnFields::stress(const DrawnPlaces::FieldPoint& point, int index,
                           const std::array<double, most_probes>& at) const {
  const Resistance& r = resistances_[index];
  if (!(r.area > 0)) return nothing;
  const double bending = !is_beam(point) ? std::fabs(at[moment]) / r.modulus2
                         : r.modulus1 == r.modulus2
                             ? at[moment] / r.modulus1
                             : std::fabs(at[moment_1]) / r.modulus1 + std::fabs(at[moment_2]) / r.modulus2;
  return std::fabs(at[axial_force]) / r.area + bending;
}

/// Leaves the force of the item in local_.
const ItemBatch& DrawnFields::force_of(const ItemPlace& at, const double* q, const double* v) const {
  assembler_->batches()[at.batch]->item_force(at.item, assembler_->input(time_, q, v), local_.data());
  return topology_.batches[at.batch];
}

/// What pulls the first end of a line towards the second.
double DrawnFields::tension(const DrawnPlaces::FieldPoint& point, const double* q, const double* v) const {
  const ItemBatch& batch = force_of(point.between, q, v);
  const int dim = topology_.dim;
  const int* slots = &batch.slots[point.between.item * batch.type->info.slots.size()];
  double length = 0, along = 0;
  for (int i = 0; i < dim; ++i) {
    const double d = q[topology_.slots[slots[1]].offset + i] - q[topology_.slots[slots[0]].offset + i];
    length += d * d;
    along += local_[i] * d;
  }
  return length > 0 ? along / std::sqrt(length) : 0.0;
}

Triple DrawnFields::vector_of(const DrawnPlaces::Effort& wanted, const double* q, const double* v) const {
  using Kind = DrawnPlaces::Effort::Kind;
  Triple sum{};
  for (const ItemPlace& at : wanted.items) {
    if (at.batch < 0) continue;
    const ItemBatch& batch = force_of(at, q, v);
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    for (const int s : wanted.slots) {
      int offset = 0;
      for (int a = 0; a < s; ++a) offset += slot_size(kinds[a], topology_.dim);
      Triple f{}, x{};
      const int slot = batch.slots[static_cast<size_t>(at.item) * kinds.size() + s];
      for (int i = 0; i < slot_size(kinds[s], topology_.dim); ++i) {
        f[i] = local_[offset + i];
        x[i] = q[topology_.slots[slot].offset + i];
      }
      if (wanted.kind == Kind::moment) f = cross(x, f);
      if (wanted.kind == Kind::along_axis) {
        const SlotMap& axis = drawing_.drawables[wanted.drawable].tangent;
        const Triple n = axis.size() > 0 ? combine(axis, 0, q, true) : Triple{0, 0, 1};
        f = {f[0] * n[0], f[0] * n[1], f[0] * n[2]};
      }
      for (int i = 0; i < 3; ++i) sum[i] += f[i];
    }
  }
  return sum;
}

void DrawnFields::evaluate(const Assembler<double>& assembler, double t, std::span<const double> q_span,
                           std::span<const double> v_span, std::span<double> values, std::span<double> quantities) {
  const double *q = q_span.data(), *v = v_span.empty() ? still_.data() : v_span.data();
  assembler_ = &assembler;
  time_ = t;
  const int n = drawing_.field_points;
  for (int p = 0; p < n; ++p) {
    const DrawnPlaces::FieldPoint& point = places_.points[p];
    std::array<double, most_probes> at{};
    const bool is_inside = point.inside[0].batch >= 0 && !point.on_plate;
    if (is_inside || point.on_plate) at = inside(point, q);
    size_t pressure = 0;
    for (size_t f = 0; f < fields_.size(); ++f) {
      double value = nothing;
      switch (sources_[f]) {
        case Source::strain:
          if (is_inside) value = strain(point, p, at[axial_force], q);
          break;
        case Source::curvature:
          if (is_inside) value = at[curvature];
          break;
        case Source::moment:
          if (is_inside) value = at[moment];
          break;
        case Source::stress:
          if (is_inside) value = stress(point, p, at);
          break;
        case Source::axial_force:
          if (is_inside) value = at[axial_force];
          if (point.between.batch >= 0) value = tension(point, q, v);
          break;
        case Source::torque:
          if (is_beam(point)) value = at[torque];
          break;
        case Source::shear:
          if (is_beam(point)) value = std::hypot(at[shear_force_1], at[shear_force_2]);
          break;
        case Source::pressure:
          for (const Pressure& chamber : pressures_[pressure]) {
            if (point.cable != chamber.cable || point.along < chamber.from || point.along > chamber.to) continue;
            const double u = assembler_->signals()[chamber.signal];
            value = std::isnan(value) || std::fabs(u) > std::fabs(value) ? u : value;
          }
          ++pressure;
          break;
        case Source::plate_stress:
          if (point.on_plate)
            value = std::max(at[AncfThinPlate::von_mises_probe], at[AncfThinPlate::von_mises_probe + 1]);
          break;
        case Source::membrane:
          if (point.on_plate) value = principal(&at[AncfThinPlate::force_probe]);
          break;
        case Source::bending:
          if (point.on_plate) value = std::fabs(principal(&at[AncfThinPlate::moment_probe]));
          break;
        case Source::speed:
          value = norm(combine(places_.point_position, p, v, false));
          break;
      }
      values[f * n + p] = value;
    }
  }
  for (size_t k = 0; k < places_.efforts.size(); ++k) {
    const Triple x = vector_of(places_.efforts[k], q, v);
    for (int i = 0; i < 3; ++i) quantities[3 * k + i] = x[i];
  }
}

}  // namespace flexura
