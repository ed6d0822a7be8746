#include "flexura/mesh/solid_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/element/composite_membrane.hpp"
#include "flexura/element/composite_solid.hpp"
#include "flexura/element/reduced_hexahedron.hpp"
#include "flexura/load/fibre_tension.hpp"
#include "flexura/material/elastic_laws.hpp"

namespace flexura {
namespace {

using Slots = std::vector<int>;

template <class E>
std::array<int, slots_of<E>> all_of(const Slots& slots) {
  std::array<int, slots_of<E>> out{};
  std::copy(slots.begin(), slots.end(), out.begin());
  return out;
}

/// What is added to a model, element by element.
struct Elements {
  ModelBuilder& builder;
  const SolidSection& section;
  const Source& source;
  double viscosity;
  bool composite;
  std::array<int, 3> growth;  ///< effective signals

  Solid::Params<Given> numbers() const {
    Solid::Params<Given> out{
        .rho = section.rho, .constants = {}, .bulk = section.constants.bulk, .viscosity = viscosity};
    for (int k = 0; k < most_elastic_constants; ++k) out.constants[k] = section.constants.c[k];
    return out;
  }
  Solid::Options options() const {
    return {.law = section.law.law,
            .form = section.law.form,
            .formulation = section.formulation,
            .damped = viscosity > 0 ? Solid::Damped::yes : Solid::Damped::no};
  }

  void add_triangle(const Slots& nodes, const Vec3& along, const std::string& name) const {
    const Solid::Params<Given> of = numbers();
    const Membrane::Options choices{section.law.law, section.law.form, section.wall.carries};
    if (composite) {
      add_composite_triangle(nodes, along, choices, name);
    } else {
      builder.item<Membrane>(all_of<Membrane>(nodes),
                             {.rho = of.rho,
                              .thickness = section.wall.thickness,
                              .constants = of.constants,
                              .bulk = of.bulk,
                              .stretch = section.wall.stretch[0]},
                             choices, name, section.mass_damping, source);
    }
    for (const FibreFamily& family : section.fibres) {
      if (!family.tension) continue;
      Slots slots = nodes;
      slots.push_back(builder.effective(*family.tension));
      builder.item<MembraneFibreTension>(all_of<MembraneFibreTension>(slots),
                                         {.thickness = section.wall.thickness,
                                          .stretch = given(section.wall.stretch),
                                          .first = given(along),
                                          .direction = {family.direction[0], family.direction[1]}},
                                         {}, fmt::format("{}, fibre '{}'", name, family.name), 0, source);
    }
  }
  template <SolidKind kind>
  void add(const Slots& nodes, const std::string& name) const {
    if (composite) {
      add_composite<kind>(nodes, name);
    } else if (kind == SolidKind::hexahedron_8 && section.reduced) {
      builder.item<ReducedHexahedron8>(all_of<ReducedHexahedron8>(nodes), numbers(),
                                       {section.law.law, section.law.form, options().damped}, name,
                                       section.mass_damping, source);
    } else {
      builder.item<SolidElement<kind>>(all_of<SolidElement<kind>>(nodes), numbers(), options(), name,
                                       section.mass_damping, source);
    }
    for (const FibreFamily& family : section.fibres)
      if (family.tension) add_tension<kind>(nodes, family, fmt::format("{}, fibre '{}'", name, family.name));
  }

 private:
  static void set_fibre_law(auto& p, int at, const FibreFamily& family) {
    p.fibre_stiffness[at] = family.stiffness;
    p.fibre_exponent[at] = family.exponent;
    p.fibre_compression[at] = family.bears_compression ? 1 : 0;
  }
  void set_growth_and_series(auto& p) const {
    for (int i = 0; i < 3; ++i) p.growth[i] = section.growth && section.growth->stretch[i] ? 1 : 0;
    for (size_t i = 0; i < section.relaxation.size(); ++i) {
      p.share[static_cast<int>(i)] = section.relaxation[i].share;
      p.time[static_cast<int>(i)] = section.relaxation[i].time;
    }
  }
  void add_composite_triangle(Slots slots, const Vec3& along, const Membrane::Options& elastic,
                              const std::string& name) const {
    using E = CompositeMembrane;
    slots.insert(slots.end(), growth.begin(), growth.end());
    const Solid::Params<Given> of = numbers();
    const MembraneWall& wall = section.wall;
    GivenParams<E> p{.rho = of.rho,
                     .thickness = wall.thickness,
                     .stretch = given(wall.stretch),
                     .first = given(along),
                     .constants = of.constants,
                     .bulk = of.bulk,
                     .retardation = section.retardation};
    for (int k = 0; k < sheet_moduli && wall.moduli; ++k) p.moduli[k] = (*wall.moduli)[k];
    for (size_t f = 0; f < section.fibres.size(); ++f) {
      const FibreFamily& family = section.fibres[f];
      const int at = static_cast<int>(f);
      for (int i = 0; i < 2; ++i) p.fibre_direction[2 * at + i] = family.direction[i];
      set_fibre_law(p, at, family);
    }
    set_growth_and_series(p);
    builder.item<E>(all_of<E>(slots), p,
                    {.elastic = elastic,
                     .weave = wall.moduli ? E::Weave::orthotropic : E::Weave::isotropic,
                     .damped = section.retardation > 0 ? E::Damped::yes : E::Damped::no,
                     .grows = section.growth ? E::Grows::yes : E::Grows::no,
                     .families = static_cast<E::Families>(section.fibres.size()),
                     .branches = static_cast<E::Branches>(section.relaxation.size())},
                    name, section.mass_damping, source);
  }
  template <SolidKind kind>
  void add_composite(Slots slots, const std::string& name) const {
    using E = CompositeSolidElement<kind>;
    slots.insert(slots.end(), growth.begin(), growth.end());
    GivenParams<E> p{.elastic = numbers(),
                     .center = given(section.axes.center),
                     .axis = given(section.axes.axis),
                     .first = given(section.axes.first)};
    for (size_t f = 0; f < section.fibres.size(); ++f) {
      const FibreFamily& family = section.fibres[f];
      const int at = static_cast<int>(f);
      for (int i = 0; i < 3; ++i) p.fibre_direction[3 * at + i] = family.direction[i];
      p.fibre_about[at] = family.about_axis ? 1 : 0;
      set_fibre_law(p, at, family);
    }
    set_growth_and_series(p);
    using Grows = CompositeSolid::Grows;
    const CompositeSolid::Options choices{.elastic = options(),
                                          .grows = !section.growth              ? Grows::no
                                                   : section.growth->about_axis ? Grows::about_axis
                                                                                : Grows::along_axes,
                                          .families = static_cast<CompositeSolid::Families>(section.fibres.size()),
                                          .branches = static_cast<CompositeSolid::Branches>(section.relaxation.size())};
    builder.item<E>(all_of<E>(slots), p, choices, name, section.mass_damping, source);
  }
  template <SolidKind kind>
  void add_tension(Slots slots, const FibreFamily& family, const std::string& name) const {
    slots.push_back(builder.effective(*family.tension));
    builder.item<FibreTension<kind>>(all_of<FibreTension<kind>>(slots),
                                     {.center = given(section.axes.center),
                                      .axis = given(section.axes.axis),
                                      .first = given(section.axes.first),
                                      .direction = given(family.direction),
                                      .about = family.about_axis ? 1 : 0},
                                     {}, name, 0, source);
  }
};

Elements elements_of(ModelBuilder& builder, const SolidSection& section, bool composite, const Source& source) {
  const double viscosity = section.retardation * moduli_at_rest(section.law, section.constants).shear;
  Elements elements{builder, section, source, viscosity, composite, {}};
  for (int i = 0; i < 3 && composite; ++i)
    elements.growth[i] =
        builder.effective(section.growth ? section.growth->stretch[i].value_or(EffectiveSignal{}) : EffectiveSignal{});
  return elements;
}

}  // namespace

bool SolidSection::is_composite() const {
  const bool is_sheet = wall.thickness > 0;  // solids are damped without
  return !relaxation.empty() || growth || !fibres.empty() || (is_sheet && (wall.moduli || retardation > 0));
}

SolidModel add_solid(ModelBuilder& builder, const std::string& name, const SolidMesh& mesh, const SolidSection& section,
                     const Source& source, const std::vector<SolidInlay>& inlays) {
  SolidModel out;
  out.has_fibres = !section.fibres.empty();
  // What has fibres has other probes: then all elements are such ones.
  const bool composite = section.is_composite() ||
                         std::ranges::any_of(inlays, [](const SolidInlay& of) { return of.section.is_composite(); });
  out.is_composite = composite && !mesh.is_membrane();
  std::vector<Elements> kinds{elements_of(builder, section, composite, source)};
  std::vector<int> kind_of(mesh.elements.size(), 0);
  for (const SolidInlay& inlay : inlays) {
    if (const SolidSet* set = mesh.find(inlay.set))
      for (const int e : set->elements) kind_of[e] = static_cast<int>(kinds.size());
    kinds.push_back(elements_of(builder, inlay.section, composite, source));
  }
  out.section_of = kind_of;
  for (size_t k = 0; k < mesh.nodes.size(); ++k)
    out.nodes.push_back(
        builder.slot(fmt::format("{}.{}.r", name, k), SlotKind::point, mesh.nodes[k].c, builder.node()));
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const SolidCell& cell = mesh.elements[e];
    out.items.push_back(fmt::format("{} '{}', element {}", mesh.word(), name, e + 1));
    Slots nodes;
    for (int a = 0; a < node_count(cell.kind); ++a) nodes.push_back(out.nodes[cell.nodes[a]]);
    const auto add = [&]<SolidKind kind>() { kinds[kind_of[e]].add<kind>(nodes, out.items.back()); };
    switch (cell.kind) {
      case SolidKind::hexahedron_8:
        add.template operator()<SolidKind::hexahedron_8>();
        break;
      case SolidKind::hexahedron_20:
        add.template operator()<SolidKind::hexahedron_20>();
        break;
      case SolidKind::hexahedron_27:
        add.template operator()<SolidKind::hexahedron_27>();
        break;
      case SolidKind::tetrahedron_4:
        add.template operator()<SolidKind::tetrahedron_4>();
        break;
      case SolidKind::tetrahedron_10:
        add.template operator()<SolidKind::tetrahedron_10>();
        break;
      case SolidKind::triangle_3:
        kinds[kind_of[e]].add_triangle(
            nodes, mesh.along.empty() ? mesh.nodes[cell.nodes[1]] - mesh.nodes[cell.nodes[0]] : mesh.along[e],
            out.items.back());
        break;
    }
  }
  return out;
}

}  // namespace flexura
