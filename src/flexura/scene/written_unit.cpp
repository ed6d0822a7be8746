#include "flexura/scene/written_unit.hpp"

#include <fmt/format.h>

#include "flexura/base/text.hpp"
#include "flexura/scene/raw_toml.hpp"

namespace flexura {
namespace {

/// As people write them; others are products of powers.
constexpr const char* usual_units[] = {"1",         "m",   "m^2",   "m^3",   "kg",      "s",    "rad",     "K",
                                       "N",         "N m", "Pa",    "W",     "Hz",      "N/m",  "N m/rad", "N s/m",
                                       "N m^2",     "m/s", "rad/s", "m/s^2", "rad/s^2", "kg/m", "kg/m^3",  "kg m^2",
                                       "N m s/rad", "1/s", "m^3/s", "kg/s",  "Pa s"};

}  // namespace

std::string si_unit(const Dimension& dimension) {
  for (const char* unit : usual_units)
    if (parse_unit(unit)->dimension == dimension) return unit;
  constexpr const char* bases[] = {"m", "kg", "s", "A", "K", "rad", "Hz"};
  std::array<int, 7> powers = dimension.power;
  powers[2] += powers[6];  // a cycle is Hz s
  std::string out;
  for (size_t k = 0; k < std::size(bases); ++k) {
    const int power = powers[k];
    if (power == 0) continue;
    out += (out.empty() ? "" : " ") + std::string(bases[k]);
    if (power != 1) out += fmt::format("^{}", power);
  }
  return out;
}

std::string written_unit(const SceneDocument& scene, const std::string& path) {
  const RawResult parsed = parse_toml(scene.effective_text, scene.file);
  const RawNode* node = &parsed.root;
  for (size_t at = 0; node != nullptr && at <= path.size();) {
    const size_t end = std::min(path.find('.', at), path.size());
    node = node->find(path.substr(at, end - at));
    at = end + 1;
  }
  if (node == nullptr || node->kind != RawNode::Kind::text) return {};
  const std::optional<WrittenNumber> written = split_quantity(node->text);
  if (!written || written->unit.empty()) return {};
  const std::optional<Unit> unit = parse_unit(written->unit);
  return unit ? si_unit(unit->dimension) : std::string();
}

}  // namespace flexura
