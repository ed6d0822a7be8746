#pragma once
// Random valid items of any registered term, from its descriptors alone.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "flexura/element/composite_beam.hpp"
#include "flexura/element/composite_membrane.hpp"
#include "flexura/element/composite_plate.hpp"
#include "flexura/element/composite_solid.hpp"
#include "flexura/element/full_plate.hpp"
#include "flexura/element/membrane.hpp"
#include "flexura/element/reduced_hexahedron.hpp"
#include "flexura/element/solid.hpp"
#include "flexura/load/external_law.hpp"
#include "flexura/model/model_builder.hpp"
#include "flexura/model/term_type.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {

/// A registered term with one choice of its options.
struct TermCase {
  const TermType* type = nullptr;
  std::vector<int> options;

  std::string name() const {
    std::string text(type->info.name);
    for (size_t k = 0; k < options.size(); ++k) {
      text.append("_").append(type->info.options[k].name);
      text.append("_").append(type->info.options[k].choices[options[k]]);
    }
    return text;
  }
};

/// Of the full plates, which share the laws: every law in either form with 48 coordinates, the rest with one law.
inline bool is_allowed_plate(const TermCase& c) {
  const AncfPlate48::Options o = options_from<AncfPlate48>(c.options);
  if (o.damped == AncfPlate48::Damped::yes)
    return o.law == ElasticLaw::yeoh && o.form == VolumeForm::isochoric && o.volume == AncfPlate48::Volume::reduced;
  if (o.law == ElasticLaw::yeoh && o.form == VolumeForm::isochoric) return true;
  if (o.volume == AncfPlate48::Volume::full) return false;
  if (o.law == ElasticLaw::st_venant_kirchhoff) return o.form == VolumeForm::isochoric;  // has no form
  if (o.law == ElasticLaw::yeoh_paper && o.form == VolumeForm::coupled) return false;
  return c.type->info.name == AncfPlate48::name;
}

/// Of the composite plates, whose points add to the law what those of the composite solids do: what relaxes alone, grows alone, has
/// fibres and grows, and all at once.
inline bool is_allowed_composite_plate(const TermCase& c) {
  using Plate = CompositePlate<1>;
  const Plate::Options o = options_from<Plate>(c.options);
  const bool damped = o.elastic.damped == AncfPlate48::Damped::yes, grows = o.grows == Plate::Grows::yes;
  if (o.elastic.volume == AncfPlate48::Volume::full || o.elastic.form == VolumeForm::coupled) return false;
  const bool alone = o.fibres() == 0 && grows != (o.count() > 0);
  if (o.elastic.law == ElasticLaw::st_venant_kirchhoff) return alone && !damped;
  if (o.elastic.law != ElasticLaw::yeoh) return false;
  return alone || (grows && o.fibres() == (o.count() > 0 ? 3 : 2));
}

/// Of the full beams: every law in either form with enhanced strains, the rest with one law.
inline bool is_allowed_beam(const TermCase& c) {
  const AncfBeam24::Options o = options_from<AncfBeam24>(c.options);
  using Beam = AncfBeam24;
  const bool enhanced = o.strains == Beam::Strains::enhanced, damped = o.damped == Beam::Damped::yes;
  const bool round = o.section == Beam::Section::ellipse, fine = o.points == Beam::Points::fine;
  if (o.law == ElasticLaw::yeoh && o.form == VolumeForm::isochoric)
    return (!damped || o.strains != Beam::Strains::full) && (enhanced || !damped) &&
           (round == fine || (enhanced && !damped));
  if (round || fine || damped) return false;
  if (o.law == ElasticLaw::st_venant_kirchhoff) return o.form == VolumeForm::isochoric;  // has no form
  if (o.law == ElasticLaw::yeoh_paper && o.form == VolumeForm::coupled) return false;
  return enhanced;
}
inline bool is_allowed_composite_beam(const TermCase& c) {
  const CompositeBeam::Options o = options_from<CompositeBeam>(c.options);
  if (o.count() == 0 || o.elastic.form == VolumeForm::coupled) return false;
  if (o.elastic.law == ElasticLaw::st_venant_kirchhoff || o.elastic.law == ElasticLaw::yeoh)
    return o.elastic.strains != AncfBeam24::Strains::full && o.elastic.section == AncfBeam24::Section::rectangle &&
           o.elastic.points == AncfBeam24::Points::coarse && o.elastic.damped == AncfBeam24::Damped::no;
  return false;
}
inline bool is_full_beam(std::string_view name) { return name.find("ancf_beam_") != name.npos; }

inline bool is_full_plate(std::string_view name) { return name.find("ancf_plate_") != name.npos; }

/// Of the solids, which share one kernel and the laws: every law in either form with 8 nodes, the rest with one law.
inline bool is_allowed_solid(const TermCase& c) {
  const Solid::Options o = options_from<SolidHexahedron8>(c.options);
  if (o.law == ElasticLaw::yeoh && o.form == VolumeForm::isochoric) return true;
  if (o.law == ElasticLaw::st_venant_kirchhoff || o.law == ElasticLaw::yeoh_paper)  // have no form
    if (o.form == VolumeForm::coupled) return false;
  return c.type->info.name == SolidHexahedron8::name && o.formulation == Solid::Formulation::mixed &&
         o.damped == Solid::Damped::no;
}

/// Of the solid of one point: every law in either form, damped with one.
inline bool is_allowed_reduced(const TermCase& c) {
  const ReducedHexahedron8::Options o = options_from<ReducedHexahedron8>(c.options);
  if (o.law == ElasticLaw::st_venant_kirchhoff || o.law == ElasticLaw::yeoh_paper)  // have no form
    if (o.form == VolumeForm::coupled) return false;
  return o.damped == Solid::Damped::no || (o.law == ElasticLaw::yeoh && o.form == VolumeForm::isochoric);
}

/// Of the composite solids: every law that relaxes with 8 nodes; fibres, growth and damping with one law, of other shapes all at once.
inline bool is_allowed_composite(const TermCase& c) {
  const CompositeSolid::Options o = options_from<CompositeSolidElement<SolidKind::hexahedron_8>>(c.options);
  if (o.elastic.law == ElasticLaw::st_venant_kirchhoff || o.elastic.law == ElasticLaw::yeoh_paper)  // have no form
    if (o.elastic.form == VolumeForm::coupled) return false;
  using Grows = CompositeSolid::Grows;
  using Families = CompositeSolid::Families;
  const bool relaxes = o.count() > 0, damped = o.elastic.damped == Solid::Damped::yes;
  const bool mixed = o.elastic.formulation == Solid::Formulation::mixed;
  const bool all = o.grows == Grows::about_axis && o.families == Families::three && relaxes;
  const bool relaxes_only = o.grows == Grows::no && o.families == Families::none && relaxes;
  const bool yeoh = o.elastic.law == ElasticLaw::yeoh && o.elastic.form == VolumeForm::isochoric;
  if (c.type->info.name != "composite_solid_hexahedron_8") return yeoh && all && mixed && !damped;
  if (relaxes_only && !damped && (mixed || yeoh)) return true;
  if (!yeoh) return false;
  return (all && mixed) || (o.grows == Grows::along_axes && o.families == Families::two && !relaxes && !damped);
}

/// Of membranes: every law in either form, tension alone with two laws.
inline bool is_allowed_membrane(const TermCase& c) {
  const Membrane::Options o = options_from<Membrane>(c.options);
  if (o.law == ElasticLaw::st_venant_kirchhoff || o.law == ElasticLaw::yeoh_paper)  // have no form
    if (o.form == VolumeForm::coupled) return false;
  if (o.carries == Membrane::Carries::both) return true;
  return o.form == VolumeForm::isochoric && (o.law == ElasticLaw::st_venant_kirchhoff || o.law == ElasticLaw::yeoh);
}

/// Of the composite membranes, whose point is that of the membrane: what relaxes by every law, the rest with one law, woven or not.
inline bool is_allowed_composite_membrane(const TermCase& c) {
  using Sheet = CompositeMembrane;
  const Sheet::Options o = options_from<Sheet>(c.options);
  const bool woven = o.weave == Sheet::Weave::orthotropic, damped = o.damped == Sheet::Damped::yes;
  const bool grows = o.grows == Sheet::Grows::yes, relaxes = o.count() > 0;
  if (o.elastic.form == VolumeForm::coupled) return false;
  if (o.elastic.carries == Membrane::Carries::tension)  // what grows alone
    return o.elastic.law == ElasticLaw::yeoh && !woven && !damped && grows && o.fibres() == 0 && !relaxes;
  if (woven && o.elastic.law != ElasticLaw::st_venant_kirchhoff) return false;
  const bool relaxes_only = relaxes && !grows && !damped && o.fibres() == 0;
  if (relaxes_only) return true;
  if (!woven && o.elastic.law != ElasticLaw::yeoh) return false;
  const bool all = relaxes && grows && damped && o.fibres() == 3;
  return all || (!relaxes && grows != damped && o.fibres() == (damped ? 0 : 2));
}

/// A wall of rubber whose thickness goes on while its nodes rest, as its matter relaxes.
inline bool has_free_thickness(const TermCase& c) {
  if (c.type->info.name != CompositeMembrane::name) return false;
  return options_from<CompositeMembrane>(c.options).weave == CompositeMembrane::Weave::isotropic;
}

/// No force in the reference: [xing2022]'s law has its own there.
inline bool is_free_at_rest(const TermCase& c) { return c.name().find("_law_yeoh_paper") == std::string::npos; }

/// Combinations that are input errors: the chord has zero-energy modes unless the curvature is simplified.
inline bool is_allowed(const TermCase& c) {
  for (size_t k = 0; k < c.options.size(); ++k)  // of the lengths of a series, two
    if (c.type->info.options[k].name == "branches" && c.options[k] != 0 && c.options[k] != 2) return false;
  if (c.type->info.name.starts_with("ancf_plate_")) return is_allowed_plate(c);
  if (c.type->info.name.starts_with("composite_ancf_plate_")) return is_allowed_composite_plate(c);
  if (c.type->info.name.starts_with("ancf_beam_")) return is_allowed_beam(c);
  if (c.type->info.name == CompositeBeam::name) return is_allowed_composite_beam(c);
  if (c.type->info.name == ReducedHexahedron8::name) return is_allowed_reduced(c);
  if (c.type->info.name.starts_with("solid_")) return is_allowed_solid(c);
  if (c.type->info.name.starts_with("composite_solid_")) return is_allowed_composite(c);
  if (c.type->info.name == Membrane::name) return is_allowed_membrane(c);
  if (c.type->info.name == CompositeMembrane::name) return is_allowed_composite_membrane(c);
  if (!c.type->info.name.ends_with("ancf_cable_2d")) return true;
  return c.type->info.options[1].choices[c.options[1]] != "chord" ||
         c.type->info.options[0].choices[c.options[0]] == "simplified";
}

inline std::vector<TermCase> all_term_cases() {
  std::vector<TermCase> out;
  for (const TermType* type : registered_terms()) {
    TermCase c{type, std::vector<int>(type->info.options.size(), 0)};
    while (true) {
      if (is_allowed(c)) out.push_back(c);
      size_t k = 0;
      while (k < c.options.size() && ++c.options[k] == static_cast<int>(type->info.options[k].choices.size()))
        c.options[k++] = 0;
      if (k == c.options.size()) break;
    }
  }
  return out;
}

/// f_i = sin x_i + x_i x_{i+1} / 4 − v_i / 2 + v_i² v_{i+1} / 8 + t: smooth, unsymmetric, with its tangent.
inline double sample_law() {
  static const std::shared_ptr<const RegisteredLaw> law = [] {
    ExternalLaw given;
    given.force = [](void*, int n, double t, const double* x, const double* v, double* f, double* dx, double* dv) {
      for (int i = 0; i < n; ++i) {
        const int k = (i + 1) % n;
        f[i] = std::sin(x[i]) + x[i] * x[k] / 4 - v[i] / 2 + v[i] * v[i] * v[k] / 8 + t;
        if (dx == nullptr) continue;
        for (int j = 0; j < n; ++j) {
          dx[i * n + j] = (j == i) * (std::cos(x[i]) + x[k] / 4) + (j == k) * x[i] / 4;
          dv[i * n + j] = (j == i) * (v[i] * v[k] / 4 - 0.5) + (j == k) * v[i] * v[i] / 8;
        }
      }
      return 0;
    };
    given.gives_tangent = given.thread_safe = true;
    return RegisteredLaw::make("sample", given);
  }();
  return law->id();
}

/// The numbers of one item: parameters and reference coordinates in local order.
struct ItemNumbers {
  std::vector<double> parameters, reference;
};

/// A value that the field allows, of the order of one.
inline double random_value(const Field& field, Random& random) {
  const double low = std::isnan(field.min) ? field.above : field.min;
  const double high = std::isnan(field.max) ? field.below : field.max;
  if (!std::isnan(low) && !std::isnan(high)) return random.uniform(low + 0.1 * (high - low), high - 0.1 * (high - low));
  if (!std::isnan(low)) return low + random.spread(0.2, 2.0);
  if (!std::isnan(high)) return high - random.spread(0.2, 2.0);
  return random.uniform(-1.5, 1.5);
}

/// Makes the masses m_ab of a rigid body (lower triangle by rows) positive definite, as those of every real body are.
inline void make_definite(const TermInfo& info, std::vector<double>& parameters) {
  if (info.fields.size() != 1 || info.fields[0].name != "m" || info.fields[0].size == 1) return;
  const std::vector<double> root = parameters;
  const auto at = [](size_t a, size_t b) { return a * (a + 1) / 2 + b; };
  for (size_t a = 0; at(a, 0) < root.size(); ++a)
    for (size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (size_t c = 0; c <= b; ++c) sum += root[at(a, c)] * root[at(b, c)];
      parameters[at(a, b)] = sum + (a == b ? 0.1 : 0.0);
    }
}

/// A warped plate on [0, a] × [0, b], its vectors about along the axes: a volume that is nowhere empty.
inline void make_plate(const TermInfo& info, ItemNumbers& item, Random& random) {
  const int slots =
      static_cast<int>(info.slots.size() - std::count(info.slots.begin(), info.slots.end(), SlotKind::signal)) / 4;
  double a = item.parameters[0] = random.uniform(0.8, 1.2), b = item.parameters[1] = random.uniform(0.6, 1.1);
  if (slots > 3) {  // full: thickness and constants that are positive in every law
    item.parameters[2] = random.uniform(0.2, 0.4);
    for (int k = 4; k < 4 + most_elastic_constants; ++k) item.parameters[k] = random.uniform(3, 5);
  } else {  // A and D, as 11, 12, 22, 16, 26, 66, of a material
    for (int at : {3, 15})
      for (int k : {0, 2, 5}) item.parameters[at + k] = random.uniform(3, 5);
  }
  for (int n = 0; n < 4; ++n) {
    const double at[3] = {(n == 1 || n == 2) * a, (n >= 2) * b, 0};
    for (int k = 0; k < slots; ++k)
      for (int i = 0; i < 3; ++i)
        item.reference[3 * slots * n + 3 * k + i] = (k == 0 ? at[i] : 1.0 * (i == k - 1)) + random.uniform(-0.1, 0.1);
  }
}

/// A bent and twisted beam, its vectors about along the axes, and constants that are positive in every law.
inline void make_full_beam(ItemNumbers& item, Random& random) {
  item.parameters[0] = random.uniform(0.8, 1.2);
  item.parameters[1] = random.uniform(0.2, 0.4), item.parameters[2] = random.uniform(0.2, 0.4);
  for (int k = 5; k < 5 + most_elastic_constants; ++k) item.parameters[k] = random.uniform(3, 5);
  for (int n = 0; n < 2; ++n)
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i)
        item.reference[12 * n + 3 * k + i] =
            (k == 0 ? n * item.parameters[0] * (i == 0) : 1.0 * (i == k - 1)) + random.uniform(-0.1, 0.1);
}

/// A distorted cube, tetrahedron or triangle.
inline void make_cell(const TermInfo& info, ItemNumbers& item, Random& random) {
  SolidKind kind{};
  while (node_count(kind) != std::count(info.slots.begin(), info.slots.end(), SlotKind::point))
    kind = SolidKind{static_cast<int>(kind) + 1};
  for (int n = 0; n < node_count(kind); ++n)
    for (int i = 0; i < 3; ++i) item.reference[3 * n + i] = 6 * solid_node(kind, n)[i] + random.uniform(-0.2, 0.2);
}

/// With constants that are positive in every law.
inline void make_solid(const TermInfo& info, ItemNumbers& item, Random& random) {
  for (int k = 1; k <= most_elastic_constants; ++k) item.parameters[k] = random.uniform(3, 5);
  make_cell(info, item, random);
}

/// The same, with a prestress by which they are taut or wrinkled, and not slack.
inline void make_membrane(const TermInfo& info, ItemNumbers& item, Random& random) {
  for (int k = 2; k < 2 + most_elastic_constants; ++k) item.parameters[k] = random.uniform(3, 5);
  item.parameters.back() = random.uniform(1.03, 1.05);
  make_cell(info, item, random);
}

/// With moduli that are definite.
inline void make_composite_membrane(const TermInfo& info, ItemNumbers& item, Random& random) {
  int k = 0;
  for (const Field& field : info.fields) {
    for (int i = 0; i < field.size; ++i, ++k) {
      if (field.name == "constants") item.parameters[k] = random.uniform(3, 5);
      if (field.name == "stretch") item.parameters[k] = random.uniform(1.03, 1.05);
      if (field.name == "growth") item.parameters[k] *= 0.02;  // what grows far is slack
      if (field.name == "retardation") item.parameters[k] = random.uniform(0.01, 0.02);
      if (field.name == "first") item.parameters[k] = (i == 0 ? 1.0 : 0.5) + random.uniform(-0.2, 0.2);
      if (field.name == "moduli")
        item.parameters[k] = i == 0 || i == 2 || i == 5 ? random.uniform(8, 12) : random.uniform(-2, 2);
    }
  }
  make_cell(info, item, random);
}

/// Points along a wavy line, vectors of about unit length: a curved reference without special symmetry.
inline ItemNumbers random_item(const TermType& type, Random& random) {
  ItemNumbers item;
  for (const Field& field : type.info.fields)
    for (int k = 0; k < field.size; ++k) item.parameters.push_back(random_value(field, random));
  for (size_t k = 0; k < type.info.fields.size(); ++k) {  // stops wide against the tests' steps, motors with strength
    if (type.info.fields[k].name == "stop_width") item.parameters[k] = random.uniform(0.3, 0.6);
    if (type.info.fields[k].name == "limit") item.parameters[k] = random.uniform(50, 80);
    if (type.info.fields[k].name == "max_rate") item.parameters[k] = random.uniform(10, 20);
    if (type.info.fields[k].name == "share")  // fields of one number come before
      for (int i = 0; i < type.info.fields[k].size; ++i) item.parameters[item.parameters.size() - 16 + i] *= 0.1;
    if (type.info.fields[k].is_law) item.parameters[k] = sample_law();
  }
  make_definite(type.info, item.parameters);
  if (type.info.name.starts_with("elastic_truss"))  // never slack
    item.parameters[2] = item.parameters[0] * random.uniform(1, 2);
  if (type.info.name.starts_with("truss_node")) item.parameters[0] = random.uniform(0.5, 2);
  int points = 0;
  for (SlotKind kind : type.info.slots) {
    const int size = slot_size(kind, type.info.dim);
    for (int i = 0; i < size; ++i) {
      const bool first = i == 0;
      if (kind == SlotKind::point) {
        item.reference.push_back(first ? 0.5 * points + random.uniform(-0.1, 0.1) : random.uniform(-0.2, 0.2));
      } else if (kind == SlotKind::vector) {
        item.reference.push_back(first ? random.uniform(0.8, 1.2) : random.uniform(-0.4, 0.4));
      } else {
        item.reference.push_back(0.0);
      }
    }
    points += kind == SlotKind::point;
  }
  if (is_full_plate(type.info.name) || type.info.name.ends_with("ancf_thin_plate")) make_plate(type.info, item, random);
  if (is_full_beam(type.info.name)) make_full_beam(item, random);
  if (type.info.name.starts_with("solid_") || type.info.name.starts_with("composite_solid_"))
    make_solid(type.info, item, random);
  if (type.info.name == Membrane::name) make_membrane(type.info, item, random);
  if (type.info.name == CompositeMembrane::name) make_composite_membrane(type.info, item, random);
  return item;
}

/// Of the first two points in the reference.
inline double distance_of(const TermInfo& info, const ItemNumbers& item) {
  double square = 0;
  for (int i = 0; i < info.dim; ++i) square += std::pow(item.reference[info.dim + i] - item.reference[i], 2);
  return std::sqrt(square);
}

/// Changes the parameters so that the item stores no energy in its reference.
inline void make_stress_free(const TermInfo& info, ItemNumbers& item) {
  int k = 0;
  for (const Field& field : info.fields) {
    if (field.name == "free_length") {
      item.parameters[k] = distance_of(info, item);
    }
    if (field.name == "stretch") std::fill_n(item.parameters.begin() + k, field.size, 1.0);
    if (info.name.starts_with("elastic_truss")) {
      item.parameters[1] = distance_of(info, item);
      item.parameters[2] = 0;
    }
    if (field.name == "turn" || field.name == "rest") item.parameters[k] = 0;
    if (info.name == "point_tie" || info.name == "vector_tie")
      std::copy_n(item.reference.begin(), 3, item.reference.begin() + 3);
    if (field.name == "lower") item.parameters[k] = -10;
    if (field.name == "upper") item.parameters[k] = 10;
    k += field.size;
  }
}

/// Changes parameters and directions so that a constraint holds in its reference.
inline void make_consistent(const TermInfo& info, ItemNumbers& item) {
  const int D = info.dim;
  std::vector<double>& X = item.reference;
  const auto product = [&](int a, int b) {
    double sum = 0;
    for (int i = 0; i < D; ++i) sum += X[a * D + i] * X[b * D + i];
    return sum;
  };
  const auto between = [&](int normal) {
    double sum = 0;
    for (int i = 0; i < D; ++i) sum += (X[D + i] - X[i]) * (normal < 0 ? X[D + i] - X[i] : X[normal * D + i]);
    return sum;
  };
  const std::string_view kind = info.name.substr(0, info.name.rfind('_'));
  if (kind == "distance" || kind == "rigid_truss" || kind == "distance_coordinate")
    item.parameters[0] = std::sqrt(between(-1));
  if (kind == "vector_length") item.parameters[0] = std::sqrt(product(0, 0));
  if (kind == "inner_product") item.parameters[0] = product(0, 1);
  if (kind == "offset" || kind == "offset_coordinate") item.parameters[0] = between(2);
  if (kind == "joint_angle")  // x = e, perpendicular to y
    for (int i = 0; i < D; ++i) X[i] = X[2 * D + i] = i == 0, X[D + i] = i == 1;
}

inline bool is_coordinate(const TermInfo& term, size_t slot) {
  // A scene names the elastic term, not that which relaxes.
  constexpr std::string_view relaxing = "viscoelastic_";
  const TermInfo& info = term.name.starts_with(relaxing) ? find_term(term.name.substr(relaxing.size()))->info : term;
  return slot < info.scene.sources.size() && info.slots[slot] == SlotKind::scalar &&
         !info.scene.sources[slot].key.empty();
}

/// A model of these items only, each with slots and signals of its own.
inline Model model_of(const TermCase& c, const std::vector<ItemNumbers>& items) {
  const TermInfo& info = c.type->info;
  ModelBuilder b(info.dim);
  int signals = 0;
  for (size_t n = 0; n < items.size(); ++n) {
    std::vector<int> slots;
    int at = 0;
    for (SlotKind kind : info.slots) {
      if (kind == SlotKind::signal) {
        slots.push_back(b.effective({.signal = signals++}));
        continue;
      }
      const int size = slot_size(kind, info.dim);
      const std::string name = fmt::format("item {} slot {}", n, slots.size());
      // A scalar that a scene names by a joint is a coordinate.
      const bool unknown = kind == SlotKind::scalar && !is_coordinate(info, slots.size());
      slots.push_back(unknown ? b.multiplier(name)
                              : b.slot(name, kind, std::span(items[n].reference).subspan(at, size)));
      at += size;
    }
    b.item(std::string(info.name), slots, items[n].parameters, c.options, fmt::format("item {}", n));
  }
  return b.build();
}

/// Where the local coordinates of an item are in q.
inline std::vector<int> local_places(const Model& model, int item) {
  const ItemBatch& batch = model.topology->batches[0];
  const std::vector<SlotKind>& kinds = batch.type->info.slots;
  std::vector<int> out;
  for (size_t a = 0; a < kinds.size(); ++a) {
    if (kinds[a] == SlotKind::signal) continue;
    const Slot& slot = model.topology->slots[batch.slots[item * kinds.size() + a]];
    for (int i = 0; i < slot.size; ++i) out.push_back(slot.offset + i);
  }
  return out;
}

/// The reference moved by up to `size` in every coordinate; multipliers as large as `size`.
inline std::vector<double> near_reference(const ItemNumbers& item, double size, Random& random) {
  std::vector<double> x = item.reference;
  for (double& xi : x) xi += random.uniform(-size, size);
  return x;
}

}  // namespace flexura::test
