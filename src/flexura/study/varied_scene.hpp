#pragma once
// A scene again and again with other values: its text is taken apart once for all.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "flexura/scene/raw_toml.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {
namespace detail {
struct KeptFiles;
}

class VariedScene {
 public:
  /// Of a scene that has been read with these options, their `set` included.
  VariedScene(const SceneDocument& scene, SceneOptions options);

  /// One more setting for all that follow, "analysis.move.end=2".
  void change(std::string setting);
  /// What is read has these settings, too: the same as read_scene_text() with all of them. Throws InputError. May be called on
  /// several threads where files and functions may.
  SceneDocument vary(std::span<const std::string> settings) const;

 private:
  std::string file_, text_;
  int dim_;
  std::shared_ptr<const Grammar> grammar_;
  SceneOptions options_;
  std::vector<std::string> set_;
  std::shared_ptr<const RawNode> tree_;      ///< with set_
  std::shared_ptr<detail::KeptFiles> kept_;  ///< files are read once
};

}  // namespace flexura
