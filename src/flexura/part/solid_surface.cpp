#include "flexura/part/solid_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "flexura/base/nearest_name.hpp"

namespace flexura {

std::vector<std::string> surface_names(const Machine& machine) {
  std::vector<std::string> out;
  for (const SolidPart& solid : machine.solids)
    for (const SolidSet& set : solid.mesh.sets)
      if (!set.faces.empty() && set.elements.empty()) out.push_back(fmt::format("{}.{}", solid.name, set.name));
  return out;
}

std::string name_of(const Machine& machine, const SurfaceOfSolid& surface) {
  const SolidPart& solid = machine.solids[surface.solid];
  return fmt::format("{}.{}", solid.name, solid.mesh.sets[surface.set].name);
}

std::string why_no_surface(const SolidPart& solid, const SolidSet& set) {
  const std::string name = fmt::format("{}.{}", solid.name, set.name);
  if (!set.elements.empty())
    return fmt::format("\"{}\" is a volume: name the surface of it that the pressure acts on", name);
  if (set.faces.empty()) return fmt::format("\"{}\" has no faces: it is a line or a point", name);
  std::set<std::pair<int, int>> outer;
  for (const SolidFace& face : outer_faces(solid.mesh)) outer.emplace(face.element, face.face);
  const auto inside = std::count_if(set.faces.begin(), set.faces.end(),
                                    [&](const SolidFace& face) { return !outer.contains({face.element, face.face}); });
  if (inside == 0) return {};
  return fmt::format("{} of the {} faces of \"{}\" lie within the solid, between two elements: nothing can press there",
                     inside, set.faces.size(), name);
}

std::variant<SurfaceOfSolid, NoSurface> find_surface(const Machine& machine, std::string_view name) {
  for (size_t k = 0; k < machine.solids.size(); ++k) {
    const SolidPart& solid = machine.solids[k];
    if (!name.starts_with(solid.name)) continue;
    const std::vector<std::string> names = solid.mesh.set_names();
    const std::string has = names.empty() ? "no named places" : list_of(names, "and");
    if (const SolidSet* whole = solid.mesh.find("surface"); name == solid.name && solid.mesh.is_membrane() && whole)
      return SurfaceOfSolid{static_cast<int>(k), static_cast<int>(whole - solid.mesh.sets.data())};
    if (name == solid.name) return NoSurface{fmt::format("which surface of \"{}\"? It has {}", solid.name, has), ""};
    if (name[solid.name.size()] != '.') continue;
    const std::string wanted(name.substr(solid.name.size() + 1));
    const SolidSet* set = solid.mesh.find(wanted);
    if (set == nullptr)
      return NoSurface{fmt::format("the {} \"{}\" has no surface named \"{}\"; it has {}", solid.mesh.word(),
                                   solid.name, wanted, has),
                       nearest_name(wanted, names)};
    if (std::string why = why_no_surface(solid, *set); !why.empty()) return NoSurface{std::move(why), ""};
    return SurfaceOfSolid{static_cast<int>(k), static_cast<int>(set - solid.mesh.sets.data())};
  }
  return NoSurface{fmt::format("there is no surface of a solid named \"{}\"", name),
                   nearest_name(std::string(name), surface_names(machine))};
}

std::vector<SurfaceFace> faces_of(const SolidPart& solid, const SolidSet& set) {
  std::vector<SurfaceFace> out;
  for (const SolidFace& face : set.faces) {
    const CellFace& of = cell_info(solid.mesh.elements[face.element].kind).faces[face.face];
    SurfaceFace& made = out.emplace_back();
    made.shape = of.corners == 3 ? (of.count == 3 ? FaceShape::t3 : FaceShape::t6)
                 : of.count == 4 ? FaceShape::q4
                 : of.count == 8 ? FaceShape::q8
                                 : FaceShape::q9;
    for (const int node : face_nodes(solid.mesh, face)) made.slots.push_back(solid.model.nodes[node]);
    made.name = fmt::format("{}, face {}", solid.model.items[face.element], face.face + 1);
    made.of_membrane = solid.mesh.is_membrane();
  }
  return out;
}

MaterialPlace middle_of(const Machine& machine, const SurfaceOfSolid& surface, int face) {
  const SolidMesh& mesh = machine.solids[surface.solid].mesh;
  const SolidFace& at = mesh.sets[surface.set].faces[face];
  const CellInfo& info = cell_info(mesh.elements[at.element].kind);
  const CellFace& of = info.faces[at.face];
  std::array<double, 3> middle{};
  for (int k = 0; k < of.corners; ++k)
    for (size_t i = 0; i < 3; ++i) middle[i] += info.places[of.nodes[k]][i] / of.corners;
  return {.on = MaterialPlace::On::solid,
          .part = surface.solid,
          .element = at.element,
          .xi = middle[0],
          .eta = middle[1],
          .zeta = middle[2]};
}

}  // namespace flexura
