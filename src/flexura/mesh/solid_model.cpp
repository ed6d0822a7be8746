#include "flexura/mesh/solid_model.hpp"

#include <fmt/format.h>

#include "flexura/material/elastic_laws.hpp"

namespace flexura {
namespace {

template <class E>
void add_element(ModelBuilder& builder, const SolidCell& cell, const SolidModel& model, const SolidSection& section,
                 double viscosity, const std::string& name, const Source& source) {
  std::array<int, E::nodes> slots{};
  for (int a = 0; a < E::nodes; ++a) slots[a] = model.nodes[cell.nodes[a]];
  GivenParams<E> numbers{.rho = section.rho, .constants = {}, .bulk = section.constants.bulk, .viscosity = viscosity};
  for (int k = 0; k < most_elastic_constants; ++k) numbers.constants[k] = section.constants.c[k];
  const typename E::Options options{.law = section.law.law,
                                    .form = section.law.form,
                                    .formulation = section.formulation,
                                    .damped = viscosity > 0 ? E::Damped::yes : E::Damped::no};
  builder.item<E>(slots, numbers, options, name, section.mass_damping, source);
}

}  // namespace

SolidModel add_solid(ModelBuilder& builder, const std::string& name, const SolidMesh& mesh, const SolidSection& section,
                     const Source& source, const std::vector<SolidInlay>& inlays) {
  SolidModel out;
  std::vector<const SolidSection*> sections(mesh.elements.size(), &section);
  for (const SolidInlay& inlay : inlays)
    if (const SolidSet* set = mesh.find(inlay.set))
      for (const int e : set->elements) sections[e] = &inlay.section;
  for (size_t k = 0; k < mesh.nodes.size(); ++k)
    out.nodes.push_back(
        builder.slot(fmt::format("{}.{}.r", name, k), SlotKind::point, mesh.nodes[k].c, builder.node()));
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const SolidCell& cell = mesh.elements[e];
    const SolidSection& own = *sections[e];
    const double viscosity = own.retardation * moduli_at_rest(own.law, own.constants).shear;
    out.items.push_back(fmt::format("solid '{}', element {}", name, e + 1));
    const auto add = [&]<class E>() { add_element<E>(builder, cell, out, own, viscosity, out.items.back(), source); };
    switch (cell.kind) {
      case SolidKind::hexahedron_8:
        add.template operator()<SolidHexahedron8>();
        break;
      case SolidKind::hexahedron_20:
        add.template operator()<SolidHexahedron20>();
        break;
      case SolidKind::hexahedron_27:
        add.template operator()<SolidHexahedron27>();
        break;
      case SolidKind::tetrahedron_4:
        add.template operator()<SolidTetrahedron4>();
        break;
      case SolidKind::tetrahedron_10:
        add.template operator()<SolidTetrahedron10>();
        break;
    }
  }
  return out;
}

}  // namespace flexura
