#include "flexura/observe/probe_names.hpp"

#include <algorithm>
#include <iterator>

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/element/ancf_cable_3d.hpp"
#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/element/director_beam.hpp"

namespace flexura {
namespace {

template <class... E>
int find_in(std::string_view term, std::string_view quantity) {
  int index = -1;
  const auto look_in = [&](std::string_view name, const auto& probes) {
    const auto found = std::find(std::begin(probes), std::end(probes), quantity);
    if (name == term && found != std::end(probes)) index = static_cast<int>(found - std::begin(probes));
  };
  (look_in(E::name, E::probes), ...);
  return index;
}

}  // namespace

int find_probe(const TermInfo& term, std::string_view quantity) {
  return find_in<AncfCable2d, AncfCable3d, DirectorBeam2, DirectorBeam3, AncfThinPlate>(term.name, quantity);
}

}  // namespace flexura
