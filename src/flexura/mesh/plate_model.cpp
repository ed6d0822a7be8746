#include "flexura/mesh/plate_model.hpp"

#include <fmt/format.h>

#include "flexura/element/composite_plate.hpp"
#include "flexura/load/fibre_tension.hpp"
#include "flexura/material/elastic_laws.hpp"
#include "flexura/model/relaxing_item.hpp"

namespace flexura {
namespace {

LinearTerm scaled(int slot, double factor) { return {slot, {factor, 0, 0, 0, factor, 0, 0, 0, factor}}; }

Vec<6, Given> given(const PlaneStiffness& matrix) { return flexura::given(Vec<6, double>::load(matrix.data())); }

GivenParams<AncfThinPlate> parameters_of(const PlateSection& section, const SurfaceMesh& mesh,
                                         const SurfaceElement& element) {
  const Laminate& l = section.laminate;
  const auto thickness = [&](int corner) { return mesh.nodes[element.nodes[corner]].thickness; };
  return {.length = element.length_u,
          .width = element.length_v,
          .rho_h = l.rho_h,
          .A = given(l.A),
          .B = given(l.B),
          .D = given(l.D),
          .thickness_factor = {thickness(0), thickness(1), thickness(2), thickness(3)},
          .retardation = section.retardation,
          .thickness = l.thickness,
          .top = given(l.top),
          .bottom = given(l.bottom)};
}

/// r, r_x, r_y, r_z (, r_zz) of the corners.
template <class E>
constexpr int vectors_of = E::functions - 3;

/// growth: effective signals.
template <class E>
void add_composite(ModelBuilder& builder, const PlateSection& section, const GivenParams<E>& elastic,
                   const OptionsOf<E>& options, const std::array<int, E::count>& nodes, const std::string& name,
                   const Source& source) {
  using Composite = CompositePlate<vectors_of<E>>;
  const FullWall& wall = *section.full;
  std::array<int, slots_of<Composite>> slots;
  std::copy(nodes.begin(), nodes.end(), slots.begin());
  GivenParams<Composite> p{.elastic = elastic};
  for (int i = 0; i < Composite::growths; ++i) {
    const std::optional<EffectiveSignal> stretch = wall.growth ? (*wall.growth)[i] : std::nullopt;
    slots[E::count + i] = builder.effective(stretch.value_or(EffectiveSignal{}));
    p.growth[i] = stretch ? 1 : 0;
  }
  for (size_t f = 0; f < wall.fibres.size(); ++f) {
    const FibreFamily& family = wall.fibres[f];
    const int at = static_cast<int>(f);
    for (int i = 0; i < 3; ++i) p.fibre_direction[3 * at + i] = family.direction[i];
    p.fibre_stiffness[at] = family.stiffness;
    p.fibre_exponent[at] = family.exponent;
    p.fibre_compression[at] = family.bears_compression ? 1 : 0;
  }
  for (size_t i = 0; i < section.relaxation.size(); ++i) {
    p.share[static_cast<int>(i)] = section.relaxation[i].share;
    p.time[static_cast<int>(i)] = section.relaxation[i].time;
  }
  const typename Composite::Options choices{.elastic = options,
                                            .grows = wall.growth ? Composite::Grows::yes : Composite::Grows::no,
                                            .families = static_cast<FibreFamilies>(wall.fibres.size()),
                                            .branches = static_cast<PronyBranches>(section.relaxation.size())};
  builder.item<Composite>(slots, p, choices, name, section.mass_damping, source);
}

template <class E>
void add_tension(ModelBuilder& builder, const FibreFamily& family, const GivenParams<E>& plate,
                 const std::array<int, E::count>& nodes, const std::string& name, const Source& source) {
  using Tension = PlateFibreTension<vectors_of<E>>;
  std::array<int, slots_of<Tension>> slots;
  std::copy(nodes.begin(), nodes.end(), slots.begin());
  slots.back() = builder.effective(*family.tension);
  builder.item<Tension>(slots,
                        {.length = plate.length,
                         .width = plate.width,
                         .thickness = plate.thickness,
                         .direction = flexura::given(family.direction)},
                        {}, fmt::format("{}, fibre '{}'", name, family.name), 0, source);
}

template <class E>
void add_full(ModelBuilder& builder, const PlateSection& section, const PlateElement& element,
              const std::array<const PlateNode*, 4>& corners, const Source& source) {
  std::array<int, E::count> slots;
  for (int a = 0; a < 4; ++a) {
    int* const at = slots.data() + E::functions * a;
    for (int k = 0; k < 3; ++k) at[k] = element.slots[3 * a + k];
    at[3] = corners[a]->r_z;
    if (E::functions == 5) at[4] = corners[a]->r_zz;
  }
  const FullWall& wall = *section.full;
  const double viscosity = section.retardation * moduli_at_rest(wall.law, wall.constants).shear;
  const typename E::Options options{wall.law.law, wall.law.form, static_cast<typename E::Volume>(wall.volume),
                                    viscosity > 0 ? E::Damped::yes : E::Damped::no};
  const GivenParams<E> p{.length = element.parameters[0],
                         .width = element.parameters[1],
                         .thickness = wall.thickness,
                         .rho = wall.rho,
                         .constants = given(Vec<most_elastic_constants, double>::load(wall.constants.c)),
                         .bulk = wall.constants.bulk,
                         .viscosity = viscosity};
  if (!wall.fibres.empty() || wall.growth || !section.relaxation.empty()) {
    add_composite<E>(builder, section, p, options, slots, element.name, source);
  } else {
    builder.item<E>(slots, p, options, element.name, section.mass_damping, source);
  }
  for (const FibreFamily& family : wall.fibres)
    if (family.tension) add_tension<E>(builder, family, p, slots, element.name, source);
}

}  // namespace

Vec3 director(const SurfaceNode& node) {
  const Vec3 normal = cross(node.gradient_u, node.gradient_v);
  return node.thickness / norm(normal) * normal;
}

PlateModel add_plate(ModelBuilder& builder, const std::string& name, const SurfaceMesh& mesh,
                     const PlateSection& section, const Source& source) {
  PlateModel out;
  for (size_t k = 0; k < mesh.nodes.size(); ++k) {
    const SurfaceNode& node = mesh.nodes[k];
    const int group = builder.node();
    const auto slot = [&](const char* what, SlotKind kind, const Vec3& X) {
      return builder.slot(fmt::format("{}.{}.{}", name, k, what), kind, X.c, group);
    };
    out.nodes.push_back({slot("r", SlotKind::point, node.position), slot("g_u", SlotKind::vector, node.gradient_u),
                         slot("g_v", SlotKind::vector, node.gradient_v)});
    if (!section.full) continue;
    out.nodes.back().r_z = slot("r_z", SlotKind::vector, director(node));
    if (!section.full->paper) out.nodes.back().r_zz = slot("r_zz", SlotKind::vector, {});
  }
  using Damped = AncfThinPlate::Damped;
  const AncfThinPlate::Options options{.integration = section.integration,
                                       .curvature = section.curvature,
                                       .damped = section.retardation > 0 ? Damped::yes : Damped::no};
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const SurfaceElement& element = mesh.elements[e];
    PlateElement item{fmt::format("plate '{}', element {}", name, e + 1), {}, {element.length_u, element.length_v}};
    for (int corner = 0; corner < 4; ++corner) {
      const PlateNode& node = out.nodes[element.nodes[corner]];
      const CornerMap map = mesh.corner_map(static_cast<int>(e), corner);
      const auto gradient = [&](double u, double v, const char* direction) {
        if (v == 0 && u == 1) return node.g_u;
        if (u == 0 && v == 1) return node.g_v;
        LinearForm form{3, {scaled(node.g_u, u), scaled(node.g_v, v)}, {0, 0, 0}, {}};
        return builder.combination(fmt::format("{}.element {}.{}.{}", name, e + 1, corner, direction), SlotKind::vector,
                                   std::move(form), "plate." + name);
      };
      item.slots[3 * corner] = node.r;
      item.slots[3 * corner + 1] = gradient(map.uu, map.uv, "r_x");
      item.slots[3 * corner + 2] = gradient(map.vu, map.vv, "r_y");
    }
    if (section.full) {
      std::array<const PlateNode*, 4> corners;
      for (int a = 0; a < 4; ++a) corners[a] = &out.nodes[element.nodes[a]];
      const auto add = section.full->paper ? add_full<AncfPlate48> : add_full<AncfPlate60>;
      add(builder, section, item, corners, source);
    } else {
      add_relaxing_item<AncfThinPlate>(builder, item.slots, parameters_of(section, mesh, element), options,
                                       section.relaxation, item.name, section.mass_damping, source);
    }
    out.elements.push_back(std::move(item));
  }
  return out;
}

}  // namespace flexura
