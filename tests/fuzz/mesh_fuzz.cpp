// Any bytes as a Gmsh file of a plate, a membrane and a solid, and as STL and OBJ: read, or refused with a message.

#include <cmath>
#include <cstdlib>
#include <string>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/membrane_mesh.hpp"
#include "flexura/mesh/solid_checks.hpp"
#include "flexura/mesh/surface_checks.hpp"
#include "flexura/mesh/triangle_mesh.hpp"

namespace {

template <class Read>
void read_or_refuse(Read read) {
  try {
    static_cast<void>(findings(statistics(read().mesh)));
  } catch (const flexura::InputError& error) {
    if (error.problems().empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace flexura;
  if (size > 20000) return 0;
  const std::string contents(reinterpret_cast<const char*>(data), size);
  read_or_refuse([&] { return read_gmsh(contents, "any.msh"); });
  read_or_refuse([&] { return read_gmsh_membrane(contents, "any.msh"); });
  for (const int order : {1, 2}) read_or_refuse([&] { return read_gmsh_solid(contents, "any.msh", {.order = order}); });
  for (const char* name : {"any.stl", "any.obj"}) {
    const auto read = read_triangle_mesh(contents, name);
    if (const auto* mesh = std::get_if<TriangleMesh>(&read)) static_cast<void>(why_not_solid(*mesh));
  }
  return 0;
}
