#pragma once
// Scenes rewritten so that their results are known from those of the original: turned, moved, in other units, with
// other names, in another order. The schema of scenes says what each value is (unit, point, direction, name), so that
// no key is listed here unless its unit depends on another key.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "flexura/scene/descriptor.hpp"
#include "flexura/scene/placement.hpp"
#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/units.hpp"

namespace flexura::test {

/// A new value is the old one times the product of these factors to the powers of its dimension.
struct UnitFactors {
  double length = 1, mass = 1, time = 1;

  double of(const Dimension& dimension) const;
  /// Of a unit as text; 1 where it has none.
  double of(const std::string& unit) const;
};

struct SceneTree {
  RawNode root;
  std::shared_ptr<const Grammar> grammar;

  explicit SceneTree(const std::string& text);
  std::string text() const { return write_toml(root); }
};

/// Everything is turned about the origin, then moved. False: something follows an axis of space and the placement
/// turns it.
bool place(SceneTree& scene, const Placement& placement);

/// The same machine in other units. `signals` gets the factor of each named signal.
void rescale(SceneTree& scene, const UnitFactors& factors, std::map<std::string, double>& signals);

/// `name_of`: a new name for each old one of a table [kind.NAME]; returns new → old.
std::map<std::string, std::string> rename(SceneTree& scene,
                                          const std::function<std::string(const std::string&)>& name_of);

/// Tables in another order, and their keys. Analyses and layers keep theirs, which has a meaning.
void reorder(SceneTree& scene, std::uint64_t seed);

/// The dynamic analysis at `index` becomes two, which meet at `middle` [s].
void split_analysis(SceneTree& scene, size_t index, double middle);

/// All joints that have the choice are kept by `method`; those of plates, membranes and solids have none.
void set_method(SceneTree& scene, const std::string& method);

}  // namespace flexura::test
