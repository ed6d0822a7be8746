#pragma once
// What the rest of the program knows of a registered term: plain data, no templates.

#include <span>
#include <string_view>
#include <vector>

#include "flexura/term/term.hpp"

namespace flexura {

struct TermInfo {
  std::string_view name;
  int dim = 0;
  Role role = Role::conservative;
  std::vector<SlotKind> slots;
  std::vector<Field> fields;
  std::vector<Option> options;
  std::span<const std::string_view> probes;  ///< names of the quantities inside an item, as Batch::probe writes them
  SceneForm scene;
  bool has_residual = false, has_mass = false, has_energy = false;
  bool has_history = false;  ///< with some of its options

  int dofs() const {
    int n = 0;
    for (SlotKind kind : slots) n += slot_size(kind, dim);
    return n;
  }
  int parameter_count() const {
    int n = 0;
    for (const Field& field : fields) n += field.size;
    return n;
  }
};

template <Term E>
TermInfo term_info() {
  TermInfo info{.name = E::name,
                .dim = E::dim,
                .role = E::role,
                .slots = {E::slots.begin(), E::slots.end()},
                .fields = fields_of<E>(),
                .options = options_of<E>(),
                .probes = {},
                .scene = {},
                .has_residual = HasResidual<E>,
                .has_mass = HasMass<E>,
                .has_energy = HasEnergy<E>,
                .has_history = HasHistory<E>};
  if constexpr (requires { E::scene; }) info.scene = E::scene;
  if constexpr (requires { E::probes; }) info.probes = E::probes;
  return info;
}

}  // namespace flexura
