// Sensors in the wall of a plate.

#include <algorithm>
#include <cmath>

#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/output/sensor_probe.hpp"

namespace flexura {
namespace {

double von_mises(std::span<const double> s) {
  return std::sqrt(s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + 3 * s[2] * s[2]);
}

}  // namespace

/// ∂r/∂u, ∂r/∂v or their cross product, of any length.
void SensorProbe::plate_direction(const SensorSpec& s, std::span<double> out) const {
  Triple along[2] = {};
  for (int k = 0; k < 2; ++k)
    for (const auto& [slot, weight] : s.tangents[k]) {
      const double* x = at(slot);
      along[k] = along[k] + weight * Triple{x[0], x[1], x[2]};
    }
  const Triple wanted = s.axis == "normal" ? cross(along[0], along[1]) : along[s.axis == "v"];
  std::copy(wanted.begin(), wanted.end(), out.begin());
}

/// Mean of the elements around the place, each turned into the sensor's axes.
void SensorProbe::read_wall(const Sensor& s, std::span<double> out, std::span<const double>) const {
  using Plate = AncfThinPlate;
  const SensorSpec& spec = *s.spec;
  const double side = spec.face == "top" ? 1 : spec.face == "bottom" ? -1 : 0;
  Triple sum{};
  for (size_t k = 0; k < s.items.size(); ++k) {
    const auto [batch, item] = s.items[k];
    const SensorSpec::WallPlace& at = spec.wall[k];
    double values[most_probes] = {};
    system_.assembler.batches()[batch]->probe(item, input(), at.xi, at.eta, values);
    const double h = values[Plate::thickness_probe];
    const auto of = [&](int first) { return Triple{values[first], values[first + 1], values[first + 2]}; };
    Triple x{};
    if (spec.type == "membrane_force") x = of(Plate::force_probe);
    if (spec.type == "bending_moment") x = of(Plate::moment_probe);
    if (spec.type == "membrane_strain") x = of(Plate::strain_probe);
    if (spec.type == "curvature_change") x = of(Plate::curvature_probe);
    if (spec.type == "strain") x = of(Plate::strain_probe) + (0.5 * side * h) * of(Plate::curvature_probe);
    if (spec.type == "stress" || spec.type == "von_mises")
      x = side > 0 ? of(Plate::top_probe) : side < 0 ? of(Plate::bottom_probe) : (1 / h) * of(Plate::force_probe);
    const double c = std::cos(at.turn), n = std::sin(at.turn);
    const Triple turned{c * c * x[0] + n * n * x[1] - 2 * n * c * x[2], n * n * x[0] + c * c * x[1] + 2 * n * c * x[2],
                        n * c * (x[0] - x[1]) + (c * c - n * n) * x[2]};
    sum = sum + (1 / static_cast<double>(s.items.size())) * turned;
  }
  if (out.size() == 1) {
    out[0] = von_mises(sum);
  } else {
    std::copy(sum.begin(), sum.end(), out.begin());
  }
}

}  // namespace flexura
