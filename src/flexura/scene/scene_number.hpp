#pragma once
// A number of a scene by its path, as --set names it, and of lists the place in them:
//
//     section.wall.EI     mass.payload.m     cable.actuator.path[1][0]     signal.pump.points[12][1]

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/scene/raw_toml.hpp"

namespace flexura {

struct SceneNumber {
  std::string path;                     ///< as asked for
  std::string unit;                     ///< SI, as the scene's key has it; empty where it has none or is of many
  double value = 0;                     ///< [SI, where a unit is written]
  std::string key;                      ///< what --set replaces: the path without the places
  std::vector<size_t> places;           ///< in the list
  std::shared_ptr<const RawNode> list;  ///< the value of `key`, one for all numbers in it
  double scale = 0;                     ///< the largest number beside it; 0: none but 0

  /// "section.wall.EI=0.02": the change of --set that makes it `x`.
  std::string setting(double x) const;
  /// Of several numbers, of which some may be in one list.
  static std::vector<std::string> settings(const std::vector<SceneNumber>& numbers, const std::vector<double>& x);
};

/// All numbers that the scene writes as such, in its order; of what counts or says when, as `elements` or `step`, too.
std::vector<SceneNumber> list_scene_numbers(const SceneDocument& document);

/// Throws InputError with every path that is no number, and what is there instead.
std::vector<SceneNumber> find_scene_numbers(const SceneDocument& document, const std::vector<std::string>& paths);

}  // namespace flexura
