#pragma once
// Evaluates what a Drawing says, as whoever shows it does.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "flexura/output/drawn_fields.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura::testing {

using Triple = std::array<double, 3>;

inline Triple plus(const Triple& a, const Triple& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
inline double inner(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double size(const Triple& a) { return std::sqrt(inner(a, a)); }
inline double apart(const Triple& a, const Triple& b) { return size(plus(a, b, -1)); }

/// A scene, its models and their drawings.
struct Drawn {
  SceneDocument document;
  SceneModels scene;
  std::vector<DrawnModel> drawings;

  explicit Drawn(SceneDocument read) : document(std::move(read)), scene(interpret_scene(document)) {
    for (const SceneModel& model : scene.models) drawings.push_back(draw_model(model, model.sensors));
  }
  static Drawn file(const std::string& path) { return Drawn(read_scene(path, scene_terms())); }
  static Drawn text(const std::string& scene) { return Drawn(read_scene_text(scene, "scene.toml", scene_terms())); }

  const Drawing& drawing() const { return drawings.front().drawing; }
  const DrawnPlaces& places() const { return drawings.front().places; }
  const SceneModel& model() const { return scene.models.front(); }
  const Topology& topology() const { return *model().model.topology; }
  const std::vector<double>& q0() const { return model().model.values.q0; }

  const Drawable& find(const std::string& name, Drawable::Kind kind) const {
    for (const Drawable& drawable : drawing().drawables)
      if (drawable.name == name && drawable.kind == kind) return drawable;
    ADD_FAILURE() << name << " is not drawn";
    return drawing().drawables.front();
  }
};

/// A cable that is clamped at its start.
inline std::string clamped_hose(const std::string& path, int elements) {
  return R"(
[section.wall]
EA = 2000.0
EI = 0.02
rhoA = 0.12
[cable.hose]
section = "wall"
path = )" +
         path + "\nelements = " + std::to_string(elements) + R"(
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
)";
}

/// The drawing's slots, those that never move behind.
inline std::vector<Triple> slots_at(const Drawing& drawing, const std::vector<double>& q) {
  std::vector<Triple> out;
  for (const Drawing::MovingSlot& slot : drawing.slots) {
    Triple x{};
    for (int i = 0; i < drawing.dim; ++i) x[i] = q[slot.offset + i];
    out.push_back(x);
  }
  out.insert(out.end(), drawing.fixed.begin(), drawing.fixed.end());
  return out;
}

inline Triple row_at(const SlotMap& map, int row, const std::vector<Triple>& slots) {
  Triple out{};
  for (std::uint32_t k = map.start[row]; k < map.start[row + 1]; ++k)
    out = plus(out, slots.at(map.slot[k]), map.weight[k]);
  return out;
}

/// Every scene in examples/, from the root of the source tree.
inline std::vector<std::string> example_files() {
  std::vector<std::string> out;
  std::error_code none;  // tests may be listed elsewhere
  for (const auto& entry : std::filesystem::directory_iterator("examples", none))
    if (entry.path().extension() == ".toml") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace flexura::testing
